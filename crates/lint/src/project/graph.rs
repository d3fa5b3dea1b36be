//! The import graph: which file of the project imports which.

use super::cycles::Cycle;
use super::facts::{FileFacts, ImportFact};
use crate::run::FileAnalysis;
use formicary_model::Language;
use formicary_model::review::{Dependency, ModuleMetrics};
use rustc_hash::{FxHashMap, FxHashSet};

/// Files as modules, and arrows between them.
#[derive(Debug, Clone)]
pub struct Dependencies {
    /// The modules' names, in the order of the files.
    pub names: Vec<String>,
    /// The arrows: from, to, line of the first import, whether it is there when the module loads.
    pub edges: Vec<(usize, usize, u32, bool)>,
}

impl Dependencies {
    /// Resolves the imports of files among each other; what is not in the project is left out.
    pub fn new(files: &[FileAnalysis]) -> Self {
        let names = module_names(files);
        let index = Index::new(files, &names);
        let mut edges = Vec::new();
        let mut seen: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for (from, file) in files.iter().enumerate() {
            for import in &file.facts.imports {
                for to in index.resolve(&file.facts, import) {
                    if to == from {
                        continue;
                    }
                    // Rust's parent names its children; that is no dependency on what they do.
                    let at_load = import.at_load && !import.submodule;
                    match seen.get(&(from, to)) {
                        Some(at) => {
                            let edge: &mut (usize, usize, u32, bool) = &mut edges[*at];
                            edge.3 |= at_load;
                        }
                        None => {
                            seen.insert((from, to), edges.len());
                            edges.push((from, to, import.line, at_load));
                        }
                    }
                }
            }
        }
        Self { names, edges }
    }

    /// The line of an arrow's first import.
    pub fn line(&self, from: usize, to: usize) -> u32 {
        self.edges.iter().find(|edge| edge.0 == from && edge.1 == to).map_or(1, |edge| edge.2)
    }

    /// The arrows by name.
    pub fn arrows(&self) -> Vec<Dependency> {
        let arrow = |(from, to, line, _): &(usize, usize, u32, bool)| Dependency {
            from: self.names[*from].clone(),
            to: self.names[*to].clone(),
            line: *line,
        };
        self.edges.iter().map(arrow).collect()
    }

    /// Modules that nothing imports, that import nothing of the project, and that nobody starts.
    pub fn orphans(&self, files: &[FileAnalysis]) -> Vec<usize> {
        let linked: FxHashSet<usize> = self.edges.iter().flat_map(|edge| [edge.0, edge.1]).collect();
        // Files of one name in many folders are loaded by a pattern.
        let mut same_name: FxHashMap<&str, u32> = FxHashMap::default();
        for file in files {
            *same_name.entry(last_part(&file.facts.path)).or_insert(0) += 1;
        }
        let is_orphan = |at: &usize| {
            let facts = &files[*at].facts;
            !linked.contains(at)
                && !facts.entry
                && same_name.get(last_part(&facts.path)).copied().unwrap_or(0) < 3
                && files.len() > 2
                && matches!(facts.language, Language::Python | Language::JavaScript | Language::TypeScript)
                && files[*at].metrics.lines.source > 3
        };
        (0..files.len()).filter(is_orphan).collect()
    }

