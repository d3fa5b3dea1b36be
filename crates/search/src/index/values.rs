//! What a file of Go or Java shows of the types of its values, so that `value.method()` means more than a name.

use super::facts::path_of;
use formicary_syntax::scopes::{ScopeId, ScopeKind, Scopes};
use formicary_syntax::statement::Declares;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{
    CallKind, ClassKind, CollectionKind, Dialect, ExprId, ExprKind, FunctionId, LoopKind, Operator, Owner,
    StmtKind, Unit,
};
use rustc_hash::FxHashMap;

/// How long a chain of values is followed at most.
const DEEPEST: usize = 16;
/// How many declarations of one name in one function are compared at most.
const MOST_DECLARATIONS: usize = 6;

/// How a value comes about, as far as its file can tell. Other files know what the names mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A value of this type, as it is written.
    Of(String),
    /// What is called by this name outside of functions: a variable, function, type or package.
    Name(String),
    /// A field or method of another value, or what a package or class holds.
    Member(Box<Value>, String),
    /// What a call returns; in Go one of several results.
    Result(Box<Value>, usize),
    /// An element of a list, array or map.
    Element(Box<Value>),
    /// A name with several declarations, which must agree.
    Each(Vec<Value>),
}

/// What a file tells about its types.
#[derive(Debug, Default)]
pub struct Types {
    /// By the path of the type.
    pub shapes: FxHashMap<String, Shape>,
    /// What functions return, by their path; overloads that disagree are left out.
    pub results: FxHashMap<String, String>,
    /// Variables outside of functions.
    pub variables: FxHashMap<String, Value>,
}

/// What is known of a type.
#[derive(Debug, Default)]
pub struct Shape {
    /// Its fields with their types.
    pub fields: Vec<(String, String)>,
    /// What it extends, implements or embeds.
    pub bases: Vec<String>,
    /// Whether another type holds what a call of its methods runs.
    pub interface: bool,
}

/// One declaration of a variable.
#[derive(Debug, Clone, Copy)]
enum Declared<'a> {
    As(&'a str),
    By(ExprId, usize),
    From(ExprId),
    Otherwise,
}

/// Reads values of one file.
pub struct Values<'u, 'a> {
    unit: &'u Unit<'a>,
    scopes: &'u Scopes<'a>,
    declared: FxHashMap<(ScopeId, &'a str), Vec<Declared<'a>>>,
}

impl<'u, 'a> Values<'u, 'a> {
    /// Reads what is declared; none for languages in which types are not written.
    pub fn new(unit: &'u Unit<'a>, scopes: &'u Scopes<'a>) -> Option<Self> {
        if !matches!(unit.dialect, Dialect::Go | Dialect::Java) {
            return None;
        }
        let mut values = Self { unit, scopes, declared: FxHashMap::default() };
        values.block(&unit.body, 0);
        for (id, function) in unit.functions() {
            let scope = scopes.of_function.get(id.0 as usize).copied().unwrap_or(0);
            for parameter in &function.parameters {
                let how = parameter.annotation.filter(|written| !values.is_parameter(id, written));
                let variadic = how.is_some_and(|written| written.starts_with("..."));
                let how = how.filter(|_| !variadic).map_or(Declared::Otherwise, Declared::As);
                values.declared.entry((scope, parameter.name)).or_default().push(how);
            }
            values.block(&function.body, scope);
        }
        Some(values)
    }

    fn block(&mut self, block: &[formicary_syntax::StmtId], scope: ScopeId) {
        let unit = self.unit;
        unit.walk(block, Nested::Skip, &mut |step| {
            let Step::Stmt(id) = step else { return };
            match &unit.stmt(id).kind {
                StmtKind::Assign { targets, value, declares, annotation, .. }
                    if !matches!(declares, Declares::Nothing | Declares::Field) =>
                {
                    let written = annotation.filter(|written| *written != "var");
                    for target in targets {
                        let how = match (written, value) {
                            (Some(written), _) => Some(Declared::As(written)),
                            (None, Some(value)) => Some(Declared::By(*value, 0)),
                            // The loop or the assignment that follows says it.
                            (None, None) => None,
                        };
                        self.target(*target, how, scope);
                    }
                }
                StmtKind::Loop { kind: LoopKind::ForEach, target: Some(target), iterable, .. } => {
                    let how = iterable.map_or(Declared::Otherwise, Declared::From);
                    match (unit.kind(*target), unit.dialect) {
                        (ExprKind::Collection { items, .. }, _) if items.len() == 2 => {
                            self.target(items[0].value, Some(Declared::Otherwise), scope);
                            self.target(items[1].value, Some(how), scope);
                        }
                        (_, Dialect::Go) => self.target(*target, Some(Declared::Otherwise), scope),
                        // Java writes the type, unless it is `var`.
                        (ExprKind::Name(name), _) => {
                            let written = self.declared.entry((scope, name)).or_default();
                            if written.is_empty() {
                                written.push(how);
                            }
                        }
                        _ => {}
                    }
                }
                StmtKind::With { items, .. } => {
                    for (value, name) in items {
                        if let Some(name) = name {
                            self.target(*name, Some(Declared::By(*value, 0)), scope);
                        }
                    }
                }
                _ => {}
            }
        });
    }

