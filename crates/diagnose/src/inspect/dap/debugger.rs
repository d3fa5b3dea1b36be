//! An adapter behind the common trait.

use super::client::{Client, Happening, PATIENCE};
use super::places::{Meaning, Places};
use super::protocol::{
    Capabilities, Disconnect, Evaluate, ExceptionInfo, Frame, Given, Initialize, Nothing, OfThread,
    SetExceptionBreakpoints, Stack, StackTrace, Stopped, Threads,
};
use super::values::{self, Budget};
use crate::inspect::adapters::Adapter;
use crate::inspect::debugger::{Debugger, Happened, Trouble};
use crate::inspect::line::Line;
use crate::inspect::wire::{Move, bounded};
use formicary_model::{Breakpoint, Evaluated, Language, OtherThread, Stop, StopReason};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// A debugger that starts reads the program's symbols first.
const START: Duration = Duration::from_secs(90);
/// One that is asked to end does so.
const END: Duration = Duration::from_secs(3);
/// Calls that are looked at, and own ones whose variables are.
const FRAMES: u32 = 50;
const OWN_FRAMES: usize = 20;
/// Other threads that are looked at.
const THREADS: usize = 32;
/// Notes of log points.
const MOST_LOGS: usize = 10_000;

/// What is known of the program and of where it runs.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The language.
    pub language: Option<Language>,
    /// The file that is run.
    pub entry: String,
    /// Arguments for the program.
    pub args: Vec<String>,
    /// What the start told: the folder `home`, and what else the adapter's launch asks for.
    pub told: BTreeMap<String, String>,
    /// How long the debugger may take to begin; a while where nothing is said.
    pub patience: Option<Duration>,
    /// Names of functions in the program's sources; only where the adapter does not look itself.
    pub functions: BTreeSet<String>,
}

/// A program under an adapter.
#[derive(Debug)]
pub struct Adapted {
    adapter: &'static Adapter,
    facts: Facts,
    client: Client,
    can: Capabilities,
    places: Places,
    /// The number of the launch's request.
    launch: i64,
    state: State,
    thread: i64,
    frames: Vec<Frame>,
    exit_code: Option<i32>,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Prepared,
    Standing,
    Over,
}

