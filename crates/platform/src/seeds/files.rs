//! Files prepared for a run: each in a private folder of its own, so that cleaning up can take away exactly what was made.

use formicary_model::{Failure, FailureKind, Language, suggest};
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

const PREFIX: &str = "formicary-prepared-";
const STDIN: &str = "stdin.txt";

/// Writes code as `main` with its language's ending, into a fresh folder below `folder` that only the user can read.
pub fn prepare_code_file(language: &str, code: &str, folder: &Path) -> Result<PathBuf, Failure> {
    let known = Language::from_word(language).ok_or_else(|| {
        let hint = match suggest::nearest(language, Language::ALL.map(Language::id)) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("known: {}", Language::ALL.map(Language::id).join(", ")),
        };
        invalid(format!("unknown language {language}")).hint(hint)
    })?;
    let ending = known.extensions().first().copied().unwrap_or("txt");
    let stem = if known == Language::Java { "Main" } else { "main" };
    write(folder, &format!("{stem}.{ending}"), code)
}

/// Writes standard input into a fresh folder below `folder` that only the user can read.
pub fn prepare_stdin_file(stdin: &str, folder: &Path) -> Result<PathBuf, Failure> {
    write(folder, STDIN, stdin)
}

/// Removes prepared files and their folders; what is gone already is passed over. Says how many there were. A path that was
/// not prepared by these functions is refused before anything is removed.
pub fn cleanup_temp_files(paths: &[PathBuf]) -> Result<usize, Failure> {
    for path in paths {
        prepared_folder(path).ok_or_else(|| {
            invalid(format!("{} was not prepared here", path.display()))
                .hint("give paths that prepare_code_file and prepare_stdin_file gave")
        })?;
    }
    let mut removed = 0;
    for folder in paths.iter().filter_map(|path| prepared_folder(path)) {
        match fs::symlink_metadata(folder) {
            // A link of that name was made by somebody else; removing through it would reach his files.
            Ok(metadata) if metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw() => {
                fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
                removed += 1;
            }
            Ok(_) => return Err(invalid(format!("{} is not ours", folder.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(folder, &error)),
        }
    }
    Ok(removed)
}

fn prepared_folder(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    folder.file_name()?.to_str()?.starts_with(PREFIX).then_some(folder)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let own = folder.join(format!("{PREFIX}{}-{now:x}-{number}", std::process::id()));
    // A folder of that name is an error, not a place to write: somebody may have put it there.
    fs::DirBuilder::new().mode(0o700).create(&own).map_err(|error| failed(&own, &error))?;
    let path = own.join(name);
    let mut options = fs::OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600).open(&path);
    let written = file.and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes()));
    written.map_err(|error| {
        let _ = fs::remove_dir_all(&own);
        failed(&path, &error)
    })?;
    Ok(path)
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    invalid(format!("{}: {error}", path.display())).hint("name a folder that exists and that you may write")
}

fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::InvalidInput, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_prepared_and_nothing_else_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let code = prepare_code_file("py", "print(1)", place.path()).unwrap();
        let stdin = prepare_stdin_file("1 2", place.path()).unwrap();
        assert!(code.ends_with("main.py") && stdin.ends_with(STDIN));
        assert_eq!(fs::read_to_string(&code).unwrap(), "print(1)");
        assert_eq!(code.parent().unwrap().metadata().unwrap().mode() & 0o777, 0o700);
        let own = place.path().join("own.txt");
        fs::write(&own, "mine").unwrap();
        assert!(cleanup_temp_files(&[code.clone(), own.clone()]).is_err());
        assert!(code.exists() && own.exists());
        assert_eq!(cleanup_temp_files(&[code.clone(), stdin, code]).unwrap(), 2);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_of_the_name_is_left_alone() {
        let place = tempfile::tempdir().unwrap();
        let other = place.path().join("other");
        fs::create_dir(&other).unwrap();
        let link = place.path().join(format!("{PREFIX}1"));
        std::os::unix::fs::symlink(&other, &link).unwrap();
        assert!(cleanup_temp_files(&[link.join("main.py")]).is_err());
        assert!(other.exists());
    }

    #[test]
    fn unknown_languages_are_named() {
        let failure = prepare_code_file("pyton", "", Path::new("/")).unwrap_err();
        assert!(failure.message.contains("pyton") && failure.hint.unwrap().contains("python"));
    }
}
