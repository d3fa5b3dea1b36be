//! What was learned of a file as few bytes, for the cache. The wire's form leaves out what is empty and names every field;
//! this one knows the order of the fields and says nothing twice: what a rule says of every finding stands in the rule.

use formicary_lint::{FileAnalysis, FileFacts};
use formicary_model::Language;
use formicary_model::review::{
    Category, ClassMetrics, Confidence, FileMetrics, Finding, Fix, FunctionMetrics, Halstead, LineCounts,
    Note, NoteKind, RuleInfo, Severity, Span, Step,
};
use formicary_taint::TaintFacts;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What the rules say of every finding of theirs, by name.
#[derive(Debug)]
pub struct Sayings(FxHashMap<Cow<'static, str>, RuleInfo>);

impl Sayings {
    /// What these rules say.
    pub fn of(rules: Vec<RuleInfo>) -> Self {
        Self(rules.into_iter().map(|rule| (rule.name.clone(), rule)).collect())
    }
}

#[derive(Serialize, Deserialize)]
struct Kept<'k> {
    metrics: KeptMetrics<'k>,
    findings: Vec<KeptFinding<'k>>,
    notes: Vec<KeptNote<'k>>,
    facts: Cow<'k, FileFacts>,
    taint: Cow<'k, TaintFacts>,
}

#[derive(Serialize, Deserialize)]
struct KeptMetrics<'k> {
    language: Language,
    lines: LineCounts,
    halstead: Halstead,
    cyclomatic: u32,
    cognitive: u32,
    maintainability_classic: f64,
    maintainability: f64,
    documentation: Option<f64>,
    functions: Cow<'k, [FunctionMetrics]>,
    classes: Cow<'k, [ClassMetrics]>,
    parsed: bool,
}

#[derive(Serialize, Deserialize)]
struct KeptFinding<'k> {
    rule: Cow<'k, str>,
    message: Cow<'k, str>,
    /// None where it is what the rule says.
    why: Option<Cow<'k, str>>,
    suggestion: Option<Cow<'k, str>>,
    severity: Severity,
    confidence: Confidence,
    category: Category,
    cwe: Option<u32>,
    span: Span,
    symbol: Option<Cow<'k, str>>,
    path: Cow<'k, [Step]>,
    related: Cow<'k, [Step]>,
    fix: Option<Cow<'k, Fix>>,
}

#[derive(Serialize, Deserialize)]
struct KeptNote<'k> {
    kind: NoteKind,
    line: Option<u32>,
    message: Cow<'k, str>,
}

/// The facts of a file as bytes; none where they have no such form.
pub fn encode(analysis: &FileAnalysis, taint: &TaintFacts, sayings: &Sayings) -> Option<Vec<u8>> {
    let FileMetrics {
        file: _,
        language,
        lines,
        halstead,
        cyclomatic,
        cognitive,
        maintainability_classic,
        maintainability,
        documentation,
        functions,
        classes,
        parsed,
    } = &analysis.metrics;
    let metrics = KeptMetrics {
        language: *language,
        lines: *lines,
        halstead: *halstead,
        cyclomatic: *cyclomatic,
        cognitive: *cognitive,
        maintainability_classic: *maintainability_classic,
        maintainability: *maintainability,
        documentation: *documentation,
        functions: functions.into(),
        classes: classes.into(),
        parsed: *parsed,
    };
    let kept = Kept {
        metrics,
        findings: analysis.findings.iter().map(|finding| keep(finding, sayings)).collect(),
        notes: analysis
            .notes
            .iter()
            .map(|note| KeptNote { kind: note.kind, line: note.line, message: note.message.as_str().into() })
            .collect(),
        facts: Cow::Borrowed(&analysis.facts),
        taint: Cow::Borrowed(taint),
    };
    postcard::to_allocvec(&kept).ok()
}

