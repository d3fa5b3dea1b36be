//! The words of each language, and which names say little because everybody uses them.

use super::tokens::Class;
use formicary_syntax::Dialect;

/// Marks of two bytes.
pub const MARKS: [&[u8]; 24] = [
    b"==", b"!=", b"<=", b">=", b"&&", b"||", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"|=", b"&=",
    b"^=", b"->", b"=>", b"::", b":=", b"<<", b"**", b"//", b"?.",
];

/// Marks of three bytes.
pub const LONG_MARKS: [&[u8]; 4] = [b"===", b"!==", b"...", b"<<="];

const PYTHON: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "case", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];
const JAVA: &[&str] = &[
    "abstract",
    "assert",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "interface",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "volatile",
    "while",
    "yield",
];
const SCRIPT: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "namespace",
    "new",
    "of",
    "private",
    "protected",
    "public",
    "readonly",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "try",
    "type",
    "typeof",
    "var",
    "void",
    "while",
    "with",
    "yield",
];
const C_FAMILY: &[&str] = &[
    "asm",
    "auto",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "explicit",
    "extern",
    "final",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "return",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "try",
    "typedef",
    "typename",
    "union",
    "using",
    "virtual",
    "volatile",
    "while",
];
const GO: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
];
const RUST: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "static", "struct", "super", "trait", "type", "union", "unsafe", "use", "where", "while",
];
const BASH: &[&str] = &[
    "case", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "local", "return",
    "select", "then", "until", "while",
];
const LITERALS: &[&str] =
    &["true", "false", "null", "None", "True", "False", "nil", "nullptr", "undefined", "NULL"];

/// What a word is. Built-in types are names: exchanging one is a renaming.
pub fn class(dialect: Dialect, word: &[u8]) -> Class {
    let Ok(word) = std::str::from_utf8(word) else { return Class::Name };
    // Longer than any word of a language, or with a capital or a digit: a name.
    if word.len() > 12 || word.len() < 2 {
        return Class::Name;
    }
    if LITERALS.contains(&word) {
        return Class::Literal;
    }
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Class::Name;
    }
    let list = match dialect {
        Dialect::Python => PYTHON,
        Dialect::Bash => BASH,
        Dialect::Java => JAVA,
        Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx => SCRIPT,
        Dialect::C | Dialect::Cpp => C_FAMILY,
        Dialect::Go => GO,
        Dialect::Rust => RUST,
    };
    if list.binary_search(&word).is_ok() { Class::Keyword } else { Class::Name }
}

/// Names that say little about what a function does.
const COMMON: &[&str] = &[
    "Array",
    "ArrayList",
    "Boolean",
    "Collection",
    "Collections",
    "Error",
    "Exception",
    "HashMap",
    "HashSet",
    "IOException",
    "IllegalArgumentException",
    "Integer",
    "Iterator",
    "List",
    "Long",
    "Map",
    "Math",
    "Object",
    "Override",
    "RuntimeException",
    "Set",
    "String",
    "StringBuffer",
    "StringBuilder",
    "System",
    "Vec",
    "add",
    "append",
    "args",
    "array",
    "assert",
    "bool",
    "boolean",
    "byte",
    "char",
    "cls",
    "console",
    "contains",
    "count",
    "data",
    "debug",
    "double",
    "equals",
    "err",
    "error",
    "exit",
    "false",
    "file",
    "first",
    "float",
    "format",
    "get",
    "getClass",
    "getMessage",
    "getName",
    "has",
    "hasNext",
    "i",
    "id",
    "index",
    "info",
    "int",
    "is",
    "isEmpty",
    "item",
    "items",
    "iterator",
    "j",
    "k",
    "key",
    "keys",
    "last",
    "len",
    "length",
    "line",
    "list",
    "log",
    "long",
    "main",
    "map",
    "max",
    "message",
    "min",
    "msg",
    "n",
    "name",
    "next",
    "node",
    "none",
    "null",
    "num",
    "obj",
    "object",
    "of",
    "ok",
    "options",
    "out",
    "path",
    "pop",
    "print",
    "printStackTrace",
    "printf",
    "println",
    "push",
    "put",
    "range",
    "remove",
    "res",
    "result",
    "ret",
    "run",
    "s",
    "self",
    "set",
    "short",
    "size",
    "size_t",
    "start",
    "state",
    "str",
    "string",
    "substring",
    "temp",
    "text",
    "this",
    "tmp",
    "toString",
    "true",
    "type",
    "value",
    "valueOf",
    "values",
    "void",
    "warn",
    "write",
    "x",
    "y",
];

/// From 0 to 1: how much a name says when nothing is known of the project around.
pub fn prior(name: &str) -> f32 {
    if COMMON.binary_search(&name).is_ok() {
        0.3
    } else if name.len() <= 2 {
        0.2
    } else {
        1.0
    }
}

/// The words of a name: `copyFile`, `copy_file` and `FileCopy` share theirs.
pub fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && lower) {
            if word.len() > 2 {
                out.push(std::mem::take(&mut word));
            }
            word.clear();
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        lower = c.is_lowercase() || c.is_numeric();
    }
    if word.len() > 2 {
        out.push(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [PYTHON, JAVA, SCRIPT, C_FAMILY, GO, RUST, BASH, COMMON] {
            assert!(list.is_sorted(), "{list:?}");
        }
    }

    #[test]
    fn words_of_names() {
        for (name, expected) in [
            ("copyFile", vec!["copy", "file"]),
            ("copy_file", vec!["copy", "file"]),
            ("MD5Sum", vec!["md5", "sum"]),
            ("x", vec![]),
        ] {
            assert_eq!(words(name), expected, "{name}");
        }
    }
}
