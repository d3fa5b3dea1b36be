//! The same programs under every isolating provider: every recipe, every way to end, and every limit. Whoever changes one
//! word about where a program runs gets the same verdict.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and stand in for the door that reads the environment"
)]

use formicary_model::{Assurance, Environment, ExecutionRequest, Level, LimitOverrides, Source, Status};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::{Live, Platform};
use formicary_testkit::programs::ALL;
use formicary_testkit::skips::Skips;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

static SKIPS: Skips = Skips::new();
const PROVIDERS: [&str; 3] = ["native", "docker", "gvisor"];
/// What is kept of a flood differs in where it was cut; what a crash says differs in numbers of processes.
const COMPARED_TEXT: usize = 4096;

struct Program {
    name: String,
    language: &'static str,
    code: &'static str,
    stdin: &'static str,
    limits: LimitOverrides,
    /// What all of them must say.
    expected: &'static [Status],
    /// Whether what it writes must be the same too.
    same_output: bool,
}

/// Name, code, input, limits, statuses, whether the output must be the same.
type Row<'l> = (&'static str, &'static str, &'static str, &'l LimitOverrides, &'static [Status], bool);

/// A program that hits a limit or does something that providers might see differently, in a few lines.
const OTHERS: &[(&str, &str, &str, &[Status])] = &[
    (
        "fork_bomb",
        "python",
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        // Which of its limits it meets first is a matter of the kernel; a second kernel pays for processes with memory.
        &[Status::ProcessLimit, Status::Timeout, Status::CpuLimit, Status::MemoryLimit],
    ),
    (
        "too_many_threads",
        "python",
        // It stays at the limit for a moment: a guest tells of no refusal, and its number is looked at now and then.
        "import threading, time\ntry:\n    for n in range(500): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()\nexcept RuntimeError:\n    time.sleep(0.5)\n    raise",
        &[Status::ProcessLimit],
    ),
    ("flood", "python", "import os\nwhile True: os.write(1, b'x' * 65536)", &[Status::OutputLimit]),
    (
        "flood_of_errors",
        "bash",
        "words=$(printf 'nobody %.0s' {1..2000}); while :; do echo $words >&2; done",
        &[Status::OutputLimit],
    ),
    (
        "full_disk",
        "python",
        "f = open('f', 'wb')\nwhile True: f.write(b'x' * (1 << 20))",
        &[Status::DiskLimit],
    ),
    ("spin", "bash", "while :; do :; done", &[Status::CpuLimit]),
    (
        "spin_in_children",
        "bash",
        "for n in 1 2 3; do (while :; do :; done) & done; wait",
        &[Status::CpuLimit],
    ),
    ("sleep_in_the_background", "bash", "(setsid sleep 100 &) ; echo left", &[Status::Success]),
    ("killed_child", "bash", "bash -c 'kill -KILL $$'; echo $?", &[Status::Success]),
    ("kill_itself", "bash", "kill -SEGV $$", &[Status::Signaled]),
    (
        "no_network",
        "python",
        "import socket\ntry: socket.create_connection(('1.1.1.1', 80), 2)\nexcept OSError: print('no')",
        &[Status::Success, Status::Denied],
    ),
    (
        "read_only_system",
        "bash",
        "touch /usr/x /etc/x 2>/dev/null || echo refused",
        &[Status::Success, Status::Denied],
    ),
    ("who_am_i", "bash", "id -u; id -g; echo $HOME; pwd; umask", &[Status::Success]),
    (
        "own_environment",
        "bash",
        "env | cut -d= -f1 | grep -v -e '^_$' -e SHLVL -e PWD | sort | tr '\\n' ' '",
        &[Status::Success],
    ),
    (
        "one_process_only",
        "bash",
        "ls /proc | grep -c '^[0-9]*$' | awk '{ print ($1 < 10) }'",
        &[Status::Success],
    ),
    ("not_utf8", "python", "import sys\nsys.stdout.buffer.write(b'a\\xff\\x00b')", &[Status::Success]),
    ("long_line", "python", "print('é' * 3000)", &[Status::Success]),
    ("exit_255", "bash", "exit 255", &[Status::NonzeroExit]),
    ("traceback", "python", "def f(n): return f(n + 1)\nf(0)", &[Status::NonzeroExit]),
    (
        "open_files",
        "python",
        "f = []\ntry:\n    while True: f.append(open('/dev/null'))\nexcept OSError as e: print(e.errno)",
        &[Status::Success],
    ),
    (
        "temporary_files",
        "bash",
        "f=$(mktemp) && echo x > $f && cat $f && mkdir -p a/b && echo y > a/b/c && cat a/b/c",
        &[Status::Success],
    ),
    (
        "shared_memory",
        "python",
        "from multiprocessing import shared_memory as s\nm = s.SharedMemory(create=True, size=1 << 20)\nm.buf[0] = 7\nprint(m.buf[0])\nm.close(); m.unlink()",
        &[Status::Success],
    ),
    (
        "loopback",
        "python",
        "import socket, threading\nl = socket.create_server(('127.0.0.1', 0))\nthreading.Thread(target=lambda: l.accept()[0].sendall(b'hi')).start()\nprint(socket.create_connection(l.getsockname()).recv(2))",
        &[Status::Success],
    ),
];

fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for own in ALL {
        let broken_is: &[Status] =
            if own.compiles { &[Status::CompileError] } else { &[Status::NonzeroExit] };
        let limited =
            LimitOverrides { wall_seconds: Some(60.0), memory_bytes: Some(200 << 20), ..Default::default() };
        let short = LimitOverrides { wall_seconds: Some(2.0), ..Default::default() };
        let rows: [Row<'_>; 7] = [
            ("print", own.print, "", &LimitOverrides::default(), &[Status::Success], true),
            ("echo", own.echo, "one\ntwo\n", &LimitOverrides::default(), &[Status::Success], true),
            ("broken", own.broken, "", &LimitOverrides::default(), broken_is, false),
            ("exit_3", own.exit_3, "", &LimitOverrides::default(), &[Status::NonzeroExit], true),
            ("crash", own.crash, "", &LimitOverrides::default(), &[Status::Signaled], false),
            ("forever", own.forever, "", &short, &[Status::Timeout], false),
            ("hungry", own.hungry, "", &limited, &[Status::MemoryLimit], false),
        ];
        for (name, code, stdin, limits, expected, same_output) in rows {
            let name = format!("{}::{name}", own.language);
            let limits = limits.clone();
            all.push(Program { name, language: own.language, code, stdin, limits, expected, same_output });
        }
    }
    for (name, language, code, expected) in OTHERS {
        let limits = LimitOverrides {
            cpu_seconds: Some(3.0),
            wall_seconds: Some(20.0),
            processes: Some(48),
            disk_bytes: Some(64 << 20),
            output_total_bytes: Some(4 << 20),
            ..Default::default()
        };
        let same_output = *expected == [Status::Success];
        all.push(Program { name: (*name).into(), language, code, stdin: "", limits, expected, same_output });
    }
    all
}

/// What is compared: status, exit code, signal, and the text where it must be the same.
type Verdict = (Status, Option<i32>, Option<i32>, String);

fn verdict(platform: &Platform, provider: &str, program: &Program) -> Result<Verdict, String> {
    // A second kernel is slow, and slower on a busy machine: what is compared is not speed. Time limits stay.
    let slow = LimitOverrides { wall_seconds: Some(300.0), cpu_seconds: Some(600.0), ..Default::default() };
    let mut request = ExecutionRequest {
        language: Some(program.language.into()),
        source: Source::code(program.code),
        stdin: program.stdin.into(),
        compile_limits: slow,
        environment: Environment {
            limits: program.limits.clone().or(&LimitOverrides {
                wall_seconds: Some(120.0),
                cpu_seconds: Some(120.0),
                ..Default::default()
            }),
            provider: Some(provider.into()),
            ..platform.new_request().environment
        },
        ..platform.new_request()
    };
    request.assurance = Assurance::Require(Level::Isolated);
    let result = platform
        .execute_as(&formicary_platform::local_caller(), request, Live::default())
        .map_err(|failure| failure.to_string())?;
    let text =
        if program.same_output { result.stdout.chars().take(COMPARED_TEXT).collect() } else { String::new() };
    let (code, signal) = match result.status {
        // How a limit is enforced differs; that it was hit does not.
        Status::Success | Status::NonzeroExit | Status::Signaled => (result.exit_code, result.signal),
        _ => (None, None),
    };
    if !program.expected.contains(&result.status) {
        return Err(format!("{} {code:?} {signal:?}\n{}\n{}", result.status, result.stdout, result.stderr));
    }
    Ok((result.status, code, signal, text))
}

fn platform() -> Platform {
    let mut sources = ConfigSources::new(std::env::vars().collect(), None);
    (sources.system_file, sources.user_file) = (None, None);
    sources.flags = vec![("cache.enabled".into(), "off".into()), ("audit.enabled".into(), "off".into())];
    if let Ok(socket) = std::env::var("FORMICARY_TEST_DOCKER") {
        sources.flags.push(("docker.socket".into(), socket));
    }
    Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap()
}

fn next<'p>(waiting: &Mutex<VecDeque<&'p Program>>) -> Option<&'p Program> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
}

#[test]
fn every_provider_says_the_same_of_the_same_program() {
    let platform = platform();
    let report = platform.doctor();
    let available = |name: &&str| {
        report.providers.iter().any(|found| found.name == **name && found.level >= Level::Isolated)
    };
    let (here, missing): (Vec<&str>, Vec<&str>) = PROVIDERS.iter().partition(|name| available(name));
    for name in missing {
        SKIPS.note(&format!("differential::{name}"), "the provider cannot isolate on this host");
    }
    let only = std::env::var("FORMICARY_DIFFERENTIAL").unwrap_or_default();
    let programs: Vec<Program> =
        programs().into_iter().filter(|program| program.name.contains(&only)).collect();
    assert!(!only.is_empty() || programs.len() >= 60, "{}", programs.len());
    let waiting: Mutex<VecDeque<&Program>> = Mutex::new(programs.iter().collect());
    let wrong = Mutex::new(Vec::new());
    let one = || {
        while let Some(program) = next(&waiting) {
            let verdicts: Vec<_> =
                here.iter().map(|name| (*name, verdict(&platform, name, program))).collect();
            let same = verdicts.windows(2).all(|pair| pair[0].1 == pair[1].1);
            let fork_bomb = program.expected.len() > 1;
            if verdicts.iter().any(|(_, verdict)| verdict.is_err()) || !(same || fork_bomb) {
                wrong
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(format!("{}: {verdicts:#?}", program.name));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(one);
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}
