//! JDKs: the folder of the real `javac` holds everything but, on Debian, some configuration that every sandbox shows.

use super::{Toolchain, files};
use crate::ToolchainSearch;
use std::path::{Path, PathBuf};

/// `JAVA_HOME`, then `PATH`, then the newest in the usual place.
pub fn candidates(search: &ToolchainSearch) -> Box<dyn Iterator<Item = PathBuf> + '_> {
    let home = search.java_home.iter().map(|home| home.join("bin/javac"));
    let usual = files::by_version(Path::new("/usr/lib/jvm")).into_iter().map(|path| path.join("bin/javac"));
    Box::new(home.chain(files::on_path(&search.path, "javac")).chain(usual))
}

/// The JDK of this `javac`, if it is whole.
pub fn accept(candidate: &Path) -> Option<Toolchain> {
    let program = candidate.canonicalize().ok().filter(|path| files::is_elf(path))?;
    let home = program.parent()?.parent()?;
    let whole = home.join("lib/modules").is_file() && home.join("bin/java").is_file();
    whole.then(|| Toolchain::in_prefix("jdk", home, &program))
}
