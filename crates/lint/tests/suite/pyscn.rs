//! Complexity, coupling, cohesion, cycles and dead code against pyscn, on pip's own source.
//!
//! What differs, and why:
//!
//! - cyclomatic: pyscn counts neither `and`/`or` nor `assert` nor the `else` of a loop; we count them as radon does;
//! - cognitive: pyscn counts `continue` and `break`, and nests in `with`; by the published definition only jumps to labels
//!   count;
//! - LCOM4: a method that is handed on as a value (`{"a": self.a}`) ties its methods together for us;
//! - CBO: types in annotations count for us, so ours is never below pyscn's.
#![expect(clippy::unwrap_used, reason = "a test")]

use super::peers::{SKIPS, python};
use formicary_lint::{Analysis, Options, SourceFile, analyze};
use serde::Deserialize;
use std::collections::HashMap;
#[expect(clippy::disallowed_types, reason = "the peer is asked by a test")]
use std::process::Command;

/// Prints pyscn's figures, and for each function what pyscn does not count.
const PYSCN: &str = r#"
import ast, json, os, subprocess, sys
folder = sys.argv[1]
pyscn = os.path.join(os.path.dirname(sys.executable), "pyscn")
done = subprocess.run([pyscn, "analyze", "--json", "--skip-clones", "--output", "-", "."], cwd=folder, capture_output=True, text=True)
told = json.loads(done.stdout[done.stdout.index("{"):])
def own(node):
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield child
            yield from own(child)
def left_out(node):
    inner = list(own(node))
    count = sum(len(one.values) - 1 for one in inner if isinstance(one, ast.BoolOp))
    count += sum(isinstance(one, ast.Assert) for one in inner)
    return count + sum(isinstance(one, (ast.For, ast.While, ast.AsyncFor, ast.Try)) and bool(one.orelse) for one in inner)
functions, trees = [], {}
for one in told["complexity"]["functions"]:
    path, line, name = one["file_path"], one["start_line"], one["name"].split(".")[-1]
    if path not in trees:
        tree = ast.parse(open(os.path.join(folder, path)).read())
        trees[path] = {(n.name, n.lineno): n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    found = [n for (known, at), n in trees[path].items() if known == name and line <= at <= line + 6]
    if found:
        functions.append([path, name, found[0].lineno, one["metrics"]["complexity"], one["metrics"]["cognitive_complexity"], left_out(found[0])])
rows = lambda key, figure: [[c["file_path"], c["name"], c["start_line"], c["metrics"][figure]] for c in told[key]["classes"]]
cycles = told["system"]["dependency_analysis"]["circular_dependencies"]["total_cycles"]
dead = sum(len(f.get("functions") or []) for f in told["dead_code"]["files"] or [])
print(json.dumps({"functions": functions, "cohesion": rows("lcom", "lcom4"), "coupling": rows("cbo", "coupling_count"), "cycles": cycles, "dead": dead}))
"#;

#[derive(Deserialize)]
struct Told {
    /// Path, name, line, cyclomatic, cognitive, and what pyscn leaves out of the former.
    functions: Vec<(String, String, u32, u32, u32, u32)>,
    cohesion: Vec<(String, String, u32, u32)>,
    coupling: Vec<(String, String, u32, u32)>,
    cycles: u32,
    dead: usize,
}

#[test]
fn figures_agree_with_pyscns() {
    let Some(python) = python("pip, pyscn") else {
        SKIPS.note("figures_agree_with_pyscns", "pyscn is not in the test environment");
        return;
    };
    let packages = super::lizard::glob_one(&python.parent().unwrap().with_file_name("lib"));
    let folder = packages.join("site-packages/pip/_internal");
    #[expect(clippy::disallowed_types, reason = "the peer is asked by a test")]
    let output = Command::new(&python).args(["-c", PYSCN]).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Told = serde_json::from_slice(&output.stdout).unwrap();

    let mut paths = Vec::new();
    super::lizard::files(&folder, "py", &mut paths);
    let sources: Vec<SourceFile> = paths
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
            SourceFile::new(name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    let ours = analyze(&sources, &Options::default(), None, None);
    functions(&told, &ours);
    classes(&told, &ours);
    assert_eq!((told.cycles, told.dead), (0, 0), "pip has neither cycles nor dead code");
    let rules: Vec<&str> = ours
        .files
        .iter()
        .flat_map(|file| &file.findings)
        .chain(&ours.project.findings)
        .map(|finding| &*finding.rule)
        .collect();
    assert!(!rules.contains(&"import-cycle") && !rules.contains(&"unreachable-code"), "{rules:?}");
}

fn functions(told: &Told, ours: &Analysis) {
    let known: HashMap<(&str, &str, u32), (u32, u32)> = ours
        .files
        .iter()
        .flat_map(|file| {
            file.metrics.functions.iter().map(|one| {
                let name = one.name.rsplit('.').next().unwrap_or_default();
                ((file.metrics.file.as_str(), name, one.span.start_line), (one.cyclomatic, one.cognitive))
            })
        })
        .collect();
    let (mut count, mut cyclomatic, mut cognitive) = (0, 0, 0);
    for (path, name, line, complexity, effort, left_out) in &told.functions {
        let Some((ours, our_effort)) = known.get(&(path, name, *line)) else { continue };
        count += 1;
        cyclomatic += u32::from(*ours == complexity + left_out);
        cognitive += u32::from(our_effort == effort);
    }
    assert!(count > 1_000, "{count}");
    assert!(cyclomatic * 100 >= count * 99, "cyclomatic agrees in {cyclomatic} of {count}");
    assert!(cognitive * 100 >= count * 92, "cognitive agrees in {cognitive} of {count}");
}

fn classes(told: &Told, ours: &Analysis) {
    let find = |path: &str, name: &str, line: u32| {
        let file = ours.files.iter().find(|file| file.metrics.file == path)?;
        file.metrics.classes.iter().find(|one| one.name == name && one.span.start_line.abs_diff(line) <= 6)
    };
    let same = told
        .cohesion
        .iter()
        .filter(|(path, name, line, parts)| {
            find(path, name, *line).is_some_and(|class| class.lack_of_cohesion == *parts)
        })
        .count();
    assert!(same * 100 >= told.cohesion.len() * 99, "LCOM4 agrees in {same} of {}", told.cohesion.len());
    for (path, name, line, coupling) in &told.coupling {
        let class = find(path, name, *line).unwrap();
        assert!(class.coupling >= *coupling, "{path} {name}: {coupling}, ours {}", class.coupling);
    }
}
