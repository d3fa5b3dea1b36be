//! What is judged: a program and its cases, from whatever source.

use formicary_model::{Comparison, ExecutionRequest, Failure, FailureKind, Source};
use std::path::PathBuf;
use std::sync::Arc;

/// What a source of items gives: an item, or why there is none.
pub enum Feed {
    /// A program to be judged.
    Item(Box<Item>),
    /// A line that cannot be read; the rest goes on.
    Broken {
        /// Its number.
        line: u64,
        /// What is wrong with it.
        failure: Failure,
    },
}

impl Feed {
    /// The line, and the item's name where there is one.
    pub fn name(&self) -> (u64, &str) {
        match self {
            Self::Item(item) => (item.line, &item.id),
            Self::Broken { line, .. } => (*line, ""),
        }
    }
}

impl Feed {
    /// What it takes of memory, near enough. Cases in files take none until they run.
    pub fn bytes(&self) -> u64 {
        let Self::Item(item) = self else { return 0 };
        let code: usize = match &item.request.source {
            Source::Code { code, .. } => code.len(),
            Source::Files { files, .. } => files.iter().map(|file| file.content.len()).sum(),
        };
        let given = |text: &Text| if let Text::Given(bytes) = text { bytes.len() } else { 0 };
        let cases =
            item.cases.iter().map(|case| given(&case.stdin) + case.expected.as_ref().map_or(0, given));
        (code + cases.sum::<usize>()) as u64
    }
}

/// One program to be judged.
#[derive(Clone)]
pub struct Item {
    /// Its name in the results.
    pub id: String,
    /// Its line in the input, or its number.
    pub line: u64,
    /// Answers to one problem share a group.
    pub group: Option<String>,
    /// The program, its limits and its protection.
    pub request: ExecutionRequest,
    /// The cases; several programs may share them.
    pub cases: Arc<[Case]>,
    /// How outputs are compared.
    pub comparison: Comparison,
    /// A program that decides in the place of the comparison.
    pub checker: Option<Arc<ExecutionRequest>>,
}

/// One case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// Standard input.
    pub stdin: Text,
    /// What must be written; absent: exit code 0 is enough, or the checker knows.
    pub expected: Option<Text>,
    /// A word that must be among what is written: the tests came to their end.
    pub proof: Option<String>,
}

/// Bytes that are here, or that are read when they are needed: test data may be larger than memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// Here.
    Given(Vec<u8>),
    /// In a file of the caller's.
    File(PathBuf),
}

/// One case's input or output may have this many bytes.
const LARGEST: u64 = 1024 * 1024 * 1024;

impl Text {
    /// The bytes.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        let path = match self {
            Self::Given(bytes) => return Ok(bytes.clone()),
            Self::File(path) => path,
        };
        let refuse = |why: String| {
            Failure::new(
                FailureKind::InvalidInput,
                format!("test file {} cannot be read: {why}", path.display()),
            )
            .hint("give test files that exist and that you may read")
        };
        let metadata = path.metadata().map_err(|error| refuse(error.to_string()))?;
        if !metadata.is_file() {
            return Err(refuse("it is not a regular file".into()));
        }
        let size = metadata.len();
        if size > LARGEST {
            return Err(refuse(format!("{size} bytes are too many")));
        }
        std::fs::read(path).map_err(|error| refuse(error.to_string()))
    }
}
