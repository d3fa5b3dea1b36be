//! The library: the platform itself, which all other doors must agree with.

use crate::cases::FAILING;
use crate::project::Project;
use formicary_model::{Breakpoint, CellRequest, Failure, InspectRequest, JudgeResult, Source, SourceFile};
use formicary_platform::agent::{AgentHooks, AgentOptions, Rules, Task};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::debugging::FixOptions;
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Template, lines};
use formicary_platform::patterning::RepositoryIndex;
use formicary_platform::patterns::clones::CloneRequest;
use formicary_platform::patterns::refactorings::RefactoringRequest;
use formicary_platform::patterns::{
    Chosen, IndexOptions, RefactorOptions, Refactoring, RewriteOptions, SearchOptions, Sought,
};
use formicary_platform::review::{ReviewDone, ReviewOptions};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::testing::{GenerationWanted, MutationWanted, Style, TestOptions, TestTarget, Wanted};
use formicary_platform::{Cancel, Live, Platform};
use serde_json::{Value, json};
use std::path::PathBuf;

pub const PATTERN: &str = "print($X)";

pub struct Library {
    platform: Platform,
    sources: ConfigSources,
    folder: PathBuf,
}

/// What every door is told: the model of the agent, which answers from the recording that comes with the source, and where its
/// runs are kept.
pub fn settings(project: &Project) -> Vec<(String, String)> {
    let recording =
        format!("recorded:{}/../../crates/agent/recordings/primes.jsonl", env!("CARGO_MANIFEST_DIR"));
    let folder = project.runs().display().to_string();
    vec![("llm.model".into(), recording), ("agent.folder".into(), folder)]
}

/// The configuration of a user without settings of their own but these.
pub fn sources(project: &Project) -> ConfigSources {
    let environment = std::env::vars().filter(|(name, _)| !name.starts_with("FORMICARY_")).collect();
    let mut sources = ConfigSources::new(environment, Some(project.folder().to_owned()));
    sources.flags = settings(project);
    sources
}

/// A platform as a user without settings of their own has it.
pub fn platform(project: &Project) -> Platform {
    let sources = sources(project);
    Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap()
}

fn told(result: Result<impl serde::Serialize, Failure>) -> Value {
    match result {
        Ok(value) => serde_json::to_value(value).unwrap(),
        Err(failure) => json!({ "error": failure }),
    }
}

impl Library {
    pub fn new(project: &Project) -> Self {
        Self { platform: platform(project), sources: sources(project), folder: project.folder().to_owned() }
    }

    pub fn execute(&self, language: &str, code: &str, wall: Option<f64>) -> Value {
        let mut request = self.platform.new_request();
        request.language = Some(language.to_owned());
        request.source = Source::code(code);
        request.limits.wall_seconds = wall;
        told(self.platform.execute(request, Live::default()))
    }

    pub fn languages(&self) -> Value {
        told(Ok(self.platform.languages()))
    }

    pub fn judge(&self) -> Value {
        let text: String = Project::items().iter().map(|item| format!("{item}\n")).collect();
        let template = Template { request: self.platform.new_request(), ..Template::default() };
        let source = lines::read(std::io::Cursor::new(text), template);
        let mut results: Vec<JudgeResult> = Vec::new();
        let judged =
            self.platform.judge(source, JudgeRequest::default(), &Live::default(), &mut |result, _| {
                results.push(result.clone());
                Ok(())
            });
        told(judged.map(|judged| json!({"results": results, "summary": judged.summary})))
    }

    fn reviewed(&self) -> ReviewDone {
        let options = ReviewOptions { working_folder: self.folder.clone(), ..ReviewOptions::default() };
        self.platform.review(&options, Watch::NOBODY).unwrap()
    }

    pub fn review(&self) -> Value {
        told(Ok(self.reviewed().review.report))
    }

    pub fn gate(&self) -> Value {
        let report = self.reviewed().review.report;
        json!({"gate": report.gate.unwrap_or_default(), "change": report.change, "score": report.score.total})
    }

    pub fn search(&self) -> Value {
        told(self.platform.search(
            &SearchOptions {
                working_folder: self.folder.clone(),
                paths: Vec::new(),
                language: Some("python".into()),
                sought: Sought::Pattern(PATTERN.into()),
                explain: false,
            },
            Watch::NOBODY,
        ))
    }

    pub fn rewrite(&self) -> Value {
        let options = RewriteOptions {
            working_folder: self.folder.clone(),
            paths: Vec::new(),
            language: Some("python".into()),
            sought: Sought::Pattern(PATTERN.into()),
            template: Some("show($X)".into()),
            write: false,
        };
        told(self.platform.rewrite(&options, Watch::NOBODY, &mut |_| Chosen::Yes))
    }

    pub fn clones(&self) -> Value {
        let request = CloneRequest { working_folder: self.folder.clone(), ..CloneRequest::default() };
        told(self.platform.clones(&request, Watch::NOBODY))
    }

    pub fn refactorings(&self) -> Value {
        let request = RefactoringRequest {
            working_folder: self.folder.clone(),
            before: "before".into(),
            after: Some("after".into()),
        };
        told(self.platform.refactorings(&request, Watch::NOBODY))
    }

    pub fn refactor(&self) -> Value {
        let refactoring = Refactoring::Rename { file: "gcd.py".into(), at: (1, 5), to: "greatest".into() };
        let options = RefactorOptions {
            working_folder: self.folder.clone(),
            refactoring,
            write: false,
            verify: Vec::new(),
        };
        told(self.platform.refactor(&options, Watch::NOBODY))
    }

