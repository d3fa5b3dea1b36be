//! Bash: commands, variables, quoting, tests, block ends, what cannot be read.

mod blocks;
mod commands;
mod quoting;
mod syntax;
mod variables;

use super::remedy::Remedy;
use super::spot::Spot;

/// What Bash cannot read.
const UNREADABLE: &[&str] =
    &["syntax-error", "unclosed-quote", "conditional-error", "arithmetic-syntax", "bad-substitution"];

pub(super) const FAMILIES: &[&[Remedy]] =
    &[commands::REMEDIES, variables::REMEDIES, quoting::REMEDIES, blocks::REMEDIES, syntax::REMEDIES];

/// Every line with what its distance from the failing one costs: Bash notices late what is open.
fn lines(spot: &Spot<'_>) -> impl Iterator<Item = (u32, f64)> + use<> {
    let here = spot.line;
    (1..=spot.count()).map(move |line| (line, f64::from(here.abs_diff(line)) * 0.05))
}
