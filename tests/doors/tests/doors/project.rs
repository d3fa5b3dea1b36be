//! The project that every door looks at.

use serde_json::{Value, json};
use std::path::Path;
use tempfile::TempDir;

const COPY: &str = "def total_NAME(items):\n    result = 0\n    for item in items:\n        if item > 10:\n            \
                    result += item * 2\n        else:\n            result += item\n    print(result)\n    return result\n";

const CALC: &str =
    "def clamp(x: int, most: int) -> int:\n    if x > most:\n        return most\n    return x\n";

const SUITE: &str = "import unittest\n\nfrom calc import clamp\n\n\nclass Clamp(unittest.TestCase):\n    def \
                     test_above(self):\n        self.assertEqual(clamp(7, 5), 5)\n\n    def test_wrong(self):\n        \
                     self.assertEqual(clamp(1, 5), 2)\n";

// For what begins with tests that pass.
const GOOD_SUITE: &str = "import unittest\n\nfrom calc import clamp\n\n\nclass Clamp(unittest.TestCase):\n    def \
                              test_above(self):\n        self.assertEqual(clamp(7, 5), 5)\n";

/// A folder with code of every kind that a use-case needs; gone with its owner.
pub struct Project {
    folder: TempDir,
    // Beside it, so that it is no part of the project.
    runs: TempDir,
    files: Vec<(&'static str, String)>,
}

impl Project {
    pub fn new() -> Self {
        let files = vec![
            ("formicary.toml", String::new()),
            (
                "gcd.py",
                "def gcd(a, b):\n    if b == 0:\n        return a\n    return gcd(a % b, b)\n".to_owned(),
            ),
            (
                "test_gcd.py",
                "from gcd import gcd\n\nassert gcd(12, 18) == 6\nassert gcd(7, 3) == 1\n".to_owned(),
            ),
            ("copies.py", format!("{}\n\n{}", COPY.replace("NAME", "a"), COPY.replace("NAME", "b"))),
            (
                "use.py",
                "import os\n\n\ndef run(text):\n    return eval(text)\n\n\nprint(run('1'))\n".to_owned(),
            ),
            ("before/m.py", COPY.replace("NAME", "old")),
            ("after/m.py", COPY.replace("NAME", "new")),
            ("suite/calc.py", CALC.to_owned()),
            ("suite/test_calc.py", SUITE.to_owned()),
            ("judged/calc.py", CALC.to_owned()),
            ("judged/test_calc.py", GOOD_SUITE.to_owned()),
            ("items.jsonl", Self::items().iter().map(|item| format!("{item}\n")).collect()),
        ];
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in &files {
            let full = folder.path().join(path);
            std::fs::create_dir_all(full.parent().unwrap()).unwrap();
            std::fs::write(full, text).unwrap();
        }
        Self { folder, runs: tempfile::tempdir().unwrap(), files }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Where runs of the agent are kept.
    pub fn runs(&self) -> &Path {
        self.runs.path()
    }

    /// The items that are judged.
    pub fn items() -> Vec<Value> {
        let cases = json!([{"stdin": "2", "expected": "4"}, {"stdin": "5", "expected": "10"}]);
        let item =
            |id: &str, code: &str| json!({"id": id, "language": "python", "code": code, "cases": cases});
        vec![item("good", "print(int(input()) * 2)"), item("bad", "print(4)"), item("broken", "print(")]
    }

    /// The files of one folder of it, as they are sent along; of all where none is named.
    pub fn sent(&self, below: &str) -> Value {
        let of = |(path, text): &(&str, String)| {
            Some(json!({"path": path.strip_prefix(below)?.trim_start_matches('/'), "content": text}))
        };
        self.files.iter().filter_map(of).collect()
    }
}
