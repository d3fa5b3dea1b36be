//! The judge of compiled programs: one build and one sandbox for hundreds of candidates.
//!
//! The versions are woven into one text (`weave.rs`). Built by the real test command, the program starts by making a child
//! for each of them, so that a command of any form judges them all in one run. As with Python, what it says is a hint:
//! whatever passes is run again by the real tests in a sandbox of its own.

mod weave;

use super::python::{Batch, Verdict};
use super::{Cold, JudgeOf, that_fit};
use crate::verify::{FixVerifier, Run};
use crate::{Candidate, Case};
use formicary_model::{Failure, Language};
use std::collections::{HashMap, HashSet};
use std::time::Instant;
use weave::{Course, Loom, Version, Woven};

/// Builds for one batch: candidates that do not compile are left out of the next.
const ROUNDS: usize = 8;

/// Judges by one build for many.
pub struct NativeJudge<'a> {
    /// The case.
    pub case: &'a Case,
    /// Runs the tests.
    pub verifier: &'a FixVerifier<'a>,
    /// How requests are run.
    pub run: &'a Run<'a>,
    /// Processes at a time.
    pub workers: usize,
    looms: Vec<Loom<'a>>,
}

/// What one build said.
#[derive(Debug, Default)]
struct Said {
    verdicts: HashMap<usize, Verdict>,
    text: String,
    ended: bool,
}

impl<'a> NativeJudge<'a> {
    /// A judge for this case; nothing where its programs cannot be woven or do not fail when they are.
    pub fn new(
        case: &'a Case,
        verifier: &'a FixVerifier<'a>,
        run: &'a Run<'a>,
        workers: usize,
    ) -> Result<Option<Self>, Failure> {
        if !weave::speaks(case.language) || !verifier.cases.pairs.is_empty() {
            return Ok(None);
        }
        let looms: Vec<Loom<'a>> = (0..case.files.len())
            .filter(|file| case.files[*file].editable)
            .filter_map(|file| Loom::new(case, file))
            .collect();
        let judge = Self { case, verifier, run, workers, looms };
        for loom in &judge.looms {
            let same = loom.unchanged();
            let versions: Vec<&Version> = same.iter().collect();
            let said = judge.built(loom, &loom.woven(&versions, judge.course(4.0)), 4.0)?;
            let fails = |number: usize| said.verdicts.get(&number).is_some_and(|v| *v != Verdict::Pass);
            if !fails(0) || !fails(1) {
                return Ok(None);
            }
        }
        Ok((!judge.looms.is_empty()).then_some(judge))
    }

    fn course(&self, seconds: f64) -> Course {
        Course { workers: self.workers, seconds: seconds.ceil().clamp(1.0, 200.0) as u64 }
    }

    fn built(&self, loom: &Loom<'_>, woven: &Woven, seconds: f64) -> Result<Said, Failure> {
        let shell = format!(
            "rm -f /tmp/formicary-verdicts\n(\n{}\n) >/tmp/formicary-said 2>&1\n\
             cat /tmp/formicary-verdicts 2>/dev/null\necho formicary-said\nhead -c 3000000 /tmp/formicary-said",
            self.verifier.command.shell
        );
        let mut request = self.verifier.request_of(self.case, &[(loom.file, woven.text.clone())], &shell);
        request.limits.wall_seconds = Some((seconds + 45.0).clamp(1.0, 290.0));
        request.limits.cpu_seconds = Some((seconds * 3.0 + 90.0).clamp(1.0, 900.0));
        request.limits.output_bytes = Some(8 << 20);
        if self.case.language == Language::Go {
            // All errors, not the first ten.
            request.env.entry("GOFLAGS".into()).or_insert_with(|| "-gcflags=-e -vet=off".into());
        }
        let result = (self.run)(request)?;
        let mut said = Said { ended: result.exit_code.is_some(), ..Said::default() };
        let (verdicts, text) =
            result.stdout.split_once("formicary-said\n").unwrap_or((result.stdout.as_str(), ""));
        said.text = text.to_owned();
        for line in verdicts.lines() {
            let Some((number, word)) = line.split_once(' ') else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            let verdict = match word {
                "p" => Verdict::Pass,
                "t" => Verdict::Time,
                _ => Verdict::Fail,
            };
            // A command may run several programs: all must pass.
            let known = said.verdicts.entry(number).or_insert(verdict);
            if *known == Verdict::Pass {
                *known = verdict;
            }
        }
        Ok(said)
    }

