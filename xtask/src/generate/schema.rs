//! JSON schema of the wire contract: what goes in, what comes out, what happens meanwhile, what fails.

use super::{Artefact, FOLDER};
use formicary_model::review::{ReviewReport, RuleInfo};
use formicary_model::{
    CellRequest, CellResult, Event, ExecutionRequest, ExecutionResult, Failure, JudgeItem, JudgeResult,
    JudgeSummary, SessionInfo, SessionRequest,
};
use schemars::{JsonSchema, schema_for};

pub(super) fn artefacts() -> Result<Vec<Artefact>, String> {
    Ok(vec![
        schema::<ExecutionRequest>("execution-request")?,
        schema::<ExecutionResult>("execution-result")?,
        schema::<Event>("event")?,
        schema::<Failure>("failure")?,
        schema::<SessionRequest>("session-request")?,
        schema::<SessionInfo>("session-info")?,
        schema::<CellRequest>("cell-request")?,
        schema::<CellResult>("cell-result")?,
        schema::<JudgeItem>("judge-item")?,
        schema::<JudgeResult>("judge-result")?,
        schema::<JudgeSummary>("judge-summary")?,
        schema::<ReviewReport>("review-report")?,
        schema::<RuleInfo>("rule-info")?,
    ])
}

fn schema<T: JsonSchema>(name: &str) -> Result<Artefact, String> {
    let schema = schema_for!(T);
    let mut content = serde_json::to_string_pretty(&schema).map_err(|error| format!("{name}: {error}"))?;
    content.push('\n');
    Ok(Artefact { path: format!("{FOLDER}/schema/{name}.json"), content })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_schema_describes_its_fields() {
        for artefact in artefacts().unwrap() {
            let schema: serde_json::Value = serde_json::from_str(&artefact.content).unwrap();
            assert!(schema.get("description").is_some(), "{}", artefact.path);
            assert!(schema.get("title").is_some(), "{}", artefact.path);
        }
    }
}
