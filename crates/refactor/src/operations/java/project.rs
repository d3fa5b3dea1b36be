//! The types of a Java project: what they declare, what they come from, what an expression's type is.

use super::names::names as find_names;
use super::rename::grown;
use crate::operations::Refused;
use crate::operations::scoped::{Binding, Names, Role, Space};
use formicary_search::Source;
use formicary_syntax::Dialect;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// One file of the project.
pub(super) struct JavaFile<'p> {
    pub source: &'p Source,
    pub tree: Tree,
    pub names: Names<'p>,
}

/// One class, interface, enumeration or record, or a class without a name.
#[derive(Debug)]
pub(super) struct Type {
    pub file: usize,
    /// Empty for a class without a name.
    pub name: String,
    pub range: Range<usize>,
    pub body: Range<usize>,
    pub supers: Vec<String>,
    pub methods: Vec<Method>,
    pub fields: Vec<Field>,
    pub kind: &'static str,
}

#[derive(Debug)]
pub(super) struct Method {
    pub name: String,
    pub range: Range<usize>,
    pub parameters: usize,
    pub variable: bool,
    pub modifiers: String,
    pub result: String,
    pub generic: bool,
}

#[derive(Debug)]
pub(super) struct Field {
    pub name: String,
    pub range: Range<usize>,
    pub written: String,
    pub modifiers: String,
}

/// The Java files of a project.
pub(super) struct Project<'p> {
    pub files: Vec<JavaFile<'p>>,
    pub types: Vec<Type>,
    by_name: FxHashMap<String, Vec<usize>>,
}

fn named<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// `java.util.List<String>[]` is a `List`.
pub(super) fn simple(written: &str) -> &str {
    let plain = written.split(['<', '[', ' ']).next().unwrap_or(written);
    plain.rsplit('.').next().unwrap_or(plain)
}

impl<'p> Project<'p> {
    /// Reads every Java file; one that does not parse makes nothing certain.
    pub fn new(sources: &'p [Source]) -> Result<Self, Refused> {
        let mut project = Self { files: Vec::new(), types: Vec::new(), by_name: FxHashMap::default() };
        for source in sources.iter().filter(|source| source.dialect() == Dialect::Java) {
            let tree = grown(source)?;
            let names = find_names(&tree, source.text());
            let file = project.files.len();
            project.collect(file, source, tree.root_node());
            project.files.push(JavaFile { source, tree, names });
        }
        for (at, one) in project.types.iter().enumerate() {
            project.by_name.entry(one.name.clone()).or_default().push(at);
        }
        Ok(project)
    }

