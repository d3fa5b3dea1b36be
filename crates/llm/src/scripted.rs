//! Answers that somebody wrote down: for tests, and for showing what the loop does without a model.

use crate::model::{Capabilities, Listener, Model};
use crate::{Answer, ErrorKind, ModelError, Request};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Mutex;

/// A model that says what its script says, whatever it is asked, and remembers what it was asked.
#[derive(Debug)]
pub struct Scripted {
    answers: Mutex<VecDeque<Result<Answer, ModelError>>>,
    asked: Mutex<Vec<Request>>,
    capabilities: Capabilities,
}

impl Scripted {
    /// A script.
    pub fn new(answers: Vec<Result<Answer, ModelError>>) -> Self {
        let capabilities =
            Capabilities { tools: true, structured_output: true, images: false, context_tokens: 32_000 };
        Self { answers: Mutex::new(answers.into()), asked: Mutex::default(), capabilities }
    }

    /// The same with other capabilities.
    #[must_use]
    pub fn with(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Reads a script: one answer a line, as JSON.
    pub fn open(path: &Path) -> Result<Self, ModelError> {
        let wrong = |why: String| {
            ModelError::new(ErrorKind::Configuration, format!("script {}: {why}", path.display()))
        };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let answers = lines.map(|(at, line)| {
            serde_json::from_str(line).map(Ok).map_err(|error| wrong(format!("line {}: {error}", at + 1)))
        });
        Ok(Self::new(answers.collect::<Result<_, _>>()?))
    }

    /// Everything that it was asked.
    pub fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

impl Model for Scripted {
    fn name(&self) -> String {
        "scripted".into()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask(&self, request: &Request, listener: Listener<'_>) -> Result<Answer, ModelError> {
        self.asked.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(request.clone());
        let next = self.answers.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop_front();
        let answer =
            next.unwrap_or_else(|| Err(ModelError::new(ErrorKind::NotRecorded, "the script has ended")))?;
        (listener.text)(&answer.text);
        Ok(answer)
    }
}
