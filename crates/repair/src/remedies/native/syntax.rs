//! Tokens, brackets, quotes, braces, keywords.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{NATIVE, Remedy, Way};
use crate::remedies::spot::Spot;
use crate::remedies::tokens::{close_block, close_brackets, close_quote, code, end_statement, opens_more};
use formicary_diagnose::names;

const FAILED: &[&str] = &["token-expected", "expected", "unterminated"];
const ENDS: &[char] = &[';', '{', ' '];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-token", about: "Adds what the compiler expects",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(missing_token),
        examples: &[("token-expected", "expected ',' or ';' before 'printf'", "int a = 1\n▸printf(\"%d\", a);", "int a = 1;\nprintf(\"%d\", a);")],
    },
    Remedy {
        name: "missing-semicolon", about: "Ends a statement",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(|spot| end_statement(spot, &[';', '{', '}', ','], ";", 0.7, "Ends the statement")),
        examples: &[("expected", "expected expression before 'int'", "int a = 1\n▸int b;", "int a = 1;\nint b;")],
    },
    Remedy {
        name: "missing-bracket", about: "Closes a bracket",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_brackets(spot, &[('(', ')', ENDS), ('[', ']', ENDS)], true, 0.5)),
        examples: &[("token-expected", "expected ')' before ';' token", "f(g(1);", "f(g(1));")],
    },
    Remedy {
        name: "missing-quote", about: "Closes a quote",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(|spot| close_quote(spot, &[';', ')'], true, 0.5)),
        examples: &[("unterminated", "missing terminating \" character", "puts(\"hello);", "puts(\"hello\");")],
    },
    Remedy {
        name: "missing-brace", about: "Closes a block",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(missing_brace),
        examples: &[
            ("expected", "expected declaration or statement at end of input", "int f() {\n", "int f() {\n}\n"),
            ("expected", "expected expression before 'else'", "if (a) {\n    f();\nelse g();", "if (a) {\n    f();\n}\nelse g();"),
        ],
    },
    Remedy {
        name: "misspelt-keyword", about: "Takes a keyword that is near",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(misspelt_keyword),
        examples: &[("token-expected", "expected ';' before numeric constant", "retrun 1;", "return 1;")],
    },
];

fn missing_token(spot: &Spot<'_>) -> Vec<Candidate> {
    let message = spot.message.replace(['‘', '’'], "'");
    let expected = message.split("before").next().unwrap_or_default();
    let tokens: Vec<&str> = expected.split('\'').skip(1).step_by(2).collect();
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let end = spot.start_of(line) + code(spot.line_at(line), true).len();
        for token in tokens.iter().filter(|token| [";", ")", "}", "]", "{", ":"].contains(token)) {
            let why = format!("Adds {token} at the end of the line");
            found.push(spot.insert(end, token, 0.6 + away * 0.3, why));
        }
    }
    if let Some(at) = spot.column_byte() {
        let short = tokens.iter().filter(|token| token.len() <= 2);
        found.extend(short.map(|token| spot.insert(at, token, 0.8, format!("Adds {token}"))));
    }
    found
}

fn missing_brace(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = close_block(spot, 0.6);
    let text = spot.here().trim();
    if opens_more(spot.text) && (text == "}" || text.starts_with("else")) {
        found.push(spot.line_before(spot.line, "}", 0.8, "Closes the block before this line"));
    }
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
