//! One version of the code as declarations: types with fields, methods with statements.

use super::fields::{self, Field};
use formicary_clones::tokens::{Class, Token, number, tokens};
use formicary_syntax::{
    ClassId, ClassKind, Dialect, ExprId, FunctionId, Owner, ParameterKind, Span, StmtId, Unit, parse,
};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// A file of one version.
#[derive(Debug, Clone, Copy)]
pub struct VersionFile<'a> {
    /// Relative to the project.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A file that was read.
#[derive(Debug)]
pub struct File<'a> {
    /// Relative to the project.
    pub path: &'a str,
    /// Its form.
    pub unit: Unit<'a>,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// The statements of each method, those of its lambdas included.
    statements: FxHashMap<FunctionId, Vec<StmtId>>,
}

impl<'a> File<'a> {
    fn new(path: &'a str, unit: Unit<'a>, tokens: Vec<Token>) -> Self {
        let mut holders: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
        let mut statements: FxHashMap<FunctionId, Vec<StmtId>> = FxHashMap::default();
        for (id, stmt) in unit.stmts() {
            let Some(function) = stmt.function else { continue };
            let holder = *holders.entry(function).or_insert_with(|| holder(&unit, function));
            statements.entry(holder).or_default().push(id);
        }
        Self { path, unit, tokens, statements }
    }

    /// The statements of a method, in the order of the unit.
    pub fn statements_of(&self, method: FunctionId) -> &[StmtId] {
        self.statements.get(&method).map_or(&[], Vec::as_slice)
    }

    /// The words within a span.
    pub fn words(&self, span: Span) -> Vec<&'a str> {
        self.within(span).iter().map(|token| self.word(token)).collect()
    }

    /// The words of a statement.
    pub fn words_of(&self, statement: &Statement) -> Vec<&'a str> {
        self.tokens[statement.tokens.clone()].iter().map(|token| self.word(token)).collect()
    }

    /// The text of a token.
    pub fn word(&self, token: &Token) -> &'a str {
        self.unit.source.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// The tokens within a span.
    pub fn within(&self, span: Span) -> &[Token] {
        let from = self.tokens.partition_point(|token| token.start < span.start);
        let to = self.tokens.partition_point(|token| token.start < span.end);
        &self.tokens[from..to.max(from)]
    }
}

/// One statement of a body, as far as marks and lines tell.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Its words.
    pub exact: u64,
    /// Its shape.
    pub shape: u64,
    /// Its tokens in the file's list.
    pub tokens: std::ops::Range<usize>,
    /// Its first line.
    pub line: u32,
}

impl Statement {
    /// How much it says.
    pub fn size(&self) -> usize {
        self.tokens.len()
    }
}

/// A type.
#[derive(Debug)]
pub struct Type<'a> {
    /// The number of its file.
    pub file: usize,
    /// Its number there.
    pub id: ClassId,
    /// Its name.
    pub name: &'a str,
    /// Package, outer types and name.
    pub path: String,
    /// What it is.
    pub kind: ClassKind,
    /// The last words of what it extends and implements.
    pub bases: Vec<&'a str>,
    /// Its fields.
    pub fields: Vec<Field<'a>>,
    /// Its methods, in the version's list.
    pub methods: Vec<usize>,
}

/// A parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its type as written.
    pub kind: Option<&'a str>,
    /// Where its name stands.
    pub span: Span,
    /// Its number among the function's parameters.
    pub index: usize,
}

/// A function or method.
#[derive(Debug)]
pub struct Method<'a> {
    /// The number of its file.
    pub file: usize,
    /// Its number there.
    pub id: FunctionId,
    /// Its name.
    pub name: &'a str,
    /// Its type in the version's list.
    pub owner: Option<usize>,
    /// The path of its type, or of the file's package.
    pub home: String,
    /// What it takes, without the receiver.
    pub parameters: Vec<Parameter<'a>>,
    /// What it gives.
    pub returns: Option<&'a str>,
    /// What it does.
    pub body: Vec<Statement>,
    /// What it calls, by the last word.
    pub calls: FxHashSet<&'a str>,
    /// The same for equal bodies.
    pub body_hash: u64,
}

