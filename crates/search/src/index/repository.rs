//! The facts of all files, joined.

use super::facts::{FileFacts, ImportFact, Mention, Target, facts_of};
use super::modules::Modules;
use super::receivers::Called;
use super::rust::{Crates, Meaning, Package};
use crate::source::Source;
use formicary_model::patterns::{Call, Dependency, Reference, Symbol, SymbolKind};
use formicary_syntax::Dialect;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How often a name may be handed on by files that only import it.
const MOST_HOPS: usize = 8;

/// A symbol by file and number.
pub(super) type Place = (usize, usize);

/// What a mention stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    /// This symbol, for certain.
    To(Place),
    /// Perhaps one that has its name.
    Named,
    /// None of this project.
    Nothing,
}

impl Link {
    fn place(self) -> Option<Place> {
        match self {
            Self::To(place) => Some(place),
            Self::Named | Self::Nothing => None,
        }
    }
}

/// The index of a project.
#[derive(Debug)]
pub struct RepositoryIndex {
    pub(super) files: Vec<FileFacts>,
    pub(super) modules: Modules,
    crates: Crates,
    by_name: FxHashMap<String, Vec<Place>>,
    by_path: FxHashMap<(usize, String), usize>,
    /// Of Go and Java: by package and path.
    pub(super) by_package: FxHashMap<(String, String), Vec<Place>>,
    /// Java's subclasses, at any distance.
    pub(super) heirs: FxHashMap<Place, Vec<Place>>,
    /// For each mention of each file.
    links: Vec<Vec<Link>>,
}

impl RepositoryIndex {
    /// Reads these files; the packages say by which names crates of Rust know each other.
    pub fn new(sources: &[Source], packages: &[Package]) -> Self {
        let files: Vec<FileFacts> = sources.par_iter().map(facts_of).collect();
        let modules = Modules::new(&files);
        let crates = Crates::new(&files, packages);
        let mut index = Self {
            files,
            modules,
            crates,
            by_name: FxHashMap::default(),
            by_path: FxHashMap::default(),
            by_package: FxHashMap::default(),
            heirs: FxHashMap::default(),
            links: Vec::new(),
        };
        for (file, facts) in index.files.iter().enumerate() {
            for (number, symbol) in facts.symbols.iter().enumerate() {
                index.by_name.entry(symbol.name.clone()).or_default().push((file, number));
                index.by_path.entry((file, symbol.path.clone())).or_insert(number);
            }
        }
        index.by_package = index.packages();
        index.heirs = index.heirs();
        let links = (0..index.files.len())
            .into_par_iter()
            .map(|file| index.files[file].mentions.iter().map(|mention| index.link(file, mention)).collect());
        index.links = links.collect();
        index.count();
        index
    }

    fn count(&mut self) {
        let mut counts: FxHashMap<Place, usize> = FxHashMap::default();
        for (file, facts) in self.files.iter().enumerate() {
            for (at, mention) in facts.mentions.iter().enumerate() {
                match self.links[file][at] {
                    Link::To(place) => *counts.entry(place).or_default() += 1,
                    Link::Named => {
                        for place in self.by_name.get(&mention.name).into_iter().flatten() {
                            *counts.entry(*place).or_default() += 1;
                        }
                    }
                    Link::Nothing => {}
                }
            }
        }
        for ((file, number), count) in counts {
            self.files[file].symbols[number].references = count;
        }
    }

    fn link(&self, file: usize, mention: &Mention) -> Link {
        let (found, otherwise) = match &mention.target {
            Target::Here(path) => (self.here(file, path), Link::Nothing),
            Target::Imported(import, rest) => {
                let import = self.files[file].imports.get(*import);
                (import.and_then(|import| self.imported(file, import, rest)), Link::Nothing)
            }
            Target::Path(path) => match self.crates.meaning(&self.files, file, &mention.within, path) {
                Some(Meaning::Item(place)) => (Some(place), Link::Nothing),
                Some(Meaning::Module(_) | Meaning::Outside) => (None, Link::Nothing),
                None => (None, Link::Named),
            },
            Target::Member(class, name) => (self.crates.member(&self.files, file, class, name), Link::Named),
            Target::Unknown => (self.without_import(file, mention), Link::Named),
            Target::Local => (None, Link::Nothing),
        };
        if let Some(place) = found {
            return self.defined(place).map_or(Link::Named, Link::To);
        }
        let called = mention.value.as_ref().and_then(|value| self.called(file, &mention.within, value));
        match called {
            Some(Called { place, certain: true }) => Link::To(place),
            Some(Called { certain: false, .. }) => Link::Named,
            None => otherwise,
        }
    }

