//! Where a provider may answer otherwise than the native one, each with the reason. Nothing here lets the host be reached:
//! every check on the host's side holds for every provider.

use crate::expect::Expect;
use formicary_model::Status;

/// How an answer may differ.
enum Answer {
    /// The call succeeds, in a kernel that is the program's alone.
    Works,
    /// One of these statuses, too.
    Also(&'static [Status]),
}

use Answer::{Also, Works};

/// Provider, case, what may differ, and why.
const TABLE: &[(&str, &str, Answer, &str)] = &[
    ("gvisor", "asynchronous", Works, "the guest's kernel counts its own"),
    (
        "gvisor",
        "watch_the_host",
        Works,
        "the guest's kernel reports what happens in the guest, and nothing of the host",
    ),
    (
        "docker",
        "watch_the_host",
        Works,
        "no controller is asked about calls there: SECURITY.md says what that means",
    ),
    ("gvisor", "kernel_knobs", Works, "these files are the guest's own"),
    (
        "gvisor",
        "file_locks",
        Also(&[Status::Timeout, Status::CpuLimit]),
        "a call costs far more in a second kernel",
    ),
    (
        "gvisor",
        "locks_of_the_dead",
        Also(&[Status::Timeout, Status::CpuLimit]),
        "a call costs far more in a second kernel",
    ),
    (
        "gvisor",
        "pages_in_pipes",
        Also(&[Status::Timeout, Status::CpuLimit]),
        "a call costs far more in a second kernel",
    ),
    (
        "gvisor",
        "pages_in_sockets",
        Also(&[Status::Timeout, Status::CpuLimit]),
        "a call costs far more in a second kernel",
    ),
    ("gvisor", "pages_in_pipes", Works, "its pipes copy the one byte that is sent; no page stays behind"),
    ("gvisor", "pages_in_sockets", Works, "its sockets copy the one byte that is sent; no page stays behind"),
    (
        "gvisor",
        "epoll_entries",
        Also(&[Status::Timeout, Status::CpuLimit]),
        "a call costs far more in a second kernel",
    ),
    (
        "gvisor",
        "netlink_replies",
        Works,
        "the guest's kernel keeps these in its own memory, which is not counted",
    ),
    ("gvisor", "semaphores", Works, "the guest's kernel keeps these in its own memory, which is not counted"),
    ("gvisor", "more_nice", Works, "priorities are the guest's own"),
    ("gvisor", "spare_me", Works, "the guest's kernel ends nobody for memory; the number means nothing"),
    ("gvisor", "huge_pages", Works, "pages of any size are the guest's memory, counted like all of it"),
    ("gvisor", "host_devices", Works, "its devices are the guest's own, behind which is no device"),
    ("gvisor", "kernel_lists_are_its_own", Works, "its lists are of the guest's own mounts"),
    (
        "gvisor",
        "supervisor_in_proc",
        Works,
        "its first process is the guest agent, whose environment is empty",
    ),
    ("gvisor", "read_secrets", Works, "the only thing found is the guest agent's empty environment"),
    (
        "gvisor",
        "exhaust_inodes",
        Works,
        "the guest counts bytes of files, not their number; they cost its memory",
    ),
    ("gvisor", "exhaust_inodes_by_links", Works, "the guest counts bytes of files, not their number"),
    ("gvisor", "page_tables", Also(&[Status::Timeout]), "touching a page costs a fault in two kernels"),
    (
        "gvisor",
        "flood_both_byte_by_byte",
        Also(&[Status::Timeout]),
        "a call costs far more in a second kernel",
    ),
    (
        "gvisor",
        "zombies",
        Also(&[Status::MemoryLimit, Status::NonzeroExit, Status::ProcessLimit]),
        "its dead are kept in the guest's memory",
    ),
    (
        "gvisor",
        "vforks",
        Also(&[Status::NonzeroExit]),
        "the guest tells of no refusal; what stands for a moment is not seen",
    ),
    (
        "gvisor",
        "processes",
        Also(&[Status::NonzeroExit]),
        "the guest tells of no refusal, and may refuse a few before the number is reached",
    ),
    (
        "gvisor",
        "daemonised_fork_bomb",
        Also(&[Status::ProcessLimit]),
        "the guest's kernel falls over at the host's limit",
    ),
    (
        "gvisor",
        "cope_with_refusal",
        Also(&[Status::ProcessLimit]),
        "the guest's kernel falls over at the host's limit",
    ),
    (
        "gvisor",
        "inherited_descriptors",
        Also(&[Status::Timeout, Status::CpuLimit]),
        "a call costs far more in a second kernel",
    ),
    (
        "gvisor",
        "threads",
        Also(&[Status::NonzeroExit]),
        "the guest tells of no refusal; what stands for a moment is not seen",
    ),
    ("docker", "kernel_lists_are_its_own", Works, "an engine shows the container's own groups, read-only"),
    ("trusted", "locked", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "message_queues", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "page_tables", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "pipes", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "shared_out_of_sight", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "shm_detached", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "sockets", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "memfd", Works, "memory that the kernel holds for a program is not watched"),
    (
        "trusted",
        "mappings",
        Also(&[Status::Timeout]),
        "nothing ends it before its time, and a busy host takes long",
    ),
    (
        "trusted",
        "epoll_entries",
        Also(&[Status::Timeout]),
        "nothing ends it before its time, and a busy host takes long",
    ),
    ("trusted", "tcp_buffers", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "udp_buffers", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "netlink_replies", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "file_locks", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "description_locks", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "locks_of_the_dead", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "split_mappings", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "split_zeros", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "dead_leader", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "huge_pages_in_pipes", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "pages_in_pipes", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "pages_in_sockets", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "mappings", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "epoll_entries", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "semaphores", Works, "memory that the kernel holds for a program is not watched"),
    ("trusted", "raise_own_limits", Works, "trusted code may do what its caller may do"),
    ("trusted", "more_nice", Works, "trusted code may do what its caller may do"),
    ("trusted", "real_time", Works, "trusted code may do what its caller may do"),
    ("gvisor", "zombies", Works, "the guest does not count its dead, and they are nothing on the host"),
];

/// What is expected of a provider in a case.
pub fn expected(label: &str, case: &str, expect: &Expect) -> Expect {
    TABLE.iter().filter(|(provider, name, ..)| *provider == label && *name == case).fold(
        expect.clone(),
        |expect, (_, _, answer, _)| match answer {
            Works => expect.or_works(),
            Also(statuses) => expect.or(statuses),
        },
    )
}

/// The reason why a provider may answer otherwise in a case.
pub fn reason(label: &str, case: &str) -> Option<&'static str> {
    TABLE.iter().find(|(provider, name, ..)| *provider == label && *name == case).map(|(.., why)| *why)
}
