//! The facts of all files, joined.

use super::facts::{FileFacts, ImportFact, Mention, Target, facts_of};
use super::modules::Modules;
use crate::source::Source;
use formicary_model::patterns::{Call, Dependency, Reference, Symbol, SymbolKind};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How often a name may be handed on by files that only import it.
const MOST_HOPS: usize = 8;

/// A symbol by file and number.
type Place = (usize, usize);

/// The index of a project.
#[derive(Debug)]
pub struct RepositoryIndex {
    files: Vec<FileFacts>,
    modules: Modules,
    by_name: FxHashMap<String, Vec<Place>>,
    by_path: FxHashMap<(usize, String), usize>,
    /// For each mention: the symbol that it is for certain.
    links: Vec<Vec<Option<Place>>>,
}

impl RepositoryIndex {
    /// Reads these files.
    pub fn new(sources: &[Source]) -> Self {
        let files: Vec<FileFacts> = sources.par_iter().map(facts_of).collect();
        let modules = Modules::new(&files);
        let mut index = Self {
            files,
            modules,
            by_name: FxHashMap::default(),
            by_path: FxHashMap::default(),
            links: Vec::new(),
        };
        for (file, facts) in index.files.iter().enumerate() {
            for (number, symbol) in facts.symbols.iter().enumerate() {
                index.by_name.entry(symbol.name.clone()).or_default().push((file, number));
                index.by_path.entry((file, symbol.path.clone())).or_insert(number);
            }
        }
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
                    Some(place) => *counts.entry(place).or_default() += 1,
                    None if mention.target == Target::Unknown => {
                        for place in self.by_name.get(&mention.name).into_iter().flatten() {
                            *counts.entry(*place).or_default() += 1;
                        }
                    }
                    None => {}
                }
            }
        }
        for ((file, number), count) in counts {
            self.files[file].symbols[number].references = count;
        }
    }

    fn link(&self, file: usize, mention: &Mention) -> Option<Place> {
        match &mention.target {
            Target::Here(path) => self.here(file, path),
            Target::Imported(import, rest) => {
                self.imported(file, self.files[file].imports.get(*import)?, rest)
            }
            Target::Local | Target::Unknown => None,
        }
    }

    fn here(&self, file: usize, path: &str) -> Option<Place> {
        self.by_path.get(&(file, path.to_owned())).map(|number| (file, *number))
    }

    /// Follows an import, and imports of the file that it names.
    fn imported(&self, file: usize, import: &ImportFact, rest: &[String]) -> Option<Place> {
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
            Some(link) => (*link == place).then_some(true),
            None => {
                let symbol = &self.files[place.0].symbols[place.1];
                let alike = mention.name == symbol.name
                    && mention.target == Target::Unknown
                    && self.files[file].dialect.language() == self.files[place.0].dialect.language();
                alike.then_some(false)
            }
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
                    let certain = self.links[file][at];
                    let alike = self.by_name.get(&mention.name).filter(|_| mention.target == Target::Unknown);
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
        let mut found = Vec::new();
        for (file, facts) in self.files.iter().enumerate() {
            let named = facts.symbols.iter().enumerate().filter(|(_, symbol)| is_named(symbol, name));
            found.extend(named.map(|(number, _)| (file, number)));
        }
        found
    }

    /// Which file needs which.
    pub fn dependencies(&self) -> Vec<Dependency> {
        let mut found = BTreeSet::new();
        for facts in &self.files {
            for import in &facts.imports {
                let targets = self.modules.resolve(facts, import);
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
