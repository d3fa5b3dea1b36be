//! Expressions. The numbers are given in the order in which the walk over the grammar gives them.

use super::{Reading, span};
use crate::expression::{
    Argument, CallKind, Clause, CollectionKind, ExprId, ExprKind, Item, ItemKey, Literal,
};
use crate::lines::Span;
use crate::{Operator, lower::literals};
use ruff_python_ast::{
    self as ast, ArgOrKeyword, BoolOp, CmpOp, Comprehension, Expr, ExprBoolOp, ExprCall, ExprCompare,
    ExprDict, ExprSubscript, UnaryOp,
};

impl<'a> Reading<'a> {
    pub(super) fn expr(&mut self, expr: &Expr) -> ExprId {
        match self.deeper(|this| this.expr_inside(expr)) {
            Some(id) => id,
            None => self.cannot(span(expr)),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Vec<ExprId> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr_inside(&mut self, expr: &Expr) -> ExprId {
        let place = span(expr);
        let kind = match expr {
            Expr::Name(_) => ExprKind::Name(self.text(expr)),
            Expr::NumberLiteral(_) => literals::number_of(self.text(expr)),
            Expr::BooleanLiteral(word) => ExprKind::Literal(Literal::Boolean(word.value)),
            Expr::NoneLiteral(_) => ExprKind::Literal(Literal::Null),
            Expr::EllipsisLiteral(_) => ExprKind::Literal(Literal::Ellipsis),
            Expr::StringLiteral(_) | Expr::BytesLiteral(_) | Expr::FString(_) => self.string(expr),
            Expr::Attribute(attribute) => {
                let base = self.expr(&attribute.value);
                let name_span = span(&attribute.attr);
                ExprKind::Attribute { base, name: name_span.text(self.source), name_span, optional: false }
            }
            Expr::Subscript(subscript) => self.subscript(subscript),
            Expr::Slice(slice) => {
                let parts = [&slice.lower, &slice.upper, &slice.step].into_iter().flatten();
                ExprKind::Slice(parts.map(|part| self.expr(part)).collect())
            }
            Expr::Call(call) => self.call(call),
            Expr::BinOp(_) => return self.binary(expr),
            Expr::BoolOp(logical) => {
                let Some((first, rest)) = logical.values.split_first() else { return self.cannot(place) };
                let first = self.expr(first);
                return self.logical(logical, first, rest);
            }
            Expr::Compare(compare) => self.compare(compare),
            Expr::UnaryOp(unary) => {
                let operand = self.expr(&unary.operand);
                let operator = match unary.op {
                    UnaryOp::Not => Operator::Not,
                    UnaryOp::USub => Operator::Negate,
                    UnaryOp::UAdd => Operator::Plus,
                    UnaryOp::Invert => Operator::BitNot,
                };
                ExprKind::Unary { operator, operand }
            }
            Expr::If(choice) => {
                let test = self.expr(&choice.test);
                let then = self.expr(&choice.body);
                let otherwise = self.expr(&choice.orelse);
                ExprKind::Conditional { test, then, otherwise }
            }
            Expr::Named(named) => {
                let value = self.expr(&named.value);
                let target = self.expr(&named.target);
                self.to.name_lambda(value, target);
                ExprKind::Assign { target, operator: None, value }
            }
            Expr::Lambda(lambda) => return self.lambda(lambda),
            Expr::List(list) => self.collection(CollectionKind::List, &list.elts),
            Expr::Tuple(tuple) => self.collection(CollectionKind::Tuple, &tuple.elts),
            Expr::Set(set) => self.collection(CollectionKind::Set, &set.elts),
            Expr::Dict(dict) => self.dict(dict),
            Expr::ListComp(made) => self.comprehension(CollectionKind::List, &[&made.elt], &made.generators),
            Expr::SetComp(made) => self.comprehension(CollectionKind::Set, &[&made.elt], &made.generators),
            Expr::Generator(made) => {
                self.comprehension(CollectionKind::Generator, &[&made.elt], &made.generators)
            }
            Expr::DictComp(made) => match &made.key {
                Some(key) => self.comprehension(CollectionKind::Dict, &[key, &made.value], &made.generators),
                None => return self.cannot(place),
            },
            Expr::Await(waits) => ExprKind::Await(self.expr(&waits.value)),
            Expr::Yield(given) => {
                self.generates();
                ExprKind::Yield(given.value.as_deref().map(|value| self.listed(value)))
            }
            Expr::YieldFrom(given) => {
                self.generates();
                ExprKind::Yield(Some(self.expr(&given.value)))
            }
            Expr::Starred(starred) => ExprKind::Spread(self.expr(&starred.value)),
            Expr::TString(_) | Expr::IpyEscapeCommand(_) => return self.cannot(place),
        };
        self.to.add(kind, place)
    }

    fn generates(&mut self) {
        if let Some(function) = self.to.function {
            self.to.unit.functions[function.0 as usize].generator = true;
        }
    }

    fn subscript(&mut self, subscript: &ExprSubscript) -> ExprKind<'a> {
        let base = self.expr(&subscript.value);
        let index = match &*subscript.slice {
            Expr::Tuple(tuple) if !tuple.parenthesized => {
                let indices = self.exprs(&tuple.elts);
                match indices.as_slice() {
                    [only] => *only,
                    _ => self.tuple(indices, span(subscript)),
                }
            }
            index => self.expr(index),
        };
        ExprKind::Subscript { base, index: Some(index) }
    }

    fn call(&mut self, call: &ExprCall) -> ExprKind<'a> {
        let callee = self.expr(&call.func);
        let list = &call.arguments;
        let mut arguments = Vec::with_capacity(list.len());
        for argument in list.iter_source_order() {
            let name = match argument {
                ArgOrKeyword::Keyword(keyword) => keyword.arg.as_ref().map(|name| self.text(name)),
                ArgOrKeyword::Arg(_) => None,
            };
            let value = match argument {
                // The parentheses of the call are the generator's own.
                ArgOrKeyword::Arg(value @ Expr::Generator(made)) if !made.parenthesized => {
                    let value = self.expr(value);
                    self.to.unit.expressions[value.0 as usize].span = span(list);
                    value
                }
                other => self.argument(other),
            };
            arguments.push(Argument { name, value });
        }
        ExprKind::Call { callee, arguments, kind: CallKind::Call }
    }

