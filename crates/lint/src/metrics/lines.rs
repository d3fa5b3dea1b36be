//! Counting lines.

use formicary_model::review::LineCounts;
use formicary_syntax::{Dialect, ExprKind, Literal, Span, StmtKind, Unit};

/// What each line of a file holds.
pub(super) struct Counter<'u, 'a> {
    unit: &'u Unit<'a>,
    /// Lines with code, docstrings left out, sorted.
    code: Vec<u32>,
    /// Lines with a comment or a docstring, sorted.
    comment: Vec<u32>,
    /// Lines with nothing, sorted.
    blank: Vec<u32>,
    /// The lines on which statements begin, sorted, one entry a statement.
    logical: Vec<u32>,
}

impl<'u, 'a> Counter<'u, 'a> {
    pub(super) fn new(unit: &'u Unit<'a>) -> Self {
        let blank: Vec<u32> = unit
            .source
            .lines()
            .zip(1..)
            .filter(|(line, _)| line.trim().is_empty())
            .map(|(_, number)| number)
            .collect();
        let mut comment = Vec::new();
        for span in unit.comments.iter().map(|comment| comment.span) {
            comment.extend(lines_of(unit, span));
        }
        let mut documents = Vec::new();
        if unit.dialect == Dialect::Python {
            for stmt in &unit.statements {
                if let StmtKind::Expression(value) = stmt.kind
                    && matches!(unit.kind(value), ExprKind::Literal(Literal::Text(_)))
                {
                    documents.extend(lines_of(unit, stmt.span));
                }
            }
        }
        documents.sort_unstable();
        comment.extend(&documents);
        comment.retain(|line| blank.binary_search(line).is_err());
        comment.sort_unstable();
        comment.dedup();
        let code = unit
            .code_lines
            .iter()
            .copied()
            .filter(|line| documents.binary_search(line).is_err() && blank.binary_search(line).is_err())
            .collect();
        let mut logical = Vec::new();
        for stmt in &unit.statements {
            let line = unit.lines.line(stmt.span.start);
            let count = match &stmt.kind {
                StmtKind::Block(_) | StmtKind::Pass if unit.dialect != Dialect::Python => 0,
                StmtKind::Preprocessor(_) | StmtKind::Other { .. } => 0,
                StmtKind::If { otherwise, .. } => 1 + u32::from(has_else(unit, otherwise)),
                StmtKind::Loop { otherwise, .. } => 1 + u32::from(!otherwise.is_empty()),
                StmtKind::Try { handlers, otherwise, finally, .. } => {
                    1 + handlers.len() as u32
                        + u32::from(!otherwise.is_empty())
                        + u32::from(!finally.is_empty())
                }
                StmtKind::Switch { arms, .. } => 1 + arms.len() as u32,
                StmtKind::Function(id) => 1 + unit.function(*id).decorators.len() as u32,
                StmtKind::Class(id) => 1 + unit.class(*id).decorators.len() as u32,
                _ => 1,
            };
            logical.extend(std::iter::repeat_n(line, count as usize));
        }
        logical.sort_unstable();
        Self { unit, code, comment, blank, logical }
    }

    pub(super) fn whole(&self) -> LineCounts {
        let physical = self.unit.lines.count(self.unit.source) as u32;
        LineCounts {
            physical,
            source: self.code.len() as u32,
            logical: self.logical.len() as u32,
            comment: self.comment.len() as u32,
            blank: self.blank.len() as u32,
        }
    }

    pub(super) fn of(&self, span: Span) -> LineCounts {
        let (first, last) = range(self.unit, span);
        let count = |lines: &[u32]| {
            let from = lines.partition_point(|line| *line < first);
            let to = lines.partition_point(|line| *line <= last);
            (to - from) as u32
        };
        LineCounts {
            physical: last + 1 - first,
            source: count(&self.code),
            logical: count(&self.logical),
            comment: count(&self.comment),
            blank: count(&self.blank),
        }
    }
}

fn has_else(unit: &Unit<'_>, otherwise: &[formicary_syntax::StmtId]) -> bool {
    match otherwise {
        [] => false,
        [only] => !matches!(unit.stmt(*only).kind, StmtKind::If { elif: true, .. }),
        _ => true,
    }
}

fn range(unit: &Unit<'_>, span: Span) -> (u32, u32) {
    let first = unit.lines.line(span.start);
    let last = unit.lines.line(span.end.saturating_sub(1).max(span.start));
    (first, last.max(first))
}

fn lines_of(unit: &Unit<'_>, span: Span) -> std::ops::RangeInclusive<u32> {
    let (first, last) = range(unit, span);
    first..=last
}
