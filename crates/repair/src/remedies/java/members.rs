//! Methods, variables and classes as the compiler wants them declared.

use crate::Candidate;
use crate::remedies::remedy::{JAVA, Remedy, Way};
use crate::remedies::spot::{Spot, fits, regex};

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-return", about: "Returns something at the end of a method",
        languages: JAVA, answers: &["missing-return"], says: &[],
        way: Way::Propose(missing_return),
        examples: &[("missing-return", "missing return statement", "static int f(int a) {\n    int sum = a;\n▸}", "static int f(int a) {\n    int sum = a;\n    return sum;\n}")],
    },
    Remedy {
        name: "uninitialized", about: "Gives a variable a first value",
        languages: JAVA, answers: &["uninitialized-variable"], says: &[],
        way: Way::Propose(uninitialized),
        examples: &[("uninitialized-variable", "variable n might not have been initialized", "int n;\nn += 1;", "int n = 0;\nn += 1;")],
    },
    Remedy {
        name: "missing-throws", about: "Declares the exceptions that a method lets through",
        languages: JAVA, answers: &["unreported-exception"], says: &[],
        way: Way::Propose(missing_throws),
        examples: &[("unreported-exception", "unreported exception InterruptedException; must be caught or declared to be thrown", "public static void main(String[] args) {\n    Thread.sleep(1);", "public static void main(String[] args) throws Exception {\n    Thread.sleep(1);")],
    },
    Remedy {
        name: "missing-static", about: "Makes a member static that is used without an object",
        languages: JAVA, answers: &["non-static-from-static"], says: &[],
        way: Way::Propose(missing_static),
        examples: &[("non-static-from-static", "non-static method f() cannot be referenced from a static context", "    int f() { return 1; }\n    static int g() {\n        return f();", "    static int f() { return 1; }\n    static int g() {\n        return f();")],
    },
    Remedy {
        name: "final-changed", about: "Lets a variable change",
        languages: JAVA, answers: &["final-reassigned"], says: &[],
        way: Way::Propose(|spot| {
            let name = spot.said(r"variable (\w+)").unwrap_or_default();
            let line = spot.before(&format!(r"\bfinal\b.*\b{name}\b"));
            line.map(|line| spot.replace_on(line, r"\bfinal ", "", 0.7)).unwrap_or_default()
        }),
        examples: &[("final-reassigned", "cannot assign a value to final variable n", "final int n = 1;\nn = 2;", "int n = 1;\nn = 2;")],
    },
    Remedy {
        name: "declared-twice", about: "Assigns to a variable that is declared already",
        languages: JAVA, answers: &["already-defined"], says: &[],
        way: Way::Replace(&[(r"^(\s*)[\w<>\[\]]+ (\w+\s*=)", "$1$2", 0.8)]),
        examples: &[("already-defined", "variable n is already defined in method f()", "int n = 2;", "n = 2;")],
    },
    Remedy {
        name: "unreachable", about: "Leaves out what is never reached",
        languages: JAVA, answers: &["unreachable-statement"], says: &[],
        way: Way::Propose(|spot| vec![spot.rewrite(spot.line, "", 1.0, "Leaves out what is never reached")]),
        examples: &[("unreachable-statement", "unreachable statement", "return 1;\nf();", "return 1;\n")],
    },
    Remedy {
        name: "argument-dropped", about: "Leaves the last argument out",
        languages: JAVA, answers: &["wrong-arguments"], says: &[],
        way: Way::Replace(&[(r"(\w+\([^()]*?),\s*[^,()]+\)", "$1)", 1.5)]),
        examples: &[("wrong-arguments", "method f in class A cannot be applied to given types;", "f(1, 2);", "f(1);")],
    },
    Remedy {
        name: "swapped-arguments", about: "Exchanges two arguments",
        languages: JAVA, answers: &["wrong-arguments"], says: &[],
        way: Way::Replace(&[(r"(\w+)\(([^,()]+), ([^,()]+)\)", "$1($3, $2)", 1.2)]),
        examples: &[("wrong-arguments", "method f in class A cannot be applied to given types;", "f(1, \"a\");", "f(\"a\", 1);")],
    },
    Remedy {
        name: "private-member", about: "Makes a private member public",
        languages: JAVA, answers: &["private-access"], says: &[],
        way: Way::Propose(|spot| {
            let name = spot.said(r"(\w+)(?:\(.*\))? has private").unwrap_or_default();
            spot.replace_in(1..=spot.count(), &format!(r"\bprivate (.*\b{name}\b)"), "public $1", 1.0, 0.0)
        }),
        examples: &[("private-access", "age has private access in Dog", "class Dog { private int age; }\nint n = dog.age;", "class Dog { public int age; }\nint n = dog.age;")],
    },
    Remedy {
        name: "equals-of-number", about: "Compares numbers by ==",
        languages: JAVA, answers: &["cannot-be-dereferenced"], says: &[],
        way: Way::Replace(&[(r"(\w+)\.equals\(([^()]+)\)", "$1 == $2", 0.8)]),
        examples: &[("cannot-be-dereferenced", "int cannot be dereferenced", "if (n.equals(1)) {", "if (n == 1) {")],
    },
    Remedy {
        name: "indexed-list", about: "Gets an element of a list by its method",
        languages: JAVA, answers: &["array-required"], says: &[],
        way: Way::Replace(&[(r"(\w+)\[([^\[\]]+)\]", "$1.get($2)", 0.7)]),
        examples: &[("array-required", "array required, but List<String> found", "x = xs[0];", "x = xs.get(0);")],
    },
    Remedy {
        name: "missing-type", about: "Gives a method the type of its result",
        languages: JAVA, answers: &["return-type-required"], says: &[],
        way: Way::Replace(&[
            (r"(\w+\s*\()", "void $1", 1.0),
            (r"(\w+\s*\()", "int $1", 1.0),
            (r"(\w+\s*\()", "String $1", 1.0),
        ]),
        examples: &[("return-type-required", "invalid method declaration; return type required", "static main(String[] args) {", "static void main(String[] args) {")],
    },
    Remedy {
        name: "needless-override", about: "Takes back that a method overrides another",
        languages: JAVA, answers: &["bad-override"], says: &[],
        way: Way::Replace(&[(r"@Override", "", 1.5)]),
        examples: &[("bad-override", "method does not override or implement a method from a supertype", "@Override public void f() {}", " public void f() {}")],
    },
    Remedy {
        name: "long-number", about: "Writes a large number as a long one",
        languages: JAVA, answers: &["number-too-large"], says: &[],
        way: Way::Replace(&[(r"\b(\d{10,})\b", "${1}L", 0.6)]),
        examples: &[("number-too-large", "integer number too large", "long n = 10000000000;", "long n = 10000000000L;")],
    },
];

