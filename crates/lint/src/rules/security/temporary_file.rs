//! Names of temporary files that somebody else can take first.

use super::SECURITY;
use super::calls::{calls, text};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::{Confidence, Severity};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "temporary-file",
    title: "A temporary file whose name somebody else can take first",
    why: "Between the choice of the name and the opening another user can put a link there, and it is followed.",
    suggestion: "Use `mkstemp`, `NamedTemporaryFile`, `os.CreateTemp`, `Files.createTempFile`: they choose and open at once.",
    severity: Severity::Medium,
    cwe: Some(377),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Go,
        Language::C,
        Language::Cpp,
    ],
    examples: &[
        (
            Language::Python,
            "import tempfile\np = tempfile.mktemp()\n",
            "import tempfile\nf = tempfile.NamedTemporaryFile()\n",
        ),
        (
            Language::Python,
            "f = open('/tmp/state.txt', 'w')\n",
            "f = open('/tmp/state.txt')\ng = open('/var/lib/x/state', 'w')\n",
        ),
        (
            Language::JavaScript,
            "const fs = require('fs'); fs.writeFileSync('/tmp/state', x)",
            "const fs = require('fs'); fs.writeFileSync('state', x)",
        ),
        (
            Language::Go,
            "package a\nimport \"os\"\nfunc f(b []byte) { os.WriteFile(\"/tmp/state\", b, 0600) }",
            "package a\nimport \"os\"\nfunc f() { os.CreateTemp(\"\", \"a\") }",
        ),
        (
            Language::C,
            "void f(void) { char *p = tmpnam(0); FILE *g = fopen(\"/tmp/state\", \"w\"); }",
            "void f(char *t) { int d = mkstemp(t); }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let words = [
        "mktemp",
        "tempnam",
        "tmpnam",
        "open",
        "fopen",
        "writeFile",
        "writeFileSync",
        "createWriteStream",
        "WriteFile",
        "Create",
    ];
    for call in calls(file, &words) {
        let first = call.first().and_then(|first| text(file, first)).unwrap_or("");
        let fixed = first.starts_with("/tmp/") && first.len() > 5 && !first.contains("XXXXXX");
        let mode = call.argument(1, "mode").and_then(|mode| text(file, mode)).unwrap_or("");
        let writes = mode.contains(['w', 'a', '+']) && !mode.contains('x');
        let (races, takes) = match (file.language(), call.path.as_str()) {
            (Language::Python, "tempfile.mktemp" | "os.tempnam" | "os.tmpnam") => (true, false),
            (Language::Python, "open" | "io.open" | "codecs.open") => (false, fixed && writes),
            (Language::C | Language::Cpp, "mktemp" | "tmpnam" | "tempnam") => (true, false),
            (Language::C | Language::Cpp, "fopen") => (false, fixed && writes),
            (Language::JavaScript | Language::TypeScript, _) => {
                (false, fixed && call.receiver() == "fs" && !matches!(call.method(), "open"))
            }
            (Language::Go, "os.WriteFile" | "os.Create" | "io/ioutil.WriteFile") => (false, fixed),
            _ => (false, false),
        };
        if races {
            report.find(call.span, "another can take the name before the file is opened");
        } else if takes {
            let finding = report.find(call.span, "everybody knows this name, and can take it first");
            finding.confidence = Confidence::Medium;
            finding.severity = Severity::Low;
        }
    }
}
