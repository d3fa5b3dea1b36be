//! Every name of a Java file that stands by itself, with what it stands for. Names of methods are not among them: they
//! have a space of their own.

use crate::operations::scoped::{Binding, Form, Member, Names, Occurrence, Role, ScopeId, ScopeKind, Space};
use tree_sitter::{Node, Tree};

/// Finds the names of a file.
pub(in crate::operations) fn names<'s>(tree: &Tree, source: &'s str) -> Names<'s> {
    let mut finder = Finder { source, names: Names::default(), pending: Vec::new() };
    let file = finder.names.scope(ScopeKind::File, None, 0..source.len());
    finder.children(tree.root_node(), file);
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

    fn inner(&mut self, kind: ScopeKind, scope: ScopeId, node: Node<'t>) -> ScopeId {
        self.names.scope(kind, Some(scope), node.byte_range())
    }

    fn occurs(&mut self, node: Node<'t>, scope: ScopeId, role: Role, space: Space) {
        let (name, range) = (self.text(node), node.byte_range());
        self.names.occurrences.push(Occurrence { name, range, scope, role, space, form: Form::Plain });
    }

    fn bind(&mut self, node: Option<Node<'t>>, scope: ScopeId, binding: Binding) {
        if let Some(node) = node.filter(|node| node.kind() == "identifier") {
            self.occurs(node, scope, Role::Bind(binding), Space::Value);
        }
    }

    fn member(&mut self, node: Option<Node<'t>>, base: Option<Node<'t>>) {
        let Some(node) = node else { return };
        let (name, range) = (self.text(node), node.byte_range());
        self.names.members.push(Member { name, range, base: base.map(|base| base.byte_range()) });
    }

    fn node(&mut self, node: Node<'t>, scope: ScopeId) {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "identifier" => self.occurs(node, scope, Role::Read, Space::Value),
            "type_identifier" => self.occurs(node, scope, Role::Read, Space::Type),
            "line_comment"
            | "block_comment"
            | "package_declaration"
            | "import_declaration"
            | "break_statement"
            | "continue_statement"
            | "receiver_parameter"
            | "module_declaration" => {}
            "labeled_statement" => self.all_but(node, &[node.named_child(0)], scope),
            "string_literal" => {
                let whole = self.text(node).trim_matches('"');
                self.names.strings.push((whole, node.byte_range()));
            }
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration" => self.class(node, scope),
            "class_body" | "interface_body" | "enum_body" | "annotation_type_body" => {
                let own = self.inner(ScopeKind::Class, scope, node);
                self.children(node, own);
            }
            "type_parameter" => {
                let name = named(node).into_iter().find(|child| child.kind() == "type_identifier");
                if let Some(name) = name {
                    self.occurs(name, scope, Role::Bind(Binding::Type), Space::Type);
                }
                self.all_but(node, &[name], scope);
            }
            "field_declaration" | "constant_declaration" => self.variables(node, scope, Binding::Field),
            "local_variable_declaration" => self.variables(node, scope, Binding::Variable),
            "enum_constant" => {
                self.bind(field("name"), scope, Binding::Field);
                self.all_but(node, &[field("name")], scope);
            }
            "method_declaration" | "annotation_type_element_declaration" => {
                self.member(field("name"), None);
                self.function(node, scope, &[field("name")]);
            }
            "constructor_declaration" | "compact_constructor_declaration" => {
                if let Some(name) = field("name") {
                    self.occurs(name, scope, Role::Read, Space::Type);
                }
                self.function(node, scope, &[field("name")]);
            }
            "lambda_expression" => self.function(node, scope, &[]),
            "block"
            | "constructor_body"
            | "for_statement"
            | "switch_block"
            | "switch_rule"
            | "try_with_resources_statement"
            | "static_initializer" => {
                let own = self.inner(ScopeKind::Block, scope, node);
                self.children(node, own);
            }
            "enhanced_for_statement" | "catch_clause" => {
                let own = self.inner(ScopeKind::Block, scope, node);
                self.bind(field("name"), own, Binding::Variable);
                self.all_but(node, &[field("name")], own);
            }
            "catch_formal_parameter" | "resource" => {
                let kind =
                    if node.kind() == "resource" && field("name").is_none() { None } else { field("name") };
                self.bind(kind, scope, Binding::Variable);
                self.all_but(node, &[kind], scope);
            }
            "instanceof_expression" => {
                self.bind(field("name"), scope, Binding::Variable);
                self.all_but(node, &[field("name")], scope);
            }
            "type_pattern" | "record_pattern_component" => {
                let name = named(node).into_iter().find(|child| child.kind() == "identifier");
                self.bind(name, scope, Binding::Variable);
                self.all_but(node, &[name], scope);
            }
            "method_invocation" => {
                self.member(field("name"), field("object"));
                self.all_but(node, &[field("name")], scope);
            }
            "field_access" => {
                self.member(field("field"), field("object"));
                self.all_but(node, &[field("field")], scope);
            }
            "method_reference" => {
                let parts = named(node);
                let last =
                    parts.last().copied().filter(|last| last.kind() == "identifier" && parts.len() > 1);
                self.member(last, parts.first().copied());
                self.all_but(node, &[last], scope);
            }
            "scoped_type_identifier" | "scoped_identifier" => {
                let parts = named(node);
                let last = parts.last().copied();
                self.member(last, parts.first().copied());
                self.all_but(node, &[last], scope);
            }
            "marker_annotation" | "annotation" => {
                if let Some(name) = field("name").filter(|name| name.kind() == "identifier") {
                    self.occurs(name, scope, Role::Read, Space::Type);
                }
                self.all_but(node, &[field("name")], scope);
            }
            "element_value_pair" => {
                self.member(field("key"), None);
                self.all_but(node, &[field("key")], scope);
            }
            "assignment_expression" => {
                let plain = field("operator").is_none_or(|operator| self.text(operator) == "=");
                let role = if plain { Role::Write } else { Role::Change };
                self.target(field("left"), scope, role);
                self.all_but(node, &[field("left")], scope);
            }
            "update_expression" => self.target(node.named_child(0), scope, Role::Change),
            _ => self.children(node, scope),
        }
    }

    fn target(&mut self, node: Option<Node<'t>>, scope: ScopeId, role: Role) {
        let Some(node) = node else { return };
        match node.kind() {
            "identifier" => self.occurs(node, scope, role, Space::Value),
            "parenthesized_expression" => self.target(node.named_child(0), scope, role),
            _ => self.pending.push((node, scope)),
        }
    }

    fn class(&mut self, node: Node<'t>, scope: ScopeId) {
        let name = node.child_by_field_name("name");
        if let Some(name) = name {
            self.occurs(name, scope, Role::Bind(Binding::Class), Space::Both);
        }
        let own = self.inner(ScopeKind::Block, scope, node);
        let components = node.child_by_field_name("parameters");
        for component in components.map(named).unwrap_or_default() {
            self.bind(component.child_by_field_name("name"), own, Binding::Field);
            self.all_but(component, &[component.child_by_field_name("name")], own);
        }
        self.all_but(node, &[name, components], own);
    }

    fn variables(&mut self, node: Node<'t>, scope: ScopeId, binding: Binding) {
        for part in named(node) {
            if part.kind() != "variable_declarator" {
                self.pending.push((part, scope));
                continue;
            }
            self.bind(part.child_by_field_name("name"), scope, binding);
            self.all_but(part, &[part.child_by_field_name("name")], scope);
        }
    }

    fn function(&mut self, node: Node<'t>, scope: ScopeId, done: &[Option<Node<'t>>]) {
        let own = self.inner(ScopeKind::Function, scope, node);
        let (parameters, body) = (node.child_by_field_name("parameters"), node.child_by_field_name("body"));
        if let Some(list) = parameters {
            let alone = list.kind() == "identifier";
            for parameter in if alone { vec![list] } else { named(list) } {
                let declarator =
                    named(parameter).into_iter().find(|child| child.kind() == "variable_declarator");
                let name = match parameter.kind() {
                    "identifier" => Some(parameter),
                    "spread_parameter" => declarator.and_then(|one| one.child_by_field_name("name")),
                    _ => parameter.child_by_field_name("name"),
                };
                self.bind(name, own, Binding::Parameter);
                self.all_but(parameter, &[name, declarator], own);
            }
        }
        let mut rest = done.to_vec();
        rest.extend([parameters, body]);
        self.all_but(node, &rest, own);
        let Some(body) = body else { return };
        let block = self.inner(ScopeKind::Body, own, body);
        if body.kind() == "block" || body.kind() == "constructor_body" {
            self.children(body, block);
        } else {
            self.pending.push((body, block));
        }
    }
}
