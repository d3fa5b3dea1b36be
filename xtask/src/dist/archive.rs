//! Tar archives that depend on their content alone: sorted, one time for all, owned by root, and the same compression header
//! everywhere.

use super::contents::{Contents, directories};
use flate2::{Compression, GzBuilder};
use std::io::Write as _;

/// The archive for users: everything below one directory.
pub fn write(base: &str, contents: &Contents, time: u64) -> Result<Vec<u8>, String> {
    let mut tar = Tar::new(time);
    let placed: Vec<_> =
        contents.entries().iter().map(|entry| (format!("{base}/{}", entry.path), entry)).collect();
    for directory in directories(placed.iter().map(|(path, _)| path.as_str())) {
        tar.directory(&directory)?;
    }
    for (path, entry) in &placed {
        tar.file(path, entry.mode, &entry.bytes)?;
    }
    compress(&tar.finish()?)
}

/// Compressed, without name, time or system of who did it.
pub fn compress(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    out.write_all(bytes).and_then(|()| out.finish()).map_err(|error| format!("gzip: {error}"))
}

/// A tar archive in the making.
pub struct Tar {
    builder: tar::Builder<Vec<u8>>,
    time: u64,
}

impl Tar {
    /// An empty one, whose files carry this time.
    pub fn new(time: u64) -> Self {
        Self { builder: tar::Builder::new(Vec::new()), time }
    }

    /// Adds a directory.
    pub fn directory(&mut self, path: &str) -> Result<(), String> {
        self.append(&format!("{path}/"), tar::EntryType::Directory, 0o755, &[])
    }

    /// Adds a file.
    pub fn file(&mut self, path: &str, mode: u32, bytes: &[u8]) -> Result<(), String> {
        self.append(path, tar::EntryType::Regular, mode, bytes)
    }

    fn append(&mut self, path: &str, kind: tar::EntryType, mode: u32, bytes: &[u8]) -> Result<(), String> {
        let fail = |error: std::io::Error| format!("tar: {path}: {error}");
        let mut header = tar::Header::new_ustar();
        // As it stands: the library's own setter drops the `./` by which Debian's tools know their files.
        let name = header
            .as_old_mut()
            .name
            .get_mut(..path.len())
            .ok_or_else(|| format!("tar: {path} is too long"))?;
        name.copy_from_slice(path.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_username("root").map_err(fail)?;
        header.set_groupname("root").map_err(fail)?;
        header.set_mtime(self.time);
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        self.builder.append(&header, bytes).map_err(fail)
    }

    /// The whole archive.
    pub fn finish(self) -> Result<Vec<u8>, String> {
        self.builder.into_inner().map_err(|error| format!("tar: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::contents::stub;
    use super::*;
    use crate::tree::Tree;
    use std::io::Read as _;

    #[test]
    fn entries_are_sorted_and_carry_nothing_of_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        let contents = Contents::collect(&stub(folder.path(), "true"), &Tree::root()).unwrap();
        let bytes = write("formicary-1-x86_64-linux", &contents, 1_700_000_000).unwrap();
        let mut tar = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut tar).unwrap();
        let mut archive = tar::Archive::new(tar.as_slice());
        let mut files = Vec::new();
        for entry in archive.entries().unwrap() {
            let entry = entry.unwrap();
            let header = entry.header();
            assert_eq!(
                (header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap()),
                (0, 0, 1_700_000_000)
            );
            let path = entry.path().unwrap().display().to_string();
            assert!(path.starts_with("formicary-1-x86_64-linux"), "{path}");
            if header.entry_type() == tar::EntryType::Regular {
                files.push(path);
            }
        }
        assert_eq!(files.len(), contents.entries().len());
        assert!(files.is_sorted(), "{files:?}");
    }
}
