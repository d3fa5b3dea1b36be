//! Single edits that mend common faults, over the syntax tree of any language: operators, constants, variables, calls,
//! conditions, statements.
//!
//! A template gives a cost from about 1 (a wrong operator) to 6 (a guard that was never there). What is tried first is
//! decided by cost and by how suspicious the line is.

mod again;
mod bounds;
mod collections;
mod conditions;
mod expressions;
mod flow;
mod missing;
mod names;
mod operators;
mod statements;

use crate::{Candidate, Case, Strategy, TextEdit};
use formicary_diagnose::program::{Program, Role, Types};
use formicary_syntax::{Dialect, ExprId, ExprKind, FunctionId, Span, Unit, parse};
use std::collections::{HashMap, HashSet};

/// What is known of a program besides its text.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Types of variables: the key is `FILE:FUNCTION` and the variable.
    pub types: Types,
    /// Attributes of objects, by class.
    pub attributes: HashMap<String, Vec<String>>,
    /// Suspiciousness of lines, by file of the case and line; empty where nothing was measured.
    pub scores: HashMap<(usize, u32), f64>,
    /// Lines of the failure's own trace.
    pub traced: HashSet<(usize, u32)>,
    /// Files that hold tests beside the program: only their functions that are no tests may be changed.
    pub mixed: HashSet<usize>,
}

/// The templates as a strategy.
#[derive(Debug, Clone, Default)]
pub struct Templates {
    /// What is known.
    pub facts: Facts,
    /// Candidates at the most.
    pub most: usize,
}

impl Strategy for Templates {
    fn name(&self) -> &'static str {
        "search"
    }

    fn candidates(&self, case: &Case) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (index, file) in case.files.iter().enumerate().filter(|(_, file)| file.editable) {
            let Some(dialect) = Dialect::of_file(&file.path, &file.text) else { continue };
            let unit = parse(dialect, &file.text);
            let mut types = self.facts.types.clone();
            names::declared_types(&unit, index, &mut types);
            let program = Program::new(&unit, index, &types);
            let mut maker = Maker::new(&program, &self.facts);
            maker.everything();
            all.append(&mut maker.made);
        }
        all.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        all.truncate(if self.most == 0 { 40_000 } else { self.most });
        all
    }
}

/// Makes the candidates of one file.
pub(crate) struct Maker<'p, 'a> {
    pub(crate) program: &'p Program<'a>,
    pub(crate) unit: &'a Unit<'a>,
    pub(crate) facts: &'p Facts,
    made: Vec<Candidate>,
    seen: HashSet<(u32, u32, String)>,
}

impl<'p, 'a> Maker<'p, 'a> {
    fn new(program: &'p Program<'a>, facts: &'p Facts) -> Self {
        Self { program, unit: program.unit, facts, made: Vec::new(), seen: HashSet::new() }
    }

    fn everything(&mut self) {
        for index in 0..self.unit.expressions.len() {
            let id = ExprId(index as u32);
            if !self.may_change(self.unit.expr(id).function) || self.is_docstring(id) {
                continue;
            }
            self.operators(id);
            self.names(id);
            self.expressions(id);
            self.conditions(id);
            self.collections(id);
        }
        for (id, stmt) in self.unit.stmts() {
            if self.may_change(stmt.function) {
                self.statements(id);
            }
        }
    }

    /// Whether code of this function is the program's own.
    pub(crate) fn may_change(&self, function: Option<FunctionId>) -> bool {
        match function {
            Some(function) => {
                let asserts = || {
                    let text = self.unit.text(self.unit.function(function).span);
                    text.contains("assert") || text.contains("Assert")
                };
                let mixed = self.facts.mixed.contains(&self.program.file);
                !(self.program.is_test(function, mixed) || mixed && asserts())
            }
            None => !self.facts.mixed.contains(&self.program.file),
        }
    }

    fn is_docstring(&self, id: ExprId) -> bool {
        matches!(self.unit.kind(id), ExprKind::Literal(_)) && self.program.role(id) == Role::Effect
    }

    /// How suspicious a line is: nothing for lines that no failing test came by.
    pub(crate) fn suspicion(&self, line: u32) -> Option<f64> {
        if self.facts.scores.is_empty() {
            let near = self.facts.traced.contains(&(self.program.file, line));
            return Some(if near { 0.9 } else { 0.5 });
        }
        self.facts.scores.get(&(self.program.file, line)).copied().filter(|score| *score > 0.0)
    }

    /// Proposes to put `text` in the place of a span.
    pub(crate) fn propose(&mut self, span: Span, text: &str, cost: f64, rule: &str) {
        let line = self.program.line(span.start);
        let score = match self.suspicion(line) {
            Some(score) => score,
            // Bounds of a loop or a statement over several lines: any of them may have been seen.
            None => {
                let last = self.program.line(span.end.max(span.start + 1) - 1);
                match (line..=last.min(line + 40)).filter_map(|line| self.suspicion(line)).reduce(f64::max) {
                    Some(score) => score,
                    None => return,
                }
            }
        };
        self.propose_at(span, text, cost, rule, line, score);
    }

