//! Several files, packages, modules, flags, commands, a virtual environment, languages of the user's own.

use crate::rig::{check, folder, shown, snippet};
use formicary_model::{CollectRequest, Environment, ExecutionRequest, Source, Status};

fn prints(request: ExecutionRequest, expected: &str) {
    let result = check(request, Status::Success);
    assert_eq!(result.stdout, expected, "{}", shown(&result));
}

fn with_args(request: ExecutionRequest, args: &[&str]) -> ExecutionRequest {
    ExecutionRequest { args: args.iter().map(|arg| (*arg).to_string()).collect(), ..request }
}

#[test]
fn arguments_reach_every_program() {
    for (language, code) in [
        ("python", "import sys\nprint('|'.join(sys.argv[1:]))"),
        ("javascript", "console.log(process.argv.slice(2).join('|'))"),
        ("typescript", "const a: string[] = process.argv.slice(2);\nconsole.log(a.join('|'))"),
        (
            "java",
            "class A { public static void main(String[] a) { System.out.println(String.join(\"|\", a)); } }",
        ),
        ("c", "#include <stdio.h>\nint main(int n, char **a) { printf(\"%s|%s|%s\\n\", a[1], a[2], a[3]); }"),
        ("bash", "echo \"$1|$2|$3\""),
        ("perl", "print join('|', @ARGV), \"\\n\""),
    ] {
        prints(with_args(snippet(language, code), &["a b", "", "$x;'"]), "a b||$x;'\n");
    }
}

#[test]
fn java_of_every_shape() {
    prints(
        snippet(
            "java",
            "package deep.er;\npublic class Ünlike { public static void main(String[] a) { System.out.println(new Other().x()); } }\nclass Other { String x() { return \"ok\"; } }",
        ),
        "ok\n",
    );
    prints(
        folder(
            Some("java"),
            Some("app/Start.java"),
            &[
                (
                    "app/Start.java",
                    "package app; import lib.Tool; public class Start { public static void main(String[] a) { System.out.println(Tool.x()); } }",
                ),
                (
                    "lib/Tool.java",
                    "package lib; public class Tool { public static int x() { return 7; } public static void main(String[] a) {} }",
                ),
            ],
        ),
        "7\n",
    );
    let default_heap = "public class H { public static void main(String[] a) { System.out.println(Runtime.getRuntime().maxMemory() > 200L << 20); } }";
    prints(snippet("java", default_heap), "true\n");
}

#[test]
fn several_files_of_c_and_cpp() {
    prints(
        folder(
            Some("c"),
            None,
            &[
                (
                    "main.c",
                    "#include <stdio.h>\n#include \"lib/add.h\"\nint main(void) { printf(\"%d\\n\", add(1, 2)); }",
                ),
                ("lib/add.c", "#include \"add.h\"\nint add(int a, int b) { return a + b; }"),
                ("lib/add.h", "int add(int a, int b);"),
            ],
        ),
        "3\n",
    );
    prints(
        folder(
            None,
            Some("main.cpp"),
            &[
                ("main.cpp", "#include <cstdio>\nint f();\nint main() { std::printf(\"%d\\n\", f()); }"),
                ("f.cc", "int f() { return 4; }"),
            ],
        ),
        "4\n",
    );
    let standard = "#include <stdio.h>\nint main(void) { printf(\"%ld\\n\", __STDC_VERSION__); }";
    let request = ExecutionRequest { compiler_flags: vec!["-std=c99".into()], ..snippet("c", standard) };
    prints(request, "199901\n");
}

#[test]
fn go_files_and_modules() {
    prints(
        folder(
            Some("go"),
            None,
            &[
                ("main.go", "package main\nfunc main() { greet() }"),
                ("greet.go", "package main\nimport \"fmt\"\nfunc greet() { fmt.Println(\"hi\") }"),
            ],
        ),
        "hi\n",
    );
    prints(
        folder(
            Some("go"),
            None,
            &[
                ("go.mod", "module example.org/app\n\ngo 1.19\n"),
                (
                    "main.go",
                    "package main\nimport (\n\"fmt\"\n\"example.org/app/inner\"\n)\nfunc main() { fmt.Println(inner.X) }",
                ),
                ("inner/x.go", "package inner\nconst X = 5"),
            ],
        ),
        "5\n",
    );
}

