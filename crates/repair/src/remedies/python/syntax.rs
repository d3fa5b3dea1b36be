//! What Python cannot read: colons, comparisons, commas, keywords, habits of other languages.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::{Spot, fits};
use formicary_diagnose::names;

const FAILED: &[&str] = &["SyntaxError"];
const KEYWORDS: &str = "def class return if elif else for while import from as with try except finally raise pass break \
    continue lambda yield global nonlocal assert del not and or in is async await True False None";
const HEADS: &str =
    r"^\s*(?:async )?(?:def|class|if|elif|else|for|while|try|except|finally|with|match|case)\b";

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-colon", about: "Adds the colon that opens a block",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(missing_colon),
        examples: &[("SyntaxError", "expected ':'", "▸def f(x)\n    return x + 1", "def f(x):\n    return x + 1")],
    },
    Remedy {
        name: "equals-for-compare", about: "Compares where a condition assigns",
        languages: PYTHON, answers: FAILED, says: &["'=='", "cannot assign", "invalid syntax"],
        way: Way::Replace(&[(r"((?:if|elif|while|return|and|or|not)\b[^=]*[^=!<>:])=([^=])", "$1==$2", 0.7)]),
        examples: &[("SyntaxError", "invalid syntax. Maybe you meant '==' or ':=' instead of '='?", "if x = 3:", "if x == 3:")],
    },
    Remedy {
        name: "swapped-assignment", about: "Exchanges the sides of an assignment",
        languages: PYTHON, answers: FAILED, says: &["cannot assign"],
        way: Way::Replace(&[(r"^(\s*)([^=\s]+)\s*=\s*(\w+)\s*$", "$1$3 = $2", 1.0)]),
        examples: &[("SyntaxError", "cannot assign to literal here", "3 = x", "x = 3")],
    },
    Remedy {
        name: "dash-in-name", about: "Writes an underscore for a dash in a name",
        languages: PYTHON, answers: FAILED, says: &["cannot assign"],
        way: Way::Replace(&[(r"(\w)-(\w)", "${1}_$2", 0.9)]),
        examples: &[("SyntaxError", "cannot assign to expression here", "my-age = 3", "my_age = 3")],
    },
    Remedy {
        name: "missing-comma", about: "Adds a comma between two values, or at the end of a line",
        languages: PYTHON, answers: FAILED, says: &["forgot a comma", "invalid syntax"],
        way: Way::Propose(missing_comma),
        examples: &[
            ("SyntaxError", "invalid syntax. Perhaps you forgot a comma?", "xs = [1 2]", "xs = [1, 2]"),
            ("SyntaxError", "invalid syntax. Perhaps you forgot a comma?", "xs = [\n▸    1\n    2]", "xs = [\n    1,\n    2]"),
        ],
    },
    Remedy {
        name: "foreign-syntax", about: "Writes Python for habits of other languages",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Replace(&[
            (r"\belse if\b", "elif", 1.0),
            (r"\belseif\b", "elif", 1.0),
            (r"\belsif\b", "elif", 1.0),
            (r"\s*&&\s*", " and ", 1.0),
            (r"\s*\|\|\s*", " or ", 1.0),
            (r"!(\w)", "not $1", 1.0),
            (r"(\w+)\+\+", "$1 += 1", 1.0),
            (r"(\w+)--", "$1 -= 1", 1.0),
            (r"\bfunction (\w+)", "def $1", 1.0),
            (r"\b(?:var|let|const) (\w+)", "$1", 1.0),
            (r"\bprint (.+)$", "print($1)", 1.0),
            (r"\bcatch\b", "except", 1.0),
            (r"\bnew (\w+)\(", "$1(", 1.0),
            (r"=>", ">=", 1.0),
            (r"=<", "<=", 1.0),
            (r"=!", "!=", 1.0),
            (r"<>", "!=", 1.0),
            (r"//\s*(.*)$", "# $1", 1.0),
            (r"\s*\{\s*$", ":", 1.0),
            (r";\s*$", "", 1.0),
            (r"\bexcept (\w+), (\w+):", "except $1 as $2:", 1.0),
            (r"\braise (\w+), (.+)$", "raise $1($2)", 1.0),
            (r"(\w) \? ", "$1 ", 1.0),
        ]),
        examples: &[
            ("SyntaxError", "invalid syntax", "else if x:", "elif x:"),
            ("SyntaxError", "invalid syntax", "if a && b:", "if a and b:"),
            ("SyntaxError", "Missing parentheses in call to 'print'", "print 3", "print(3)"),
        ],
    },
    Remedy {
        name: "misspelt-keyword", about: "Takes a keyword that is near",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(misspelt_keyword),
        examples: &[("SyntaxError", "invalid syntax", "retrun 3", "return 3")],
    },
];

fn missing_colon(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (line, away) in spot.two_lines() {
        let text = spot.line_at(line);
        if fits(HEADS, text) && !text.trim_end().ends_with(':') {
            let code = text.split(" #").next().unwrap_or(text).trim_end();
            let at = spot.start_of(line) + code.len();
            found.push(spot.insert(at, ":", 0.5 + away * 0.4, "Adds the colon that opens the block"));
        }
    }
    found
}

fn missing_comma(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = spot.replace(r#"(["'\w\])])(\s+)(["'\w\[({])"#, "$1,$2$3", 1.5);
    for (line, _) in spot.two_lines() {
        let at = spot.start_of(line) + spot.line_at(line).trim_end().len();
        found.push(spot.insert(at, ",", 1.3, "Adds a comma at the end of the line"));
    }
    found
}

fn misspelt_keyword(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for word in names::of(spot.here()).keys() {
        for (_, near) in spot.near(word, "", KEYWORDS).into_iter().take(1) {
            found.extend(spot.replace_word(word, &near, 1.2));
        }
    }
    found
}