    /// What a plain name means that needs no import: in Go the package's own, in Java the class's own, in C and C++ what the
    /// linker finds.
    fn without_import(&self, file: usize, mention: &Mention) -> Option<Place> {
        let facts = &self.files[file];
        if mention.called && facts.dialect == Dialect::Java && mention.written.contains('.') {
            return self.of_package(file, mention);
        }
        if !mention.called || mention.written != mention.name {
            return None;
        }
        match facts.dialect {
            Dialect::Java => {
                let mut around = mention.within.as_str();
                while let Some((outer, _)) = around.rsplit_once('.') {
                    if let Some(place) = self.here(file, &format!("{outer}.{}", mention.name)) {
                        return Some(place);
                    }
                    let inherited =
                        self.here(file, outer).and_then(|class| self.method(class, &mention.name));
                    if let Some(called) = inherited {
                        return Some(called.place).filter(|_| called.certain);
                    }
                    around = outer;
                }
                None
            }
            Dialect::Go => self.only(&mention.name, |place| {
                let other = &self.files[place.0];
                other.dialect == Dialect::Go
                    && other.package == facts.package
                    && folder(&other.path) == folder(&facts.path)
            }),
            Dialect::C | Dialect::Cpp => self.only(&mention.name, |place| {
                let other = &self.files[place.0];
                matches!(other.dialect, Dialect::C | Dialect::Cpp)
                    && !other.declared.contains(&place.1)
                    && (place.0 == file || !other.private.contains(&place.1))
            }),
            _ => None,
        }
    }

    /// `Other.method()` of a class of Java's in the same package, which needs no import.
    fn of_package(&self, file: usize, mention: &Mention) -> Option<Place> {
        let facts = &self.files[file];
        let fits = |place: &&Place| {
            let other = &self.files[place.0];
            other.dialect == Dialect::Java
                && other.package == facts.package
                && (facts.package.is_some() || folder(&other.path) == folder(&facts.path))
                && other.symbols[place.1].path == mention.written
        };
        let mut all = self.by_name.get(&mention.name)?.iter().filter(fits);
        // Overloads stand in one file.
        all.next().copied().filter(|first| all.all(|place| place.0 == first.0))
    }

    /// The one function of this name that fits, where it is the only one.
    fn only(&self, name: &str, fits: impl Fn(&Place) -> bool) -> Option<Place> {
        let is_function = |place: &Place| {
            let symbol = &self.files[place.0].symbols[place.1];
            symbol.kind == SymbolKind::Function && symbol.path == name
        };
        let mut all = self.by_name.get(name)?.iter().filter(|place| is_function(place) && fits(place));
        all.next().copied().filter(|_| all.next().is_none())
    }

    /// The definition of what a place of C or C++ only declares, where there is one; none where several may be meant.
    fn defined(&self, place: Place) -> Option<Place> {
        let symbol = &self.files[place.0].symbols[place.1];
        if !self.files[place.0].declared.contains(&place.1) {
            return Some(place);
        }
        let all = self.by_name.get(&symbol.name).into_iter().flatten();
        let mut definitions = all.filter(|other| {
            let facts = &self.files[other.0];
            let same = facts.symbols[other.1].path == symbol.path;
            same && matches!(facts.dialect, Dialect::C | Dialect::Cpp)
                && !facts.declared.contains(&other.1)
                && (other.0 == place.0 || !facts.private.contains(&other.1))
        });
        match (definitions.next(), definitions.next()) {
            (None, _) => Some(place),
            (Some(only), None) => Some(*only),
            (Some(_), Some(_)) => None,
        }
    }

    pub(super) fn here(&self, file: usize, path: &str) -> Option<Place> {
        self.by_path.get(&(file, path.to_owned())).map(|number| (file, *number))
    }

