//! Output and input: floods, bytes that are no text, streams closed early, records forged.

use crate::case::{Bare, Case};
use crate::expect::Expect;
use crate::program::FILES;
use crate::scene::Scene;
use crate::unprotected::BareRun;
use formicary_model::Protection::Output;
use formicary_model::{Status, ViolationKind};
use std::time::Duration;

pub(super) fn cases() -> Vec<Case> {
    [floods(), bytes(), inputs(), descriptors()].into_iter().flatten().collect()
}

fn flood(name: &'static str, code: &'static str) -> Case {
    Case::python(name, code)
        .needs(&[Output])
        .limits(|limits| limits.output_total_bytes = 256 << 10)
        .expect(Expect::status(Status::OutputLimit).violation(ViolationKind::Output, "").check(|outcome| {
            let kept = outcome.stdout.head.len() + outcome.stdout.tail.len();
            if kept <= 64 << 10 { Ok(()) } else { Err(format!("{kept} bytes of stdout were kept")) }
        }))
        .bare(Bare::Shows(wrote_more_than_allowed))
}

fn floods() -> Vec<Case> {
    vec![
        flood("flood_stdout", "import os\nwhile True: os.write(1, b'x' * 65536)"),
        flood("flood_stderr", "import os\nwhile True: os.write(2, b'x' * 65536)"),
        flood("flood_both_byte_by_byte", "import os\nwhile True: os.write(1, b'x'); os.write(2, b'y')")
            .limits(|limits| limits.output_total_bytes = 64 << 10),
        flood("flood_until_the_clock_runs_out", "import os\nwhile True: os.write(1, b'x' * 65536)")
            .limits(|limits| {
                (limits.wall_seconds, limits.cpu_seconds, limits.output_total_bytes) = (0.7, 30.0, 1 << 40)
            })
            .expect(Expect::status(Status::Timeout).within(Duration::from_secs(4))),
        flood("flood_from_children", include_str!("../../programs/python/flood_from_children.py")),
        flood("flood_after_reopening", include_str!("../../programs/python/flood_after_reopening.py")),
        Case::python("head_and_tail_are_kept", "import sys\nfor i in range(100000): print(i)\n")
            .expect(Expect::status(Status::Success).check(|outcome| {
                let out = &outcome.stdout;
                let kept = (out.head.len() + out.tail.len()) as u64;
                if !out.head.starts_with(b"0\n1\n2\n") || !out.tail.ends_with(b"99998\n99999\n") {
                    return Err("head or tail is not the program's".into());
                }
                if out.total != 588_890
                    || out.omitted() != out.total - kept
                    || !(32 << 10..=64 << 10).contains(&kept)
                {
                    return Err(format!("total {}, omitted {}, kept {kept}", out.total, out.omitted()));
                }
                Ok(())
            }))
            .bare(Bare::Same),
        Case::python("exactly_the_cap_is_whole", "import os\nos.write(1, b'x' * 65536)")
            .expect(Expect::status(Status::Success).check(|outcome| match outcome.stdout.omitted() {
                0 if outcome.stdout.joined().len() == 65536 => Ok(()),
                omitted => Err(format!("{omitted} bytes left out of exactly what is allowed")),
            }))
            .bare(Bare::Same),
        Case::python("one_byte_over_the_cap_is_counted", "import os\nos.write(1, b'x' * 65537)")
            .expect(Expect::status(Status::Success).check(|outcome| {
                if outcome.stdout.total == 65537 && outcome.stdout.omitted() >= 1 {
                    Ok(())
                } else {
                    Err(format!("total {}, omitted {}", outcome.stdout.total, outcome.stdout.omitted()))
                }
            }))
            .bare(Bare::Same),
    ]
}