    /// The same with a suspicion that the caller knows.
    pub(crate) fn propose_at(
        &mut self,
        span: Span,
        text: &str,
        cost: f64,
        rule: &str,
        line: u32,
        score: f64,
    ) {
        let old = self.unit.text(span);
        if old == text || !self.seen.insert((span.start, span.end, text.to_owned())) {
            return;
        }
        let traced = self.facts.traced.contains(&(self.program.file, line));
        let order = cost - 1.6 * score - if traced { 0.35 } else { 0.0 };
        let explanation = match (old.trim(), text.trim()) {
            ("", new) => format!("line {line}: `{}` is put in", short(new)),
            (old, "") => format!("line {line}: `{}` is taken out", short(old)),
            (old, new) => format!("line {line}: `{}` becomes `{}`", short(old), short(new)),
        };
        self.made.push(Candidate {
            edits: vec![TextEdit {
                file: self.program.file,
                start: span.start as usize,
                end: span.end as usize,
                replacement: text.to_owned(),
            }],
            origin: format!("search/{rule}"),
            cost: order,
            confidence: (1.0 - cost / 8.0).clamp(0.05, 0.95),
            explanation,
        });
    }

    /// Proposes to put an expression in the place of another, in parentheses where they are needed.
    pub(crate) fn replace(&mut self, id: ExprId, text: &str, composite: bool, cost: f64, rule: &str) {
        let span = self.unit.expr(id).span;
        if composite && !self.program.is_delimited(id) {
            self.propose(span, &format!("({text})"), cost, rule);
        } else {
            self.propose(span, text, cost, rule);
        }
    }
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 60 {
        line
    } else {
        format!("{}…", line.chars().take(59).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CaseFile;
    use formicary_model::Language;

    /// The versions of a program that the templates make, with the types that a run would have told.
    fn versions(language: Language, path: &str, text: &str, types: &[(&str, &str)]) -> Vec<String> {
        let files = vec![CaseFile { path: path.into(), text: text.into(), editable: true }];
        let case = Case { language, files, evidence: None, suspects: Vec::new() };
        let mut facts = Facts::default();
        for (name, kind) in types {
            facts.types.insert(("0:f".into(), (*name).into()), vec![(*kind).into()]);
        }
        let made = Templates { facts, most: 0 }.candidates(&case);
        made.iter()
            .filter_map(|candidate| case.applied(&candidate.edits))
            .map(|mut texts| texts.remove(0).1)
            .collect()
    }

    #[test]
    fn missing_and_excess_parts_are_thought_of() {
        let numbers: &[(&str, &str)] = &[("a", "int"), ("b", "int"), ("n", "int")];
        let lists: &[(&str, &str)] = &[("xs", "list[int]"), ("x", "int"), ("t", "str")];
        for (types, body, wanted) in [
            (numbers, "return a >= a\n", "return a >= b\n"),
            (numbers, "return n\n", "n = abs(n)\n    return n\n"),
            (numbers, "return a\n", "if a > b:\n        a, b = b, a\n    return a\n"),
            (numbers, "n += 1\n    return n\n", "n += a % b\n    return n\n"),
            (lists, "return [x for x in xs if x]\n", "return [x for x in xs]\n"),
            (lists, "return [x for x in xs]\n", "return [x for x in xs if x > 0]\n"),
            (lists, "return all(x >= x for x, y in xs)\n", "return all(x >= y for x, y in xs)\n"),
            (lists, "return x in (1, 2, 3)\n", "return x in (1, 3)\n"),
            (lists, "return xs[1:]\n", "return xs[:-1]\n"),
            (lists, "x = 0\n    return x\n", "x = xs[0]\n    return x\n"),
            (lists, "xs[x] = x\n", "xs.sort()\n    xs[x] = x\n"),
            (lists, "return x in 'aeio'\n", "return x in 'aeiou'\n"),
            (lists, "return 1 if x else 2\n", "return 2 if x else 1\n"),
            (lists, "if x:\n        x -= 1\n", "while x:\n        x -= 1\n"),
            (lists, "return round(x)\n", "return round(x, 2)\n"),
            (
                numbers,
                "if a:\n        n = 1\n    if b:\n        n = 2\n",
                "if a:\n        n = 1\n    elif b:\n        n = 2\n",
            ),
            (
                numbers,
                "if a:\n        n = 1\n    elif b:\n        n = 2\n",
                "if a:\n        n = 1\n    if b:\n        n = 2\n",
            ),
            (
                lists,
                "return sorted(xs, key=lambda y: y % 10)\n",
                "return sorted(xs, key=lambda y: (y % 10, y))\n",
            ),
            (
                lists,
                "if xs[n + 1] > x:\n        n = 2\n",
                "if n + 1 < len(xs) and xs[n + 1] > x:\n        n = 2\n",
            ),
            (numbers, "a = b\n", "b = a\n"),
            (numbers, "f(a + 1, b)\n", "f(a + 1, b)\n    f(a - 1, b)\n"),
            (
                numbers,
                "while n:\n        if n > a:\n            break\n",
                "while n:\n        if n > a:\n            continue\n",
            ),
        ] {
            let head = "def f(a, b, n, xs, x, t):\n    ";
            let made = versions(Language::Python, "f.py", &format!("{head}{body}"), types);
            assert!(made.contains(&format!("{head}{wanted}")), "{body} should become {wanted}");
        }
    }

    #[test]
    fn what_refuses_is_a_test_where_both_stand_in_one_file() {
        let text = "class F {\n    static int check(int a) {\n        return a + 1;\n    }\n    static void main(String[] args) {\n        if (check(1) != 3) {\n            throw new RuntimeException();\n        }\n    }\n}\n";
        let files = vec![CaseFile { path: "F.java".into(), text: text.into(), editable: true }];
        let case = Case { language: Language::Java, files, evidence: None, suspects: Vec::new() };
        let facts = Facts { mixed: HashSet::from([0]), ..Facts::default() };
        let made = Templates { facts, most: 0 }.candidates(&case);
        let driver = text.find("static void main").unwrap();
        assert!(made.iter().flat_map(|candidate| &candidate.edits).all(|edit| edit.start < driver));
        assert!(made.iter().any(|candidate| candidate.explanation.contains("`1` becomes `2`")));
    }

    #[test]
    fn other_languages_have_their_own_words() {
        let mut missing = Vec::new();
        for (language, path, text, wanted) in [
            (
                Language::Cpp,
                "f.cpp",
                "int f(vector<int> xs) {\n    return xs[0];\n}\n",
                "sort(xs.begin(), xs.end());\n    return xs[0];",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static int f(int n) {\n        return n;\n    }\n}\n",
                "n = Math.abs(n);",
            ),
            (
                Language::Go,
                "f.go",
                "package f\n\nfunc f(xs []int) int {\n\treturn xs[0]\n}\n",
                "sort.Ints(xs);",
            ),
            (Language::Rust, "f.rs", "fn f(mut xs: Vec<i32>) -> i32 {\n    xs[0]\n}\n", "xs.sort();"),
            (Language::C, "f.c", "int f(char c) {\n    return c == 'a';\n}\n", "c == 'A'"),
            (
                Language::Java,
                "F.java",
                "class F {\n    static int f(List<Integer> xs) {\n        return xs.get(0);\n    }\n}\n",
                "if (xs.isEmpty()) { return 0; }",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static int f(String a, String b) {\n        if (a == b) {\n            return 1;\n        }\n        return 2;\n    }\n}\n",
                "if (a.equals(b)) {",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static int f(int a) {\n        while (a > 0) {\n            a--;\n        }\n        a += 2;\n        return a;\n    }\n}\n",
                "            a--;\n            a += 2;\n        }\n        return a;",
            ),
            (
                Language::JavaScript,
                "f.js",
                "function f(a, b) {\n  if (a) {\n    a = 1;\n  }\n  if (b) {\n    a = 2;\n  }\n}\n",
                "  } else if (b) {",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static boolean f(Set<Integer> seen, int a) {\n        if (seen.contains(a)) {\n            return true;\n        }\n        return false;\n    }\n}\n",
                "seen.add(a);\n        return false;",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static int f(List<Integer> xs, int k) {\n        int best = 0;\n        for (int x : xs) {\n            best = best + x;\n        }\n        return best;\n    }\n}\n",
                "for (int x : xs.subList(k, xs.size())) {",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static int f(int a, int b) {\n        a = a + b;\n        return a;\n    }\n}\n",
                "a = Math.max(0, a + b);",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static boolean f(char c) {\n        return c == 'y';\n    }\n}\n",
                "return c == 'y' || c == 'Y';",
            ),
            (
                Language::JavaScript,
                "f.js",
                "function f(a, b, c) {\n  if (a + b <= c || a + c <= b) {\n    return 1;\n  }\n  return 2;\n}\n",
                "a + b <= c || a + c <= b || b + c <= a",
            ),
            (
                Language::Java,
                "F.java",
                "class F {\n    static int f(int[] xs) {\n        int best = 0;\n        return best;\n    }\n}\n",
                "int best = xs[0];",
            ),
            (
                Language::Go,
                "f.go",
                "package f\n\nfunc f(s string) bool {\n\treturn s == \"abc\"\n}\n",
                "s == \"abcABC\"",
            ),
            (
                Language::JavaScript,
                "f.js",
                "function f(t) {\n  let made = '';\n  made += t;\n  return made;\n}\n",
                "made = t + made;",
            ),
        ] {
            let made = versions(language, path, text, &[]);
            if !made.iter().any(|version| version.contains(wanted)) {
                missing.push(format!("{path}: {wanted}"));
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
    }
}
