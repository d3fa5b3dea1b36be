//! What outlives the process: one small file a thing, in a folder of its owner's. Written beside its place and renamed, so that
//! whoever reads finds it whole or not at all; a SIGKILL loses nothing that was written, a power cut may.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

const ENDING: &str = "json";

/// One kind of things; without a folder nothing is kept.
#[derive(Debug, Clone, Default)]
pub struct Shelf(Option<PathBuf>);

impl Shelf {
    /// The things of this kind below the server's folder, where it has one.
    pub fn new(folder: Option<&Path>, kind: &str) -> Self {
        Self(folder.map(|folder| folder.join(kind)))
    }

    /// Keeps a thing. Failures are told to the operator: what is under way goes on.
    pub fn put(&self, owner: &str, name: &str, thing: &impl Serialize) {
        let Some(place) = self.place(owner, name) else { return };
        if let Err(error) = write(&place, thing) {
            tracing::warn!(%error, place = %place.display(), "it will not outlive the server");
        }
    }

    /// Forgets one.
    pub fn remove(&self, owner: &str, name: &str) {
        if let Some(place) = self.place(owner, name) {
            let _ = fs::remove_file(place);
        }
    }

    /// Everything that was kept: owner, name, thing. What cannot be read is told and left where it is.
    pub fn all<T: DeserializeOwned>(&self) -> Vec<(String, String, T)> {
        let Some(folder) = &self.0 else { return Vec::new() };
        let mut found = Vec::new();
        for owner in entries(folder) {
            for file in entries(&owner) {
                if file.extension().is_none_or(|ending| ending != ENDING) {
                    // Begun by one that was killed.
                    let _ = fs::remove_file(&file);
                    continue;
                }
                let names = (name(&owner, false), name(&file, true));
                let read = fs::read(&file).map_err(|error| error.to_string());
                match read.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()))
                {
                    Ok(thing) => found.push((names.0, names.1, thing)),
                    Err(error) => tracing::warn!(%error, file = %file.display(), "it cannot be read"),
                }
            }
        }
        found
    }

    /// Names are the server's own or checked ones; what could lead elsewhere is kept nowhere.
    fn place(&self, owner: &str, name: &str) -> Option<PathBuf> {
        let plain =
            |word: &str| !word.is_empty() && !word.contains(['/', '\0']) && word != "." && word != "..";
        let folder = self.0.as_ref().filter(|_| plain(owner) && plain(name))?;
        Some(folder.join(owner).join(format!("{name}.{ENDING}")))
    }
}

fn write(place: &Path, thing: &impl Serialize) -> io::Result<()> {
    let folder = place.parent().unwrap_or(place);
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let beside = place.with_extension("new");
    let file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    let mut writer = io::BufWriter::new(file);
    serde_json::to_writer(&mut writer, thing)?;
    io::Write::flush(&mut writer)?;
    fs::rename(beside, place)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}

fn name(path: &Path, file: bool) -> String {
    let part = if file { path.file_stem() } else { path.file_name() };
    part.unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_again_and_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::new(Some(folder.path()), "things");
        shelf.put("a", "one.two", &1);
        shelf.put("a", "one.two", &2);
        shelf.put("b", "three", &3);
        for (owner, name) in [("..", "x"), ("a", ".."), ("a/b", "x"), ("", "x"), ("a", "../../x")] {
            shelf.put(owner, name, &4);
        }
        fs::write(folder.path().join("things/b/half.new"), "{").unwrap();
        fs::write(folder.path().join("things/b/broken.json"), "{").unwrap();
        let all: Vec<(String, String, u32)> = Shelf::new(Some(folder.path()), "things").all();
        let known = |owner: &str, name: &str, thing| (owner.to_owned(), name.to_owned(), thing);
        assert_eq!(all, [known("a", "one.two", 2), known("b", "three", 3)]);
        assert!(!folder.path().join("things/b/half.new").exists());
        shelf.remove("a", "one.two");
        assert_eq!(shelf.all::<u32>().len(), 1);
        assert!(Shelf::default().all::<u32>().is_empty());
    }
}
