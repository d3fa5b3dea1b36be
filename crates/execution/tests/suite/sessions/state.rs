//! What lives on between cells, and what cells give back.

use super::{SKIPS, open, open_with};
use formicary_model::{SessionRequest, SourceFile, Status};

#[test]
fn python_keeps_variables_imports_functions_folder_and_environment() {
    let session = open("python");
    for (code, printed, value) in [
        ("x = 20\nimport math, os\ndef double(n):\n    return 2 * n", "", None),
        ("double(x) + math.floor(2.5)", "", Some("42")),
        ("print('hello'); x", "hello\n", Some("20")),
        ("os.mkdir('sub'); os.chdir('sub'); os.environ['A'] = 'b'", "", None),
        ("os.getcwd(), os.environ['A'], __name__", "", Some("('/work/sub', 'b', '__main__')")),
        ("_", "", Some("('/work/sub', 'b', '__main__')")),
        ("import asyncio\nawait asyncio.sleep(0.01)\nx + 1", "", Some("21")),
        ("x;", "", None),
        ("None", "", None),
        ("# nothing at all", "", None),
        ("os.listdir('/work')", "", Some("['sub']")),
        (
            "class C:\n    pass\nimport pickle\ntype(pickle.loads(pickle.dumps(C()))).__name__",
            "",
            Some("'C'"),
        ),
    ] {
        session.check(code, printed, value);
    }
    assert_eq!(session.run("1").execution_count, 13);
}

#[test]
fn javascript_keeps_declarations_folder_and_environment() {
    let session = open("javascript");
    for (code, printed, value) in [
        ("let a = 1; const b = 2; var c = 3; function sum() { return a + b + c }", "", None),
        ("sum()", "", Some("6")),
        ("let a = 10; sum()", "", Some("15")),
        ("class P { x = 1 }; new P()", "", Some("P { x: 1 }")),
        ("console.log('hello'); new P().x", "hello\n", Some("1")),
        ("const w = await new Promise(r => setTimeout(() => r(7), 20)); w", "", Some("7")),
        (
            "const fs = require('fs'); fs.mkdirSync('d'); process.chdir('d'); process.env.A = 'b'",
            "",
            Some("'b'"),
        ),
        ("[process.cwd(), process.env.A, w]", "", Some("[ '/work/d', 'b', 7 ]")),
    ] {
        session.check(code, printed, value);
    }
    // Between cells or within the next one: background work is heard once.
    let first = session.run("setTimeout(() => console.log('later'), 10); undefined");
    let second = session.run("await new Promise(r => setTimeout(r, 500))");
    assert_eq!(first.stdout + &second.stdout, "later\n");
    let result = session.fails("function f() { throw new RangeError('deep') }\nf()", Status::NonzeroExit);
    let exception = result.exception.unwrap();
    assert_eq!((exception.kind.as_str(), exception.message.as_str()), ("RangeError", "deep"));
    assert_eq!(exception.frames.last().unwrap().function, "f", "{exception:?}");
    session.fails("let z = ;", Status::NonzeroExit);
    session.check("a", "", Some("10"));
}

