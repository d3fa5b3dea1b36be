//! `search`, `rewrite`, `refactor`, the index and `rules test` as commands: the wiring, the exit codes, what is written.

use crate::command::Bench;

const CODE: &str = "import subprocess as sp\n\n\ndef work(command):\n    return sp.run(command, cwd='.', shell=True)\n\n\ndef main():\n    work('ls')\n";

#[test]
fn code_is_found_by_its_shape() {
    let bench = Bench::new().file("a.py", CODE);
    let said = bench.run(&["search", "subprocess.run($$$, shell=True)"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.contains("a.py:5:12") && said.stdout.contains("sp.run(command"), "{said:?}");
    let json = bench.run(&["search", "-l", "python", "work($X)", "--json"]).json();
    assert_eq!(json["matches"][0]["captures"]["X"]["text"], "'ls'");
    let said = bench.run(&["search", "-l", "python", "work(1)", "--explain"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.stdout.contains("the pattern asks for `1`, the code has `'ls'`"), "{said:?}");
    for (arguments, part) in [
        (&["search", "-l", "python", "f("][..], "not Python: line 1, column"),
        (&["search", ""], "the pattern is empty"),
        (&["search", "-l", "pyton", "a"], "did you mean python?"),
        (&["search", "--rule", "type-equalty"], "did you mean type-equality?"),
        (&["rewrite", "f($A)", "--to", "g($B)"], "uses $B, which the pattern lacks; it has $A"),
        (&["rewrite", "f($A)"], "--to TEMPLATE"),
        (&["rewrite", "--undo"], "no change to take back"),
        (&["callers", "wrok"], "did you mean work?"),
        (&["refactor", "rename", "a.py", "b"], "FILE:LINE:COLUMN"),
    ] {
        let said = bench.run(arguments);
        assert_eq!(said.code, 120, "{said:?}");
        assert!(said.stderr.contains(part), "{part}: {said:?}");
    }
}

#[test]
fn code_is_changed_and_taken_back() {
    let bench = Bench::new().file("a.py", CODE).file("binary.py", "a\0b");
    let read = || std::fs::read_to_string(bench.here().join("a.py")).unwrap();
    let arguments =
        ["rewrite", "subprocess.run($$$A, shell=True)", "--to", "subprocess.run($$$A, shell=False)"];
    let said = bench.run(&arguments);
    assert_eq!((said.code, read().as_str()), (0, CODE), "{said:?}");
    assert!(said.stdout.contains("+    return sp.run(command, cwd='.', shell=False)"), "{said:?}");
    let said = bench.run(&[&arguments[..], &["--write"]].concat());
    assert_eq!((said.code, read()), (0, CODE.replace("True", "False")), "{said:?}");
    assert_eq!(bench.run(&["rewrite", "--undo"]).code, 0);
    assert_eq!(read(), CODE);
    let said = bench.run(&["refactor", "rename", "a.py:4:5", "perform", "--write"]);
    assert_eq!((said.code, read()), (0, CODE.replace("work", "perform")), "{said:?}");
    let said = bench.run(&["refactor", "rename", "a.py:4:5", "main", "--write"]);
    assert!(said.code == 120 && said.stderr.contains("taken"), "{said:?}");
}

#[test]
fn the_index_and_the_rules_answer() {
    let bench = Bench::new().file("a.py", CODE).file("b.py", "from a import work\nwork('x')\n");
    let callers = bench.run(&["callers", "work", "--json"]).json();
    assert_eq!(callers.as_array().unwrap().len(), 2, "{callers}");
    assert_eq!(callers[1]["file"], "b.py");
    let deps = bench.run(&["deps"]).stdout;
    assert!(deps.contains("b.py:1 → a.py"), "{deps}");
    assert!(bench.run(&["symbols", "main"]).stdout.contains("function"));
    let bench = bench.file("sub/c.py", "from a import work\ndef other(): work('y')\n");
    let symbols = bench.run(&["symbols", "sub"]).stdout;
    assert!(symbols.contains("other") && !symbols.contains("main"), "{symbols}");
    let callers = bench.run(&["callers", "work", "sub", "a.py", "--json"]).json();
    assert_eq!(callers.as_array().unwrap().len(), 2, "{callers}");
    let deps = bench.run(&["deps", "sub"]).stdout;
    assert!(deps.contains("sub/c.py:1 → a.py") && !deps.contains("b.py"), "{deps}");
    let said = bench.run(&["rules", "test"]);
    assert_eq!(said.code, 0, "{said:?}");
    let bench = bench.file("r.yml", "id: r\nlanguage: python\nrule: {pattern: a}\ntests: {valid: ['a']}\n");
    assert_eq!(bench.run(&["rules", "test", "r.yml"]).code, 1);
}

#[test]
fn what_cannot_be_read_is_told() {
    let bench = Bench::new().file("a.py", CODE).file("binary.py", "work('a')\0b");
    let large = std::fs::File::create(bench.here().join("large.py")).unwrap();
    large.set_len(50 << 20).unwrap();
    let json = bench.run(&["search", "-l", "python", "work($X)", "--json"]).json();
    assert_eq!(json["matches"].as_array().unwrap().len(), 1, "{json}");
    let told = json["skipped"].to_string();
    assert!(told.contains("binary.py") && told.contains("large.py"), "{json}");
    let said = bench.run(&["refactor", "rename", "large.py:1:1", "b"]);
    assert!(said.code == 120 && said.stderr.contains("large.py"), "{said:?}");
}

#[test]
fn refactorings_hold_in_other_languages() {
    let script = "function old(a) { return a; }\nmodule.exports = { old };\n";
    let bench = Bench::new()
        .file("lib.js", script)
        .file("use.js", "const { old } = require('./lib');\nold(1);\n")
        .file("Old.java", "public class Old { static int one() { return 1; } }\n");
    let read = |name: &str| std::fs::read_to_string(bench.here().join(name)).unwrap_or_default();
    let said = bench.run(&["refactor", "rename", "lib.js:1:10", "fresh", "--write"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(read("lib.js"), script.replace("old", "fresh"));
    assert_eq!(read("use.js"), "const { fresh: old } = require('./lib');\nold(1);\n");
    let said = bench.run(&["refactor", "rename", "Old.java:1:14", "Fresh", "--write"]);
    assert!(said.code == 0 && said.stdout.contains("Fresh.java"), "{said:?}");
    assert!(read("Old.java").is_empty() && read("Fresh.java").contains("class Fresh"));
    assert_eq!(bench.run(&["rewrite", "--undo"]).code, 0);
    assert!(read("Fresh.java").is_empty() && read("Old.java").contains("class Old"));
}

#[test]
fn paths_are_those_that_can_be_opened_from_here() {
    let bench = Bench::new()
        .file("formicary.toml", "")
        .file("top.py", "from pkg.sub.a import work\n\n\ndef main():\n    work('x')\n")
        .file("pkg/__init__.py", "")
        .file("pkg/sub/__init__.py", "")
        .file("pkg/sub/a.py", CODE)
        .file("pkg/sub/bad.py", "a\0b");
    let in_sub = |arguments: &[&str]| {
        let said = bench.run_in("pkg/sub", arguments);
        format!("{}{}", said.stdout, said.stderr)
    };
    for (arguments, parts) in [
        (&["search", "work($X)", "-l", "python"][..], &["a.py:9:5", "bad.py: "][..]),
        (&["search", "work($X)", "-l", "python", "../.."], &["../../top.py:5:5"]),
        (
            &["rewrite", "work($X)", "--to", "do($X)", "-l", "python"],
            &["--- a/a.py", "+++ b/a.py", "bad.py: "],
        ),
        (&["rewrite", "work($X)", "--to", "do($X)", "-l", "python", "../.."], &["--- a/../../top.py"]),
        (&["refactor", "rename", "a.py:4:5", "perform"], &["--- a/a.py", "--- a/../../top.py"]),
        (
            &["callers", "work", "../.."],
            &["a.py:9:5 main → work (a.py)", "../../top.py:5:5 main → work (a.py)"],
        ),
        (&["symbols", "work", "../..", "--references"], &["a.py:4", "../../top.py:5:5"]),
        (&["deps", "../../top.py", "--in", "../.."], &["../../top.py:1 → a.py"]),
        (&["review", "--fail-on", "never"], &["--> a.py:5", "note: bad.py: "]),
        (&["metrics", "--by", "function"], &["  a.py:4"]),
    ] {
        let shown = in_sub(arguments);
        for part in parts {
            assert!(shown.contains(part), "{arguments:?}: {part}: {shown}");
        }
        assert!(!shown.contains("pkg/sub"), "{arguments:?}: {shown}");
    }
    // From above, what lies below has its directory before it; a directory elsewhere is named whole.
    let clone = CODE.repeat(4);
    let bench = bench.file("pkg/sub/b.py", &clone).file("pkg/sub/c.py", &clone);
    let shown = bench.run(&["clones", "pkg/sub"]).stdout;
    assert!(shown.contains("  pkg/sub/b.py:") && shown.contains("  pkg/sub/c.py:"), "{shown}");
    let elsewhere = Bench::new().file("x.py", CODE);
    let place = elsewhere.here().display().to_string();
    let shown = bench.run(&["search", "-l", "python", "work($X)", &place]).stdout;
    assert!(shown.contains(&format!("{place}/x.py:9:5")), "{shown}");
    // The two versions of a comparison lie in their own directories.
    let bench = bench.file("old/m.py", CODE).file("new/m.py", CODE.replace("work", "perform"));
    let shown = bench.run(&["refactorings", "old", "new"]).stdout;
    assert!(shown.contains("old/m.py:4 → new/m.py:4"), "{shown}");
}

#[test]
fn what_cannot_be_parsed_is_noted_where_versions_are_compared() {
    let bench = Bench::new().file("old/m.py", CODE).file("new/m.py", CODE.replace("(command):", "(command:"));
    let said = bench.run(&["refactorings", "old", "new"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.contains("m.py:4: this part cannot be parsed, in the version after"), "{said:?}");
    assert!(said.stdout.contains("0 refactorings"), "{said:?}");
    let json = bench.run(&["refactorings", "old", "new", "--json"]).json();
    assert_eq!(
        (json["notes"][0]["kind"].as_str(), json["notes"][0]["line"].as_u64()),
        (Some("unparsable"), Some(4))
    );
}

#[test]
fn a_directory_of_everybodys_is_no_project() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench =
        Bench::new().file("shared/mine/a.py", CODE).file("shared/.git/HEAD", "").file("shared/b.py", CODE);
    let bench = bench
        .file("shared/formicary.toml", "[limits]\nwal_seconds = 3\n")
        .file("shared/.gitignore", "a.py\n");
    let mode = |mode: u32| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(bench.here().join("shared"), permissions).unwrap();
    };
    mode(0o755);
    assert!(
        bench.run_in("shared/mine", &["search", "-l", "python", "work($X)"]).stderr.contains("wal_seconds")
    );
    mode(0o1777);
    let said = bench.run_in("shared/mine", &["search", "-l", "python", "work($X)"]);
    assert!(said.code == 0 && said.stdout.contains("a.py:9:5"), "{said:?}");
    let said =
        bench.run_in("shared/mine", &["rewrite", "work($X)", "--to", "do($X)", "-l", "python", "--write"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        bench.here().join("shared/mine/.formicary").exists()
            && !bench.here().join("shared/.formicary").exists()
    );
    let said = bench.run_in("shared/mine", &["refactorings", "HEAD~1", "HEAD"]);
    assert!(
        said.stderr.contains("not in a git repository") || said.stderr.contains("not two of a kind"),
        "{said:?}"
    );
}
