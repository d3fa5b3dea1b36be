//! Which debuggers a language has, which is taken, and how program and debugger are started together.
//!
//! What is there is seen inside the sandbox, where it must run, and not on the host: the shell's line that builds the program
//! looks for one debugger after the other, starts the first that it finds, and says which.

use super::adapters::{self, Adapter, Speaks};
use super::dap::Facts;
use formicary_model::{ExecutionRequest, Failure, FailureKind, Language, Source, SourceFile, suggest};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const PYTHON: &str =
    concat!(include_str!("../snapshot/values.py"), "\n\n", include_str!("drivers/python.py"));
const NODE: &str = include_str!("drivers/node.js");
const GDB: &str = include_str!("drivers/gdb.py");
const JAVA: &str = include_str!("drivers/FormicaryInspect.java");
const BASH: &str = include_str!("drivers/bash.sh");

/// The program's standard input, as a file: the debugger's own is for commands.
const STDIN: &str = "formicary-stdin";
/// What a compiled program is called inside.
const PROGRAM: &str = "./formicary-program";
const BRIDGE: &str = "formicary-bridge.sh";

/// A run under a debugger.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The run.
    pub request: ExecutionRequest,
    /// What an adapter must know of the program.
    pub facts: Facts,
    /// What is worth knowing, where a debugger of this name is taken.
    pub notes: Vec<(&'static str, String)>,
}

/// A driver of ours.
struct Own {
    name: &'static str,
    languages: &'static [Language],
    /// The file that is put beside the program, and its text.
    file: (&'static str, &'static str),
    /// A shell's condition: it is there. Empty where the language brings it along.
    finds: &'static str,
    get: &'static str,
}

const OWN: [Own; 5] = [
    Own {
        name: "bdb",
        languages: &[Language::Python],
        file: ("formicary-inspect.py", PYTHON),
        finds: "",
        get: "it comes with Python",
    },
    Own {
        name: "v8",
        languages: &[Language::JavaScript, Language::TypeScript],
        file: ("formicary-inspect.js", NODE),
        finds: "",
        get: "it comes with Node",
    },
    Own {
        name: "jdi",
        languages: &[Language::Java],
        file: ("FormicaryInspect.java", JAVA),
        finds: "",
        get: "it comes with the JDK",
    },
    Own {
        name: "gdb",
        languages: &[Language::C, Language::Cpp, Language::Rust, Language::Go],
        file: ("formicary-inspect.py", GDB),
        finds: "command -v gdb >/dev/null",
        get: "apt-get install gdb",
    },
    Own {
        name: "traps",
        languages: &[Language::Bash],
        file: ("formicary-inspect.sh", BASH),
        finds: "",
        get: "they come with Bash",
    },
];

/// A debugger that may be taken.
enum Candidate {
    Own(&'static Own),
    Adapter(&'static Adapter),
}

impl Candidate {
    fn name(&self) -> &str {
        match self {
            Self::Own(own) => own.name,
            Self::Adapter(adapter) => &adapter.name,
        }
    }
}

/// How to get a debugger.
pub fn how_to_get(name: &str) -> Option<&'static str> {
    let own = OWN.iter().find(|own| own.name == name).map(|own| own.get);
    own.or_else(|| adapters::named(name).map(|adapter| adapter.get.as_str()))
}

/// A debugger, for whoever wants to know which there are.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its name.
    pub name: &'static str,
    /// What it debugs.
    pub languages: Vec<Language>,
    /// How to get it; none where the language brings it along.
    pub get: Option<&'static str>,
}

/// Every debugger.
pub fn known() -> Vec<Known> {
    let own = OWN.iter().map(|own| Known {
        name: own.name,
        languages: own.languages.to_vec(),
        get: (!own.finds.is_empty()).then_some(own.get),
    });
    let adapters = adapters::all().iter().map(|adapter| Known {
        name: &adapter.name,
        languages: adapter.languages.clone(),
        get: Some(&adapter.get),
    });
    own.chain(adapters).collect()
}

