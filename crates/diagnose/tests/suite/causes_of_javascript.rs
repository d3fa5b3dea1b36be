//! JavaScript and TypeScript: chains reach the origin, rewritten programs do what they did, hostile ones neither stall nor
//! lie.

use crate::causes::{Program, explained, programs, run};
use formicary_diagnose::{causes, failures};
use formicary_model::{Diagnosis, ExecutionRequest, ExecutionResult, Language, Source, SourceFile};
use std::path::Path;

/// Seconds that a first run is taken to have needed: programs that were made slow by others must not lose their chain.
const SECONDS: f64 = 3.0;

/// A program of one file, or of several that are parted by lines with `// file: name`.
fn request(language: Language, entry: &str, text: &str, stdin: &str) -> ExecutionRequest {
    let mut files: Vec<(String, String)> = vec![(entry.to_owned(), String::new())];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("// file: ") {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None => files.last_mut().unwrap().1.push_str(line),
        }
    }
    let source = match files.as_slice() {
        [(path, text)] => Source::Code { code: text.as_str().into(), file_name: Some(path.clone()) },
        files => Source::Files {
            files: files.iter().map(|(path, text)| SourceFile::new(path.as_str(), text.as_str())).collect(),
            entry: Some(entry.to_owned()),
        },
    };
    ExecutionRequest {
        language: Some(language.id().into()),
        source,
        stdin: stdin.into(),
        ..ExecutionRequest::default()
    }
}

/// A failing program, diagnosed with its chain.
fn diagnosed(request: &ExecutionRequest, entry: &str) -> (Diagnosis, ExecutionResult, ExecutionResult) {
    let language = Language::from_word(request.language.as_deref().unwrap()).unwrap();
    let result = run(request.clone());
    let sources = failures::sources_of(request, language.id());
    let mut diagnosis = failures::of_result(&result, &sources);
    let watched = causes::request(request, language, entry, SECONDS).unwrap();
    let watched = run(watched);
    causes::attach(&mut diagnosis, &watched, &sources);
    (diagnosis, result, watched)
}

/// The programs of a file, parted by lines with `// program: head`.
fn parted(path: &str) -> Vec<Program> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/causes").join(path);
    let text = std::fs::read_to_string(path).unwrap();
    let mut found: Vec<Program> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(head) = line.strip_prefix("// program: ") {
            let head: Vec<String> = head.trim().split(" | ").map(str::to_owned).collect();
            found.push(Program { name: head[0].clone(), text: String::new(), head });
        } else {
            found.last_mut().unwrap().text.push_str(line);
        }
    }
    found
}

fn wrong_chains(programs: &[Program], language: Language) -> Vec<String> {
    let mut wrong = Vec::new();
    for program in programs {
        let ending = program.name.rsplit_once('.').unwrap().1;
        let entry = format!("main.{ending}");
        let head: Vec<&str> = program.head.iter().map(|word| word.trim_end_matches(" |")).collect();
        let (place, value) = (head[0], head.get(1).copied().unwrap_or_default());
        let stdin = head.get(2).map(|text| text.replace("\\n", "\n")).unwrap_or_default();
        let (file, line) = place.split_once(':').unwrap_or((&entry, place));
        let line: u32 = line.parse().unwrap();
        let (diagnosis, result, watched) =
            diagnosed(&request(language, &entry, &program.text, &stdin), &entry);
        let Some(error) = diagnosis.main() else {
            wrong.push(format!("{}: no error\n{}{}", program.name, result.stdout, result.stderr));
            continue;
        };
        let reached = error
            .chain
            .iter()
            .any(|step| step.file == file && step.line == line && step.value.starts_with(value));
        if !reached || !error.root_cause.contains('`') || error.chain.len() > 6 {
            let said = if error.chain.is_empty() { watched.stderr.as_str() } else { "" };
            wrong.push(format!("{} (line {line}, {value})\n{}\n{said}", program.name, explained(error)));
        }
    }
    wrong
}

