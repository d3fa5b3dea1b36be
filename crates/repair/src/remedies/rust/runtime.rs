//! Panics.

use crate::remedies::remedy::{RUST, Remedy, Way};

const FAILED: &[&str] = &["panic"];
const BEYOND: &str = "index out of bounds: the len is 3 but the index is 3";

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "range-end", about: "Ends a range or a loop before the length",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let mut found = spot.replace_in(spot.upwards(10), r"\.\.=(\w+\.len\(\))", "..$1", 1.0, 0.1);
            found.extend(spot.replace_in(spot.upwards(10), r"<= (\w+\.len\(\))", "< $1", 1.0, 0.1));
            found.extend(spot.replace_in(spot.upwards(10), r"\.\.=", "..", 1.3, 0.1));
            found
        }),
        examples: &[("panic", BEYOND, "for i in 0..=xs.len() {\n    sum += xs[i];", "for i in 0..xs.len() {\n    sum += xs[i];")],
    },
    Remedy {
        name: "last-index", about: "Takes the last element instead of the one behind it",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"\[(\w+)\.len\(\)\]", "[$1.len() - 1]", 0.7)]),
        examples: &[("panic", BEYOND, "let x = xs[xs.len()];", "let x = xs[xs.len() - 1];")],
    },
    Remedy {
        name: "unwrap", about: "Takes the empty value where there is none",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"\.unwrap\(\)", ".unwrap_or_default()", 1.2)]),
        examples: &[("panic", "called `Option::unwrap()` on a `None` value", "let n = xs.pop().unwrap();", "let n = xs.pop().unwrap_or_default();")],
    },
    Remedy {
        name: "underflow", about: "Stops at zero",
        languages: RUST, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"(\w+) - 1\b", "$1.saturating_sub(1)", 1.3)]),
        examples: &[("panic", "attempt to subtract with overflow", "let m = n - 1;", "let m = n.saturating_sub(1);")],
    },
    Remedy {
        name: "zero-guard", about: "Returns where a divisor is zero",
        languages: RUST, answers: FAILED, says: &["divide by zero"],
        way: Way::Propose(|spot| {
            let guard = spot.captured(r"[/%]\s*(\w+)").map(|divisor| {
                let new = format!("if {divisor} == 0 {{ return 0; }}");
                spot.line_before(spot.line, &new, 1.1, format!("Returns where {divisor} is zero"))
            });
            Vec::from_iter(guard)
        }),
        examples: &[("panic", "attempt to divide by zero", "    a / b", "    if b == 0 { return 0; }\n    a / b")],
    },
];
