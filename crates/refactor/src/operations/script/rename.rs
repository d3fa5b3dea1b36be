//! Another name for something of a JavaScript or TypeScript file, in every file that takes it from there.

use super::grown;
use super::names::names as find_names;
use super::paths::{Paths, is_script};
use super::uses::{Taker, descendants, export_words, exported, is_module};
use crate::operations::free::free;
use crate::operations::scoped::{Binding, Names, Role, ScopeId, ScopeKind};
use crate::operations::words::is_name;
use crate::operations::{Refactored, Refused, changed, text, unsure};
use formicary_search::Source;
use formicary_search::rewrite::Change;
use formicary_search::rewrite::edit::Edit;
use tree_sitter::{Node, Tree};

/// Gives the name at a place another name, here and in every file of the project that takes it from here.
pub(in crate::operations) fn rename(
    sources: &[Source],
    home: &Source,
    offset: usize,
    new: &str,
) -> Result<Refactored, Refused> {
    let tree = grown(home)?;
    let names = find_names(&tree, home.text());
    let at = tree.root_node().descendant_for_byte_range(offset, offset);
    if let Some(private) = at.filter(|node| node.kind() == "private_property_identifier") {
        return private_name(home, private, new);
    }
    if !is_name(home.dialect(), new) {
        return Err(Refused::Wrong(format!("{new} is not a name in {}", home.dialect().language().name())));
    }
    let Some(chosen) = names.at(offset) else {
        let why = match names.member_at(offset) {
            Some(_) => {
                "a property: whose it is cannot be proven; only variables, functions, classes, types, imports and #private members are renamed"
            }
            None => "no name stands here",
        };
        return Err(unsure(home, offset, why));
    };
    let old = chosen.name;
    if old == new {
        return Err(Refused::Wrong(format!("it is called {new} already")));
    }
    let Some(scope) = names.resolve_one(chosen) else {
        return Err(unsure(home, offset, format!("{old} is not defined in this file")));
    };
    let work = Work { sources, home, names: &names, tree: &tree, old, new, scope };
    work.certain()?;
    let keep: Vec<Edit> =
        names.of(scope, old).map(|one| Edit { range: one.range.clone(), text: one.renamed(new) }).collect();
    let (changes, note) =
        if scope == 0 { work.file_level(keep)? } else { (vec![changed(home, keep)?], String::new()) };
    let places: usize = changes.iter().map(|change| change.places).sum();
    Ok(Refactored { what: format!("{old} is called {new} in {places} places{note}"), changes })
}

/// `#x` is seen by its class alone.
fn private_name(home: &Source, node: Node<'_>, new: &str) -> Result<Refactored, Refused> {
    let new = format!("#{}", new.trim_start_matches('#'));
    if !is_name(home.dialect(), &new[1..]) {
        return Err(Refused::Wrong(format!("{new} is not a name")));
    }
    let old = text(home, &node.byte_range());
    let class =
        std::iter::successors(node.parent(), Node::parent).filter(|above| above.kind() == "class_body");
    let declares = |body: &Node<'_>| {
        let mut cursor = body.walk();
        body.named_children(&mut cursor).any(|member| {
            let name = member.child_by_field_name("name").or_else(|| member.child_by_field_name("property"));
            name.is_some_and(|name| text(home, &name.byte_range()) == old)
        })
    };
    let Some(body) = class.into_iter().find(declares) else {
        return Err(unsure(home, node.start_byte(), format!("no class around declares {old}")));
    };
    let words: Vec<Node<'_>> =
        descendants(body).into_iter().filter(|one| one.kind() == "private_property_identifier").collect();
    if let Some(taken) = words.iter().find(|one| text(home, &one.byte_range()) == new) {
        return Err(unsure(home, taken.start_byte(), format!("{new} is taken here already")));
    }
    let inner = descendants(body).into_iter().skip(1).find(|one| one.kind() == "class_body" && declares(one));
    if let Some(inner) = inner {
        return Err(unsure(home, inner.start_byte(), format!("a class inside has a {old} of its own")));
    }
    let same = words.iter().filter(|one| text(home, &one.byte_range()) == old);
    let edits: Vec<Edit> = same.map(|one| Edit { range: one.byte_range(), text: new.clone() }).collect();
    let what = format!("{old} is called {new} in {} places", edits.len());
    Ok(Refactored { what, changes: vec![changed(home, edits)?] })
}

