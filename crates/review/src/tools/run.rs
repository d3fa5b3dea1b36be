//! Running the tools that are wanted, on the files that they understand.

use super::description::{Description, Stream};
use super::{describe, names};
use crate::engine::SourceText;
use formicary_model::review::{Finding, Note, NoteKind};
use formicary_model::{Failure, FailureKind, suggest};

/// Files given to one call of a tool.
const BATCH: usize = 400;
/// The word for every tool that is installed.
pub const ALL: &str = "all";

/// Somebody who runs tools inside the sandbox, in the project's folder, which they can only read.
pub trait ToolRunner {
    /// Runs a program; none where it is not on this host.
    fn run(
        &self,
        program: &str,
        arguments: &[String],
        environment: &[(String, String)],
    ) -> Result<Option<ToolOutput>, Failure>;

    /// The project's folder as the tool sees it.
    fn root(&self) -> &str;
}

/// What a tool said.
#[derive(Debug, Clone, Default)]
pub struct ToolOutput {
    /// Its exit code; none where it was ended.
    pub code: Option<i32>,
    /// Its stdout.
    pub stdout: String,
    /// Its stderr.
    pub stderr: String,
}

/// Checks the names of tools; the word `all` stands for every one.
pub fn chosen(wanted: &[String]) -> Result<Vec<Description>, Failure> {
    if wanted.iter().any(|word| word == ALL) {
        return Ok(names().into_iter().filter_map(describe).collect());
    }
    let one = |word: &String| {
        describe(word).ok_or_else(|| {
            let hint = match suggest::nearest(word, names()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("known: {}, {ALL}", names().join(", ")),
            };
            Failure::new(FailureKind::InvalidInput, format!("unknown tool {word}")).hint(hint)
        })
    };
    wanted.iter().map(one).collect()
}

/// Runs tools over sources. A tool that is missing or fails is a note.
pub fn run_tools(
    tools: &[Description],
    sources: &[SourceText],
    runner: &dyn ToolRunner,
    has_file: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Finding>, Vec<Note>), Failure> {
    let (mut findings, mut notes) = (Vec::new(), Vec::new());
    for tool in tools {
        let files: Vec<&str> = sources
            .iter()
            .filter(|source| tool.languages.contains(&source.language))
            .map(|source| source.path.as_str())
            .collect();
        if files.is_empty() || tool.needs.as_ref().is_some_and(|needed| !has_file(needed)) {
            continue;
        }
        let whole = !tool.arguments.iter().any(|argument| argument == "{files}");
        for batch in files.chunks(if whole { files.len() } else { BATCH }) {
            match call(tool, batch, runner)? {
                Ok(found) => findings.extend(found),
                Err(why) => {
                    let message = format!("{}: {why}", tool.name);
                    notes.push(Note { kind: NoteKind::Tool, file: None, line: None, message });
                    break;
                }
            }
        }
    }
    Ok((findings, notes))
}

fn call(
    tool: &Description,
    files: &[&str],
    runner: &dyn ToolRunner,
) -> Result<Result<Vec<Finding>, String>, Failure> {
    let mut arguments = Vec::new();
    for argument in &tool.arguments {
        if argument == "{files}" {
            // A file whose name begins with a dash must not become an option.
            arguments.extend(files.iter().map(|file| format!("./{file}")));
        } else {
            arguments.push(argument.clone());
        }
    }
    let environment: Vec<(String, String)> =
        tool.environment.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let Some(output) = runner.run(&tool.program, &arguments, &environment)? else {
        return Ok(Err(format!("is not installed ({})", tool.remedy)));
    };
    if !output.code.is_some_and(|code| tool.codes.contains(&code)) {
        let said = [&output.stderr, &output.stdout].into_iter().flat_map(|text| text.lines());
        let said = said.map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing");
        let code = output.code.map_or("a signal".into(), |code| format!("code {code}"));
        return Ok(Err(format!("failed with {code}: {said}")));
    }
    let text = match tool.stream {
        Stream::Stdout => &output.stdout,
        Stream::Stderr => &output.stderr,
    };
    Ok(Ok(tool.read(text, runner.root())))
}
