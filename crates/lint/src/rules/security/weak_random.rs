//! A secret from a generator that can be predicted.

use super::SECURITY;
use super::calls::{calls, named};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Confidence;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "weak-random",
    title: "A secret from a generator that can be predicted",
    why: "After some outputs the next ones can be computed: tokens and passwords can be guessed.",
    suggestion: "Use `secrets`, `crypto.randomBytes`, `SecureRandom`, `crypto/rand`, `getrandom`.",
    confidence: Confidence::Medium,
    cwe: Some(338),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Java,
        Language::Go,
        Language::C,
        Language::Cpp,
    ],
    examples: &[
        (
            Language::Python,
            "import random\ndef f():\n    token = ''.join(random.choice('abc') for _ in range(9))\n    return token\n",
            "import random\ndef roll():\n    return random.randint(1, 6)\n",
        ),
        (
            Language::Python,
            "import random\ndef make_password():\n    return random.getrandbits(64)\n",
            "import secrets\ntoken = secrets.token_hex()\n",
        ),
        (
            Language::JavaScript,
            "const sessionId = Math.random().toString(36)",
            "const angle = Math.random() * 360",
        ),
        (
            Language::TypeScript,
            "function newToken() { return Math.random().toString(36) }",
            "const jitter = Math.random()",
        ),
        (
            Language::Java,
            "class A { String f() { String token = \"\" + new Random().nextLong(); return token; } }",
            "class A { int f() { int side = new Random().nextInt(6); return side; } }",
        ),
        (
            Language::Go,
            "package a\nimport \"math/rand\"\nfunc newToken() int { return rand.Int() }",
            "package a\nimport \"math/rand\"\nfunc roll() int { return rand.Intn(6) }",
        ),
        (Language::C, "void f(void) { int secret_key = rand(); }", "void f(void) { int side = rand() % 6; }"),
    ],
    ..SECURITY
};

const WORDS: &[&str] = &[
    "random",
    "randint",
    "choice",
    "choices",
    "randrange",
    "getrandbits",
    "sample",
    "randbytes",
    "uniform",
    "shuffle",
    "Random",
    "nextInt",
    "nextLong",
    "nextBytes",
    "Int",
    "Intn",
    "Int63",
    "Int31",
    "Int31n",
    "Int63n",
    "Uint32",
    "Uint64",
    "Read",
    "Float64",
    "rand",
    "rand_r",
    "drand48",
    "lrand48",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    let unit = file.unit;
    let weak: Vec<_> = calls(file, WORDS)
        .into_iter()
        .filter(|call| match file.language() {
            Language::Python => call.receiver() == "random",
            Language::JavaScript | Language::TypeScript => call.path == "Math.random",
            Language::Java => {
                matches!(call.path.as_str(), "Random" | "java.util.Random" | "Math.random")
                    || matches!(call.receiver(), "ThreadLocalRandom.current()")
            }
            Language::Go => matches!(call.receiver(), "math/rand" | "math/rand/v2"),
            _ => {
                call.kind == formicary_syntax::CallKind::Call
                    && matches!(call.path.as_str(), "rand" | "rand_r" | "drand48" | "lrand48")
            }
        })
        .collect();
    if weak.is_empty() {
        return;
    }
    let secrets: Vec<_> = named(file, &[]).into_iter().filter(|(name, _)| is_secret(name)).collect();
    for call in weak {
        let kept = secrets.iter().find(|(_, value)| unit.expr(*value).span.contains(call.span));
        let function = || {
            let around = unit.functions().filter(|(_, function)| function.span.contains(call.span));
            around
                .max_by_key(|(_, function)| function.span.start)
                .map(|(_, function)| function.name)
                .filter(|name| is_secret(name))
        };
        if let Some(name) = kept.map(|(name, _)| *name).or_else(function) {
            let message = format!("`{name}` comes from a generator that can be predicted");
            report.find(call.span, message);
        }
    }
}

/// Whether a name says that its value must not be guessed.
pub fn is_secret(name: &str) -> bool {
    let flat = name.replace(['_', '-'], "").to_lowercase();
    const WORDS: &[&str] = &[
        "password",
        "passwd",
        "secret",
        "sessionid",
        "sessionkey",
        "apikey",
        "privatekey",
        "csrf",
        "nonce",
        "salt",
        "otp",
        "accesstoken",
        "authtoken",
        "resettoken",
        "encryptionkey",
        "rememberme",
    ];
    let token = flat.ends_with("token") || flat.ends_with("tokens");
    token || WORDS.iter().any(|word| flat.contains(word)) && flat != "adopt"
}
