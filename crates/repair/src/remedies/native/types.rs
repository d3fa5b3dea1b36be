//! Values of the wrong type.

use crate::Candidate;
use crate::remedies::remedy::{CPP, NATIVE, Remedy, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["incompatible-types", "invalid-conversion", "invalid-operands"];
const RETURNS: &[&str] = &["wrong-return", "void-value"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-star", about: "Takes what a pointer points to",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"=\s*&?(\w+)\s*;", "= *$1;", 1.2)]),
        examples: &[("incompatible-types", "initialization of 'int' from 'int *' makes integer from pointer without a cast", "int n = p;", "int n = *p;")],
    },
    Remedy {
        name: "missing-address", about: "Gives the address of an argument",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"([(,]\s*)(\w+)\s*([,)])", "${1}&$2$3", 1.2)]),
        examples: &[("incompatible-types", "passing argument 1 of 'f' makes pointer from integer without a cast", "f(n);", "f(&n);")],
    },
    Remedy {
        name: "text-to-number", about: "Reads a number from text",
        languages: CPP, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"=\s*(std::string\(.*\)|\w+|\x22[^\x22]*\x22)\s*;", "= std::stoi($1);", 1.2)]),
        examples: &[("invalid-conversion", "cannot convert 'std::string' to 'int' in initialization", "int n = text;", "int n = std::stoi(text);")],
    },
    Remedy {
        name: "number-to-text", about: "Makes text of a number",
        languages: CPP, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"=\s*(\w+)\s*;", "= std::to_string($1);", 1.3)]),
        examples: &[("invalid-conversion", "could not convert 'n' from 'int' to 'std::string'", "std::string s = n;", "std::string s = std::to_string(n);")],
    },
    Remedy {
        name: "declared-type", about: "Declares a variable by the type of its value",
        languages: CPP, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"\bint (\w+)\s*=", "std::string $1 =", 1.4), (r"\bint (\w+)\s*=", "auto $1 =", 1.4)]),
        examples: &[("invalid-conversion", "cannot convert 'std::string' to 'int' in initialization", "int s = name();", "auto s = name();")],
    },
    Remedy {
        name: "declared-type", about: "Declares a variable as text",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"^(\s*)int (\w+)\s*=", "${1}const char *$2 =", 1.6)]),
        examples: &[("incompatible-types", "initialization of 'int' from 'char *' makes integer from pointer without a cast", "int s = \"a\";", "const char *s = \"a\";")],
    },
    Remedy {
        name: "return-type", about: "Lets a function return what it returns",
        languages: NATIVE, answers: RETURNS, says: &[],
        way: Way::Propose(return_type),
        examples: &[("wrong-return", "'return' with a value, in function returning void", "void f(int a) {\n    return a;", "int f(int a) {\n    return a;")],
    },
    Remedy {
        name: "missing-value", about: "Returns a value",
        languages: NATIVE, answers: RETURNS, says: &[],
        way: Way::Replace(&[(r"return;", "return 0;", 1.0)]),
        examples: &[("wrong-return", "return-statement with no value", "return;", "return 0;")],
    },
];

fn return_type(spot: &Spot<'_>) -> Vec<Candidate> {
    let line = spot.before(r"^(?:static )?void \w+\(");
    line.map(|line| spot.replace_on(line, r"\bvoid (\w+\()", "int $1", 1.0)).unwrap_or_default()
}
