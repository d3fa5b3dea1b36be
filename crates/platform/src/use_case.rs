//! What can be asked of Formicary: each use case declared once, for every front end.
//!
//! A front end makes a [`Context`] for its caller and hands the input over, typed ([`Platform::perform`]) or as JSON
//! ([`Row::call`]). The policy judges the input before anything else happens; no front end refuses or bounds by itself.

use crate::facade::Platform;
use crate::keys::Scope;
use crate::policy::{Judgement, Policy};
use formicary_execution::{Live, now_ms};
use formicary_model::patterns::FileChange;
use formicary_model::use_case::{self, Input, Judge as _};
use formicary_model::{Caller, Event, EventKind, ExecutionResult, Failure, FailureKind, Observer, Progress};
use formicary_review::engine::Watch;
use formicary_sandbox::Cancel;
use formicary_sandbox::provider::Stdin;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;
use std::any::Any;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

/// One thing that Formicary can be asked for.
pub trait UseCase: 'static {
    /// Its name, by which every front end knows it: `search`, `tests.run`.
    const NAME: &'static str;
    /// Where it is found over HTTP: `/v1/search`.
    const PATH: &'static str;
    /// How it is found there.
    const ROUTE: Route = Route::Post;
    /// One line for people, in the imperative.
    const ABOUT: &'static str;
    /// What a key must allow for it; nothing where every key is enough.
    const SCOPE: Option<Scope>;
    /// What it does to the world.
    const EFFECT: Effect;
    /// What it takes.
    type Input: Input;
    /// What it gives.
    type Output: Serialize + JsonSchema + Send + 'static;

    /// Does it. The policy has judged the input already.
    fn run(platform: &Platform, context: &Context<'_>, input: Self::Input) -> Result<Self::Output, Failure>;
}

/// Declares a use case whose work is one function or closure of the platform, the context and the input.
macro_rules! declare {
    ($(#[$about:meta])* $case:ident, $name:literal, $route:ident $path:literal, $line:literal, $scope:expr, $effect:ident,
     $input:ty => $output:ty, $run:expr) => {
        $(#[$about])*
        pub struct $case;

        impl $crate::use_case::UseCase for $case {
            const NAME: &'static str = $name;
            const PATH: &'static str = $path;
            const ROUTE: $crate::use_case::Route = $crate::use_case::Route::$route;
            const ABOUT: &'static str = $line;
            const SCOPE: Option<$crate::keys::Scope> = $scope;
            const EFFECT: $crate::use_case::Effect = $crate::use_case::Effect::$effect;
            type Input = $input;
            type Output = $output;

            fn run(
                platform: &$crate::facade::Platform,
                context: &$crate::use_case::Context<'_>,
                input: $input,
            ) -> Result<$output, formicary_model::Failure> {
                $run(platform, context, input)
            }
        }
    };
}
pub(crate) use declare;

/// How a use case is found over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// By `POST` of its input: the route is made from its row.
    Post,
    /// By a method on something that has a name in the path: the route is written by hand, and performs the use case.
    Resource,
    /// Not at all: it is for the host's own user.
    Host,
}

/// An output that is on the wire as its type writes it, without a schema of its own.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Plain<T>(pub T);

impl<T> JsonSchema for Plain<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Plain".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// What a use case does to the world, so that clients know when to ask their user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It looks, and that is all.
    Reads,
    /// It runs code in the sandbox; nothing outside changes.
    Runs,
    /// The same, and packages may be fetched for it.
    Fetches,
    /// It changes a session: twice is as good as once.
    Settles,
    /// It throws away what a session holds.
    Discards,
    /// It changes the user's files where that is granted and asked for.
    Writes,
}

/// What a person answers to one file's change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Take it.
    Yes,
    /// Leave it.
    No,
    /// Take it and all that follow.
    All,
    /// Leave it and all that follow.
    Stop,
}

/// A person who can be asked while the work goes on.
pub trait Human: Sync {
    /// Whether a change is taken.
    fn choose(&self, _change: &FileChange) -> Choice {
        Choice::All
    }

    /// A question in words; nothing if nobody answers.
    fn answer(&self, _question: &str) -> Option<String> {
        None
    }
}

/// On whose behalf a use case is performed, within which bounds, and who hears of it.
pub struct Context<'a> {
    /// Who asks, for monitors and the audit log.
    pub caller: Caller,
    /// What the caller may ask for.
    pub policy: Policy,
    /// Ends the work when set.
    pub cancel: Cancel,
    /// Who hears of runs and of progress.
    pub observer: &'a dyn Observer,
    /// Who can be asked.
    pub human: Option<&'a dyn Human>,
    stdin: Mutex<Option<Stdin>>,
}

impl<'a> Context<'a> {
    /// A context for this caller of which nobody hears.
    pub fn new(caller: Caller, policy: Policy) -> Self {
        Self {
            caller,
            policy,
            cancel: Cancel::default(),
            observer: &(),
            human: None,
            stdin: Mutex::default(),
        }
    }

    /// The same with somebody who hears of it.
    #[must_use]
    pub fn observed(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// The same with a switch that ends the work.
    #[must_use]
    pub fn until(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// The same with somebody who can be asked.
    #[must_use]
    pub fn asking(self, human: &'a dyn Human) -> Self {
        Self { human: Some(human), ..self }
    }

    /// The same with standard input that comes as it is read.
    #[must_use]
    pub fn with_stdin(self, stdin: Stdin) -> Self {
        Self { stdin: Mutex::new(Some(stdin)), ..self }
    }

    /// What a run of the engine's needs of it. Standard input is given once.
    pub fn live(&self) -> Live<'_> {
        let stdin = self.stdin.lock().unwrap_or_else(PoisonError::into_inner).take();
        Live { stdin, observer: self.observer, cancel: self.cancel.clone() }
    }

    /// Who hears of many runs that serve one purpose: they are accounted for, and none is shown.
    pub fn aside(&self) -> Aside<'_> {
        Aside(self.observer)
    }

