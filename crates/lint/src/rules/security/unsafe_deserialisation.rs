//! Bytes that may run code while they are read.

use super::SECURITY;
use super::calls::{calls, is_constant, path};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "unsafe-deserialisation",
    title: "A format that can run code while it is read",
    why: "Whoever wrote the bytes chooses which code runs when they are read.",
    suggestion: "Read a format that holds data alone: JSON, `yaml.safe_load`, a schema.",
    confidence: Confidence::Medium,
    severity: Severity::Medium,
    cwe: Some(502),
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Java],
    examples: &[
        (
            Language::Python,
            "import pickle\ndef f(x):\n    return pickle.loads(x)\n",
            "import json\ndef f(x):\n    return json.loads(x)\n",
        ),
        (
            Language::Python,
            "import yaml\ndef f(x):\n    return yaml.load(x)\n",
            "import yaml\ndef f(x):\n    return yaml.load(x, Loader=yaml.SafeLoader)\n",
        ),
        (
            Language::JavaScript,
            "const s = require('node-serialize'); function f(x) { return s.unserialize(x) }",
            "function f(x) { return JSON.parse(x) }",
        ),
        (
            Language::Java,
            "class A { Object f(InputStream in) throws Exception { return new ObjectInputStream(in).readObject(); } }",
            "class A { Object f(ObjectMapper m, String x) throws Exception { return m.readValue(x, B.class); } }",
        ),
    ],
    ..SECURITY
};

const WORDS: &[&str] = &[
    "load",
    "loads",
    "Unpickler",
    "load_all",
    "unsafe_load",
    "unsafe_load_all",
    "full_load",
    "decode",
    "read_pickle",
    "open",
    "unserialize",
    "readObject",
    "readUnshared",
    "XMLDecoder",
    "fromXML",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for call in calls(file, WORDS) {
        let (receiver, method) = (call.receiver(), call.method());
        let dangerous = match file.language() {
            Language::Python => match receiver {
                "pickle" | "cPickle" | "_pickle" | "dill" | "cloudpickle" | "marshal" => method != "open",
                "jsonpickle" => method == "decode",
                "pandas" => method == "read_pickle",
                "joblib" => method == "load",
                "torch" => method == "load" && call.keyword("weights_only").is_none(),
                "shelve" => method == "open",
                "yaml" => match method {
                    "load" | "load_all" => {
                        let loader = call.argument(1, "Loader").map(|loader| path(file, loader));
                        !loader.is_some_and(|loader| {
                            loader.contains("Safe") || loader.contains("Base") || !loader.starts_with("yaml")
                        })
                    }
                    _ => method.starts_with("unsafe_"),
                },
                _ => false,
            },
            Language::JavaScript | Language::TypeScript => {
                method == "unserialize" && (receiver.contains("serialize") || receiver == "s")
            }
            Language::Java => match method {
                "readObject" | "readUnshared" => {
                    let own = receiver.is_empty() || receiver == "this" || receiver == "super";
                    let stream = receiver.to_lowercase();
                    let opened = file.unit.source.contains("ObjectInputStream") && !stream.contains("reader");
                    let hook = call_is_in_hook(file, call.span);
                    !own && opened && !hook
                }
                "XMLDecoder" => true,
                "fromXML" => receiver.to_lowercase().contains("xstream"),
                _ => false,
            },
            _ => false,
        };
        let own_bytes = call.first().is_some_and(|value| path(file, value).ends_with(".dumps()"));
        if !dangerous
            || own_bytes
            || call.first().is_some_and(|value| file.is_python() && is_constant(file, value))
        {
            continue;
        }
        let name = call.path.clone();
        let finding = report.find(call.span, format!("`{name}` runs what the bytes say"));
        if file.is_test() {
            finding.confidence = Confidence::Low;
        }
    }
}

/// `private void readObject(ObjectInputStream in)` is how a class takes part; the caller decides what is read.
fn call_is_in_hook(file: &File<'_, '_>, span: formicary_syntax::Span) -> bool {
    file.unit.functions().any(|(_, function)| {
        matches!(function.name, "readObject" | "readExternal" | "readResolve") && function.span.contains(span)
    })
}
