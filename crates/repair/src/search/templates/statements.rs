//! Statements that are missing, too many, or in the wrong place.

use super::Maker;
use formicary_diagnose::program::{Kind, at};
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind, FunctionId, Span, StmtId, StmtKind};

impl Maker<'_, '_> {
    pub(super) fn statements(&mut self, id: StmtId) {
        let stmt = self.unit.stmt(id).clone();
        self.augmented(&stmt.kind);
        self.other_way_round(&stmt.kind);
        self.jumps(id, &stmt.kind, stmt.span);
        self.best_so_far(&stmt.kind);
        self.counted(&stmt.kind, stmt.span);
        self.begins_with(&stmt.kind, stmt.function);
        self.joined_in_front(&stmt.kind, stmt.span);
        if let StmtKind::Return(Some(value)) = &stmt.kind {
            self.returned(*value, stmt.function);
            self.forked(*value, stmt.function);
        }
        if matches!(stmt.kind, StmtKind::Function(_) | StmtKind::Class(_) | StmtKind::Import(_)) {
            return;
        }
        let Some(indent) = self.begins_line(stmt.span.start) else { return };
        self.chained(id, &stmt.kind, stmt.span);
        if let StmtKind::If { elif: true, .. } = &stmt.kind {
            return;
        }
        self.call_to_assignment(&stmt.kind, stmt.span);
        self.deleted(id, stmt.span, &indent);
        self.moved(id, stmt.span, &indent);
        self.guarded(id, stmt.span, &indent);
        self.inserted(id, stmt.span, &indent);
        self.missing(id, stmt.span, &indent);
    }

    /// The white space before a statement that begins its line.
    pub(super) fn begins_line(&self, byte: u32) -> Option<String> {
        let start = self.unit.lines.start(self.program.line(byte));
        let before = self.unit.text(Span { start, end: byte });
        before.chars().all(char::is_whitespace).then(|| before.to_owned())
    }

    /// A statement with the whole of its lines, and the end of its last one.
    fn whole_lines(&self, span: Span) -> Span {
        let start = self.unit.lines.start(self.program.line(span.start));
        let rest = self.unit.source.get(span.end as usize..).unwrap_or("");
        let end = span.end + rest.find('\n').map_or(rest.len(), |newline| newline + 1) as u32;
        Span { start, end }
    }

    fn jumps(&mut self, id: StmtId, kind: &StmtKind<'_>, span: Span) {
        let end = self.program.words.end;
        let other = match kind {
            StmtKind::Break(None) => "continue",
            StmtKind::Continue(None) => "break",
            _ => return,
        };
        // A jump may leave no trace of its own: then its question's line tells.
        let line = self.program.line(span.start);
        let outer = self.program.around(id).map(|outer| self.program.line(self.unit.stmt(outer).span.start));
        let score = self.suspicion(line).or_else(|| outer.and_then(|line| self.suspicion(line)));
        if let Some(score) = score {
            self.propose_at(span, &format!("{other}{end}"), 2.0, "jump", line, score);
        }
    }

    /// `counts[key] = value` that was meant to add to what is there, if anything is.
    fn counted(&mut self, kind: &StmtKind<'_>, span: Span) {
        let StmtKind::Assign { targets, value: Some(value), .. } = kind else { return };
        let [target] = targets.as_slice() else { return };
        let ExprKind::Subscript { base, index: Some(index) } = self.unit.kind(*target) else { return };
        if !self.is_python() || self.program.kind_of(*base) == Some(Kind::List) {
            return;
        }
        let (base, index) = (self.program.text(*base), self.program.text(*index));
        let (target, value) = (self.program.text(*target), self.program.part(*value));
        for (start, cost) in [("0", 2.9), ("[]", 3.3), ("''", 3.5)] {
            self.propose(
                span,
                &format!("{target} = {base}.get({index}, {start}) + {value}"),
                cost,
                "counted",
            );
        }
    }

    /// `best = value` that was meant to keep the better of both.
    fn best_so_far(&mut self, kind: &StmtKind<'_>) {
        let StmtKind::Assign { targets, operator: None, value: Some(value), .. } = kind else { return };
        let [target] = targets.as_slice() else { return };
        if !matches!(self.program.kind_of(*value), None | Some(Kind::Number)) {
            return;
        }
        let (target, text) = (self.program.text(*target), self.program.text(*value));
        for better in ["max", "min"] {
            let written = match self.unit.dialect.language() {
                Language::Python | Language::Cpp => format!("{better}({target}, {text})"),
                Language::Java | Language::JavaScript | Language::TypeScript => {
                    format!("Math.{better}({target}, {text})")
                }
                Language::Rust => format!("{target}.{better}({text})"),
                _ => return,
            };
            self.replace(*value, &written, false, 2.7, "bound");
        }
    }

