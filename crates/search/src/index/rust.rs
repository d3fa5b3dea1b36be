//! Rust's module tree, and what a path in it means.

use super::facts::{FileFacts, ImportFact, Submodule};
use super::repository::Place;
use formicary_model::patterns::{Symbol, SymbolKind};
use formicary_syntax::Dialect;
use rustc_hash::{FxHashMap, FxHashSet};

/// How deep modules lie within each other at most.
const DEEPEST: usize = 64;
/// Crates that come with the compiler.
const OF_THE_COMPILER: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// A module: its file, and its path there where braces hold it.
type Module = (usize, String);

/// A Rust package of the project, as its `Cargo.toml` describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The name by which other crates use its library.
    pub name: String,
    /// The file with which its library begins, relative to the project.
    pub root: String,
}

/// What a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A symbol.
    Item(Place),
    /// A module.
    Module(Module),
    /// Something that is not in this project.
    Outside,
}

/// Whether the last segment of a path is meant, or one that others follow: a function and a module may share a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Segment {
    Last,
    Inner,
}

/// The modules of all crates.
#[derive(Debug, Default)]
pub struct Crates {
    /// Where each file is declared: more than once where a library and a program share it.
    parents: FxHashMap<usize, Vec<Module>>,
    children: FxHashMap<(Module, String), usize>,
    inline: FxHashSet<Module>,
    items: FxHashMap<(usize, String), Vec<usize>>,
    uses: FxHashMap<Module, Vec<usize>>,
    /// Imports of everything that hold in one function.
    local_globs: FxHashMap<usize, Vec<usize>>,
    libraries: FxHashMap<String, usize>,
    /// By type and name.
    methods: FxHashMap<(Place, String), Vec<Place>>,
}

impl Crates {
    /// Reads the module tree out of the facts of all files.
    pub fn new(files: &[FileFacts], packages: &[Package]) -> Self {
        let mut tree = Self::default();
        let by_path: FxHashMap<&str, usize> =
            files.iter().enumerate().map(|(at, file)| (file.path.as_str(), at)).collect();
        let rust = || files.iter().enumerate().filter(|(_, file)| file.dialect == Dialect::Rust);
        for package in packages {
            tree.libraries
                .extend(by_path.get(package.root.as_str()).map(|root| (package.name.clone(), *root)));
        }
        for (at, file) in rust() {
            tree.inline.extend(file.modules.iter().map(|path| (at, path.clone())));
            for (number, symbol) in file.symbols.iter().enumerate() {
                tree.items.entry((at, symbol.path.clone())).or_default().push(number);
            }
        }
        // Where the files of a module lie depends on whether its own is the first of a crate: those that nothing declares are.
        for first_of_crates in [false, true] {
            for (at, file) in rust()
                .filter(|(at, _)| !first_of_crates || !tree.parents.contains_key(at))
                .collect::<Vec<_>>()
            {
                tree.declare(at, file, &by_path, first_of_crates);
            }
        }
        for (at, file) in rust() {
            for (number, import) in
                file.imports.iter().enumerate().filter(|(_, import)| import.submodule.is_none())
            {
                if !import.in_function {
                    tree.uses.entry((at, import.within.clone())).or_default().push(number);
                } else if import.star {
                    tree.local_globs.entry(at).or_default().push(number);
                }
            }
        }
        let mut methods: FxHashMap<(Place, String), Vec<Place>> = FxHashMap::default();
        for (at, file) in rust() {
            for (number, symbol) in file.symbols.iter().enumerate() {
                if symbol.kind == SymbolKind::Method
                    && let Some((class, name)) = symbol.path.rsplit_once('.')
                    && let Some(class) = tree.class(files, at, class)
                {
                    methods.entry((class, name.to_owned())).or_default().push((at, number));
                }
            }
        }
        tree.methods = methods;
        tree
    }

    fn declare(&mut self, at: usize, file: &FileFacts, by_path: &FxHashMap<&str, usize>, is_root: bool) {
        let (directory, last) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        let below = |directory: &str, name: &str| match directory {
            "" => name.to_owned(),
            _ => format!("{directory}/{name}"),
        };
        let own = match last.trim_end_matches(".rs") {
            "mod" | "lib" | "main" | "build" => directory.to_owned(),
            _ if is_root => directory.to_owned(),
            stem => below(directory, stem),
        };
        for import in &file.imports {
            let (Some(submodule), Some(name)) = (&import.submodule, import.path.first()) else { continue };
            let inside = import.within.split('.').filter(|part| !part.is_empty());
            let home = inside.fold(own.clone(), |home, part| below(&home, part));
            let paths = match submodule {
                Submodule::Named => {
                    vec![below(&home, &format!("{name}.rs")), below(&home, &format!("{name}/mod.rs"))]
                }
                Submodule::At(path) => vec![super::modules::join(&file.path, path)],
            };
            let found = paths.iter().find_map(|path| by_path.get(path.as_str()).copied());
            let Some(child) = found.filter(|child| *child != at) else { continue };
            let module = (at, import.within.clone());
            self.parents.entry(child).or_default().push(module.clone());
            self.children.insert((module, name.clone()), child);
        }
    }

