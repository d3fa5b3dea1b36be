//! Questions that ask too much, too little or the opposite.

use super::Maker;
use formicary_diagnose::program::{Kind, Role};
use formicary_syntax::{ExprId, ExprKind, FunctionId, Literal, Operator};

impl Maker<'_, '_> {
    pub(super) fn conditions(&mut self, id: ExprId) {
        let returns_truth =
            self.program.role(id) == Role::Value && self.program.kind_of(id) == Some(Kind::Truth);
        if let ExprKind::Logical { left, right, .. } = self.unit.kind(id).clone() {
            for side in [left, right] {
                let text = self.program.text(side).to_owned();
                self.replace(id, &text, self.program.is_composite(side), 1.8, "condition");
            }
        }
        let truth = matches!(self.unit.kind(id), ExprKind::Literal(Literal::Boolean(_)));
        let condition = self.program.role(id) == Role::Condition;
        if !condition && !returns_truth {
            return;
        }
        let function = self.unit.expr(id).function;
        let words = self.program.words;
        if truth {
            for (atom, cost) in self.atoms(function) {
                self.replace(id, &atom, true, 1.6 + cost, "predicate");
            }
            return;
        }
        let part = self.program.part(id);
        let plain_not = !matches!(self.unit.kind(id), ExprKind::Unary { operator: Operator::Not, .. });
        if plain_not {
            self.replace(id, &format!("{}{part}", words.not), true, 1.7, "negation");
        }
        let outermost = !self.program.parent(id).is_some_and(|parent| {
            matches!(self.unit.kind(parent), ExprKind::Logical { .. } | ExprKind::Unary { .. })
        });
        if !outermost {
            return;
        }
        self.index_inside(id);
        self.asked_again(id);
        let whole = self.program.text(id);
        let inner_or = matches!(self.unit.kind(id), ExprKind::Logical { operator: Operator::Or, .. });
        let inner_and = matches!(self.unit.kind(id), ExprKind::Logical { operator: Operator::And, .. });
        for (atom, cost) in self.atoms(function) {
            if atom.contains(' ') && whole.contains(&atom) {
                continue;
            }
            let for_and = if inner_or { format!("({whole})") } else { whole.to_owned() };
            let for_or = if inner_and && words.braces { format!("({whole})") } else { whole.to_owned() };
            let cost = 2.2 + cost;
            self.replace(id, &format!("{for_and} {} {atom}", words.and), true, cost, "stronger");
            self.replace(id, &format!("{for_or} {} {atom}", words.or), true, cost, "weaker");
            self.replace(id, &format!("{atom} {} {for_and}", words.and), true, cost + 0.15, "stronger");
            self.replace(id, &format!("{atom} {} {for_or}", words.or), true, cost + 0.15, "weaker");
        }
        if words.truthy && condition {
            for (atom, cost) in self.atoms(function) {
                self.replace(id, &atom, true, 2.4 + cost, "condition");
            }
        }
    }

