//! The same on a real server. `./test` starts one; its address is in `FORMICARY_TEST_POSTGRES`.

use crate::bench::{all, log, refused, run, tell, tell_in_vain, verified};
use formicary_monitoring::audit::{self, retention};
use formicary_testkit::skips::Skips;

static SKIPS: Skips = Skips::new();

/// A database of its own on the test server.
fn database(test: &str) -> Option<String> {
    let Ok(server) = std::env::var("FORMICARY_TEST_POSTGRES") else {
        SKIPS.note(test, "FORMICARY_TEST_POSTGRES names no PostgreSQL server");
        return None;
    };
    let mut client = postgres::Client::connect(&server, postgres::NoTls).unwrap();
    client.batch_execute(&format!("DROP DATABASE IF EXISTS {test} WITH (FORCE)")).unwrap();
    client.batch_execute(&format!("CREATE DATABASE {test}")).unwrap();
    // postgres://user@/postgres?host=… or postgres://user@host:port/postgres
    Some(server.replacen("/postgres?", &format!("/{test}?"), 1))
}

#[test]
fn a_server_keeps_the_same_chain() {
    let Some(place) = database("same_chain") else { return };
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let place = &place;
            scope.spawn(move || {
                let log = log(place);
                for n in 0..20 {
                    tell(&log, "ada", &run(&format!("{writer}-{n}")));
                }
            });
        }
    });
    tell(&log(&place), "bob", &refused("bad"));
    let found = verified(&place);
    assert!(found.intact && found.records == 3 * 20 * 2 + 1, "{found:?}");
    let went = log(&place).with_store(|store| retention::prune(store, 50, None)).unwrap();
    assert_eq!((went, verified(&place).intact, verified(&place).first), (50, true, 51));
    let mut client = postgres::Client::connect(&place, postgres::NoTls).unwrap();
    client
        .batch_execute("UPDATE formicary_audit SET body = replace(body, 'ada', 'eve') WHERE seq = 70")
        .unwrap();
    let found = verified(&place);
    assert!(!found.intact && found.problems[0].seq == 70, "{found:?}");
}

#[test]
fn a_server_that_goes_away_stops_what_would_run_and_may_come_back() {
    let Some(place) = database("goes_away") else { return };
    let log = log(&place);
    tell(&log, "ada", &run("a"));
    let server = std::env::var("FORMICARY_TEST_POSTGRES").unwrap();
    let mut client = postgres::Client::connect(&server, postgres::NoTls).unwrap();
    client.batch_execute("ALTER DATABASE goes_away WITH ALLOW_CONNECTIONS false").unwrap();
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'goes_away'";
    client.batch_execute(end).unwrap();
    let (error, stopped) = tell_in_vain(&log, &run("b"));
    assert!(error.is_some() && stopped == 2, "{error:?}");
    client.batch_execute("ALTER DATABASE goes_away WITH ALLOW_CONNECTIONS true").unwrap();
    tell(&log, "ada", &run("c"));
    assert_eq!(log.trouble(), None);
    let records = all(audit::open(&place).unwrap().as_mut());
    assert_eq!((records.len(), verified(&place).intact), (4, true));
}
