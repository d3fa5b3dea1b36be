//! Exceptions of the library.

use crate::Candidate;
use crate::remedies::remedy::{JAVA, Remedy, Way};
use crate::remedies::spot::Spot;

const BEYOND: &[&str] =
    &["IndexOutOfBoundsException", "ArrayIndexOutOfBoundsException", "StringIndexOutOfBoundsException"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "loop-end", about: "Ends a loop before the length",
        languages: JAVA, answers: BEYOND, says: &[],
        way: Way::Propose(|spot| {
            let mut found =
                spot.replace_in(spot.upwards(12), r"(for\s*\(.*|while\s*\(.*)<=", "$1<", 1.0, 0.1);
            let shorter =
                spot.replace_in(spot.upwards(12), r"(for\s*\(.*)\.length;", "$1.length - 1;", 1.5, 0.1);
            found.extend(shorter);
            found
        }),
        examples: &[("java.lang.ArrayIndexOutOfBoundsException", "Index 3 out of bounds for length 3", "for (int i = 0; i <= xs.length; i++) {\n    sum += xs[i];", "for (int i = 0; i < xs.length; i++) {\n    sum += xs[i];")],
    },
    Remedy {
        name: "last-index", about: "Takes the last element instead of the one behind it",
        languages: JAVA, answers: BEYOND, says: &[],
        way: Way::Replace(&[
            (r"\[(\w+)\.length\]", "[$1.length - 1]", 0.7),
            (r"\((\w+)\.(length|size)\(\)\)", "($1.$2() - 1)", 0.8),
        ]),
        examples: &[
            ("java.lang.ArrayIndexOutOfBoundsException", "Index 3 out of bounds for length 3", "x = xs[xs.length];", "x = xs[xs.length - 1];"),
            ("java.lang.IndexOutOfBoundsException", "Index 3 out of bounds for length 3", "x = xs.get(xs.size());", "x = xs.get(xs.size() - 1);"),
        ],
    },
    Remedy {
        name: "zero-guard", about: "Returns where a divisor is zero",
        languages: JAVA, answers: &["ArithmeticException"], says: &[],
        way: Way::Propose(zero_guard),
        examples: &[("java.lang.ArithmeticException", "/ by zero", "static int f(int a, int b) {\n    return a / b;", "static int f(int a, int b) {\n    if (b == 0) return 0;\n    return a / b;")],
    },
    Remedy {
        name: "null-guard", about: "Returns where an object is null",
        languages: JAVA, answers: &["NullPointerException"], says: &[],
        way: Way::Propose(null_guard),
        examples: &[("java.lang.NullPointerException", "Cannot invoke \"String.length()\" because \"name\" is null", "return name.length();", "if (name == null) return 0;\nreturn name.length();")],
    },
    Remedy {
        name: "missing-key", about: "Takes zero for a key that is not in a map",
        languages: JAVA, answers: &["NullPointerException"], says: &[],
        way: Way::Replace(&[(r"(\w+)\.get\(([^()]+)\)", "$1.getOrDefault($2, 0)", 1.0)]),
        examples: &[("java.lang.NullPointerException", "Cannot invoke \"java.lang.Integer.intValue()\" because the return value is null", "int n = ages.get(name);", "int n = ages.getOrDefault(name, 0);")],
    },
    Remedy {
        name: "null-compare", about: "Compares a text that may be null from the other side",
        languages: JAVA, answers: &["NullPointerException"], says: &[],
        way: Way::Replace(&[(r"(\w+)\.equals\((\x22[^\x22]*\x22)\)", "$2.equals($1)", 1.0)]),
        examples: &[("java.lang.NullPointerException", "Cannot invoke \"String.equals(Object)\" because \"name\" is null", "if (name.equals(\"a\")) {", "if (\"a\".equals(name)) {")],
    },
    Remedy {
        name: "fixed-list", about: "Makes a list that can change",
        languages: JAVA, answers: &["UnsupportedOperationException"], says: &[],
        way: Way::Propose(|spot| {
            let fixed =
                r"((?:java\.util\.)?(?:List|Set)\.of\([^()]*\)|(?:java\.util\.)?Arrays\.asList\([^()]*\))";
            spot.replace_in(1..=spot.line, fixed, "new java.util.ArrayList<>($1)", 0.7, 0.0)
        }),
        examples: &[("java.lang.UnsupportedOperationException", "", "List<String> xs = List.of(\"a\");\nxs.add(\"b\");", "List<String> xs = new java.util.ArrayList<>(List.of(\"a\"));\nxs.add(\"b\");")],
    },
    Remedy {
        name: "changed-while-iterated", about: "Goes through a copy of what the loop changes",
        languages: JAVA, answers: &["ConcurrentModificationException"], says: &[],
        way: Way::Propose(|spot| {
            let lines = (1..=spot.line + 1).rev().take(4);
            let new = "for ($1 : new java.util.ArrayList<>($2))";
            spot.replace_in(lines, r"for \((.+) : (\w+)\)", new, 0.7, 0.0)
        }),
        examples: &[("java.util.ConcurrentModificationException", "", "▸for (String x : xs) {\n    xs.remove(x);", "for (String x : new java.util.ArrayList<>(xs)) {\n    xs.remove(x);")],
    },
];

fn zero_guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(divisor) = spot.captured(r"[/%]\s*([\w.]+(?:\(\))?)") else { return Vec::new() };
    let in_void = spot.before(r"\bvoid\b.*\{").is_some_and(|line| spot.line - line < 10);
    let usual = if in_void { "return;" } else { "return 0;" };
    let guard = |(value, cost)| {
        let new = format!("if ({divisor} == 0) {value}");
        spot.line_before(spot.line, &new, cost, format!("Returns where {divisor} is zero"))
    };
    [(usual, 1.2), ("return 0;", 1.3)].map(guard).into()
}

fn null_guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let null = spot.said(r#"because "<?([\w.]+)"#).or_else(|| spot.captured(r"(\w+)\.\w+\("));
    let Some(object) = null else { return Vec::new() };
    let guard = |value| {
        let new = format!("if ({object} == null) {value}");
        spot.line_before(spot.line, &new, 1.5, format!("Returns where {object} is null"))
    };
    ["return;", "return 0;", "return null;", "return false;", "return \"\";"].map(guard).into()
}
