//! A language model as an adviser of the loop: asked within its budget, its answer read as changes of files.

mod prompt;

use crate::Tree;
use crate::generate;
use crate::invalid;
use crate::model::Chosen;
use crate::redact::Redactor;
use formicary_llm::{Listener, Message, Prices, Request, StopReason};
use formicary_model::{Diagnosis, Failure, FailureKind, ModelUse, PatchedFile, RejectedProposal};
use formicary_repair::{Advice, Adviser, Question};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Tokens that an answer may have, at most a quarter of the model's window.
const MOST_OUTPUT: u64 = 8_192;

/// Which model may be asked, and what that may cost.
#[derive(Debug, Clone)]
pub struct ModelOptions {
    /// `openai:NAME`, `recorded:FILE`.
    pub model: String,
    /// A file that keeps its answers.
    pub record: Option<PathBuf>,
    /// How often it is asked.
    pub rounds: u32,
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money, in the currency of the prices.
    pub money: Option<f64>,
}

/// A model that is ready to be asked.
pub struct AskedModel {
    chosen: Chosen,
    prices: Prices,
    options: ModelOptions,
    used: Mutex<ModelUse>,
}

impl std::fmt::Debug for AskedModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Its key is in there, too.
        f.debug_struct("AskedModel").field("spec", &self.chosen.spec).finish_non_exhaustive()
    }
}

impl AskedModel {
    /// A model with its bounds. Nothing is sent yet.
    pub fn new(chosen: Chosen, prices: Prices, options: ModelOptions) -> Result<Self, Failure> {
        let name = chosen.model.name();
        if options.money.is_some() && prices.cost(&name, Default::default()).is_none() {
            return Err(invalid(
                format!("the money of {name} cannot be counted: it has no price"),
                "set llm.prices, as in NAME=2.5/10, or leave out the bound",
            ));
        }
        let used = Mutex::new(ModelUse { name, ..ModelUse::default() });
        Ok(Self { chosen, prices, options, used })
    }

    /// How often it may be asked.
    pub fn rounds(&self) -> u32 {
        self.options.rounds
    }

    fn spent(&self) -> std::sync::MutexGuard<'_, ModelUse> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What of the budget is used up.
    fn exhausted(&self) -> Option<&'static str> {
        let used = self.spent();
        let tokens = used.input_tokens.saturating_add(used.output_tokens) >= self.options.tokens;
        let money = self.options.money.is_some_and(|most| used.money.unwrap_or(0.0) >= most);
        match (tokens, money) {
            (true, _) => Some("the tokens are used up"),
            (_, true) => Some("the money is used up"),
            _ => None,
        }
    }
}

/// A model together with a second look at the failure, for its variables.
pub struct ModelAdviser<'a> {
    /// The model.
    pub model: &'a AskedModel,
    /// The second look.
    pub look: &'a (dyn Fn() -> Option<Diagnosis> + Sync),
    /// Whether the caller has cancelled.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Adviser for ModelAdviser<'_> {
    fn name(&self) -> String {
        self.model.chosen.model.name()
    }

    fn advise(&self, question: &Question<'_>) -> Result<Advice, Failure> {
        if let Some(why) = self.model.exhausted() {
            return Ok(Advice::Ended(why.into()));
        }
        let model = self.model.chosen.model.as_ref();
        let window = model.capabilities().context_tokens;
        let output = MOST_OUTPUT.min(window / 4).max(256);
        let seen = (self.look)();
        let text = prompt::question(question, seen.as_ref(), window.saturating_sub(output));
        let text = Redactor::new(self.model.chosen.secrets.iter().cloned()).clean(&text);
        let request = Request {
            system: prompt::SYSTEM.into(),
            messages: vec![Message::user(text)],
            max_output_tokens: output,
            temperature: Some(0.0),
            ..Request::default()
        };
        let cancelled = || (self.cancelled)();
        let answer = match model.ask(&request, Listener { cancelled: &cancelled, ..Listener::NOBODY }) {
            Ok(answer) => answer,
            Err(_) if cancelled() => {
                return Err(Failure::new(FailureKind::Cancelled, "cancelled"));
            }
            // What rules and search came to stands, whether the model can be reached or not.
            Err(error) => {
                return Ok(Advice::Ended(format!(
                    "could not be asked: {} ({})",
                    error.message,
                    error.remedy()
                )));
            }
        };
        {
            let mut used = self.model.spent();
            used.requests += 1;
            used.input_tokens += answer.usage.input;
            used.output_tokens += answer.usage.output;
            if let Some(cost) = self.model.prices.cost(&model.name(), answer.usage) {
                used.money = Some(used.money.unwrap_or(0.0) + cost);
            }
        }
        if answer.stop == StopReason::Refused {
            return Ok(Advice::Ended("the model would not answer".into()));
        }
        Ok(read(question, &answer.text))
    }

    fn used(&self) -> ModelUse {
        self.model.spent().clone()
    }
}

/// The changes that an answer means.
fn read(question: &Question<'_>, said: &str) -> Advice {
    let unusable = |why: String| {
        let change: String = said.chars().take(1_500).collect();
        Advice::Unusable(RejectedProposal { change, why })
    };
    let mut tree = Tree::default();
    question.case.files.iter().for_each(|file| tree.write(&file.path, &file.text));
    let mut editable = question.case.files.iter().filter(|file| file.editable);
    let only = editable.next().filter(|_| editable.next().is_none()).map(|file| file.path.as_str());
    let proposal = match generate::read(said, only) {
        Ok(proposal) if proposal.changes.is_empty() => {
            return unusable("the answer changes no file".into());
        }
        Ok(proposal) => proposal,
        Err(why) => return unusable(why),
    };
    match proposal.applied(&tree) {
        Err(why) => unusable(why.join("; ")),
        Ok(changes) => {
            let gone = changes.iter().find(|(_, text)| text.is_none());
            if let Some((path, _)) = gone {
                return unusable(format!("{path} may not be deleted"));
            }
            let files =
                changes.into_iter().filter_map(|(path, text)| Some(PatchedFile { path, text: text? }));
            Advice::Files { files: files.collect(), summary: proposal.summary }
        }
    }
}
