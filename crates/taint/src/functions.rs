//! Functions and classes of the same file, walked where they are called.

use super::calls::{Given, Site};
use super::engine::{Engine, Frame, joined};
use super::names::plain_type;
use super::value::{Object, Taint, Value};
use formicary_model::Language;
use formicary_syntax::{CallKind, ClassId, ExprId, ExprKind, FunctionId, Owner, ParameterKind, StmtKind};

impl<'a> Engine<'_, '_, 'a> {
    pub(super) fn class_made(&self, site: &Site<'_, 'a>) -> Option<ClassId> {
        let class = self.names.classes.get(site.word).copied()?;
        let called = match self.unit.kind(site.callee) {
            ExprKind::Name(_) | ExprKind::Type(_) => true,
            // `Outer.Inner()`.
            ExprKind::Attribute { .. } => {
                site.receiver.as_ref().is_some_and(|receiver| receiver.objects.is_empty())
            }
            _ => false,
        };
        (called && (site.kind == CallKind::New || self.language == Language::Python)).then_some(class)
    }

    pub(super) fn construct(&mut self, class: ClassId, site: &Site<'_, 'a>) -> Value {
        let unit = self.unit;
        let name = unit.class(class).name;
        let Some(object) = self.make(site.id, Object { whole: true, ..Object::default() }) else {
            return self.spread(site);
        };
        let this = Value { objects: vec![object], kind: Some(name.into()), ..Value::default() };
        for stmt in &unit.class(class).body {
            if let StmtKind::Assign { targets, value: Some(value), .. } = &unit.stmt(*stmt).kind {
                let value = self.eval(*value);
                for target in targets {
                    if let Some(field) = unit.name_of(*target) {
                        self.write_value(&this, Some(super::value::Key::Text(field.into())), value.clone());
                    }
                }
            }
        }
        match self.maker(class, site.given.len()) {
            Some(maker) => {
                self.run(maker, Some(this.clone()), site.given.clone(), site.id);
            }
            None => self.fill_fields(class, &this, site),
        }
        this
    }

    /// The constructor of a class, or of what it extends.
    fn maker(&self, class: ClassId, count: usize) -> Option<FunctionId> {
        let mut at = class;
        for _ in 0..6 {
            let name = self.unit.class(at).name;
            let found: Vec<FunctionId> = ["__init__", "constructor", name]
                .iter()
                .filter_map(|maker| self.names.methods.get(&(name, *maker)))
                .flatten()
                .copied()
                .collect();
            if let Some(maker) = self.by_arity(found, count).first() {
                return Some(*maker);
            }
            let base = self.unit.class(at).bases.first()?;
            at = *self.names.classes.get(super::names::last_word(self.unit, *base)?)?;
        }
        None
    }

    /// What is given to a class that has no constructor of its own goes into its fields: data classes and records. Where
    /// that is not known it may be anywhere.
    fn fill_fields(&mut self, class: ClassId, this: &Value, site: &Site<'_, 'a>) {
        let unit = self.unit;
        let class = unit.class(class);
        let mut fields: Vec<&'a str> = Vec::new();
        if self.language == Language::Python {
            for stmt in &class.body {
                if let StmtKind::Assign { targets, annotation: Some(_), .. } = &unit.stmt(*stmt).kind {
                    fields.extend(targets.iter().filter_map(|target| unit.name_of(*target)));
                }
            }
        } else if class.kind == formicary_syntax::ClassKind::Struct {
            fields.extend(class.fields.iter().map(|(name, _)| *name));
        }
        let mut places = fields.iter().copied();
        for (keyword, value) in &site.given {
            let field = keyword.filter(|name| !name.is_empty()).or_else(|| places.next());
            match field {
                Some(field) => {
                    self.write_value(this, Some(super::value::Key::Text(field.into())), value.clone());
                }
                None => {
                    let inside = Value::tainted(self.state.deep(value));
                    self.write_value(this, None, inside);
                }
            }
        }
    }

    /// The functions of this file that a call may mean.
    pub(super) fn candidates(&self, site: &Site<'_, 'a>) -> Vec<FunctionId> {
        let word = site.word;
        let Some(named) = self.names.functions.get(word) else { return Vec::new() };
        let found = match (&site.receiver, site.base) {
            (None, _) if site.imported => Vec::new(),
            (None, _) => {
                let class = self.frames.last().and_then(|frame| frame.class);
                named
                    .iter()
                    .copied()
                    .filter(|id| match self.unit.function(*id).owner {
                        Owner::Class(owner) => Some(owner) == class || self.language == Language::Java,
                        _ => self.unit.function(*id).receiver.is_none() || self.language == Language::Cpp,
                    })
                    .collect()
            }
            (Some(receiver), base) => {
                let name = base.and_then(|base| self.unit.name_of(base));
                let class = match name {
                    Some("self" | "this" | "super" | "cls") => self
                        .frames
                        .last()
                        .and_then(|frame| frame.class)
                        .map(|class| self.unit.class(class).name),
                    Some(name)
                        if self.names.classes.contains_key(name) && !self.state.vars.contains_key(name) =>
                    {
                        Some(name)
                    }
                    _ => {
                        let kind = receiver.kind.as_deref().map(plain_type);
                        kind.and_then(|kind| self.names.classes.get_key_value(kind)).map(|(name, _)| *name)
                    }
                };
                match class {
                    Some(class) => self.methods_of(class, word),
                    None => Vec::new(),
                }
            }
        };
        let mut found = self.by_arity(found, site.given.len());
        found.truncate(4);
        found
    }

