//! The nouns of Formicary, and the wire contract that every door speaks.
//!
//! | module | what it names |
//! |---|---|
//! | [`language`] | the built-in languages, their aliases and file endings |
//! | [`limits`] | what a run may use, with bounds |
//! | [`request`] | what to run: code, files, stdin, mounts, network |
//! | [`result`] | what came of it: status, output, usage |
//! | [`clones`] | copies of code, and what a change did to some of them |
//! | [`enforcement`] | which protections held, and by what |
//! | [`verification`] | patches, and the evidence that they mend what was broken |
//! | [`violation`] | what the program tried and was refused |
//! | [`artifact`] | files that the program produced |
//! | [`event`] | what happens while a run goes on |
//! | [`failure`] | Formicary's own failures, apart from the program's |
//! | [`diagnosis`] | why a program failed, where, and what to try |
//! | [`inspect`] | a look into a running program: where to stop, what was seen |
//! | [`judging`] | programs against test cases: items, verdicts, figures |
//! | [`patterns`] | what structural engines say: matches, changes, symbols, calls |
//! | [`review`] | what was found in code, what was measured, whether it may pass |
//! | [`refactorings`] | what a change consists of |
//! | [`session`] | sandboxes that live on between cells |
//! | [`suggest`] | "did you mean" |
//! | [`testing`] | tests of any framework in one form; mutants; generated tests |
//!
//! Nothing here does IO and nothing here depends on another room.

pub mod artifact;
pub mod caller;
pub mod clones;
pub mod diagnosis;
pub mod enforcement;
pub mod event;
pub mod failure;
pub mod inspect;
pub mod judging;
pub mod language;
pub mod limits;
pub mod patterns;
pub mod refactorings;
pub mod request;
pub mod result;
pub mod review;
pub mod session;
pub mod suggest;
pub mod testing;
pub mod verification;
pub mod violation;

pub use artifact::{Artifact, SkippedArtifact};
pub use caller::Caller;
pub use diagnosis::{
    CodeLine, Diagnosis, ErrorCategory, ErrorCause, ErrorDiagnosis, ErrorPlace, StackFrame, SuggestedEdit,
    Suggestion, Variable,
};
pub use enforcement::{Assurance, Enforcement, Level, Protection, ProtectionState};
pub use event::{Event, EventKind, FileWritten, Observer, Phase, Step, Stream, Terms};
pub use failure::{Failure, FailureKind};
pub use inspect::{
    Breakpoint, Evaluated, InspectReport, InspectRequest, OtherThread, PlacedBreakpoint, Stop, StopReason,
};
pub use judging::{
    CaseResult, CheckerProgram, Comparison, JudgeCase, JudgeItem, JudgeResult, JudgeSummary, Verdict,
};
pub use language::Language;
pub use limits::{LimitOverrides, Limits};
pub use request::{
    CollectRequest, ExecutionRequest, Mount, MountAccess, Network, PackageRequest, Source, SourceFile,
};
pub use result::{CompileResult, ExecutionResult, OutputCounts, Status, Usage};
pub use session::{
    CellException, CellFrame, CellRequest, CellResult, MimeBundle, SessionFile, SessionInfo, SessionRequest,
    SessionState,
};
pub use testing::{
    FileCoverage, GeneratedTests, GenerationReport, Mutant, MutantStatus, MutationReport, TestPlace,
    TestReport, TestResult, TestStatus, TestTotals,
};
pub use verification::{
    FixReport, FixStatus, MissingPackage, ModelUse, PatchedFile, RankedPatch, RejectedProposal,
    SuspiciousLine, TestRun, Verification,
};
pub use violation::{Violation, ViolationKind};
