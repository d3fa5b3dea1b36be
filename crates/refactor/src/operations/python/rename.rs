//! Another name, in every file that uses it.

use super::names::{Names, Occurrence, Role, ScopeId, ScopeKind};
use crate::operations::words::is_name;
use crate::operations::{Refactored, Refused, changed, unsure};
use formicary_search::Source;
use formicary_search::index::facts::{ImportFact, facts_of};
use formicary_search::index::modules::Modules;
use formicary_search::rewrite::edit::Edit;
use formicary_syntax::tree::tree;
use formicary_syntax::{Bounds, Dialect};

/// Gives the name at a place another name, here and in every file of the project that takes it from here.
pub(in crate::operations) fn rename(
    sources: &[Source],
    home: &Source,
    offset: usize,
    new: &str,
) -> Result<Refactored, Refused> {
    if !is_name(home.dialect(), new) {
        return Err(Refused::Wrong(format!("{new} is not a name in Python")));
    }
    let tree = grown(home)?;
    let names = Names::new(&tree, home.text());
    let Some(chosen) = names.at(offset) else {
        return Err(unsure(home, offset, "no name stands here"));
    };
    let old = chosen.name;
    if old == new {
        return Err(Refused::Wrong(format!("it is called {new} already")));
    }
    let scope = match &chosen.role {
        Role::Attribute(_) => {
            return Err(unsure(
                home,
                offset,
                "a name after a dot: whose it is cannot be proven; rename it where it is defined",
            ));
        }
        Role::Keyword(_) => {
            return Err(unsure(home, offset, "an argument's name: rename the parameter where it is defined"));
        }
        Role::ImportFrom { .. } | Role::ImportModule(_) => {
            return Err(unsure(home, offset, "it comes from elsewhere: rename it where it is defined"));
        }
        _ => names.resolve(chosen.scope, old),
    };
    let Some(scope) = scope else {
        return Err(unsure(home, offset, format!("{old} is not defined in this file")));
    };
    let project = Project { sources, home, names: &names, old, new, scope };
    let mut changes = vec![changed(home, project.here(offset)?)?];
    if names.scopes[scope].kind == ScopeKind::File {
        changes.extend(project.elsewhere()?);
    } else if names.of(scope, old).any(|one| one.role == Role::Parameter) {
        project.keywords()?;
    }
    let places: usize = changes.iter().map(|change| change.places).sum();
    Ok(Refactored { what: format!("{old} is called {new} in {places} places"), changes })
}

fn grown(source: &Source) -> Result<tree_sitter::Tree, Refused> {
    tree(source.dialect(), source.text(), Bounds::default())
        .map_err(|kind| Refused::Wrong(format!("{}: {}", source.path(), kind.message())))
}

struct Project<'p> {
    sources: &'p [Source],
    home: &'p Source,
    names: &'p Names<'p>,
    old: &'p str,
    new: &'p str,
    scope: ScopeId,
}

