//! Which files git tracks: the names in its index. Ignore rules are for files that git does not know yet, so a tracked
//! file is reviewed whatever they say.

use crate::change::git::{linked_directory, name_in};
use formicary_files::{FileError, Kind, Root, directories_above};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A larger index is not read.
const MOST_BYTES: u64 = 512 << 20;
/// A larger file of git's own settings is not read.
const MOST_SETTINGS: u64 = 1 << 20;
/// Modes, times and numbers of an entry, before the object's name.
const STAT: usize = 40;

/// The files that a repository tracks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tracked {
    top: PathBuf,
    /// Names below the top, sorted.
    names: Vec<Vec<u8>>,
}

/// The directory of the repository that a path is in.
pub(crate) fn top_of(path: &Path) -> Option<PathBuf> {
    let holds = |directory: &&Path| {
        Root::open(directory).is_ok_and(|root| {
            root.facts(Path::new(".git"))
                .is_ok_and(|facts| matches!(facts.kind, Kind::Directory | Kind::File))
        })
    };
    directories_above(path).find(holds).map(Path::to_owned)
}

/// Git's directory that all worktrees of a repository share, if it stands apart; `Err` if it is `.git` in `directory`.
pub(crate) fn shared_directory(directory: &Path) -> Option<Result<PathBuf, ()>> {
    let root = Root::open(directory).ok()?;
    match root.facts(Path::new(".git")).ok()?.kind {
        Kind::Directory => Some(Err(())),
        Kind::File => {
            let own = linked_directory(directory)?;
            let common = name_in(&own, "commondir").map_or_else(|| own.clone(), |common| own.join(common));
            Some(Ok(common))
        }
        Kind::Link | Kind::Other => None,
    }
}

impl Tracked {
    /// What the repository at `top` tracks; nothing if it has no index yet.
    pub(crate) fn read(top: &Path) -> Result<Self, FileError> {
        let (own, shared) = match shared_directory(top) {
            None => return Ok(Self::default()),
            Some(Err(())) => (top.join(".git"), top.join(".git")),
            Some(Ok(shared)) => (linked_directory(top).unwrap_or_else(|| shared.clone()), shared),
        };
        // `.git` itself is no link here; what a file of this name points to is opened as named.
        let (own, shared) = (Root::open(&own)?, Root::open(&shared)?);
        let settings = shared.read(Path::new("config"), MOST_SETTINGS).unwrap_or_default();
        let object = object_bytes(&String::from_utf8_lossy(&settings));
        let mut names = Vec::new();
        let bytes = match own.read(Path::new("index"), MOST_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => Vec::new(),
            Err(error) => return Err(error),
        };
        if let Some(base) = parse(&bytes, object, &mut names) {
            let base = own.read(Path::new(&format!("sharedindex.{base}")), MOST_BYTES).unwrap_or_default();
            parse(&base, object, &mut names);
        }
        names.sort_unstable();
        names.dedup();
        Ok(Self { top: top.to_owned(), names })
    }

    /// Whether a file is tracked.
    pub(crate) fn contains(&self, file: &Path) -> bool {
        let Ok(name) = file.strip_prefix(&self.top) else { return false };
        self.names.binary_search_by(|known| known.as_slice().cmp(name.as_os_str().as_bytes())).is_ok()
    }

    /// Whether anything below a directory is tracked.
    pub(crate) fn contains_below(&self, directory: &Path) -> bool {
        let Ok(name) = directory.strip_prefix(&self.top) else { return false };
        let prefix = [name.as_os_str().as_bytes(), b"/"].concat();
        let at = self.names.partition_point(|known| known.as_slice() < prefix.as_slice());
        self.names.get(at).is_some_and(|known| known.starts_with(&prefix))
    }
}

/// How long the name of an object is, by git's own settings.
fn object_bytes(settings: &str) -> usize {
    let value = |line: &str| {
        let (key, value) = line.split_once('=')?;
        key.trim().eq_ignore_ascii_case("objectformat").then(|| value.trim().to_ascii_lowercase())
    };
    if settings.lines().find_map(value).as_deref() == Some("sha256") { 32 } else { 20 }
}

