//! Requirements from the command line, from `requirements.txt` and from lock files, as one request.

use super::lock;
use formicary_files::{Place, Root, plain};
use formicary_model::{Failure, FailureKind, PackageRequest};
use std::path::Path;

/// Endings of files that hold requirements.
const FILE_ENDINGS: [&str; 4] = ["txt", "in", "toml", "lock"];
/// A file that is larger is none of requirements.
const LARGEST: u64 = 16 << 20;
/// Files may name others so many times over.
const DEEPEST: usize = 8;

/// Reads what `--requirements` was given: names with commas between, or a file.
pub fn read(words: &[String], from_source: bool, base: Option<&Path>) -> Result<PackageRequest, Failure> {
    let mut request = PackageRequest { from_source, ..PackageRequest::default() };
    for word in words {
        let ending = Path::new(word).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_plain = !word.contains(['=', '<', '>', '~', '!', '[', ';', ' ', ',']);
        if is_plain && (word.contains('/') || FILE_ENDINGS.contains(&ending)) {
            named(base, Path::new(word), &mut request)?;
        } else {
            request.requirements.extend(split(word));
        }
    }
    if request.requirements.is_empty() && !words.is_empty() {
        return Err(invalid(
            "the requirements name no package",
            "give names, as in --requirements numpy,pandas",
        ));
    }
    Ok(request)
}

