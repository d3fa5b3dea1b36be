//! The loop: ask, change, run, judge, tell, until it is accepted or something runs out.

use crate::accept::{ByFixer, Judged};
use crate::budget::BudgetKind;
use crate::context::Conversation;
use crate::desk::{Desk, Stop, World};
use crate::generate::{self, Proposal};
use crate::journal::Journal;
use crate::observe::Program;
use crate::order::Order;
use crate::outcome::{Ending, Outcome};
use crate::plan::{PlanStep, Stepped};
use crate::redact::{as_data, trimmed};
use crate::tools::{self, review};
use crate::tree::Tree;
use formicary_llm::{Answer, ErrorKind, Listener, Message, OutputSchema, Part, Request, Role, StopReason};
use formicary_model::agent::AgentStep;
use formicary_model::review::Finding;
use formicary_model::{Failure, FailureKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Instant;

/// Calls that one answer may make.
const MOST_CALLS: usize = 16;

/// Drives a run from its start, or from where its transcript ends, to its end.
pub fn drive(world: &World<'_>, order: &Order, base: Tree, journal: Journal) -> Result<Outcome, Failure> {
    let mut run =
        Loop { desk: Desk::new(world, order, base, journal), best: None, gated: false, accepted: None };
    let (ending, reason) = match run.work() {
        Err(Stop::Ended(ending, reason)) => (ending, reason),
        Err(Stop::Failed(failure)) => return Err(failure),
        Ok(never) => match never {},
    };
    run.finish(ending, reason)
}

enum Never {}

/// What the model answered, as the transcript keeps it.
#[derive(Serialize, Deserialize)]
enum Said {
    #[serde(rename = "answer")]
    Answer(Answer),
    /// The time of the whole run ended before the answer did.
    #[serde(rename = "out_of_time")]
    OutOfTime,
}

struct Loop<'a> {
    desk: Desk<'a>,
    best: Option<(i64, Tree)>,
    gated: bool,
    accepted: Option<String>,
}

