//! Cyclomatic and cognitive complexity, nesting, exits, statements.

use formicary_syntax::walk::Step;
use formicary_syntax::{Dialect, ExprId, ExprKind, Operator, StmtId, StmtKind, Unit};

/// How complex some statements are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Complexity {
    /// Independent paths.
    pub cyclomatic: u32,
    /// How hard it is to follow.
    pub cognitive: u32,
    /// Deepest nesting of control structures.
    pub nesting: u32,
    /// Ways out: return, raise, throw.
    pub exits: u32,
    /// Statements.
    pub statements: u32,
}

/// Measures statements, nested named functions and classes left out.
pub fn complexity_of(unit: &Unit<'_>, body: &[StmtId]) -> Complexity {
    let mut counter = Counter {
        unit,
        python: unit.dialect == Dialect::Python,
        found: Complexity { cyclomatic: 1, ..Complexity::default() },
    };
    counter.run(body);
    counter.found
}

struct Counter<'u, 'a> {
    unit: &'u Unit<'a>,
    python: bool,
    found: Complexity,
}

/// What to look at, how deep it is nested, and the logical operator directly around.
type Task = (Step, u32, Option<Operator>);

impl Counter<'_, '_> {
    fn run(&mut self, body: &[StmtId]) {
        let mut stack: Vec<Task> = body.iter().rev().map(|id| (Step::Stmt(*id), 0, None)).collect();
        while let Some((step, nesting, around)) = stack.pop() {
            match step {
                Step::Stmt(id) => self.statement(id, nesting, &mut stack),
                Step::Expr(id) => self.expression(id, nesting, around, &mut stack),
            }
        }
    }

    /// A break of the linear flow.
    fn structure(&mut self, nesting: u32) {
        self.found.cognitive += 1 + nesting;
        self.found.nesting = self.found.nesting.max(nesting + 1);
    }

    fn statement(&mut self, id: StmtId, nesting: u32, stack: &mut Vec<Task>) {
        let unit = self.unit;
        let kind = &unit.stmt(id).kind;
        if !matches!(kind, StmtKind::Block(_) | StmtKind::Preprocessor(_) | StmtKind::Other { .. }) {
            self.found.statements += 1;
        }
        let mut inner = nesting;
        match kind {
            StmtKind::If { test, then, otherwise, elif } => {
                self.found.cyclomatic += 1;
                if *elif {
                    self.found.cognitive += 1;
                } else {
                    self.structure(nesting);
                }
                let chained = matches!(otherwise.as_slice(), [only]
                    if matches!(unit.stmt(*only).kind, StmtKind::If { elif: true, .. }));
                if !otherwise.is_empty() && !chained {
                    self.found.cognitive += 1;
                }
                stack.push((Step::Expr(*test), nesting, None));
                stack.extend(then.iter().map(|id| (Step::Stmt(*id), nesting + 1, None)));
                let depth = if chained { nesting } else { nesting + 1 };
                stack.extend(otherwise.iter().map(|id| (Step::Stmt(*id), depth, None)));
                return;
            }
            StmtKind::Loop { otherwise, .. } => {
                self.found.cyclomatic += 1 + u32::from(self.python && !otherwise.is_empty());
                self.structure(nesting);
                inner += 1;
            }
            StmtKind::Switch { arms, .. } => {
                let wild = arms.iter().filter(|arm| arm.default).count();
                self.found.cyclomatic += (arms.len() - wild) as u32;
                self.structure(nesting);
                inner += 1;
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.found.cyclomatic +=
                    handlers.len() as u32 + u32::from(self.python && !otherwise.is_empty());
                for block in [body, otherwise, finally] {
                    stack.extend(block.iter().map(|id| (Step::Stmt(*id), nesting, None)));
                }
                for handler in handlers {
                    self.structure(nesting);
                    stack.extend(handler.body.iter().map(|id| (Step::Stmt(*id), nesting + 1, None)));
                }
                return;
            }
            StmtKind::Return(_) | StmtKind::Raise(_) => self.found.exits += 1,
            StmtKind::Break(Some(_)) | StmtKind::Continue(Some(_)) | StmtKind::Goto(_) => {
                self.found.cognitive += 1
            }
            StmtKind::Assert { .. } if self.python => {
                self.found.cyclomatic += 1;
                // radon does not look inside of an assertion.
                return;
            }
            StmtKind::Function(_) | StmtKind::Class(_) => return,
            _ => {}
        }
        let mut parts = Vec::new();
        unit.parts_of_statement(id, &mut parts);
        stack.extend(parts.into_iter().map(|step| (step, inner, None)));
    }

    fn expression(&mut self, id: ExprId, nesting: u32, around: Option<Operator>, stack: &mut Vec<Task>) {
        let unit = self.unit;
        let mut inner = nesting;
        let mut within = None;
        match unit.kind(id) {
            ExprKind::Logical { operator, .. } => {
                self.found.cyclomatic += 1;
                if around != Some(*operator) {
                    self.found.cognitive += 1;
                }
                within = Some(*operator);
            }
            ExprKind::Conditional { .. } => {
                self.found.cyclomatic += 1;
                self.found.cognitive += 1 + nesting;
                inner += 1;
            }
            ExprKind::Comprehension { clauses, .. } => {
                let count = clauses.iter().map(|clause| 1 + clause.conditions.len()).sum::<usize>();
                self.found.cyclomatic += count as u32;
            }
            ExprKind::Lambda(function) => {
                let body = &unit.function(*function).body;
                stack.extend(body.iter().map(|id| (Step::Stmt(*id), nesting + 1, None)));
                // The statement that a one-line lambda is made of is not written.
                if self.python {
                    self.found.exits = self.found.exits.saturating_sub(1);
                }
                return;
            }
            _ => {}
        }
        let mut parts = Vec::new();
        unit.parts_of(id, &mut parts);
        stack.extend(parts.into_iter().map(|step| (step, inner, within)));
    }
}
