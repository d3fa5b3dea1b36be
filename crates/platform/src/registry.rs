//! Every use case on one page. HTTP routes, MCP tools, Python methods and jobs of a cluster are made from these rows.

#[cfg(feature = "agent")]
use crate::agent::{ListRuns, ReplayRun, ResumeRun, ShowRun, SolveTask};
use crate::debugging::{Diagnose, Fix, Inspect};
use crate::execute::Execute;
use crate::judge::Judge;
use crate::operation::{
    BuildImage, Detect, Doctor, Languages, ListCache, ListImages, Metrics, PruneCache, PruneImageStock,
    PullImage, ReadAudit, Runs, ShowConfiguration, ShowTimeline, VerifyAudit,
};
use crate::patterns::{Calls, Clones, Dependencies, Refactor, Refactorings, Rewrite, Search, Symbols, Undo};
use crate::review::{
    CheckGates, FixFindings, ListProjects, ListRules, MeasurePython, ReviewCode, ShowProject, WriteBaseline,
};
use crate::sessions::{
    CloseSession, CreateSession, GetFile, InterruptSession, ListFiles, ListSessions, PutFiles, RemoveFiles,
    ResetSession, RunCell, ShowSession,
};
use crate::testing::{GenerateTests, MutateTests, RunTests};
use crate::use_case::Row;

/// All of them, in the order in which they are listed.
pub const ALL: &[Row] = &[
    Row::of::<Execute>(),
    Row::of::<Judge>(),
    Row::of::<ReviewCode>(),
    Row::of::<CheckGates>(),
    Row::of::<FixFindings>(),
    Row::of::<WriteBaseline>(),
    Row::of::<ListRules>(),
    Row::of::<MeasurePython>(),
    Row::of::<ListProjects>(),
    Row::of::<ShowProject>(),
    Row::of::<Search>(),
    Row::of::<Rewrite>(),
    Row::of::<Undo>(),
    Row::of::<Symbols>(),
    Row::of::<Calls>(),
    Row::of::<Dependencies>(),
    Row::of::<Clones>(),
    Row::of::<Refactorings>(),
    Row::of::<Refactor>(),
    Row::of::<Diagnose>(),
    Row::of::<Fix>(),
    Row::of::<Inspect>(),
    Row::of::<RunTests>(),
    Row::of::<GenerateTests>(),
    Row::of::<MutateTests>(),
    Row::of::<CreateSession>(),
    Row::of::<RunCell>(),
    Row::of::<ListSessions>(),
    Row::of::<ShowSession>(),
    Row::of::<InterruptSession>(),
    Row::of::<ResetSession>(),
    Row::of::<CloseSession>(),
    Row::of::<ListFiles>(),
    Row::of::<PutFiles>(),
    Row::of::<GetFile>(),
    Row::of::<RemoveFiles>(),
    Row::of::<Languages>(),
    Row::of::<Detect>(),
    Row::of::<Doctor>(),
    Row::of::<Runs>(),
    Row::of::<ShowTimeline>(),
    Row::of::<Metrics>(),
    Row::of::<ReadAudit>(),
    Row::of::<VerifyAudit>(),
    Row::of::<ListImages>(),
    Row::of::<PullImage>(),
    Row::of::<BuildImage>(),
    Row::of::<PruneImageStock>(),
    Row::of::<ListCache>(),
    Row::of::<PruneCache>(),
    Row::of::<ShowConfiguration>(),
    #[cfg(feature = "agent")]
    Row::of::<SolveTask>(),
    #[cfg(feature = "agent")]
    Row::of::<ResumeRun>(),
    #[cfg(feature = "agent")]
    Row::of::<ReplayRun>(),
    #[cfg(feature = "agent")]
    Row::of::<ListRuns>(),
    #[cfg(feature = "agent")]
    Row::of::<ShowRun>(),
];

/// The use case of this name.
pub fn find(name: &str) -> Option<&'static Row> {
    ALL.iter().find(|row| row.name == name)
}
