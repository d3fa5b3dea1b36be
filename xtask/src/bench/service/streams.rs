//! Many who listen, and some who do not: streams of events that are held, and clients that never read or never finish asking.

use super::client::{Connection, Server, get, post, python};
use super::load;
use serde::Serialize;
use std::time::Instant;

/// Streams that are held at one time.
const STREAMS: usize = 500;
/// Lines that the program prints while all of them listen.
const LINES: usize = 40;
/// Clients of each bad habit.
const SLOW: usize = 100;

/// What became of the streams, and of others meanwhile.
#[derive(Debug, Serialize)]
pub struct Streams {
    pub streams: usize,
    /// Streams that heard every line and the result.
    pub whole: usize,
    pub failures: Vec<String>,
    pub resident_kib_before: u64,
    pub resident_kib_with_all: u64,
    /// Throughput of `execute` while slow clients hold their connections, to that without them.
    pub beside_slow_clients: f64,
    pub slow_clients: usize,
}

/// Holds all streams on one job, and measures beside clients that are slow.
pub fn streams(server: &Server, runs: u32) -> Result<Streams, String> {
    let resident_kib_before = server.resident();
    // It begins when it is told to, so that everybody is there for all of it.
    let code = format!(
        "import time\ntime.sleep(5)\nfor n in range({LINES}):\n    print('line', n, flush=True)\n    time.sleep(0.1)"
    );
    let events = get(&format!("/v1/jobs/{}/events", job(server, &code)?));
    let mut open = Vec::new();
    for _ in 0..STREAMS {
        let mut connection = server.connect()?;
        connection.send(&events)?;
        open.push(connection);
    }
    let mut resident_kib_with_all = 0;
    let heard: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let listener = |connection| {
            std::thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, move || hear(connection))
        };
        let threads: Vec<_> = open.into_iter().map(listener).collect();
        std::thread::sleep(std::time::Duration::from_secs(3));
        resident_kib_with_all = server.resident();
        let ended = |thread: std::io::Result<std::thread::ScopedJoinHandle<'_, _>>| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err("a listener ended".into())),
            Err(error) => Err(error.to_string()),
        };
        threads.into_iter().map(ended).collect()
    });
    let whole = heard.iter().filter(|heard| heard.is_ok()).count();
    let mut failures: Vec<String> = heard.into_iter().filter_map(Result::err).collect();
    failures.truncate(20);
    let beside_slow_clients = beside_slow(server, runs)?;
    Ok(Streams {
        streams: STREAMS,
        whole,
        failures,
        resident_kib_before,
        resident_kib_with_all,
        beside_slow_clients,
        slow_clients: 2 * SLOW,
    })
}

fn job(server: &Server, code: &str) -> Result<String, String> {
    let answer = server.connect()?.ask(&post("/v1/jobs", &python(code)))?;
    let told: serde_json::Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    told["id"].as_str().map(str::to_owned).ok_or_else(|| format!("no job: {told}"))
}

/// Reads events to their end: every line, nothing lost, the result last.
fn hear(mut connection: Connection) -> Result<(), String> {
    let answer = connection.answer()?;
    if answer.status != 200 {
        return Err(format!("status {}", answer.status));
    }
    let (mut lines, mut last) = (0, String::new());
    while last != "result" {
        let line = connection.line()?;
        if let Some(name) = line.strip_prefix("event: ") {
            last = name.to_owned();
            if last == "lost" || last == "problem" {
                return Err(format!("an event {last}"));
            }
        } else if last == "output" && line.starts_with("data: ") {
            lines += line.matches("line ").count();
        }
    }
    (lines == LINES).then_some(()).ok_or_else(|| format!("{lines} of {LINES} lines"))
}

/// Throughput with clients that ask for much and never read, and others that never finish asking; to that without them.
fn beside_slow(server: &Server, runs: u32) -> Result<f64, String> {
    let request = post("/v1/execute", &python("print(1)"));
    let rate = || {
        load::timed(runs, || {
            let mut connection = server.connect()?;
            let request = &request;
            Ok(move || load::run(&mut connection, request))
        })
    };
    let id = job(server, "print(('x' * 1000 + '\\n') * 900, end='')")?;
    let waiting = Instant::now();
    let (mut alone, mut beside) = (0.0, 0.0);
    for _ in 0..3 {
        alone += rate()?.as_secs_f64();
        let mut held = Vec::new();
        for number in 0..2 * SLOW {
            let mut connection = server.connect()?;
            match number % 2 {
                0 => connection.send(&get(&format!("/v1/jobs/{id}/events")))?,
                _ => connection.send(&request[..request.len() - 1])?,
            }
            held.push(connection);
        }
        beside += rate()?.as_secs_f64();
        drop(held);
        if waiting.elapsed().as_secs() > 300 {
            return Err("it takes too long".into());
        }
    }
    Ok(alone / beside)
}
