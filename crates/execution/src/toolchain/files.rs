//! Looking at the host's files: what is a program, what is a start script, what belongs to the system.

use super::{Toolchain, read_only};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Folders that every sandbox shows at their own places.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// Whether the path lies in a folder that every sandbox shows.
pub fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// Whether it is a file that may be executed.
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether it is a real program and not a script: version managers' shims are scripts.
pub fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    is_executable(path)
        && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok()
        && &magic == b"\x7fELF"
}

/// The program's place in each folder of the search path.
pub fn on_path<'a>(path: &'a [PathBuf], name: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
    path.iter().filter(|folder| folder.is_absolute()).map(move |folder| folder.join(name))
}

/// A small text file, or nothing.
pub fn text(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(64 * 1024).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The folders in `folder`, newest version first.
pub fn by_version(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort_by_key(|path| std::cmp::Reverse(version_key(path)));
    folders
}

/// The numbers in a folder's name: `v20.1.0` is `[20, 1, 0]`.
fn version_key(path: &Path) -> Vec<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// Whether a prefix may be shown whole: never a home folder, a parent of one, or `~/.local`.
pub fn may_show(prefix: &Path, home: Option<&Path>) -> bool {
    let covers_home = home.is_some_and(|home| home.starts_with(prefix));
    let shared = prefix.file_name().is_none_or(|name| name == ".local" || name == "opt" || name == "home");
    !covers_home && !shared
}

/// One program of its own: the system's stay where they are, others are shown as a single file.
pub fn single_program(name: &str, found: &Path) -> Toolchain {
    if is_system(found) && found.canonicalize().is_ok_and(|real| is_system(&real)) {
        return Toolchain::system(found);
    }
    let real = found.canonicalize().unwrap_or_else(|_| found.to_path_buf());
    if is_system(&real) {
        return Toolchain::system(&real);
    }
    let base = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = format!("/opt/formicary/{base}/bin");
    let program = format!("{folder}/{base}");
    Toolchain {
        mounts: vec![read_only(&real, &program)],
        program,
        host_program: real,
        env: Vec::new(),
        path_dirs: vec![folder],
    }
}
