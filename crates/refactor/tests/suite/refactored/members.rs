//! Operators on methods, types, fields and files as wholes.

use super::Label;
use super::state::{Chance, State};
use formicary_model::refactorings::RefactoringKind as Kind;
use formicary_syntax::{ClassKind, Dialect, Owner, parse};

fn whole(state: &State, file: usize) -> (usize, usize) {
    (0, state.files[file].1.len())
}

/// Another name, at every call too.
pub fn rename_method(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let place = state.method(chance, |place, _| state.is_only_called(&place.name))?;
    let name = state.fresh("handle");
    for file in 0..state.files.len() {
        let range = whole(state, file);
        state.rename(file, range, &place.name, &name, true);
    }
    state.used.extend([place.name.clone(), name.clone()]);
    Some(vec![Label::new(Kind::RenameMethod, &place.name, &name)])
}

/// A class of a file: its name, its whole lines, whether it extends something, the place before its closing.
fn class(state: &State, file: usize, chance: &mut Chance) -> Option<(String, (usize, usize), bool)> {
    let text = &state.files[file].1;
    let unit = parse(state.dialect, text);
    let found: Vec<_> = unit
        .classes
        .iter()
        .filter(|class| {
            class.kind == ClassKind::Class
                && class.owner == Owner::File
                && class.methods.len() >= 2
                && class.decorators.is_empty()
                && !state.used.contains(class.name)
        })
        .collect();
    let class = found.get(chance.below(found.len()))?;
    let start = unit.lines.start(unit.lines.line(class.span.start)) as usize;
    let end =
        text[class.span.end as usize..].find('\n').map_or(text.len(), |at| class.span.end as usize + at + 1);
    Some((class.name.to_owned(), (start, end), !class.bases.is_empty()))
}

/// Another name for a type.
pub fn rename_class(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let (name, _, _) = class(state, 0, chance)?;
    let new = state.fresh("Holder");
    for file in 0..state.files.len() {
        let range = whole(state, file);
        state.rename(file, range, &name, &new, true);
    }
    state.used.extend([name.clone(), new.clone()]);
    Some(vec![Label::new(Kind::RenameClass, &name, &new)])
}

/// Another name for a field, wherever it is read.
pub fn rename_field(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let text = state.files[0].1.clone();
    let unit = parse(state.dialect, &text);
    let mut names: Vec<&str> = match state.dialect {
        Dialect::Java => unit
            .classes
            .iter()
            .filter(|class| class.owner == Owner::File)
            .flat_map(|class| &class.fields)
            .map(|field| field.0)
            .collect(),
        _ => {
            let mark = if state.dialect == Dialect::Python { "self." } else { "this." };
            let lines = text.lines().filter_map(|line| line.trim().strip_prefix(mark)?.split_once(" = "));
            lines
                .map(|(name, _)| name)
                .filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
                .collect()
        }
    };
    let chosen = |name: &&str| {
        !unit
            .functions
            .iter()
            .any(|function| function.name == *name || function.parameters.iter().any(|p| p.name == *name))
            && (3..40).contains(&state.times(name))
            && !state.used.contains(*name)
            && !text.contains(&format!(" {name} = "))
            && !text.contains(&format!("class {name}"))
    };
    names.retain(chosen);
    names.sort_unstable();
    names.dedup();
    let name = (*names.get(chance.below(names.len()))?).to_owned();
    let new = state.fresh("held");
    for file in 0..state.files.len() {
        let range = whole(state, file);
        state.rename(file, range, &name, &new, true);
    }
    state.used.extend([name.clone(), new.clone()]);
    Some(vec![Label::new(Kind::RenameField, &name, &new)])
}

/// From one file to the other: into its type, or beside its functions.
pub fn move_method(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let to_class = state.dialect == Dialect::Java || chance.below(2) == 0;
    let place = state.method(chance, |place, _| place.file == 0 && place.owner.is_some() == to_class)?;
    let text = state.files[0].1[place.lines.0..place.lines.1].to_owned();
    let at = if to_class {
        let (_, (start, end), _) = class(state, 1, chance)?;
        if state.dialect == Dialect::Python {
            end
        } else {
            start + state.files[1].1[start..end].rfind('}')?
        }
    } else {
        state.files[1].1.len()
    };
    state.edit(0, vec![(place.lines.0, place.lines.1, String::new())]);
    state.edit(1, vec![(at, at, format!("\n{text}"))]);
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::MoveMethod, &place.name, &place.name)])
}

