//! Programs in sandboxes and interpreters that stood ready: quicker, and otherwise the same.

use crate::rig::{NATIVE, settings, shown, snippet};
use formicary_execution::{Executor, Live, RunInput};
use formicary_model::{Environment, ExecutionRequest, ExecutionResult, Status};
use formicary_sandbox::Provider;
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::providers::native::{Native, NativeSettings, PoolSettings};
use formicary_testkit::programs::{READING, READING_ARGUMENT, READING_PRINTS, READING_STDIN, Reading};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

struct Warm {
    native: Arc<Native>,
    executor: Executor,
}

impl Warm {
    fn new(pool: PoolSettings) -> Self {
        let native = Arc::new(Native::new(NativeSettings { pool: Some(pool), ..NativeSettings::default() }));
        let provider = Arc::clone(&native) as Arc<dyn Provider>;
        Self { native, executor: Executor::new(settings(), vec![provider]).unwrap() }
    }

    fn run(&self, request: ExecutionRequest) -> ExecutionResult {
        self.executor.warm_up(&request).unwrap();
        let before = self.native.pool_figures().unwrap();
        let result = self.executor.execute(request, Live::default()).unwrap();
        let after = self.native.pool_figures().unwrap();
        // A compiler may find nothing ready: only what runs was waited for.
        assert!(
            after.found + after.made > before.found + before.made,
            "nothing stood ready: {}",
            shown(&result)
        );
        result
    }
}

static WARM: LazyLock<Warm> =
    LazyLock::new(|| Warm::new(PoolSettings { waiting: 1, ..PoolSettings::default() }));

