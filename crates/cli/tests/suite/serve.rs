//! The server through the whole command: it says where it listens, serves, and ends when it is told to, with what it ran.

use crate::command::Bench;
use formicary_testkit::leftovers::processes_with_environment;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

fn ask(address: &str, head: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "{head} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
    .unwrap();
    stream
}

#[test]
fn it_serves_and_ends_with_everything_that_it_ran() {
    let marker = format!("MARKER=serve-{}", std::process::id());
    let bench = Bench::new();
    let arguments = ["serve", "--listen", "127.0.0.1:0", "--json", "--set", "server.grace_seconds=0.2s"];
    let mut child = bench.command(&arguments).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let address = told["address"].as_str().unwrap();
    let mut answer = String::new();
    ask(address, "GET /v1/health", "").read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with(r#"{"status":"ok"}"#), "{answer}");
    let value = marker.trim_start_matches("MARKER=");
    let body = serde_json::json!({
        "language": "python",
        "source": { "code": { "code": "import time\ntime.sleep(100)\n" } },
        "env": { "MARKER": value },
    });
    let _waiting = ask(address, "POST /v1/execute", &body.to_string());
    let deadline = Instant::now() + Duration::from_secs(30);
    while processes_with_environment(&marker).is_empty() {
        assert!(Instant::now() < deadline, "the program does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the server does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(processes_with_environment(&marker).is_empty());
}

#[test]
fn it_refuses_to_be_open_to_all() {
    let bench = Bench::new();
    let said = bench.run(&["serve", "--listen", "0.0.0.0:0"]);
    assert_eq!(said.code, 120, "{said:?}");
    assert!(said.stderr.contains("there are no keys") && said.stderr.contains("keys create"), "{said:?}");
    for (arguments, named) in [
        (vec!["serve", "--listen", "here"], "here"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--keys", "none.json"], "none.json"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--tls-cert", "a", "--tls-key", "b"], "a"),
        (vec!["serve", "--tls-cert", "a"], "--tls-key"),
    ] {
        let said = bench.run(&arguments);
        assert_eq!(said.code, 120, "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(named), "{arguments:?}: {said:?}");
    }
}

#[test]
fn keys_are_made_listed_and_revoked() {
    let bench = Bench::new();
    let made = bench.run(&["keys", "create", "ci", "--scope", "execute,review", "--days", "9"]);
    assert_eq!(made.code, 0, "{made:?}");
    let key = made.stdout.trim();
    assert!(key.starts_with("fmk_") && key.len() == 68, "{made:?}");
    let listed = bench.run(&["keys", "list"]);
    assert!(listed.stdout.contains("execute, review") && listed.stdout.contains("9 days"), "{listed:?}");
    assert!(!listed.stdout.contains(&key[4..]), "{listed:?}");
    let listed = bench.run(&["keys", "list", "--json"]).json();
    assert_eq!((&listed[0]["name"], listed[0].get("hash")), (&serde_json::json!("ci"), None));
    for (arguments, named) in [
        (vec!["keys", "create", "ci", "--scope", "execute"], "ci"),
        (vec!["keys", "create", "other", "--scope", "exec"], "exec"),
        (vec!["keys", "create", "other"], "--scope"),
        (vec!["keys", "create", "other", "--scope", "execute", "--days", "0"], "--days"),
        (vec!["keys", "revoke", "none"], "none"),
    ] {
        let said = bench.run(&arguments);
        assert_eq!(said.code, 120, "{arguments:?}: {said:?}");
        assert!(said.stderr.contains(named), "{arguments:?}: {said:?}");
    }
    assert_eq!(bench.run(&["keys", "revoke", "ci"]).code, 0);
    assert!(bench.run(&["keys", "list"]).stdout.contains("there are no keys"));
}
