//! Which name is defined where, and who reads it.
//!
//! A scope is a file, a class, or a function. Blocks make no scopes of their own here: in languages where they do, all
//! variables of one name in a function count as one, which may hide an unused one but never accuses a used one.

use crate::dialect::Dialect;
use crate::expression::{ExprId, ExprKind};
use crate::lines::Span;
use crate::statement::{Declares, StmtId, StmtKind};
use crate::unit::{ClassId, FunctionId, ImportId, ParameterKind, Unit};
use crate::walk::Step;
use rustc_hash::FxHashMap;

/// The number of a scope in [`Scopes::scopes`]; the file is the first.
pub type ScopeId = usize;

/// All names of a file.
#[derive(Debug)]
pub struct Scopes<'a> {
    /// The file, its classes and its functions.
    pub scopes: Vec<Scope<'a>>,
    /// The scope of each function.
    pub of_function: Vec<ScopeId>,
    /// Names that are read and that nothing in the file defines.
    pub unresolved: Vec<(ExprId, ScopeId)>,
    /// Whether something may define names unseen: a star import, `exec`, `globals()`.
    pub dynamic: bool,
}

/// One scope.
#[derive(Debug)]
pub struct Scope<'a> {
    /// What it is.
    pub kind: ScopeKind,
    /// The scope around.
    pub parent: Option<ScopeId>,
    /// What is defined in it, in the order of the first definition.
    pub bindings: Vec<Binding<'a>>,
    index: FxHashMap<&'a str, usize>,
    globals: Vec<&'a str>,
}

/// What a scope is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// The file.
    File,
    /// A class.
    Class(ClassId),
    /// A function.
    Function(FunctionId),
}

/// A name that a scope defines.
#[derive(Debug, Clone)]
pub struct Binding<'a> {
    /// The name.
    pub name: &'a str,
    /// By what it was defined first.
    pub kind: BindingKind,
    /// Where it was defined first.
    pub span: Span,
    /// How often it is read.
    pub reads: u32,
    /// How often it is written.
    pub writes: u32,
    /// Whether a function inside reads or writes it.
    pub captured: bool,
    /// Where it was defined again by a function, class or import.
    pub again: Vec<Span>,
    /// Whether all definitions took a tuple apart.
    pub unpacked: bool,
}

/// By what a name is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    /// An import and which of its names.
    Import(ImportId, usize),
    /// A parameter.
    Parameter(ParameterKind),
    /// A variable.
    Variable(Declares),
    /// A loop, comprehension or pattern.
    Pattern,
    /// `except … as name`, `catch (name)`.
    Exception,
    /// `with … as name`.
    Resource,
    /// A function.
    Function(FunctionId),
    /// A class.
    Class(ClassId),
}

impl<'a> Scope<'a> {
    /// A definition by name.
    pub fn get(&self, name: &str) -> Option<&Binding<'a>> {
        self.index.get(name).map(|at| &self.bindings[*at])
    }
}

impl<'a> Scopes<'a> {
    /// Finds all names of a file.
    pub fn new(unit: &Unit<'a>) -> Self {
        let mut finder = Finder {
            unit,
            scopes: Vec::new(),
            of_function: vec![0; unit.functions.len()],
            reads: Vec::new(),
            dynamic: false,
            pending: Vec::new(),
        };
        let file = finder.scope(ScopeKind::File, None);
        finder.block(&unit.body, file);
        finder.run();
        finder.resolve()
    }

    /// The definition that a name read in a scope refers to, with its scope.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> Option<(ScopeId, &Binding<'a>)> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let here = &self.scopes[id];
            let visible = id == scope || !matches!(here.kind, ScopeKind::Class(_));
            if visible && let Some(binding) = here.get(name) {
                return Some((id, binding));
            }
            at = here.parent;
        }
        None
    }
}

enum Task {
    Stmt(StmtId, ScopeId),
    Expr(ExprId, ScopeId),
}