impl Method<'_> {
    /// How much its body says.
    pub fn weight(&self) -> usize {
        self.body.iter().map(Statement::size).sum()
    }

    /// `Type.name`, or the name.
    pub fn shown(&self) -> String {
        match self.home.rsplit(['.', '/']).next() {
            Some(last) if self.owner.is_some() => format!("{last}.{}", self.name),
            _ => self.name.to_owned(),
        }
    }
}

/// One version.
#[derive(Debug, Default)]
pub struct Version<'a> {
    /// Its files.
    pub files: Vec<File<'a>>,
    /// Its types.
    pub types: Vec<Type<'a>>,
    /// Its functions and methods.
    pub methods: Vec<Method<'a>>,
}

impl<'a> Version<'a> {
    /// Reads the files.
    pub fn read(files: &[VersionFile<'a>]) -> Self {
        let mut version = Self::default();
        // Nearly all of the time goes into parsing.
        let read = |file: &VersionFile<'a>| {
            let dialect = Dialect::of_file(file.path, file.text)?;
            let unit = parse(dialect, file.text);
            Some(File::new(file.path, unit, tokens(dialect, file.text)))
        };
        let parsed: Vec<File<'a>> = files.par_iter().filter_map(read).collect();
        parsed.into_iter().for_each(|file| version.take(file));
        version
    }

    fn take(&mut self, file: File<'a>) {
        let number = self.files.len();
        let package = file.unit.package.unwrap_or("");
        let mut types: FxHashMap<ClassId, usize> = FxHashMap::default();
        let mut by_path: FxHashMap<String, usize> = FxHashMap::default();
        for (id, class) in file.unit.classes() {
            if class.kind == ClassKind::Module || class.kind == ClassKind::Alias {
                continue;
            }
            let path = class_path(&file.unit, id, package);
            // Rust's `impl`s and Go's methods belong to the type that they name.
            if let Some(same) = by_path.get(&path) {
                types.insert(id, *same);
                continue;
            }
            if class.name.is_empty() {
                continue;
            }
            let bases = class.bases.iter().filter_map(|base| last_word(&file.unit, *base)).collect();
            types.insert(id, self.types.len());
            by_path.insert(path.clone(), self.types.len());
            self.types.push(Type {
                file: number,
                id,
                name: class.name,
                path,
                kind: class.kind,
                bases,
                fields: fields::of(&file, id),
                methods: Vec::new(),
            });
        }
        for (id, function) in file.unit.functions() {
            if !is_method(&file.unit, function) {
                continue;
            }
            let owner = match function.owner {
                Owner::Class(class) => types.get(&class).copied(),
                _ => None,
            };
            let home = match (owner, function.owner) {
                (Some(owner), _) => self.types[owner].path.clone(),
                (None, Owner::Function(outer)) => owner_path(&file.unit, Owner::Function(outer), package),
                _ => package.to_owned(),
            };
            let method = self.method(&file, number, id, owner, home);
            if let Some(owner) = owner {
                self.types[owner].methods.push(self.methods.len());
            }
            self.methods.push(method);
        }
        self.files.push(file);
    }

    fn method(
        &self,
        file: &File<'a>,
        number_of_file: usize,
        id: FunctionId,
        owner: Option<usize>,
        home: String,
    ) -> Method<'a> {
        let function = file.unit.function(id);
        let body = if function.has_body { statements(file, function.body_span) } else { Vec::new() };
        let mut hasher = FxHasher::default();
        body.iter().for_each(|statement| statement.exact.hash(&mut hasher));
        let own = file.within(function.body_span);
        let calls = own
            .windows(2)
            .filter(|pair| pair[0].class == Class::Name && file.word(&pair[1]) == "(")
            .map(|pair| file.word(&pair[0]))
            .collect();
        let parameters = function
            .parameters
            .iter()
            .enumerate()
            .filter(|(_, parameter)| parameter.kind != ParameterKind::Receiver)
            .map(|(index, parameter)| Parameter {
                name: parameter.name,
                kind: parameter.annotation,
                span: parameter.span,
                index,
            })
            .collect();
        Method {
            file: number_of_file,
            id,
            name: function.name,
            owner,
            home,
            parameters,
            returns: function.returns,
            body,
            calls,
            body_hash: hasher.finish(),
        }
    }

    /// What tells a method from all others of its version.
    pub fn key_of(&self, method: usize) -> (usize, FunctionId) {
        (self.methods[method].file, self.methods[method].id)
    }

    /// The function in which a method stands, if it stands in one; one without a name belongs to the one around it.
    pub fn outer_of(&self, method: &Method<'a>) -> Option<(usize, FunctionId)> {
        let unit = &self.file_of(method).unit;
        match unit.function(method.id).owner {
            Owner::Function(outer) => Some((method.file, holder(unit, outer))),
            Owner::File | Owner::Class(_) => None,
        }
    }

    /// The file of a method.
    pub fn file_of(&self, method: &Method<'a>) -> &File<'a> {
        &self.files[method.file]
    }
}

