//! Files: the host's, the sandbox's own in bad shapes, and those that are collected afterwards.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::FILES;
use crate::scene::Scene;
use crate::unprotected::BareRun;
use formicary_model::Protection::{
    Capabilities, Disk, FileSize, Files, NoNewPrivileges, OpenFiles, Processes, SystemCalls,
};
use formicary_model::{Status, ViolationKind};
use formicary_sandbox::Outcome;

macro_rules! python {
    ($name:literal) => {
        Case::python($name, include_str!(concat!("../../programs/python/", $name, ".py")))
    };
}

pub(super) fn cases() -> Vec<Case> {
    [reaching(), exhausting(), collecting(), awkward()].into_iter().flatten().collect()
}

fn reaching() -> Vec<Case> {
    let c = |name| Case::c(&FILES, name).needs(&[Files]);
    vec![
        python!("write_outside").needs(&[Files]).bare(Bare::Shows(flag_is_overwritten)),
        python!("read_secrets").needs(&[Files]),
        python!("magic_links").needs(&[Files, Processes]),
        python!("system_is_read_only")
            .needs(&[Files])
            .bare(Bare::Harmful("would change the host's programs")),
        python!("watch_the_host").needs(&[Files, SystemCalls]).bare(Bare::Works),
        python!("watch_its_own").expect(Expect::allowed()).bare(Bare::Same),
        python!("hard_links_to_the_host").needs(&[Files]).bare(Bare::Works),
        c("climb_by_descriptor"),
        c("overwrite_the_helper").needs(&[Files, Processes]),
        c("run_from_memory"),
        Case::bash("run_by_the_loader", include_str!("../../programs/bash/run_by_the_loader.sh"))
            .needs(&[Files]),
        c("set_user_id").needs(&[NoNewPrivileges, Capabilities]).bare(Bare::WorksAsRoot),
        c("file_capabilities").needs(&[Capabilities]).bare(Bare::WorksAsRoot),
        Case::bash("set_user_id_of_the_host", include_str!("../../programs/bash/set_user_id_of_the_host.sh"))
            .needs(&[NoNewPrivileges])
            .bare(Bare::Unprovable(
                "root needs no such program, and which ones there are differs from host to host",
            )),
    ]
}

fn exhausting() -> Vec<Case> {
    let disk = || {
        Expect::status(Status::DiskLimit).prints("REFUSED").never("WORKED").violation(ViolationKind::Disk, "")
    };
    vec![
        python!("fill_work").needs(&[Disk]).expect(disk()),
        // Refused as a whole: the disk was never full, so that the verdict may be the program's own.
        python!("fill_by_allocation")
            .needs(&[Disk])
            .limits(|l| l.file_size_bytes = 64 << 20)
            .expect(refused_somehow()),
        python!("fill_across_folders").needs(&[Disk]).expect(disk()),
        python!("exhaust_inodes").needs(&[Disk]).limits(|limits| limits.disk_inodes = 256).expect(disk()),
        python!("exhaust_inodes_by_links")
            .needs(&[Disk])
            .limits(|limits| limits.disk_inodes = 256)
            .expect(disk()),
        Case::bash("one_large_file", "exec head -c 8000000 /dev/zero > large")
            .needs(&[FileSize])
            .limits(|limits| limits.file_size_bytes = 1 << 20)
            .expect(Expect::status(Status::DiskLimit).dies_by(25))
            .bare(Bare::Same),
        // Python ignores the signal and sees an error, which nobody outside can tell from any other.
        Case::python("one_large_file_in_python", include_str!("../../programs/python/one_large_file.py"))
            .needs(&[FileSize])
            .limits(|limits| limits.file_size_bytes = 1 << 20)
            .expect(refused_somehow()),
        python!("sparse_giant")
            .needs(&[FileSize])
            .collect(&["**"])
            .expect(Expect::one_of(&[Status::Success, Status::DiskLimit]).never("WORKED"))
            .bare(Bare::Unprovable("file systems differ in what size they take")),
        python!("open_files").needs(&[OpenFiles]).limits(|limits| limits.open_files = 64),
        python!("watch_everything").expect(Expect::status(Status::Success)).bare(Bare::Same),
        Case::python("cope_with_a_full_disk", include_str!("../../programs/python/cope_with_a_full_disk.py"))
            .needs(&[Disk])
            .expect(Expect::status(Status::Success).prints("REFUSED").never("WORKED")),
    ]
}

/// What was wanted was not had; whether the disk was to blame shows from outside only while the files are there.
fn refused_somehow() -> Expect {
    Expect::one_of(&[Status::DiskLimit, Status::NonzeroExit]).prints("REFUSED").never("WORKED")
}

