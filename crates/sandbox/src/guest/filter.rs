//! The system calls that a program beside a guest agent is refused, as a filter that the guest agent lays on the program: the one
//! table's. What a container's engine or a guest's kernel refuses on its own account comes on top.

use crate::Job;
use formicary_guest::message::run::Instruction;
use formicary_jail::calls::program::program;
use formicary_jail::calls::{Architecture, Layer};
use formicary_jail::spec::Refusal;
use formicary_model::MountAccess;

/// The filter for a job.
pub fn filter(job: &Job) -> Vec<Instruction> {
    let instructions = program(Architecture::HERE, Layer::Guest, refusals(job));
    instructions.into_iter().map(|one| (one.code, one.jt, one.jf, one.k)).collect()
}

/// What is refused for what the job is given.
pub fn refusals(job: &Job) -> &'static [Refusal] {
    match job.mounts.iter().any(|mount| mount.access == MountAccess::ReadWrite) {
        true => &[Refusal::SetuidBits],
        false => &[],
    }
}
