//! Cells of languages without a live interpreter: each is a run of its own, with the session's files around it.

use super::kept::lock;
use super::live::Watch;
use crate::executor::{Executor, Live};
use crate::guard::RESERVED_FOLDER;
use formicary_model::{
    Artifact, CellRequest, CollectRequest, Environment, Event, EventKind, ExecutionRequest, ExecutionResult,
    Failure, LimitOverrides, Limits, PackageRequest, Phase, SessionFile, SessionRequest, Source, SourceFile,
};
use formicary_sandbox::{Cancel, InputFile};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A session's files by path. The bytes never change: a copy of a session shares them.
pub struct Stored {
    executor: Arc<Executor>,
    request: SessionRequest,
    limits: Limits,
    entry: String,
    files: BTreeMap<String, InputFile>,
}

impl Stored {
    /// A session whose cells are written to `entry`.
    pub fn new(
        executor: Arc<Executor>,
        request: SessionRequest,
        limits: Limits,
        entry: String,
        files: Vec<InputFile>,
    ) -> Self {
        let files = files.into_iter().map(|file| (file.path.clone(), file)).collect();
        Self { executor, request, limits, entry, files }
    }

    /// Runs one cell; the files that it made or changed stay.
    pub fn run(
        &mut self,
        cell: &CellRequest,
        wall: f64,
        cancel: Cancel,
        watch: &mut Watch<'_>,
    ) -> Result<ExecutionResult, Failure> {
        let code =
            InputFile { path: self.entry.clone(), content: cell.code.as_slice().into(), executable: false };
        self.files.insert(self.entry.clone(), code);
        let files = self.files.values().map(|file| SourceFile {
            path: file.path.clone(),
            content: file.content.to_vec(),
            executable: file.executable,
        });
        let request = ExecutionRequest {
            language: Some(self.request.language.clone()),
            source: Source::Files { files: files.collect(), entry: Some(self.entry.clone()) },
            args: cell.args.clone(),
            stdin: cell.stdin.clone(),
            collect: CollectRequest {
                globs: vec!["**".into()],
                max_files: 10_000,
                max_bytes: self.limits.disk_bytes,
            },
            environment: Environment {
                limits: all(&Limits { wall_seconds: wall, ..self.limits.clone() }),
                // A session of such a language has neither.
                venv: None,
                packages: PackageRequest::default(),
                ..self.request.environment.clone()
            },
            ..ExecutionRequest::default()
        };
        let watch = Mutex::new(watch);
        let observer = |event: &Event| {
            if let EventKind::Output { phase: Phase::Run, stream, data } = &event.kind {
                lock(&watch)(*stream, data);
            }
        };
        let live = Live { cancel, observer: &observer, ..Live::default() };
        let mut result = self.executor.execute(request, live)?;
        for Artifact { path, content, executable, .. } in std::mem::take(&mut result.artifacts) {
            if path.split('/').next() != Some(RESERVED_FOLDER) {
                self.put(InputFile { path, content: content.into(), executable });
            }
        }
        Ok(result)
    }

    /// Writes a file.
    pub fn put(&mut self, file: InputFile) {
        self.files.insert(file.path.clone(), file);
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|file| file.content.len() as u64).sum()
    }

    /// Reads a file.
    pub fn get(&self, path: &str) -> Option<&InputFile> {
        self.files.get(path)
    }

    /// Removes a file; whether there was one.
    pub fn remove(&mut self, path: &str) -> bool {
        self.files.remove(path).is_some()
    }

    /// The files, in order of their paths.
    pub fn list(&self) -> Vec<SessionFile> {
        let plain = |file: &InputFile| SessionFile {
            path: file.path.clone(),
            size: file.content.len() as u64,
            executable: file.executable,
        };
        self.files.values().map(plain).collect()
    }
}

fn all(limits: &Limits) -> LimitOverrides {
    let mut overrides = LimitOverrides::default();
    for (name, value) in limits.values() {
        overrides.set(name, value);
    }
    overrides
}
