//! The file of keys: readable by its owner alone, replaced as a whole, changed by one at a time.

use super::{KeyRecord, NewKey, PREFIX};
use crate::ids::random;
use formicary_model::{Failure, FailureKind, suggest};
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// A file larger than this is none of ours.
const MOST_BYTES: u64 = 16 << 20;
const LONGEST_NAME: usize = 64;

/// The file as it is written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    version: u32,
    keys: Vec<KeyRecord>,
}

const VERSION: u32 = 1;

/// The keys of one server.
#[derive(Debug, Clone)]
pub struct KeyFile {
    path: PathBuf,
}

impl KeyFile {
    /// The keys in this file, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All keys, in the order in which they were made. None where there is no file.
    pub fn list(&self) -> Result<Vec<KeyRecord>, Failure> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failed(&error.to_string())),
        };
        let metadata = file.metadata().map_err(|error| self.failed(&error.to_string()))?;
        if !metadata.is_file() || metadata.len() > MOST_BYTES {
            return Err(self.failed("it is not a file of keys"));
        }
        // Whoever may write it could make a key of his own.
        if metadata.permissions().mode() & 0o022 != 0 {
            return Err(self.failed("others may write it").hint("chmod go-w it, and look at its keys"));
        }
        let kept: Kept = serde_json::from_reader(io::BufReader::new(file))
            .map_err(|error| self.failed(&error.to_string()))?;
        if kept.version != VERSION {
            return Err(self.failed(&format!("its version is {}, known is {VERSION}", kept.version)));
        }
        Ok(kept.keys)
    }

    /// Makes a key. Its text is given here and never again.
    pub fn create(&self, new: NewKey, now: u64) -> Result<(KeyRecord, String), Failure> {
        check_name(&new.name)?;
        if new.scopes.is_empty() {
            let message = format!("key {} may do nothing", new.name);
            return Err(Failure::new(FailureKind::InvalidInput, message).hint("give it at least one scope"));
        }
        let _lock = self.lock()?;
        let mut keys = self.list()?;
        if keys.iter().any(|key| key.name == new.name) {
            let message = format!("there is a key named {}", new.name);
            return Err(Failure::new(FailureKind::InvalidInput, message)
                .hint("choose another name, or revoke that key first"));
        }
        let key = format!("{PREFIX}{}", random::<32>()?);
        let mut scopes = new.scopes;
        scopes.sort_unstable();
        scopes.dedup();
        let record = KeyRecord {
            id: format!("k{}", random::<5>()?),
            name: new.name,
            hash: blake3::hash(key.as_bytes()).to_hex().to_string(),
            scopes,
            created: now,
            expires: new.lifetime.map(|lifetime| now.saturating_add(lifetime)),
            quota: new.quota,
        };
        keys.push(record.clone());
        self.write(keys)?;
        Ok((record, key))
    }

    /// Takes a key away, by its identifier or name.
    pub fn revoke(&self, which: &str) -> Result<KeyRecord, Failure> {
        let _lock = self.lock()?;
        let mut keys = self.list()?;
        let Some(index) = keys.iter().position(|key| key.id == which || key.name == which) else {
            let hint = match suggest::nearest(which, keys.iter().map(|key| key.name.as_str())) {
                Some(near) => format!("did you mean {near}?"),
                None => "`formicary keys list` lists them".into(),
            };
            let message = format!("there is no key {which:?} in {}", self.path.display());
            return Err(Failure::new(FailureKind::InvalidInput, message).hint(hint));
        };
        let gone = keys.remove(index);
        self.write(keys)?;
        Ok(gone)
    }

    /// The key that this text is, among these. Every one is compared, and each in constant time.
    pub fn recognise<'a>(keys: &'a [KeyRecord], presented: &str) -> Option<&'a KeyRecord> {
        let hash = blake3::hash(presented.as_bytes());
        let mut found = None;
        for key in keys {
            // `Hash` compares in constant time; a record that is no hash matches nothing.
            if blake3::Hash::from_hex(&key.hash).is_ok_and(|own| own == hash) {
                found = Some(key);
            }
        }
        found
    }

    fn write(&self, keys: Vec<KeyRecord>) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(&Kept { version: VERSION, keys })
            .map_err(|error| self.failed(&error.to_string()))?;
        let aside = self.beside("new");
        let write = || -> io::Result<()> {
            let _ = std::fs::remove_file(&aside);
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&aside)?;
            file.write_all(text.as_bytes())?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            std::fs::rename(&aside, &self.path)
        };
        write().map_err(|error| self.failed(&error.to_string()))
    }

    /// Held while keys are read, changed and written.
    fn lock(&self) -> Result<File, Failure> {
        let open = || -> io::Result<File> {
            if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            }
            let lock = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                .open(self.beside("lock"))?;
            flock(&lock, FlockOperation::LockExclusive)?;
            Ok(lock)
        };
        open().map_err(|error| self.failed(&error.to_string()))
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".");
        name.push(ending);
        name.into()
    }

    fn failed(&self, why: &str) -> Failure {
        Failure::new(FailureKind::InvalidConfiguration, format!("keys in {}: {why}", self.path.display()))
            .hint("name a file of yours with --keys FILE; `formicary keys create` makes one")
    }
}

