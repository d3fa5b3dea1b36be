//! Calls: what the tables say, functions of the same file, containers, and what only the project can tell.

use super::classes::Class;
use super::constants;
use super::containers::is_container;
use super::engine::{CallDraft, Engine};
use super::expressions::short;
use super::facts::TargetFact;
use super::guards::{RESOLVED, replaced};
use super::models::{Asked, Does, Place};
use super::names::plain_type;
use super::sinks::{is_shell, pick};
use super::value::{Const, Consts, Key, Label, Taint, Value};
use formicary_model::Language;
use formicary_syntax::{Argument, CallKind, ExprId, ExprKind, FunctionId, Owner, Span, StmtKind};
use std::rc::Rc;

/// Arguments with their keywords.
pub(super) type Given<'a> = Vec<(Option<&'a str>, Value)>;

/// A call with everything that is known of it.
pub(super) struct Site<'v, 'a> {
    pub id: ExprId,
    pub span: Span,
    pub callee: ExprId,
    pub word: &'v str,
    pub kind: CallKind,
    pub base: Option<ExprId>,
    pub receiver: Option<Value>,
    /// Where the word was imported from, or what the receiver is.
    pub qualifier: Option<Rc<str>>,
    pub imported: bool,
    pub given: Given<'a>,
    pub expressions: Vec<ExprId>,
    pub function: Option<FunctionId>,
}