/// `numpy,pandas>=2,<3,requests[socks,http2]` names three.
fn split(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let mut cut = |part: &str| {
        let part = part.trim();
        let goes_on = part.starts_with(['<', '>', '=', '!', '~']);
        match parts.last_mut().filter(|_| goes_on) {
            Some(last) => last.push_str(&format!(",{part}")),
            None if part.is_empty() => {}
            None => parts.push(part.to_string()),
        }
    };
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                cut(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    cut(&text[start..]);
    parts
}

/// A file that the user named. It, and what it names in turn, must stay in the working directory if it lies there, else in
/// its own: the user may not have written it.
fn named(base: Option<&Path>, path: &Path, request: &mut PackageRequest) -> Result<(), Failure> {
    let own = path.parent().filter(|own| !own.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = base.map_or_else(|| path.file_name().map_or(path, Path::new), |_| path);
    let base = base.unwrap_or(own).canonicalize().map_err(|error| unreadable(path, &error.to_string()))?;
    let whole = base.join(name);
    let place = Place::of(&base, &whole).map_err(|error| unreadable(path, &error.reason.to_string()))?;
    file(&place.root, &place.path, request, 0)
}

fn file(root: &Root, below: &Path, request: &mut PackageRequest, depth: usize) -> Result<(), Failure> {
    let path = &root.path().join(below);
    if depth > DEEPEST {
        return Err(invalid(
            format!("{} is named by files without end", path.display()),
            "let no file name itself",
        ));
    }
    let text =
        root.read_to_string(below, LARGEST).map_err(|error| unreadable(path, &error.reason.to_string()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if lock::is_one(&name) {
        request.requirements.extend(lock::read(path, &text)?);
        return Ok(());
    }
    if name.ends_with(".toml") || name.ends_with(".lock") {
        let hint = "write it as requirements with hashes: uv export --format requirements-txt > requirements.txt \
                    (or --format pylock.toml > pylock.toml)";
        return Err(invalid(
            format!("{} is not a form of requirements that is understood", path.display()),
            hint,
        ));
    }
    for line in logical_lines(&text) {
        let folder = below.parent().unwrap_or(Path::new(""));
        let other = |options: [&str; 2]| {
            options.iter().find_map(|option| {
                let rest = line.strip_prefix(option)?;
                let rest = rest
                    .strip_prefix('=')
                    .or_else(|| rest.starts_with(char::is_whitespace).then_some(rest))?;
                Some(plain(&folder.join(rest.trim())))
            })
        };
        if let Some(named) = other(["--requirement", "-r"]) {
            file(root, &named, request, depth + 1)?;
        } else if let Some(named) = other(["--constraint", "-c"]) {
            let mut constraints = PackageRequest::default();
            file(root, &named, &mut constraints, depth + 1)?;
            request.constraints.extend(constraints.requirements);
        } else if !matches!(line.as_str(), "--require-hashes" | "--prefer-binary") {
            // The guard says what is wrong with a line; here it is only read.
            request.requirements.push(line);
        }
    }
    Ok(())
}

fn unreadable(path: &Path, why: &str) -> Failure {
    invalid(
        format!("requirements {} cannot be read: {why}", path.display()),
        "give a file that exists, or names as in numpy,pandas; a file may name others in its own directory and below",
    )
}

/// Lines without comments, those that end with a backslash joined with the next.
fn logical_lines(text: &str) -> Vec<String> {
    let (mut lines, mut whole) = (Vec::new(), String::new());
    for line in text.trim_start_matches('\u{feff}').lines() {
        let comment = line.find(" #").or_else(|| line.starts_with('#').then_some(0));
        let line = line[..comment.unwrap_or(line.len())].trim();
        if let Some(begun) = line.strip_suffix('\\') {
            whole.push_str(begun.trim_end());
            whole.push(' ');
            continue;
        }
        whole.push_str(line);
        lines.push(std::mem::take(&mut whole));
    }
    lines.push(whole);
    lines.into_iter().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

/// What was asked for cannot be had, and what to do.
pub(super) fn invalid(message: impl Into<String>, hint: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<PackageRequest, Failure> {
        read(&[text.to_string()], false, None)
    }

    #[test]
    fn lists_are_split_where_a_name_begins() {
        for (text, parts) in [
            ("numpy", &["numpy"][..]),
            ("numpy, pandas", &["numpy", "pandas"]),
            ("a>=1,<2,b[x,y]==3,c", &["a>=1,<2", "b[x,y]==3", "c"]),
            ("a,,b,", &["a", "b"]),
        ] {
            assert_eq!(words(text).unwrap().requirements, parts, "{text}");
        }
        assert!(words(",").is_err());
    }

    #[test]
    fn files_name_other_files_of_their_project() {
        let outer = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir_in(outer.path()).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write(
            "all.txt",
            "# all\nsix==1.17.0 \\\n  --hash=sha256:00 # six\n-r more.txt\n-c limits.txt\n--require-hashes\n",
        );
        write("more.txt", "click\n");
        write("limits.txt", "idna<4\n");
        write("endless.txt", "-r endless.txt\n");
        let read = |name: &str| super::read(&[name.to_string()], false, Some(folder.path()));
        let request = read("all.txt").unwrap();
        assert_eq!(
            request.requirements,
            ["six==1.17.0   --hash=sha256:00".replace("   ", " "), "click".into()]
        );
        assert_eq!(request.constraints, ["idna<4"]);
        assert!(read("endless.txt").unwrap_err().message.contains("without end"));
        assert!(read("missing.txt").unwrap_err().message.contains("cannot be read"));
        write("../secret", "the password\n");
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        std::os::unix::fs::symlink("../secret", folder.path().join("linked.txt")).unwrap();
        write("sub/dev.txt", "-r ../more.txt\n");
        assert_eq!(read("sub/dev.txt").unwrap().requirements, ["click"]);
        for line in
            ["-r ../secret", "-c ../secret", "-r sub/../../secret", "-r /etc/hostname", "-r linked.txt"]
        {
            write("bad.txt", line);
            let failure = read("bad.txt").unwrap_err();
            assert!(failure.message.contains("cannot be read"), "{line}: {failure}");
            assert!(!format!("{failure:?}").contains("password"), "{line}: {failure}");
        }
        assert!(read("linked.txt").unwrap_err().message.contains("symbolic link"));
        write("pyproject.toml", "[project]\n");
        assert!(read("pyproject.toml").unwrap_err().hint.unwrap().contains("uv export"));
        write("uv.lock", "version = 1\n");
        assert!(read("uv.lock").unwrap_err().message.contains("uv.lock: it has no packages"));
    }
}
