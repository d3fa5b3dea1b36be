//! Every name of a JavaScript or TypeScript file, with what it stands for.

use crate::operations::scoped::{Binding, Form, Member, Names, Occurrence, Role, ScopeId, ScopeKind, Space};
use tree_sitter::{Node, Tree};

/// Finds the names of a file.
pub(in crate::operations) fn names<'s>(tree: &Tree, source: &'s str) -> Names<'s> {
    let mut finder = Finder { source, names: Names::default(), pending: Vec::new() };
    let root = tree.root_node();
    let file = finder.names.scope(ScopeKind::File, None, 0..source.len());
    finder.children(root, file);
    while let Some((node, scope)) = finder.pending.pop() {
        finder.node(node, scope);
    }
    finder.names.finish()
}

struct Finder<'s, 't> {
    source: &'s str,
    names: Names<'s>,
    pending: Vec<(Node<'t>, ScopeId)>,
}

fn named<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

impl<'s, 't> Finder<'s, 't> {
    fn text(&self, node: Node<'t>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    fn children(&mut self, node: Node<'t>, scope: ScopeId) {
        self.pending.extend(named(node).into_iter().map(|child| (child, scope)));
    }

    fn all_but(&mut self, node: Node<'t>, done: &[Option<Node<'t>>], scope: ScopeId) {
        let rest = named(node).into_iter().filter(|child| !done.contains(&Some(*child)));
        self.pending.extend(rest.map(|child| (child, scope)));
    }

    fn later(&mut self, node: Option<Node<'t>>, scope: ScopeId) {
        self.pending.extend(node.map(|node| (node, scope)));
    }

    fn inner(&mut self, kind: ScopeKind, scope: ScopeId, node: Node<'t>) -> ScopeId {
        self.names.scope(kind, Some(scope), node.byte_range())
    }

    fn occurs(&mut self, node: Node<'t>, scope: ScopeId, role: Role, space: Space, form: Form) {
        let name = self.text(node);
        let range = node.byte_range();
        self.names.occurrences.push(Occurrence { name, range, scope, role, space, form });
    }

    fn value(&mut self, node: Node<'t>, scope: ScopeId, role: Role) {
        self.occurs(node, scope, role, Space::Value, Form::Plain);
    }

    fn member(&mut self, node: Node<'t>, base: Option<Node<'t>>) {
        let base = base.map(|base| base.byte_range());
        let name = self.text(node);
        self.names.members.push(Member { name, range: node.byte_range(), base });
    }

