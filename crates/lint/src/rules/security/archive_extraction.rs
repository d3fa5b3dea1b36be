//! Archives that are unpacked wherever they say.

use super::SECURITY;
use super::calls::{calls, text};
use crate::file::{File, Report};
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "archive-extraction",
    title: "An archive that is unpacked wherever it says",
    why: "Members of a tar archive may be called `../../etc/passwd`, or be links that lead out of the folder.",
    suggestion: "Write `extractall(path, filter=\"data\")`.",
    severity: Severity::Medium,
    confidence: Confidence::Medium,
    cwe: Some(22),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "import tarfile\ndef f(p):\n    with tarfile.open(p) as t:\n        t.extractall('out')\n",
        "import tarfile\ndef f(p):\n    with tarfile.open(p) as t:\n        t.extractall('out', filter='data')\n",
    )],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    // `zipfile` makes names harmless by itself.
    if !file.unit.imports.iter().any(|import| import.module.starts_with("tarfile")) {
        return;
    }
    let zips = file.unit.imports.iter().any(|import| import.module.starts_with("zipfile"));
    for call in calls(file, &["extractall"]) {
        let receiver = call.receiver().to_lowercase();
        let zip = receiver.contains("zip") || zips && !receiver.contains("tar");
        let filter = call.keyword("filter");
        let trusting = filter.and_then(|filter| text(file, filter)) == Some("fully_trusted");
        if !zip && (filter.is_none() || trusting) && call.keyword("members").is_none() {
            report.find(call.span, "members of the archive can be written outside of the folder");
        }
    }
}
