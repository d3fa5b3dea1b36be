//! What a hostile directory holds, and what must come of each.

use super::*;
use std::os::unix::fs::{PermissionsExt as _, symlink};

/// A project with one of each, beside a directory that is not its own.
fn hostile() -> (tempfile::TempDir, Root) {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("project"), folder.path().join("outside"));
    std::fs::create_dir_all(inside.join("sub/deep")).unwrap();
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret"), "secret").unwrap();
    std::fs::write(inside.join("sub/plain"), "plain").unwrap();
    symlink(&outside, inside.join("away")).unwrap();
    symlink("../../outside", inside.join("sub/away")).unwrap();
    symlink(outside.join("secret"), inside.join("link")).unwrap();
    symlink("plain", inside.join("sub/near")).unwrap();
    symlink("/dev/zero", inside.join("zero")).unwrap();
    symlink("/proc/self/root", inside.join("magic")).unwrap();
    let pipe = inside.join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, 0o600.into(), 0).unwrap();
    let root = Root::open(&inside).unwrap();
    (folder, root)
}

fn reason<T: std::fmt::Debug>(result: Result<T, FileError>) -> &'static str {
    name(&result.unwrap_err().reason)
}

fn name(reason: &Reason) -> &'static str {
    match reason {
        Reason::Missing => "missing",
        Reason::Link => "link",
        Reason::NotRegular => "not regular",
        Reason::NotADirectory => "not a directory",
        Reason::TooLarge(_) => "too large",
        Reason::Outside => "outside",
        Reason::SecondName => "second name",
        Reason::Records => "records",
        Reason::NotUtf8(_) => "not text",
        Reason::Io(_) => "io",
    }
}

const REFUSED: [(&str, &str); 14] = [
    ("nothing", "missing"),
    ("sub/nothing/at/all", "missing"),
    ("link", "link"),
    ("sub/near", "link"),
    ("away/secret", "link"),
    ("sub/away/secret", "link"),
    ("magic/etc/passwd", "link"),
    ("zero", "link"),
    ("pipe", "not regular"),
    ("sub", "not regular"),
    ("sub/plain/x", "not a directory"),
    ("../outside/secret", "outside"),
    ("sub/../../outside/secret", "outside"),
    ("/etc/passwd", "outside"),
];

#[test]
fn nothing_but_plain_files_beneath_is_read() {
    let (_folder, root) = hostile();
    assert_eq!(root.read_to_string(Path::new("sub/plain"), 5).unwrap(), "plain");
    assert_eq!(reason(root.read(Path::new("sub/plain"), 4)), "too large");
    for (path, why) in REFUSED {
        assert_eq!(reason(root.read(Path::new(path), 100)), why, "{path}");
    }
}

#[test]
fn both_ways_to_open_refuse_the_same() {
    let (_folder, root) = hostile();
    let flags = OFlags::RDONLY;
    let directory = root.directory.as_fd();
    for (path, why) in REFUSED.iter().filter(|(_, why)| *why != "not regular") {
        for opened in [
            open::part_by_part(directory, Path::new(path), flags, Mode::empty()),
            open::beneath(directory, Path::new(path), flags, Mode::empty()),
        ] {
            assert_eq!(name(&opened.unwrap_err()), *why, "{path}");
        }
    }
    open::part_by_part(directory, Path::new("sub/plain"), flags, Mode::empty()).unwrap();
    open::part_by_part(directory, Path::new("."), OFlags::DIRECTORY, Mode::empty()).unwrap();
}

#[test]
fn an_endless_file_is_cut_off() {
    let devices = Root::open(Path::new("/dev")).unwrap();
    assert_eq!(reason(devices.read(Path::new("zero"), 100)), "not regular");
    // Such files have no size and yet bytes.
    let kernel = Root::open(Path::new("/proc/self")).unwrap();
    assert_eq!(reason(kernel.read(Path::new("status"), 10)), "too large");
}

