//! The library: the platform itself, which all other doors must agree with.

use crate::cases::FAILING;
use crate::project::Project;
use formicary_model::{CellRequest, Failure, JudgeResult, Source};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::debugging::FixOptions;
use formicary_platform::judge::JudgeRequest;
use formicary_platform::judging::{Template, lines};
use formicary_platform::patterns::clones::CloneRequest;
use formicary_platform::patterns::refactorings::RefactoringRequest;
use formicary_platform::patterns::{
    Chosen, RefactorOptions, Refactoring, RewriteOptions, SearchOptions, Sought,
};
use formicary_platform::review::{ReviewDone, ReviewOptions};
use formicary_platform::reviewing::engine::Watch;
use formicary_platform::{Cancel, Live, Platform};
use serde_json::{Value, json};
use std::path::PathBuf;

pub const PATTERN: &str = "print($X)";

pub struct Library {
    platform: Platform,
    folder: PathBuf,
}

/// A platform as a user without settings of their own has it.
pub fn platform(project: &Project) -> Platform {
    let environment = std::env::vars().filter(|(name, _)| !name.starts_with("FORMICARY_")).collect();
    let sources = ConfigSources::new(environment, Some(project.folder().to_owned()));
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
        Self { platform: platform(project), folder: project.folder().to_owned() }
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

    /// Three cells of one session, of which the last fails.
    pub fn session(&self) -> Value {
        let sessions = self.platform.sessions().unwrap();
        let id = sessions.create(self.platform.new_session("python")).unwrap().id;
        let cell = |code: &str| {
            let cell = CellRequest { code: code.as_bytes().to_vec(), ..CellRequest::default() };
            told(self.platform.run_cell(&id, &cell, &mut |_, _| ()))
        };
        let cells = CELLS.map(cell);
        sessions.close(&id).unwrap();
        cells.into_iter().collect()
    }
}

pub const CELLS: [&str; 3] = ["x = 6\nprint('kept')", "x * 7", "1 / 0"];
