//! The compile cache with real compilers: what is compiled once is not compiled again, and what differs is.

use crate::rig::{folder, settings, shown, snippet};
use formicary_execution::{CacheSettings, ExecutionSettings, Executor, Live};
use formicary_model::{Environment, ExecutionRequest, ExecutionResult, Mount, MountAccess, Status};
use formicary_sandbox::registry::{SandboxSettings, all};
use formicary_testkit::scratch::Scratch;
use std::path::PathBuf;

struct Cached {
    executor: Executor,
    folder: PathBuf,
    _scratch: Scratch,
}

fn cached(purpose: &str) -> Cached {
    let scratch = Scratch::new(purpose).unwrap();
    let folder = scratch.path().join("cache");
    let cache = Some(CacheSettings { folder: folder.clone(), max_bytes: 256 << 20 });
    let settings = ExecutionSettings { cache, ..settings() };
    let executor = Executor::new(settings, all(&SandboxSettings::default())).unwrap();
    Cached { executor, folder, _scratch: scratch }
}

impl Cached {
    fn run(&self, request: ExecutionRequest) -> ExecutionResult {
        self.executor.execute(request, Live::default()).unwrap()
    }

    fn entries(&self) -> Vec<PathBuf> {
        std::fs::read_dir(&self.folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    }
}

fn is_cached(result: &ExecutionResult) -> bool {
    result.compile.as_ref().unwrap_or_else(|| panic!("{}", shown(result))).cached
}

#[test]
fn the_second_compilation_is_not_one() {
    let programs = [
        ("c", "#include <stdio.h>\nint main(void){int unused; puts(\"hi\"); return 0;}"),
        ("cpp", "#include <iostream>\nint main(){std::cout << \"hi\\n\";}"),
        ("rust", "fn main(){ let unused = 1; println!(\"hi\"); }"),
        ("go", "package main\nimport \"fmt\"\nfunc main(){ fmt.Println(\"hi\") }"),
        ("java", "public class Hi { public static void main(String[] a){ System.out.println(\"hi\"); } }"),
        ("typescript", "const word: string = 'hi'; console.log(word);"),
        ("tiny", "#include <stdio.h>\nint main(void){puts(\"hi\"); return 0;}"),
    ];
    let cached = cached("cache-languages");
    for (language, code) in programs {
        let first = cached.run(snippet(language, code));
        assert_eq!((first.status, first.stdout.as_str()), (Status::Success, "hi\n"), "{}", shown(&first));
        assert!(!is_cached(&first), "{language}");
        let second = cached.run(snippet(language, code));
        assert_eq!((second.status, second.stdout.as_str()), (Status::Success, "hi\n"), "{}", shown(&second));
        assert!(is_cached(&second), "{language}");
        let (first, second) = (first.compile.unwrap(), second.compile.unwrap());
        assert_eq!(first.stderr, second.stderr, "{language}: warnings are repeated");
        assert!(second.duration < first.duration, "{language}: {} {}", second.duration, first.duration);
    }
}

#[test]
fn what_differs_is_compiled_anew() {
    let cached = cached("cache-differs");
    let base = || {
        snippet(
            "c",
            "#include <stdio.h>\n#ifndef N\n#define N 1\n#endif\nint main(void){printf(\"%d\\n\", N); return 0;}",
        )
    };
    assert!(!is_cached(&cached.run(base())));
    assert!(is_cached(&cached.run(base())));
    let flagged = || ExecutionRequest { compiler_flags: vec!["-DN=2".into()], ..base() };
    let result = cached.run(flagged());
    assert_eq!((is_cached(&result), result.stdout.as_str()), (false, "2\n"));
    assert!(is_cached(&cached.run(flagged())));
    let env = [("CPATH".to_string(), "/work".to_string())].into();
    assert!(!is_cached(
        &cached.run(ExecutionRequest { environment: Environment { env, ..base().environment }, ..base() })
    ));
    let header = |value: &str| {
        let main = "#include <stdio.h>\n#include \"n.h\"\nint main(void){printf(\"%d\\n\", N); return 0;}";
        folder(Some("c"), None, &[("main.c", main), ("n.h", &format!("#define N {value}\n"))])
    };
    assert_eq!(cached.run(header("3")).stdout, "3\n");
    assert_eq!(cached.run(header("4")).stdout, "4\n");
    assert!(is_cached(&cached.run(header("3"))));
    // Different input for the same program is no reason to compile it again.
    let stdin = ExecutionRequest { stdin: b"x".to_vec(), args: vec!["a".into()], ..base() };
    assert!(is_cached(&cached.run(stdin)));
    let dated = "#include <stdio.h>\nint main(void){puts(__TIME__); return 0;}";
    cached.run(snippet("c", dated));
    assert!(!is_cached(&cached.run(snippet("c", dated))), "the time is in it");
}

#[test]
fn failures_and_foreign_folders_are_not_kept() {
    let cached = cached("cache-failures");
    for _ in 0..2 {
        let result = cached.run(snippet("c", "int main(void){ return x; }"));
        assert_eq!(result.status, Status::CompileError);
        assert!(!is_cached(&result));
    }
    let own = Scratch::new("cache-mounted").unwrap();
    let mount = Mount {
        host: own.path().to_string_lossy().into_owned(),
        guest: "/headers".into(),
        access: MountAccess::ReadOnly,
    };
    for _ in 0..2 {
        let request = ExecutionRequest {
            environment: Environment {
                mounts: vec![mount.clone()],
                ..snippet("c", "int main(void){return 0;}").environment
            },
            ..snippet("c", "int main(void){return 0;}")
        };
        assert!(!is_cached(&cached.run(request)));
    }
    assert_eq!(cached.entries(), Vec::<PathBuf>::new());
}

#[test]
fn a_tampered_entry_never_runs() {
    let cached = cached("cache-tampered");
    let good = || snippet("c", "#include <stdio.h>\nint main(void){puts(\"good\"); return 0;}");
    cached.run(good());
    let [entry] = &cached.entries()[..] else { panic!("{:?}", cached.entries()) };
    let bytes = std::fs::read(entry).unwrap();
    let place = bytes.windows(4).position(|window| window == b"good").unwrap();
    let mut changed = bytes.clone();
    changed[place..place + 4].copy_from_slice(b"evil");
    std::fs::write(entry, changed).unwrap();
    let result = cached.run(good());
    assert_eq!((is_cached(&result), result.stdout.as_str()), (false, "good\n"));
    assert!(is_cached(&cached.run(good())));
}
