//! The nouns of Formicary, and the wire contract that every door speaks.
//!
//! | module | what it names |
//! |---|---|
//! | [`language`] | the built-in languages, their aliases and file endings |
//! | [`limits`] | what a run may use, with bounds |
//! | [`environment`] | where it runs: env, mounts, image, network, packages, limits, assurance, provider |
//! | [`request`] | what to run: code, files, stdin |
//! | [`result`] | what came of it: status, output, usage |
//! | [`clones`] | copies of code, and what a change did to some of them |
//! | [`enforcement`] | which protections held, and by what |
//! | [`verification`] | patches, and the evidence that they mend what was broken |
//! | [`violation`] | what the program tried and was refused |
//! | [`agent`] | tasks for the agent, its steps, runs that are kept |
//! | [`artifact`] | files that the program produced |
//! | [`event`] | what happens while a run goes on |
//! | [`failure`] | Formicary's own failures, apart from the program's |
//! | [`causes`] | where a failing value came from, and where a program hangs |
//! | [`diagnosis`] | why a program failed, where, and what to try |
//! | [`inspect`] | a look into a running program: where to stop, what was seen |
//! | [`judging`] | programs against test cases: items, verdicts, figures |
//! | [`node_packages`] | where packages of JavaScript stand inside a sandbox |
//! | [`operation`] | what the operator of a host asks |
//! | [`patterns`] | what structural engines say: matches, changes, symbols, calls |
//! | [`review`] | what was found in code, what was measured, whether it may pass |
//! | [`refactorings`] | what a change consists of |
//! | [`session`] | sandboxes that live on between cells |
//! | [`suggest`] | "did you mean" |
//! | [`testing`] | tests of any framework in one form; mutants; generated tests |
//! | [`words`] | enums of which each variant is one word |
//! | [`use_case`] | what inputs have in common: strict reading, parts that a policy judges |
//!
//! Nothing here does IO and nothing here depends on another room.

pub mod agent;
pub mod artifact;
pub mod caller;
pub mod causes;
pub mod clones;
pub mod debugging;
pub mod diagnosis;
pub mod enforcement;
pub mod environment;
pub mod event;
pub mod failure;
pub mod inspect;
pub mod judging;
pub mod language;
pub mod limits;
pub mod node_packages;
pub mod operation;
pub mod patterns;
pub mod refactorings;
pub mod request;
pub mod result;
pub mod review;
pub mod session;
pub mod suggest;
pub mod testing;
pub mod units;
pub mod use_case;
pub mod verification;
pub mod violation;
pub mod visible;
pub mod words;

pub use agent::AgentStep;
pub use artifact::{Artifact, SkippedArtifact};
pub use caller::Caller;
pub use causes::{CauseRole, CauseStep, Hang, HangKind, SampledVariable, WaitingThread};
pub use debugging::{BreakpointInput, DiagnoseInput, DiagnoseReport, FixInput, InspectInput};
pub use diagnosis::{
    CodeLine, Diagnosis, ErrorCategory, ErrorCause, ErrorDiagnosis, ErrorPlace, StackFrame, SuggestedEdit,
    Suggestion, Variable,
};
pub use enforcement::{Assurance, Enforcement, Level, Protection, ProtectionState};
pub use environment::{Environment, Mount, MountAccess, Network, PackageRequest};
pub use event::{Event, EventKind, FileWritten, Observer, Phase, Progress, Step, Stream, Terms};
pub use failure::{Failure, FailureKind};
pub use inspect::{
    Breakpoint, Evaluated, InspectReport, InspectRequest, OtherThread, PlacedBreakpoint, Stop, StopReason,
};
pub use judging::{
    CaseResult, CheckerProgram, Comparison, DataSetItem, JudgeCase, JudgeEntry, JudgeInput, JudgeItem,
    JudgeReport, JudgeResult, JudgeSummary, NotJudged, Verdict,
};
pub use language::Language;
pub use limits::{LimitOverrides, Limits};
pub use request::{CollectRequest, ExecutionRequest, Source, SourceFile};
pub use result::{CompileResult, ExecutionResult, OutputCounts, Status, Usage};
pub use session::{
    CellException, CellFrame, CellInput, CellRequest, CellResult, FileList, GetFileInput, Interrupted,
    MimeBundle, NoInput, PutFilesInput, RemoveFilesInput, SessionFile, SessionId, SessionInfo, SessionList,
    SessionRequest, SessionState,
};
pub use testing::{
    FileCoverage, GenerateTestsInput, GeneratedTests, GenerationReport, Mutant, MutantStatus,
    MutateTestsInput, MutationReport, RunTestsInput, TestPlace, TestReport, TestResult, TestStatus,
    TestStyle, TestTotals,
};
pub use verification::{
    FixReport, FixStatus, MissingPackage, ModelUse, PatchEvidence, PatchedFile, RankedPatch,
    RejectedProposal, SuspiciousLine, TestRun, Verification,
};
pub use violation::{Violation, ViolationKind};