fn keep<'k>(finding: &'k Finding, sayings: &Sayings) -> KeptFinding<'k> {
    let said = sayings.0.get(finding.rule.as_ref());
    let own = |text: &'k str, said: Option<&Cow<'static, str>>| {
        (said.map(Cow::as_ref) != Some(text)).then_some(Cow::Borrowed(text))
    };
    KeptFinding {
        rule: finding.rule.as_ref().into(),
        message: finding.message.as_str().into(),
        why: own(&finding.why, said.map(|rule| &rule.why)),
        suggestion: own(&finding.suggestion, said.map(|rule| &rule.suggestion)),
        severity: finding.severity,
        confidence: finding.confidence,
        category: finding.category,
        cwe: finding.cwe,
        span: finding.span,
        symbol: finding.symbol.as_deref().map(Into::into),
        path: finding.path.as_slice().into(),
        related: finding.related.as_slice().into(),
        fix: finding.fix.as_ref().map(Cow::Borrowed),
    }
}

/// The facts of the file at `path` that these bytes hold; none where they are no facts.
pub fn decode(bytes: &[u8], path: &str, sayings: &Sayings) -> Option<(FileAnalysis, TaintFacts)> {
    let Kept { metrics, findings, notes, facts, taint } = postcard::from_bytes(bytes).ok()?;
    let metrics = FileMetrics {
        file: path.to_owned(),
        language: metrics.language,
        lines: metrics.lines,
        halstead: metrics.halstead,
        cyclomatic: metrics.cyclomatic,
        cognitive: metrics.cognitive,
        maintainability_classic: metrics.maintainability_classic,
        maintainability: metrics.maintainability,
        documentation: metrics.documentation,
        functions: metrics.functions.into_owned(),
        classes: metrics.classes.into_owned(),
        parsed: metrics.parsed,
    };
    let note = |note: KeptNote<'_>| Note {
        kind: note.kind,
        file: Some(path.to_owned()),
        line: note.line,
        message: note.message.into_owned(),
    };
    let analysis = FileAnalysis {
        metrics,
        findings: findings.into_iter().map(|finding| give(finding, path, sayings)).collect(),
        notes: notes.into_iter().map(note).collect(),
        facts: facts.into_owned(),
    };
    Some((analysis, taint.into_owned()))
}

fn give(kept: KeptFinding<'_>, path: &str, sayings: &Sayings) -> Finding {
    let said = sayings.0.get(kept.rule.as_ref());
    let rule = said.map_or_else(|| Cow::Owned(kept.rule.clone().into_owned()), |rule| rule.name.clone());
    let text = |own: Option<Cow<'_, str>>, said: Option<&Cow<'static, str>>| match own {
        Some(own) => Cow::Owned(own.into_owned()),
        None => said.cloned().unwrap_or_default(),
    };
    let mut finding = Finding::new(rule, kept.category, kept.severity, path, kept.span, kept.message);
    finding.why = text(kept.why, said.map(|rule| &rule.why));
    finding.suggestion = text(kept.suggestion, said.map(|rule| &rule.suggestion));
    finding.confidence = kept.confidence;
    finding.cwe = kept.cwe;
    finding.symbol = kept.symbol.map(Cow::into_owned);
    finding.path = kept.path.into_owned();
    finding.related = kept.related.into_owned();
    finding.fix = kept.fix.map(Cow::into_owned);
    finding
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_lint::{Options, SourceFile};
    use formicary_taint::analyze_file;

    #[test]
    fn facts_come_back_as_they_were() {
        let sayings = Sayings::of(formicary_lint::rules::catalogue());
        let text = "import os\nfrom flask import request\n\n\nclass A(B):\n    '''Doc.'''\n\n    def f(self, a=[]):\n        \
                    os.system('ls ' + request.args['x'])\n        return a == a\n\n\ndef g(:\n    pass\n";
        for (path, text) in [("a.py", text), ("b/c.js", "eval(x)\n"), ("d.sh", "rm -rf $X/*\n"), ("e.py", "")]
        {
            let (analysis, taint) = analyze_file(&SourceFile::new(path, text), &Options::default()).unwrap();
            let bytes = encode(&analysis, &taint, &sayings).unwrap();
            let again = decode(&bytes, path, &sayings).unwrap();
            assert_eq!(format!("{:?}", (analysis, taint)), format!("{again:?}"));
            assert!(decode(&bytes[..bytes.len() - 1], path, &sayings).is_none());
        }
    }
}