impl Loop<'_> {
    fn work(&mut self) -> Result<Never, Stop> {
        let order = self.desk.order;
        self.desk.journal.note(
            "started",
            json!({"task": order.task.text, "model": self.desk.world.model.name(), "tree": self.desk.tree.hash(), "id": order.id}),
        )?;
        let mut conversation = Conversation::begin(&self.desk);
        if let Some(told) = self.before_the_first_word()? {
            conversation.preface(&told);
        }
        let offered = match self.desk.world.model.capabilities().tools {
            true => tools::specs(&self.desk),
            false => Vec::new(),
        };
        loop {
            self.desk.go_on()?;
            let request = conversation.request(&self.desk, &offered);
            let answer = self.ask("step", &request)?;
            self.desk.spent.steps += 1;
            let (replies, digest) = self.react(&answer)?;
            conversation.add(&answer, replies, digest);
        }
    }

    /// A repository whose tests fail may be mended without a model; else the model is told at once what fails.
    fn before_the_first_word(&mut self) -> Result<Option<String>, Stop> {
        if self.desk.tree.is_empty() || self.desk.order.task.acceptance.is_judgement() {
            return Ok(None);
        }
        let judged = self.desk.judge()?;
        if judged.accepted == Some(true) {
            return Ok(Some("The acceptance passes on the workspace as it is.".into()));
        }
        let start = self.desk.tree.clone();
        let mut candidate = String::new();
        match self.desk.fix()? {
            Some(ByFixer::Applied(_)) => {
                let again = self.desk.judge()?;
                if again.accepted == Some(true) {
                    self.pass(&again)?;
                }
                self.desk.tree = start;
            }
            Some(ByFixer::Candidate(told)) => candidate = format!("\n{told}"),
            None => {}
        }
        self.remember(&judged);
        Ok(Some(format!("As the workspace is now:\n{}{candidate}", judged.told)))
    }

    fn react(&mut self, answer: &Answer) -> Result<(Vec<Message>, String), Stop> {
        if !answer.tool_calls.is_empty() {
            return self.run_tools(answer);
        }
        if answer.stop == StopReason::Refused {
            return Err(Stop::Ended(Ending::GaveUp, "the model refused to answer".into()));
        }
        let told = self.read_text(answer)?;
        let digest = format!("answered with text; {}", first_line(&told));
        Ok((vec![Message::user(told)], digest))
    }

    fn run_tools(&mut self, answer: &Answer) -> Result<(Vec<Message>, String), Stop> {
        let (mut replies, mut digest) = (Vec::new(), Vec::new());
        for (at, call) in answer.tool_calls.iter().enumerate() {
            let reply = match at < MOST_CALLS {
                true => tools::call(&mut self.desk, call)?,
                false => tools::Reply {
                    text: format!("left out: at most {MOST_CALLS} calls in one answer"),
                    failed: true,
                },
            };
            let error = if reply.failed { reply.text.as_str() } else { "" };
            let action = format!("{} {}", call.name, call.arguments);
            let tree = self.desk.tree.hash();
            if let Some(why) = self.desk.circles.acted(&action, error, &tree) {
                return Err(Stop::Ended(Ending::Circles, why));
            }
            digest.push(format!("{} → {}", call.name, first_line(&reply.text)));
            let (id, name) = (call.id.clone(), call.name.clone());
            let part = Part::ToolResult { id, name, text: reply.text, failed: reply.failed };
            replies.push(Message { role: Role::Tool, parts: vec![part] });
        }
        if let Some(why) = self.desk.gave_up.take() {
            return Err(Stop::Ended(Ending::GaveUp, trimmed(&why, 600)));
        }
        if self.desk.claim.is_some() {
            let told = self.attempt()?;
            digest.push(first_line(&told));
            replies.push(Message::user(told));
        }
        Ok((replies, digest.join("; ")))
    }

    /// Text: files to write, or the word that it is done. Gives what the model is told.
    fn read_text(&mut self, answer: &Answer) -> Result<String, Stop> {
        let usual = self.desk.usual_file();
        let cut = answer.stop == StopReason::Length;
        let proposal = match generate::read(&answer.text, usual.as_deref()) {
            Ok(proposal) => proposal,
            Err(why) => return self.unusable(&why, cut),
        };
        if proposal.changes.is_empty() && (cut || answer.text.trim().is_empty()) {
            return self.unusable("the answer holds no files", cut);
        }
        if let Err(wrong) = self.take(&proposal) {
            return self.unusable(&wrong.join("; "), cut);
        }
        if (!proposal.plan.is_empty() || proposal.step_done)
            && let Some(told) = self.plan_by_text(&proposal)?
        {
            return Ok(told);
        }
        if proposal.changes.is_empty() && self.desk.tree.is_empty() {
            return self.unusable("the answer holds no files, and the workspace is empty", false);
        }
        self.desk.claim = Some(proposal.summary);
        self.attempt()
    }

    /// A plan, or the end of one of its steps, in an answer of text. Nothing where the whole task is to be judged now.
    fn plan_by_text(&mut self, proposal: &Proposal) -> Result<Option<String>, Stop> {
        let mut told = String::new();
        if !proposal.plan.is_empty() {
            let steps = proposal.plan.iter().map(|title| PlanStep { title: title.clone(), check: None });
            told = match self.desk.lay_plan(steps.collect())? {
                Ok(_) => "The plan is noted. ".into(),
                Err(why) => format!("The plan is not taken: {why}. "),
            };
            let tree = self.desk.tree.hash();
            if let Some(why) = self.desk.circles.acted("plan", &told, &tree) {
                return Err(Stop::Ended(Ending::Circles, why));
            }
            if proposal.changes.is_empty() {
                return Ok(Some(format!("{told}Go on with the first step that is not done.")));
            }
        }
        if !(proposal.step_done && self.desk.plan.goes_on()) {
            return Ok(None);
        }
        // Who writes text cannot run anything: the program is run for it.
        let command = self.desk.command.clone();
        let seen = self.desk.observe(&Program { purpose: "run", command, ..Program::default() })?;
        let (Stepped::Done(step) | Stepped::NotDone(step)) = self.desk.end_step()?;
        let seen = if seen.succeeded() { String::new() } else { format!("\n{}", seen.told()) };
        Ok(Some(format!("{told}{step}{seen}")))
    }

    fn take(&mut self, proposal: &Proposal) -> Result<(), Vec<String>> {
        let changes = proposal.applied(&self.desk.tree)?;
        self.desk.use_packages(&proposal.packages).map_err(|why| vec![why])?;
        self.desk.change(&changes)?;
        if self.desk.order.task.command.is_none()
            && let Some(command) = &proposal.command
        {
            self.desk.command = Some(command.clone());
        }
        Ok(())
    }

    fn unusable(&mut self, why: &str, cut: bool) -> Result<String, Stop> {
        self.desk.failed_attempt();
        let tree = self.desk.tree.hash();
        self.desk.journal.note("decision", json!({"unusable": why, "tree": tree}))?;
        if let Some(reason) = self.desk.circles.acted("answer", why, &tree) {
            return Err(Stop::Ended(Ending::Circles, reason));
        }
        let length = if cut {
            " The answer was cut because it is too long: write less, or only what changes."
        } else {
            ""
        };
        Ok(format!("Nothing was changed: {why}.{length}"))
    }

    /// Judges what is there. Gives what the model is told where it is not accepted.
    fn attempt(&mut self) -> Result<String, Stop> {
        let mut judged = self.desk.judge()?;
        if judged.accepted == Some(false) {
            let before = self.desk.tree.clone();
            let by_fixer = match self.desk.circles.is_known_failure(&before.hash()) {
                true => None,
                false => self.desk.fix()?,
            };
            match by_fixer {
                Some(ByFixer::Applied(done)) => {
                    let again = self.desk.judge()?;
                    if again.accepted == Some(true) {
                        judged = again;
                        judged.told = done;
                    } else {
                        self.desk.tree = before;
                    }
                }
                Some(ByFixer::Candidate(told)) => judged.told = format!("{}\n{told}", judged.told),
                None => {}
            }
        }
        if judged.accepted.is_none() {
            judged = self.judge_by_model(judged)?;
        }
        if judged.accepted == Some(true) {
            return self.pass(&judged);
        }
        self.desk.claim = None;
        self.desk.failed_attempt();
        self.remember(&judged);
        let tree = self.desk.tree.hash();
        let known = self.desk.circles.is_known_failure(&tree);
        let failing: BTreeSet<String> = judged.failing.clone();
        if let Some(reason) = self.desk.circles.failed(&tree, &failing) {
            return Err(Stop::Ended(Ending::Circles, reason));
        }
        let again = if known { "\nThese very files failed before: do something else." } else { "" };
        Ok(format!("Not accepted. {}{again}", judged.told))
    }

    /// Accepted: now the review. Ends the run unless the review sends it back, which it does once.
    fn pass(&mut self, judged: &Judged) -> Result<String, Stop> {
        self.remember(judged);
        let blocking = self.blocking();
        if blocking.is_empty() {
            self.accepted = Some(judged.by.clone());
            return Err(Stop::Ended(Ending::Solved, format!("accepted by {}", judged.by)));
        }
        let lines: Vec<String> = blocking.iter().take(20).map(review::line).collect();
        if std::mem::replace(&mut self.gated, true) {
            self.accepted = Some(judged.by.clone());
            return Err(Stop::Ended(
                Ending::GateNotMet,
                format!("the review does not let it pass: {}", lines[0]),
            ));
        }
        let told = format!(
            "It works, but the review does not let it pass. Mend this:\n{}",
            as_data("findings", &lines.join("\n"))
        );
        self.desk.journal.note("decision", json!({"gate": lines}))?;
        Ok(told)
    }

    fn findings(&self) -> Vec<Finding> {
        review::findings(&self.desk.tree, &self.desk.tree.changed_since(&self.desk.base))
    }

    /// Findings in what was changed that were not there at the start.
    fn new_findings(&self) -> Vec<Finding> {
        let changed = self.desk.tree.changed_since(&self.desk.base);
        let before: Vec<&str> = changed.into_iter().filter(|path| self.desk.base.contains(path)).collect();
        let mut old = review::findings(&self.desk.base, &before);
        let mut new = self.findings();
        // Each that was there stands for one that is there: a second one of the same words is new.
        new.retain(|finding| {
            let known = |known: &Finding| known.file == finding.file && known.message == finding.message;
            old.iter().position(known).map(|at| old.swap_remove(at)).is_none()
        });
        new
    }

    /// Findings that the user's gate does not let pass and that were not there at the start.
    fn blocking(&self) -> Vec<Finding> {
        let Some(gate) = self.desk.order.rules.gate else { return Vec::new() };
        let bad = |finding: &Finding| finding.severity >= gate;
        let now: Vec<Finding> = self.findings().into_iter().filter(bad).collect();
        if now.is_empty() {
            return now;
        }
        let paths: Vec<&str> = self.desk.base.paths().collect();
        let old: Vec<(String, String)> = review::findings(&self.desk.base, &paths)
            .into_iter()
            .map(|finding| (finding.file, finding.message))
            .collect();
        now.into_iter()
            .filter(|finding| !old.contains(&(finding.file.clone(), finding.message.clone())))
            .collect()
    }

    /// The model judges its own work by a run that it cannot invent.
    fn judge_by_model(&mut self, judged: Judged) -> Result<Judged, Stop> {
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["done", "reason"], "properties": {
            "done": {"type": "boolean"}, "reason": {"type": "string"},
        }});
        let text = format!(
            "Task:\n{}\n\nThe program was run and ended with exit code 0. It wrote:\n{}\n\nDoes this do what the task asks? \
             Answer with JSON alone: {{\"done\": true or false, \"reason\": \"one sentence\"}}",
            self.desk.order.task.text,
            as_data("stdout", &judged.output)
        );
        let bound = self.desk.world.model.capabilities().structured_output;
        let request = Request {
            system: crate::context::SYSTEM.to_owned(),
            messages: vec![Message::user(text)],
            output: bound.then(|| OutputSchema { name: "verdict".into(), schema: schema.clone() }),
            max_output_tokens: 500,
            temperature: Some(0.0),
            ..Request::default()
        };
        let answer = self.ask("judgement", &request)?;
        let verdict = verdict(&answer);
        let done = verdict.as_ref().is_some_and(|verdict| verdict["done"] == true);
        let reason = verdict
            .as_ref()
            .and_then(|verdict| verdict["reason"].as_str())
            .unwrap_or("the judgement could not be read");
        self.desk.journal.note("decision", json!({"judgement": done, "reason": reason}))?;
        let told = format!("By your own judgement it is not done: {}", trimmed(reason, 600));
        let fingerprint = blake3::hash(judged.output.as_bytes()).to_hex().to_string();
        Ok(Judged { accepted: Some(done), told, fingerprint, ..judged })
    }

    fn ask(&mut self, purpose: &str, request: &Request) -> Result<Answer, Stop> {
        let step = self.desk.spent.steps + 1;
        self.desk.tell(AgentStep::Asking { number: step });
        let world = self.desk.world;
        let last = request.messages.last().map(|message| json!(message)).unwrap_or(Value::Null);
        let input = json!({"purpose": purpose, "key": request.key(), "messages": request.messages.len(), "last": last});
        let left = self.desk.order.budget.seconds - self.desk.journal.elapsed();
        let since = Instant::now();
        let mut failed = None;
        let said = self.desk.journal.effect("ask", input, || {
            let listener = Listener {
                text: &|_| (),
                retry: &|error, seconds| {
                    (world.watch)(AgentStep::Retrying { why: error.to_string(), seconds })
                },
                cancelled: &|| (world.cancelled)() || since.elapsed().as_secs_f64() > left,
            };
            match world.model.ask(request, listener) {
                Ok(mut answer) => {
                    answer.text = world.redactor.clean(&answer.text);
                    for call in &mut answer.tool_calls {
                        world.redactor.clean_value(&mut call.arguments);
                    }
                    Ok(Said::Answer(answer))
                }
                Err(error) if error.kind == ErrorKind::Cancelled && !(world.cancelled)() => {
                    Ok(Said::OutOfTime)
                }
                // What went wrong is not written down: whoever resumes asks again.
                Err(error) => {
                    let kind = if error.kind == ErrorKind::Cancelled {
                        FailureKind::Cancelled
                    } else {
                        FailureKind::Internal
                    };
                    let failure =
                        Failure::new(kind, "cancelled").hint("`formicary agent resume` goes on with it");
                    failed = Some(error).filter(|_| kind == FailureKind::Internal);
                    Err(failure)
                }
            }
        });
        if let Some(error) = failed {
            return Err(Stop::Ended(Ending::ModelFailed, format!("{error}; {}", error.remedy())));
        }
        let answer = match said? {
            Said::Answer(answer) => answer,
            Said::OutOfTime => {
                let reason = "the budget of time is used up".into();
                return Err(Stop::Ended(Ending::OutOf(BudgetKind::Time), reason));
            }
        };
        self.spend(request, &answer);
        let shown = match answer.tool_calls.first() {
            Some(call) => format!("{} {}", call.name, call.arguments),
            None => first_line(&answer.text),
        };
        self.desk.tell(AgentStep::Answered { text: trimmed(&shown, 200) });
        Ok(answer)
    }

    fn spend(&mut self, request: &Request, answer: &Answer) {
        let mut usage = answer.usage;
        if usage.total() == 0 {
            // Servers that count nothing still cost something.
            let asked = serde_json::to_string(request).map_or(0, |text| text.len());
            let said = answer.text.len()
                + answer.tool_calls.iter().map(|call| call.arguments.to_string().len()).sum::<usize>();
            (usage.input, usage.output) = (asked as u64 / 4, said as u64 / 4 + 1);
        }
        let spent = &mut self.desk.spent;
        spent.input_tokens += usage.input;
        spent.output_tokens += usage.output;
        if let Some(cost) = self.desk.world.prices.cost(&self.desk.world.model.name(), usage) {
            spent.money = Some(spent.money.unwrap_or(0.0) + cost);
        }
    }

    fn remember(&mut self, judged: &Judged) {
        if self.best.as_ref().is_none_or(|(score, _)| judged.score > *score) {
            self.best = Some((judged.score, self.desk.tree.clone()));
        }
    }

    fn finish(mut self, ending: Ending, reason: String) -> Result<Outcome, Failure> {
        let accepted = matches!(ending, Ending::Solved | Ending::GateNotMet);
        // Where it is not accepted, the best that there was is handed over, not the last.
        if let Some((_, best)) = self.best.take().filter(|_| !accepted) {
            self.desk.tree = best;
        }
        let summary = trimmed(&self.desk.claim.take().unwrap_or_default(), 2_000);
        let tree = self.desk.tree.hash();
        // A model that could not be reached may be reachable later: then the run goes on from here.
        if ending != Ending::ModelFailed {
            let ended =
                json!({"ending": ending, "reason": reason, "tree": tree, "steps": self.desk.spent.steps});
            self.desk.journal.note("ended", ended)?;
        }
        self.desk.spent.seconds = self.desk.journal.elapsed();
        let findings = self.new_findings();
        let changed = self.desk.tree.changed_since(&self.desk.base).into_iter().map(str::to_owned).collect();
        Ok(Outcome {
            id: self.desk.order.id.clone(),
            ending,
            reason,
            accepted_by: self.accepted,
            summary,
            spent: self.desk.spent.clone(),
            tree,
            changed,
            diff: self.desk.tree.diff_since(&self.desk.base),
            findings,
            files: self.desk.tree,
            notes: self.desk.notes,
        })
    }
}

fn verdict(answer: &Answer) -> Option<Value> {
    if let Some(call) = answer.tool_calls.first() {
        return Some(call.arguments.clone());
    }
    let (start, end) = (answer.text.find('{')?, answer.text.rfind('}')?);
    serde_json::from_str(answer.text.get(start..=end)?).ok()
}

fn first_line(text: &str) -> String {
    trimmed(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim(), 160)
}
