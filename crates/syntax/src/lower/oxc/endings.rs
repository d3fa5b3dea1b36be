//! Where the grammar lets statements end that no semicolon ends.
//!
//! It looks for the end of the line after them, and a comment that it meets before that counts to the statement. oxc's tree
//! ends where the last word does.

use super::{Reading, span};
use crate::lines::Span;
use crate::statement::StmtKind;
use crate::unit::Unit;
use oxc_ast::ast::{Declaration, ModuleDeclaration, Statement};
use rustc_hash::FxHashMap;

/// Blocks that end later than at their brace: from the brace to the end of the comment after it.
pub(super) type Later = FxHashMap<u32, u32>;

impl Reading<'_> {
    /// A statement as the grammar sees it.
    pub(super) fn whole(&self, statement: &Statement<'_>) -> Span {
        let start = span(statement).start;
        let mut last = statement;
        let end = loop {
            last = match last {
                Statement::IfStatement(choice) => choice.alternate.as_ref().unwrap_or(&choice.consequent),
                Statement::WhileStatement(repeat) => &repeat.body,
                Statement::ForStatement(repeat) => &repeat.body,
                Statement::ForInStatement(each) => &each.body,
                Statement::ForOfStatement(each) => &each.body,
                Statement::WithStatement(with) => &with.body,
                Statement::LabeledStatement(labelled) => &labelled.body,
                _ => break self.end_of(last),
            };
        };
        Span { start, end }
    }

    fn end_of(&self, statement: &Statement<'_>) -> u32 {
        let end = span(statement).end;
        let value = match statement {
            Statement::ExpressionStatement(_) | Statement::ThrowStatement(_) => true,
            Statement::ReturnStatement(given) => given.argument.is_some(),
            Statement::BreakStatement(_)
            | Statement::ContinueStatement(_)
            | Statement::DebuggerStatement(_)
            | Statement::DoWhileStatement(_) => false,
            _ => {
                if let Some(declaration) = statement.as_declaration() {
                    return self.declaration_end(declaration);
                }
                return statement.as_module_declaration().map_or(end, |module| self.module_end(module));
            }
        };
        self.loose_end(end, value)
    }

    pub(super) fn declaration_end(&self, declaration: &Declaration<'_>) -> u32 {
        let end = span(declaration).end;
        match declaration {
            Declaration::VariableDeclaration(declared) => {
                let value = declared.declarations.last().is_some_and(|last| last.init.is_some());
                self.loose_end(end, value)
            }
            Declaration::FunctionDeclaration(function) if function.body.is_some() => end,
            Declaration::FunctionDeclaration(_)
            | Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSImportEqualsDeclaration(_) => self.loose_end(end, false),
            Declaration::ClassDeclaration(class) if !class.r#abstract => self.block_end(end, true),
            _ => end,
        }
    }

    pub(super) fn module_end(&self, module: &ModuleDeclaration<'_>) -> u32 {
        let end = span(module).end;
        match module {
            ModuleDeclaration::ExportDeclaration(export) => self.declaration_end(&export.declaration),
            ModuleDeclaration::ExportDefaultDeclaration(export) => {
                self.loose_end(end, export.declaration.as_expression().is_some())
            }
            ModuleDeclaration::TSExportAssignment(_) => self.loose_end(end, true),
            _ => self.loose_end(end, false),
        }
    }

    /// Where a statement ends whose last word ends at `end`; `value` says whether that is the end of an expression.
    pub(super) fn loose_end(&self, end: u32, value: bool) -> u32 {
        if !self.typed && !value || end > 0 && self.byte(end - 1) == Some(b';') {
            return end;
        }
        let mut at = end;
        loop {
            while matches!(self.byte(at), Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
                at += 1;
            }
            let rest = self.source.as_bytes().get(at as usize..).unwrap_or_default();
            let line = rest.starts_with(b"//");
            if !line && !rest.starts_with(b"/*") {
                return end;
            }
            let after = self.comment_end(at, line);
            if self.typed {
                // Whatever stands on the line after the comment is looked at again.
                return self.further(after);
            }
            if line {
                return if self.ends_before(after) { end } else { after };
            }
            at = after;
        }
    }

    /// Whether JavaScript's grammar, which looks over a comment on the line for the next word, finds an end there.
    fn ends_before(&self, after: u32) -> bool {
        let mut at = after;
        loop {
            while self.byte(at).is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0x0b) {
                at += 1;
            }
            let rest = self.source.as_bytes().get(at as usize..).unwrap_or_default();
            if rest.starts_with(b"//") {
                at = self.comment_end(at, true);
            } else if rest.starts_with(b"/*") {
                at = self.comment_end(at, false);
                if self.byte(at) != Some(b'/') {
                    while matches!(self.byte(at), Some(b' ' | b'\t' | b'\r')) {
                        at += 1;
                    }
                    return matches!(self.byte(at), Some(b'\n' | b'}'));
                }
            } else {
                return rest.first() == Some(&b'}');
            }
        }
    }

    /// The end of the last comment on a line, from the end of one on.
    fn further(&self, end: u32) -> u32 {
        let mut end = end;
        loop {
            let mut at = end;
            while matches!(self.byte(at), Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
                at += 1;
            }
            let rest = self.source.as_bytes().get(at as usize..).unwrap_or_default();
            let line = rest.starts_with(b"//");
            if !line && !rest.starts_with(b"/*") {
                return end;
            }
            end = self.comment_end(at, line);
        }
    }

    fn comment_end(&self, at: u32, line: bool) -> u32 {
        let rest = self.source.get(at as usize..).unwrap_or("");
        let length = if line {
            rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len())
        } else {
            rest.get(2..).and_then(|inner| inner.find("*/")).map_or(rest.len(), |end| end + 4)
        };
        at + u32::try_from(length).unwrap_or(0)
    }

    /// Takes note of a block that ends with a comment after its brace; `value` says whether it ends an expression.
    pub(super) fn braced(&mut self, end: u32, value: bool) {
        let later = self.block_end(end, value);
        if later > end {
            self.later.insert(end, later);
        }
    }

    pub(super) fn block_end(&self, end: u32, value: bool) -> u32 {
        let later = self.loose_end(end, value);
        if later == end {
            return end;
        }
        // A line end must come, and something that begins a statement.
        let next = self.skip(later);
        let rest = self.source.as_bytes().get(next as usize..).unwrap_or_default();
        let newline = self.source.get(later as usize..next as usize).is_some_and(|gap| gap.contains('\n'));
        match rest {
            [b'}', ..] | [] => later,
            _ if !newline => end,
            [
                b'`' | b',' | b'.' | b';' | b'*' | b'%' | b'>' | b'<' | b'=' | b'?' | b'^' | b'|' | b'&'
                | b'/',
                ..,
            ]
            | [b':' | b'(' | b'[', ..] => end,
            [b'+', b'+', ..] | [b'-', b'-', ..] => later,
            [b'+' | b'-', ..] | [b'!', b'=', ..] => end,
            _ if rest.starts_with(b"in ") || rest.starts_with(b"instanceof ") => end,
            _ => later,
        }
    }
}

/// Lets everything that ends with such a block end with the comment.
pub(super) fn lengthen(unit: &mut Unit<'_>, later: &Later) {
    if later.is_empty() {
        return;
    }
    let lengthen = |span: &mut Span| span.end = later.get(&span.end).copied().unwrap_or(span.end);
    unit.expressions.iter_mut().for_each(|expr| lengthen(&mut expr.span));
    for statement in &mut unit.statements {
        lengthen(&mut statement.span);
        match &mut statement.kind {
            StmtKind::Switch { arms, .. } => arms.iter_mut().for_each(|arm| lengthen(&mut arm.span)),
            StmtKind::Try { handlers, .. } => handlers.iter_mut().for_each(|one| lengthen(&mut one.span)),
            _ => {}
        }
    }
    for function in &mut unit.functions {
        lengthen(&mut function.span);
        lengthen(&mut function.body_span);
    }
    unit.classes.iter_mut().for_each(|class| lengthen(&mut class.span));
    unit.imports.iter_mut().for_each(|import| lengthen(&mut import.span));
}
