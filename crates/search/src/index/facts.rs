//! What one file tells the index.

use super::values::{Types, Value, Values};
use crate::matcher::span;
use crate::source::Source;
use formicary_model::patterns::{Symbol, SymbolKind};
use formicary_model::review::Span;
use formicary_syntax::scopes::{BindingKind, ScopeId, ScopeKind, Scopes};
use formicary_syntax::unit::ImportKind;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ClassId, ClassKind, Dialect, ExprId, ExprKind, Owner, Unit, parse};

/// The facts of one file.
#[derive(Debug)]
pub struct FileFacts {
    /// The file.
    pub path: String,
    /// Its grammar.
    pub dialect: Dialect,
    /// Java's and Go's package.
    pub package: Option<String>,
    /// What it defines.
    pub symbols: Vec<Symbol>,
    /// Which of these C and C++ only declare: another file defines them.
    pub declared: Vec<usize>,
    /// Which of these are for this file alone (C's and C++'s `static`).
    pub private: Vec<usize>,
    /// Rust's modules in this file: their paths.
    pub modules: Vec<String>,
    /// What it names.
    pub mentions: Vec<Mention>,
    /// What it imports.
    pub imports: Vec<ImportFact>,
    /// What Go and Java write of their types.
    pub types: Types,
}

/// One name that is read.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The last word of what is written.
    pub name: String,
    /// All of it, where it is a chain of names.
    pub written: String,
    /// Where.
    pub span: Span,
    /// The path of the function or class around it.
    pub within: String,
    /// Whether it is called.
    pub called: bool,
    /// What it stands for, as far as the file can tell.
    pub target: Target,
    /// How the value comes about whose method is called, where types are written.
    pub value: Option<Value>,
}

/// What a name stands for, as far as its file can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The symbol of this path in the same file.
    Here(String),
    /// What the n-th import brings, and what is taken from it.
    Imported(usize, Vec<String>),
    /// A Rust path, from the module around it.
    Path(Vec<String>),
    /// Rust's `self.member` and `Self::member`: the path of the type, and the member.
    Member(String, String),
    /// A local variable or parameter: no symbol at all.
    Local,
    /// Something with this name.
    Unknown,
}

/// One imported name.
#[derive(Debug, Clone, Default)]
pub struct ImportFact {
    /// The module as it is written.
    pub module: String,
    /// Python's leading dots.
    pub level: u32,
    /// The name there; none where the module itself is bound.
    pub name: Option<String>,
    /// The name here.
    pub local: String,
    /// All segments of a Rust path.
    pub path: Vec<String>,
    /// Whether everything is imported, or for Rust everything of a module.
    pub star: bool,
    /// Rust's `pub use`: others may import it from here.
    pub public: bool,
    /// Rust's `mod x;`.
    pub submodule: Option<Submodule>,
    /// The path of what holds it: for Rust a module or function.
    pub within: String,
    /// Whether it holds in a function alone.
    pub in_function: bool,
    /// The line.
    pub line: u32,
}

/// Rust's `mod x;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submodule {
    /// Its file has its name.
    Named,
    /// `#[path = "…"]` names the file.
    At(String),
}

/// Reads one file.
pub fn facts_of(source: &Source) -> FileFacts {
    let unit = parse(source.dialect(), source.text());
    let scopes = Scopes::new(&unit);
    let values = Values::new(&unit, &scopes);
    let types = values.as_ref().map(Values::types).unwrap_or_default();
    let mut reader =
        Reader { unit: &unit, scopes: &scopes, values, import_at: Vec::new(), mentions: Vec::new() };
    let imports = reader.imports();
    reader.mentions();
    let mentions = std::mem::take(&mut reader.mentions);
    let symbols = symbols(source, &unit, &scopes);
    let family = matches!(source.dialect(), Dialect::C | Dialect::Cpp);
    let those = |fits: &dyn Fn(&Symbol) -> bool| -> Vec<usize> {
        let all = symbols.iter().enumerate().filter(|(_, symbol)| family && fits(symbol));
        all.map(|(number, _)| number).collect()
    };
    let is_function = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
    let declared = those(&|symbol| is_function(symbol) && symbol.signature.ends_with(';'));
    let private = those(&|symbol| symbol.signature.starts_with("static "));
    FileFacts {
        declared,
        private,
        modules: unit
            .classes()
            .filter(|(_, class)| class.kind == ClassKind::Module)
            .map(|(id, _)| path_of(&unit, Owner::Class(id)))
            .collect(),
        path: source.path().to_owned(),
        dialect: source.dialect(),
        package: unit.package.map(str::to_owned),
        symbols,
        mentions,
        imports,
        types,
    }
}

