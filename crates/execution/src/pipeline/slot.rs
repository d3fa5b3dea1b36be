//! One program's place in the compile cache: looked up before the compile steps, filled after them.

use super::assemble;
use super::phases::Compiled;
use crate::cache::{CompileCache, Entry, Key};
use crate::program::{Built, Ready};
use crate::recipes::Plan;
use formicary_model::{Assurance, CompileResult, Status, Usage};
use std::collections::BTreeMap;
use std::time::Instant;

/// A place in the cache.
pub struct Slot<'a> {
    cache: &'a CompileCache,
    key: Key,
    /// When the look-up began: making the name is part of its price.
    started: Instant,
}

impl<'a> Slot<'a> {
    /// The place of what this plan's compile steps leave. `None`: they leave nothing that could be kept.
    pub fn find(
        cache: &'a CompileCache,
        plan: &Plan,
        language: &str,
        provider: &str,
        env: &BTreeMap<String, String>,
    ) -> Option<Self> {
        let started = Instant::now();
        Some(Self { cache, key: Key::of(plan, language, provider, env)?, started })
    }

    /// What is kept there, if the compiler that made it was confined as well as this caller insists on.
    pub fn load(&self, assurance: Assurance) -> Option<Built> {
        let entry = self.cache.load(self.key)?;
        if !assurance.satisfied_by(entry.enforcement.level) {
            return None;
        }
        let compile = CompileResult {
            status: Status::Success,
            stdout: entry.stdout,
            stderr: entry.stderr,
            exit_code: Some(0),
            duration: self.started.elapsed().as_secs_f64(),
            usage: Usage::default(),
            cached: true,
        };
        let files = entry.files.into_iter().map(Into::into).collect();
        let enforcement = Some(entry.enforcement);
        Some(Built::Ready(Box::new(Ready { files, compile: Some(compile), enforcement })))
    }

    /// Keeps what compile steps left. A cache that cannot be written costs time, not the result.
    pub fn keep(&self, compiled: &Compiled) {
        let Some(compile) = assemble::compile_result(compiled, Status::CompileError) else { return };
        let weakest = compiled.outcomes.iter().min_by_key(|outcome| outcome.enforcement.level);
        let (true, Some(weakest)) = (compiled.ok(), weakest) else { return };
        let entry = Entry {
            files: compiled.files.iter().cloned().map(Into::into).collect(),
            stdout: compile.stdout,
            stderr: compile.stderr,
            enforcement: weakest.enforcement.clone(),
        };
        let _ = self.cache.keep(self.key, &entry);
    }
}