    fn collect(&mut self, file: usize, source: &Source, root: Node<'_>) {
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            let kind = match node.kind() {
                "class_declaration" => "class",
                "interface_declaration" => "interface",
                "enum_declaration" => "enum",
                "record_declaration" => "record",
                "annotation_type_declaration" => "annotation",
                "object_creation_expression" | "enum_constant" => "anonymous",
                _ => "",
            };
            let body = node
                .child_by_field_name("body")
                .or_else(|| named(node).into_iter().find(|child| child.kind() == "class_body"));
            if let Some(body) = body.filter(|_| !kind.is_empty()) {
                let one = read_type(file, source, node, body, kind);
                self.types.push(one);
            }
            pending.extend(named(node));
        }
    }

    /// The types of this name.
    pub fn called(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The innermost type around a place.
    pub fn around(&self, file: usize, offset: usize) -> Option<usize> {
        self.enclosing(file, offset).first().copied()
    }

    /// The types around a place, the innermost first.
    pub fn enclosing(&self, file: usize, offset: usize) -> Vec<usize> {
        let holds = |one: &Type| one.file == file && one.body.start <= offset && offset < one.body.end;
        let mut found: Vec<usize> =
            self.types.iter().enumerate().filter(|(_, one)| holds(one)).map(|(at, _)| at).collect();
        found.sort_by_key(|at| self.types[*at].body.len());
        found
    }

    /// The types of the project that a type comes from, itself first, and those from elsewhere.
    pub fn above(&self, start: usize) -> (Vec<usize>, Vec<String>) {
        let (mut found, mut foreign) = (vec![start], Vec::new());
        let mut at = 0;
        while at < found.len() {
            for name in &self.types[found[at]].supers {
                let known = self.called(name);
                if known.is_empty() {
                    foreign.push(name.clone());
                }
                for one in known {
                    if !found.contains(one) {
                        found.push(*one);
                    }
                }
            }
            at += 1;
        }
        (found, foreign)
    }

    /// All types that share a supertype or subtype with a type, and what they come from elsewhere.
    pub fn family(&self, start: usize) -> (FxHashSet<usize>, Vec<String>) {
        let mut found: FxHashSet<usize> = FxHashSet::default();
        let mut foreign = Vec::new();
        let mut pending = vec![start];
        while let Some(at) = pending.pop() {
            if !found.insert(at) {
                continue;
            }
            let (above, others) = self.above(at);
            pending.extend(above);
            foreign.extend(others);
            let name = &self.types[at].name;
            let below = self.types.iter().enumerate();
            if !name.is_empty() {
                pending.extend(below.filter(|(_, one)| one.supers.contains(name)).map(|(below, _)| below));
            }
        }
        (found, foreign)
    }

    fn text(&self, file: usize, node: Node<'_>) -> &'p str {
        self.files[file].source.text().get(node.byte_range()).unwrap_or("")
    }

    /// The simple name of an expression's type; none where it is not certain.
    pub fn type_of(&self, file: usize, node: Node<'_>) -> Option<String> {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "this" => {
                let at = self.around(file, node.start_byte())?;
                Some(self.types[at].name.clone()).filter(|name| !name.is_empty())
            }
            "super" => {
                let at = self.around(file, node.start_byte())?;
                self.types[at].supers.first().cloned()
            }
            "parenthesized_expression" => self.type_of(file, node.named_child(0)?),
            "string_literal" => Some("String".to_owned()),
            "class_literal" => Some("Class".to_owned()),
            "type_identifier" => Some(self.text(file, node).to_owned()),
            "generic_type" | "scoped_type_identifier" => Some(simple(self.text(file, node)).to_owned()),
            "object_creation_expression" | "cast_expression" => {
                self.plain(file, node, self.text(file, field("type")?))
            }
            "array_creation_expression" => Some("array".to_owned()),
            "identifier" => self.type_of_name(file, node),
            "field_access" => {
                let name = self.text(file, field("field")?);
                let Some(owner) = self.type_of(file, field("object")?) else {
                    // `a.b.C`: a class by its full name.
                    return (!self.called(name).is_empty()).then(|| name.to_owned());
                };
                let mut found =
                    self.called(&owner).iter().flat_map(|at| self.above(*at).0).filter_map(|at| {
                        self.types[at].fields.iter().find(|field| field.name == name).map(|field| (at, field))
                    });
                let (at, found) = found.next()?;
                self.plain_at(at, &found.written)
            }
            "array_access" => {
                let array = field("array")?;
                let one = self.files[file].names.at(array.start_byte())?;
                let written = self.written(file, one)?;
                let element = written.strip_suffix("[]")?;
                (!element.ends_with("[]")).then(|| simple(element).to_owned())
            }
            "method_invocation" => {
                let name = self.text(file, field("name")?);
                let owners = match field("object") {
                    Some(object) => {
                        let owner = self.type_of(file, object)?;
                        if owner == "String"
                            && matches!(
                                name,
                                "trim" | "substring" | "toLowerCase" | "toUpperCase" | "replace"
                            )
                        {
                            return Some(owner);
                        }
                        self.called(&owner).to_vec()
                    }
                    None => self.enclosing(file, node.start_byte()),
                };
                let owner = owners.into_iter().find_map(|at| {
                    self.above(at)
                        .0
                        .into_iter()
                        .find(|at| self.types[*at].methods.iter().any(|one| one.name == name))
                })?;
                let mut results = self.types[owner].methods.iter().filter(|one| one.name == name);
                let first = results.next()?;
                let same = results.all(|other| other.result == first.result && !other.generic);
                if same && !first.generic { self.plain_at(owner, &first.result) } else { None }
            }
            kind if kind.ends_with("literal") => Some(kind.to_owned()),
            "binary_expression" => {
                let text = [field("left")?, field("right")?].map(|side| self.type_of(file, side));
                text.iter().any(|side| side.as_deref() == Some("String")).then(|| "String".to_owned())
            }
            _ => None,
        }
    }

    fn type_of_name(&self, file: usize, node: Node<'_>) -> Option<String> {
        let names = &self.files[file].names;
        let one = names.at(node.start_byte())?;
        if names.resolve_one(one).is_some() {
            return self.written(file, one).and_then(|written| self.plain(file, node, &written));
        }
        // An inherited field, or a class.
        for at in self.enclosing(file, node.start_byte()) {
            for above in self.above(at).0 {
                if let Some(field) = self.types[above].fields.iter().find(|field| field.name == one.name) {
                    return self.plain_at(above, &field.written);
                }
            }
        }
        one.name.starts_with(|c: char| c.is_uppercase()).then(|| one.name.to_owned())
    }

    /// The written type of a name that the file declares.
    fn written(&self, file: usize, one: &crate::operations::scoped::Occurrence<'_>) -> Option<String> {
        let names = &self.files[file].names;
        let home = names.resolve_one(one)?;
        let bound = names.of(home, one.name).find(|one| matches!(one.role, Role::Bind(_)))?;
        if bound.role == Role::Bind(Binding::Class) {
            return Some(one.name.to_owned());
        }
        let root = self.files[file].tree.root_node();
        let name = root.descendant_for_byte_range(bound.range.start, bound.range.end)?;
        let parent = name.parent()?;
        if parent.kind() == "enum_constant" {
            let at = self.around(file, bound.range.start)?;
            return Some(self.types[at].name.clone());
        }
        let holder = if parent.kind() == "variable_declarator" { parent.parent()? } else { parent };
        let written = match holder.kind() {
            "spread_parameter" => return Some("array".to_owned()),
            "type_pattern" | "record_pattern_component" => holder.named_child(0)?,
            "instanceof_expression" => holder.child_by_field_name("right")?,
            "catch_formal_parameter" => {
                named(holder).into_iter().find(|child| child.kind() == "catch_type")?
            }
            _ => holder.child_by_field_name("type")?,
        };
        let text = self.text(file, written);
        if text.contains('|') || text == "var" {
            return None;
        }
        let dimensions =
            parent.child_by_field_name("dimensions").map(|node| self.text(file, node)).unwrap_or("");
        Some(format!("{text}{dimensions}"))
    }

    /// A written type as its simple name: no type parameter, and nothing of an array.
    fn plain(&self, file: usize, near: Node<'_>, written: &str) -> Option<String> {
        if written.ends_with(']') {
            return Some("array".to_owned());
        }
        let names = &self.files[file].names;
        let scope = names.scope_at(&near.byte_range());
        let word = simple(written);
        let parameter = names
            .resolve(scope, word, Space::Type)
            .is_some_and(|home| names.of(home, word).any(|one| one.role == Role::Bind(Binding::Type)));
        (!parameter).then(|| word.to_owned())
    }

    /// The same for a type that another type's member is written with.
    fn plain_at(&self, at: usize, written: &str) -> Option<String> {
        let one = &self.types[at];
        let root = self.files[one.file].tree.root_node();
        let body = root.descendant_for_byte_range(one.body.start, one.body.end.saturating_sub(1))?;
        self.plain(one.file, body, written)
    }
}

