//! One entry: what a compile step left and said. Its file is a magic word, a hash, a header and the files' bytes.
//!
//! The hash covers everything after it and is keyed by the entry's own name, so an entry that was damaged, cut short
//! or given another's name is recognised.

use super::Key;
use formicary_model::{Enforcement, Level};
use formicary_sandbox::InputFile;
use serde::{Deserialize, Serialize};

const MAGIC: &[u8; 8] = b"formcc01";
const HASH: usize = 32;

/// What a compile step left and said.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it left for the run.
    pub files: Vec<CachedFile>,
    /// What it wrote to stdout: warnings are repeated when the entry is used.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
    /// What held while it ran.
    pub enforcement: Enforcement,
}

/// A file of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedFile {
    /// Path relative to the working folder.
    pub path: String,
    /// Whether it may be executed.
    pub executable: bool,
    /// Its bytes.
    pub content: std::sync::Arc<[u8]>,
}

impl From<InputFile> for CachedFile {
    fn from(file: InputFile) -> Self {
        Self { path: file.path, executable: file.executable, content: file.content }
    }
}

impl From<CachedFile> for InputFile {
    fn from(file: CachedFile) -> Self {
        Self { path: file.path, executable: file.executable, content: file.content }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    files: Vec<FileHeader>,
    stdout: String,
    stderr: String,
    enforcement: Enforcement,
}

#[derive(Serialize, Deserialize)]
struct FileHeader {
    path: String,
    executable: bool,
    size: u64,
}

impl Entry {
    /// Whether it may be kept at all: the compiler was confined, and nothing that should have held was missing.
    pub fn is_trustworthy(&self) -> bool {
        self.enforcement.level >= Level::Isolated && self.enforcement.missing().next().is_none()
    }

    /// The file's bytes. `None`: it cannot be written down.
    pub fn to_bytes(&self, key: Key) -> Option<Vec<u8>> {
        let file = |file: &CachedFile| FileHeader {
            path: file.path.clone(),
            executable: file.executable,
            size: file.content.len() as u64,
        };
        let header = serde_json::to_vec(&Header {
            files: self.files.iter().map(file).collect(),
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            enforcement: self.enforcement.clone(),
        })
        .ok()?;
        let mut bytes = Vec::from(MAGIC);
        bytes.extend_from_slice(&[0; HASH]);
        bytes.extend_from_slice(&(header.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&header);
        for file in &self.files {
            bytes.extend_from_slice(&file.content);
        }
        let start = MAGIC.len() + HASH;
        let hash = seal(key, &bytes[start..]);
        bytes[MAGIC.len()..start].copy_from_slice(hash.as_bytes());
        Some(bytes)
    }

    /// The entry of this name in these bytes. `None`: it is not whole, or not this one.
    pub fn from_bytes(bytes: &[u8], key: Key) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (hash, body) = rest.split_at_checked(HASH)?;
        if seal(key, body) != *<&[u8; HASH]>::try_from(hash).ok()? {
            return None;
        }
        let (length, rest) = body.split_at_checked(8)?;
        let length = usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?;
        let (header, mut contents) = rest.split_at_checked(length)?;
        let header: Header = serde_json::from_slice(header).ok()?;
        let mut files = Vec::with_capacity(header.files.len());
        for file in header.files {
            let (content, after) = contents.split_at_checked(usize::try_from(file.size).ok()?)?;
            files.push(CachedFile { path: file.path, executable: file.executable, content: content.into() });
            contents = after;
        }
        let Header { stdout, stderr, enforcement, .. } = header;
        contents.is_empty().then_some(Self { files, stdout, stderr, enforcement })
    }
}

fn seal(key: Key, body: &[u8]) -> blake3::Hash {
    blake3::keyed_hash(key.0.as_bytes(), body)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use formicary_model::{Protection, ProtectionState};

    /// An entry with one file of this content.
    pub fn entry(content: &[u8]) -> Entry {
        let mut enforcement = Enforcement::new("native");
        for protection in Protection::ALL {
            enforcement.record(protection, ProtectionState::Enforced("kernel".into()));
        }
        let file =
            CachedFile { path: ".formicary/program".into(), executable: true, content: content.into() };
        Entry { files: vec![file], stdout: String::new(), stderr: "warning: x\n".into(), enforcement }
    }

    /// A name made of this text.
    pub fn key(text: &str) -> Key {
        Key(blake3::hash(text.as_bytes()))
    }

    #[test]
    fn an_entry_round_trips_and_any_change_is_noticed() {
        let (entry, key_) = (entry(b"\x7fELF..."), key("a"));
        let bytes = entry.to_bytes(key_).unwrap();
        assert_eq!(Entry::from_bytes(&bytes, key_), Some(entry));
        assert_eq!(Entry::from_bytes(&bytes, key("b")), None, "another's name");
        for length in 0..bytes.len() {
            assert_eq!(Entry::from_bytes(&bytes[..length], key_), None, "cut at {length}");
        }
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            assert_eq!(Entry::from_bytes(&changed, key_), None, "changed at {place}");
        }
    }

    #[test]
    fn only_what_was_confined_is_kept() {
        let mut loose = entry(b"x");
        assert!(loose.is_trustworthy());
        loose.enforcement.record(Protection::SystemCalls, ProtectionState::Missing("old kernel".into()));
        assert!(!loose.is_trustworthy());
    }
}
