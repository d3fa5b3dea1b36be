//! A small analysis for the tests of the review: its rules are plain words in the text, so that a test reads easily.
//!
//! A line with `BAD` is a high finding, one with `UGLY` a low one, `BROKEN` makes a file unparsable, and `def name N`
//! starts a function of cyclomatic complexity N.

use crate::engine::{Analysis, AnalysisOptions, Analyzer, SourceText, Watch};
use formicary_model::Language;
use formicary_model::review::{
    Category, Confidence, FileMetrics, Finding, FunctionMetrics, Halstead, LineCounts, RuleInfo, Severity,
    Span,
};

/// The analysis.
pub(crate) struct Words;

/// A source in Python.
pub(crate) fn source(path: &str, text: &str) -> SourceText {
    SourceText { path: path.into(), language: Language::Python, text: text.into(), exact: true }
}

/// A finding of a rule named `rule`.
pub(crate) fn finding(file: &str, line: u32, severity: Severity, category: Category) -> Finding {
    Finding::new("rule", category, severity, file, Span::of_line(line), "a message")
}

/// A file of so many lines of code.
pub(crate) fn file_metrics(file: &str, lines: u32) -> FileMetrics {
    FileMetrics {
        file: file.into(),
        language: Language::Python,
        lines: LineCounts { physical: lines, source: lines, ..LineCounts::default() },
        halstead: Halstead::default(),
        cyclomatic: 0,
        cognitive: 0,
        maintainability_classic: 171.0,
        maintainability: 100.0,
        documentation: None,
        functions: Vec::new(),
        classes: Vec::new(),
        parsed: true,
    }
}

const RULES: [(&str, &str, Severity, Category); 3] = [
    ("bad-word", "BAD", Severity::High, Category::Security),
    ("ugly-word", "UGLY", Severity::Low, Category::Lint),
    ("too-complex", "", Severity::Medium, Category::Complexity),
];

impl Analyzer for Words {
    fn rules(&self) -> Vec<RuleInfo> {
        let info = |(name, _, severity, category): &(&'static str, &str, Severity, Category)| RuleInfo {
            name: (*name).into(),
            title: "a word".into(),
            why: "".into(),
            suggestion: "".into(),
            category: *category,
            severity: *severity,
            confidence: Confidence::High,
            cwe: None,
            languages: vec![Language::Python],
            fix: None,
            examples: Vec::new(),
        };
        RULES.iter().map(info).collect()
    }

    fn analyze(&self, sources: &[SourceText], _: &AnalysisOptions, _: Watch<'_>) -> Analysis {
        let mut analysis = Analysis::default();
        for source in sources {
            let mut metrics = file_metrics(&source.path, source.text.lines().count() as u32);
            metrics.parsed = !source.text.contains("BROKEN");
            let mut offset = 0;
            for (index, line) in source.text.lines().enumerate() {
                let words: Vec<&str> = line.split_whitespace().collect();
                let span = Span {
                    start_byte: offset,
                    end_byte: offset + line.len() as u32,
                    end_column: line.chars().count() as u32 + 1,
                    ..Span::of_line(index as u32 + 1)
                };
                offset += line.len() as u32 + 1;
                if let ["def", name, complexity] = words[..] {
                    let cyclomatic = complexity.parse().unwrap_or(1);
                    metrics.functions.push(FunctionMetrics {
                        name: name.into(),
                        span,
                        cyclomatic,
                        ..FunctionMetrics::default()
                    });
                    if cyclomatic > 10 {
                        analysis.findings.push(told(2, source, span, Some(name.to_owned())));
                    }
                }
                let symbol = metrics.functions.last().map(|function| function.name.clone());
                if let Some(function) = metrics.functions.last_mut() {
                    function.span.end_line = index as u32 + 1;
                }
                for (rule, (_, word, ..)) in RULES.iter().enumerate().take(2) {
                    if metrics.parsed && line.contains(word) {
                        analysis.findings.push(told(rule, source, span, symbol.clone()));
                    }
                }
            }
            analysis.files.push(metrics);
        }
        analysis
    }
}

fn told(rule: usize, source: &SourceText, span: Span, symbol: Option<String>) -> Finding {
    let (name, word, severity, category) = RULES[rule];
    let mut finding =
        Finding::new(name, category, severity, source.path.clone(), span, format!("found {word}"));
    finding.symbol = symbol;
    finding
}
