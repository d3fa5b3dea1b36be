//! Reading failures: from what a program or its compiler said to what is wrong, where and why.
//!
//! | module | what it holds |
//! |---|---|
//! | [`text`] | what was said, bounded and in lines |
//! | `raw` | an error as a reader finds it, and tables of known ones |
//! | `place` | the user's own files, code frames |
//! | `verdicts` | what the sandbox knows: time, memory, output, signals, refusals |
//! | `recognise` | which language a pasted log is of |
//! | `fingerprint` | who an error is |
//! | `meant` | what tools propose in words, as edits |
//! | one file a language | how its errors look, what they mean |

mod bash;
mod fingerprint;
mod go;
mod java;
mod javascript;
mod javascript_tests;
mod meant;
mod native;
pub(crate) mod place;
mod pytest;
mod python;
mod python_known;
pub(crate) mod raw;
mod recognise;
mod rust;
mod sanitizers;
pub mod text;
mod verdicts;

use formicary_model::review::Confidence;
use formicary_model::{
    Diagnosis, ErrorCategory, ErrorCause, ErrorDiagnosis, ExecutionRequest, ExecutionResult, Language,
    Source, Status, Suggestion,
};
use place::Files;
use raw::{Known, RawError, Weight};
use text::{Log, Said};

/// Errors and warnings that are told; more help nobody.
const MOST: usize = 50;

/// A file of the user's, so that places can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// Its path, relative to the working folder.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// How errors of one language are read.
struct Reader {
    read: fn(&Log) -> Vec<RawError>,
    known: &'static [&'static [Known]],
}

fn reader(language: Language) -> Reader {
    match language {
        Language::Python => Reader { read: python::read, known: &[python_known::KNOWN] },
        Language::JavaScript | Language::TypeScript => {
            Reader { read: javascript::read, known: &[javascript::KNOWN] }
        }
        Language::Java => Reader { read: java::read, known: &[java::KNOWN] },
        Language::C | Language::Cpp => {
            Reader { read: native::read, known: &[native::KNOWN, sanitizers::KNOWN] }
        }
        Language::Go => Reader { read: go::read, known: &[go::KNOWN] },
        Language::Rust => Reader { read: rust::read, known: &[rust::KNOWN] },
        Language::Bash => Reader { read: bash::read, known: &[bash::KNOWN] },
    }
}

/// Flags that let a compiler tell more, where the request leaves them to us.
pub fn telling_flags(language: Language) -> &'static [&'static str] {
    match language {
        Language::C | Language::Cpp => &["-g", "-fdiagnostics-parseable-fixits", "-fmax-errors=20"],
        // Overflows and failed debug assertions end a program that was built without flags, too.
        Language::Rust => &["-g", "--error-format=json", "-Cdebug-assertions=on", "-Coverflow-checks=on"],
        _ => &[],
    }
}

/// Environment that lets a program tell more when it fails.
pub fn telling_environment(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::Rust => &[
            ("RUST_BACKTRACE", "1"),
            ("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true"),
            ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true"),
        ],
        Language::Python => &[("PYTHONFAULTHANDLER", "1")],
        _ => &[],
    }
}

/// Has a program that is run by its language's recipe tell as much as it can when it fails.
pub fn have_it_tell(request: &mut ExecutionRequest, language: Language) {
    let is_cargo = match &request.source {
        Source::Files { files, .. } => files.iter().any(|file| file.path == "Cargo.toml"),
        Source::Code { .. } => false,
    };
    // Cargo takes no flags of rustc; it reads the environment.
    if !(is_cargo && language == Language::Rust) {
        request.compiler_flags.extend(telling_flags(language).iter().map(|flag| (*flag).to_owned()));
    }
    for (name, value) in telling_environment(language) {
        request.env.entry((*name).to_owned()).or_insert_with(|| (*value).to_owned());
    }
}

/// Flags of a second build of a native program that ended by a signal: its sanitizers say where and why.
pub fn sanitizing_flags(language: Language) -> &'static [&'static str] {
    match language {
        Language::C | Language::Cpp => &[
            "-g",
            "-O1",
            "-fno-omit-frame-pointer",
            "-fsanitize=address,undefined",
            "-fno-sanitize=object-size",
            "-fno-sanitize-recover=all",
        ],
        _ => &[],
    }
}

