//! Real programs in the real sandbox, through the whole command.

use crate::command::Bench;
use formicary_model::Language;

const HELLO: [(Language, &str); 9] = [
    (Language::Python, "print('hello')"),
    (Language::JavaScript, "console.log('hello')"),
    (Language::TypeScript, "const word: string = 'hello';\nconsole.log(word)"),
    (
        Language::Java,
        "public class Anything { public static void main(String[] a) { System.out.println(\"hello\"); } }",
    ),
    (Language::C, "#include <stdio.h>\nint main(void) { puts(\"hello\"); }"),
    (Language::Cpp, "#include <iostream>\nint main() { std::cout << \"hello\\n\"; }"),
    (Language::Go, "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"hello\") }"),
    (Language::Rust, "fn main() { println!(\"hello\"); }"),
    (Language::Bash, "echo hello"),
];

#[test]
fn hello_in_each_language() {
    let bench = Bench::new();
    let languages = bench.run(&["languages", "--json"]).json();
    for (language, code) in HELLO {
        let state = languages.as_array().unwrap().iter().find(|l| l["id"] == language.id()).unwrap();
        let said = bench.run(&["run", "-l", language.id(), "-c", code]);
        if state["availability"].get("missing").is_some() {
            assert_eq!(said.code, 121, "{language}: {said:?}");
            assert!(said.stderr.contains("hint: "), "{language}: {said:?}");
        } else {
            assert_eq!((said.code, said.stdout.as_str()), (0, "hello\n"), "{language}: {said:?}");
        }
    }
}

#[test]
fn code_from_an_argument_a_file_stdin_and_a_folder() {
    let bench = Bench::new()
        .file("hello.py", "print('from a file')")
        .file("project/main.py", "import part\nprint(part.WORD)")
        .file("project/part.py", "WORD = 'from a folder'")
        .file("project/other.py", "print('the entry that was named')");
    let said = |arguments: &[&str]| bench.run(arguments).stdout;
    assert_eq!(said(&["run", "-l", "py", "-c", "print('from an argument')"]), "from an argument\n");
    assert_eq!(said(&["run", "hello.py"]), "from a file\n");
    assert_eq!(said(&["run", "project"]), "from a folder\n");
    assert_eq!(said(&["run", "project", "--entry", "other.py"]), "the entry that was named\n");
    assert_eq!(said(&["run", "project", "--command", "cat part.py"]), "WORD = 'from a folder'");
    assert_eq!(said(&["run", "project", "--command", "echo $1-$2", "--", "a", "b c"]), "a-b c\n");
    for arguments in [&["run", "-l", "python", "-"][..], &["run", "-l", "python"]] {
        assert_eq!(bench.run_with_stdin(arguments, b"print('from stdin')").stdout, "from stdin\n");
    }
}

#[test]
fn the_exit_code_is_passed_through() {
    let bench = Bench::new();
    let cases = [
        ("import sys; sys.exit(0)", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit(255)", 255),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", 139),
        ("raise ValueError('x')", 1),
    ];
    for (code, expected) in cases {
        let said = bench.run(&["run", "-l", "python", "-c", code]);
        assert_eq!(said.code, expected, "{code}: {said:?}");
        assert!(!said.stderr.contains("error: "), "{said:?}");
    }
    let said = bench.run(&["run", "-l", "c", "-c", "int main(void) { return x; }"]);
    assert_eq!(said.code, 126, "{said:?}");
    assert!(said.stderr.contains("formicary: compile_error") && said.stdout.is_empty(), "{said:?}");
}

#[test]
fn a_limit_says_one_line_of_why() {
    let bench = Bench::new();
    let cases: [(&str, &[&str], i32, &str); 3] = [
        ("while True: pass", &["--timeout", "1s"], 124, "formicary: timeout"),
        ("x = bytearray(400_000_000)", &["--memory", "64MiB"], 123, "formicary: memory_limit"),
        ("while True: print('x' * 10000)", &["--max-total-output", "1MiB"], 123, "formicary: output_limit"),
    ];
    for (code, flags, exit, line) in cases {
        let mut arguments = vec!["run", "-l", "python", "-c", code];
        arguments.extend(flags);
        let said = bench.run(&arguments);
        assert_eq!(said.code, exit, "{code}: {}", said.stderr);
        let lines: Vec<_> = said.stderr.lines().filter(|found| found.starts_with(line)).collect();
        assert_eq!(lines.len(), 1, "{code}: {}", said.stderr);
        arguments.push("--quiet");
        let quiet = bench.run(&arguments);
        assert!(!quiet.stderr.contains("formicary:"), "{code}: {}", quiet.stderr);
        assert_eq!(quiet.code, exit);
    }
}

#[test]
fn the_json_result_has_its_promised_shape() {
    let bench = Bench::new();
    let code = "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(4)";
    let said = bench.run(&["run", "-l", "python", "-c", code, "--json"]);
    assert_eq!((said.code, said.stderr.as_str()), (4, ""), "{said:?}");
    let result = said.json();
    for (field, value) in
        [("status", "nonzero_exit"), ("stdout", "out\n"), ("stderr", "err\n"), ("language", "python")]
    {
        assert_eq!(result[field], value, "{field}");
    }
    assert_eq!(result["exit_code"], 4);
    for field in
        ["run_id", "signal", "duration", "usage", "truncated", "enforcement", "violations", "artifacts"]
    {
        assert!(result.get(field).is_some(), "{field}: {result}");
    }
    for field in ["cpu_user", "cpu_system", "memory_peak", "io_read", "io_write", "processes_peak"] {
        assert!(result["usage"].get(field).is_some(), "usage.{field}: {result}");
    }
    assert_eq!(result["enforcement"]["provider"], "native");
    assert_eq!(result["enforcement"]["protections"].as_object().unwrap().len(), 22);
}