impl<'a> Engine<'_, '_, 'a> {
    pub(super) fn call(
        &mut self,
        id: ExprId,
        callee: ExprId,
        arguments: &[Argument<'a>],
        kind: CallKind,
    ) -> Value {
        let unit = self.unit;
        let span = unit.expr(id).span;
        let mut base = None;
        let mut receiver = None;
        let mut function = None;
        let mut qualifier: Option<Rc<str>> = None;
        let mut imported = false;
        let mut word: String = String::new();
        let mut bound = None;
        match unit.kind(callee) {
            ExprKind::Attribute { base: of, name, .. } => {
                let value = self.eval(*of);
                qualifier = value.kind.clone();
                base = Some(*of);
                let key = Key::Text((*name).into());
                if !value.objects.is_empty() {
                    function = self.member(&value, Some(&key)).function;
                }
                // `f.apply(x)` of a lambda is the lambda.
                if self.language == Language::Java && value.function.is_some() && is_applying(name) {
                    function = value.function;
                }
                receiver = Some(value);
                (*name).clone_into(&mut word);
            }
            ExprKind::Name(name) => {
                let known = self.state.vars.get(name).or_else(|| self.globals.get(name));
                function = known.and_then(|value| value.function);
                bound = known.and_then(|value| self.bound(value));
                let path = match known.and_then(|value| value.kind.clone()) {
                    Some(kind) if kind.contains('.') => Some(kind),
                    _ => self.names.imports.get(name).cloned(),
                };
                match path.as_deref().and_then(|path| path.rsplit_once('.')) {
                    Some((of, last)) => {
                        qualifier = Some(of.into());
                        imported = true;
                        last.clone_into(&mut word);
                    }
                    None => (*name).clone_into(&mut word),
                }
                if let (Some(function), true) = (function, bound.is_some()) {
                    unit.function(function).name.clone_into(&mut word);
                }
            }
            ExprKind::Type(written) => plain_type(written).clone_into(&mut word),
            _ => {
                let value = self.eval(callee);
                function = value.function;
                bound = self.bound(&value);
                receiver = Some(value);
            }
        }
        let mut given: Given<'a> = bound.unwrap_or_else(|| Vec::with_capacity(arguments.len()));
        let mut expressions = Vec::with_capacity(arguments.len());
        let mut anonymous = None;
        for argument in arguments {
            if argument.name == Some("") {
                // The body of an anonymous class: with one method it is as good as a function.
                anonymous = Some(argument.value);
                continue;
            }
            let value = self.eval(argument.value);
            given.push((argument.name, value));
            expressions.push(argument.value);
        }
        let site = Site {
            id,
            span,
            callee,
            word: &word,
            kind,
            base,
            receiver,
            qualifier,
            imported,
            given,
            expressions,
            function,
        };
        let mut value = self.site(&site);
        if let Some(body) = anonymous {
            value.function = self.only_method(body).or(value.function);
        }
        value
    }

    fn only_method(&self, body: ExprId) -> Option<FunctionId> {
        let ExprKind::Block(block) = self.unit.kind(body) else { return None };
        let mut methods = block.iter().filter_map(|stmt| match self.unit.stmt(*stmt).kind {
            StmtKind::Function(function) => Some(function),
            _ => None,
        });
        methods.next().filter(|_| methods.next().is_none())
    }

    fn site(&mut self, site: &Site<'_, 'a>) -> Value {
        let word = site.word;
        if let Some(value) = self.configure(site).or_else(|| self.reflected(site)) {
            return value;
        }
        // A method of a class of this file is what the class says.
        if self.inline && site.receiver.is_some() && !self.candidates(site).is_empty() {
            return self.elsewhere(site);
        }
        // What the tables say.
        let mut decided: Option<Value> = None;
        let mut made: Option<&'static str> = None;
        let mut known = false;
        if self.models.knows(word) && !(site.receiver.is_none() && !site.imported && self.is_own(word)) {
            let asked = Asked {
                of_something: site.base.is_some() || site.imported,
                kind: site.qualifier.as_deref(),
                name: site.base.and_then(|base| self.called(base)),
                imported: site.imported,
            };
            let found: Vec<Does> = self.models.find(word, asked).collect();
            known = !found.is_empty();
            for does in found {
                self.apply(does, site, &mut decided, &mut made);
            }
        }
        if made == Some("Command")
            && let Some((_, program)) = site.given.first()
            && program.as_text().is_some_and(|text| is_shell(&text))
        {
            made = Some("ShellCommand");
        }
        // What is known in full.
        let plain: Vec<Value> = site.given.iter().map(|(_, value)| value.clone()).collect();
        if let Some(text) = site.receiver.as_ref().and_then(Value::as_text)
            && let Some(constant) = constants::method(&text, word, &plain)
        {
            return Value::constant(constant);
        }
        if site.receiver.is_none()
            && self.language == Language::Python
            && !site.imported
            && !self.is_own(word)
            && let Some(constant) = constants::function(word, &plain)
        {
            return Value::constant(constant);
        }
        // A pattern is the text that it was made of.
        if matches!(word, "compile" | "MustCompile" | "Compile" | "RegExp")
            && let Some(text) = plain.first().and_then(Value::as_text)
        {
            return Value { kind: Some("Pattern".into()), ..Value::text(&text) };
        }
        if let Some(replaced) = self.replacement(site) {
            return replaced;
        }
        if decided.is_none()
            && let Some(value) = self.setting(site, &plain)
        {
            return value;
        }
        let contained = match &site.receiver {
            Some(holder) if !holder.objects.is_empty() => self.contained(holder, word, &plain),
            Some(holder) => self.grown(site, holder, &plain),
            None => None,
        };
        if let Some(value) = contained {
            return value;
        }
        // `list()`, `new ArrayList()`, `collections.deque()`.
        let of_module = site.receiver.as_ref().is_none_or(|receiver| {
            receiver.objects.is_empty() && receiver.taint.is_empty() && receiver.consts == Consts::Unknown
        });
        if is_container(word) && of_module && !self.is_own(word) {
            // Python's `dict(a=x)`: keywords are entries.
            let (named, placed): (Given<'a>, Given<'a>) = if self.language == Language::Python {
                site.given.iter().cloned().partition(|(name, _)| name.is_some())
            } else {
                (Vec::new(), site.given.clone())
            };
            let placed: Vec<Value> = placed.into_iter().map(|(_, value)| value).collect();
            if let Some(value) = self.container(site.id, word, &placed) {
                for (name, entry) in named {
                    let key = name.filter(|name| !name.is_empty()).map(|name| Key::Text(name.into()));
                    self.write_value(&value, key, entry);
                }
                return value;
            }
        }
        if let Some(mut value) = decided {
            self.callbacks(site, &mut value);
            value.kind = made.map(Into::into).or(value.kind);
            if value.kind.is_none() && site.kind == CallKind::New {
                value.kind = Some(word.into());
            }
            return value;
        }
        let mut value = if known && made.is_some() { self.spread(site) } else { self.elsewhere(site) };
        value.kind = made.map(Into::into).or(value.kind);
        value
    }

    fn called(&self, base: ExprId) -> Option<&'a str> {
        match self.unit.kind(base) {
            ExprKind::Call { callee, .. } => self.unit.last_name(*callee),
            _ => self.unit.last_name(base),
        }
    }

