//! What an attack finds on the host: a secret file, a process with a secret in its environment, services that listen.
//!
//! Everything is harmless and private to one case. After the run the scene tells what was touched.
#![expect(clippy::disallowed_types, reason = "the scene holds a process that attacks may aim at")]

use formicary_testkit::Scratch;
use std::fs;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The stage of one case.
pub struct Scene {
    /// Unique to the scene; part of every name in it.
    pub id: String,
    /// The secret: in the flag file and in the victim's environment. It must not be seen in any output.
    pub token: String,
    folder: Scratch,
    victim: Child,
    tcp: TcpListener,
    tcp6: Option<TcpListener>,
    udp: UdpSocket,
    path_socket: UnixListener,
    abstract_socket: UnixListener,
}

impl Scene {
    /// Sets the stage.
    pub fn new() -> io::Result<Self> {
        let folder = Scratch::new("conformance")?;
        let id =
            folder.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let token = format!("token-of-{id}-{:x}", std::process::id().wrapping_mul(2_654_435_761));
        fs::write(folder.path().join("flag"), &token)?;
        fs::create_dir(folder.path().join("bare"))?;
        fs::create_dir(folder.path().join("temp"))?;
        let victim = Command::new("/bin/sleep")
            .arg("600")
            .env_clear()
            .env("SECRET", &token)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let scene = Self {
            victim,
            tcp: TcpListener::bind("127.0.0.1:0")?,
            tcp6: TcpListener::bind("[::1]:0").ok(),
            udp: UdpSocket::bind("127.0.0.1:0")?,
            path_socket: UnixListener::bind(folder.path().join("socket"))?,
            abstract_socket: UnixListener::bind_addr(&SocketAddr::from_abstract_name(&id)?)?,
            id,
            token,
            folder,
        };
        scene.tcp.set_nonblocking(true)?;
        if let Some(tcp6) = &scene.tcp6 {
            tcp6.set_nonblocking(true)?;
        }
        scene.udp.set_nonblocking(true)?;
        scene.path_socket.set_nonblocking(true)?;
        scene.abstract_socket.set_nonblocking(true)?;
        Ok(scene)
    }

    /// The folder on the host that belongs to the scene.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where an unprotected run works.
    pub fn bare_folder(&self) -> PathBuf {
        self.folder().join("bare")
    }

    /// The secret file.
    pub fn flag(&self) -> PathBuf {
        self.folder().join("flag")
    }

    /// The victim's number on the host.
    pub fn victim(&self) -> u32 {
        self.victim.id()
    }

    /// What the program is told: where everything is that it may try to reach.
    pub fn environment(&self) -> io::Result<Vec<(String, String)>> {
        let tcp6 = self
            .tcp6
            .as_ref()
            .map(|socket| socket.local_addr())
            .transpose()?
            .map_or(9, |address| address.port());
        let pairs = [
            ("CASE", self.id.clone()),
            ("FLAG", self.flag().display().to_string()),
            ("SCENE", self.folder().display().to_string()),
            ("VICTIM", self.victim().to_string()),
            ("SUPERVISOR", std::process::id().to_string()),
            ("TCP_PORT", self.tcp.local_addr()?.port().to_string()),
            ("TCP6_PORT", tcp6.to_string()),
            ("UDP_PORT", self.udp.local_addr()?.port().to_string()),
            ("SOCKET", self.folder().join("socket").display().to_string()),
            ("ABSTRACT", self.id.clone()),
            ("PATH", "/usr/bin:/bin".to_owned()),
        ];
        Ok(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// Whether anything of the host's was touched; if so, what.
    pub fn untouched(&mut self) -> Result<(), String> {
        match fs::read_to_string(self.flag()) {
            Ok(text) if text == self.token => {}
            Ok(text) => return Err(format!("the flag file was changed to {text:?}")),
            Err(error) => return Err(format!("the flag file is gone: {error}")),
        }
        if let Ok(Some(status)) = self.victim.try_wait() {
            return Err(format!("the host's process was ended: {status}"));
        }
        match self.visitors() {
            visitors if visitors.is_empty() => Ok(()),
            visitors => Err(format!("traffic reached the host: {}", visitors.join(", "))),
        }
    }

    /// The services that somebody reached.
    pub fn visitors(&self) -> Vec<&'static str> {
        let mut visitors = Vec::new();
        let mut note = |came: bool, what| {
            if came {
                visitors.push(what);
            }
        };
        note(self.tcp.accept().is_ok(), "tcp");
        note(self.tcp6.as_ref().is_some_and(|socket| socket.accept().is_ok()), "tcp over v6");
        note(self.udp.recv(&mut [0; 16]).is_ok(), "udp");
        note(self.path_socket.accept().is_ok(), "socket in the file system");
        note(self.abstract_socket.accept().is_ok(), "abstract socket");
        visitors
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}
