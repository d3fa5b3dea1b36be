//! What pyscn tells of Python code: from pyscn itself, in the sandbox, where it is installed; from our own analysis where not.

use super::project;
use crate::facade::Platform;
use crate::keys;
use crate::use_case::{Context, Effect, UseCase};
use formicary_model::Failure;
use formicary_model::review::PyscnInput;
use formicary_review::PyscnAnalyzer;
use formicary_review::discover::{Scope, discover};
use formicary_review::native::NativeAnalyzer;
use formicary_review::pyscn::PyscnReport;
use formicary_review::settings::ReviewSettings;
use formicary_review::tools::ToolRunner;

/// Measures a project's Python code. Parts of a project are always measured by our own analysis.
pub struct MeasurePython;

impl UseCase for MeasurePython {
    const NAME: &'static str = "review.pyscn";
    const PATH: &'static str = "/v1/review/pyscn";
    const ABOUT: &'static str = "Measure Python code as pyscn does";
    const SCOPE: Option<keys::Scope> = Some(keys::Scope::Review);
    const EFFECT: Effect = Effect::Runs;
    type Input = PyscnInput;
    type Output = PyscnReport;

    fn run(
        platform: &Platform,
        context: &Context<'_>,
        PyscnInput(code): PyscnInput,
    ) -> Result<PyscnReport, Failure> {
        let workspace = context.workspace(&code)?;
        let measured = context.watched(|watch| {
            let place = project::find_paths(workspace.directory(), workspace.paths())?;
            let settings = ReviewSettings::default();
            let whole = place.paths.is_empty();
            let scope = Scope {
                root: place.root.clone(),
                paths: place.paths,
                exclude: settings.excluded(),
                max_file_bytes: settings.max_file_bytes,
            };
            let found = discover(&scope, watch)?;
            let tools = platform.external_tools(&place.root);
            let runner = whole.then_some(&tools as &dyn ToolRunner);
            PyscnAnalyzer::new(&NativeAnalyzer::default(), runner).analyze(&found.sources)
        });
        measured.map_err(|failure| workspace.explain(failure))
    }
}
