//! Processes that multiply, hide, outlive their run, burn time, or reach for others.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::PROCESSES;
use crate::scene::Scene;
use crate::unprotected::BareRun;
use formicary_model::Protection::{Cores, CpuTime, ProcessCount, Processes};
use formicary_model::{Status, ViolationKind};
use std::time::Duration;

const A_MOMENT: Duration = Duration::from_millis(700);
/// Far below the wall-clock limit of ten seconds: the run ended because the main process did.
const PROMPTLY: Duration = Duration::from_secs(4);

fn attack(name: &'static str) -> Case {
    Case::c(&PROCESSES, name)
}

pub(super) fn cases() -> Vec<Case> {
    [multiplying(), outliving(), stalling(), burning(), reaching()].into_iter().flatten().collect()
}

fn multiplying() -> Vec<Case> {
    let limited = || {
        Expect::status(Status::ProcessLimit)
            .prints("REFUSED")
            .never("WORKED")
            .violation(ViolationKind::Processes, "")
    };
    vec![
        attack("processes").needs(&[ProcessCount]).expect(limited()).briefly(),
        attack("processes_for_a_while").needs(&[ProcessCount]).expect(limited()),
        attack("threads").needs(&[ProcessCount]).expect(limited()).briefly(),
        attack("zombies").needs(&[ProcessCount]).expect(limited()).briefly(),
        attack("vforks").needs(&[ProcessCount]).expect(limited()).briefly(),
        attack("as_many_as_allowed")
            .limits(|limits| limits.processes = 8)
            .expect(Expect::allowed())
            .bare(Bare::Same),
        attack("forks_while_children_end").expect(Expect::allowed()).bare(Bare::Same),
        Case::bash("pipelines", include_str!("../../programs/bash/pipelines.sh"))
            .limits(|limits| limits.processes = 64)
            .expect(Expect::allowed())
            .bare(Bare::Same),
        attack("endless_fork_bomb")
            .needs(&[ProcessCount])
            .limits(|limits| (limits.wall_seconds, limits.cpu_seconds) = (1.5, 8.0))
            .expect(Expect::one_of(&[Status::ProcessLimit, Status::Timeout, Status::CpuLimit]))
            .bare(Bare::Harmful("would fork without end")),
        attack("daemonised_fork_bomb")
            .needs(&[ProcessCount])
            .expect(Expect::allowed().within(PROMPTLY))
            .bare(Bare::Harmful("would fork without end")),
        attack("cope_with_refusal")
            .needs(&[ProcessCount])
            .expect(Expect::status(Status::Success).prints("REFUSED").never("WORKED")),
        attack("many_orphans")
            .limits(|limits| limits.processes = 16)
            .expect(Expect::allowed())
            .bare(Bare::Same),
    ]
}

fn outliving() -> Vec<Case> {
    let leaves_survivors = Bare::Shows(survives);
    let gone = || Expect::status(Status::Success).within(PROMPTLY);
    [
        "outlive_by_double_fork",
        "outlive_by_every_trick",
        "outlive_holding_output",
        "outlive_flooding",
        "outlive_burning",
        "blocked_in_fifo",
    ]
    .into_iter()
    .map(|name| attack(name).needs(&[Processes]).expect(gone()).bare(leaves_survivors))
    .collect()
}

fn stalling() -> Vec<Case> {
    ["stop_oneself", "stop_whole_group", "ignore_everything", "sleep_for_ever", "main_blocked_in_fifo"]
        .into_iter()
        .map(|name| {
            attack(name)
                .limits(|limits| limits.wall_seconds = 0.6)
                .expect(Expect::status(Status::Timeout).within(PROMPTLY))
                .bare(Bare::Lasts(A_MOMENT))
        })
        .collect()
}

fn burning() -> Vec<Case> {
    let mut cases: Vec<Case> = [
        "burn_one",
        "burn_threads",
        "burn_processes",
        "burn_by_short_lives",
        "burn_by_unwaited_lives",
        "burn_under_false_name",
    ]
    .into_iter()
    .map(|name| {
        attack(name)
            .needs(&[CpuTime])
            .limits(|limits| limits.cpu_seconds = 0.5)
            .expect(Expect::status(Status::CpuLimit).prints("WORKED"))
            .bare(Bare::Lasts(A_MOMENT))
    })
    .collect();
    cases.push(
        attack("burn_for_a_while")
            .needs(&[Cores])
            .limits(|limits| (limits.cores, limits.cpu_seconds) = (0.5, 30.0))
            .expect(Expect::allowed().check(|outcome| {
                let used = outcome.usage.cpu_user + outcome.usage.cpu_system;
                let allowed = outcome.duration.as_secs_f64() * 0.5;
                // Three processes want three cores. One period of slack at either end, and the start.
                if used > allowed * 1.5 + 0.3 {
                    Err(format!("used {used:.2} s of CPU in {:?} on half a core", outcome.duration))
                } else {
                    Ok(())
                }
            }))
            .bare(Bare::Same),
    );
    cases.push(
        attack("exec_for_ever")
            .limits(|limits| limits.wall_seconds = 1.0)
            .expect(Expect::one_of(&[Status::Timeout, Status::CpuLimit]))
            .bare(Bare::Lasts(A_MOMENT)),
    );
    cases
}

fn reaching() -> Vec<Case> {
    vec![
        attack("kill_everyone")
            .needs(&[Processes])
            .expect(Expect::status(Status::Success).prints("REFUSED outside"))
            .bare(Bare::Harmful("would end every process of the user")),
        attack("kill_victim").needs(&[Processes]),
        attack("kill_init")
            .needs(&[Processes])
            .bare(Bare::Harmful("would send every signal to the host's first process")),
        attack("limit_victim").needs(&[Processes]),
        attack("sabotage_init")
            .needs(&[Processes])
            // What it does to its own first process is its own affair, as long as the verdict is right.
            .expect(Expect::status(Status::NonzeroExit).exits(7))
            .bare(Bare::Harmful("would take the host's first process its descriptors")),
        attack("trace_others").needs(&[Processes]),
        attack("read_memory_of_others").needs(&[Processes]),
        attack("take_descriptors_of_others").needs(&[Processes]),
        attack("affinity_of_others")
            .needs(&[Processes])
            .expect(Expect::status(Status::Success).prints("REFUSED affinity of the host's process")),
        attack("real_time").bare(Bare::WorksAsRoot),
        attack("more_nice").bare(Bare::WorksAsRoot),
        attack("trace_own_child").expect(Expect::allowed()).bare(Bare::Same),
        Case::python("see_other_processes", include_str!("../../programs/python/see_other_processes.py"))
            .needs(&[Processes]),
        Case::python("supervisor_in_proc", include_str!("../../programs/python/supervisor_in_proc.py"))
            .needs(&[Processes]),
    ]
}

fn survives(_: &Scene, run: &BareRun) -> Result<(), String> {
    match (run.status, run.survivors) {
        (Some(_), 1..) => Ok(()),
        _ => Err(format!("nothing survived\n{}", run.text())),
    }
}
