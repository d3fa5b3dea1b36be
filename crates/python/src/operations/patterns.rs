//! Code by its shape: search, rewriting, copies, what a change consists of, refactorings, who calls whom.

use super::{Core, invalid, read, written};
use formicary_model::Failure;
use formicary_model::clones::CloneType;
use formicary_platform::Cancel;
use formicary_platform::patterning::RepositoryIndex;
use formicary_platform::patterns::clones::CloneRequest;
use formicary_platform::patterns::refactorings::RefactoringRequest;
use formicary_platform::patterns::{
    Chosen, IndexOptions, RefactorOptions, Refactoring, RewriteOptions, SearchOptions, Sought,
};
use formicary_platform::reviewing::engine::Watch;
use serde::Deserialize;
use std::path::PathBuf;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Asked {
    folder: Option<PathBuf>,
    paths: Vec<PathBuf>,
    language: Option<String>,
    pattern: Option<String>,
    rules: Vec<String>,
    template: Option<String>,
    write: bool,
    explain: bool,
}

impl Asked {
    fn sought(&self) -> Result<Sought, Failure> {
        match (&self.pattern, self.rules.is_empty()) {
            (Some(pattern), true) => Ok(Sought::Pattern(pattern.clone())),
            (None, false) => Ok(Sought::Rules(self.rules.clone())),
            _ => {
                Err(invalid("what is looked for is not said").hint("give a pattern or rules, one of the two"))
            }
        }
    }
}

macro_rules! watch {
    ($cancel:ident) => {
        Watch { progress: &|_, _, _| (), cancelled: &|| $cancel.is_cancelled() }
    };
}

pub(super) fn search(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Asked = read(text)?;
    let options = SearchOptions {
        working_folder: core.working_folder(asked.folder.clone())?,
        sought: asked.sought()?,
        paths: asked.paths,
        language: asked.language,
        explain: asked.explain,
    };
    written(&core.platform.search(&options, watch!(cancel))?)
}

pub(super) fn rewrite(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Asked = read(text)?;
    let options = RewriteOptions {
        working_folder: core.working_folder(asked.folder.clone())?,
        sought: asked.sought()?,
        paths: asked.paths,
        language: asked.language,
        template: asked.template,
        write: asked.write,
    };
    written(&core.platform.rewrite(&options, watch!(cancel), &mut |_| Chosen::All)?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Undone {
    folder: Option<PathBuf>,
    name: Option<String>,
}

pub(super) fn undo(core: &Core, text: &str, _: &Cancel) -> Result<String, Failure> {
    let asked: Undone = read(text)?;
    written(&core.platform.undo(&core.working_folder(asked.folder)?, asked.name.as_deref())?)
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Copies {
    folder: Option<PathBuf>,
    paths: Vec<PathBuf>,
    types: Vec<String>,
    lines: Option<u32>,
    tokens: Option<usize>,
    similarity: Option<f32>,
    without_tests: bool,
    new: Option<String>,
    baseline: Option<PathBuf>,
}

pub(super) fn clones(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Copies = read(text)?;
    let kind = |word: &String| {
        CloneType::from_word(word).ok_or_else(|| {
            invalid(format!("unknown type of clone {word}"))
                .hint("1 to 4, or exact, renamed, edited, functional")
        })
    };
    let request = CloneRequest {
        working_folder: core.working_folder(asked.folder)?,
        paths: asked.paths,
        types: asked.types.iter().map(kind).collect::<Result<_, _>>()?,
        lines: asked.lines,
        tokens: asked.tokens,
        similarity: asked.similarity,
        without_tests: asked.without_tests,
        new: asked.new,
        baseline: asked.baseline,
    };
    written(&core.platform.clones(&request, watch!(cancel))?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    folder: Option<PathBuf>,
    before: String,
    after: Option<String>,
}

pub(super) fn refactorings(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Change = read(text)?;
    let working_folder = core.working_folder(asked.folder)?;
    let request = RefactoringRequest { working_folder, before: asked.before, after: asked.after };
    written(&core.platform.refactorings(&request, watch!(cancel))?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refactored {
    folder: Option<PathBuf>,
    refactoring: Step,
    #[serde(default)]
    write: bool,
    #[serde(default)]
    verify: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Step {
    Rename { file: PathBuf, at: (usize, usize), to: String },
    ExtractVariable { file: PathBuf, from: (usize, usize), until: (usize, usize), name: String },
    ExtractFunction { file: PathBuf, first: usize, last: usize, name: String },
    Inline { file: PathBuf, at: (usize, usize) },
}

impl From<Step> for Refactoring {
    fn from(step: Step) -> Self {
        match step {
            Step::Rename { file, at, to } => Self::Rename { file, at, to },
            Step::ExtractVariable { file, from, until, name } => {
                Self::ExtractVariable { file, from, until, name }
            }
            Step::ExtractFunction { file, first, last, name } => {
                Self::ExtractFunction { file, first, last, name }
            }
            Step::Inline { file, at } => Self::Inline { file, at },
        }
    }
}

pub(super) fn refactor(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Refactored = read(text)?;
    let options = RefactorOptions {
        working_folder: core.working_folder(asked.folder)?,
        refactoring: asked.refactoring.into(),
        write: asked.write,
        verify: asked.verify,
    };
    written(&core.platform.refactor(&options, watch!(cancel))?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Indexed {
    folder: Option<PathBuf>,
    #[serde(default)]
    paths: Vec<PathBuf>,
    name: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    references: bool,
    #[serde(default)]
    certain: bool,
    #[serde(default = "one")]
    depth: usize,
}

const fn one() -> usize {
    1
}

/// What is defined in a project, with the places that name it where that is wanted.
pub(super) fn symbols(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Indexed = read(text)?;
    let index = index(core, &asked, cancel)?;
    let (name, kind) = (asked.name.as_deref(), asked.kind.as_deref());
    let found = core.platform.symbols(&index, name, kind, asked.references)?;
    let told = |(symbol, places)| serde_json::json!({"symbol": symbol, "places": places});
    written(&found.into_iter().map(told).collect::<Vec<_>>())
}

/// Who calls a function, and whom it calls.
pub(super) fn calls(core: &Core, text: &str, cancel: &Cancel) -> Result<String, Failure> {
    let asked: Indexed = read(text)?;
    let index = index(core, &asked, cancel)?;
    let name = asked.name.as_deref().ok_or_else(|| invalid("which function is not said"))?;
    let callers = core.platform.callers(&index, name, asked.depth, asked.certain)?;
    let callees = core.platform.callees(&index, name, asked.depth, asked.certain)?;
    written(&serde_json::json!({"callers": callers, "callees": callees}))
}

fn index(core: &Core, asked: &Indexed, cancel: &Cancel) -> Result<RepositoryIndex, Failure> {
    let working_folder = core.working_folder(asked.folder.clone())?;
    let options = IndexOptions { working_folder, paths: asked.paths.clone() };
    core.platform.index(&options, watch!(cancel))
}
