//! A second look at a failing test: the program alone, run so that its failure reports its variables too.

use crate::judges::python::RUNNER;
use crate::verify::one_program;
use formicary_diagnose::command::Meaning;
use formicary_diagnose::project::Project;
use formicary_model::{Diagnosis, ExecutionRequest, Source, SourceFile};

/// Runs the tests one after the other and catches nothing.
const FIRST_FAILURE: (&str, &str) = ("formicary_first_failure.py", include_str!("first_failure.py"));

/// The request that looks; none where the tests cannot be looked into this way. `plain` says that neither tests nor a
/// command for them were given.
pub fn request(
    project: &Project,
    base: &ExecutionRequest,
    plain: bool,
    seconds: f64,
) -> Option<ExecutionRequest> {
    let case = &project.case;
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
            let is_main = |path: &str| path.rsplit('/').next() == Some(name.as_str());
            case.files.iter().find(|file| is_main(&file.path))?.path.clone()
        }
        Meaning::Program { entry } => entry.clone(),
        Meaning::Opaque if plain => project.named.clone()?,
        Meaning::Opaque => return None,
    };
    let own = case.files.iter().map(|file| (file.path.as_str(), file.text.as_str()));
    let mut files: Vec<SourceFile> = own
        .chain(added)
        .map(|(path, text)| SourceFile { path: path.into(), content: text.into(), executable: false })
        .collect();
    if matches!(project.command.meaning, Meaning::Program { .. }) {
        one_program(&mut files, &entry, case.language);
    }
    let mut request = ExecutionRequest {
        language: Some(case.language.id().to_owned()),
        source: Source::Files { files, entry: Some(entry) },
        args,
        ..base.clone()
    };
    let first = project.cases.pairs.first();
    request.stdin = first.map(|(stdin, _)| stdin.clone().into_bytes()).unwrap_or_default();
    // It runs the program more than once.
    request.limits.wall_seconds = Some((seconds / 2.0).clamp(0.5, 10.0));
    Some(request)
}

/// What was seen, without our own frames; none where the tests did not fail then.
pub fn seen(mut diagnosis: Diagnosis) -> Option<Diagnosis> {
    let is_ours = |file: &str| [RUNNER.0, FIRST_FAILURE.0].iter().any(|name| file.ends_with(name));
    for error in &mut diagnosis.errors {
        error.stack.retain(|frame| !frame.file.as_deref().is_some_and(is_ours));
    }
    (!diagnosis.errors.is_empty()).then_some(diagnosis)
}
