//! Where a program hangs, as one or two sentences.

use crate::watched::quoted;
use formicary_model::{Hang, HangKind, WaitingThread};
use std::fmt::Write as _;

/// Variables and threads that a sentence names.
const NAMED: usize = 3;

/// What the program was doing when its time was up.
pub fn of(hang: &Hang) -> String {
    match hang.kind {
        HangKind::Loop => of_loop(hang),
        HangKind::Deadlock => of_deadlock(hang),
        _ => of_wait(hang),
    }
}

fn of_loop(hang: &Hang) -> String {
    let Some(end) = hang.end_line else {
        let call = quoted(&hang.expression);
        return format!("The program computes without end in one line, {}:{}: {call}.", hang.file, hang.line);
    };
    let name =
        if hang.expression.is_empty() { String::new() } else { format!("{} ", quoted(&hang.expression)) };
    let lines = if end == hang.line { String::new() } else { format!(" to {end}") };
    let mut text = format!("The loop {name}at {}:{}{lines} does not end", hang.file, hang.line);
    let mut parts = Vec::new();
    if !hang.unchanged.is_empty() {
        let list = listed(&hang.unchanged, |one| {
            format!("{} stays {}", quoted(&one.variable.name), quoted(&one.variable.value))
        });
        parts.push(list);
    }
    if !hang.changing.is_empty() {
        let list = listed(&hang.changing, |one| {
            let before =
                one.before.as_deref().map(|before| format!(" from {}", quoted(before))).unwrap_or_default();
            format!("{} changes{before} to {}", quoted(&one.variable.name), quoted(&one.variable.value))
        });
        parts.push(list);
    }
    if !parts.is_empty() {
        let _ = write!(text, ": {}", parts.join("; "));
    }
    text.push('.');
    text
}

fn listed<T>(list: &[T], shown: impl Fn(&T) -> String) -> String {
    list.iter().take(NAMED).map(shown).collect::<Vec<_>>().join(", ")
}

fn of_deadlock(hang: &Hang) -> String {
    let waiting = |thread: &WaitingThread| {
        let holder = thread.held_by.as_deref().unwrap_or("another thread");
        let holder =
            if holder == thread.thread { "it holds itself".to_owned() } else { format!("{holder} holds") };
        let taken = thread.taken_at.as_deref().map(|place| format!(" since {place}")).unwrap_or_default();
        format!(
            "{} waits at {}:{} for {}, which {holder}{taken}",
            thread.thread,
            thread.file,
            thread.line,
            quoted(&thread.waits_for)
        )
    };
    let all: Vec<String> = hang.threads.iter().take(NAMED).map(waiting).collect();
    format!("Deadlock: {}.", all.join("; "))
}

fn of_wait(hang: &Hang) -> String {
    let what = match hang.kind {
        HangKind::Lock => "a lock or signal that nobody gives",
        HangKind::Input => "input that does not come",
        HangKind::Queue => "a queue",
        HangKind::Join => "a thread or task that does not end",
        HangKind::Process => "a child process that does not end",
        HangKind::Socket => "the network",
        HangKind::Sleep => "time to pass",
        HangKind::Loop | HangKind::Deadlock | HangKind::Other => "something that does not come",
    };
    format!("The program waits for {what} at {}:{}: {}.", hang.file, hang.line, quoted(&hang.expression))
}

/// What to try against it.
pub fn advice(kind: HangKind) -> &'static str {
    match kind {
        HangKind::Loop => {
            "Change in the loop what its condition depends on, or leave the loop; or allow more time"
        }
        HangKind::Deadlock => {
            "Take the locks in the same order everywhere, or use a lock that its own thread may take again"
        }
        HangKind::Lock => "Look for the path on which the lock is not released or the signal is not given",
        HangKind::Input => "Give the program its input, and its end",
        HangKind::Queue => "Put an item that says that no more will come, or wait with a time limit",
        HangKind::Join => "Look at what the other thread or task waits for",
        HangKind::Process => "Give the child a time limit, and read its output while it runs",
        HangKind::Socket => "Give the connection a time limit, and look whether the other side is there",
        HangKind::Sleep => "Sleep less, or allow more time",
        HangKind::Other => "Wait with a time limit, or allow more time",
    }
}