    /// Judges the versions of one file; gives the verdicts by place in the list, and whether the judge itself lived.
    fn woven(
        &self,
        loom: &Loom<'_>,
        versions: &[(usize, Version)],
        seconds: f64,
    ) -> Result<(Vec<(usize, Verdict)>, bool), Failure> {
        let started = Instant::now();
        let mut done: Vec<(usize, Verdict)> = Vec::new();
        let mut alive: Vec<&(usize, Version)> = versions.iter().collect();
        for _ in 0..ROUNDS {
            let texts: Vec<&Version> = alive.iter().map(|(_, version)| version).collect();
            let woven = loom.woven(&texts, self.course(seconds));
            let said = self.built(loom, &woven, seconds)?;
            if said.verdicts.contains_key(&0) {
                for (at, (number, _)) in alive.iter().enumerate() {
                    if let Some(verdict) = said.verdicts.get(&(at + 1)) {
                        done.push((*number, *verdict));
                    }
                }
                return Ok((done, said.ended));
            }
            let path = &self.case.files[loom.file].path;
            let broken = broken(self.case.language, path, &said.text, &woven.lines);
            if broken.is_empty() {
                // Nobody knows whose fault it is: fewer at a time.
                if alive.len() == 1 || !said.ended {
                    done.extend(alive.first().map(|(number, _)| (*number, Verdict::Broken)));
                    return Ok((done, said.ended));
                }
                alive.truncate(alive.len().div_ceil(4));
            } else {
                done.extend(broken.iter().map(|at| (alive[*at].0, Verdict::Broken)));
                let mut at = 0;
                alive.retain(|_| {
                    at += 1;
                    !broken.contains(&(at - 1))
                });
            }
            if alive.is_empty() || started.elapsed().as_secs_f64() > seconds * 4.0 {
                break;
            }
        }
        Ok((done, true))
    }
}

impl JudgeOf for NativeJudge<'_> {
    fn judge(&self, candidates: &[(usize, &Candidate)], seconds: f64) -> Result<Batch, Failure> {
        let file_of = |candidate: &Candidate| candidate.edits.first().map(|edit| edit.file);
        let size = |candidate: &Candidate| {
            let loom = self.looms.iter().find(|loom| Some(loom.file) == file_of(candidate));
            loom.and_then(|loom| loom.version(candidate)).map_or(64, |version| version.text.len() + 64)
        };
        let candidates = that_fit(candidates, size);
        let mut batch = Batch { judged: Vec::new(), ended: true };
        let mut taken: HashSet<usize> = HashSet::new();
        for loom in &self.looms {
            let own: Vec<(usize, Version)> = candidates
                .iter()
                .filter(|(_, candidate)| file_of(candidate) == Some(loom.file))
                .filter_map(|(number, candidate)| Some((*number, loom.version(candidate)?)))
                .collect();
            if own.is_empty() {
                continue;
            }
            taken.extend(own.iter().map(|(number, _)| *number));
            let (verdicts, ended) = self.woven(loom, &own, seconds)?;
            batch.ended &= ended;
            batch.judged.extend(verdicts.into_iter().map(|(number, verdict)| (number, verdict, 0)));
        }
        // What changes no body is built alone; a part of the time is for that.
        let rest: Vec<(usize, &Candidate)> =
            candidates.iter().filter(|(number, _)| !taken.contains(number)).copied().collect();
        if !rest.is_empty() && batch.ended {
            let cold = Cold { case: self.case, verifier: self.verifier, workers: self.workers };
            let judged = cold.judge(&rest, if taken.is_empty() { seconds } else { seconds * 0.3 })?;
            batch.judged.extend(judged.judged);
        }
        Ok(batch)
    }

    fn slice(&self) -> f64 {
        6.0
    }

    fn first_batch(&self) -> usize {
        90
    }

    fn largest_batch(&self) -> usize {
        // Checking one long Rust function takes more than its length's share.
        if self.case.language == Language::Rust { 180 } else { 400 }
    }
}

/// Which versions a compiler's errors are about, by their lines.
fn broken(
    language: Language,
    path: &str,
    said: &str,
    lines: &[std::ops::RangeInclusive<u32>],
) -> HashSet<usize> {
    let name = format!("{}:", path.rsplit('/').next().unwrap_or(path));
    let mut found = HashSet::new();
    let mut error = false;
    for line in said.lines() {
        if language == Language::Rust {
            // The place of an error is in the line after it.
            if line.starts_with("error") || line.starts_with("warning") {
                error = line.starts_with("error");
            }
            if !error || !line.trim_start().starts_with("--> ") {
                continue;
            }
        } else if line.contains("warning:") || line.contains("note:") {
            continue;
        }
        for (at, _) in line.match_indices(&name) {
            let digits: String = line[at + name.len()..].chars().take_while(char::is_ascii_digit).collect();
            if let Ok(number) = digits.parse::<u32>() {
                found.extend(lines.iter().position(|own| own.contains(&number)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_tell_whose_they_are() {
        let lines = [10..=12, 13..=15, 16..=18];
        for (language, said, expected) in [
            (
                Language::Cpp,
                "src/a.cpp:14:3: error: x\na.cpp:11:1: warning: y\na.cpp:17:1: note: z\n",
                vec![1],
            ),
            (Language::Go, "# command\n./a.cpp:10:2: undefined: x\n./a.cpp:18:2: undefined: y\n", vec![0, 2]),
            (
                Language::Rust,
                "warning: unused\n --> a.cpp:11:3\nerror[E0308]: no\n  --> a.cpp:16:3\n",
                vec![2],
            ),
            (Language::C, "collect2: error: ld returned 1\n", vec![]),
        ] {
            let mut found: Vec<usize> = broken(language, "src/a.cpp", said, &lines).into_iter().collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{said}");
        }
    }
}
