//! Variables, imports and results that are unused, and such as are declared too often.

use crate::Candidate;
use crate::remedies::remedy::{GO, Remedy, Way};
use crate::remedies::spot::Spot;

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "unused-variable", about: "Uses a variable, or leaves it out",
        languages: GO, answers: &["unused-variable"], says: &[],
        way: Way::Propose(unused_variable),
        examples: &[
            ("unused-variable", "declared and not used: x", "\tx := 2\n", "\tx := 2\n\t_ = x\n"),
            ("unused-variable", "declared and not used: i", "for i, x := range xs {", "for _, x := range xs {"),
        ],
    },
    Remedy {
        name: "unused-import", about: "Removes an import",
        languages: GO, answers: &["unused-import"], says: &[],
        way: Way::Propose(|spot| vec![spot.rewrite(spot.line, "", 0.5, "Removes the import")]),
        examples: &[("unused-import", "\"os\" imported and not used", "▸import \"os\"\nfunc f() {}", "\nfunc f() {}")],
    },
    Remedy {
        name: "unused-result", about: "Assigns a value that is not used to nothing",
        languages: GO, answers: &["unused-result"], says: &[],
        way: Way::Replace(&[(r"^(\s*)(\S.*)$", "${1}_ = $2", 1.0)]),
        examples: &[("unused-result", "a + b (value of type int) is not used", "\ta + b", "\t_ = a + b")],
    },
    Remedy {
        name: "needless-colon", about: "Assigns to a variable that is declared already",
        languages: GO, answers: &["no-new-variables"], says: &[],
        way: Way::Replace(&[(":=", "=", 0.5)]),
        examples: &[("no-new-variables", "no new variables on left side of :=", "n := 2", "n = 2")],
    },
];

fn unused_variable(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"^(\w+) declared|not used: (\w+)") else { return Vec::new() };
    let start = spot.start_of(spot.line);
    let end = start + spot.here().len();
    let mut found = spot.replace(&format!(r"\b{name}(\s*,|,?\s*\w*\s*:=)"), "_$1", 0.6);
    found.extend(spot.replace(&format!(r",(\s*){name}(\s*:=)"), ",${1}_$2", 0.5));
    if !spot.here().trim_end().ends_with('{') {
        let new = format!("\n{}_ = {name}", spot.indent(spot.line));
        found.push(spot.insert(end, &new, 0.7, format!("Uses {name}")));
    }
    found.push(spot.make(vec![spot.edit(start, end, "")], 1.2, format!("Leaves {name} out")));
    found
}
