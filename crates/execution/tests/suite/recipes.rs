//! Every recipe in the native sandbox: print, read, fail to compile, exit, crash, run out of time and memory.

use crate::rig::{NATIVE, check, shown, snippet};
use formicary_model::{ExecutionRequest, LimitOverrides, Status};

/// One language's programs.
struct Programs {
    language: &'static str,
    print: &'static str,
    echo: &'static str,
    broken: &'static str,
    /// `CompileError` for compiled languages, `NonzeroExit` for the others.
    broken_is: Status,
    exit_3: &'static str,
    crash: &'static str,
    forever: &'static str,
    hungry: &'static str,
}

const PYTHON: Programs = Programs {
    language: "python",
    print: "print('Hello, wörld')",
    echo: "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())",
    broken: "def f(:\n",
    broken_is: Status::NonzeroExit,
    exit_3: "import sys\nsys.exit(3)",
    crash: "import os\nos.abort()",
    forever: "import time\nwhile True: time.sleep(1)",
    hungry: "x = []\nwhile True: x.append(bytearray(1 << 20))",
};

const JAVASCRIPT: Programs = Programs {
    language: "javascript",
    print: "console.log('Hello, wörld')",
    echo: "process.stdin.pipe(process.stdout)",
    broken: "function (",
    broken_is: Status::NonzeroExit,
    exit_3: "process.exit(3)",
    crash: "process.abort()",
    forever: "setInterval(() => {}, 1000)",
    hungry: "const x = []; for (;;) x.push(new Array(100000).fill(Math.random()))",
};

const TYPESCRIPT: Programs = Programs {
    language: "typescript",
    print: "enum E { A = 'Hello' }\nconst s: string = E.A;\nconsole.log(`${s}, wörld`);",
    echo: "import * as process from 'node:process';\nconst s: any = process.stdin;\ns.pipe(process.stdout);",
    broken: "const x: = 3;",
    broken_is: Status::CompileError,
    exit_3: "process.exit(3 as number)",
    crash: "process.abort()",
    forever: "setInterval((): void => {}, 1000)",
    hungry: "const x: any[] = []; for (;;) x.push(new Array(100000).fill(Math.random()))",
};

const JAVA: Programs = Programs {
    language: "java",
    print: "public class Greeting { public static void main(String[] a) { System.out.println(\"Hello, wörld\"); } }",
    echo: "class E { public static void main(String[] a) throws Exception { System.in.transferTo(System.out); System.out.flush(); } }",
    broken: "class A { int f() { return \"x\"; } }",
    broken_is: Status::CompileError,
    exit_3: "class A { public static void main(String[] a) { System.exit(3); } }",
    crash: "class A { public static void main(String[] a) throws Exception { new ProcessBuilder(\"/bin/kill\", \"-ABRT\", \"\" + ProcessHandle.current().pid()).start().waitFor(); Thread.sleep(9000); } }",
    forever: "class A { public static void main(String[] a) throws Exception { Thread.sleep(1000000); } }",
    hungry: "import java.util.*;\nclass A { public static void main(String[] a) { List<byte[]> x = new ArrayList<>(); while (true) x.add(new byte[1 << 20]); } }",
};

const C: Programs = Programs {
    language: "c",
    print: "#include <stdio.h>\nint main(void) { puts(\"Hello, wörld\"); }",
    echo: "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); }",
    broken: "int main(void) { return x; }",
    broken_is: Status::CompileError,
    exit_3: "int main(void) { return 3; }",
    crash: "#include <stdlib.h>\nint main(void) { abort(); }",
    forever: "#include <unistd.h>\nint main(void) { for (;;) sleep(1); }",
    hungry: "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); __asm__ volatile(\"\" :: \"r\"(p) : \"memory\"); } }",
};

const CPP: Programs = Programs {
    language: "c++",
    print: "#include <iostream>\nint main() { std::cout << \"Hello, wörld\" << std::endl; }",
    echo: "#include <iostream>\nint main() { std::cout << std::cin.rdbuf(); }",
    broken: "int main() { std::string s; }",
    broken_is: Status::CompileError,
    exit_3: "int main() { return 3; }",
    crash: "#include <stdexcept>\nint main() { throw std::runtime_error(\"x\"); }",
    forever: "#include <unistd.h>\nint main() { for (;;) sleep(1); }",
    hungry: "#include <vector>\n#include <string>\nint main() { std::vector<std::string> x; for (;;) x.emplace_back(1 << 20, 'x'); }",
};

