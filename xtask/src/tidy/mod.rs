//! `cargo xtask tidy`: the house rules as tests.
//!
//! A rule is one file: a function from the tree to findings, with its own test on a bad example.
//! [`RULES`] is the one place where rules are registered.

mod dependency_direction;
mod documents;
mod engine_purity;
mod file_names;
mod file_size;
mod licences;
mod links;
mod machine_paths;
mod main_size;
mod manifests;
mod model_purity;
mod module_docs;
mod named_tests;
mod no_prose;
mod plaques;
mod project_files;
mod source;
mod spawning;
mod unfinished;
mod unsafe_code;

use crate::tree::Tree;
use std::fmt;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Shown, but the tree still counts as tidy.
    Warning,
    /// The tree is not tidy.
    Error,
}

/// One breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    path: String,
    line: usize,
    rule: &'static str,
    message: String,
    weight: Weight,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = if self.weight == Weight::Warning { "warning: " } else { "" };
        write!(f, "{}:{}: {}: {weight}{}", self.path, self.line, self.rule, self.message)
    }
}

/// What a rule found so far.
struct Findings {
    rule: &'static str,
    found: Vec<Finding>,
}

impl Findings {
    fn error(&mut self, path: &str, line: usize, message: impl Into<String>) {
        self.push(path, line, message.into(), Weight::Error);
    }

    fn warning(&mut self, path: &str, line: usize, message: impl Into<String>) {
        self.push(path, line, message.into(), Weight::Warning);
    }

    fn push(&mut self, path: &str, line: usize, message: String, weight: Weight) {
        self.found.push(Finding { path: path.into(), line, rule: self.rule, message, weight });
    }
}

/// A rule's name and its check.
struct Rule {
    name: &'static str,
    check: fn(&Tree, &mut Findings),
}

/// Every rule of the house, from the shape of the whole to the single line.
const RULES: [Rule; 19] = [
    Rule { name: "dependency-direction", check: dependency_direction::check },
    Rule { name: "manifests", check: manifests::check },
    Rule { name: "licences", check: licences::check },
    Rule { name: "model-purity", check: model_purity::check },
    Rule { name: "engine-purity", check: engine_purity::check },
    Rule { name: "spawning", check: spawning::check },
    Rule { name: "project-files", check: project_files::check },
    Rule { name: "no-prose", check: no_prose::check },
    Rule { name: "unsafe-code", check: unsafe_code::check },
    Rule { name: "file-size", check: file_size::check },
    Rule { name: "main-size", check: main_size::check },
    Rule { name: "plaques", check: plaques::check },
    Rule { name: "file-names", check: file_names::check },
    Rule { name: "module-docs", check: module_docs::check },
    Rule { name: "unfinished", check: unfinished::check },
    Rule { name: "machine-paths", check: machine_paths::check },
    Rule { name: "documents", check: documents::check },
    Rule { name: "links", check: links::check },
    Rule { name: "named-tests", check: named_tests::check },
];

/// Runs all rules.
pub fn check(tree: &Tree) -> Vec<Finding> {
    RULES.iter().flat_map(|rule| run(rule, tree)).collect()
}

fn run(rule: &Rule, tree: &Tree) -> Vec<Finding> {
    let mut findings = Findings { rule: rule.name, found: Vec::new() };
    (rule.check)(tree, &mut findings);
    findings.found
}

/// Checks the real tree and prints what it found.
pub fn command() -> Result<(), String> {
    let findings = check(&Tree::read(&Tree::root())?);
    for finding in &findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| finding.weight == Weight::Error).count();
    let warnings = findings.len() - errors;
    println!("tidy: {} rules, {errors} errors, {warnings} warnings", RULES.len());
    if errors == 0 { Ok(()) } else { Err(format!("{errors} house rules are broken")) }
}

/// What one rule says about made-up files, as `path:line`.
#[cfg(test)]
fn places(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    let rule = RULES.iter().find(|candidate| candidate.name == rule).expect("a registered rule");
    run(rule, &Tree::of(files))
        .into_iter()
        .map(|finding| format!("{}:{}", finding.path, finding.line))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_tidy() {
        let tree = Tree::read(&Tree::root()).unwrap();
        let errors: Vec<String> = check(&tree)
            .into_iter()
            .filter(|finding| finding.weight == Weight::Error)
            .map(|finding| finding.to_string())
            .collect();
        assert!(errors.is_empty(), "\n{}", errors.join("\n"));
    }

    #[test]
    fn each_rule_has_its_own_file() {
        let tree = Tree::read(&Tree::root()).unwrap();
        for rule in &RULES {
            let path = format!("xtask/src/tidy/{}.rs", rule.name.replace('-', "_"));
            assert!(tree.get(&path).is_some_and(|file| file.text.contains("#[test]")), "{path}");
        }
    }
}
