//! Operators on what stands before a body.

use super::Label;
use super::state::{Chance, Place, State};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::Dialect;

// The text between the brackets of the parameters.
fn list(text: &str, place: &Place) -> Option<(usize, usize)> {
    let open = place.name_at.1 + text[place.name_at.1..place.body.0].find('(')?;
    let mut depth = 0;
    for (index, byte) in text.bytes().enumerate().take(place.body.0 + 1).skip(open) {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        if depth == 0 {
            return Some((open + 1, index));
        }
    }
    None
}

// Takes its parameters apart, where they are plain.
fn parts(text: &str, place: &Place) -> Option<((usize, usize), Vec<String>)> {
    let range = list(text, place)?;
    let inside = &text[range.0..range.1];
    let plain =
        !inside.contains(['(', '<', '=', '*', '{', '[', '@', '/', '#', '\n']) && !inside.trim().is_empty();
    plain.then(|| (range, inside.split(',').map(|part| part.trim().to_owned()).collect()))
}

fn is_self(part: &str) -> bool {
    matches!(part, "self" | "cls")
}

/// Another name for what a method takes.
pub fn rename_parameter(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let dialect = state.dialect;
    let place = state.method(chance, |place, text| {
        place.parameters.iter().any(|(name, _, _)| usable(dialect, place, text, name))
    })?;
    let text = state.files[place.file].1.clone();
    let all: Vec<&String> = place
        .parameters
        .iter()
        .map(|(name, _, _)| name)
        .filter(|name| usable(dialect, &place, &text, name))
        .collect();
    let name = all.get(chance.below(all.len()))?.to_string();
    let new = state.fresh("given");
    state.rename(place.file, place.lines, &name, &new, false);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::RenameParameter, &name, &new)])
}

// Used in the body, and never as the name of an argument or of a key.
fn usable(dialect: Dialect, place: &Place, text: &str, name: &str) -> bool {
    let body = &text[place.body.0..place.body.1];
    name.len() > 1
        && !is_self(name)
        && super::bodies::times(dialect, body, name) >= 2
        && !body.contains(&format!("{name}="))
        && !body.contains(&format!("{name}:"))
        && !body.contains(&format!(".{name}"))
        && !body.contains(&format!("{{ {name}"))
        && !body.contains(&format!(", {name} }}"))
}

/// One more.
pub fn add_parameter(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let place = state.method(chance, |place, text| list(text, place).is_some())?;
    let text = state.files[place.file].1.clone();
    let range = list(&text, &place)?;
    let inside = &text[range.0..range.1];
    if inside.contains('*') || inside.contains("...") || inside.trim_end().ends_with(',') {
        return None;
    }
    let new = state.fresh("option");
    let written = match state.dialect {
        Dialect::Java => format!("String {new}"),
        Dialect::Python => format!("{new}=None"),
        _ => new.clone(),
    };
    let comma = if inside.trim().is_empty() { "" } else { ", " };
    state.edit(place.file, vec![(range.1, range.1, format!("{comma}{written}"))]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::AddParameter, &place.name, &new)])
}

/// Two change places.
pub fn reorder_parameters(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let own = |place: &Place, text: &str| {
        parts(text, place).map(|(range, all)| (range, all.iter().filter(|p| is_self(p)).count(), all))
    };
    let place = state
        .method(chance, |place, text| own(place, text).is_some_and(|(_, from, all)| all.len() >= from + 2))?;
    let text = state.files[place.file].1.clone();
    let (range, from, mut all) = own(&place, &text)?;
    let last = all.len() - 1;
    all.swap(from, last);
    state.edit(place.file, vec![(range.0, range.1, all.join(", "))]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::ReorderParameters, &place.name, &place.name)])
}

/// Another type for what a method takes.
pub fn retype_parameter(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    if state.dialect != Dialect::Java {
        return None;
    }
    let place = state.method(chance, |place, text| {
        parts(text, place).is_some_and(|(_, all)| all.iter().all(|part| part.split(' ').count() == 2))
    })?;
    let text = state.files[place.file].1.clone();
    let (range, mut all) = parts(&text, &place)?;
    let at = chance.below(all.len());
    let name = all[at].split(' ').nth(1)?.to_owned();
    all[at] = format!("CharSequence {name}");
    if text[range.0..range.1].contains(&all[at]) {
        return None;
    }
    state.edit(place.file, vec![(range.0, range.1, all.join(", "))]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::ChangeParameterType, &name, &name)])
}

/// Another type for what a method gives.
pub fn change_result(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    if state.dialect != Dialect::Java {
        return None;
    }
    let kinds = ["int ", "boolean ", "String ", "long ", "void ", "Object "];
    let before = |place: &Place, text: &str| {
        let head = text[place.lines.0..place.name_at.0].to_owned();
        kinds.iter().find(|kind| head.ends_with(&format!(" {kind}"))).copied()
    };
    let place = state.method(chance, |place, text| before(place, text).is_some())?;
    let text = state.files[place.file].1.clone();
    let kind = before(&place, &text)?;
    let at = place.name_at.0 - kind.len();
    state.edit(place.file, vec![(at, place.name_at.0, "java.util.Optional<Number> ".to_owned())]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::ChangeReturnType, &place.name, &place.name)])
}

/// An annotation or decorator more.
pub fn annotate(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    if state.dialect == Dialect::JavaScript {
        return None;
    }
    let place = state.method(chance, |_, _| true)?;
    let text = &state.files[place.file].1;
    let own = &text[place.lines.0..];
    let indent = own[..own.len() - own.trim_start().len()].to_owned();
    let word = if state.dialect == Dialect::Java { "@Deprecated" } else { "@traced" };
    state.edit(place.file, vec![(place.lines.0, place.lines.0, format!("{indent}{word}\n"))]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::AddMethodAnnotation, &place.name, &place.name)])
}

/// For others to use, or no more.
pub fn access(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    if state.dialect != Dialect::Java {
        return None;
    }
    let at = |place: &Place, text: &str| {
        let head = &text[place.lines.0..place.name_at.0];
        ["public ", "private ", "protected "]
            .iter()
            .find_map(|word| head.find(word).map(|at| (place.lines.0 + at, *word)))
    };
    let place = state.method(chance, |place, text| at(place, text).is_some())?;
    let (start, word) = at(&place, &state.files[place.file].1)?;
    let new = if word == "protected " { "public " } else { "protected " };
    state.edit(place.file, vec![(start, start + word.len(), new.to_owned())]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::ChangeMethodAccess, &place.name, &place.name)])
}

/// An exception more.
pub fn throws(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    if state.dialect != Dialect::Java {
        return None;
    }
    let plain = |place: &Place, text: &str| {
        let range = list(text, place)?;
        text[range.1 + 1..place.body.0].trim().is_empty().then_some(range.1 + 1)
    };
    let place = state.method(chance, |place, text| plain(place, text).is_some())?;
    let at = plain(&place, &state.files[place.file].1)?;
    state.edit(place.file, vec![(at, at, " throws InterruptedException".to_owned())]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::AddThrownException, &place.name, &place.name)])
}
