//! A further run of a program under a small program of ours, which sits beside its files in the sandbox.

use formicary_model::{ExecutionRequest, Language, Source, SourceFile};

/// The request that runs `entry` of a Python program under `watcher`; none if the entry is not one of the files.
pub fn request(
    original: &ExecutionRequest,
    entry: &str,
    path: &str,
    watcher: &str,
    arguments: &[&str],
) -> Option<ExecutionRequest> {
    let mut files = match &original.source {
        Source::Code { code, .. } => {
            vec![SourceFile { path: entry.to_owned(), content: code.clone(), executable: false }]
        }
        Source::Files { files, .. } => files.clone(),
    };
    files.iter().any(|file| file.path == entry).then_some(())?;
    files.push(SourceFile { path: path.to_owned(), content: watcher.into(), executable: false });
    let command = ["python3", path].into_iter().chain(arguments.iter().copied()).chain([entry]);
    Some(ExecutionRequest {
        language: Some(Language::Python.id().to_owned()),
        source: Source::Files { files, entry: Some(entry.to_owned()) },
        command: Some(command.map(str::to_owned).collect()),
        ..original.clone()
    })
}

/// A string of a report, cut to a bound: the program could have written the report itself.
pub fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// A value as code within a sentence.
pub fn quoted(text: &str) -> String {
    const WIDTH: usize = 80;
    let shown: String = text.chars().take(WIDTH).collect();
    let ending = if shown.len() < text.len() { "…" } else { "" };
    format!("`{shown}{ending}`")
}