struct Work<'w> {
    sources: &'w [Source],
    home: &'w Source,
    names: &'w Names<'w>,
    tree: &'w Tree,
    old: &'w str,
    new: &'w str,
    scope: ScopeId,
}

impl Work<'_> {
    /// Nothing may look the name up by its text, and the new one must be free.
    fn certain(&self) -> Result<(), Refused> {
        let (names, home) = (self.names, self.home);
        if let Some((_, at, why)) =
            names.dynamic.iter().find(|(inner, ..)| names.is_within(*inner, self.scope))
        {
            return Err(unsure(home, *at, *why));
        }
        if names.scopes[self.scope].kind == ScopeKind::Class {
            let why = "a member of an enumeration or namespace: who else names it by a dot cannot be proven";
            return Err(unsure(home, names.scopes[self.scope].range.start, why));
        }
        if self.old == "arguments" {
            return Err(unsure(home, 0, "arguments is the language's own"));
        }
        free(home, names, self.scope, self.old, self.new)?;
        for one in names.of(self.scope, self.old).filter(|one| matches!(one.role, Role::Bind(_))) {
            if one.role == Role::Bind(Binding::Function) && names.scopes[self.scope].kind == ScopeKind::Block
            {
                let node = self.tree.root_node().descendant_for_byte_range(one.range.start, one.range.end);
                let parent = node.and_then(|node| node.parent());
                let own = parent.is_some_and(|parent| parent.kind().ends_with("declaration"));
                let outside = names
                    .occurrences
                    .iter()
                    .any(|other| other.name == self.old && names.resolve_one(other) != Some(self.scope));
                if own && outside {
                    let why = "a function in a block: whether it is seen outside depends on the mode";
                    return Err(unsure(home, one.range.start, why));
                }
            }
            let node = self.tree.root_node().descendant_for_byte_range(one.range.start, one.range.end);
            for above in std::iter::successors(node, Node::parent) {
                let mut cursor = above.walk();
                if above.kind() == "ambient_declaration" {
                    return Err(unsure(home, one.range.start, "it is declared here and made elsewhere"));
                }
                if matches!(above.kind(), "required_parameter" | "optional_parameter")
                    && above.children(&mut cursor).any(|child| {
                        matches!(child.kind(), "accessibility_modifier" | "override_modifier" | "readonly")
                    })
                {
                    return Err(unsure(
                        home,
                        one.range.start,
                        "the parameter is a property of its class too",
                    ));
                }
                if above.kind().ends_with("statement_block") {
                    break;
                }
            }
        }
        self.stays_an_element()?;
        self.told_names()
    }

    /// In JSX a small letter means an element of the page.
    fn stays_an_element(&self) -> Result<(), Refused> {
        let small = |word: &str| word.starts_with(|c: char| c.is_lowercase());
        if small(self.old) == small(self.new) {
            return Ok(());
        }
        for one in self.names.of(self.scope, self.old) {
            let node = self.tree.root_node().descendant_for_byte_range(one.range.start, one.range.end);
            let parent = node.and_then(|node| node.parent());
            if parent
                .is_some_and(|parent| parent.kind().starts_with("jsx") && parent.kind().ends_with("element"))
            {
                let why = format!("{} would be read as an element of the page", self.new);
                return Err(unsure(self.home, one.range.start, why));
            }
        }
        Ok(())
    }

    /// A function knows its own name, and a program may ask for it.
    fn told_names(&self) -> Result<(), Refused> {
        let named = |one: &&crate::operations::scoped::Occurrence<'_>| {
            matches!(one.role, Role::Bind(Binding::Function | Binding::Class))
        };
        if !self.names.of(self.scope, self.old).any(|one| named(&one)) {
            return Ok(());
        }
        let mut asked = false;
        let mut said = None;
        for source in self.sources.iter().filter(|source| is_script(source.dialect())) {
            asked |= source.text().contains(".name");
            let quoted = ["'", "\"", "`"]
                .iter()
                .find_map(|quote| source.text().find(&format!("{quote}{}{quote}", self.old)));
            said = said.or(quoted.map(|at| (source, at)));
        }
        match said.filter(|_| asked) {
            Some((source, at)) => {
                let why =
                    format!("a string says {}, and the project asks functions for their names", self.old);
                Err(unsure(source, at, why))
            }
            None => Ok(()),
        }
    }

    fn file_level(&self, keep: Vec<Edit>) -> Result<(Vec<Change>, String), Refused> {
        if !is_module(self.names, self.tree) {
            let why = "the file is no module: its names are seen by every script of a page";
            return Err(unsure(self.home, 0, why));
        }
        let declared = self.declared_export();
        let words = export_words(self.names, self.old);
        let common = exported(self.home, self.names, self.tree, self.old, self.new);
        if declared.is_none() && words.is_empty() && common.is_none() {
            return Ok((vec![changed(self.home, keep)?], String::new()));
        }
        let mut follow: Vec<Edit> = keep
            .iter()
            .map(|edit| {
                let word = words.iter().any(|word| **word == edit.range);
                if word { Edit { text: self.new.to_owned(), ..edit.clone() } } else { edit.clone() }
            })
            .collect();
        if let Some(common) = &common {
            follow.retain(|edit| common.follow.iter().all(|other| other.range != edit.range));
            follow.extend(common.follow.iter().cloned());
        }
        let followed = match &common {
            Some(common) if common.lost => {
                Err(unsure(self.home, 0, "what the module exports goes ways that cannot be followed"))
            }
            _ => self.takers(),
        };
        match followed {
            Ok(mut changes) => {
                changes.insert(0, changed(self.home, follow)?);
                Ok((changes, String::new()))
            }
            Err(refused) if declared.is_some() => Err(refused),
            // The name for others stays; that needs nobody's help.
            Err(refused) => {
                let note = format!("; others still know it as {} ({refused})", self.old);
                Ok((vec![changed(self.home, keep)?], note))
            }
        }
    }

    /// `export function x`, `export const x`: the name for others is the same word.
    fn declared_export(&self) -> Option<usize> {
        let bound = self.names.of(0, self.old).filter(|one| matches!(one.role, Role::Bind(_)));
        bound.into_iter().find_map(|one| {
            let node = self.tree.root_node().descendant_for_byte_range(one.range.start, one.range.end)?;
            let export = std::iter::successors(node.parent(), Node::parent)
                .take_while(|above| !above.kind().ends_with("block"))
                .find(|above| above.kind() == "export_statement")?;
            let mut cursor = export.walk();
            let default = export.children(&mut cursor).any(|child| child.kind() == "default");
            (!default).then(|| export.start_byte())
        })
    }

    fn takers(&self) -> Result<Vec<Change>, Refused> {
        let paths = Paths { sources: self.sources, home: self.home.path() };
        let stem = self.home.path().rsplit_once('.').map_or(self.home.path(), |(stem, _)| stem);
        let mut changes = Vec::new();
        for source in self.sources.iter().filter(|source| is_script(source.dialect())) {
            if source.path() == self.home.path() {
                continue;
            }
            if source.path() == format!("{stem}.d.ts") && source.text().contains(self.old) {
                return Err(unsure(source, 0, "declarations of the module name it too"));
            }
            // A module that is handed on whole does not say the name.
            let handed =
                ["export *", "import *", "require(", "import("].iter().any(|way| source.text().contains(way));
            if !source.text().contains(self.old) && !handed {
                continue;
            }
            let tree = grown(source)?;
            let names = find_names(&tree, source.text());
            let taker =
                Taker { source, names: &names, tree: &tree, paths: &paths, old: self.old, new: self.new };
            let edits = taker.edits()?;
            if !edits.is_empty() {
                changes.push(changed(source, edits)?);
            }
        }
        Ok(changes)
    }
}