/// A run whose output names, a line each, the debuggers that are there and do not come with a language.
pub fn probe() -> ExecutionRequest {
    let own = OWN.iter().filter(|own| !own.finds.is_empty()).map(|own| (own.name, own.finds));
    let adapters = adapters::all().iter().map(|adapter| (adapter.name.as_str(), adapter.finds.as_str()));
    let asks = own.chain(adapters).map(|(name, finds)| format!("if {finds}\nthen echo {name}\nfi\n"));
    let script: String = asks.collect();
    ExecutionRequest {
        language: Some(Language::Python.id().to_owned()),
        command: Some(["/bin/sh", "-c", &script].map(str::to_owned).to_vec()),
        ..ExecutionRequest::default()
    }
}

/// The debuggers of a language, the one that is taken first before the others.
pub fn debuggers(language: Language) -> Vec<&'static str> {
    let own = OWN.iter().filter(|own| own.languages.contains(&language)).map(|own| own.name);
    let adapters = adapters::all().iter().filter(|adapter| adapter.debugs(language));
    let mut names: Vec<&str> = own.chain(adapters.map(|adapter| adapter.name.as_str())).collect();
    // Delve knows goroutines, and values better than gdb does.
    if language == Language::Go {
        names.reverse();
    }
    names
}

/// The debuggers to try, in order: those of the language, or the one that is wanted.
fn candidates(language: Language, threads: bool, wanted: Option<&str>) -> Result<Vec<Candidate>, Failure> {
    let mut names = debuggers(language);
    if let Some(wanted) = wanted {
        let known = match wanted {
            "dlv" | "dlv-dap" => "delve",
            "lldb-dap" | "lldb-dap-19" => "lldb",
            other => other,
        };
        if !names.contains(&known) {
            let meant = suggest::nearest(known, names.iter().copied())
                .map(|name| format!("; did you mean {name}?"))
                .unwrap_or_default();
            return Err(Failure::new(
                FailureKind::InvalidInput,
                format!("{wanted:?} is no debugger for {language}{meant}"),
            )
            .hint(format!("debuggers for {language}: {}", names.join(", "))));
        }
        names.retain(|name| *name == known);
    } else if language == Language::Python {
        // What the interpreter brings along sees the main thread alone.
        match threads {
            true => names.reverse(),
            false => names.truncate(1),
        }
    }
    let of = |name: &str| {
        let own = OWN.iter().find(|own| own.name == name).map(Candidate::Own);
        own.or_else(|| adapters::named(name).map(Candidate::Adapter))
    };
    Ok(names.into_iter().filter_map(of).collect())
}

/// The same program under a debugger: `wanted`, or the one that suits.
pub fn plan(
    original: &ExecutionRequest,
    language: Language,
    entry: &str,
    wanted: Option<&str>,
) -> Result<Planned, Failure> {
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
    if language == Language::TypeScript {
        return Err(Failure::new(FailureKind::Internal, "TypeScript is stripped before it is inspected"));
    }
    let threads = language == Language::Python && has_threads(&files);
    let candidates = candidates(language, threads, wanted)?;
    let script = script(language, original, &files, &candidates);
    let functions = candidates.iter().flat_map(|candidate| functions(candidate, &files)).collect();
    for candidate in &candidates {
        let (name, text) = match candidate {
            Candidate::Own(own) => own.file,
            Candidate::Adapter(adapter) if adapter.speaks == Speaks::Port => (BRIDGE, adapters::BRIDGE),
            Candidate::Adapter(_) => continue,
        };
        files.push(SourceFile { path: name.into(), content: text.into(), executable: false });
    }
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
    let facts = Facts {
        language: Some(language),
        entry: entry.to_owned(),
        args: original.args.clone(),
        functions,
        ..Facts::default()
    };
    let mut notes = Vec::new();
    if threads {
        let get = how_to_get("debugpy").unwrap_or_default();
        notes.push(("bdb", format!("bdb stops in the main thread alone; debugpy sees all threads ({get})")));
    }
    Ok(Planned { request, facts, notes })
}

