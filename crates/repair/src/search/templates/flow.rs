//! Where the way through a program forks: `elif` for `if`, statements on the wrong side of a brace, a value that depends on
//! a question; and statements that others of the program suggest.

use super::Maker;
use formicary_diagnose::program::Kind;
use formicary_model::Language;
use formicary_syntax::{ExprId, ExprKind, FunctionId, Operator, Span, StmtId, StmtKind};

/// Statements of other functions that are thought of, and operators of one statement that are.
const MOST_BORROWED: usize = 14;
const MOST_FLIPPED: usize = 6;

impl Maker<'_, '_> {
    /// `if` after an `if` that excludes it, and the other way.
    pub(super) fn chained(&mut self, id: StmtId, kind: &StmtKind<'_>, span: Span) {
        let StmtKind::If { elif, .. } = kind else { return };
        let text = self.unit.text(span);
        let braces = self.program.words.braces;
        if *elif {
            if text.starts_with("elif") {
                self.propose(Span { start: span.start, end: span.start + 4 }, "if", 2.3, "chained");
            }
            let before = self.unit.source.get(..span.start as usize).unwrap_or("");
            if braces && before.trim_end().ends_with("else") {
                let start = before.trim_end().len() as u32 - 4;
                self.propose(Span { start, end: span.start }, "", 2.3, "chained");
            }
            return;
        }
        let Some((block, place)) = self.program.block_of(id) else { return };
        let Some(before) = place.checked_sub(1).and_then(|place| block.get(place)) else { return };
        let ends_open =
            matches!(&self.unit.stmt(*before).kind, StmtKind::If { otherwise, .. } if otherwise.is_empty());
        if ends_open && text.starts_with("if") {
            let word = Span { start: span.start, end: span.start + 2 };
            if !braces {
                self.propose(word, "elif", 2.3, "chained");
            } else if self.program.statement_text(*before).ends_with('}') {
                // Go wants both on one line; the others do not mind.
                let whole = Span { start: self.unit.stmt(*before).span.end, end: word.end };
                self.propose(whole, " else if", 2.3, "chained");
            }
        }
    }

    /// `a = b` that was meant as `b = a`.
    pub(super) fn other_way_round(&mut self, kind: &StmtKind<'_>) {
        let StmtKind::Assign { targets, operator: None, value: Some(value), annotation: None, .. } = kind
        else {
            return;
        };
        let [target] = targets.as_slice() else { return };
        let place = |id: ExprId| {
            matches!(
                self.unit.kind(id),
                ExprKind::Name(_) | ExprKind::Subscript { .. } | ExprKind::Attribute { .. }
            )
        };
        let (left, right) = (self.unit.expr(*target).span, self.unit.expr(*value).span);
        let between = self.unit.text(Span { start: left.end, end: right.start });
        if place(*target) && place(*value) && between.trim() == "=" {
            let text = format!("{}{between}{}", self.unit.text(right), self.unit.text(left));
            self.propose(left.to(right), &text, 1.6, "other-way-round");
        }
    }

    /// The last statement of a block after it, and the one after a block as its last.
    pub(super) fn moved_over_a_brace(&mut self, id: StmtId, span: Span, indent: &str) {
        let Some((block, place)) = self.program.block_of(id).map(|(block, place)| (block.clone(), place))
        else {
            return;
        };
        let text = self.unit.text(span).to_owned();
        let closes = |id: StmtId| {
            let forks = matches!(&self.unit.stmt(id).kind, StmtKind::Loop { .. } | StmtKind::If { .. });
            forks && self.program.statement_text(id).ends_with('}')
        };
        if let Some(outer) = self.program.around(id).filter(|outer| closes(*outer))
            && place + 1 == block.len()
            && place > 0
            && let Some(outer_indent) = self.begins_line(self.unit.stmt(outer).span.start)
        {
            let end = self.unit.stmt(outer).span.end;
            let start = self.unit.stmt(block[place - 1]).span.end;
            let rest = self.unit.text(Span { start: span.end, end }).to_owned();
            if rest.trim() == "}" {
                self.propose(Span { start, end }, &format!("{rest}\n{outer_indent}{text}"), 2.8, "moved-out");
            }
        }
        if let Some(before) = place.checked_sub(1).map(|place| block[place]).filter(|before| closes(*before))
        {
            let start = self.unit.stmt(before).span.end - 1;
            self.propose(Span { start, end: span.end }, &format!("    {text}\n{indent}}}"), 2.9, "moved-in");
        }
    }

