//! The session server: one for each user, alive for as long as there are sessions.

use crate::client::Watch;
use crate::place::Place;
use crate::wire::{self, Answer, Ask, Asked, VERSION};
use formicary_execution::sessions::SessionManager;
use formicary_model::{CellRequest, CellResult, Failure, FailureKind};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FlockOperation, flock};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// Callers at one time.
const MOST_CALLERS: usize = 64;
/// Pieces of output that may wait for a caller.
const MOST_PIECES: usize = 256;
/// How long a caller may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the server serves.
#[derive(Clone, Copy)]
pub struct Served<'a> {
    /// The sessions, or why there are none.
    pub sessions: Result<&'a SessionManager, &'a Failure>,
    /// Runs a cell, its output shown to who watches as it comes.
    pub run: &'a (dyn Fn(&str, &CellRequest, &mut Watch<'_>) -> Result<CellResult, Failure> + Sync),
    /// Time without a session after which the server ends.
    pub linger: Duration,
}

/// Serves until there has been no session for the configured time. Returns at once where another server runs.
pub fn serve(served: Served<'_>, place: &Place) -> Result<(), Failure> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |error: io::Error| {
            Failure::new(FailureKind::Internal, format!("session server: {what}: {error}"))
        }
    };
    let lock = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(place.lock())
        .map_err(failed("open the lock"))?;
    if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Ok(());
    }
    // For people who wonder which process this is.
    lock.set_len(0)
        .and_then(|()| writeln!(&lock, "{}", std::process::id()))
        .map_err(failed("write the lock"))?;
    let listener = listen(place).map_err(failed("listen"))?;
    let callers = AtomicUsize::new(0);
    let mut used = Instant::now();
    std::thread::scope(|scope| {
        loop {
            if callers.load(Ordering::Acquire) >= MOST_CALLERS {
                std::thread::sleep(Duration::from_millis(20));
            } else if wait(&listener)
                && let Ok((stream, _)) = listener.accept()
            {
                callers.fetch_add(1, Ordering::AcqRel);
                let callers = &callers;
                scope.spawn(move || {
                    // A caller that went away or talks nonsense is no concern of the others.
                    let _ = attend(served, stream);
                    callers.fetch_sub(1, Ordering::AcqRel);
                });
            }
            let busy = callers.load(Ordering::Acquire) > 0;
            if busy || served.sessions.is_ok_and(|sessions| !sessions.list().is_empty()) {
                used = Instant::now();
            } else if used.elapsed() > served.linger {
                // Whoever comes now finds no socket, or a closed one, and starts another server.
                let _ = std::fs::remove_file(place.socket());
                return;
            }
        }
    });
    Ok(())
}

/// The socket appears under its name when it is ready and closed to others.
fn listen(place: &Place) -> io::Result<UnixListener> {
    let (new, socket) = (place.new_socket(), place.socket());
    let _ = std::fs::remove_file(&new);
    let listener = UnixListener::bind(&new)?;
    std::fs::set_permissions(&new, std::fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    std::fs::rename(&new, &socket)?;
    Ok(listener)
}

fn wait(listener: &UnixListener) -> bool {
    let pause = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
    let mut watched = [PollFd::new(listener, PollFlags::IN)];
    poll(&mut watched, Some(&pause)).is_ok_and(|ready| ready > 0)
}

fn attend(served: Served<'_>, mut stream: UnixStream) -> io::Result<()> {
    let peer = rustix::net::sockopt::socket_peercred(&stream)?;
    if peer.uid != rustix::process::geteuid() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let asked: Asked = wire::receive(&mut stream)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let answer = if asked.version == VERSION {
        let answered = match asked.ask {
            Ask::Run { id, cell, watch: true } => watched(served, &id, &cell, &stream),
            ask => answer(served, ask),
        };
        answered.unwrap_or_else(Answer::Failed)
    } else {
        Answer::Failed(
            Failure::new(
                FailureKind::InvalidConfiguration,
                format!("the session server is of version {VERSION}, you are of {}", asked.version),
            )
            .hint("close its sessions with the version that made them; it then ends by itself"),
        )
    };
    wire::send(&mut stream, &answer)
}

/// Runs a cell while its output is sent on. A caller that does not keep up holds up neither the cell nor its limits:
/// what has no room is counted, and is in the answer as far as any output is.
fn watched(served: Served<'_>, id: &str, cell: &CellRequest, stream: &UnixStream) -> Result<Answer, Failure> {
    let (pieces, waiting) = sync_channel::<Answer>(MOST_PIECES);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut stream = stream;
            // A caller that went away is told nothing more; the cell runs on.
            while let Ok(piece) = waiting.recv() {
                if wire::send(&mut stream, &piece).is_err() {
                    break;
                }
            }
        });
        let mut omitted = 0;
        let result = (served.run)(id, cell, &mut |stream, bytes| {
            let mut data = Vec::new();
            if omitted > 0 {
                data = format!("\n[… {omitted} bytes left out …]\n").into_bytes();
            }
            data.extend_from_slice(bytes);
            match pieces.try_send(Answer::Output { stream, data }) {
                Ok(()) => omitted = 0,
                Err(_) => omitted += bytes.len(),
            }
        });
        drop(pieces);
        result.map(|result| Answer::Cell(Box::new(result)))
    })
}

fn answer(served: Served<'_>, ask: Ask) -> Result<Answer, Failure> {
    let sessions = served.sessions.map_err(Clone::clone)?;
    Ok(match ask {
        Ask::Create(request) => Answer::Session(sessions.create(*request)?),
        Ask::Run { id, cell, .. } => Answer::Cell(Box::new((served.run)(&id, &cell, &mut |_, _| {})?)),
        Ask::Interrupt { id } => Answer::Interrupted(sessions.find(&id)?.interrupt()),
        Ask::Files { id } => Answer::Files(sessions.find(&id)?.files()?),
        Ask::Put { id, files } => {
            sessions.find(&id)?.put(&files)?;
            Answer::Done
        }
        Ask::Get { id, path } => Answer::File(sessions.find(&id)?.get(&path)?),
        Ask::Remove { id, paths } => {
            let session = sessions.find(&id)?;
            paths.iter().try_for_each(|path| session.remove(path))?;
            Answer::Done
        }
        Ask::List => Answer::Sessions(sessions.list()),
        Ask::Reset { id } => {
            sessions.find(&id)?.reset()?;
            Answer::Done
        }
        Ask::Close { id } => {
            sessions.close(&id)?;
            Answer::Done
        }
    })
}
