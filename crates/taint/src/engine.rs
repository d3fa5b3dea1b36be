//! The walk through a function in the order in which it runs: statements, branches, loops.
//!
//! Every way that can run is followed; ways that constants rule out are not. Where ways meet, what is known is joined.
//! Steps, depth and calls are bounded; what is beyond counts as unknown.

use super::classes::{Class, Classes};
use super::facts::{SourceFact, TargetFact};
use super::models::Models;
use super::names::{Names, is_number, plain_type};
use super::value::{Consts, Label, ObjectId, Setting, State, Taint, Value};
use formicary_lint::file::File;
use formicary_model::Language;
use formicary_syntax::{
    ClassId, Declares, ExprId, ExprKind, FunctionId, LoopKind, Operator, Span, StmtId, StmtKind, SwitchKind,
    Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Steps that one function may take.
pub(super) const MOST_STEPS: u32 = 40_000;
/// How deeply statements, expressions and calls may nest.
const MOST_DEPTH: u32 = 90;
/// Objects that one function may make.
pub(super) const MOST_OBJECTS: usize = 300;

/// A function that is being walked.
#[derive(Default)]
pub(super) struct Frame<'a> {
    pub function: Option<FunctionId>,
    pub class: Option<ClassId>,
    pub returns: Option<State<'a>>,
    pub result: Option<Value>,
    pub jumps: Vec<Jump<'a>>,
}

/// Something that `break` and `continue` leave.
pub(super) struct Jump<'a> {
    label: Option<&'a str>,
    is_loop: bool,
    breaks: Option<State<'a>>,
    continues: Option<State<'a>>,
}

/// What one walk has found.
#[derive(Default)]
pub(super) struct Draft {
    pub sources: Vec<SourceFact>,
    pub calls: Vec<CallDraft>,
    pub sinks: Vec<SinkDraft>,
    pub source_at: FxHashMap<(u32, u32), u32>,
    pub call_at: FxHashMap<(u32, u32), u32>,
    pub sink_at: FxHashMap<(u32, u8), usize>,
}

/// A call that only the project can resolve.
pub(super) struct CallDraft {
    pub name: String,
    pub target: TargetFact,
    pub span: Span,
    pub receiver: Taint,
    pub arguments: Vec<(Option<String>, Taint)>,
}

/// A dangerous place that something arrives at.
pub(super) struct SinkDraft {
    pub class: Class,
    pub span: Span,
    pub what: String,
    pub taint: Taint,
}

/// Files that are asked where they really are: as expressions, and by name within their function.
#[derive(Default)]
pub(super) struct Resolved<'a> {
    pub expressions: FxHashSet<ExprId>,
    pub names: FxHashSet<(Option<FunctionId>, &'a str)>,
}

/// The walk.
pub(super) struct Engine<'u, 'f, 'a> {
    pub file: &'f File<'u, 'a>,
    pub unit: &'u Unit<'a>,
    pub language: Language,
    pub models: &'static Models,
    pub names: Names<'a>,
    pub globals: FxHashMap<&'a str, Value>,
    pub fields: FxHashMap<(ClassId, &'a str), Value>,
    pub state: State<'a>,
    /// Whether the place that is looked at can be reached.
    pub live: bool,
    pub last: Value,
    pub frames: Vec<Frame<'a>>,
    pub steps: u32,
    pub depth: u32,
    /// Whether functions of the file are walked at their calls, rather than left to the project.
    pub inline: bool,
    pub draft: Draft,
    pub objects: FxHashMap<(u32, u32), ObjectId>,
    pub contexts: FxHashMap<(u32, u32), u32>,
    pub context: u32,
    pub visited: Vec<bool>,
    /// Dangerous calls by their first byte, and whether anything was ever in them.
    pub judged: FxHashMap<(u32, u8), bool>,
    pub weak: Vec<(Span, bool)>,
    /// The same where a settings file chooses.
    pub chosen: Vec<(Span, bool, Rc<Setting>)>,
    /// Names that hold the outcome of a test.
    pub flags: FxHashMap<&'a str, ExprId>,
    /// Whether the function answers requests with what it returns.
    pub answers: bool,
    /// Files that are asked where they really are, once it was asked for.
    pub resolved: Option<Resolved<'a>>,
    pub cut: bool,
}

