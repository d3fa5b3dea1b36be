//! Expressions: which are recorded, and of what parts.

use super::table::NodeId;
use super::{FRAME, RECORDER, Walk};
use oxc_ast::ast::{BinaryExpression, Expression, UnaryExpression};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;
use serde_json::{Value, json};

/// How the value of an expression is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Record {
    /// Not at all: its text stands where it must stay as it is.
    No,
    /// If it can be something else another time.
    Varying,
    /// In any case: it is given to a name or a place.
    Always,
    /// It is what the function returns.
    Return,
}

/// Globals of the language that are objects with functions: nobody asks for their value.
const GLOBALS: &[&str] = &[
    "console",
    "Math",
    "JSON",
    "Object",
    "Array",
    "Number",
    "String",
    "Promise",
    "process",
    "Reflect",
    "Symbol",
    "Date",
    "Boolean",
    "Error",
    "TypeError",
    "RangeError",
    "module",
    "exports",
    "require",
    "globalThis",
    "Buffer",
    "BigInt",
    "Map",
    "Set",
    "RegExp",
    "eval",
    "arguments",
];
/// The longest text of a literal that is kept as a value.
const MOST_LITERAL: usize = 2_000;

impl Walk<'_> {
    /// An expression that is read.
    pub(super) fn value(&mut self, expression: &Expression<'_>) -> NodeId {
        self.expression(expression, Record::Varying)
    }

    pub(super) fn expression(&mut self, expression: &Expression<'_>, record: Record) -> NodeId {
        let inner = match expression {
            Expression::ParenthesizedExpression(inner) if record != Record::Return => {
                return self.expression(&inner.expression, record);
            }
            // Types are not there when the program runs.
            Expression::TSAsExpression(inner) if record != Record::Return => {
                return self.expression(&inner.expression, record);
            }
            Expression::TSSatisfiesExpression(inner) if record != Record::Return => {
                return self.expression(&inner.expression, record);
            }
            Expression::TSNonNullExpression(inner) if record != Record::Return => {
                return self.expression(&inner.expression, record);
            }
            other => other,
        };
        let span = inner.span();
        let node = self.add(kind(inner), span, json!({}));
        let recorded = self.quiet == 0
            && match record {
                Record::No => false,
                Record::Varying => self.varies(inner),
                Record::Always => !is_definition(inner),
                Record::Return => true,
            };
        if recorded {
            self.open(node, span, inner, record);
        }
        self.within(node, |walk| walk.parts(node, inner));
        if recorded {
            let sequence = matches!(inner, Expression::SequenceExpression(_));
            self.insert(span.end, if sequence { "))" } else { ")" });
        }
        node
    }

    fn open(&mut self, node: NodeId, span: Span, inner: &Expression<'_>, record: Record) {
        self.table.nodes[node].recorded = true;
        let function = if record == Record::Return { "t" } else { "v" };
        let sequence = if matches!(inner, Expression::SequenceExpression(_)) { "(" } else { "" };
        let calls = matches!(
            inner.without_parentheses(),
            Expression::CallExpression(_)
                | Expression::NewExpression(_)
                | Expression::ChainExpression(_)
                | Expression::TaggedTemplateExpression(_)
        );
        let frame = if calls { format!("{RECORDER}.p({FRAME},{node})") } else { FRAME.to_owned() };
        self.insert(span.start, format!("{RECORDER}.{function}({frame},{node},{sequence}"));
    }

    /// Whether the value is worth an event.
    fn varies(&mut self, expression: &Expression<'_>) -> bool {
        match expression {
            Expression::Identifier(name) => {
                !is_constant_name(&name.name)
                    && (self.referred(name).is_some() || !GLOBALS.contains(&name.name.as_str()))
            }
            Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::RegExpLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::SequenceExpression(_)
            | Expression::Super(_)
            | Expression::ImportMeta(_)
            | Expression::NewTarget(_) => false,
            other => !is_definition(other),
        }
    }

    /// The parts of an expression, as fields of its node.
    fn parts(&mut self, node: NodeId, expression: &Expression<'_>) {
        match expression {
            Expression::BooleanLiteral(literal) => self.set(node, "v", literal.value),
            Expression::NullLiteral(_) => self.set(node, "v", Value::Null),
            Expression::NumericLiteral(literal) => self.set(node, "v", literal.value),
            Expression::StringLiteral(literal) if literal.value.len() <= MOST_LITERAL => {
                self.set(node, "v", literal.value.as_str());
            }
            Expression::Identifier(name) => {
                self.set(node, "n", name.name.as_str());
                let symbol = self.referred(name);
                self.set(node, "y", symbol);
            }
            Expression::TemplateLiteral(template) => {
                let parts: Vec<NodeId> = template.expressions.iter().map(|part| self.value(part)).collect();
                self.set(node, "c", parts);
            }
            Expression::ParenthesizedExpression(inner) => self.inner(node, &inner.expression),
            Expression::TSAsExpression(inner) => self.inner(node, &inner.expression),
            Expression::TSSatisfiesExpression(inner) => self.inner(node, &inner.expression),
            Expression::TSNonNullExpression(inner) => self.inner(node, &inner.expression),
            Expression::ArrayExpression(array) => {
                let items: Vec<Value> =
                    array.elements.iter().map(|element| self.element(element).into()).collect();
                self.set(node, "c", items);
            }
            Expression::ObjectExpression(object) => self.object(node, object),
            Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::PrivateFieldExpression(_) => {
                self.member(node, expression.to_member_expression());
            }
            Expression::CallExpression(call) => self.call(node, call),
            Expression::NewExpression(new) => self.new_object(node, new),
            Expression::ChainExpression(chain) => self.chain(node, chain),
            Expression::TaggedTemplateExpression(template) => {
                let tag = self.callee(&template.tag);
                self.set(node, "o", tag);
                let parts: Vec<NodeId> =
                    template.quasi.expressions.iter().map(|part| self.value(part)).collect();
                self.set(node, "c", parts);
            }
            Expression::UnaryExpression(unary) => self.unary(node, unary),
            Expression::BinaryExpression(binary) => self.binary(node, binary),
            Expression::LogicalExpression(logical) => {
                self.set(node, "op", logical.operator.as_str());
                let left = self.value(&logical.left);
                let right = self.value(&logical.right);
                self.set(node, "l", left);
                self.set(node, "r", right);
            }
            Expression::ConditionalExpression(choice) => {
                let (test, yes, no) = (
                    self.value(&choice.test),
                    self.expression(&choice.consequent, Record::Always),
                    self.expression(&choice.alternate, Record::Always),
                );
                self.set(node, "t", test);
                self.set(node, "y", yes);
                self.set(node, "z", no);
            }
            Expression::SequenceExpression(sequence) => {
                let parts: Vec<NodeId> = sequence.expressions.iter().map(|part| self.value(part)).collect();
                self.set(node, "c", parts);
            }
            Expression::PrivateInExpression(test) => {
                let right = self.value(&test.right);
                self.set(node, "r", right);
            }
            Expression::AwaitExpression(awaited) => {
                let place = awaited.argument.span();
                self.insert(place.start, format!("{RECORDER}.w({FRAME},"));
                let inner = self.value(&awaited.argument);
                self.insert(place.end, ")");
                self.set(node, "a", inner);
            }
            Expression::YieldExpression(yielded) => {
                if let Some(argument) = &yielded.argument {
                    let inner = self.expression(argument, Record::Always);
                    self.set(node, "a", inner);
                }
                self.set(node, "star", yielded.delegate);
            }
            Expression::ImportExpression(import) => {
                let source = self.value(&import.source);
                self.set(node, "a", source);
            }
            Expression::AssignmentExpression(assignment) => self.assignment(node, assignment),
            Expression::UpdateExpression(update) => self.update(node, update),
            Expression::ArrowFunctionExpression(arrow) => self.arrow(node, arrow),
            Expression::FunctionExpression(function) => self.function(node, function, ""),
            Expression::ClassExpression(class) => self.class(node, class),
            _ => {}
        }
    }

    fn inner(&mut self, node: NodeId, inner: &Expression<'_>) {
        let inner = self.value(inner);
        self.set(node, "a", inner);
    }

    fn unary(&mut self, node: NodeId, unary: &UnaryExpression<'_>) {
        self.set(node, "op", unary.operator.as_str());
        let inner = unary.argument.without_parentheses();
        let inner = match unary.operator {
            UnaryOperator::Delete if inner.is_member_expression() => self.expression(inner, Record::No),
            UnaryOperator::Delete => self.quietly(|walk| walk.expression(inner, Record::No)),
            UnaryOperator::Typeof if matches!(inner, Expression::Identifier(_)) => {
                self.expression(inner, Record::No)
            }
            _ => self.value(inner),
        };
        self.set(node, "a", inner);
    }

    fn binary(&mut self, node: NodeId, binary: &BinaryExpression<'_>) {
        self.set(node, "op", binary.operator.as_str());
        let left = self.value(&binary.left);
        let right = self.value(&binary.right);
        self.set(node, "l", left);
        self.set(node, "r", right);
        let place = self.table.nodes[left].end;
        self.set(node, "q", place);
    }
}

