//! Output that somebody reads along arrives while the program waits for an answer.

use crate::rig::{NATIVE, settings, shown, snippet};
use formicary_execution::{Executor, Live};
use formicary_model::{Event, EventKind, ExecutionRequest, Observer, Source, SourceFile, Stream};
use formicary_sandbox::Provider;
use formicary_sandbox::provider::Stdin;
use formicary_sandbox::providers::native::{Native, NativeSettings, PoolSettings};
use std::io::{PipeWriter, Write};
use std::sync::{Arc, Mutex};

/// Answers once the program has asked. A program whose question does not arrive waits for an answer until its time is over.
struct Answering {
    asked: Mutex<Vec<u8>>,
    answer: Mutex<Option<PipeWriter>>,
}

impl Observer for Answering {
    fn event(&self, event: &Event) {
        let EventKind::Output { stream: Stream::Stdout, data, .. } = &event.kind else { return };
        let mut asked = self.asked.lock().unwrap();
        asked.extend_from_slice(data);
        if asked.windows(5).any(|window| window == b"name?")
            && let Some(mut answer) = self.answer.lock().unwrap().take()
        {
            answer.write_all(b"Ada\n").unwrap();
        }
    }

    fn reads_along(&self) -> bool {
        true
    }
}

/// Each prints a line, reads one, and prints that. None of them flushes by hand.
const ASKING: &[(&str, &str)] = &[
    ("python", "import sys\nprint('name?')\nprint('hello', sys.stdin.readline().strip())"),
    ("python", "import sys\nsys.stdout.write('name? ')\nprint('hello', sys.stdin.readline().strip())"),
    (
        "javascript",
        "console.log('name?')\nrequire('readline').createInterface({input: process.stdin}).on('line', l => console.log('hello', l))",
    ),
    (
        "typescript",
        "import * as readline from 'readline'\nconsole.log('name?')\n\
         readline.createInterface({input: process.stdin}).on('line', (l: string) => console.log('hello', l))",
    ),
    (
        "java",
        "import java.util.Scanner;\npublic class Main {\n  public static void main(String[] args) {\n\
         \u{20}   System.out.println(\"name?\");\n    System.out.println(\"hello \" + new Scanner(System.in).nextLine());\n  }\n}",
    ),
    (
        "c",
        "#include <stdio.h>\nint main(void) {\n  char name[64];\n  printf(\"name?\\n\");\n  scanf(\"%63s\", name);\n\
         \u{20} printf(\"hello %s\\n\", name);\n  return 0;\n}",
    ),
    (
        "c",
        "#include <stdio.h>\nint main(void) {\n  char name[64];\n  printf(\"name? \");\n  scanf(\"%63s\", name);\n\
         \u{20} printf(\"hello %s\\n\", name);\n  return 0;\n}",
    ),
    (
        "cpp",
        "#include <cstdio>\n#include <iostream>\nint main() {\n  char name[64];\n  std::cout << \"name?\\n\";\n\
         \u{20} if (scanf(\"%63s\", name) == 1) std::cout << \"hello \" << name << '\\n';\n}",
    ),
    (
        "go",
        "package main\nimport \"fmt\"\nfunc main() {\n\tvar name string\n\tfmt.Print(\"name? \")\n\tfmt.Scan(&name)\n\
         \tfmt.Println(\"hello\", name)\n}",
    ),
    (
        "rust",
        "fn main() {\n    println!(\"name?\");\n    let mut name = String::new();\n\
         \u{20}   std::io::stdin().read_line(&mut name).unwrap();\n    println!(\"hello {}\", name.trim());\n}",
    ),
    ("bash", "printf 'name? '\nread -r name\necho \"hello $name\""),
    ("bash", "python3 -c \"import sys; print('name?'); print('hello', sys.stdin.readline().strip())\""),
];

fn asks(executor: &Executor, how: &str) {
    let mut requests: Vec<(&str, ExecutionRequest)> =
        ASKING.iter().map(|(language, code)| (*language, snippet(language, code))).collect();
    // A command of the caller's own is no recipe's.
    let mut command = snippet("python", ASKING[0].1);
    command.source = Source::Files { files: vec![SourceFile::new("m.py", ASKING[0].1)], entry: None };
    command.command = Some(["python3", "m.py"].map(str::to_owned).to_vec());
    requests.push(("a command", command));
    for (language, mut request) in requests {
        let (reader, writer) = std::io::pipe().unwrap();
        let observer = Answering { asked: Mutex::default(), answer: Mutex::new(Some(writer)) };
        request.limits.wall_seconds = Some(20.0);
        let live =
            Live { stdin: Some(Stdin::Reader(Box::new(reader))), observer: &observer, ..Live::default() };
        let result = executor.execute(request, live).unwrap();
        assert!(result.stdout.ends_with("hello Ada\n"), "{language}, {how}: {}", shown(&result));
    }
}

#[test]
fn a_question_arrives_while_the_program_waits() {
    asks(&NATIVE, "cold");
}

#[test]
fn a_question_arrives_from_what_stood_ready() {
    let pool = PoolSettings { waiting: 1, ..PoolSettings::default() };
    let native = Arc::new(Native::new(NativeSettings { pool: Some(pool), ..NativeSettings::default() }));
    let executor = Executor::new(settings(), vec![native as Arc<dyn Provider>]).unwrap();
    asks(&executor, "first");
    asks(&executor, "second");
}

/// Where nobody reads along, nothing is asked of a runtime: bulk output goes in blocks.
#[test]
fn nothing_changes_where_nobody_reads_along() {
    let code = "import os, sys; print(os.environ.get('PYTHONUNBUFFERED'), sys.stdout.write_through)";
    let result = NATIVE.execute(snippet("python", code), Live::default()).unwrap();
    assert_eq!(result.stdout, "None False\n", "{}", shown(&result));
}
