//! Engines that are broken in every way that one can be, played by a few lines on a socket: each must be told as one clear
//! error with its remedy, soon.

use super::{Docker, DockerSettings};
use crate::guest::place::Place;
use crate::provider::{Cancel, Provider, RunIo, Stdin};
use crate::{Job, SandboxError};
use formicary_guest::frame;
use formicary_guest::message::run::Kind;
use formicary_model::Assurance;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What the engine does with one question.
enum Answer {
    /// This status and body.
    Says(u16, &'static str),
    /// It takes the connection over and says nothing on it for a moment.
    Attaches,
    /// The same, and the guest agent behind it says that the program has started.
    Begins,
    /// It hangs up.
    HangsUp,
    /// It never answers.
    Nothing,
    /// It says what is no answer.
    Babbles,
}

use Answer::{Attaches, Babbles, Begins, HangsUp, Nothing, Says};

type Script = fn(&str) -> Answer;

const VERSION: &str = r#"{"Version":"20.10.24","ApiVersion":"1.41","MinAPIVersion":"1.12"}"#;
const INFO: &str = r#"{"MemoryLimit":true,"PidsLimit":true,"Runtimes":{"runc":{"path":"runc"}}}"#;

/// An engine in good health, as far as it is asked before a container is made.
fn healthy(path: &str) -> Answer {
    match path {
        path if path.ends_with("/version") => Says(200, VERSION),
        path if path.ends_with("/info") => Says(200, INFO),
        path if path.contains("/containers/json") => Says(200, "[]"),
        path if path.contains("/images/") && path.ends_with("/json") => Says(200, r#"{"Id":"sha256:0"}"#),
        path if path.contains("/containers/create") => Says(201, r#"{"Id":"c","Warnings":[]}"#),
        path if path.contains("/attach") => Attaches,
        path if path.contains("/start") => Says(204, ""),
        _ => Says(200, "{}"),
    }
}

const SCRIPTS: &[(&str, Script, &str, &str)] = &[
    ("silent", |_| Nothing, "does not answer within", "restart it"),
    ("babbling", |_| Babbles, "asked to ask the engine who it is", "see whether it is alive"),
    ("hanging up", |_| HangsUp, "asked to ask the engine who it is", "see whether it is alive"),
    (
        "answering no question but the first",
        |path| if path.ends_with("/info") { Nothing } else { healthy(path) },
        "does not answer within",
        "restart it",
    ),
    (
        "with a full disk",
        |path| match path {
            path if path.contains("/containers/create") => {
                Says(500, r#"{"message":"mkdir /var/lib/docker/overlay2/x: no space left on device"}"#)
            }
            _ => healthy(path),
        },
        "no space left on device",
        "docker system prune",
    ),
    (
        "without the image",
        |path| match path {
            path if path.contains("/images/") => Says(404, r#"{"message":"No such image: own:1"}"#),
            _ => healthy(path),
        },
        "No such image: own:1",
        "formicary images pull",
    ),
    (
        "that loses the image before it is used",
        |path| match path {
            path if path.contains("/containers/create") => Says(404, r#"{"message":"No such image: own:1"}"#),
            _ => healthy(path),
        },
        "No such image",
        "formicary images pull",
    ),
    (
        "that cannot start anything",
        |path| match path {
            path if path.contains("/start") => {
                Says(500, r#"{"message":"OCI runtime create failed: no cgroup"}"#)
            }
            _ => healthy(path),
        },
        "OCI runtime create failed",
        "engine's log",
    ),
    (
        "that stops in the middle of a run",
        |path| match path {
            path if path.contains("/json") && path.contains("/containers/formicary") => HangsUp,
            _ => healthy(path),
        },
        "asked to say how a container ended",
        "see whether it is alive",
    ),
];

/// How soon each of them is told.
const SOON: Duration = Duration::from_secs(5);

/// Answers every connection by the script until the socket's folder is gone.
fn play(listener: UnixListener, script: Script) {
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            std::thread::spawn(move || answer(connection, script));
        }
    });
}

fn answer(mut connection: UnixStream, script: Script) -> Option<()> {
    let mut reader = BufReader::new(connection.try_clone().ok()?);
    let (mut line, mut length) = (String::new(), 0);
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.split('?').next()?.to_string();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let (name, value) = line.trim().split_once(':').unwrap_or_default();
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    reader.take(length).read_to_end(&mut Vec::new()).ok()?;
    match script(&path) {
        Says(status, body) => {
            let length = body.len();
            let head =
                format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nConnection: close\r\n");
            connection.write_all(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes()).ok()
        }
        answer @ (Attaches | Begins) => {
            let head = "HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\n\
                        Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n";
            connection.write_all(head.as_bytes()).ok()?;
            if matches!(answer, Begins) {
                let mut words = Vec::new();
                frame::write(&mut words, Kind::Started, &[]).ok()?;
                let length = u32::try_from(words.len()).ok()?.to_be_bytes();
                connection.write_all(&[&[1, 0, 0, 0], &length[..], &words].concat()).ok()?;
            }
            std::thread::sleep(Duration::from_millis(300));
            Some(())
        }
        HangsUp => Some(()),
        Babbles => connection.write_all(b"what?\r\n\r\n").ok(),
        Nothing => {
            std::thread::sleep(Duration::from_secs(20));
            Some(())
        }
    }
}

fn run(settings: DockerSettings) -> SandboxError {
    let mut job = Job::new(["true"]);
    job.assurance = Assurance::BestEffort;
    let io = RunIo { stdin: Stdin::Bytes(Vec::new()), watch: &mut |_| {}, cancel: Cancel::default() };
    Docker::new(settings).run(&job, io).unwrap_err()
}

#[test]
fn every_broken_engine_is_one_clear_error_with_its_remedy() {
    let place = Place::new(&std::env::temp_dir()).unwrap();
    std::thread::scope(|scope| {
        for (number, (name, script, words, remedy)) in SCRIPTS.iter().enumerate() {
            let socket = place.path().join(format!("{number}.sock"));
            play(UnixListener::bind(&socket).unwrap(), *script);
            scope.spawn(move || {
                let tell = || {
                    let started = Instant::now();
                    let (socket, image) = (Some(socket.clone()), Some("own:1".to_string()));
                    let error = run(DockerSettings { socket, image, runtime: None });
                    let SandboxError::Unavailable { why, hint, .. } = &error else {
                        panic!("{name}: {error:?}")
                    };
                    assert!(why.contains(words) && hint.contains(remedy), "{name}: {why} / {hint}");
                    started.elapsed()
                };
                // A machine that was busy meanwhile is given a second chance.
                let quickest = Some(tell()).filter(|time| *time < SOON).unwrap_or_else(tell);
                assert!(quickest < SOON, "{name}: {quickest:?}");
            });
        }
    });
}

#[test]
fn a_runtime_that_the_engine_does_not_know_is_named() {
    let place = Place::new(&std::env::temp_dir()).unwrap();
    let socket = place.path().join("engine.sock");
    play(UnixListener::bind(&socket).unwrap(), healthy);
    let runtime = Some("runsc".to_string());
    let error = run(DockerSettings { socket: Some(socket), image: None, runtime });
    let SandboxError::Unavailable { why, hint, .. } = &error else { panic!("{error:?}") };
    assert!(
        why.contains("knows no runtime \"runsc\"; it knows runc") && hint.contains("runsc install"),
        "{why}"
    );
}

#[test]
fn a_socket_that_may_not_be_opened_is_told_with_the_group() {
    let place = Place::new(&std::env::temp_dir()).unwrap();
    let socket = place.path().join("closed.sock");
    play(UnixListener::bind(&socket).unwrap(), healthy);
    std::fs::set_permissions(&socket, std::fs::Permissions::from_mode(0o000)).unwrap();
    if UnixStream::connect(&socket).is_ok() {
        // To root every socket is open; the tests also run as an ordinary user.
        return;
    }
    let error = run(DockerSettings { socket: Some(socket), ..DockerSettings::default() });
    let SandboxError::Unavailable { why, hint, .. } = &error else { panic!("{error:?}") };
    assert!(why.contains("may not be opened by this user") && hint.contains("usermod -aG docker"), "{why}");
}

/// Containers that were made for the test below.
static MADE: AtomicUsize = AtomicUsize::new(0);

fn counted(path: &str) -> Answer {
    if path.contains("/containers/create") {
        MADE.fetch_add(1, Ordering::Relaxed);
    }
    healthy(path)
}

#[test]
fn what_was_lost_before_it_began_is_tried_again_and_what_has_begun_never() {
    let begun: Script = |path| if path.contains("/attach") { Begins } else { counted(path) };
    for (script, made) in [(counted as Script, 2), (begun, 1)] {
        let place = Place::new(&std::env::temp_dir()).unwrap();
        let socket = place.path().join("engine.sock");
        play(UnixListener::bind(&socket).unwrap(), script);
        MADE.store(0, Ordering::Relaxed);
        let error = run(DockerSettings { socket: Some(socket), ..DockerSettings::default() });
        assert!(error.to_string().contains("without a word"), "{error}");
        assert_eq!(MADE.load(Ordering::Relaxed), made);
    }
}
