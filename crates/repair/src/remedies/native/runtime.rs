//! What sanitizers and the run itself report.

use crate::Candidate;
use crate::remedies::remedy::{NATIVE, OTHERWISE, Remedy, Way};
use crate::remedies::spot::Spot;

const FREED: [&str; 2] = ["double-free", "heap-use-after-free"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "loop-end", about: "Ends a loop before its bound",
        languages: NATIVE, answers: OTHERWISE, says: &[],
        way: Way::Propose(|spot| spot.replace_in(spot.upwards(12), r"(for\s*\(.*[^<])<=", "$1<", 1.0, 0.1)),
        examples: &[("stack-buffer-overflow", "on address 0x7f", "for (int i = 0; i <= 3; i++)\n    xs[i] = 0;", "for (int i = 0; i < 3; i++)\n    xs[i] = 0;")],
    },
    Remedy {
        name: "room-for-the-end", about: "Allocates the byte that ends a text",
        languages: NATIVE, answers: OTHERWISE, says: &[],
        way: Way::Propose(|spot| {
            spot.replace_in(spot.upwards(12), r"malloc\((strlen\([^()]*\))\)", "malloc($1 + 1)", 1.0, 0.1)
        }),
        examples: &[("heap-buffer-overflow", "on address 0x60", "char *b = malloc(strlen(a));\nstrcpy(b, a);", "char *b = malloc(strlen(a) + 1);\nstrcpy(b, a);")],
    },
    Remedy {
        name: "size-of-elements", about: "Allocates as many elements instead of bytes",
        languages: NATIVE, answers: OTHERWISE, says: &[],
        way: Way::Propose(|spot| {
            spot.replace_in(spot.upwards(12), r"malloc\((\w+)\)", "malloc($1 * sizeof(int))", 1.3, 0.1)
        }),
        examples: &[("heap-buffer-overflow", "on address 0x60", "int *xs = malloc(n);\nxs[n - 1] = 0;", "int *xs = malloc(n * sizeof(int));\nxs[n - 1] = 0;")],
    },
    Remedy {
        name: "zero-guard", about: "Returns where a divisor is zero",
        languages: NATIVE, answers: OTHERWISE, says: &["division by zero"],
        way: Way::Propose(|spot| {
            let guard = spot.captured(r"[/%]\s*(\w+)").map(|divisor| {
                let new = format!("if ({divisor} == 0) return 0;");
                spot.line_before(spot.line, &new, 1.2, format!("Returns where {divisor} is zero"))
            });
            Vec::from_iter(guard)
        }),
        examples: &[("undefined-behavior", "division by zero", "return a / b;", "if (b == 0) return 0;\nreturn a / b;")],
    },
    Remedy {
        name: "null-guard", about: "Returns where a pointer is null",
        languages: NATIVE, answers: OTHERWISE, says: &["null pointer"],
        way: Way::Propose(null_guard),
        examples: &[("undefined-behavior", "member access within null pointer of type 'struct node'", "return node->value;", "if (!node) return 0;\nreturn node->value;")],
    },
    Remedy {
        name: "freed-twice", about: "Frees something no longer at one place",
        languages: NATIVE, answers: OTHERWISE, says: &[],
        way: Way::Propose(|spot| {
            if !FREED.contains(&spot.kind) {
                return Vec::new();
            }
            let frees = r"^\s*(?:free\([^()]*\)|delete(?:\[\])? \w+);";
            spot.replace_in(1..=spot.line, frees, "", 1.5, 0.0)
        }),
        examples: &[("double-free", "attempting double-free", "free(p);\nfree(p);", "\nfree(p);")],
    },
];

fn null_guard(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(pointer) = spot.captured(r"\*(\w+)|(\w+)->") else { return Vec::new() };
    let guard = |(value, cost)| {
        let new = format!("if (!{pointer}) {value}");
        spot.line_before(spot.line, &new, cost, format!("Returns where {pointer} is null"))
    };
    [("return 0;", 1.4), ("return;", 1.6)].map(guard).into()
}