impl Project<'_> {
    fn edit(&self, one: &Occurrence<'_>) -> Edit {
        Edit { range: one.range.clone(), text: self.new.to_owned() }
    }

    /// The edits in the file that defines the name.
    fn here(&self, offset: usize) -> Result<Vec<Edit>, Refused> {
        let (names, home) = (self.names, self.home);
        let kind = names.scopes[self.scope].kind;
        if kind == ScopeKind::Class {
            return Err(unsure(
                home,
                offset,
                "a member of a class: who else names it by a dot cannot be proven",
            ));
        }
        if let Some((_, at)) = names.dynamic.iter().find(|(scope, _)| names.is_within(*scope, self.scope)) {
            return Err(unsure(home, *at, "names may be looked up by their text here"));
        }
        free(home, names, self.scope, self.old, self.new)?;
        let foreign =
            |one: &&Occurrence<'_>| matches!(one.role, Role::ImportFrom { .. } | Role::ImportModule(_));
        if let Some(import) = names.of(self.scope, self.old).find(foreign) {
            return Err(unsure(home, import.range.start, "it may also come from elsewhere, under that name"));
        }
        let mut edits: Vec<Edit> = names.of(self.scope, self.old).map(|one| self.edit(one)).collect();
        if kind == ScopeKind::File {
            edits.extend(self.strings(home, names)?);
        }
        Ok(edits)
    }

    /// `__all__` follows; any other string that says the name may be a look-up.
    fn strings(&self, source: &Source, names: &Names<'_>) -> Result<Vec<Edit>, Refused> {
        let mut edits = Vec::new();
        let all = source.text().find("__all__");
        let ending = format!(".{}", self.old);
        for (text, range) in &names.strings {
            if text.contains(">>>") && words(text).any(|word| word == self.old) {
                return Err(unsure(
                    source,
                    range.start,
                    "an example in the documentation names it, and may be run",
                ));
            }
            if *text != self.old && !text.ends_with(&ending) {
                continue;
            }
            let exported = all.is_some_and(|at| {
                let list = source.text().get(at..).unwrap_or("");
                let end = list.find([']', ')']).unwrap_or(0);
                at < range.start && range.end <= at + end
            });
            if !exported || *text != self.old {
                let why = format!("a string says {text}: it may be looked up by its text");
                return Err(unsure(source, range.start, why));
            }
            edits.push(Edit { range: range.clone(), text: self.new.to_owned() });
        }
        Ok(edits)
    }

    /// A parameter may be given by its name.
    fn keywords(&self) -> Result<(), Refused> {
        let range = &self.names.scopes[self.scope].range;
        let header = self.home.text().get(range.clone()).unwrap_or("");
        let function = header.trim_start_matches("async").trim_start().strip_prefix("def").unwrap_or("");
        let function: String =
            function.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        for source in self.sources.iter().filter(|source| self.mentions(source)) {
            let tree = grown(source)?;
            let names = Names::new(&tree, source.text());
            let given = format!("{}=", self.old);
            let example =
                |(text, _): &&(&str, std::ops::Range<usize>)| text.contains(">>>") && text.contains(&given);
            if let Some((_, range)) = names.strings.iter().find(example) {
                return Err(unsure(
                    source,
                    range.start,
                    "an example in the documentation names it, and may be run",
                ));
            }
            for one in names.occurrences.iter().filter(|one| one.name == self.old) {
                let Role::Keyword(called) = one.role else { continue };
                let last = called.rsplit('.').next().unwrap_or(called);
                if last == function || function.is_empty() || function == "__init__" {
                    let why = format!("{called} may be this function, and is given {} by its name", self.old);
                    return Err(unsure(source, one.range.start, why));
                }
            }
        }
        Ok(())
    }

    fn mentions(&self, source: &Source) -> bool {
        source.dialect() == Dialect::Python && source.text().contains(self.old)
    }

    /// The edits in files that take the name from this one.
    fn elsewhere(&self) -> Result<Vec<formicary_search::rewrite::Change>, Refused> {
        let facts: Vec<_> = self.sources.iter().map(facts_for_modules).collect();
        let modules = Modules::new(&facts);
        let home = self.sources.iter().position(|source| source.path() == self.home.path());
        let mut changes = Vec::new();
        for (at, source) in self.sources.iter().enumerate() {
            // A star import hands the name on without saying it.
            let stars = source.dialect() == Dialect::Python && source.text().contains("import *");
            if Some(at) == home || !self.mentions(source) && !stars {
                continue;
            }
            if source.path() == format!("{}i", self.home.path()) {
                return Err(unsure(source, 0, "the file has a stub that names it too"));
            }
            let tree = grown(source)?;
            let names = Names::new(&tree, source.text());
            let means_home = |module: &str| {
                let level = module.chars().take_while(|c| *c == '.').count();
                let import = ImportFact {
                    module: module.trim_start_matches('.').to_owned(),
                    level: level as u32,
                    ..ImportFact::default()
                };
                modules.resolve(&facts[at], &import).first().copied() == home
            };
            let edits = self.in_file(source, &names, &means_home)?;
            if !edits.is_empty() {
                changes.push(changed(source, edits)?);
            }
        }
        Ok(changes)
    }

    fn in_file(
        &self,
        source: &Source,
        names: &Names<'_>,
        means_home: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Edit>, Refused> {
        let mut edits = Vec::new();
        let mut involved = false;
        for (module, at) in &names.stars {
            if means_home(module) {
                return Err(unsure(
                    source,
                    *at,
                    format!("everything of {module} is imported: its names cannot be followed"),
                ));
            }
        }
        for one in names.occurrences.iter().filter(|one| one.name == self.old) {
            match &one.role {
                Role::ImportFrom { module, aliased } if means_home(module) => {
                    involved = true;
                    edits.push(self.edit(one));
                    if !aliased {
                        free(source, names, one.scope, self.old, self.new)?;
                        let other = |bound: &&Occurrence<'_>| match &bound.role {
                            Role::ImportFrom { module, .. } => !means_home(module),
                            Role::ImportModule(_) => true,
                            _ => false,
                        };
                        if let Some(other) = names.of(one.scope, self.old).find(other) {
                            let why = "it may also come from elsewhere, under that name";
                            return Err(unsure(source, other.range.start, why));
                        }
                        edits.extend(names.of(one.scope, self.old).map(|one| self.edit(one)));
                    }
                }
                Role::Attribute(base) if self.is_home(names, one, base, means_home) => {
                    involved = true;
                    edits.push(self.edit(one));
                }
                _ => {}
            }
        }
        // A second hand: a file that only hands the name on would be left behind.
        if involved {
            edits.extend(self.strings(source, names)?);
            if source.path().ends_with("__init__.py") {
                return Err(unsure(
                    source,
                    0,
                    "the package hands the name on; who takes it from there is not followed",
                ));
            }
        } else if let Some((text, range)) =
            names.strings.iter().find(|(text, _)| text.ends_with(&format!(".{}", self.old)))
        {
            return Err(unsure(
                source,
                range.start,
                format!("a string says {text}: it may be looked up by its text"),
            ));
        }
        Ok(edits)
    }

    /// Whether what stands before the dot is the module that defines the name.
    fn is_home(
        &self,
        names: &Names<'_>,
        one: &Occurrence<'_>,
        base: &str,
        means_home: &dyn Fn(&str) -> bool,
    ) -> bool {
        let (first, rest) = base.split_once('.').map_or((base, ""), |(first, rest)| (first, rest));
        let Some(scope) = names.resolve(one.scope, first) else { return false };
        names.of(scope, first).any(|bound| match &bound.role {
            Role::ImportModule(module) => {
                let full = if rest.is_empty() { (*module).to_owned() } else { format!("{module}.{rest}") };
                means_home(&full)
            }
            Role::ImportFrom { module, .. } if rest.is_empty() => means_home(&joined(module, first)),
            Role::Alias { module, name } if rest.is_empty() => means_home(&joined(module, name)),
            _ => false,
        })
    }
}

