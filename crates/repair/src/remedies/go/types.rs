//! Values of the wrong type, arguments and results.

use super::names::import;
use crate::Candidate;
use crate::remedies::remedy::{GO, Remedy, Way};
use crate::remedies::spot::{Spot, regex};

const FAILED: &[&str] = &["type-mismatch", "mismatched-types", "invalid-operation", "constant-overflow"];
const TEXT: &[&str] = &["string"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "conversion", about: "Converts a value to a type of the message",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(conversion),
        examples: &[("mismatched-types", "invalid operation: a * b (mismatched types float64 and int)", "c := a * b", "c := a * float64(b)")],
    },
    Remedy {
        name: "number-to-text", about: "Makes text of a number",
        languages: GO, answers: FAILED, says: TEXT,
        way: Way::Propose(number_to_text),
        examples: &[
            ("mismatched-types", "invalid operation: \"a\" + n (mismatched types untyped string and int)", "s := \"a\" + n", "s := \"a\" + fmt.Sprint(n)"),
            ("mismatched-types", "invalid operation: \"a\" + n (mismatched types untyped string and int)", "package main\n▸func f() { s := \"a\" + n }", "package main\nimport \"strconv\"\nfunc f() { s := \"a\" + strconv.Itoa(n) }"),
        ],
    },
    Remedy {
        name: "number-as-text", about: "Writes a number without quotes",
        languages: GO, answers: FAILED, says: TEXT,
        way: Way::Replace(&[(r#"= "(\d+)""#, "= $1", 1.0)]),
        examples: &[("type-mismatch", "cannot use \"5\" (untyped string constant) as int value in variable declaration", "var n int = \"5\"", "var n int = 5")],
    },
    Remedy {
        name: "declared-type", about: "Declares a variable by the type of its value",
        languages: GO, answers: FAILED, says: TEXT,
        way: Way::Replace(&[(r"\bint\b", "string", 1.4), (r"\bstring\b", "int", 1.6)]),
        examples: &[("type-mismatch", "cannot use \"a\" (untyped string constant) as int value in variable declaration", "var s int = \"a\"", "var s string = \"a\"")],
    },
    Remedy {
        name: "quotes", about: "Writes a text in double quotes",
        languages: GO, answers: FAILED, says: TEXT,
        way: Way::Replace(&[(r"'([^']*)'", "\"$1\"", 1.0)]),
        examples: &[("type-mismatch", "cannot use 'a' (untyped rune constant 97) as string value in assignment", "s = 'a'", "s = \"a\"")],
    },
    Remedy {
        name: "zero-value", about: "Writes the empty value of a type that has no nil",
        languages: GO, answers: FAILED, says: &["nil"],
        way: Way::Replace(&[(r"\bnil\b", "\"\"", 1.5), (r"\bnil\b", "0", 1.5)]),
        examples: &[("type-mismatch", "cannot use nil as int value in return statement", "return nil", "return 0")],
    },
    Remedy {
        name: "wider-type", about: "Takes a type that holds the value",
        languages: GO, answers: FAILED, says: &["overflows", "truncated"],
        way: Way::Replace(&[(r"\bu?int(?:8|16|32)\b", "int64", 0.8), (r"\bint\b", "float64", 1.0)]),
        examples: &[("constant-overflow", "cannot use 300 (untyped int constant) as int8 value in variable declaration (overflows)", "var n int8 = 300", "var n int64 = 300")],
    },
    Remedy {
        name: "missing-address", about: "Gives the address of a value",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let mut found = Vec::new();
            if spot.says("pointer receiver") {
                found.extend(spot.replace(r"([=(,]\s*)(\w+\{)", "${1}&$2", 0.7));
            }
            found.extend(spot.replace(r"([(,=]\s*)(\w+)(\s*[,)]|$)", "${1}&$2$3", 1.8));
            found
        }),
        examples: &[("type-mismatch", "cannot use dog{} (value of type dog) as animal value: method bark has pointer receiver", "var a animal = dog{}", "var a animal = &dog{}")],
    },
    Remedy {
        name: "missing-star", about: "Takes what a pointer points to",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"([(,=]\s*)(\w+)(\s*[,)]|$)", "${1}*$2$3", 1.9)]),
        examples: &[("type-mismatch", "cannot use p (variable of type *int) as int value", "n = p", "n = *p")],
    },
    Remedy {
        name: "missing-result", about: "Takes a second result and does not use it",
        languages: GO, answers: &["assignment-mismatch"], says: &[],
        way: Way::Replace(&[(r"(\w+)\s*(:?=)\s*", "$1, _ $2 ", 0.8)]),
        examples: &[("assignment-mismatch", "assignment mismatch: 1 variable but strconv.Atoi returns 2 values", "n := strconv.Atoi(s)", "n, _ := strconv.Atoi(s)")],
    },
    Remedy {
        name: "needless-result", about: "Takes one result alone",
        languages: GO, answers: &["assignment-mismatch"], says: &[],
        way: Way::Replace(&[(r"(\w+), \w+\s*(:?=)\s*", "$1 $2 ", 1.0)]),
        examples: &[("assignment-mismatch", "assignment mismatch: 2 variables but f returns 1 value", "n, err := f()", "n := f()")],
    },
    Remedy {
        name: "needless-result", about: "Returns the first value alone",
        languages: GO, answers: &["wrong-return"], says: &[],
        way: Way::Replace(&[(r"return ([^,]+), .+$", "return $1", 1.0)]),
        examples: &[("wrong-return", "too many return values", "return n, nil", "return n")],
    },
    Remedy {
        name: "missing-nil", about: "Returns no error beside the value",
        languages: GO, answers: &["wrong-return"], says: &[],
        way: Way::Replace(&[(r"return (.+)$", "return $1, nil", 0.8)]),
        examples: &[("wrong-return", "not enough return values", "return n", "return n, nil")],
    },
    Remedy {
        name: "missing-return", about: "Returns something at the end of a function",
        languages: GO, answers: &["missing-return"], says: &[],
        way: Way::Propose(missing_return),
        examples: &[("missing-return", "missing return", "func f(a int) int {\n\tsum := a\n}", "func f(a int) int {\n\tsum := a\n\treturn sum\n}")],
    },
    Remedy {
        name: "argument-dropped", about: "Leaves the last argument out",
        languages: GO, answers: &["wrong-arguments"], says: &[],
        way: Way::Replace(&[(r"(\w+\([^()]*?),\s*[^,()]+\)", "$1)", 1.2)]),
        examples: &[("wrong-arguments", "too many arguments in call to f", "f(1, 2)", "f(1)")],
    },
];

