//! Real functions, each as a file of its own, no two of them alike.

use formicary_clones::tokens::tokens;
use formicary_syntax::{Dialect, Owner, StmtKind, parse};

/// One function.
#[derive(Debug, Clone)]
pub struct Original {
    /// Its language.
    pub dialect: Dialect,
    /// The file that holds it alone.
    pub text: String,
}

impl Original {
    /// Lines that are one plain statement: what others may get inserted.
    pub fn simple_lines(&self) -> Vec<&str> {
        simple_lines(self.dialect, &self.text).into_iter().map(|(_, line)| line.trim()).collect()
    }
}

/// Lines, from zero, that hold exactly one assignment or call.
pub fn simple_lines(dialect: Dialect, text: &str) -> Vec<(usize, &str)> {
    let unit = parse(dialect, text);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (_, stmt) in unit.stmts() {
        if !matches!(stmt.kind, StmtKind::Expression(_) | StmtKind::Assign { .. }) || stmt.function.is_none()
        {
            continue;
        }
        let line = unit.lines.line(stmt.span.start) as usize - 1;
        let Some(whole) = lines.get(line) else { continue };
        if whole.trim().trim_end_matches(';') == unit.text(stmt.span).trim_end_matches(';') {
            found.push((line, *whole));
        }
    }
    found.dedup_by_key(|(line, _)| *line);
    found
}

/// The ending of a language's files.
pub fn ending(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Python => "py",
        Dialect::Java => "java",
        Dialect::Go => "go",
        Dialect::C => "c",
        Dialect::Cpp => "cpp",
        Dialect::Rust => "rs",
        Dialect::Bash => "sh",
        Dialect::TypeScript | Dialect::Tsx => "ts",
        Dialect::JavaScript => "js",
    }
}

/// Takes up to `most` functions out of these files, evenly.
pub fn harvest(files: &[(Dialect, String)], most: usize) -> Vec<Original> {
    let mut all = Vec::new();
    for (dialect, text) in files {
        let unit = parse(*dialect, text);
        for function in unit.functions.iter().filter(|function| function.has_body && !function.lambda) {
            let held = match function.owner {
                Owner::File => true,
                Owner::Class(_) => matches!(dialect, Dialect::Java | Dialect::Python),
                Owner::Function(_) => false,
            };
            let lines = unit.lines.line(function.span.end) - unit.lines.line(function.span.start);
            if held && !function.name.is_empty() && (8..80).contains(&lines) {
                let from = unit.lines.start(unit.lines.line(function.span.start)) as usize;
                let own = dedented(&text[from..function.span.end as usize]);
                let own = wrapped(*dialect, &own);
                let again = parse(*dialect, &own);
                let size = tokens(*dialect, &own).len();
                if again.notes.is_empty() && (60..700).contains(&size) {
                    all.push(Original { dialect: *dialect, text: own });
                }
            }
        }
    }
    let step = (all.len() / (most * 2).max(1)).max(1);
    let mut chosen: Vec<Original> = Vec::new();
    for original in all.into_iter().step_by(step) {
        let alike = |other: &Original| {
            other.dialect == original.dialect
                && super::measured(other.dialect, &other.text, &original.text) > 0.3
        };
        if !chosen.iter().any(alike) {
            chosen.push(original);
        }
        if chosen.len() == most {
            break;
        }
    }
    chosen
}

fn dedented(text: &str) -> String {
    let indent = text.len() - text.trim_start().len();
    let lines = text.lines().map(|line| {
        let own = line.len() - line.trim_start().len();
        &line[own.min(indent)..]
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn wrapped(dialect: Dialect, text: &str) -> String {
    match dialect {
        Dialect::Java => format!("class Holder {{\n{text}}}\n"),
        Dialect::Go => format!("package p\n\n{text}"),
        _ => text.to_owned(),
    }
}
