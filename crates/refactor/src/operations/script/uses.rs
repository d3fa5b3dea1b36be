//! Who takes a name from a module: imports, re-exports, `require`, and what is taken from a whole module by a dot.

use super::paths::{Meaning, Paths};
use crate::operations::scoped::{Binding, Form, Names, Role, Space};
use crate::operations::{Refused, free::free, text, unsure};
use formicary_search::Source;
use formicary_search::rewrite::edit::Edit;
use tree_sitter::{Node, Tree};

/// One file that may take the name.
pub(super) struct Taker<'t> {
    pub source: &'t Source,
    pub names: &'t Names<'t>,
    pub tree: &'t Tree,
    pub paths: &'t Paths<'t>,
    pub old: &'t str,
    pub new: &'t str,
}

impl<'t> Taker<'t> {
    /// The edits that follow the name; refused where the module goes ways that cannot be followed.
    pub fn edits(&self) -> Result<Vec<Edit>, Refused> {
        let mut edits = Vec::new();
        let mut pending = vec![self.tree.root_node()];
        while let Some(node) = pending.pop() {
            match node.kind() {
                "import_statement" => self.import(node, &mut edits)?,
                "export_statement" if node.child_by_field_name("source").is_some() => {
                    self.handed_on(node, &mut edits)?;
                }
                "call_expression" => {
                    self.call(node, &mut edits)?;
                    let mut cursor = node.walk();
                    pending.extend(node.named_children(&mut cursor));
                }
                _ => {
                    let mut cursor = node.walk();
                    pending.extend(node.named_children(&mut cursor));
                }
            }
        }
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup_by(|a, b| a.range == b.range);
        Ok(edits)
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        text(self.source, &node.byte_range())
    }

    fn module(&self, node: Node<'_>) -> Meaning {
        let path = self.text(node).trim_matches(['"', '\'', '`']);
        self.paths.meaning(self.source.path(), path)
    }

    fn unknown(&self, node: Node<'_>) -> Refused {
        let why = format!("{} may be this very package, and {} is taken from it", self.text(node), self.old);
        unsure(self.source, node.start_byte(), why)
    }

    fn import(&self, node: Node<'t>, edits: &mut Vec<Edit>) -> Result<(), Refused> {
        let clause = |name: &'static str| descendants(node).into_iter().filter(move |one| one.kind() == name);
        let source = node.child_by_field_name("source").or_else(|| clause("string").next());
        let Some(source) = source else { return Ok(()) };
        let meaning = self.module(source);
        if meaning == Meaning::Other {
            return Ok(());
        }
        for one in clause("import_specifier") {
            let Some(name) = one.child_by_field_name("name").filter(|name| self.text(*name) == self.old)
            else {
                continue;
            };
            if meaning == Meaning::Unknown {
                return Err(self.unknown(source));
            }
            let aliased = one.child_by_field_name("alias").is_some();
            if aliased {
                edits.push(self.edit(name));
            } else if free(self.source, self.names, 0, self.old, self.new).is_ok() {
                edits.push(self.edit(name));
                let others = self.names.of(0, self.old).filter(|other| other.range != name.byte_range());
                edits.extend(
                    others.map(|other| Edit { range: other.range.clone(), text: other.renamed(self.new) }),
                );
            } else {
                let text = format!("{} as {}", self.new, self.old);
                edits.push(Edit { range: name.byte_range(), text });
            }
        }
        for whole in clause("namespace_import").chain(clause("import_require_clause")) {
            if let Some(local) = descendants(whole).into_iter().find(|one| one.kind() == "identifier") {
                self.whole(self.text(local), 0, meaning, source, edits)?;
            }
        }
        Ok(())
    }

    fn edit(&self, node: Node<'_>) -> Edit {
        Edit { range: node.byte_range(), text: self.new.to_owned() }
    }

    fn handed_on(&self, node: Node<'t>, edits: &mut Vec<Edit>) -> Result<(), Refused> {
        let Some(source) = node.child_by_field_name("source") else { return Ok(()) };
        let meaning = self.module(source);
        let mut cursor = node.walk();
        let clause = node.named_children(&mut cursor).find(|child| child.kind() == "export_clause");
        let Some(clause) = clause else {
            if meaning == Meaning::Home {
                let why = "everything of the module is handed on: its names cannot be followed";
                return Err(unsure(self.source, node.start_byte(), why));
            }
            return Ok(());
        };
        let mut cursor = clause.walk();
        for one in clause.named_children(&mut cursor) {
            let name = one.child_by_field_name("name").filter(|name| self.text(*name) == self.old);
            let Some(name) = name else { continue };
            match meaning {
                Meaning::Other => {}
                Meaning::Unknown => return Err(self.unknown(source)),
                Meaning::Home if one.child_by_field_name("alias").is_some() => edits.push(self.edit(name)),
                // Those who take it from here find it under the name that they know.
                Meaning::Home => {
                    let text = format!("{} as {}", self.new, self.old);
                    edits.push(Edit { range: name.byte_range(), text });
                }
            }
        }
        Ok(())
    }

