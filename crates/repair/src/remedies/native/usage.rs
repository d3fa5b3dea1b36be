//! Members, pointers, arguments, what must not change.

use super::COMMON;
use crate::Candidate;
use crate::remedies::remedy::{NATIVE, Remedy, Way};
use crate::remedies::spot::{Spot, regex};
use formicary_diagnose::names;

const CALLS: &[&str] = &["wrong-arguments", "no-matching-function"];

/// Methods of other languages and containers.
const FOREIGN: &[(&str, &str)] = &[
    ("push", "push_back"),
    ("append", "push_back"),
    ("add", "push_back"),
    ("length", "size"),
    ("len", "size"),
    ("pop", "pop_back"),
    ("get", "at"),
    ("contains", "count"),
    ("remove", "erase"),
    ("isEmpty", "empty"),
    ("size", "length"),
    ("add", "insert"),
    ("put", "insert"),
    ("top", "front"),
];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "foreign-method", about: "Writes the library's name for a method of another language",
        languages: NATIVE, answers: &["no-member"], says: &[],
        way: Way::Propose(|spot| {
            let Some((name, pattern)) = member(spot) else { return Vec::new() };
            let rows = FOREIGN.iter().filter(|(wrong, _)| *wrong == name);
            rows.flat_map(|(_, right)| spot.replace(&pattern, &format!("${{1}}{right}"), 0.8)).collect()
        }),
        examples: &[("no-member", "'class std::vector<int>' has no member named 'push'", "v.push(1);", "v.push_back(1);")],
    },
    Remedy {
        name: "misspelt-member", about: "Takes a member whose name is near",
        languages: NATIVE, answers: &["no-member"], says: &[],
        way: Way::Propose(|spot| {
            let Some((name, pattern)) = member(spot) else { return Vec::new() };
            let near = spot.near(&name, spot.text, COMMON).into_iter();
            near.flat_map(|(rank, near)| spot.replace(&pattern, &format!("${{1}}{near}"), 0.8 + rank * 0.3))
                .collect()
        }),
        examples: &[("no-member", "'struct point' has no member named 'widht'", "struct point { int width; };\nint n = p.widht;", "struct point { int width; };\nint n = p.width;")],
    },
    Remedy {
        name: "dot-for-arrow", about: "Asks a pointer for its member",
        languages: NATIVE, answers: &["pointer-member", "not-a-structure"], says: &[],
        way: Way::Replace(&[(r"(\w)\.(\w)", "$1->$2", 0.6)]),
        examples: &[("pointer-member", "'p' is a pointer; did you mean to use '->'?", "return p.x;", "return p->x;")],
    },
    Remedy {
        name: "arrow-for-dot", about: "Asks a structure for its member",
        languages: NATIVE, answers: &["not-a-pointer"], says: &[],
        way: Way::Replace(&[("->", ".", 0.6)]),
        examples: &[("not-a-pointer", "invalid type argument of '->'", "return p->x;", "return p.x;")],
    },
    Remedy {
        name: "needless-star", about: "Takes a value that is no pointer",
        languages: NATIVE, answers: &["not-a-pointer"], says: &[],
        way: Way::Replace(&[(r"\*(\w)", "$1", 0.9)]),
        examples: &[("not-a-pointer", "invalid type argument of unary '*'", "return *n;", "return n;")],
    },
    Remedy {
        name: "equals-for-compare", about: "Compares where something that is no variable is assigned to",
        languages: NATIVE, answers: &["lvalue-required"], says: &[],
        way: Way::Replace(&[(r"([^=!<>])=([^=])", "$1==$2", 0.7)]),
        examples: &[("lvalue-required", "lvalue required as left operand of assignment", "if (f() = 1) {", "if (f() == 1) {")],
    },
    Remedy {
        name: "argument-dropped", about: "Leaves the last argument out",
        languages: NATIVE, answers: CALLS, says: &["too many"],
        way: Way::Propose(|spot| {
            let Some(name) = called(spot) else { return Vec::new() };
            spot.replace(&format!(r"(\b{name}\([^()]*?),\s*[^,()]+\)"), "$1)", 1.0)
        }),
        examples: &[("wrong-arguments", "too many arguments to function 'f'", "f(1, 2);", "f(1);")],
    },
    Remedy {
        name: "missing-argument", about: "Gives a call one more argument",
        languages: NATIVE, answers: CALLS, says: &["too few"],
        way: Way::Propose(missing_argument),
        examples: &[("wrong-arguments", "too few arguments to function 'f'", "f(1);", "f(1, 0);")],
    },
    Remedy {
        name: "swapped-arguments", about: "Exchanges two arguments",
        languages: NATIVE, answers: CALLS, says: &[],
        way: Way::Propose(|spot| {
            let Some(name) = called(spot) else { return Vec::new() };
            spot.replace(&format!(r"\b{name}\(([^,()]+), ([^,()]+)\)"), &format!("{name}($2, $1)"), 1.4)
        }),
        examples: &[("no-matching-function", "no matching function for call to 'f(int, const char [2])'", "f(1, \"a\");", "f(\"a\", 1);")],
    },
    Remedy {
        name: "const-changed", about: "Lets a variable change",
        languages: NATIVE, answers: &["read-only"], says: &[],
        way: Way::Propose(const_changed),
        examples: &[("read-only", "assignment of read-only variable 'n'", "const int n = 1;\nn = 2;", "int n = 1;\nn = 2;")],
    },
    Remedy {
        name: "missing-move", about: "Moves what must not be copied",
        languages: NATIVE, answers: &["deleted-function"], says: &[],
        way: Way::Replace(&[(r"=\s*(\w+)\s*;", "= std::move($1);", 0.9)]),
        examples: &[("deleted-function", "use of deleted function 'f'", "auto b = a;", "auto b = std::move(a);")],
    },
    Remedy {
        name: "declared-twice", about: "Assigns to a variable that is declared already",
        languages: NATIVE, answers: &["redefinition"], says: &[],
        way: Way::Replace(&[(r"^(\s*)(?:const )?(?:unsigned |long )*\w+\s*\*?\s*(\w+\s*=)", "$1$2", 0.9)]),
        examples: &[("redefinition", "redefinition of 'n'", "int n = 2;", "n = 2;")],
    },
    Remedy {
        name: "called-for-indexed", about: "Indexes what is called and is no function",
        languages: NATIVE, answers: &["not-a-function"], says: &[],
        way: Way::Replace(&[(r"(\w+)\(([^()]*)\)", "$1[$2]", 1.2)]),
        examples: &[("not-a-function", "called object 'xs' is not a function", "x = xs(0);", "x = xs[0];")],
    },
    Remedy {
        name: "missing-public", about: "Makes the members of classes public",
        languages: NATIVE, answers: &["private-member"], says: &[],
        way: Way::Propose(|spot| {
            let is_class = |line: &u32| spot.line_at(*line).trim_start().starts_with("class ");
            spot.replace_in((1..=spot.count()).filter(is_class), r"\{", "{ public:", 1.0, 0.0)
        }),
        examples: &[("private-member", "'int A::n' is private within this context", "class A { int n; };\nint m = a.n;", "class A { public: int n; };\nint m = a.n;")],
    },
];

fn member(spot: &Spot<'_>) -> Option<(String, String)> {
    let name = spot.said(r"no member named '(\w+)'")?;
    let pattern = format!(r"(\.|->){name}\b");
    Some((name, pattern))
}

fn called(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"'(?:[\w:<>*& ]+ )?(?:\w+::)*(\w+)(?:\([^']*\))?'")
}

fn missing_argument(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = called(spot) else { return Vec::new() };
    let pattern = format!(r"(\b{name}\([^()]+)\)");
    let constants = ["0", "1"].map(|value| (value, 2.0)).into_iter();
    let variables = names::of(spot.text).into_keys().take(40).map(|name| (name, 2.5));
    let values = constants.chain(variables);
    values.flat_map(|(value, cost)| spot.replace(&pattern, &format!("$1, {value})"), cost)).collect()
}

fn const_changed(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"'(\w+)'") else { return Vec::new() };
    let Some(declared) = regex(&format!(r"\bconst\b.*\b{name}\b")) else { return Vec::new() };
    let line = (1..=spot.line).rev().find(|line| declared.is_match(spot.line_at(*line)));
    line.map(|line| spot.replace_on(line, r"\bconst ", "", 0.8)).unwrap_or_default()
}