/// Adds the names of an index of version 2, 3 or 4, as far as it can be read. Gives the name of the index that it is based
/// on, if it is split.
fn parse(bytes: &[u8], object: usize, names: &mut Vec<Vec<u8>>) -> Option<String> {
    let mut rest = bytes.strip_prefix(b"DIRC")?;
    let version = number(&mut rest)?;
    let count = number(&mut rest)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut last: Vec<u8> = Vec::new();
    for _ in 0..count {
        let start = rest.len();
        take(&mut rest, STAT + object)?;
        let flags = short(&mut rest)?;
        if version >= 3 && flags & 0x4000 != 0 {
            take(&mut rest, 2)?;
        }
        if version == 4 {
            let cut = offset(&mut rest)?;
            last.truncate(last.len().checked_sub(cut)?);
        } else {
            last.clear();
        }
        let end = rest.iter().position(|byte| *byte == 0)?;
        last.extend_from_slice(take(&mut rest, end)?);
        take(&mut rest, 1)?;
        if version < 4 {
            // Entries end with one to eight zeros, at a multiple of eight.
            let padding = (8 - (start - rest.len()) % 8) % 8;
            take(&mut rest, padding)?;
        }
        names.push(last.clone());
    }
    while rest.len() > object {
        let kind = take(&mut rest, 4)?;
        let size = number(&mut rest)? as usize;
        let content = take(&mut rest, size)?;
        if kind == b"link" {
            return Some(hex::encode(content.get(..object)?));
        }
    }
    None
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(count)?;
    *rest = left;
    Some(taken)
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4)?.try_into().ok().map(u32::from_be_bytes)
}

fn short(rest: &mut &[u8]) -> Option<u16> {
    take(rest, 2)?.try_into().ok().map(u16::from_be_bytes)
}

/// A number of as many bytes as it needs, as in the offsets of packs.
fn offset(rest: &mut &[u8]) -> Option<usize> {
    let mut byte = *take(rest, 1)?.first()?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = *take(rest, 1)?.first()?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, flags: u16, extended: bool) -> Vec<u8> {
        let mut bytes = vec![0; STAT + 20];
        bytes.extend(flags.to_be_bytes());
        bytes.extend(if extended { &[0, 0][..] } else { &[] });
        bytes.extend(name.as_bytes());
        bytes.push(0);
        bytes.extend(vec![0; (8 - bytes.len() % 8) % 8]);
        bytes
    }

    fn index(version: u32, entries: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend((entries.len() as u32).to_be_bytes());
        bytes.extend(entries.concat());
        bytes.extend([0; 20]);
        bytes
    }

    #[test]
    fn every_version_of_the_index_is_read() {
        let mut four = vec![0; STAT + 20];
        four.extend([0, 5, 0]);
        four.extend(b"out/a.py\0");
        let mut next = vec![0; STAT + 20];
        next.extend([0, 5, 4]);
        next.extend(b"b.py\0");
        let cases = [
            index(2, &[entry("out/a.py", 8, false), entry("out/b.py", 8, false)]),
            index(3, &[entry("out/a.py", 0x4008, true), entry("out/b.py", 8, false)]),
            index(4, &[four, next]),
        ];
        for bytes in cases {
            let mut names = Vec::new();
            parse(&bytes, 20, &mut names);
            assert_eq!(names, [b"out/a.py".to_vec(), b"out/b.py".to_vec()]);
            // Cut anywhere, it is read as far as it goes.
            for end in 0..bytes.len() {
                parse(&bytes[..end], 20, &mut Vec::new());
            }
        }
        let tracked = Tracked { top: "/p".into(), names: vec![b"out/a.py".to_vec()] };
        assert!(tracked.contains(Path::new("/p/out/a.py")) && !tracked.contains(Path::new("/p/out")));
        assert!(tracked.contains_below(Path::new("/p/out")) && !tracked.contains_below(Path::new("/p/ou")));
    }
}