/// Functions and classes get their names from where they stand.
fn is_definition(expression: &Expression<'_>) -> bool {
    matches!(
        expression.without_parentheses(),
        Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_)
            | Expression::Super(_)
    )
}

fn is_constant_name(name: &str) -> bool {
    matches!(name, "undefined" | "NaN" | "Infinity")
}

fn kind(expression: &Expression<'_>) -> &'static str {
    match expression {
        Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::RegExpLiteral(_)
        | Expression::StringLiteral(_) => "lit",
        Expression::Identifier(name) if is_constant_name(&name.name) => "const",
        Expression::Identifier(_) => "id",
        Expression::TemplateLiteral(_) => "tpl",
        Expression::ArrayExpression(_) => "arr",
        Expression::ObjectExpression(_) => "obj",
        Expression::StaticMemberExpression(_)
        | Expression::ComputedMemberExpression(_)
        | Expression::PrivateFieldExpression(_) => "mem",
        Expression::CallExpression(_) => "call",
        Expression::NewExpression(_) => "new",
        Expression::ChainExpression(_) => "chain",
        Expression::TaggedTemplateExpression(_) => "tag",
        Expression::UnaryExpression(_) => "un",
        Expression::BinaryExpression(_) => "bin",
        Expression::LogicalExpression(_) => "log",
        Expression::ConditionalExpression(_) => "cond",
        Expression::SequenceExpression(_) => "seq",
        Expression::AwaitExpression(_) => "await",
        Expression::YieldExpression(_) => "yield",
        Expression::AssignmentExpression(_) => "asg",
        Expression::UpdateExpression(_) => "upd",
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => "fn",
        Expression::ClassExpression(_) => "cls",
        Expression::ThisExpression(_) => "this",
        Expression::ParenthesizedExpression(_)
        | Expression::TSAsExpression(_)
        | Expression::TSSatisfiesExpression(_)
        | Expression::TSNonNullExpression(_) => "par",
        _ => "other",
    }
}
