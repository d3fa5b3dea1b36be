//! MD5 and SHA-1.

use super::SECURITY;
use super::calls::{calls, is_bool, text};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;
use formicary_model::review::Severity;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "weak-hash",
    title: "A hash for which collisions are cheap",
    why: "Two inputs with the same MD5 or SHA-1 are easy to make: signatures and checks can be fooled.",
    suggestion: "Use SHA-256 or BLAKE2; for passwords argon2, scrypt or bcrypt. Where it guards nothing say `usedforsecurity=False`.",
    severity: Severity::Medium,
    cwe: Some(328),
    languages: &[
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Java,
        Language::Go,
        Language::C,
        Language::Cpp,
        Language::Rust,
    ],
    examples: &[
        (
            Language::Python,
            "import hashlib\nh = hashlib.md5(b'a')\n",
            "import hashlib\nh = hashlib.md5(b'a', usedforsecurity=False)\ng = hashlib.sha256(b'a')\n",
        ),
        (
            Language::Python,
            "from hashlib import sha1\nh = sha1(b'a')\n",
            "import hashlib\nh = hashlib.new('sha256')\n",
        ),
        (
            Language::JavaScript,
            "const crypto = require('crypto'); crypto.createHash('md5')",
            "const crypto = require('crypto'); crypto.createHash('sha256')",
        ),
        (
            Language::TypeScript,
            "import { createHash } from 'crypto'; createHash('sha1')",
            "import { createHash } from 'crypto'; createHash('sha512')",
        ),
        (
            Language::Java,
            "class A { void f() throws Exception { MessageDigest.getInstance(\"MD5\"); } }",
            "class A { void f() throws Exception { MessageDigest.getInstance(\"SHA-256\"); } }",
        ),
        (
            Language::Go,
            "package a\nimport \"crypto/md5\"\nfunc f(b []byte) { md5.Sum(b) }",
            "package a\nimport \"crypto/sha256\"\nfunc f(b []byte) { sha256.Sum256(b) }",
        ),
        (Language::C, "void f(void) { MD5_Init(&c); EVP_sha1(); }", "void f(void) { EVP_sha256(); }"),
        (Language::Rust, "fn f() { let h = Md5::new(); }", "fn f() { let h = Sha256::new(); }"),
    ],
    ..SECURITY
};

const WORDS: &[&str] = &[
    "md5",
    "sha1",
    "md4",
    "new",
    "createHash",
    "getInstance",
    "New",
    "Sum",
    "MD5",
    "SHA1",
    "MD5_Init",
    "SHA1_Init",
    "EVP_md5",
    "EVP_sha1",
    "digest",
    "md5Hex",
    "sha1Hex",
    "compute",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    for call in calls(file, WORDS) {
        let path = call.path.as_str();
        let by_name = || call.first().and_then(|first| text(file, first)).is_some_and(is_weak);
        let weak = match file.language() {
            Language::Python => match path {
                "hashlib.md5" | "hashlib.sha1" | "Crypto.Hash.MD5.new" | "Crypto.Hash.SHA1.new" => true,
                "hashlib.new" => {
                    call.argument(0, "name").and_then(|name| text(file, name)).is_some_and(is_weak)
                }
                "cryptography.hazmat.primitives.hashes.MD5"
                | "cryptography.hazmat.primitives.hashes.SHA1" => true,
                _ => false,
            },
            Language::JavaScript | Language::TypeScript => {
                call.method() == "createHash" && by_name()
                    || matches!(path, "crypto-js.MD5" | "crypto-js.SHA1")
            }
            Language::Java => {
                call.receiver().ends_with("MessageDigest") && by_name()
                    || matches!(path, "DigestUtils.md5Hex" | "DigestUtils.sha1Hex")
            }
            Language::Go => {
                matches!(path, "crypto/md5.New" | "crypto/md5.Sum" | "crypto/sha1.New" | "crypto/sha1.Sum")
            }
            Language::C | Language::Cpp => {
                matches!(path, "MD5" | "SHA1" | "MD5_Init" | "SHA1_Init" | "EVP_md5" | "EVP_sha1")
            }
            Language::Rust => {
                matches!(path, "Md5.new" | "Sha1.new" | "md5.compute" | "Md5.digest" | "Sha1.digest")
            }
            Language::Bash => false,
        };
        let harmless = call.keyword("usedforsecurity").is_some_and(|value| is_bool(file, value, false));
        if weak && !harmless && !file.is_test() {
            report.find(call.span, "collisions of this hash are cheap to make");
        }
    }
}

/// Whether a name names something broken.
pub fn is_weak(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "md5" | "sha1" | "sha-1" | "md4" | "md2" | "rsa-md5" | "rsa-sha1")
}