impl Adapted {
    /// Greets the adapter and has it load the program.
    pub fn begin(adapter: &'static Adapter, facts: Facts, line: Line) -> Result<Self, Trouble> {
        let mut client = Client::new(&adapter.name, line);
        let greeting = Initialize {
            client_id: "formicary",
            adapter_id: adapter.name.clone(),
            lines_start_at1: true,
            columns_start_at1: true,
            path_format: "path",
            supports_variable_type: true,
        };
        let patience = facts.patience.unwrap_or(START);
        let until = Instant::now() + patience;
        let can: Capabilities = client.ask("initialize", greeting, patience)?;
        let launch = client.send("launch", launch_of(adapter, &facts))?;
        let mut begun = Self {
            adapter,
            facts,
            client,
            can,
            places: Places::default(),
            launch,
            state: State::Prepared,
            thread: 1,
            frames: Vec::new(),
            exit_code: None,
        };
        begun.loaded(until)?;
        // What ends the program stops it, whether anybody asks for that or not.
        match begun.every_exception(false) {
            Ok(()) | Err(Trouble::Refused(_)) => {}
            Err(trouble) => return Err(trouble),
        }
        for name in &adapter.failing {
            // A program that has no such function never calls it.
            match begun.watch_failing(name) {
                Ok(()) | Err(Trouble::Refused(_)) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(begun)
    }

    /// Waits until breakpoints may be set. An adapter answers the launch before or after that.
    fn loaded(&mut self, until: Instant) -> Result<(), Trouble> {
        let mut last = String::new();
        loop {
            let event = match self.client.event_or_refusal(self.launch, until)? {
                Ok(event) => event,
                Err(refused) => {
                    let said = if last.is_empty() { refused } else { format!("{refused}: {last}") };
                    return Err(Trouble::Refused(said));
                }
            };
            match event {
                Happening::Initialized => return Ok(()),
                Happening::Terminated | Happening::Exited(_) => {
                    return Err(Trouble::Refused(format!(
                        "{} could not start the program: {last}",
                        self.adapter.name
                    )));
                }
                Happening::Remark(text) => last = text.trim().to_owned(),
                Happening::Stopped(_) => {}
            }
        }
    }

    fn watch_failing(&mut self, name: &str) -> Result<(), Trouble> {
        if !self.can.supports_function_breakpoints {
            return Ok(());
        }
        let plain = Breakpoint::default();
        self.places.set_function(&mut self.client, name.to_owned(), &plain, Meaning::Failing).map(|_| ())
    }

    fn home(&self) -> &str {
        self.facts.told.get("home").map_or("/", String::as_str)
    }

    fn set_function(&mut self, wanted: &str, point: &Breakpoint) -> Result<Option<u32>, Trouble> {
        if !self.can.supports_function_breakpoints {
            return Err(Trouble::Refused(format!("{} stops at lines alone", self.adapter.name)));
        }
        let name = self.adapter.function(wanted);
        if self.adapter.definition.is_some() && !self.facts.functions.contains(&name) {
            return Err(Trouble::Refused(format!("no function {wanted:?} in the program's own files")));
        }
        let placed = self.places.set_function(&mut self.client, name, point, Meaning::Asked)?;
        Ok(placed.line.and_then(|line| u32::try_from(line).ok()))
    }

    /// Sends the program on its way.
    fn start(&mut self, way: Move) -> Result<(), Trouble> {
        let command = match (&self.state, way) {
            (State::Over, _) => return Err(Trouble::Over),
            (State::Prepared, _) => {
                self.state = State::Standing;
                if !self.can.supports_configuration_done_request {
                    return Ok(());
                }
                return self.client.ask("configurationDone", Nothing {}, PATIENCE);
            }
            (State::Standing, Move::Continue) => "continue",
            (State::Standing, Move::Next) => "next",
            (State::Standing, Move::Step) => "stepIn",
            (State::Standing, Move::Out) => "stepOut",
        };
        self.frames.clear();
        let sent = self.client.send(command, OfThread { thread_id: self.thread })?;
        // The answer may come after what the move leads to.
        self.client.answer::<Value>(sent, command, Instant::now() + PATIENCE).map(|_| ())
    }

    fn over(&mut self) -> Happened {
        self.state = State::Over;
        let asked = self.client.send("disconnect", Disconnect { terminate_debuggee: true });
        if let (None, Ok(seq)) = (self.exit_code, asked) {
            // Some tell how the program ended only with their last words.
            let _ = self.client.answer::<Value>(seq, "disconnect", Instant::now() + END);
            while let Some(event) = self.client.heard() {
                self.learn_end(&event);
            }
        }
        self.exit_code.map_or(Happened::Ended, Happened::Exited)
    }

    fn learn_end(&mut self, event: &Happening) {
        match event {
            Happening::Exited(code) => self.exit_code = Some(*code),
            Happening::Remark(text) => {
                let words = self.adapter.exit_status_after.as_deref();
                let code = words.and_then(|words| text.split_once(words)).map(|(_, rest)| rest.trim());
                if let Some(code) = code.and_then(|code| code.parse().ok()) {
                    self.exit_code = Some(code);
                }
            }
            _ => {}
        }
    }

    /// What is at a stop; none where it was only a log point.
    fn look(&mut self, stopped: &Stopped, logs: &mut Vec<String>) -> Result<Option<Stop>, Trouble> {
        self.thread = stopped.thread_id.unwrap_or(self.thread);
        let wanted = StackTrace { thread_id: self.thread, start_frame: 0, levels: FRAMES };
        let stack: Stack = self.client.ask("stackTrace", wanted, PATIENCE)?;
        self.frames = stack.stack_frames.into_iter().take(FRAMES as usize).collect();
        let top = self.frames.first();
        let path = top.and_then(|frame| frame.source.as_ref()?.path.clone());
        let line = top.map_or(0, |frame| frame.line);
        let at_breakpoint = stopped.reason.contains("breakpoint");
        let hit = match at_breakpoint || !stopped.hit_breakpoint_ids.is_empty() {
            true => self.places.hit(&stopped.hit_breakpoint_ids, path.as_deref(), line),
            false => super::places::Hit::default(),
        };
        for text in &hit.logs {
            let filled = self.filled(text);
            if logs.len() < MOST_LOGS {
                logs.push(filled);
            }
        }
        if !hit.logs.is_empty() && !hit.asked && !hit.failing {
            return Ok(None);
        }
        let (reason, text) = self.why(stopped, hit.failing);
        let mut budget = Budget::of_a_stop();
        let (mut frames, mut own) = (Vec::new(), 0);
        for at in 0..self.frames.len() {
            let frame = self.frames[at].clone();
            let mut shown = values::shown(&frame, self.home());
            if shown.own && own < OWN_FRAMES {
                own += 1;
                shown.variables = values::locals(&mut self.client, self.adapter, &frame, &mut budget);
            }
            frames.push(bounded(shown));
        }
        let others = self.others(&mut budget);
        Ok(Some(Stop { reason, text, frames, values: Vec::new(), others }))
    }

    /// Where the other threads are that are somewhere in the program's own code.
    fn others(&mut self, budget: &mut Budget) -> Vec<OtherThread> {
        let mut found = Vec::new();
        let Some(patience) = budget.take() else { return found };
        let threads: Threads = self.client.ask("threads", Nothing {}, patience).unwrap_or_default();
        for thread in threads.threads.into_iter().filter(|thread| thread.id != self.thread).take(THREADS) {
            let Some(patience) = budget.take() else { break };
            let wanted = StackTrace { thread_id: thread.id, start_frame: 0, levels: FRAMES };
            let stack: Stack = self.client.ask("stackTrace", wanted, patience).unwrap_or_default();
            let home = self.home().to_owned();
            let mut shown = stack.stack_frames.iter().map(|frame| values::shown(frame, &home));
            if let Some(at) = shown.find(|frame| frame.own) {
                found.push(OtherThread { name: thread.name.chars().take(200).collect(), at: bounded(at) });
            }
        }
        found
    }

    fn why(&mut self, stopped: &Stopped, failing: bool) -> (StopReason, String) {
        if failing {
            return (StopReason::Exception, "panic".to_owned());
        }
        match stopped.reason.as_str() {
            "exception" => {
                let said = stopped.description.clone().or_else(|| stopped.text.clone()).unwrap_or_default();
                let text = self.exception().unwrap_or(said);
                match text.find("signal SIG") {
                    Some(at) => (StopReason::Signal, text[at + "signal ".len()..].to_owned()),
                    None => (StopReason::Exception, text),
                }
            }
            reason if reason.contains("breakpoint") => (StopReason::Breakpoint, String::new()),
            _ => (StopReason::Step, String::new()),
        }
    }

    fn exception(&mut self) -> Option<String> {
        if !self.can.supports_exception_info_request {
            return None;
        }
        let told: ExceptionInfo =
            self.client.ask("exceptionInfo", OfThread { thread_id: self.thread }, PATIENCE).ok()?;
        let text = match told.description {
            Some(text) if text.starts_with(&told.exception_id) || told.exception_id.is_empty() => text,
            Some(text) => format!("{}: {text}", told.exception_id),
            None => told.exception_id,
        };
        Some(text.chars().take(600).collect())
    }

    /// A log point's text with the values of its expressions.
    fn filled(&mut self, text: &str) -> String {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            let (expression, behind) = after.split_once('}').unwrap_or((after, ""));
            filled += before;
            match self.given(0, expression) {
                Ok((value, _)) => filled += &value,
                Err(trouble) => filled += &format!("<{trouble}>"),
            }
            rest = behind;
        }
        filled += rest;
        filled.chars().take(600).collect()
    }

    fn given(&mut self, frame: u32, expression: &str) -> Result<(String, String), Trouble> {
        let known = self.frames.get(frame as usize).map(|frame| frame.id);
        let frame_id = known
            .ok_or_else(|| Trouble::Refused("there is no such frame: the program does not stand".into()))?;
        let wanted = Evaluate { expression, frame_id, context: "watch" };
        let given: Given = self.client.ask("evaluate", wanted, PATIENCE)?;
        Ok(values::of_given(&mut self.client, self.adapter, given))
    }
}

impl Debugger for Adapted {
    fn set(&mut self, point: &Breakpoint) -> Result<Option<u32>, Trouble> {
        if point.condition.is_some() && !self.can.supports_conditional_breakpoints {
            return Err(Trouble::Refused(format!("{} knows no conditions", self.adapter.name)));
        }
        if let Some(wanted) = &point.function {
            return self.set_function(wanted, point);
        }
        let file = point.file.as_deref().unwrap_or(&self.facts.entry);
        let file = file.strip_prefix("./").unwrap_or(file);
        let path = if file.starts_with('/') { file.to_owned() } else { format!("{}/{file}", self.home()) };
        let line = point.line.ok_or_else(|| Trouble::Refused("neither a line nor a function".into()))?;
        let placed = self.places.set_line(&mut self.client, &path, line, point)?;
        Ok(placed.line.and_then(|line| u32::try_from(line).ok()).or(Some(line)))
    }