#[test]
fn chains_of_javascript_reach_the_origin() {
    let programs = programs("chains", &["js", "mjs"]);
    assert!(programs.len() >= 50, "only {} programs", programs.len());
    let wrong = wrong_chains(&programs, Language::JavaScript);
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

#[test]
fn chains_of_typescript_reach_the_origin() {
    let programs = programs("chains", &["ts"]);
    assert!(programs.len() >= 6, "only {} programs", programs.len());
    let wrong = wrong_chains(&programs, Language::TypeScript);
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

#[test]
fn rewritten_programs_do_what_they_did() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in ["statements", "expressions", "functions", "modules"] {
        for program in parted(&format!("same/{file}.js")) {
            count += 1;
            let request = request(Language::JavaScript, "main.js", &program.text, "input\n");
            let plain = run(request.clone());
            let Some(watched) = causes::request(&request, Language::JavaScript, "main.js", SECONDS) else {
                if !program.name.starts_with("with") {
                    wrong.push(format!("{}: not rewritten", program.name));
                }
                continue;
            };
            let watched = run(watched);
            if (&plain.stdout, plain.exit_code) != (&watched.stdout, watched.exit_code) {
                let both = format!("{}\n{}{}", plain.stdout, watched.stdout, watched.stderr);
                wrong
                    .push(format!("{}: {:?} {:?}\n{both}", program.name, plain.exit_code, watched.exit_code));
            }
        }
    }
    assert!(count >= 60, "only {count} programs");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

/// Each head names the line and the beginning of the value that the chain must reach; line 0 asks only that nothing stalls.
#[test]
fn hostile_javascript_neither_stalls_nor_lies() {
    let programs = parted("hostile.js");
    assert!(programs.len() >= 30, "only {} programs", programs.len());
    let mut wrong = Vec::new();
    for program in programs {
        let [name, line, value @ ..] = program.head.as_slice() else { panic!("{}: no line", program.name) };
        let line: u32 = line.trim_end_matches(" |").parse().unwrap();
        let value = value.first().map_or("", String::as_str);
        let request = request(Language::JavaScript, "main.js", &program.text, "");
        let (diagnosis, plain, watched) = diagnosed(&request, "main.js");
        let chain = diagnosis.main().map(|error| error.chain.as_slice()).unwrap_or_default();
        let reached = chain.iter().any(|step| step.line == line && step.value.starts_with(value));
        let ran = watched.stdout.contains("ran") && !plain.stdout.contains("ran");
        if (line > 0 && !reached) || ran {
            let said = diagnosis.main().map(explained).unwrap_or_default();
            wrong.push(format!("{name}: {} {}\n{said}", watched.status, watched.stderr));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
}

/// A program that behaves otherwise when it is watched gives no chain, and neither does one that brings its own command.
#[test]
fn a_second_run_of_javascript_that_differs_gives_no_chain() {
    for text in [
        "const watched = require('fs').existsSync('formicary-causes.cjs');\nconst n = null;\nif (watched) n.y;\nn.x;\n",
        "if (!require('fs').existsSync('formicary-causes.cjs')) null.x;\n",
        "const watched = require('fs').existsSync('formicary-causes.cjs');\nwhile (watched) console.log('x'.repeat(100000));\nnull.x;\n",
    ] {
        let (diagnosis, ..) = diagnosed(&request(Language::JavaScript, "main.js", text, ""), "main.js");
        assert!(diagnosis.main().unwrap().chain.is_empty(), "{diagnosis:?}");
    }
    let mut own = request(Language::JavaScript, "main.js", "null.x", "");
    own.command = Some(vec!["node".into(), "main.js".into()]);
    assert!(causes::request(&own, Language::JavaScript, "main.js", SECONDS).is_none());
    // Nothing that a recursive parser could not read is read here.
    let deep = format!("const x = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    let deep = request(Language::JavaScript, "main.js", &deep, "");
    assert!(causes::request(&deep, Language::JavaScript, "main.js", SECONDS).is_none());
    let large = request(Language::JavaScript, "main.js", &"let a = 1;\n".repeat(60_000), "");
    assert!(causes::request(&large, Language::JavaScript, "main.js", SECONDS).is_none());
}
