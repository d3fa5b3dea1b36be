//! Paths of a request's files: relative, inside the working folder, and no two in each other's way.

use super::{refuse, shown};
use formicary_model::Failure;
use std::collections::HashMap;

/// The folder in the working folder where compile steps leave what they make.
pub const RESERVED_FOLDER: &str = ".formicary";

const LONGEST_NAME: usize = 255;
const LONGEST_PATH: usize = 1024;
const DEEPEST: usize = 32;
const MOST_FILES: usize = 10_000;

/// The path in its plain form (`a//./b` is `a/b`), or why it is refused.
pub fn check_path(path: &str) -> Result<String, Failure> {
    let bad = |why: &str, hint: &str| Err(refuse(format!("path {} {why}", shown(path)), hint));
    if path.contains('\0') {
        return bad("holds a NUL byte", "remove the NUL byte");
    }
    if path.starts_with('/') {
        return bad("is absolute", "give it relative to the working folder");
    }
    if path.ends_with('/') {
        return bad("names a folder", "name the file; folders are made as needed");
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.is_empty() {
        return bad("names no file", "give a file name");
    }
    if parts.contains(&"..") {
        return bad("leaves the working folder with \"..\"", "give a path without \"..\"");
    }
    if parts[0].eq_ignore_ascii_case(RESERVED_FOLDER) {
        return bad("is reserved", "choose another name: .formicary belongs to the compile step");
    }
    if path.chars().any(char::is_control) {
        return bad("holds a control character", "use printable characters in file names");
    }
    if path.len() > LONGEST_PATH || parts.len() > DEEPEST || parts.iter().any(|p| p.len() > LONGEST_NAME) {
        return bad("is too long", "at most 255 bytes a name, 1024 bytes and 32 folders a path");
    }
    Ok(parts.join("/"))
}

/// Refuses two files of one name, names that differ only in case, and a file where another needs a folder.
pub fn check_file_set<'a>(paths: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
    let paths: Vec<&str> = paths.into_iter().collect();
    if paths.len() > MOST_FILES {
        return Err(refuse(
            format!("{} files, at most {MOST_FILES} are accepted", paths.len()),
            "mount a folder with --mount instead",
        ));
    }
    let mut seen: HashMap<String, (&str, Kind)> = HashMap::new();
    for path in &paths {
        let ends =
            path.match_indices('/').map(|(at, _)| (at, Kind::Folder)).chain([(path.len(), Kind::File)]);
        for (end, kind) in ends {
            let part = &path[..end];
            match seen.insert(part.to_lowercase(), (part, kind)) {
                Some((other, other_kind)) if other != part => {
                    return Err(case_clash(other, part, other_kind, kind));
                }
                Some((_, other_kind)) if other_kind != kind => {
                    return Err(refuse(
                        format!("path {} is both a file and a folder", shown(part)),
                        "rename one of them",
                    ));
                }
                Some((_, Kind::File)) => {
                    return Err(refuse(
                        format!("path {} is given twice", shown(part)),
                        "give each file once",
                    ));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
}

fn case_clash(first: &str, second: &str, first_kind: Kind, second_kind: Kind) -> Failure {
    let what = if first_kind == second_kind { "paths" } else { "a file and a folder," };
    refuse(
        format!("{what} {} and {} differ only in case", shown(first), shown(second)),
        "rename one of them: not every file system tells them apart",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_paths() {
        for (path, plain) in [
            ("main.py", Some("main.py")),
            ("a//./b.c", Some("a/b.c")),
            ("./x", Some("x")),
            ("…/ü ß.txt", Some("…/ü ß.txt")),
            ("..a/b..", Some("..a/b..")),
            ("../x", None),
            ("a/../b", None),
            ("a/..", None),
            ("/etc/passwd", None),
            ("", None),
            (".", None),
            ("./.", None),
            ("a/", None),
            ("a\0b", None),
            ("a\nb", None),
            ("\u{1b}[31m", None),
            (".formicary/x", None),
            (".Formicary", None),
            ("sub/.formicary", Some("sub/.formicary")),
        ] {
            assert_eq!(check_path(path).ok().as_deref(), plain, "{path:?}");
        }
        assert!(check_path(&"x".repeat(256)).is_err());
        assert!(check_path(&vec!["d"; 40].join("/")).is_err());
    }

    #[test]
    fn sets_of_paths() {
        for (paths, fine) in [
            (&["a", "b/c", "b/d"][..], true),
            (&["a", "a"], false),
            (&["Main.py", "main.py"], false),
            (&["a", "a/b"], false),
            (&["a/b", "a"], false),
            (&["A/x", "a/y"], false),
            (&["Ä", "ä"], false),
            (&[], true),
        ] {
            assert_eq!(check_file_set(paths.iter().copied()).is_ok(), fine, "{paths:?}");
        }
    }
}
