//! A case against a provider: the verdict, and the host as it was.

use crate::case::{Case, Refusal};
use crate::differences;
use crate::expect::describe;
use crate::providers::{Company, Hearing, Tested, has_a_place_for_the_trusted};
use crate::scene::Scene;
use formicary_model::{Assurance, Protection, ProtectionState};
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::{Cancel, InputFile, Job, Outcome, Provider, RunIo, SandboxError};
use formicary_testkit::Leftovers;
use formicary_testkit::leftovers::Places;
use std::sync::Mutex;
use std::time::Duration;

/// How long the host may take to be as it was. Removal of a namespace is the kernel's own affair and takes a moment.
pub const GRACE: Duration = Duration::from_secs(5);

/// The first protection that the case needs and the provider does not claim here, with the provider's reason.
pub fn unclaimed(provider: &dyn Provider, needs: &[Protection]) -> Option<String> {
    let claims = provider.capabilities();
    needs.iter().find_map(|need| match claims.protections.get(need) {
        Some(state) if state.holds() => None,
        state => Some(format!("{} does not claim {need} here: {state:?}", provider.name())),
    })
}

impl Case {
    /// The job that a provider is given.
    pub fn job(&self, scene: &Scene) -> Result<Job, String> {
        let ready = self.program.ready()?;
        let mut job = Job::new(ready.command(Job::WORK));
        job.files.push(InputFile {
            path: ready.file.into(),
            content: ready.content,
            executable: ready.executable,
        });
        job.env = scene.environment().map_err(|error| format!("scene: {error}"))?;
        job.env.extend(self.env.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        job.env.extend([("TEMP".to_owned(), "/tmp".to_owned()), ("SHM".to_owned(), "/dev/shm".to_owned())]);
        job.limits = self.limits.clone();
        job.network = self.network.clone();
        job.collect = self.collect.clone();
        job.assurance = Assurance::BestEffort;
        Ok(job)
    }

    /// Runs the case against a provider and checks everything.
    pub fn run(&self, tested: &Tested) -> Result<(), String> {
        let mut scene = Scene::new().map_err(|error| format!("scene: {error}"))?;
        let job = self.job(&scene)?;
        let places = Places::default();
        let before = Leftovers::now(&places);
        let outcome = start(tested.provider.as_ref(), &job, self.stdin.clone())?;
        let mut expect = differences::expected(tested.label, self.name, &self.expect);
        if self.refusal == Refusal::Brief && is_watched(tested.provider.as_ref()) {
            expect = expect.uncounted();
        }
        match tested.hearing {
            Hearing::Everything => expect.verify(&outcome)?,
            Hearing::Nothing => expect.unheard().verify(&outcome)?,
        }
        keeps_the_secret(&scene, &outcome)?;
        if self.network != formicary_model::Network::Host {
            scene.untouched()?;
        }
        if let Some(check) = self.host {
            check(&scene, &outcome).map_err(|what| format!("{what}\n{}", describe(&outcome)))?;
        }
        match tested.company {
            Company::Alone => before.settle(&places, GRACE),
            Company::Several => Ok(()),
        }
    }
}

/// Whether this provider only looks at processes from time to time, as where there are no cgroups.
fn is_watched(provider: &dyn Provider) -> bool {
    matches!(provider.capabilities().protections.get(&Protection::Memory), Some(ProtectionState::Watched(_)))
}

/// Runs a job with these bytes as its input; an error of the provider is the suite's error. A host that is worked hard may
/// fail to give a sandbox once: that is tried again, and told at the end. What a program did in one is never tried again.
pub fn start(provider: &dyn Provider, job: &Job, stdin: Vec<u8>) -> Result<Outcome, String> {
    let attempt = |stdin| {
        let io = RunIo { stdin: Stdin::Bytes(stdin), watch: &mut |_| {}, cancel: Cancel::default() };
        provider.run(job, io)
    };
    let judged = match attempt(stdin.clone()) {
        Err(first @ (SandboxError::Step { .. } | SandboxError::Unavailable { .. })) => {
            if let Ok(mut unsteady) = UNSTEADY.lock() {
                unsteady.push(format!("{} ({}): {first}", provider.name(), job.command.join(" ")));
            }
            attempt(stdin)
        }
        judged => judged,
    };
    judged.map_err(|error| format!("the sandbox failed: {error}"))
}

static UNSTEADY: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Where no sandbox was had at first.
pub fn unsteady() -> Vec<String> {
    UNSTEADY.lock().map(|list| list.clone()).unwrap_or_default()
}

/// The secret of the scene is in nothing that came out.
fn keeps_the_secret(scene: &Scene, outcome: &Outcome) -> Result<(), String> {
    let token = scene.token.as_bytes();
    let holds = |bytes: &[u8]| bytes.windows(token.len()).any(|window| window == token);
    let mut places = vec![("stdout", outcome.stdout.joined()), ("stderr", outcome.stderr.joined())];
    places.extend(outcome.files.iter().map(|file| ("a collected file", file.content.clone())));
    match places.iter().find(|(_, bytes)| holds(bytes)) {
        Some((place, _)) => Err(format!("the host's secret is in {place}\n{}", describe(outcome))),
        None => Ok(()),
    }
}

/// The first run of a process opens what all later ones share (the helper's program, a probe's answer): done once, beforehand,
/// so that it does not count as left behind.
pub fn warm_up(tested: &Tested) -> Result<(), String> {
    static DONE: std::sync::Mutex<Vec<&'static str>> = std::sync::Mutex::new(Vec::new());
    let mut done = DONE.lock().map_err(|_| "the lock is poisoned")?;
    if !done.contains(&tested.label) {
        let scene = Scene::new().map_err(|error| format!("scene: {error}"))?;
        start(tested.provider.as_ref(), &Case::bash("warm_up", "exit 0").job(&scene)?, Vec::new())?;
        done.push(tested.label);
    }
    Ok(())
}

/// What all cases together left behind, once it had time to go. What this process opened for good is its own affair.
pub fn left_after_all(before: &Leftovers) -> Vec<String> {
    let deadline = std::time::Instant::now() + GRACE;
    // Trusted code has no memory of its own to share: what it leaves goes with the namespace that it was put into.
    let expected = |what: &str| {
        what.starts_with("descriptor") || (has_a_place_for_the_trusted() && what.starts_with("ipc object"))
    };
    loop {
        let now = Leftovers::now(&Places::default());
        let left: Vec<String> =
            now.beyond(before).filter(|what| !expected(what)).map(str::to_owned).take(20).collect();
        if left.is_empty() || std::time::Instant::now() > deadline {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