/// The path of what holds a function or class.
pub(super) fn path_of(unit: &Unit<'_>, owner: Owner) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut owner = owner;
    for _ in 0..50 {
        match owner {
            Owner::File => break,
            Owner::Class(id) => {
                names.push(unit.class(id).name);
                owner = unit.class(id).owner;
            }
            Owner::Function(id) => {
                let function = unit.function(id);
                if !function.name.is_empty() {
                    names.push(function.name);
                }
                names.extend(function.receiver.filter(|receiver| !receiver.is_empty()));
                owner = function.owner;
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names.reverse();
    names.join(".")
}

fn symbols(source: &Source, unit: &Unit<'_>, scopes: &Scopes<'_>) -> Vec<Symbol> {
    let text = source.text();
    let symbol =
        |name: &str, path: String, kind, name_span: formicary_syntax::Span, whole: formicary_syntax::Span| {
            let line =
                unit.text(whole).lines().next().unwrap_or("").trim().trim_end_matches(['{', ':']).trim_end();
            Symbol {
                name: name.to_owned(),
                path,
                kind,
                file: source.path().to_owned(),
                language: source.dialect().language(),
                span: span(&unit.lines, text, name_span.start as usize..name_span.end as usize),
                end_line: unit.lines.line(whole.end.saturating_sub(1)),
                signature: line.chars().take(200).collect(),
                references: 0,
            }
        };
    let mut found = Vec::new();
    for (id, function) in unit.functions() {
        if function.name.is_empty() {
            continue;
        }
        let of_class =
            |owner| matches!(owner, Owner::Class(class) if unit.class(class).kind != ClassKind::Module);
        let method = of_class(function.owner) || function.receiver.is_some();
        let kind = if method { SymbolKind::Method } else { SymbolKind::Function };
        found.push(symbol(
            function.name,
            path_of(unit, Owner::Function(id)),
            kind,
            function.name_span,
            function.span,
        ));
    }
    for (id, class) in unit.classes() {
        let kind = match class.kind {
            ClassKind::Class | ClassKind::Struct | ClassKind::Union => SymbolKind::Class,
            ClassKind::Interface => SymbolKind::Interface,
            ClassKind::Enum => SymbolKind::Enum,
            ClassKind::Module => SymbolKind::Module,
            ClassKind::Alias => SymbolKind::Alias,
            ClassKind::Implementation => continue,
        };
        if !class.name.is_empty() {
            found.push(symbol(
                class.name,
                path_of(unit, Owner::Class(id)),
                kind,
                class.name_span,
                class.span,
            ));
        }
    }
    for binding in scopes.scopes.first().map(|file| file.bindings.as_slice()).unwrap_or_default() {
        if matches!(binding.kind, BindingKind::Variable(_))
            && !found.iter().any(|one| one.path == binding.name)
        {
            let whole = binding.span;
            found.push(symbol(binding.name, binding.name.to_owned(), SymbolKind::Variable, whole, whole));
        }
    }
    found.sort_by_key(|one| one.span.start_byte);
    found
}

struct Reader<'u, 'a> {
    unit: &'u Unit<'a>,
    scopes: &'u Scopes<'a>,
    values: Option<Values<'u, 'a>>,
    /// The first fact of each import.
    import_at: Vec<usize>,
    mentions: Vec<Mention>,
}

impl Reader<'_, '_> {
    fn imports(&mut self) -> Vec<ImportFact> {
        let mut facts = Vec::new();
        for import in &self.unit.imports {
            self.import_at.push(facts.len());
            let line = self.unit.lines.line(import.span.start);
            let text = self.unit.text(import.span);
            let within = match import.function {
                Some(function) => path_of(self.unit, Owner::Function(function)),
                None if self.unit.dialect == Dialect::Rust => self.module_around(import.span),
                None => String::new(),
            };
            let fact = |name: Option<String>, local: &str| ImportFact {
                module: import.module.to_owned(),
                level: import.level,
                name,
                local: local.to_owned(),
                path: import.path.iter().map(|part| (*part).to_owned()).collect(),
                star: import.star,
                public: import.kind == ImportKind::Reexport || text.starts_with("pub"),
                submodule: (import.kind == ImportKind::Submodule)
                    .then(|| submodule(&self.unit.source[..import.span.start as usize])),
                within: within.clone(),
                in_function: import.function.is_some(),
                line,
            };
            if import.names.is_empty() {
                facts.push(fact(None, ""));
            }
            // `import x` binds the module itself, `from x import x` what is in it.
            let taken_from = text.starts_with("from");
            for name in &import.names {
                let whole = name.name == import.module && !taken_from || matches!(name.name, "*");
                facts.push(fact((!whole).then(|| name.name.to_owned()), name.local));
            }
        }
        facts
    }

    /// The path of Rust's innermost module around a place.
    fn module_around(&self, place: formicary_syntax::Span) -> String {
        let around = |class: &formicary_syntax::Class<'_>| {
            class.kind == ClassKind::Module && class.span.start <= place.start && place.end <= class.span.end
        };
        let modules = self.unit.classes().filter(|(_, class)| around(class));
        let innermost = modules.max_by_key(|(_, class)| class.span.start);
        innermost.map_or(String::new(), |(id, _)| path_of(self.unit, Owner::Class(id)))
    }

    fn mentions(&mut self) {
        let unit = self.unit;
        self.block(&unit.body, 0, "");
        let scope_of = |kind: ScopeKind| self.scopes.scopes.iter().position(|scope| scope.kind == kind);
        let classes: Vec<(ClassId, ScopeId)> =
            unit.classes().filter_map(|(id, _)| Some((id, scope_of(ScopeKind::Class(id))?))).collect();
        for (id, scope) in classes {
            self.block(&unit.class(id).body, scope, &path_of(unit, Owner::Class(id)));
        }
        for (id, function) in unit.functions() {
            let scope = self.scopes.of_function.get(id.0 as usize).copied().unwrap_or(0);
            self.block(&function.body, scope, &path_of(unit, Owner::Function(id)));
        }
    }

    fn block(&mut self, block: &[formicary_syntax::StmtId], scope: ScopeId, within: &str) {
        let mut reads: Vec<ExprId> = Vec::new();
        self.unit.walk(block, Nested::Skip, &mut |step| {
            if let Step::Expr(id) = step {
                reads.push(id);
            }
        });
        let called: rustc_hash::FxHashSet<ExprId> = reads
            .iter()
            .filter_map(|id| match self.unit.kind(*id) {
                ExprKind::Call { callee, .. } => Some(*callee),
                _ => None,
            })
            .collect();
        // The names inside of a chain are told by the chain.
        let inner: rustc_hash::FxHashSet<ExprId> = reads
            .iter()
            .filter_map(|id| match self.unit.kind(*id) {
                ExprKind::Attribute { base, .. } => Some(*base),
                _ => None,
            })
            .collect();
        for id in reads {
            let is_name = matches!(self.unit.kind(id), ExprKind::Name(_) | ExprKind::Attribute { .. });
            if is_name && !(inner.contains(&id) && self.unit.dotted(id).is_some()) {
                self.mention(id, scope, within, called.contains(&id));
            }
        }
    }

    fn mention(&mut self, id: ExprId, scope: ScopeId, within: &str, called: bool) {
        let Some(name) = self.unit.last_name(id) else { return };
        let written = self.unit.dotted(id);
        let target = match &written {
            Some(chain) if self.unit.dialect == Dialect::Rust => self.rust_target(id, chain, scope),
            Some(chain) => self.target(chain, scope),
            None => Target::Unknown,
        };
        let whole = self.unit.expr(id).span;
        let is_member = called && matches!(self.unit.kind(id), ExprKind::Attribute { .. });
        let values = self.values.as_ref().filter(|_| is_member);
        let value = values.and_then(|values| values.value(id, scope));
        self.mentions.push(Mention {
            name: name.to_owned(),
            written: written.unwrap_or_else(|| name.to_owned()),
            span: span(&self.unit.lines, self.unit.source, whole.start as usize..whole.end as usize),
            within: within.to_owned(),
            called,
            target,
            value,
        });
    }

    fn target(&self, chain: &str, scope: ScopeId) -> Target {
        let mut parts = chain.split('.');
        let first = parts.next().unwrap_or("");
        let rest: Vec<&str> = parts.collect();
        let joined = |base: &str| rest.iter().fold(base.to_owned(), |path, part| format!("{path}.{part}"));
        if let ([member], "self" | "this" | "cls") = (rest.as_slice(), first) {
            return match self.class_around(scope) {
                Some(class) => Target::Here(format!("{class}.{member}")),
                None => Target::Unknown,
            };
        }
        let Some((at, binding)) = self.scopes.lookup(scope, first) else { return Target::Unknown };
        match binding.kind {
            BindingKind::Import(import, number) => {
                let fact = self.import_at.get(import.0 as usize).copied().unwrap_or(0) + number;
                Target::Imported(fact, rest.iter().map(|part| (*part).to_owned()).collect())
            }
            BindingKind::Function(id) => Target::Here(joined(&path_of(self.unit, Owner::Function(id)))),
            BindingKind::Class(id) => Target::Here(joined(&path_of(self.unit, Owner::Class(id)))),
            _ if at == 0 && rest.is_empty() => Target::Here(first.to_owned()),
            _ if rest.is_empty() => Target::Local,
            _ => Target::Unknown,
        }
    }

    /// What a chain of names means in Rust. Functions see the items of functions around them; the rest is a module's.
    fn rust_target(&self, id: ExprId, chain: &str, scope: ScopeId) -> Target {
        let parts: Vec<String> = chain.split('.').map(str::to_owned).collect();
        let Some((first, rest)) = parts.split_first() else { return Target::Unknown };
        let of_class = |member: &String| match self.class_around(scope) {
            Some(class) => Target::Member(class, member.clone()),
            None => Target::Unknown,
        };
        match (first.as_str(), rest) {
            ("self", [member]) if !self.is_path(id) => return of_class(member),
            ("Self", [member]) if self.is_path(id) => return of_class(member),
            (_, [_, ..]) if !self.is_path(id) => return Target::Unknown,
            _ => {}
        }
        let mut at = Some(scope);
        while let Some(here) = at.map(|at| &self.scopes.scopes[at]) {
            at = here.parent;
            if !matches!(here.kind, ScopeKind::Function(_)) {
                continue;
            }
            let Some(binding) = here.get(first) else { continue };
            return match (binding.kind, rest) {
                (BindingKind::Import(import, number), _) => {
                    let fact = self.import_at.get(import.0 as usize).copied().unwrap_or(0) + number;
                    Target::Imported(fact, rest.to_vec())
                }
                (BindingKind::Function(function), []) => {
                    Target::Here(path_of(self.unit, Owner::Function(function)))
                }
                (BindingKind::Class(class), []) => Target::Here(path_of(self.unit, Owner::Class(class))),
                (BindingKind::Class(class), [member]) => {
                    Target::Member(path_of(self.unit, Owner::Class(class)), member.clone())
                }
                (_, []) => Target::Local,
                _ => continue,
            };
        }
        Target::Path(parts)
    }

    /// Whether a chain is a path of Rust's, `a::b`, and no field or method.
    fn is_path(&self, id: ExprId) -> bool {
        let mut at = id;
        while let ExprKind::Attribute { base, name_span, .. } = self.unit.kind(at) {
            let before = self.unit.source.get(..name_span.start as usize).unwrap_or("");
            if !before.trim_end().ends_with("::") {
                return false;
            }
            at = *base;
        }
        true
    }

    fn class_around(&self, scope: ScopeId) -> Option<String> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let class = match self.scopes.scopes[id].kind {
                ScopeKind::Class(class) => Some(class),
                ScopeKind::Function(function) => self.unit.class_of(function),
                ScopeKind::File => None,
            };
            if let Some(class) = class.filter(|class| self.unit.class(*class).kind != ClassKind::Module) {
                return Some(path_of(self.unit, Owner::Class(class)));
            }
            at = self.scopes.scopes[id].parent;
        }
        None
    }
}

/// Which file a `mod x;` means, by the text before it.
fn submodule(before: &str) -> Submodule {
    let mut rest = before.trim_end();
    loop {
        let Some(attribute) =
            rest.strip_suffix(']').and_then(|inner| inner.rfind("#[").map(|at| &inner[at..]))
        else {
            return Submodule::Named;
        };
        let named = attribute.trim_start_matches("#[").trim().strip_prefix("path").map(str::trim_start);
        if let Some(path) = named.and_then(|named| named.strip_prefix('=')) {
            return Submodule::At(path.trim().trim_matches('"').to_owned());
        }
        rest = rest[..rest.len() - attribute.len() - 1].trim_end();
    }
}
