//! Another name for something of a Java file, in every file that uses it.

use super::names::names as find_names;
use super::project::Project;
use super::{classes, members};
use crate::operations::free::free;
use crate::operations::scoped::{Binding, Role};
use crate::operations::words::is_name;
use crate::operations::{Refactored, Refused, changed, moved, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use formicary_syntax::Bounds;
use formicary_syntax::tree::tree;
use tree_sitter::Tree;

/// Gives the name at a place another name, here and in every file of the project that uses it.
pub(in crate::operations) fn rename(
    sources: &[Source],
    home: &Source,
    offset: usize,
    new: &str,
) -> Result<Refactored, Refused> {
    if !is_name(home.dialect(), new) {
        return Err(Refused::Wrong(format!("{new} is not a name in Java")));
    }
    let tree = grown(home)?;
    let names = find_names(&tree, home.text());
    if let Some(member) = names.member_at(offset) {
        let Some(node) = tree.root_node().descendant_for_byte_range(member.range.start, member.range.end)
        else {
            return Err(unsure(home, offset, "no name stands here"));
        };
        return match node.parent().filter(|parent| parent.kind() == "method_declaration") {
            Some(_) => wide(sources, home, member.range.start, member.name, new, What::Method),
            None => Err(unsure(home, offset, "rename it where it is declared")),
        };
    }
    let Some(chosen) = names.at(offset) else {
        return Err(unsure(home, offset, "no name stands here"));
    };
    let old = chosen.name;
    if old == new {
        return Err(Refused::Wrong(format!("it is called {new} already")));
    }
    let Some(scope) = names.resolve_one(chosen) else {
        return Err(unsure(
            home,
            offset,
            format!("{old} is not declared in this file; rename it where it is"),
        ));
    };
    let bound = names.of(scope, old).find(|one| matches!(one.role, Role::Bind(_)));
    let Some(bound) = bound else {
        return Err(unsure(home, offset, format!("{old} is not declared in this file")));
    };
    let record = tree.root_node().descendant_for_byte_range(bound.range.start, bound.range.end);
    let record = record
        .and_then(|node| node.parent()?.parent()?.parent())
        .is_some_and(|above| above.kind() == "record_declaration");
    match bound.role {
        Role::Bind(Binding::Field) if record => {
            Err(unsure(home, offset, "a record's component has more than one face"))
        }
        Role::Bind(Binding::Field) => wide(sources, home, bound.range.start, old, new, What::Field),
        Role::Bind(Binding::Class) => wide(sources, home, bound.range.start, old, new, What::Class),
        _ => {
            free(home, &names, scope, old, new)?;
            // Java's locals may not hide each other.
            let outer = std::iter::successors(names.function_of(scope), |id| {
                names.function_of(names.scopes[*id].parent?)
            });
            let around = outer.last().map(|id| names.scopes[id].range.clone()).unwrap_or_default();
            let taken =
                names.occurrences.iter().find(|one| one.name == new && around.contains(&one.range.start));
            if let Some(taken) = taken {
                return Err(unsure(home, taken.range.start, format!("{new} is taken here already")));
            }
            let edits: Vec<Edit> = names
                .of(scope, old)
                .map(|one| Edit { range: one.range.clone(), text: new.to_owned() })
                .collect();
            let what = format!("{old} is called {new} in {} places", edits.len());
            Ok(Refactored { what, changes: vec![changed(home, edits)?] })
        }
    }
}

enum What {
    Method,
    Field,
    Class,
}

/// A name that other files may know.
fn wide(
    sources: &[Source],
    home: &Source,
    at: usize,
    old: &str,
    new: &str,
    what: What,
) -> Result<Refactored, Refused> {
    if old == new {
        return Err(Refused::Wrong(format!("it is called {new} already")));
    }
    let project = Project::new(sources)?;
    let file = project.files.iter().position(|file| file.source.path() == home.path());
    let file = file.ok_or_else(|| Refused::Wrong(format!("{} is not a file of the project", home.path())))?;
    let nothing = || unsure(home, at, "nothing is declared here");
    let class = matches!(what, What::Class);
    let edits = if class {
        let name_at =
            |one: &super::project::Type| one.file == file && one.range.contains(&at) && one.name == old;
        let owner = project.types.iter().position(name_at).ok_or_else(nothing)?;
        classes::Work { project: &project, old, new, owner }.edits()?
    } else {
        let owner = project.around(file, at).ok_or_else(nothing)?;
        let method = project.types[owner].methods.iter().find(|method| method.range.start == at);
        let parameters = match what {
            What::Method => Some(method.ok_or_else(nothing)?.parameters),
            _ => None,
        };
        members::Work { project: &project, old, new, owner, parameters }.edits()?
    };
    let mut changes = Vec::new();
    for (at, edits) in edits.into_iter().enumerate().filter(|(_, edits)| !edits.is_empty()) {
        let source = project.files[at].source;
        let mut change = changed(source, edits)?;
        let (folder, name) =
            source.path().rsplit_once('/').map_or(("", source.path()), |(folder, name)| (folder, name));
        if class && name == format!("{old}.java") {
            let target =
                if folder.is_empty() { format!("{new}.java") } else { format!("{folder}/{new}.java") };
            change = moved(sources, source, change, target)?;
        }
        changes.push(change);
    }
    let places: usize = changes.iter().map(|change| change.places).sum();
    let mut what = format!("{old} is called {new} in {places} places");
    for change in &changes {
        if let Some(target) = &change.moved_to {
            what = format!("{what}, and {} is now {target}", change.path);
        }
    }
    Ok(Refactored { what, changes })
}

pub(super) fn grown(source: &Source) -> Result<Tree, Refused> {
    let tree = tree(source.dialect(), source.text(), Bounds::default())
        .map_err(|kind| Refused::Wrong(format!("{}: {}", source.path(), kind.message())))?;
    if tree.root_node().has_error() {
        return Err(Refused::Wrong(format!(
            "{}: it does not parse; nothing in it is certain",
            source.path()
        )));
    }
    Ok(tree)
}