    /// Whether the file defines this function or class itself.
    pub(super) fn is_own(&self, word: &str) -> bool {
        self.names.classes.contains_key(word)
            || self.names.functions.get(word).is_some_and(|found| {
                found.iter().any(|id| !matches!(self.unit.function(*id).owner, Owner::Class(_)))
            })
    }

    fn places(&self, site: &Site<'_, 'a>, places: &[Place]) -> Vec<Value> {
        let mut values = Vec::new();
        for place in places {
            match place {
                Place::Receiver => values.extend(site.receiver.clone()),
                _ => values.extend(pick(&site.given, *place).into_iter().cloned()),
            }
        }
        values
    }

    fn apply(
        &mut self,
        does: Does,
        site: &Site<'_, 'a>,
        decided: &mut Option<Value>,
        made: &mut Option<&'static str>,
    ) {
        let unit = self.unit;
        match does {
            Does::Source(classes) => {
                if decided.is_none() {
                    let what = format!("`{}`", short(unit.text(site.span)));
                    *decided = Some(self.foreign(site.span, what, classes));
                }
            }
            Does::Fills(at, classes) => {
                let what = format!("`{}`", site.word);
                let value = self.foreign(site.span, what, classes);
                for target in site.expressions.iter().skip(usize::from(at)) {
                    self.fill(*target, &value);
                    // `read a b` fills all of them.
                    if at == 0 && self.language != Language::Bash {
                        break;
                    }
                }
                *decided = Some(Value::default());
            }
            Does::Sink(class, places) => {
                if self.is_defused(class, site, places) {
                    return;
                }
                for value in self.places(site, places) {
                    // A dictionary that is sent becomes JSON.
                    let sends_json = class == Class::Xss && self.language != Language::Java;
                    let value = if sends_json { Value { objects: Vec::new(), ..value } } else { value };
                    self.arrive(class, &value, site.span, format!("`{}`", self.title(site)));
                }
            }
            Does::Starts(places) => {
                let what = format!("`{}`", self.title(site));
                self.starts(&site.given, places, site.span, &what);
            }
            Does::Clean => *decided = Some(decided.take().unwrap_or_default()),
            Does::Clears(classes) => {
                let mut value = self.spread(site);
                value.taint.clear(classes);
                value.consts = Consts::Unknown;
                *decided = Some(value);
            }
            Does::Pass => {
                if decided.is_none() {
                    let mut value = self.spread(site);
                    if is_resolving(site.word) {
                        for mark in &mut value.taint.0 {
                            mark.cleared = mark.cleared.or(RESOLVED);
                        }
                    }
                    *decided = Some(value);
                }
            }
            Does::Into => {
                let mut value = site.receiver.clone().unwrap_or_default();
                for (_, argument) in &site.given {
                    value.taint.absorb(&self.state.deep(argument));
                }
                value.consts = Consts::Unknown;
                if let Some(base) = site.base {
                    self.put_back(self.root(base), value.clone());
                }
                *decided = Some(value);
            }
            Does::Copies(to, from) => {
                let mut value = Value::default();
                for (_, argument) in site.given.iter().skip(usize::from(from)) {
                    value.taint.absorb(&self.state.deep(argument));
                }
                if let Some(target) = site.expressions.get(usize::from(to)) {
                    self.fill(*target, &value);
                }
                *decided = Some(value);
            }
            Does::Makes(kind) => *made = Some(kind),
            Does::Harmless => {}
            Does::Hash(at) | Does::Cipher(at) => {
                let is_hash = matches!(does, Does::Hash(_));
                self.algorithm(site, usize::from(at), is_hash);
            }
        }
    }