fn joined(module: &str, name: &str) -> String {
    if module.ends_with('.') || module.is_empty() {
        format!("{module}{name}")
    } else {
        format!("{module}.{name}")
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Only paths are needed to follow modules.
fn facts_for_modules(source: &Source) -> formicary_search::index::facts::FileFacts {
    facts_of(&Source::new(source.path(), source.dialect(), ""))
}

/// The new name must mean nothing where the old one stands, and must not come to mean something else.
pub(super) fn free(
    source: &Source,
    names: &Names<'_>,
    scope: ScopeId,
    old: &str,
    new: &str,
) -> Result<(), Refused> {
    let plain =
        |one: &&Occurrence<'_>| one.name == new && !matches!(one.role, Role::Attribute(_) | Role::Keyword(_));
    for taken in names.occurrences.iter().filter(plain) {
        let defined = names.resolve(taken.scope, new);
        if defined == Some(scope) {
            return Err(unsure(source, taken.range.start, format!("{new} is taken here already")));
        }
        if taken.role == Role::Read && names.is_within(taken.scope, scope) {
            let outside = defined.is_none_or(|defined| !names.is_within(defined, scope));
            if outside {
                let why = format!("{new} means something from outside here; it would be captured");
                return Err(unsure(source, taken.range.start, why));
            }
        }
    }
    for one in names.of(scope, old) {
        if let Some(between) = names.resolve(one.scope, new)
            && between != scope
            && names.is_within(between, scope)
        {
            return Err(unsure(
                source,
                one.range.start,
                format!("{new} means something else here: it would be shadowed"),
            ));
        }
    }
    Ok(())
}