/// Python programs that could tell an interpreter that stood ready from one that was just started.
const PYTHON: &[&str] = &[
    "print(1)",
    "import sys; print(sys.argv)",
    "import sys; print(sys.orig_argv, sys.flags, sys.path, sys.executable, sys.prefix)",
    "import sys; print(sorted(sys.modules))",
    "import os; print(sorted(os.environ.items()))",
    "print(open('/proc/self/environ').read().rstrip('\\0'))",
    "import os; print(os.getpid(), os.getcwd(), os.getuid(), os.getgid(), os.geteuid(), os.getgroups())",
    "import os; print(os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid())",
    "import os; print(sorted(os.listdir('/proc/self/fd'))[:3], os.path.exists('/proc/self/fd/4'))",
    "import os; print(sorted(os.listdir('/')), os.listdir('/tmp'), os.listdir('/work'))",
    "import sys; print(sys.stdin.isatty(), sys.stdout.isatty(), sys.stdin.seekable(), sys.stdout.encoding)",
    "import sys; print(repr(sys.stdin.read()))",
    "import sys\nfor line in sys.stdin: print(line.upper(), end='')",
    "print(__name__, __file__, __builtins__.__name__, __doc__, __spec__)",
    "import __main__; print(sorted(vars(__main__)))",
    "import signal; print([signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGCHLD)])",
    "import signal; print(signal.pthread_sigmask(signal.SIG_BLOCK, []))",
    "import threading; print(threading.active_count(), threading.current_thread().name)",
    "import threading\nt = threading.Thread(target=lambda: print('thread')); t.start(); t.join()",
    "import subprocess; print(subprocess.run(['echo', 'child'], capture_output=True).stdout)",
    "import os\npid = os.fork()\nif pid == 0: os._exit(7)\nprint(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))",
    "import multiprocessing as m\nprint(m.Pool(2).map(abs, [-1, -2]))",
    "import resource as r; print([r.getrlimit(x) for x in (r.RLIMIT_NOFILE, r.RLIMIT_NPROC, r.RLIMIT_FSIZE, r.RLIMIT_CORE)])",
    "import atexit; atexit.register(print, 'at exit'); print('first')",
    "import atexit, sys; atexit.register(sys.stdout.write, 'last'); 1 / 0",
    "class A:\n def __del__(self): print('gone')\na = A(); a.itself = a; print('here')",
    "class A:\n def __del__(self): print('gone')\ndef f(): return a\na = A(); print('here')",
    "class A:\n def __del__(self): print('gone', __name__)\nimport __main__, json; json.kept = __main__; a = A()",
    "class A:\n def __del__(self): print('gone')\nimport sys; a = A(); sys.exit(4)",
    "class A:\n def __del__(self): print('gone')\na = A(); a.x = 1; raise KeyError(a.x)",
    "import sys; sys.unraisablehook = lambda e: print(e.exc_value)\nclass A:\n def __del__(self): raise ValueError('in vain')\na = A(); del a",
    "f = open('kept', 'w'); f.write('x' * 100); import atexit, os; atexit.register(os.system, 'wc -c kept'); g = f",
    "import sys; sys.stdout = open('/dev/stdout', 'w'); print('never flushed by hand')",
    "import sys; sys.stdout.write('no end of line')",
    "import sys; sys.stdout.close()",
    "import os; os.close(1); print('nowhere')",
    "import os, sys\nif os.fork() == 0: print('child'); sys.exit(9)\nprint(os.waitstatus_to_exitcode(os.wait()[1]))",
    "import os\nif os.fork(): print(os.waitstatus_to_exitcode(os.wait()[1]))\nelse: print('child, at its end')",
    "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print('late'))).start(); print('main')",
    "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start(); print('main')",
    "def g():\n try: yield\n finally: print('closed')\nx = g(); next(x)",
    "import weakref\nclass A: pass\na = A(); weakref.finalize(a, print, 'finalized')",
    "import ctypes; ctypes.CDLL(None).printf(b'by the C library\\n')",
    "import sys; del sys.modules['__main__']; print('still')",
    "import sys; sys.modules.clear(); print('still')",
    "globals().clear()",
    "exec('raise SystemExit(6)')",
    "import sys\ntry: 1 / 0\nexcept ZeroDivisionError: sys.last_type, sys.last_value, sys.last_traceback = sys.exc_info()\nprint('on')",
    "def f(): raise KeyError(1)\ntry: f()\nfinally: print('done')",
    "raise KeyboardInterrupt",
    "import sys; sys.excepthook = lambda *a: print('hook', a[0].__name__); {}['x']",
    "import sys; sys.excepthook = lambda *a: sys.exit(8); {}['x']",
    "import code; code.InteractiveInterpreter().runsource('1/0'); print('on')",
    "import os, signal; os.kill(os.getpid(), signal.SIGINT)",
    "import asyncio\nasync def g():\n try: yield\n finally: print('closed')\nasync def m():\n global x; x = g(); await x.__anext__()\nasyncio.run(m())",
    "import math, random, heapq, decimal, datetime; print(math.floor(2.5), heapq.nsmallest(1, [2, 1]))",
    "import sys; sys.exit(3)",
    "import sys; sys.exit('to stderr')",
    "raise SystemExit",
    "import os; os._exit(5)",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "import os; os.abort()",
    "1 / 0",
    "def f(:",
    "raise ValueError('é ü 漢')",
    "import warnings; warnings.warn('look')",
    "import sys; print('err', file=sys.stderr); print('out')",
    "import os; os.write(1, b'raw'); print('text')",
    "open('made.txt', 'w').write('x'); import os; print(os.listdir('.'))",
    "open('/usr/forbidden', 'w')",
    "import socket; socket.create_connection(('192.0.2.7', 80), 1)",
    "import socket, threading\ns = socket.create_server(('127.0.0.1', 0))\nc = socket.create_connection(s.getsockname())\nprint(c.getpeername()[0])",
    "import tempfile, os; print(os.path.dirname(tempfile.mkstemp()[1]))",
    "import locale, sys; print(locale.getpreferredencoding(), sys.getfilesystemencoding())",
    "import gc; print(gc.isenabled(), gc.get_threshold())",
    "import sys; print(sys.getrecursionlimit(), sys.getswitchinterval())\ndef f(n): return f(n + 1)\ntry: f(0)\nexcept RecursionError: print('deep')",
    "import asyncio; print(asyncio.run(asyncio.sleep(0, 'slept')))",
    "import ctypes; print(ctypes.CDLL(None).getppid())",
    "import sysconfig, platform; print(platform.python_version(), sysconfig.get_path('purelib'))",
    "import time; a = time.monotonic(); time.sleep(0.01); print(time.monotonic() > a, time.process_time() < 5)",
    "import json, re, math, collections, itertools; print(json.dumps({'a': math.pi}), re.findall('a+', 'caat'))",
    "import os; print(open('/proc/self/status').read().split('Mems')[0].split('Cap')[1:], open('/proc/self/oom_score_adj').read())",
    "import os; print(oct(os.umask(0)), os.nice(0), os.sched_getaffinity(0) != set())",
    "print(open('/dev/stdin').read(), file=open('/dev/stdout', 'w'))",
];

