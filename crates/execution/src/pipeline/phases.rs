//! The phases of a run: each compile step and the program, each a sandboxed job of its own.

use super::tell::Teller;
use crate::guard::RESERVED_FOLDER;
use crate::recipes::{Plan, Ready, SCRIPT, Step, inside};
use formicary_model::{
    Assurance, CollectRequest, EventKind, Failure, FailureKind, Limits, Mount, MountAccess, Network, Phase,
    Status, Step as RunStep,
};
use formicary_sandbox::provider::{Progress, Stdin};
use formicary_sandbox::{Cancel, InputFile, Job, Outcome, Provider, RunIo};
use std::collections::BTreeMap;
use std::time::Instant;

/// What every job of one run shares.
pub struct Phases<'a> {
    /// Who confines them.
    pub provider: &'a dyn Provider,
    /// Who hears of events.
    pub teller: &'a Teller<'a>,
    /// Ends the run when set.
    pub cancel: &'a Cancel,
    /// The caller's environment.
    pub env: &'a BTreeMap<String, String>,
    /// The caller's mounts.
    pub mounts: &'a [Mount],
    /// The image that they see.
    pub image: Option<&'a str>,
    /// How much protection must hold.
    pub assurance: Assurance,
}

/// What the compile steps came to.
pub struct Compiled {
    /// Each step's outcome; the last one failed where `ok` is false.
    pub outcomes: Vec<Outcome>,
    /// What they left for the run.
    pub files: Vec<InputFile>,
    /// Why there is nothing to run, where the last step itself did not fail.
    pub left_nothing: Option<String>,
}

impl Compiled {
    /// Whether there is something to run.
    pub fn ok(&self) -> bool {
        self.left_nothing.is_none() && self.outcomes.iter().all(|outcome| outcome.status == Status::Success)
    }
}

impl Phases<'_> {
    /// Runs the compile steps in order until one fails.
    pub fn compile(&self, steps: &[Step], limits: &Limits) -> Result<Compiled, Failure> {
        let mut compiled = Compiled { outcomes: Vec::new(), files: Vec::new(), left_nothing: None };
        for step in steps {
            let mut job = self.job(step, limits);
            job.files = overlay(step.files.clone(), compiled.files.clone());
            job.collect = CollectRequest {
                globs: step.leaves.clone(),
                max_files: 20_000,
                max_bytes: limits.disk_bytes,
            };
            // What compiles needs no network, and must not change the caller's folders.
            for mount in &mut job.mounts {
                mount.access = MountAccess::ReadOnly;
            }
            let outcome = self.run_job(&job, Stdin::Bytes(Vec::new()), Phase::Compile)?;
            let failed = outcome.status != Status::Success;
            if !failed {
                let left = left_behind(step, &outcome);
                compiled.left_nothing = missing(step, &left, &outcome);
                compiled.files = overlay(compiled.files, left);
            }
            compiled.outcomes.push(outcome);
            if failed || compiled.left_nothing.is_some() {
                break;
            }
        }
        Ok(compiled)
    }

    /// Runs the program.
    pub fn run(
        &self,
        plan: &Plan,
        left: Vec<InputFile>,
        limits: &Limits,
        network: Network,
        collect: &CollectRequest,
        stdin: Stdin,
    ) -> Result<Outcome, Failure> {
        let mut job = self.program(plan, &left, limits)?;
        job.files = overlay(plan.run_files.clone(), left);
        job.network = network;
        job.collect = collect.clone();
        if let Some(marker) = &plan.memory_marker {
            job.collect.globs.push(marker.path.clone());
            job.collect.max_files += 1;
            job.collect.max_bytes += 1024 * 1024;
        }
        let mut outcome = self.run_job(&job, stdin, Phase::Run)?;
        if let Some(marker) = &plan.memory_marker {
            let left = outcome.files.iter().find(|file| file.path == marker.path);
            let full = left.is_some_and(|file| String::from_utf8_lossy(&file.content).contains(marker.holds));
            if full && matches!(outcome.status, Status::NonzeroExit | Status::Signaled) {
                outcome.status = Status::MemoryLimit;
            }
        }
        let ours = |path: &str| path.split('/').next() == Some(RESERVED_FOLDER);
        outcome.files.retain(|file| !ours(&file.path));
        outcome.skipped.retain(|file| !ours(&file.path));
        Ok(outcome)
    }

    /// The job of the program itself, without its files: the same for one that is run and for one that may be.
    fn program(&self, plan: &Plan, left: &[InputFile], limits: &Limits) -> Result<Job, Failure> {
        let mut step = plan.run.clone();
        if let Some(stem) = &plan.script_stem {
            let script = script(stem, left)?;
            for word in step.command.iter_mut().filter(|word| *word == SCRIPT) {
                word.clone_from(&script);
            }
        }
        Ok(self.job(&step, limits))
    }

    /// A job for a step, with the environment that every job gets. The caller's variables win.
    fn job(&self, step: &Step, limits: &Limits) -> Job {
        const SYSTEM_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        let path: Vec<&str> = step.path_dirs.iter().map(String::as_str).chain([SYSTEM_PATH]).collect();
        let mut env = BTreeMap::from([
            ("PATH".to_string(), path.join(":")),
            ("HOME".to_string(), "/tmp".to_string()),
            ("TMPDIR".to_string(), "/tmp".to_string()),
            ("LANG".to_string(), "C.UTF-8".to_string()),
        ]);
        env.extend(step.env.iter().cloned());
        env.extend(self.env.iter().map(|(name, value)| (name.clone(), value.clone())));
        let (command, warmth) = step.command_line(self.ready(step));
        let mut job = Job::new(command);
        job.env = env.into_iter().collect();
        job.mounts = step.mounts.iter().chain(self.mounts).cloned().collect();
        job.limits = limits.clone();
        job.assurance = self.assurance;
        job.image = self.image.map(str::to_string);
        job.warmth = warmth;
        job
    }

    /// What may stand ready. An interpreter that stands ready for many programs starts with none of what one caller
    /// brings: not with folders of theirs, and not with variables that have it load something.
    fn ready(&self, step: &Step) -> Ready {
        let steers = |name: &String| name.starts_with("PYTHON") || name.starts_with("LD_");
        match step.ready {
            Ready::Python if !self.mounts.is_empty() || self.env.keys().any(steers) => Ready::Sandbox,
            ready => ready,
        }
    }

    /// Lets what can stand ready for this plan's program stand ready; `left` is what its compile steps left.
    pub fn warm_up(&self, plan: &Plan, left: &[InputFile], limits: &Limits) -> Result<(), Failure> {
        Ok(self.provider.warm_up(&self.program(plan, left, limits)?)?)
    }

    fn run_job(&self, job: &Job, stdin: Stdin, phase: Phase) -> Result<Outcome, Failure> {
        if self.cancel.is_cancelled() {
            return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
        }
        let asked = Instant::now();
        let mut begun = None;
        let mut watch = |progress: Progress<'_>| {
            if matches!(progress, Progress::Started) && begun.is_none() {
                begun = Some(Instant::now());
                self.teller.took(RunStep::Sandbox, asked.elapsed());
            }
            self.teller.progress(phase, &progress);
        };
        let io = RunIo { stdin, watch: &mut watch, cancel: self.cancel.clone() };
        let outcome = self.provider.run(job, io)?;
        if let Some(begun) = begun {
            self.teller.took(RunStep::Collect, begun.elapsed().saturating_sub(outcome.duration));
        }
        let (status, duration) = (outcome.status, outcome.duration.as_secs_f64());
        self.teller.tell(EventKind::PhaseFinished { phase, status, duration });
        Ok(outcome)
    }
}