/// The texts of a request's files, under the names that they have inside.
pub fn sources_of(request: &ExecutionRequest, language: &str) -> Vec<SourceText> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match &request.source {
        Source::Code { code, file_name } => {
            let ending = Language::from_word(language).map_or("txt", |language| language.extensions()[0]);
            let path = file_name.clone().unwrap_or_else(|| format!("main.{ending}"));
            vec![SourceText { path, text: text(code) }]
        }
        Source::Files { files, .. } => files
            .iter()
            .map(|file| SourceText { path: file.path.clone(), text: text(&file.content) })
            .collect(),
    }
}

/// What went wrong in a run. `sources` are the files of its request, under the names that the request gave them.
pub fn of_result(result: &ExecutionResult, sources: &[SourceText]) -> Diagnosis {
    let language = Language::from_word(&result.language);
    let files = Files { sources };
    let failed_to_compile = result.status == Status::CompileError;
    let compiler = result.compile.as_ref().filter(|_| failed_to_compile);
    let (first, second) = match compiler {
        Some(compile) => (&compile.stderr, &compile.stdout),
        None => (&result.stderr, &result.stdout),
    };
    let mut diagnosis = Diagnosis {
        status: Some(result.status),
        language: Some(result.language.clone()),
        ..Diagnosis::default()
    };
    let has_error = |raw: &[RawError]| raw.iter().any(|error| error.weight == Weight::Error);
    let (mut raw, mut spoken) = (Vec::new(), language);
    for said in [first, second] {
        let log = Log::of(said);
        raw = read(&log, language);
        // A command may start programs of any language: `npm test`, `make`, a shell.
        if !has_error(&raw)
            && !result.success()
            && let Some(other) = recognise::language(&log).filter(|other| Some(*other) != language)
        {
            let found = read(&log, Some(other));
            if has_error(&found) {
                (raw, spoken) = (found, Some(other));
            }
        }
        diagnosis.notes.extend(log.notes);
        if has_error(&raw) {
            break;
        }
    }
    let language = spoken;
    if let Some(language) = language {
        diagnosis.language = Some(language.id().to_owned());
    }
    if result.success() {
        // What was said and survived did not end the program.
        for error in &mut raw {
            error.weight = Weight::Warning;
        }
    }
    let raw = verdicts::with_verdict(result, language, raw);
    finish(&mut diagnosis, raw, language, &files);
    if let Some(warned) =
        result.compile.as_ref().filter(|_| !failed_to_compile && diagnosis.warnings.is_empty())
    {
        let warnings = read(&Log::of(&warned.stderr), language);
        finish(
            &mut diagnosis,
            warnings.into_iter().filter(|w| w.weight == Weight::Warning).collect(),
            language,
            &files,
        );
    }
    diagnosis
}

/// What a pasted log tells. The language is recognised where it is not given.
pub fn of_text(said: &Said, language: Option<Language>, sources: &[SourceText]) -> Diagnosis {
    let log = Log::new(said);
    let language = language.or_else(|| recognise::language(&log));
    let raw = read(&log, language);
    let mut diagnosis =
        Diagnosis { language: language.map(|language| language.id().to_owned()), ..Diagnosis::default() };
    if said.is_empty() {
        diagnosis.notes.push("there is nothing to read: the output is empty".into());
    }
    finish(&mut diagnosis, raw, language, &Files { sources });
    if diagnosis.errors.is_empty() && !said.is_empty() {
        diagnosis.notes.push("no error of a known form was found in it".into());
    }
    diagnosis.notes.splice(0..0, log.notes);
    diagnosis
}

fn read(log: &Log, language: Option<Language>) -> Vec<RawError> {
    let mut found = match language {
        Some(language) => (reader(language).read)(log),
        None => Vec::new(),
    };
    if matches!(language, Some(Language::Rust | Language::Go)) && found.is_empty() {
        found.extend(sanitizers::read(log));
    }
    found
}

