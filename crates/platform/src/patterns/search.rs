//! Finding code by its structure, and judging the rules by which it is found.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::use_case::{Context, declare};
use formicary_model::Failure;
use formicary_model::patterns::{RuleTestReport, SearchInput, SearchReport};
use formicary_review::sources;
use formicary_search::{Rule, Sought, rule_tests, search, shipped};
use std::path::Path;

declare!(
    /// Finds code by its shape.
    Search, "search", Post "/v1/search", "Find code by its structure", Some(Scope::Review), Reads,
    SearchInput => SearchReport, run
);

fn run(_: &Platform, context: &Context<'_>, input: SearchInput) -> Result<SearchReport, Failure> {
    let sought = Sought::of(input.pattern.as_deref(), &input.rules)?;
    let workspace = context.workspace(&input.code)?;
    let found = context.watched(|watch| {
        let rules = sought.rules(workspace.directory(), input.language.as_deref())?;
        let read = sources::read(workspace.directory(), workspace.paths(), watch)?;
        // Of many rules most find nothing, and why is of no interest.
        let with_nearest = input.explain && input.pattern.is_some();
        let mut report = search(rules, read.sources, with_nearest, watch.cancelled);
        report.skipped.extend(read.skipped);
        let matches = report.matches.iter_mut().map(|found| &mut found.file);
        let nearest = report.nearest.iter_mut().filter_map(|near| near.file.as_mut());
        let skipped = report.skipped.iter_mut().map(|skipped| &mut skipped.file);
        matches.chain(nearest).chain(skipped).for_each(|file| read.viewpoint.rewrite(file));
        report.skipped.sort();
        Ok(report)
    });
    found.map_err(|failure: Failure| workspace.explain(failure))
}

impl Platform {
    /// Judges rules by the tests that they carry.
    pub fn test_rules(&self, directory: &Path, names: &[String]) -> Result<RuleTestReport, Failure> {
        let names = if names.is_empty() { vec!["all".to_owned()] } else { names.to_vec() };
        Ok(rule_tests::test_rules(&Sought::Rules(names).rules(directory, None)?))
    }

    /// The pattern rules that come with Formicary.
    pub fn shipped_patterns(&self) -> Result<Vec<Rule>, Failure> {
        Ok(shipped::rules()?)
    }
}