    /// What is returned instead: another variable, a constant.
    fn returned(&mut self, value: ExprId, function: Option<FunctionId>) {
        let words = self.program.words;
        for name in self.program.variables(function).to_vec() {
            let kind = self.program.kind_of_name(function, name);
            let own = self.program.kind_of(value);
            let cost = if kind.is_some() && kind == own { 2.2 } else { 2.8 };
            self.replace(value, name, false, cost, "returned");
        }
        if self.program.kind_of(value) == Some(Kind::Truth) {
            for truth in words.truth {
                self.replace(value, truth, false, 2.4, "returned");
            }
        }
        if self.is_python() {
            for constant in ["0", "[]", "''", "None", "1", "-1", "[[]]"] {
                self.replace(value, constant, false, 3.0, "returned");
            }
        }
    }

    /// `f(x)` whose result was meant to be kept.
    fn call_to_assignment(&mut self, kind: &StmtKind<'_>, span: Span) {
        let StmtKind::Expression(value) = kind else { return };
        let ExprKind::Call { callee, arguments, .. } = self.unit.kind(*value).clone() else { return };
        let text = self.unit.text(span).to_owned();
        let function = self.unit.expr(*value).function;
        if let ExprKind::Attribute { base, .. } = self.unit.kind(callee) {
            let base = self.program.text(*base).to_owned();
            let end = if text.ends_with(';') { ";" } else { "" };
            if let [only] = arguments.as_slice() {
                let value = self.program.text(only.value).to_owned();
                self.propose(span, &format!("{base} = {value}{end}"), 3.2, "kept");
            }
            self.propose(span, &format!("{base} = {text}"), 3.0, "kept");
        }
        for name in self.program.variables(function).to_vec() {
            self.propose(span, &format!("{name} = {text}"), 3.4, "kept");
        }
        let recursive = self.unit.last_name(callee) == Some(self.program.function_name(function));
        self.propose(span, &format!("return {text}"), if recursive { 2.4 } else { 3.6 }, "kept");
    }

    fn deleted(&mut self, id: StmtId, span: Span, indent: &str) {
        let alone = self.program.block_of(id).is_none_or(|(block, _)| block.len() == 1);
        let lines = self.whole_lines(span);
        if alone && !self.program.words.braces {
            if !matches!(self.unit.stmt(id).kind, StmtKind::Pass) {
                self.propose(span, "pass", 3.2, "deleted");
            }
        } else {
            self.propose(lines, "", 3.0, "deleted");
        }
        // Its body without the question.
        let body = match &self.unit.stmt(id).kind {
            StmtKind::If { then, otherwise, .. } if otherwise.is_empty() => then.clone(),
            _ => return,
        };
        if let (Some(first), Some(last)) = (body.first(), body.last()) {
            let inner = self.unit.stmt(*first).span.to(self.unit.stmt(*last).span);
            if let Some(deeper) = self.begins_line(inner.start) {
                let text = self.unit.text(inner).replace(&format!("\n{deeper}"), &format!("\n{indent}"));
                self.propose(span, &text, 3.0, "unconditional");
            }
        }
    }

    /// A statement one place up or down, out of its block or into the one before.
    fn moved(&mut self, id: StmtId, span: Span, indent: &str) {
        let Some((block, place)) = self.program.block_of(id).map(|(block, place)| (block.clone(), place))
        else {
            return;
        };
        let lines = self.whole_lines(span);
        let text = self.unit.text(span).to_owned();
        if let Some(next) = block.get(place + 1).map(|next| self.unit.stmt(*next).span)
            && self.begins_line(next.start).as_deref() == Some(indent)
        {
            let between = self.unit.text(Span { start: span.end, end: next.start });
            let swapped = format!("{}{between}{text}", self.unit.text(next));
            self.propose(span.to(next), &swapped, 2.6, "moved");
        }
        if self.program.words.braces {
            self.moved_over_a_brace(id, span, indent);
            return;
        }
        if let Some(outer) = self.program.around(id)
            && place + 1 == block.len()
            && place > 0
            && let Some(outer_indent) = self.begins_line(self.unit.stmt(outer).span.start)
        {
            // Out of the block that it ends.
            let outer_span = self.unit.stmt(outer).span;
            if outer_span.end == span.end {
                let shallow = text.replace(&format!("\n{indent}"), &format!("\n{outer_indent}"));
                let start = self.unit.lines.start(self.program.line(span.start));
                self.propose(
                    Span { start, end: lines.end },
                    &format!("{outer_indent}{shallow}\n"),
                    2.8,
                    "moved-out",
                );
            }
        }
        if place > 0 {
            let before = block[place - 1];
            let inner = match &self.unit.stmt(before).kind {
                StmtKind::If { then, otherwise, .. } => {
                    if otherwise.is_empty() {
                        then.clone()
                    } else {
                        otherwise.clone()
                    }
                }
                StmtKind::Loop { body, .. } => body.clone(),
                _ => return,
            };
            if let Some(deeper) =
                inner.last().and_then(|last| self.begins_line(self.unit.stmt(*last).span.start))
            {
                let deep = text.replace(&format!("\n{indent}"), &format!("\n{deeper}"));
                let start = self.unit.lines.start(self.program.line(span.start));
                self.propose(Span { start, end: lines.end }, &format!("{deeper}{deep}\n"), 2.9, "moved-in");
            }
        }
    }

