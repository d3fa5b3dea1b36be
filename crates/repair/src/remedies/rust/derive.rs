//! Traits that types of the program lack.

use crate::Candidate;
use crate::remedies::remedy::{RUST, Remedy, Way};
use crate::remedies::spot::{Spot, regex};

const TRAITS: [&str; 7] = [
    "Debug",
    "Clone",
    "PartialEq",
    "Debug, Clone, PartialEq",
    "Clone, Copy",
    "PartialEq, Eq, Hash",
    "PartialEq, PartialOrd",
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-derive", about: "Derives the traits that programs most often lack, where a method is not there",
        languages: RUST, answers: &["E0599", "E0609", "E0560", "E0026"], says: &["named `clone`", "named `eq`", "trait bounds were not satisfied"],
        way: Way::Propose(derive),
        examples: &[("E0599", "no method named `clone` found for struct `Dog` in the current scope", "struct Dog;\nlet b = a.clone();", "#[derive(Clone)]\nstruct Dog;\nlet b = a.clone();")],
    },
    Remedy {
        name: "missing-derive", about: "Derives the traits that programs most often lack, where an operator or a bound wants one",
        languages: RUST, answers: &["E0308", "E0277", "E0369"], says: &["cannot add", "cannot multiply", "binary operation", "doesn't implement", "is not satisfied", "can't compare"],
        way: Way::Propose(derive),
        examples: &[("E0369", "binary operation `==` cannot be applied to type `Dog`", "pub struct Dog;\nf(a == b);", "#[derive(PartialEq)]\npub struct Dog;\nf(a == b);")],
    },
];

fn derive(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(kind) = regex(r"^\s*(?:pub )?(?:struct|enum) ") else { return Vec::new() };
    let types = (1..=spot.count()).filter(|line| kind.is_match(spot.line_at(*line)));
    let derived = |line: u32| {
        TRAITS.map(|traits| {
            spot.line_before(line, &format!("#[derive({traits})]"), 1.0, format!("Derives {traits}"))
        })
    };
    types.flat_map(derived).collect()
}
