//! One file on its way through the rules.

use crate::rules::Info;
use crate::source::Options;
use formicary_model::Language;
use formicary_model::review::{Edit, Finding, Fix, FixSafety, FunctionMetrics, Span};
use formicary_syntax::place::{place, qualified};
use formicary_syntax::{Dialect, ExprId, ExprKind, FunctionId, Graph, Scopes, Unit};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// A file with everything that rules ask for.
pub struct File<'u, 'a> {
    /// Relative to the project.
    pub path: &'u str,
    /// Its parts.
    pub unit: &'u Unit<'a>,
    /// Its names.
    pub scopes: &'u Scopes<'a>,
    /// The metrics of its functions that have a body, with their numbers.
    pub functions: &'u [(FunctionId, FunctionMetrics)],
    /// The options.
    pub options: &'u Options,
    graphs: Vec<OnceCell<Graph>>,
    calls: OnceCell<FxHashMap<&'a str, Vec<ExprId>>>,
}

impl<'u, 'a> File<'u, 'a> {
    /// A file for the rules.
    pub fn new(
        path: &'u str,
        unit: &'u Unit<'a>,
        scopes: &'u Scopes<'a>,
        functions: &'u [(FunctionId, FunctionMetrics)],
        options: &'u Options,
    ) -> Self {
        let graphs = (0..unit.functions.len()).map(|_| OnceCell::new()).collect();
        Self { path, unit, scopes, functions, options, graphs, calls: OnceCell::new() }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.unit.dialect.language()
    }

    /// Whether it is JavaScript or TypeScript.
    pub fn is_script(&self) -> bool {
        matches!(self.unit.dialect, Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx)
    }

    /// Whether it is Python.
    pub fn is_python(&self) -> bool {
        self.unit.dialect == Dialect::Python
    }

    /// Whether its path says that it holds tests.
    pub fn is_test(&self) -> bool {
        self.path.split('/').any(|part| {
            matches!(part, "test" | "tests" | "testing" | "__tests__" | "spec" | "fixtures" | "testdata")
                || part.starts_with("test_")
                || part.ends_with("_test.go")
                || part.ends_with("_test.py")
                || part.contains(".test.")
                || part.contains(".spec.")
                || part.ends_with("Test.java")
        })
    }

    /// Whether its path says that it is an interface for a type checker alone.
    pub fn is_stub(&self) -> bool {
        self.path.ends_with(".pyi") || self.path.ends_with(".d.ts")
    }

    /// The control flow of a function, made once.
    pub fn graph(&self, id: FunctionId) -> &Graph {
        self.graphs[id.0 as usize].get_or_init(|| Graph::new(self.unit, &self.unit.function(id).body))
    }

    /// The calls whose last word is this, in the order in which they stand; found once for all rules.
    pub fn calls_of(&self, word: &str) -> &[ExprId] {
        let unit = self.unit;
        let index = self.calls.get_or_init(|| {
            let mut index: FxHashMap<&'a str, Vec<ExprId>> = FxHashMap::default();
            for (id, expr) in unit.exprs() {
                let ExprKind::Call { callee, .. } = &expr.kind else { continue };
                let word = match unit.kind(*callee) {
                    ExprKind::Name(name) | ExprKind::Attribute { name, .. } => name,
                    ExprKind::Type(written) => last_word(written.split('<').next().unwrap_or(written)),
                    _ => continue,
                };
                index.entry(word).or_default().push(id);
            }
            index
        });
        index.get(word).map_or(&[], Vec::as_slice)
    }

    /// The place of some bytes.
    pub fn place(&self, span: formicary_syntax::Span) -> Span {
        place(self.unit, span)
    }

    /// The name of the function or class around a place, with its outer names.
    pub fn symbol(&self, span: formicary_syntax::Span) -> Option<String> {
        let functions = self
            .unit
            .functions()
            .filter(|(_, function)| !function.name.is_empty() && function.span.contains(span));
        let function = functions.max_by_key(|(_, function)| function.span.start).map(|(id, _)| id);
        let classes =
            self.unit.classes().filter(|(_, class)| !class.name.is_empty() && class.span.contains(span));
        let class = classes.max_by_key(|(_, class)| class.span.start);
        match (function, class) {
            (Some(id), Some((_, class))) if self.unit.function(id).span.start < class.span.start => {
                Some(class.name.to_owned())
            }
            (Some(id), _) => Some(qualified(self.unit, id)),
            (None, Some((_, class))) => Some(class.name.to_owned()),
            (None, None) => None,
        }
    }
}

/// The last word of a dotted name, a path or a module.
pub(crate) fn last_word(name: &str) -> &str {
    name.rsplit(['.', '/', ':']).next().unwrap_or(name)
}

/// What one rule finds in one file.
pub struct Report<'r> {
    pub(crate) info: &'static Info,
    pub(crate) file: &'r str,
    pub(crate) source: &'r str,
    pub(crate) unit: &'r Unit<'r>,
    pub(crate) findings: Vec<Finding>,
}

impl Report<'_> {
    /// Notes a finding; what deviates from the rule's description is set on what comes back.
    pub fn find(&mut self, span: formicary_syntax::Span, message: impl Into<String>) -> &mut Finding {
        let info = self.info;
        let place = place(self.unit, span);
        let mut finding = Finding::new(info.name, info.category, info.severity, self.file, place, message);
        finding.why = info.why.into();
        finding.suggestion = info.suggestion.into();
        finding.confidence = info.confidence;
        finding.cwe = info.cwe;
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// A fix of one replacement.
    pub fn replace(
        &self,
        span: formicary_syntax::Span,
        with: impl Into<String>,
        safety: FixSafety,
        what: &str,
    ) -> Fix {
        let edits = vec![Edit { span: place(self.unit, span), replacement: with.into() }];
        Fix { description: what.to_owned(), safety, edits }
    }

    /// The text of the file.
    pub fn source(&self) -> &str {
        self.source
    }
}
