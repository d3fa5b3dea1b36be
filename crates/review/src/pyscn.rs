//! What pyscn tells of Python code, from pyscn itself where it is installed and from our own analysis where it is not,
//! in one shape.

use crate::engine::{AnalysisOptions, Analyzer, SourceText, Watch};
use crate::figures;
use crate::score;
use crate::tools::ToolRunner;
use formicary_model::review::{Category, FileMetrics, Finding};
use formicary_model::{Failure, Language};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

const ARGUMENTS: [&str; 6] = ["analyze", "--json", "--output", "-", "--skip-clones", "."];

/// Whose figures they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// pyscn's own.
    Pyscn,
    /// Ours.
    Native,
}

/// One function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PyscnFunction {
    /// Its name with its outer names.
    pub name: String,
    /// The file.
    pub file: String,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Cyclomatic complexity.
    pub complexity: u32,
    /// Cognitive complexity.
    pub cognitive: u32,
    /// Deepest nesting.
    pub nesting: u32,
}

/// Code that cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DeadCodeFinding {
    /// The file.
    pub file: String,
    /// The function.
    pub function: String,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Why it cannot.
    pub reason: String,
}

/// One class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PyscnClass {
    /// Its name.
    pub name: String,
    /// The file.
    pub file: String,
    /// Lack of cohesion.
    pub lcom4: u32,
}

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PyscnReport {
    /// Whose figures they are.
    pub origin: Origin,
    /// Functions.
    pub functions: Vec<PyscnFunction>,
    /// Code that cannot be reached.
    pub dead_code: Vec<DeadCodeFinding>,
    /// Classes.
    pub classes: Vec<PyscnClass>,
    /// Mean cyclomatic complexity.
    pub average_complexity: f64,
    /// 0–100: pyscn's health score, or our score.
    pub health_score: f64,
}

/// pyscn where it is, our own analysis where it is not.
pub struct PyscnAnalyzer<'a> {
    analyzer: &'a dyn Analyzer,
    runner: Option<&'a dyn ToolRunner>,
}

impl<'a> PyscnAnalyzer<'a> {
    /// An analyser; without somebody who runs tools it is always our own.
    pub fn new(analyzer: &'a dyn Analyzer, runner: Option<&'a dyn ToolRunner>) -> Self {
        Self { analyzer, runner }
    }

    /// Analyses the Python files among some sources.
    pub fn analyze(&self, sources: &[SourceText]) -> Result<PyscnReport, Failure> {
        if let Some(runner) = self.runner {
            let arguments = ARGUMENTS.map(str::to_owned);
            if let Some(output) = runner.run("pyscn", &arguments, &[])?
                && let Ok(document) = serde_json::from_str(&output.stdout)
            {
                return Ok(from_pyscn(&document));
            }
        }
        let python: Vec<SourceText> =
            sources.iter().filter(|source| source.language == Language::Python).cloned().collect();
        let found = self.analyzer.analyze(&python, &AnalysisOptions::default(), Watch::NOBODY);
        Ok(from_native(&found.files, &found.findings))
    }
}

fn from_pyscn(document: &Value) -> PyscnReport {
    let list = |pointer: &str| document.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    let functions = list("/complexity/functions").map(|entry| PyscnFunction {
        name: text(entry, "/name"),
        file: text(entry, "/file_path"),
        start_line: number(entry, "/start_line"),
        end_line: number(entry, "/end_line"),
        complexity: number(entry, "/metrics/complexity"),
        cognitive: number(entry, "/metrics/cognitive_complexity"),
        nesting: number(entry, "/metrics/nesting_depth"),
    });
    let of = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let dead = list("/dead_code/files").flat_map(|file| of(file, "functions"));
    let dead = dead.flat_map(|function| of(&function, "findings")).map(|entry| DeadCodeFinding {
        file: text(&entry, "/location/file_path"),
        function: text(&entry, "/function_name"),
        start_line: number(&entry, "/location/start_line"),
        end_line: number(&entry, "/location/end_line"),
        reason: text(&entry, "/reason"),
    });
    let classes = list("/lcom/classes").map(|entry| PyscnClass {
        name: text(entry, "/name"),
        file: text(entry, "/file_path"),
        lcom4: number(entry, "/metrics/lcom4"),
    });
    let figure = |pointer: &str| document.pointer(pointer).and_then(Value::as_f64).unwrap_or_default();
    PyscnReport {
        origin: Origin::Pyscn,
        functions: functions.collect(),
        dead_code: dead.collect(),
        classes: classes.collect(),
        average_complexity: figure("/summary/average_complexity"),
        health_score: figure("/summary/health_score"),
    }
}

fn text(entry: &Value, pointer: &str) -> String {
    entry.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn number(entry: &Value, pointer: &str) -> u32 {
    entry.pointer(pointer).and_then(Value::as_u64).unwrap_or_default() as u32
}

fn from_native(files: &[FileMetrics], findings: &[Finding]) -> PyscnReport {
    let functions = files.iter().flat_map(|file| {
        file.functions.iter().map(|function| PyscnFunction {
            name: function.name.clone(),
            file: file.file.clone(),
            start_line: function.span.start_line,
            end_line: function.span.end_line,
            complexity: function.cyclomatic,
            cognitive: function.cognitive,
            nesting: function.nesting,
        })
    });
    let dead = findings.iter().filter(|finding| finding.category == Category::DeadCode);
    let dead = dead.map(|finding| DeadCodeFinding {
        file: finding.file.clone(),
        function: finding.symbol.clone().unwrap_or_default(),
        start_line: finding.span.start_line,
        end_line: finding.span.end_line,
        reason: finding.rule.clone().into_owned(),
    });
    let classes = files.iter().flat_map(|file| {
        file.classes.iter().map(|class| PyscnClass {
            name: class.name.clone(),
            file: file.file.clone(),
            lcom4: class.lack_of_cohesion,
        })
    });
    PyscnReport {
        origin: Origin::Native,
        functions: functions.collect(),
        dead_code: dead.collect(),
        classes: classes.collect(),
        average_complexity: figures::project(files, 0, 0.0).cyclomatic_mean,
        health_score: score::score(findings, files).total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Words, source};
    use crate::tools::ToolOutput;

    struct Recorded(Option<&'static str>);

    impl ToolRunner for Recorded {
        fn run(&self, _: &str, _: &[String], _: &[(String, String)]) -> Result<Option<ToolOutput>, Failure> {
            Ok(self.0.map(|said| ToolOutput { code: Some(0), stdout: said.into(), stderr: String::new() }))
        }

        fn root(&self) -> &str {
            "/repository"
        }
    }

    #[test]
    fn pyscn_and_our_own_have_one_shape() {
        let said = include_str!("tools/recorded/pyscn.txt");
        let real = PyscnAnalyzer::new(&Words, Some(&Recorded(Some(said)))).analyze(&[]).unwrap();
        assert_eq!((real.origin, real.functions.len(), real.dead_code.len()), (Origin::Pyscn, 5, 1));
        let function = real.functions.iter().find(|function| function.name == "K.f").unwrap();
        assert_eq!((function.start_line, function.complexity, function.cognitive), (5, 4, 5));
        assert_eq!(real.dead_code[0].reason, "unreachable_after_return");
        assert_eq!(real.classes[0].lcom4, 1);
        let sources = [source("a.py", "def f 4\n")];
        let own = PyscnAnalyzer::new(&Words, Some(&Recorded(None))).analyze(&sources).unwrap();
        assert_eq!((own.origin, own.functions[0].complexity), (Origin::Native, 4));
    }
}