/// The line on which the method begins that holds the failing one.
fn method(spot: &Spot<'_>) -> Option<u32> {
    let opens = regex(
        r"^\s*(?:public|private|protected|static|final|\w[\w<>\[\]]* \w+\().*\)\s*(?:throws [\w, ]+)?\{",
    )?;
    let other = regex(r"^\s*(?:if|for|while|switch|else|\})")?;
    let is_head = |line: &u32| opens.is_match(spot.line_at(*line)) && !other.is_match(spot.line_at(*line));
    (1..=spot.line).rev().find(is_head)
}

fn missing_return(spot: &Spot<'_>) -> Vec<Candidate> {
    let method = method(spot);
    let head = method.or_else(|| spot.before(r"\)\s*(?:throws [\w, ]+)?\{\s*$")).unwrap_or(spot.line);
    let text = spot.line_at(head);
    let values: &[&str] = if text.contains("boolean ") {
        &["false", "true"]
    } else if fits(r"\b(?:int|long|double|float|short|byte|char)\b \w+\(", text) {
        &["0", "-1", "1"]
    } else {
        &["null", "\"\""]
    };
    let mut all: Vec<String> = values.iter().rev().map(|value| (*value).to_owned()).collect();
    let declared = regex(r"^\s*(?:final )?[\w<>\[\], ]+ (\w+)\s*=");
    for line in method.unwrap_or(spot.line)..spot.line {
        let name = declared.as_ref().and_then(|pattern| pattern.captures(spot.line_at(line))?.get(1));
        all.extend(name.map(|name| name.as_str().to_owned()));
    }
    let (indent, start) = (spot.indent(spot.line), spot.start_of(spot.line));
    let costs = (0..).map(|rank| 1.0 + f64::from(rank) * 0.1);
    let returned = |(value, cost): (&String, f64)| {
        let new = format!("{indent}    return {value};\n");
        spot.insert(start, &new, cost, format!("Returns {value} at the end"))
    };
    all.iter().rev().zip(costs).map(returned).collect()
}

fn uninitialized(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"variable (\w+)") else { return Vec::new() };
    let pattern = format!(r"\b{name}\s*;");
    let Some(line) = spot.before(&pattern) else { return Vec::new() };
    let values = [("0", 0.8), ("\"\"", 0.9), ("null", 1.0), ("false", 1.1), ("1", 1.2)].into_iter();
    values
        .flat_map(|(value, cost)| spot.replace_on(line, &pattern, &format!("{name} = {value};"), cost))
        .collect()
}

fn missing_throws(spot: &Spot<'_>) -> Vec<Candidate> {
    let kind = spot.said(r"exception ([\w.]+)").unwrap_or_else(|| "Exception".into());
    let Some(line) = spot.before(r"^\s*(?:public|private|protected|static)\b.*\)\s*\{") else {
        return Vec::new();
    };
    let kinds = ["Exception", &kind].into_iter();
    kinds.flat_map(|kind| spot.replace_on(line, r"\)\s*\{", &format!(") throws {kind} {{"), 0.7)).collect()
}

fn missing_static(spot: &Spot<'_>) -> Vec<Candidate> {
    let name = spot.said(r"(?:variable|method) (\w+)").unwrap_or_default();
    let pattern =
        format!(r"^(\s*)((?:public |private |protected |final )*)([\w<>\[\], ]+ {name}\s*(?:[=;(]))");
    let lines =
        (1..=spot.count()).filter(|line| *line != spot.line && !spot.line_at(*line).contains("static"));
    spot.replace_in(lines, &pattern, "$1${2}static $3", 0.7, 0.0)
}