struct Finder<'u, 'a> {
    unit: &'u Unit<'a>,
    scopes: Vec<Scope<'a>>,
    of_function: Vec<ScopeId>,
    reads: Vec<(&'a str, Option<ExprId>, ScopeId)>,
    dynamic: bool,
    pending: Vec<Task>,
}

impl<'u, 'a> Finder<'u, 'a> {
    fn scope(&mut self, kind: ScopeKind, parent: Option<ScopeId>) -> ScopeId {
        self.scopes.push(Scope {
            kind,
            parent,
            bindings: Vec::new(),
            index: FxHashMap::default(),
            globals: Vec::new(),
        });
        self.scopes.len() - 1
    }

    fn block(&mut self, block: &[StmtId], scope: ScopeId) {
        self.pending.extend(block.iter().rev().map(|id| Task::Stmt(*id, scope)));
    }

    fn run(&mut self) {
        let mut parts = Vec::new();
        while let Some(task) = self.pending.pop() {
            parts.clear();
            let scope = match task {
                Task::Stmt(id, scope) => {
                    self.statement(id, scope);
                    // Targets are seen as writes by `statement`, their bases as reads by `target`.
                    self.unit.parts_of_statement(id, &mut parts);
                    self.without_targets(id, &mut parts);
                    scope
                }
                Task::Expr(id, scope) => {
                    self.expression(id, scope, &mut parts);
                    scope
                }
            };
            self.pending.extend(parts.iter().rev().map(|step| match step {
                Step::Expr(id) => Task::Expr(*id, scope),
                Step::Stmt(id) => Task::Stmt(*id, scope),
            }));
        }
    }

    fn without_targets(&self, id: StmtId, parts: &mut Vec<Step>) {
        let is_target = |expr: ExprId| match &self.unit.stmt(id).kind {
            StmtKind::Assign { targets, .. } => targets.contains(&expr),
            StmtKind::Loop { target, .. } => *target == Some(expr),
            StmtKind::With { items, .. } => items.iter().any(|(_, name)| *name == Some(expr)),
            _ => false,
        };
        parts.retain(|step| !matches!(step, Step::Expr(expr) if is_target(*expr)));
    }

    fn statement(&mut self, id: StmtId, scope: ScopeId) {
        let unit = self.unit;
        let stmt = unit.stmt(id);
        match &stmt.kind {
            StmtKind::Assign { targets, operator, declares, annotation, .. } => {
                for target in targets {
                    self.target(*target, BindingKind::Variable(*declares), scope, false);
                    if let (Some(name), Some(_)) = (unit.name_of(*target), operator) {
                        self.reads.push((name, None, scope));
                    }
                }
                self.mentioned(*annotation, scope);
            }
            StmtKind::Loop { target: Some(target), .. } => {
                self.target(*target, BindingKind::Pattern, scope, false)
            }
            StmtKind::With { items, .. } => {
                for name in items.iter().filter_map(|(_, name)| *name) {
                    self.target(name, BindingKind::Resource, scope, false);
                }
            }
            StmtKind::Switch { arms, .. } => {
                for pattern in arms.iter().flat_map(|arm| &arm.patterns) {
                    self.pattern(*pattern, scope);
                }
            }
            StmtKind::Try { handlers, .. } => {
                for handler in handlers {
                    if let Some(name) = handler.name {
                        self.bind(name, BindingKind::Exception, handler.span, scope, false);
                    }
                }
            }
            StmtKind::Global(names) => {
                self.scopes[scope].globals.extend(names);
                for name in names {
                    self.reads.push((name, None, scope));
                }
            }
            StmtKind::Import(import) => {
                let import_ = unit.import(*import);
                self.dynamic |= import_.star;
                for (at, name) in import_.names.iter().enumerate() {
                    self.bind(name.local, BindingKind::Import(*import, at), name.span, scope, false);
                }
            }
            StmtKind::Function(function) => {
                let function_ = unit.function(*function);
                if !function_.name.is_empty() && function_.receiver.is_none() {
                    let span = function_.name_span;
                    self.bind(function_.name, BindingKind::Function(*function), span, scope, false);
                }
                for decorator in &function_.decorators {
                    self.pending.push(Task::Expr(*decorator, scope));
                }
                self.function(*function, scope);
            }
            StmtKind::Class(class) => self.class(*class, scope),
            _ => {}
        }
    }

