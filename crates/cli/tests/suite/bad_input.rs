//! Every bad input gets one line that names it, one that names the remedy, exit code 120, and leaves nothing behind.

use crate::command::Bench;

/// Runs a command that must be refused with this message and this hint.
fn check(bench: &Bench, arguments: &[&str], message: &str, hint: &str) {
    check_with_stdin(bench, arguments, b"", message, hint);
}

fn check_with_stdin(bench: &Bench, arguments: &[&str], stdin: &[u8], message: &str, hint: &str) {
    let before = bench.names();
    let said = bench.run_with_stdin(arguments, stdin);
    let lines: Vec<_> = said.stderr.lines().collect();
    assert_eq!(said.code, 120, "{arguments:?}: {said:?}");
    assert_eq!(said.stdout, "", "{arguments:?}");
    assert_eq!(lines.len(), 2, "one line of what, one of what to do: {arguments:?}: {said:?}");
    assert!(lines[0].starts_with("error: ") && lines[0].contains(message), "{arguments:?}: {said:?}");
    assert!(lines[1].starts_with("hint: ") && lines[1].contains(hint), "{arguments:?}: {said:?}");
    assert!(!said.stderr.contains("panicked"), "{said:?}");
    assert_eq!(bench.names(), before, "nothing is left behind: {arguments:?}");

    let mut with_json = vec!["--json"];
    with_json.extend(arguments);
    let said = bench.run_with_stdin(&with_json, stdin);
    assert_eq!((said.code, said.stderr.as_str()), (120, ""), "{with_json:?}: {said:?}");
    let error = &said.json()["error"];
    assert!(matches!(error["kind"].as_str(), Some("invalid_input" | "invalid_configuration")), "{said:?}");
    assert!(error["message"].as_str().unwrap().contains(message), "{said:?}");
    assert!(error["hint"].as_str().unwrap().contains(hint), "{said:?}");
}

#[test]
fn misspelt_words() {
    let bench = Bench::new();
    check(
        &bench,
        &["run", "-l", "pyhton", "-c", "1"],
        "unknown language \"pyhton\"",
        "did you mean \"python\"?",
    );
    check(&bench, &["run", "-l", "cobol", "-c", "1"], "unknown language \"cobol\"", "python");
    check(&bench, &["run", "--tmeout", "3", "-c", "1"], "'--tmeout'", "did you mean --timeout?");
    check(&bench, &["runn", "x.py"], "'runn'", "did you mean run?");
    check(&bench, &["run", "--require", "ful", "-c", "1"], "'ful'", "formicary run --help");
    check(&bench, &["completions", "bsh"], "'bsh'", "did you mean bash?");
    check(
        &bench,
        &["config", "--set", "limits.memroy_bytes=1G"],
        "limits.memroy_bytes",
        "did you mean limits.memory_bytes?",
    );
    check(&bench, &["session"], "no command is given", "formicary session --help");
    for next in [
        "`formicary doctor`",
        "`formicary run -l bash -c 'echo Hello'`",
        "`formicary review .`",
        "formicary --help",
    ] {
        check(&bench, &[], "no command is given", next);
    }
}