/// From one file to the other; in Java to another package.
pub fn move_class(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    if state.dialect == Dialect::Java {
        let text = &state.files[0].1;
        let package = parse(state.dialect, text).package?.to_owned();
        let unit = parse(state.dialect, text);
        let tops: Vec<String> = unit
            .classes
            .iter()
            .filter(|class| class.owner == Owner::File)
            .map(|class| class.name.to_owned())
            .collect();
        if tops.len() != 1 || state.used.contains(&tops[0]) {
            return None;
        }
        let new = format!("{package}.moved");
        let text = text.replacen(&format!("package {package};"), &format!("package {new};"), 1);
        let path = &state.files[0].0;
        let path =
            path.rsplit_once('/').map_or_else(|| format!("moved/{path}"), |(f, n)| format!("{f}/moved/{n}"));
        state.files[0] = (path, text);
        state.used.insert(tops[0].clone());
        return Some(vec![Label::new(Kind::MoveClass, &tops[0], &tops[0])]);
    }
    let (name, (start, end), _) = class(state, 0, chance)?;
    if state.files[1].1.contains(&format!("class {name}")) {
        return None;
    }
    let text = state.files[0].1[start..end].to_owned();
    state.edit(0, vec![(start, end, String::new())]);
    state.files[1].1 += &format!("\n\n{text}");
    state.used.insert(name.clone());
    Some(vec![Label::new(Kind::MoveClass, &name, &name)])
}

/// Another folder, or another name.
pub fn move_file(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    if state.dialect == Dialect::Java || parse(state.dialect, &state.files[0].1).functions.len() < 3 {
        return None;
    }
    let old = state.files[0].0.clone();
    if !state.used.insert(old.clone()) {
        return None;
    }
    let name = old.rsplit('/').next()?.to_owned();
    let (kind, new) = if chance.below(2) == 0 {
        (Kind::MoveFile, format!("elsewhere/{name}"))
    } else {
        let folder = old.strip_suffix(&name)?;
        (Kind::RenameFile, format!("{folder}other_{name}"))
    };
    state.files[0].0.clone_from(&new);
    // A file moves once: a second time it would move to where it is.
    state.used.insert(new.clone());
    Some(vec![Label { kind, old, new }])
}

/// Into a base that was there before.
pub fn pull_up(state: &mut State, chance: &mut Chance) -> Option<Vec<Label>> {
    let place = state.method(chance, |place, _| place.file == 0 && place.owner.is_some())?;
    let owner = place.owner.clone()?;
    let text = state.files[0].1.clone();
    let unit = parse(state.dialect, &text);
    let class = unit.classes.iter().find(|class| class.name == owner)?;
    let base = class.bases.first().and_then(|base| unit.name_of(*base))?.to_owned();
    if state.files[1].1.contains(&format!("class {base}")) || text.contains(&format!("class {base}")) {
        return None;
    }
    let method = text[place.lines.0..place.lines.1].to_owned();
    let package = unit.package.map(|package| format!("package {package};\n")).unwrap_or_default();
    let (before, after) = match state.dialect {
        Dialect::Python => {
            (format!("class {base}:\n    kind = 1\n"), format!("class {base}:\n    kind = 1\n\n{method}"))
        }
        Dialect::Java => (
            format!("{package}class {base} {{\n    int kindOfBase = 1;\n}}\n"),
            format!("{package}class {base} {{\n    int kindOfBase = 1;\n{method}}}\n"),
        ),
        _ => (
            format!("class {base} {{\n  kind() {{ return 1; }}\n}}\n"),
            format!("class {base} {{\n  kind() {{ return 1; }}\n{method}}}\n"),
        ),
    };
    let path = format!("base.{}", super::extension(state.dialect));
    state.edit(0, vec![(place.lines.0, place.lines.1, String::new())]);
    state.added_before.push((path.clone(), before));
    state.files.push((path, after));
    state.used.insert(place.name.clone());
    Some(vec![Label::new(Kind::PullUpMethod, &place.name, &place.name)])
}