#[test]
fn bash_keeps_variables_functions_folder_options_and_environment() {
    let session = open("bash");
    for (code, printed) in [
        ("x=1; export Y=2; f() { echo \"f $x $1\"; }; mkdir d; cd d; shopt -s nullglob; set -u", ""),
        (
            "f 'it''s'; pwd; env | grep ^Y=; echo $-; shopt nullglob",
            "f 1 its\n/work/d\nY=2\nhiuBs\nnullglob       \ton\n",
        ),
        ("for i in 1 2; do\n  echo $i\ndone", "1\n2\n"),
        ("cat; read v; echo \"[${v:-}]\"", "[]\n"),
        ("echo 'a' | tr a b", "b\n"),
        ("exec 1>&-", ""),
        ("echo back", "back\n"),
    ] {
        session.check(code, printed, None);
    }
    assert_eq!(session.fails("echo $nothing", Status::NonzeroExit).exit_code, Some(1));
    assert_eq!(session.fails("(exit 7)", Status::NonzeroExit).exit_code, Some(7));
    assert!(session.fails("if then", Status::NonzeroExit).stderr.contains("syntax error"));
    let result = session.run_for("while :; do :; done", 0.5);
    assert_eq!((result.status, result.state_lost), (Status::Timeout, false), "{result:?}");
    let result = session.run_for("sleep 30; echo no", 0.5);
    assert_eq!((result.status, result.state_lost, result.stdout.as_str()), (Status::Timeout, false, ""));
    session.check("f 2", "f 1 2\n", None);
    // Leaving hands everything on to the next shell; being killed does not.
    session.check(
        "list=(a 'b c'); declare -A map=([k]='v w'); alias hi='echo hello'; mkdir \"d e\"; cd 'd e'",
        "",
        None,
    );
    for (leave, code) in [("exit 5", 5), ("set -e\nfalse\necho no", 1), ("f x; exit 6", 6)] {
        let result = session.run(leave);
        assert_eq!((result.exit_code, result.state_lost), (Some(code), false), "{leave}: {result:?}");
        session.check("set +e; f 3; pwd; echo ${#list[@]} \"${list[1]}\" ${map[k]}; hi; shopt -q nullglob && echo on; env | grep ^Y=; echo $-",
            "f 1 3\n/work/d/d e\n2 b c v w\nhello\non\nY=2\nhiuBs\n", None);
    }
    let result = session.fails("kill -9 $$", Status::Signaled);
    assert!(result.state_lost, "{result:?}");
    session.check("echo ${x-gone}; pwd; ls -d d", "gone\n/work\nd\n", None);
}

#[test]
fn exceptions_are_structured() {
    let session = open("python");
    let result = session.fails("def f(n):\n    return 1 / n\nf(0)", Status::NonzeroExit);
    let exception = result.exception.unwrap();
    assert_eq!(
        (exception.kind.as_str(), exception.message.as_str()),
        ("ZeroDivisionError", "division by zero")
    );
    let frames: Vec<_> = exception
        .frames
        .iter()
        .map(|f| (f.file.as_str(), f.line, f.function.as_str(), f.text.as_str()))
        .collect();
    assert_eq!(frames, [("<cell 1>", 3, "<module>", "f(0)"), ("<cell 1>", 2, "f", "return 1 / n")]);
    assert!(!exception.traceback.contains("<formicary>"), "{}", exception.traceback);
    let exception = session.fails("x = = 1", Status::NonzeroExit).exception.unwrap();
    assert_eq!((exception.kind.as_str(), exception.frames[0].text.as_str()), ("SyntaxError", "x = = 1"));
    assert_eq!(session.fails("import sys; sys.exit(3)", Status::NonzeroExit).exit_code, Some(3));
    session.check("f(1)", "", Some("1.0"));
}

#[test]
fn rich_values_and_displays() {
    let session = open("python");
    let result = session.run(
        "class T:\n    def _repr_html_(self): return '<b>t</b>'\n    def _repr_png_(self): return b'\\x89PNG'\n\
         \x20   def _repr_json_(self): return {'a': 1}\n    def __repr__(self): return 'T()'\n\
         display(T(), 5)\nT()",
    );
    let value = result.value.unwrap();
    for (mime, data) in [
        ("text/html", "<b>t</b>"),
        ("image/png", "iVBORw=="),
        ("application/json", "{\"a\": 1}"),
        ("text/plain", "T()"),
    ] {
        assert_eq!(value[mime], data, "{value:?}");
    }
    assert_eq!(result.displays.len(), 2);
    assert_eq!(result.displays[1]["text/plain"], "5");
    session.check(
        "class B:\n    def __repr__(self): raise ValueError\nB()",
        "",
        Some("<B whose repr raised ValueError>"),
    );
    let long = session.run("'x' * 10_000_000").value.unwrap();
    assert!(long["text/plain"].len() < 1_100_000 && long["text/plain"].contains("left out"));
}

