//! Types where the grammar looks for values: what an alias stands for, and what is extended.
//!
//! Most types are one piece of text. Those that the table of the grammar does not know are nodes that mean nothing by
//! themselves, with their parts in them.

use super::{Reading, span};
use crate::expression::{ExprId, ExprKind, Literal};
use crate::lines::Span;
use crate::statement::{Block, StmtKind};
use oxc_ast::ast::{
    TSLiteral, TSQualifiedName, TSTupleElement, TSType, TSTypeName, TSTypeOperatorOperator,
    TSTypeQueryExprName,
};

/// A part of a type as the grammar has it.
enum Piece<'s, 't> {
    Type(&'s TSType<'t>),
    /// The first so many of an intersection: it nests to the left.
    Both(&'s [TSType<'t>]),
    /// A name in a value's place.
    Name(&'s TSTypeName<'t>),
    /// A plain word.
    Word(Span),
    Literal(&'s TSLiteral<'t>),
    Null(Span),
    /// `a?` and `...a` in a tuple.
    Marked(Span, &'s TSType<'t>),
}

impl<'a> Reading<'a> {
    /// What an alias stands for.
    pub(super) fn type_body(&mut self, written: &TSType<'_>, out: &mut Block) {
        for piece in self.pieces(written).unwrap_or_default() {
            self.piece(&piece, out);
        }
    }

    /// What is extended or implemented.
    pub(super) fn base(&mut self, name: &TSTypeName<'_>) -> ExprId {
        match name {
            TSTypeName::QualifiedName(name) => self.nested(name),
            _ => self.name(span(name)),
        }
    }

    /// `a.b` as a type: two names beside each other.
    fn nested(&mut self, name: &TSQualifiedName<'_>) -> ExprId {
        self.other(span(name), |this| vec![this.type_name(&name.left), this.name(span(&name.right))])
    }

    /// A name as a value.
    fn type_name(&mut self, name: &TSTypeName<'_>) -> ExprId {
        match name {
            TSTypeName::QualifiedName(name) => self.qualified(name),
            _ => self.name(span(name)),
        }
    }

    /// `a.b` as a value.
    pub(super) fn qualified(&mut self, name: &TSQualifiedName<'_>) -> ExprId {
        let place = span(name);
        let base = self.deeper(|this| this.type_name(&name.left));
        let base = base.unwrap_or_else(|| self.cannot(place));
        let kind = self.attribute(base, span(&name.right), false);
        self.to.add(kind, place)
    }

