//! JavaScript's two kinds of module, told apart by a look at the text, and what both languages of node share.

use super::{MemoryMarker, Plan, Project, Ready, Step, memory_share};
use crate::guard::RESERVED_FOLDER;
use crate::toolchain::Toolchain;

/// Whether the text uses `import` or `export` statements or awaits at its top level.
pub fn is_module(text: &str) -> bool {
    let mut depth = 0_i32;
    let mut is_commonjs = false;
    let mut awaits = false;
    for line in code_lines(text) {
        let line = line.trim();
        if depth == 0 && (starts_import(line) || starts_export(line)) {
            return true;
        }
        awaits |= depth == 0
            && (line.starts_with("await ") || line.contains(" = await ") || line.starts_with("for await"));
        is_commonjs |= line.contains("require(") || line.contains("module.exports");
        depth += bracket_balance(line);
    }
    (awaits || text.contains("import.meta")) && !is_commonjs
}

fn starts_import(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("import") else { return false };
    rest.starts_with([' ', '{', '"', '\'', '*', '\t']) && !rest.trim_start().starts_with(['(', '.', '='])
}

fn starts_export(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("export") else { return false };
    rest.starts_with([' ', '{', '*', '\t']) && !rest.trim_start().starts_with(['=', '.', '('])
}

/// The lines with block comments and template strings blanked, as far as a look without a parser can tell.
fn code_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut in_comment, mut in_template) = (false, false);
    for line in text.lines() {
        let mut kept = String::new();
        let mut characters = line.chars().peekable();
        let mut quote = None;
        while let Some(c) = characters.next() {
            let next = characters.peek().copied();
            if in_comment {
                if c == '*' && next == Some('/') {
                    characters.next();
                    in_comment = false;
                }
            } else if in_template {
                match c {
                    '\\' => drop(characters.next()),
                    '`' => in_template = false,
                    _ => {}
                }
            } else if let Some(open) = quote {
                kept.push(if c == open { c } else { '_' });
                match c {
                    '\\' => drop(characters.next()),
                    _ if c == open => quote = None,
                    _ => {}
                }
            } else {
                match (c, next) {
                    ('/', Some('/')) => break,
                    ('/', Some('*')) => in_comment = true,
                    ('`', _) => in_template = true,
                    ('"' | '\'', _) => {
                        quote = Some(c);
                        kept.push(c);
                    }
                    _ => kept.push(c),
                }
            }
        }
        lines.push(kept);
    }
    lines
}

fn bracket_balance(line: &str) -> i32 {
    line.chars().map(|c| i32::from("{([".contains(c)) - i32::from("})]".contains(c))).sum()
}

/// The plan that runs `script` (absolute, inside) with node and these options, sized to the memory limit.
///
/// Node ends itself when its heap is full. Its own report, asked for here, is how that is told from other aborts.
pub fn node_plan(project: &Project<'_>, node: &Toolchain, options: &[&str], script: &str) -> Plan {
    let path = format!("{RESERVED_FOLDER}/node-report.json");
    let run = Step::new([node.program.clone()])
        .args(options.iter().copied())
        .args([
            format!("--max-old-space-size={}", memory_share(project.limits, 75)),
            "--report-on-fatalerror".into(),
            format!("--report-directory={}", super::inside(RESERVED_FOLDER)),
            "--report-filename=node-report.json".into(),
        ])
        .args([script.to_string()])
        .given(project.args)
        .ready(Ready::Node)
        .with(node);
    Plan { run, memory_marker: Some(MemoryMarker { path, holds: "OOMError" }), ..Plan::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_kinds() {
        for (text, module) in [
            ("import fs from 'fs';", true),
            ("import{x}from 'y'", true),
            ("import 'x'", true),
            ("export const a = 1;", true),
            ("export default 3", true),
            ("const x = await f();", true),
            ("await 1;", true),
            ("const fs = require('fs');\nasync function f() { const y = await g(); }", false),
            ("import('x').then(console.log)", false),
            ("// import x from 'y'\nconsole.log(1)", false),
            ("/*\nimport x from 'y'\n*/", false),
            ("const s = `\nimport x from 'y'\n`;", false),
            ("exports.a = 1", false),
            ("export_it()", false),
            ("async function f() {\n  const x = await g();\n}", false),
            ("console.log(import.meta.url)", true),
            ("const a = 'import x';", false),
            ("", false),
        ] {
            assert_eq!(is_module(text), module, "{text}");
        }
    }
}
