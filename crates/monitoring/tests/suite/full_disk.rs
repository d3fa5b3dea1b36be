//! A disk without room: what cannot be logged is told, and what was logged stays whole.

use crate::bench::{fill, log, place, run, tell, tell_in_vain, verified};
use formicary_monitoring::audit;
use formicary_testkit::skips::Skips;
use std::path::PathBuf;
use std::process::Command;

static SKIPS: Skips = Skips::new();
/// The small disk, in the process that has one.
const ROOM: &str = "FORMICARY_TEST_SMALL_DISK";

/// Runs this test once more, alone, in namespaces of its own where a small disk is mounted.
#[test]
fn a_full_disk_stops_what_would_run() {
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=1m none \"$1\" && exec \"$2\" --exact full_disk::in_a_small_room";
    let child = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .env(ROOM, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned() + &String::from_utf8_lossy(&child.stderr);
    if said.contains("mount:") || said.contains("unshare:") {
        SKIPS.note("a_full_disk_stops_what_would_run", "no small disk can be mounted here");
        return;
    }
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
}

/// Does nothing unless there is a small disk.
#[test]
fn in_a_small_room() {
    let Some(room) = std::env::var_os(ROOM).map(PathBuf::from) else { return };
    let place = place(&room);
    let log = log(&place);
    tell(&log, "ada", &run("first"));
    let ballast = room.join("ballast");
    let mut size = 900 * 1024;
    while std::fs::write(&ballast, vec![1; size]).is_err() {
        size -= 16 * 1024;
    }
    let mut told = None;
    for n in 0..500 {
        let (error, stopped) = tell_in_vain(&log, &run(&format!("r{n}")));
        if let Some(error) = error {
            assert!(stopped > 0, "what cannot be logged is stopped");
            told = Some(error);
            break;
        }
    }
    let told = told.unwrap();
    assert!(told.contains("full") || told.contains("No space"), "{told}");
    assert!(log.trouble().is_some() && log.lost() > 0);
    std::fs::remove_file(&ballast).unwrap();
    fill(&log, "ada", &run("after"));
    assert_eq!(log.trouble(), None);
    drop(log);
    let found = verified(&place);
    assert!(found.intact, "{found:?}");
    // Not a page is left: a log that is there cannot even be opened, and says why.
    let mut left = std::fs::File::create(&ballast).unwrap();
    while std::io::Write::write_all(&mut left, &[1; 4096]).is_ok() {}
    let told = audit::open(&place).err().unwrap().to_string();
    assert!(told.contains("full"), "{told}");
}
