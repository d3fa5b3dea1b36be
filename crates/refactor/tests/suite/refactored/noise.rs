//! Edits that are no refactoring: a comment, a statement more, a function more.

use super::state::{Chance, State};
use formicary_syntax::Dialect;

/// Adds some.
pub fn add(state: &mut State, chance: &mut Chance) {
    let comment = if state.dialect == Dialect::Python { "# checked again\n" } else { "// checked again\n" };
    state.files[0].1 = format!("{}{comment}", state.files[0].1);
    if chance.below(2) == 0
        && let Some(place) = state.method(chance, |place, _| !state.used.contains(&place.name))
    {
        let statement = match state.dialect {
            Dialect::Python => "print('seen', 17)",
            Dialect::Java => "System.out.println(\"seen\" + 17);",
            _ => "console.debug('seen', 17);",
        };
        let lines = super::state::simple_lines(state.dialect, &state.files[place.file].1);
        let text = &state.files[place.file].1;
        let first = text[..place.body.0].matches('\n').count();
        let last = text[..place.body.1].matches('\n').count();
        let target = lines.iter().find(|(line, _)| *line > first && *line < last);
        if let Some((line, own)) = target {
            let at: usize = text.split_inclusive('\n').take(*line).map(str::len).sum();
            let indent = &own[..own.len() - own.trim_start().len()];
            let new = format!("{indent}{statement}\n");
            let file = place.file;
            state.edit(file, vec![(at, at, new)]);
        }
    }
    if chance.below(3) == 0 && state.dialect != Dialect::Java {
        let new = match state.dialect {
            Dialect::Python => {
                "\n\ndef brand_new(reason):\n    for word in reason.split('/'):\n        if word.isdigit():\n            return int(word) * 7919\n    return None\n"
            }
            _ => {
                "\nfunction brandNew(reason) {\n  for (const word of reason.split('/')) {\n    if (word.length > 7919) {\n      return word.toUpperCase();\n    }\n  }\n  return null;\n}\n"
            }
        };
        state.files[1].1 += new;
    }
}
