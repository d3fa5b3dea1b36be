//! Panics and deadlocks.

use crate::Candidate;
use crate::remedies::remedy::{GO, Remedy, Way};
use crate::remedies::spot::Spot;

const FAILED: &[&str] = &["panic"];
const STUCK: &[&str] = &["fatal error"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "loop-end", about: "Ends a loop before the length",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Propose(|spot| {
            let mut found = spot.replace_in(spot.upwards(10), r"<= len\(", "< len(", 1.0, 0.1);
            found.extend(spot.replace_in(spot.upwards(10), r"(for .*)<=", "$1<", 1.2, 0.1));
            found
        }),
        examples: &[("panic", "runtime error: index out of range [3] with length 3", "for i := 0; i <= len(xs); i++ {\n\tsum += xs[i]", "for i := 0; i < len(xs); i++ {\n\tsum += xs[i]")],
    },
    Remedy {
        name: "last-index", about: "Takes the last element instead of the one behind it",
        languages: GO, answers: FAILED, says: &[],
        way: Way::Replace(&[(r"\[len\((\w+)\)\]", "[len($1)-1]", 0.8)]),
        examples: &[("panic", "runtime error: index out of range [3] with length 3", "x := xs[len(xs)]", "x := xs[len(xs)-1]")],
    },
    Remedy {
        name: "unmade-map", about: "Makes a map before it is written to",
        languages: GO, answers: FAILED, says: &["nil map"],
        way: Way::Propose(|spot| {
            let declared = r"var (\w+) (map\[[^\]]+\][\w\[\]{}*.]+)\s*$";
            spot.replace_in(1..=spot.line, declared, "$1 := make($2)", 0.6, 0.0)
        }),
        examples: &[("panic", "assignment to entry in nil map", "var ages map[string]int\nages[\"ann\"] = 3", "ages := make(map[string]int)\nages[\"ann\"] = 3")],
    },
    Remedy {
        name: "unchecked-conversion", about: "Takes the empty value where an interface holds another type",
        languages: GO, answers: FAILED, says: &["interface conversion"],
        way: Way::Replace(&[(r"(\w+)\s*:=\s*(\w+\.\(\w+\))", "$1, _ := $2", 1.0)]),
        examples: &[("panic", "interface conversion: interface {} is string, not int", "n := x.(int)", "n, _ := x.(int)")],
    },
    Remedy {
        name: "guard", about: "Returns where a divisor is zero or a pointer nil",
        languages: GO, answers: FAILED, says: &["divide by zero", "nil pointer"],
        way: Way::Propose(guard),
        examples: &[
            ("panic", "runtime error: integer divide by zero", "func f(a, b int) int {\n\treturn a / b", "func f(a, b int) int {\n\tif b == 0 {\n\t\treturn 0\n\t}\n\treturn a / b"),
            ("panic", "runtime error: invalid memory address or nil pointer dereference", "func f(p *point) string {\n\treturn p.name", "func f(p *point) string {\n\tif p == nil {\n\t\treturn \"\"\n\t}\n\treturn p.name"),
        ],
    },
    Remedy {
        name: "buffered-channel", about: "Gives a channel room for one value",
        languages: GO, answers: STUCK, says: &[],
        way: Way::Propose(|spot| {
            spot.replace_in(1..=spot.line, r"make\(chan (\w+)\)", "make(chan $1, 1)", 1.0, 0.0)
        }),
        examples: &[("fatal error", "all goroutines are asleep - deadlock!", "c := make(chan int)\nc <- 1", "c := make(chan int, 1)\nc <- 1")],
    },
    Remedy {
        name: "send-in-goroutine", about: "Sends from a goroutine of its own",
        languages: GO, answers: STUCK, says: &[],
        way: Way::Propose(|spot| {
            let sends = Some(spot.here().trim()).filter(|sends| sends.contains("<-"));
            let made = sends.map(|sends| {
                let new = format!("{}go func() {{ {sends} }}()", spot.indent(spot.line));
                spot.rewrite(spot.line, &new, 1.2, "Sends from a goroutine of its own")
            });
            Vec::from_iter(made)
        }),
        examples: &[("fatal error", "all goroutines are asleep - deadlock!", "\tc <- 1", "\tgo func() { c <- 1 }()")],
    },
];

fn guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let zero = match super::result(spot) {
        "" => "return",
        "string" => "return \"\"",
        "bool" => "return false",
        kind if kind.starts_with(['[', '*', 'm']) => "return nil",
        _ => "return 0",
    };
    let test = match spot.says("divide by zero") {
        true => spot.captured(r"[/%]\s*(\w+)").map(|divisor| format!("{divisor} == 0")),
        false => spot.captured(r"(\w+)\.\w+").map(|pointer| format!("{pointer} == nil")),
    };
    let indent = spot.indent(spot.line);
    let guarded = test.map(|test| {
        let new = format!("if {test} {{\n{indent}\t{zero}\n{indent}}}");
        spot.line_before(spot.line, &new, 1.3, format!("Returns where {test}"))
    });
    Vec::from_iter(guarded)
}
