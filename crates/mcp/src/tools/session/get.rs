//! `session_get`.

use crate::answer::Answer;
use crate::call::Call;
use crate::tools::Spec;
use formicary_model::Failure;
use formicary_platform::sessions::GetFile;
use serde_json::{Map, Value, json};

pub(in crate::tools) const TOOL: Spec = Spec::of::<GetFile>(
    "session_get",
    "Read a file of a session's working folder: text as text, images as images, anything else as a resource.",
    None,
    run,
);

fn run(call: &Call, arguments: Map<String, Value>) -> Result<Answer, Failure> {
    let file = call.perform::<GetFile>(arguments, &[])?;
    let (path, size, executable) = (file.path.clone(), file.size, file.executable);
    let content = String::from_utf8(file.content.clone()).ok();
    let text = content.clone().unwrap_or_else(|| format!("{path}: {size} bytes\n"));
    let mut answer = Answer::new(call, &json!({"path": path, "size": size, "executable": executable}), text)?;
    if let Some(content) = content {
        let short = crate::abridge::text(&content, crate::abridge::TEXT);
        answer.set("content", short.unwrap_or(content).into());
    }
    let told = answer.artifacts(call, vec![file]);
    if let Some(uri) = told.first().map(|file| file["uri"].clone()) {
        answer.set("uri", uri);
    }
    Ok(answer)
}