fn check_name(name: &str) -> Result<(), Failure> {
    let fine = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-@".contains(c));
    if fine {
        return Ok(());
    }
    Err(Failure::new(FailureKind::InvalidInput, format!("{name:?} cannot be the name of a key"))
        .hint(format!("use 1 to {LONGEST_NAME} letters, digits, dots, dashes, underscores and @")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Scope;

    fn new(name: &str) -> NewKey {
        NewKey { name: name.into(), scopes: vec![Scope::Execute], ..NewKey::default() }
    }

    #[test]
    fn a_key_is_made_recognised_and_revoked() {
        let folder = tempfile::tempdir().unwrap();
        let file = KeyFile::new(folder.path().join("deep/keys.json"));
        assert!(file.list().unwrap().is_empty());
        let (record, key) = file.create(NewKey { lifetime: Some(60), ..new("ci") }, 1_000).unwrap();
        let (_, other) = file.create(new("other"), 1_000).unwrap();
        assert!(key.starts_with(PREFIX) && key.len() == PREFIX.len() + 64 && key != other);
        let keys = file.list().unwrap();
        assert_eq!(KeyFile::recognise(&keys, &key).unwrap().id, record.id);
        for wrong in ["", "fmk_", &key[..key.len() - 1], &key.to_uppercase(), &record.hash] {
            assert!(KeyFile::recognise(&keys, wrong).is_none(), "{wrong}");
        }
        assert!(!record.is_expired(1_059) && record.is_expired(1_060));
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert!(!text.contains(&key[PREFIX.len()..]), "the key itself is nowhere");
        assert_eq!(std::fs::metadata(file.path()).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(file.revoke("ci").unwrap().id, record.id);
        assert!(KeyFile::recognise(&file.list().unwrap(), &key).is_none());
        assert!(KeyFile::recognise(&file.list().unwrap(), &other).is_some());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = KeyFile::new(folder.path().join("keys.json"));
        for name in ["", "a b", "a/b", "ü", &"x".repeat(65)] {
            assert!(file.create(new(name), 0).unwrap_err().message.contains("name of a key"), "{name}");
        }
        let nothing = NewKey { scopes: Vec::new(), ..new("a") };
        assert!(file.create(nothing, 0).unwrap_err().message.contains("may do nothing"));
        file.create(new("alpha"), 0).unwrap();
        assert!(file.create(new("alpha"), 0).unwrap_err().message.contains("there is a key"));
        assert_eq!(file.revoke("alpa").unwrap_err().hint.unwrap(), "did you mean alpha?");
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o666)).unwrap();
        assert!(file.list().unwrap_err().message.contains("others may write it"));
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(file.path(), "{}").unwrap();
        assert!(file.list().unwrap_err().message.contains("keys.json"));
        assert!(Scope::from_word("exec").is_err());
    }
}