    /// An algorithm whose name came here by way of a variable; literals are found without this.
    fn algorithm(&mut self, site: &Site<'_, 'a>, at: usize, is_hash: bool) {
        let Some((_, value)) = site.given.get(at) else { return };
        let literal =
            site.expressions.get(at).is_some_and(|id| matches!(self.unit.kind(*id), ExprKind::Literal(_)));
        let weak = value.consts.all().iter().any(|one| match one {
            Const::Text(name) if is_hash => formicary_lint::rules::security::is_weak_hash(name),
            Const::Text(name) => formicary_lint::rules::security::is_weak_cipher(name),
            _ => false,
        });
        if let Some(setting) = value.setting.clone()
            && !self.chosen.iter().any(|(span, ..)| *span == site.span)
        {
            self.chosen.push((site.span, is_hash, setting));
        }
        if weak && !literal && !self.weak.iter().any(|(span, _)| *span == site.span) {
            self.weak.push((site.span, is_hash));
        }
    }

    /// Whether something else in the call makes it harmless.
    fn is_defused(&mut self, class: Class, site: &Site<'_, 'a>, places: &[Place]) -> bool {
        let unit = self.unit;
        match class {
            // `yaml.load(x, Loader=SafeLoader)`.
            Class::Deserialise => site.expressions.iter().skip(1).any(|id| {
                unit.last_name(*id).is_some_and(|name| name.contains("Safe") || name == "BaseLoader")
            }),
            Class::Xss => site.given.iter().any(|(name, value)| {
                matches!(name, Some("mimetype" | "content_type" | "media_type"))
                    && value.as_text().is_some_and(|text| !text.contains("html"))
            }),
            Class::Xml => self.is_closed_parser(site),
            Class::Path if self.language == Language::Java => self.is_used_later(site, places),
            _ => false,
        }
    }

    /// Whether the parser that reads foreign XML leaves entities alone.
    fn is_closed_parser(&self, site: &Site<'_, 'a>) -> bool {
        const SHUT: &[&str] =
            &["disallow-doctype-decl", "external-general-entities", "ACCESS_EXTERNAL_DTD", "SUPPORT_DTD"];
        if self.language != Language::Python {
            return SHUT.iter().any(|word| self.unit.source.contains(word));
        }
        let setting = |name: &str| {
            let key = super::value::Key::Text(name.into());
            let objects = site.given.iter().flat_map(|(_, value)| &value.objects);
            objects.filter_map(|id| self.state.heap.get(id)?.fields.get(&key)).find_map(Value::truth)
        };
        if site.qualifier.as_deref().is_some_and(|of| of.contains("lxml")) {
            return setting("resolve_entities") == Some(false);
        }
        setting("feature_external_ges") != Some(true)
    }

    /// Settings of a parser are kept like entries of a dictionary.
    fn configure(&mut self, site: &Site<'_, 'a>) -> Option<Value> {
        let key = |name: &str| super::value::Key::Text(name.into());
        if site.word == "setFeature" && self.language == Language::Python {
            let name = site.expressions.first().and_then(|id| self.unit.last_name(*id))?;
            let (_, value) = site.given.get(1)?;
            self.write(site.base?, Some(key(name)), value.clone());
            return Some(Value::default());
        }
        // A parser that was opened reads for itself: `parser.parse(document)`.
        if matches!(site.word, "parse" | "feed") && self.language == Language::Python {
            let opened = key("feature_external_ges");
            let holder = site.receiver.as_ref()?;
            let is_open = holder.objects.iter().any(|id| {
                let field = self.state.heap.get(id).and_then(|object| object.fields.get(&opened));
                field.and_then(Value::truth) == Some(true)
            });
            let (_, document) = site.given.first().filter(|_| is_open)?;
            self.arrive(Class::Xml, &document.clone(), site.span, format!("`{}`", self.title(site)));
            return Some(Value::default());
        }
        if site.word == "XMLParser" && self.language == Language::Python {
            let named = site.given.iter().filter_map(|(name, value)| Some((key((*name)?), value.clone())));
            let object = super::value::Object { fields: named.collect(), ..Default::default() };
            let id = self.make(site.id, object)?;
            return Some(Value { objects: vec![id], ..Value::default() });
        }
        None
    }

