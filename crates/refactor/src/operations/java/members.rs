//! Another name for a method or a field, wherever it is used.

use super::project::{Project, Type};
use crate::operations::scoped::{Binding, Member, Role};
use crate::operations::{Refused, text, unsure};
use formicary_search::rewrite::edit::Edit;
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// What Java or a library calls by its name.
const CALLED_BY_NAME: &[&str] = &[
    "main",
    "toString",
    "equals",
    "hashCode",
    "clone",
    "finalize",
    "readObject",
    "writeObject",
    "readResolve",
    "writeReplace",
    "compareTo",
    "compare",
    "run",
    "call",
    "get",
    "accept",
    "apply",
    "test",
    "close",
    "iterator",
    "hasNext",
    "next",
    "remove",
    "values",
    "valueOf",
    "ordinal",
    "name",
    "serialVersionUID",
    "serialPersistentFields",
];

/// Types from elsewhere whose members are known; all of them are in the list above, or start with these words.
const KNOWN_TYPES: &[&str] = &[
    "Object",
    "Serializable",
    "Cloneable",
    "Comparable",
    "Comparator",
    "Runnable",
    "Callable",
    "AutoCloseable",
    "Closeable",
    "Iterable",
    "Iterator",
    "Supplier",
    "Consumer",
    "Function",
    "Predicate",
    "BiFunction",
];
const KNOWN_MEMBERS: &[&str] = &[
    "forEach",
    "forEachRemaining",
    "spliterator",
    "andThen",
    "compose",
    "negate",
    "and",
    "or",
    "reversed",
    "thenComparing",
    "identity",
];

/// Annotations that nobody looks a member up by.
const HARMLESS: &[&str] =
    &["Override", "Deprecated", "SuppressWarnings", "SafeVarargs", "Nullable", "NonNull", "Nonnull"];

/// A member that gets another name.
pub(super) struct Work<'w, 'p> {
    pub project: &'w Project<'p>,
    pub old: &'w str,
    pub new: &'w str,
    /// The type that declares it.
    pub owner: usize,
    /// How many parameters the method has; none for a field.
    pub parameters: Option<usize>,
}

impl Work<'_, '_> {
    /// The edits by file.
    pub fn edits(&self) -> Result<Vec<Vec<Edit>>, Refused> {
        let (family, foreign) = self.project.family(self.owner);
        let family = self.declaring(&family)?;
        self.certain(&family, &foreign)?;
        let mut edits: Vec<Vec<Edit>> = self.project.files.iter().map(|_| Vec::new()).collect();
        for at in &family.declaring {
            let one = &self.project.types[*at];
            for range in self.declarations(one) {
                edits[one.file].push(Edit { range, text: self.new.to_owned() });
            }
        }
        for (file, edits) in edits.iter_mut().enumerate() {
            if !self.project.files[file].source.text().contains(self.old) {
                continue;
            }
            self.imports(file, &family, edits)?;
            self.members(file, &family, edits)?;
            if self.parameters.is_none() {
                self.plain_names(file, &family, edits)?;
            }
        }
        Ok(edits)
    }

    fn source(&self, file: usize) -> &formicary_search::Source {
        self.project.files[file].source
    }

    fn declarations(&self, one: &Type) -> Vec<std::ops::Range<usize>> {
        match self.parameters {
            Some(count) => one
                .methods
                .iter()
                .filter(|method| method.name == self.old && method.parameters == count)
                .map(|method| method.range.clone())
                .collect(),
            None => one
                .fields
                .iter()
                .filter(|field| field.name == self.old)
                .map(|field| field.range.clone())
                .collect(),
        }
    }

    /// Which types of the family declare the member, and which only have it.
    fn declaring(&self, all: &FxHashSet<usize>) -> Result<Family, Refused> {
        let types = &self.project.types;
        if self.parameters.is_none() {
            // A field of the same name further down hides it: which one is meant is not followed.
            let hiding =
                all.iter().find(|at| **at != self.owner && !self.declarations(&types[**at]).is_empty());
            if let Some(hiding) = hiding {
                let one = &types[*hiding];
                return Err(unsure(
                    self.source(one.file),
                    one.range.start,
                    format!("it has a {} too", self.old),
                ));
            }
        }
        let declaring: FxHashSet<usize> =
            all.iter().copied().filter(|at| !self.declarations(&types[*at]).is_empty()).collect();
        for at in all.iter() {
            let one = &types[*at];
            if !one.name.is_empty() && self.project.called(&one.name).len() > 1 {
                let why = format!("several types are called {}", one.name);
                return Err(unsure(self.source(one.file), one.range.start, why));
            }
        }
        Ok(Family { all: all.clone(), declaring })
    }

