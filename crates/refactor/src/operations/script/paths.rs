//! Which file a module's name means.

use formicary_search::Source;
use formicary_syntax::Dialect;

const ENDINGS: [&str; 9] = ["", ".js", ".cjs", ".mjs", ".ts", ".tsx", ".jsx", ".mts", ".d.ts"];

/// What a module's name may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// This very file.
    Home,
    /// Surely not.
    Other,
    /// A package, perhaps this one, or a folder whose main file is not known.
    Unknown,
}

pub(super) fn is_script(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx)
}

/// Reads module names as a file does.
pub(super) struct Paths<'p> {
    pub sources: &'p [Source],
    pub home: &'p str,
}

impl Paths<'_> {
    pub fn meaning(&self, from: &str, module: &str) -> Meaning {
        if module.starts_with("node:") || module.is_empty() {
            return Meaning::Other;
        }
        if !module.starts_with('.') {
            return Meaning::Unknown;
        }
        let base = joined(from, module);
        let file = |path: &str| self.sources.iter().any(|source| source.path() == path);
        let mut bases = vec![base.clone()];
        // TypeScript names the file that it will become.
        bases.extend(
            [".js", ".mjs", ".jsx"].iter().filter_map(|end| base.strip_suffix(end).map(str::to_owned)),
        );
        if !module.ends_with(['/', '.']) {
            for base in &bases {
                let plain = ENDINGS.iter().map(|ending| format!("{base}{ending}")).find(|path| file(path));
                if let Some(plain) = plain {
                    return self.is_home(&plain);
                }
            }
        }
        let folder = if base.is_empty() { String::new() } else { format!("{base}/") };
        let index =
            ENDINGS[1..].iter().map(|ending| format!("{folder}index{ending}")).find(|path| file(path));
        match index {
            Some(index) if self.is_home(&index) == Meaning::Home => Meaning::Home,
            // A manifest may name another file as the folder's main one.
            _ if self.home.starts_with(&folder) => Meaning::Unknown,
            _ => Meaning::Other,
        }
    }

    fn is_home(&self, path: &str) -> Meaning {
        if path == self.home { Meaning::Home } else { Meaning::Other }
    }
}

/// A relative path from the folder of a file.
fn joined(from: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules_mean_files() {
        let sources: Vec<Source> = ["lib/a.js", "lib/index.js", "test/t.js", "src/b.ts"]
            .map(|path| Source::new(path, Dialect::JavaScript, ""))
            .into();
        let meaning =
            |home: &str, from: &str, module: &str| Paths { sources: &sources, home }.meaning(from, module);
        for (home, from, module, expected) in [
            ("lib/a.js", "test/t.js", "../lib/a", Meaning::Home),
            ("lib/a.js", "test/t.js", "../lib/a.js", Meaning::Home),
            ("lib/a.js", "lib/index.js", "./a", Meaning::Home),
            ("lib/index.js", "test/t.js", "../lib", Meaning::Home),
            ("lib/a.js", "test/t.js", "..", Meaning::Unknown),
            ("lib/a.js", "test/t.js", "../lib/", Meaning::Unknown),
            ("lib/a.js", "test/t.js", "./t", Meaning::Other),
            ("src/b.ts", "src/c.ts", "./b.js", Meaning::Home),
            ("lib/a.js", "test/t.js", "tape", Meaning::Unknown),
            ("lib/a.js", "test/t.js", "node:fs", Meaning::Other),
        ] {
            assert_eq!(meaning(home, from, module), expected, "{module} of {from}");
        }
    }
}