    /// `require('x')`, `import('x')`, and any other call that is given the module's path.
    fn call(&self, node: Node<'t>, edits: &mut Vec<Edit>) -> Result<(), Refused> {
        let (Some(function), Some(arguments)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return Ok(());
        };
        let Some(path) = arguments.named_child(0).filter(|first| first.kind() == "string") else {
            return Ok(());
        };
        let written = self.text(path).trim_matches(['"', '\'']);
        let called = self.text(function);
        if called != "require" {
            if written.starts_with('.') && self.paths.meaning(self.source.path(), written) != Meaning::Other {
                let why = format!("{called} is given the module's path: what it takes cannot be followed");
                return Err(unsure(self.source, node.start_byte(), why));
            }
            return Ok(());
        }
        let meaning = self.module(path);
        if meaning == Meaning::Other {
            return Ok(());
        }
        self.taken_by_require(node, path, meaning, edits)
    }

    fn taken_by_require(
        &self,
        node: Node<'t>,
        path: Node<'t>,
        meaning: Meaning,
        edits: &mut Vec<Edit>,
    ) -> Result<(), Refused> {
        let lost = |what: &str| {
            let why =
                format!("the whole module is {what}: who takes {} from it cannot be followed", self.old);
            unsure(self.source, node.start_byte(), why)
        };
        let sure = meaning == Meaning::Home || self.text(path).trim_matches(['"', '\'']).starts_with('.');
        let parent = node.parent();
        match parent.map(|parent| parent.kind()) {
            Some("expression_statement") => Ok(()),
            Some("member_expression") => {
                let property = parent.and_then(|parent| parent.child_by_field_name("property"));
                match property.filter(|property| self.text(*property) == self.old) {
                    Some(_) if meaning == Meaning::Unknown => Err(self.unknown(path)),
                    Some(property) => {
                        edits.push(self.edit(property));
                        Ok(())
                    }
                    None => Ok(()),
                }
            }
            Some("variable_declarator") => {
                let name = parent.and_then(|parent| parent.child_by_field_name("name"));
                match name {
                    Some(name) if name.kind() == "identifier" => {
                        let scope =
                            self.names.at(name.start_byte()).and_then(|one| self.names.resolve_one(one));
                        self.whole(self.text(name), scope.unwrap_or(0), meaning, path, edits)
                    }
                    Some(pattern) => self.pattern(pattern, path, meaning, edits),
                    None => Ok(()),
                }
            }
            // A package that is only called or handed on says nothing of the name.
            _ if !sure => Ok(()),
            Some("arguments" | "call_expression" | "new_expression") => Err(lost("called or given away")),
            _ => Err(lost("handed on")),
        }
    }

    /// `const {a, b: c} = require('x')`.
    fn pattern(
        &self,
        pattern: Node<'t>,
        path: Node<'t>,
        meaning: Meaning,
        edits: &mut Vec<Edit>,
    ) -> Result<(), Refused> {
        let mut cursor = pattern.walk();
        for part in pattern.named_children(&mut cursor) {
            let left = part.child_by_field_name("left").unwrap_or(part);
            let (word, text) = match left.kind() {
                "shorthand_property_identifier_pattern" => (left, format!("{}: {}", self.new, self.old)),
                "pair_pattern" => match left.child_by_field_name("key") {
                    Some(key) => (key, self.new.to_owned()),
                    None => continue,
                },
                _ if meaning == Meaning::Unknown => continue,
                _ => {
                    let why = "the rest of the module is taken: its names cannot be followed";
                    return Err(unsure(self.source, part.start_byte(), why));
                }
            };
            if self.text(word) != self.old {
                continue;
            }
            if meaning == Meaning::Unknown {
                return Err(self.unknown(path));
            }
            edits.push(Edit { range: word.byte_range(), text });
        }
        Ok(())
    }

