//! The state that the loop and its tools work on. Every change of the workspace goes through here, and every effect.

use crate::budget::Spent;
use crate::circles::Circles;
use crate::guard;
use crate::journal::Journal;
use crate::order::Order;
use crate::outcome::Ending;
use crate::plan::Plan;
use crate::redact::Redactor;
use crate::tree::{self, MOST_BYTES, MOST_FILES, Tree};
use formicary_execution::packages::requirement;
use formicary_llm::{Model, Prices};
use formicary_model::agent::AgentStep;
use formicary_model::{
    Diagnosis, ExecutionRequest, ExecutionResult, Failure, FailureKind, InspectReport, InspectRequest,
};
use formicary_repair::verify::Run;

/// Runs a request so that its failure tells as much as it can.
pub type Observe<'a> = dyn Fn(ExecutionRequest) -> Result<(ExecutionResult, Diagnosis), Failure> + Sync + 'a;

/// Runs a request under a debugger, from stop to stop.
pub type Inspect<'a> =
    dyn Fn(&ExecutionRequest, &InspectRequest) -> Result<InspectReport, Failure> + Sync + 'a;

/// Somebody who answers a question, or does not.
pub type Human<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Everything outside: the model, the sandbox, the human. Only the journal may ask them.
pub struct World<'a> {
    /// The model.
    pub model: &'a dyn Model,
    /// How programs are run and their failures read.
    pub observe: &'a Observe<'a>,
    /// How programs are looked into.
    pub inspect: &'a Inspect<'a>,
    /// How the fixer runs its many candidates.
    pub run: &'a Run<'a>,
    /// A request as the configuration would have it: the policy of every run.
    pub base: &'a ExecutionRequest,
    /// What tokens cost.
    pub prices: &'a Prices,
    /// The human, where one can be asked.
    pub human: Option<&'a Human<'a>>,
    /// Whether it is called off.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
    /// Who hears of each step.
    pub watch: &'a dyn Fn(AgentStep),
    /// What must not be written down.
    pub redactor: Redactor,
    /// Processors that the fixer may use.
    pub workers: usize,
}

/// Why the loop stops.
#[derive(Debug)]
pub enum Stop {
    /// It is at its end.
    Ended(Ending, String),
    /// Formicary failed, or was called off: the run can be resumed.
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// The state.
pub struct Desk<'a> {
    /// Everything outside.
    pub world: &'a World<'a>,
    /// What is wanted.
    pub order: &'a Order,
    /// The transcript.
    pub journal: Journal,
    /// The workspace as it was at the start.
    pub base: Tree,
    /// The workspace.
    pub tree: Tree,
    /// What was spent.
    pub spent: Spent,
    /// The steps that the model sees its task in.
    pub plan: Plan,
    /// The files of the last run, and whether it succeeded.
    pub last_run: Option<(String, bool)>,
    /// What repeats itself.
    pub circles: Circles,
    /// Packages that the program may import.
    pub packages: Vec<String>,
    /// Whether a run showed that pytest is not in the sandbox.
    pub without_pytest: bool,
    /// How the program is run, as the model says.
    pub command: Option<String>,
    /// What the model says of its work, once it says that it is done.
    pub claim: Option<String>,
    /// Whether the model gave up.
    pub gave_up: Option<String>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

impl<'a> Desk<'a> {
    /// A desk at the start of a run.
    pub fn new(world: &'a World<'a>, order: &'a Order, base: Tree, journal: Journal) -> Self {
        Self {
            world,
            order,
            journal,
            tree: base.clone(),
            base,
            spent: Spent::default(),
            plan: Plan::default(),
            last_run: None,
            circles: Circles::default(),
            packages: Vec::new(),
            without_pytest: false,
            command: order.task.command.clone(),
            claim: None,
            gave_up: None,
            notes: Vec::new(),
        }
    }

    /// Whether a path may have this text; `None` where it shall go.
    pub fn may_change(&self, path: &str, text: Option<&str>) -> Result<(), String> {
        if guard::steers_tests(path)
            && !self.order.rules.edit_tests
            && self.order.task.acceptance.tests.is_some()
        {
            return Err(format!("{path} steers how tests are run and must stay as it is"));
        }
        let Some(old) = self.tree.text(path).filter(|_| guard::is_test(path)) else { return Ok(()) };
        if self.base.contains(path) && !self.order.rules.edit_tests && text != Some(old) {
            return Err(format!(
                "{path} is a test that was there before; it must stay as it is: change the code, not its tests"
            ));
        }
        guard::weakened(path, old, text).map_or(Ok(()), Err)
    }

    /// Changes the workspace: all of it, or nothing with everything that is wrong.
    pub fn change(
        &mut self,
        changes: &crate::generate::proposal::Changes,
    ) -> Result<Vec<String>, Vec<String>> {
        let wrong: Vec<String> =
            changes.iter().filter_map(|(path, text)| self.may_change(path, text.as_deref()).err()).collect();
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut next = self.tree.clone();
        for (path, text) in changes {
            match text {
                Some(text) => {
                    let old = self.tree.text(path).unwrap_or_default();
                    next.write(path, &self.world.redactor.clean_change(old, text));
                }
                None => {
                    next.remove(path);
                }
            }
        }
        if next.len() > MOST_FILES || next.size() > MOST_BYTES {
            return Err(vec!["the workspace would have too many files or bytes".into()]);
        }
        self.tree = next;
        Ok(changes.keys().cloned().collect())
    }

    /// Takes packages that the user allowed.
    pub fn use_packages(&mut self, wanted: &[String]) -> Result<(), String> {
        for line in wanted {
            let plain = requirement::requirement(line).map_err(|failure| failure.message)?;
            let ends = plain.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(plain.len());
            let allowed =
                self.order.rules.packages.iter().any(|name| requirement::normal_name(name) == plain[..ends]);
            if !allowed {
                let list = match self.order.rules.packages.as_slice() {
                    [] => "none are".to_owned(),
                    names => format!("allowed are {}", names.join(", ")),
                };
                return Err(format!(
                    "package {:?} is not allowed by the user ({list}); do without it",
                    &plain[..ends]
                ));
            }
            if !self.packages.contains(&plain) {
                self.packages.push(plain);
                self.without_pytest = false;
            }
        }
        Ok(())
    }

    /// The file that an unnamed block of code is.
    pub fn usual_file(&self) -> Option<String> {
        let sources: Vec<&str> = self
            .tree
            .paths()
            .filter(|path| tree::language_of(path).is_some() && !guard::is_test(path))
            .collect();
        match sources.as_slice() {
            [] => Some("main.py".into()),
            [only] => Some((*only).to_owned()),
            many => many.iter().find(|path| path.starts_with("main.")).map(|path| (*path).to_owned()),
        }
    }

    /// Ends the run where a budget is used up, or where somebody calls it off.
    pub fn go_on(&mut self) -> Result<(), Stop> {
        self.spent.seconds = self.journal.elapsed();
        if (self.world.cancelled)() && !self.journal.is_replaying() {
            return Err(Stop::Failed(
                Failure::new(FailureKind::Cancelled, "cancelled")
                    .hint("`formicary agent resume` goes on with it"),
            ));
        }
        match self.order.budget.exceeded(&self.spent) {
            Some(kind) => {
                let reason = format!("the budget of {} is used up", kind.spelled());
                Err(Stop::Ended(Ending::OutOf(kind), reason))
            }
            None => Ok(()),
        }
    }

    /// Tells whoever watches; what is only remembered is not told again.
    pub fn tell(&self, step: AgentStep) {
        if !self.journal.is_replaying() {
            (self.world.watch)(step);
        }
    }
}
