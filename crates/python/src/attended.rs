//! Work that somebody attends: what happens and what is asked reaches Python on the thread that waits, so that a callback
//! sees its own thread's state, may raise, and is interrupted by Ctrl-C like any other Python code.

use crate::failure::raised;
use crate::operations::Core;
use crate::operations::agent::{self, Told};
use crate::waiting::{Inbox, guarded, spawn};
use formicary_model::{Failure, FailureKind};
use formicary_platform::Cancel;
use formicary_platform::agent::{AgentHooks, Progress};
use pyo3::prelude::*;
use std::sync::{Arc, mpsc};

enum News {
    Happened(String),
    Question(String, mpsc::Sender<Option<String>>),
    Ended(Result<String, Failure>),
}

/// Runs the agent; `ask` answers its questions and `watch` hears of each step, as JSON.
pub(crate) fn agent(
    py: Python<'_>,
    core: Arc<Core>,
    request: String,
    cancel: &Cancel,
    ask: Option<Bound<'_, PyAny>>,
    watch: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let (sender, receiver) = mpsc::channel();
    let (switch, asked, watched) = (cancel.clone(), ask.is_some(), watch.is_some());
    spawn(move || {
        let tell = |progress: Progress| {
            if watched && let Ok(text) = serde_json::to_string(&Told::of(progress)) {
                let _ = sender.send(News::Happened(text));
            }
        };
        let human = |question: &str| {
            let (reply, answer) = mpsc::channel();
            sender.send(News::Question(question.to_owned(), reply)).ok()?;
            // The caller is gone where nothing comes: then nobody is there to answer.
            answer.recv().ok().flatten()
        };
        let human: &dyn Fn(&str) -> Option<String> = &human;
        let hooks = AgentHooks { cancel: &switch, watch: &tell, human: asked.then_some(human) };
        let ended = guarded(|| agent::work(&core, &request, &hooks));
        let _ = sender.send(News::Ended(ended));
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
