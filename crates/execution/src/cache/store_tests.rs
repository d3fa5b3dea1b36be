//! The cache's folder under use by many, damage, foreign hands and lack of room.

use super::*;
use crate::cache::entry::tests::{entry, key};
use formicary_model::{Protection, ProtectionState};
use formicary_testkit::scratch::Scratch;
use std::os::unix::fs::PermissionsExt as _;

fn cache(folder: &Path, max_bytes: u64) -> CompileCache {
    CompileCache::new(CacheSettings { folder: folder.join("cache"), max_bytes })
}

#[test]
fn what_is_kept_is_found_again_and_private() {
    let scratch = Scratch::new("cache-kept").unwrap();
    let cache = cache(scratch.path(), 1 << 20);
    assert_eq!(cache.load(key("a")), None);
    cache.keep(key("a"), &entry(b"one")).unwrap();
    assert_eq!(cache.load(key("a")), Some(entry(b"one")));
    assert_eq!(cache.load(key("b")), None);
    let mode = |path: &Path| path.metadata().unwrap().mode() & 0o777;
    assert_eq!(mode(&cache.settings.folder), 0o700);
    assert_eq!(mode(&cache.path(key("a"))), 0o600);
}

#[test]
fn a_damaged_or_foreign_entry_is_a_miss_and_is_removed() {
    let scratch = Scratch::new("cache-damage").unwrap();
    let cache = cache(scratch.path(), 1 << 20);
    type Damage = fn(&Path);
    let cases: [(&str, Damage); 6] = [
        ("changed", |path| {
            let mut bytes = std::fs::read(path).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            std::fs::write(path, bytes).unwrap();
        }),
        ("cut", |path| OpenOptions::new().write(true).open(path).unwrap().set_len(60).unwrap()),
        ("emptied", |path| std::fs::write(path, "").unwrap()),
        ("writable by others", |path| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666)).unwrap();
        }),
        ("a link", |path| {
            let target = path.with_extension("target");
            std::fs::rename(path, &target).unwrap();
            std::os::unix::fs::symlink(&target, path).unwrap();
        }),
        ("another's entry", |path| {
            let other = path.with_file_name(key("other").file_name());
            std::fs::write(path, std::fs::read(other).unwrap()).unwrap();
        }),
    ];
    cache.keep(key("other"), &entry(b"other")).unwrap();
    for (name, damage) in cases {
        cache.keep(key("a"), &entry(b"one")).unwrap();
        damage(&cache.path(key("a")));
        assert_eq!(cache.load(key("a")), None, "{name}");
        if name != "a link" {
            assert!(!cache.path(key("a")).exists(), "{name}");
        }
        cache.keep(key("a"), &entry(b"one")).unwrap();
        assert!(cache.load(key("a")).is_some(), "{name}: it can be kept anew");
    }
}

#[test]
fn what_was_not_confined_is_not_kept() {
    let scratch = Scratch::new("cache-loose").unwrap();
    let cache = cache(scratch.path(), 1 << 20);
    let mut loose = entry(b"one");
    loose.enforcement.record(Protection::Files, ProtectionState::Missing("none".into()));
    cache.keep(key("a"), &loose).unwrap();
    assert_eq!(cache.load(key("a")), None);
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let scratch = Scratch::new("cache-room").unwrap();
    let one = entry(&[7; 1000]);
    let size = one.to_bytes(key("0")).unwrap().len() as u64;
    let cache = cache(scratch.path(), size * 10);
    let past = |name: &str, age: u64| {
        let file = File::options().write(true).open(cache.path(key(name))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    };
    for number in 0..10 {
        cache.keep(key(&number.to_string()), &one).unwrap();
        past(&number.to_string(), 1000 - number);
    }
    assert!(cache.load(key("0")).is_some(), "used: now it is the youngest");
    cache.keep(key("new"), &one).unwrap();
    assert!(cache.load(key("0")).is_some() && cache.load(key("new")).is_some());
    assert!(cache.load(key("1")).is_none() && cache.load(key("2")).is_none());
    assert!(cache.entries().iter().map(|entry| entry.size).sum::<u64>() <= size * 10);
    cache.keep(key("huge"), &entry(&[7; 100_000])).unwrap();
    assert!(cache.load(key("huge")).is_none(), "it would push out all the others");
}

#[test]
fn what_a_killed_process_left_is_removed() {
    let scratch = Scratch::new("cache-left").unwrap();
    let cache = cache(scratch.path(), 1 << 20);
    cache.make_folder().unwrap();
    let left = cache.settings.folder.join(format!("x.1.2{UNFINISHED}"));
    let fresh = cache.settings.folder.join(format!("x.1.3{UNFINISHED}"));
    std::fs::write(&fresh, "half").unwrap();
    File::create(&left).unwrap().set_modified(SystemTime::now() - ABANDONED * 2).unwrap();
    cache.keep(key("a"), &entry(b"one")).unwrap();
    assert!(!left.exists() && fresh.exists());
}

#[test]
fn a_folder_that_others_may_write_to_is_not_used() {
    let scratch = Scratch::new("cache-open").unwrap();
    let cache = cache(scratch.path(), 1 << 20);
    cache.make_folder().unwrap();
    std::fs::set_permissions(&cache.settings.folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    assert!(cache.keep(key("a"), &entry(b"one")).is_err());
    let planted = cache.path(key("a"));
    std::fs::write(&planted, entry(b"one").to_bytes(key("a")).unwrap()).unwrap();
    std::fs::set_permissions(&planted, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(cache.load(key("a")), None);
    assert!(planted.exists(), "what is not ours is left alone");
}

#[test]
fn many_at_once_see_whole_entries_or_none() {
    let scratch = Scratch::new("cache-many").unwrap();
    let contents = [vec![1_u8; 5000], vec![2; 5000], vec![3; 5000]];
    // So little room that entries also go while others read them.
    let caches: Vec<CompileCache> = (0..4).map(|_| cache(scratch.path(), 30_000)).collect();
    std::thread::scope(|scope| {
        for cache in &caches {
            scope.spawn(|| {
                for round in 0..200 {
                    let content = &contents[round % contents.len()];
                    let name = key(&(round % contents.len()).to_string());
                    if let Some(found) = cache.load(name) {
                        assert_eq!(&*found.files[0].content, content.as_slice());
                    }
                    cache.keep(name, &entry(content)).unwrap();
                }
            });
        }
    });
}