    fn title(&self, site: &Site<'_, 'a>) -> String {
        let name = short(self.unit.text(self.unit.expr(site.callee).span));
        if name.is_empty() { site.word.to_owned() } else { name }
    }

    /// The variable at the beginning of a chain of calls.
    fn root(&self, id: ExprId) -> ExprId {
        let mut at = id;
        loop {
            match self.unit.kind(at) {
                ExprKind::Call { callee, .. } => match self.unit.kind(*callee) {
                    ExprKind::Attribute { base, .. } => at = *base,
                    _ => return at,
                },
                _ => return at,
            }
        }
    }

    /// Puts something into what an argument points to.
    fn fill(&mut self, target: ExprId, value: &Value) {
        let unit = self.unit;
        match unit.kind(target) {
            ExprKind::Unary { operand, .. } | ExprKind::Cast { value: operand, .. } => {
                self.fill(*operand, value)
            }
            ExprKind::Binary { left, .. } => self.fill(*left, value),
            ExprKind::Subscript { base, .. } => self.fill(*base, value),
            ExprKind::Literal(_) if self.language == Language::Bash => {
                let name = unit.text(unit.expr(target).span);
                if !name.starts_with('-') {
                    self.state.vars.insert(name, value.clone());
                }
            }
            ExprKind::Name(name) => {
                let mut old = self.state.vars.get(name).cloned().unwrap_or_default();
                // An array is the same for everybody who holds it.
                self.write_value(&old, None, value.clone());
                old.taint.absorb(&value.taint);
                old.taint.step(unit.expr(target).span, &format!("flows into `{name}`"));
                old.consts = Consts::Unknown;
                self.state.vars.insert(name, old);
            }
            _ => {}
        }
    }

    /// Everything that is given, as one value.
    pub(super) fn spread(&mut self, site: &Site<'_, 'a>) -> Value {
        let mut value = Value::default();
        if let Some(receiver) = &site.receiver {
            value.taint.absorb(&self.state.deep(receiver));
        }
        for (_, argument) in &site.given {
            value.taint.absorb(&self.state.deep(argument));
        }
        if site.kind == CallKind::Macro
            && let Some(text) = site.given.iter().find_map(|(_, value)| value.as_text())
        {
            // `format!("{name}")` reads `name`.
            for part in text.split('{').skip(1) {
                let name = part.split(['}', ':', '.', '?']).next().unwrap_or("");
                if let Some(named) = self.state.vars.get(name) {
                    value.taint.absorb(&named.taint);
                }
            }
        }
        let format = match site.word {
            "format" | "formatted" | "join" => site
                .receiver
                .as_ref()
                .and_then(|receiver| receiver.prefix.clone())
                .or_else(|| first_prefix(site)),
            "Sprintf" | "Sprint" | "String" | "str" | "concat" | "toString" | "trim" | "strip"
            | "valueOf" | "URL" | "URI" | "create" => {
                first_prefix(site).or_else(|| site.receiver.as_ref().and_then(|r| r.prefix.clone()))
            }
            _ => None,
        };
        value.prefix = format.map(|text| text.split(['{', '%']).next().unwrap_or("").into());
        if value.taint.is_empty() && site.given.len() == 1 && site.receiver.is_none() {
            // `str("x")`, `new String("x")`.
            value.consts = site.given[0].1.consts.clone();
        }
        value
    }

