//! Code that is hidden in data and run after unpacking.

use super::MALICIOUS;
use crate::file::{File, Report};
use crate::rules::security::calls::{calls, path};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_syntax::walk::{Nested, Step};
use formicary_syntax::{CallKind, ExprId, ExprKind};

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "obfuscated-execution",
    title: "Code that is hidden in data and run after unpacking",
    why: "Honest code is written as code. What is unpacked to be run wants to be overlooked.",
    suggestion: "Do not run it. Unpack it apart from everything and read what it does.",
    languages: &[Language::Python, Language::JavaScript, Language::TypeScript, Language::Bash],
    examples: &[
        (
            Language::Python,
            "import base64\nexec(base64.b64decode('cHJpbnQoMSk='))\n",
            "import base64\nx = base64.b64decode('cHJpbnQoMSk=')\n",
        ),
        (
            Language::Python,
            "import marshal, zlib\nexec(marshal.loads(zlib.decompress(b'x')))\n",
            "exec(compile(source, 'a', 'exec'))\n",
        ),
        (Language::JavaScript, "eval(atob('YWxlcnQoMSk='))", "const x = atob('YWxlcnQoMSk=')"),
        (
            Language::TypeScript,
            "new Function(Buffer.from('YQ==', 'base64').toString())()",
            "const x = Buffer.from('YQ==', 'base64').toString()",
        ),
        (Language::Bash, "echo ZWNobyBoaQo= | base64 -d | bash\n", "base64 -d < a > b\n"),
    ],
    ..MALICIOUS
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let unit = file.unit;
    if file.language() == Language::Bash {
        for (_, stmt) in unit.stmts() {
            if let formicary_syntax::StmtKind::Other { body, .. } = &stmt.kind
                && body.len() > 1
            {
                let words = |at: usize| body.get(at).map_or("", |id| unit.text(unit.stmt(*id).span));
                let last = words(body.len() - 1).trim_start_matches("sudo ");
                let shell =
                    matches!(last.split_whitespace().next(), Some("sh" | "bash" | "/bin/sh" | "/bin/bash"));
                let unpacks = words(body.len() - 2);
                let decodes = unpacks.starts_with("base64 ")
                    && (unpacks.contains("-d") || unpacks.contains("-D"))
                    || unpacks.starts_with("xxd -r");
                if shell && decodes {
                    report.find(stmt.span, "what is unpacked here is run");
                }
            }
        }
        return;
    }
    for call in calls(file, &["exec", "eval", "Function"]) {
        let runs = match call.kind {
            CallKind::New => call.path == "Function",
            _ => {
                matches!(call.path.as_str(), "exec" | "eval" | "builtins.exec" | "builtins.eval" | "Function")
            }
        };
        if runs && call.arguments.iter().any(|argument| unpacks(file, argument.value)) {
            report.find(call.span, "what is unpacked here is run");
        }
    }
}

/// Whether something inside decodes or decompresses.
fn unpacks(file: &File<'_, '_>, id: ExprId) -> bool {
    let unit = file.unit;
    let mut found = false;
    unit.walk_expr(id, Nested::Skip, &mut |step| {
        let Step::Expr(inner) = step else { return };
        let ExprKind::Call { callee, arguments, .. } = unit.kind(inner) else { return };
        let name = path(file, *callee);
        found |= match name.as_str() {
            "base64.b64decode"
            | "base64.b32decode"
            | "base64.b85decode"
            | "base64.a85decode"
            | "zlib.decompress"
            | "bz2.decompress"
            | "lzma.decompress"
            | "marshal.loads"
            | "bytes.fromhex"
            | "binascii.unhexlify"
            | "codecs.decode"
            | "atob"
            | "unescape"
            | "String.fromCharCode" => true,
            "Buffer.from" => arguments
                .get(1)
                .and_then(|a| unit.literal_text(a.value))
                .is_some_and(|code| code != "utf8" && code != "utf-8"),
            _ => false,
        };
    });
    found
}
