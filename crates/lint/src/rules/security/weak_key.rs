//! Keys that are too short.

use super::SECURITY;
use super::calls::{calls, integer};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "weak-key",
    title: "A key of RSA or DSA that is too short",
    why: "Keys below 2048 bits can be broken with money that many have.",
    suggestion: "Use 3072 bits, or an elliptic curve.",
    severity: Severity::Medium,
    cwe: Some(326),
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
            "from Crypto.PublicKey import RSA\nk = RSA.generate(1024)\n",
            "from Crypto.PublicKey import RSA\nk = RSA.generate(3072)\n",
        ),
        (
            Language::Python,
            "from cryptography.hazmat.primitives.asymmetric import rsa\nk = rsa.generate_private_key(public_exponent=65537, key_size=1024)\n",
            "from cryptography.hazmat.primitives.asymmetric import rsa\nk = rsa.generate_private_key(public_exponent=65537, key_size=2048)\n",
        ),
        (
            Language::JavaScript,
            "crypto.generateKeyPairSync('rsa', { modulusLength: 1024 })",
            "crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })",
        ),
        (
            Language::Go,
            "package a\nimport (\"crypto/rand\"; \"crypto/rsa\")\nfunc f() { rsa.GenerateKey(rand.Reader, 1024) }",
            "package a\nimport (\"crypto/rand\"; \"crypto/rsa\")\nfunc f() { rsa.GenerateKey(rand.Reader, 2048) }",
        ),
        (
            Language::C,
            "void f(RSA *r, BIGNUM *e) { RSA_generate_key_ex(r, 1024, e, 0); }",
            "void f(RSA *r, BIGNUM *e) { RSA_generate_key_ex(r, 2048, e, 0); }",
        ),
    ],
    ..SECURITY
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let short = |bits: Option<i128>| bits.is_some_and(|bits| (1..2048).contains(&bits));
    for call in calls(
        file,
        &[
            "generate",
            "generate_private_key",
            "GenerateKey",
            "RSA_generate_key_ex",
            "generateKeyPairSync",
            "generateKeyPair",
        ],
    ) {
        let at = |place: usize| call.arguments.get(place).and_then(|argument| integer(file, argument.value));
        let bits = match (file.language(), call.method()) {
            (Language::Python, "generate")
                if call.receiver().ends_with(".RSA") || call.receiver().ends_with(".DSA") =>
            {
                at(0)
            }
            (Language::Python, "generate_private_key")
                if call.receiver().ends_with("rsa") || call.receiver().ends_with("dsa") =>
            {
                call.argument(1, "key_size").and_then(|size| integer(file, size))
            }
            (Language::Go, "GenerateKey") if call.receiver() == "crypto/rsa" => at(1),
            (Language::C | Language::Cpp, "RSA_generate_key_ex") => at(1),
            (Language::JavaScript | Language::TypeScript, _) => super::calls::named(file, &["modulusLength"])
                .into_iter()
                .find(|(_, value)| call.span.contains(file.unit.expr(*value).span))
                .and_then(|(_, value)| integer(file, value)),
            _ => None,
        };
        if short(bits) {
            report.find(call.span, "this key can be broken");
        }
    }
}