    fn class(&mut self, id: ClassId, scope: ScopeId) {
        let class = self.unit.class(id);
        if !class.name.is_empty() && class.kind != crate::ClassKind::Implementation {
            self.bind(class.name, BindingKind::Class(id), class.name_span, scope, false);
        }
        let outside =
            class.decorators.iter().chain(&class.bases).chain(class.keywords.iter().map(|(_, value)| value));
        for expr in outside {
            self.pending.push(Task::Expr(*expr, scope));
        }
        let inner = self.scope(ScopeKind::Class(id), Some(scope));
        for (_, annotation) in &class.fields {
            self.mentioned(*annotation, scope);
        }
        self.block(&class.body, inner);
    }

    fn function(&mut self, id: FunctionId, scope: ScopeId) {
        let unit = self.unit;
        let function = unit.function(id);
        let inner = self.scope(ScopeKind::Function(id), Some(scope));
        self.of_function[id.0 as usize] = inner;
        for parameter in &function.parameters {
            if !parameter.name.is_empty() {
                self.bind(
                    parameter.name,
                    BindingKind::Parameter(parameter.kind),
                    parameter.span,
                    inner,
                    false,
                );
            }
            if let Some(pattern) = parameter.pattern {
                self.target(pattern, BindingKind::Parameter(parameter.kind), inner, true);
            }
            for expr in parameter.default.iter().chain(&parameter.decorators) {
                self.pending.push(Task::Expr(*expr, scope));
            }
            self.mentioned(parameter.annotation, scope);
        }
        self.mentioned(function.returns, scope);
        self.block(&function.body, inner);
    }

    /// What is written. Bases and indices of targets are read.
    fn target(&mut self, id: ExprId, kind: BindingKind, scope: ScopeId, unpacked: bool) {
        match self.unit.kind(id) {
            ExprKind::Name(name) => self.bind(name, kind, self.unit.expr(id).span, scope, unpacked),
            ExprKind::Collection { items, .. } => {
                for item in items {
                    if let Some(crate::expression::ItemKey::Value(key)) = &item.key {
                        self.pending.push(Task::Expr(*key, scope));
                    }
                    self.target(item.value, kind, scope, true);
                }
            }
            ExprKind::Spread(inner) => self.target(*inner, kind, scope, true),
            ExprKind::Assign { target, value, .. } => {
                self.pending.push(Task::Expr(*value, scope));
                self.target(*target, kind, scope, true);
            }
            ExprKind::Call { .. } | ExprKind::Other(_) if !matches!(self.unit.dialect, Dialect::Python) => {
                self.pattern(id, scope);
                self.pending.push(Task::Expr(id, scope));
            }
            _ => self.pending.push(Task::Expr(id, scope)),
        }
    }

    /// Names in patterns may bind and may be constants: they do both here.
    fn pattern(&mut self, id: ExprId, scope: ScopeId) {
        let mut names = Vec::new();
        let unit = self.unit;
        let mut pending = vec![Step::Expr(id)];
        while let Some(step) = pending.pop() {
            let Step::Expr(id) = step else { continue };
            match unit.kind(id) {
                ExprKind::Name(name) => names.push((*name, unit.expr(id).span)),
                // The class of `case Point(x)` is read, not bound.
                ExprKind::Call { arguments, .. } => {
                    pending.extend(arguments.iter().map(|argument| Step::Expr(argument.value)));
                }
                ExprKind::Attribute { .. } => {}
                _ => unit.parts_of(id, &mut pending),
            }
        }
        for (name, span) in names {
            self.bind(name, BindingKind::Pattern, span, scope, true);
        }
    }

    fn bind(&mut self, name: &'a str, kind: BindingKind, span: Span, scope: ScopeId, unpacked: bool) {
        let global = self.scopes[scope].globals.contains(&name);
        let scope = if global { 0 } else { scope };
        let scope = &mut self.scopes[scope];
        match scope.index.get(name) {
            Some(at) => {
                let binding = &mut scope.bindings[*at];
                binding.writes += 1;
                binding.unpacked &= unpacked;
                let definition = matches!(
                    kind,
                    BindingKind::Function(_) | BindingKind::Class(_) | BindingKind::Import(..)
                );
                if definition {
                    binding.again.push(span);
                }
            }
            None => {
                scope.index.insert(name, scope.bindings.len());
                scope.bindings.push(Binding {
                    name,
                    kind,
                    span,
                    reads: 0,
                    writes: 1,
                    captured: global,
                    again: Vec::new(),
                    unpacked,
                });
            }
        }
    }

