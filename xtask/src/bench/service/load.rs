//! How much of the library's throughput is left over HTTP, and what becomes of four times what can be done.

use super::client::{Connection, Server, post, python};
use crate::bench::sample::{Samples, milliseconds};
use formicary_model::{ExecutionRequest, Source};
use formicary_platform::{Live, Platform};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Callers at a time, each with a connection of its own.
const CALLERS: usize = 4;
/// Turns of each side, one after the other, so that drift of the machine falls on both alike.
const ROUNDS: u32 = 10;
const PROGRAM: &str = "print(1)";

/// Runs a second, by the library and over HTTP.
#[derive(Debug, Serialize)]
pub struct Throughput {
    pub runs: u32,
    pub library_per_second: f64,
    pub http_per_second: f64,
    pub http_with_audit_per_second: f64,
    /// Over HTTP to the library.
    pub ratio: f64,
    /// With an audit log to without one, both over HTTP.
    pub audit_ratio: f64,
}

/// The same program, the same number of callers.
pub fn throughput(
    platform: &Platform,
    plain: &Server,
    audited: &Server,
    runs: u32,
) -> Result<Throughput, String> {
    let each = runs.div_ceil(ROUNDS).max(CALLERS as u32);
    let (mut library, mut http, mut audit) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    // The first round only warms up.
    for round in 0..=ROUNDS {
        let times = [by_library(platform, each)?, by_http(plain, each)?, by_http(audited, each)?];
        if round > 0 {
            library += times[0];
            http += times[1];
            audit += times[2];
        }
    }
    let runs = each * ROUNDS;
    let rate = |time: Duration| f64::from(runs) / time.as_secs_f64();
    Ok(Throughput {
        runs,
        library_per_second: rate(library),
        http_per_second: rate(http),
        http_with_audit_per_second: rate(audit),
        ratio: rate(http) / rate(library),
        audit_ratio: rate(audit) / rate(http),
    })
}

fn by_library(platform: &Platform, runs: u32) -> Result<Duration, String> {
    let request = ExecutionRequest {
        language: Some("python".into()),
        source: Source::code(PROGRAM),
        ..platform.new_request()
    };
    timed(runs, || {
        Ok(|| {
            let result = platform
                .execute_as(&formicary_platform::local_caller(), request.clone(), Live::default())
                .map_err(|failure| failure.message)?;
            (result.stdout == "1\n")
                .then_some(())
                .ok_or_else(|| format!("{}: {}", result.status, result.stderr))
        })
    })
}

fn by_http(server: &Server, runs: u32) -> Result<Duration, String> {
    let request = post("/v1/execute", &python(PROGRAM));
    timed(runs, || {
        let mut connection = server.connect()?;
        let request = &request;
        Ok(move || run(&mut connection, request))
    })
}

/// One execution that must go well.
pub fn run(connection: &mut Connection, request: &[u8]) -> Result<(), String> {
    let answer = connection.ask(request)?;
    let text = String::from_utf8_lossy(&answer.body);
    let fine = answer.status == 200 && text.contains(r#""stdout":"1\n""#);
    fine.then_some(()).ok_or_else(|| format!("{}: {text}", answer.status))
}

/// The time in which several callers do so many runs together.
pub fn timed<W: FnMut() -> Result<(), String>>(
    runs: u32,
    caller: impl Fn() -> Result<W, String> + Sync,
) -> Result<Duration, String> {
    let left = AtomicU32::new(runs);
    let started = Instant::now();
    std::thread::scope(|scope| {
        let one = || {
            let mut work = caller()?;
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
            {
                work()?;
            }
            Ok::<(), String>(())
        };
        let threads: Vec<_> = (0..CALLERS).map(|_| scope.spawn(one)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a caller ended".into())))
    })?;
    Ok(started.elapsed())
}

/// What four times as many callers as there is room for were told.
#[derive(Debug, Serialize)]
pub struct Overload {
    pub callers: usize,
    pub room: usize,
    pub seconds: f64,
    /// Answers by status.
    pub answers: BTreeMap<u16, u64>,
    /// Anything but a result, or 429 or 503 with `Retry-After`.
    pub failures: Vec<String>,
    pub accepted_per_second: f64,
    pub accepted_median_ms: f64,
    pub accepted_p99_ms: f64,
    pub accepted_most_ms: f64,
    pub refused_p99_ms: f64,
    /// After a tenth of the time, and at the end.
    pub resident_kib: [u64; 2],
    pub descriptors: [u64; 2],
}

#[derive(Default)]
struct Seen {
    answers: BTreeMap<u16, u64>,
    failures: Vec<String>,
    accepted: Samples,
    refused: Samples,
}

/// Places and room to wait of the server that is overloaded.
pub const PLACES: usize = 4;
pub const WAITING: usize = 12;
/// What an impatient caller waits before it asks again, whatever it was told.
const IMPATIENCE: Duration = Duration::from_millis(50);

/// Callers that do not heed `Retry-After`.
pub fn overload(server: &Server, time: Duration) -> Result<Overload, String> {
    let (room, callers) = (PLACES + WAITING, 4 * (PLACES + WAITING));
    let request = post("/v1/execute", &python(PROGRAM));
    let seen = Mutex::new(Seen::default());
    let lock = || seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let started = Instant::now();
    let early = std::thread::scope(|scope| {
        for _ in 0..callers {
            scope.spawn(|| {
                let mut connection = server.connect();
                while started.elapsed() < time {
                    let asked = Instant::now();
                    let answer =
                        connection.as_mut().map_err(|error| error.clone()).and_then(|c| c.ask(&request));
                    let took = asked.elapsed();
                    let mut seen = lock();
                    match answer {
                        Ok(answer) => {
                            *seen.answers.entry(answer.status).or_default() += 1;
                            match answer.status {
                                200 => seen.accepted.push(took),
                                429 | 503 if answer.retry_after => seen.refused.push(took),
                                other => seen.failures.push(format!("{other}")),
                            }
                            drop(seen);
                            if answer.status != 200 {
                                std::thread::sleep(IMPATIENCE);
                            }
                        }
                        Err(error) => {
                            seen.failures.push(error);
                            drop(seen);
                            connection = server.connect();
                            std::thread::sleep(IMPATIENCE);
                        }
                    }
                }
            });
        }
        std::thread::sleep(time / 10);
        (server.resident(), server.descriptors())
    });
    let seconds = started.elapsed().as_secs_f64();
    let late = (server.resident(), server.descriptors());
    let mut seen = seen.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    seen.failures.truncate(20);
    Ok(Overload {
        callers,
        room,
        seconds,
        accepted_per_second: seen.accepted.len() as f64 / seconds,
        accepted_median_ms: milliseconds(seen.accepted.median()),
        accepted_p99_ms: milliseconds(seen.accepted.quantile(0.99)),
        accepted_most_ms: milliseconds(seen.accepted.quantile(1.0)),
        refused_p99_ms: milliseconds(seen.refused.quantile(0.99)),
        answers: seen.answers,
        failures: seen.failures,
        resident_kib: [early.0, late.0],
        descriptors: [early.1, late.1],
    })
}