    /// Follows an import, and imports of the file that it names.
    pub(super) fn imported(&self, file: usize, import: &ImportFact, rest: &[String]) -> Option<Place> {
        if self.files[file].dialect == Dialect::Rust {
            return match self.crates.imported(&self.files, file, import, rest) {
                Some(Meaning::Item(place)) => Some(place),
                _ => None,
            };
        }
        let mut steps = vec![(file, import, rest.to_vec())];
        for _ in 0..MOST_HOPS {
            let (file, import, rest) = steps.pop()?;
            for target in self.modules.resolve(&self.files[file], import) {
                let facts = &self.files[target];
                // `from package import module` names a file, whose members follow.
                let stem = facts.path.trim_end_matches("/__init__.py").rsplit('/').next().unwrap_or("");
                let is_file = import.name.as_deref().is_some_and(|name| stem.split('.').next() == Some(name));
                let mut names: Vec<&str> = Vec::new();
                if !is_file || self.here(target, import.name.as_deref().unwrap_or("")).is_some() {
                    names.extend(import.name.as_deref().filter(|name| *name != "default"));
                }
                names.extend(rest.iter().map(String::as_str));
                if let Some(place) = self.here(target, &names.join(".")) {
                    return Some(place);
                }
                let Some((first, others)) = names.split_first() else { continue };
                if let Some(onward) = facts.imports.iter().find(|import| import.local == *first) {
                    steps.push((target, onward, others.iter().map(|name| (*name).to_owned()).collect()));
                }
            }
        }
        None
    }

    /// Every symbol whose name or path is this, or holds it where none is; in the order of files.
    pub fn symbols(&self, name: Option<&str>, kind: Option<SymbolKind>) -> Vec<&Symbol> {
        let all = || self.files.iter().flat_map(|file| &file.symbols);
        let of_kind = |symbol: &&Symbol| kind.is_none_or(|kind| symbol.kind == kind);
        let Some(name) = name else { return all().filter(of_kind).collect() };
        let exact: Vec<&Symbol> = all().filter(of_kind).filter(|symbol| is_named(symbol, name)).collect();
        if !exact.is_empty() {
            return exact;
        }
        let lower = name.to_lowercase();
        all().filter(of_kind).filter(|symbol| symbol.path.to_lowercase().contains(&lower)).collect()
    }

    /// Where a symbol is named.
    pub fn references(&self, symbol: &Symbol) -> Vec<Reference> {
        let place = self.by_name.get(&symbol.name).into_iter().flatten().find(|(file, number)| {
            self.files[*file].path == symbol.file && self.files[*file].symbols[*number].span == symbol.span
        });
        let Some(place) = place else { return Vec::new() };
        let mut found = Vec::new();
        for (file, facts) in self.files.iter().enumerate() {
            for (at, mention) in facts.mentions.iter().enumerate() {
                if let Some(certain) = self.is_about(file, at, *place) {
                    found.push(Reference {
                        file: facts.path.clone(),
                        span: mention.span,
                        within: mention.within.clone(),
                        certain,
                    });
                }
            }
        }
        found
    }

    /// Whether a mention is a symbol: certainly, by its name, or not.
    fn is_about(&self, file: usize, at: usize, place: Place) -> Option<bool> {
        let mention = self.files[file].mentions.get(at)?;
        match self.links[file].get(at)? {
            Link::To(link) => (*link == place).then_some(true),
            Link::Named => {
                let symbol = &self.files[place.0].symbols[place.1];
                let alike = mention.name == symbol.name
                    && self.files[file].dialect.language() == self.files[place.0].dialect.language();
                alike.then_some(false)
            }
            Link::Nothing => None,
        }
    }

    /// Who calls the functions of this name, up to so many calls away.
    pub fn callers(&self, name: &str, depth: usize, only_certain: bool) -> Vec<Call> {
        let mut wanted = self.places(name);
        let mut seen: FxHashSet<Place> = wanted.iter().copied().collect();
        let mut calls = Vec::new();
        for _ in 0..depth.max(1) {
            let mut next = Vec::new();
            for place in wanted {
                for (file, facts) in self.files.iter().enumerate() {
                    for (at, mention) in
                        facts.mentions.iter().enumerate().filter(|(_, mention)| mention.called)
                    {
                        let Some(certain) = self.is_about(file, at, place) else { continue };
                        if only_certain && !certain {
                            continue;
                        }
                        calls.push(self.call(file, mention, Some(place), certain));
                        next.extend(self.here(file, &mention.within).filter(|caller| seen.insert(*caller)));
                    }
                }
            }
            wanted = next;
        }
        sorted(calls)
    }

