//! Operators that change a function by a known amount.

use super::originals::{Original, simple_lines};
use super::{Label, functional, measured};
use formicary_clones::tokens::{Class, tokens};
use formicary_syntax::{Dialect, parse};
use formicary_testkit::Chance;
use std::collections::BTreeSet;

/// A copy with this label, where one can be made.
pub fn mutate(original: &Original, label: Label, donors: &[&str], chance: &mut Chance) -> Option<String> {
    let text = match label {
        Label::Type1 => commented(original, chance),
        Label::Type2 => renamed(original, chance),
        Label::Functional => functional::rewritten(original, chance)?,
        _ => edited(original, label.band(), donors, chance)?,
    };
    (text != original.text && parse(original.dialect, &text).notes.is_empty()).then_some(text)
}

fn comment(dialect: Dialect) -> &'static str {
    if matches!(dialect, Dialect::Python | Dialect::Bash) { "# note" } else { "// note" }
}

fn commented(original: &Original, chance: &mut Chance) -> String {
    let simple: BTreeSet<usize> =
        simple_lines(original.dialect, &original.text).into_iter().map(|(line, _)| line).collect();
    let mut out = String::new();
    for (index, line) in original.text.lines().enumerate() {
        if simple.contains(&index) && chance.below(2) == 0 {
            let indent = &line[..line.len() - line.trim_start().len()];
            out += &format!("{indent}{}\n\n", comment(original.dialect));
        }
        out += line;
        out += "\n";
    }
    out + comment(original.dialect) + "\n"
}

/// Other names for variables, other literals.
pub fn renamed(original: &Original, chance: &mut Chance) -> String {
    let text = &original.text;
    let all = tokens(original.dialect, text);
    let word =
        |index: usize| all.get(index).map_or("", |token| &text[token.start as usize..token.end as usize]);
    let suffix = ["Value", "Item", "Other", "Two"][chance.below(4)];
    let mut out = String::new();
    let mut at = 0;
    for (index, token) in all.iter().enumerate() {
        let own = word(index);
        out += &text[at..token.start as usize];
        at = token.end as usize;
        let before = if index > 0 { word(index - 1) } else { "" };
        let variable = token.class == Class::Name
            && !matches!(before, "." | "->" | "::")
            && !matches!(word(index + 1), "(" | "::" | "!")
            && own.starts_with(|c: char| c.is_lowercase())
            && !matches!(own, "self" | "this" | "cls" | "super" | "package" | "p");
        if variable {
            out += own;
            out += suffix;
        } else if token.class == Class::Literal && own.parse::<u32>().is_ok() {
            out += &(own.parse::<u32>().unwrap_or(1) / 2 + 3).to_string();
        } else {
            out += own;
        }
    }
    out + &text[at..]
}

const TRIES: usize = 12;
const STEPS: usize = 120;

fn edited(original: &Original, band: (f32, f32), donors: &[&str], chance: &mut Chance) -> Option<String> {
    for _ in 0..TRIES {
        let mut text = if chance.below(2) == 0 { renamed(original, chance) } else { original.text.clone() };
        if !parse(original.dialect, &text).notes.is_empty() {
            text.clone_from(&original.text);
        }
        for _ in 0..STEPS {
            let is = measured(original.dialect, &original.text, &text);
            if is >= band.0 && is < band.1 {
                return Some(text);
            }
            if is < band.0 {
                break;
            }
            let next = one_edit(original.dialect, &text, donors, chance);
            if parse(original.dialect, &next).notes.is_empty() {
                text = next;
            }
        }
    }
    None
}

// A statement goes, comes, or is exchanged.
fn one_edit(dialect: Dialect, text: &str, donors: &[&str], chance: &mut Chance) -> String {
    let simple = simple_lines(dialect, text);
    let Some((line, own)) = simple.get(chance.below(simple.len())) else { return text.to_owned() };
    let indent = &own[..own.len() - own.trim_start().len()];
    let donor = donors[chance.below(donors.len())];
    let what = chance.below(3);
    let mut out = String::new();
    for (index, whole) in text.lines().enumerate() {
        if index != *line {
            out += whole;
            out += "\n";
            continue;
        }
        match what {
            0 => {}
            1 => out += &format!("{whole}\n{indent}{donor}\n"),
            _ => out += &format!("{indent}{donor}\n"),
        }
    }
    out
}