/// Whether a Python program starts threads, as far as its imports tell.
fn has_threads(files: &[SourceFile]) -> bool {
    static IMPORT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?m)^[ \t]*(?:import|from)[ \t]+(?:[\w., ]*\b)?(?:threading|_thread|concurrent)\b").ok()
    });
    let python = files.iter().filter(|file| file.path.ends_with(".py"));
    python
        .map(|file| String::from_utf8_lossy(&file.content))
        .any(|text| IMPORT.as_ref().is_some_and(|import| import.is_match(&text)))
}

/// The functions that the sources define, for a debugger that takes any name.
fn functions(candidate: &Candidate, files: &[SourceFile]) -> BTreeSet<String> {
    let Candidate::Adapter(Adapter { definition: Some(word), .. }) = candidate else {
        return BTreeSet::new();
    };
    let mut found = BTreeSet::new();
    for file in files {
        let text = String::from_utf8_lossy(&file.content);
        for (at, _) in text.match_indices(word.as_str()) {
            let rest = &text[at + word.len()..];
            found.insert(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    found
}

/// The shell's line: builds the program, takes the first debugger that is there; `$1` is the entry, the rest are arguments.
fn script(
    language: Language,
    original: &ExecutionRequest,
    files: &[SourceFile],
    candidates: &[Candidate],
) -> String {
    let mut script = String::from(
        "formicary_says() { printf '{\"event\":\"debugger\",\"text\":\"%s\",\"told\":{\"home\":\"%s\",\"etc\":\"%s\",\"python\":\"%s\"}}\\n' \
         \"$1\" \"$PWD\" \"$etc\" \"$(command -v python3)\"; }\n",
    );
    if let Some(build) = build(language, original, files) {
        // What a compiler says is the program's stderr; stdout is for answers.
        script += &format!("{build} 1>&2 || exit 1\n");
    }
    if language == Language::Rust {
        script += "etc=$(rustc --print sysroot 2>/dev/null)/lib/rustlib/etc\n";
    }
    for candidate in candidates {
        let (finds, start) = match candidate {
            Candidate::Own(own) => (own.finds, start_own(own, language)),
            Candidate::Adapter(adapter) => (adapter.finds.as_str(), start_adapter(adapter)),
        };
        let name = candidate.name();
        match finds {
            "" => script += &format!("formicary_says {name}\n{start}\n"),
            finds => script += &format!("if {finds}\nthen formicary_says {name}\n{start}\nfi\n"),
        }
    }
    let names: Vec<&str> = candidates.iter().map(Candidate::name).collect();
    script + &format!("printf '{{\"event\":\"missing\",\"text\":\"{}\"}}\\n'\nexit 1\n", names.join(" "))
}

fn start_adapter(adapter: &Adapter) -> String {
    match adapter.speaks {
        Speaks::Port => {
            format!("exec bash {BRIDGE} {} {}", quoted(&adapter.listening), adapter.start)
        }
        Speaks::Streams => beside(&adapter.start),
    }
}

/// A shell's lines that start an adapter whose streams are the protocol's; the program's own go another way. When nobody gives
/// orders any more, or the adapter is gone, everything is over: whether it wants to or not.
pub fn beside(start: &str) -> String {
    format!(
        "mkfifo formicary-output formicary-orders || exit 1; exec 3<&0; trap 'exit 0' TERM; \
         cat <>formicary-output >&2 3<&- & {{ {start} <formicary-orders 2>/dev/null 3<&-; kill -TERM $$; }} & \
         cat <&3 >formicary-orders & wait $!; exit 0"
    )
}

fn start_own(own: &Own, language: Language) -> String {
    let apart = "3<&0 4>&1 <formicary-stdin 1>&2";
    let file = own.file.0;
    match own.name {
        "bdb" => format!("exec python3 {file} \"$@\""),
        "v8" => format!("exec node {file} \"$@\" {apart}"),
        "traps" => format!("exec bash {file} \"$@\" {apart}"),
        "jdi" => format!(
            "entry=$1; shift; \
             exec java --add-modules jdk.jdi -XX:TieredStopAtLevel=1 {file} \"$entry\" formicary-classes \"$@\""
        ),
        _ => {
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
            format!(
                "shift; export PYTHONPATH=\"$etc\"; \
                 exec gdb -nx -q {shows} -x {file} --args {PROGRAM} \"$@\" 9>&2 {said}"
            )
        }
    }
}

/// How the program is built for a debugger, where it must be.
fn build(language: Language, original: &ExecutionRequest, files: &[SourceFile]) -> Option<String> {
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
    match language {
        Language::C => {
            let sources = sources(&[".c"]);
            Some(format!("gcc -g -O0 -std=gnu17 -I. {flags} -o {PROGRAM} {sources} -lm -pthread"))
        }
        Language::Cpp => {
            let sources = sources(&[".cpp", ".cc", ".cxx", ".c++"]);
            Some(format!("g++ -g -O0 -std=gnu++20 -I. {flags} -o {PROGRAM} {sources} -lm -pthread"))
        }
        Language::Rust => Some(format!(
            "rustc -g --edition 2024 --crate-name main -C opt-level=0 {flags} -o {PROGRAM} \"$1\""
        )),
        Language::Go => {
            let what = match files.iter().any(|file| file.path == "go.mod") {
                true => ".".to_owned(),
                false => sources(&[".go"]),
            };
            Some(format!(
                "GOCACHE=/tmp/go GOFLAGS=-mod=mod go build -gcflags='all=-N -l' {flags} -o {PROGRAM} {what}"
            ))
        }
        Language::Java => {
            let sources = sources(&[".java"]);
            Some(format!("javac -g {flags} -d formicary-classes {sources}"))
        }
        _ => None,
    }
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(language: Language, threads: bool, wanted: Option<&str>) -> Vec<String> {
        let found = candidates(language, threads, wanted).unwrap();
        found.iter().map(|candidate| candidate.name().to_owned()).collect()
    }

    #[test]
    fn every_language_has_its_debuggers_in_order() {
        assert_eq!(names(Language::Go, false, None), ["delve", "gdb"]);
        assert_eq!(names(Language::Go, false, Some("dlv")), ["delve"]);
        assert_eq!(names(Language::Go, false, Some("gdb")), ["gdb"]);
        assert_eq!(names(Language::Rust, false, None), ["gdb", "lldb"]);
        assert_eq!(names(Language::C, false, Some("lldb-dap")), ["lldb"]);
        assert_eq!(names(Language::Python, false, None), ["bdb"]);
        assert_eq!(names(Language::Python, true, None), ["debugpy", "bdb"]);
        assert_eq!(names(Language::Python, false, Some("debugpy")), ["debugpy"]);
        for language in Language::ALL {
            assert!(debuggers(language).iter().all(|name| how_to_get(name).is_some()), "{language}");
        }
        let wrong = candidates(Language::Python, false, Some("debupgy")).err().unwrap();
        assert!(wrong.message.contains("did you mean debugpy?"), "{wrong:?}");
        assert!(wrong.hint.unwrap().contains("bdb, debugpy"));
    }

    #[test]
    fn threads_are_told_by_imports() {
        let uses = |text: &str| {
            let content = text.as_bytes().to_vec();
            has_threads(&[SourceFile { path: "a.py".into(), content, executable: false }])
        };
        for text in
            ["import threading", "import os, threading", "if x:\n    from concurrent.futures import x"]
        {
            assert!(uses(text), "{text}");
        }
        for text in ["import os", "# import threading", "threading = 1", "x = 'from concurrent'"] {
            assert!(!uses(text), "{text}");
        }
    }
}