#[test]
fn code_that_cannot_be_taken() {
    let bench = Bench::new()
        .file("nul.py", "print(1)\nx = '\0'\n")
        .file("latin.py", b"# caf\xe9\n")
        .file("picture.py", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe")
        .file("large.py", vec![b'#'; 10 * 1024 * 1024]);
    let python = |file: &'static str| ["run", "-l", "python", file];
    check(&bench, &python("missing.py"), "file missing.py does not exist", "check the path");
    check(&bench, &python("nul.py"), "line 2", "");
    check(&bench, &python("latin.py"), "line 1", "UTF-8");
    check(&bench, &python("picture.py"), "picture.py", "");
    check(
        &bench,
        &python("large.py"),
        "file large.py has 10 MiB, at most 1 MiB",
        "--set max_code_bytes=SIZE",
    );
    let large = vec![b'#'; 2 * 1024 * 1024];
    check_with_stdin(
        &bench,
        &python("-"),
        &large,
        "the code on stdin has more, at most 1 MiB",
        "max_code_bytes",
    );
    check_with_stdin(&bench, &python("-"), b"x = '\xff'", "line 1", "UTF-8");
    check(&bench, &["run", "-c", "1", "large.py"], "cannot be used with", "formicary run --help");
}

#[test]
fn a_named_pipe_is_not_waited_for() {
    let bench = Bench::new().file("a.py", "print(1)\n").file("t.json", "[]");
    for name in ["pipe", "pipe.py", "pipe.yml", "pipe.jsonl", "pipe.json"] {
        let status = std::process::Command::new("mkfifo").arg(bench.here().join(name)).status().unwrap();
        assert!(status.success());
    }
    // A signal from outside ends the test where one waits after all.
    for arguments in [
        &["run", "pipe.py"][..],
        &["run", "-l", "python", "pipe"],
        &["run", "a.py", "--stdin-file", "pipe"],
        &["diagnose", "pipe"],
        &["diagnose", "pipe.py"],
        &["diagnose", "--log", "pipe.py"],
        &["diagnose", "a.py", "--stdin-file", "pipe"],
        &["debug", "pipe.py"],
        &["fix", "pipe.py"],
        &["fix", "a.py", "--tests", "pipe.py"],
        &["fix", "a.py", "--expect", "pipe"],
        &["inspect", "pipe.py", "--break", "1"],
        &["inspect", "a.py", "--stdin-file", "pipe", "--break", "1"],
        &["judge", "pipe.jsonl"],
        &["judge", "a.py", "--problems", "pipe.jsonl"],
        &["search", "print($X)", "pipe.py"],
        &["search", "--rule", "pipe.yml"],
        &["rewrite", "print($X)", "--to", "show($X)", "pipe.py"],
        &["review", "pipe.py"],
        &["review", "--new", "pipe"],
        &["clones", "pipe.py"],
        &["refactorings", "pipe.py", "a.py"],
        &["symbols", "print", "pipe.py"],
        &["tests", "run", "pipe.py"],
    ] {
        let said = bench.run(arguments);
        assert!(said.code != 0 && said.code != -1, "{arguments:?}: {said:?}");
        let told = format!("{}{}", said.stdout, said.stderr);
        assert!(told.contains("pipe") && !told.contains("panicked"), "{arguments:?}: {said:?}");
    }
    // What the shell has opened is no named pipe.
    let mut shell = std::process::Command::new("bash");
    let binary = bench.command(&[""; 0]).get_program().to_owned();
    let traceback =
        "Traceback (most recent call last):\\n  File \"a.py\", line 3, in <module>\\nNameError: no x\\n";
    shell.arg("-c").arg(format!("\"$0\" diagnose <(printf '{traceback}')")).arg(binary);
    let output = shell.current_dir(bench.here()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("NameError"), "{output:?}");
}

#[test]
fn arguments_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let word = |text: &'static [u8]| OsStr::from_bytes(text);
    let cases = [
        (vec![word(b"run"), word(b"-lpython"), word(b"-c"), word(b"x = 1\ny = '\xff'")], "line 2"),
        (vec![word(b"run"), word(b"-lpython"), word(b"-c1"), word(b"--"), word(b"\xff")], "not UTF-8"),
        (vec![word(b"run"), word(b"\xff.py")], "does not exist"),
        (vec![word(b"run"), word(b"-l\xff"), word(b"-c1")], "not UTF-8"),
    ];
    for (arguments, message) in cases {
        let said = Bench::new().run(&arguments);
        assert_eq!((said.code, said.stderr.lines().count()), (120, 2), "{arguments:?}: {said:?}");
        assert!(said.stderr.lines().next().unwrap().contains(message), "{arguments:?}: {said:?}");
    }
}

#[test]
fn folders_that_cannot_be_run() {
    let bench = Bench::new().file("project/main.py", "print(1)").file("plain.py", "print(1)");
    std::fs::create_dir(bench.here().join("empty")).unwrap();
    check(&bench, &["run", "empty"], "directory empty holds no files", "give a directory with source files");
    check(&bench, &["run", "project", "--entry", "../x"], "../x", "");
    check(&bench, &["run", "project", "--entry", "missing.py"], "missing.py", "");
    check(
        &bench,
        &["run", "plain.py", "--entry", "x.py"],
        "--entry is given without a folder",
        "give the folder",
    );
}

