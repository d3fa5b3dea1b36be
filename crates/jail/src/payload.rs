//! Becoming the program.

use crate::message::Message;
use crate::report::{give_up, tell};
use crate::spec::{Confinement, NURSERY_FD, Program};
use crate::sys::{Done, Fault, identity, mounts, process};

/// Starts the program in a process of its own; that one's number.
pub fn start(program: &Program, confinement: &Confinement) -> Done<i32> {
    process::fork_to_exec(|| become_program(program, confinement))
}

/// Replaces this process by the program.
pub fn become_program(program: &Program, confinement: &Confinement) -> ! {
    become_program_with(program, confinement, 3)
}

/// The same with all descriptors below `kept` open.
pub fn become_program_with(program: &Program, confinement: &Confinement, kept: u32) -> ! {
    process::default_signals();
    if let Err(fault) = prepare(&program.cwd, confinement).and_then(|()| process::close_on_exec_from(kept)) {
        give_up(fault);
    }
    let fault = process::exec(&program.argv, &program.env);
    let _ = tell(&Message::NotStarted { errno: fault.errno }, &[]);
    process::exit_now(127)
}

/// What every payload does, also one that was forked from an interpreter.
pub fn prepare(cwd: &str, confinement: &Confinement) -> Done {
    process::new_session()?;
    process::die_with_parent()?;
    mounts::go_to(cwd)?;
    for (resource, value) in &confinement.rlimits {
        process::limit(*resource, *value)?;
    }
    Ok(())
}

/// Replaces a nursery's first process by the interpreter that is to serve, with the two capabilities that it needs
/// to make networks. Returns only on failure.
pub fn become_nursery(program: &Program) -> Fault {
    const NET_ADMIN: u32 = 12;
    const SYS_ADMIN: u32 = 21;
    let prepared = identity::keep_over_exec(&[NET_ADMIN, SYS_ADMIN])
        .and_then(|()| mounts::go_to(&program.cwd))
        .and_then(|()| process::close_on_exec_from(3))
        .and_then(|()| process::inherit(NURSERY_FD));
    match prepared {
        Ok(()) => process::exec(&program.argv, &program.env),
        Err(fault) => fault,
    }
}