fn conversion(spot: &Spot<'_>) -> Vec<Candidate> {
    let operand = r"\b([\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?)";
    let types = ["float64", "int", "int64", "string", "byte", "rune"].into_iter();
    let mut found = Vec::new();
    for to in types.filter(|name| spot.says(name)) {
        for (pattern, new) in [
            (format!(r"{operand}(\s*[-+*/<>=!])"), format!("{to}($1)$2")),
            (format!(r"([-+*/<>=]\s*){operand}"), format!("${{1}}{to}($2)")),
            (format!(r"(return\s+){operand}"), format!("${{1}}{to}($2)")),
            (format!(r"([(,]\s*){operand}(\s*[,)])"), format!("${{1}}{to}($2)$3")),
        ] {
            found.extend(spot.replace(&pattern, &new, 1.0));
        }
    }
    found
}

fn number_to_text(spot: &Spot<'_>) -> Vec<Candidate> {
    let mut found = spot.replace(r"\+\s*(\w+)", "+ strconv.Itoa($1)", 1.2);
    if !spot.text.contains("\"strconv\"") {
        found.iter_mut().for_each(|candidate| candidate.edits.extend(import(spot, "strconv").edits));
    }
    found.extend(spot.replace(r"\+\s*(\w+)", "+ fmt.Sprint($1)", 1.1));
    found
}

fn missing_return(spot: &Spot<'_>) -> Vec<Candidate> {
    let values: &[&str] = match super::result(spot) {
        "string" => &["\"\""],
        "bool" => &["false", "true"],
        "error" => &["nil"],
        "" => &["0, nil", "\"\", nil", "nil, nil"],
        kind if kind.starts_with(['[', '*', 'm']) => &["nil"],
        _ => &["0", "-1"],
    };
    let mut all: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    let declared = regex(r"^\s*(?:var )?(\w+)\s*(?::=|[\w\[\]]+ =|int$|string$|float64$)");
    for line in spot.before(r"^func ").unwrap_or(spot.line)..spot.line {
        let name = declared.as_ref().and_then(|pattern| pattern.captures(spot.line_at(line))?.get(1));
        all.extend(name.map(|name| name.as_str().to_owned()));
    }
    let start = spot.start_of(spot.line);
    let costs = (0..).map(|rank| 1.0 + f64::from(rank) * 0.2);
    let returned = |(value, cost): (&String, f64)| {
        spot.insert(start, &format!("\treturn {value}\n"), cost, format!("Returns {value} at the end"))
    };
    all.iter().rev().zip(costs).map(returned).collect()
}
