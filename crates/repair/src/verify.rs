//! The tests before and after a patch, each time in a fresh sandbox.

use crate::Cases;
use crate::judges::python::RUNNER;
use crate::{Candidate, Case};
use formicary_diagnose::command::{Meaning, TestCommand};
use formicary_diagnose::failures::have_it_tell;
use formicary_model::node_packages::{LINK_PACKAGES, PACKAGES_AT, PACKAGES_IN_PLACE};
use formicary_model::{
    Enforcement, ExecutionRequest, ExecutionResult, Failure, Language, LimitOverrides, Source, SourceFile,
    TestRun, Verification,
};

/// How a request is run: the caller's own way, with its events and its log.
pub type Run<'a> = dyn Fn(ExecutionRequest) -> Result<ExecutionResult, Failure> + Sync + 'a;

/// Lets tools tell more whoever starts them: gcc writes its fix-its for programs to read.
const TELLING: [(&str, &str); 2] =
    [("PYTHONDONTWRITEBYTECODE", "1"), ("GCC_EXTRA_DIAGNOSTIC_OUTPUT", "fixits-v1")];

/// Runs the tests of a case.
pub struct FixVerifier<'a> {
    /// How requests are run.
    pub run: &'a Run<'a>,
    /// A request as the configuration would have it.
    pub base: &'a ExecutionRequest,
    /// How the tests are run.
    pub command: &'a TestCommand,
    /// Inputs and outputs.
    pub cases: &'a Cases,
    /// Seconds that one run may take.
    pub seconds: f64,
    /// Whether the tests' own runner stands in for pytest, which is not on this host.
    pub own_runner: bool,
}

impl FixVerifier<'_> {
    /// One run of the tests on these files.
    pub fn test(
        &self,
        case: &Case,
        candidate: Option<&Candidate>,
    ) -> Result<(TestRun, ExecutionResult), Failure> {
        if self.cases.pairs.is_empty() {
            let result = (self.run)(self.request(case, candidate, &[]))?;
            // `console.assert` tells and goes on: what it tells is a failed test all the same.
            let asserted = case.language == Language::JavaScript
                && result.stderr.lines().any(|line| line.starts_with("Assertion failed"));
            return Ok((told(&result, result.success() && !asserted), result));
        }
        let mut last = None;
        for (stdin, expected) in &self.cases.pairs {
            let result = (self.run)(self.request(case, candidate, stdin.as_bytes()))?;
            let passed = result.success() && same_output(&result.stdout, expected);
            let run = told(&result, passed);
            last = Some((run, result));
            if !passed {
                break;
            }
        }
        last.ok_or_else(|| Failure::new(formicary_model::FailureKind::Internal, "no cases to run"))
    }

    /// Runs the tests on a patched program several times, and says whether it is mended.
    pub fn verify(
        &self,
        case: &Case,
        candidate: &Candidate,
        before: &TestRun,
        times: usize,
    ) -> Result<Verification, Failure> {
        let mut after: Vec<TestRun> = Vec::new();
        let mut enforcement: Option<Enforcement> = None;
        for _ in 0..times.max(1) {
            let (run, result) = self.test(case, Some(candidate))?;
            enforcement = Some(result.enforcement);
            let passed = run.passed;
            after.push(run);
            if !passed {
                break;
            }
        }
        let passes = after.iter().filter(|run| run.passed).count();
        let flaky = passes > 0 && passes < after.len();
        let enforcement = enforcement
            .ok_or_else(|| Failure::new(formicary_model::FailureKind::Internal, "the tests did not run"))?;
        Ok(Verification {
            verified: !before.passed && passes == after.len(),
            before: before.clone(),
            regressions: regressions(before, &after),
            after,
            flaky,
            enforcement,
        })
    }

    fn request(&self, case: &Case, candidate: Option<&Candidate>, stdin: &[u8]) -> ExecutionRequest {
        let changed = candidate.and_then(|candidate| case.applied(&candidate.edits)).unwrap_or_default();
        let mut request = self.request_of(case, &changed, &self.command.shell);
        request.stdin = stdin.to_vec();
        request
    }

    /// A run of a command on the files of a case, some of them with other texts.
    pub(crate) fn request_of(
        &self,
        case: &Case,
        changed: &[(usize, String)],
        shell: &str,
    ) -> ExecutionRequest {
        let text = |index: usize| {
            let own = changed.iter().find(|(file, _)| *file == index).map(|(_, text)| text);
            own.unwrap_or(&case.files[index].text).clone().into_bytes()
        };
        let mut files: Vec<SourceFile> = (0..case.files.len())
            .map(|index| SourceFile {
                path: case.files[index].path.clone(),
                content: text(index),
                executable: case.files[index].text.starts_with("#!"),
            })
            .collect();
        let mut request = self.base.clone();
        let mut shell = shell.to_owned();
        if self.own_runner
            && let Meaning::PythonTests { files: tests, .. } = &self.command.meaning
        {
            let (name, content) = RUNNER;
            files.push(SourceFile { path: name.into(), content: content.into(), executable: false });
            let quoted: Vec<String> =
                tests.iter().map(|test| format!("'{}'", test.replace('\'', "'\\''"))).collect();
            shell = format!("python3 {name} {}", quoted.join(" "));
        }
        request.language = Some(case.language.id().into());
        match &self.command.meaning {
            Meaning::Program { entry } if shell == self.command.shell => {
                one_program(&mut files, entry, case.language);
                request.source = Source::Files { files, entry: Some(entry.clone()) };
                request.command = None;
                packages_in_place(&mut request);
                have_it_tell(&mut request, case.language);
            }
            _ => {
                if request.mounts.iter().any(|mount| mount.guest == PACKAGES_AT) {
                    shell.insert_str(0, LINK_PACKAGES);
                }
                request.source = Source::Files { files, entry: None };
                request.command = Some(vec!["sh".into(), "-c".into(), shell]);
            }
        }
        for (name, value) in TELLING {
            request.env.entry(name.into()).or_insert_with(|| value.into());
        }
        let compiled = !matches!(case.language.id(), "python" | "javascript" | "bash");
        request.limits = LimitOverrides {
            wall_seconds: Some(self.seconds.clamp(0.5, 290.0)),
            cpu_seconds: Some((self.seconds * 3.0).clamp(0.5, 900.0)),
            memory_bytes: Some(request.limits.memory_bytes.unwrap_or(if compiled {
                2 << 30
            } else {
                1 << 30
            })),
            processes: Some(256),
            disk_bytes: Some(1 << 30),
            open_files: Some(1024),
            ..request.limits
        };
        request
    }
}

