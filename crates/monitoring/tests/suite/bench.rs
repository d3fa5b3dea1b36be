//! Stores, and runs to put into them.

use formicary_model::{Caller, Enforcement, Event, EventKind, FailureKind, Level, Status, Terms, Usage};
use formicary_monitoring::audit::{
    self, AuditLog, AuditSettings, AuditStore, Ends, Required, Sealed, Verification, Writing,
};
use formicary_monitoring::{Fanout, Listener};
use std::path::Path;

/// One event.
pub fn event(run: &str, kind: EventKind) -> Event {
    Event { run_id: run.into(), at_ms: 1_000_000 + run.len() as u64, kind }
}

/// The events of a run that ends well.
pub fn run(name: &str) -> Vec<Event> {
    vec![
        event(name, EventKind::Received { language: None, code_hash: format!("hash-{name}"), code_bytes: 9 }),
        event(
            name,
            EventKind::Accepted {
                language: "python".into(),
                provider: "native".into(),
                code_bytes: 9,
                terms: Box::new(Terms::default()),
            },
        ),
        event(
            name,
            EventKind::Finished {
                status: Status::Success,
                exit_code: Some(0),
                duration: 0.5,
                usage: Usage::default(),
                level: Level::Full,
                enforcement: Enforcement::new("native"),
                violations: Vec::new(),
                files: Vec::new(),
            },
        ),
    ]
}

/// A request that the guard turned away.
pub fn refused(name: &str) -> Vec<Event> {
    let received =
        EventKind::Received { language: Some("cobol".into()), code_hash: "x".into(), code_bytes: 1 };
    let failed = EventKind::Failed { kind: FailureKind::InvalidInput, message: "no such language".into() };
    vec![event(name, received), event(name, failed)]
}

/// A log in the store at this place.
pub fn log(place: &str) -> AuditLog {
    AuditLog::new(audit::open(place).unwrap(), AuditSettings::default()).unwrap()
}

/// Writes these events as those of one caller.
pub fn tell(log: &AuditLog, caller: &str, events: &[Event]) {
    let (caller, writing) = (Caller::new(caller).of("house"), Writing::new(log, Ends::Settled, || ()));
    for event in events {
        writing.heard(&caller, event);
    }
    assert_eq!(writing.error(), None);
}

/// The same, without a wait for the disk.
pub fn fill(log: &AuditLog, caller: &str, events: &[Event]) {
    let (caller, writing) = (Caller::new(caller).of("house"), Writing::new(log, Ends::Gathered, || ()));
    for event in events {
        writing.heard(&caller, event);
    }
    assert_eq!(writing.error(), None);
}

/// The same with what is wrong.
pub fn tell_in_vain(log: &AuditLog, events: &[Event]) -> (Option<String>, usize) {
    let stopped = std::sync::atomic::AtomicUsize::new(0);
    let caller = Caller::new("ada");
    let writing =
        Writing::new(log, Ends::Settled, || _ = stopped.fetch_add(1, std::sync::atomic::Ordering::SeqCst));
    let fanout = Fanout::new(&caller).tell(&writing);
    for event in events {
        formicary_model::Observer::event(&fanout, event);
    }
    (writing.error().map(|error| error.to_string()), stopped.load(std::sync::atomic::Ordering::SeqCst))
}

/// A log that may lose records.
pub fn lenient(place: &str) -> AuditLog {
    let settings = AuditSettings { required: Required::No, ..AuditSettings::default() };
    AuditLog::new(audit::open(place).unwrap(), settings).unwrap()
}

/// A look at the whole chain.
pub fn verified(place: &str) -> Verification {
    audit::verify(audit::open(place).unwrap().as_mut(), &[]).unwrap()
}

/// Every record of a store.
pub fn all(store: &mut dyn AuditStore) -> Vec<Sealed> {
    store.page(0, audit::Order::Rising, 1_000_000).unwrap()
}

/// A place for a file.
pub fn place(folder: &Path) -> String {
    folder.join("audit.db").display().to_string()
}
