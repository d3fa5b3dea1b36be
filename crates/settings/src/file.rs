//! One configuration file: read with care (it may be hostile), parsed with positions, every key checked.

use crate::table::{self, Setting};
use crate::value::Value;
use formicary_execution::CustomLanguage;
use formicary_files::{Reason, Root};
use formicary_model::{Failure, FailureKind, suggest};
use serde::Deserialize as _;
use std::io::{ErrorKind, Read as _};
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// Larger files are not configuration.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// The table that belongs to the review.
const REVIEW: &str = "review";

/// What one file says.
#[derive(Debug, Default)]
pub(crate) struct FileLayer {
    /// Settings with their lines.
    pub values: Vec<(&'static Setting, Value, usize)>,
    /// Languages with their lines.
    pub languages: Vec<(CustomLanguage, usize)>,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The system's or the user's own: he may have linked it to where he keeps it.
    Own,
    /// A project's: a link there would make us read, and quote in errors, a file that the project's author cannot.
    Project,
}

/// Reads and parses a file; `None` where there is none.
pub(crate) fn load(path: &Path, whose: Whose, home: Option<&Path>) -> Result<Option<FileLayer>, Failure> {
    let text = match whose {
        Whose::Own => read(path)?,
        Whose::Project => read_of_project(path)?,
    };
    text.map(|text| parse(path, &text, home)).transpose()
}

fn read_of_project(path: &Path) -> Result<Option<String>, Failure> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Ok(None) };
    match Root::open(folder).and_then(|root| root.read_to_string(Path::new(name), MAX_FILE_BYTES)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_missing() => Ok(None),
        Err(error) => Err(unreadable(
            path,
            match error.reason {
                Reason::TooLarge(_) => "it is larger than 1 MiB".into(),
                reason => reason.to_string(),
            },
        )),
    }
}

fn unreadable(path: &Path, why: String) -> Failure {
    invalid(format!("configuration file {} cannot be read: {why}", path.display()))
        .hint("make it a readable text file, or remove it")
}

// O_NONBLOCK and the look at the opened file: a pipe, a device or an endless file in a hostile project must not
// hang or exhaust us.
fn read(path: &Path) -> Result<Option<String>, Failure> {
    let wrong = |why: String| unreadable(path, why);
    let opened = std::fs::OpenOptions::new()
        .read(true)
        .custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32)
        .open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(wrong(error.to_string())),
    };
    let metadata = file.metadata().map_err(|error| wrong(error.to_string()))?;
    if !metadata.is_file() {
        return Err(wrong("it is not a regular file".into()));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| wrong(error.to_string()))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(wrong("it is larger than 1 MiB".into()));
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|error| wrong(format!("it is not UTF-8 at byte {}", error.utf8_error().valid_up_to())))
}

fn parse(path: &Path, text: &str, home: Option<&Path>) -> Result<FileLayer, Failure> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let reader = Reader { path, text, folder, home };
    let table = DeTable::parse(text).map_err(|error| {
        let place = reader.place(&error.span().unwrap_or(0..0));
        invalid(format!("{place}: {}", one_line(error.message()))).hint("the file is not valid TOML there")
    })?;
    let mut layer = FileLayer::default();
    for (key, value) in table.get_ref() {
        if key.get_ref() == "languages" {
            reader.languages(value, &mut layer)?;
        } else if key.get_ref() == REVIEW {
            // What a project says about its own review is read where it is reviewed.
        } else {
            reader.walk(key.get_ref(), key.span(), value, &mut layer)?;
        }
    }
    Ok(layer)
}

struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
    folder: &'a Path,
    home: Option<&'a Path>,
}

impl Reader<'_> {
    fn walk(
        &self,
        key: &str,
        span: Range<usize>,
        value: &Spanned<DeValue<'_>>,
        layer: &mut FileLayer,
    ) -> Result<(), Failure> {
        if let Some(setting) = table::setting(key) {
            let read = Value::from_toml(setting.kind, value.get_ref(), self.folder, self.home);
            let read = read.map_err(|why| {
                let failure = invalid(format!("{}: {key}: {why}", self.place(&span)));
                failure.hint(accepted_values(setting))
            })?;
            layer.values.push((setting, read, self.line(&span)));
            return Ok(());
        }
        let is_section = table::settings().iter().any(|s| s.key.starts_with(&format!("{key}.")));
        match value.get_ref() {
            DeValue::Table(inner) if is_section || !inner.is_empty() => {
                for (name, value) in inner {
                    self.walk(&format!("{key}.{}", name.get_ref()), name.span(), value, layer)?;
                }
                Ok(())
            }
            other if is_section => Err(invalid(format!(
                "{}: {key} is a table of settings, found {}",
                self.place(&span),
                other.type_str()
            ))
            .hint(format!("write [{key}] and the settings below it"))),
            _ => Err(unknown_key(&self.place(&span), key)),
        }
    }

    fn languages(&self, value: &Spanned<DeValue<'_>>, layer: &mut FileLayer) -> Result<(), Failure> {
        let hint = "write [languages.NAME] with extension and run";
        let DeValue::Table(table) = value.get_ref() else {
            let place = self.place(&value.span());
            let found = value.get_ref().type_str();
            return Err(invalid(format!("{place}: languages is a table of tables, found {found}")).hint(hint));
        };
        for (id, body) in table {
            let place = self.place(&id.span());
            let id_text: &str = id.get_ref();
            if let DeValue::Table(fields) = body.get_ref() {
                for (field, _) in fields {
                    let name: &str = field.get_ref();
                    if !LANGUAGE_FIELDS.contains(&name) {
                        let place = self.place(&field.span());
                        let failure = invalid(format!("{place}: unknown key languages.{id_text}.{name}"));
                        return Err(failure.hint(meant(name, LANGUAGE_FIELDS.iter().copied())));
                    }
                }
            }
            let read = CustomLanguage::deserialize(ValueDeserializer::from(body.clone()));
            let mut language = read.map_err(|error| {
                invalid(format!("{place}: languages.{id_text}: {}", one_line(error.message()))).hint(hint)
            })?;
            language.id = id_text.to_owned();
            if language.name.is_empty() {
                language.name = id_text.to_owned();
            }
            layer.languages.push((language, self.line(&id.span())));
        }
        Ok(())
    }

    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.text.get(..span.start).unwrap_or_default();
        1 + before.bytes().filter(|byte| *byte == b'\n').count()
    }

    fn place(&self, span: &Range<usize>) -> String {
        format!("{}:{}", self.path.display(), self.line(span))
    }
}

const LANGUAGE_FIELDS: &[&str] =
    &["name", "aliases", "extension", "check", "compile", "run", "version", "env", "artifacts"];

pub(crate) fn accepted_values(setting: &Setting) -> String {
    let bounds = setting.kind.bounds();
    let bounds = if bounds.is_empty() { bounds } else { format!(", {bounds}") };
    format!("{} takes {}{bounds}", setting.key, setting.kind.expected())
}

pub(crate) fn unknown_key(place: &str, key: &str) -> Failure {
    let keys = table::settings().iter().map(|setting| setting.key.as_str());
    invalid(format!("{place}: unknown key {key}")).hint(meant(key, keys.chain(["languages"])))
}

fn meant<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match suggest::nearest(word, known) {
        Some(near) => format!("did you mean {near}?"),
        None => "`formicary config` lists every key".into(),
    }
}

pub(crate) fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidConfiguration, message)
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A file that was looked for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ConsideredFile {
    /// Which layer it would be.
    pub layer: &'static str,
    /// Where.
    pub path: PathBuf,
    /// Whether it is there and was read.
    pub found: bool,
}
