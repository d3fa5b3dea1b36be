//! JavaScript and TypeScript: the program's own files are rewritten here, and a runtime beside them records and explains.
//!
//! The runtime is JavaScript that is loaded before the program (`runtime/`); it follows the failing value as soon as an
//! exception is about to end the process, or when the process ends after it reported one itself.

mod instrument;

use super::{REPORT, REPORT_BYTES, Reported};
use formicary_model::{CauseStep, ExecutionRequest, Language, Source, SourceFile};
use instrument::table::Table;
use serde::Deserialize;

/// What runs in the runtime's own realm, in this order.
const RUNTIME: &str = concat!(
    // Names of a function are found faster than those of a realm.
    "(function (host, ENTER, SITES) {\n\"use strict\";\n",
    include_str!("runtime/record.js"),
    include_str!("runtime/values.js"),
    include_str!("runtime/places.js"),
    include_str!("runtime/events.js"),
    include_str!("runtime/steps.js"),
    include_str!("runtime/follow.js"),
    include_str!("runtime/parameters.js"),
    include_str!("runtime/calls.js"),
    include_str!("runtime/objects.js"),
    include_str!("runtime/stores.js"),
    include_str!("runtime/failure.js"),
    include_str!("runtime/report.js"),
    "})",
);
const START: &str = include_str!("runtime/start.cjs");
const START_PATH: &str = "formicary-causes.cjs";

/// Larger files are generated, and not what somebody looks for a mistake in.
const MOST_BYTES: usize = 512 * 1024;
/// Frames of a stack: libraries may lie between the failure and the program's own code.
const STACK: &str = "--stack-trace-limit=60";

/// What the watched run reports.
#[derive(Debug, Deserialize)]
struct Report {
    types: Vec<String>,
    file: String,
    line: u32,
    steps: Vec<CauseStep>,
}

/// The run that finds the chain; none if no file could be rewritten.
pub(super) fn request(
    original: &ExecutionRequest,
    language: Language,
    entry: &str,
) -> Option<ExecutionRequest> {
    let (mut files, alone) = match &original.source {
        Source::Code { code, .. } => {
            let file = SourceFile { path: entry.to_owned(), content: code.clone(), executable: false };
            (vec![file], true)
        }
        Source::Files { files, .. } => (files.clone(), files.len() == 1),
    };
    let mut table = Table::default();
    let mut entry = entry.to_owned();
    let packaged = files.iter().any(|file| file.path == "package.json");
    for file in &mut files {
        if file.content.len() > MOST_BYTES || file.path.contains("node_modules/") {
            continue;
        }
        let Ok(source) = std::str::from_utf8(&file.content) else { continue };
        let Some(text) = instrument::file(&mut table, &file.path, source) else { continue };
        file.content = text.into_bytes();
        // A lone module is run as such, whatever its name: beside the runtime it is no longer alone.
        if let Some(stem) = file.path.strip_suffix(".js")
            && file.path == entry
            && alone
            && !packaged
            && table.last_is_module()
        {
            let path = format!("{stem}.mjs");
            table.run_as(&path);
            entry.clone_from(&path);
            file.path = path;
        }
    }
    if table.files.is_empty() {
        return None;
    }
    files.push(SourceFile { path: START_PATH.into(), content: start(&table)?.into(), executable: false });
    let mut request = ExecutionRequest {
        language: Some(language.id().to_owned()),
        source: Source::Files { files, entry: Some(entry.clone()) },
        ..original.clone()
    };
    let required = format!("./{START_PATH}");
    if language == Language::TypeScript || files_of(&request).any(|path| path.ends_with(".jsx")) {
        // Types and markup are stripped by the language's own way of running.
        let options = request.env.entry("NODE_OPTIONS".into()).or_default();
        options.push_str(&format!(" --require {required} {STACK}"));
    } else {
        let command = ["node", "--require", &required, STACK, &entry];
        request.command = Some(command.map(str::to_owned).to_vec());
    }
    request.collect.globs = vec![REPORT.into()];
    request.collect.max_files = 1;
    request.collect.max_bytes = REPORT_BYTES;
    Some(request)
}

fn files_of(request: &ExecutionRequest) -> impl Iterator<Item = &str> {
    let files = match &request.source {
        Source::Files { files, .. } => files.as_slice(),
        Source::Code { .. } => &[],
    };
    files.iter().map(|file| file.path.as_str())
}

/// The program that is loaded first, with the runtime and the table in it as texts.
fn start(table: &Table) -> Option<String> {
    let nodes = table.nodes.len().to_string();
    // The table comes last: the program's own text in it may hold any word.
    let texts = [("FORMICARY_RUNTIME", RUNTIME.to_owned()), ("FORMICARY_TABLE", table.json())];
    let sites = (table.nodes.len() + table.functions.len()).to_string();
    let mut text = START.replace("FORMICARY_ENTER", &nodes).replace("FORMICARY_SITES", &sites);
    for (name, value) in texts {
        text = text.replacen(name, &serde_json::to_string(&value).ok()?, 1);
    }
    Some(text)
}

/// A report as the watched run left it.
pub(super) fn read(content: &[u8]) -> Option<Reported> {
    let report: Report = serde_json::from_slice(content).ok()?;
    Some(Reported { types: report.types, file: report.file, line: report.line, steps: report.steps })
}