    fn every_exception(&mut self, every: bool) -> Result<(), Trouble> {
        let filters = if every { &self.adapter.raised } else { &self.adapter.uncaught };
        let _: Value =
            self.client.ask("setExceptionBreakpoints", SetExceptionBreakpoints { filters }, PATIENCE)?;
        if every {
            for name in &self.adapter.raising {
                match self.watch_failing(name) {
                    Ok(()) | Err(Trouble::Refused(_)) => {}
                    Err(trouble) => return Err(trouble),
                }
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, frame: u32, expression: &str) -> Result<Evaluated, Trouble> {
        let (value, kind) = self.given(frame, expression)?;
        Ok(Evaluated { expression: expression.to_owned(), kind, value, error: None })
    }

    fn go(&mut self, way: Move, logs: &mut Vec<String>) -> Result<Happened, Trouble> {
        self.start(way)?;
        loop {
            let event = match self.client.event(None) {
                Ok(event) => event,
                Err(Trouble::Over) => {
                    self.state = State::Over;
                    return Ok(self.exit_code.map_or(Happened::Ended, Happened::Exited));
                }
                Err(trouble) => return Err(trouble),
            };
            self.learn_end(&event);
            match event {
                Happening::Exited(_) | Happening::Terminated => return Ok(self.over()),
                Happening::Stopped(stopped) => match self.look(&stopped, logs)? {
                    Some(stop) => return Ok(Happened::Stopped(stop)),
                    None => self.start(Move::Continue)?,
                },
                Happening::Initialized | Happening::Remark(_) => {}
            }
        }
    }

    fn quit(&mut self) {
        if self.state != State::Over {
            let _ = self.client.send("disconnect", Disconnect { terminate_debuggee: true });
        }
    }
}

/// The arguments of the launch, with everything filled in.
fn launch_of(adapter: &Adapter, facts: &Facts) -> Value {
    let mut launch = filled_in(&adapter.launch, facts);
    let more = facts.language.and_then(|language| adapter.commands.get(&language));
    if let (Some(more), Some(Value::Array(commands))) = (more, launch.get_mut("initCommands")) {
        let more = more.iter().map(|command| filled_in(&Value::String(command.clone()), facts));
        commands.extend(more);
    }
    launch
}

fn filled_in(value: &Value, facts: &Facts) -> Value {
    match value {
        Value::String(text) if text == "{args}" => Value::from(facts.args.clone()),
        Value::String(text) => {
            let mut text = text.replace("{entry}", &facts.entry);
            for (name, told) in &facts.told {
                text = text.replace(&format!("{{{name}}}"), told);
            }
            Value::String(text)
        }
        Value::Array(items) => items.iter().map(|item| filled_in(item, facts)).collect(),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(name, field)| (name.clone(), filled_in(field, facts))).collect(),
        ),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::adapters;

    #[test]
    fn a_launch_is_filled_in() {
        let facts = Facts {
            language: Some(Language::Rust),
            entry: "a.rs".into(),
            args: vec!["{home}".into(), "b c".into()],
            told: [("home", "/work"), ("etc", "/rust/etc")].map(|(a, b)| (a.to_owned(), b.to_owned())).into(),
            ..Facts::default()
        };
        let launch = launch_of(adapters::named("lldb").unwrap(), &facts);
        assert_eq!(launch["program"], "/work/formicary-program");
        assert_eq!(launch["args"], serde_json::json!(["{home}", "b c"]));
        let commands = launch["initCommands"].as_array().unwrap();
        assert!(commands.iter().any(|command| command == "?command script import /rust/etc/lldb_lookup.py"));
        assert!(commands.iter().all(|command| !command.as_str().unwrap().contains('{')));
    }
}
