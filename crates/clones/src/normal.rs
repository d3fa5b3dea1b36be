//! What a function does, in a form that many ways of writing share.
//!
//! Every statement becomes facts: "this is assigned", "this is asked", "this is called", "this is returned". Variables are
//! only what they are (parameter, local), loops of every kind count in one way, comprehensions are loops, temporaries that are
//! used once are read where they are used, comparisons point one way, negations swap branches, operands of commutative
//! operators are sorted, and the order of statements is forgotten. Copies in other languages share facts too: the names of
//! the most usual calls are translated.

use formicary_syntax::{
    Clause, CollectionKind, ExprId, ExprKind, FunctionId, Item, Literal, Operator, Part, StmtId, StmtKind,
    Unit,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher as _};

/// The facts of a function: each with its size, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form {
    /// Facts with how much they say.
    pub facts: Vec<(u32, u16)>,
    /// What they say together.
    pub size: u32,
    /// How many of them are calls of something that has a name of its own.
    pub calls: u16,
}

impl Form {
    /// From 0 to 1: how many facts two functions share.
    pub fn likeness(&self, other: &Self) -> f32 {
        let (mut left, mut right) = (self.facts.iter().peekable(), other.facts.iter().peekable());
        let mut shared = 0u32;
        while let (Some((x, size)), Some((y, _))) = (left.peek(), right.peek()) {
            match x.cmp(y) {
                std::cmp::Ordering::Less => drop(left.next()),
                std::cmp::Ordering::Greater => drop(right.next()),
                std::cmp::Ordering::Equal => {
                    shared += u32::from(*size);
                    left.next();
                    right.next();
                }
            }
        }
        let all = self.size + other.size - shared;
        if all == 0 { 0.0 } else { shared as f32 / all as f32 }
    }
}

/// Which statements and expressions each function holds, found once a file.
#[derive(Debug)]
pub struct Parts {
    statements: Vec<Vec<StmtId>>,
    expressions: Vec<Vec<ExprId>>,
}

impl Parts {
    /// Finds them.
    pub fn of(unit: &Unit<'_>) -> Self {
        let mut statements = vec![Vec::new(); unit.functions.len()];
        for (id, stmt) in unit.stmts() {
            if let Some(list) = stmt.function.and_then(|function| statements.get_mut(function.0 as usize)) {
                list.push(id);
            }
        }
        let mut expressions = vec![Vec::new(); unit.functions.len()];
        for (id, expr) in unit.exprs() {
            if let Some(list) = expr.function.and_then(|function| expressions.get_mut(function.0 as usize)) {
                list.push(id);
            }
        }
        Self { statements, expressions }
    }
}

/// The normal form of a function.
pub fn form(unit: &Unit<'_>, parts: &Parts, id: FunctionId) -> Form {
    let function = unit.function(id);
    let mut former = Former {
        unit,
        parameters: function.parameters.iter().map(|parameter| parameter.name).collect(),
        inlined: FxHashMap::default(),
        elements: FxHashMap::default(),
        out: Vec::new(),
        loops: 0,
        depth: 0,
        calls: 0,
    };
    former.find_temporaries(parts, id);
    former.block(&function.body);
    let mut facts = former.out;
    facts.sort_unstable();
    let size = facts.iter().map(|(_, size)| u32::from(*size)).sum();
    Form { facts, size, calls: former.calls }
}

struct Former<'u, 'a> {
    unit: &'u Unit<'a>,
    parameters: FxHashSet<&'a str>,
    /// Temporaries, with what they stand for.
    inlined: FxHashMap<&'a str, ExprId>,
    /// What a for-each binds, with the element that it is.
    elements: FxHashMap<&'a str, Term>,
    out: Vec<(u32, u16)>,
    loops: u32,
    depth: u32,
    calls: u16,
}

/// An expression in normal form, and how much it says.
#[derive(Debug, Clone, Copy)]
struct Term {
    hash: u32,
    size: u16,
}

const PARAMETER: &str = "P";
const LOCAL: &str = "V";
const DEEPEST: u32 = 120;

fn mix(what: &str, parts: &[Term]) -> Term {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    for part in parts {
        part.hash.hash(&mut hasher);
    }
    let hash = hasher.finish();
    let size = parts.iter().fold(1u16, |sum, part| sum.saturating_add(part.size));
    Term { hash: (hash ^ (hash >> 32)) as u32, size }
}