    fn certain(&self, family: &Family, foreign: &[String]) -> Result<(), Refused> {
        let types = &self.project.types;
        let owner = &types[self.owner];
        let here = self.source(owner.file);
        let at = self.declarations(owner).first().map_or(owner.range.start, |range| range.start);
        if CALLED_BY_NAME.contains(&self.old) || KNOWN_MEMBERS.contains(&self.old) && !foreign.is_empty() {
            return Err(unsure(here, at, format!("{} is known to Java by its name", self.old)));
        }
        if owner.kind == "record" || owner.kind == "annotation" {
            return Err(unsure(
                here,
                at,
                format!("a member of {} {} has more than one face", owner.kind, owner.name),
            ));
        }
        let mut inherits = false;
        for at in &family.declaring {
            let one = &types[*at];
            let source = self.source(one.file);
            for method in one.methods.iter().filter(|method| method.name == self.old) {
                let words: Vec<&str> = method.modifiers.split_whitespace().collect();
                inherits |= !words.contains(&"private") && !words.contains(&"static");
                self.annotations(source, method.range.start, &method.modifiers)?;
                if method.variable {
                    return Err(unsure(
                        source,
                        method.range.start,
                        "it takes any number of arguments: calls cannot be told apart",
                    ));
                }
                if words.contains(&"native") {
                    return Err(unsure(source, method.range.start, "it is looked up by its name"));
                }
            }
            for field in one.fields.iter().filter(|field| field.name == self.old && self.parameters.is_none())
            {
                self.annotations(source, field.range.start, &field.modifiers)?;
                let words: Vec<&str> = field.modifiers.split_whitespace().collect();
                if words.contains(&"enum") {
                    return Err(unsure(
                        source,
                        field.range.start,
                        "a constant of an enumeration tells its name",
                    ));
                }
                let stored = foreign.iter().any(|name| {
                    matches!(
                        name.as_str(),
                        "Serializable" | "Externalizable" | "Exception" | "RuntimeException" | "Throwable"
                    )
                });
                if stored && !words.contains(&"static") && !words.contains(&"transient") {
                    return Err(unsure(source, field.range.start, "the field is stored under its name"));
                }
            }
            if self.declarations(one).len() > 1 {
                return Err(unsure(
                    source,
                    one.range.start,
                    format!("methods {} with as many parameters cannot be told apart", self.old),
                ));
            }
        }
        if inherits
            && self.parameters.is_some()
            && let Some(name) = foreign.iter().find(|name| !KNOWN_TYPES.contains(&name.as_str()))
        {
            return Err(unsure(here, at, format!("it may come from {name}, which is not of the project")));
        }
        for at in &family.all {
            let one = &types[*at];
            let taken =
                one.methods.iter().find(|method| method.name == self.new && self.parameters.is_some());
            let taken = taken.map(|method| method.range.start).or_else(|| {
                one.fields
                    .iter()
                    .find(|field| field.name == self.new && self.parameters.is_none())
                    .map(|field| field.range.start)
            });
            if let Some(taken) = taken {
                return Err(unsure(self.source(one.file), taken, format!("{} is taken already", self.new)));
            }
        }
        self.texts(family)
    }

