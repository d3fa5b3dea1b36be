//! Names of block-scoped languages, with what they stand for. Each language has a finder of its own that fills this.

use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of a scope; the file is the first.
pub(super) type ScopeId = usize;

/// One scope.
#[derive(Debug)]
pub(super) struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<ScopeId>,
    pub range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    File,
    Class,
    /// Parameters; the body is a block of its own below it.
    Function,
    /// A function's outermost block: where `var` belongs.
    Body,
    Block,
}

/// Types and values have names of their own in some languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Value,
    Type,
    Both,
}

impl Space {
    fn meets(self, other: Self) -> bool {
        self == Self::Both || other == Self::Both || self == other
    }
}

/// How a name is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// A local or field that is declared once.
    Variable,
    /// JavaScript's `var`.
    Hoisted,
    Parameter,
    Function,
    Class,
    Type,
    Import,
    /// A field of a class.
    Field,
}

/// What a name does at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Bind(Binding),
    /// It is given another value.
    Write,
    /// It is read and given another value.
    Change,
    Read,
}

impl Role {
    pub fn reads(self) -> bool {
        matches!(self, Self::Read | Self::Change)
    }

    pub fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Change)
    }
}

/// One place where a name stands by itself, not after a dot.
#[derive(Debug, Clone)]
pub(super) struct Occurrence<'s> {
    pub name: &'s str,
    pub range: Range<usize>,
    pub scope: ScopeId,
    pub role: Role,
    pub space: Space,
    pub form: Form,
}

/// What else the word at a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    /// `{x}`: it is a key too, which stays.
    Shorthand,
    /// `import {x}`: it is the name at the other module too.
    Imported,
    /// `export {x}`: it is the name for other modules too.
    Exported,
}

impl Occurrence<'_> {
    /// What stands here once the name is another one and everything else is as before.
    pub fn renamed(&self, new: &str) -> String {
        match self.form {
            Form::Plain => new.to_owned(),
            Form::Shorthand => format!("{}: {new}", self.name),
            Form::Imported => format!("{} as {new}", self.name),
            Form::Exported => format!("{new} as {}", self.name),
        }
    }
}

/// A name after a dot, or a key.
#[derive(Debug, Clone)]
pub(super) struct Member<'s> {
    pub name: &'s str,
    pub range: Range<usize>,
    /// What stands before the dot; none for a key.
    pub base: Option<Range<usize>>,
}