    /// The statement only where a question holds, or what comes before it under a question.
    fn guarded(&mut self, id: StmtId, span: Span, indent: &str) {
        let function = self.unit.stmt(id).function;
        let text = self.unit.text(span).to_owned();
        let words = self.program.words;
        let first = self.program.block_of(id).is_some_and(|(_, place)| place == 0)
            && self.program.around(id).is_none();
        let line = self.program.line(span.start);
        let Some(score) = self.suspicion(line) else { return };
        let small: Vec<(String, f64)> =
            self.atoms(function).into_iter().filter(|(_, cost)| *cost < 1.45).collect();
        let answers = function.map(|own| self.answers(own)).unwrap_or_default();
        let endless = first && function.is_some_and(|own| self.lacks_an_end(own));
        for (atom, cost) in &small {
            let new = if words.braces {
                let open =
                    if words.parentheses { format!("if ({atom}) {{") } else { format!("if {atom} {{") };
                format!("{open} {text} }}")
            } else {
                let deeper = text.replace('\n', "\n    ");
                format!("if {atom}:\n{indent}    {deeper}")
            };
            if text.len() < 300 {
                self.propose_at(span, &new, 3.4 + cost, "guarded", line, score);
            }
            if function.is_none() {
                continue;
            }
            // An early return; most of all where the function begins.
            let place = match (first, endless) {
                (true, true) => 2.2,
                (true, false) => 3.0,
                _ => 4.2,
            };
            for (answer, more) in &answers {
                let inserted = if words.braces {
                    let open =
                        if words.parentheses { format!("if ({atom}) {{") } else { format!("if {atom} {{") };
                    format!("{open} return {answer}{} }}\n{indent}", words.end)
                } else {
                    format!("if {atom}:\n{indent}    return {answer}\n{indent}")
                };
                self.propose_at(at(span.start), &inserted, place + cost + more, "early-return", line, score);
            }
            for jump in ["continue", "break"] {
                if self.in_loop(id) {
                    let inserted = if words.braces {
                        let open = if words.parentheses {
                            format!("if ({atom}) {{")
                        } else {
                            format!("if {atom} {{")
                        };
                        format!("{open} {jump}{} }}\n{indent}", words.end)
                    } else {
                        format!("if {atom}:\n{indent}    {jump}\n{indent}")
                    };
                    self.propose_at(at(span.start), &inserted, 4.0 + cost, "early-jump", line, score);
                }
            }
        }
    }

    fn in_loop(&self, id: StmtId) -> bool {
        let mut at = id;
        while let Some(outer) = self.program.around(at) {
            if matches!(self.unit.stmt(outer).kind, StmtKind::Loop { .. }) {
                return true;
            }
            at = outer;
        }
        false
    }