    fn annotations(
        &self,
        source: &formicary_search::Source,
        at: usize,
        modifiers: &str,
    ) -> Result<(), Refused> {
        let found = modifiers.split('@').skip(1).find(|one| {
            let word: String =
                one.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '.').collect();
            !HARMLESS.contains(&super::project::simple(&word))
        });
        match found {
            Some(one) => {
                let word = one.split(['(', ' ', '\n']).next().unwrap_or("").trim();
                Err(unsure(source, at, format!("@{word} may look it up by its name")))
            }
            None => Ok(()),
        }
    }

    /// No string may say the name, and the new name must mean nothing where the old one stands.
    fn texts(&self, family: &Family) -> Result<(), Refused> {
        let files: FxHashSet<usize> = family.all.iter().map(|at| self.project.types[*at].file).collect();
        for (at, file) in self.project.files.iter().enumerate() {
            if let Some((_, range)) = file.names.strings.iter().find(|(text, _)| *text == self.old) {
                return Err(unsure(
                    file.source,
                    range.start,
                    format!("a string says {}: it may be looked up by its text", self.old),
                ));
            }
            let uses = files.contains(&at) || file.source.text().contains(self.old);
            let bare = |member: &&Member<'_>| member.name == self.new && member.base.is_none();
            if let Some(taken) =
                file.names.members.iter().find(bare).filter(|_| uses && self.parameters.is_some())
            {
                return Err(unsure(
                    file.source,
                    taken.range.start,
                    format!("{} means something else here", self.new),
                ));
            }
            let taken = file.names.occurrences.iter().find(|one| one.name == self.new);
            if let Some(taken) = taken.filter(|_| uses && self.parameters.is_none()) {
                return Err(unsure(
                    file.source,
                    taken.range.start,
                    format!("{} means something else here", self.new),
                ));
            }
        }
        Ok(())
    }

    fn imports(&self, file: usize, family: &Family, edits: &mut Vec<Edit>) -> Result<(), Refused> {
        let source = self.source(file);
        let root = self.project.files[file].tree.root_node();
        let mut cursor = root.walk();
        for import in root.named_children(&mut cursor).filter(|node| node.kind() == "import_declaration") {
            let written = text(source, &import.byte_range());
            let Some(path) = import.named_child(0).filter(|_| written.contains("static")) else { continue };
            let (scope, name) = (path.child_by_field_name("scope"), path.child_by_field_name("name"));
            let (Some(scope), Some(name)) = (scope, name) else { continue };
            let owner = super::project::simple(text(source, &scope.byte_range()));
            if text(source, &name.byte_range()) == self.old && self.is_family(owner, family) {
                if self.has_other_overloads() {
                    return Err(unsure(
                        source,
                        import.start_byte(),
                        "the import is of all methods of that name",
                    ));
                }
                edits.push(Edit { range: name.byte_range(), text: self.new.to_owned() });
            }
        }
        Ok(())
    }

    fn has_other_overloads(&self) -> bool {
        let (all, _) = self.project.family(self.owner);
        all.iter().any(|at| {
            let methods = &self.project.types[*at].methods;
            self.parameters.is_some()
                && methods.iter().any(|one| one.name == self.old && Some(one.parameters) != self.parameters)
        })
    }

    fn is_family(&self, name: &str, family: &Family) -> bool {
        self.project.called(name).iter().any(|at| family.all.contains(at))
    }

    /// Whether a name in a static import brings the member here.
    fn is_imported(&self, file: usize, family: &Family) -> bool {
        let source = self.source(file);
        let line = |line: &str| {
            let path =
                line.trim().strip_prefix("import static ").map(|path| path.trim_end_matches(';').trim());
            path.and_then(|path| path.rsplit_once('.')).is_some_and(|(owner, name)| {
                (name == self.old || name == "*") && self.is_family(super::project::simple(owner), family)
            })
        };
        source.text().lines().any(line)
    }

    /// Names after a dot, and calls without one.
    fn members(&self, file: usize, family: &Family, edits: &mut Vec<Edit>) -> Result<(), Refused> {
        let source = self.source(file);
        let root = self.project.files[file].tree.root_node();
        for member in self.project.files[file].names.members.iter().filter(|member| member.name == self.old) {
            let Some(node) = root.descendant_for_byte_range(member.range.start, member.range.end) else {
                continue;
            };
            let Some(parent) = node.parent() else { continue };
            let (call, access, reference) = (
                parent.kind() == "method_invocation",
                parent.kind() == "field_access" || parent.kind().starts_with("scoped_"),
                parent.kind() == "method_reference",
            );
            let wanted = match self.parameters {
                Some(count) if call => {
                    let arguments = parent.child_by_field_name("arguments");
                    arguments.is_some_and(|list| arguments_of(list) == count)
                }
                Some(_) => reference,
                None => access,
            };
            if !wanted {
                continue;
            }
            if reference && self.has_other_overloads() {
                return Err(unsure(
                    source,
                    member.range.start,
                    "which of the methods of that name is meant is not certain",
                ));
            }
            let owner = match &member.base {
                Some(base) => self.owner_of(file, base, member)?,
                None => self.unqualified(file, member.range.start, family)?,
            };
            if owner.is_some_and(|owner| family.all.contains(&owner)) {
                edits.push(Edit { range: member.range.clone(), text: self.new.to_owned() });
            }
        }
        Ok(())
    }

    /// The type of the project that a name after a dot belongs to; none for one from elsewhere.
    fn owner_of(
        &self,
        file: usize,
        base: &std::ops::Range<usize>,
        member: &Member<'_>,
    ) -> Result<Option<usize>, Refused> {
        let source = self.source(file);
        let root = self.project.files[file].tree.root_node();
        let node = root.descendant_for_byte_range(base.start, base.end);
        let anonymous =
            node.filter(|node| node.kind() == "this").and_then(|_| self.project.around(file, base.start));
        if let Some(at) = anonymous.filter(|at| self.project.types[*at].name.is_empty()) {
            return Ok(Some(at));
        }
        let Some(name) = node.and_then(|node| self.project.type_of(file, node)) else {
            let why = format!(
                "whose {} this is cannot be proven: the type of `{}` is not certain",
                self.old,
                text(source, base)
            );
            return Err(unsure(source, member.range.start, why));
        };
        match self.project.called(&name) {
            [] => Ok(None),
            [one] if self.is_foreign(file, &name, *one) => Ok(None),
            [one] => Ok(Some(*one)),
            _ => Err(unsure(source, member.range.start, format!("several types are called {name}"))),
        }
    }

    /// Whether a file means another type by this name than the project's.
    fn is_foreign(&self, file: usize, name: &str, ours: usize) -> bool {
        let package = |file: usize| package_of(self.source(file).text());
        let ending = format!(".{name}");
        let imported = self.source(file).text().lines().filter_map(|line| {
            let path = line.trim().strip_prefix("import ")?.trim_end_matches(';').trim();
            path.ends_with(&ending).then_some(path)
        });
        let home = format!("{}.", package(self.project.types[ours].file));
        imported.into_iter().any(|path| !path.starts_with(&home))
    }

    /// The type that a call or name without a dot belongs to.
    fn unqualified(&self, file: usize, at: usize, family: &Family) -> Result<Option<usize>, Refused> {
        let source = self.source(file);
        for enclosing in self.project.enclosing(file, at) {
            let (above, foreign) = self.project.above(enclosing);
            let has = |one: &Type| match self.parameters {
                Some(_) => one.methods.iter().any(|method| method.name == self.old),
                None => one.fields.iter().any(|field| field.name == self.old),
            };
            if let Some(found) = above.iter().find(|at| has(&self.project.types[**at])) {
                return Ok(Some(*found));
            }
            if let Some(name) = foreign.iter().find(|name| !KNOWN_TYPES.contains(&name.as_str())) {
                return Err(unsure(
                    source,
                    at,
                    format!("{} may be a member of {name}, which is not of the project", self.old),
                ));
            }
        }
        if self.is_imported(file, family) {
            return Ok(Some(self.owner));
        }
        Ok(None)
    }

    /// Fields by their name alone.
    fn plain_names(&self, file: usize, family: &Family, edits: &mut Vec<Edit>) -> Result<(), Refused> {
        let names = &self.project.files[file].names;
        for one in names.occurrences.iter().filter(|one| one.name == self.old) {
            let owner = match names.resolve_one(one) {
                Some(home) => {
                    let field = names.of(home, self.old).find(|one| one.role == Role::Bind(Binding::Field));
                    match field {
                        Some(field) => self.project.around(file, field.range.start),
                        None => None,
                    }
                }
                None => self.unqualified(file, one.range.start, family)?,
            };
            if owner == Some(self.owner) {
                edits.push(Edit { range: one.range.clone(), text: self.new.to_owned() });
            }
        }
        Ok(())
    }
}

/// The types that are connected, and those of them that declare the member.
struct Family {
    all: FxHashSet<usize>,
    declaring: FxHashSet<usize>,
}

fn arguments_of(list: Node<'_>) -> usize {
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|one| !one.kind().ends_with("comment")).count()
}

/// The package that a file says it belongs to.
pub(super) fn package_of(text: &str) -> &str {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("package "));
    line.map(|line| line.split(';').next().unwrap_or(line).trim()).unwrap_or("")
}
