//! Adapters that are broken or mean harm: what they say is refused or bounded, and nobody waits for ever.

use super::{NATIVE, stopped};
use formicary_diagnose::inspect::drivers::{self, Planned};
use formicary_diagnose::inspect::wire::Move;
use formicary_diagnose::inspect::{Happened, Session, Trouble, with_session};
use formicary_execution::Live;
use formicary_model::{
    Breakpoint, ExecutionRequest, ExecutionResult, Failure, FailureKind, Language, Source,
};
use formicary_model::{SourceFile, Stop};
use formicary_sandbox::Cancel;
use std::time::Duration;

/// A run with the scripted adapter in the place of LLDB.
fn planned(way: &str) -> Planned {
    let source = Source::Code { code: b"int main(void) {}".to_vec(), file_name: Some("main.c".into()) };
    let mut request = ExecutionRequest { source, ..ExecutionRequest::default() };
    request.limits.wall_seconds = Some(60.0);
    let mut planned = drivers::plan(&request, Language::C, "main.c", Some("lldb")).unwrap();
    planned.facts.patience = Some(Duration::from_secs(4));
    planned.request.language = Some("python".into());
    let script = drivers::beside(&format!("python3 hostile.py '{way}'"));
    planned.request.command = Some(["/bin/sh", "-c", &script].map(str::to_owned).to_vec());
    let script = include_bytes!("hostile.py").to_vec();
    let file = SourceFile { path: "hostile.py".into(), content: script, executable: false };
    planned.request.source = Source::Files { files: vec![file], entry: Some("hostile.py".into()) };
    planned
}

fn against<T>(way: &str, work: impl FnOnce(&mut Session) -> T) -> Result<(T, ExecutionResult), Failure> {
    let execute = |request: ExecutionRequest, live: Live<'_>| NATIVE.execute(request, live);
    with_session(planned(way), &Cancel::default(), execute, work)
}

#[test]
fn what_is_no_protocol_is_said_so() {
    for (way, why) in [
        ("garbage", "no header"),
        ("header", "a header without an end"),
        ("length", "a message of 99999999999 bytes"),
        ("no json", "no JSON"),
        ("nested", "no JSON"),
        ("other form", "gave no sense to initialize"),
        ("silence", "gave no answer to initialize in time"),
        // Late, or more than can be heard: as the machine is quick.
        ("flood", "lldb cannot inspect it"),
        ("refuses", "no such program"),
    ] {
        let failure = against(way, |_| panic!("{way}: there is no session")).unwrap_err();
        assert!(failure.message.contains(why), "{way}: {failure:?}");
        assert!(failure.message.len() < 2_000 && failure.hint.is_some(), "{way}: {failure:?}");
        assert_eq!(failure.kind, FailureKind::InvalidInput, "{way}");
    }
    let gone = against("gone", |_| panic!("there is no session")).unwrap_err();
    assert!(gone.message.contains("cannot be inspected"), "{gone:?}");
}

#[test]
fn what_is_too_much_is_cut() {
    let ((), run) = against("much", |session| {
        assert!(matches!(session.set(&Breakpoint::read("main.c:1")), Err(Trouble::Refused(_))));
        let stop: Stop = stopped(session.go(Move::Continue));
        assert_eq!(stop.frames.len(), 50);
        assert!(stop.frames.iter().all(|frame| frame.line.is_none() && frame.variables.len() <= 40));
        let texts = stop.frames.iter().flat_map(|frame| {
            let names = frame.variables.iter().flat_map(|variable| [&variable.value, &variable.kind]);
            names.chain(&frame.function).chain(&frame.file).collect::<Vec<_>>()
        });
        assert!(texts.into_iter().all(|text| text.len() <= 1_000));
        assert!(stop.others.len() <= 32 && stop.others.iter().all(|other| other.name.len() <= 200));
        assert!(session.evaluate(0, "x").error.is_some());
        assert!(session.evaluate(99, "x").error.is_some());
    })
    .unwrap();
    assert!(run.stderr.is_empty(), "{}", run.stderr);
}

#[test]
fn one_that_dies_ends_the_session() {
    let (happened, _) = against("dies", |session| {
        stopped(session.go(Move::Continue));
        session.go(Move::Continue)
    })
    .unwrap();
    assert!(matches!(happened, Err(Trouble::Over) | Ok(Happened::Ended)), "{happened:?}");
}

#[test]
fn one_that_breaks_off_is_not_asked_again() {
    against("speaks on", |session| {
        stopped(session.go(Move::Continue));
        let broken = session.go(Move::Continue).unwrap_err();
        assert!(matches!(&broken, Trouble::Broken(why) if why.contains("lldb")), "{broken:?}");
        assert_eq!(session.go(Move::Continue).unwrap_err(), broken);
    })
    .unwrap();
}

#[test]
fn one_that_stays_is_ended() {
    let (stop, _) = against("stays", |session| stopped(session.go(Move::Continue))).unwrap();
    assert!(!stop.frames.is_empty());
}