#[test]
fn limits_out_of_bounds() {
    let bench = Bench::new();
    let cases = [
        ("--timeout", "0", "'0' for '--timeout <DURATION>': outside 100 ms to 300 s"),
        ("--timeout", "-1", "'-1' for '--timeout <DURATION>': outside"),
        ("--timeout", "-5s", "'-5s' for '--timeout <DURATION>': outside"),
        ("--timeout", "1000000000", "'1000000000' for '--timeout <DURATION>': outside"),
        ("--timeout", "soon", "'soon' for '--timeout <DURATION>': not a duration"),
        ("--memory", "0", "'0' for '--memory <SIZE>': outside 8 MiB to 1 TiB"),
        ("--memory", "-1G", "'-1G' for '--memory <SIZE>': outside"),
        ("--memory", "nan", "'nan' for '--memory <SIZE>': not a size"),
        ("--processes", "0", "'0' for '--processes <COUNT>': outside 1 to 32768"),
        ("--processes", "1000000000", "'1000000000' for '--processes <COUNT>': outside"),
        ("--cores", "-2", "'-2' for '--cores <NUMBER>': outside"),
        ("--disk", "0", "'0' for '--disk <SIZE>': outside"),
        ("--open-files", "9.5", "'9.5' for '--open-files <COUNT>': not a whole number"),
        ("--max-output", "0", "'0' for '--max-output <SIZE>': outside"),
    ];
    for (flag, value, message) in cases {
        check(&bench, &["run", "-l", "python", "-c", "1", flag, value], message, "formicary run --help");
    }
}

#[test]
fn what_would_open_the_sandbox() {
    let bench = Bench::new();
    let with = |flag: &'static str, value: &'static str| ["run", "-l", "python", "-c", "1", flag, value];
    check(&bench, &with("--mount", "/:/host"), "\"/\"", "--insist-mount");
    check(&bench, &with("--mount", "/proc:/p"), "/proc", "--insist-mount");
    check(&bench, &with("--mount", "/var/run/docker.sock:/d"), "docker.sock", "");
    check(&bench, &with("--mount", "/nowhere/at/all:/d"), "/nowhere/at/all", "");
    check(&bench, &with("--mount", "x"), "'x' for '--mount", "formicary run --help");
    check(&bench, &with("--mount", "/usr/share:/../etc"), "/../etc", "");
    check(&bench, &with("--session", "a/b"), "session id \"a/b\"", "letters, digits");
    check(&bench, &with("--network", "example.org"), "allow-lists of domains are not available yet", "");
    check(&bench, &with("--env", "NOVALUE"), "'NOVALUE'", "");
    check(&bench, &with("--provider", "warp"), "warp", "native");
    check(&bench, &with("--stdin-file", "missing"), "stdin file missing", "give a file");
}

#[test]
fn collected_files_need_a_place() {
    let said = Bench::new().run(&["run", "-l", "python", "-c", "1", "--collect", "*.txt"]);
    assert_eq!(said.code, 120, "{said:?}");
    assert!(said.stderr.contains("--collect is given") && said.stderr.contains("--out DIR"), "{said:?}");
    let bench = Bench::new().file("taken", "a file, not a folder");
    let with = |glob: &'static str, out: &'static str| {
        ["run", "-l", "bash", "-c", "touch /work/ran", "--collect", glob, "--out", out]
    };
    check(&bench, &with("*", "taken"), "cannot write taken", "give --out a folder");
    check(&bench, &["run", "-c", "1", "--out", "x"], "--collect", "formicary run --help");
}

#[test]
fn configuration_that_is_wrong() {
    let bench = Bench::new().file("formicary.toml", "[limits]\nwal_seconds = 3\n");
    let hint = "did you mean limits.wall_seconds?";
    check(&bench, &["run", "-c", "1"], "[HERE]/formicary.toml:2: unknown key limits.wal_seconds", hint);
    let bench = Bench::new().variable("FORMICARY_LIMITS_PROCESSES", "many");
    check(
        &bench,
        &["config"],
        "FORMICARY_LIMITS_PROCESSES: \"many\" is not a number",
        "limits.processes takes",
    );
    let bench = Bench::new().variable("FORMICARY_CONFIG", "missing.toml");
    check(&bench, &["config"], "[HERE]/missing.toml does not exist", "FORMICARY_CONFIG");
}