    /// A returned value that is another where a question holds, in languages with `? :`.
    pub(super) fn forked(&mut self, value: ExprId, function: Option<FunctionId>) {
        let language = self.unit.dialect.language();
        let asks = matches!(
            language,
            Language::Java | Language::JavaScript | Language::TypeScript | Language::C | Language::Cpp
        );
        if !asks || matches!(self.unit.kind(value), ExprKind::Conditional { .. }) {
            return;
        }
        let (text, part) = (self.program.text(value).to_owned(), self.program.part(value));
        if text.len() > 60 {
            return;
        }
        let others: Vec<String> = match self.program.kind_of(value) {
            Some(Kind::Number) => vec![format!("-{part}"), "0".into(), "-1".into(), "1".into()],
            Some(Kind::Text) => vec!["\"\"".into()],
            Some(Kind::Truth) => self.program.words.truth.map(str::to_owned).to_vec(),
            _ => vec!["0".into(), "-1".into()],
        };
        let questions: Vec<(String, f64)> =
            self.atoms(function).into_iter().filter(|(_, cost)| *cost <= 1.2).take(40).collect();
        for (question, cost) in questions {
            for other in &others {
                self.replace(value, &format!("{question} ? {other} : {text}"), true, 3.4 + cost, "either");
            }
        }
    }

    /// A statement with one of its signs turned: the neighbour on the other side.
    pub(super) fn with_one_operator_changed(&self, span: Span) -> Vec<String> {
        let text = self.unit.text(span);
        let mut made = Vec::new();
        for expr in &self.unit.expressions {
            let ExprKind::Binary { left, operator, right } = &expr.kind else { continue };
            let new = match operator {
                Operator::Add => "-",
                Operator::Subtract => "+",
                _ => continue,
            };
            if !span.contains(expr.span) || made.len() >= MOST_FLIPPED {
                continue;
            }
            if let Some((place, _)) = self.operator_between(*left, *right) {
                let (from, to) = ((place.start - span.start) as usize, (place.end - span.start) as usize);
                if let (Some(before), Some(after)) = (text.get(..from), text.get(to..)) {
                    made.push(format!("{before}{new}{after}"));
                }
            }
        }
        made
    }

