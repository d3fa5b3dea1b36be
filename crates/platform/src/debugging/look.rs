//! A second look at a failing test: the program alone, run so that its failure tells its variables too.

use super::fix::FixOptions;
use super::project::Project;
use crate::facade::Platform;
use formicary_execution::Live;
use formicary_model::{Caller, Diagnosis, ExecutionRequest, Source, SourceFile};
use formicary_repair::command::Meaning;
use formicary_repair::judges::python::RUNNER;
use formicary_repair::verify::one_program;
use formicary_sandbox::Cancel;

/// Runs the tests one after the other and catches nothing.
const FIRST_FAILURE: (&str, &str) = ("formicary_first_failure.py", include_str!("first_failure.py"));

impl Platform {
    /// Nothing where the tests cannot be looked into this way, or do not fail then.
    pub(super) fn second_look(
        &self,
        caller: &Caller,
        options: &FixOptions,
        base: &ExecutionRequest,
        project: &Project,
        seconds: f64,
        cancel: &Cancel,
    ) -> Option<Diagnosis> {
        let case = &project.case;
        let plain = options.input.test.is_none() && options.input.tests.is_none();
        let mut added = Vec::new();
        let mut args = Vec::new();
        let entry = match &project.command.meaning {
            Meaning::PythonScript { path, arguments } => {
                args.clone_from(arguments);
                path.clone()
            }
            Meaning::NodeScript { path } => path.clone(),
            Meaning::PythonTests { files, .. } => {
                added.extend([RUNNER, FIRST_FAILURE]);
                args.clone_from(files);
                FIRST_FAILURE.0.to_owned()
            }
            Meaning::JavaMain { class, .. } => {
                let name = format!("{class}.java");
                case.files
                    .iter()
                    .find(|file| file.path.rsplit('/').next() == Some(name.as_str()))?
                    .path
                    .clone()
            }
            Meaning::Program { entry } => entry.clone(),
            Meaning::Opaque if plain => project.named.clone()?,
            Meaning::Opaque => return None,
        };
        let own = case.files.iter().map(|file| SourceFile {
            path: file.path.clone(),
            content: file.text.clone().into_bytes(),
            executable: false,
        });
        let brought = added.iter().map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            content: (*text).into(),
            executable: false,
        });
        let mut files: Vec<SourceFile> = own.chain(brought).collect();
        if matches!(project.command.meaning, Meaning::Program { .. }) {
            one_program(&mut files, &entry, case.language);
        }
        let mut request = ExecutionRequest {
            language: Some(case.language.id().to_owned()),
            source: Source::Files { files, entry: Some(entry) },
            args,
            ..base.clone()
        };
        request.stdin =
            project.cases.pairs.first().map(|(stdin, _)| stdin.clone().into_bytes()).unwrap_or_default();
        request.limits.wall_seconds = Some(seconds.clamp(3.0, 10.0));
        let live = Live { cancel: cancel.clone(), ..Live::default() };
        let mut seen = self.diagnose_as(caller, request, live).ok()?.0;
        let ours = |file: &str| added.iter().any(|(name, _)| file.ends_with(name));
        for error in &mut seen.errors {
            error.stack.retain(|frame| !frame.file.as_deref().is_some_and(ours));
        }
        (!seen.errors.is_empty()).then_some(seen)
    }
}
