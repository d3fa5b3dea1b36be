//! Code of strangers as it is packaged: every file gives results, none panics, none takes for ever.
//!
//! A few files of each corpus, or thousands with `FORMICARY_LONG=1`. Corpora that are not installed are skipped by name.

use formicary_lint::{Options, SourceFile, analyze_project};
use formicary_syntax::Dialect;
use formicary_taint::{Settings, analyze};
use formicary_testkit::skips::Skips;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

static SKIPS: Skips = Skips::new();

/// Files of a corpus that are looked at in a long run, spread evenly over it, and in a short one.
const MOST: usize = 4_000;
const FEW: usize = 40;
/// Files that are analysed as one project.
const AT_ONCE: usize = 200;

#[expect(clippy::disallowed_methods, reason = "the test command says what is there")]
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

/// The corpora, by name, and where they may stand.
fn corpora() -> [(&'static str, Vec<PathBuf>); 4] {
    let cargo = variable("CARGO_HOME").or_else(|| Some(variable("HOME")?.join(".cargo")));
    [
        ("Python's standard library", vec!["/usr/lib/python3.11".into(), "/usr/lib/python3".into()]),
        ("Go's sources", vec!["/usr/lib/go/src".into(), "/usr/local/go/src".into()]),
        ("packages of node", variable("FORMICARY_TEST_NODE").into_iter().collect()),
        ("crates of Rust", cargo.map(|home| home.join("registry/src")).into_iter().collect()),
    ]
}

/// All sources below a folder, without following links.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.as_ref().is_ok_and(std::fs::FileType::is_dir) {
            sources(&path, found);
        } else if kind.is_ok_and(|kind| kind.is_file())
            && path.extension().is_some()
            && Dialect::of_file(&path.to_string_lossy(), "").is_some()
        {
            found.push(path);
        }
    }
}

#[test]
fn code_of_strangers_gives_results() {
    let most =
        if variable("FORMICARY_LONG").is_some_and(|value| value != Path::new("0")) { MOST } else { FEW };
    for (name, places) in corpora() {
        let mut files = Vec::new();
        // The folder of a distribution's Go is a link; what is below it is not.
        places
            .iter()
            .filter_map(|place| place.canonicalize().ok())
            .for_each(|place| sources(&place, &mut files));
        if files.is_empty() {
            SKIPS.note("code_of_strangers_gives_results", &format!("{name}: not installed"));
            continue;
        }
        files.sort();
        let step = files.len().div_ceil(most).max(1);
        let files: Vec<&PathBuf> = files.iter().step_by(step).collect();
        for some in files.chunks(AT_ONCE) {
            let read = |path: &&PathBuf| {
                let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
                SourceFile::new(path.to_string_lossy(), text)
            };
            let sources: Vec<SourceFile> = some.iter().map(read).collect();
            let start = Instant::now();
            let analysis = analyze(&sources, &Options::default(), &Settings::new());
            analyze_project(&analysis.files, &Options::default());
            assert!(!analysis.files.is_empty(), "{name}: {:?}", some[0]);
            assert!(
                start.elapsed() < Duration::from_secs(600),
                "{name} from {:?} on: {:?}",
                some[0],
                start.elapsed()
            );
        }
    }
}
