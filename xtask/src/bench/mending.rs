//! How many candidates the search judges in a second, by language: a small program with ten tests that no change can
//! satisfy, so that the search goes on until its time is over.

use super::{Measured, Options, compiling};
use formicary_model::FixInput;
use formicary_model::use_case::{Code, Number};
use formicary_platform::debugging::Fix;
use formicary_platform::local_caller;
use formicary_platform::policy::Policy;
use formicary_platform::use_case::Context;
use serde::Serialize;
use std::path::Path;

/// Seconds for each language.
const SECONDS: f64 = 20.0;

#[derive(Debug, Serialize)]
struct Rate {
    language: &'static str,
    candidates: u64,
    per_second: f64,
}

struct Program {
    language: &'static str,
    files: [(&'static str, &'static str); 2],
    command: &'static str,
}

const PROGRAMS: [Program; 6] = [
    Program {
        language: "python",
        files: [
            (
                "program.py",
                "def spread(values, least):\n    if not values:\n        return least\n    low = high = values[0]\n    for value in values:\n        if value < low:\n            low = value\n        elif value > high:\n            high = value\n    return max(high - low, least)\n",
            ),
            (
                "test_program.py",
                "from program import spread\n\n\ndef test_one():\n    assert spread([], 1) == 1\n\n\ndef test_two():\n    assert spread([1], 0) == 0\n\n\ndef test_three():\n    assert spread([1, 2], 0) == 1\n\n\ndef test_four():\n    assert spread([2, 1], 0) == 1\n\n\ndef test_five():\n    assert spread([1, 9, 3], 0) == 8\n\n\ndef test_six():\n    assert spread([5, 5], 2) == 2\n\n\ndef test_seven():\n    assert spread([-1, 1], 0) == 2\n\n\ndef test_eight():\n    assert spread([0, 0, 7], 1) == 7\n\n\ndef test_nine():\n    assert spread([3], 9) == 9\n\n\ndef test_ten():\n    assert spread([1, 4], 0) == 3 and spread([1, 4], 0) == 4\n",
            ),
        ],
        command: "python3 -m pytest test_program.py",
    },
    Program {
        language: "javascript",
        files: [
            (
                "program.js",
                "function spread(values, least) {\n  if (values.length === 0) {\n    return least;\n  }\n  let low = values[0];\n  let high = values[0];\n  for (const value of values) {\n    if (value < low) {\n      low = value;\n    } else if (value > high) {\n      high = value;\n    }\n  }\n  return Math.max(high - low, least);\n}\n\nmodule.exports = { spread };\n",
            ),
            (
                "test.js",
                "const assert = require('assert');\nconst { spread } = require('./program');\nassert.strictEqual(spread([1, 4], 0), 3);\nassert.strictEqual(spread([1, 4], 0), 4);\n",
            ),
        ],
        command: "node test.js",
    },
    Program {
        language: "java",
        files: [
            (
                "Spread.java",
                "class Spread {\n    static int spread(int[] values, int least) {\n        if (values.length == 0) {\n            return least;\n        }\n        int low = values[0];\n        int high = values[0];\n        for (int value : values) {\n            if (value < low) {\n                low = value;\n            } else if (value > high) {\n                high = value;\n            }\n        }\n        return Math.max(high - low, least);\n    }\n}\n",
            ),
            (
                "Main.java",
                "public class Main {\n    public static void main(String[] args) {\n        int[] values = {1, 4};\n        if (Spread.spread(values, 0) != 3 || Spread.spread(values, 0) != 4) {\n            throw new AssertionError();\n        }\n    }\n}\n",
            ),
        ],
        command: "javac -d . Spread.java Main.java && java Main",
    },
    Program {
        language: "cpp",
        files: [
            (
                "spread.hpp",
                "#include <algorithm>\n#include <vector>\n\nint spread(const std::vector<int> &values, int least) {\n    if (values.empty()) {\n        return least;\n    }\n    int low = values[0];\n    int high = values[0];\n    for (int value : values) {\n        if (value < low) {\n            low = value;\n        } else if (value > high) {\n            high = value;\n        }\n    }\n    return std::max(high - low, least);\n}\n",
            ),
            (
                "main.cpp",
                "#undef NDEBUG\n#include <cassert>\n#include \"spread.hpp\"\n\nint main() {\n    assert(spread({1, 4}, 0) == 3);\n    assert(spread({1, 4}, 0) == 4);\n}\n",
            ),
        ],
        command: "g++ -o /tmp/program main.cpp && /tmp/program",
    },
    Program {
        language: "go",
        files: [
            (
                "spread.go",
                "package main\n\nfunc spread(values []int, least int) int {\n\tif len(values) == 0 {\n\t\treturn least\n\t}\n\tlow, high := values[0], values[0]\n\tfor _, value := range values {\n\t\tif value < low {\n\t\t\tlow = value\n\t\t} else if value > high {\n\t\t\thigh = value\n\t\t}\n\t}\n\tif high-low > least {\n\t\treturn high - low\n\t}\n\treturn least\n}\n",
            ),
            (
                "main.go",
                "package main\n\nfunc main() {\n\tvalues := []int{1, 4}\n\tif spread(values, 0) != 3 || spread(values, 0) != 4 {\n\t\tpanic(\"spread\")\n\t}\n}\n",
            ),
        ],
        command: "go run spread.go main.go",
    },
    Program {
        language: "rust",
        files: [
            (
                "spread.rs",
                "pub fn spread(values: &[i32], least: i32) -> i32 {\n    if values.is_empty() {\n        return least;\n    }\n    let mut low = values[0];\n    let mut high = values[0];\n    for value in values {\n        if *value < low {\n            low = *value;\n        } else if *value > high {\n            high = *value;\n        }\n    }\n    least.max(high - low)\n}\n",
            ),
            (
                "main.rs",
                "mod spread;\n\nfn main() {\n    assert_eq!(spread::spread(&[1, 4], 0), 3);\n    assert_eq!(spread::spread(&[1, 4], 0), 4);\n}\n",
            ),
        ],
        command: "rustc -o /tmp/program main.rs && /tmp/program",
    },
];

pub(super) fn measured(_: &Options, scratch: &Path) -> Result<Measured, String> {
    let platform = compiling::platform_to_stay(scratch, &[])?;
    let mut table = String::from("Candidates judged in a second, by language\n");
    let mut rates = Vec::new();
    for program in &PROGRAMS {
        let place = scratch.join(format!("mending-{}", program.language));
        std::fs::create_dir_all(&place).map_err(|error| error.to_string())?;
        for (name, text) in program.files {
            std::fs::write(place.join(name), text).map_err(|error| error.to_string())?;
        }
        let code = Code { paths: vec![program.files[0].0.into()], ..Code::default() };
        let input = FixInput {
            code,
            test: Some(program.command.to_owned()),
            candidates: Number::new(100_000.0).map_err(|failure| failure.message)?,
            seconds: Number::new(SECONDS).map_err(|failure| failure.message)?,
            ..FixInput::default()
        };
        let context = Context::new(local_caller(), Policy::local(place.clone()));
        let report = platform.perform::<Fix>(&context, input).map_err(|failure| failure.message)?;
        let rate = Rate {
            language: program.language,
            candidates: report.candidates,
            per_second: report.candidates_per_second,
        };
        table.push_str(&format!(
            "  {:<12} {:>7} candidates, {:>7.0} in a second\n",
            rate.language, rate.candidates, rate.per_second
        ));
        rates.push(rate);
    }
    Measured::new(table, &rates)
}