    /// `x.replace(a, b)` and its kin.
    fn replacement(&mut self, site: &Site<'_, 'a>) -> Option<Value> {
        let (pattern, by, subject, is_pattern) = match (site.word, site.given.as_slice()) {
            ("replace" | "replaceAll" | "replaceFirst", [(_, pattern), (_, by), ..]) => {
                let receiver = site.receiver.as_ref().filter(|receiver| receiver.objects.is_empty())?;
                let is_regex = site.word == "replaceAll"
                    || site.expressions.first().is_some_and(|id| {
                        matches!(self.unit.kind(*id), ExprKind::Literal(formicary_syntax::Literal::Regex(_)))
                    });
                (pattern, Some(by), receiver, is_regex)
            }
            ("sub", [(_, pattern), (_, by), (_, subject), ..]) => (pattern, Some(by), subject, true),
            ("ReplaceAll", [(_, subject), (_, pattern), (_, by)]) => (pattern, Some(by), subject, false),
            _ => return None,
        };
        let mut taint = self.state.deep(subject);
        taint.clear(replaced(pattern, by, is_pattern));
        if let Some(by) = by {
            taint.absorb(&self.state.deep(by));
        }
        if site.receiver.as_ref().is_some_and(|receiver| receiver.kind.as_deref() == Some("StringBuilder"))
            && let Some(base) = site.base
        {
            for (_, argument) in &site.given {
                taint.absorb(&argument.taint);
            }
            let value =
                Value { taint: taint.clone(), kind: Some("StringBuilder".into()), ..Value::default() };
            self.put_back(self.root(base), value);
        }
        Some(Value::tainted(taint))
    }

    /// Functions among the arguments are called with what is there.
    fn callbacks(&mut self, site: &Site<'_, 'a>, value: &mut Value) {
        let functions: Vec<FunctionId> = site
            .given
            .iter()
            .filter_map(|(_, argument)| argument.function)
            .filter(|id| self.unit.function(*id).lambda)
            .collect();
        if functions.is_empty() {
            return;
        }
        let mut inside = Taint::default();
        let mut element = Value::default();
        if let Some(receiver) = &site.receiver {
            inside.absorb(&self.state.deep(receiver));
            element = self.element(&receiver.clone());
        }
        for (_, argument) in &site.given {
            inside.absorb(&self.state.deep(argument));
        }
        element.taint.absorb(&inside);
        for function in functions {
            let parameters = self.unit.function(function).parameters.len().max(1);
            // Node's callbacks and Promise handlers get errors, requests, results: all may be what is there.
            let given: Given<'a> = (0..parameters)
                .map(|at| (None, if at == 0 { element.clone() } else { Value::tainted(inside.clone()) }))
                .collect();
            self.visited[function.0 as usize] = true;
            let result = self.run(function, None, given, site.id);
            value.taint.absorb(&self.state.deep(&result));
        }
    }

    /// A call that no table knows.
    fn elsewhere(&mut self, site: &Site<'_, 'a>) -> Value {
        let word = site.word;
        if self.inline {
            if let Some(function) = site.function {
                return self.run(function, None, site.given.clone(), site.id);
            }
            if let Some(class) = self.class_made(site) {
                return self.construct(class, site);
            }
            let found = self.candidates(site);
            if !found.is_empty() {
                let mut joined: Option<Value> = None;
                for function in found {
                    let this = site.receiver.clone().or_else(|| self.this());
                    let value = self.run(function, this, site.given.clone(), site.id);
                    joined = Some(match joined {
                        Some(joined) => joined.join(&value),
                        None => value,
                    });
                }
                return joined.unwrap_or_default();
            }
        }
        let mut value = self.unresolved(site);
        if word == "require"
            && let Some(module) = site.given.first().and_then(|(_, value)| value.as_text())
        {
            return Value::of_kind(module.strip_prefix("node:").unwrap_or(&module));
        }
        // What is put into something is in it.
        let setter = [
            "set", "add", "append", "put", "push", "write", "insert", "with", "update", "extend", "command",
            "print", "concat",
        ];
        if let (Some(base), Some(receiver)) = (site.base, &site.receiver)
            && setter.iter().any(|start| word.to_lowercase().starts_with(start))
            && !is_beside_the_body(word)
        {
            let mut inside = Taint::default();
            for (_, argument) in &site.given {
                inside.absorb(&self.state.deep(argument));
            }
            if !inside.is_empty() {
                let mut receiver = receiver.clone();
                if receiver.objects.is_empty() {
                    receiver.taint.absorb(&inside);
                    receiver.consts = Consts::Unknown;
                    self.put_back(self.root(base), receiver.clone());
                } else {
                    self.write_value(&receiver, None, Value::tainted(inside));
                }
                value.taint.absorb(&receiver.taint);
            }
            // Builders give themselves.
            value.kind = receiver.kind.clone();
        }
        self.callbacks(site, &mut value);
        let is_type = word.chars().next().is_some_and(char::is_uppercase);
        if site.kind == CallKind::New || is_type && self.language != Language::Go {
            value.kind = match &site.qualifier {
                Some(qualifier) if site.imported => Some(format!("{qualifier}.{word}").into()),
                _ => Some(word.into()),
            };
        }
        value
    }

