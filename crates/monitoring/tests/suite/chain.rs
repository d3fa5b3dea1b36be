//! Chains over many runs, several writers, what is found and what goes.

use crate::bench::{all, fill, lenient, log, place, refused, run, tell, tell_in_vain, verified};
use formicary_model::{Caller, FailureKind, Status};
use formicary_monitoring::audit::{
    self, AuditLog, AuditSettings, CodeKept, Filter, Flush, Order, RecordKind, Refusal, Retention, retention,
};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn a_run_is_two_records_and_a_refusal_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    let log = log(&place);
    tell(&log, "ada", &run("a"));
    tell(&log, "bob", &refused("b"));
    let refusal = Refusal {
        kind: FailureKind::InvalidInput,
        message: "too many runs",
        language: Some("go"),
        code_hash: Some("y"),
        code_bytes: Some(3),
    };
    log.refused(&Caller::new("eve").of("other"), 7, refusal).unwrap();
    let records: Vec<_> =
        log.with_store(|store| all(store)).iter().map(|one| one.record().unwrap()).collect();
    let kinds: Vec<_> = records.iter().map(|record| record.kind).collect();
    use RecordKind::{Ended, Refused, Started};
    assert_eq!(kinds, [Started, Ended, Refused, Refused]);
    assert!(records[0].terms.is_some() && records[0].status.is_none());
    assert_eq!(records[1].status, Some(Status::Success));
    for record in &records[..2] {
        assert_eq!((record.caller.name.as_str(), record.caller.tenant()), ("ada", "house"));
        assert_eq!(record.code_hash.as_deref(), Some("hash-a"));
        assert_eq!(record.language.as_deref(), Some("python"));
    }
    assert_eq!(
        (records[2].language.as_deref(), records[2].failure.as_deref()),
        (Some("cobol"), Some("invalid_input"))
    );
    assert_eq!(records[3].message.as_deref(), Some("too many runs"));
    let mode = std::fs::metadata(&place).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let found = verified(&place);
    assert!(found.intact && found.records == 4 && found.unfinished == 0, "{found:?}");
}

#[test]
fn a_run_without_an_end_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    tell(&log(&place), "ada", &run("a")[..2]);
    assert_eq!((verified(&place).intact, verified(&place).unfinished), (true, 1));
}

#[test]
fn writers_share_one_chain() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let place = &place;
            scope.spawn(move || {
                // Each with a connection of its own, as processes would have, and two threads on it.
                let log = log(place);
                std::thread::scope(|scope| {
                    for thread in 0..2 {
                        let log = &log;
                        scope.spawn(move || {
                            for n in 0..20 {
                                tell(log, &format!("w{writer}"), &run(&format!("{writer}-{thread}-{n}")));
                            }
                        });
                    }
                });
            });
        }
    });
    let found = verified(&place);
    assert!(found.intact, "{found:?}");
    assert_eq!((found.records, found.unfinished), (3 * 2 * 20 * 2, 0));
}

#[test]
fn records_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    let log = log(&place);
    for n in 0..2_500 {
        fill(&log, if n % 2 == 0 { "ada" } else { "bob" }, &run(&format!("r{n}")));
    }
    tell(&log, "eve", &refused("bad"));
    let count = |filter: Filter, order: Order| {
        let mut count = 0;
        log.with_store(|store| {
            audit::search(store, &filter, order, &mut |_, _| {
                count += 1;
                ControlFlow::Continue(())
            })
        })
        .unwrap();
        count
    };
    let word = |word: &str| Some(word.to_owned());
    for order in [Order::Rising, Order::Falling] {
        assert_eq!(count(Filter::default(), order), 5_001);
        assert_eq!(count(Filter { caller: word("ada"), ..Filter::default() }, order), 2_500);
        assert_eq!(count(Filter { status: word("success"), ..Filter::default() }, order), 2_500);
        assert_eq!(count(Filter { status: word("refused"), ..Filter::default() }, order), 1);
        assert_eq!(count(Filter { language: word("cobol"), ..Filter::default() }, order), 1);
        assert_eq!(count(Filter { run_id: word("r77"), ..Filter::default() }, order), 2);
        assert_eq!(count(Filter { text: word("NO SUCH lang"), ..Filter::default() }, order), 1);
        assert_eq!(count(Filter { before_seq: Some(1_501), ..Filter::default() }, order), 1_500);
        assert_eq!(count(Filter { before_seq: Some(0), ..Filter::default() }, order), 0);
        assert_eq!(count(Filter { tenant: word("nobody"), ..Filter::default() }, order), 0);
        // The time of these runs is their name's length.
        let four = Filter { since_ms: Some(1_000_004), until_ms: Some(1_000_005), ..Filter::default() };
        assert_eq!(count(four, order), 2 * 900);
    }
}