/// Whether a function is looked at by itself; others belong to the one around them.
fn is_method(unit: &Unit<'_>, function: &formicary_syntax::Function<'_>) -> bool {
    // In Java only classes without a name have methods within a method.
    let inner = has_name_around(unit, function);
    !function.name.is_empty() && !(inner && (function.lambda || unit.dialect == Dialect::Java))
}

/// Whether a function lies in one that has a name. One without only holds a module together: `(function () { … })()`.
fn has_name_around(unit: &Unit<'_>, function: &formicary_syntax::Function<'_>) -> bool {
    let mut owner = function.owner;
    for _ in 0..50 {
        let Owner::Function(outer) = owner else { return false };
        let outer = unit.function(outer);
        if !outer.name.is_empty() || unit.dialect == Dialect::Java {
            return true;
        }
        owner = outer.owner;
    }
    true
}

fn holder(unit: &Unit<'_>, mut id: FunctionId) -> FunctionId {
    for _ in 0..50 {
        let function = unit.function(id);
        match function.owner {
            Owner::Function(outer) if !is_method(unit, function) => id = outer,
            _ => break,
        }
    }
    id
}

fn class_path(unit: &Unit<'_>, id: ClassId, package: &str) -> String {
    owner_path(unit, Owner::Class(id), package)
}

fn owner_path(unit: &Unit<'_>, mut at: Owner, package: &str) -> String {
    let mut names = Vec::new();
    while names.len() < 50 {
        match at {
            Owner::File => break,
            Owner::Class(class) => {
                names.push(unit.class(class).name);
                at = unit.class(class).owner;
            }
            Owner::Function(function) => {
                names.push(unit.function(function).name);
                at = unit.function(function).owner;
            }
        }
    }
    if !package.is_empty() {
        names.push(package);
    }
    names.reverse();
    names.join(".")
}

fn last_word<'a>(unit: &Unit<'a>, base: ExprId) -> Option<&'a str> {
    let text = unit.last_name(base).unwrap_or_else(|| unit.text(unit.expr(base).span));
    let text = text.split(['<', '(']).next()?;
    text.rsplit(['.', ':']).next().map(str::trim)
}

/// The statements of a body; lone brackets and `pass` are left out.
fn statements(file: &File<'_>, span: Span) -> Vec<Statement> {
    let from = file.tokens.partition_point(|token| token.start < span.start);
    let to = file.tokens.partition_point(|token| token.start < span.end);
    let own = &file.tokens[from..to.max(from)];
    let mut out = Vec::new();
    let mut at = 0;
    while at < own.len() {
        let end = own[at + 1..].iter().position(|token| token.begins).map_or(own.len(), |next| at + 1 + next);
        let run = &own[at..end];
        if run.len() > 1 || run[0].class == Class::Name {
            let (mut exact, mut shape) = (FxHasher::default(), FxHasher::default());
            for token in run {
                number(file.word(token).as_bytes()).hash(&mut exact);
                token.shape.hash(&mut shape);
            }
            out.push(Statement {
                exact: exact.finish(),
                shape: shape.finish(),
                tokens: from + at..from + end,
                line: run[0].line,
            });
        }
        at = end;
    }
    out
}