#[test]
fn figures_and_tables_are_shown_without_being_asked_for() {
    let Some(venv) = std::env::var("FORMICARY_TEST_VENV").ok().filter(|path| !path.is_empty()) else {
        SKIPS.note("sessions: figures", "FORMICARY_TEST_VENV names no virtual environment");
        return;
    };
    let session = open_with("python", |request| {
        request.venv = Some(venv);
        request.limits.memory_bytes = Some(1 << 30);
    });
    let result = session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])\nplt.title('t');");
    assert_eq!(result.status, Status::Success, "{result:?}");
    assert_eq!(result.displays.len(), 1, "{result:?}");
    assert!(result.displays[0]["image/png"].starts_with("iVBORw0KGgo"), "a PNG's first bytes");
    let result = session.run("plt.plot([3, 2, 1]); plt.show(); print('shown')");
    assert_eq!((result.displays.len(), result.stdout.as_str(), result.stderr.as_str()), (1, "shown\n", ""));
    assert!(session.run("1").displays.is_empty());
    if session.run("import pandas as pd").status == Status::Success {
        let value = session.run("pd.DataFrame({'a': [1, 2]})").value.unwrap();
        assert!(value["text/html"].contains("<table") && value["text/plain"].contains('a'), "{value:?}");
    } else {
        SKIPS.note("sessions: tables", "the virtual environment has no pandas");
    }
}

#[test]
fn other_languages_keep_their_files() {
    let session = open("c");
    let result = session.run("#include <stdio.h>\n#include \"part.h\"\nint main(void) { return 0; }");
    assert_eq!(result.status, Status::CompileError, "{result:?}");
    let part = SourceFile {
        path: "part.h".into(),
        content: b"#define WORD \"from the header\"\n".to_vec(),
        executable: false,
    };
    session.0.put(&[part]).unwrap();
    let write = "#include <stdio.h>\n#include \"part.h\"\n\
                 int main(void) { FILE *f = fopen(\"out.txt\", \"w\"); fputs(WORD, f); fclose(f); puts(WORD); return 0; }";
    assert_eq!(session.run(write).stdout, "from the header\n");
    let read = "#include <stdio.h>\nint main(void) { char b[99]; FILE *f = fopen(\"out.txt\", \"r\"); puts(fgets(b, 99, f)); return 3; }";
    let result = session.run(read);
    assert_eq!((result.stdout.as_str(), result.exit_code), ("from the header\n", Some(3)), "{result:?}");
    let names: Vec<_> = session.0.files().unwrap().into_iter().map(|file| file.path).collect();
    assert_eq!(names, ["main.c", "out.txt", "part.h"]);
    assert_eq!(session.0.get("out.txt").unwrap().content, b"from the header");
    assert!(!session.0.info().keeps_state);
}

/// Its kernel may lack what the host's has; the session must not notice.
#[test]
fn a_session_lives_in_a_second_kernel_too() {
    let gvisor = formicary_sandbox::providers::gvisor::Gvisor::new(Default::default());
    if formicary_sandbox::Provider::capabilities(&gvisor).level < formicary_model::Level::Isolated {
        return SKIPS.note("a_session_lives_in_a_second_kernel_too", "gVisor cannot isolate on this host");
    }
    let session = open_with("python", |request| request.provider = Some("gvisor".into()));
    session.check("x = 6", "", None);
    session.check("print(x); x * 7", "6\n", Some("42"));
    let ended = session.run("import os; os._exit(3)");
    assert!(ended.state_lost && ended.exit_code == Some(3), "{ended:?}");
    session.check("'x' in globals()", "", Some("False"));
}

/// A session ends everybody that it sees: on the host that would be the host.
#[test]
fn trusted_code_has_no_sessions() {
    let mut request = SessionRequest { language: "python".into(), ..SessionRequest::default() };
    request.provider = Some("trusted".into());
    let failure = super::MANAGER.create(request).unwrap_err();
    assert!(failure.message.contains("processes of their own") && failure.hint.is_some(), "{failure:?}");
}
