//! Event sequences for the tests of this crate.

use formicary_model::{
    Enforcement, Event, EventKind, FailureKind, Level, Phase, Status, Stream, Terms, Usage,
};

/// One event of a run.
pub fn event(run_id: &str, at_ms: u64, kind: EventKind) -> Event {
    Event { run_id: run_id.into(), at_ms, kind }
}

/// Usage with this memory peak.
pub fn usage(memory_peak: u64) -> Usage {
    Usage { cpu_user: 0.1, cpu_system: 0.05, memory_peak: Some(memory_peak), ..Usage::default() }
}

/// The first event of a run.
pub fn accepted(run_id: &str, language: &str) -> Event {
    event(
        run_id,
        1_000,
        EventKind::Accepted {
            language: language.into(),
            provider: "native".into(),
            code_bytes: 8,
            terms: Box::new(Terms::default()),
        },
    )
}

/// The last event of a run that has a result.
pub fn finished(run_id: &str, status: Status, duration: f64, memory: u64) -> Event {
    event(
        run_id,
        1_000 + (duration * 1_000.0) as u64,
        EventKind::Finished {
            status,
            exit_code: (status == Status::Success).then_some(0),
            duration,
            usage: usage(memory),
            level: Level::Full,
            enforcement: Enforcement { level: Level::Full, ..Enforcement::new("native") },
            violations: Vec::new(),
            files: Vec::new(),
        },
    )
}

/// The last event of a run in which Formicary failed.
pub fn failed(run_id: &str) -> Event {
    event(
        run_id,
        1_010,
        EventKind::Failed { kind: FailureKind::SandboxFailed, message: "no namespaces".into() },
    )
}

/// A run that ends well.
pub fn successful_run(run_id: &str, language: &str, duration: f64) -> Vec<Event> {
    vec![
        accepted(run_id, language),
        event(run_id, 1_001, EventKind::PhaseStarted { phase: Phase::Run }),
        event(
            run_id,
            1_002,
            EventKind::Output { phase: Phase::Run, stream: Stream::Stdout, data: b"hi\n".to_vec() },
        ),
        event(run_id, 1_003, EventKind::Sample { elapsed: 0.002, usage: usage(1 << 20) }),
        event(
            run_id,
            1_004,
            EventKind::PhaseFinished { phase: Phase::Run, status: Status::Success, duration },
        ),
        finished(run_id, Status::Success, duration, 2 << 20),
    ]
}