/// The names of one file.
#[derive(Debug, Default)]
pub(super) struct Names<'s> {
    pub scopes: Vec<Scope>,
    pub occurrences: Vec<Occurrence<'s>>,
    pub members: Vec<Member<'s>>,
    /// Strings with their contents and places.
    pub strings: Vec<(&'s str, Range<usize>)>,
    /// Places where names are looked up by their text, and why.
    pub dynamic: Vec<(ScopeId, usize, &'static str)>,
    bound: FxHashMap<(ScopeId, &'s str), Vec<Space>>,
}

impl<'s> Names<'s> {
    pub fn scope(&mut self, kind: ScopeKind, parent: Option<ScopeId>, range: Range<usize>) -> ScopeId {
        self.scopes.push(Scope { kind, parent, range });
        self.scopes.len() - 1
    }

    /// Puts everything in order once all is found.
    pub fn finish(mut self) -> Self {
        self.hoist();
        self.occurrences.sort_by_key(|one| (one.range.start, one.range.end));
        self.members.sort_by_key(|one| one.range.start);
        for one in &self.occurrences {
            if matches!(one.role, Role::Bind(_)) {
                self.bound.entry((one.scope, one.name)).or_default().push(one.space);
            }
        }
        self
    }

    /// `var` belongs to its function; one that is called like a parameter is that parameter.
    fn hoist(&mut self) {
        let mut parameters = rustc_hash::FxHashSet::default();
        for one in &self.occurrences {
            if one.role == Role::Bind(Binding::Parameter) {
                parameters.insert((one.scope, one.name));
            }
        }
        for at in 0..self.occurrences.len() {
            let (role, name, mut scope) =
                (self.occurrences[at].role, self.occurrences[at].name, self.occurrences[at].scope);
            if !matches!(role, Role::Bind(Binding::Hoisted | Binding::Function)) {
                continue;
            }
            if role == Role::Bind(Binding::Hoisted) {
                while let (ScopeKind::Block | ScopeKind::Class, Some(parent)) =
                    (self.scopes[scope].kind, self.scopes[scope].parent)
                {
                    scope = parent;
                }
            }
            let outer = self.scopes[scope].parent.filter(|_| self.scopes[scope].kind == ScopeKind::Body);
            if let Some(outer) = outer.filter(|outer| parameters.contains(&(*outer, name))) {
                scope = outer;
            }
            self.occurrences[at].scope = scope;
        }
    }

    fn binds(&self, scope: ScopeId, name: &str, space: Space) -> bool {
        self.bound.get(&(scope, name)).is_some_and(|spaces| spaces.iter().any(|one| one.meets(space)))
    }

    /// The scope that defines a name which stands in a scope; none where the file does not define it.
    pub fn resolve(&self, from: ScopeId, name: &str, space: Space) -> Option<ScopeId> {
        let mut at = Some(from);
        while let Some(scope) = at {
            if self.binds(scope, name, space) {
                return Some(scope);
            }
            at = self.scopes[scope].parent;
        }
        None
    }

    pub fn resolve_one(&self, one: &Occurrence<'_>) -> Option<ScopeId> {
        self.resolve(one.scope, one.name, one.space)
    }

    /// The occurrences that stand for a name of a scope.
    pub fn of(&self, scope: ScopeId, name: &str) -> impl Iterator<Item = &Occurrence<'s>> {
        let same = move |one: &&Occurrence<'s>| one.name == name;
        self.occurrences.iter().filter(same).filter(move |one| self.resolve_one(one) == Some(scope))
    }

    /// The name at a place.
    pub fn at(&self, offset: usize) -> Option<&Occurrence<'s>> {
        self.occurrences.iter().find(|one| one.range.start <= offset && offset <= one.range.end)
    }

    pub fn member_at(&self, offset: usize) -> Option<&Member<'s>> {
        self.members.iter().find(|one| one.range.start <= offset && offset <= one.range.end)
    }

    /// The innermost scope that holds these bytes.
    pub fn scope_at(&self, range: &Range<usize>) -> ScopeId {
        let holds = |scope: &Scope| scope.range.start <= range.start && range.end <= scope.range.end;
        let found = self.scopes.iter().enumerate().filter(|(_, scope)| holds(scope));
        found.min_by_key(|(id, scope)| (scope.range.len(), std::cmp::Reverse(*id))).map_or(0, |(id, _)| id)
    }

    /// Whether a scope lies within another, or is it.
    pub fn is_within(&self, scope: ScopeId, outer: ScopeId) -> bool {
        std::iter::successors(Some(scope), |id| self.scopes[*id].parent).any(|id| id == outer)
    }

    /// The function around a scope, as the scope of its parameters; none outside of all functions.
    pub fn function_of(&self, scope: ScopeId) -> Option<ScopeId> {
        let mut all = std::iter::successors(Some(scope), |id| self.scopes[*id].parent);
        all.find(|id| self.scopes[*id].kind == ScopeKind::Function)
    }

    /// Whether the name is bound once and never given another value.
    pub fn is_constant(&self, scope: ScopeId, name: &str) -> bool {
        let mut bound = 0;
        for one in self.of(scope, name) {
            match one.role {
                Role::Bind(_) => bound += 1,
                Role::Write | Role::Change => return false,
                Role::Read => {}
            }
        }
        bound == 1
    }
}