const NODE: &[&str] = &[
    "console.log(1)",
    "console.log(process.argv, process.execArgv, process.title)",
    "console.log(Object.keys(process.env).sort())",
    "console.log(process.cwd(), process.pid, process.getuid(), __filename, require.main === module)",
    "console.log(Object.keys(require.cache).length, module.children.length)",
    "process.stdin.on('data', d => process.stdout.write(d.toString().toUpperCase()))",
    "console.log(JSON.stringify(require('fs').readFileSync(0, 'utf8')))",
    "import fs from 'fs'; console.log(fs.readdirSync('/work').sort(), import.meta.url)",
    "process.exit(4)",
    "throw new Error('boom')",
    "syntax error here",
    "console.log(require('child_process').execSync('echo child').toString())",
    "setTimeout(() => console.log('later'), 5)",
    "process.on('exit', c => console.log('exit', c))",
    "console.error('err'); console.log(require('fs').existsSync('/proc/self/fd/4'))",
    "process.kill(process.pid, 'SIGKILL')",
];

/// What a program said and how it ended, without what differs between any two runs.
fn seen(result: &ExecutionResult) -> (Status, Option<i32>, Option<i32>, String, String) {
    let plain = |text: &str| text.replace(&result.run_id, "");
    (result.status, result.exit_code, result.signal, plain(&result.stdout), plain(&result.stderr))
}

#[test]
fn a_program_does_not_notice() {
    let programs =
        PYTHON.iter().map(|code| ("python", *code)).chain(NODE.iter().map(|code| ("javascript", *code)));
    let mut differences = Vec::new();
    for (language, code) in programs {
        let request = || ExecutionRequest {
            stdin: b"one\ntwo\n".to_vec(),
            args: vec!["first".into(), String::new(), "with space".into()],
            ..snippet(language, code)
        };
        let cold = NATIVE.execute(request(), Live::default()).unwrap();
        let warm = WARM.run(request());
        if seen(&cold) != seen(&warm) {
            differences.push(format!("{code}\n  cold: {:?}\n  warm: {:?}", seen(&cold), seen(&warm)));
        }
        assert_eq!(cold.enforcement.protections, warm.enforcement.protections, "{code}");
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n"));
}

/// Every language in a sandbox of its own, in one that stood ready, and compiled once for several runs.
#[test]
fn every_language_reads_its_input_cold_ready_and_prepared() {
    let warm = Warm::new(PoolSettings { waiting: 1, ..PoolSettings::default() });
    for Reading { language, code } in READING {
        let request = || ExecutionRequest {
            stdin: READING_STDIN.into(),
            args: vec![READING_ARGUMENT.into()],
            ..snippet(language, code)
        };
        let cold = NATIVE.execute(request(), Live::default()).unwrap();
        assert_eq!(cold.stdout, READING_PRINTS, "{language}, cold: {}", shown(&cold));
        for _ in 0..2 {
            let result = warm.run(request());
            assert_eq!(result.stdout, READING_PRINTS, "{language}, ready: {}", shown(&result));
        }
        let program = warm.executor.prepare(&request(), &Live::default()).unwrap();
        for _ in 0..2 {
            let input = RunInput { stdin: Stdin::Bytes(READING_STDIN.into()), ..RunInput::default() };
            let result = warm.executor.run_prepared(&program, input, &Live::default()).unwrap();
            assert_eq!(result.stdout, READING_PRINTS, "{language}, prepared: {}", shown(&result));
        }
    }
}

#[test]
fn random_numbers_differ_between_programs_and_hash_seeds_between_neighbours() {
    let pool = PoolSettings { waiting: 2, ..PoolSettings::default() };
    let warm = Warm::new(pool);
    let code = "import random, uuid, secrets; print(random.random(), uuid.uuid4(), secrets.token_hex(8))";
    let numbers: Vec<String> = (0..6).map(|_| warm.run(snippet("python", code)).stdout).collect();
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), 6, "{numbers:?}");
    let hashes: BTreeSet<String> =
        (0..6).map(|_| warm.run(snippet("python", "print(hash('a'))")).stdout).collect();
    assert!(hashes.len() >= 2, "{hashes:?}");
}

