//! Where the real compilers and interpreters live. Version managers put shims on the path that work only in a home folder;
//! a test that wants to run a program wants the program itself.

use std::path::{Path, PathBuf};

/// Folders in which a system's own programs are, best first.
const SYSTEM: [&str; 4] = ["/usr/bin", "/bin", "/usr/local/bin", "/usr/local/go/bin"];

/// The system's own program of this name: a real file, executable, not a shim of a version manager.
pub fn system(program: &str) -> Option<PathBuf> {
    SYSTEM.iter().map(|folder| Path::new(folder).join(program)).find(|path| is_program(path))
}

/// The system's own program, or the sentence that says how to get it.
pub fn require(program: &str, package: &str) -> Result<PathBuf, String> {
    system(program).ok_or_else(|| {
        format!(
            "{program} is not installed: `apt-get install {package}` on Debian (looked in {})",
            SYSTEM.join(", ")
        )
    })
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|status| status.is_file() && status.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_found_and_nonsense_names_its_package() {
        assert!(system("sh").is_some());
        let sentence = require("no-such-program", "nothing").unwrap_err();
        assert!(sentence.contains("apt-get install nothing"), "{sentence}");
    }
}
