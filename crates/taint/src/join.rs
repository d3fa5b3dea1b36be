//! The project: calls that lead out of a file find their functions, and what arrives where becomes findings.

use super::classes::{Class, Classes};
use super::facts::{CallFact, FunctionFact, LabelFact, MarkFact, TargetFact};
use super::merge::Judged;
use super::names::plain_type;
use super::value::RECEIVER;
use super::{Settings, TaintFacts};
use formicary_lint::{FileAnalysis, FileFacts, Options};
use formicary_model::review::{Confidence, Finding, Note, NoteKind, Severity, Span, Step};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A function by the numbers of its file and of itself.
type Id = (u32, u32);

/// Where something comes from, after calls were followed.
#[derive(Debug, Clone)]
struct Origin {
    from: From,
    cleared: u32,
    steps: Vec<Step>,
    /// Whether it went through something of which nothing is known.
    guessed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum From {
    Source(Id, u32),
    Param(u16),
}

/// A parameter that reaches a dangerous place.
#[derive(Debug, Clone)]
struct Exposure {
    param: u16,
    class: Class,
    file: u32,
    span: Span,
    what: String,
    steps: Vec<Step>,
}

struct Project<'f> {
    files: Vec<Facts<'f>>,
    by_name: FxHashMap<&'f str, Vec<Id>>,
    classes: FxHashSet<&'f str>,
    heirs: FxHashMap<&'f str, Vec<&'f str>>,
    results: FxHashMap<(Id, u32), Rc<Vec<Origin>>>,
    returns: FxHashMap<Id, Rc<Vec<Origin>>>,
    exposures: FxHashMap<Id, Rc<Vec<Exposure>>>,
    busy: FxHashSet<(Id, u32)>,
    /// Dangerous places by file, first byte and class, and whether something may arrive there.
    places: FxHashMap<(u32, u32, u8), bool>,
    budget: u32,
}

/// What is known of one file: what the rules' engine tells the project, and where data goes.
#[derive(Debug, Clone, Copy)]
struct Facts<'f> {
    file: &'f FileFacts,
    taint: &'f TaintFacts,
}

/// What came of following foreign data through the project.
#[derive(Debug, Clone, Default)]
pub struct Followed {
    /// Foreign data at dangerous places.
    pub findings: Vec<Finding>,
    /// Dangerous places with what is known of the data there.
    pub judged: Vec<Judged>,
    /// Where it was not followed to the end.
    pub note: Option<Note>,
}

/// Files that a note names; the rest are counted.
const NAMED: usize = 5;

/// Follows all calls and gives the findings. `taint` holds what [`facts_of`](super::facts_of) learned of each file, in
/// the order of the files.
pub fn follow(
    files: &[FileAnalysis],
    taint: &[TaintFacts],
    options: &Options,
    settings: &Settings,
) -> Followed {
    let files: Vec<Facts<'_>> =
        files.iter().zip(taint).map(|(file, taint)| Facts { file: &file.facts, taint }).collect();
    let mut project = Project::new(files.clone());
    let mut found: Vec<Finding> = Vec::new();
    let mut seen: FxHashSet<(u32, u32, u8)> = FxHashSet::default();
    for (file, facts) in files.iter().enumerate() {
        for number in 0..facts.taint.functions.len() {
            let id = (file as u32, number as u32);
            project.judge(id, options, &mut seen, &mut found);
        }
        for (span, is_hash) in &facts.taint.weak {
            found.extend(weak(&facts.file.path, *span, *is_hash, options));
        }
        for chosen in &facts.taint.chosen {
            let is_weak = match chosen.is_hash {
                true => formicary_lint::rules::security::is_weak_hash,
                false => formicary_lint::rules::security::is_weak_cipher,
            };
            // A key that no file has is answered by the code's own second choice.
            let picks_weak = match settings.get(&chosen.key) {
                Some(values) => values.iter().any(|value| is_weak(value)),
                None => chosen.otherwise.as_deref().is_some_and(is_weak),
            };
            if picks_weak {
                found.extend(weak(&facts.file.path, chosen.span, chosen.is_hash, options));
            }
        }
    }
    let note = cut_short(&files, project.budget == 0);
    Followed { findings: found, judged: project.judged(), note }
}