fn sorted(what: &str, a: Term, b: Term) -> Term {
    if a.hash <= b.hash { mix(what, &[a, b]) } else { mix(what, &[b, a]) }
}

impl<'a> Former<'_, 'a> {
    /// Names that are assigned once and read once.
    fn find_temporaries(&mut self, parts: &Parts, id: FunctionId) {
        let mut written: FxHashMap<&'a str, (u32, Option<ExprId>)> = FxHashMap::default();
        let mut targets: FxHashSet<ExprId> = FxHashSet::default();
        for stmt in parts.statements.get(id.0 as usize).into_iter().flatten() {
            match &self.unit.stmt(*stmt).kind {
                StmtKind::Assign { targets: names, operator, value, .. } => {
                    for target in names {
                        let Some(name) = self.unit.name_of(*target) else { continue };
                        targets.insert(*target);
                        let entry = written.entry(name).or_default();
                        entry.0 += 1;
                        entry.1 = if names.len() == 1 && operator.is_none() { *value } else { None };
                    }
                }
                StmtKind::Loop { target: Some(target), .. } => {
                    if let Some(name) = self.unit.name_of(*target) {
                        written.entry(name).or_default().0 += 2;
                    }
                }
                _ => {}
            }
        }
        let mut reads: FxHashMap<&'a str, u32> = FxHashMap::default();
        for expr in parts.expressions.get(id.0 as usize).into_iter().flatten() {
            match self.unit.kind(*expr) {
                ExprKind::Name(name) if !targets.contains(expr) => *reads.entry(name).or_default() += 1,
                ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => {
                    if let Some(name) = self.unit.name_of(*target) {
                        written.entry(name).or_default().0 += 2;
                    }
                }
                _ => {}
            }
        }
        for (name, (times, value)) in written {
            if let (1, Some(value), Some(1)) = (times, value, reads.get(name))
                && !self.parameters.contains(name)
            {
                self.inlined.insert(name, value);
            }
        }
    }

    fn fact(&mut self, what: &str, parts: &[Term]) {
        let term = mix(what, parts);
        let loops = mix(["0", "1", "2"][self.loops.min(2) as usize], &[]);
        self.out.push((mix("at", &[term, loops]).hash, term.size));
    }

    fn block(&mut self, block: &[StmtId]) {
        if self.depth > DEEPEST {
            return;
        }
        self.depth += 1;
        for id in block {
            self.statement(*id);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, id: StmtId) {
        let unit = self.unit;
        match &unit.stmt(id).kind {
            StmtKind::Expression(value) => self.effect(*value),
            StmtKind::Assign { targets, operator, value: Some(value), .. } => {
                for target in targets {
                    self.assign(*target, *operator, *value);
                }
            }
            StmtKind::Return(Some(value)) => {
                if let ExprKind::Conditional { test, then, otherwise } = unit.kind(*value) {
                    self.question("if", *test);
                    for branch in [then, otherwise] {
                        let term = self.expr(*branch);
                        self.fact("return", &[term]);
                    }
                } else {
                    let term = self.expr(*value);
                    self.fact("return", &[term]);
                }
            }
            StmtKind::Raise(values) => {
                let term = values.first().map(|value| self.raised(*value));
                self.fact("raise", term.as_slice());
            }
            StmtKind::If { test, then, otherwise, .. } => {
                self.question("if", *test);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Loop { init, test, target, iterable, update, body, otherwise, .. } => {
                self.block(init);
                if let (Some(target), Some(iterable)) = (target, iterable) {
                    self.each(*target, *iterable);
                }
                self.loops += 1;
                if let Some(test) = test {
                    self.question("while", *test);
                }
                self.block(body);
                for value in update {
                    self.effect(*value);
                }
                self.loops -= 1;
                self.block(otherwise);
            }
            StmtKind::Switch { subject, arms, .. } => {
                // A choice between constants is a chain of questions.
                for arm in arms {
                    for pattern in &arm.patterns {
                        let pattern = self.expr(*pattern);
                        let subject = subject.map(|subject| self.expr(subject));
                        match subject {
                            Some(subject) => {
                                let test = sorted("==", subject, pattern);
                                self.fact("if", &[test]);
                            }
                            None => self.fact("if", &[pattern]),
                        }
                    }
                    self.block(&arm.body);
                }
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.block(body);
                for handler in handlers {
                    self.block(&handler.body);
                }
                self.block(otherwise);
                self.block(finally);
            }
            StmtKind::With { items, body, .. } => {
                for (held, name) in items {
                    match name {
                        Some(name) => self.assign(*name, None, *held),
                        None => self.effect(*held),
                    }
                }
                self.block(body);
            }
            StmtKind::Delete(values) => {
                for value in values {
                    let term = self.expr(*value);
                    self.fact("delete", &[term]);
                }
            }
            StmtKind::Assert { test, .. } => self.question("assert", *test),
            StmtKind::Deferred { call, .. } => self.effect(*call),
            StmtKind::Label { body, .. } | StmtKind::Block(body) | StmtKind::Other { body, .. } => {
                self.block(body)
            }
            StmtKind::Preprocessor(blocks) => blocks.iter().for_each(|block| self.block(block)),
            _ => {}
        }
    }

    // The fact is the same whichever way the question points; the branches are facts of their own.
    fn question(&mut self, what: &str, test: ExprId) {
        let mut test = test;
        while let ExprKind::Unary { operator: Operator::Not, operand } = self.unit.kind(test) {
            test = *operand;
        }
        if let ExprKind::Logical { left, right, .. } = self.unit.kind(test) {
            let (left, right) = (*left, *right);
            self.question(what, left);
            self.question(what, right);
            return;
        }
        let term = self.comparison(test, true).unwrap_or_else(|| self.expr(test));
        self.fact(what, &[term]);
    }

    fn comparison(&mut self, id: ExprId, either: bool) -> Option<Term> {
        let ExprKind::Compare { left, rest } = self.unit.kind(id) else { return None };
        let [(operator, right)] = rest.as_slice() else { return None };
        let (a, b) = (self.expr(*left), self.expr(*right));
        Some(match operator {
            Operator::Equal | Operator::StrictEqual | Operator::Is => sorted("==", a, b),
            Operator::NotEqual | Operator::StrictNotEqual | Operator::IsNot => {
                sorted(if either { "==" } else { "!=" }, a, b)
            }
            Operator::Less => mix("<", &[a, b]),
            Operator::Greater => mix("<", &[b, a]),
            // `a >= b` is what `a < b` is not.
            Operator::GreaterEqual => {
                mix(if either { "<" } else { "<=" }, &if either { [a, b] } else { [b, a] })
            }
            Operator::LessEqual => {
                mix(if either { "<" } else { "<=" }, &if either { [b, a] } else { [a, b] })
            }
            Operator::In => mix("in", &[a, b]),
            Operator::NotIn => mix(if either { "in" } else { "not in" }, &[a, b]),
            other => mix(&format!("{other:?}"), &[a, b]),
        })
    }

    fn raised(&mut self, value: ExprId) -> Term {
        let name = match self.unit.kind(value) {
            ExprKind::Call { callee, .. } => self.unit.last_name(*callee),
            _ => self.unit.last_name(value),
        };
        mix(name.unwrap_or("?"), &[])
    }

    fn assign(&mut self, target: ExprId, operator: Option<Operator>, value: ExprId) {
        if let Some(name) = self.unit.name_of(target)
            && self.inlined.get(name) == Some(&value)
        {
            return;
        }
        if let ExprKind::Comprehension { elements, clauses, kind } = self.unit.kind(value)
            && *kind != CollectionKind::Generator
        {
            let (elements, clauses) = (elements.clone(), clauses.clone());
            self.comprehension(&elements, &clauses);
            return;
        }
        let (place, mut term) = (self.expr(target), self.expr(value));
        if let Some(operator) = operator {
            term = self.binary(operator, place, term);
        }
        self.fact("set", &[place, term]);
    }

    fn comprehension(&mut self, elements: &[ExprId], clauses: &[Clause]) {
        let loops = self.loops;
        self.fact("set", &[mix(LOCAL, &[]), mix("empty", &[])]);
        for clause in clauses {
            self.each(clause.target, clause.iterable);
            self.loops += 1;
            for condition in &clause.conditions {
                self.question("if", *condition);
            }
        }
        let mut parts = vec![mix(LOCAL, &[])];
        parts.extend(elements.iter().map(|element| self.expr(*element)));
        let call = mix("append()", &parts);
        self.fact("do", &[call]);
        self.loops = loops;
    }

    /// A loop over elements counts through them.
    fn each(&mut self, target: ExprId, iterable: ExprId) {
        let counter = mix(LOCAL, &[]);
        let (zero, one) = (self.integer(0), self.integer(1));
        let (start, end) = match self.range(iterable) {
            Some((start, end)) => (start, end),
            None => {
                let whole = self.expr(iterable);
                let element = mix("[]", &[whole, counter]);
                if let Some(name) = self.unit.name_of(target) {
                    self.elements.insert(name, element);
                }
                (zero, mix("len()", &[whole]))
            }
        };
        self.fact("set", &[counter, start]);
        self.loops += 1;
        self.fact("while", &[mix("<", &[counter, end])]);
        let next = self.binary(Operator::Add, counter, one);
        self.fact("set", &[counter, next]);
        self.loops -= 1;
    }

    fn range(&mut self, iterable: ExprId) -> Option<(Term, Term)> {
        let ExprKind::Call { callee, arguments, .. } = self.unit.kind(iterable) else { return None };
        if !matches!(self.unit.name_of(*callee), Some("range" | "xrange")) {
            return None;
        }
        match arguments.as_slice() {
            [end] => Some((self.integer(0), self.expr(end.value))),
            [start, end] => Some((self.expr(start.value), self.expr(end.value))),
            _ => None,
        }
    }

    fn integer(&self, value: i128) -> Term {
        mix(&value.to_string(), &[])
    }

    fn effect(&mut self, id: ExprId) {
        match self.unit.kind(id) {
            ExprKind::Assign { target, operator, value } => self.assign(*target, *operator, *value),
            ExprKind::Update { target, increment } => {
                let place = self.expr(*target);
                let one = self.integer(1);
                let operator = if *increment { Operator::Add } else { Operator::Subtract };
                let term = self.binary(operator, place, one);
                self.fact("set", &[place, term]);
            }
            ExprKind::Literal(_) => {}
            ExprKind::Await(inner) => self.effect(*inner),
            ExprKind::Statement(stmt) => self.statement(*stmt),
            ExprKind::Block(block) => self.block(block),
            _ => {
                let term = self.expr(id);
                self.fact("do", &[term]);
            }
        }
    }

    fn binary(&self, operator: Operator, a: Term, b: Term) -> Term {
        let word = format!("{operator:?}");
        match operator {
            Operator::Add | Operator::Multiply | Operator::BitAnd | Operator::BitOr | Operator::BitXor => {
                sorted(&word, a, b)
            }
            _ => mix(&word, &[a, b]),
        }
    }

    fn expr(&mut self, id: ExprId) -> Term {
        if self.depth > DEEPEST {
            return mix("…", &[]);
        }
        self.depth += 1;
        let term = self.term(id);
        self.depth -= 1;
        term
    }

    fn term(&mut self, id: ExprId) -> Term {
        let unit = self.unit;
        match unit.kind(id) {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Template(parts) => {
                let mut values = Vec::new();
                for part in parts {
                    if let Part::Value(value) = part {
                        values.push(self.expr(*value));
                    }
                }
                mix("text", &values)
            }
            ExprKind::Attribute { base, name, .. } => {
                let base = self.expr(*base);
                if matches!(*name, "length" | "size") {
                    return mix("len()", &[base]);
                }
                mix(&format!(".{name}"), &[base])
            }
            ExprKind::Subscript { base, index } => {
                let mut parts = vec![self.expr(*base)];
                parts.extend(index.map(|index| self.expr(index)));
                mix("[]", &parts)
            }
            ExprKind::Call { callee, arguments, .. } => {
                self.call(*callee, arguments.iter().map(|a| a.value).collect())
            }
            ExprKind::Binary { operator, left, right } => {
                let (a, b) = (self.expr(*left), self.expr(*right));
                self.binary(*operator, a, b)
            }
            ExprKind::Logical { operator, left, right } => {
                let (a, b) = (self.expr(*left), self.expr(*right));
                mix(&format!("{operator:?}"), &[a, b])
            }
            ExprKind::Compare { left, rest } => match self.comparison(id, false) {
                Some(term) => term,
                None => {
                    let mut parts = vec![self.expr(*left)];
                    for (_, operand) in rest {
                        parts.push(self.expr(*operand));
                    }
                    mix("compare", &parts)
                }
            },
            ExprKind::Unary { operator, operand } => {
                let inner = self.expr(*operand);
                match operator {
                    // Pointers are how C says what others need not say.
                    Operator::Dereference | Operator::AddressOf | Operator::Try | Operator::Plus => inner,
                    _ => mix(&format!("{operator:?}"), &[inner]),
                }
            }
            ExprKind::Conditional { test, then, otherwise } => {
                let parts = [*test, *then, *otherwise].map(|part| self.expr(part));
                mix("choose", &parts)
            }
            ExprKind::Cast { value, .. } | ExprKind::Await(value) | ExprKind::Spread(value) => {
                self.expr(*value)
            }
            ExprKind::Collection { items, .. } if items.is_empty() => mix("empty", &[]),
            ExprKind::Collection { items, .. } => self.items(items),
            ExprKind::Comprehension { elements, clauses, .. } => {
                let (elements, clauses) = (elements.clone(), clauses.clone());
                self.comprehension(&elements, &clauses);
                mix(LOCAL, &[])
            }
            ExprKind::Assign { target, operator, value } => {
                self.assign(*target, *operator, *value);
                self.expr(*target)
            }
            ExprKind::Update { target, .. } => {
                self.effect(id);
                self.expr(*target)
            }
            ExprKind::Lambda(function) => {
                let body = unit.function(*function).body.clone();
                self.block(&body);
                mix("function", &[])
            }
            ExprKind::Yield(value) => {
                let parts: Vec<Term> = value.iter().map(|value| self.expr(*value)).collect();
                mix("yield", &parts)
            }
            ExprKind::Block(block) => {
                self.block(block);
                mix("block", &[])
            }
            ExprKind::Statement(stmt) => {
                self.statement(*stmt);
                mix("block", &[])
            }
            ExprKind::Slice(parts) | ExprKind::Other(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| self.expr(*part)).collect();
                mix("other", &parts)
            }
            ExprKind::Type(text) => mix(text, &[]),
        }
    }

    fn items(&mut self, items: &[Item<'a>]) -> Term {
        let parts: Vec<Term> = items.iter().map(|item| self.expr(item.value)).collect();
        mix("collection", &parts)
    }

    fn name(&mut self, name: &'a str) -> Term {
        if let Some(term) = self.elements.get(name) {
            return *term;
        }
        // Taken out meanwhile: a value may name itself.
        if let Some(value) = self.inlined.remove(name) {
            let term = self.expr(value);
            self.inlined.insert(name, value);
            return term;
        }
        if self.parameters.contains(name) {
            return mix(if matches!(name, "self" | "this" | "cls") { "this" } else { PARAMETER }, &[]);
        }
        // What is written with a capital is a type, a module or a constant.
        if name == "this" || name.starts_with(|c: char| c.is_uppercase()) {
            mix(name, &[])
        } else {
            mix(LOCAL, &[])
        }
    }

    fn literal(&self, literal: &Literal<'_>) -> Term {
        match literal {
            Literal::Text(text) if text.is_empty() => mix("empty", &[]),
            Literal::Text(text) => mix(text, &[]),
            Literal::Character(text) | Literal::Bytes(text) | Literal::Float(text) | Literal::Regex(text) => {
                mix(text.trim_matches('\''), &[])
            }
            Literal::Integer(value) => self.integer(value.unwrap_or(i128::MAX)),
            Literal::Boolean(value) => mix(if *value { "true" } else { "false" }, &[]),
            Literal::Null | Literal::Ellipsis => mix("null", &[]),
        }
    }

    fn call(&mut self, callee: ExprId, arguments: Vec<ExprId>) -> Term {
        let unit = self.unit;
        let mut parts = Vec::with_capacity(arguments.len() + 1);
        let name = match unit.kind(callee) {
            ExprKind::Attribute { base, name, .. } => {
                // `Math.max(a, b)` and `max(a, b)`: a library's own name is no receiver.
                let library = unit.name_of(*base).is_some_and(|base| {
                    matches!(
                        base,
                        "Math" | "math" | "console" | "System" | "fmt" | "strings" | "std" | "Integer"
                    )
                });
                if !library {
                    parts.push(self.expr(*base));
                }
                translated(name)
            }
            ExprKind::Name(name) => translated(name),
            _ => {
                parts.push(self.expr(callee));
                "call"
            }
        };
        parts.extend(arguments.iter().map(|argument| self.expr(*argument)));
        if matches!(name, "[]" | "len" | "append") {
            let known = match name {
                "[]" => "[]",
                "len" => "len()",
                _ => "append()",
            };
            return mix(known, &parts);
        }
        self.calls = self.calls.saturating_add(1);
        let mut term = mix(&format!("{name}()"), &parts);
        term.size = term.size.saturating_add(1);
        term
    }
}

/// The most usual calls under one name.
fn translated(name: &str) -> &str {
    match name {
        "len" | "length" | "size" | "strlen" | "count" => "len",
        "append" | "push" | "push_back" | "add" => "append",
        "get" | "charAt" | "at" | "elementAt" | "nth" => "[]",
        "println" | "print" | "log" | "Println" | "printf" | "Printf" => "print",
        "toLowerCase" | "lower" | "ToLower" | "to_lowercase" | "tolower" => "lower",
        "toUpperCase" | "upper" | "ToUpper" | "to_uppercase" | "toupper" => "upper",
        "trim" | "strip" | "TrimSpace" => "trim",
        "indexOf" | "index" | "find" | "Index" => "find",
        "includes" | "contains" | "has" | "containsKey" | "Contains" => "contains",
        "startsWith" | "startswith" | "HasPrefix" | "starts_with" => "starts_with",
        "endsWith" | "endswith" | "HasSuffix" | "ends_with" => "ends_with",
        "toString" | "str" | "String" | "to_string" | "valueOf" => "text",
        "parseInt" | "int" | "Atoi" | "atoi" => "int",
        "floor" | "Floor" => "floor",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_syntax::{Dialect, parse};

    fn likeness(a: (Dialect, &str), b: (Dialect, &str)) -> f32 {
        let (left, right) = (parse(a.0, a.1), parse(b.0, b.1));
        form(&left, &Parts::of(&left), FunctionId(0)).likeness(&form(
            &right,
            &Parts::of(&right),
            FunctionId(0),
        ))
    }

    #[test]
    fn other_ways_of_writing_are_the_same() {
        let p = Dialect::Python;
        let cases = [
            (
                "def f(xs):\n    out = []\n    for x in xs:\n        if x > 2:\n            out.append(x * 3)\n    return out\n",
                "def g(items):\n    result = [3 * y for y in items if 2 < y]\n    return result\n",
            ),
            (
                "def f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\n",
                "def g(m):\n    k = 0\n    s = 0\n    while k < m:\n        s = s + k\n        k += 1\n    return s\n",
            ),
            (
                "def f(a):\n    if not a.ready:\n        return one(a)\n    else:\n        return two(a)\n",
                "def g(b):\n    if b.ready:\n        return two(b)\n    return one(b)\n",
            ),
            (
                "def f(a):\n    size = a.width * 2\n    draw(size, a)\n",
                "def g(a):\n    draw(a.width * 2, a)\n",
            ),
        ];
        for (a, b) in cases {
            let found = likeness((p, a), (p, b));
            assert!(found > 0.95, "{found}\n{a}\n{b}");
        }
        let other = "def h(path):\n    with open(path) as f:\n        return f.read().split()\n";
        assert!(likeness((p, cases[0].0), (p, other)) < 0.2);
    }

    #[test]
    fn languages_meet() {
        let java = "class A { static int f(int[] xs) { int t = 0; for (int i = 0; i < xs.length; i++) { t += xs[i]; } return t; } }";
        let python = "def f(xs):\n    t = 0\n    for x in xs:\n        t += x\n    return t\n";
        let script = "function f(xs) { let t = 0; for (const x of xs) { t = t + x; } return t; }";
        let found = likeness((Dialect::Java, java), (Dialect::Python, python));
        assert!(found > 0.9, "{found}");
        let found = likeness((Dialect::JavaScript, script), (Dialect::Python, python));
        assert!(found > 0.9, "{found}");
    }
}