    /// The files that an import needs: the module that holds what it names.
    pub fn file_of(&self, files: &[FileFacts], file: usize, import: &ImportFact) -> Option<usize> {
        let from = self.module_of(file, &import.within);
        if import.submodule.is_some() {
            return self.children.get(&(from, import.path.first()?.clone())).copied();
        }
        let mut holder = None;
        for count in (1..=import.path.len()).rev() {
            let segment = if count == import.path.len() { Segment::Last } else { Segment::Inner };
            match Walk::new(self, files).path(&from, &import.path[..count], segment) {
                Some(Meaning::Module((file, _))) => return Some(file),
                Some(Meaning::Item((file, _))) => {
                    holder.get_or_insert(file);
                }
                Some(Meaning::Outside) | None => {}
            }
        }
        holder
    }

    /// What a path means in the function or class of this path.
    pub fn meaning(
        &self,
        files: &[FileFacts],
        file: usize,
        within: &str,
        path: &[String],
    ) -> Option<Meaning> {
        let from = self.module_of(file, within);
        let first = path.first()?;
        let segment = if path.len() == 1 { Segment::Last } else { Segment::Inner };
        for number in self.local_globs.get(&file).into_iter().flatten() {
            let import = &files[file].imports[*number];
            let holds = within == import.within || within.starts_with(&format!("{}.", import.within));
            if let (true, Some(Meaning::Module(module))) =
                (holds, Walk::new(self, files).path(&from, &import.path, Segment::Inner))
                && let Some(start) = Walk::new(self, files).item(&module, first, segment)
            {
                return Walk::new(self, files).on(start, &path[1..], Segment::Last);
            }
        }
        Walk::new(self, files).path(&from, path, Segment::Last)
    }

    /// What an import means together with what is taken from it.
    pub fn imported(
        &self,
        files: &[FileFacts],
        file: usize,
        import: &ImportFact,
        rest: &[String],
    ) -> Option<Meaning> {
        let path: Vec<String> = import.path.iter().chain(rest).cloned().collect();
        let meaning =
            Walk::new(self, files).path(&self.module_of(file, &import.within), &path, Segment::Last);
        meaning.or(Some(Meaning::Outside))
    }

    /// A method or associated function of the type of this path in a file, wherever it is written.
    pub fn member(&self, files: &[FileFacts], file: usize, class: &str, name: &str) -> Option<Place> {
        let here = self.items.get(&(file, format!("{class}.{name}"))).map(Vec::as_slice);
        if let Some([only]) = here {
            return Some((file, *only));
        }
        self.method(self.class(files, file, class)?, name)
    }

    /// The only method of this name that a type has.
    fn method(&self, class: Place, name: &str) -> Option<Place> {
        match self.methods.get(&(class, name.to_owned()))?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The type that an `impl` of this path is about.
    fn class(&self, files: &[FileFacts], file: usize, path: &str) -> Option<Place> {
        let is_class = |number: &usize| !is_function(&files[file].symbols[*number]);
        let here = self.items.get(&(file, path.to_owned())).into_iter().flatten().copied().find(is_class);
        if let Some(number) = here {
            return Some((file, number));
        }
        let module = self.module_of(file, path);
        let written = path.get(module.1.len()..)?.trim_start_matches('.');
        let segments: Vec<String> = written.split("::").map(|part| part.trim().to_owned()).collect();
        match Walk::new(self, files).path(&module, &segments, Segment::Inner)? {
            Meaning::Item(place) => Some(place),
            Meaning::Module(_) | Meaning::Outside => None,
        }
    }

    /// The module around what has this path.
    fn module_of(&self, file: usize, within: &str) -> Module {
        let mut path = within;
        loop {
            let module = (file, path.to_owned());
            if path.is_empty() || self.inline.contains(&module) {
                return module;
            }
            path = path.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
    }

    fn parent(&self, module: &Module) -> Option<Module> {
        match module.1.rsplit_once('.') {
            Some((outer, _)) => Some((module.0, outer.to_owned())),
            None if !module.1.is_empty() => Some((module.0, String::new())),
            None => self.parents.get(&module.0)?.first().cloned(),
        }
    }

    /// The first files of the crates that a file belongs to.
    fn roots(&self, file: usize) -> Vec<usize> {
        let (mut roots, mut pending) = (Vec::new(), vec![file]);
        let mut seen = FxHashSet::default();
        while let Some(file) = pending.pop().filter(|_| seen.len() < DEEPEST) {
            match self.parents.get(&file) {
                _ if !seen.insert(file) => {}
                Some(parents) => pending.extend(parents.iter().rev().map(|(parent, _)| *parent)),
                None => roots.push(file),
            }
        }
        roots
    }

    /// Whether one module lies in another, and so sees what is private there.
    fn is_inside(&self, module: &Module, outer: &Module) -> bool {
        let mut at = Some(module.clone());
        for _ in 0..DEEPEST {
            match at {
                Some(here) if here == *outer => return true,
                Some(here) => at = self.parent(&here),
                None => return false,
            }
        }
        false
    }
}

/// One search for what a path means. A module is looked into once for each name, so that imports in a circle end.
struct Walk<'t> {
    tree: &'t Crates,
    files: &'t [FileFacts],
    seen: FxHashSet<(Module, String, Segment)>,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Crates, files: &'t [FileFacts]) -> Self {
        Self { tree, files, seen: FxHashSet::default() }
    }

