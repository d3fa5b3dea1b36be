//! Where runs are kept: a directory each, with what was ordered, the transcript, and the outcome.

use crate::directory::WriteFiles;
use crate::journal::{self, Record};
use crate::{Ending, Order, Outcome, Tree, invalid, page};
use formicary_llm::Capabilities;
use formicary_model::{ExecutionRequest, Failure, FailureKind, suggest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const RUN: &str = "run.json";
const OUTCOME: &str = "outcome.json";
const PAGE: &str = "transcript.html";
const FILES: &str = "files";
/// The transcript.
pub const TRANSCRIPT: &str = "transcript.jsonl";

/// Everything that a run needs to begin, or to go on.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunFile {
    /// What is wanted.
    pub order: Order,
    /// The files at the start.
    pub base: Tree,
    /// The model's name.
    pub model_name: String,
    /// What the model can do.
    pub capabilities: Capabilities,
    /// A request as the configuration had it.
    pub request: ExecutionRequest,
    /// How its model was reached, by the names of the settings; runs of older versions do not say.
    #[serde(default)]
    pub settings: Option<BTreeMap<String, serde_json::Value>>,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeptRun {
    /// Its name.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// How it ended; nothing where it has not: it can be resumed.
    pub ending: Option<Ending>,
    /// The model.
    pub model: String,
    /// The beginning of the task.
    pub task: String,
}

/// A run with its transcript.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunView {
    /// What was wanted.
    pub order: Order,
    /// Every record.
    pub records: Vec<Record>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Where it is kept.
    pub folder: PathBuf,
    /// The transcript as a page.
    #[serde(skip)]
    pub page: String,
}

/// The directory of all runs.
pub struct Store(PathBuf);

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    invalid(format!("{}: {error}", path.display()), "set agent.folder to a directory that you may write")
}

impl Store {
    /// The runs below this directory.
    pub fn new(directory: PathBuf) -> Self {
        Self(directory)
    }

    /// A new run's name and directory.
    pub fn create(&self) -> Result<(String, PathBuf), Failure> {
        use std::os::unix::fs::DirBuilderExt as _;
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.0)
            .map_err(|error| cannot(&self.0, &error))?;
        loop {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            // By name they are in the order of their beginning, within a second too; two at the same moment differ by chance.
            let fraction = u64::from(now.subsec_nanos()) * 0x1_0000 / 1_000_000_000;
            let chance = std::hash::RandomState::new().build_hasher().finish() & 0xff;
            let id = format!("{:08x}-{fraction:04x}{chance:02x}", now.as_secs());
            let place = self.0.join(&id);
            match std::fs::DirBuilder::new().mode(0o700).create(&place) {
                Ok(()) => return Ok((id, place)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot(&place, &error)),
            }
        }
    }

    fn ids(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut ids: Vec<String> = entries
            .filter(|entry| entry.path().join(RUN).is_file())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        ids.sort_by(|a, b| b.cmp(a));
        ids
    }

    /// A run by its name, by the beginning of it, or the newest as `last`.
    pub fn find(&self, id: &str) -> Result<(RunFile, PathBuf), Failure> {
        let ids = self.ids();
        let fitting: Vec<&String> = match id {
            "last" => ids.first().into_iter().collect(),
            _ => ids.iter().filter(|known| !id.is_empty() && known.starts_with(id)).collect(),
        };
        let place = match fitting.as_slice() {
            [one] => self.0.join(one),
            [] => {
                let known = ids.iter().map(String::as_str);
                let hint = suggest::hint(id, known, || "`formicary agent list` lists the runs");
                return Err(invalid(format!("there is no run {id:?}"), hint));
            }
            many => {
                return Err(invalid(
                    format!("{} runs begin with {id:?}", many.len()),
                    "write more of its name",
                ));
            }
        };
        Ok((read_run(&place)?, place))
    }

    /// Every run, the newest first.
    pub fn list(&self) -> Result<Vec<KeptRun>, Failure> {
        let run = |id: String| {
            let place = self.0.join(&id);
            let run = read_run(&place).ok()?;
            let ending = read_outcome(&place).map(|outcome| outcome.ending);
            let task = run.order.task.text.lines().next().unwrap_or_default().chars().take(80).collect();
            Some(KeptRun { id, started: run.order.started, ending, model: run.order.model, task })
        };
        Ok(self.ids().into_iter().filter_map(run).collect())
    }
}

/// Writes a file so that it is whole or not there.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let part = path.with_extension("part");
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&part)?;
        std::io::Write::write_all(&mut file, bytes)?;
        file.sync_all()?;
        std::fs::rename(&part, path)
    };
    write().map_err(|error| cannot(path, &error))
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(|error| Failure::new(FailureKind::Internal, error.to_string()))
}

/// Writes what a run begins with.
pub fn write_run(place: &Path, run: &RunFile) -> Result<(), Failure> {
    write_whole(&place.join(RUN), &json(run)?)
}

fn read_run(place: &Path) -> Result<RunFile, Failure> {
    let path = place.join(RUN);
    let bytes = std::fs::read(&path).map_err(|error| cannot(&path, &error))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        invalid(format!("{}: {error}", path.display()), "it was made by another version; start a new run")
    })
}

fn read_outcome(place: &Path) -> Option<Outcome> {
    serde_json::from_slice(&std::fs::read(place.join(OUTCOME)).ok()?).ok()
}

/// Writes the outcome of a run: report, page, files.
pub fn write_outcome(
    place: &Path,
    run: &RunFile,
    outcome: &Outcome,
    write_files: &WriteFiles<'_>,
) -> Result<(), Failure> {
    let files = place.join(FILES);
    match std::fs::remove_dir_all(&files) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(cannot(&files, &error)),
        _ => {}
    }
    write_files(&files, &outcome.files.source_files())?;
    let (records, _) = journal::read(&place.join(TRANSCRIPT))?;
    write_whole(&place.join(PAGE), page::page(&run.order, &records, Some(outcome)).as_bytes())?;
    write_whole(&place.join(OUTCOME), &json(outcome)?)
}

/// A run with its transcript.
pub fn view(run: RunFile, place: &Path) -> Result<RunView, Failure> {
    let (records, _) = journal::read(&place.join(TRANSCRIPT))?;
    let outcome = read_outcome(place);
    let page = page::page(&run.order, &records, outcome.as_ref());
    Ok(RunView { order: run.order, records, outcome, folder: place.to_owned(), page })
}