#[test]
fn old_records_go_and_the_chain_holds() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    let log = log(&place);
    for n in 0..30 {
        tell(&log, "ada", &run(&format!("r{n}")));
    }
    let before = verified(&place);
    let archive = folder.path().join("old.jsonl");
    let went = log.with_store(|store| retention::prune(store, 20, Some(&archive))).unwrap();
    assert_eq!(went, 20);
    tell(&log, "ada", &run("later"));
    assert_eq!(log.with_store(|store| retention::prune(store, 25, None)).unwrap(), 5);
    let after = verified(&place);
    assert!(after.intact, "{after:?}");
    assert_eq!((after.first, after.last), (26, 60 + 1 + 2 + 1));
    let lines = std::fs::read(&archive).unwrap();
    let of_archive = audit::verify_archive(&lines[..], "old.jsonl", &[]).unwrap();
    assert!(of_archive.intact && of_archive.records == 20, "{of_archive:?}");
    // An end that was noted long ago is still there, or was let go; one that never was is not.
    let (seq, hash) = before.head.split_once(':').unwrap();
    let noted = [(seq.parse().unwrap(), hash.to_owned())];
    assert!(audit::verify(audit::open(&place).unwrap().as_mut(), &noted).unwrap().intact);
    let wrong = [(50, "f".repeat(64))];
    assert!(!audit::verify(audit::open(&place).unwrap().as_mut(), &wrong).unwrap().intact);
    let beyond = [(500, "f".repeat(64))];
    assert!(!audit::verify(audit::open(&place).unwrap().as_mut(), &beyond).unwrap().intact);
}

#[test]
fn what_is_too_large_or_too_old_goes_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    let retention =
        Retention { max_bytes: Some(256 * 1024), archive: Some(place.clone().into()), keep_ms: None };
    let settings = AuditSettings { retention, ..AuditSettings::default() };
    let log = AuditLog::new(audit::open(&place).unwrap(), settings).unwrap();
    for n in 0..800 {
        fill(&log, "ada", &run(&format!("r{n}")));
    }
    drop(log);
    let mut records = verified(&place).records;
    let mut archives = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let lines = std::fs::read(&path).unwrap();
            let found = audit::verify_archive(&lines[..], "archive", &[]).unwrap();
            assert!(found.intact, "{found:?}");
            (records, archives) = (records + found.records, archives + 1);
        }
    }
    assert!(archives >= 1 && verified(&place).intact);
    assert_eq!(records, 1_600 + archives, "no record is lost between the archives");
    // These runs are of 1970.
    let retention = Retention { keep_ms: Some(0), ..Retention::default() };
    AuditLog::new(audit::open(&place).unwrap(), AuditSettings { retention, ..AuditSettings::default() })
        .unwrap();
    let found = verified(&place);
    assert!(found.intact && found.records == 1, "{found:?}");
}

