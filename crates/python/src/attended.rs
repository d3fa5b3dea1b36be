//! Work that somebody attends: what happens and what is asked reaches Python on the thread that waits, so that a callback
//! sees its own thread's state, may raise, and is interrupted by Ctrl-C like any other Python code.

use crate::failure::raised;
use crate::operations::{self, Core, read, written};
use crate::waiting::{Inbox, guarded, spawn};
use formicary_model::{AgentStep, Event, Failure, FailureKind, Observer};
use formicary_platform::use_case::Human;
use formicary_platform::{Cancel, registry};
use pyo3::prelude::*;
use serde::Deserialize as _;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

enum News {
    Happened(String),
    Question(String, mpsc::Sender<Option<String>>),
    Ended(Result<String, Failure>),
}

/// The thread that waits: hears of steps if it wants to, and answers questions.
struct Waiting {
    sender: Mutex<mpsc::Sender<News>>,
    watched: bool,
}

impl Waiting {
    fn send(&self, news: News) -> Option<()> {
        self.sender.lock().unwrap_or_else(PoisonError::into_inner).send(news).ok()
    }
}

impl Observer for Waiting {
    fn event(&self, _: &Event) {}

    fn step(&self, step: &AgentStep) {
        if self.watched
            && let Ok(text) = serde_json::to_string(step)
        {
            self.send(News::Happened(text));
        }
    }
}

impl Human for Waiting {
    fn answer(&self, question: &str) -> Option<String> {
        let (reply, answer) = mpsc::channel();
        self.send(News::Question(question.to_owned(), reply))?;
        // The caller is gone where nothing comes: then nobody is there to answer.
        answer.recv().ok().flatten()
    }
}

/// Performs a use case of the agent; `ask` answers its questions and `watch` hears of each step, as JSON.
pub(crate) fn agent(
    py: Python<'_>,
    core: Arc<Core>,
    (operation, request): (&str, String),
    cancel: &Cancel,
    ask: Option<Bound<'_, PyAny>>,
    watch: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let unknown = || Failure::new(FailureKind::Internal, format!("no operation is called {operation}"));
    let row = registry::find(operation).ok_or_else(unknown).map_err(raised)?;
    let (sender, receiver) = mpsc::channel();
    let (switch, asked) = (cancel.clone(), ask.is_some());
    let waiting = Waiting { sender: Mutex::new(sender), watched: watch.is_some() };
    spawn(move || {
        let ended = guarded(|| {
            let context = operations::context(&core, &switch)?.observed(&waiting);
            let context = if asked { context.asking(&waiting) } else { context };
            let done = row.call(&core.platform, &context, read(&request)?)?;
            match done.get("not_written").map(Failure::deserialize) {
                Some(Ok(failure)) => Err(failure),
                _ => written(&done),
            }
        });
        waiting.send(News::Ended(ended));
    })
    .map_err(raised)?;
    let inbox = Inbox::new(receiver);
    loop {
        let told = match inbox.next(py, cancel)? {
            None => {
                return Err(raised(Failure::new(FailureKind::Internal, "the agent ended without a word")));
            }
            Some(News::Ended(ended)) => return ended.map_err(raised),
            Some(News::Happened(text)) => watch.as_ref().map_or(Ok(()), |hear| hear.call1((text,)).map(drop)),
            Some(News::Question(text, reply)) => answered(ask.as_ref(), &text).map(|answer| {
                let _ = reply.send(answer);
            }),
        };
        if let Err(error) = told {
            // What a callback raises ends the run, which can be resumed.
            cancel.cancel();
            py.detach(|| inbox.drain());
            return Err(error);
        }
    }
}

fn answered(ask: Option<&Bound<'_, PyAny>>, question: &str) -> PyResult<Option<String>> {
    ask.map_or(Ok(None), |ask| ask.call1((question,))?.extract())
}
