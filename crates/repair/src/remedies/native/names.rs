//! Names and headers that are not found.

use super::COMMON;
use crate::remedies::remedy::{C, CPP, NATIVE, Remedy, Way};
use crate::remedies::spot::{Spot, fits, regex};
use crate::{Candidate, TextEdit};
use formicary_diagnose::{library, names};
use formicary_model::Language;

const FAILED: &[&str] = &[
    "undeclared",
    "not-a-member",
    "unknown-type",
    "implicit-function",
    "undefined-reference",
    "-Wimplicit-function-declaration",
];
const NULL: [&str; 4] = ["NULL", "null", "nil", "nullptr"];
const HEADERS: &str = "stdio.h stdlib.h string.h math.h ctype.h stdbool.h stdint.h limits.h assert.h time.h iostream vector \
    string map set algorithm memory sstream queue stack utility unordered_map unordered_set functional numeric cmath cstdio \
    cstdlib cstring";

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-include", about: "Includes the header that declares a name",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(missing_include),
        examples: &[("unknown-type", "unknown type name 'bool'", "#include <stdio.h>\nbool yes = true;", "#include <stdio.h>\n#include <stdbool.h>\nbool yes = true;")],
    },
    Remedy {
        name: "missing-include", about: "Includes the header of a name of the library, and names its namespace",
        languages: CPP, answers: FAILED, says: &[],
        way: Way::Propose(missing_header_and_namespace),
        examples: &[("undeclared", "'vector' was not declared in this scope", "#include <iostream>\nvector<int> v;", "#include <iostream>\n#include <vector>\nstd::vector<int> v;")],
    },
    Remedy {
        name: "missing-std", about: "Names the namespace of the library",
        languages: CPP, answers: &["undeclared"], says: &[],
        way: Way::Propose(missing_std),
        examples: &[("undeclared", "'cout' was not declared in this scope; did you mean 'std::cout'?", "int main() { cout << 2; }", "int main() { std::cout << 2; }")],
    },
    Remedy {
        name: "null-name", about: "Writes the null pointer's name",
        languages: C, answers: FAILED, says: &[],
        way: Way::Propose(|spot| null_name(spot, "NULL")),
        examples: &[("undeclared", "'null' undeclared", "p = null;", "p = NULL;")],
    },
    Remedy {
        name: "null-name", about: "Writes the null pointer's name",
        languages: CPP, answers: FAILED, says: &[],
        way: Way::Propose(|spot| null_name(spot, "nullptr")),
        examples: &[("undeclared", "'nil' was not declared in this scope", "p = nil;", "p = nullptr;")],
    },
    Remedy {
        name: "foreign-type", about: "Writes C's type of a text",
        languages: C, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let name = missing(spot).filter(|name| name == "string" || name == "String");
            name.map(|name| spot.replace_word(&name, "char *", 0.9)).unwrap_or_default()
        }),
        examples: &[("unknown-type", "unknown type name 'string'", "string name;", "char * name;")],
    },
    Remedy {
        name: "misspelt-name", about: "Takes a name near to the one that is not found",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(misspelt),
        examples: &[("undeclared", "'cuont' undeclared (first use in this function)", "int count = 3;\nprintf(\"%d\\n\", cuont);", "int count = 3;\nprintf(\"%d\\n\", count);")],
    },
    Remedy {
        name: "missing-prototype", about: "Declares above its first use a function that is defined below",
        languages: NATIVE, answers: FAILED, says: &[],
        way: Way::Propose(missing_prototype),
        examples: &[("implicit-function", "implicit declaration of function 'add'", "#include <stdio.h>\n▸int main(void) { return add(1, 2); }\nint add(int a, int b) { return a + b; }", "#include <stdio.h>\nint add(int a, int b);\nint main(void) { return add(1, 2); }\nint add(int a, int b) { return a + b; }")],
    },
    Remedy {
        name: "undeclared-variable", about: "Declares a variable",
        languages: NATIVE, answers: &["undeclared"], says: &[],
        way: Way::Propose(undeclared),
        examples: &[
            ("undeclared", "'n' undeclared", "n = 1;", "int n = 1;"),
            ("undeclared", "'n' undeclared", "f(n);", "int n = 0;\nf(n);"),
        ],
    },
    Remedy {
        name: "misspelt-header", about: "Includes a header whose name is near",
        languages: NATIVE, answers: &["missing-header"], says: &[],
        way: Way::Propose(misspelt_header),
        examples: &[("missing-header", "stdoi.h: No such file or directory", "#include <stdoi.h>", "#include <stdio.h>")],
    },
    Remedy {
        name: "needless-include", about: "Leaves a header out",
        languages: NATIVE, answers: &["missing-header"], says: &[],
        way: Way::Propose(|spot| vec![spot.rewrite(spot.line, "", 2.0, "Leaves the header out")]),
        examples: &[("missing-header", "a.h: No such file or directory", "▸#include \"a.h\"\nint a;", "\nint a;")],
    },
];