    fn expression(&mut self, id: ExprId, scope: ScopeId, parts: &mut Vec<Step>) {
        let unit = self.unit;
        match unit.kind(id) {
            ExprKind::Name(name) => self.reads.push((name, Some(id), scope)),
            ExprKind::Lambda(function) => self.function(*function, scope),
            ExprKind::Type(text) | ExprKind::Cast { to: text, .. } => {
                self.mentioned(Some(text), scope);
                unit.parts_of(id, parts);
            }
            ExprKind::Assign { target, value, operator } => {
                self.target(*target, BindingKind::Pattern, scope, false);
                if let (Some(name), Some(_)) = (unit.name_of(*target), operator) {
                    self.reads.push((name, None, scope));
                }
                // The value of an assignment is read by whoever holds it.
                parts.push(Step::Expr(*value));
            }
            ExprKind::Comprehension { elements, clauses, .. } => {
                for clause in clauses {
                    self.target(clause.target, BindingKind::Pattern, scope, true);
                    parts.push(Step::Expr(clause.iterable));
                    parts.extend(clause.conditions.iter().map(|id| Step::Expr(*id)));
                }
                parts.extend(elements.iter().map(|id| Step::Expr(*id)));
            }
            ExprKind::Call { callee, .. } => {
                if let Some("exec" | "eval" | "globals" | "locals" | "vars") = unit.name_of(*callee) {
                    self.dynamic = true;
                }
                unit.parts_of(id, parts);
            }
            _ => unit.parts_of(id, parts),
        }
    }

    /// Words of a type, and of types in quotes.
    fn mentioned(&mut self, text: Option<&'a str>, scope: ScopeId) {
        for word in text.into_iter().flat_map(words) {
            self.reads.push((word, None, scope));
        }
    }

    fn resolve(self) -> Scopes<'a> {
        let mut scopes = Scopes {
            scopes: self.scopes,
            of_function: self.of_function,
            unresolved: Vec::new(),
            dynamic: self.dynamic,
        };
        for (name, expr, scope) in self.reads {
            let found = scopes.lookup(scope, name).map(|(id, _)| id);
            match found {
                Some(id) => {
                    let here = &mut scopes.scopes[id];
                    if let Some(at) = here.index.get(name) {
                        here.bindings[*at].reads += 1;
                        here.bindings[*at].captured |= id != scope;
                    }
                }
                None => scopes.unresolved.extend(expr.map(|expr| (expr, scope))),
            }
        }
        scopes
    }
}

/// The words of a text that could be names.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .filter(|word| word.chars().next().is_some_and(|c| !c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn names_find_their_definitions() {
        let source = "import os\ndef f(a, b):\n  x = a\n  def g():\n    return x + y\n  return g\n";
        let unit = parse(Dialect::Python, source);
        let scopes = Scopes::new(&unit);
        let reads = |scope: usize, name: &str| scopes.scopes[scope].get(name).map(|binding| binding.reads);
        let f = scopes.of_function[0];
        assert_eq!(reads(0, "os"), Some(0));
        assert_eq!(
            (reads(f, "a"), reads(f, "b"), reads(f, "x"), reads(f, "g")),
            (Some(1), Some(0), Some(1), Some(1))
        );
        assert!(scopes.scopes[f].get("x").unwrap().captured);
        let unresolved: Vec<_> = scopes.unresolved.iter().map(|(id, _)| unit.name_of(*id).unwrap()).collect();
        assert_eq!(unresolved, ["y"]);
    }

    #[test]
    fn types_count_as_reads() {
        for (dialect, source, name) in [
            (Dialect::Python, "from a import B\ndef f(x: 'B'): pass\n", "B"),
            (Dialect::TypeScript, "import { B } from 'a';\nlet x: B[] = f();", "B"),
        ] {
            let unit = parse(dialect, source);
            assert_eq!(Scopes::new(&unit).scopes[0].get(name).unwrap().reads, 1, "{source}");
        }
    }
}
