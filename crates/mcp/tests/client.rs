//! The door as clients meet it: the official Python client through every tool, both transports and both generations of the
//! protocol; and what stands at the door of HTTP.
#![expect(clippy::unwrap_used, reason = "a test's helper fails the test by panicking")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "tests start the binary itself")]

use formicary_testkit::skips::Skips;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

static SKIPS: Skips = Skips::new();

/// The program, as the test command built it, or where cargo puts it beside the tests.
fn binary(test: &str) -> Option<PathBuf> {
    let named = std::env::var_os("FORMICARY_TEST_BINARY").map(PathBuf::from);
    let beside = || Some(std::env::current_exe().ok()?.parent()?.parent()?.join("formicary"));
    let found = named.or_else(beside).filter(|path| path.is_file());
    if found.is_none() {
        SKIPS.note(test, "the program is not built (FORMICARY_TEST_BINARY)");
    }
    found
}

fn command(program: &Path) -> std::process::Command {
    std::process::Command::new(program)
}

fn python_client(transport: &str, mode: &str) {
    let test = format!("the Python client over {transport}, {mode}");
    let Some(binary) = binary(&test) else { return };
    let python =
        PathBuf::from(std::env::var_os("FORMICARY_TEST_VENV").unwrap_or_default()).join("bin/python3");
    let has_client = python.is_file()
        && command(&python)
            .args(["-c", "import mcp.client.client"])
            .output()
            .is_ok_and(|output| output.status.success());
    if !has_client {
        SKIPS.note(&test, "the package mcp is not in the virtual environment (FORMICARY_TEST_VENV)");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client.py");
    let output = command(&python).arg(script).arg(binary).args([transport, mode]).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    assert!(stdout.contains("checks"), "{stdout}");
}

#[test]
fn the_python_client_over_stdio() {
    python_client("stdio", "auto");
}

#[test]
fn the_python_client_over_http() {
    python_client("http", "auto");
}

#[test]
fn the_python_client_over_stdio_as_it_was_before_2026() {
    python_client("stdio", "legacy");
}

#[test]
fn the_python_client_over_http_as_it_was_before_2026() {
    python_client("http", "legacy");
}

/// A server over HTTP that ends with its owner.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(binary: &Path, root: &Path, options: &[&str]) -> Self {
        let mut child = command(binary)
            .args(["mcp", "--http", "127.0.0.1:0", "--root"])
            .arg(root)
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        Self { child, address }
    }

    /// The status of a request to list tools, with these headers.
    fn ask(&self, headers: &[(&str, &str)]) -> u16 {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        let mut request = "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\n\
                           Accept: application/json, text/event-stream\r\n"
            .to_owned();
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        std::str::from_utf8(&first[9..]).unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn pages_and_rebound_names_do_not_come_in() {
    let Some(binary) = binary("HTTP: host and origin") else { return };
    let root = tempfile::tempdir().unwrap();
    let server = Server::start(
        &binary,
        root.path(),
        &["--allow-host", "build.example.org", "--allow-origin", "http://localhost:6274"],
    );
    for (headers, expected) in [
        (vec![], 200),
        (vec![("Host", "localhost")], 200),
        (vec![("Host", "build.example.org")], 200),
        (vec![("Host", "evil.example.org")], 403),
        (vec![("Origin", "http://evil.example.org")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Origin", "http://localhost:6274")], 200),
    ] {
        assert_eq!(server.ask(&headers), expected, "{headers:?}");
    }
}

#[test]
fn keys_are_asked_for() {
    let Some(binary) = binary("HTTP: keys") else { return };
    let root = tempfile::tempdir().unwrap();
    let keys = root.path().join("keys");
    std::fs::write(&keys, "0123456789abcdef0123\nfedcba98765432100123\n").unwrap();
    std::fs::set_permissions(&keys, std::fs::Permissions::from_mode(0o600)).unwrap();
    let server = Server::start(&binary, root.path(), &["--key-file", keys.to_str().unwrap()]);
    for (key, expected) in [
        (None, 401),
        (Some("Bearer 0123456789abcdef0123"), 200),
        (Some("bearer fedcba98765432100123"), 200),
        (Some("Bearer 0123456789abcdef012"), 401),
        (Some("Bearer "), 401),
        (Some("Basic 0123456789abcdef0123"), 401),
        (Some("0123456789abcdef0123"), 401),
    ] {
        let headers: Vec<(&str, &str)> = key.map(|key| ("Authorization", key)).into_iter().collect();
        assert_eq!(server.ask(&headers), expected, "{key:?}");
    }
}

#[test]
fn a_door_that_would_stand_open_does_not_open() {
    let Some(binary) = binary("bad starts") else { return };
    let root = tempfile::tempdir().unwrap();
    let loose = root.path().join("keys");
    std::fs::write(&loose, "0123456789abcdef0123\n").unwrap();
    std::fs::set_permissions(&loose, std::fs::Permissions::from_mode(0o644)).unwrap();
    let loose = loose.display().to_string();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    for (options, expected) in [
        (vec!["--http", "0.0.0.0:0"], "no key is asked for"),
        (vec!["--http", "127.0.0.1:0", "--key-file", loose.as_str()], "everybody"),
        (vec!["--http", "127.0.0.1:0", "--key-file", "/nowhere/keys"], "/nowhere/keys"),
        (vec!["--http", "somewhere"], "somewhere"),
        (vec!["--http", port.as_str()], "cannot be listened on"),
        (vec!["--key-file", loose.as_str()], "--http"),
        (vec!["--root", "/nowhere"], "/nowhere"),
        (vec!["--http", "127.0.0.1:0", "--set", "provider=trusted"], "isolates nothing"),
    ] {
        let output = command(&binary).arg("mcp").args(&options).stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(120), "{options:?}: {said}");
        assert!(said.contains(expected), "{options:?}: {said}");
    }
    drop(taken);
}

#[test]
fn a_client_that_leaves_takes_the_server_with_it() {
    let Some(binary) = binary("end of input") else { return };
    let root = tempfile::tempdir().unwrap();
    let mut server = command(&binary)
        .args(["mcp", "--root"])
        .arg(root.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let rest = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}
not json at all
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"execute_code","arguments":{"language":"bash","code":"echo hello"}}}"#;
    writeln!(input, "{hello}\n{rest}").unwrap();
    drop(input);
    let mut said = String::new();
    server.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(server.wait().unwrap().success());
    assert!(said.contains(r#""stdout":"hello\n""#), "what was asked before the end is answered: {said}");
    assert!(said.lines().all(|line| line.starts_with('{')), "nothing but the protocol: {said}");
}
