//! Brackets, quotes, semicolons, braces, keywords.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{JAVA, Remedy, Way};
use crate::remedies::spot::Spot;
use crate::remedies::tokens::{close_block, close_brackets, close_quote, code, end_statement};
use formicary_diagnose::names;

const FAILED: &[&str] =
    &["token-expected", "illegal-start", "unclosed-string", "end-of-file", "unclosed-character"];
const ENDS: &[char] = &[';', '{', ' '];
const INNER: &[char] = &[';', ')', ' '];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-bracket", about: "Closes a bracket",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_brackets(spot, &[('(', ')', ENDS), ('[', ']', INNER)], true, 0.4)),
        examples: &[("token-expected", "')' or ',' expected", "f(g(1);", "f(g(1));")],
    },
    Remedy {
        name: "missing-quote", about: "Closes a quote",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_quote(spot, INNER, true, 0.4)),
        examples: &[("unclosed-string", "unclosed string literal", "f(\"hello);", "f(\"hello\");")],
    },
    Remedy {
        name: "missing-token", about: "Adds what the compiler expects",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(missing_token),
        examples: &[("token-expected", "']' expected", "int[ a", "int[ a]")],
    },
    Remedy {
        name: "missing-semicolon", about: "Ends a statement",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(|spot| end_statement(spot, &[';', '{', '}'], ";", 0.6, "Ends the statement")),
        examples: &[("token-expected", "';' expected", "int a = 1", "int a = 1;")],
    },
    Remedy {
        name: "missing-brace", about: "Opens or closes a block",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let mut found = end_statement(spot, &[';', '{', '}'], " {", 1.0, "Opens the block");
            found.extend(close_block(spot, 0.5));
            found
        }),
        examples: &[
            ("token-expected", "'{' expected", "class A\n▸    int a;\n}", "class A {\n    int a;\n}"),
            ("end-of-file", "reached end of file while parsing", "class A {\n", "class A {\n}\n"),
        ],
    },
    Remedy {
        name: "needless-brace", about: "Removes a brace that closes nothing",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let closes_more = spot.text.matches('}').count() > spot.text.matches('{').count();
            let removed = || spot.rewrite(spot.line, "", 0.6, "Removes a brace that closes nothing");
            Vec::from_iter((closes_more && spot.here().trim() == "}").then(removed))
        }),
        examples: &[("token-expected", "class, interface, enum, or record expected", "class A {}\n}", "class A {}\n")],
    },
    Remedy {
        name: "quotes", about: "Writes a text in double quotes",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"'([^']{2,})'", "\"$1\"", 0.5)]),
        examples: &[("unclosed-character", "unclosed character literal", "s = 'hello';", "s = \"hello\";")],
    },
    Remedy {
        name: "foreign-syntax", about: "Writes Java for habits of other languages",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Replace(&[
            (r"\belif\b", "else if", 1.0),
            (r"\band\b", "&&", 1.0),
            (r"\bor\b", "||", 1.0),
            (r"\bnot ", "!", 1.0),
            (r"for \((.*) in (.*)\)", "for ($1 : $2)", 1.0),
            (r"\bif ([^(].*[^{ ])\s*\{", "if ($1) {", 1.0),
            (r"\bthen\b", "{", 1.0),
        ]),
        examples: &[
            ("token-expected", "')' expected", "if (a and b) {", "if (a && b) {"),
            ("token-expected", "';' expected", "for (int x in xs) {", "for (int x : xs) {"),
        ],
    },
    Remedy {
        name: "misspelt-keyword", about: "Takes a keyword that is near",
        languages: JAVA, answers: FAILED, says: &[],
        way: Way::Propose(misspelt_keyword),
        examples: &[("token-expected", "';' expected", "retrun 1;", "return 1;")],
    },
];

fn missing_token(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(token) = spot.said(r"'(.)' expected") else { return Vec::new() };
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let end = spot.start_of(line) + code(spot.line_at(line), true).len();
        let why = format!("Adds {token} at the end of the line");
        found.push(spot.insert(end, &token, 0.5 + away * 0.3, why));
    }
    found.extend(spot.column_byte().map(|at| spot.insert(at, &token, 0.6, format!("Adds {token}"))));
    found
}

fn misspelt_keyword(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for word in names::of(spot.here()).keys() {
        for (_, near) in spot.near(word, "", COMMON).into_iter().take(1) {
            found.extend(spot.replace_word(word, &near, 1.3));
        }
    }
    found
}
