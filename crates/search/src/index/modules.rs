//! Which file an import means.

use super::facts::{FileFacts, ImportFact};
use formicary_syntax::Dialect;
use rustc_hash::FxHashMap;

/// The files of a project by the names that imports may use.
#[derive(Debug, Default)]
pub struct Modules {
    by_path: FxHashMap<String, usize>,
    paths: Vec<String>,
    /// Python: every dotted ending of a path, with the files that have it.
    by_ending: FxHashMap<String, Vec<usize>>,
    /// Java: package and class. Go: the folder.
    by_name: FxHashMap<String, Vec<usize>>,
}

const SCRIPT_ENDINGS: [&str; 10] =
    ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", "/index.ts", "/index.js"];

impl Modules {
    /// Knows these files.
    pub fn new(files: &[FileFacts]) -> Self {
        let mut modules = Self::default();
        for (at, file) in files.iter().enumerate() {
            modules.by_path.insert(file.path.clone(), at);
            modules.paths.push(file.path.clone());
            let (folder, last) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let stem = last.split('.').next().unwrap_or(last);
            match file.dialect {
                Dialect::Python => {
                    let module = file
                        .path
                        .trim_end_matches("/__init__.py")
                        .trim_end_matches(".pyi")
                        .trim_end_matches(".py");
                    let parts: Vec<&str> = module.split('/').collect();
                    for first in 0..parts.len() {
                        modules.by_ending.entry(parts[first..].join(".")).or_default().push(at);
                    }
                }
                Dialect::Java => {
                    let name = format!("{}.{stem}", file.package.as_deref().unwrap_or_default());
                    modules.by_name.entry(name.trim_start_matches('.').to_owned()).or_default().push(at);
                }
                Dialect::Go => modules.by_name.entry(folder.to_owned()).or_default().push(at),
                _ => {}
            }
        }
        modules
    }

    /// The files that an import of this file means: the module, and for Python also `from package import module`.
    pub fn resolve(&self, from: &FileFacts, import: &ImportFact) -> Vec<usize> {
        match from.dialect {
            Dialect::Python => self.python(from, import),
            Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => self.script(from, import),
            Dialect::Java => self.java(import),
            Dialect::Go => self.go(import),
            // Its paths are followed through its module tree.
            Dialect::Rust => Vec::new(),
            Dialect::C | Dialect::Cpp | Dialect::Bash => self.beside(from, import),
        }
    }

    fn python(&self, from: &FileFacts, import: &ImportFact) -> Vec<usize> {
        if import.level > 0 {
            let mut folder: Vec<&str> = from.path.split('/').collect();
            folder.truncate(folder.len().saturating_sub(import.level as usize));
            let parts = import.module.split('.').filter(|part| !part.is_empty());
            let base: Vec<&str> = folder.into_iter().chain(parts).collect();
            return self.python_at(&base.join("/"), import.name.as_deref());
        }
        let with_name = import.name.as_ref().map(|name| format!("{}.{name}", import.module));
        let mut tries = with_name.iter().chain([&import.module]);
        let found = tries.find_map(|module| self.by_ending.get(module.as_str()));
        // Several files of one name: the one nearest to the importing file.
        let shared =
            |at: &usize| from.path.chars().zip(self.path(*at).chars()).take_while(|(a, b)| a == b).count();
        let nearest = found.and_then(|files| files.iter().copied().max_by_key(shared));
        nearest.into_iter().collect()
    }

    fn path(&self, at: usize) -> &str {
        self.paths.get(at).map(String::as_str).unwrap_or_default()
    }

    fn python_at(&self, base: &str, name: Option<&str>) -> Vec<usize> {
        let own = |base: &str| {
            ["{}.py", "{}/__init__.py", "{}.pyi"].iter().find_map(|form| {
                let path = form.replace("{}", base);
                self.by_path.get(path.trim_start_matches('/')).copied()
            })
        };
        let module = name.and_then(|name| own(&format!("{base}/{name}")));
        module.or_else(|| own(base)).into_iter().collect()
    }

    fn script(&self, from: &FileFacts, import: &ImportFact) -> Vec<usize> {
        if !import.module.starts_with('.') {
            return Vec::new();
        }
        let base = join(&from.path, &import.module);
        let plain = base.trim_end_matches(".js").trim_end_matches(".jsx").to_owned();
        let found = [base, plain].iter().find_map(|base| {
            SCRIPT_ENDINGS.iter().find_map(|ending| self.by_path.get(&format!("{base}{ending}")).copied())
        });
        found.into_iter().collect()
    }

    fn java(&self, import: &ImportFact) -> Vec<usize> {
        let full = match &import.name {
            Some(name) if !import.module.ends_with(name.as_str()) => format!("{}.{name}", import.module),
            _ => import.module.clone(),
        };
        let outer = full.rsplit_once('.').map(|(outer, _)| outer.to_owned());
        let found = self.by_name.get(&full).or_else(|| self.by_name.get(&outer?));
        found.cloned().unwrap_or_default()
    }

    /// A Go import names a folder by the end of its path.
    fn go(&self, import: &ImportFact) -> Vec<usize> {
        let fits = |folder: &&String| {
            !folder.is_empty()
                && (import.module == **folder || import.module.ends_with(&format!("/{folder}")))
        };
        let longest = self.by_name.keys().filter(fits).max_by_key(|folder| folder.len());
        longest.and_then(|folder| self.by_name.get(folder)).cloned().unwrap_or_default()
    }

    fn beside(&self, from: &FileFacts, import: &ImportFact) -> Vec<usize> {
        let beside = self.by_path.get(&join(&from.path, &import.module)).copied();
        let ending = format!("/{}", import.module);
        let elsewhere = || {
            let mut fitting =
                self.by_path.iter().filter(|(path, _)| path.ends_with(&ending) || **path == import.module);
            match (fitting.next(), fitting.next()) {
                (Some((_, at)), None) => Some(*at),
                _ => None,
            }
        };
        beside.or_else(elsewhere).into_iter().collect()
    }
}

/// A relative path from the folder of a file.
pub(super) fn join(from: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
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
