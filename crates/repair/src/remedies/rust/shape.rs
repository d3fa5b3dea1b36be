//! Visibility, arms, fields, arguments.

use crate::Candidate;
use crate::remedies::remedy::{RUST, Remedy, Way};
use crate::remedies::spot::Spot;

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-pub", about: "Makes a private item or field public",
        languages: RUST, answers: &["E0616", "E0603", "E0624"], says: &[],
        way: Way::Propose(missing_pub),
        examples: &[("E0603", "function `f` is private", "mod a { fn f() {} }\na::f();", "mod a { pub fn f() {} }\na::f();")],
    },
    Remedy {
        name: "missing-arm", about: "Adds an arm for what is left",
        languages: RUST, answers: &["E0004"], says: &[],
        way: Way::Propose(missing_arm),
        examples: &[("E0004", "non-exhaustive patterns: `_` not covered", "▸match n {\n    1 => 2,\n}", "match n {\n    1 => 2,\n    _ => 0,\n}")],
    },
    Remedy {
        name: "missing-field", about: "Gives a field a first value",
        languages: RUST, answers: &["E0063"], says: &[],
        way: Way::Propose(missing_field),
        examples: &[("E0063", "missing field `y` in initializer of `Point`", "let p = Point { x: 1 };", "let p = Point { x: 1, y: 0 };")],
    },
    Remedy {
        name: "argument-dropped", about: "Leaves the last argument out",
        languages: RUST, answers: &["E0061"], says: &[],
        way: Way::Replace(&[(r"(\w+\([^()]*?),\s*[^,()]+\)", "$1)", 1.2)]),
        examples: &[("E0061", "this function takes 1 argument but 2 arguments were supplied", "f(1, 2);", "f(1);")],
    },
];

fn missing_pub(spot: &Spot<'_>) -> Vec<Candidate> {
    let name = spot.said(r"'(?:\w+::)*(\w+)(?:\.\w+)*'").unwrap_or_default();
    let pattern = format!(r"(^|[{{,\s])((?:fn|struct|enum|const|static|mod|type|trait) {name}\b|{name}\s*:)");
    spot.replace_in(1..=spot.count(), &pattern, "${1}pub $2", 0.7, 0.0)
}

fn missing_arm(spot: &Spot<'_>) -> Vec<Candidate> {
    let indent = spot.indent(spot.line);
    let closes =
        |line: &u32| spot.line_at(*line).trim_start().starts_with('}') && spot.indent(*line) == indent;
    let Some(end) = (spot.line + 1..=spot.count()).find(closes) else { return Vec::new() };
    let at = spot.start_of(end);
    let costs = (0..).map(|rank| 1.0 + f64::from(rank) * 0.1);
    let arm = |(value, cost)| {
        spot.insert(at, &format!("{indent}    _ => {value},\n"), cost, "Adds an arm for what is left")
    };
    let values = ["{}", "0", "unreachable!()", "None", "String::new()", "false", "\"\""];
    values.into_iter().zip(costs).map(arm).collect()
}

fn missing_field(spot: &Spot<'_>) -> Vec<Candidate> {
    let field = spot.said(r"missing fields? '(\w+)'").unwrap_or_default();
    let values = ["0", "String::new()", "Default::default()", "Vec::new()"].into_iter();
    values.flat_map(|value| spot.replace(r"\s*\}", &format!(", {field}: {value} }}"), 1.0)).collect()
}