    /// Whether a change is taken: all are if nobody can be asked.
    pub fn choose(&self, change: &FileChange) -> Choice {
        self.human.map_or(Choice::All, |human| human.choose(change))
    }

    /// Reports how far the work is.
    pub fn step(&self, what: impl Into<String>) {
        self.observer.progress(&Progress::step(what));
    }

    /// Reports how much of it is done.
    pub fn count(&self, what: &str, done: usize, total: usize) {
        self.observer.progress(&Progress::count(what, done, total));
    }

    /// Accounts for a run whose events were for others.
    pub fn used(&self, run: &ExecutionResult) {
        let kind = EventKind::finished(run, run.duration);
        self.observer.aside(&Event { run_id: run.run_id.clone(), at_ms: now_ms(), kind });
    }

    /// Hands over a part of the output that is ready before the whole, if somebody reads along.
    pub fn part(&self, name: &'static str, part: &impl Serialize) {
        if self.observer.reads_along() {
            self.observer.part(name, &serde_json::to_value(part).unwrap_or_default());
        }
    }

    /// Runs an analysis that tells how far it is and can be called off.
    pub fn watched<T>(&self, run: impl FnOnce(Watch<'_>) -> T) -> T {
        let progress = |what: &'static str, done: usize, total: usize| self.count(what, done, total);
        run(Watch { progress: &progress, cancelled: &|| self.cancel.is_cancelled() })
    }
}

/// Hears of runs of which none is shown.
pub struct Aside<'a>(&'a dyn Observer);

impl Observer for Aside<'_> {
    fn event(&self, event: &Event) {
        self.0.aside(event);
    }
}

/// A use case as front ends see it that know nothing of its types.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Where it is found over HTTP.
    pub path: &'static str,
    /// How it is found there.
    pub route: Route,
    /// One line for people.
    pub about: &'static str,
    /// What a key must allow for it.
    pub scope: Option<Scope>,
    /// What it does to the world.
    pub effect: Effect,
    /// The schema of its input.
    pub input: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its output.
    pub output: fn(&mut SchemaGenerator) -> Schema,
    call: fn(&Platform, &Context<'_>, Value) -> Result<Value, Failure>,
}

impl Row {
    /// The row of a use case.
    pub const fn of<U: UseCase>() -> Self {
        Self {
            name: U::NAME,
            path: U::PATH,
            route: U::ROUTE,
            about: U::ABOUT,
            scope: U::SCOPE,
            effect: U::EFFECT,
            input: SchemaGenerator::subschema_for::<U::Input>,
            output: SchemaGenerator::subschema_for::<U::Output>,
            call: call::<U>,
        }
    }

    /// Performs it: JSON in, JSON out.
    pub fn call(&self, platform: &Platform, context: &Context<'_>, input: Value) -> Result<Value, Failure> {
        (self.call)(platform, context, input)
    }
}

fn call<U: UseCase>(platform: &Platform, context: &Context<'_>, input: Value) -> Result<Value, Failure> {
    let input = platform.read::<U>(input)?;
    let output = platform.perform::<U>(context, input)?;
    serde_json::to_value(output).map_err(|error| {
        Failure::new(FailureKind::Internal, format!("the answer of {} cannot be written: {error}", U::NAME))
    })
}

impl Platform {
    /// An input from JSON, read strictly, with what is configured where it is silent.
    pub fn read<U: UseCase>(&self, input: Value) -> Result<U::Input, Failure> {
        let provider = input.get("provider").and_then(Value::as_str);
        let mut configured = self.new_request();
        configured.assurance = self.assurance_of(provider);
        use_case::read(input, Some(&configured))
    }

    /// Whether a caller may have this: what may not be is refused, and the caller's bounds are filled in.
    pub fn judge_input<U: UseCase>(
        &self,
        context: &Context<'_>,
        input: &mut U::Input,
    ) -> Result<(), Failure> {
        if U::SCOPE.is_some_and(|scope| !context.policy.may(scope)) {
            let scope = U::SCOPE.map(Scope::word).unwrap_or_default();
            let message = format!("the key {} may not use {}", context.caller.name, U::NAME);
            return Err(Failure::new(FailureKind::Forbidden, message)
                .code("policy.scope")
                .hint(format!("it needs the scope {scope}")));
        }
        let mut judgement = Judgement::new(self, &context.policy);
        let own = judgement.own(U::NAME, U::ROUTE == Route::Host);
        let Err(refusal) = own.and_then(|()| input.parts(&mut judgement)) else { return Ok(()) };
        // What is refused is in the audit log like any refusal, with the program if it is one.
        let program = (&*input as &dyn Any).downcast_ref();
        if let Err(failure) = self.record_refusal(&context.caller, program, &refusal) {
            tracing::warn!(%failure, "a refusal is not in the audit log");
        }
        Err(refusal)
    }

    /// Performs a use case for a caller: its policy judges the input, then the work is done.
    pub fn perform<U: UseCase>(
        &self,
        context: &Context<'_>,
        mut input: U::Input,
    ) -> Result<U::Output, Failure> {
        self.judge_input::<U>(context, &mut input)?;
        U::run(self, context, input)
    }
}
