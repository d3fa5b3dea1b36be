//! One file: its functions are walked, and what they do with their data becomes facts.

use super::engine::{CallDraft, Engine, Frame};
use super::facts::{CallFact, FunctionFact, LabelFact, MarkFact, SinkFact, StepFact, TaintFacts};
use super::value::{Label, State, Taint, Value};
use super::{engine, facts, value};
use formicary_lint::file::File;
use formicary_syntax::place::place;
use formicary_syntax::{ExprKind, FunctionId, Owner, ParameterKind, StmtKind};
use rustc_hash::FxHashSet;

/// What a file tells about where data goes.
pub fn facts_of(file: &File<'_, '_>) -> TaintFacts {
    let unit = file.unit;
    if !unit.was_read() || file.is_test() || file.is_stub() {
        return TaintFacts::default();
    }
    let mut engine = Engine::new(file);
    let foreign = with_sources(&engine);
    let mut functions = vec![engine.whole_file(foreign.contains(&None))];
    engine.keep_fields();
    for (id, function) in unit.functions() {
        if function.has_body && !engine.visited[id.0 as usize] {
            let fact = engine.whole_function(id, foreign.contains(&Some(id)));
            functions.push(fact);
        }
    }
    let mut harmless: Vec<(u32, u8)> =
        engine.judged.iter().filter(|(_, dangerous)| !**dangerous).map(|(place, _)| *place).collect();
    harmless.sort_unstable();
    let weak = engine.weak.iter().map(|(span, is_hash)| (place(unit, *span), *is_hash)).collect();
    let chosen = engine
        .chosen
        .iter()
        .map(|(span, is_hash, setting)| facts::ChosenFact {
            span: place(unit, *span),
            is_hash: *is_hash,
            key: setting.key.to_string(),
            otherwise: setting.otherwise.as_ref().map(ToString::to_string),
        })
        .collect();
    TaintFacts { functions, harmless, weak, chosen, cut: engine.cut }
}

/// The functions in which foreign data may come in, or that call one of the file in which it does.
fn with_sources(engine: &Engine<'_, '_, '_>) -> FxHashSet<Option<FunctionId>> {
    let unit = engine.unit;
    let mut found: FxHashSet<Option<FunctionId>> = FxHashSet::default();
    let mut calls: Vec<(Option<FunctionId>, &str)> = Vec::new();
    for (_, expr) in unit.exprs() {
        match &expr.kind {
            ExprKind::Attribute { name, .. } | ExprKind::Name(name) if engine.models.may_be_source(name) => {
                found.insert(expr.function);
            }
            ExprKind::Call { callee, .. } => {
                if let Some(word) = unit.last_name(*callee)
                    && engine.names.functions.contains_key(word)
                {
                    calls.push((expr.function, word));
                }
            }
            ExprKind::Literal(formicary_syntax::Literal::Text(text)) if engine.models.may_be_source(text) => {
                found.insert(expr.function);
            }
            _ => {}
        }
    }
    for (id, function) in unit.functions() {
        let filled = function.parameters.iter().any(|parameter| !parameter.decorators.is_empty());
        let main = function.name == "main" && !function.parameters.is_empty();
        // A class of another file may hand on what the request brought.
        if filled || main || engine.is_entry(function) || unit.dialect == formicary_syntax::Dialect::Bash {
            found.insert(Some(id));
        }
    }
    if unit.dialect == formicary_syntax::Dialect::Bash {
        found.insert(None);
    }
    for _ in 0..3 {
        let before = found.len();
        for (id, function) in unit.functions() {
            if function.lambda && found.contains(&Some(id)) {
                let owner = match function.owner {
                    Owner::Function(owner) => Some(owner),
                    _ => None,
                };
                found.insert(owner);
            }
        }
        for (from, word) in &calls {
            let leads = engine
                .names
                .functions
                .get(word)
                .is_some_and(|all| all.iter().any(|id| found.contains(&Some(*id))));
            if leads {
                found.insert(*from);
            }
        }
        if found.len() == before {
            break;
        }
    }
    found
}

