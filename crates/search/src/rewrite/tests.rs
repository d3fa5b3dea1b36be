//! Rewriting: what changes, what stays, what is refused.

use super::journal::{Journal, JournalError};
use super::{ASTTransformer, Change};
use crate::source::Source;
use crate::{Pattern, Rule, dialects};
use formicary_syntax::Dialect;

fn rewritten(dialect: Dialect, pattern: &str, template: &str, code: &str) -> Option<String> {
    let rule = |dialect: &Dialect| {
        Rule::of_pattern("r", Pattern::new(*dialect, pattern).unwrap()).with_fix(template).unwrap()
    };
    let transformer = ASTTransformer::new(dialects(dialect.language()).iter().map(rule).collect());
    transformer.rewrite(&Source::new("a", dialect, code)).unwrap().map(|change| change.after)
}

#[track_caller]
fn check(dialect: Dialect, pattern: &str, template: &str, code: &str, expected: &str) {
    let after = rewritten(dialect, pattern, template, code);
    assert_eq!(after.as_deref().unwrap_or(code), expected, "`{pattern}` → `{template}`");
}

#[test]
fn only_what_differs_changes() {
    let check = |pattern, template, code, expected| check(Dialect::Python, pattern, template, code, expected);
    check("f($A, $B)", "g($A, $B)", "f( a,  # why\n   b )\n", "g( a,  # why\n   b )\n");
    check("f($A, $B)", "f($B, $A)", "f(1, 2)\n", "f(2, 1)\n");
    check(
        "run($$$A, shell=True)",
        "run($$$A, shell=False)",
        "run(shell=True, x=1)\n",
        "run(shell=False, x=1)\n",
    );
    check("$X == None", "$X is None", "if a  ==  None: pass\n", "if a  is  None: pass\n");
    check("print($$$A)", "log($$$A)", "print(print(1))\n", "log(log(1))\n");
    check("f($$$A)", "f($$$A, x=1)", "f()\nf(1)\n", "f(x=1)\nf(1, x=1)\n");
    check("f($$$A)", "f(0, $$$A)", "f()\nf(1)\n", "f(0)\nf(0, 1)\n");
    check("f($$$A, k=1)", "g($$$A)", "f(a, k=1, b=2)\n", "g(a, b=2)\n");
    check("import a", "", "import a\nimport b\n", "import b\n");
    check("x = $A\ny = $B", "x, y = $A, $B", "  \nx = 1\ny = 2\n", "  \nx, y = 1, 2\n");
    check(
        "os.path.join($$$A)",
        "Path($$$A)",
        "import os.path as p\np.join(1)\n",
        "import os.path as p\nPath(1)\n",
    );
}

#[test]
fn lines_keep_their_indentation_and_their_ends() {
    let code = "class A:\n    def f(self):\n        if a:\n            b()\n            c()\n";
    let expected = "class A:\n    def f(self):\n        with x:\n            if a:\n                b()\n                c()\n";
    check(Dialect::Python, "if $C: $$$B", "with x:\n    if $C:\n        $$$B", code, expected);
    check(
        Dialect::Python,
        "f($X)",
        "g(\n    $X,\n)",
        "  \r\nif a:\r\n  f(1)\r\n",
        "  \r\nif a:\r\n  g(\r\n      1,\r\n  )\r\n",
    );
    check(Dialect::Python, "f($X)", "g($X)", "\u{feff}f(1)", "\u{feff}g(1)");
    let code = "if a:\n    f('''x\n  y''')\n";
    check(Dialect::Python, "f($X)", "if b:\n    g($X)", code, "if a:\n    if b:\n        g('''x\n  y''')\n");
}

#[test]
fn the_same_gives_the_same_bytes() {
    let code = "f( a , b=1,)\nx = [f(1) for y in z]\nif f(2) : pass\n";
    for pattern in ["f($$$A)", "$F($$$A)", "$X = $Y", "if $C: $$$B", "[$E for $V in $I]", "$X"] {
        assert_eq!(rewritten(Dialect::Python, pattern, pattern, code), None, "{pattern}");
    }
}

#[test]
fn a_result_that_does_not_parse_is_refused() {
    let rule =
        Rule::of_pattern("r", Pattern::new(Dialect::Python, "f($X)").unwrap()).with_fix("g($X").unwrap();
    let transformer = ASTTransformer::new(vec![rule]);
    let left = transformer.rewrite(&Source::new("a.py", Dialect::Python, "f(1)\n")).unwrap_err();
    assert!(left.why.contains("not parse"), "{left:?}");
    let source = Source::new("a.py", Dialect::Python, "f(1)\n").inexact();
    assert!(transformer.rewrite(&source).unwrap_err().why.contains("UTF-8"));
}

fn change(path: &str, before: &str, after: &str) -> Change {
    let (path, before, after) = (path.into(), before.into(), after.into());
    Change { path, before, after, places: 1, overlapping: 0, moved_to: None }
}

