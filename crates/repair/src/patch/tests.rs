//! Round trips, forgiveness, and refusals that say why.

use super::*;

fn applied(text: &str, diff: &str) -> Result<AppliedPatch, Vec<HunkFailure>> {
    apply_to(text, &parse(diff).unwrap().files[0])
}

#[test]
fn what_is_written_can_be_read_and_applied() {
    let long: String = (1..60).map(|n| format!("line {n}\n")).collect();
    for (old, new) in [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a\nb", "a\nb\nc"),
        ("a\nb", "a\nb\n"),
        ("a\nb\n", "a\nb"),
        ("", "new\n"),
        ("gone\n", ""),
        (
            long.as_str(),
            &long
                .replace("line 3\n", "three\n")
                .replace("line 40\n", "")
                .replace("line 55\n", "line 55\nmore\n"),
        ),
    ] {
        let text = diff("x.py", old, new);
        assert_eq!(applied(old, &text).unwrap().text, new, "{text}");
    }
    assert_eq!(diff("x", "same\n", "same\n"), "");
}

#[test]
fn hunks_are_found_where_they_moved_to() {
    let old = "a\nb\nc\nd\ne\n";
    let text = diff("x", old, "a\nb\nC\nd\ne\n");
    for (given, expected) in [
        ("0\n0\na\nb\nc\nd\ne\n", "0\n0\na\nb\nC\nd\ne\n"),
        ("a\r\nb\r\nc\r\nd\r\ne\r\n", "a\r\nb\r\nC\r\nd\r\ne\r\n"),
        ("a \nb\nc\nd\n  e\n", "a \nb\nC\nd\n  e\n"),
        ("x\nb\nc\nd\ny\n", "x\nb\nC\nd\ny\n"),
    ] {
        let done = applied(given, &text).unwrap();
        assert_eq!(done.text, expected);
    }
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(applied(old, &crlf).unwrap().text, "a\nb\nC\nd\ne\n");
}

#[test]
fn a_hunk_that_fits_nowhere_says_why() {
    let text = diff("x", "a\nb\nc\n", "a\nB\nc\n");
    let failure = applied("p\nq\nr\n", &text).unwrap_err();
    assert_eq!((failure[0].hunk, failure[0].at), (1, 3));
    assert!(failure[0].why.contains("line 1 is \"p\", the diff wants \"a\""), "{}", failure[0].why);
    let failure = applied("a\nB\nc\n", &text).unwrap_err();
    assert!(failure[0].why.contains("already"), "{}", failure[0].why);
    let failure = applied("a\n", &text).unwrap_err();
    assert!(failure[0].why.contains("only 1 lines"), "{}", failure[0].why);
}

#[test]
fn files_are_made_moved_and_removed() {
    let text = "diff --git a/old.txt b/new.txt\nrename from old.txt\nrename to new.txt\n--- a/old.txt\n+++ b/new.txt\n@@ -1 +1 @@\n-one\n+uno\n\
                --- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n";
    let files = |path: &str| match path {
        "old.txt" => Some("one\n".to_owned()),
        "gone.txt" => Some("gone\n".to_owned()),
        _ => None,
    };
    let changes = apply(&parse(text).unwrap(), files).unwrap();
    let expected = [
        ("gone.txt", FileChange::Removed),
        ("made.txt", FileChange::Written("made\n".into())),
        ("new.txt", FileChange::Written("uno\n".into())),
        ("old.txt", FileChange::Removed),
    ];
    assert_eq!(
        changes.into_iter().collect::<Vec<_>>(),
        expected.map(|(path, change)| (path.to_owned(), change))
    );
    assert_eq!(apply(&parse(text).unwrap(), |_| None), Err(PatchFailure::Missing("old.txt".into())));
    let pure = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
    let changes = apply(&parse(pure).unwrap(), |path| (path == "x").then(|| "t".to_owned())).unwrap();
    assert_eq!(changes.get("y"), Some(&FileChange::Written("t".into())));
}

#[test]
fn bad_diffs_are_refused_with_their_line() {
    for (text, line, words) in [
        ("", 1, "no change"),
        ("hello\n", 1, "no change"),
        ("@@ -1 +1 @@\n-a\n+b\n", 1, "before any file"),
        ("--- a/x\n+++ b/x\n@@ nonsense @@\n", 3, "head of a hunk"),
        ("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n", 5, "inside a hunk"),
        ("--- a/../x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", 1, "leads out"),
        ("--- a/x\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", 2, "leads out"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.what.contains(words), "{text}: {error}");
        assert_eq!(error.line, line, "{text}: {error}");
    }
}