impl<'a> Engine<'_, '_, 'a> {
    fn begin(&mut self, inline: bool) {
        self.state = State::default();
        self.live = true;
        self.steps = if inline { 0 } else { engine::MOST_STEPS - engine::MOST_STEPS / 4 };
        self.depth = 0;
        self.inline = inline;
        self.draft = engine::Draft::default();
        self.objects.clear();
        self.contexts.clear();
        self.context = 0;
        self.flags.clear();
        self.answers = false;
        self.frames.clear();
    }

    /// The statements of the file itself; what they define once is known to its functions.
    fn whole_file(&mut self, inline: bool) -> FunctionFact {
        let unit = self.unit;
        self.begin(inline);
        self.frames.push(Frame::default());
        self.block(&unit.body);
        let mut state = std::mem::take(&mut self.state);
        let scope = &self.file.scopes.scopes[0];
        let vars = std::mem::take(&mut state.vars);
        for (name, value) in vars.all() {
            let once = scope.get(name).is_some_and(|binding| binding.writes <= 1);
            if once {
                let taint = state.deep(value);
                let kept: Vec<value::Mark> =
                    taint.0.into_iter().filter(|mark| !matches!(mark.label, Label::Call(_))).collect();
                // Foreign data that is read when the file is loaded is told of where it goes there.
                if kept.is_empty() {
                    self.globals.insert(
                        name,
                        Value { objects: Vec::new(), taint: Taint::default(), ..value.clone() },
                    );
                }
            }
        }
        self.fact("", None, true, Vec::new())
    }

    /// Fields that are given a value where they are declared, and nowhere else.
    fn keep_fields(&mut self) {
        let unit = self.unit;
        let mut written: FxHashSet<&str> = FxHashSet::default();
        for (_, stmt) in unit.stmts() {
            if let (StmtKind::Assign { targets, .. }, Some(_)) = (&stmt.kind, stmt.function) {
                written.extend(targets.iter().filter_map(|target| unit.last_name(*target)));
            }
        }
        for (_, expr) in unit.exprs() {
            if let (ExprKind::Assign { target, .. } | ExprKind::Update { target, .. }, Some(_)) =
                (&expr.kind, expr.function)
            {
                written.extend(unit.last_name(*target));
            }
        }
        for (id, class) in unit.classes() {
            for stmt in &class.body {
                let StmtKind::Assign { targets, value: Some(value), .. } = &unit.stmt(*stmt).kind else {
                    continue;
                };
                self.begin(false);
                self.frames.push(Frame { class: Some(id), ..Frame::default() });
                let value = self.eval(*value);
                for target in targets {
                    if let Some(name) = unit.name_of(*target).filter(|name| !written.contains(name)) {
                        let consts = value.consts.clone();
                        let kept = Value {
                            consts,
                            kind: value.kind.clone(),
                            prefix: value.prefix.clone(),
                            ..Value::default()
                        };
                        self.fields.insert((id, name), kept);
                    }
                }
            }
        }
    }

    fn whole_function(&mut self, id: FunctionId, inline: bool) -> FunctionFact {
        let unit = self.unit;
        let function = unit.function(id);
        self.begin(inline);
        let class = unit
            .class_of(id)
            .or_else(|| function.receiver.and_then(|receiver| self.names.classes.get(receiver)).copied());
        self.frames.push(Frame { function: Some(id), class, ..Frame::default() });
        self.answers = self.is_page(function);
        self.open_parameters(id);
        self.block(&function.body);
        let name = class.map(|class| unit.class(class).name).or(function.receiver);
        let parameters = function
            .parameters
            .iter()
            .filter(|parameter| parameter.kind != ParameterKind::Receiver)
            .map(|parameter| parameter.name.to_owned())
            .collect();
        let entry = self.is_entry(function);
        self.fact(function.name, name, entry, parameters)
    }

