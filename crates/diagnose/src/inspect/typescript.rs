//! TypeScript under V8's inspector: stripped first, in the sandbox, then driven as the JavaScript that it became. The driver
//! tells places by the source maps in the stripped files.

use formicary_model::{ExecutionRequest, ExecutionResult, Failure, FailureKind, Source, SourceFile, Status};

/// A program that does nothing: with it as the entry, a run strips all files and ends.
const NOTHING: &str = "formicary-nothing.ts";
const MOST_FILES: u64 = 2_000;
const MOST_BYTES: u64 = 16 << 20;

/// The run that strips.
pub fn stripping(original: &ExecutionRequest, entry: &str) -> ExecutionRequest {
    let mut files = match &original.source {
        Source::Code { code, .. } => {
            vec![SourceFile { path: entry.to_owned(), content: code.clone(), executable: false }]
        }
        Source::Files { files, .. } => files.clone(),
    };
    files.push(SourceFile { path: NOTHING.into(), content: b"export {};\n".to_vec(), executable: false });
    let mut request = ExecutionRequest {
        language: Some("typescript".into()),
        source: Source::Files { files, entry: Some(NOTHING.into()) },
        args: Vec::new(),
        stdin: Vec::new(),
        compiler_flags: Vec::new(),
        ..original.clone()
    };
    request.collect.globs = ["mjs", "cjs", "js"].map(|ending| format!("**/*.{ending}")).to_vec();
    request.collect.max_files = MOST_FILES;
    request.collect.max_bytes = MOST_BYTES;
    request
}

/// The same program as JavaScript, and its entry; an error where it could not be stripped.
pub fn stripped(
    original: &ExecutionRequest,
    entry: &str,
    result: &ExecutionResult,
) -> Result<(ExecutionRequest, String), Failure> {
    if result.status == Status::CompileError {
        let said = result.compile.as_ref().map(|compile| compile.stderr.trim()).unwrap_or_default();
        let first: String = said.lines().take(5).collect::<Vec<_>>().join("; ");
        return Err(Failure::new(FailureKind::InvalidInput, format!("the program cannot be read: {first}"))
            .hint("correct it; `formicary diagnose` shows the place"));
    }
    let stem = entry.rsplit_once('.').map_or(entry, |(stem, _)| stem);
    let is_entry = |path: &str| path.rsplit_once('.').is_some_and(|(own, _)| own == stem);
    let made = result.artifacts.iter().find(|file| is_entry(&file.path)).map(|file| file.path.clone());
    let made = made.ok_or_else(|| {
        Failure::new(FailureKind::InvalidInput, format!("{entry} is no TypeScript that can be run"))
            .hint("name a .ts file with code in it")
    })?;
    let mut files = match &original.source {
        Source::Code { code, .. } => {
            vec![SourceFile { path: entry.to_owned(), content: code.clone(), executable: false }]
        }
        Source::Files { files, .. } => files.clone(),
    };
    for artifact in result.artifacts.iter().filter(|artifact| !artifact.path.starts_with("formicary-nothing"))
    {
        if !files.iter().any(|file| file.path == artifact.path) {
            let (path, content) = (artifact.path.clone(), artifact.content.clone());
            files.push(SourceFile { path, content, executable: false });
        }
    }
    let mut request = ExecutionRequest {
        language: Some("javascript".into()),
        source: Source::Files { files, entry: Some(made.clone()) },
        compiler_flags: Vec::new(),
        ..original.clone()
    };
    request.env.insert("FORMICARY_MAPPED".into(), "1".into());
    request.env.entry("NODE_OPTIONS".into()).or_insert_with(|| "--enable-source-maps".into());
    Ok((request, made))
}