    /// A name that is the whole module: it may only be taken from by a dot.
    fn whole(
        &self,
        local: &str,
        scope: usize,
        meaning: Meaning,
        path: Node<'t>,
        edits: &mut Vec<Edit>,
    ) -> Result<(), Refused> {
        for one in self.names.of(scope, local) {
            if matches!(one.role, Role::Bind(Binding::Import | Binding::Variable | Binding::Hoisted)) {
                continue;
            }
            let node = self.tree.root_node().descendant_for_byte_range(one.range.start, one.range.end);
            let parent = node.and_then(|node| node.parent());
            let property = parent
                .filter(|parent| parent.child_by_field_name("object") == node)
                .and_then(|parent| parent.child_by_field_name("property"))
                .or_else(|| {
                    let module = parent.filter(|parent| parent.child_by_field_name("module") == node);
                    module.and_then(|parent| parent.child_by_field_name("name"))
                });
            match property {
                Some(property) if self.text(property) == self.old => {
                    if meaning == Meaning::Unknown {
                        return Err(self.unknown(path));
                    }
                    edits.push(self.edit(property));
                }
                Some(_) => {}
                None if meaning == Meaning::Unknown && !is_relative(self.text(path)) => {}
                None => {
                    let why = format!("{local} is the whole module and goes ways that cannot be followed");
                    return Err(unsure(self.source, one.range.start, why));
                }
            }
        }
        Ok(())
    }
}

fn is_relative(path: &str) -> bool {
    path.trim_matches(['"', '\'', '`']).starts_with('.')
}

pub(super) fn descendants(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        found.push(node);
        let mut cursor = node.walk();
        pending.extend(node.named_children(&mut cursor));
    }
    found.sort_by_key(|node| node.start_byte());
    found
}

/// Where a module says what others may take: `exports.x`, `module.exports.x`, `module.exports = {x}`.
pub(super) struct Exported {
    /// The edits that give the name for others another name, too.
    pub follow: Vec<Edit>,
    /// Whether the whole of the exports goes ways that cannot be followed.
    pub lost: bool,
}

/// The CommonJS exports of a name; none where it is not exported that way.
pub(super) fn exported(
    source: &Source,
    names: &Names<'_>,
    tree: &Tree,
    old: &str,
    new: &str,
) -> Option<Exported> {
    let mut found = Exported { follow: Vec::new(), lost: false };
    let is_exports =
        |base: &std::ops::Range<usize>| matches!(text(source, base), "exports" | "module.exports");
    let edit = |range: &std::ops::Range<usize>| Edit { range: range.clone(), text: new.to_owned() };
    for member in names.members.iter().filter(|member| member.name == old) {
        match &member.base {
            Some(base) if is_exports(base) => found.follow.push(edit(&member.range)),
            Some(_) => found.lost = true,
            None => {}
        }
    }
    for node in descendants(tree.root_node()) {
        let all = match node.kind() {
            "identifier" => {
                text(source, &node.byte_range()) == "exports"
                    && names.resolve(0, "exports", Space::Value).is_none()
            }
            "member_expression" => text(source, &node.byte_range()) == "module.exports",
            _ => false,
        };
        if !all {
            continue;
        }
        let Some(parent) = node.parent() else { continue };
        match parent.kind() {
            "member_expression" if parent.child_by_field_name("object") == Some(node) => {}
            "assignment_expression" if parent.child_by_field_name("left") == Some(node) => {
                let value = parent.child_by_field_name("right").filter(|value| value.kind() == "object");
                found.lost |= value.is_none();
                let mut cursor = parent.walk();
                for part in
                    value.into_iter().flat_map(|value| value.named_children(&mut cursor).collect::<Vec<_>>())
                {
                    let word = part.child_by_field_name("key").unwrap_or(part);
                    if text(source, &word.byte_range()) == old {
                        found.follow.push(edit(&word.byte_range()));
                    }
                    found.lost |= part.kind() == "spread_element";
                }
            }
            _ => found.lost = true,
        }
    }
    (!found.follow.is_empty()).then_some(found)
}

/// Whether the file is a module: otherwise its names are seen by every script of a page.
pub(super) fn is_module(names: &Names<'_>, tree: &Tree) -> bool {
    let outside = |one: &crate::operations::scoped::Occurrence<'_>| {
        matches!(one.name, "require" | "exports" | "module") && names.resolve_one(one).is_none()
    };
    let mut cursor = tree.root_node().walk();
    names.occurrences.iter().any(outside)
        || tree
            .root_node()
            .named_children(&mut cursor)
            .any(|node| matches!(node.kind(), "import_statement" | "export_statement"))
}

/// The places where the file says `export {x}`, which others know it by.
pub(super) fn export_words<'n>(names: &'n Names<'_>, old: &str) -> Vec<&'n std::ops::Range<usize>> {
    let exported = |one: &&crate::operations::scoped::Occurrence<'_>| one.form == Form::Exported;
    names.of(0, old).filter(exported).map(|one| &one.range).collect()
}