#[test]
fn a_file_that_gets_another_name_gets_its_old_one_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join("src").join(name);
    let read = |name: &str| std::fs::read_to_string(at(name)).ok();
    std::fs::create_dir(folder.path().join("src")).unwrap();
    std::fs::write(at("A.java"), "1").unwrap();
    let journal = Journal::new(folder.path());
    let moved = |target: &str| Change { moved_to: Some(target.into()), ..change("src/A.java", "1", "one") };
    journal.write("test", &[moved("src/B.java")]).unwrap();
    assert_eq!((read("A.java"), read("B.java")), (None, Some("one".into())));
    journal.undo(None).unwrap();
    assert_eq!((read("A.java"), read("B.java")), (Some("1".into()), None));
    // Nothing that stands there is overwritten, and no file leaves its folder.
    std::fs::write(at("C.java"), "3").unwrap();
    for target in ["src/C.java", "B.java", "../B.java"] {
        assert!(journal.write("test", &[moved(target)]).is_err(), "{target}");
        assert_eq!((read("A.java"), read("C.java")), (Some("1".into()), Some("3".into())), "{target}");
    }
}

#[test]
fn changes_are_written_whole_and_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let read = |name: &str| std::fs::read_to_string(at(name)).unwrap();
    std::fs::write(at("a.py"), "1").unwrap();
    std::fs::write(at("b.py"), "2").unwrap();
    let journal = Journal::new(folder.path());
    let name = journal.write("test", &[change("a.py", "1", "one"), change("b.py", "2", "two")]).unwrap();
    assert_eq!((read("a.py"), read("b.py")), ("one".into(), "two".into()));
    let undone = journal.undo(Some(&name)).unwrap();
    assert_eq!((undone.what.as_str(), undone.restored.len()), ("test", 2));
    assert_eq!((read("a.py"), read("b.py")), ("1".into(), "2".into()));
    assert!(matches!(journal.undo(None), Err(JournalError::Nothing(_))));
    // One file that changed meanwhile: none is written.
    let failed = journal.write("test", &[change("a.py", "1", "one"), change("b.py", "x", "two")]);
    assert!(matches!(failed, Err(JournalError::Changed(path)) if path == "b.py"));
    assert_eq!(read("a.py"), "1");
    // What was edited after the change is not thrown away.
    journal.write("test", &[change("a.py", "1", "one")]).unwrap();
    std::fs::write(at("a.py"), "edited").unwrap();
    assert!(matches!(journal.undo(None), Err(JournalError::Changed(_))));
    assert_eq!(read("a.py"), "edited");
}

#[test]
fn an_entry_cannot_lead_out_of_the_project() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("project");
    std::fs::create_dir_all(root.join(".formicary/undo")).unwrap();
    std::fs::write(outer.path().join("secret"), "x").unwrap();
    std::os::unix::fs::symlink(outer.path(), root.join("link")).unwrap();
    let hash = blake3::hash(b"x").to_hex().to_string();
    for path in ["../secret", "link/secret", "/etc/hostname", ""] {
        let entry = serde_json::json!({"what": "", "files": [{"path": path, "before": "y", "after": hash}]});
        std::fs::write(root.join(".formicary/undo/000001.json"), entry.to_string()).unwrap();
        assert!(Journal::new(&root).undo(None).is_err(), "{path}");
    }
    assert_eq!(std::fs::read_to_string(outer.path().join("secret")).unwrap(), "x");
}

#[test]
fn an_entry_cannot_plant_a_hook_and_what_was_written_last_is_taken_back_first() {
    let folder = tempfile::tempdir().unwrap();
    let (root, hooks) = (folder.path(), folder.path().join(".git/hooks"));
    std::fs::create_dir_all(root.join(".formicary/undo")).unwrap();
    std::fs::create_dir_all(&hooks).unwrap();
    std::fs::write(hooks.join("pre-commit.sample"), "sample").unwrap();
    std::fs::write(root.join("a.py"), "1").unwrap();
    let (path, moved) = (".git/hooks/pre-commit", ".git/hooks/pre-commit.sample");
    let file = serde_json::json!({"path": path, "before": "#!/bin/sh\n", "after": blake3::hash(b"sample").to_hex().to_string(), "moved_to": moved});
    let entry = serde_json::json!({"what": "", "files": [file]}).to_string();
    for name in ["9999999999", "18446744073709551615", "99999999999999999999999"] {
        std::fs::write(root.join(format!(".formicary/undo/{name}.json")), &entry).unwrap();
        let journal = Journal::new(root);
        journal.write("test", &[change("a.py", "1", "one")]).unwrap();
        assert_eq!(journal.undo(None).unwrap().restored, ["a.py"], "{name}");
    }
    assert!(matches!(Journal::new(root).undo(Some("9999999999")), Err(JournalError::Astray(_))));
    assert_eq!(std::fs::read_dir(&hooks).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(hooks.join("pre-commit.sample")).unwrap(), "sample");
}