/// Tells where foreign data was not followed to the end: silence there proves nothing.
fn cut_short(files: &[Facts<'_>], project: bool) -> Option<Note> {
    let cut: Vec<&str> =
        files.iter().filter(|facts| facts.taint.cut).map(|facts| facts.file.path.as_str()).collect();
    let message = match (cut.as_slice(), project) {
        ([], false) => return None,
        (_, true) => {
            "foreign data was not followed through all calls of the project: there are too many".into()
        }
        (cut, false) => {
            let more = cut.len().saturating_sub(NAMED);
            let names = cut[..cut.len() - more].join(", ");
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("foreign data was not followed to the end of very large functions in {names}{more}")
        }
    };
    Some(Note { kind: NoteKind::Bounded, file: None, line: None, message })
}

/// A weak algorithm whose name came by way of variables.
fn weak(file: &str, span: Span, is_hash: bool, options: &Options) -> Option<Finding> {
    let name = if is_hash { "weak-hash" } else { "weak-cipher" };
    let rule = formicary_lint::rules::RULES.iter().find(|rule| rule.info.name == name)?;
    let info = rule.info;
    if !options.wants(info.name, info.category) {
        return None;
    }
    let message = if is_hash {
        "the name that arrives here is that of a hash whose collisions are cheap to make"
    } else {
        "the name that arrives here is that of a broken cipher or mode"
    };
    let mut finding = Finding::new(info.name, info.category, info.severity, file, span, message);
    finding.why = info.why.into();
    finding.suggestion = info.suggestion.into();
    finding.confidence = info.confidence;
    finding.cwe = info.cwe;
    Some(finding)
}

impl<'f> Project<'f> {
    fn new(files: Vec<Facts<'f>>) -> Self {
        let mut by_name: FxHashMap<&str, Vec<Id>> = FxHashMap::default();
        let mut classes = FxHashSet::default();
        let mut heirs: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for (file, facts) in files.iter().enumerate() {
            for (number, function) in facts.taint.functions.iter().enumerate() {
                if !function.name.is_empty() {
                    by_name.entry(&function.name).or_default().push((file as u32, number as u32));
                }
            }
            for class in &facts.file.classes {
                classes.insert(class.name.as_str());
                for base in &class.bases {
                    heirs.entry(base).or_default().push(&class.name);
                }
            }
        }
        Self {
            files,
            by_name,
            classes,
            heirs,
            results: FxHashMap::default(),
            returns: FxHashMap::default(),
            exposures: FxHashMap::default(),
            busy: FxHashSet::default(),
            places: FxHashMap::default(),
            budget: 2_000_000,
        }
    }

    fn function(&self, id: Id) -> &'f FunctionFact {
        &self.files[id.0 as usize].taint.functions[id.1 as usize]
    }

    fn path(&self, file: u32) -> &'f str {
        &self.files[file as usize].file.path
    }

    /// The functions that a call may mean.
    fn targets(&self, from: Id, call: &CallFact) -> Vec<Id> {
        let Some(named) = self.by_name.get(call.name.as_str()) else {
            return if self.is_making(call) { self.makers(from, call) } else { Vec::new() };
        };
        let language = self.files[from.0 as usize].file.language;
        let same_language = |id: &Id| {
            let other = self.files[id.0 as usize].file.language;
            other == language || is_script(other) && is_script(language)
        };
        let arity = |id: &Id| {
            let count = self.function(*id).parameters.len();
            count == call.arguments.len() || language != formicary_model::Language::Java
        };
        let named = named.iter().copied().filter(|id| same_language(id) && arity(id));
        let own_class = self.function(from).class.as_deref();
        let mut found: Vec<Id> = match &call.target {
            TargetFact::New => return self.makers(from, call),
            TargetFact::Here | TargetFact::Own => {
                let all: Vec<Id> = named.collect();
                let own = |id: &&Id| {
                    let class = self.function(**id).class.as_deref();
                    id.0 == from.0 && (class.is_none() || class == own_class)
                };
                let here: Vec<Id> = all.iter().filter(own).copied().collect();
                let package = &self.files[from.0 as usize].file.package;
                if !here.is_empty() {
                    here
                } else if package.is_some() && language == formicary_model::Language::Go {
                    all.into_iter()
                        .filter(|id| {
                            self.files[id.0 as usize].file.package == *package
                                && folder(self.path(id.0)) == folder(self.path(from.0))
                        })
                        .collect()
                } else if own_class.is_some() && (call.target == TargetFact::Own || leaves_this_out(language))
                {
                    // A method that is inherited.
                    all.into_iter().filter(|id| self.function(*id).class.is_some()).collect()
                } else if matches!(
                    language,
                    formicary_model::Language::C
                        | formicary_model::Language::Cpp
                        | formicary_model::Language::Bash
                ) {
                    all
                } else {
                    Vec::new()
                }
            }
            TargetFact::Module(module) => {
                let last = module.rsplit(['.', '/', ':']).next().unwrap_or(module);
                let last = last.trim_end_matches(".js").trim_end_matches(".ts");
                named
                    .filter(|id| {
                        let class = self.function(*id).class.as_deref();
                        // A module's function, or a method of a class that was imported.
                        class.is_none() && is_module(self.path(id.0), last) || class == Some(last)
                    })
                    .collect()
            }
            TargetFact::Method(kind) => {
                let kind = plain_type(kind);
                let last = kind.rsplit('.').next().unwrap_or(kind);
                if self.classes.contains(last) {
                    self.methods(last, named.collect())
                } else {
                    self.few(named.filter(|id| self.function(*id).class.is_some()).collect(), &call.name)
                }
            }
            TargetFact::Unknown => {
                self.few(named.filter(|id| self.function(*id).class.is_some()).collect(), &call.name)
            }
        };
        found.truncate(4);
        found
    }

    /// The methods of a class, or of those that extend it.
    fn methods(&self, class: &str, named: Vec<Id>) -> Vec<Id> {
        let own: Vec<Id> =
            named.iter().copied().filter(|id| self.function(*id).class.as_deref() == Some(class)).collect();
        if !own.is_empty() {
            return own;
        }
        let heirs = self.heirs.get(class).map_or(&[][..], Vec::as_slice);
        named
            .iter()
            .copied()
            .filter(|id| self.function(*id).class.as_deref().is_some_and(|class| heirs.contains(&class)))
            .collect()
    }

    /// Methods of unknown things: only where the name is rare and says something.
    fn few(&self, named: Vec<Id>, name: &str) -> Vec<Id> {
        const COMMON: &[&str] = &[
            "get", "set", "add", "put", "run", "execute", "close", "open", "read", "write", "append",
            "update", "save", "format", "join", "split", "send", "load", "parse", "items", "keys", "values",
            "pop", "push", "copy", "start", "stop", "find", "filter", "remove", "delete", "create", "init",
            "call", "apply", "render", "process", "next", "toString", "loads", "dumps", "equals", "hashCode",
            "clone", "accept", "handle", "test", "print", "info", "name", "value",
        ];
        if named.len() > 3 || COMMON.contains(&name) { Vec::new() } else { named }
    }

    /// Whether a call makes an object of a class of the project; Python's classes are called like functions.
    fn is_making(&self, call: &CallFact) -> bool {
        call.target == TargetFact::New
            || !self.by_name.contains_key(call.name.as_str()) && self.classes.contains(call.name.as_str())
    }

    /// The constructors of a class.
    fn makers(&self, from: Id, call: &CallFact) -> Vec<Id> {
        let language = self.files[from.0 as usize].file.language;
        let class = call.name.as_str();
        [class, "__init__", "constructor"]
            .iter()
            .filter_map(|name| self.by_name.get(name))
            .flatten()
            .copied()
            .filter(|id| {
                let function = self.function(*id);
                function.class.as_deref() == Some(class)
                    && self.files[id.0 as usize].file.language == language
            })
            .take(3)
            .collect()
    }

    /// Where a mark comes from.
    fn expand(&mut self, id: Id, mark: &MarkFact) -> Vec<Origin> {
        let path = self.path(id.0);
        let steps = || -> Vec<Step> {
            let step = |step: &super::facts::StepFact| Step {
                file: path.to_owned(),
                span: step.span,
                message: step.message.clone(),
            };
            mark.trail.iter().map(step).collect()
        };
        match mark.label {
            LabelFact::Source(number) => {
                vec![Origin {
                    from: From::Source(id, number),
                    cleared: mark.cleared,
                    steps: steps(),
                    guessed: false,
                }]
            }
            LabelFact::Param(number) => {
                vec![Origin {
                    from: From::Param(number),
                    cleared: mark.cleared,
                    steps: steps(),
                    guessed: false,
                }]
            }
            LabelFact::Call(number) => {
                let mut origins = (*self.result(id, number)).clone();
                let more = steps();
                for origin in &mut origins {
                    origin.cleared |= mark.cleared;
                    if origin.steps.len() < 12 {
                        origin.steps.extend(more.iter().cloned());
                    }
                }
                origins
            }
        }
    }

    fn expand_all(&mut self, id: Id, marks: &[MarkFact]) -> Vec<Origin> {
        let mut all: Vec<Origin> = Vec::new();
        for mark in marks {
            for origin in self.expand(id, mark) {
                match all.iter().position(|one| one.from == origin.from) {
                    Some(at) => all[at].cleared &= origin.cleared,
                    None if all.len() < 16 => all.push(origin),
                    None => {}
                }
            }
        }
        all
    }

    /// Where the result of a call comes from.
    fn result(&mut self, id: Id, number: u32) -> Rc<Vec<Origin>> {
        if let Some(known) = self.results.get(&(id, number)) {
            return known.clone();
        }
        if self.budget == 0 || self.busy.len() > 60 || !self.busy.insert((id, number)) {
            return Rc::default();
        }
        self.budget -= 1;
        let function = self.function(id);
        let mut all: Vec<Origin> = Vec::new();
        if let Some(call) = function.calls.get(number as usize) {
            let targets = self.targets(id, call);
            let is_new = self.is_making(call);
            let own_class = is_new && self.classes.contains(call.name.as_str());
            if targets.is_empty() && !(own_class && call.arguments.is_empty()) {
                all = self.expand_all(id, &call.receiver);
                for (_, marks) in &call.arguments {
                    all.extend(self.expand_all(id, marks));
                }
                for origin in &mut all {
                    origin.guessed = true;
                }
            }
            for target in targets {
                let results = if is_new { self.stored(target) } else { self.returned(target) };
                let name = &self.function(target).name;
                for origin in results.iter() {
                    match origin.from {
                        From::Source(..) => all.push(origin.clone()),
                        From::Param(param) => {
                            let given = self.given(id, call, target, param);
                            for mut one in given {
                                one.cleared |= origin.cleared;
                                one.steps.push(Step {
                                    file: self.path(id.0).to_owned(),
                                    span: call.span,
                                    message: format!("goes through `{name}`"),
                                });
                                all.push(one);
                            }
                        }
                    }
                }
            }
        }
        all.truncate(24);
        self.busy.remove(&(id, number));
        let all = Rc::new(all);
        self.results.insert((id, number), all.clone());
        all
    }

    /// What a call gives to a parameter.
    fn given(&mut self, id: Id, call: &CallFact, target: Id, param: u16) -> Vec<Origin> {
        if param == RECEIVER {
            return self.expand_all(id, &call.receiver);
        }
        let name = self.function(target).parameters.get(usize::from(param));
        let named = call.arguments.iter().find(|(keyword, _)| keyword.is_some() && keyword.as_ref() == name);
        let placed = call.arguments.iter().filter(|(keyword, _)| keyword.is_none()).nth(usize::from(param));
        match named.or(placed) {
            Some((_, marks)) => self.expand_all(id, marks),
            None => Vec::new(),
        }
    }

    fn returned(&mut self, id: Id) -> Rc<Vec<Origin>> {
        if let Some(known) = self.returns.get(&id) {
            return known.clone();
        }
        if !self.busy.insert((id, u32::MAX)) {
            return Rc::default();
        }
        let function = self.function(id);
        let all = Rc::new(self.expand_all(id, &function.returns));
        self.busy.remove(&(id, u32::MAX));
        self.returns.insert(id, all.clone());
        all
    }

    fn stored(&mut self, id: Id) -> Rc<Vec<Origin>> {
        if !self.busy.insert((id, u32::MAX - 1)) {
            return Rc::default();
        }
        let function = self.function(id);
        let all = Rc::new(self.expand_all(id, &function.stores));
        self.busy.remove(&(id, u32::MAX - 1));
        all
    }

    /// The parameters of a function that reach dangerous places, here or further on.
    fn exposed(&mut self, id: Id) -> Rc<Vec<Exposure>> {
        if let Some(known) = self.exposures.get(&id) {
            return known.clone();
        }
        if self.budget == 0 || self.busy.len() > 60 || !self.busy.insert((id, u32::MAX - 2)) {
            return Rc::default();
        }
        self.budget -= 1;
        let function = self.function(id);
        let mut all: Vec<Exposure> = Vec::new();
        for sink in &function.sinks {
            let Some(class) = Class::from_number(sink.class) else { continue };
            for origin in self.expand_all(id, &sink.marks) {
                if let From::Param(param) = origin.from
                    && !Classes(origin.cleared).has(class)
                {
                    let steps = origin.steps;
                    all.push(Exposure {
                        param,
                        class,
                        file: id.0,
                        span: sink.span,
                        what: sink.what.clone(),
                        steps,
                    });
                }
            }
        }
        for call in &function.calls {
            for target in self.targets(id, call) {
                for exposure in self.exposed(target).iter() {
                    for origin in self.given(id, call, target, exposure.param) {
                        if let From::Param(param) = origin.from
                            && !Classes(origin.cleared).has(exposure.class)
                        {
                            let mut steps = origin.steps;
                            steps.push(self.handed(id, call));
                            steps.extend(exposure.steps.iter().take(6).cloned());
                            all.push(Exposure { param, steps, ..exposure.clone() });
                        }
                    }
                }
            }
            if all.len() > 24 {
                break;
            }
        }
        all.sort_by_key(|one| (one.param, one.class, one.file, one.span.start_byte));
        all.dedup_by_key(|one| (one.param, one.class, one.file, one.span.start_byte));
        all.truncate(24);
        self.busy.remove(&(id, u32::MAX - 2));
        let all = Rc::new(all);
        self.exposures.insert(id, all.clone());
        all
    }

    fn handed(&self, id: Id, call: &CallFact) -> Step {
        Step {
            file: self.path(id.0).to_owned(),
            span: call.span,
            message: format!("is given to `{}`", call.name),
        }
    }

    /// The findings of one function.
    fn judge(
        &mut self,
        id: Id,
        options: &Options,
        seen: &mut FxHashSet<(u32, u32, u8)>,
        found: &mut Vec<Finding>,
    ) {
        let function = self.function(id);
        for sink in &function.sinks {
            let Some(class) = Class::from_number(sink.class) else { continue };
            if !options.wants(class.info().name, class.info().category) {
                continue;
            }
            let origins = self.expand_all(id, &sink.marks);
            let open = origins.iter().any(|origin| {
                let unknown = match origin.from {
                    From::Param(_) => !function.entry,
                    From::Source(..) => true,
                };
                unknown && !Classes(origin.cleared).has(class)
            });
            *self.places.entry((id.0, sink.span.start_byte, sink.class)).or_insert(false) |= open;
            if let Some((origin, source)) = self.harmful(&origins, class)
                && seen.insert((id.0, sink.span.start_byte, sink.class))
            {
                let end = Step {
                    file: self.path(id.0).to_owned(),
                    span: sink.span,
                    message: format!("arrives at {}", sink.what),
                };
                found.push(self.finding(class, id, sink.span, &sink.what, origin, source, vec![end]));
            }
        }
        for call in &function.calls {
            for target in self.targets(id, call) {
                let exposures = self.exposed(target);
                for exposure in exposures.iter() {
                    let class = exposure.class;
                    if !options.wants(class.info().name, class.info().category) {
                        continue;
                    }
                    let origins = self.given(id, call, target, exposure.param);
                    // A function of the same file was judged where it stands.
                    let place = if exposure.file == id.0 { exposure.span } else { call.span };
                    if let Some((origin, source)) = self.harmful(&origins, class)
                        && seen.insert((id.0, place.start_byte, class as u8))
                    {
                        let mut steps = vec![self.handed(id, call)];
                        steps.extend(exposure.steps.iter().take(6).cloned());
                        steps.push(Step {
                            file: self.path(exposure.file).to_owned(),
                            span: exposure.span,
                            message: format!("arrives at {}", exposure.what),
                        });
                        found.push(self.finding(class, id, place, &exposure.what, origin, source, steps));
                    }
                }
            }
        }
    }

    /// Every dangerous place with what is known of it.
    fn judged(&self) -> Vec<Judged> {
        let mut places = self.places.clone();
        for (file, facts) in self.files.iter().enumerate() {
            for (start, class) in &facts.taint.harmless {
                places.entry((file as u32, *start, *class)).or_insert(false);
            }
        }
        let mut all: Vec<Judged> = places
            .into_iter()
            .map(|((file, start, class), open)| Judged {
                file: self.path(file).to_owned(),
                start,
                class,
                open,
            })
            .collect();
        all.sort_by(|a, b| (&a.file, a.start, a.class).cmp(&(&b.file, b.start, b.class)));
        all
    }

    fn harmful(&self, origins: &[Origin], class: Class) -> Option<(Origin, (Id, u32))> {
        origins.iter().find_map(|origin| match origin.from {
            From::Source(id, number) if !Classes(origin.cleared).has(class) => {
                let source = self.function(id).sources.get(number as usize)?;
                Classes(source.classes).has(class).then(|| (origin.clone(), (id, number)))
            }
            _ => None,
        })
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a finding")]
    fn finding(
        &self,
        class: Class,
        id: Id,
        span: Span,
        what: &str,
        origin: Origin,
        source: (Id, u32),
        end: Vec<Step>,
    ) -> Finding {
        let info = class.info();
        let fact = &self.function(source.0).sources[source.1 as usize];
        let local = fact.classes == Classes::LOCAL.0;
        let mut severity = info.severity;
        let mut confidence = info.confidence;
        if local {
            severity = severity.min(Severity::Medium);
            confidence = Confidence::Medium;
        }
        if origin.guessed {
            confidence = confidence.min(Confidence::Medium);
        }
        let message = match class {
            Class::Random => format!("{what} is made of predictable numbers from {}", fact.what),
            _ => format!("foreign data from {} arrives at {what}", fact.what),
        };
        let mut finding = Finding::new(info.name, info.category, severity, self.path(id.0), span, message);
        finding.why = info.why.into();
        finding.suggestion = info.suggestion.into();
        finding.confidence = confidence;
        finding.cwe = info.cwe;
        let function = self.function(id);
        if !function.name.is_empty() {
            finding.symbol = Some(match &function.class {
                Some(class) => format!("{class}.{}", function.name),
                None => function.name.clone(),
            });
        }
        finding.path = origin.steps;
        if finding.path.first().is_none_or(|step| step.span != fact.span) {
            let step = Step {
                file: self.path(source.0.0).to_owned(),
                span: fact.span,
                message: format!("{} brings in foreign data", fact.what),
            };
            finding.path.insert(0, step);
        }
        finding.path.extend(end);
        finding
    }
}

fn is_script(language: formicary_model::Language) -> bool {
    matches!(language, formicary_model::Language::JavaScript | formicary_model::Language::TypeScript)
}

/// Whether a plain call may mean a method of the class around it.
fn leaves_this_out(language: formicary_model::Language) -> bool {
    matches!(language, formicary_model::Language::Java | formicary_model::Language::Cpp)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a file is the module of this name.
fn is_module(path: &str, name: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    stem == name
        || matches!(stem, "__init__" | "index" | "mod") && folder(path).rsplit('/').next() == Some(name)
        || path.ends_with(".go") && folder(path).rsplit('/').next() == Some(name)
}
