//! Whatever is changed in a store is found.

use crate::bench::{all, log, place, run, tell, verified};
use formicary_monitoring::audit;
use std::path::Path;

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn filled(folder: &Path, runs: usize) -> String {
    let place = place(folder);
    let log = log(&place);
    for n in 0..runs {
        tell(&log, "ada", &run(&format!("run-{n}")));
    }
    place
}

fn change(place: &str, statement: &str) {
    let connection = rusqlite::Connection::open(place).unwrap();
    connection
        .execute_batch("DROP TRIGGER IF EXISTS records_stay; DROP TRIGGER IF EXISTS records_remain;")
        .unwrap();
    connection.execute_batch(statement).unwrap();
}

#[test]
fn those_who_come_by_sql_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = filled(folder.path(), 2);
    let connection = rusqlite::Connection::open(&place).unwrap();
    for statement in ["UPDATE records SET body = '{}'", "DELETE FROM records WHERE seq = 2"] {
        let error = connection.execute_batch(statement).unwrap_err().to_string();
        assert!(error.contains("audit records are"), "{error}");
    }
}

#[test]
fn every_kind_of_change_is_found() {
    for (statement, word) in [
        ("UPDATE records SET body = replace(body, 'ada', 'eve') WHERE seq = 5", "hash"),
        ("UPDATE records SET at_ms = 1 WHERE seq = 5", "time"),
        ("UPDATE records SET hash = '0' || substr(hash, 2) || 'x' WHERE seq = 5", "hash"),
        ("DELETE FROM records WHERE seq = 5", "missing"),
        ("DELETE FROM records WHERE seq = 1", "missing"),
        ("DELETE FROM records WHERE seq > 15", "noted an end"),
        ("DELETE FROM records", "noted an end"),
        (
            "UPDATE records SET seq = -seq WHERE seq IN (5, 6); UPDATE records SET seq = 11 + seq WHERE seq < 0",
            "hash",
        ),
        ("INSERT INTO records SELECT seq + 1, at_ms, hash, body FROM records WHERE seq = 20", "noted an end"),
        ("UPDATE head SET seq = 10, hash = (SELECT hash FROM records WHERE seq = 10)", ""),
        (
            "UPDATE head SET base_seq = 4, base_hash = (SELECT hash FROM records WHERE seq = 4); DELETE FROM records WHERE seq < 5",
            "let go",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let place = filled(folder.path(), 10);
        let noted = verified(&place).head;
        change(&place, statement);
        let mut found = verified(&place);
        if word.is_empty() {
            // Cut off together with the note of its end: only what was kept elsewhere tells.
            let (seq, hash) = noted.split_once(':').unwrap();
            let expected = [(seq.parse().unwrap(), hash.to_owned())];
            found = audit::verify(audit::open(&place).unwrap().as_mut(), &expected).unwrap();
        }
        assert!(!found.intact, "{statement}");
        assert!(found.problems.iter().any(|problem| problem.what.contains(word)), "{statement}: {found:?}");
    }
}

#[test]
fn a_flipped_bit_in_any_record_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let place = filled(folder.path(), 20);
    let original = all(audit::open(&place).unwrap().as_mut());
    let mut numbers = Numbers(7);
    for round in 0..300 {
        let victim = &original[numbers.below(original.len() as u64) as usize];
        let in_body = numbers.below(4) > 0;
        let text = if in_body { &victim.body } else { &victim.hash };
        let mut bytes = text.clone().into_bytes();
        let (index, bit) = (numbers.below(bytes.len() as u64) as usize, numbers.below(8) as u8);
        bytes[index] ^= 1 << bit;
        let column = if in_body { "body" } else { "hash" };
        let connection = rusqlite::Connection::open(&place).unwrap();
        connection.execute_batch("DROP TRIGGER IF EXISTS records_stay").unwrap();
        let put = format!("UPDATE records SET {column} = CAST(?1 AS TEXT) WHERE seq = ?2");
        connection.execute(&put, (bytes, victim.seq as i64)).unwrap();
        let found = verified(&place);
        let near = |seq: u64| seq == victim.seq || seq == victim.seq + 1;
        assert!(!found.intact, "round {round}: bit {bit} of byte {index} of {column} of {}", victim.seq);
        assert!(found.problems.iter().all(|problem| near(problem.seq)), "round {round}: {found:?}");
        connection.execute(&put, (text.as_bytes(), victim.seq as i64)).unwrap();
    }
    assert!(verified(&place).intact);
}

#[test]
fn a_flipped_bit_in_the_file_is_found_or_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = filled(folder.path(), 20);
    let original = all(audit::open(&place).unwrap().as_mut());
    // Everything into the main file.
    rusqlite::Connection::open(&place).unwrap().execute_batch("PRAGMA journal_mode = DELETE").unwrap();
    let bytes = std::fs::read(&place).unwrap();
    let mut numbers = Numbers(11);
    let mut found = 0;
    for round in 0..300 {
        let mut changed = bytes.clone();
        let (index, bit) = (numbers.below(bytes.len() as u64) as usize, numbers.below(8) as u8);
        changed[index] ^= 1 << bit;
        let copy = folder.path().join("copy.db").display().to_string();
        for ending in ["", "-wal", "-shm", "-journal"] {
            let _ = std::fs::remove_file(format!("{copy}{ending}"));
        }
        std::fs::write(&copy, &changed).unwrap();
        let look = audit::open(&copy).and_then(|mut store| {
            let verification = audit::verify(store.as_mut(), &[])?;
            Ok((verification.intact, store.page(0, audit::Order::Rising, 1_000)?))
        });
        match look {
            Ok((true, records)) => assert_eq!(records, original, "round {round}: bit {bit} of byte {index}"),
            Ok((false, _)) | Err(_) => found += 1,
        }
    }
    assert!(found > 100, "most of the file is records: {found}");
}