    fn path(&mut self, from: &Module, path: &[String], last: Segment) -> Option<Meaning> {
        let (first, rest) = path.split_first()?;
        let segment = if rest.is_empty() { last } else { Segment::Inner };
        let start = match first.as_str() {
            "crate" => {
                let roots = self.tree.roots(from.0);
                return roots
                    .into_iter()
                    .find_map(|root| self.on(Meaning::Module((root, String::new())), rest, last));
            }
            "self" => Meaning::Module(from.clone()),
            "super" => Meaning::Module(self.tree.parent(from)?),
            // `::name` is a crate.
            "" => return self.library(rest.first()?).and_then(|start| self.on(start, &rest[1..], last)),
            name => self.item(from, name, segment).or_else(|| self.library(name))?,
        };
        self.on(start, rest, last)
    }

    fn library(&self, name: &str) -> Option<Meaning> {
        match self.tree.libraries.get(name) {
            Some(root) => Some(Meaning::Module((*root, String::new()))),
            None => OF_THE_COMPILER.contains(&name).then_some(Meaning::Outside),
        }
    }

    /// From what is known already along the rest of a path.
    fn on(&mut self, start: Meaning, rest: &[String], last: Segment) -> Option<Meaning> {
        let mut at = start;
        for (number, name) in rest.iter().enumerate() {
            let segment = if number + 1 == rest.len() { last } else { Segment::Inner };
            at = match at {
                Meaning::Module(module) if name == "super" => Meaning::Module(self.tree.parent(&module)?),
                Meaning::Module(module) => self.item(&module, name, segment)?,
                Meaning::Item(class) => Meaning::Item(self.tree.method(class, name)?),
                Meaning::Outside => Meaning::Outside,
            };
        }
        Some(at)
    }

    /// What a module calls by this name: its own, or what it imports.
    fn item(&mut self, module: &Module, name: &str, segment: Segment) -> Option<Meaning> {
        if !self.seen.insert((module.clone(), name.to_owned(), segment)) {
            return None;
        }
        if let Some(own) = self.own(module, name, segment) {
            return Some(own);
        }
        let (tree, files) = (self.tree, self.files);
        let uses =
            || tree.uses.get(module).into_iter().flatten().map(|number| &files[module.0].imports[*number]);
        let mut outside = false;
        for import in uses().filter(|import| !import.star && import.local == name) {
            match self.path(module, &import.path, segment) {
                Some(Meaning::Outside) | None => outside = true,
                found => return found,
            }
        }
        if outside {
            return Some(Meaning::Outside);
        }
        for import in uses().filter(|import| import.star) {
            if let Some(Meaning::Module(from)) = self.path(module, &import.path, Segment::Inner)
                && let Some(found) = self.item(&from, name, segment)
                && (tree.is_inside(module, &from) || self.is_public(&from, name))
            {
                return Some(found);
            }
        }
        None
    }

    fn own(&self, module: &Module, name: &str, segment: Segment) -> Option<Meaning> {
        let path = if module.1.is_empty() { name.to_owned() } else { format!("{}.{name}", module.1) };
        let inner = || {
            let child = self.tree.children.get(&(module.clone(), name.to_owned()));
            let inline = (module.0, path.clone());
            match child {
                Some(file) => Some(Meaning::Module((*file, String::new()))),
                None => self.tree.inline.contains(&inline).then_some(Meaning::Module(inline)),
            }
        };
        let symbol = |fits: &dyn Fn(&Symbol) -> bool| {
            let numbers = self.tree.items.get(&(module.0, path.clone()))?;
            let fitting = numbers.iter().find(|number| fits(&self.files[module.0].symbols[**number]))?;
            Some(Meaning::Item((module.0, *fitting)))
        };
        match segment {
            Segment::Last => symbol(&is_function)
                .or_else(|| symbol(&|symbol| symbol.kind != SymbolKind::Module))
                .or_else(inner),
            Segment::Inner => inner()
                .or_else(|| symbol(&|symbol| !is_function(symbol) && symbol.kind != SymbolKind::Variable)),
        }
    }

    /// Whether others may take a name from a module.
    fn is_public(&self, module: &Module, name: &str) -> bool {
        let path = if module.1.is_empty() { name.to_owned() } else { format!("{}.{name}", module.1) };
        let file = &self.files[module.0];
        let symbols = self.tree.items.get(&(module.0, path)).into_iter().flatten();
        let mut imports =
            file.imports.iter().filter(|import| import.within == module.1 && !import.in_function);
        symbols.map(|number| &file.symbols[*number]).any(|symbol| symbol.signature.starts_with("pub"))
            || imports.any(|import| {
                import.public
                    && (import.local == name
                        || import.star
                        || import.path.last().is_some_and(|last| last == name))
            })
    }
}

fn is_function(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
}
