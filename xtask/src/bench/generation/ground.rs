//! One module of a real package in a project of its own: tests written for it, and judged.

use super::{Figures, Options, PASSES, Written};
use formicary_model::use_case::{Code, Number};
use formicary_model::{Environment, GenerateTestsInput, MutateTestsInput, RunTestsInput};
use formicary_platform::policy::Policy;
use formicary_platform::testing::{GenerateTests, MutateTests, RunTests};
use formicary_platform::use_case::Context;
use formicary_platform::{Platform, local_caller};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Seconds for all mutants of a module: enough on a busy machine too, so that both sides are judged by the same ones.
const MOST_SECONDS: f64 = 900.0;

/// Tells the lines of functions that hold something to execute, as JSON.
const LINES: &str = "
import json, sys, types
def lines(code):
    found = {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
    return found.union(*(lines(part) for part in code.co_consts if isinstance(part, types.CodeType)))
whole = compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')
codes = {code.co_name: code for code in whole.co_consts if isinstance(code, types.CodeType)}
print(json.dumps({name: sorted(lines(codes[name])) for name in sys.argv[2:]}))
";

/// One module in its own folder.
pub(super) struct Ground<'a> {
    platform: &'a Platform,
    options: &'a Options,
    module: &'static str,
    functions: &'static [&'static str],
    place: PathBuf,
    file: String,
    lines: BTreeMap<String, Vec<u64>>,
}

