//! Dependencies between crates go one way, as ARCHITECTURE.md draws them: in manifests and in imports alike, and none is
//! allowed or declared that nothing uses.

use super::Findings;
use super::source::Source;
use crate::tree::{File, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// A crate with the crates that it may use.
type Row = (&'static str, &'static [&'static str]);

/// Every crate of the workspace. One that is not here has no place in it yet.
const CRATES: [Row; 29] = [
    ("formicary-model", &[]),
    ("formicary-files", &[]),
    ("formicary-typestrip", &[]),
    ("formicary-guest", &[]),
    ("formicary-embedded", &[]),
    ("formicary-jail", &[]),
    ("formicary-sandbox", &["formicary-model", "formicary-embedded", "formicary-jail", "formicary-guest"]),
    (
        "formicary-execution",
        &["formicary-sandbox", "formicary-embedded", "formicary-guest", "formicary-model"],
    ),
    ("formicary-monitoring", &["formicary-model"]),
    ("formicary-syntax", &["formicary-model"]),
    ("formicary-lint", &["formicary-syntax", "formicary-model"]),
    // What a file is to the rules, how a rule is described, which names are weak: taint goes on from there.
    ("formicary-taint", &["formicary-lint", "formicary-syntax", "formicary-model"]),
    ("formicary-search", &["formicary-files", "formicary-syntax", "formicary-model"]),
    ("formicary-clones", &["formicary-files", "formicary-syntax", "formicary-model"]),
    // Detection compares tokens as clones do; operations give the edits and ask the index of search.
    (
        "formicary-refactor",
        &["formicary-search", "formicary-clones", "formicary-files", "formicary-syntax", "formicary-model"],
    ),
    (
        "formicary-review",
        &[
            // Git and other people's tools run in the sandbox.
            "formicary-execution",
            "formicary-sandbox",
            "formicary-search",
            "formicary-lint",
            "formicary-taint",
            "formicary-clones",
            "formicary-files",
            "formicary-syntax",
            "formicary-model",
        ],
    ),
    // A debugger's session ends runs and feeds their input while they last: the types of both are the sandbox's.
    (
        "formicary-diagnose",
        &[
            "formicary-execution",
            "formicary-sandbox",
            // The project around a broken program is read through it.
            "formicary-files",
            "formicary-syntax",
            "formicary-model",
        ],
    ),
    ("formicary-repair", &["formicary-diagnose", "formicary-syntax", "formicary-model"]),
    ("formicary-testing", &["formicary-files", "formicary-model"]),
    ("formicary-llm", &[]),
    (
        "formicary-agent",
        &[
            "formicary-llm",
            "formicary-testing",
            "formicary-diagnose",
            "formicary-repair",
            "formicary-review",
            "formicary-search",
            "formicary-execution",
            "formicary-files",
            "formicary-syntax",
            "formicary-model",
        ],
    ),
    (
        "formicary-platform",
        &[
            "formicary-agent",
            "formicary-llm",
            "formicary-testing",
            "formicary-execution",
            "formicary-sandbox",
            "formicary-monitoring",
            "formicary-review",
            "formicary-search",
            "formicary-clones",
            "formicary-refactor",
            "formicary-diagnose",
            "formicary-repair",
            "formicary-files",
            "formicary-model",
        ],
    ),
    ("formicary-server", &["formicary-platform", "formicary-model"]),
    ("formicary-mcp", &["formicary-platform", "formicary-model"]),
    ("formicary-cluster", &["formicary-platform", "formicary-model"]),
    ("formicary-python", &["formicary-platform", "formicary-model"]),
    // One binary: the command line starts the other front ends.
    (
        "formicary",
        &["formicary-platform", "formicary-server", "formicary-mcp", "formicary-cluster", "formicary-model"],
    ),
    ("formicary-testkit", &[]),
    ("xtask", &["formicary-platform", "formicary-sandbox", "formicary-syntax", "formicary-model"]),
];

/// Where the table is.
const TABLE: &str = "xtask/src/tidy/dependency_direction.rs";

/// Tests look at everything, and nothing uses them.
const TESTS: &str = "tests/";

pub(super) fn check(tree: &Tree, findings: &mut Findings) {
    check_table(tree, &CRATES, findings);
}

fn check_table(tree: &Tree, table: &[Row], findings: &mut Findings) {
    let mut seen = BTreeSet::new();
    for file in tree.files.iter().filter(|file| file.is_manifest() && !file.is_fixture()) {
        let manifest = match file.text.parse::<toml::Table>() {
            Ok(manifest) => manifest,
            Err(error) => {
                findings.error(&file.path, 1, format!("not TOML: {error}"));
                continue;
            }
        };
        let Some(name) = manifest.get("package").and_then(|package| package.get("name")?.as_str()) else {
            continue;
        };
        seen.insert(name.to_owned());
        let package = Package::new(tree, table, file, name, &manifest);
        match table.iter().find(|(row, _)| *row == name) {
            Some((_, allowed)) => {
                package.check_arrows(allowed, findings);
                package.check_idle(findings);
            }
            None if file.path.starts_with(TESTS) => package.check_idle(findings),
            None => {
                let message = format!("crate {name} is not in the table of crates; add it with its arrows");
                findings.error(&file.path, 1, message);
            }
        }
    }
    for (name, _) in table.iter().filter(|(name, _)| tree.get(TABLE).is_some() && !seen.contains(*name)) {
        findings.error(TABLE, 1, format!("the table names {name}, which is no crate of the workspace"));
    }
}

/// One of our crates in a manifest.
struct Dependency {
    name: String,
    /// What code calls it.
    import: String,
    line: usize,
}

/// A place in code: its file and line.
type Place<'t> = (&'t str, usize);

/// A manifest, and which of our crates its code names.
struct Package<'t> {
    file: &'t File,
    name: &'t str,
    shipped: Vec<Dependency>,
    development: Vec<Dependency>,
    /// Imports of what is built, tests aside, by what code calls the crate.
    in_shipped: BTreeMap<String, Place<'t>>,
    /// Imports of tests, benches and examples.
    in_development: BTreeSet<String>,
}

impl<'t> Package<'t> {
    fn new(tree: &'t Tree, table: &[Row], file: &'t File, name: &'t str, manifest: &toml::Table) -> Self {
        let mut package = Self {
            file,
            name,
            shipped: dependencies(file, manifest, &["dependencies", "build-dependencies"]),
            development: dependencies(file, manifest, &["dev-dependencies"]),
            in_shipped: BTreeMap::new(),
            in_development: BTreeSet::new(),
        };
        let mut words: BTreeSet<String> = table.iter().map(|(name, _)| name.replace('-', "_")).collect();
        // The command line and the chores are programs: nothing can import them, and their names are common words.
        words.retain(|word| word.starts_with("formicary_"));
        let renamed = package.shipped.iter().chain(&package.development);
        words.extend(renamed.map(|dependency| dependency.import.clone()));
        words.remove(&name.replace('-', "_"));
        package.read(tree, &words);
        package
    }

    /// Finds imports in the code of the package.
    fn read(&mut self, tree: &'t Tree, words: &BTreeSet<String>) {
        let folder = self.file.path.trim_end_matches("Cargo.toml");
        let sources: Vec<(&File, Source)> = tree
            .rust()
            .filter(|file| file.path.starts_with(folder))
            .map(|file| (file, Source::parse(&file.text)))
            .collect();
        let tests: Vec<String> =
            sources.iter().flat_map(|(file, source)| test_modules(file, source)).collect();
        for (file, source) in &sources {
            let own = file.path.strip_prefix(folder).unwrap_or(&file.path);
            let is_built = own.starts_with("src/") || own == "build.rs";
            let is_test = file.is_test_code()
                || own.ends_with("_tests.rs")
                || tests.iter().any(|test| file.path.starts_with(test.as_str()));
            // The suites below `tests/` are test code from end to end, and the testkit is shared by them.
            let all_is_test = self.file.path.starts_with(TESTS) || folder.ends_with("/testkit/");
            let shipped: BTreeSet<usize> = match is_built && (!is_test || all_is_test) {
                true => source.shipped_lines().map(|(number, _)| number).collect(),
                false => BTreeSet::new(),
            };
            for (number, line) in source.code_lines() {
                for word in identifiers(line).filter(|word| words.contains(*word)) {
                    if shipped.contains(&number) {
                        self.in_shipped.entry(word.to_owned()).or_insert((&file.path, number));
                    } else {
                        self.in_development.insert(word.to_owned());
                    }
                }
            }
        }
    }

    /// Arrows that nobody allowed, and such that are allowed for nothing.
    fn check_arrows(&self, allowed: &[&str], findings: &mut Findings) {
        let (path, name) = (&self.file.path, self.name);
        for used in self.shipped.iter().filter(|used| !allowed.contains(&used.name.as_str())) {
            let message = format!("{name} may not use {} (it may use {allowed:?})", used.name);
            findings.error(path, used.line, message);
        }
        for arrow in allowed.iter().filter(|arrow| !self.shipped.iter().any(|used| used.name == **arrow)) {
            let message = format!("{name} may use {arrow} and does not; take the arrow out of {TABLE}");
            findings.error(path, 1, message);
        }
        for (import, (file, line)) in &self.in_shipped {
            let declared = self.shipped.iter().find(|used| used.import == *import);
            let used = declared.map_or_else(|| import.replace('_', "-"), |used| used.name.clone());
            if !allowed.contains(&used.as_str()) {
                findings.error(file, *line, format!("{name} may not use {used} (it may use {allowed:?})"));
            }
        }
        if name == "formicary-model" {
            for used in &self.development {
                findings.error(path, used.line, "model uses no other crate, in tests neither");
            }
        }
    }

    /// Dependencies that no code names.
    fn check_idle(&self, findings: &mut Findings) {
        let is_suite = self.file.path.starts_with(TESTS);
        for used in &self.shipped {
            let in_tests = self.in_development.contains(&used.import);
            if self.in_shipped.contains_key(&used.import) || is_suite && in_tests {
                continue;
            }
            let remedy = if in_tests { "make it a dev-dependency" } else { "remove it" };
            let message = format!("{} does not use {} in src; {remedy}", self.name, used.name);
            findings.error(&self.file.path, used.line, message);
        }
        for used in self.development.iter().filter(|used| !self.in_development.contains(&used.import)) {
            let message = format!("no test of {} uses {}; remove it", self.name, used.name);
            findings.error(&self.file.path, used.line, message);
        }
    }
}

/// Our crates in these tables, those under `[target.….…]` too.
fn dependencies(file: &File, manifest: &toml::Table, tables: &[&str]) -> Vec<Dependency> {
    let targets =
        manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let scopes = std::iter::once(Some(manifest)).chain(targets.map(toml::Value::as_table)).flatten();
    scopes
        .flat_map(|scope| tables.iter().filter_map(|table| scope.get(*table)?.as_table()))
        .flat_map(|table| table.iter())
        .map(|(key, value)| Dependency {
            name: value.get("package").and_then(toml::Value::as_str).unwrap_or(key).to_owned(),
            import: key.replace('-', "_"),
            line: line_of(&file.text, key),
        })
        .filter(|used| {
            used.name == "formicary" || used.name.starts_with("formicary-") || used.name == "xtask"
        })
        .collect()
}

fn line_of(text: &str, key: &str) -> usize {
    text.lines().position(|line| line.trim_start().starts_with(key)).map_or(1, |index| index + 1)
}

/// The words of a line that can be names.
fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Where the modules are that a file declares under `#[cfg(test)]`: a file, or a folder with what is below.
fn test_modules(file: &File, source: &Source) -> Vec<String> {
    let shipped: BTreeSet<usize> = source.shipped_lines().map(|(number, _)| number).collect();
    let (folder, stem) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let folder = match stem {
        "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
        _ => format!("{folder}/{}", stem.trim_end_matches(".rs")),
    };
    source
        .code_lines()
        .filter(|(number, _)| !shipped.contains(number))
        .filter_map(|(_, line)| line.trim().strip_suffix(';')?.rsplit_once("mod ").map(|(_, name)| name))
        .flat_map(|name| [format!("{folder}/{name}.rs"), format!("{folder}/{name}/")])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [Row; 5] = [
        ("formicary-model", &[]),
        ("formicary-syntax", &["formicary-model"]),
        ("formicary-lint", &["formicary-syntax", "formicary-model"]),
        ("formicary-testkit", &[]),
        ("formicary", &["formicary-lint"]),
    ];

    fn places(files: &[(&str, &str)]) -> Vec<String> {
        let mut findings = Findings { rule: "dependency-direction", found: Vec::new() };
        check_table(&Tree::of(files), &ROWS, &mut findings);
        findings.found.iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect()
    }

    fn manifest(name: &str, rest: &str) -> String {
        format!("[package]\nname = \"{name}\"\n{rest}")
    }

    /// What is found in a crate of this manifest and this code.
    fn check(name: &str, dependencies: &str, code: &str) -> Vec<String> {
        places(&[("crates/x/Cargo.toml", &manifest(name, dependencies)), ("crates/x/src/lib.rs", code)])
    }

    #[test]
    fn arrows_that_point_back_are_found() {
        let cases = [
            ("formicary-model", "[dependencies]\nformicary-lint.workspace = true", "formicary_lint", vec![4]),
            (
                "formicary-syntax",
                "[dependencies]\nformicary-model.workspace = true",
                "formicary_model",
                vec![],
            ),
            (
                "formicary-syntax",
                "[dependencies]\nformicary-model.workspace = true\n[target.x.dependencies]\nl = { package = \"formicary-lint\" }",
                "(formicary_model, l)",
                vec![6],
            ),
            ("formicary-new", "", "nothing", vec![1]),
        ];
        for (name, dependencies, word, lines) in cases {
            let mut found = check(name, dependencies, &format!("use {word}::a;"));
            found.retain(|place| place.starts_with("crates/x/Cargo.toml"));
            let expected: Vec<String> =
                lines.iter().map(|line| format!("crates/x/Cargo.toml:{line}")).collect();
            assert_eq!(found, expected, "{name} {dependencies}");
        }
        let text = manifest("formicary-model", "[dev-dependencies]\nformicary-testkit.workspace = true");
        let files =
            [("crates/x/Cargo.toml", text.as_str()), ("crates/x/tests/a.rs", "use formicary_testkit::a;")];
        assert_eq!(places(&files), ["crates/x/Cargo.toml:4"]);
    }

    #[test]
    fn arrows_that_nothing_uses_are_found() {
        let dependencies = "[dependencies]\nformicary-syntax.workspace = true";
        assert_eq!(
            check("formicary-lint", dependencies, "use formicary_syntax::a;"),
            ["crates/x/Cargo.toml:1"]
        );
    }

    #[test]
    fn dependencies_that_no_code_names_are_found() {
        let shipped = "[dependencies]\nformicary-model.workspace = true";
        let development = "[dev-dependencies]\nformicary-testkit.workspace = true";
        let both = format!("{shipped}\n{development}");
        let in_src = "use formicary_model::a;";
        let in_test = "#[cfg(test)]\nmod b {\n    use formicary_testkit::a;\n}";
        let cases = [
            (shipped, "// formicary_model\nconst A: &str = \"formicary_model\";".to_owned(), vec![4]),
            (shipped, in_src.to_owned(), vec![]),
            (shipped, "#[cfg(test)]\nuse formicary_model::a;".to_owned(), vec![4]),
            (both.as_str(), in_src.to_owned(), vec![6]),
            (both.as_str(), format!("{in_src}\n{in_test}"), vec![]),
        ];
        for (dependencies, code, lines) in cases {
            let expected: Vec<String> =
                lines.iter().map(|line| format!("crates/x/Cargo.toml:{line}")).collect();
            assert_eq!(check("formicary-syntax", dependencies, &code), expected, "{dependencies}\n{code}");
        }
    }

    #[test]
    fn imports_without_an_arrow_are_found() {
        let found =
            check("formicary-model", "", "//! Words.\nfn a() -> formicary_lint::A { formicary_model::a() }");
        assert_eq!(found, ["crates/x/src/lib.rs:2"]);
    }

    #[test]
    fn modules_of_tests_are_no_part_of_what_is_built() {
        let text = manifest("formicary-syntax", "[dependencies]\nformicary-model.workspace = true");
        let files = [
            ("crates/x/Cargo.toml", text.as_str()),
            ("crates/x/src/lib.rs", "mod a;\n#[cfg(test)]\nmod cases;\nuse formicary_model::b;"),
            ("crates/x/src/a.rs", "#[cfg(test)]\nmod c;"),
            ("crates/x/src/a/c.rs", "use formicary_lint::a;"),
            ("crates/x/src/cases.rs", "use formicary_lint::a;"),
            ("crates/x/src/cases/more.rs", "use formicary_lint::a;"),
        ];
        assert!(places(&files).is_empty(), "{:?}", places(&files));
    }

    #[test]
    fn tests_may_use_everything_that_they_use() {
        let text = manifest("formicary-conformance", "[dependencies]\nformicary-lint.workspace = true");
        let path = "tests/conformance/Cargo.toml";
        assert_eq!(places(&[(path, &text)]), ["tests/conformance/Cargo.toml:4"]);
        assert!(
            places(&[(path, &text), ("tests/conformance/tests/a.rs", "use formicary_lint::a;")]).is_empty()
        );
    }

    #[test]
    fn crates_that_are_gone_are_found() {
        assert_eq!(places(&[(TABLE, "")]), vec![format!("{TABLE}:1"); ROWS.len()]);
    }
}