    /// Martin's figures.
    pub fn metrics(&self, files: &[FileAnalysis], cycles: &[Cycle]) -> Vec<ModuleMetrics> {
        let mut fan_in = vec![0_u32; files.len()];
        let mut fan_out = vec![0_u32; files.len()];
        for (from, to, ..) in &self.edges {
            fan_out[*from] += 1;
            fan_in[*to] += 1;
        }
        let in_cycle: FxHashSet<usize> =
            cycles.iter().flat_map(|cycle| cycle.modules.iter().copied()).collect();
        let metrics = |(at, file): (usize, &FileAnalysis)| {
            let (arriving, leaving) = (f64::from(fan_in[at]), f64::from(fan_out[at]));
            let instability = if arriving + leaving == 0.0 { 0.0 } else { leaving / (arriving + leaving) };
            let classes = &file.facts.classes;
            let abstracts = classes.iter().filter(|class| class.is_abstract).count();
            let abstractness = if classes.is_empty() { 0.0 } else { abstracts as f64 / classes.len() as f64 };
            ModuleMetrics {
                name: self.names[at].clone(),
                file: file.metrics.file.clone(),
                fan_in: fan_in[at],
                fan_out: fan_out[at],
                instability,
                abstractness,
                distance: (abstractness + instability - 1.0).abs(),
                in_cycle: in_cycle.contains(&at),
            }
        };
        files.iter().enumerate().map(metrics).collect()
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The modules' names, in the order of the files.
pub(super) fn module_names(files: &[FileAnalysis]) -> Vec<String> {
    files.iter().map(|file| module_name(&file.facts)).collect()
}

/// The directory of a Rust module's children.
fn rust_directory(facts: &FileFacts) -> String {
    let (directory, last) = facts.path.rsplit_once('/').unwrap_or(("", &facts.path));
    match last.trim_end_matches(".rs") {
        "mod" | "lib" | "main" => directory.to_owned(),
        stem if directory.is_empty() => stem.to_owned(),
        stem => format!("{directory}/{stem}"),
    }
}

/// A module's name as its language writes it.
fn module_name(facts: &FileFacts) -> String {
    let path = facts.path.trim_start_matches("./");
    match facts.language {
        Language::Python => {
            let stem = path.strip_suffix(".py").or(path.strip_suffix(".pyi")).unwrap_or(path);
            let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
            stem.trim_start_matches("src/").replace('/', ".")
        }
        Language::Java => {
            let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".java");
            match &facts.package {
                Some(package) => format!("{package}.{stem}"),
                None => stem.to_owned(),
            }
        }
        _ => path.to_owned(),
    }
}

pub(super) struct Index<'f> {
    files: &'f [FileAnalysis],
    by_name: FxHashMap<&'f str, usize>,
    by_path: FxHashMap<&'f str, usize>,
    /// Files by the end of their path, for C's includes and Go's packages.
    by_last: FxHashMap<&'f str, Vec<usize>>,
    by_folder: FxHashMap<&'f str, Vec<usize>>,
}

impl<'f> Index<'f> {
    pub(super) fn new(files: &'f [FileAnalysis], names: &'f [String]) -> Self {
        let mut index = Self {
            files,
            by_name: FxHashMap::default(),
            by_path: FxHashMap::default(),
            by_last: FxHashMap::default(),
            by_folder: FxHashMap::default(),
        };
        for (at, (file, name)) in files.iter().zip(names).enumerate() {
            let path = file.facts.path.trim_start_matches("./");
            index.by_name.insert(name, at);
            index.by_path.insert(path, at);
            let (folder, last) = path.rsplit_once('/').unwrap_or(("", path));
            index.by_last.entry(last).or_default().push(at);
            index.by_folder.entry(folder).or_default().push(at);
        }
        index
    }

    pub(super) fn resolve(&self, facts: &FileFacts, import: &ImportFact) -> Vec<usize> {
        match facts.language {
            Language::Python => self.python(facts, import),
            Language::JavaScript | Language::TypeScript => self.script(facts, import),
            Language::Java => self.java(import),
            Language::C | Language::Cpp | Language::Bash => self.include(facts, import),
            Language::Go => self.go(import),
            Language::Rust => self.rust(facts, import),
        }
    }

    fn python(&self, facts: &FileFacts, import: &ImportFact) -> Vec<usize> {
        let own = module_name(facts);
        let mut base = String::new();
        if import.level > 0 {
            let mut parts: Vec<&str> = own.split('.').collect();
            let package = facts.path.ends_with("__init__.py");
            let up = import.level as usize - usize::from(package);
            parts.truncate(parts.len().saturating_sub(up));
            base = parts.join(".");
        }
        if !import.module.is_empty() {
            if !base.is_empty() {
                base.push('.');
            }
            base.push_str(&import.module);
        }
        // `from a import b` may mean the module a.b.
        let mut found: Vec<usize> = import
            .names
            .iter()
            .filter_map(|name| self.by_name.get(format!("{base}.{name}").as_str()).copied())
            .collect();
        let all_modules = !found.is_empty() && found.len() == import.names.len();
        if let Some(module) = self.by_name.get(base.as_str()).filter(|_| !all_modules) {
            found.push(*module);
        }
        found
    }

