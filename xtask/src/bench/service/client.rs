//! The server as a process of its own, and connections to it that are kept: as little work as possible on the caller's side,
//! because both share the same cores.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Longer than any answer takes: what comes later is a failure, not a figure.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server under measurement.
pub struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// Starts it on a port of the kernel's choice, with nobody's configuration but these settings.
    pub fn start(binary: &Path, scratch: &Path, settings: &[(&str, &str)]) -> Result<Self, String> {
        let mut command = Command::new(binary);
        let inherited = std::env::vars_os().filter(|(name, _)| {
            !name.to_string_lossy().starts_with("FORMICARY_") && name != "XDG_CONFIG_HOME"
        });
        command.env_clear().envs(inherited).env("XDG_CONFIG_HOME", scratch.join("nobody"));
        command.env("XDG_STATE_HOME", scratch.join("state"));
        command.arg("--set").arg(format!("cache.folder={}", scratch.join("cache").display()));
        for (key, value) in settings {
            command.arg("--set").arg(format!("{key}={value}"));
        }
        command.args(["--json", "serve", "--listen", "127.0.0.1:0"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", binary.display()))?;
        let mut text = String::new();
        let mut stdout = BufReader::new(child.stdout.take().ok_or("the server has no output")?);
        // One object over several lines.
        while !text.trim_end().ends_with('}') {
            if stdout.read_line(&mut text).map_err(|error| error.to_string())? == 0 {
                return Err(format!("the server did not start: {text}"));
            }
        }
        let told: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| format!("{text}: {error}"))?;
        let address = told["address"].as_str().ok_or("the server does not say where it listens")?;
        Ok(Self { address: address.to_owned(), child })
    }

    /// A new connection.
    pub fn connect(&self) -> Result<Connection, String> {
        let stream = TcpStream::connect(&self.address).map_err(|error| format!("connect: {error}"))?;
        let ready = stream.set_nodelay(true).and_then(|()| stream.set_read_timeout(Some(PATIENCE)));
        ready.map_err(|error| error.to_string())?;
        Ok(Connection { reader: BufReader::new(stream) })
    }

    /// Resident memory, in KiB.
    pub fn resident(&self) -> u64 {
        let pages = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4
    }

    /// Descriptors that it holds.
    pub fn descriptors(&self) -> u64 {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).map_or(0, |entries| entries.count() as u64)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Told to end, it takes its sandboxes along.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

/// A connection that is kept.
pub struct Connection {
    reader: BufReader<TcpStream>,
}

/// What came back.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Whether it says when to come back.
    pub retry_after: bool,
    /// The body; empty where it comes as events.
    pub body: Vec<u8>,
}

impl Connection {
    /// Sends a request as it stands.
    pub fn send(&mut self, text: &[u8]) -> Result<(), String> {
        self.reader.get_mut().write_all(text).map_err(|error| format!("send: {error}"))
    }

    /// One request and its answer.
    pub fn ask(&mut self, request: &[u8]) -> Result<Answer, String> {
        self.send(request)?;
        self.answer()
    }

    /// Reads one answer: the head, and the body where its length is told.
    pub fn answer(&mut self) -> Result<Answer, String> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|word| word.parse().ok());
        let mut answer = Answer {
            status: status.ok_or_else(|| format!("no answer: {first:?}"))?,
            retry_after: false,
            body: Vec::new(),
        };
        let mut length = 0;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            match line.split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse().unwrap_or_default(),
                Some(("retry-after", _)) => answer.retry_after = true,
                Some(_) => {}
                None => break,
            }
        }
        answer.body.resize(length, 0);
        self.reader.read_exact(&mut answer.body).map_err(|error| format!("read: {error}"))?;
        Ok(answer)
    }

    /// One line without its end.
    pub fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) => Err("the connection was closed".into()),
            Ok(_) => Ok(line.trim_end().to_owned()),
            Err(error) => Err(format!("read: {error}")),
        }
    }
}

/// A request with this body.
pub fn post(path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A request without one.
pub fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
}

/// Python, as a request has it.
pub fn python(code: &str) -> String {
    serde_json::json!({ "language": "python", "source": { "code": { "code": code } } }).to_string()
}
