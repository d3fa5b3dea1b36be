//! Which rules change code, and what they make of many files.

use super::{ASTTransformer, Change};
use crate::named::{Sought, invalid};
use crate::{Pattern, Rule, Source};
use formicary_model::Failure;
use formicary_model::patterns::LeftAlone;
use rayon::prelude::*;

/// The rules with the template in place of their fix, or with the fix that they have.
pub fn with_fixes(sought: &Sought, rules: Vec<Rule>, template: Option<&str>) -> Result<Vec<Rule>, Failure> {
    let Some(template) = template else {
        if matches!(sought, Sought::Pattern(_)) {
            return Err(invalid(
                "what takes the pattern's place is not given",
                "give it as `to`, with --to TEMPLATE on the command line",
            ));
        }
        if !rules.iter().any(Rule::has_fix) {
            return Err(invalid("none of the rules has a fix", "add `fix:` to a rule, or use search"));
        }
        return Ok(rules);
    };
    let with_fix = |rule: Rule| {
        rule.with_fix(template).map_err(|error| {
            let message = error.to_string();
            let message = message.strip_prefix("rule : ").map(str::to_owned).unwrap_or(message);
            invalid(message, "use metavariables of the pattern, or name them in it")
        })
    };
    let fixed: Vec<Rule> = rules.into_iter().map(with_fix).collect::<Result<_, _>>()?;
    // A template that no language of the pattern understands would be refused file by file.
    let readable = |rule: &Rule| template.trim().is_empty() || Pattern::new(rule.dialect, template).is_ok();
    if fixed.iter().any(readable) {
        return Ok(fixed.into_iter().filter(readable).collect());
    }
    match fixed.first().and_then(|rule| Pattern::new(rule.dialect, template).err()) {
        Some(error) => Err(invalid(
            error.to_string().replace("pattern", "template"),
            "write the template in the pattern's language",
        )),
        None => Ok(fixed),
    }
}

/// What becomes of the files that the rules match: changes, and files that are left alone though they match.
pub fn changes(
    rules: Vec<Rule>,
    sources: &[Source],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> (Vec<Change>, Vec<LeftAlone>) {
    let transformer = ASTTransformer::new(rules);
    let reads = |source: &&Source| transformer.matcher().reads(source.dialect()) && !cancelled();
    let done: Vec<_> = sources.par_iter().filter(reads).map(|source| transformer.rewrite(source)).collect();
    let (mut changes, mut left) = (Vec::new(), Vec::new());
    for one in done {
        match one {
            Ok(change) => changes.extend(change),
            Err(why) => left.push(why),
        }
    }
    (changes, left)
}
