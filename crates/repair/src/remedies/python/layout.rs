//! Indentation.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::Spot;

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "indentation", about: "Indents a body, or a line like its block",
        languages: PYTHON, answers: &["IndentationError"], says: &[],
        way: Way::Propose(indentation),
        examples: &[
            ("IndentationError", "expected an indented block after function definition on line 1", "def f():\n▸return 1\n\nprint(f())", "def f():\n    return 1\n\nprint(f())"),
            ("IndentationError", "unexpected indent", "x = 1\n  y = 2", "x = 1\ny = 2"),
        ],
    },
    Remedy {
        name: "indentation", about: "Indents a statement that has a meaning only inside a function or loop",
        languages: PYTHON, answers: &["SyntaxError"], says: &["outside function", "outside loop"],
        way: Way::Propose(|spot| {
            vec![spot.insert(spot.start_of(spot.line), "    ", 1.0, "Indents the line")]
        }),
        examples: &[("SyntaxError", "'return' outside function", "def f():\n    x = 1\nreturn x", "def f():\n    x = 1\n    return x")],
    },
    Remedy {
        name: "empty-block", about: "Fills an empty block with pass",
        languages: PYTHON, answers: &["IndentationError"], says: &["expected an indented block"],
        way: Way::Propose(empty_block),
        examples: &[("IndentationError", "expected an indented block after class definition on line 1", "class A:\nx = 1", "class A:\n    pass\nx = 1")],
    },
    Remedy {
        name: "tabs", about: "Indents by spaces only",
        languages: PYTHON, answers: &["TabError"], says: &[],
        way: Way::Propose(tabs),
        examples: &[("TabError", "inconsistent use of tabs and spaces in indentation", "if x:\n    a()\n\tb()", "if x:\n    a()\n    b()")],
    },
];

/// The last line above that holds something.
fn above(spot: &Spot<'_>) -> Option<u32> {
    (1..spot.line).rev().find(|line| !spot.line_at(*line).trim().is_empty())
}

fn indentation(spot: &Spot<'_>) -> Vec<Candidate> {
    let start = spot.start_of(spot.line);
    let own = spot.indent(spot.line);
    let set = |indent: &str, cost: f64| {
        let edit = spot.edit(start, start + own.len(), indent);
        spot.make(vec![edit], cost, "Indents the line like its block")
    };
    let mut found = Vec::new();
    if spot.says("expected an indented block") {
        found.extend(body(spot));
    }
    if let Some(above) = above(spot) {
        found.push(set(spot.indent(above), 0.7));
    }
    let mut tried = std::collections::BTreeSet::new();
    for line in (1..spot.line).rev() {
        let indent = spot.indent(line);
        let is_other = !spot.line_at(line).trim().is_empty() && indent != own;
        if is_other && tried.insert(indent.len()) && tried.len() <= 4 {
            found.push(set(indent, 0.8 + tried.len() as f64 * 0.1));
        }
    }
    found
}

/// The lines that follow at the same depth belong to the block, up to the next blank line.
fn body(spot: &Spot<'_>) -> Vec<Candidate> {
    let own = spot.indent(spot.line);
    let deeper = format!("{}    ", above(spot).map_or("", |line| spot.indent(line)));
    let in_block =
        |line: &u32| !spot.line_at(*line).trim().is_empty() && spot.indent(*line).len() >= own.len();
    let block: Vec<u32> = (spot.line..=spot.count()).take_while(in_block).collect();
    let indented = |length: usize| {
        let edits = block[..length].iter().map(|line| {
            let (at, indent) = (spot.start_of(*line), spot.indent(*line));
            spot.edit(at, at + indent.len(), format!("{deeper}{}", &indent[own.len()..]))
        });
        let cost = if length == block.len() { 0.6 } else { 0.8 + length as f64 * 0.05 };
        spot.make(edits.collect(), cost, "Indents the body of the block")
    };
    (1..=block.len().min(6)).map(indented).collect()
}

fn empty_block(spot: &Spot<'_>) -> Vec<Candidate> {
    let head = above(spot).map_or("", |line| spot.indent(line));
    let new = format!("{head}    pass\n");
    vec![spot.insert(spot.start_of(spot.line), &new, 1.5, "Fills the empty block with pass")]
}

fn tabs(spot: &Spot<'_>) -> Vec<Candidate> {
    let spaces = |width: usize| {
        let lines = (1..=spot.count()).filter(|line| spot.indent(*line).contains('\t'));
        let edits = lines.map(|line| {
            let (at, indent) = (spot.start_of(line), spot.indent(line));
            spot.edit(at, at + indent.len(), indent.replace('\t', &" ".repeat(width)))
        });
        spot.make(edits.collect(), 0.6, "Indents by spaces only")
    };
    [4, 8].map(spaces).into()
}