    /// The parts of a type that means nothing by itself; none where it is text or a name.
    fn pieces<'s, 't>(&mut self, written: &'s TSType<'t>) -> Option<Vec<Piece<'s, 't>>> {
        use Piece::{Both, Literal, Marked, Name, Null, Type, Word};
        let place = span(written);
        Some(match written {
            TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) => vec![Null(place)],
            TSType::TSThisType(_) => Vec::new(),
            TSType::TSTypeReference(named) if named.type_arguments.is_none() => match &named.type_name {
                TSTypeName::QualifiedName(name) => vec![Name(&name.left), Word(span(&name.right))],
                _ => return None,
            },
            TSType::TSIntersectionType(both) => match both.types.as_slice() {
                [first, .., last] if span(first).start == place.start => {
                    let rest = both.types.get(..both.types.len() - 1)?;
                    vec![if rest.len() > 1 { Both(rest) } else { Type(first) }, Type(last)]
                }
                _ => return self.unknown(place),
            },
            TSType::TSConditionalType(choice) => vec![
                Type(&choice.check_type),
                Type(&choice.extends_type),
                Type(&choice.true_type),
                Type(&choice.false_type),
            ],
            TSType::TSIndexedAccessType(one) => vec![Type(&one.object_type), Type(&one.index_type)],
            TSType::TSLiteralType(one) => match &one.literal {
                TSLiteral::TemplateLiteral(_) => return self.unknown(place),
                literal => vec![Literal(literal)],
            },
            TSType::TSTypeOperatorType(one) if one.operator == TSTypeOperatorOperator::Unique => return None,
            TSType::TSTypeOperatorType(one) => vec![Type(&one.type_annotation)],
            TSType::TSParenthesizedType(one) => vec![Type(&one.type_annotation)],
            TSType::TSInferType(one) => {
                let mut parts = vec![Word(span(&one.type_parameter.name))];
                parts.extend(one.type_parameter.constraint.as_ref().map(Type));
                parts
            }
            TSType::TSTypeQuery(query) if query.type_arguments.is_none() => match &query.expr_name {
                TSTypeQueryExprName::TSImportType(_) => return self.unknown(place),
                name => vec![Name(name.as_ts_type_name()?)],
            },
            TSType::TSTupleType(tuple) => {
                let mut parts = Vec::with_capacity(tuple.element_types.len());
                for element in &tuple.element_types {
                    parts.push(match element {
                        TSTupleElement::TSOptionalType(one) => Marked(span(&**one), &one.type_annotation),
                        TSTupleElement::TSRestType(one) => Marked(span(&**one), &one.type_annotation),
                        other => match other.as_ts_type() {
                            Some(TSType::TSNamedTupleMember(_)) | None => return self.unknown(place),
                            Some(one) => Type(one),
                        },
                    });
                    if let Some(Marked(_, TSType::TSNamedTupleMember(_))) = parts.last() {
                        return self.unknown(place);
                    }
                }
                parts
            }
            TSType::TSConstructorType(_)
            | TSType::TSImportType(_)
            | TSType::TSTypeQuery(_)
            | TSType::TSTemplateLiteralType(_)
            | TSType::TSTypePredicate(_)
            | TSType::TSNamedTupleMember(_)
            | TSType::JSDocNullableType(_)
            | TSType::JSDocNonNullableType(_)
            | TSType::JSDocUnknownType(_) => return self.unknown(place),
            _ => return None,
        })
    }

    fn unknown<T>(&mut self, place: Span) -> Option<T> {
        self.cannot(place);
        None
    }

    /// The parts of a piece, where it means nothing by itself.
    fn parts<'s, 't>(&mut self, piece: &Piece<'s, 't>) -> Option<Vec<Piece<'s, 't>>> {
        match piece {
            Piece::Type(written) => self.pieces(written),
            Piece::Both(types) => {
                let (last, rest) = types.split_last()?;
                let before = match rest {
                    [only] => Piece::Type(only),
                    _ => Piece::Both(rest),
                };
                Some(vec![before, Piece::Type(last)])
            }
            Piece::Marked(_, inner) => Some(vec![Piece::Type(inner)]),
            Piece::Name(_) | Piece::Word(_) | Piece::Literal(_) | Piece::Null(_) => None,
        }
    }

    /// A piece as a statement.
    fn piece(&mut self, piece: &Piece<'_, '_>, out: &mut Block) {
        self.deeper(|this| {
            let place = place_of(piece);
            let Some(parts) = this.parts(piece) else {
                let value = this.piece_value(piece);
                this.to.push(StmtKind::Expression(value), place, out);
                return;
            };
            let (mut expressions, mut body) = (Vec::new(), Vec::new());
            for part in parts {
                if this.parts(&part).is_some() {
                    this.piece(&part, &mut body);
                } else {
                    expressions.push(this.piece_value(&part));
                }
            }
            if !expressions.is_empty() || !body.is_empty() {
                this.to.push(StmtKind::Other { expressions, body }, place, out);
            }
        });
    }

    /// A piece that means something by itself.
    fn piece_value(&mut self, piece: &Piece<'_, '_>) -> ExprId {
        let place = place_of(piece);
        match piece {
            Piece::Word(_) => self.name(place),
            Piece::Name(name) => self.type_name(name),
            Piece::Null(_) => self.to.add(ExprKind::Literal(Literal::Null), place),
            Piece::Literal(TSLiteral::StringLiteral(_)) => self.text_literal(place),
            Piece::Literal(TSLiteral::BooleanLiteral(one)) => {
                self.to.add(ExprKind::Literal(Literal::Boolean(one.value)), place)
            }
            Piece::Literal(TSLiteral::NumericLiteral(_) | TSLiteral::BigIntLiteral(_)) => {
                let kind = crate::lower::literals::number_of(place.text(self.source));
                self.to.add(kind, place)
            }
            Piece::Type(TSType::TSTypeReference(named))
                if named.type_arguments.is_none()
                    && !matches!(named.type_name, TSTypeName::QualifiedName(_)) =>
            {
                self.name(place)
            }
            // No word that the grammar keeps: a name like any other.
            Piece::Type(TSType::TSBigIntKeyword(_) | TSType::TSIntrinsicKeyword(_)) => self.name(place),
            Piece::Type(_) => self.to.add(ExprKind::Type(place.text(self.source)), place),
            Piece::Both(_) | Piece::Marked(..) | Piece::Literal(_) => self.cannot(place),
        }
    }
}

fn place_of(piece: &Piece<'_, '_>) -> Span {
    match piece {
        Piece::Type(written) => span(*written),
        Piece::Both([first, .., last]) => span(first).to(span(last)),
        Piece::Both(_) => Span::default(),
        Piece::Name(name) => span(*name),
        Piece::Word(place) | Piece::Null(place) | Piece::Marked(place, _) => *place,
        Piece::Literal(literal) => span(*literal),
    }
}