/// Two processes that find the log too large at the same moment both let its older half go.
#[test]
fn the_beginning_of_the_chain_never_moves_back() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    let log = log(&place);
    for n in 0..10 {
        fill(&log, "ada", &run(&format!("r{n}")));
    }
    let slow = log.with_store(|store| store.page(7, Order::Rising, 1)).unwrap().remove(0);
    let mut other = audit::open(&place).unwrap();
    assert_eq!(retention::prune(other.as_mut(), 12, None).unwrap(), 12);
    log.with_store(|store| store.forget(&slow, audit::AuditRecord::default())).unwrap();
    let found = verified(&place);
    assert!(found.intact, "{found:?}");
    assert_eq!(log.with_store(|store| store.head()).unwrap().base_seq, 12);
}

#[test]
fn without_an_archive_what_is_too_large_is_removed_and_nothing_waits_for_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    let settings = || AuditSettings {
        retention: Retention { max_bytes: Some(256 * 1024), ..Retention::default() },
        flush: Flush::Never,
        ..AuditSettings::default()
    };
    let open = || audit::open_unflushed(std::path::Path::new(&place)).unwrap();
    let writers: Vec<_> = (0..3).map(|_| AuditLog::new(open(), settings()).unwrap()).collect();
    std::thread::scope(|scope| {
        for (index, log) in writers.iter().enumerate() {
            scope.spawn(move || {
                for n in 0..600 {
                    fill(log, "ada", &run(&format!("{index}-{n}")));
                }
            });
        }
    });
    let wal = format!("{place}-wal");
    assert!(std::path::Path::new(&wal).exists());
    drop(writers);
    assert!(std::path::Path::new(&wal).exists(), "closing it flushes nothing");
    let mut store = open();
    let bytes = store.bytes().unwrap();
    assert!(bytes < 1024 * 1024, "{bytes}");
    assert!(store.head().unwrap().base_seq > 0);
    assert!(audit::verify(store.as_mut(), &[]).unwrap().intact);
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.len() <= 3, "{names:?}");
}

#[test]
fn code_is_kept_once_where_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let settings = AuditSettings { code: CodeKept::Full, ..AuditSettings::default() };
    let log = AuditLog::new(audit::open(&place(folder.path())).unwrap(), settings).unwrap();
    for _ in 0..3 {
        log.offer_code("hash-a", || "print(1)".into());
        tell(&log, "ada", &run("a"));
    }
    let bodies: Vec<_> = log.with_store(|store| all(store)).into_iter().map(|one| one.body).collect();
    assert_eq!(bodies.iter().filter(|body| body.contains("print(1)")).count(), 1);
}

#[test]
fn a_file_that_goes_away_stops_what_would_run() {
    let folder = tempfile::tempdir().unwrap();
    let place = place(folder.path());
    let log = log(&place);
    tell(&log, "ada", &run("a"));
    std::fs::remove_file(&place).unwrap();
    let (error, stopped) = tell_in_vain(&log, &run("b"));
    assert!(error.unwrap().contains("audit.db"));
    assert_eq!((stopped, log.lost()), (2, 2));
    assert!(log.trouble().is_some());
    let lenient = lenient(&place);
    tell(&lenient, "ada", &run("c"));
    std::fs::remove_file(&place).unwrap();
    let (error, stopped) = tell_in_vain(&lenient, &run("d"));
    assert!(error.is_some() && stopped == 0, "it is told, and runs on");
}

#[test]
fn places_that_are_no_audit_log_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("audit.jsonl");
    std::fs::write(&lines, "{\"at_ms\":1}\n").unwrap();
    for (place, word) in [
        (lines.display().to_string(), "some other file"),
        (folder.path().join("no/such/audit.db").display().to_string(), "No such file"),
        (folder.path().display().to_string(), "directory"),
        ("postgres://nobody@127.0.0.1:1/none".into(), "127.0.0.1"),
        ("postgres://a b".into(), "postgres"),
    ] {
        let error = audit::open(&place).err().unwrap_or_else(|| panic!("{place} was opened"));
        assert!(error.to_string().contains(word), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&lines).unwrap(), "{\"at_ms\":1}\n");
}
