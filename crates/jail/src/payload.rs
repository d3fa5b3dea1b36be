//! Becoming the program.

use crate::report::{give_up, tell};
use crate::sys::{Done, mounts, process};
use formicary_jail::message::Message;
use formicary_jail::spec::Spec;

/// Replaces this process by the program.
pub fn become_program(spec: &Spec) -> ! {
    if let Err(fault) = prepare(spec) {
        give_up(fault);
    }
    let fault = process::exec(&spec.argv, &spec.env);
    let _ = tell(&Message::NotStarted { errno: fault.errno }, &[]);
    process::exit_now(127)
}

fn prepare(spec: &Spec) -> Done {
    process::default_signals();
    process::new_session()?;
    process::die_with_parent()?;
    mounts::go_to(&spec.cwd)?;
    for (resource, value) in &spec.rlimits {
        process::limit(*resource, *value)?;
    }
    process::close_on_exec_from(3)
}