fn missing(spot: &Spot<'_>) -> Option<String> {
    spot.said(r"'(?:std::)?(\w+)(?:\([^']*\))?'")
}

/// Headers that declare a name and are not included, each with its rank.
fn holders(spot: &Spot<'_>, name: &str) -> Vec<(f64, &'static str)> {
    let holders = library::holders(spot.case.language, name).into_iter();
    (0..).map(f64::from).zip(holders).filter(|(_, holder)| !spot.text.contains(holder)).collect()
}

fn missing_include(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let holders = holders(spot, &name).into_iter();
    holders.map(|(rank, holder)| include(spot, holder, 0.6 + rank * 0.1, None)).collect()
}

fn missing_header_and_namespace(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    if spot.here().contains(&format!("std::{name}")) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (_, holder) in holders(spot, &name) {
        let qualified = spot.replace_word(&name, &format!("std::{name}"), 0.7).into_iter();
        found.extend(qualified.map(|made| include(spot, holder, 0.75, made.edits.into_iter().next())));
    }
    found
}

fn include(spot: &Spot<'_>, header: &str, cost: f64, besides: Option<TextEdit>) -> Candidate {
    let is_head = |line: &&str| line.starts_with("//") || line.starts_with('#') || line.trim().is_empty();
    let head: Vec<&str> = spot.text.lines().take_while(is_head).collect();
    let last = head.iter().rposition(|line| line.starts_with('#')).map_or(0, |index| index + 1);
    let at = spot.start_of(last as u32 + 1);
    let mut edits = vec![spot.edit(at, at, format!("#include {header}\n"))];
    edits.extend(besides);
    spot.make(edits, cost, format!("Includes {header}"))
}

fn missing_std(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    if !library::names(Language::Cpp).contains(&name.as_str()) {
        return Vec::new();
    }
    spot.replace(&format!(r"(^|[^:\w]){name}\b"), &format!("${{1}}std::{name}"), 0.5)
}

fn null_name(spot: &Spot<'_>, written: &str) -> Vec<Candidate> {
    let name = missing(spot).filter(|name| NULL.contains(&name.as_str()));
    name.map(|name| spot.replace_word(&name, written, 0.7)).unwrap_or_default()
}

fn misspelt(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let known = format!("{COMMON} {}", library::names(spot.case.language).join(" "));
    let near = spot.near(&name, spot.text, &known).into_iter();
    near.flat_map(|(rank, near)| spot.replace_word(&name, &near, 0.9 + rank * 0.3)).collect()
}

fn missing_prototype(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    let defined = regex(&format!(
        r"(?m)^((?:static |const |unsigned |struct )*\w[\w:<>]*[ *&]+{}\([^;{{]*\))\s*\{{",
        regex::escape(&name)
    ));
    let Some(head) = defined.as_ref().and_then(|pattern| pattern.captures(spot.text)?.get(1)) else {
        return Vec::new();
    };
    let is_code = |line: &u32| {
        let text = spot.line_at(*line);
        !text.trim().is_empty() && !["#", "//", "using "].iter().any(|start| text.starts_with(start))
    };
    let at = spot.start_of((1..=spot.count()).find(is_code).unwrap_or(1));
    vec![spot.insert(
        at,
        &format!("{};\n", head.as_str()),
        0.6,
        format!("Declares {name} above its first use"),
    )]
}

fn undeclared(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = missing(spot) else { return Vec::new() };
    if fits(&format!(r"\b{name}\s*=[^=]"), spot.here()) {
        let pattern = format!(r"^(\s*)(for\s*\()?\s*{name}\b");
        return spot.replace(&pattern, &format!("${{1}}${{2}}int {name}"), 1.2);
    }
    vec![spot.line_before(spot.line, &format!("int {name} = 0;"), 2.5, format!("Declares {name}"))]
}

fn misspelt_header(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(wrong) = spot.said(r"^(\S+): No such") else { return Vec::new() };
    let is_near = |right: &&str| names::distance(&wrong, right) <= 2 || wrong == format!("{right}.h");
    let pattern = format!(r#"[<"]{}[>"]"#, regex::escape(&wrong));
    let near = HEADERS.split_whitespace().filter(is_near);
    near.flat_map(|right| spot.replace(&pattern, &format!("<{right}>"), 0.7)).collect()
}