fn read_type(file: usize, source: &Source, node: Node<'_>, body: Node<'_>, kind: &'static str) -> Type {
    let text = |node: Node<'_>| source.text().get(node.byte_range()).unwrap_or("").to_owned();
    let mut supers = Vec::new();
    if kind == "anonymous" {
        let named_type = node.child_by_field_name("type").map(text);
        supers.extend(named_type.map(|written| simple(&written).to_owned()));
    }
    for part in named(node) {
        if matches!(part.kind(), "superclass" | "super_interfaces" | "extends_interfaces") {
            let list = named(part)
                .into_iter()
                .flat_map(|one| if one.kind() == "type_list" { named(one) } else { vec![one] });
            supers.extend(list.map(|one| simple(&text(one)).to_owned()));
        }
    }
    let mut members = named(body);
    let inner: Vec<Node<'_>> = members
        .iter()
        .filter(|one| one.kind() == "enum_body_declarations")
        .flat_map(|one| named(*one))
        .collect();
    members.extend(inner);
    let (mut methods, mut fields) = (Vec::new(), Vec::new());
    for member in members {
        let modifiers =
            named(member).into_iter().find(|one| one.kind() == "modifiers").map(text).unwrap_or_default();
        let written = member.child_by_field_name("type").map(text).unwrap_or_default();
        match member.kind() {
            "method_declaration" | "annotation_type_element_declaration" => {
                let Some(name) = member.child_by_field_name("name") else { continue };
                let parameters = member.child_by_field_name("parameters").map(named).unwrap_or_default();
                methods.push(Method {
                    name: text(name),
                    range: name.byte_range(),
                    parameters: parameters
                        .iter()
                        .filter(|one| {
                            one.kind().ends_with("_parameter") && one.kind() != "receiver_parameter"
                        })
                        .count(),
                    variable: parameters.iter().any(|one| one.kind() == "spread_parameter"),
                    modifiers,
                    result: written,
                    generic: member.child_by_field_name("type_parameters").is_some(),
                });
            }
            "field_declaration" | "constant_declaration" => {
                for declarator in named(member).into_iter().filter(|one| one.kind() == "variable_declarator")
                {
                    let Some(name) = declarator.child_by_field_name("name") else { continue };
                    let dimensions =
                        declarator.child_by_field_name("dimensions").map(text).unwrap_or_default();
                    fields.push(Field {
                        name: text(name),
                        range: name.byte_range(),
                        written: format!("{written}{dimensions}"),
                        modifiers: modifiers.clone(),
                    });
                }
            }
            "enum_constant" => {
                let Some(name) = member.child_by_field_name("name") else { continue };
                let own = node.child_by_field_name("name").map(text).unwrap_or_default();
                fields.push(Field {
                    name: text(name),
                    range: name.byte_range(),
                    written: own,
                    modifiers: "enum".to_owned(),
                });
            }
            _ => {}
        }
    }
    // Constants of an enumeration that have a body come from it.
    if node.kind() == "enum_constant" {
        let outer =
            std::iter::successors(node.parent(), Node::parent).find(|one| one.kind() == "enum_declaration");
        supers.extend(outer.and_then(|outer| outer.child_by_field_name("name")).map(text));
    }
    let name = if kind == "anonymous" {
        String::new()
    } else {
        node.child_by_field_name("name").map(text).unwrap_or_default()
    };
    Type { file, name, range: node.byte_range(), body: body.byte_range(), supers, methods, fields, kind }
}
