//! Go: names and imports, what is unused, what cannot be read, types and results, panics.

mod names;
mod runtime;
mod syntax;
mod types;
mod unused;

use super::remedy::Remedy;
use super::spot::Spot;

/// Names of the language and its library.
const COMMON: &str = "int string float64 bool byte rune error len cap append make new copy delete panic recover print \
    println nil true false Println Printf Sprintf Errorf Atoi Itoa Contains Split Join Repeat Replace TrimSpace ToUpper \
    ToLower Ints Strings Slice Sqrt Abs Max Min Floor HasPrefix HasSuffix Fields return func range Sleep Add Done Wait \
    Lock Unlock Error MaxInt64 MinInt64 MaxInt MinInt Index Exit Args Pow Ceil";

pub(super) const FAMILIES: &[&[Remedy]] =
    &[names::REMEDIES, unused::REMEDIES, types::REMEDIES, syntax::REMEDIES, runtime::REMEDIES];

/// What the function returns that holds the failing line, as its head says.
fn result<'a>(spot: &Spot<'a>) -> &'a str {
    let head = spot.before(r"^func ").map(|line| spot.line_at(line)).unwrap_or_default();
    head.rsplit(')').next().unwrap_or_default().trim().trim_end_matches('{').trim()
}