fn finish(diagnosis: &mut Diagnosis, raw: Vec<RawError>, language: Option<Language>, files: &Files<'_>) {
    for error in raw {
        let weight = error.weight;
        let error = finished(error, language, files);
        let list = if weight == Weight::Error { &mut diagnosis.errors } else { &mut diagnosis.warnings };
        if list.len() < MOST
            && !list
                .iter()
                .any(|earlier| earlier.fingerprint == error.fingerprint && earlier.place == error.place)
        {
            list.push(error);
        }
    }
}

fn finished(mut raw: RawError, language: Option<Language>, files: &Files<'_>) -> ErrorDiagnosis {
    for frame in &mut raw.frames {
        files.settle(frame);
    }
    for cause in &mut raw.causes {
        cause.frames.iter_mut().for_each(|frame| files.settle(frame));
    }
    if language == Some(Language::Bash) {
        bash::locate(&mut raw, files.sources);
    }
    if matches!(language, Some(Language::C | Language::Cpp)) {
        native::locate(&mut raw, files.sources);
    }
    meant::locate(&mut raw, language, files);
    let tables = language.map(|language| reader(language).known).unwrap_or_default();
    let tables = tables.iter().copied().chain([verdicts::KNOWN]);
    let explained = tables.into_iter().find_map(|table| raw::explain(table, &raw.kind, &raw.message));
    let mut place = files.place(&raw);
    if language == Some(Language::Python)
        && let Some(place) = &mut place
    {
        place::unshift(place);
    }
    let (name, category, cause, advice) = match explained {
        Some(explained) => (explained.name, Some(explained.category), explained.cause, explained.advice),
        None => ("", None, String::new(), String::new()),
    };
    if raw.kind.is_empty() {
        raw.kind = if name.is_empty() { "error".into() } else { name.into() };
    }
    // A kind of exception that no table knows is the program's own.
    let raises = matches!(
        language,
        Some(Language::Python | Language::JavaScript | Language::TypeScript | Language::Java | Language::Cpp)
    );
    let category = category
        .or((raises && raw.kind != "compile-error" && raw.kind != "error").then_some(ErrorCategory::Raised));
    let sure = category.is_some() || raw.category.is_some();
    let category = raw.category.or(category).unwrap_or(ErrorCategory::Other);
    let mut suggestions = raw.suggestions;
    if !advice.is_empty() {
        suggestions.push(Suggestion {
            text: advice,
            origin: "rule".into(),
            confidence: Confidence::Medium,
            edits: Vec::new(),
        });
    }
    let confidence = match (&place, sure) {
        (Some(_), true) => Confidence::High,
        (None, false) => Confidence::Low,
        _ => Confidence::Medium,
    };
    let said = raw.message.lines().next().unwrap_or_default();
    let mut root_cause = match (cause.is_empty(), said.is_empty()) {
        (false, _) => cause,
        (true, false) => format!("The program failed with {}: {said}", raw.kind),
        (true, true) => format!("The program failed with {}", raw.kind),
    };
    // The first link of a chain is why the others happened.
    if let Some(first) = raw.causes.last() {
        root_cause = format!(
            "{} (it began with {}: {})",
            root_cause.trim_end_matches('.'),
            first.kind,
            first.message.lines().next().unwrap_or_default()
        );
    }
    if !root_cause.ends_with(['.', '!', '?', ')']) {
        root_cause.push('.');
    }
    let causes = raw.causes.iter().map(|cause| ErrorCause {
        error_type: cause.kind.clone(),
        message: cause.message.clone(),
        place: files.place(cause),
    });
    let mut error = ErrorDiagnosis {
        language: language.map(|language| language.id().to_owned()),
        error_type: raw.kind.clone(),
        message: raw.message.clone(),
        category,
        place,
        stack: Vec::new(),
        root_cause,
        suggestions,
        confidence,
        chain: Vec::new(),
        hang: None,
        causes: causes.collect(),
        fingerprint: String::new(),
    };
    error.stack = raw.frames;
    error.fingerprint = fingerprint::of(&error);
    error
}

#[cfg(test)]
mod tests;
