//! Which driver a language has, and how program and driver are started together.

use formicary_model::{ExecutionRequest, Failure, FailureKind, Language, Source, SourceFile};

const PYTHON: &str =
    concat!(include_str!("../snapshot/values.py"), "\n\n", include_str!("drivers/python.py"));
const NODE: &str = include_str!("drivers/node.js");
const GDB: &str = include_str!("drivers/gdb.py");
const JAVA: &str = include_str!("drivers/FormicaryInspect.java");
const BASH: &str = include_str!("drivers/bash.sh");

/// The program's standard input, as a file: the driver's own is for commands.
const STDIN: &str = "formicary-stdin";
/// What a compiled program is called inside.
const PROGRAM: &str = "./formicary-program";

/// The same program under its driver.
pub fn plan(
    original: &ExecutionRequest,
    language: Language,
    entry: &str,
) -> Result<ExecutionRequest, Failure> {
    if original.command.is_some() {
        return Err(Failure::new(FailureKind::InvalidInput, "a command cannot be inspected, only a program")
            .hint("name the file that it runs"));
    }
    let mut files = match &original.source {
        Source::Code { code, .. } => {
            vec![SourceFile { path: entry.to_owned(), content: code.clone(), executable: false }]
        }
        Source::Files { files, .. } => files.clone(),
    };
    if !files.iter().any(|file| file.path == entry) {
        return Err(Failure::new(FailureKind::InvalidInput, format!("there is no file {entry} to inspect"))
            .hint("name the file to run with --entry"));
    }
    let (name, text, script) = driver(language, original, &files)?;
    files.push(SourceFile { path: name.into(), content: text.into(), executable: false });
    files.push(SourceFile { path: STDIN.into(), content: original.stdin.clone(), executable: false });
    let mut command: Vec<String> = ["/bin/sh", "-c", &script, "sh", entry].map(str::to_owned).to_vec();
    command.extend(original.args.iter().cloned());
    let mut request = ExecutionRequest {
        language: Some(language.id().to_owned()),
        source: Source::Files { files, entry: Some(entry.to_owned()) },
        command: Some(command),
        args: Vec::new(),
        stdin: Vec::new(),
        ..original.clone()
    };
    let seen = [("FORMICARY_LANGUAGE", language.id()), ("FORMICARY_ENTRY", entry)];
    request.env.extend(seen.map(|(name, value)| (name.to_owned(), value.to_owned())));
    // A person who thinks needs time, and a debugger memory.
    let limits = &mut request.limits;
    limits.wall_seconds.get_or_insert(300.0);
    limits.memory_bytes = limits.memory_bytes.map(|bytes| bytes.max(512 * 1024 * 1024));
    Ok(request)
}

/// The driver's file, its text, and the shell's line that starts it; `$1` is the entry, the rest are arguments.
fn driver(
    language: Language,
    original: &ExecutionRequest,
    files: &[SourceFile],
) -> Result<(&'static str, &'static str, String), Failure> {
    let flags: Vec<String> = original.compiler_flags.iter().map(|flag| quoted(flag)).collect();
    let flags = flags.join(" ");
    let sources = |endings: &[&str]| {
        let of_kind = |file: &&SourceFile| endings.iter().any(|ending| file.path.ends_with(ending));
        files
            .iter()
            .filter(of_kind)
            .map(|file| quoted(&format!("./{}", file.path)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    // What a compiler says is the program's stderr; stdout is for answers.
    // Each language brings scripts that show its strings, lists and maps.
    let shows = match language {
        Language::Rust => "-d \"$etc\" -iex \"add-auto-load-safe-path $etc\"",
        Language::Go => {
            "-iex \"add-auto-load-safe-path $(go env GOROOT)\" -iex 'add-auto-load-safe-path /usr'"
        }
        _ => "",
    };
    // Go's scripts greet whoever loads them.
    let said = if language == Language::Go { "2>/dev/null" } else { "" };
    let under_gdb = |build: String| {
        format!(
            "{build} 1>&2 || exit 1; shift; command -v gdb >/dev/null || {{ echo 'gdb: not found' >&2; exit 1; }}; \
             etc=$(rustc --print sysroot 2>/dev/null)/lib/rustlib/etc; export PYTHONPATH=\"$etc\"; exec gdb -nx -q {shows} -x formicary-inspect.py --args {PROGRAM} \"$@\" 9>&2 {said}"
        )
    };
    let apart = "3<&0 4>&1 <formicary-stdin 1>&2";
    Ok(match language {
        Language::Python => {
            ("formicary-inspect.py", PYTHON, "exec python3 formicary-inspect.py \"$@\"".into())
        }
        Language::JavaScript => {
            ("formicary-inspect.js", NODE, format!("exec node formicary-inspect.js \"$@\" {apart}"))
        }
        Language::Bash => {
            ("formicary-inspect.sh", BASH, format!("exec bash formicary-inspect.sh \"$@\" {apart}"))
        }
        Language::C => {
            let sources = sources(&[".c"]);
            let build = format!("gcc -g -O0 -std=gnu17 -I. {flags} -o {PROGRAM} {sources} -lm -pthread");
            ("formicary-inspect.py", GDB, under_gdb(build))
        }
        Language::Cpp => {
            let sources = sources(&[".cpp", ".cc", ".cxx", ".c++"]);
            let build = format!("g++ -g -O0 -std=gnu++20 -I. {flags} -o {PROGRAM} {sources} -lm -pthread");
            ("formicary-inspect.py", GDB, under_gdb(build))
        }
        Language::Rust => {
            let build = format!(
                "rustc -g --edition 2024 --crate-name main -C opt-level=0 {flags} -o {PROGRAM} \"$1\""
            );
            ("formicary-inspect.py", GDB, under_gdb(build))
        }
        Language::Go => {
            let what = match files.iter().any(|file| file.path == "go.mod") {
                true => ".".to_owned(),
                false => sources(&[".go"]),
            };
            let build = format!(
                "GOCACHE=/tmp/go GOFLAGS=-mod=mod go build -gcflags='all=-N -l' {flags} -o {PROGRAM} {what}"
            );
            ("formicary-inspect.py", GDB, under_gdb(build))
        }
        Language::Java => {
            let sources = sources(&[".java"]);
            let script = format!(
                "javac -g {flags} -d formicary-classes {sources} 1>&2 || exit 1; entry=$1; shift; \
                 exec java --add-modules jdk.jdi -XX:TieredStopAtLevel=1 FormicaryInspect.java \"$entry\" formicary-classes \"$@\""
            );
            ("FormicaryInspect.java", JAVA, script)
        }
        Language::TypeScript => {
            return Err(Failure::new(FailureKind::Internal, "TypeScript is stripped before it is inspected"));
        }
    })
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}
