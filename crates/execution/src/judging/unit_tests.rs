//! Unit tests as a judge: appended to a program, or run beside it. Exit code 0 is a pass.
//!
//! A program that leaves with exit code 0 before its tests have run would pass too. Where the language is known to be
//! Python, the tests therefore end by writing a word that nobody could know before, and without it there is no pass.
//! A program bent on cheating shares a process with its tests and can find the word; one that merely leaves cannot.

use super::item::{Case, Text};
use crate::guard::refuse;
use crate::pipeline::run_id;
use formicary_model::{Failure, Source, SourceFile};
use std::sync::Arc;

/// A program with tests after it, and the case that judges it.
pub fn appended(
    mut code: Vec<u8>,
    test: &str,
    language: Option<&str>,
) -> Result<(Vec<u8>, Arc<[Case]>), Failure> {
    code.extend_from_slice(format!("\n{test}\n").as_bytes());
    let is_python = language.is_some_and(|word| ["python", "python3", "py"].contains(&word));
    let proof = if is_python { Some(prove(&mut code)?) } else { None };
    Ok((code, once(proof)))
}

/// A program's files with a test file beside them, which is what runs, and the case that judges it.
pub fn beside(program: Source, test: Source) -> Result<(Source, Arc<[Case]>), Failure> {
    let Source::Code { code, file_name: Some(path) } = test else {
        return Err(refuse("the unit test is not a single file", "give the test file itself"));
    };
    let mut files = match program {
        Source::Code { code, file_name: Some(path) } => {
            vec![SourceFile { path, content: code, executable: false }]
        }
        Source::Files { files, .. } => files,
        Source::Code { file_name: None, .. } => {
            return Err(refuse("a program without a file name has no test beside it", "give it as a file"));
        }
    };
    let mut content = code;
    let proof = if path.ends_with(".py") { Some(prove(&mut content)?) } else { None };
    files.retain(|file| file.path != path);
    files.push(SourceFile { path: path.clone(), content, executable: false });
    Ok((Source::Files { files, entry: Some(path) }, once(proof)))
}

/// One run without input whose exit code decides.
pub fn once(proof: Option<String>) -> Arc<[Case]> {
    Arc::new([Case { name: "1".into(), stdin: Text::Given(Vec::new()), expected: None, proof }])
}

fn prove(code: &mut Vec<u8>) -> Result<String, Failure> {
    let word = format!("formicary-{}", run_id::new()?);
    let end = format!("\nimport os as _formicary_os\n_formicary_os.write(1, b'\\n{word}\\n')\n");
    code.extend_from_slice(end.as_bytes());
    Ok(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_python_gives_proof() {
        for (language, proves) in
            [(Some("python"), true), (Some("py"), true), (Some("bash"), false), (None, false)]
        {
            let (code, cases) = appended(b"a".to_vec(), "b", language).unwrap();
            let text = String::from_utf8(code).unwrap();
            assert!(text.starts_with("a\nb\n"), "{text}");
            assert_eq!(
                cases[0].proof.as_ref().map(|word| text.contains(word.as_str())),
                proves.then_some(true)
            );
        }
    }

    #[test]
    fn a_test_beside_a_program_is_what_runs() {
        let named = |name: &str| Source::Code { code: Vec::new(), file_name: Some(name.into()) };
        let (source, cases) = beside(named("a.py"), named("test_a.py")).unwrap();
        let Source::Files { files, entry } = source else { panic!() };
        assert_eq!((files.len(), entry.as_deref(), cases[0].proof.is_some()), (2, Some("test_a.py"), true));
        assert!(beside(Source::code("x"), named("t.py")).is_err());
        assert!(beside(named("a.py"), Source::Files { files: Vec::new(), entry: None }).is_err());
    }
}