    /// What the function asks a collection for, and what nobody puts in.
    pub(super) fn asked_and_never_kept(&self, function: Option<FunctionId>) -> Vec<(String, f64)> {
        let end = self.program.words.end;
        let mut made: Vec<(String, f64)> = Vec::new();
        for expr in self.unit.expressions.iter().filter(|expr| expr.function == function) {
            let (element, whole) = match &expr.kind {
                ExprKind::Compare { left, rest } => match rest.as_slice() {
                    [(Operator::In | Operator::NotIn, right)] => (*left, *right),
                    _ => continue,
                },
                ExprKind::Call { callee, arguments, .. } => {
                    match (self.unit.kind(*callee), arguments.as_slice()) {
                        (ExprKind::Attribute { base, name, .. }, [only])
                            if matches!(*name, "contains" | "has" | "includes" | "count" | "containsKey") =>
                        {
                            (only.value, *base)
                        }
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let (element, holder) = (self.program.text(element), self.program.text(whole));
            if element.len() > 40 || holder.len() > 30 || holder.contains(['(', '[', '\'', '"']) {
                continue;
            }
            let element = element.trim_start_matches('&');
            if matches!(self.program.kind_of(whole), Some(Kind::Map) | None) {
                self.kept_under(function, holder, element, &mut made);
            }
            let puts: &[&str] = match (self.unit.dialect.language(), self.program.kind_of(whole)) {
                (Language::Python, Some(Kind::Set)) => &["add"],
                (Language::Python, Some(Kind::List)) => &["append"],
                (Language::Python, None) => &["add", "append"],
                (Language::Java, Some(Kind::Map)) => continue,
                (Language::Java, _) => &["add"],
                (Language::JavaScript | Language::TypeScript, _) => &["add", "push"],
                (Language::Cpp | Language::Rust, _) => &["insert"],
                _ => continue,
            };
            for put in puts {
                let text = format!("{holder}.{put}({element}){end}");
                if !made.iter().any(|(known, _)| *known == text) {
                    made.push((text, 3.9));
                }
            }
        }
        made.truncate(MOST_BORROWED);
        made
    }

    /// A value kept in a map under the key that the map is asked for.
    fn kept_under(
        &self,
        function: Option<FunctionId>,
        holder: &str,
        key: &str,
        made: &mut Vec<(String, f64)>,
    ) {
        let end = self.program.words.end;
        let known = self.program.kind_of_name(function, holder) == Some(Kind::Map);
        let values = self.program.variables(function).iter().take(8).filter(|name| **name != holder);
        for value in values.filter(|name| **name != key) {
            let text = match self.unit.dialect.language() {
                Language::Python | Language::Go | Language::Cpp => format!("{holder}[{key}] = {value}{end}"),
                Language::JavaScript | Language::TypeScript if known => {
                    format!("{holder}.set({key}, {value}){end}")
                }
                Language::JavaScript | Language::TypeScript => format!("{holder}[{key}] = {value}{end}"),
                Language::Java => format!("{holder}.put({key}, {value}){end}"),
                Language::Rust => format!("{holder}.insert({key}, {value}){end}"),
                _ => continue,
            };
            if made.len() < MOST_BORROWED && !made.iter().any(|(known, _)| *known == text) {
                made.push((text, 4.1));
            }
        }
    }

    /// Whether a function calls itself and asks nothing before it does: what ends it is missing.
    pub(super) fn lacks_an_end(&self, function: FunctionId) -> bool {
        let own = self.unit.function(function);
        let calls_itself = |span: Span| {
            self.unit.expressions.iter().any(|expr| match &expr.kind {
                ExprKind::Call { callee, .. } => {
                    span.contains(expr.span) && self.unit.last_name(*callee) == Some(own.name)
                }
                _ => false,
            })
        };
        !own.name.is_empty()
            && calls_itself(own.span)
            && own
                .body
                .iter()
                .map(|id| self.unit.stmt(*id))
                .take_while(|stmt| !calls_itself(stmt.span))
                .all(|stmt| !matches!(stmt.kind, StmtKind::If { .. }))
    }

    /// Short statements of the file's other functions whose names are all known here.
    pub(super) fn of_other_functions(&self, function: Option<FunctionId>) -> Vec<(String, f64)> {
        let mut made: Vec<(String, f64)> = Vec::new();
        let Some(own) = function else { return made };
        if self.unit.functions.len() > 40 {
            return made;
        }
        let known = self.program.variables(function);
        for (_, stmt) in self.unit.stmts() {
            let small = matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Expression(_));
            let text = self.unit.text(stmt.span);
            let elsewhere = stmt.function.is_some_and(|other| other != own && self.may_change(Some(other)));
            if !small || !elsewhere || text.len() > 60 || text.contains('\n') || made.len() >= MOST_BORROWED {
                continue;
            }
            let names = self.unit.expressions.iter().filter_map(|expr| match expr.kind {
                ExprKind::Name(name) if stmt.span.contains(expr.span) => Some(name),
                _ => None,
            });
            let mut mine = 0;
            let all = names.into_iter().all(|name| {
                mine += usize::from(known.contains(&name));
                known.contains(&name) || matches!(name, "self" | "this")
            });
            if all && mine > 0 && !made.iter().any(|(known, _)| known == text) {
                made.push((text.to_owned(), 4.6));
            }
        }
        made
    }

    /// What a list is sorted by: the other way round, or with the element itself where two are equal.
    pub(super) fn sort_key(&mut self, id: ExprId) {
        let ExprKind::Lambda(inner) = self.unit.kind(id) else { return };
        let function = self.unit.function(*inner);
        let [only] = function.parameters.as_slice() else { return };
        let text = self.program.text(id);
        let Some((_, body)) = text.split_once(':') else { return };
        let named = self.unit.source.get(..self.unit.expr(id).span.start as usize).unwrap_or("");
        if !self.is_python() || !named.trim_end().ends_with("key=") && !named.trim_end().ends_with("key =") {
            return;
        }
        let (body, name) = (body.trim(), only.name);
        let start = self.unit.expr(id).span.end - body.len() as u32;
        let span = Span { start, end: self.unit.expr(id).span.end };
        let tuple = body.starts_with('(') && body.ends_with(')');
        let mut made = vec![(format!("-({body})"), 2.7)];
        if !tuple {
            made.extend([
                (format!("({body}, {name})"), 2.7),
                (format!("({body}, -{name})"), 3.3),
                (format!("(-{body}, {name})"), 3.2),
                (format!("({name}, {body})"), 3.4),
            ]);
        }
        for (text, cost) in made {
            self.propose(span, &text, cost, "sort-key");
        }
    }
}
