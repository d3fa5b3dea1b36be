//! Ordinary ends: each must have its own verdict, and none may pass for another.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::PROCESSES;
use formicary_model::Status;

pub(super) fn cases() -> Vec<Case> {
    let plain = Bare::Unprovable("an ordinary end, not an attack");
    let c = |name| Case::c(&PROCESSES, name).bare(plain);
    let bash = |name, code| Case::bash(name, code).bare(plain);
    let success = || Expect::status(Status::Success).exits(0);
    let nonzero = |code| Expect::status(Status::NonzeroExit).exits(code);
    let signaled = |signal| Expect::status(Status::Signaled).dies_by(signal);
    vec![
        bash("exit_0", "exit 0").expect(success()),
        bash("exit_1", "exit 1").expect(nonzero(1)),
        bash("exit_124_is_no_timeout", "exit 124").expect(nonzero(124)),
        bash("exit_255", "exit 255").expect(nonzero(255)),
        c("exit_like_a_signal").expect(nonzero(137)),
        c("die_by_signal").expect(signaled(9)),
        c("die_by_abort").expect(signaled(6)),
        c("overflow_the_stack").expect(signaled(11)),
        bash("die_by_term", "kill -TERM $$").expect(signaled(15)),
        bash("die_by_xcpu_raised_by_itself", "kill -XCPU $$").expect(signaled(24)),
        bash("die_by_real_time_signal", "kill -40 $$").expect(signaled(40)),
        bash("a_killed_child_is_not_the_verdict", "(kill -KILL $BASHPID); exit 0").expect(success()),
        bash("pipes_and_subshells", "set -e; x=$(seq 1 100 | (while read n; do echo $((n * 2)); done) | tail -1); [ $x = 200 ]")
            .expect(success()),
        Case::python("time_out_after_output", "import time\nprint('before', flush=True)\ntime.sleep(60)")
            .limits(|limits| limits.wall_seconds = 0.7)
            .expect(Expect::status(Status::Timeout).prints("before"))
            .bare(plain),
        Case::python("threads_that_never_end", "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\nprint('main done', flush=True)")
            .limits(|limits| limits.wall_seconds = 0.7)
            .expect(Expect::status(Status::Timeout).prints("main done"))
            .bare(plain),
    ]
}
