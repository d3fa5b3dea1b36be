//! Another name for a class, interface, enumeration or record; the file of a public one is renamed with it.

use super::members::package_of;
use super::project::Project;
use crate::operations::scoped::{Binding, Role};
use crate::operations::{Refused, text, unsure};
use formicary_search::rewrite::edit::Edit;
use tree_sitter::Node;

/// A type that gets another name.
pub(super) struct Work<'w, 'p> {
    pub project: &'w Project<'p>,
    pub old: &'w str,
    pub new: &'w str,
    pub owner: usize,
}

impl Work<'_, '_> {
    /// The edits by file.
    pub fn edits(&self) -> Result<Vec<Vec<Edit>>, Refused> {
        self.certain()?;
        let mut edits: Vec<Vec<Edit>> = self.project.files.iter().map(|_| Vec::new()).collect();
        for (at, file) in self.project.files.iter().enumerate() {
            if file.source.text().contains(self.old) && self.is_seen(at) {
                self.in_file(at, &mut edits[at])?;
            }
        }
        Ok(edits)
    }

    fn certain(&self) -> Result<(), Refused> {
        let owner = &self.project.types[self.owner];
        let home = self.project.files[owner.file].source;
        if self.project.called(self.old).len() > 1 {
            return Err(unsure(home, owner.range.start, format!("several types are called {}", self.old)));
        }
        for file in &self.project.files {
            let ending = format!(".{}", self.old);
            let said = |text: &str| text == self.old || text.ends_with(&ending);
            if let Some((_, range)) = file.names.strings.iter().find(|(text, _)| said(text)) {
                return Err(unsure(
                    file.source,
                    range.start,
                    format!("a string says {}: it may be looked up by its text", self.old),
                ));
            }
            for asked in ["getSimpleName(", ".class.getName(", "getClass().getName("] {
                if let Some(at) = file.source.text().find(asked) {
                    return Err(unsure(file.source, at, "the program asks classes for their names"));
                }
            }
            let taken = file.names.occurrences.iter().find(|one| one.name == self.new);
            let taken = taken.map(|one| one.range.start).or_else(|| {
                file.names
                    .members
                    .iter()
                    .find(|member| member.name == self.new)
                    .map(|member| member.range.start)
            });
            if let Some(taken) = taken {
                return Err(unsure(file.source, taken, format!("{} is taken already", self.new)));
            }
        }
        if !self.project.called(self.new).is_empty() {
            return Err(unsure(home, owner.range.start, format!("{} is taken already", self.new)));
        }
        Ok(())
    }

    /// Whether the name can mean the type in a file: its package, or an import.
    fn is_seen(&self, file: usize) -> bool {
        let owner = &self.project.types[self.owner];
        let (home, here) =
            (self.project.files[owner.file].source.text(), self.project.files[file].source.text());
        let package = package_of(home);
        let nested = !self.project.enclosing(owner.file, owner.range.start).is_empty();
        let ending = format!(".{}", self.old);
        let imports: Vec<&str> = here
            .lines()
            .filter_map(|line| line.trim().strip_prefix("import "))
            .map(|path| path.trim_start_matches("static ").trim_end_matches(';').trim())
            .collect();
        let full = format!("{package}.");
        if imports.iter().any(|path| path.ends_with(&ending) && !path.starts_with(&full)) {
            return false;
        }
        nested
            || package_of(here) == package
            || imports.iter().any(|path| path.starts_with(&full))
            || here.contains(&format!("{full}{}", self.old))
    }

    fn in_file(&self, file: usize, edits: &mut Vec<Edit>) -> Result<(), Refused> {
        let (source, names) = (self.project.files[file].source, &self.project.files[file].names);
        let edit = |range: &std::ops::Range<usize>| Edit { range: range.clone(), text: self.new.to_owned() };
        for one in names.occurrences.iter().filter(|one| one.name == self.old) {
            let home = names.resolve_one(one);
            let bound =
                home.and_then(|home| names.of(home, self.old).find(|one| matches!(one.role, Role::Bind(_))));
            match bound.map(|bound| bound.role) {
                None | Some(Role::Bind(Binding::Class)) => edits.push(edit(&one.range)),
                _ => {
                    let why = format!("{} is a variable or a type parameter here, too", self.old);
                    return Err(unsure(source, one.range.start, why));
                }
            }
        }
        let root = self.project.files[file].tree.root_node();
        for member in names.members.iter().filter(|member| member.name == self.old) {
            let node = root.descendant_for_byte_range(member.range.start, member.range.end);
            let parent = node.and_then(|node| node.parent()).map(|parent| parent.kind()).unwrap_or("");
            match parent {
                "scoped_type_identifier" | "scoped_identifier" | "field_access" => {
                    edits.push(edit(&member.range))
                }
                _ => {
                    return Err(unsure(
                        source,
                        member.range.start,
                        format!("{} is a method here, too", self.old),
                    ));
                }
            }
        }
        let mut cursor = root.walk();
        for import in root.named_children(&mut cursor).filter(|node| node.kind() == "import_declaration") {
            self.words(source, import, edits);
        }
        Ok(())
    }

    fn words(&self, source: &formicary_search::Source, import: Node<'_>, edits: &mut Vec<Edit>) {
        let owner = &self.project.types[self.owner];
        let package = package_of(self.project.files[owner.file].source.text());
        if !text(source, &import.byte_range()).contains(package) {
            return;
        }
        let mut pending = vec![import];
        while let Some(node) = pending.pop() {
            if node.kind() == "identifier" && text(source, &node.byte_range()) == self.old {
                edits.push(Edit { range: node.byte_range(), text: self.new.to_owned() });
            }
            let mut cursor = node.walk();
            pending.extend(node.named_children(&mut cursor));
        }
    }
}
