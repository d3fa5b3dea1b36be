//! What needs several files.

use formicary_lint::{Analysis, Options, SourceFile, analyze};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn run(files: &[(&str, &str)]) -> Analysis {
    let files: Vec<SourceFile> = files.iter().map(|(path, text)| SourceFile::new(*path, *text)).collect();
    analyze(&files, &Options::default(), None, None)
}

/// Files with their text, or arrows.
type Pairs = &'static [(&'static str, &'static str)];

fn arrows(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut arrows: Vec<_> =
        run(files).project.dependencies.into_iter().map(|arrow| (arrow.from, arrow.to)).collect();
    arrows.sort();
    arrows
}

#[test]
fn imports_find_their_files_in_every_language() {
    let cases: &[(Pairs, Pairs)] = &[
        (
            &[
                ("a/__init__.py", ""),
                ("a/b.py", "from . import c\nimport os\n"),
                ("a/c.py", "from a.b import f\n"),
            ],
            &[("a.b", "a.c"), ("a.c", "a.b")],
        ),
        (
            &[
                ("x/a.js", "import { b } from './b.js'\nconst c = require('../c')\n"),
                ("x/b.ts", ""),
                ("c/index.js", ""),
            ],
            &[("x/a.js", "c/index.js"), ("x/a.js", "x/b.ts")],
        ),
        (
            &[
                ("src/p/A.java", "package p;\nimport q.B;\nclass A { B b; }"),
                ("src/q/B.java", "package q;\npublic class B {}"),
            ],
            &[("p.A", "q.B")],
        ),
        (&[("a.c", "#include \"inc/b.h\"\n"), ("inc/b.h", "int b;\n")], &[("a.c", "inc/b.h")]),
        (
            &[("main.go", "package main\nimport \"example.com/m/util\"\n"), ("util/u.go", "package util\n")],
            &[("main.go", "util/u.go")],
        ),
        (
            &[
                ("src/lib.rs", "mod a;\nmod b;\n"),
                ("src/a.rs", "use crate::b::{self, C};\n"),
                ("src/b.rs", "pub struct C;\n"),
            ],
            &[("src/a.rs", "src/b.rs"), ("src/lib.rs", "src/a.rs"), ("src/lib.rs", "src/b.rs")],
        ),
        (
            &[("a.sh", "#!/bin/bash\nsource ./lib/b.sh\n"), ("lib/b.sh", "f() { :; }\n")],
            &[("a.sh", "lib/b.sh")],
        ),
    ];
    for (files, expected) in cases {
        let expected: Vec<(String, String)> =
            expected.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        assert_eq!(arrows(files), expected, "{files:?}");
    }
}

#[test]
fn cycles_name_the_arrow_to_cut() {
    let analysis = run(&[
        ("a.py", "import b\ndef f():\n    return b.g()\n"),
        ("b.py", "import c\n"),
        ("c.py", "import a\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import b\n"),
    ]);
    assert_eq!(analysis.project.cycles.len(), 1);
    let cycle = &analysis.project.cycles[0];
    assert_eq!((cycle.modules.len(), cycle.cut.len()), (3, 1));
    let finding = analysis.project.findings.iter().find(|finding| finding.rule == "import-cycle").unwrap();
    assert_eq!(finding.related.len(), 1);
    let module = analysis.project.modules.iter().find(|module| module.name == "a").unwrap();
    assert_eq!((module.fan_in, module.fan_out, module.instability, module.in_cycle), (1, 1, 0.5, true));
}

#[test]
fn imports_inside_of_functions_make_no_cycle() {
    let analysis = run(&[("a.py", "import b\n"), ("b.py", "def f():\n    import a\n    return a\n")]);
    assert!(analysis.project.cycles.is_empty());
    assert_eq!(analysis.project.dependencies.len(), 2);
}

#[test]
fn what_another_file_names_is_used() {
    let files = |user: &'static str| {
        [("m.py", "def helper():\n    return 1\n\ndef spare():\n    return 2\n"), ("n.py", user)]
    };
    let unused = |user| -> Vec<String> {
        let findings = run(&files(user)).project.findings;
        findings.into_iter().filter(|one| one.rule == "unused-function").map(|one| one.message).collect()
    };
    assert_eq!(unused("import m\nprint(m.helper())\n").len(), 1);
    assert!(unused("from m import helper\nprint(helper(), 'spare')\n").is_empty());
}

#[test]
fn cancelling_ends_it_and_progress_counts() {
    let files: Vec<SourceFile> = (0..50).map(|n| SourceFile::new(format!("f{n}.py"), "x = 1\n")).collect();
    let (progress, cancel) = (AtomicUsize::new(0), AtomicBool::new(false));
    let whole = analyze(&files, &Options::default(), Some(&progress), Some(&cancel));
    assert_eq!((whole.files.len(), progress.load(Ordering::Relaxed), whole.cancelled), (50, 50, false));
    cancel.store(true, Ordering::Relaxed);
    let stopped = analyze(&files, &Options::default(), None, Some(&cancel));
    assert_eq!((stopped.files.len(), stopped.cancelled), (0, true));
}

#[test]
fn a_kept_result_is_the_same() {
    let source = SourceFile::new("a.py", "import os\nclass A:\n    def f(self, x):\n        return x == x\n");
    let fresh = formicary_lint::analyze_file(&source, &Options::default()).unwrap();
    let text = serde_json::to_string(&fresh).unwrap();
    let kept: formicary_lint::FileAnalysis = serde_json::from_str(&text).unwrap();
    assert_eq!(kept.findings, fresh.findings);
    assert_eq!(kept.facts.words, fresh.facts.words);
    assert_eq!(kept.metrics.lines, fresh.metrics.lines);
    assert_eq!(fresh.findings.len(), 2);
}
