//! Answers kept from before: recorded once, replayed for ever, found by the request.

use crate::model::{Capabilities, Listener, Model};
use crate::{Answer, ErrorKind, ModelError, Request};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// One line of a recording.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// Who the request is.
    key: String,
    /// What was asked last, for people who read the file.
    #[serde(default)]
    about: String,
    /// The answer.
    answer: Answer,
}

/// The first line of a recording.
#[derive(Debug, Serialize, Deserialize)]
struct Title {
    model: String,
    tools: bool,
    structured_output: bool,
    images: bool,
    context_tokens: u64,
}

/// A recording that answers.
#[derive(Debug)]
pub struct Replayed {
    model: String,
    capabilities: Capabilities,
    answers: Mutex<HashMap<String, std::collections::VecDeque<Answer>>>,
}

impl Replayed {
    /// Reads a recording.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let wrong = |why: String| {
            ModelError::new(ErrorKind::Configuration, format!("recording {}: {why}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        Self::read(&text).map_err(wrong)
    }

    /// Reads a recording's text.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.next().ok_or("it is empty")?;
        let title: Title = serde_json::from_str(first).map_err(|error| format!("line 1: {error}"))?;
        let mut answers: HashMap<String, std::collections::VecDeque<Answer>> = HashMap::new();
        for (at, line) in lines {
            let kept: Kept =
                serde_json::from_str(line).map_err(|error| format!("line {}: {error}", at + 1))?;
            answers.entry(kept.key).or_default().push_back(kept.answer);
        }
        let Title { model, tools, structured_output, images, context_tokens } = title;
        let capabilities = Capabilities { tools, structured_output, images, context_tokens };
        Ok(Self { model, capabilities, answers: Mutex::new(answers) })
    }
}

impl Model for Replayed {
    fn name(&self) -> String {
        self.model.clone()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask(&self, request: &Request, listener: Listener<'_>) -> Result<Answer, ModelError> {
        let key = request.key();
        let mut answers = self.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = answers.get_mut(&key).and_then(|queue| {
            // The same request may have been answered differently each time; the last answer stays.
            if queue.len() > 1 { queue.pop_front() } else { queue.front().cloned() }
        });
        let answer = found.ok_or_else(|| {
            let message = format!("the recording holds no answer to request {key} ({})", about(request));
            ModelError::new(ErrorKind::NotRecorded, message)
        })?;
        (listener.text)(&answer.text);
        Ok(answer)
    }
}

/// Another model whose answers are kept.
pub struct Recorder {
    inner: Box<dyn Model>,
    path: PathBuf,
    file: Mutex<std::fs::File>,
}

impl Recorder {
    /// Keeps the answers of a model in a file, which is made anew, or continued where it is a recording of the same model.
    pub fn new(inner: Box<dyn Model>, path: &Path) -> Result<Self, ModelError> {
        let wrong = |error: std::io::Error| {
            ModelError::new(ErrorKind::Configuration, format!("recording {}: {error}", path.display()))
        };
        let there = path.metadata().is_ok_and(|metadata| metadata.len() > 0);
        let mut file = std::fs::File::options().create(true).append(true).open(path).map_err(wrong)?;
        if there {
            let old = Replayed::open(path)?;
            if old.model != inner.name() {
                let message =
                    format!("recording {} is of {}, not of {}", path.display(), old.model, inner.name());
                return Err(ModelError::new(ErrorKind::Configuration, message));
            }
        } else {
            let Capabilities { tools, structured_output, images, context_tokens } = inner.capabilities();
            let title = Title { model: inner.name(), tools, structured_output, images, context_tokens };
            let line = serde_json::to_string(&title).unwrap_or_default();
            writeln!(file, "{line}").map_err(wrong)?;
        }
        Ok(Self { inner, path: path.to_owned(), file: Mutex::new(file) })
    }
}

impl Model for Recorder {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn ask(&self, request: &Request, listener: Listener<'_>) -> Result<Answer, ModelError> {
        let answer = self.inner.ask(request, listener)?;
        let kept = Kept { key: request.key(), about: about(request), answer: answer.clone() };
        let line = serde_json::to_string(&kept).unwrap_or_default();
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        writeln!(file, "{line}").map_err(|error| {
            ModelError::new(ErrorKind::Configuration, format!("recording {}: {error}", self.path.display()))
        })?;
        Ok(answer)
    }
}

fn about(request: &Request) -> String {
    let last = request.messages.last().map(crate::Message::text).unwrap_or_default();
    let line = last.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    format!("message {}: {}", request.messages.len(), line.chars().take(80).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, Scripted};

    #[test]
    fn what_was_recorded_is_replayed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let script = Scripted::new(vec![Ok(Answer::text("one")), Ok(Answer::text("two"))]);
        let recorder = Recorder::new(Box::new(script), &path).unwrap();
        let ask = |text: &str| Request { messages: vec![Message::user(text)], ..Request::default() };
        for text in ["a", "b"] {
            recorder.ask(&ask(text), Listener::NOBODY).unwrap();
        }
        let replayed = Replayed::open(&path).unwrap();
        assert_eq!(replayed.name(), recorder.name());
        for (text, answer) in [("b", "two"), ("a", "one"), ("b", "two")] {
            assert_eq!(replayed.ask(&ask(text), Listener::NOBODY).unwrap().text, answer);
        }
        let error = replayed.ask(&ask("c"), Listener::NOBODY).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotRecorded);
        for (text, wrong) in [("", "empty"), ("{}", "line 1"), ("no", "line 1")] {
            assert!(Replayed::read(text).unwrap_err().contains(wrong), "{text}");
        }
    }
}