impl<'u, 'f, 'a> Engine<'u, 'f, 'a> {
    pub(super) fn new(file: &'f File<'u, 'a>) -> Self {
        let unit = file.unit;
        Self {
            file,
            unit,
            language: file.language(),
            models: Models::of(file.language()),
            names: Names::new(unit),
            globals: FxHashMap::default(),
            fields: FxHashMap::default(),
            state: State::default(),
            live: true,
            last: Value::default(),
            frames: Vec::new(),
            steps: 0,
            depth: 0,
            inline: false,
            draft: Draft::default(),
            objects: FxHashMap::default(),
            contexts: FxHashMap::default(),
            context: 0,
            visited: vec![false; unit.functions.len()],
            judged: FxHashMap::default(),
            weak: Vec::new(),
            chosen: Vec::new(),
            flags: FxHashMap::default(),
            answers: false,
            resolved: None,
            cut: false,
        }
    }

    /// One more step; false when there were enough.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            self.cut = true;
            return false;
        }
        true
    }

    pub(super) fn deeper<T: Default>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MOST_DEPTH || !self.step() {
            return T::default();
        }
        self.depth += 1;
        let value = inside(self);
        self.depth -= 1;
        value
    }

    pub(super) fn block(&mut self, block: &[StmtId]) {
        for id in block {
            if !self.live {
                break;
            }
            self.deeper(|this| this.statement(*id));
        }
    }

    fn statement(&mut self, id: StmtId) {
        let unit = self.unit;
        let stmt = unit.stmt(id);
        match &stmt.kind {
            StmtKind::Expression(value) => {
                self.last = self.eval(*value);
                return;
            }
            StmtKind::If { .. } => return self.choice(id),
            StmtKind::Switch { kind, subject, arms } => return self.switch(*kind, *subject, arms),
            StmtKind::Block(body) | StmtKind::Label { body, .. } => return self.block(body),
            StmtKind::Assign { targets, operator, value, declares, annotation } => {
                self.assignment(targets, *operator, *value, *declares, *annotation);
            }
            StmtKind::Return(value) => {
                let value = value.map(|value| self.eval(value)).unwrap_or_default();
                self.leave(value, stmt.span);
            }
            StmtKind::Raise(values) => {
                for value in values {
                    self.eval(*value);
                }
                self.live = false;
            }
            StmtKind::Break(label) => self.jump(*label, true),
            StmtKind::Continue(label) => self.jump(*label, false),
            StmtKind::Loop { .. } => self.repeat(id),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                let before = self.state.clone();
                self.block(body);
                let (after, went_on) = (std::mem::take(&mut self.state), self.live);
                let mut ends: Option<State<'a>> = None;
                for handler in handlers {
                    self.state = before.clone().join(after.clone());
                    self.live = true;
                    if let Some(name) = handler.name {
                        self.state.vars.insert(name, Value::default());
                    }
                    self.block(&handler.body);
                    if self.live {
                        ends = Some(joined(ends, std::mem::take(&mut self.state)));
                    }
                }
                self.state = after;
                self.live = went_on;
                self.block(otherwise);
                self.merge(ends);
                if !finally.is_empty() {
                    let was = self.live;
                    self.live = true;
                    self.block(finally);
                    self.live &= was;
                }
            }
            StmtKind::With { items, body, .. } => {
                for (held, name) in items {
                    let value = self.eval(*held);
                    if let Some(name) = name {
                        self.assign(*name, value);
                    }
                }
                return self.block(body);
            }
            StmtKind::Assert { test, message } => {
                self.eval(*test);
                self.assume(*test, true);
                if let Some(message) = message {
                    self.eval(*message);
                }
            }
            StmtKind::Deferred { call, .. } => {
                self.eval(*call);
            }
            StmtKind::Preprocessor(branches) => {
                for branch in branches {
                    self.block(branch);
                }
            }
            StmtKind::Other { expressions, body } => {
                for expr in expressions {
                    self.eval(*expr);
                }
                self.block(body);
            }
            StmtKind::Delete(values) => {
                for value in values {
                    if let Some(name) = unit.name_of(*value) {
                        self.state.vars.remove(name);
                    }
                    if let ExprKind::Subscript { base, index: Some(index) } = unit.kind(*value) {
                        let (holder, index) = (self.eval(*base), self.eval(*index));
                        self.take_out(&holder, "pop", &[index]);
                    }
                }
            }
            StmtKind::Function(function) => {
                let name = unit.function(*function).name;
                if !name.is_empty() && !self.frames.is_empty() {
                    let value = Value { function: Some(*function), ..Value::default() };
                    self.state.vars.insert(name, value);
                }
            }
            StmtKind::Goto(_) => self.live = false,
            StmtKind::Class(_) | StmtKind::Import(_) | StmtKind::Global(_) | StmtKind::Pass => {}
        }
        self.last = Value::default();
    }

    fn choice(&mut self, id: StmtId) {
        let unit = self.unit;
        let StmtKind::If { test, then, otherwise, .. } = &unit.stmt(id).kind else { return };
        let value = self.eval(*test);
        match value.truth() {
            Some(true) => self.block(then),
            Some(false) => self.block(otherwise),
            None => {
                let before = self.state.clone();
                self.assume(*test, true);
                self.last = Value::default();
                self.block(then);
                let (after, went_on) = (std::mem::replace(&mut self.state, before), self.live);
                let value = std::mem::take(&mut self.last);
                self.live = true;
                self.assume(*test, false);
                self.block(otherwise);
                self.last = std::mem::take(&mut self.last).join(&value);
                self.merge(went_on.then_some(after));
            }
        }
    }

    /// Joins what another way left.
    pub(super) fn merge(&mut self, other: Option<State<'a>>) {
        if let Some(other) = other {
            if self.live {
                let own = std::mem::take(&mut self.state);
                self.state = own.join(other);
            } else {
                self.state = other;
                self.live = true;
            }
        }
    }

    fn switch(&mut self, kind: SwitchKind, subject: Option<ExprId>, arms: &'u [formicary_syntax::Arm]) {
        let subject_value = subject.map(|subject| self.eval(subject)).unwrap_or_default();
        let subject_taint = self.state.deep(&subject_value);
        let before = self.state.clone();
        self.open_jump(None, false);
        let mut taken = false;
        let mut falling: Option<State<'a>> = None;
        let mut ends: Option<State<'a>> = None;
        let mut value: Option<Value> = None;
        // A default takes what no other arm takes, wherever it stands.
        let order = arms.iter().filter(|arm| kind == SwitchKind::Falling || !arm.default);
        let last = arms.iter().filter(|arm| kind != SwitchKind::Falling && arm.default);
        let certain_elsewhere = arms.iter().any(|arm| {
            !arm.default
                && arm.guard.is_none()
                && subject.is_some()
                && self.fits(&subject_value, arm) == Some(true)
        });
        for arm in order.chain(last) {
            let fit = if arm.default {
                (!certain_elsewhere).then_some(())
            } else if taken || subject.is_some() && self.fits(&subject_value, arm) == Some(false) {
                None
            } else {
                Some(())
            };
            if fit.is_none() && falling.is_none() {
                continue;
            }
            self.live = false;
            self.state = State::default();
            if fit.is_some() {
                self.state = before.clone();
                self.live = true;
                let fixed = !arm.patterns.is_empty() && arm.patterns.iter().all(|one| self.is_fixed(*one));
                if fixed {
                    self.state.show(&subject_taint, Classes::ALL);
                } else {
                    for pattern in &arm.patterns {
                        self.bind(*pattern, &subject_value);
                    }
                }
                if let Some(guard) = arm.guard {
                    self.eval(guard);
                    self.assume(guard, true);
                } else if subject.is_none()
                    && let [only] = arm.patterns.as_slice()
                {
                    // Go's `switch { case x == 1: … }`.
                    self.assume(*only, true);
                }
                if arm.guard.is_none() && subject.is_some() && self.fits(&subject_value, arm) == Some(true) {
                    taken = true;
                }
            }
            self.merge(falling.take());
            self.last = Value::default();
            self.block(&arm.body);
            let own = std::mem::take(&mut self.last);
            value = Some(match value {
                Some(value) => value.join(&own),
                None => own,
            });
            if self.live {
                let state = std::mem::take(&mut self.state);
                match kind {
                    SwitchKind::Falling => falling = Some(state),
                    _ => ends = Some(joined(ends, state)),
                }
            }
        }
        let has_default = arms.iter().any(|arm| arm.default);
        self.state = before;
        self.live = !taken && !has_default && !certain_elsewhere;
        self.merge(ends);
        self.merge(falling);
        let breaks = self.close_jump().0;
        self.merge(breaks);
        self.last = value.unwrap_or_default();
    }

    /// Whether a value takes an arm; none when it may.
    fn fits(&mut self, subject: &Value, arm: &formicary_syntax::Arm) -> Option<bool> {
        let mut may = false;
        for pattern in &arm.patterns {
            let mut leaves = Vec::new();
            if !self.leaves(*pattern, &mut leaves) {
                return None;
            }
            for leaf in leaves {
                let leaf = self.eval(leaf);
                match super::constants::equal(subject, &leaf) {
                    Some(true) if arm.guard.is_none() => return Some(true),
                    Some(false) => {}
                    _ => may = true,
                }
            }
        }
        if may || arm.patterns.is_empty() { None } else { Some(false) }
    }

    /// The constants that a pattern lists; false when it is more than a list of constants.
    fn leaves(&self, pattern: ExprId, out: &mut Vec<ExprId>) -> bool {
        match self.unit.kind(pattern) {
            ExprKind::Literal(_) => out.push(pattern),
            ExprKind::Binary { operator: Operator::BitOr, left, right } => {
                return self.leaves(*left, out) && self.leaves(*right, out);
            }
            ExprKind::Other(parts) if !parts.is_empty() => {
                return parts.iter().all(|part| self.leaves(*part, out));
            }
            ExprKind::Name(name) => match self.globals.get(name) {
                Some(value) if value.one().is_some() => out.push(pattern),
                _ => return false,
            },
            _ => return false,
        }
        true
    }

    fn is_fixed(&self, pattern: ExprId) -> bool {
        let mut leaves = Vec::new();
        self.leaves(pattern, &mut leaves)
    }

    /// Gives the names of a pattern what was matched.
    pub(super) fn bind(&mut self, pattern: ExprId, value: &Value) {
        let unit = self.unit;
        let mut names = Vec::new();
        unit.walk_expr(pattern, formicary_syntax::walk::Nested::Skip, &mut |step| {
            if let formicary_syntax::walk::Step::Expr(id) = step
                && let ExprKind::Name(name) = unit.kind(id)
            {
                names.push(*name);
            }
        });
        let taint = self.state.deep(value);
        for name in names {
            if name.chars().next().is_some_and(char::is_lowercase) {
                self.state.vars.insert(name, Value::tainted(taint.clone()));
            }
        }
    }

    fn open_jump(&mut self, label: Option<&'a str>, is_loop: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.jumps.push(Jump { label, is_loop, breaks: None, continues: None });
        }
    }

    fn close_jump(&mut self) -> (Option<State<'a>>, Option<State<'a>>) {
        let jump = self.frames.last_mut().and_then(|frame| frame.jumps.pop());
        jump.map_or((None, None), |jump| (jump.breaks, jump.continues))
    }

    fn jump(&mut self, label: Option<&'a str>, breaks: bool) {
        let state = std::mem::take(&mut self.state);
        self.live = false;
        let Some(frame) = self.frames.last_mut() else { return };
        let target = frame.jumps.iter_mut().rev().find(|jump| match label {
            Some(label) => jump.label == Some(label),
            None => jump.is_loop || breaks,
        });
        if let Some(jump) = target {
            let slot = if breaks { &mut jump.breaks } else { &mut jump.continues };
            *slot = Some(joined(slot.take(), state));
        }
    }

    fn repeat(&mut self, id: StmtId) {
        let unit = self.unit;
        let StmtKind::Loop { kind, init, test, target, iterable, update, body, otherwise, label } =
            &unit.stmt(id).kind
        else {
            return;
        };
        self.block(init);
        let over = iterable.map(|iterable| self.eval(iterable));
        self.forget_counters(id);
        let mut ends: Option<State<'a>> = None;
        for round in 0..3 {
            let before = self.state.clone();
            let mut may_end = *kind != LoopKind::Endless;
            if let (Some(test), true) = (test, *kind != LoopKind::DoWhile || round > 0) {
                let truth = self.eval(*test).truth();
                let wanted = *kind != LoopKind::Until;
                if truth == Some(!wanted) {
                    break;
                }
                may_end = truth != Some(wanted);
                if may_end {
                    let mut out = self.state.clone();
                    std::mem::swap(&mut self.state, &mut out);
                    self.assume(*test, !wanted);
                    std::mem::swap(&mut self.state, &mut out);
                    ends = Some(joined(ends.take(), out));
                }
                self.assume(*test, wanted);
            } else if may_end && (*kind == LoopKind::ForEach || *kind == LoopKind::For && test.is_none()) {
                ends = Some(joined(ends.take(), self.state.clone()));
            }
            if let (Some(target), Some(over)) = (target, &over) {
                let element = self.element(over);
                self.each(*target, element);
            }
            self.open_jump(*label, true);
            self.block(body);
            let (breaks, continues) = self.close_jump();
            self.merge(continues);
            if let Some(breaks) = breaks {
                ends = Some(joined(ends.take(), breaks));
            }
            if self.live {
                for update in update {
                    self.eval(*update);
                }
                if *kind == LoopKind::DoWhile {
                    ends = Some(joined(ends.take(), self.state.clone()));
                }
            } else {
                break;
            }
            let state = std::mem::take(&mut self.state);
            let settled = state.same(&before);
            self.state = before.join(state);
            if settled {
                break;
            }
        }
        match ends {
            Some(ends) => {
                if may_rest(*kind, *test) && self.live {
                    self.merge(Some(ends));
                } else {
                    self.state = ends;
                }
                self.live = true;
            }
            None if *kind == LoopKind::Endless => self.live = false,
            None => {}
        }
        self.block(otherwise);
    }

    /// What one round of a loop binds. Go's `range` gives an index first.
    fn each(&mut self, target: ExprId, element: Value) {
        if self.language == Language::Go
            && let ExprKind::Collection { items, .. } = self.unit.kind(target)
            && let [index, value] = items.as_slice()
        {
            let (index, value) = (index.value, value.value);
            self.assign(index, Value::tainted(element.taint.clone()));
            self.assign(value, element);
            return;
        }
        self.assign(target, element);
    }

    /// Numbers that a loop changes are not constants inside of it.
    fn forget_counters(&mut self, id: StmtId) {
        let unit = self.unit;
        let mut written = Vec::new();
        unit.walk(&[id], formicary_syntax::walk::Nested::Skip, &mut |step| match step {
            formicary_syntax::walk::Step::Stmt(id) => {
                if let StmtKind::Assign { targets, .. } = &unit.stmt(id).kind {
                    written.extend(targets.iter().filter_map(|target| unit.name_of(*target)));
                }
            }
            formicary_syntax::walk::Step::Expr(id) => {
                if let ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } = unit.kind(id) {
                    written.extend(unit.name_of(*target));
                }
            }
        });
        for name in written {
            if let Some(value) = self.state.vars.get_mut(name) {
                value.consts = Consts::Unknown;
            }
        }
    }

    fn assignment(
        &mut self,
        targets: &[ExprId],
        operator: Option<Operator>,
        value: Option<ExprId>,
        declares: Declares,
        annotation: Option<&'a str>,
    ) {
        let unit = self.unit;
        let Some(value_id) = value else {
            // A declaration without value: what was there under this name is gone.
            if declares != Declares::Nothing {
                for target in targets {
                    if let Some(name) = unit.name_of(*target) {
                        let kind = annotation.map(|written| plain_type(written).into());
                        self.state.vars.insert(name, Value { kind, ..Value::default() });
                    }
                }
            }
            return;
        };
        let mut value = self.eval(value_id);
        if let Some(operator) = operator {
            if let [target] = targets {
                let current = self.eval(*target);
                value = self.binary(operator, &current, &value);
            }
        } else {
            self.remember_flag(targets, value_id);
        }
        if let Some(written) = annotation {
            self.annotate(&mut value, written);
        }
        for target in targets {
            self.assign(*target, value.clone());
        }
    }

    /// Gives a value the type that is written, unless more is known.
    pub(super) fn annotate(&self, value: &mut Value, written: &str) {
        if is_number(written) && self.language != Language::Python {
            value.taint.clear(Classes::FOREIGN);
        } else if value.kind.is_none() || value.objects.is_empty() && value.consts != Consts::Unknown {
            value.kind = Some(plain_type(written).into());
        }
    }

    fn remember_flag(&mut self, targets: &[ExprId], value: ExprId) {
        let unit = self.unit;
        let name = match targets {
            [only] => match unit.kind(*only) {
                ExprKind::Name(name) => Some(*name),
                // Go's `_, ok := known[x]`.
                ExprKind::Collection { items, .. } => {
                    items.last().and_then(|item| unit.name_of(item.value)).filter(|_| items.len() == 2)
                }
                _ => None,
            },
            [_, second] => unit.name_of(*second),
            _ => None,
        };
        if let Some(name) = name {
            let is_test = matches!(
                unit.kind(value),
                ExprKind::Compare { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::Subscript { .. }
                    | ExprKind::Unary { operator: Operator::Not, .. }
                    | ExprKind::Logical { .. }
            );
            if is_test {
                self.flags.insert(name, value);
            } else {
                self.flags.remove(name);
            }
        }
    }

    fn leave(&mut self, value: Value, span: Span) {
        if self.answers && self.frames.len() == 1 {
            self.answer(&value, span);
        }
        let state = std::mem::take(&mut self.state);
        self.live = false;
        if let Some(frame) = self.frames.last_mut() {
            frame.returns = Some(joined(frame.returns.take(), state));
            frame.result = Some(match frame.result.take() {
                Some(result) => result.join(&value),
                None => value,
            });
        }
    }

    /// A page, or a part of one, goes out.
    fn answer(&mut self, value: &Value, span: Span) {
        // Dictionaries and lists become JSON; of a tuple the first part is the page.
        let page = match value.objects.first().and_then(|id| self.state.heap.get(id)) {
            Some(object) => match &object.list {
                Some(list) if value.taint.is_empty() => list.first().cloned().unwrap_or_default(),
                _ => Value::tainted(value.taint.clone()),
            },
            None => value.clone(),
        };
        if page.kind.as_deref().is_some_and(|kind| kind.ends_with("Response")) {
            return;
        }
        self.arrive(Class::Xss, &Value::tainted(page.taint), span, "the answer".to_owned());
    }

    /// A label of this walk as foreign data.
    pub(super) fn foreign(&mut self, span: Span, what: String, classes: Classes) -> Value {
        let next = self.draft.sources.len() as u32;
        let number = *self.draft.source_at.entry((span.start, span.end)).or_insert(next);
        if number == next {
            self.draft.sources.push(SourceFact {
                span: self.file.place(span),
                what: what.clone(),
                classes: classes.0,
            });
        }
        let mut taint = Taint::of(Label::Source(number));
        taint.step(span, &format!("{what} brings in foreign data"));
        Value::tainted(taint)
    }
}

/// Whether a loop may end by its own question.
fn may_rest(kind: LoopKind, test: Option<ExprId>) -> bool {
    matches!(kind, LoopKind::While | LoopKind::Until | LoopKind::For)
        && test.is_some()
        && kind != LoopKind::Endless
        || kind == LoopKind::ForEach
}

pub(super) fn joined<'a>(one: Option<State<'a>>, other: State<'a>) -> State<'a> {
    match one {
        Some(one) => one.join(other),
        None => other,
    }
}
