//! Problem folders: `1.in` with `1.out` or `1.ans`, at the top or in `sample`, `secret` and the like.

use super::item::{Case, Text};
use crate::guard::refuse;
use formicary_model::Failure;
use std::path::{Path, PathBuf};

const INPUT: &str = "in";
const OUTPUTS: [&str; 3] = ["out", "ans", "a"];
const DEEPEST: usize = 8;
const MOST: usize = 100_000;

/// Whether a case may lack its expected output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// It may not: there is nothing else to decide by.
    Needed,
    /// It may: a checker decides.
    Optional,
}

/// The cases of a folder, by name, numbers in their order. Nothing but names is read yet.
pub fn cases(folder: &Path, outputs: Outputs) -> Result<Vec<Case>, Failure> {
    let mut inputs = Vec::new();
    find(folder, folder, 0, &mut inputs)?;
    inputs.sort_by_cached_key(|path| natural_key(&name(folder, path)));
    if inputs.is_empty() {
        return Err(refuse(
            format!("folder {} holds no test cases", folder.display()),
            "give a folder with inputs named *.in and outputs named *.out or *.ans",
        ));
    }
    let with_output = |input: PathBuf| {
        let outputs = OUTPUTS.iter().map(|ending| input.with_extension(ending));
        let expected = outputs.into_iter().find(|path| is_within(folder, path));
        (input, expected)
    };
    let pairs: Vec<_> = inputs.into_iter().map(with_output).collect();
    let missing: Vec<&PathBuf> =
        pairs.iter().filter(|(_, expected)| expected.is_none()).map(|(input, _)| input).collect();
    if let (Some(first), Outputs::Needed) = (missing.first(), outputs) {
        let shown = name(folder, first);
        let message = if missing.len() == pairs.len() {
            format!("folder {} holds {} inputs and no outputs", folder.display(), pairs.len())
        } else {
            format!("test case {shown}.in in {} has no output", folder.display())
        };
        return Err(refuse(
            message,
            format!("put what is expected into {shown}.out or {shown}.ans, or give a checker"),
        ));
    }
    let case = |(input, expected): (PathBuf, Option<PathBuf>)| Case {
        name: name(folder, &input),
        stdin: Text::File(input),
        expected: expected.map(Text::File),
        proof: None,
    };
    Ok(pairs.into_iter().map(case).collect())
}

fn find(root: &Path, folder: &Path, depth: usize, inputs: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        refuse(
            format!("folder {} cannot be read: {error}", folder.display()),
            "give a folder that exists and that you may read",
        )
    })?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        if path.is_dir() && !is_link && depth < DEEPEST {
            find(root, &path, depth + 1, inputs)?;
        } else if path.extension().is_some_and(|ending| ending == INPUT) && is_within(root, &path) {
            inputs.push(path);
        }
        if inputs.len() > MOST {
            return Err(refuse(
                format!("folder {} holds more than {MOST} test cases", root.display()),
                "judge it in parts, or give the cases as JSON Lines",
            ));
        }
    }
    Ok(())
}

/// Whether a file is one of the folder's own. A stranger's links may lead to what no program should be given.
fn is_within(root: &Path, path: &Path) -> bool {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    let inside = || root.canonicalize().and_then(|root| Ok(path.canonicalize()?.starts_with(root)));
    path.is_file() && (!is_link || inside().unwrap_or(false))
}

/// The path below the folder, without its ending.
fn name(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.with_extension("").to_string_lossy().into_owned()
}

/// Texts and numbers in turn, so that 2 comes before 10; samples before secrets is their order anyway.
fn natural_key(name: &str) -> Vec<(String, u64, usize)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, after) = rest.split_at(digits);
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(end);
        key.push((text.to_string(), number.parse().unwrap_or(u64::MAX), number.len()));
        rest = after;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_testkit::scratch::Scratch;

    fn folder(files: &[&str]) -> Scratch {
        let scratch = Scratch::new("cases").unwrap();
        for file in files {
            let path = scratch.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        scratch
    }

    fn names(files: &[&str], outputs: Outputs) -> Result<Vec<String>, String> {
        let scratch = folder(files);
        let found = cases(scratch.path(), outputs).map_err(|failure| {
            assert!(failure.hint.is_some());
            failure.message.replace(&scratch.path().display().to_string(), "[F]")
        })?;
        Ok(found.into_iter().map(|case| case.name).collect())
    }

    #[test]
    fn folders() {
        let both = &["10.in", "10.out", "2.in", "2.ans", "1.in", "1.out", "notes.txt"];
        assert_eq!(names(both, Outputs::Needed).unwrap(), ["1", "2", "10"]);
        let nested = &[
            "secret/b.in",
            "secret/b.ans",
            "sample/a.in",
            "sample/a.ans",
            "data/secret/c.in",
            "data/secret/c.out",
        ];
        assert_eq!(names(nested, Outputs::Needed).unwrap(), ["data/secret/c", "sample/a", "secret/b"]);
        assert_eq!(names(&["1.in"], Outputs::Optional).unwrap(), ["1"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        for (files, message) in [
            (&[][..], "folder [F] holds no test cases"),
            (&["1.out"], "folder [F] holds no test cases"),
            (&["1.in", "2.in"], "folder [F] holds 2 inputs and no outputs"),
            (&["1.in", "1.out", "2.in"], "test case 2.in in [F] has no output"),
        ] {
            assert_eq!(names(files, Outputs::Needed).unwrap_err(), message);
        }
        assert!(cases(Path::new("/does/not/exist"), Outputs::Needed).is_err());
    }

    /// A set of problems is often a stranger's: what its links lead to outside must not reach a program.
    #[test]
    fn links_that_lead_out_are_no_cases() {
        let scratch = folder(&["set/1.in", "set/1.out", "set/2.in", "secret"]);
        let set = scratch.path().join("set");
        let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, set.join(name)).unwrap();
        link("../secret", "3.in");
        link("../secret", "2.out");
        link("1.in", "4.in");
        link("1.out", "4.out");
        let found = |outputs| cases(&set, outputs);
        assert!(found(Outputs::Needed).unwrap_err().message.contains("test case 2.in"));
        let names: Vec<String> =
            found(Outputs::Optional).unwrap().into_iter().map(|case| case.name).collect();
        assert_eq!(names, ["1", "2", "4"]);
    }

    #[test]
    fn texts_are_read_when_needed() {
        let scratch = folder(&["1.in", "1.out"]);
        let cases = cases(scratch.path(), Outputs::Needed).unwrap();
        assert_eq!(cases[0].stdin.read().unwrap(), b"1.in");
        std::fs::remove_file(scratch.path().join("1.out")).unwrap();
        assert!(cases[0].expected.as_ref().unwrap().read().is_err());
    }
}
