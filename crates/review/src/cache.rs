//! What was learned of a file, kept until the file or the rules change.
//!
//! One file of lines, each with the hash of what it was learned from. A changed file adds a line; when more lines are
//! dead than alive the file is written anew. It lives in the user's own cache folder: a project must not be able to say
//! what was found in it.

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A larger cache is thrown away.
const MOST_BYTES: u64 = 512 * 1024 * 1024;
const HASH: usize = 64;

/// Kept facts of type `T`.
#[derive(Debug)]
pub struct Cache<T> {
    path: PathBuf,
    known: HashMap<String, T>,
    /// Lines in the file.
    lines: usize,
}

/// The hash of everything that facts depend on.
pub fn key(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

impl<T: Serialize + DeserializeOwned + Send> Cache<T> {
    /// What is kept of these keys. A cache that cannot be read is empty: it is only a help.
    pub fn open(path: PathBuf, wanted: &[String]) -> Self {
        let small = path.metadata().is_ok_and(|metadata| metadata.len() <= MOST_BYTES);
        let text = if small { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
        let lines: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_at_checked(HASH)).collect();
        let index: HashMap<&str, &str> = lines.iter().copied().collect();
        let found = wanted.par_iter().filter_map(|key| {
            let facts = serde_json::from_str(index.get(key.as_str())?).ok()?;
            Some((key.clone(), facts))
        });
        Self { known: found.collect(), lines: lines.len(), path }
    }

    /// Takes out what is kept of a key.
    pub fn take(&mut self, key: &str) -> Option<T> {
        self.known.remove(key)
    }

    /// Adds what is new. `alive` is how many keys are in use now.
    pub fn add<'t>(&self, new: &[(&str, &'t T)], alive: usize, all: impl Fn() -> Vec<(String, &'t T)>)
    where
        T: 't,
    {
        if new.is_empty() {
            return;
        }
        // Losing the cache costs time, nothing else.
        let _ = if self.lines > 2 * alive + 100 || self.lines == 0 {
            self.write_anew(all())
        } else {
            self.append(new)
        };
    }

    fn append(&self, new: &[(&str, &T)]) -> std::io::Result<()> {
        let mut text = String::new();
        for (key, facts) in new {
            text.push_str(key);
            text.push_str(&serde_json::to_string(facts)?);
            text.push('\n');
        }
        std::fs::OpenOptions::new().append(true).open(&self.path)?.write_all(text.as_bytes())
    }

    fn write_anew(&self, all: Vec<(String, &T)>) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("/"));
        std::fs::create_dir_all(folder)?;
        let file = tempfile::NamedTempFile::new_in(folder)?;
        let mut writer = std::io::BufWriter::new(&file);
        for (key, facts) in all {
            writer.write_all(key.as_bytes())?;
            serde_json::to_writer(&mut writer, facts)?;
            writer.write_all(b"\n")?;
        }
        writer.flush()?;
        drop(writer);
        file.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back_and_rubbish_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/cache");
        let keys = [key(&["a"]), key(&["b"]), key(&["a", ""])];
        let facts = [vec![1, 2], vec![3]];
        let cache: Cache<Vec<u32>> = Cache::open(path.clone(), &keys);
        cache.add(&[(&keys[0], &facts[0])], 1, || vec![(keys[0].clone(), &facts[0])]);
        let cache: Cache<Vec<u32>> = Cache::open(path.clone(), &keys);
        cache.add(&[(&keys[1], &facts[1])], 2, Vec::new);
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"rubbish\n").unwrap();
        let mut cache: Cache<Vec<u32>> = Cache::open(path, &keys);
        assert_eq!(cache.take(&keys[0]), Some(facts[0].clone()));
        assert_eq!(cache.take(&keys[1]), Some(facts[1].clone()));
        assert_eq!(cache.take(&keys[2]), None, "parts are told apart");
    }
}