    fn node(&mut self, node: Node<'t>, scope: ScopeId) {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "identifier" => self.value(node, scope, Role::Read),
            "type_identifier" => self.occurs(node, scope, Role::Read, Space::Type, Form::Plain),
            "shorthand_property_identifier" => {
                self.occurs(node, scope, Role::Read, Space::Value, Form::Shorthand);
            }
            "property_identifier" | "private_property_identifier" => self.member(node, None),
            "comment" | "statement_identifier" => {}
            "string" => {
                let content = node.named_child(0).filter(|_| node.named_child_count() == 1);
                if let Some(content) = content {
                    self.names.strings.push((self.text(content), content.byte_range()));
                }
            }
            "template_string" => {
                let whole = self.text(node).trim_matches('`');
                self.names.strings.push((whole, node.byte_range()));
                self.children(node, scope);
            }
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                if let Some(name) = field("name") {
                    self.value(name, scope, Role::Bind(Binding::Function));
                }
                self.function(node, scope);
            }
            "function_expression" | "generator_function" => {
                let own = self.inner(ScopeKind::Block, scope, node);
                if let Some(name) = field("name") {
                    self.value(name, own, Role::Bind(Binding::Function));
                }
                self.function(node, own);
            }
            "arrow_function"
            | "function_type"
            | "constructor_type"
            | "call_signature"
            | "construct_signature" => self.function(node, scope),
            "method_definition" | "method_signature" | "abstract_method_signature" => {
                self.later(field("name"), scope);
                self.function(node, scope);
            }
            "class_declaration" | "abstract_class_declaration" | "class" => self.class(node, scope),
            "interface_declaration" | "type_alias_declaration" => {
                let name = field("name");
                if let Some(name) = name {
                    self.occurs(name, scope, Role::Bind(Binding::Type), Space::Type, Form::Plain);
                }
                let own = self.inner(ScopeKind::Block, scope, node);
                self.all_but(node, &[name], own);
            }
            "enum_declaration" => self.enumeration(node, scope),
            "internal_module" | "module" => {
                let name = field("name").filter(|name| name.kind() == "identifier");
                if let Some(name) = name {
                    self.occurs(name, scope, Role::Bind(Binding::Class), Space::Both, Form::Plain);
                }
                // What it exports is named by dots elsewhere.
                if let Some(body) = field("body") {
                    let own = self.inner(ScopeKind::Class, scope, body);
                    self.children(body, own);
                }
            }
            "type_parameter" => {
                let name = field("name");
                if let Some(name) = name {
                    self.occurs(name, scope, Role::Bind(Binding::Type), Space::Type, Form::Plain);
                }
                self.all_but(node, &[name], scope);
            }
            "mapped_type_clause" | "infer_type" => {
                let name = field("name").or_else(|| node.named_child(0));
                if let Some(name) = name {
                    self.occurs(name, scope, Role::Bind(Binding::Type), Space::Type, Form::Plain);
                }
                self.all_but(node, &[name], scope);
            }
            "conditional_type" | "object_type" => {
                let own = self.inner(ScopeKind::Block, scope, node);
                self.children(node, own);
            }
            "index_signature" => self.all_but(node, &[field("name")], scope),
            "nested_type_identifier" => {
                if let (Some(module), Some(name)) = (field("module"), field("name")) {
                    self.later(Some(module), scope);
                    self.member(name, Some(module));
                }
            }
            "statement_block" | "switch_body" | "for_statement" | "class_static_block" => {
                let own = self.inner(ScopeKind::Block, scope, node);
                self.children(node, own);
            }
            "for_in_statement" => self.for_in(node, scope),
            "catch_clause" => {
                let own = self.inner(ScopeKind::Block, scope, node);
                if let Some(parameter) = field("parameter") {
                    self.bind(parameter, own, Role::Bind(Binding::Variable));
                }
                self.all_but(node, &[field("parameter")], own);
            }
            "variable_declaration" | "lexical_declaration" => {
                let hoisted = node.kind() == "variable_declaration";
                let binding = if hoisted { Binding::Hoisted } else { Binding::Variable };
                for declarator in named(node) {
                    let name = declarator.child_by_field_name("name");
                    if let Some(name) = name {
                        self.bind(name, scope, Role::Bind(binding));
                    }
                    self.all_but(declarator, &[name], scope);
                }
            }
            "assignment_expression" => {
                if let Some(left) = field("left") {
                    self.bind(left, scope, Role::Write);
                }
                self.later(field("right"), scope);
            }
            "augmented_assignment_expression" | "update_expression" => {
                let target = field("left").or_else(|| field("argument"));
                if let Some(target) = target {
                    self.bind(target, scope, Role::Change);
                }
                self.later(field("right"), scope);
            }
            "member_expression" | "nested_identifier" => {
                if let (Some(object), Some(name)) = (field("object"), field("property")) {
                    self.member(name, Some(object));
                    self.later(Some(object), scope);
                }
            }
            "call_expression" => {
                if field("function").is_some_and(|function| self.text(function) == "eval") {
                    self.names.dynamic.push((scope, node.start_byte(), "eval sees every name here"));
                }
                self.children(node, scope);
            }
            "with_statement" => {
                let why = "inside of `with` a name may be a property";
                self.names.dynamic.push((scope, node.start_byte(), why));
                self.children(node, scope);
            }
            "jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element" => {
                // A small letter is an element of the page, not a name.
                let name = field("name").filter(|name| {
                    name.kind() == "identifier" && self.text(*name).starts_with(|c: char| c.is_lowercase())
                });
                self.all_but(node, &[name], scope);
            }
            "import_statement" => self.import(node, scope),
            "export_statement" => self.export(node, scope),
            _ => self.children(node, scope),
        }
    }

    /// Parameters and body; the name is its owner's matter.
    fn function(&mut self, node: Node<'t>, scope: ScopeId) {
        let own = self.inner(ScopeKind::Function, scope, node);
        let (name, body) = (node.child_by_field_name("name"), node.child_by_field_name("body"));
        let parameters = node.child_by_field_name("parameters");
        let single = node.child_by_field_name("parameter");
        for parameter in parameters.map(named).unwrap_or_default().into_iter().chain(single) {
            let pattern = parameter.child_by_field_name("pattern");
            match parameter.kind() {
                "required_parameter" | "optional_parameter" => {
                    let name = pattern.or_else(|| parameter.child_by_field_name("name"));
                    if let Some(name) = name {
                        self.bind(name, own, Role::Bind(Binding::Parameter));
                    }
                    self.all_but(parameter, &[name], own);
                }
                _ => self.bind(parameter, own, Role::Bind(Binding::Parameter)),
            }
        }
        self.all_but(node, &[name, parameters, single, body], own);
        let Some(body) = body else { return };
        let block = self.inner(ScopeKind::Body, own, body);
        if body.kind() == "statement_block" {
            self.children(body, block);
        } else {
            self.pending.push((body, block));
        }
    }

    fn class(&mut self, node: Node<'t>, scope: ScopeId) {
        let name = node.child_by_field_name("name");
        // The name of a class expression is seen only inside.
        let own = self.inner(ScopeKind::Block, scope, node);
        if let Some(name) = name {
            let home = if node.kind() == "class" { own } else { scope };
            self.occurs(name, home, Role::Bind(Binding::Class), Space::Both, Form::Plain);
        }
        self.all_but(node, &[name], own);
    }

    fn enumeration(&mut self, node: Node<'t>, scope: ScopeId) {
        if let Some(name) = node.child_by_field_name("name") {
            self.occurs(name, scope, Role::Bind(Binding::Class), Space::Both, Form::Plain);
        }
        let Some(body) = node.child_by_field_name("body") else { return };
        let own = self.inner(ScopeKind::Class, scope, body);
        for entry in named(body) {
            let name = entry.child_by_field_name("name").unwrap_or(entry);
            if name.kind() == "property_identifier" {
                self.value(name, own, Role::Bind(Binding::Field));
            }
            self.later(entry.child_by_field_name("value"), own);
        }
    }

    fn for_in(&mut self, node: Node<'t>, scope: ScopeId) {
        let own = self.inner(ScopeKind::Block, scope, node);
        let left = node.child_by_field_name("left");
        let kind = node.child_by_field_name("kind").map(|kind| self.text(kind));
        let role = match kind {
            Some("var") => Role::Bind(Binding::Hoisted),
            Some(_) => Role::Bind(Binding::Variable),
            None => Role::Write,
        };
        if let Some(left) = left {
            self.bind(left, own, role);
        }
        self.all_but(node, &[left], own);
    }

    /// A target: of a declaration, a parameter, an assignment.
    fn bind(&mut self, node: Node<'t>, scope: ScopeId, role: Role) {
        match node.kind() {
            "identifier" => self.value(node, scope, role),
            "shorthand_property_identifier_pattern" | "shorthand_property_identifier" => {
                self.occurs(node, scope, role, Space::Value, Form::Shorthand);
            }
            "object_pattern"
            | "array_pattern"
            | "rest_pattern"
            | "parenthesized_expression"
            | "non_null_expression"
            | "object"
            | "array"
            | "spread_element" => {
                for part in named(node) {
                    self.bind(part, scope, role);
                }
            }
            "pair_pattern" | "pair" => {
                self.later(node.child_by_field_name("key"), scope);
                if let Some(value) = node.child_by_field_name("value") {
                    self.bind(value, scope, role);
                }
            }
            "assignment_pattern" | "object_assignment_pattern" | "assignment_expression" => {
                if let Some(left) = node.child_by_field_name("left") {
                    self.bind(left, scope, role);
                }
                self.later(node.child_by_field_name("right"), scope);
            }
            _ => self.pending.push((node, scope)),
        }
    }

    fn import(&mut self, node: Node<'t>, scope: ScopeId) {
        let mut pending = named(node);
        while let Some(part) = pending.pop() {
            let bind = Role::Bind(Binding::Import);
            match part.kind() {
                "identifier" => self.occurs(part, scope, bind, Space::Both, Form::Plain),
                "import_specifier" => {
                    let (name, alias) = (part.child_by_field_name("name"), part.child_by_field_name("alias"));
                    let form = if alias.is_some() { Form::Plain } else { Form::Imported };
                    if let Some(local) = alias.or(name) {
                        self.occurs(local, scope, bind, Space::Both, form);
                    }
                }
                "string" | "import_attribute" => {}
                _ => pending.extend(named(part)),
            }
        }
    }

    fn export(&mut self, node: Node<'t>, scope: ScopeId) {
        let elsewhere = node.child_by_field_name("source").is_some();
        for part in named(node) {
            match part.kind() {
                "export_clause" if elsewhere => {}
                "namespace_export" => {}
                "export_clause" => {
                    for one in named(part) {
                        let aliased = one.child_by_field_name("alias").is_some();
                        let form = if aliased { Form::Plain } else { Form::Exported };
                        if let Some(name) = one.child_by_field_name("name") {
                            self.occurs(name, scope, Role::Read, Space::Both, form);
                        }
                    }
                }
                _ => self.pending.push((part, scope)),
            }
        }
    }
}
