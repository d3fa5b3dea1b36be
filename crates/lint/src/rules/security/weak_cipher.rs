//! Ciphers that are broken, and modes that show the shape of what they hide.

use super::SECURITY;
use super::calls::{calls, path, text};
use crate::file::{File, Report};
use crate::rules::{Info, Rule};
use formicary_model::Language;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "weak-cipher",
    title: "A cipher or a mode that is broken",
    why: "DES and RC4 can be broken; ECB gives equal blocks for equal text, so that its shape can be read.",
    suggestion: "Use AES-GCM or ChaCha20-Poly1305.",
    cwe: Some(327),
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
            "from Crypto.Cipher import DES\nc = DES.new(key, DES.MODE_CBC, iv)\n",
            "from Crypto.Cipher import AES\nc = AES.new(key, AES.MODE_GCM)\n",
        ),
        (
            Language::Python,
            "from Crypto.Cipher import AES\nc = AES.new(key, AES.MODE_ECB)\n",
            "from cryptography.hazmat.primitives.ciphers import modes\nm = modes.GCM(iv)\n",
        ),
        (
            Language::JavaScript,
            "const crypto = require('crypto'); crypto.createCipheriv('des-ede3-cbc', k, i)",
            "const crypto = require('crypto'); crypto.createCipheriv('aes-256-gcm', k, i)",
        ),
        (
            Language::TypeScript,
            "import * as crypto from 'crypto'; crypto.createCipher('aes-256-cbc', k)",
            "import * as crypto from 'crypto'; crypto.createCipheriv('aes-256-gcm', k, i)",
        ),
        (
            Language::Java,
            "class A { void f() throws Exception { Cipher.getInstance(\"AES/ECB/PKCS5Padding\"); } }",
            "class A { void f() throws Exception { Cipher.getInstance(\"AES/GCM/NoPadding\"); } }",
        ),
        (
            Language::Go,
            "package a\nimport \"crypto/des\"\nfunc f(k []byte) { des.NewCipher(k) }",
            "package a\nimport \"crypto/aes\"\nfunc f(k []byte) { aes.NewCipher(k) }",
        ),
        (Language::C, "void f(void) { EVP_des_ede3_cbc(); }", "void f(void) { EVP_aes_256_gcm(); }"),
    ],
    ..SECURITY
};

const WORDS: &[&str] = &[
    "new",
    "getInstance",
    "createCipher",
    "createDecipher",
    "createCipheriv",
    "createDecipheriv",
    "NewCipher",
    "NewTripleDESCipher",
    "ECB",
    "ARC4",
    "TripleDES",
    "Blowfish",
    "IDEA",
    "DES_ecb_encrypt",
    "RC4_set_key",
    "EVP_des_cbc",
    "EVP_des_ecb",
    "EVP_des_ede3_cbc",
    "EVP_rc4",
    "EVP_aes_128_ecb",
    "EVP_aes_256_ecb",
    "EVP_bf_cbc",
];

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    if file.is_test() {
        return;
    }
    for call in calls(file, WORDS) {
        let (receiver, method) = (call.receiver(), call.method());
        let named = || call.first().and_then(|first| text(file, first)).is_some_and(is_weak);
        let weak = match file.language() {
            Language::Python => {
                let library =
                    receiver.starts_with("Crypto.Cipher") || receiver.starts_with("Cryptodome.Cipher");
                let cipher = receiver.rsplit('.').next().unwrap_or("");
                let old = matches!(cipher, "DES" | "DES3" | "ARC2" | "ARC4" | "Blowfish");
                let mode =
                    call.argument(1, "mode").is_some_and(|mode| path(file, mode).ends_with("MODE_ECB"));
                library && method == "new" && (old || mode)
                    || receiver.starts_with("cryptography.")
                        && matches!(method, "ECB" | "ARC4" | "TripleDES" | "Blowfish" | "IDEA")
            }
            Language::JavaScript | Language::TypeScript => match method {
                // Without an initial value the key comes from one round of MD5.
                "createCipher" | "createDecipher" => receiver == "crypto",
                "createCipheriv" | "createDecipheriv" => named(),
                _ => false,
            },
            Language::Java => {
                method == "getInstance"
                    && matches!(receiver, "Cipher" | "KeyGenerator" | "javax.crypto.Cipher")
                    && named()
            }
            Language::Go => receiver == "crypto/des" || receiver == "crypto/rc4",
            Language::C | Language::Cpp => {
                method.starts_with("EVP_") || matches!(method, "DES_ecb_encrypt" | "RC4_set_key")
            }
            _ => false,
        };
        if weak {
            report.find(call.span, "this cipher or mode is broken");
        }
    }
}

/// Whether a name names something broken.
pub fn is_weak(name: &str) -> bool {
    let name = name.to_lowercase();
    let first = name.split(['/', '-']).next().unwrap_or("");
    matches!(first, "des" | "desede" | "des3" | "rc4" | "rc2" | "arcfour" | "blowfish" | "bf")
        || name.split(['/', '-']).any(|part| part == "ecb") && first != "rsa"
}