#[test]
fn limits_hold_in_what_stood_ready() {
    type Change = fn(&mut ExecutionRequest);
    let with = |code: &str, change: Change| {
        let mut request = snippet("python", code);
        change(&mut request);
        WARM.run(request)
    };
    let cases: [(&str, Change, Status); 5] = [
        ("while True: pass", |r| r.limits.wall_seconds = Some(0.5), Status::Timeout),
        ("x = bytearray(300_000_000)", |r| r.limits.memory_bytes = Some(64 << 20), Status::MemoryLimit),
        ("while True: pass", |r| r.limits.cpu_seconds = Some(0.5), Status::CpuLimit),
        (
            "while True: print('x' * 1000)",
            |r| r.limits.output_total_bytes = Some(100_000),
            Status::OutputLimit,
        ),
        (
            "open('f', 'wb').write(b'x' * 9_000_000)",
            |r| r.limits.disk_bytes = Some(4 << 20),
            Status::DiskLimit,
        ),
    ];
    for (code, change, status) in cases {
        let result = with(code, change);
        assert_eq!(result.status, status, "{}", shown(&result));
    }
}

#[test]
fn one_program_leaves_nothing_to_the_next() {
    let plant = "import os, sys, builtins\nfor d in ('/work', '/tmp', '/dev/shm'): open(d + '/left', 'w').write('x')\n\
                 builtins.left = 1; sys.modules['left'] = sys; os.environ['LEFT'] = '1'";
    let look = "import os, sys, builtins\nprint([os.listdir(d) for d in ('/work', '/tmp', '/dev/shm')],\
                hasattr(builtins, 'left'), 'left' in sys.modules, 'LEFT' in os.environ)";
    for _ in 0..3 {
        assert_eq!(WARM.run(snippet("python", plant)).status, Status::Success);
        let found = WARM.run(snippet("python", look)).stdout;
        assert_eq!(found, "[['main.py'], [], []] False False False\n");
    }
}

#[test]
fn large_files_and_many_arguments_reach_a_program_that_stood_ready() {
    let mut request = snippet(
        "python",
        &format!("x = '{}'\nimport sys; print(len(x), len(sys.argv))", "y".repeat(500_000)),
    );
    request.args = (0..500).map(|number| format!("argument {number}")).collect();
    assert_eq!(WARM.run(request).stdout, "500000 501\n");
}

#[test]
fn what_a_caller_brings_is_not_shared() {
    // A variable that steers the interpreter: it gets one of its own.
    let mut request = snippet("python", "import sys; print(sys.flags.optimize)");
    request.env.insert("PYTHONOPTIMIZE".into(), "2".into());
    assert_eq!(WARM.run(request).stdout, "2\n");
}

#[test]
fn an_interpreter_that_cannot_stand_ready_is_told_and_programs_run_all_the_same() {
    let warm =
        Warm::new(PoolSettings { python_imports: vec!["no_such_module".into()], ..PoolSettings::default() });
    let request = || snippet("python", "print('still')");
    let failure = warm.executor.warm_up(&request()).unwrap_err();
    assert!(failure.message.contains("no_such_module"), "{}", failure.message);
    let result = warm.executor.execute(request(), Live::default()).unwrap();
    assert_eq!(result.stdout, "still\n");
}