    pub fn diagnose(&self) -> Value {
        let mut request = self.platform.new_request();
        request.language = Some("python".to_owned());
        request.source = Source::code(FAILING);
        told(self.platform.diagnose(request, Live::default()))
    }

    pub fn fix(&self) -> Value {
        let options = FixOptions {
            working_folder: self.folder.clone(),
            target: "gcd.py".into(),
            test: Some("python3 test_gcd.py".into()),
            tests: None,
            expect: None,
            stdin: None,
            most_candidates: 60_000,
            seconds: 60.0,
            write: false,
            install: false,
            model: None,
            base: self.platform.new_request(),
        };
        told(self.platform.mend(&options, &Cancel::default(), &|_| ()).map(|done| done.report))
    }

    pub fn doctor(&self) -> Value {
        told(Ok(self.platform.doctor()))
    }

    fn tests(&self, folder: &str) -> TestOptions {
        TestOptions {
            working_folder: self.folder.clone(),
            target: TestTarget::Path(folder.into()),
            wanted: Wanted::default(),
            base: self.platform.new_request(),
        }
    }

    pub fn run_tests(&self) -> Value {
        let mut options = self.tests("suite");
        options.wanted.seconds = Some(280.0);
        told(self.platform.run_tests(&options, &Cancel::default()))
    }

    pub fn generate_tests(&self) -> Value {
        let wanted = GenerationWanted {
            files: Vec::new(),
            functions: Vec::new(),
            seconds: 3.0,
            style: Style::Unittest,
            workers: 2,
        };
        told(self.platform.generate_tests(&self.tests("judged"), &wanted, &Cancel::default()))
    }

    pub fn mutate(&self) -> Value {
        let wanted = MutationWanted {
            files: Vec::new(),
            functions: Vec::new(),
            tests: Vec::new(),
            filter: None,
            framework: None,
            seconds: 60.0,
            most: 12,
            workers: 2,
        };
        told(self.platform.mutate(&self.tests("judged"), &wanted, &Cancel::default()))
    }

    pub fn inspect(&self) -> Value {
        let mut request = self.platform.new_request();
        request.language = Some("python".to_owned());
        request.source = Source::code(FAILING);
        let looked_for = InspectRequest {
            breakpoints: vec![Breakpoint::read("2 if x == 0")],
            every_exception: false,
            print: vec!["x + 1".into()],
            most_stops: 20,
            adapter: None,
        };
        told(self.platform.inspect(&request, &looked_for, &Cancel::default(), |_| ()))
    }

    pub fn agent(&self) -> Value {
        let options = AgentOptions {
            working_folder: self.folder.clone(),
            task: Task { text: TASK.into(), ..Task::default() },
            model: None,
            record: None,
            folder: None,
            rules: Rules { packages: self.platform.agent_packages(), ..Rules::default() },
            budget: self.platform.agent_budget(),
            base: self.platform.new_request(),
        };
        let hooks = AgentHooks { cancel: &Cancel::default(), watch: &|_| (), human: None };
        told(self.platform.agent(options, &self.sources, &hooks).map(|done| done.outcome))
    }

    fn indexed<T: serde::Serialize>(
        &self,
        ask: impl FnOnce(&IndexOptions, &RepositoryIndex) -> Result<T, Failure>,
    ) -> Value {
        let options = IndexOptions { working_folder: self.folder.clone(), paths: Vec::new() };
        let index = self.platform.index(&options, Watch::NOBODY);
        told(index.and_then(|index| ask(&options, &index)))
    }

    pub fn symbols(&self) -> Value {
        self.indexed(|_, index| {
            let found = self.platform.symbols(index, Some("gcd"), None, true)?;
            let pair = |(symbol, references)| json!({"symbol": symbol, "references": references});
            Ok(found.into_iter().map(pair).collect::<Value>())
        })
    }

    pub fn callers(&self) -> Value {
        self.indexed(|_, index| self.platform.callers(index, "gcd", 2, false))
    }

    pub fn unknown(&self) -> Value {
        self.indexed(|_, index| self.platform.callers(index, "gdc", 1, false))
    }

    pub fn callees(&self) -> Value {
        self.indexed(|_, index| self.platform.callees(index, "run", 1, false))
    }

    pub fn dependencies(&self) -> Value {
        self.indexed(|options, index| {
            self.platform.dependencies(index, options, Some(("test_gcd.py".as_ref(), false)), true)
        })
    }

    /// Three cells of one session, of which the last fails, and a file that comes and goes.
    pub fn session(&self) -> Value {
        let sessions = self.platform.sessions().unwrap();
        let id = sessions.create(self.platform.new_session("python")).unwrap().id;
        let cell = |code: &str| {
            let cell = CellRequest { code: code.as_bytes().to_vec(), ..CellRequest::default() };
            told(self.platform.run_cell(&id, &cell, &mut |_, _| ()))
        };
        let cells = CELLS.map(cell);
        let session = sessions.find(&id).unwrap();
        let file = SourceFile { path: "in/a.txt".into(), content: b"kept".to_vec(), executable: false };
        session.put(&[file]).unwrap();
        let files = session.files().unwrap();
        let read = String::from_utf8(session.get("in/a.txt").unwrap().content).unwrap();
        session.remove("in/a.txt").unwrap();
        let left = session.files().unwrap();
        sessions.close(&id).unwrap();
        json!({"cells": cells, "files": files, "read": read, "left": left})
    }
}

/// What the recording was made with.
pub const TASK: &str = "Write main.py that prints the first ten prime numbers, one a line.";

pub const CELLS: [&str; 3] = ["x = 6\nprint('kept')", "x * 7", "1 / 0"];