fn bytes() -> Vec<Case> {
    vec![
        Case::python("every_byte_comes_through", "import os\nos.write(1, bytes(range(256)) * 16)")
            .expect(Expect::status(Status::Success).check(|outcome| {
                let wanted: Vec<u8> = (0..16).flat_map(|_| 0..=255u8).collect();
                if outcome.stdout.joined() == wanted { Ok(()) } else { Err("bytes were changed".into()) }
            }))
            .bare(Bare::Same),
        Case::python(
            "characters_split_at_chunk_edges",
            include_str!("../../programs/python/split_characters.py"),
        )
        .expect(Expect::status(Status::Success).check(|outcome| {
            let wanted = "aé漢🐜".repeat(500);
            if outcome.stdout.joined() == wanted.as_bytes() {
                Ok(())
            } else {
                Err("characters were broken".into())
            }
        }))
        .bare(Bare::Same),
        Case::python(
            "escapes_are_left_alone",
            r"import os; os.write(1, b'\x1b[2J\x1b]0;title\x07\r\0\x08end')",
        )
        .expect(Expect::status(Status::Success).check(|outcome| {
            let wanted = b"\x1b[2J\x1b]0;title\x07\r\0\x08end";
            if outcome.stdout.joined() == wanted { Ok(()) } else { Err("escapes were changed".into()) }
        }))
        .bare(Bare::Same),
        Case::bash("both_streams_stay_apart", "for i in 1 2 3; do echo out$i; echo err$i >&2; done")
            .expect(Expect::status(Status::Success).check(|outcome| {
                if outcome.stdout.joined() == b"out1\nout2\nout3\n"
                    && outcome.stderr.joined() == b"err1\nerr2\nerr3\n"
                {
                    Ok(())
                } else {
                    Err("streams were mixed".into())
                }
            }))
            .bare(Bare::Same),
        Case::bash(
            "device_names_of_the_streams",
            "echo a > /dev/stdout; echo b > /dev/stderr; cat /dev/stdin; cat /proc/self/fd/0",
        )
        .stdin("c\n")
        .expect(Expect::status(Status::Success).check(|outcome| {
            if outcome.stdout.joined() == b"a\nc\n" && outcome.stderr.joined() == b"b\n" {
                Ok(())
            } else {
                Err("/dev/stdin, /dev/stdout or /dev/stderr does not work".into())
            }
        }))
        .bare(Bare::Unprovable("to a file, /dev/stdout starts again at its beginning")),
    ]
}

fn inputs() -> Vec<Case> {
    let large = || vec![b'i'; 10 << 20];
    vec![
        Case::python("large_input_never_read", "print('WORKED without reading')")
            .stdin(large())
            .expect(Expect::allowed().within(Duration::from_secs(5)))
            .bare(Bare::Same),
        Case::python("input_closed_early", "import os\nos.read(0, 10); os.close(0)\nprint('WORKED closed')")
            .stdin(large())
            .expect(Expect::allowed())
            .bare(Bare::Same),
        Case::python(
            "output_closed_early",
            "import os, time\nos.close(1); os.close(2); time.sleep(0.2); os._exit(3)",
        )
        .stdin(large())
        .expect(Expect::status(Status::NonzeroExit).exits(3))
        .bare(Bare::Unprovable("it is the collector that must not end the run early")),
        Case::python(
            "large_input_echoed",
            "import shutil, sys\nshutil.copyfileobj(sys.stdin.buffer, sys.stdout.buffer)",
        )
        .stdin(large())
        .limits(|limits| limits.output_total_bytes = 64 << 20)
        .expect(Expect::status(Status::Success).check(|outcome| match outcome.stdout.total {
            10_485_760 => Ok(()),
            total => Err(format!("{total} bytes came back of 10485760")),
        }))
        .bare(Bare::Same),
        Case::python("no_input_is_end_of_file", "import sys\nprint('WORKED', repr(sys.stdin.read()))")
            .expect(Expect::allowed().prints("WORKED ''"))
            .bare(Bare::Same),
        Case::python(
            "streams_set_non_blocking",
            include_str!("../../programs/python/streams_set_non_blocking.py"),
        )
        .stdin(large())
        .expect(Expect::allowed())
        .bare(Bare::Same),
    ]
}

fn descriptors() -> Vec<Case> {
    let no_leak =
        "a descriptor leaks only from a careless supervisor; the standard library's children inherit none";
    vec![
        Case::c(&FILES, "inherited_descriptors").bare(Bare::Unprovable(no_leak)),
        Case::c(&FILES, "forged_records")
            .expect(Expect::status(Status::NonzeroExit).exits(7).never("WORKED"))
            .bare(Bare::Unprovable(no_leak)),
        Case::python(
            "forged_records_on_the_streams",
            include_str!("../../programs/python/forged_records.py"),
        )
        .expect(Expect::status(Status::NonzeroExit).exits(9))
        .bare(Bare::Unprovable("it aims at the supervisor's own protocol")),
    ]
}

fn wrote_more_than_allowed(_: &Scene, run: &BareRun) -> Result<(), String> {
    let wrote = run.stdout.len() + run.stderr.len();
    if wrote > 64 << 10 { Ok(()) } else { Err(format!("it wrote only {wrote} bytes")) }
}