    /// Short questions over what is in reach, each with what it adds to the cost.
    pub(super) fn atoms(&self, function: Option<FunctionId>) -> Vec<(String, f64)> {
        let words = self.program.words;
        let python = self.is_python();
        let mut atoms: Vec<(String, f64)> = Vec::new();
        let names: Vec<&str> = self.program.variables(function).iter().copied().take(9).collect();
        let kind = |name: &str| self.program.kind_of_name(function, name);
        for name in &names {
            let own = kind(name);
            if words.truthy {
                let cost = if own == Some(Kind::Number) { 1.3 } else { 0.8 };
                atoms.push(((*name).to_owned(), cost));
                atoms.push((format!("{}{name}", words.not), cost));
            }
            if own == Some(Kind::Truth) && !words.truthy {
                atoms.push(((*name).to_owned(), 0.8));
                atoms.push((format!("!{name}"), 0.8));
            }
            if own == Some(Kind::Number) {
                for (question, cost) in [
                    ("== 0", 1.0),
                    ("> 0", 1.0),
                    ("< 0", 1.1),
                    ("> 1", 1.3),
                    ("== 1", 1.2),
                    ("!= 0", 1.3),
                    (">= 0", 1.3),
                    ("<= 1", 1.4),
                    ("< 2", 1.4),
                    ("% 2 == 0", 1.5),
                    ("% 2 == 1", 1.5),
                ] {
                    atoms.push((format!("{name} {question}"), cost));
                }
            }
            if python && own == Some(Kind::Text) {
                for method in ["isdigit", "isalpha", "isupper", "islower", "isspace", "isalnum"] {
                    atoms.push((format!("{name}.{method}()"), 1.44));
                    atoms.push((format!("not {name}.{method}()"), 1.44));
                }
            }
            if python && matches!(own, Some(Kind::Null | Kind::Object) | None) {
                atoms.push((format!("{name} is None"), 1.0));
                atoms.push((format!("{name} is not None"), 1.0));
            }
            if !python
                && matches!(own, Some(Kind::Object | Kind::Null) | None)
                && let Some(null) = words.null
                && null != "None"
            {
                atoms.push((format!("{name} == {null}"), 1.0));
                atoms.push((format!("{name} != {null}"), 1.0));
            }
        }
        for (index, left) in names.iter().enumerate() {
            for right in &names[index + 1..] {
                let (a, b) = (kind(left), kind(right));
                if a.is_none() && b.is_none() && !self.facts.types.is_empty() {
                    continue;
                }
                if a == b && matches!(a, Some(Kind::Number)) {
                    for operator in ["<", ">", "<=", ">=", "==", "!="] {
                        atoms.push((format!("{left} {operator} {right}"), 1.2));
                    }
                } else if a == b && a.is_some() {
                    atoms.push((format!("{left} == {right}"), 1.3));
                    atoms.push((format!("{left} != {right}"), 1.3));
                }
                if python {
                    for (element, whole) in [(left, right), (right, left)] {
                        let holds =
                            matches!(kind(whole), Some(Kind::List | Kind::Set | Kind::Map | Kind::Text));
                        if holds && !matches!(kind(element), Some(Kind::List | Kind::Map | Kind::Set)) {
                            atoms.push((format!("{element} in {whole}"), 1.3));
                            atoms.push((format!("{element} not in {whole}"), 1.3));
                        }
                        if kind(element) == Some(Kind::Number)
                            && matches!(kind(whole), Some(Kind::List | Kind::Text))
                        {
                            atoms.push((format!("{element} < len({whole})"), 1.4));
                            atoms.push((format!("{element} == len({whole})"), 1.5));
                            atoms.push((format!("{element} >= len({whole})"), 1.5));
                        }
                    }
                }
            }
        }
        atoms.extend(self.of_collections(function, &names));
        // Questions that the function asks already.
        for (index, expr) in self.unit.expressions.iter().enumerate() {
            let text = self.unit.text(expr.span);
            let id = ExprId(index as u32);
            if expr.function == function
                && matches!(expr.kind, ExprKind::Compare { .. } | ExprKind::Call { .. })
                && self.program.role(id) == Role::Condition
                && text.len() < 50
                && !atoms.iter().any(|(known, _)| known == text)
            {
                atoms.push((text.to_owned(), 1.2));
            }
        }
        // Elements compared: arr[i] with another variable.
        for expr in &self.unit.expressions {
            if expr.function == function
                && matches!(expr.kind, ExprKind::Subscript { index: Some(_), .. })
                && atoms.len() < 160
            {
                let text = self.unit.text(expr.span);
                if text.len() > 24 || text.contains(':') {
                    continue;
                }
                for name in
                    names.iter().filter(|name| kind(name) == Some(Kind::Number) && !text.contains(**name))
                {
                    for operator in ["<", ">", "==", "!="] {
                        let atom = format!("{text} {operator} {name}");
                        if !atoms.iter().any(|(known, _)| *known == atom) {
                            atoms.push((atom, 1.6));
                        }
                    }
                }
            }
        }
        atoms.truncate(220);
        atoms
    }
}