#[test]
fn nothing_outside_is_written_appended_to_or_removed() {
    let (folder, root) = hostile();
    for (path, why) in REFUSED.iter().filter(|(_, why)| !matches!(*why, "missing")) {
        let path = Path::new(path);
        assert_eq!(reason(root.write(path, b"x")), *why, "{path:?}");
        assert_eq!(reason(root.append(path, b"x")), *why, "{path:?}");
        assert_eq!(reason(root.remove(path)), *why, "{path:?}");
        assert_eq!(reason(root.rename(path, Path::new("new"))), *why, "{path:?}");
    }
    assert_eq!(reason(root.rename(Path::new("sub/plain"), Path::new("away/new"))), "link");
    assert_eq!(reason(root.create_directories(Path::new("away/new"))), "link");
    assert_eq!(reason(root.create_directories(Path::new("link"))), "link");
    let outside = folder.path().join("outside");
    assert_eq!(std::fs::read_to_string(outside.join("secret")).unwrap(), "secret");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn files_are_replaced_whole_and_keep_their_permissions() {
    let (folder, root) = hostile();
    let path = folder.path().join("project/sub/plain");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o750)).unwrap();
    root.write(Path::new("sub/plain"), b"new").unwrap();
    root.append(Path::new("sub/plain"), b"er").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "newer");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
    root.create_directories(Path::new("a/b")).unwrap();
    root.create_directories(Path::new("a/b")).unwrap();
    root.write(Path::new("a/b/c"), b"1").unwrap();
    root.append(Path::new("a/b/d"), b"2").unwrap();
    assert_eq!(reason(root.rename(Path::new("a/b/c"), Path::new("a/b/d"))), "io");
    root.rename(Path::new("a/b/c"), Path::new("a/b/e")).unwrap();
    root.remove(Path::new("a/b/d")).unwrap();
    let names: Vec<Entry> = root.entries(Path::new("a/b")).unwrap();
    assert_eq!(names, [Entry { name: "e".into(), kind: Kind::File }]);
}

#[test]
fn records_of_version_control_and_files_with_a_second_name_stay_as_they_are() {
    let (folder, root) = hostile();
    let inside = folder.path().join("project");
    std::fs::create_dir_all(inside.join(".git/hooks")).unwrap();
    std::fs::write(inside.join(".git/hooks/pre-push"), "hook").unwrap();
    for path in [".git/hooks/pre-push", ".git/hooks/new", ".GIT/config", "sub/.git", "./.hg/hgrc", ".git/a/b"]
    {
        let path = Path::new(path);
        assert_eq!(reason(root.write(path, b"x")), "records", "{path:?}");
        assert_eq!(reason(root.append(path, b"x")), "records", "{path:?}");
        assert_eq!(reason(root.remove(path)), "records", "{path:?}");
        assert_eq!(reason(root.rename(path, Path::new("new"))), "records", "{path:?}");
        assert_eq!(reason(root.rename(Path::new("sub/plain"), path)), "records", "{path:?}");
        assert_eq!(reason(root.create_directories(path)), "records", "{path:?}");
    }
    assert_eq!(root.read(Path::new(".git/hooks/pre-push"), 10).unwrap(), b"hook");
    let secret = folder.path().join("outside/secret");
    std::fs::hard_link(&secret, inside.join("twin")).unwrap();
    assert_eq!(reason(root.append(Path::new("twin"), b"x")), "second name");
    root.write(Path::new("twin"), b"new").unwrap();
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), "secret");
    let path = inside.join("sub/plain");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o4755)).unwrap();
    root.write(Path::new("sub/plain"), b"new").unwrap();
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o755);
}

#[test]
fn kinds_are_those_of_the_names_themselves() {
    let (_folder, root) = hostile();
    let kind = |path: &str| root.facts(Path::new(path)).unwrap().kind;
    assert_eq!(
        [kind("sub"), kind("sub/plain"), kind("away"), kind("pipe"), kind(".")],
        [Kind::Directory, Kind::File, Kind::Link, Kind::Other, Kind::Directory]
    );
    assert!(root.is_directory(Path::new("sub")) && !root.is_directory(Path::new("away")));
    assert!(root.is_file(Path::new("sub/plain")) && !root.is_file(Path::new("link")));
    let kinds: Vec<Kind> = root.entries(Path::new("")).unwrap().iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == Kind::Link).count(), 4);
}

#[test]
fn a_file_belongs_to_the_project_or_to_the_user() {
    use crate::place::Place;
    let (folder, root) = hostile();
    let (project, outside) = (root.path(), folder.path().join("outside"));
    let read = |named: &Path| {
        let place = Place::of(project, named)?;
        place.root.read_to_string(&place.path, 100)
    };
    assert_eq!(read(Path::new("sub/plain")).unwrap(), "plain");
    assert_eq!(read(&project.join("sub/deep/../plain")).unwrap(), "plain");
    assert_eq!(read(&outside.join("secret")).unwrap(), "secret");
    symlink(outside.join("secret"), folder.path().join("own")).unwrap();
    assert_eq!(read(&folder.path().join("own")).unwrap(), "secret");
    assert_eq!(reason(read(&project.join("away/secret"))), "link");
    assert_eq!(reason(read(Path::new("../outside/secret"))), "outside");
    let place = Place::of(project, &folder.path().join("new/deep/file")).unwrap();
    assert_eq!((place.root.path(), place.path.as_path()), (folder.path(), Path::new("new/deep/file")));
}