#[test]
fn rust_modules_and_cargo() {
    prints(
        folder(
            Some("rust"),
            None,
            &[
                ("main.rs", "mod part;\nfn main() { println!(\"{}\", part::X); }"),
                ("part.rs", "pub const X: i32 = 6;"),
            ],
        ),
        "6\n",
    );
    prints(
        folder(
            None,
            None,
            &[
                ("Cargo.toml", "[package]\nname = \"some-app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
                ("src/main.rs", "fn main() { println!(\"{}\", some_app::x()); }"),
                ("src/lib.rs", "pub fn x() -> i32 { 8 }"),
            ],
        ),
        "8\n",
    );
}

#[test]
fn typescript_projects() {
    prints(
        folder(
            Some("typescript"),
            None,
            &[
                (
                    "main.ts",
                    "import { a } from './a';\nimport b from './lib/b.ts';\nimport { c } from './c.js';\nimport type { T } from './types';\nconst t: T = { n: a + b + c };\nconsole.log(t.n);",
                ),
                ("a.ts", "export const a: number = 1;"),
                ("lib/b.ts", "import { a } from '../a';\nexport default a + 1;"),
                ("c.ts", "export enum E { X = 4 }\nexport const c = E.X;"),
                ("types.ts", "export interface T { n: number }"),
            ],
        ),
        "7\n",
    );
    prints(
        folder(
            Some("typescript"),
            Some("main.tsx"),
            &[(
                "main.tsx",
                "const React = { createElement: (t: string, p: any, ...c: any[]) => `<${t}>${c}</${t}>` };\nconsole.log(<b>hi</b>);",
            )],
        ),
        "<b>hi</b>\n",
    );
    let result = check(
        snippet("typescript", "interface A {}\n\nfunction f(): never {\n  throw new Error('x');\n}\nf();"),
        Status::NonzeroExit,
    );
    assert!(result.stderr.contains("main.ts:4:9"), "positions are the source's: {}", result.stderr);
    let result = check(snippet("typescript", "let a = 1;\nlet b: = 2;"), Status::CompileError);
    assert!(result.error_message.as_ref().unwrap().contains("main.ts:2:8"), "{}", shown(&result));
}

#[test]
fn javascript_modules_and_workers() {
    prints(
        snippet(
            "javascript",
            "import os from 'node:os';\nconst x = await Promise.resolve(os.EOL.length);\nconsole.log(x);",
        ),
        "1\n",
    );
    prints(
        folder(
            Some("javascript"),
            None,
            &[
                ("main.js", "const { x } = require('./lib');\nconsole.log(x)"),
                ("lib/index.js", "exports.x = 9"),
            ],
        ),
        "9\n",
    );
    prints(
        snippet(
            "javascript",
            "const { Worker, isMainThread, parentPort } = require('worker_threads');\nif (isMainThread) new Worker(__filename).on('message', m => console.log(m));\nelse parentPort.postMessage('from worker');",
        ),
        "from worker\n",
    );
}

#[test]
fn python_folders_and_artifacts() {
    let mut request = folder(
        None,
        Some("app/main.py"),
        &[
            (
                "app/main.py",
                "from helper import x\nopen('out.txt', 'w').write(str(x))\nprint(open('data.txt').read())",
            ),
            ("app/helper.py", "x = 3"),
            ("data.txt", "data"),
        ],
    );
    request.collect = CollectRequest { globs: vec!["*.txt".into()], ..Default::default() };
    let result = check(request, Status::Success);
    assert_eq!(result.stdout, "data\n");
    let mut produced: Vec<(&str, &[u8])> =
        result.artifacts.iter().map(|a| (a.path.as_str(), &a.content[..])).collect();
    produced.sort_unstable();
    assert_eq!(produced, [("data.txt", &b"data"[..]), ("out.txt", b"3")]);
}

#[test]
fn a_virtual_environment_is_importable() {
    let root = std::env::temp_dir().join(format!("formicary-venv-{}", std::process::id()));
    let version = std::fs::read_dir("/usr/lib").unwrap().flatten().find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_prefix("python3.").map(|minor| format!("3.{minor}"))
    });
    let version = version.expect("the system's Python");
    let packages = root.join(format!("lib/python{version}/site-packages"));
    std::fs::create_dir_all(&packages).unwrap();
    std::fs::write(root.join("pyvenv.cfg"), format!("home = /usr/bin\nversion = {version}.0\n")).unwrap();
    std::fs::write(packages.join("only_here.py"), "x = 11").unwrap();
    let request = ExecutionRequest {
        environment: Environment {
            venv: Some(root.to_str().unwrap().into()),
            ..snippet("python", "import only_here, sys\nprint(only_here.x, '%d.%d' % sys.version_info[:2])")
                .environment
        },
        ..snippet("python", "import only_here, sys\nprint(only_here.x, '%d.%d' % sys.version_info[:2])")
    };
    let result = check(request, Status::Success);
    std::fs::remove_dir_all(&root).unwrap();
    assert_eq!(result.stdout, format!("11 {version}\n"));
}

#[test]
fn languages_of_the_users_own() {
    prints(snippet("perl", "print 'x' x 3"), "xxx");
    let result = check(snippet("perl", "sub {"), Status::CompileError);
    assert!(result.compile.unwrap().stderr.contains("Missing right curly"));
    let source = Source::Code {
        code: b"#include <stdio.h>\nint main(void) { puts(\"tiny\"); }".to_vec(),
        file_name: Some("a.tiny".into()),
    };
    prints(ExecutionRequest { source, ..Default::default() }, "tiny\n");
}

#[test]
fn commands_see_files_and_tools() {
    let mut request = folder(Some("rust"), None, &[("a.txt", "one\ntwo\n")]);
    request.command =
        Some(vec!["bash".into(), "-c".into(), "wc -l < a.txt && rustc --version | cut -c1-5".into()]);
    prints(request, "2\nrustc\n");
    let mut request = folder(None, None, &[("run.sh", "echo from script")]);
    request.command = Some(vec!["sh".into(), "run.sh".into()]);
    prints(request, "from script\n");
}

#[test]
fn detection_needs_no_language() {
    prints(
        ExecutionRequest { source: Source::code("#!/usr/bin/env python3\nprint(1)"), ..Default::default() },
        "1\n",
    );
    prints(
        ExecutionRequest {
            source: Source::code("package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(2)\n}\n"),
            ..Default::default()
        },
        "2\n",
    );
}
