//! The harness: a named test for each case unprotected, and for each provider and case.
//!
//! `FORMICARY_LONG=1` runs the large numbers.
#![expect(
    clippy::disallowed_methods,
    reason = "a test harness is a door: it reads how much is wanted from the environment"
)]

use formicary_conformance::matrix::Matrix;
use formicary_conformance::providers::{Company, Tested};
use formicary_conformance::scenarios::Stage;
use formicary_conformance::unprotected::Proof;
use formicary_conformance::{cases, differences, protected, providers, scenarios};
use formicary_model::Network;
use formicary_sandbox::providers::docker;
use formicary_testkit::Leftovers;
use formicary_testkit::leftovers::Places;
use formicary_testkit::skips::Skips;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{PoisonError, RwLock};

static SKIPS: Skips = Skips::new();
static MATRIX: Matrix = Matrix::new();

fn main() -> ExitCode {
    if let Some(code) = formicary_conformance::reaper::serve() {
        return code;
    }
    let mut arguments = Arguments::from_args();
    // Most of a case is waiting: for time to run out, for a kernel to start.
    arguments.test_threads.get_or_insert(4);
    let stage = Stage {
        long: std::env::var_os("FORMICARY_LONG").is_some_and(|value| value != "0"),
        // Where this was built may be closed to the user who runs it; then the runner names another place.
        controller: std::env::var_os("NEXTEST_BIN_EXE_conformance-controller")
            .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_conformance-controller")), PathBuf::from),
    };
    // Orphans of a broken sandbox come to this process, where they are seen.
    let _ = rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1));
    let mut trials = unprotected();
    let all = providers::all();
    for tested in &all {
        if let Some(why) = providers::unavailable(tested) {
            SKIPS.note(&format!("{}::", tested.label), &why);
            continue;
        }
        trials.extend(protected_cases(tested));
        trials.extend(scenario_trials(tested, &stage));
    }
    let before = Leftovers::now(&Places::default());
    let conclusion = libtest_mimic::run(&arguments, trials);
    for line in MATRIX.lines() {
        let _ = writeln!(std::io::stdout(), "{line}");
    }
    let left = protected::left_after_all(&before);
    if !left.is_empty() {
        let _ = writeln!(std::io::stdout(), "after all cases, left behind: {}", left.join("; "));
        return ExitCode::FAILURE;
    }
    for line in SKIPS.summary() {
        let _ = writeln!(std::io::stdout(), "{line}");
    }
    for line in protected::unsteady() {
        let _ = writeln!(std::io::stdout(), "unsteady: {line}");
    }
    conclusion.exit_code()
}

/// Cases of the native provider run one at a time, so that what is left on the host can be told from what another case does.
/// Unprotected runs, and cases of slow providers, disturb only those.
fn alone<T>(work: impl FnOnce() -> T) -> T {
    let _others = WITHIN.write().unwrap_or_else(PoisonError::into_inner);
    work()
}

fn together<T>(work: impl FnOnce() -> T) -> T {
    let _others = WITHIN.read().unwrap_or_else(PoisonError::into_inner);
    work()
}

fn in_company<T>(tested: &Tested, work: impl FnOnce() -> T) -> T {
    match tested.company {
        Company::Alone => alone(work),
        Company::Several => together(work),
    }
}

static WITHIN: RwLock<()> = RwLock::new(());

fn skipped(name: &str, why: &str) -> Result<Completion, Failed> {
    SKIPS.note(name, why);
    Ok(Completion::ignored_with(why))
}

/// What trusted code is not kept from is no skip: the provider says so itself, and the matrix shows it.
fn unclaimed(tested: &Tested, name: &str, why: &str) -> Result<Completion, Failed> {
    MATRIX.unclaimed(tested.label, name);
    if tested.label == "trusted" {
        return Ok(Completion::ignored_with("not claimed"));
    }
    skipped(name, why)
}

fn unprotected() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (area, cases) in cases::all() {
        // The others carry the reason why nobody tries: it is no skip, they are tried nowhere.
        for case in cases.into_iter().filter(|case| case.untried().is_none()) {
            let name = format!("unprotected::{area}::{}", case.name);
            let own = name.clone();
            trials.push(Trial::ignorable_test(name, move || match together(|| case.prove())? {
                Proof::Given => Ok(Completion::Completed),
                Proof::NotTried(why) => skipped(&own, &why),
            }));
        }
    }
    trials
}

fn protected_cases(tested: &Tested) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (area, cases) in cases::all() {
        for case in cases {
            let name = format!("{}::{area}::{}", tested.label, case.name);
            let (own, tested) = (name.clone(), tested.clone());
            trials.push(Trial::ignorable_test(name, move || {
                if tested.label == docker::NAME && case.network == Network::Host {
                    return unclaimed(&tested, &own, "containers never get the host's network");
                }
                if let Some(why) = protected::unclaimed(tested.provider.as_ref(), case.needs) {
                    return unclaimed(&tested, &own, &why);
                }
                let judged =
                    in_company(&tested, || protected::warm_up(&tested).and_then(|()| case.run(&tested)));
                let differs = differences::reason(tested.label, case.name).is_some();
                MATRIX.note(tested.label, &own, judged.is_ok(), differs);
                judged?;
                Ok(Completion::Completed)
            }));
        }
    }
    trials
}

fn scenario_trials(tested: &Tested, stage: &Stage) -> Vec<Trial> {
    let mut trials = Vec::new();
    for scenario in scenarios::all() {
        let name = format!("{}::{}", tested.label, scenario.name);
        let (own, tested, stage) = (name.clone(), tested.clone(), stage.clone());
        trials.push(Trial::ignorable_test(name, move || {
            if let Some(why) = protected::unclaimed(tested.provider.as_ref(), scenario.needs) {
                return unclaimed(&tested, &own, &why);
            }
            let judged = alone(|| protected::warm_up(&tested).and_then(|()| (scenario.run)(&tested, &stage)));
            let differs = differences::reason(tested.label, scenario.name).is_some();
            MATRIX.note(tested.label, &own, judged.is_ok(), differs);
            judged?;
            Ok(Completion::Completed)
        }));
    }
    trials
}
