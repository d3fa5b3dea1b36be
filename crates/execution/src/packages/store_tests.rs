//! The folder of environments under use by many, kills and lack of room.

use super::*;
use formicary_testkit::scratch::Scratch;

fn about(name: &str, bytes: u64) -> KeptEnvironment {
    KeptEnvironment {
        name: name.into(),
        python: "3.11".into(),
        requirements: vec!["six".into()],
        packages: Vec::new(),
        bytes,
        used_ms: 0,
    }
}

fn make(store: &PackageStore, name: &str, age: u64) -> File {
    let lock = store.try_lock(name, Hold::Alone).unwrap().unwrap();
    let made = store.begin(name).unwrap();
    std::fs::create_dir(made.path().join(VENV)).unwrap();
    let place = store.finish(&made, &about(name, 100)).unwrap();
    let file = File::options().write(true).open(place.join(ABOUT)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    lock
}

fn store(scratch: &Scratch) -> PackageStore {
    let store = PackageStore::new(scratch.path().join("packages"), 250);
    store.open().unwrap();
    store
}

#[test]
fn what_is_not_finished_is_not_there_and_does_not_stay() {
    let scratch = Scratch::new("packages-half").unwrap();
    let store = store(&scratch);
    let lock = store.try_lock("a", Hold::Alone).unwrap().unwrap();
    let made = store.begin("a").unwrap();
    std::fs::create_dir_all(made.path().join("venv/lib")).unwrap();
    assert!(store.find("a").is_none());
    drop(made);
    assert_eq!(store.names().filter(|name| name.ends_with(UNFINISHED)).count(), 0);
    // A process that is killed cannot clean up; its lock goes with it.
    let left = store.begin("a").unwrap();
    std::mem::forget(left);
    drop(lock);
    store.sweep();
    assert_eq!(store.names().count(), 0);
}

#[test]
fn what_is_in_use_stays_and_the_oldest_goes() {
    let scratch = Scratch::new("packages-use").unwrap();
    let store = store(&scratch);
    for (name, age) in [("a", 30), ("b", 20), ("c", 10)] {
        drop(make(&store, name, age));
    }
    let in_use = store.try_lock("a", Hold::Shared).unwrap().unwrap();
    let removed = store.prune(store.max_bytes());
    assert_eq!(removed.iter().map(|kept| kept.name.as_str()).collect::<Vec<_>>(), ["b"]);
    assert_eq!(store.prune(0).len(), 1);
    assert_eq!(store.list().len(), 1, "what is in use stays");
    drop(in_use);
    assert_eq!(store.prune(0).len(), 1);
    assert_eq!(store.names().count(), 0, "no lock is left");
}

#[test]
fn one_makes_it_and_the_others_wait() {
    let scratch = Scratch::new("packages-turn").unwrap();
    let store = store(&scratch);
    let lock = store.try_lock("a", Hold::Alone).unwrap().unwrap();
    assert!(store.try_lock("a", Hold::Shared).unwrap().is_none());
    assert!(store.lock("a", Hold::Shared, &mut || false).unwrap().is_none());
    assert!(store.try_lock("b", Hold::Alone).unwrap().is_some());
    drop(lock);
    let first = store.try_lock("a", Hold::Shared).unwrap();
    assert!(first.is_some() && store.try_lock("a", Hold::Shared).unwrap().is_some());
}

#[test]
fn folders_that_may_not_be_written_go_too() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = Scratch::new("packages-stubborn").unwrap();
    let folder = scratch.path().join("x/y");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("f"), "x").unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o500)).unwrap();
    remove_tree(&scratch.path().join("x"));
    assert!(!scratch.path().join("x").exists());
}
