//! Real programs rather than snippets: threads, pipes, tools, and text made to break a parser.

mod along;
mod neighbors;
mod warm;

use crate::rig::{check, run, shown, snippet};
use formicary_model::{CollectRequest, Environment, ExecutionRequest, Status, ViolationKind};
use formicary_testkit::skips::Skips;

fn prints(language: &str, code: &str, expected: &str) {
    let result = check(snippet(language, code), Status::Success);
    assert_eq!(result.stdout, expected, "{}", shown(&result));
}

#[test]
fn goroutines() {
    prints(
        "go",
        "package main\nimport (\n\"fmt\"\n\"sync\"\n)\nfunc main() {\n\tvar group sync.WaitGroup\n\tresults := make(chan int, 1000)\n\
         \tfor i := 0; i < 1000; i++ {\n\t\tgroup.Add(1)\n\t\tgo func(n int) { defer group.Done(); results <- n }(i)\n\t}\n\
         \tgroup.Wait()\n\tclose(results)\n\tsum := 0\n\tfor n := range results { sum += n }\n\tfmt.Println(sum)\n}",
        "499500\n",
    );
}

#[test]
fn threads_of_rust() {
    prints(
        "rust",
        "use std::thread;\nfn main() {\n    let all: Vec<_> = (0..16u64).map(|n| thread::spawn(move || n * n)).collect();\n\
         let sum: u64 = all.into_iter().map(|t| t.join().unwrap()).sum();\n    println!(\"{sum}\");\n}",
        "1240\n",
    );
}

#[test]
fn pipes_and_subshells() {
    prints(
        "bash",
        "set -o pipefail\n(echo b; echo a) | sort | while read -r x; do printf '%s.' \"$x\"; done\necho $(( $(seq 1 4 | wc -l) * 2 ))",
        "a.b.8\n",
    );
    prints(
        "bash",
        "git init -q r && cd r && git -c user.name=a -c user.email=b commit -q --allow-empty -m one && git log --format=%s",
        "one\n",
    );
}

#[test]
fn a_database_in_a_shell_script() {
    prints(
        "bash",
        "sqlite3 x.db 'create table t(a); insert into t values (1), (2)'\nsqlite3 x.db 'select sum(a) from t' | tr 3 4",
        "4\n",
    );
}

/// The JVM sizes its heap by the machine's memory unless it is told of the limit: eight times as much garbage as
/// memory must not end it.
#[test]
fn a_virtual_machine_that_makes_garbage() {
    prints(
        "java",
        "import java.util.stream.IntStream;\npublic class Garbage {\n  public static void main(String[] a) {\n\
         System.out.println(IntStream.range(0, 4096).parallel().map(n -> new byte[1 << 20].length >> 20).sum());\n  }\n}",
        "4096\n",
    );
}

#[test]
fn python_with_processes_and_threads() {
    prints(
        "python",
        "from concurrent.futures import ThreadPoolExecutor\nimport subprocess, sys, tempfile, sqlite3\n\
         with ThreadPoolExecutor(4) as pool: print(sum(pool.map(lambda n: n * n, range(10))))\n\
         print(subprocess.run([sys.executable, '-c', 'print(7)'], capture_output=True, text=True).stdout.strip())\n\
         with tempfile.TemporaryDirectory() as d: print(sqlite3.connect(d + '/x').execute('select 3').fetchone()[0])",
        "285\n7\n3\n",
    );
}

/// The test command makes a virtual environment with both and names it.
#[test]
fn numpy_and_matplotlib_from_a_virtual_environment() {
    let Some(venv) = std::env::var_os("FORMICARY_TEST_VENV").and_then(|path| path.into_string().ok()) else {
        return Skips::new()
            .note("numpy_and_matplotlib", "no virtual environment is given (FORMICARY_TEST_VENV)");
    };
    let code = "import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plot\nimport numpy\n\
                product = numpy.eye(300) @ numpy.full((300, 300), 2.0)\nplot.plot(product[0])\n\
                plot.savefig('plot.png')\nprint(int(product.sum()))";
    let collect = CollectRequest { globs: vec!["*.png".into()], ..Default::default() };
    let result = check(
        ExecutionRequest {
            collect,
            environment: Environment { venv: Some(venv), ..snippet("python", code).environment },
            ..snippet("python", code)
        },
        Status::Success,
    );
    assert_eq!(result.stdout, "180000\n", "{}", shown(&result));
    assert!(
        result.artifacts.iter().any(|file| file.path == "plot.png" && file.content.starts_with(b"\x89PNG"))
    );
}

#[test]
fn text_made_to_break_the_parser_breaks_only_the_compile_step() {
    for unit in ["(", "[", "{a:", "<T,>(", "x?y:", "!", "`${"] {
        let result = run(snippet("typescript", &unit.repeat(900_000 / unit.len())));
        assert_eq!(
            result.status,
            Status::CompileError,
            "{unit}: {}",
            result.error_message.unwrap_or_default()
        );
    }
}

/// Too short to be watched: what its first process leaves behind tells that no more were to be had, with a control group and without.
#[test]
fn a_short_run_says_that_processes_were_refused() {
    let code = "#include <unistd.h>\nint main(void) {\n  for (int i = 0; i < 300; i++) {\n    pid_t child = fork();\n\
                \x20   if (child == 0) { usleep(200000); _exit(0); }\n  }\n  return 0;\n}\n";
    let mut request = snippet("c", code);
    request.limits.processes = Some(32);
    let result = check(request, Status::Success);
    let refused = result.violations.iter().any(|violation| violation.kind == ViolationKind::Processes);
    assert!(refused, "{:?}", result.violations);
}
