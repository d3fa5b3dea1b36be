//! System calls that no ordinary program needs: refused, on record where that tells something, and never by death.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::SYSTEM_CALLS;
use formicary_model::Protection::SystemCalls;
use formicary_model::{Status, ViolationKind};

fn attack(name: &'static str) -> Case {
    Case::c(&SYSTEM_CALLS, name).needs(&[SystemCalls])
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![
        attack("io_uring").bare(Bare::WorksAsRoot),
        attack("asynchronous"),
        attack("notes_of_directories"),
        attack("userfaultfd").bare(Bare::WorksAsRoot),
        attack("kexec").bare(Bare::Unprovable("kernels are often built without it")),
        attack("modules").bare(Bare::Unprovable("kernels are often built without it")),
        attack("ports").bare(Bare::Unprovable("kernels are often built without it")),
        attack("keyring").expect(Expect::refused().never("WORKED add_key")),
        attack("terminal_injection").bare(Bare::Unprovable("the suite has no terminal")),
        attack("terminal_injection_high_bits").bare(Bare::WorksAsRoot),
        attack("unknown_numbers")
            .bare(Bare::Unprovable("the kernel itself answers ENOSYS; the filter must not answer by death")),
        attack("x32_numbers").bare(Bare::Unprovable("kernels are often built without it")),
        attack("gate_of_32_bits")
            .expect(Expect::one_of(&[Status::Success, Status::Denied, Status::Signaled]).never("WORKED")),
        attack("gate_of_32_bits_getpid")
            .expect(Expect::one_of(&[Status::Success, Status::Denied, Status::Signaled]).never("WORKED")),
        attack("own_filter").expect(Expect::allowed()).bare(Bare::Same),
        attack("notify_filter").bare(Bare::Unprovable("over one's own calls it is allowed")),
        attack("probing_is_survived").bare(Bare::Unprovable("the filter must not answer by death")),
        attack("clone3_new_user"),
        attack("move_pages_of_others"),
        attack("compare_processes"),
        attack("empty_device").bare(Bare::WorksAsRoot),
        attack("no_core_limit"),
        attack("read_own_limits").expect(Expect::allowed()).bare(Bare::Same),
    ];
    for name in ["perf_event", "file_handles", "watch_the_file_system"] {
        cases.push(attack(name).bare(Bare::WorksAsRoot));
    }
    // Refused and worth telling: the violation carries the call's name.
    for (name, calls) in [
        ("bpf_map", &["bpf"][..]),
        ("quota", &["quotactl"]),
        ("accounting", &["acct"]),
        ("swap", &["swapon", "swapoff"]),
        ("restart", &["reboot"]),
        ("clock_setting", &["clock_settime", "settimeofday"]),
    ] {
        let expect = calls
            .iter()
            .fold(Expect::refused(), |expect, call| expect.violation(ViolationKind::SystemCall, call));
        cases.push(attack(name).expect(expect).bare(Bare::WorksAsRoot));
    }
    cases.push(attack("kernel_log").bare(Bare::WorksAsRoot));
    let aims_at_us = Bare::Unprovable("it aims at the supervisor that hears of refusals");
    cases.push(
        attack("flood_of_refusals")
            .limits(|limits| (limits.wall_seconds, limits.cpu_seconds) = (0.7, 30.0))
            .expect(
                Expect::status(Status::Timeout).prints("REFUSED").within(std::time::Duration::from_secs(4)),
            )
            .bare(aims_at_us),
    );
    cases.push(attack("die_while_asking").bare(aims_at_us));
    cases.push(
        attack("denied_and_failed")
            .expect(Expect::status(Status::Denied).exits(3).violation(ViolationKind::SystemCall, "mount"))
            .bare(Bare::WorksAsRoot),
    );
    cases.push(
        attack("denied_and_coped")
            .expect(Expect::refused().violation(ViolationKind::SystemCall, "mount"))
            .bare(Bare::WorksAsRoot),
    );
    cases
}