/// The files of both; where paths are equal, the later one.
fn overlay(files: Vec<InputFile>, later: Vec<InputFile>) -> Vec<InputFile> {
    let mut by_path: BTreeMap<String, InputFile> = BTreeMap::new();
    for file in files.into_iter().chain(later) {
        by_path.insert(file.path.clone(), file);
    }
    by_path.into_values().collect()
}

/// What a step left, at the paths that the run wants.
fn left_behind(step: &Step, outcome: &Outcome) -> Vec<InputFile> {
    let moved = |path: &str| {
        let folder = step.moved_from.as_ref()?;
        path.strip_prefix(folder.as_str())?.strip_prefix('/').map(str::to_string)
    };
    let file = |file: &formicary_sandbox::Collected| InputFile {
        path: moved(&file.path).unwrap_or_else(|| file.path.clone()),
        content: file.content.as_slice().into(),
        executable: file.executable,
    };
    outcome.files.iter().map(file).collect()
}

/// Why what a step left is not enough, if it is not.
fn missing(step: &Step, left: &[InputFile], outcome: &Outcome) -> Option<String> {
    if let Some(skipped) = outcome.skipped.first() {
        return Some(format!("the compiler's output {} cannot be used: {}", skipped.path, skipped.why));
    }
    (left.is_empty() && !step.leaves.is_empty())
        .then(|| "the compiler succeeded but left no program".to_string())
}

/// The compiled script of this stem, absolute and inside.
fn script(stem: &str, left: &[InputFile]) -> Result<String, Failure> {
    let fits = |file: &&InputFile| {
        let ending = file.path.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
        matches!(ending, Some("mjs" | "cjs" | "js"))
    };
    left.iter().find(fits).map(|file| inside(&file.path)).ok_or_else(|| {
        Failure::new(FailureKind::Internal, format!("the compile step left no script for {stem}"))
    })
}
