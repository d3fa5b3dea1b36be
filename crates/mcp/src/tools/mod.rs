//! Every tool on one page. Each file holds what a model is told of it, the shape of its input, and one call of the platform.

mod check_quality_gates;
mod debug;
mod detect_refactorings;
mod doctor;
mod execute_code;
mod find_calls;
mod find_clones;
mod find_symbols;
mod fix;
mod generate_tests;
mod index;
mod inspect;
mod judge;
mod list_dependencies;
mod list_languages;
mod mutate_tests;
mod read_output;
mod refactor;
mod review_file;
mod review_project;
mod reviewing;
mod rewrite_pattern;
mod run_tests;
mod search_pattern;
mod session;
mod solve_task;
mod testing;

use crate::answer::Answer;
use crate::call::Call;
use formicary_model::Failure;
use formicary_platform::keys::Scope;
use formicary_platform::tenants::Tenant;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};
use std::sync::Arc;

/// All of them, in the order in which they are listed.
pub(crate) const ALL: &[Spec] = &[
    execute_code::TOOL,
    list_languages::TOOL,
    doctor::TOOL,
    session::create::TOOL,
    session::run::TOOL,
    session::files::TOOL,
    session::put::TOOL,
    session::get::TOOL,
    session::remove::TOOL,
    session::list::TOOL,
    session::interrupt::TOOL,
    session::reset::TOOL,
    session::close::TOOL,
    judge::TOOL,
    review_file::TOOL,
    review_project::TOOL,
    check_quality_gates::TOOL,
    run_tests::TOOL,
    generate_tests::TOOL,
    mutate_tests::TOOL,
    debug::TOOL,
    inspect::TOOL,
    fix::TOOL,
    solve_task::TOOL,
    search_pattern::TOOL,
    rewrite_pattern::TOOL,
    find_symbols::TOOL,
    find_calls::TOOL,
    list_dependencies::TOOL,
    find_clones::TOOL,
    detect_refactorings::TOOL,
    refactor::TOOL,
    read_output::TOOL,
];

/// What a tool does to the world, so that clients know when to ask their user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
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

/// One tool.
pub(crate) struct Spec {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) nature: Nature,
    pub(crate) input: fn() -> Map<String, Value>,
    pub(crate) output: Option<fn() -> Value>,
    pub(crate) run: fn(&Call, Map<String, Value>) -> Result<Answer, Failure>,
}

impl Spec {
    /// What a key must allow for it; nothing where every key is enough.
    pub(crate) fn scope(&self) -> Option<Scope> {
        match self.name {
            "list_languages" | "doctor" | "read_output" => None,
            "debug" | "inspect" | "fix" => Some(Scope::Debug),
            "solve_task" => Some(Scope::Agent),
            "execute_code" | "judge" | "run_tests" | "generate_tests" | "mutate_tests" => {
                Some(Scope::Execute)
            }
            name if name.starts_with("session_") => Some(Scope::Execute),
            _ => Some(Scope::Review),
        }
    }

    /// Whether this caller may use it.
    pub(crate) fn is_for(&self, tenant: &Tenant) -> bool {
        self.scope().is_none_or(|scope| tenant.may(scope))
    }

    /// The tool as clients see it.
    pub(crate) fn tool(&self, writes: bool) -> Tool {
        let (read_only, destructive, idempotent, open_world) = match self.nature {
            Nature::Reads => (true, false, true, false),
            Nature::Runs => (false, false, false, false),
            Nature::Fetches => (false, false, false, true),
            Nature::Settles => (false, false, true, false),
            Nature::Discards => (false, true, true, false),
            Nature::Writes => (!writes, writes, false, false),
        };
        let annotations = ToolAnnotations::from_raw(
            None,
            Some(read_only),
            Some(destructive),
            Some(idempotent),
            Some(open_world),
        );
        let tool = Tool::new(self.name, self.about, Arc::new((self.input)())).with_annotations(annotations);
        match self.output.map(|output| output()) {
            Some(Value::Object(output)) => tool.with_raw_output_schema(Arc::new(output)),
            _ => tool,
        }
    }
}

/// The tool of this name.
pub(crate) fn find(name: &str) -> Option<&'static Spec> {
    ALL.iter().find(|spec| spec.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn tools_are_well_formed() {
        let names: BTreeSet<&str> = ALL.iter().map(|spec| spec.name).collect();
        assert_eq!(names.len(), ALL.len());
        for spec in ALL {
            let tool = spec.tool(true);
            assert_eq!(tool.input_schema["type"], "object", "{}", spec.name);
            assert!(spec.about.len() > 20 && spec.about.len() < 600, "{}", spec.name);
            if let Some(output) = tool.output_schema {
                assert_eq!(output["type"], "object", "{}", spec.name);
            }
        }
    }

    #[test]
    fn the_list_is_small() {
        let tools: Vec<Tool> = ALL.iter().map(|spec| spec.tool(false)).collect();
        let whole = serde_json::to_string(&tools).unwrap().len();
        let told: usize = tools
            .iter()
            .map(|tool| {
                let about = tool.description.as_deref().unwrap_or_default().len();
                tool.name.len() + about + serde_json::to_string(&tool.input_schema).unwrap().len()
            })
            .sum();
        // About four characters are one token: a model is told of everything in some 5,700.
        println!("{} tools: {whole} bytes on the wire, {told} of them for the model", tools.len());
        assert!(told < 24_000, "{told}");
        assert!(whole < 35_000, "{whole}");
    }

    #[test]
    fn only_tools_that_write_look_otherwise_where_writing_is_granted() {
        for spec in ALL {
            let (without, with) = (spec.tool(false), spec.tool(true));
            assert_eq!(without == with, spec.nature != Nature::Writes, "{}", spec.name);
        }
        let rewrite = find("rewrite_pattern").unwrap().tool(true).annotations.unwrap();
        assert_eq!((rewrite.read_only_hint, rewrite.destructive_hint), (Some(false), Some(true)));
    }
}
