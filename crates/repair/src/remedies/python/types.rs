//! Values of the wrong type.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["TypeError"];
const INDEX: &[&str] = &["indices must be integers", "cannot be interpreted as an integer", "slice indices"];
const TEXT: &[&str] =
    &["can only concatenate str", "must be str, not", "and 'str'", "'str' and", "sequence item"];
const NOT_ITERABLE: &[&str] = &["object is not iterable", "cannot unpack non-iterable"];
const METHOD: &[&str] = &["'builtin_function_or_method'", "'method'", "'function'"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "text-and-number", about: "Makes text of a number, or a number of text, where both are mixed",
        languages: PYTHON, answers: FAILED, says: TEXT,
        way: Way::Replace(&[
            (r"\+\s*([\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?)", "+ str($1)", 1.0),
            (r"([\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?)\s*\+", "str($1) +", 1.0),
            (r"([-+*/<>=]=?\s*)([\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?)", "${1}int($2)", 1.3),
            (r"([\w.]+(?:\([^()]*\)|\[[^\[\]]*\])?)(\s*[-+*/<>])", "int($1)$2", 1.3),
            (r"\.join\(([^()]+)\)", ".join(str(item) for item in $1)", 0.9),
        ]),
        examples: &[
            ("TypeError", "can only concatenate str (not \"int\") to str", "age = 41\nprint(\"age \" + age)", "age = 41\nprint(\"age \" + str(age))"),
            ("TypeError", "sequence item 0: expected str instance, int found", "print(','.join([1]))", "print(','.join(str(item) for item in [1]))"),
        ],
    },
    Remedy {
        name: "text-input", about: "Reads a number where input() gives text",
        languages: PYTHON, answers: FAILED, says: TEXT,
        way: Way::Propose(|spot| {
            spot.replace_in(1..=spot.line, r"=\s*(input\([^()]*\))", "= int($1)", 0.9, 0.0)
        }),
        examples: &[("TypeError", "unsupported operand type(s) for -: 'str' and 'int'", "n = input()\nprint(n - 1)", "n = int(input())\nprint(n - 1)")],
    },
    Remedy {
        name: "called-for-indexed", about: "Indexes what is called and cannot be",
        languages: PYTHON, answers: FAILED, says: &["is not callable"],
        way: Way::Replace(&[(r"(\w+)\(([^()]+)\)", "$1[$2]", 1.2)]),
        examples: &[("TypeError", "'list' object is not callable", "x = xs(0)", "x = xs[0]")],
    },
    Remedy {
        name: "called-value", about: "Takes a value that is called and cannot be",
        languages: PYTHON, answers: FAILED, says: &["is not callable"],
        way: Way::Replace(&[(r"(\w)\(\)", "$1", 1.2)]),
        examples: &[("TypeError", "'int' object is not callable", "x = dog.age()", "x = dog.age")],
    },
    Remedy {
        name: "missing-operator", about: "Multiplies where a number stands before a bracket",
        languages: PYTHON, answers: FAILED, says: &["is not callable"],
        way: Way::Replace(&[(r"(\d|\))\s*\(", "$1 * (", 1.5)]),
        examples: &[("TypeError", "'int' object is not callable", "x = 2(y + 1)", "x = 2 * (y + 1)")],
    },
    Remedy {
        name: "indexed-for-called", about: "Calls what is indexed and cannot be",
        languages: PYTHON, answers: FAILED, says: &["is not subscriptable"],
        way: Way::Replace(&[(r"(\w+)\[([^\[\]]+)\]", "$1($2)", 1.2)]),
        examples: &[("TypeError", "'function' object is not subscriptable", "x = f[0]", "x = f(0)")],
    },
    Remedy {
        name: "missing-call", about: "Calls a function whose result is meant",
        languages: PYTHON, answers: FAILED, says: &["is not subscriptable"],
        way: Way::Replace(&[(r"(\w+)\[", "$1()[", 1.5)]),
        examples: &[("TypeError", "'function' object is not subscriptable", "x = load[0]", "x = load()[0]")],
    },
    Remedy {
        name: "missing-call", about: "Calls a method whose result is meant",
        languages: PYTHON, answers: FAILED, says: METHOD,
        way: Way::Replace(&[(r"(\.\w+)(\s*(?:[-+*/<>=,)\]:]|$))", "$1()$2", 1.0)]),
        examples: &[("TypeError", "unsupported operand type(s) for +: 'method' and 'int'", "x = dog.age + 1", "x = dog.age() + 1")],
    },
    Remedy {
        name: "indexed-for-called", about: "Calls a method that is indexed",
        languages: PYTHON, answers: FAILED, says: METHOD,
        way: Way::Replace(&[(r"(\.\w+)\[([^\[\]]*)\]", "$1($2)", 0.9)]),
        examples: &[("TypeError", "'builtin_function_or_method' object is not subscriptable", "xs.append[1]", "xs.append(1)")],
    },
    Remedy {
        name: "missing-range", about: "Counts up to a number that a loop goes through",
        languages: PYTHON, answers: FAILED, says: NOT_ITERABLE,
        way: Way::Replace(&[(r"\bin ([^:]+):", "in range($1):", 0.8)]),
        examples: &[("TypeError", "'int' object is not iterable", "for i in n:", "for i in range(n):")],
    },
    Remedy {
        name: "missing-text", about: "Goes through the digits of a number",
        languages: PYTHON, answers: FAILED, says: NOT_ITERABLE,
        way: Way::Replace(&[(r"\bin ([^:]+):", "in str($1):", 2.0)]),
        examples: &[("TypeError", "'int' object is not iterable", "for c in n:", "for c in str(n):")],
    },
    Remedy {
        name: "integer-division", about: "Divides without a remainder where an index is made",
        languages: PYTHON, answers: FAILED, says: INDEX,
        way: Way::Propose(|spot| {
            let mut found = spot.replace(r"([^/])/([^/])", "$1//$2", 0.8);
            found.extend(spot.replace_in(1..spot.line, r"([^/])/([^/])", "$1//$2", 1.2, 0.0));
            found
        }),
        examples: &[("TypeError", "list indices must be integers or slices, not float", "print(values[len(values) / 2])", "print(values[len(values) // 2])")],
    },
    Remedy {
        name: "integer-index", about: "Makes an integer of an index",
        languages: PYTHON, answers: FAILED, says: INDEX,
        way: Way::Replace(&[
            (r"\[([^\[\]:]+)\]", "[int($1)]", 1.4),
            (r"range\(([^()]*(?:\([^()]*\))?[^()]*)\)", "range(int($1))", 1.4),
        ]),
        examples: &[
            ("TypeError", "list indices must be integers or slices, not str", "x = xs[i]", "x = xs[int(i)]"),
            ("TypeError", "'float' object cannot be interpreted as an integer", "for i in range(n):", "for i in range(int(n)):"),
        ],
    },
    Remedy {
        name: "unhashable-key", about: "Makes a tuple of a list that is a key",
        languages: PYTHON, answers: FAILED, says: &["unhashable type"],
        way: Way::Replace(&[
            (r"\[(\w+)\](\s*=)", "[tuple($1)]$2", 1.0),
            (r"\.add\(([^()]+)\)", ".add(tuple($1))", 1.0),
            (r"\[\[([^\[\]]*)\]\]", "[($1)]", 0.9),
        ]),
        examples: &[
            ("TypeError", "unhashable type: 'list'", "d[key] = 1", "d[tuple(key)] = 1"),
            ("TypeError", "unhashable type: 'list'", "seen.add(xs)", "seen.add(tuple(xs))"),
            ("TypeError", "unhashable type: 'list'", "x = d[[1, 2]]", "x = d[(1, 2)]"),
        ],
    },
    Remedy {
        name: "immutable-changed", about: "Makes a list of a text or tuple that is changed",
        languages: PYTHON, answers: FAILED, says: &["does not support item assignment"],
        way: Way::Propose(immutable),
        examples: &[("TypeError", "'str' object does not support item assignment", "word[0] = 'a'", "word = list(word)\nword[0] = 'a'")],
    },
    Remedy {
        name: "missing-await", about: "Awaits what a coroutine gives",
        languages: PYTHON, answers: FAILED, says: &["coroutine"],
        way: Way::Propose(|spot| {
            let mut found = spot.replace(r"(=\s*|return\s+|\()(\w+\()", "${1}await $2", 1.0);
            found.extend(spot.replace_in(1..=spot.line, r"(=\s*)(\w+\()", "${1}await $2", 1.3, 0.0));
            found
        }),
        examples: &[("TypeError", "unsupported operand type(s) for +: 'coroutine' and 'int'", "x = load()\ny = x + 1", "x = await load()\ny = x + 1")],
    },
    Remedy {
        name: "missing-await", about: "Awaits a call that nobody awaited",
        languages: PYTHON, answers: &["RuntimeWarning"], says: &[],
        way: Way::Replace(&[(r"(=\s*|return\s+|^\s*)(\w+(?:\.\w+)*\()", "${1}await $2", 1.0)]),
        examples: &[("RuntimeWarning", "coroutine 'load' was never awaited", "    load()", "    await load()")],
    },
];

fn immutable(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.captured(r"(\w+)\[") else { return Vec::new() };
    let new = format!("{name} = list({name})");
    vec![spot.line_before(spot.line, &new, 1.5, format!("Makes {name} a list first"))]
}