const GO: Programs = Programs {
    language: "go",
    print: "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"Hello, wörld\") }",
    echo: "package main\nimport (\n\"io\"\n\"os\"\n)\nfunc main() { io.Copy(os.Stdout, os.Stdin) }",
    broken: "package main\nfunc main() { x := 1 }",
    broken_is: Status::CompileError,
    exit_3: "package main\nimport \"os\"\nfunc main() { os.Exit(3) }",
    crash: "package main\nimport (\n\"os\"\n\"syscall\"\n\"time\"\n)\nfunc main() { syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Hour) }",
    forever: "package main\nimport \"time\"\nfunc main() { time.Sleep(time.Hour) }",
    hungry: "package main\nvar x [][]byte\nfunc main() { for { b := make([]byte, 1<<20); for i := range b { b[i] = 1 }; x = append(x, b) } }",
};

const RUST: Programs = Programs {
    language: "rust",
    print: "fn main() { println!(\"Hello, wörld\"); }",
    echo: "use std::io;\nfn main() { io::copy(&mut io::stdin(), &mut io::stdout()).unwrap(); }",
    broken: "fn main() { let x: i32 = \"a\"; }",
    broken_is: Status::CompileError,
    exit_3: "fn main() { std::process::exit(3) }",
    crash: "fn main() { std::process::abort() }",
    forever: "fn main() { loop { std::thread::sleep(std::time::Duration::from_secs(1)) } }",
    hungry: "fn main() { let mut x = vec![]; loop { x.push(vec![1u8; 1 << 20]); } }",
};

const BASH: Programs = Programs {
    language: "bash",
    print: "echo 'Hello, wörld'",
    echo: "cat",
    broken: "if then",
    broken_is: Status::NonzeroExit,
    exit_3: "exit 3",
    crash: "kill -ABRT $$",
    forever: "while :; do sleep 1; done",
    hungry: "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done",
};

fn limited(language: &str, code: &str, wall: f64, memory: u64) -> ExecutionRequest {
    let limits =
        LimitOverrides { wall_seconds: Some(wall), memory_bytes: Some(memory << 20), ..Default::default() };
    ExecutionRequest { limits, ..snippet(language, code) }
}

fn verdicts(programs: &Programs) {
    let Programs { language, .. } = programs;
    let result = check(snippet(language, programs.print), Status::Success);
    assert_eq!(result.stdout, "Hello, wörld\n", "{}", shown(&result));
    assert_eq!((result.exit_code, result.error_message), (Some(0), None));

    let stdin: Vec<u8> = (0..=255_u8).cycle().take(300_000).filter(|byte| *byte != b'\r').collect();
    let result =
        check(ExecutionRequest { stdin: stdin.clone(), ..snippet(language, programs.echo) }, Status::Success);
    assert_eq!(result.output.stdout_bytes, stdin.len() as u64);
    let exact = result.stdout_base64.as_deref().expect("bytes that are not text are kept");
    assert_eq!(base64::Engine::decode(&base64::prelude::BASE64_STANDARD, exact).unwrap(), stdin);

    let result = check(snippet(language, programs.broken), programs.broken_is);
    if programs.broken_is == Status::CompileError {
        let compile = result.compile.as_ref().expect("a compile step");
        assert_eq!(compile.status, Status::NonzeroExit);
        assert!(!format!("{}{}", compile.stdout, compile.stderr).is_empty(), "{}", shown(&result));
        assert_eq!(result.exit_code, None);
    }
    let result = check(snippet(language, programs.exit_3), Status::NonzeroExit);
    assert_eq!(result.exit_code, Some(3));
    let result = check(snippet(language, programs.crash), Status::Signaled);
    assert!(matches!(result.signal, Some(6 | 9)), "{}", shown(&result));
    let result = check(limited(language, programs.forever, 1.0, 512), Status::Timeout);
    assert_eq!(result.error_message.as_deref(), Some("wall-clock limit of 1 s exceeded"));
    let result = check(limited(language, programs.hungry, 60.0, 200), Status::MemoryLimit);
    assert_eq!(result.error_message.as_deref(), Some("memory limit of 200 MiB exceeded"));
}

macro_rules! languages {
    ($($name:ident: $programs:expr;)+) => { $(
        #[test]
        fn $name() {
            verdicts(&$programs);
        }
    )+ };
}

languages! {
    python: PYTHON;
    javascript: JAVASCRIPT;
    typescript: TYPESCRIPT;
    java: JAVA;
    c: C;
    cpp: CPP;
    go: GO;
    rust: RUST;
    bash: BASH;
}

#[test]
fn every_tool_tells_its_version() {
    for language in NATIVE.languages() {
        if language.id == "tiny" {
            continue;
        }
        let version =
            NATIVE.version(&language.id).unwrap_or_else(|failure| panic!("{}: {failure}", language.id));
        assert!(version.chars().any(|c| c.is_ascii_digit()), "{}: {version}", language.id);
    }
}