/// Shows packages where a program looks for them that no shell of ours starts: npm's workspaces are links to directories beside.
pub(crate) fn packages_in_place(request: &mut ExecutionRequest) {
    for mount in request.mounts.iter_mut().filter(|mount| mount.guest == PACKAGES_AT) {
        mount.guest = PACKAGES_IN_PLACE.into();
    }
}

/// Leaves other programs of the same directory out: whatever has a `main` of its own cannot be linked to this one.
pub fn one_program(files: &mut Vec<SourceFile>, entry: &str, language: Language) {
    if !matches!(language, Language::C | Language::Cpp) {
        return;
    }
    let is_source = |path: &str| {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        Language::from_extension(extension).is_some_and(|l| matches!(l, Language::C | Language::Cpp))
            && !extension.starts_with('h')
    };
    let has_main = |file: &SourceFile| {
        let text = String::from_utf8_lossy(&file.content);
        text.match_indices("main").any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let is_name = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
            !is_name && text[at + 4..].trim_start().starts_with('(')
        })
    };
    files.retain(|file| file.path == entry || !is_source(&file.path) || !has_main(file));
}

fn told(result: &ExecutionResult, passed: bool) -> TestRun {
    let built = result.compile.as_ref().map_or("", |compile| compile.stderr.as_str());
    let said = format!("{built}{}{}", result.stdout, result.stderr);
    let start = said.len().saturating_sub(4_000);
    let start = (start..said.len()).find(|at| said.is_char_boundary(*at)).unwrap_or(said.len());
    TestRun {
        run_id: result.run_id.clone(),
        passed,
        status: result.status,
        exit_code: result.exit_code,
        duration: result.duration,
        memory_peak: result.usage.memory_peak,
        output: said[start..].to_owned(),
    }
}

fn same_output(said: &str, expected: &str) -> bool {
    let lines =
        |text: &str| text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
    lines(said) == lines(expected)
}

/// What became much worse. Small programs differ by chance: only what is both large and many times as much counts.
fn regressions(before: &TestRun, after: &[TestRun]) -> Vec<String> {
    let mut found = Vec::new();
    let ended = before.exit_code.is_some();
    let fastest = after.iter().map(|run| run.duration).fold(f64::INFINITY, f64::min);
    if ended && fastest.is_finite() && fastest > 2.0 && fastest > 5.0 * before.duration {
        found.push(format!("takes {fastest:.1} s, {:.1} s before", before.duration));
    }
    let least = after.iter().filter_map(|run| run.memory_peak).min();
    if let (Some(now), Some(then)) = (least, before.memory_peak)
        && now > (256 << 20)
        && now > 4 * then.max(1)
    {
        found.push(format!("uses {} MiB, {} MiB before", now >> 20, then >> 20));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_may_differ_in_trailing_space_alone() {
        for (said, expected, same) in [("1\n2\n", "1 \n2", true), ("1\n2", "12", false), ("", "\n", true)] {
            assert_eq!(same_output(said, expected), same, "{said:?} {expected:?}");
        }
    }
}