    /// Whom the functions of this name call, up to so many calls away.
    pub fn callees(&self, name: &str, depth: usize, only_certain: bool) -> Vec<Call> {
        let mut wanted = self.places(name);
        let mut seen: FxHashSet<Place> = wanted.iter().copied().collect();
        let mut calls = Vec::new();
        for _ in 0..depth.max(1) {
            let mut next = Vec::new();
            for (file, number) in wanted {
                let path = self.files[file].symbols[number].path.clone();
                let inner = format!("{path}.");
                for (at, mention) in self.files[file].mentions.iter().enumerate() {
                    let within = mention.within == path || mention.within.starts_with(&inner);
                    if !mention.called || !within {
                        continue;
                    }
                    let link = self.links[file][at];
                    let certain = link.place();
                    let alike = self.by_name.get(&mention.name).filter(|_| link == Link::Named);
                    let by_name = alike
                        .and_then(|places| if places.len() == 1 { places.first().copied() } else { None });
                    if only_certain && certain.is_none() {
                        continue;
                    }
                    let callee = certain.or(by_name);
                    calls.push(self.call(file, mention, callee, certain.is_some()));
                    next.extend(callee.filter(|callee| seen.insert(*callee)));
                }
            }
            wanted = next;
        }
        sorted(calls)
    }

    fn call(&self, file: usize, mention: &Mention, callee: Option<Place>, certain: bool) -> Call {
        let symbol = callee.map(|(file, number)| &self.files[file].symbols[number]);
        Call {
            caller: mention.within.clone(),
            callee: symbol.map_or_else(|| mention.written.clone(), |symbol| symbol.path.clone()),
            file: self.files[file].path.clone(),
            span: mention.span,
            callee_file: symbol.map(|symbol| symbol.file.clone()),
            certain,
        }
    }

    /// Whether anything that can be called has this name.
    pub fn knows(&self, name: &str) -> bool {
        !self.places(name).is_empty()
    }

    /// All names, for "did you mean".
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    fn places(&self, name: &str) -> Vec<Place> {
        let mut found: Vec<Place> = Vec::new();
        for (file, facts) in self.files.iter().enumerate() {
            let named = facts.symbols.iter().enumerate().filter(|(_, symbol)| is_named(symbol, name));
            found.extend(named.map(|(number, _)| (file, number)));
        }
        // A declaration and its definition are one function.
        let all = found.clone();
        found.retain(|place| {
            let symbol = &self.files[place.0].symbols[place.1];
            let declared = |place: &Place| self.files[place.0].declared.contains(&place.1);
            // What is `static` in another file is another function.
            let another = |other: &Place| {
                self.files[other.0].symbols[other.1].path == symbol.path
                    && (other.0 == place.0 || !self.files[other.0].private.contains(&other.1))
                    && (!declared(other) || other < place)
            };
            !declared(place) || !all.iter().any(|other| other != place && another(other))
        });
        found
    }

    /// Which file needs which.
    pub fn dependencies(&self) -> Vec<Dependency> {
        let mut found = BTreeSet::new();
        for (at, facts) in self.files.iter().enumerate() {
            for import in &facts.imports {
                let targets = match facts.dialect {
                    Dialect::Rust => self.crates.file_of(&self.files, at, import).into_iter().collect(),
                    _ => self.modules.resolve(facts, import),
                };
                let arrow = |to: String, internal| Dependency {
                    from: facts.path.clone(),
                    to,
                    internal,
                    line: import.line,
                };
                if targets.is_empty() {
                    found.insert(arrow(
                        format!("{}{}", ".".repeat(import.level as usize), import.module),
                        false,
                    ));
                }
                for target in targets.into_iter().filter(|target| self.files[*target].path != facts.path) {
                    found.insert(arrow(self.files[target].path.clone(), true));
                }
            }
        }
        found.into_iter().collect()
    }
}

pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_named(symbol: &Symbol, name: &str) -> bool {
    symbol.name == name || symbol.path == name || symbol.path.ends_with(&format!(".{name}"))
}

fn sorted(mut calls: Vec<Call>) -> Vec<Call> {
    calls.sort_by(|a, b| (&a.file, a.span, &a.callee).cmp(&(&b.file, b.span, &b.callee)));
    calls.dedup_by(|a, b| {
        a.file == b.file && a.span == b.span && a.callee == b.callee && a.callee_file == b.callee_file
    });
    calls
}
