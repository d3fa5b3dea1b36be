//! The plan: the steps that the model sees its task in. Each step has attempts of its own; a step ends by its check or by a run
//! after the last change, never by the model's word alone.

use crate::desk::{Desk, Stop};
use crate::observe::Program;
use crate::redact::{as_data, trimmed};
use serde_json::json;
use std::fmt::Write as _;

/// Steps that a plan may have.
pub const MOST_STEPS: usize = 25;
const LONGEST_TITLE: usize = 200;
const CHECK_SECONDS: f64 = 120.0;

/// One step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanStep {
    /// What is to be done.
    pub title: String,
    /// A command that ends with exit code 0 once it is done.
    pub check: Option<String>,
}

/// The steps, and how many of them are done.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    steps: Vec<PlanStep>,
    done: usize,
    /// The workspace when the step under way began.
    began: String,
}

/// What became of a step that was said to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stepped {
    /// It is done; what comes next, for the model.
    Done(String),
    /// It is not; why, for the model.
    NotDone(String),
}

impl Plan {
    /// The step under way, and its number.
    pub fn current(&self) -> Option<(usize, &PlanStep)> {
        self.steps.get(self.done).map(|step| (self.done + 1, step))
    }

    /// Whether steps follow the one under way.
    pub fn goes_on(&self) -> bool {
        self.done + 1 < self.steps.len()
    }

    /// Puts these steps in the place of all that are not done yet.
    fn lay(&mut self, steps: Vec<PlanStep>, tree: &str) -> Result<(), String> {
        if steps.is_empty() {
            return Err("a plan has at least one step".into());
        }
        if self.done + steps.len() > MOST_STEPS {
            return Err(format!("a plan has at most {MOST_STEPS} steps, those that are done among them"));
        }
        self.steps.truncate(self.done);
        self.steps.extend(steps.into_iter().map(|step| PlanStep {
            title: trimmed(step.title.trim(), LONGEST_TITLE),
            check: step.check.filter(|check| !check.trim().is_empty()),
        }));
        if self.began.is_empty() {
            tree.clone_into(&mut self.began);
        }
        Ok(())
    }

    /// The plan for the model; nothing where there is none.
    pub fn told(&self, attempts: u32, most: u32) -> Option<String> {
        if self.steps.is_empty() {
            return None;
        }
        let mut text = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            let state = match at.cmp(&self.done) {
                std::cmp::Ordering::Less => "done".to_owned(),
                std::cmp::Ordering::Equal => format!("now, {attempts} of {most} attempts used"),
                std::cmp::Ordering::Greater => "later".to_owned(),
            };
            let _ = writeln!(text, "{}. {} [{state}]", at + 1, step.title.replace('\n', " "));
        }
        Some(as_data("your plan", &text))
    }
}

impl Desk<'_> {
    /// Takes a plan, or says what is wrong with it. Attempts are not given back by planning anew.
    pub fn lay_plan(&mut self, steps: Vec<PlanStep>) -> Result<Result<String, String>, Stop> {
        let titles: Vec<String> = steps.iter().map(|step| step.title.clone()).collect();
        if let Err(why) = self.plan.lay(steps, &self.tree.hash()) {
            return Ok(Err(why));
        }
        self.journal.note("decision", json!({"plan": titles, "done": self.plan.done}))?;
        Ok(Ok(self.plan.told(self.spent.step_attempts, self.order.budget.attempts).unwrap_or_default()))
    }

    /// The model says that a step is done: its check is run, or a run that followed the last change is looked for.
    pub fn end_step(&mut self) -> Result<Stepped, Stop> {
        let Some((number, step)) = self.plan.current().map(|(number, step)| (number, step.clone())) else {
            let why = "no step of a plan is under way; call `finish` when the task is done";
            return Ok(Stepped::NotDone(why.into()));
        };
        let wrong = match &step.check {
            Some(check) => {
                let program = Program {
                    purpose: "check of a step",
                    command: Some(check.clone()),
                    seconds: Some(CHECK_SECONDS),
                    ..Program::default()
                };
                let seen = self.observe(&program)?;
                (!seen.succeeded()).then(|| seen.told())
            }
            None => self.unproved(),
        };
        self.journal.note(
            "decision",
            json!({"step": number, "title": step.title, "done": wrong.is_none(), "tree": self.tree.hash()}),
        )?;
        if let Some(why) = wrong {
            self.failed_attempt();
            return Ok(Stepped::NotDone(format!("Step {number} is not done. {why}")));
        }
        self.plan.done += 1;
        self.plan.began = self.tree.hash();
        self.spent.step_attempts = 0;
        Ok(Stepped::Done(match self.plan.current() {
            Some((next, _)) => format!("Step {number} is done. Go on with step {next}."),
            None => format!("Step {number} is done, and with it the plan. Call `finish`."),
        }))
    }

    /// A proposal, or a step, that did not pass.
    pub fn failed_attempt(&mut self) {
        self.spent.attempts += 1;
        self.spent.step_attempts += 1;
    }

    /// Why a step without a check cannot be believed to be done.
    fn unproved(&self) -> Option<String> {
        let now = self.tree.hash();
        match &self.last_run {
            _ if self.plan.began == now => None,
            Some((tree, true)) if *tree == now => None,
            Some((tree, false)) if *tree == now => Some("The last run failed.".into()),
            _ => Some("Nothing was run after the last change: run the program or its tests first.".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(titles: &[&str]) -> Vec<PlanStep> {
        titles.iter().map(|title| PlanStep { title: (*title).into(), check: Some(" ".into()) }).collect()
    }

    #[test]
    fn what_is_done_stays_done() {
        let mut plan = Plan::default();
        assert_eq!(plan.told(0, 5), None);
        plan.lay(steps(&["read", "write\nmuch"]), "t0").unwrap();
        assert_eq!(plan.current().unwrap().1.check, None, "an empty check is none");
        plan.done = 1;
        plan.lay(steps(&["write less", "test"]), "t1").unwrap();
        let told = plan.told(2, 5).unwrap();
        for part in ["1. read [done]", "2. write less [now, 2 of 5 attempts used]", "3. test [later]"] {
            assert!(told.contains(part), "{told}");
        }
        assert!(plan.goes_on() && plan.began == "t0");
        assert!(plan.lay(Vec::new(), "t").is_err());
        assert!(plan.lay(steps(&["x"; 25]), "t").unwrap_err().contains("at most 25"));
    }
}
