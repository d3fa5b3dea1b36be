//! Whole outputs and artefacts of calls, so that an answer can be short and the rest be fetched. Bounded: the newest are
//! kept. Names are random, so that a client can read only what it was given the name of.

use formicary_platform::ids;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The scheme of the addresses.
const SCHEME: &str = "formicary://output/";
const MOST_BYTES: usize = 64 << 20;
const MOST_ENTRIES: usize = 512;

/// One thing that is kept.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) mime: String,
    pub(crate) bytes: Arc<[u8]>,
}

impl Kept {
    /// Its text, where it is text.
    pub(crate) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }
}

/// What is kept, the newest last.
#[derive(Debug)]
pub(crate) struct Store {
    entries: Mutex<VecDeque<Kept>>,
    most_bytes: usize,
}

impl Default for Store {
    fn default() -> Self {
        Self { entries: Mutex::default(), most_bytes: MOST_BYTES }
    }
}

impl Store {
    fn entries(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps it under a new address; nothing where it is larger than all that may be kept.
    pub(crate) fn keep(&self, name: &str, mime: &str, bytes: Vec<u8>) -> Option<Kept> {
        if bytes.len() > self.most_bytes {
            return None;
        }
        let id = ids::random::<9>().ok()?;
        let uri = format!("{SCHEME}{id}/{}", escaped(name));
        let kept = Kept { uri, name: name.to_owned(), mime: mime.to_owned(), bytes: bytes.into() };
        let mut entries = self.entries();
        entries.push_back(kept.clone());
        let mut held: usize = entries.iter().map(|kept| kept.bytes.len()).sum();
        while held > self.most_bytes || entries.len() > MOST_ENTRIES {
            held -= entries.pop_front().map_or(0, |kept| kept.bytes.len());
        }
        Some(kept)
    }

    /// What has this address.
    pub(crate) fn find(&self, uri: &str) -> Option<Kept> {
        self.entries().iter().find(|kept| kept.uri == uri).cloned()
    }

    /// Everything, the newest first.
    pub(crate) fn list(&self) -> Vec<Kept> {
        self.entries().iter().rev().cloned().collect()
    }
}

/// A name as part of an address.
fn escaped(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/~".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept() {
        let store = Store { most_bytes: 100, ..Store::default() };
        let kept: Vec<Kept> = (0..5).filter_map(|i| store.keep(&format!("{i}"), "x", vec![0; 40])).collect();
        assert!(store.find(&kept[2].uri).is_none());
        assert!(store.find(&kept[4].uri).is_some());
        assert_eq!(store.list().iter().map(|kept| kept.name.as_str()).collect::<Vec<_>>(), ["4", "3"]);
        assert!(store.keep("large", "x", vec![0; 101]).is_none());
        assert_eq!(store.list().len(), 2, "what cannot be kept drives nothing out");
    }

    #[test]
    fn names_make_addresses() {
        let store = Store::default();
        let kept = store.keep("a b/ü?.png", "image/png", vec![1]).unwrap();
        assert!(kept.uri.ends_with("/a%20b/%C3%BC%3F.png"), "{}", kept.uri);
        let other = store.keep("a b/ü?.png", "image/png", vec![1]).unwrap();
        assert_ne!(kept.uri, other.uri);
    }
}
