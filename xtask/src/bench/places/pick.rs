//! Places for refactorings, picked by a seed: names for rename and inline, expressions and rows of statements for extract.

use formicary_syntax::tree::tree;
use formicary_syntax::{Bounds, Dialect};
use std::path::{Path, PathBuf};
use tree_sitter::Node;

/// One place, as the command line is given it.
#[derive(Debug)]
pub struct Place {
    pub operation: &'static str,
    pub written: String,
    /// The new name, where the operation wants one.
    pub name: Option<String>,
}

const EXPRESSIONS: &[&str] = &[
    "call",
    "binary_operator",
    "attribute",
    "subscript",
    "string",
    "call_expression",
    "binary_expression",
    "member_expression",
    "subscript_expression",
    "method_invocation",
    "field_access",
    "array_access",
    "object",
    "array",
    "list",
    "parenthesized_expression",
    "ternary_expression",
    "object_creation_expression",
];

const BLOCKS: &[&str] = &["block", "statement_block"];

/// So many places of a project: half of them names to change, the rest shared by the other operations.
pub fn places(project: &Path, seed: u64, count: usize) -> Result<Vec<Place>, String> {
    let mut files = Vec::new();
    walk(project, project, &mut files)?;
    let mut found: [Vec<Place>; 4] = Default::default();
    for (path, text) in &files {
        let Some(dialect) = Dialect::of_file(path, text) else { continue };
        let Ok(grown) = tree(dialect, text, Bounds::default()) else { continue };
        let mut pending = vec![grown.root_node()];
        while let Some(node) = pending.pop() {
            candidate(path, text, node, &mut found);
            let mut cursor = node.walk();
            pending.extend(node.named_children(&mut cursor));
        }
    }
    let mut random = Random(seed ^ 0x9e37_79b9_7f4a_7c15);
    let mut chosen = Vec::new();
    let shares = [count.div_ceil(2), count.div_ceil(6), count.div_ceil(6), count.div_ceil(6)];
    for (mut all, share) in found.into_iter().zip(shares) {
        all.sort_by(|a, b| a.written.cmp(&b.written));
        for _ in 0..share.min(all.len()) {
            let at = random.below(all.len());
            chosen.push(all.swap_remove(at));
        }
    }
    Ok(chosen)
}

fn walk(project: &Path, folder: &Path, files: &mut Vec<(String, String)>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let aside = ["node_modules", "docs", "example", "examples", "setup.py", "benchmark"];
        if name.starts_with('.') || aside.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            walk(project, &path, files)?;
        } else if let (Ok(text), Ok(relative)) = (std::fs::read_to_string(&path), path.strip_prefix(project))
        {
            files.push((relative.to_string_lossy().into_owned(), text));
        }
    }
    Ok(())
}

fn candidate(path: &str, text: &str, node: Node<'_>, found: &mut [Vec<Place>; 4]) {
    let at = |offset: usize| {
        let before = text.get(..offset).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        (line, before.chars().rev().take_while(|c| *c != '\n').count() + 1)
    };
    let parent = node.parent();
    let of = |field: &str| parent.is_some_and(|parent| parent.child_by_field_name(field) == Some(node));
    let kind = parent.map(|parent| parent.kind()).unwrap_or("");
    let word = matches!(node.kind(), "identifier" | "type_identifier");
    let declares = of("name")
        && (kind.contains("declarat") || kind.ends_with("definition") || kind.contains("parameter"));
    let assigned = of("left") && kind == "assignment";
    let listed = matches!(kind, "parameters" | "formal_parameters");
    let name = || Some("freshName".to_owned());
    if word && (declares || assigned || listed) {
        let (line, column) = at(node.start_byte());
        let written = format!("{path}:{line}:{column}");
        if assigned || kind == "variable_declarator" {
            found[1].push(Place { operation: "inline", written: written.clone(), name: None });
        }
        found[0].push(Place { operation: "rename", written, name: name() });
    }
    if EXPRESSIONS.contains(&node.kind()) {
        let ((line, column), (end_line, end_column)) = (at(node.start_byte()), at(node.end_byte()));
        let written = format!("{path}:{line}:{column}-{end_line}:{end_column}");
        found[2].push(Place { operation: "extract-variable", written, name: name() });
    }
    if BLOCKS.contains(&node.kind()) {
        let mut cursor = node.walk();
        let statements: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for row in statements.windows(2).chain(statements.chunks(1)) {
            let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
            let written = format!("{path}:{}-{}", at(first.start_byte()).0, at(last.end_byte()).0);
            found[3].push(Place { operation: "extract-function", written, name: name() });
        }
    }
}

/// A small generator of numbers that are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}
