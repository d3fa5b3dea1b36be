//! Halstead's counts.

use formicary_model::review::Halstead;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprId, ExprKind, FunctionId, Literal, Operator, Owner, StmtKind, Unit};
use rustc_hash::FxHashSet;

#[derive(Default)]
struct Counts<'a> {
    operators: u32,
    operands: u32,
    seen_operators: FxHashSet<Operator>,
    seen_operands: FxHashSet<(Option<&'a str>, Operand<'a>)>,
}

#[derive(PartialEq, Eq, Hash)]
enum Operand<'a> {
    Name(&'a str),
    Value(&'a str),
    Other(ExprId),
}

impl<'a> Counts<'a> {
    fn operator(&mut self, operator: Operator) {
        self.operators += 1;
        self.seen_operators.insert(operator);
    }

    fn operand(&mut self, unit: &Unit<'a>, id: ExprId, context: Option<&'a str>) {
        self.operands += 1;
        let operand = match unit.kind(id) {
            ExprKind::Name(name) | ExprKind::Attribute { name, .. } => Operand::Name(name),
            ExprKind::Literal(Literal::Ellipsis) => Operand::Other(id),
            ExprKind::Literal(_) => Operand::Value(unit.text(unit.expr(id).span)),
            _ => Operand::Other(id),
        };
        self.seen_operands.insert((context, operand));
    }

    fn expr(&mut self, unit: &Unit<'a>, id: ExprId, context: Option<&'a str>) {
        match unit.kind(id) {
            ExprKind::Binary { operator, left, right } => {
                self.operator(*operator);
                self.operand(unit, *left, context);
                self.operand(unit, *right, context);
            }
            ExprKind::Logical { operator, left, right } => {
                // `a and b and c` is one operator with three operands.
                let chained = matches!(unit.kind(*left), ExprKind::Logical { operator: inner, .. } if inner == operator);
                if chained {
                    self.operand(unit, *right, context);
                } else {
                    self.operator(*operator);
                    self.operand(unit, *left, context);
                    self.operand(unit, *right, context);
                }
            }
            ExprKind::Compare { left, rest } => {
                self.operand(unit, *left, context);
                for (operator, operand) in rest {
                    self.operator(*operator);
                    self.operand(unit, *operand, context);
                }
            }
            ExprKind::Unary { operator, operand } => {
                self.operator(*operator);
                self.operand(unit, *operand, context);
            }
            ExprKind::Assign { target, operator: Some(operator), value } => {
                self.operator(*operator);
                self.operand(unit, *target, context);
                self.operand(unit, *value, context);
            }
            ExprKind::Update { target, .. } => {
                self.operator(Operator::Add);
                self.operand(unit, *target, context);
            }
            _ => {}
        }
    }

    fn step(&mut self, unit: &Unit<'a>, step: Step, context: Option<&'a str>) {
        match step {
            Step::Expr(id) => self.expr(unit, id, context),
            Step::Stmt(id) => {
                if let StmtKind::Assign { targets, operator: Some(operator), value: Some(value), .. } =
                    &unit.stmt(id).kind
                {
                    self.operator(*operator);
                    for target in targets {
                        self.operand(unit, *target, context);
                    }
                    self.operand(unit, *value, context);
                }
            }
        }
    }

    fn finish(self) -> Halstead {
        Halstead {
            distinct_operators: self.seen_operators.len() as u32,
            distinct_operands: self.seen_operands.len() as u32,
            operators: self.operators,
            operands: self.operands,
        }
    }
}

/// Operands of different functions are different operands; a lambda's are its function's. Defaults and decorators do
/// not count.
pub(super) fn of_file(unit: &Unit<'_>) -> Halstead {
    let mut counts = Counts::default();
    let mut outside: FxHashSet<ExprId> = FxHashSet::default();
    for function in unit.functions.iter().filter(|function| !function.lambda) {
        let defaults = function.parameters.iter().filter_map(|parameter| parameter.default);
        for id in defaults.chain(function.decorators.iter().copied()) {
            unit.walk_expr(id, Nested::Skip, &mut |step| {
                if let Step::Expr(id) = step {
                    outside.insert(id);
                }
            });
        }
    }
    let contexts: Vec<Option<&str>> = unit.functions().map(|(id, _)| context(unit, id)).collect();
    let of = |function: Option<FunctionId>| function.and_then(|function| contexts[function.0 as usize]);
    for (id, expr) in unit.exprs().filter(|(id, _)| !outside.contains(id)) {
        counts.step(unit, Step::Expr(id), of(expr.function));
    }
    for (id, stmt) in unit.stmts() {
        counts.step(unit, Step::Stmt(id), of(stmt.function));
    }
    counts.finish()
}

/// The name of the nearest function that has one.
fn context<'a>(unit: &Unit<'a>, id: FunctionId) -> Option<&'a str> {
    let mut at = Some(id);
    for _ in 0..100 {
        let function = unit.function(at?);
        if !function.lambda {
            return Some(function.name);
        }
        at = match function.owner {
            Owner::Function(outer) => Some(outer),
            _ => None,
        };
    }
    None
}

pub(super) fn of_function(unit: &Unit<'_>, id: FunctionId) -> Halstead {
    let mut counts = Counts::default();
    unit.walk(&unit.function(id).body, Nested::Enter, &mut |step| counts.step(unit, step, None));
    counts.finish()
}