    fn target(&mut self, target: ExprId, how: Option<Declared<'a>>, scope: ScopeId) {
        let Some(how) = how else { return };
        match self.unit.kind(target) {
            ExprKind::Name(name) => self.declared.entry((scope, name)).or_default().push(how),
            ExprKind::Collection { items, .. } => {
                for (number, item) in items.iter().enumerate() {
                    let how = match how {
                        Declared::By(value, _) => self.part(value, number),
                        Declared::As(_) => how,
                        Declared::From(_) | Declared::Otherwise => Declared::Otherwise,
                    };
                    self.target(item.value, Some(how), scope);
                }
            }
            _ => {}
        }
    }

    /// `a, b := f()` and `a, b := x, y`.
    fn part(&self, value: ExprId, number: usize) -> Declared<'a> {
        match self.unit.kind(value) {
            ExprKind::Collection { kind: CollectionKind::Tuple, items } => {
                items.get(number).map_or(Declared::Otherwise, |item| Declared::By(item.value, 0))
            }
            ExprKind::Call { .. } => Declared::By(value, number),
            // `v, ok := x.(T)`, `v, ok := m[k]`.
            _ if number == 0 => Declared::By(value, 0),
            _ => Declared::Otherwise,
        }
    }

    /// How an expression read in a scope comes about.
    pub fn value(&self, id: ExprId, scope: ScopeId) -> Option<Value> {
        self.followed(id, scope, DEEPEST)
    }

    fn followed(&self, id: ExprId, scope: ScopeId, left: usize) -> Option<Value> {
        let left = left.checked_sub(1)?;
        let unit = self.unit;
        match unit.kind(id) {
            ExprKind::Name("this") if unit.dialect == Dialect::Java => self.this(scope),
            ExprKind::Name(name) => self.name(name, scope, left),
            ExprKind::Attribute { base, name, .. } => {
                Some(Value::Member(Box::new(self.followed(*base, scope, left)?), (*name).to_owned()))
            }
            ExprKind::Call { callee, kind: CallKind::New, .. } => {
                Some(Value::Of(unit.text(unit.expr(*callee).span).to_owned()))
            }
            ExprKind::Call { callee, arguments, .. } => {
                if let (Some(built_in @ ("new" | "make" | "append")), Some(first), Dialect::Go) =
                    (unit.name_of(*callee), arguments.first(), unit.dialect)
                {
                    return match built_in {
                        "append" => self.followed(first.value, scope, left),
                        _ => Some(Value::Of(unit.text(unit.expr(first.value).span).to_owned())),
                    };
                }
                Some(Value::Result(Box::new(self.followed(*callee, scope, left)?), 0))
            }
            ExprKind::Unary { operator: Operator::AddressOf | Operator::Dereference, operand } => {
                self.followed(*operand, scope, left)
            }
            ExprKind::Cast { to, .. } => Some(Value::Of((*to).to_owned())),
            ExprKind::Subscript { base, index: Some(index) }
                if !matches!(unit.kind(*index), ExprKind::Slice(_)) =>
            {
                Some(Value::Element(Box::new(self.followed(*base, scope, left)?)))
            }
            ExprKind::Collection { kind, .. }
                if unit.dialect == Dialect::Go && *kind != CollectionKind::Tuple =>
            {
                let written = unit.text(unit.expr(id).span).split('{').next()?.trim();
                (!written.is_empty()).then(|| Value::Of(written.to_owned()))
            }
            _ => None,
        }
    }

    fn this(&self, scope: ScopeId) -> Option<Value> {
        let mut at = Some(scope);
        while let Some(here) = at.and_then(|at| self.scopes.scopes.get(at)) {
            if let ScopeKind::Class(class) = here.kind {
                return Some(Value::Of(path_of(self.unit, Owner::Class(class))));
            }
            at = here.parent;
        }
        None
    }