impl<'a> Ground<'a> {
    /// Copies a module's package into a project of its own.
    pub(super) fn lay_out(
        platform: &'a Platform,
        options: &'a Options,
        module: &'static str,
        functions: &'static [&'static str],
        place: PathBuf,
    ) -> Result<Self, String> {
        let venv = &options.venv;
        let library =
            std::fs::read_dir(venv.join("lib")).map_err(|error| format!("{}: {error}", venv.display()))?;
        let packages = library.flatten().map(|entry| entry.path().join("site-packages"));
        let package = module.split('.').next().unwrap_or(module);
        std::fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        for folder in packages {
            // A package comes before a module of the same name, as it does for Python.
            let names = [package.to_owned(), format!("{package}.py")];
            if let Some(found) = names.iter().map(|name| folder.join(name)).find(|path| path.exists()) {
                let copied = Command::new("cp").arg("-r").arg(&found).arg(&place).status();
                copied.map_err(|error| format!("cp: {error}"))?;
            }
        }
        let path = module.replace('.', "/");
        let file = [format!("{path}.py"), format!("{path}/__init__.py")]
            .into_iter()
            .find(|file| place.join(file).is_file())
            .ok_or_else(|| format!("{module} is not in {}: install it there with pip", venv.display()))?;
        let told = Command::new(venv.join("bin/python3"))
            .args(["-c", LINES])
            .arg(place.join(&file))
            .args(functions)
            .output()
            .map_err(|error| format!("{}: {error}", venv.display()))?;
        let lines = serde_json::from_slice(&told.stdout)
            .map_err(|error| format!("{module}: {error}: {}", String::from_utf8_lossy(&told.stderr)))?;
        Ok(Self { platform, options, module, functions, place, file, lines })
    }

    fn context(&self) -> Context<'static> {
        Context::new(local_caller(), Policy::local(self.place.clone()))
    }

    fn code(target: &str) -> Code {
        Code { paths: vec![target.to_owned()], ..Code::default() }
    }

    fn environment(&self) -> Environment {
        Environment { venv: Some(self.options.venv.display().to_string()), ..Environment::default() }
    }

    fn names(&self) -> Vec<String> {
        self.functions.iter().map(|name| (*name).to_owned()).collect()
    }

    /// The tests that somebody writes, or that are kept from before; nothing where Pynguin is not named.
    pub(super) fn written(&self, by: &str) -> Result<Option<Written>, String> {
        let kept = self.options.kept.as_ref().map(|folder| folder.join(format!("{}.{by}.py", self.module)));
        if let Some(text) = kept.as_ref().and_then(|path| std::fs::read_to_string(path).ok()) {
            let first = text.lines().next().and_then(|line| line.strip_prefix("# seconds "));
            let seconds = first.and_then(|seconds| seconds.parse().ok()).unwrap_or_default();
            return Ok(Some(Written { text, seconds }));
        }
        let written = match (by, &self.options.pynguin) {
            ("formicary", _) => self.written_by_us()?,
            (_, Some(program)) => self.written_by_pynguin(program)?,
            (_, None) => return Ok(None),
        };
        if let Some(path) = kept {
            let folder = path.parent().unwrap_or(Path::new("."));
            let text = format!("# seconds {:.1}\n{}", written.seconds, written.text);
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::write(&path, text))
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(Some(written))
    }

    fn written_by_us(&self) -> Result<Written, String> {
        let input = GenerateTestsInput {
            code: Self::code(&self.file),
            environment: self.environment(),
            functions: self.names(),
            seconds: Number::new(self.options.seconds).map_err(|failure| failure.message)?,
            workers: Some(1),
            ..GenerateTestsInput::default()
        };
        let started = Instant::now();
        let report = self.platform.perform::<GenerateTests>(&self.context(), input);
        let report = report.map_err(|failure| failure.message)?;
        let seconds = started.elapsed().as_secs_f64();
        let text = report.files.first().map(|file| file.text.clone()).unwrap_or_default();
        Ok(Written { text, seconds })
    }

    /// Pynguin looks as long as it is told and then takes its time to write assertions: ten times as long at the most.
    fn written_by_pynguin(&self, program: &Path) -> Result<Written, String> {
        let started = Instant::now();
        let out = self.place.join("pynguin");
        let mut child = Command::new(program)
            .args(["--project-path", ".", "--output-path", "pynguin", "--module-name", self.module])
            .args(["--seed", "1", "--maximum-search-time", &self.options.seconds.round().to_string()])
            .arg("--only-cover")
            .args(self.functions)
            .current_dir(&self.place)
            .env("PYNGUIN_DANGER_AWARE", "1")
            .env("PYTHONHASHSEED", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        while started.elapsed().as_secs_f64() < self.options.seconds * 10.0
            && child.try_wait().map_err(|error| error.to_string())?.is_none()
        {
            std::thread::sleep(Duration::from_millis(200));
        }
        let _ = child.kill();
        let _ = child.wait();
        let seconds = started.elapsed().as_secs_f64();
        let entries = std::fs::read_dir(&out).into_iter().flatten().flatten();
        let written = entries.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with(".py"));
        let text = written.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        let _ = std::fs::remove_dir_all(&out);
        Ok(Written { text, seconds })
    }

    pub(super) fn judged(&self, written: &Written) -> Result<Figures, String> {
        let (text, seconds) = (&written.text, written.seconds);
        let mut figures = Figures { covered: vec![0.0; self.functions.len()], seconds, ..Figures::default() };
        let tests = "test_generated.py";
        // A file of tests that notices nothing stands for one that was not written: its mutants count too.
        let text = if text.contains("def test") { text } else { "def test_nothing():\n    pass\n" };
        std::fs::write(self.place.join(tests), text).map_err(|error| error.to_string())?;
        for _ in 0..PASSES {
            let input = RunTestsInput {
                code: Self::code(tests),
                environment: self.environment(),
                framework: Some("pytest".into()),
                coverage: true,
                ..RunTestsInput::default()
            };
            let ran = self.platform.perform::<RunTests>(&self.context(), input);
            let ran = ran.map_err(|failure| failure.message)?;
            // Tests that are expected to fail and do are no failure, and may be all that there is.
            let bad = ran.tests.iter().any(|test| test.status.is_bad());
            figures.passes += usize::from(!bad && ran.totals.tests > 0);
            figures.tests = ran.totals.tests;
            let own = ran.coverage.iter().find(|own| own.file == self.file);
            for (at, name) in self.functions.iter().enumerate().filter(|_| own.is_some()) {
                let lines = &self.lines[*name];
                let missed = own.map_or(0, |own| {
                    lines
                        .iter()
                        .filter(|line| own.missed.iter().any(|missed| u64::from(*missed) == **line))
                        .count()
                });
                figures.covered[at] = 1.0 - missed as f64 / lines.len().max(1) as f64;
            }
        }
        let input = MutateTestsInput {
            code: Self::code(&self.file),
            environment: self.environment(),
            functions: self.names(),
            tests: vec![tests.into()],
            framework: Some("pytest".into()),
            seconds: Number::new(MOST_SECONDS).map_err(|failure| failure.message)?,
            most: Number::new(80.0).map_err(|failure| failure.message)?,
            workers: Some(2),
            ..MutateTestsInput::default()
        };
        let report = self.platform.perform::<MutateTests>(&self.context(), input);
        let report = report.map_err(|failure| format!("{}: {}", self.module, failure.message))?;
        figures.killed = report.killed + report.timed_out;
        figures.mutants = report.mutants;
        std::fs::remove_file(self.place.join(tests)).map_err(|error| error.to_string())?;
        Ok(figures)
    }
}
