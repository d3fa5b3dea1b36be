//! What pyscn tells of a project: from pyscn itself, in the sandbox, where it is installed; from our own analysis where not.

use crate::facade::Platform;
use crate::review::ReviewOptions;
use crate::review::project;
use crate::review::tools::SandboxedTools;
use formicary_model::Failure;
use formicary_review::PyscnAnalyzer;
use formicary_review::discover::{Scope, discover};
use formicary_review::engine::Watch;
use formicary_review::native::NativeAnalyzer;
use formicary_review::pyscn::PyscnReport;
use formicary_review::settings::ReviewSettings;

impl Platform {
    /// The figures of a project's Python code. Parts of a project are always measured by our own analysis.
    pub fn pyscn(&self, options: &ReviewOptions) -> Result<PyscnReport, Failure> {
        let place = project::find_paths(&options.working_folder, &options.paths)?;
        let settings = ReviewSettings::default();
        let whole = place.paths.is_empty();
        let scope = Scope {
            root: place.root.clone(),
            paths: place.paths,
            exclude: settings.excluded(),
            max_file_bytes: settings.max_file_bytes,
        };
        let found = discover(&scope, Watch::NOBODY)?;
        let tools = SandboxedTools {
            providers: &self.providers,
            provider: self.configuration().word("provider"),
            search: &self.execution.toolchains,
            root: &place.root,
        };
        let analyzer = NativeAnalyzer::default();
        let runner = whole.then_some(&tools as &dyn formicary_review::tools::ToolRunner);
        PyscnAnalyzer::new(&analyzer, runner).analyze(&found.sources)
    }
}