    fn script(&self, facts: &FileFacts, import: &ImportFact) -> Vec<usize> {
        if !import.module.starts_with('.') {
            return Vec::new();
        }
        let path = join(&facts.path, &import.module);
        let stem = path.strip_suffix(".js").unwrap_or(&path);
        let mut tries = vec![path.clone()];
        for ending in ["js", "ts", "tsx", "jsx", "mjs", "cjs", "d.ts"] {
            tries.push(format!("{path}.{ending}"));
            tries.push(format!("{stem}.{ending}"));
            tries.push(format!("{path}/index.{ending}"));
        }
        tries.iter().find_map(|path| self.by_path.get(path.as_str()).copied()).into_iter().collect()
    }

    fn java(&self, import: &ImportFact) -> Vec<usize> {
        if let Some(at) = self.by_name.get(import.module.as_str()) {
            return vec![*at];
        }
        // A static import names a member, an inner class its outer one.
        let outer = import.module.rsplit_once('.').and_then(|(outer, _)| self.by_name.get(outer));
        outer.copied().into_iter().collect()
    }

    fn include(&self, facts: &FileFacts, import: &ImportFact) -> Vec<usize> {
        if import.module.contains('$') {
            return Vec::new();
        }
        let beside = join(&facts.path, &import.module);
        if let Some(at) = self.by_path.get(beside.as_str()) {
            return vec![*at];
        }
        let last = import.module.rsplit('/').next().unwrap_or(&import.module);
        let candidates = self.by_last.get(last).map(Vec::as_slice).unwrap_or_default();
        let fits = |at: &&usize| {
            self.files[**at].facts.path.ends_with(&format!("/{}", import.module))
                || self.files[**at].facts.path == import.module
        };
        let fitting: Vec<usize> = candidates.iter().filter(fits).copied().collect();
        if fitting.len() == 1 { fitting } else { Vec::new() }
    }

    /// A Go import names a folder by the end of its path.
    fn go(&self, import: &ImportFact) -> Vec<usize> {
        let fits = |folder: &str| {
            !folder.is_empty() && (import.module == folder || import.module.ends_with(&format!("/{folder}")))
        };
        let longest = self.by_folder.keys().filter(|folder| fits(folder)).max_by_key(|folder| folder.len());
        let files = longest.and_then(|folder| self.by_folder.get(folder));
        // One file stands for the package.
        files.and_then(|files| files.first()).copied().into_iter().collect()
    }

    fn rust(&self, facts: &FileFacts, import: &ImportFact) -> Vec<usize> {
        let own = rust_directory(facts);
        if import.submodule {
            return self.rust_module(&own, &[import.module.as_str()]).into_iter().collect();
        }
        let mut parts: Vec<&str> = import.module.split("::").map(str::trim).collect();
        parts.extend(import.names.iter().map(String::as_str));
        let mut base = match parts.first() {
            Some(&"crate") => match facts.path.find("src/") {
                Some(at) => facts.path[..at + 3].to_owned(),
                None => return Vec::new(),
            },
            Some(&"self") => own,
            Some(&"super") => own.rsplit_once('/').map_or(String::new(), |(parent, _)| parent.to_owned()),
            _ => return Vec::new(),
        };
        parts.remove(0);
        while parts.first() == Some(&"super") {
            parts.remove(0);
            base = base.rsplit_once('/').map_or(String::new(), |(parent, _)| parent.to_owned());
        }
        self.rust_module(&base, &parts).into_iter().collect()
    }

    /// The file of the module around this one.
    pub(super) fn rust_parent(&self, facts: &FileFacts) -> Option<usize> {
        let own = rust_directory(facts);
        let (parent, _) = own.rsplit_once('/')?;
        let tries = [
            format!("{parent}.rs"),
            format!("{parent}/mod.rs"),
            format!("{parent}/lib.rs"),
            format!("{parent}/main.rs"),
        ];
        tries.iter().find_map(|path| self.by_path.get(path.as_str()).copied())
    }

    /// The deepest file that a path of modules names.
    fn rust_module(&self, base: &str, parts: &[&str]) -> Option<usize> {
        (1..=parts.len()).rev().find_map(|count| {
            let path = format!("{base}/{}", parts[..count].join("/"));
            let path = path.trim_start_matches('/');
            let file = self.by_path.get(format!("{path}.rs").as_str());
            file.or_else(|| self.by_path.get(format!("{path}/mod.rs").as_str())).copied()
        })
    }
}

/// A relative path from the folder of a file.
fn join(from: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = from.trim_start_matches("./").split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
