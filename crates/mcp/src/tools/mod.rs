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
mod fix_findings;
mod generate_tests;
mod inspect;
mod judge;
mod list_dependencies;
mod list_languages;
mod list_rules;
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
mod undo_change;

use crate::advertised::advertised;
use crate::answer::Answer;
use crate::call::Call;
use crate::schema;
use formicary_model::Failure;
use formicary_platform::Platform;
use formicary_platform::keys::Scope;
use formicary_platform::tenants::Tenant;
use formicary_platform::use_case::{Effect, UseCase};
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
    fix_findings::TOOL,
    list_rules::TOOL,
    run_tests::TOOL,
    generate_tests::TOOL,
    mutate_tests::TOOL,
    debug::TOOL,
    inspect::TOOL,
    fix::TOOL,
    solve_task::TOOL,
    search_pattern::TOOL,
    rewrite_pattern::TOOL,
    undo_change::TOOL,
    find_symbols::TOOL,
    find_calls::TOOL,
    list_dependencies::TOOL,
    find_clones::TOOL,
    detect_refactorings::TOOL,
    refactor::TOOL,
    read_output::TOOL,
];

/// One tool.
pub(crate) struct Spec {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) effect: Effect,
    pub(crate) scope: Option<Scope>,
    pub(crate) input: fn() -> Map<String, Value>,
    pub(crate) output: Option<fn() -> Value>,
    pub(crate) run: fn(&Call, Map<String, Value>) -> Result<Answer, Failure>,
}

impl Spec {
    /// The tool of a use case, with its input, its scope and its effect.
    const fn of<U: UseCase>(
        name: &'static str,
        about: &'static str,
        output: Option<fn() -> Value>,
        run: fn(&Call, Map<String, Value>) -> Result<Answer, Failure>,
    ) -> Self {
        Self { name, about, effect: U::EFFECT, scope: U::SCOPE, input: schema::of::<U::Input>, output, run }
    }

    /// The same where models are offered less than the use case can do.
    const fn with(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }

    /// Whether this caller may use it.
    pub(crate) fn is_for(&self, tenant: &Tenant) -> bool {
        self.scope.is_none_or(|scope| tenant.may(scope))
    }

    /// Whether it can do anything here: without a model nobody solves tasks.
    pub(crate) fn is_offered(&self, platform: &Platform) -> bool {
        self.name != solve_task::TOOL.name || platform.settings().llm.model.is_some()
    }

    /// The tool as clients see it.
    pub(crate) fn tool(&self, writes: bool) -> Tool {
        let (read_only, destructive, idempotent, open_world) = match self.effect {
            Effect::Reads => (true, false, true, false),
            Effect::Runs => (false, false, false, false),
            Effect::Fetches => (false, false, false, true),
            Effect::Settles => (false, false, true, false),
            Effect::Discards => (false, true, true, false),
            Effect::Writes => (!writes, writes, false, false),
        };
        let annotations = ToolAnnotations::from_raw(
            None,
            Some(read_only),
            Some(destructive),
            Some(idempotent),
            Some(open_world),
        );
        let input = advertised(self.name, (self.input)());
        let tool = Tool::new(self.name, self.about, Arc::new(input)).with_annotations(annotations);
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
    use crate::{Door, Settings, Writes};
    use formicary_platform::Platform;
    use formicary_platform::config::{ConfigSources, Configuration};
    use formicary_platform::use_case::{Route, Row};
    use serde_json::json;
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

    /// Use cases that no tool performs, and why. A model pays for every tool with every question.
    const WITHOUT_TOOL: &[(&str, &str)] = &[
        ("review.pyscn", "review_project measures the same under full"),
        ("agent.resume", "kept runs are the user's, who goes on with them"),
        ("projects.show", "the history of a server's projects is for its dashboard"),
    ];

    /// A use case that is added reaches models too, with every field that its caller may have.
    #[test]
    fn every_use_case_has_a_tool_with_its_fields() {
        let fields = |schema: &Value| -> BTreeSet<String> {
            schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned().collect()
        };
        let tools: Vec<BTreeSet<String>> =
            ALL.iter().map(|spec| fields(&Value::Object((spec.input)()))).collect();
        // What is for people and their programs, not for models.
        let others = |row: &&Row| {
            row.route == Route::Host
                || row.scope == Some(Scope::Admin)
                || ["detect", "runs", "runs.timeline"].contains(&row.name)
        };
        for row in formicary_platform::registry::ALL.iter().filter(|row| !others(row)) {
            let mut generator = schemars::SchemaGenerator::default();
            let mut schema = (row.input)(&mut generator).to_value();
            while let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
                schema = generator.definitions()[name].clone();
            }
            let mut own = fields(&schema);
            own.retain(|name| !schema::HIDDEN.contains(&name.as_str()));
            let left_out = WITHOUT_TOOL.iter().any(|(name, _)| *name == row.name);
            assert!(left_out != tools.contains(&own), "{} has no tool that takes {own:?}", row.name);
        }
    }