    /// Leaves a call to the project: its result is whatever the project finds.
    fn unresolved(&mut self, site: &Site<'_, 'a>) -> Value {
        let spread = self.spread(site);
        let word = site.word;
        let target = if site.kind == CallKind::New {
            TargetFact::New
        } else if site.kind == CallKind::Macro || word.is_empty() {
            return spread;
        } else if site.imported {
            TargetFact::Module(site.qualifier.as_deref().unwrap_or("").to_owned())
        } else if let Some(receiver) = &site.receiver {
            let known = site.base.and_then(|base| self.unit.name_of(base));
            match known {
                Some("self" | "this" | "super" | "cls") => TargetFact::Own,
                Some(name)
                    if self.names.imports.contains_key(name) && !self.state.vars.contains_key(name) =>
                {
                    TargetFact::Module(site.qualifier.as_deref().unwrap_or("").to_owned())
                }
                _ => match &receiver.kind {
                    Some(kind) if receiver.function.is_none() => {
                        let dotted = self.unit.dotted(site.callee).is_some() && kind.contains('.');
                        if dotted {
                            TargetFact::Module(kind.to_string())
                        } else {
                            TargetFact::Method(kind.to_string())
                        }
                    }
                    _ => TargetFact::Unknown,
                },
            }
        } else if self.names.classes.contains_key(word) {
            TargetFact::New
        } else {
            TargetFact::Here
        };
        if self.draft.calls.len() > 600 {
            self.cut = true;
            return spread;
        }
        let receiver = site.receiver.as_ref().map(|value| self.settled(value)).unwrap_or_default();
        let arguments: Vec<(Option<String>, Taint)> =
            site.given.iter().map(|(name, value)| (name.map(str::to_owned), self.settled(value))).collect();
        let next = self.draft.calls.len() as u32;
        let number = *self.draft.call_at.entry((site.span.start, site.span.end)).or_insert(next);
        match self.draft.calls.get_mut(number as usize) {
            Some(call) => {
                call.receiver.absorb(&receiver);
                for ((_, old), (_, new)) in call.arguments.iter_mut().zip(&arguments) {
                    old.absorb(new);
                }
            }
            None => {
                self.draft.calls.push(CallDraft {
                    name: word.to_owned(),
                    target,
                    span: site.span,
                    receiver,
                    arguments,
                });
            }
        }
        Value { taint: Taint::of(Label::Call(number)), prefix: spread.prefix, ..Value::default() }
    }

    /// Everything in a value, with what tests have shown about it.
    fn settled(&self, value: &Value) -> Taint {
        let mut taint = self.state.deep(value);
        for mark in &mut taint.0 {
            mark.cleared = mark.cleared.or(self.state.shown_for(mark.label));
        }
        taint
    }
}

/// What a response is told beside its body: none of it is on the page.
fn is_beside_the_body(word: &str) -> bool {
    let word = word.to_lowercase();
    ["cookie", "header", "status", "etag", "content_type", "contenttype", "encoding"]
        .iter()
        .any(|part| word.contains(part))
}

/// Methods by which Java's functions are called.
fn is_applying(word: &str) -> bool {
    matches!(word, "apply" | "applyAsInt" | "applyAsLong" | "accept" | "test" | "get" | "call" | "run")
}

/// Functions after which a path is where it says.
pub(super) fn is_resolving(word: &str) -> bool {
    matches!(
        word,
        "resolve"
            | "realpath"
            | "abspath"
            | "normpath"
            | "getCanonicalPath"
            | "normalize"
            | "toRealPath"
            | "Clean"
            | "Abs"
            | "canonicalize"
            | "getCanonicalFile"
            | "Join"
            | "realpathSync"
    )
}

fn first_prefix(site: &Site<'_, '_>) -> Option<Rc<str>> {
    site.given.first().and_then(|(_, value)| value.prefix.clone())
}