    /// A statement of the same function once more, before or after this one; with one variable changed; small new ones.
    fn inserted(&mut self, id: StmtId, span: Span, indent: &str) {
        let function = self.unit.stmt(id).function;
        let line = self.program.line(span.start);
        let last_line = self.program.line(span.end.max(1) - 1);
        let score = self.suspicion(line).or_else(|| self.suspicion(last_line)).or_else(|| {
            // An uncovered line has its block's suspicion: what is missing there was never run.
            self.program
                .around(id)
                .and_then(|outer| self.suspicion(self.program.line(self.unit.stmt(outer).span.start)))
        });
        let Some(score) = score else { return };
        let end = self.program.words.end;
        let mut texts: Vec<(String, f64)> = Vec::new();
        for (other, stmt) in self.unit.stmts() {
            let text = self.unit.text(stmt.span);
            let small = matches!(
                stmt.kind,
                StmtKind::Assign { .. }
                    | StmtKind::Expression(_)
                    | StmtKind::Return(_)
                    | StmtKind::Break(_)
                    | StmtKind::Continue(_)
            );
            if stmt.function == function
                && small
                && text.len() < 80
                && !text.contains('\n')
                && function.is_some()
            {
                if other == id {
                    // Its neighbour on the other side may be what is missing.
                    texts.extend(
                        self.with_one_operator_changed(stmt.span).into_iter().map(|text| (text, 4.6)),
                    );
                    continue;
                }
                texts.push((text.to_owned(), 4.0));
                if let StmtKind::Assign { .. } | StmtKind::Expression(_) = stmt.kind {
                    for (name, replaced) in self.with_one_variable_changed(stmt.span, function) {
                        texts.push((replaced, 5.0));
                        let _ = name;
                    }
                    texts.extend(
                        self.with_one_operator_changed(stmt.span).into_iter().map(|text| (text, 4.5)),
                    );
                }
            }
        }
        texts.extend(self.first_values(function));
        texts.extend(self.asked_and_never_kept(function));
        texts.extend(self.of_other_functions(function));
        let names: Vec<&str> = self.program.variables(function).iter().copied().take(8).collect();
        let put = match self.unit.dialect.language() {
            Language::Python => ("append", "add"),
            Language::JavaScript | Language::TypeScript => ("push", "add"),
            Language::Java => ("add", "add"),
            Language::Cpp => ("push_back", "insert"),
            Language::Rust => ("push", "insert"),
            _ => ("", ""),
        };
        let kind = |name: &str| self.program.kind_of_name(function, name);
        if function.is_some() {
            for target in &names {
                if kind(target) == Some(Kind::Number) {
                    texts.push((format!("{target} += 1{end}"), 4.2));
                    texts.push((format!("{target} -= 1{end}"), 4.4));
                }
                for source in names.iter().filter(|source| *source != target) {
                    match (kind(target), kind(source)) {
                        (Some(a), Some(b)) if a == b => {
                            texts.push((format!("{target} = {source}{end}"), 4.2));
                            if matches!(a, Kind::Number | Kind::Text | Kind::List) {
                                texts.push((format!("{target} += {source}{end}"), 4.5));
                            }
                            if a == Kind::Number {
                                texts.push((format!("{target} -= {source}{end}"), 4.7));
                            }
                        }
                        (Some(Kind::List), _) if !put.0.is_empty() => {
                            texts.push((format!("{target}.{}({source}){end}", put.0), 4.4));
                            if self.unit.dialect.language() == Language::Java
                                && self.is_stack(function, target)
                            {
                                texts.push((format!("{target}.push({source}){end}"), 4.3));
                            }
                        }
                        (Some(Kind::Set), _) if !put.1.is_empty() => {
                            texts.push((format!("{target}.{}({source}){end}", put.1), 4.2));
                        }
                        (Some(Kind::Null), _) | (Some(Kind::Object), Some(Kind::Object | Kind::Null)) => {
                            texts.push((format!("{target} = {source}{end}"), 4.2));
                        }
                        _ => {}
                    }
                }
            }
            for name in &names {
                texts.push((format!("return {name}{end}"), 4.8));
            }
        }
        texts.sort_by(|a, b| a.1.total_cmp(&b.1));
        texts.truncate(200);
        let compound = matches!(
            self.unit.stmt(id).kind,
            StmtKind::If { .. } | StmtKind::Loop { .. } | StmtKind::Try { .. } | StmtKind::With { .. }
        );
        let last = self.program.block_of(id).is_some_and(|(block, place)| place + 1 == block.len());
        for (text, cost) in texts {
            self.propose_at(at(span.start), &format!("{text}\n{indent}"), cost, "inserted", line, score);
            let returns = matches!(
                self.unit.stmt(id).kind,
                StmtKind::Return(_) | StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Raise(_)
            );
            if (last || compound) && !returns {
                self.propose_at(
                    at(span.end),
                    &format!("\n{indent}{text}"),
                    cost + 0.05,
                    "inserted",
                    line,
                    score,
                );
            }
        }
    }

    fn is_stack(&self, function: Option<FunctionId>, name: &str) -> bool {
        let stack = |text: &String| text.contains("Deque") || text.contains("Stack");
        self.program.types_of(function, name).is_some_and(|types| types.iter().any(stack))
    }

    fn with_one_variable_changed(&self, span: Span, function: Option<FunctionId>) -> Vec<(String, String)> {
        let mut made = Vec::new();
        let text = self.unit.text(span);
        for expr in &self.unit.expressions {
            let ExprKind::Name(name) = expr.kind else { continue };
            if !span.contains(expr.span) || expr.function != function {
                continue;
            }
            let own = self.program.kind_of_name(function, name);
            for other in self.program.variables(function).iter().take(6) {
                if *other != name && own.is_some() && self.program.kind_of_name(function, other) == own {
                    let from = (expr.span.start - span.start) as usize;
                    let to = (expr.span.end - span.start) as usize;
                    if let (Some(before), Some(after)) = (text.get(..from), text.get(to..)) {
                        made.push((name.to_owned(), format!("{before}{other}{after}")));
                    }
                }
            }
        }
        made.truncate(6);
        made
    }
}
