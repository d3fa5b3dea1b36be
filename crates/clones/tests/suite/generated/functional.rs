//! The same work in another form: loops, assignments and results written another way.

use super::mutate::renamed;
use super::originals::Original;
use formicary_syntax::{Dialect, ExprKind, LoopKind, StmtKind, parse};
use formicary_testkit::Chance;

/// Rewrites what can be rewritten, and renames; none where too little can.
pub fn rewritten(original: &Original, chance: &mut Chance) -> Option<String> {
    let text = renamed(original, chance);
    let text = if parse(original.dialect, &text).notes.is_empty() { text } else { original.text.clone() };
    let unit = parse(original.dialect, &text);
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for (_, stmt) in unit.stmts().filter(|(_, stmt)| stmt.function.is_some()) {
        let line = unit.lines.line(stmt.span.start);
        let start = unit.lines.start(line) as usize;
        let indent = &text[start..stmt.span.start as usize];
        if !indent.trim().is_empty() {
            continue;
        }
        let (from, to) = (stmt.span.start as usize, stmt.span.end as usize);
        match &stmt.kind {
            StmtKind::Assign { targets, operator: Some(_), value: Some(value), .. } => {
                let (target, value) =
                    (unit.text(unit.expr(targets[0]).span), unit.text(unit.expr(*value).span));
                let whole = unit.text(stmt.span);
                let Some((_, rest)) = whole.split_once(target) else { continue };
                let mark: String = rest.trim_start().chars().take_while(|c| *c != '=').collect();
                let end = if whole.ends_with(';') { ";" } else { "" };
                edits.push((from, to, format!("{target} = {target} {mark} ({value}){end}")));
            }
            StmtKind::Return(Some(value))
                if matches!(original.dialect, Dialect::Python | Dialect::JavaScript) =>
            {
                if matches!(unit.kind(*value), ExprKind::Name(_) | ExprKind::Literal(_)) {
                    continue;
                }
                let value = unit.text(unit.expr(*value).span);
                let declared = if original.dialect == Dialect::Python { "" } else { "const " };
                edits.push((
                    from,
                    to,
                    format!("{declared}answer{from} = {value}\n{indent}return answer{from}"),
                ));
            }
            StmtKind::Loop { kind: LoopKind::For, body, .. } => {
                edits.extend(as_while(&unit, &text, (from, to), body.is_empty()));
            }
            _ => {}
        }
    }
    if edits.len() < 2 {
        return None;
    }
    edits.sort_by_key(|(from, _, _)| *from);
    let mut out = String::new();
    let mut at = 0;
    for (from, to, new) in edits {
        if from < at {
            continue;
        }
        out += &text[at..from];
        out += &new;
        at = to;
    }
    Some(out + &text[at..])
}

// `for (a; b; c) { d }` becomes `a; while (b) { d c; }` where nothing jumps over `c`.
fn as_while(
    unit: &formicary_syntax::Unit<'_>,
    text: &str,
    (from, to): (usize, usize),
    empty: bool,
) -> Option<(usize, usize, String)> {
    let whole = &text[from..to];
    if empty || whole.contains("continue") || unit.dialect == Dialect::Go || !whole.ends_with('}') {
        return None;
    }
    let head_end = whole.find(") {")?;
    let head = whole.get(5..head_end).filter(|_| whole.starts_with("for ("))?;
    let [first, test, next] = head.split(';').map(str::trim).collect::<Vec<_>>().try_into().ok()?;
    if first.is_empty() || test.is_empty() || next.is_empty() || next.contains(',') {
        return None;
    }
    let body = &whole[head_end + 3..whole.len() - 1];
    Some((from, to, format!("{first};\nwhile ({test}) {{{body}{next};\n}}")))
}