    /// The value of an argument; `**a` is a value too.
    pub(super) fn argument(&mut self, argument: ArgOrKeyword<'_>) -> ExprId {
        let value = self.expr(argument.value());
        match argument.as_variadic() {
            Some(keyword) => self.to.add(ExprKind::Spread(value), span(keyword)),
            None => value,
        }
    }

    /// Long chains `a + b + c + …` nest to the left; they are walked, not recursed into.
    fn binary(&mut self, expr: &Expr) -> ExprId {
        let mut chain = Vec::new();
        let mut at = expr;
        let mut left = loop {
            match at {
                Expr::BinOp(link) => {
                    chain.push(link);
                    at = &link.left;
                }
                first => break self.expr(first),
            }
        };
        for link in chain.into_iter().rev() {
            let right = self.expr(&link.right);
            left = self.to.add(ExprKind::Binary { operator: operator(link.op), left, right }, span(link));
        }
        left
    }

    /// `a and b and c` is one list here and nests to the left there.
    fn logical(&mut self, logical: &ExprBoolOp, first: ExprId, rest: &[Expr]) -> ExprId {
        let operator = match logical.op {
            BoolOp::And => Operator::And,
            BoolOp::Or => Operator::Or,
        };
        let whole = span(logical);
        let mut left = first;
        for (index, value) in rest.iter().enumerate() {
            let right = self.expr(value);
            let end = if index + 1 == rest.len() { whole.end } else { self.closed(value) };
            let place = Span { start: whole.start, end };
            left = self.to.add(ExprKind::Logical { operator, left, right }, place);
        }
        left
    }

    fn compare(&mut self, compare: &ExprCompare) -> ExprKind<'a> {
        let left = self.expr(&compare.left);
        let operands = self.exprs(&compare.comparators);
        let operators = compare.ops.iter().map(|op| match op {
            CmpOp::Eq => Operator::Equal,
            CmpOp::NotEq => Operator::NotEqual,
            CmpOp::Lt => Operator::Less,
            CmpOp::LtE => Operator::LessEqual,
            CmpOp::Gt => Operator::Greater,
            CmpOp::GtE => Operator::GreaterEqual,
            CmpOp::Is => Operator::Is,
            CmpOp::IsNot => Operator::IsNot,
            CmpOp::In => Operator::In,
            CmpOp::NotIn => Operator::NotIn,
        });
        ExprKind::Compare { left, rest: operators.zip(operands).collect() }
    }

    fn collection(&mut self, kind: CollectionKind, values: &[Expr]) -> ExprKind<'a> {
        let items = values.iter().map(|value| Item { key: None, value: self.expr(value) }).collect();
        ExprKind::Collection { kind, items }
    }

    fn dict(&mut self, dict: &ExprDict) -> ExprKind<'a> {
        let mut items = Vec::with_capacity(dict.items.len());
        for item in &dict.items {
            let Some(key) = &item.key else {
                let inner = self.expr(&item.value);
                let value = match self.stars(&item.value) {
                    Some(start) => {
                        let end = self.closed(&item.value);
                        self.to.add(ExprKind::Spread(inner), Span { start, end })
                    }
                    None => self.cannot(span(&item.value)),
                };
                items.push(Item { key: None, value });
                continue;
            };
            let key = Some(ItemKey::Value(self.expr(key)));
            items.push(Item { key, value: self.expr(&item.value) });
        }
        ExprKind::Collection { kind: CollectionKind::Dict, items }
    }

    fn comprehension(
        &mut self,
        kind: CollectionKind,
        made: &[&Expr],
        parts: &[Comprehension],
    ) -> ExprKind<'a> {
        let elements = made.iter().map(|element| self.expr(element)).collect();
        let mut clauses = Vec::with_capacity(parts.len());
        for part in parts {
            let target = self.expr(&part.target);
            let iterable = self.expr(&part.iter);
            clauses.push(Clause { target, iterable, conditions: self.exprs(&part.ifs) });
        }
        ExprKind::Comprehension { kind, elements, clauses }
    }
}

/// An operator between two operands.
pub(super) fn operator(operator: ast::Operator) -> Operator {
    match operator {
        ast::Operator::Add => Operator::Add,
        ast::Operator::Sub => Operator::Subtract,
        ast::Operator::Mult => Operator::Multiply,
        ast::Operator::MatMult => Operator::MatrixMultiply,
        ast::Operator::Div => Operator::Divide,
        ast::Operator::Mod => Operator::Modulo,
        ast::Operator::Pow => Operator::Power,
        ast::Operator::LShift => Operator::ShiftLeft,
        ast::Operator::RShift => Operator::ShiftRight,
        ast::Operator::BitOr => Operator::BitOr,
        ast::Operator::BitXor => Operator::BitXor,
        ast::Operator::BitAnd => Operator::BitAnd,
        ast::Operator::FloorDiv => Operator::FloorDivide,
    }
}
