//! Memory: taken openly, in many hands, and where a meter may not look.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::{KERNEL_MEMORY, MEMORY};
use formicary_model::Protection::{Disk, Memory};
use formicary_model::{Status, ViolationKind};

const ALLOWED: u64 = 48 << 20;
/// MiB that each attack wants: twice and more of what is allowed.
const WANTED: u64 = 128;

fn attack(name: &'static str) -> Case {
    Case::c(&MEMORY, name)
        .limits(|limits| (limits.memory_bytes, limits.processes) = (ALLOWED, 64))
        .env("HOLD", WANTED)
}

pub(super) fn cases() -> Vec<Case> {
    let over = || Expect::status(Status::MemoryLimit).never("WORKED");
    // Held by the kernel for the program: a provider may count it, or refuse it.
    let over_or_refused = || {
        Expect::one_of(&[
            Status::MemoryLimit,
            Status::NonzeroExit,
            Status::DiskLimit,
            Status::Denied,
            Status::ProcessLimit,
        ])
        .never("WORKED")
    };
    let mut cases = vec![
        attack("touched").needs(&[Memory]).expect(over().violation(ViolationKind::Memory, "")),
        attack("split").needs(&[Memory]).expect(over()),
        attack("child_alone").needs(&[Memory]).expect(over()),
        attack("touched")
            .named("within_the_limit")
            .limits(|limits| limits.memory_bytes = 256 << 20)
            .expect(Expect::allowed().check(|outcome| match outcome.usage.memory_peak {
                Some(peak) if (100 << 20..=256 << 20).contains(&peak) => Ok(()),
                peak => Err(format!("memory_peak is {peak:?} for 128 MiB held")),
            }))
            .bare(Bare::Same),
        attack("reserved").expect(Expect::allowed()).bare(Bare::Same),
        attack("locked").limits(|limits| limits.memory_bytes = 128 << 20).bare(Bare::WorksAsRoot),
        attack("huge_pages").bare(Bare::Unprovable("no huge pages are set aside on most hosts")),
        attack("spare_me").bare(Bare::Unprovable("needs CAP_SYS_RESOURCE, which even root may lack")),
        attack("deleted_files")
            .needs(&[Disk])
            .limits(|limits| (limits.memory_bytes, limits.open_files) = (256 << 20, 1024))
            // Gone with the last descriptor: when the program has ended, the disk is empty again.
            .expect(
                Expect::one_of(&[Status::DiskLimit, Status::NonzeroExit]).prints("REFUSED").never("WORKED"),
            ),
    ];
    for name in
        ["memfd", "shm_detached", "message_queues", "pipes", "sockets", "shared_out_of_sight", "page_tables"]
    {
        // The kernel bounds an ordinary user's pipes anyway.
        let bare = if name == "pipes" { Bare::WorksAsRoot } else { Bare::Works };
        cases.push(attack(name).needs(&[Memory]).expect(over_or_refused()).bare(bare));
    }
    // What the kernel holds for a program, or holds on to after the program let go of it.
    for name in [
        "tcp_buffers",
        "udp_buffers",
        "netlink_replies",
        "file_locks",
        "description_locks",
        "locks_of_the_dead",
        "split_mappings",
        "split_zeros",
        "dead_leader",
        "huge_pages_in_pipes",
        "pages_in_pipes",
        "pages_in_sockets",
        "mappings",
        "epoll_entries",
        "semaphores",
    ] {
        let case = Case::c(&KERNEL_MEMORY, name)
            .limits(|limits| {
                (limits.memory_bytes, limits.processes) = (ALLOWED, 64);
                limits.open_files = 1024;
            })
            // A lock takes long to make.
            .env("HOLD", if name.contains("locks") { WANTED / 2 } else { WANTED });
        cases.push(case.needs(&[Memory]).expect(over_or_refused()));
    }
    for (name, code) in [
        ("fill_temp", include_str!("../../programs/python/fill_temp.py")),
        ("fill_shared_memory", include_str!("../../programs/python/fill_shared_memory.py")),
    ] {
        cases.push(
            Case::python(name, code).needs(&[Disk]).expect(
                Expect::status(Status::DiskLimit)
                    .prints("REFUSED")
                    .never("WORKED")
                    .violation(ViolationKind::Disk, ""),
            ),
        );
    }
    cases.push(
        Case::python(
            "python_list_grows",
            "x = []\nwhile len(x) < 64: x.append(bytearray(4 << 20))\nprint('WORKED held', len(x))",
        )
        .needs(&[Memory])
        .limits(|limits| limits.memory_bytes = ALLOWED)
        .expect(Expect::status(Status::MemoryLimit).never("WORKED")),
    );
    cases
}