#[test]
fn stdin_reaches_the_program_byte_for_byte() {
    let bench = Bench::new().file("input", b"\x00\xff\x80abc");
    let echo = "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())";
    let large: Vec<u8> = (0..5_000_000u32).map(|n| (n % 251) as u8).collect();
    let said = bench.run_with_stdin(&["run", "-l", "python", "-c", echo], &large);
    assert!(said.bytes == large, "{} bytes came back, {}", said.bytes.len(), said.stderr);
    let said = bench.run(&["run", "-l", "python", "-c", echo, "--stdin-file", "input"]);
    assert_eq!(said.bytes, b"\x00\xff\x80abc");
    let never_read = bench.run_with_stdin(&["run", "-l", "python", "-c", "print(1)"], &large);
    assert_eq!((never_read.code, never_read.stdout.as_str()), (0, "1\n"));
}

#[test]
fn arguments_environment_and_mounts() {
    let bench = Bench::new().file("data/a.txt", "mounted");
    let code = "import os, sys\nprint(sys.argv[1:], os.environ['WORD'], open('/data/a.txt').read())";
    let arguments =
        ["run", "-l", "python", "-c", code, "-e", "WORD=a=b", "--mount", "data:/data", "--", "-x", "y z"];
    assert_eq!(bench.run(&arguments).stdout, "['-x', 'y z'] a=b mounted\n");
    let write = ["run", "-l", "bash", "-c", "echo new > /data/b.txt", "--mount", "data:/data"];
    assert_ne!(bench.run(&write).code, 0, "a mount is read-only unless :rw");
    assert!(!bench.here().join("data/b.txt").exists());
}

#[test]
fn produced_files_are_collected() {
    let bench = Bench::new();
    let code =
        "mkdir -p sub; echo one > a.txt; echo two > sub/b.txt; echo no > c.log; ln -s /etc/passwd d.txt";
    let said = bench.run(&["run", "-l", "bash", "-c", code, "--collect", "**/*.txt", "--out", "got"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(std::fs::read(bench.here().join("got/a.txt")).unwrap(), b"one\n");
    assert_eq!(std::fs::read(bench.here().join("got/sub/b.txt")).unwrap(), b"two\n");
    assert!(!bench.here().join("got/c.log").exists() && !bench.here().join("got/d.txt").exists());
    let json = bench.run(&["run", "-l", "bash", "-c", code, "--collect", "a.txt", "--json"]).json();
    assert_eq!(json["artifacts"][0]["content"], "one\n");
}

#[test]
fn events_and_the_audit_log_tell_the_run() {
    let bench = Bench::new();
    let said = bench.run(&[
        "run",
        "-l",
        "python",
        "-c",
        "print(1)",
        "--events",
        "events.jsonl",
        "--set",
        "audit.file=audit.db",
    ]);
    assert_eq!(said.code, 0, "{said:?}");
    let read = |name: &str| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(bench.here().join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let kinds: Vec<_> =
        read("events.jsonl").iter().map(|e| e["event"].as_str().unwrap().to_owned()).collect();
    assert_eq!((kinds[0].as_str(), kinds.last().unwrap().as_str()), ("received", "finished"), "{kinds:?}");
    let audit = |verb: &[&str]| {
        let place = ["--set", "audit.file=audit.db", "--json", "audit"];
        bench.run(&[&place[..], verb].concat())
    };
    let records = audit(&["query"]).json();
    assert_eq!((&records[0]["status"], &records[0]["language"]), (&"success".into(), &"python".into()));
    assert_eq!((&records[1]["kind"], records.as_array().map(Vec::len)), (&"started".into(), Some(2)));
    assert_eq!(audit(&["verify"]).json()["intact"], true);
    let exported = audit(&["export"]).stdout;
    std::fs::write(bench.here().join("out.jsonl"), &exported).unwrap();
    assert_eq!(audit(&["verify", "--archive", "out.jsonl"]).json()["records"], 2);
    std::fs::write(bench.here().join("out.jsonl"), exported.replace("python", "pythor")).unwrap();
    assert_eq!(audit(&["verify", "--archive", "out.jsonl"]).code, 1);
}

#[test]
fn a_language_of_the_users_own_runs() {
    let bench = Bench::new().file(
        "own.toml",
        "[languages.shout]\nextension = \"shout\"\nrun = [\"/bin/sh\", \"-c\", \"tr a-z A-Z < {file}\"]\n",
    );
    let bench = bench.variable("FORMICARY_CONFIG", "own.toml");
    let said = bench.run(&["run", "-l", "shout", "-c", "hello"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "HELLO"), "{said:?}");
}

#[test]
fn no_network_unless_named() {
    let bench = Bench::new();
    let code = "import socket\nprint(sorted(name for _, name in socket.if_nameindex()))";
    assert_eq!(bench.run(&["run", "-l", "python", "-c", code]).stdout, "['lo']\n");
    let host = bench.run(&["run", "-l", "python", "-c", code, "--network", "host", "--json"]).json();
    assert!(host["enforcement"]["protections"]["network"].get("waived").is_some(), "{host}");
}
