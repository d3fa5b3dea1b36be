//! What a failing value depends on: from the line that failed, or from what a function returns, back over the assignments,
//! loops and questions of the same function that made the value.

use crate::program::Program;
use formicary_syntax::{ExprId, ExprKind, FunctionId, Span, StmtId, StmtKind, Unit};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Lines that the failing values of a file come from, each with the variable by which it matters. `run` are the lines
/// that failing checks came by, `failed` those that a trace names.
pub fn slice(unit: &Unit<'_>, run: &HashSet<u32>, failed: &HashSet<u32>) -> BTreeMap<u32, String> {
    let types = HashMap::new();
    let program = Program::new(unit, 0, &types);
    let mut found = BTreeMap::new();
    for index in 0..unit.functions.len() {
        let function = FunctionId(index as u32);
        let own: Vec<StmtId> =
            unit.stmts().filter(|(_, stmt)| stmt.function == Some(function)).map(|(id, _)| id).collect();
        let line = |id: StmtId| program.line(unit.stmt(id).span.start);
        let on = |lines: &HashSet<u32>| own.iter().copied().filter(|id| lines.contains(&line(*id))).collect();
        let mut ends: Vec<StmtId> = on(failed);
        if ends.is_empty() {
            let reached: Vec<StmtId> = on(run);
            let answers = |id: &StmtId| matches!(unit.stmt(*id).kind, StmtKind::Return(Some(_)));
            ends = reached.iter().copied().filter(answers).collect();
            // A block's last expression is an answer, too.
            let last = unit.function(function).body.last().copied().filter(|id| reached.contains(id));
            ends.extend(last.filter(|id| matches!(unit.stmt(*id).kind, StmtKind::Expression(_))));
        }
        back(&program, &own, ends, run, &mut found);
    }
    found
}

fn back(
    program: &Program<'_>,
    own: &[StmtId],
    ends: Vec<StmtId>,
    run: &HashSet<u32>,
    found: &mut BTreeMap<u32, String>,
) {
    let unit = program.unit;
    let mut wanted: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for end in ends {
        for name in names(unit, head(unit, end)).into_iter().chain(deciding(program, end)) {
            if known.insert(name.clone()) {
                wanted.push(name);
            }
        }
    }
    while let Some(name) = wanted.pop() {
        for id in own.iter().copied().filter(|id| writes(unit, *id).iter().any(|own| *own == name)) {
            let line = program.line(unit.stmt(id).span.start);
            if !run.contains(&line) {
                continue;
            }
            found.entry(line).or_insert_with(|| name.clone());
            for next in names(unit, head(unit, id)).into_iter().chain(deciding(program, id)) {
                if known.insert(next.clone()) {
                    wanted.push(next);
                }
            }
        }
    }
}

/// What a statement itself says: of a loop or a question not its body.
fn head(unit: &Unit<'_>, id: StmtId) -> Vec<Span> {
    let span = |expr: &ExprId| unit.expr(*expr).span;
    match &unit.stmt(id).kind {
        StmtKind::If { test, .. } => vec![span(test)],
        StmtKind::Loop { test, iterable, .. } => test.iter().chain(iterable).map(span).collect(),
        _ => vec![unit.stmt(id).span],
    }
}

fn names(unit: &Unit<'_>, spans: Vec<Span>) -> Vec<String> {
    let inside = |span: Span| spans.iter().any(|own| own.contains(span));
    let name = |expr: &formicary_syntax::Expr<'_>| match expr.kind {
        ExprKind::Name(name) if inside(expr.span) => Some(name.to_owned()),
        _ => None,
    };
    unit.expressions.iter().filter_map(name).collect()
}

/// The names of the questions and loops around a statement.
fn deciding(program: &Program<'_>, id: StmtId) -> Vec<String> {
    let (mut all, mut at) = (Vec::new(), id);
    while let Some(outer) = program.around(at) {
        all.extend(names(program.unit, head(program.unit, outer)));
        at = outer;
    }
    all
}

/// The variables that a statement gives a value to, or whose object it may change.
fn writes<'a>(unit: &Unit<'a>, id: StmtId) -> Vec<&'a str> {
    let mut all = Vec::new();
    match &unit.stmt(id).kind {
        StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| bases(unit, *target, &mut all)),
        StmtKind::Loop { target: Some(target), .. } => bases(unit, *target, &mut all),
        StmtKind::Expression(value) => match unit.kind(*value) {
            ExprKind::Call { callee, .. } => {
                if let ExprKind::Attribute { base, .. } = unit.kind(*callee) {
                    bases(unit, *base, &mut all);
                }
            }
            ExprKind::Update { target, .. } | ExprKind::Assign { target, .. } => {
                bases(unit, *target, &mut all)
            }
            _ => {}
        },
        _ => {}
    }
    all
}

fn bases<'a>(unit: &Unit<'a>, id: ExprId, all: &mut Vec<&'a str>) {
    match unit.kind(id) {
        ExprKind::Name(name) => all.push(name),
        ExprKind::Subscript { base, .. } | ExprKind::Attribute { base, .. } => bases(unit, *base, all),
        ExprKind::Collection { items, .. } => items.iter().for_each(|item| bases(unit, item.value, all)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_syntax::{Dialect, parse};

    #[test]
    fn only_what_the_value_comes_from_is_told() {
        for (path, text, failed, expected) in [
            (
                "f.py",
                "def f(xs):\n    count = 0\n    noise = 7\n    total = 0\n    for x in xs:\n        noise += x\n        if x > count:\n            total += x\n    return total\n",
                None,
                vec![(2, "count"), (4, "total"), (5, "x"), (8, "total")],
            ),
            (
                "f.py",
                "def f(xs):\n    at = len(xs)\n    noise = 7\n    last = xs[at]\n    return noise\n",
                Some(4),
                vec![(2, "at"), (4, "last")],
            ),
            (
                "F.java",
                "class F {\n    static int f(int n) {\n        int a = 1;\n        int b = 2;\n        a += n;\n        return a;\n    }\n}\n",
                None,
                vec![(3, "a"), (5, "a")],
            ),
        ] {
            let unit = parse(Dialect::of_file(path, text).unwrap(), text);
            let run = (1..20).collect();
            let found = slice(&unit, &run, &failed.into_iter().collect());
            let found: Vec<(u32, &str)> = found.iter().map(|(line, name)| (*line, name.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