fn collecting() -> Vec<Case> {
    vec![
        python!("link_to_a_secret").needs(&[Files]).collect(&["**"]).host(nothing_but_real).bare(
            Bare::Shows(|scene, _| match std::fs::read_to_string(scene.bare_folder().join("out.txt")) {
                Ok(text) if text == scene.token => Ok(()),
                other => Err(format!("a careless collector would have read {other:?}")),
            }),
        ),
        python!("folder_that_is_a_link")
            .needs(&[Files])
            .collect(&["out/*", "**/flag", "deep/*"])
            .host(nothing_but_real)
            .bare(Bare::Shows(|scene, _| {
                match std::fs::read_to_string(scene.bare_folder().join("out/flag")) {
                    Ok(text) if text == scene.token => Ok(()),
                    other => Err(format!("a careless collector would have read {other:?}")),
                }
            })),
        python!("swap_during_collection")
            .needs(&[Files])
            .collect(&["**"])
            .expect(Expect::status(Status::Success))
            .bare(Bare::Shows(|_, run| {
                let goes_on = run.status.is_some() && run.survivors > 0;
                if goes_on { Ok(()) } else { Err("nothing swaps any more".into()) }
            })),
        python!("no_regular_files")
            .collect(&["**"])
            .expect(Expect::allowed())
            .host(nothing_but_real)
            .bare(Bare::Works),
        python!("many_files")
            .collect(&["**"])
            .expect(Expect::allowed().check(|outcome| {
                if outcome.files.len() == 256 && !outcome.skipped.is_empty() {
                    Ok(())
                } else {
                    Err(format!(
                        "{} of 1000 collected, {} skipped; at most 256 may be",
                        outcome.files.len(),
                        outcome.skipped.len()
                    ))
                }
            }))
            .bare(Bare::Same),
        Case {
            collect: formicary_model::CollectRequest {
                globs: vec!["**".into()],
                max_files: 100,
                max_bytes: 1 << 20,
            },
            ..python!("large_files")
        }
        .expect(Expect::allowed().check(|outcome| {
            let bytes: usize = outcome.files.iter().map(|file| file.content.len()).sum();
            if bytes <= 1 << 20 && !outcome.skipped.is_empty() {
                Ok(())
            } else {
                Err(format!("{bytes} bytes collected of at most 1 MiB"))
            }
        }))
        .bare(Bare::Same),
        Case::bash(
            "collect_what_was_asked",
            "mkdir -p a/b; echo one > a/b/x.txt; echo two > y.txt; echo no > z.log; chmod +x y.txt",
        )
        .collect(&["**/*.txt"])
        .expect(Expect::status(Status::Success).check(|outcome| {
            let mut got: Vec<_> =
                outcome.files.iter().map(|f| (f.path.as_str(), f.content.as_slice(), f.executable)).collect();
            got.sort_unstable();
            if got == [("a/b/x.txt", &b"one\n"[..], false), ("y.txt", b"two\n", true)] {
                Ok(())
            } else {
                Err(format!("collected {got:?}"))
            }
        }))
        .bare(Bare::Same),
        Case::bash("collect_after_failure", "echo kept > out.txt; exit 4")
            .collect(&["out.txt"])
            .expect(Expect::status(Status::NonzeroExit).exits(4).check(|outcome| match &outcome.files[..] {
                [file] if file.content == b"kept\n" => Ok(()),
                files => Err(format!("{} files collected", files.len())),
            }))
            .bare(Bare::Unprovable("an ordinary end, not an attack")),
    ]
}

fn awkward() -> Vec<Case> {
    let fine = || Expect::allowed();
    vec![
        python!("deep_folders").limits(|l| l.disk_inodes = 20_000).collect(&["**/*.txt"]).expect(fine()).bare(Bare::Same),
        python!("strange_names").collect(&["**"]).expect(fine()).bare(Bare::Same),
        python!("locked_files").collect(&["**"]).expect(fine()).bare(Bare::Same),
        Case::bash("work_folder_removed", "cd /; rm -rf \"$HOME_OF_WORK\"/* 2>/dev/null; chmod 000 \"$HOME_OF_WORK\"; echo WORKED")
            .env("HOME_OF_WORK", "/work")
            .collect(&["**"])
            .expect(fine())
            .bare(Bare::Unprovable("it aims at the collector")),
        Case::bash("usual_places", "set -e; for d in . $TEMP $SHM; do echo x > $d/probe; chmod 700 $d/probe; rm $d/probe; done; [ -r /etc/passwd ]; echo > /dev/null; head -c 4 /dev/zero /dev/urandom > /dev/null; (echo > /dev/full) 2>/dev/null && exit 1; echo WORKED")
            .expect(fine())
            .bare(Bare::Same),
    ]
}

fn flag_is_overwritten(scene: &Scene, run: &BareRun) -> Result<(), String> {
    match std::fs::read_to_string(scene.flag()) {
        Ok(text) if text == scene.token => Err(format!("the flag is as it was\n{}", run.text())),
        _ => Ok(()),
    }
}

/// Whatever came back is a file that the program really wrote, and each thing left out has its reason.
fn nothing_but_real(_: &Scene, outcome: &Outcome) -> Result<(), String> {
    for file in &outcome.files {
        let honest = matches!(file.path.as_str(), "main.py" | "real.txt" | "attack");
        if !honest {
            return Err(format!("{} was collected", file.path));
        }
    }
    if outcome.skipped.is_empty() || outcome.skipped.iter().any(|skipped| skipped.why.is_empty()) {
        return Err(format!("what was left out is not told: {:?}", outcome.skipped));
    }
    Ok(())
}
