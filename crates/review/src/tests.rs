//! Tests of whole reviews: real folders and repositories, the analysis of plain words.
#![expect(clippy::disallowed_types, reason = "tests make repositories with git itself")]

use crate::change::git::{GitOutput, GitRunner};
use crate::change::trees::ChangeRequest;
use crate::engine::Watch;
use crate::reviewer::{CodeReviewer, Review, ReviewRequest};
use crate::settings::{parse_settings, read_settings};
use crate::testing::Words;
use formicary_model::review::{GamingKind, NoteKind, Standing};
use formicary_model::{Failure, FailureKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const RULES: [&str; 3] = ["bad-word", "ugly-word", "too-complex"];

/// Git as it is, for tests only.
struct PlainGit;

impl GitRunner for PlainGit {
    fn git(
        &self,
        folder: &Path,
        _: &[PathBuf],
        arguments: &[String],
        stdin: Vec<u8>,
    ) -> Result<GitOutput, Failure> {
        let mut child = Command::new("git")
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || drop(std::io::Write::write_all(&mut pipe, &stdin)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(GitOutput { success: output.status.success(), stdout: output.stdout, stderr })
    }
}

/// A folder with files, and perhaps a repository.
struct Project {
    folder: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn remove(&self, path: &str) {
        std::fs::remove_file(self.root().join(path)).unwrap();
    }

    fn commit(self) -> Self {
        for arguments in [
            &["init", "-q"][..],
            &["add", "-A"],
            &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"],
        ] {
            self.git(arguments);
        }
        self
    }

    fn git(&self, arguments: &[&str]) {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let output = PlainGit.git(&self.root(), &[], &arguments, Vec::new()).unwrap();
        assert!(output.success, "{output:?}");
    }

    fn try_review(&self, change: Option<ChangeRequest>) -> Result<Review, Failure> {
        self.try_review_in("", change)
    }

    fn try_review_in(&self, folder: &str, change: Option<ChangeRequest>) -> Result<Review, Failure> {
        let root = self.root().join(folder);
        let settings = read_settings(&root, &root, &RULES)?;
        let request = ReviewRequest { shown_root: ".".into(), paths: Vec::new(), settings, change, root };
        CodeReviewer::new(&Words, &PlainGit).review(&request, Watch::NOBODY)
    }

    fn review(&self) -> Review {
        self.try_review(None).unwrap()
    }

    fn since_head(&self) -> Review {
        self.try_review(Some(ChangeRequest::Git("HEAD".into()))).unwrap()
    }
}

fn gaming(review: &Review) -> Vec<(GamingKind, String)> {
    let change = review.report.change.as_ref().unwrap();
    change.gaming.iter().map(|gaming| (gaming.kind, gaming.file.clone())).collect()
}

fn passes(review: &Review) -> bool {
    review.report.gate.as_ref().unwrap().passed
}

fn failed_checks(review: &Review) -> Vec<String> {
    let checks = &review.report.gate.as_ref().unwrap().checks;
    checks.iter().filter(|check| !check.passed).map(|check| check.metric.clone()).collect()
}

#[test]
fn a_clean_change_passes_whatever_was_there_before() {
    let project = Project::new(&[("a.py", "BAD\nx\n"), ("b.py", "def f 40\n")]).commit();
    project.write("a.py", "# moved\nBAD\nx\ny\n");
    let review = project.since_head();
    assert!(passes(&review), "{:?}", review.report.gate);
    assert_eq!(gaming(&review), []);
    let change = review.report.change.unwrap();
    assert_eq!((change.new_findings, change.changed_files, change.changed_lines), (0, 1, 2));
    assert!(!passes(&project.review()), "the whole project is judged without --new");
}

#[test]
fn what_the_change_brought_fails_the_gate() {
    let project = Project::new(&[("a.py", "x\n")]).commit();
    project.write("a.py", "x\nBAD\n");
    project.write("new.py", "BAD\n");
    let review = project.since_head();
    assert_eq!(failed_checks(&review), ["new.high"]);
    let change = review.report.change.as_ref().unwrap();
    assert_eq!(change.new_findings, 2, "a file that git does not know yet counts too");
}

/// Each way of making a finding disappear without mending it.
#[test]
fn every_way_of_gaming_the_gate_fails_it() {
    type Trick = fn(&Project);
    let tricks: [(&str, Trick, GamingKind, &str, &str); 11] = [
        (
            "breaks the file",
            |p| p.write("a.py", "BROKEN\nBAD\n"),
            GamingKind::Unparsable,
            "a.py",
            "change.unparsable",
        ),
        (
            "adds a broken file",
            |p| p.write("n.py", "BROKEN\nBAD\n"),
            GamingKind::Unparsable,
            "n.py",
            "change.unparsable",
        ),
        (
            "ignores the file and no longer tracks it",
            |p| {
                p.write(".gitignore", "a.py\n");
                p.git(&["rm", "--quiet", "--cached", "a.py"]);
            },
            GamingKind::Excluded,
            "a.py",
            "change.excluded",
        ),
        (
            "ignores it for us alone",
            |p| p.write(".formicaryignore", "a.py\n"),
            GamingKind::Excluded,
            "a.py",
            "change.excluded",
        ),
        ("makes it binary", |p| p.write("a.py", "\0BAD\n"), GamingKind::Excluded, "a.py", "change.excluded"),
        (
            "makes it too large",
            |p| p.write("a.py", &format!("BAD\n{}", " ".repeat(5 << 20))),
            GamingKind::Excluded,
            "a.py",
            "change.excluded",
        ),
        (
            "allows the finding",
            |p| p.write("b.py", "x\nBAD  # formicary: allow(bad-word) it is fine\n"),
            GamingKind::Suppression,
            "b.py",
            "change.suppressions",
        ),
        (
            "deletes a test",
            |p| p.remove("tests/test_a.py"),
            GamingKind::Deleted,
            "tests/test_a.py",
            "change.deleted_tests",
        ),
        (
            "excludes by configuration",
            |p| p.write("formicary.toml", "[review]\nexclude = [\"a.py\"]\n"),
            GamingKind::Configuration,
            "formicary.toml",
            "change.configuration",
        ),
        (
            "switches the rule off",
            |p| p.write("formicary.toml", "[review.rules]\nbad-word = \"off\"\n"),
            GamingKind::Configuration,
            "formicary.toml",
            "change.configuration",
        ),
        (
            "deletes most of the code",
            |p| {
                p.remove("a.py");
                p.remove("b.py");
            },
            GamingKind::Deleted,
            "a.py",
            "change.deleted_share",
        ),
    ];
    for (what, trick, kind, file, check) in tricks {
        let project = Project::new(&[
            ("a.py", "BAD\nx\ny\nz\n"),
            ("b.py", "x\ny\nz\n"),
            ("c.py", "1\n2\n3\n"),
            ("tests/test_a.py", "x\n"),
        ])
        .commit();
        assert!(passes(&project.since_head()), "{what}");
        trick(&project);
        let review = project.since_head();
        assert!(gaming(&review).contains(&(kind, file.into())), "{what}: {:?}", gaming(&review));
        assert!(failed_checks(&review).contains(&check.to_owned()), "{what}: {:?}", failed_checks(&review));
        assert_eq!(review.report.change.unwrap().fixed_findings, 0, "{what} mends nothing");
    }
}

#[test]
fn ignoring_a_tracked_file_hides_nothing() {
    let project = Project::new(&[("a.py", "x\n"), ("c.py", "1\n2\n3\n")]).commit();
    project.write(".gitignore", "a.py\n");
    project.write("a.py", "BAD\nx\n");
    let review = project.since_head();
    assert_eq!(gaming(&review), []);
    assert!(!passes(&review) && review.report.findings.iter().any(|found| found.file == "a.py"));
}

#[test]
fn loosened_settings_do_not_hold_for_the_change_that_loosens_them() {
    let strict = "[review.gate]\ncyclomatic_max = 10\nfindings.low = 0\n";
    let project = Project::new(&[("a.py", "x\n"), ("formicary.toml", strict)]).commit();
    project.write("formicary.toml", "[review]\nexclude = [\"n.py\"]\n[review.gate]\ncyclomatic_max = 99\n[review.gate.change]\nconfiguration = 99\n");
    project.write("n.py", "def f 50\nUGLY\n");
    let review = project.since_head();
    let failed = failed_checks(&review);
    for check in ["cyclomatic_max", "findings.low", "change.configuration"] {
        assert!(failed.contains(&check.to_owned()), "{check}: {failed:?}");
    }
}

#[test]
fn a_grown_baseline_is_seen() {
    let settings = "[review]\nbaseline = \"known.json\"\n";
    let project = Project::new(&[("a.py", "x\n"), ("formicary.toml", settings)]).commit();
    project.write("a.py", "x\nBAD\n");
    let review = project.review();
    project.write("known.json", &crate::Baseline::of(&review.report.findings).text());
    assert_eq!(project.review().report.findings[0].standing, Standing::Unchanged);
    assert!(passes(&project.review()), "known findings pass where the whole project is judged");
    let review = project.since_head();
    assert!(gaming(&review).contains(&(GamingKind::Baseline, "known.json".into())));
    let failed = failed_checks(&review);
    assert!(failed.contains(&"change.baseline".to_owned()) && failed.contains(&"new.high".to_owned()));
    let shown = review.report.change.unwrap().gaming.remove(0).message;
    assert!(shown.contains("set change.baseline = 1 under [review.gate]"), "{shown}");
}

#[test]
fn a_grown_baseline_is_accepted_as_it_says() {
    let settings = "[review]\nbaseline = \"known.json\"\n[review.gate]\nchange.baseline = 1\n";
    let project = Project::new(&[("a.py", "x\nBAD\n"), ("formicary.toml", settings)]).commit();
    project.write("known.json", &crate::Baseline::of(&project.review().report.findings).text());
    let review = project.since_head();
    assert!(passes(&review), "{:?}", failed_checks(&review));
}

#[test]
fn a_deleted_file_is_shown_and_mends_nothing() {
    let project = Project::new(&[("a.py", "BAD\n"), ("b.py", &"x\n".repeat(50))]).commit();
    project.remove("a.py");
    let review = project.since_head();
    assert_eq!(gaming(&review), [(GamingKind::Deleted, "a.py".into())]);
    assert!(passes(&review), "one small file may go");
    assert_eq!(review.report.change.unwrap().fixed_findings, 0);
}

#[test]
fn ranges_folders_and_diffs_say_the_same() {
    let (before, after) = ("x\nBAD 1\n", "new\nx\nBAD 1\nBAD 2\n");
    let new = |review: &Review| {
        let blamed = review.report.findings.iter().filter(|finding| finding.standing.is_blamed());
        blamed.map(|finding| finding.span.start_line).collect::<Vec<_>>()
    };
    let project = Project::new(&[("sub/a.py", before)]).commit();
    project.write("sub/a.py", after);
    assert_eq!(new(&project.since_head()), [4]);
    let project = project.commit();
    project.write("sub/a.py", "something else entirely, not committed\nBAD 3\n");
    for range in ["HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD~1.."] {
        let review = project.try_review(Some(ChangeRequest::Git(range.into()))).unwrap();
        assert_eq!(new(&review), [4], "{range}");
    }
    project.write("sub/a.py", after);
    let old = Project::new(&[("sub/a.py", before)]);
    assert_eq!(new(&project.try_review(Some(ChangeRequest::Folder(old.root()))).unwrap()), [4]);
    let diff = similar::TextDiff::from_lines(before, after);
    let text = diff.unified_diff().header("a/sub/a.py", "b/sub/a.py").to_string();
    let diff = ChangeRequest::Diff { name: "x.diff".into(), text };
    assert_eq!(new(&project.try_review(Some(diff)).unwrap()), [4]);
}

#[test]
fn a_project_may_be_a_part_of_its_repository() {
    let project = Project::new(&[("part/a.py", "BAD 1\nx\n"), ("other/b.py", "x\n")]).commit();
    project.write("part/a.py", "x\nBAD 1\nBAD 2\n");
    project.write("other/b.py", "BAD 3\n");
    let review = project.try_review_in("part", Some(ChangeRequest::Git("HEAD".into()))).unwrap();
    let blamed = review.report.findings.iter().filter(|finding| finding.standing.is_blamed());
    assert_eq!(blamed.map(|f| (f.file.as_str(), f.span.start_line)).collect::<Vec<_>>(), [("a.py", 3)]);
    assert_eq!(gaming(&review), []);
}

#[test]
fn gates_of_paths_stand_in_for_the_projects() {
    let settings = "[review.gate]\ncyclomatic_max = 5\n[[review.paths]]\nfiles = [\"legacy\"]\ngate.cyclomatic_max = 30\n";
    let project =
        Project::new(&[("formicary.toml", settings), ("legacy/a.py", "def f 20\n"), ("b.py", "def f 3\n")]);
    assert!(passes(&project.review()));
    project.write("b.py", "def f 6\n");
    assert_eq!(failed_checks(&project.review()), ["cyclomatic_max"]);
    project.write("b.py", "def f 3\n");
    project.write("legacy/a.py", "def f 31\n");
    assert_eq!(failed_checks(&project.review()), ["cyclomatic_max"]);
}

#[test]
fn odd_files_are_noted_and_harm_nothing() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project =
        Project::new(&[("a.py", "BAD\n"), ("bin.py", "\0\0"), ("lib/tool", "#!/usr/bin/env python3\nBAD\n")]);
    let root = project.root();
    symlink(&root, root.join("loop")).unwrap();
    symlink("nowhere", root.join("broken.py")).unwrap();
    project.write("locked.py", "BAD\n");
    std::fs::set_permissions(root.join("locked.py"), PermissionsExt::from_mode(0o000)).unwrap();
    std::fs::write(root.join("latin.py"), b"# \xe9\nBAD\n").unwrap();
    let report = project.review().report;
    let files: Vec<&str> = report.files.iter().map(|file| file.file.as_str()).collect();
    // Root may read what is locked.
    let readable = std::fs::File::open(root.join("locked.py")).is_ok();
    let expected: &[&str] = if readable {
        &["a.py", "latin.py", "lib/tool", "locked.py"]
    } else {
        &["a.py", "latin.py", "lib/tool"]
    };
    assert_eq!(files, expected);
    let kinds: Vec<NoteKind> = report.notes.iter().map(|note| note.kind).collect();
    assert!(kinds.contains(&NoteKind::Binary) && kinds.contains(&NoteKind::Link), "{:?}", report.notes);
    assert_eq!(kinds.contains(&NoteKind::Unreadable), !readable);
}

#[test]
fn bad_input_is_told_with_its_remedy() {
    let empty = Project::new(&[("README.md", "x")]);
    assert!(empty.try_review(None).unwrap_err().message.contains("nothing to review"));
    let plain = Project::new(&[("a.py", "x\n")]);
    let failure = plain.try_review(Some(ChangeRequest::Git("HEAD".into()))).unwrap_err();
    assert!(failure.message.contains("not in a git repository"), "{failure}");
    let repository = Project::new(&[("a.py", "x\n")]).commit();
    let failure = repository.try_review(Some(ChangeRequest::Git("nonesuch".into()))).unwrap_err();
    assert_eq!((failure.kind, failure.message.contains("nonesuch")), (FailureKind::InvalidInput, true));
}

#[test]
fn broken_settings_are_told_with_line_and_column() {
    let cases = [
        ("[review]\nexlude = []\n", "formicary.toml:2:1: unknown key exlude", "did you mean exclude?"),
        (
            "[review.rules]\nbad-wrod = \"off\"\n",
            "formicary.toml:2:1: unknown rule bad-wrod",
            "did you mean bad-word?",
        ),
        (
            "[review.rules]\nbad-word = \"hihg\"\n",
            "formicary.toml:2:12: unknown severity hihg",
            "did you mean high?",
        ),
        ("[review.gate]\ncyclomatic = 1\n", "formicary.toml:2:1: unknown metric cyclomatic", ""),
        (
            "[review.gate]\nscore = \"high\"\n",
            "formicary.toml:2:9: expected a number from 0 up, found string",
            "",
        ),
        ("[review]\nexclude = [\n", "formicary.toml:", "not valid TOML"),
        (
            "[review.architecture]\npreset = \"layerd\"\n",
            "formicary.toml:2:10: unknown preset layerd",
            "did you mean layered?",
        ),
        ("[review]\nbaseline = \"../x\"\n", "formicary.toml:2:12: ../x does not stay inside", ""),
        ("[review]\nexclude = [\"a[\"]\n", "formicary.toml:2:12: ", ""),
        ("review = 1\n", "formicary.toml:1:1: review is a table", ""),
    ];
    for (text, message, hint) in cases {
        let failure = parse_settings(Path::new("formicary.toml"), text, &RULES).unwrap_err();
        assert!(failure.message.starts_with(message), "{text}: {failure}");
        assert!(failure.hint.as_deref().unwrap_or_default().contains(hint), "{text}: {:?}", failure.hint);
    }
    let python = "[tool.other]\nx = 1\n[tool.formicary.review]\nfail_on = \"low\"\n";
    let settings = parse_settings(Path::new("pyproject.toml"), python, &RULES).unwrap().unwrap();
    assert_eq!(settings.fail_on, Some(formicary_model::review::Severity::Low));
    assert_eq!(parse_settings(Path::new("pyproject.toml"), "[broken", &RULES), Ok(None));
}

#[test]
fn what_is_shown_does_not_move_the_score() {
    use crate::report::{Display, Format, generate_report};
    let review = Project::new(&[("a.py", "BAD\nUGLY\n")]).review();
    let narrow =
        Display { severity: Some(formicary_model::review::Severity::Critical), ..Display::default() };
    let score = |display: &Display| {
        let text = generate_report(&review, Format::Json, display, &[]);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        (json["score"].clone(), json["findings"].as_array().unwrap().len())
    };
    let (all, none) = (score(&Display::default()), score(&narrow));
    assert_eq!(all.0, none.0);
    assert_eq!((all.1, none.1), (2, 0));
}