    /// A word that only some words may be is told with those words. What is free text is named here.
    #[test]
    fn closed_sets_of_words_are_told() {
        const FREE: &[&str] = &[
            "base64", "baseline", "code", "content", "entry", "expect", "file", "filter", "id", "language",
            "name", "new", "path", "pattern", "rule", "run", "session", "stdin", "task", "test", "tests",
            "text", "to", "uri", "after", "before",
        ];
        fn free(name: &str, schema: &Value, found: &mut BTreeSet<String>) {
            if schema["type"] == "string" && schema.get("enum").is_none() {
                found.insert(name.to_owned());
            }
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                free(name, field, found);
            }
            for choice in ["anyOf", "oneOf"].iter().filter_map(|key| schema[*key].as_array()).flatten() {
                free(name, choice, found);
            }
        }
        let mut found = BTreeSet::new();
        for spec in ALL {
            free("", &Value::Object(spec.tool(false).input_schema.as_ref().clone()), &mut found);
        }
        found.retain(|name| !FREE.contains(&name.as_str()));
        assert_eq!(found, BTreeSet::new(), "a closed set has its words, free text is named in this test");
        let words = |tool: &str, field: &str| {
            let words = find(tool).unwrap().tool(false).input_schema["properties"][field]["enum"].clone();
            words.as_array().cloned().unwrap_or_default()
        };
        for (tool, field, some) in [
            ("run_tests", "framework", ["pytest", "nextest", "ctest"]),
            ("inspect", "adapter", ["bdb", "lldb", "delve"]),
        ] {
            let words = words(tool, field);
            assert!(some.iter().all(|word| words.contains(&json!(word))), "{tool}: {words:?}");
        }
    }

    /// What is given to each tool that answers quickly, with the trusted provider; nothing to those that do not.
    fn example(name: &str) -> Option<Value> {
        let code = "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\n";
        let file = |text: &str| json!([{ "path": "x.py", "content": text }]);
        Some(match name {
            "execute_code" => json!({ "language": "bash", "code": "echo out; echo err >&2; exit 3" }),
            "judge" => {
                let item = |id: &str, code: &str| json!({ "id": id, "language": "bash", "code": code, "cases": [{ "expected": "1" }, { "expected": "2" }] });
                json!({ "items": [item("one", "echo 1"), item("two", "echo 2"), item("none", "exit 1")] })
            }
            "review_file" => json!({ "path": "x.py", "code": code }),
            "search_pattern" => json!({ "pattern": "print($X)", "language": "python" }),
            "rewrite_pattern" => {
                json!({ "pattern": "print($X)", "replacement": "show($X)", "language": "python" })
            }
            "find_symbols" => json!({ "references": true }),
            "find_calls" => json!({ "name": "helper_1", "side": "callers" }),
            "list_dependencies" => json!({ "external": true }),
            "detect_refactorings" => {
                json!({ "files_before": file(code), "files_after": file(&code.replace("gcd", "divisor")) })
            }
            "refactor" => {
                json!({ "refactoring": { "kind": "rename", "file": "a.py", "line": 2, "column": 5, "to": "renamed" } })
            }
            "list_languages"
            | "doctor"
            | "session_list"
            | "review_project"
            | "check_quality_gates"
            | "find_clones" => {
                json!({})
            }
            "list_rules" => json!({ "types": ["security"] }),
            "fix_findings" => json!({ "files": file("import os\n") }),
            "undo_change" | "read_output" | "solve_task" | "debug" | "inspect" | "fix" => return None,
            name if name.starts_with("session_") || name.ends_with("_tests") => return None,
            unknown => panic!("say what {unknown} is given"),
        })
    }

    /// A model pays for both: what is structured must not say much more than the text.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the tools of this host are where its PATH says")]
    fn structured_answers_are_as_short_as_texts() {
        let directory = tempfile::tempdir().unwrap();
        let mut text = String::from("import os\n");
        for n in 0..30 {
            text += &format!("def helper_{n}(x):\n    print(x)\n    return helper_{}(x)\n\n\n", (n + 1) % 30);
        }
        std::fs::write(directory.path().join("a.py"), text).unwrap();
        let path = std::env::var("PATH").unwrap();
        let environment = std::collections::BTreeMap::from([("PATH".to_owned(), path)]);
        let mut sources = ConfigSources::new(environment, Some(directory.path().to_owned()));
        sources.flags = vec![("provider".into(), "trusted".into()), ("audit.enabled".into(), "off".into())];
        let configuration = Configuration::load(&sources).unwrap();
        let platform = Platform::new(configuration, &sources).unwrap();
        let root = directory.path().to_owned();
        let settings = Settings { root, writes: Writes::Refused, sources };
        let call = Door::new(platform, settings).unwrap().call_alone();
        let mut wrong = Vec::new();
        for spec in ALL {
            let Some(Value::Object(arguments)) = example(spec.name) else { continue };
            let result =
                (spec.run)(&call, arguments).unwrap_or_else(|why| panic!("{}: {why}", spec.name)).result();
            let text = result.content[0].as_text().unwrap().text.len();
            let structured = result.structured_content.unwrap().to_string().len();
            println!("{}: {structured} bytes structured, {text} of text", spec.name);
            if structured > 3 * text + 400 {
                wrong.push(format!("{}: {structured} bytes structured, {text} of text", spec.name));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
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
        // About four characters are one token: a model is told of everything in some 6,000.
        println!("{} tools: {whole} bytes on the wire, {told} of them for the model", tools.len());
        assert!(told < 24_000, "{told}");
        assert!(whole < 36_500, "{whole}");
    }

    #[test]
    fn only_tools_that_write_look_otherwise_where_writing_is_granted() {
        for spec in ALL {
            let (without, with) = (spec.tool(false), spec.tool(true));
            assert_eq!(without == with, spec.effect != Effect::Writes, "{}", spec.name);
        }
        let rewrite = find("rewrite_pattern").unwrap().tool(true).annotations.unwrap();
        assert_eq!((rewrite.read_only_hint, rewrite.destructive_hint), (Some(false), Some(true)));
    }
}