    fn name(&self, name: &str, scope: ScopeId, left: usize) -> Option<Value> {
        match self.scopes.lookup(scope, name) {
            Some((at, _)) if matches!(self.scopes.scopes[at].kind, ScopeKind::Function(_)) => {
                let (_, all) = self.declared.get_key_value(&(at, name))?;
                let mut values = Vec::new();
                for how in all.iter().take(MOST_DECLARATIONS + 1) {
                    let value = self.declaration(*how, at, left)?;
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                match values.len() {
                    0 => None,
                    1 => values.pop(),
                    2..=MOST_DECLARATIONS if all.len() <= MOST_DECLARATIONS => Some(Value::Each(values)),
                    _ => None,
                }
            }
            _ => Some(Value::Name(name.to_owned())),
        }
    }

    fn declaration(&self, how: Declared<'a>, scope: ScopeId, left: usize) -> Option<Value> {
        match how {
            Declared::As(written) => Some(Value::Of(written.to_owned())),
            Declared::By(value, number) => match self.followed(value, scope, left)? {
                Value::Result(of, _) => Some(Value::Result(of, number)),
                other => (number == 0).then_some(other),
            },
            Declared::From(iterable) => Some(Value::Element(Box::new(self.followed(iterable, scope, left)?))),
            Declared::Otherwise => None,
        }
    }

    /// Whether a written type is one of the function's own type parameters, or its class's.
    fn is_parameter(&self, id: FunctionId, written: &str) -> bool {
        let unit = self.unit;
        let function = unit.function(id);
        let word = written.trim_start_matches(['*', '.', '&', '[', ']']);
        let word = word.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(word);
        let named = |text: &str, brackets: (char, char)| {
            text.split_once(brackets.0).and_then(|(_, rest)| rest.rsplit_once(brackets.1)).is_some_and(
                |(list, _)| list.split(|c: char| !c.is_alphanumeric() && c != '_').any(|one| one == word),
            )
        };
        let source = unit.source;
        let between = |start: u32, end: u32| source.get(start as usize..end as usize).unwrap_or("");
        if unit.dialect == Dialect::Go {
            let head = between(function.span.start, function.body_span.start.max(function.name_span.end));
            let after = between(function.name_span.end, function.span.end);
            let of_receiver = head.split(function.name).next().unwrap_or("");
            let own = after.split('(').next().unwrap_or("");
            return named(own, ('[', ']')) || named(of_receiver, ('[', ']'));
        }
        let own = between(function.span.start, function.name_span.start);
        let of_class = || {
            let class = unit.class(unit.class_of(id)?);
            Some(between(class.name_span.end, class.span.end).split('{').next().unwrap_or(""))
        };
        // `List<T> f()` names its types after `<` too; it then counts as unknown, which is never wrong.
        named(own, ('<', '>')) || of_class().is_some_and(|head| named(head, ('<', '>')))
    }

    /// What the file tells about its types.
    pub fn types(&self) -> Types {
        let unit = self.unit;
        let mut types = Types::default();
        let mut disagreeing = Vec::new();
        for (id, function) in unit.functions() {
            let Some(written) = function.returns.filter(|written| !self.is_parameter(id, written)) else {
                continue;
            };
            let path = path_of(unit, Owner::Function(id));
            let before = types.results.insert(path.clone(), written.to_owned());
            if before.is_some_and(|before| before != written) {
                disagreeing.push(path);
            }
        }
        types.results.retain(|path, _| !disagreeing.contains(path));
        for (id, class) in unit.classes() {
            let path = path_of(unit, Owner::Class(id));
            let own = |annotation: Option<&str>| match annotation {
                Some(written) => written.to_owned(),
                // The constants of an enumeration.
                None => path.clone(),
            };
            let bases = class.bases.iter().map(|base| unit.text(unit.expr(*base).span).to_owned());
            let shape = Shape {
                fields: class
                    .fields
                    .iter()
                    .map(|(name, written)| ((*name).to_owned(), own(*written)))
                    .collect(),
                bases: bases.chain(self.embedded(class)).collect(),
                interface: class.kind == ClassKind::Interface,
            };
            types.shapes.insert(path, shape);
        }
        for ((scope, name), _) in self.declared.iter().filter(|((scope, _), _)| *scope == 0) {
            if let Some(value) = self.outside_of_functions(*scope, name) {
                types.variables.insert((*name).to_owned(), value);
            }
        }
        types
    }

    fn outside_of_functions(&self, scope: ScopeId, name: &str) -> Option<Value> {
        let (_, all) = self.declared.get_key_value(&(scope, name))?;
        match all.as_slice() {
            [only] => self.declaration(*only, scope, DEEPEST),
            _ => None,
        }
    }

    /// The types that a struct of Go's embeds: fields of one word.
    fn embedded(&self, class: &formicary_syntax::Class<'a>) -> Vec<String> {
        if self.unit.dialect != Dialect::Go || class.kind != ClassKind::Struct {
            return Vec::new();
        }
        let text = self.unit.text(class.span);
        let Some((_, body)) = text.split_once('{') else { return Vec::new() };
        let lines = body.lines().flat_map(|line| line.split("//").next().unwrap_or("").split(';'));
        let words =
            lines.map(|line| line.split('`').next().unwrap_or("").trim().trim_end_matches('}').trim());
        let is_type = |word: &&str| {
            let word = word.trim_start_matches('*').split('[').next().unwrap_or("");
            word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
        };
        words.filter(is_type).map(|word| word.trim_start_matches('*').to_owned()).collect()
    }
}
