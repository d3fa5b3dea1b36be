//! Types, where the language wants them written: those that the source says, and those that follow from them for certain.

use super::flow::Passed;
use super::{File, ancestors};
use crate::operations::scoped::{Occurrence, Role};
use crate::operations::{Refused, unsure};
use tree_sitter::Node;

impl File<'_> {
    /// The written type of a variable of TypeScript.
    pub(super) fn annotated(&self, passed: &Passed, at: usize) -> Result<String, Refused> {
        let bound = self.names.of(passed.home, &passed.name).find(|one| matches!(one.role, Role::Bind(_)));
        let node = bound.and_then(|bound| {
            self.tree.root_node().descendant_for_byte_range(bound.range.start, bound.range.end)?.parent()
        });
        let written = node.and_then(|node| node.child_by_field_name("type"));
        let optional = node.is_some_and(|node| node.kind() == "optional_parameter");
        match written.filter(|_| !optional) {
            Some(written) => Ok(self.text(written).trim_start_matches(':').trim().to_owned()),
            None => Err(unsure(self.source, at, format!("the type of {} is not written", passed.name))),
        }
    }

    /// The written type of a variable of Java.
    pub(super) fn declared_of(&self, passed: &Passed, at: usize) -> Result<String, Refused> {
        let bound = self.names.of(passed.home, &passed.name).find(|one| matches!(one.role, Role::Bind(_)));
        let written = bound.and_then(|bound| self.declared(bound)).filter(|written| !written.contains('|'));
        written.ok_or_else(|| unsure(self.source, at, format!("the type of {} is not written", passed.name)))
    }

    fn declared(&self, bound: &Occurrence<'_>) -> Option<String> {
        let name = self.tree.root_node().descendant_for_byte_range(bound.range.start, bound.range.end)?;
        let parent = name.parent()?;
        if parent.child_by_field_name("dimensions").is_some() {
            return None;
        }
        let holder = if parent.kind() == "variable_declarator" { parent.parent()? } else { parent };
        let written = match holder.kind() {
            "spread_parameter" => {
                let mut cursor = holder.walk();
                let kind = holder
                    .named_children(&mut cursor)
                    .find(|child| !matches!(child.kind(), "modifiers" | "variable_declarator"))?;
                return Some(format!("{}[]", self.text(kind)));
            }
            "type_pattern" | "record_pattern_component" => holder.named_child(0)?,
            "catch_formal_parameter" => {
                let mut cursor = holder.walk();
                holder.named_children(&mut cursor).find(|child| child.kind() == "catch_type")?
            }
            "instanceof_expression" => holder.child_by_field_name("right")?,
            _ => holder.child_by_field_name("type")?,
        };
        let text = self.text(written);
        if text == "var" {
            return self.expression_type(parent.child_by_field_name("value")?);
        }
        Some(text.to_owned())
    }

    /// The type of an expression, where it is certain.
    pub(super) fn expression_type(&self, node: Node<'_>) -> Option<String> {
        let field = |name: &str| node.child_by_field_name(name);
        let text = self.text(node);
        let word = |word: &str| Some(word.to_owned());
        match node.kind() {
            "decimal_integer_literal" | "hex_integer_literal" => {
                word(if text.ends_with(['l', 'L']) { "long" } else { "int" })
            }
            "decimal_floating_point_literal" => {
                word(if text.ends_with(['f', 'F']) { "float" } else { "double" })
            }
            "string_literal" => word("String"),
            "character_literal" => word("char"),
            "true" | "false" | "instanceof_expression" => word("boolean"),
            "parenthesized_expression" => self.expression_type(node.named_child(0)?),
            "cast_expression" => Some(self.text(field("type")?).to_owned()),
            "object_creation_expression" => {
                let mut cursor = node.walk();
                let plain = node.named_children(&mut cursor).all(|child| child.kind() != "class_body");
                let named = self.text(field("type")?);
                let inner = node.child(0).is_some_and(|first| first.kind() == "new");
                (plain && inner && !named.contains("<>")).then(|| named.to_owned())
            }
            "identifier" => {
                let one = self.names.at(node.start_byte())?;
                let home = self.names.resolve_one(one)?;
                let mut bound = self.names.of(home, one.name).filter(|one| matches!(one.role, Role::Bind(_)));
                let first = bound.next()?;
                if bound.next().is_some() { None } else { self.declared(first) }
            }
            "array_access" => Some(self.expression_type(field("array")?)?.strip_suffix("[]")?.to_owned()),
            "ternary_expression" => {
                let (a, b) = (
                    self.expression_type(field("consequence")?)?,
                    self.expression_type(field("alternative")?)?,
                );
                (a == b).then_some(a)
            }
            "unary_expression" if text.starts_with('!') => word("boolean"),
            "unary_expression" => promoted(&self.expression_type(field("operand")?)?),
            "binary_expression" => self.binary_type(node),
            "field_access" => {
                let of = self.expression_type(field("object")?)?;
                (of.ends_with("[]") && self.text(field("field")?) == "length").then(|| "int".to_owned())
            }
            "method_invocation" => self.result_type(node),
            _ => None,
        }
    }

    fn binary_type(&self, node: Node<'_>) -> Option<String> {
        let operator = self.text(node.child_by_field_name("operator")?);
        if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") {
            return Some("boolean".to_owned());
        }
        let left = self.expression_type(node.child_by_field_name("left")?);
        let right = self.expression_type(node.child_by_field_name("right")?);
        if operator == "+" && [&left, &right].iter().any(|side| side.as_deref() == Some("String")) {
            return Some("String".to_owned());
        }
        let (left, right) = (left?, right?);
        if left == "boolean" && right == "boolean" {
            return Some(left);
        }
        let (left, right) = (promoted(&left)?, promoted(&right)?);
        if matches!(operator, "<<" | ">>" | ">>>") {
            return Some(left);
        }
        let wider =
            ["double", "float", "long", "int"].into_iter().find(|wide| left == *wide || right == *wide)?;
        Some(wider.to_owned())
    }

    /// What a method of this very file gives, or one that every Java program has.
    fn result_type(&self, node: Node<'_>) -> Option<String> {
        let name = self.text(node.child_by_field_name("name")?);
        let arguments = node.child_by_field_name("arguments")?.named_child_count();
        let word = |word: &str| Some(word.to_owned());
        let Some(object) = node.child_by_field_name("object") else {
            return self.own_result(name);
        };
        if object.kind() == "this" {
            return self.own_result(name);
        }
        match (name, arguments) {
            ("equals", 1) => return word("boolean"),
            ("hashCode", 0) => return word("int"),
            ("toString", 0) => return word("String"),
            _ => {}
        }
        if self.expression_type(object)? != "String" {
            return None;
        }
        match name {
            "length" | "indexOf" | "lastIndexOf" | "compareTo" | "codePointAt" => word("int"),
            "isEmpty" | "startsWith" | "endsWith" | "contains" | "equalsIgnoreCase" | "matches" => {
                word("boolean")
            }
            "substring" | "trim" | "toLowerCase" | "toUpperCase" | "replace" | "replaceAll" | "concat" => {
                word("String")
            }
            "charAt" => word("char"),
            _ => None,
        }
    }

    /// The one type that all methods of this name in the file give.
    fn own_result(&self, name: &str) -> Option<String> {
        let mut result = None;
        let mut pending = vec![self.tree.root_node()];
        while let Some(node) = pending.pop() {
            if node.kind() == "method_declaration"
                && node.child_by_field_name("name").is_some_and(|own| self.text(own) == name)
            {
                let generic = node.child_by_field_name("type_parameters").is_some();
                let written = self.text(node.child_by_field_name("type")?).to_owned();
                if generic || result.as_ref().is_some_and(|known| *known != written) {
                    return None;
                }
                result = Some(written);
            }
            let mut cursor = node.walk();
            pending.extend(node.named_children(&mut cursor));
        }
        result.filter(|result| result != "void")
    }

    /// The type that a new variable must have.
    pub(super) fn type_of_extracted(&self, node: Node<'_>) -> Result<String, Refused> {
        let context = self.wanted_type(node);
        let own = context.or_else(|| self.expression_type(node));
        own.ok_or_else(|| self.unsure(node, "its type is not written, and does not follow for certain"))
    }

    /// The type that the place of an expression asks for: a declaration's, or the method's result.
    fn wanted_type(&self, node: Node<'_>) -> Option<String> {
        let parent = node.parent()?;
        match parent.kind() {
            "variable_declarator" => {
                if parent.child_by_field_name("dimensions").is_some() {
                    return None;
                }
                let written = self.text(parent.parent()?.child_by_field_name("type")?);
                (written != "var").then(|| written.to_owned())
            }
            "return_statement" => {
                let around = ancestors(node)
                    .find(|above| matches!(above.kind(), "method_declaration" | "lambda_expression"))?;
                if around.kind() != "method_declaration" || around.child_by_field_name("dimensions").is_some()
                {
                    return None;
                }
                Some(self.text(around.child_by_field_name("type")?).to_owned())
            }
            _ => None,
        }
    }

    /// A value in place of a variable must have the variable's type, or its places must ask for that type.
    pub(super) fn keeps_type(
        &self,
        statement: Node<'_>,
        value: Node<'_>,
        reads: &[&Occurrence<'_>],
    ) -> Result<(), Refused> {
        let declared =
            statement.child_by_field_name("type").map(|written| self.text(written)).unwrap_or_default();
        let own = self.expression_type(value);
        if own.as_deref().is_some_and(|own| own == declared || declared == "var") {
            return Ok(());
        }
        for read in reads {
            let node = self.tree.root_node().descendant_for_byte_range(read.range.start, read.range.end);
            let wanted = node.and_then(|node| self.wanted_type(node));
            if wanted.as_deref() != Some(declared) {
                let why =
                    format!("whether `{}` is of the very type {declared} is not certain", self.text(value));
                return Err(unsure(self.source, read.range.start, why));
            }
        }
        Ok(())
    }
}

/// What an operator makes of a number.
fn promoted(written: &str) -> Option<String> {
    match written {
        "byte" | "short" | "char" | "int" => Some("int".to_owned()),
        "long" | "float" | "double" => Some(written.to_owned()),
        _ => None,
    }
}