    /// What the walk that just ended has found.
    fn fact(
        &mut self,
        name: &str,
        class: Option<&str>,
        entry: bool,
        parameters: Vec<String>,
    ) -> FunctionFact {
        let mut frame = self.frames.pop().unwrap_or_default();
        if self.live {
            let state = std::mem::take(&mut self.state);
            frame.returns = Some(engine::joined(frame.returns.take(), state));
        }
        let end = frame.returns.unwrap_or_default();
        // Of Rust's functions the last expression is the result.
        let mut result = frame.result.unwrap_or_default();
        if self.unit.dialect == formicary_syntax::Dialect::Rust && self.live {
            result = result.join(&std::mem::take(&mut self.last));
        }
        let mut returns = end.deep(&result);
        for mark in &mut returns.0 {
            mark.cleared = mark.cleared.or(end.shown_for(mark.label));
        }
        let this = end.vars.get("this").or_else(|| end.vars.get("self")).cloned().unwrap_or_default();
        let mut stores = end.deep(&this);
        stores.0.retain(|mark| mark.label != Label::Param(value::RECEIVER));
        let draft = std::mem::take(&mut self.draft);
        let mut needed: FxHashSet<u32> = FxHashSet::default();
        let mut open: Vec<u32> = Vec::new();
        let want = |taint: &Taint, open: &mut Vec<u32>| {
            open.extend(taint.0.iter().filter_map(|mark| match mark.label {
                Label::Call(number) => Some(number),
                _ => None,
            }));
        };
        want(&returns, &mut open);
        want(&stores, &mut open);
        draft.sinks.iter().for_each(|sink| want(&sink.taint, &mut open));
        // A call that is given something may be dangerous where it leads.
        for (number, call) in draft.calls.iter().enumerate() {
            let given = call.arguments.iter().any(|(_, taint)| !taint.is_empty()) && is_telling(call);
            if given {
                open.push(number as u32);
            }
        }
        while let Some(number) = open.pop() {
            if needed.insert(number)
                && let Some(call) = draft.calls.get(number as usize)
            {
                want(&call.receiver, &mut open);
                call.arguments.iter().for_each(|(_, taint)| want(taint, &mut open));
            }
        }
        let mut numbers: Vec<u32> = needed.into_iter().collect();
        numbers.sort_unstable();
        let marks = |taint: &Taint, with_trail: bool| self.marks(taint, &numbers, with_trail);
        FunctionFact {
            name: name.to_owned(),
            class: class.map(str::to_owned),
            entry,
            parameters,
            returns: marks(&returns, !draft.sources.is_empty()),
            stores: marks(&stores, false),
            sinks: draft
                .sinks
                .iter()
                .map(|sink| SinkFact {
                    class: sink.class as u8,
                    span: self.file.place(sink.span),
                    what: sink.what.clone(),
                    marks: marks(&sink.taint, true),
                })
                .collect(),
            calls: numbers
                .iter()
                .filter_map(|number| draft.calls.get(*number as usize))
                .map(|call| CallFact {
                    name: call.name.clone(),
                    target: call.target.clone(),
                    span: self.file.place(call.span),
                    receiver: marks(&call.receiver, !draft.sources.is_empty()),
                    arguments: call
                        .arguments
                        .iter()
                        .map(|(name, taint)| (name.clone(), marks(taint, !draft.sources.is_empty())))
                        .collect(),
                })
                .collect(),
            sources: draft.sources,
        }
    }

    fn marks(&self, taint: &Taint, numbers: &[u32], with_trail: bool) -> Vec<MarkFact> {
        let mark = |mark: &value::Mark| {
            let label = match mark.label {
                Label::Source(number) => LabelFact::Source(number),
                Label::Param(number) => LabelFact::Param(number),
                Label::Call(number) => LabelFact::Call(numbers.binary_search(&number).ok()? as u32),
            };
            let mut trail = Vec::new();
            let mut at = mark.trail.as_ref().filter(|_| with_trail);
            while let Some(step) = at {
                trail.push(StepFact { span: self.file.place(step.span), message: step.message.clone() });
                at = step.before.as_ref();
            }
            trail.reverse();
            Some(MarkFact { label, cleared: mark.cleared.0, trail })
        };
        taint.0.iter().filter_map(mark).collect()
    }
}

/// Whether a call may lead to a function of the project.
fn is_telling(call: &CallDraft) -> bool {
    !call.name.is_empty() && call.name.len() > 1
}