    /// A method of a class, of what it extends, or of what extends it.
    fn methods_of(&self, class: &'a str, word: &str) -> Vec<FunctionId> {
        let word = self.names.functions.get_key_value(word).map_or("", |(word, _)| *word);
        let mut at = class;
        for _ in 0..6 {
            if let Some(found) = self.names.methods.get(&(at, word)) {
                return found.clone();
            }
            let Some(id) = self.names.classes.get(at) else { break };
            let base =
                self.unit.class(*id).bases.first().and_then(|base| super::names::last_word(self.unit, *base));
            match base {
                Some(base) => at = base,
                None => break,
            }
        }
        let heirs = self.names.heirs.get(class).map_or(&[][..], Vec::as_slice);
        heirs
            .iter()
            .filter_map(|heir| self.names.methods.get(&(self.unit.class(*heir).name, word)))
            .flatten()
            .copied()
            .collect()
    }

    fn by_arity(&self, found: Vec<FunctionId>, count: usize) -> Vec<FunctionId> {
        if found.len() < 2 {
            return found;
        }
        let fitting: Vec<FunctionId> = found
            .iter()
            .copied()
            .filter(|id| {
                let function = self.unit.function(*id);
                function.parameters.iter().filter(|one| one.kind != ParameterKind::Receiver).count() == count
            })
            .collect();
        if fitting.is_empty() { found } else { fitting }
    }

    /// Walks a function of this file with what it is given.
    pub(super) fn run(&mut self, id: FunctionId, this: Option<Value>, given: Given<'a>, at: ExprId) -> Value {
        let unit = self.unit;
        let function = unit.function(id);
        let again = self.frames.iter().any(|frame| frame.function == Some(id));
        if again || self.frames.len() >= 7 || !function.has_body || !self.live {
            let mut value = Value::default();
            for (_, argument) in &given {
                value.taint.absorb(&self.state.deep(argument));
            }
            return value;
        }
        let outer_context = self.context;
        let next = self.contexts.len() as u32 + 1;
        self.context = *self.contexts.entry((outer_context, at.0)).or_insert(next);
        let captured = function.lambda || matches!(function.owner, Owner::Function(_));
        let outer_vars = self.state.vars.clone();
        if !captured {
            self.state.vars.clear();
        }
        let outer_class = self.frames.last().and_then(|frame| frame.class);
        let class = unit
            .class_of(id)
            .or(if captured { outer_class } else { None })
            .or_else(|| function.receiver.and_then(|receiver| self.names.classes.get(receiver)).copied());
        self.frames.push(Frame { function: Some(id), class, ..Frame::default() });
        self.receive(id, this, given);
        self.block(&function.body);
        let mut frame = self.frames.pop().unwrap_or_default();
        if self.language == Language::Rust && self.live {
            // The last expression is the result.
            let last = std::mem::take(&mut self.last);
            frame.result = Some(frame.result.unwrap_or_default().join(&last));
        }
        let end = match (self.live, frame.returns) {
            (true, Some(returns)) => joined(Some(returns), std::mem::take(&mut self.state)),
            (true, None) => std::mem::take(&mut self.state),
            (false, Some(returns)) => returns,
            // It never comes back; what follows is looked at all the same.
            (false, None) => {
                super::value::State { vars: outer_vars.clone(), ..super::value::State::default() }
            }
        };
        self.state = end;
        self.live = true;
        let mut vars = outer_vars;
        if captured {
            let is_parameter = |name: &str| function.parameters.iter().any(|one| one.name == name);
            vars.follow(&self.state.vars, |name| !is_parameter(name));
        }
        self.state.vars = vars;
        self.context = outer_context;
        let mut result = frame.result.unwrap_or_default();
        if !result.taint.is_empty() && !function.name.is_empty() {
            result.taint.step(unit.expr(at).span, &format!("comes back from `{}`", function.name));
        }
        result
    }

    /// Gives the parameters what was given.
    fn receive(&mut self, id: FunctionId, this: Option<Value>, given: Given<'a>) {
        let unit = self.unit;
        let function = unit.function(id);
        if let Some(this) = &this
            && !matches!(self.language, Language::Python | Language::Go | Language::Rust)
            && !function.lambda
        {
            self.state.vars.insert("this", this.clone());
        }
        if self.language == Language::Bash {
            let places = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
            for (name, (_, value)) in places.into_iter().zip(&given) {
                self.state.vars.insert(name, value.clone());
            }
        }
        let mut by_place = given.iter().filter(|(name, _)| name.is_none()).map(|(_, value)| value);
        for parameter in &function.parameters {
            let value = match parameter.kind {
                ParameterKind::Receiver => this.clone().unwrap_or_default(),
                ParameterKind::Rest => {
                    let rest: Vec<Value> = by_place.by_ref().cloned().collect();
                    let taint = rest.iter().fold(Taint::default(), |mut taint, value| {
                        taint.absorb(&self.state.deep(value));
                        taint
                    });
                    Value::tainted(taint)
                }
                _ => {
                    let named = given.iter().find(|(name, _)| *name == Some(parameter.name));
                    match (named, by_place.next()) {
                        (Some((_, value)), _) | (None, Some(value)) => value.clone(),
                        (None, None) => {
                            parameter.default.map(|default| self.eval(default)).unwrap_or_default()
                        }
                    }
                }
            };
            let mut value = value;
            if !value.taint.is_empty() && !parameter.name.is_empty() {
                value.taint.step(
                    parameter.span,
                    &format!("is given to `{}` as `{}`", function.name, parameter.name),
                );
            }
            match (parameter.annotation, parameter.pattern) {
                (Some(written), _) => self.annotate(&mut value, written),
                (None, None) if value.kind.is_none() => value.kind = Some(parameter.name.into()),
                _ => {}
            }
            match parameter.pattern {
                Some(pattern) if parameter.name.is_empty() => self.take_apart(pattern, value),
                _ => {
                    self.state.vars.insert(parameter.name, value);
                }
            }
        }
    }
}