#[test]
fn nothing_stands_ready_for_long_when_nobody_asks() {
    let warm =
        Warm::new(PoolSettings { idle: std::time::Duration::from_millis(200), ..PoolSettings::default() });
    warm.run(snippet("python", "print(1)"));
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while warm.native.pool_figures().unwrap().ready > 0 {
        assert!(std::time::Instant::now() < deadline, "still ready");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Notes how the process is confined that it is imported in.
const NOTE: &str = "import posix, sys\nfd = posix.open('/proc/self/status', 0)\n\
                    status = posix.read(fd, 1 << 16).split(b'\\n')\nposix.close(fd)\n\
                    sys.planted = [line for line in status if line.startswith((b'CapEff', b'Seccomp:'))]\n";

/// The rest of an `encodings` that goes on as the interpreter's own.
const GO_ON: &str = "real = [p for p in sys.path if 'python3' in p and not p.endswith('.zip')][0] + '/encodings'\n\
                     fd = posix.open(real + '/__init__.py', 0)\ntext = posix.read(fd, 1 << 20)\nposix.close(fd)\n\
                     __path__ = [real]\nexec(compile(text, real, 'exec'))\n";

/// An interpreter imports from the packages in its sight while it starts. One that stands ready does so in the process that
/// other programs come from, with capabilities and without a filter.
#[test]
fn packages_that_a_caller_brings_are_imported_confined_only() {
    let warm = Warm::new(PoolSettings { waiting: 1, ..PoolSettings::default() });
    let print = "import sys; print(getattr(sys, 'planted', None))";
    for (name, rest) in [("sitecustomize.py", ""), ("usercustomize.py", ""), ("encodings/__init__.py", GO_ON)]
    {
        let venv = venv_with(name, &format!("{NOTE}{rest}"));
        let request = || ExecutionRequest {
            environment: Environment {
                venv: Some(venv.path().to_string_lossy().into_owned()),
                ..snippet("python", print).environment
            },
            ..snippet("python", print)
        };
        let cold = NATIVE.execute(request(), Live::default()).unwrap();
        // Without site packages of the user's, nobody asks for their customization.
        if name != "usercustomize.py" {
            assert!(cold.stdout.contains("CapEff"), "{name} is not imported: {}", shown(&cold));
        }
        for _ in 0..2 {
            let result = warm.run(request());
            assert_eq!(result.stdout, cold.stdout, "{name}: {}", shown(&result));
            let confined = "[b'CapEff:\\t0000000000000000', b'Seccomp:\\t2']\n";
            assert!([confined, "None\n"].contains(&result.stdout.as_str()), "{name}: {}", shown(&result));
        }
    }
}

/// A program in such an environment is found nowhere but in a sandbox of its own: the interpreters that stand ready before and
/// after it know nothing of it.
#[test]
fn packages_of_one_caller_reach_no_other() {
    let warm = Warm::new(PoolSettings { waiting: 1, ..PoolSettings::default() });
    let venv = venv_with("brought.py", "here = True\n");
    let code =
        "import sys\ntry: import brought\nexcept ImportError: print('none')\nelse: print(brought.here)";
    let with = || ExecutionRequest {
        environment: Environment {
            venv: Some(venv.path().to_string_lossy().into_owned()),
            ..snippet("python", code).environment
        },
        ..snippet("python", code)
    };
    for _ in 0..2 {
        assert_eq!(warm.run(with()).stdout, "True\n");
        assert_eq!(warm.run(snippet("python", code)).stdout, "none\n");
    }
}

#[test]
fn modules_stand_ready_where_that_was_asked_for() {
    let warm = Warm::new(PoolSettings { python_imports: vec!["decimal".into()], ..PoolSettings::default() });
    let result = warm.run(snippet("python", "import sys; print('decimal' in sys.modules)"));
    assert_eq!(result.stdout, "True\n", "{}", shown(&result));
}

/// A virtual environment with this file among its packages.
fn venv_with(name: &str, text: &str) -> formicary_testkit::Scratch {
    let venv = formicary_testkit::Scratch::new("venv").unwrap();
    let version = NATIVE
        .execute(snippet("python", "import sys; print('%d.%d' % sys.version_info[:2])"), Live::default());
    let version = version.unwrap().stdout.trim().to_string();
    let packages = venv.path().join(format!("lib/python{version}/site-packages"));
    let path = packages.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::write(venv.path().join("pyvenv.cfg"), format!("version = {version}\n")).unwrap();
    venv
}
