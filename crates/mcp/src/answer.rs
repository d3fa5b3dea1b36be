//! Results as a model can use them: a structured answer within bounds, a short text, images as images, and links to
//! everything that was left out.

use crate::abridge;
use crate::call::Call;
use crate::store::Kept;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use formicary_model::{Artifact, Failure, MimeBundle};
use rmcp::model::{CallToolResult, ContentBlock, Resource};
use serde::Serialize;
use serde_json::{Value, json};

/// Images shown in one answer, and bytes of one of them.
const MOST_IMAGES: usize = 8;
const LARGEST_IMAGE: usize = 2 << 20;
/// Links in one answer.
const MOST_LINKS: usize = 50;
const MOST_NAMED: usize = 10;

/// The answer of one call.
pub(crate) struct Answer {
    structured: Value,
    text: String,
    blocks: Vec<ContentBlock>,
    images: usize,
    kept: Vec<String>,
}

impl Answer {
    /// An answer whose whole is `whole`, an object; what does not fit is kept and linked.
    pub(crate) fn new(call: &Call, whole: &impl Serialize, text: String) -> Result<Self, Failure> {
        let whole = value(whole)?;
        let (mut structured, cut) = abridge::value(&whole);
        let mut answer =
            Self { structured: Value::Null, text, blocks: Vec::new(), images: 0, kept: Vec::new() };
        if cut
            && let Some(kept) =
                answer.keep(call, "result.json", "application/json", whole.to_string().into_bytes())
        {
            structured["full"] = json!(kept.uri);
        }
        answer.structured = structured;
        Ok(answer)
    }

    /// The same where the answer is a digest of something larger, which is kept in full.
    pub(crate) fn digest(
        call: &Call,
        digest: &impl Serialize,
        whole: &impl Serialize,
        name: &str,
        text: String,
    ) -> Result<Self, Failure> {
        let (mut structured, _) = abridge::value(&value(digest)?);
        let mut answer =
            Self { structured: Value::Null, text, blocks: Vec::new(), images: 0, kept: Vec::new() };
        let bytes = value(whole)?.to_string().into_bytes();
        if let Some(kept) = answer.keep(call, name, "application/json", bytes) {
            structured["full"] = json!(kept.uri);
        }
        answer.structured = structured;
        Ok(answer)
    }

    /// Keeps something and links it.
    pub(crate) fn keep(&mut self, call: &Call, name: &str, mime: &str, bytes: Vec<u8>) -> Option<Kept> {
        let kept = call.store().keep(name, mime, bytes)?;
        if self.kept.len() < MOST_LINKS {
            self.kept.push(format!("{name}: {}\n", kept.uri));
            self.blocks.push(ContentBlock::resource_link(link(&kept)));
        }
        Some(kept)
    }

    /// A text that the answer holds only head and tail of is kept whole.
    pub(crate) fn keep_text(&mut self, call: &Call, name: &str, text: &str) {
        if text.len() > abridge::TEXT {
            self.keep(call, name, "text/plain", text.as_bytes().to_vec());
        }
    }

    /// Produced files: images are shown, everything is kept and linked. Gives what the structured answer says of them.
    pub(crate) fn artifacts(&mut self, call: &Call, artifacts: Vec<Artifact>) -> Vec<Value> {
        let mut told = Vec::new();
        for artifact in artifacts {
            let Artifact { path, size, content, .. } = artifact;
            let mime = mime_of(&path, &content);
            self.show(mime, &content);
            let kept = self.keep(call, &path, mime, content);
            let mut one = json!({"path": path, "size": size, "mime": mime});
            if let Some(kept) = kept {
                one["uri"] = json!(kept.uri);
            }
            told.push(one);
        }
        told
    }

    /// What a cell displayed: images are shown and kept, the bundle then says where they are.
    pub(crate) fn display(&mut self, call: &Call, name: &str, bundle: &mut MimeBundle) {
        for (mime, data) in bundle.iter_mut().filter(|(mime, _)| mime.starts_with("image/")) {
            let bytes = match mime.as_str() {
                "image/svg+xml" => data.as_bytes().to_vec(),
                _ => match STANDARD.decode(data.trim()) {
                    Ok(bytes) => bytes,
                    Err(_) => continue,
                },
            };
            self.show(mime, &bytes);
            let ending = mime.trim_start_matches("image/").trim_end_matches("+xml");
            if let Some(kept) = self.keep(call, &format!("{name}.{ending}"), mime, bytes) {
                *data = kept.uri;
            }
        }
    }

    fn show(&mut self, mime: &str, bytes: &[u8]) {
        let shown = matches!(mime, "image/png" | "image/jpeg" | "image/gif" | "image/webp");
        if shown && self.images < MOST_IMAGES && bytes.len() <= LARGEST_IMAGE {
            self.images += 1;
            self.blocks.push(ContentBlock::image(STANDARD.encode(bytes), mime));
        }
    }

    /// Sets one field of the structured answer.
    pub(crate) fn set(&mut self, key: &str, value: Value) {
        self.structured[key] = value;
    }

    /// The answer on the wire.
    pub(crate) fn result(self) -> CallToolResult {
        let text = abridge::text(&self.text, 2 * abridge::TEXT).unwrap_or(self.text);
        // Not every client shows links to its model; the text always reaches it.
        let kept: String = self.kept.into_iter().take(MOST_NAMED).collect();
        let kept = if kept.is_empty() { kept } else { format!("kept, for read_output:\n{kept}") };
        let mut content = vec![ContentBlock::text(text + &kept)];
        content.extend(self.blocks);
        let mut result = CallToolResult::success(content);
        result.structured_content = Some(self.structured);
        result
    }
}

/// What a person has a command for, a model has a tool for.
const TOOLS: [(&str, &str); 13] = [
    ("languages", "list_languages"),
    ("session new LANG", "session_create"),
    ("session list", "session_list"),
    ("session close ID", "session_close"),
    ("session files ID", "session_files"),
    ("session put", "session_put"),
    ("rules", "list_rules"),
    ("doctor", "doctor"),
    ("symbols", "find_symbols"),
    ("diagnose", "debug"),
    ("judge", "judge"),
    ("clones --write-baseline", "find_clones with write_baseline"),
    ("review --write-baseline", "review_project"),
];

/// A failure of Formicary as the tool's error: kind, message and remedy, for the model to read.
pub(crate) fn failed(failure: &Failure) -> CallToolResult {
    let failure = &failure.clone().by_names(&TOOLS).by_fields();
    let hint = failure.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    let kind = serde_json::to_value(failure.kind).unwrap_or_default();
    let text = format!("{}: {}{hint}", kind.as_str().unwrap_or("failed"), failure.message);
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(json!({ "error": failure }));
    result
}

/// How a kept thing is linked and listed.
pub(crate) fn link(kept: &Kept) -> Resource {
    Resource::new(kept.uri.clone(), kept.name.clone())
        .with_mime_type(kept.mime.clone())
        .with_size(kept.bytes.len() as u64)
}

/// A value as JSON. Our own types always are.
pub(crate) fn value(value: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(value).map_err(|error| {
        Failure::new(formicary_model::FailureKind::Internal, format!("the result cannot be written: {error}"))
    })
}

/// The type of a produced file, by its first bytes where they tell, else by its name.
fn mime_of(path: &str, content: &[u8]) -> &'static str {
    match content {
        [0x89, b'P', b'N', b'G', ..] => return "image/png",
        [0xff, 0xd8, 0xff, ..] => return "image/jpeg",
        [b'G', b'I', b'F', b'8', ..] => return "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => return "image/webp",
        _ => {}
    }
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "json" => "application/json",
        "csv" => "text/csv",
        "html" | "htm" => "text/html",
        "md" => "text/markdown",
        "svg" => "image/svg+xml",
        "pdf" => "application/pdf",
        _ if std::str::from_utf8(content).is_ok() => "text/plain",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formicary_model::FailureKind;

    #[test]
    fn types_come_from_bytes_first() {
        for (path, content, expected) in [
            ("x.txt", b"\x89PNG\r\n".as_slice(), "image/png"),
            ("x.png", b"<script>", "text/plain"),
            ("x.JSON", b"{}", "application/json"),
            ("x", b"\xff\xfe", "application/octet-stream"),
            ("x.svg", b"<svg/>", "image/svg+xml"),
        ] {
            assert_eq!(mime_of(path, content), expected, "{path}");
        }
    }

    #[test]
    fn failures_are_told_to_the_model() {
        let result =
            failed(&Failure::new(FailureKind::InvalidInput, "unknown language x").hint("did you mean y?"));
        assert_eq!(result.is_error, Some(true));
        let text = &result.content[0].as_text().unwrap().text;
        assert_eq!(text, "invalid_input: unknown language x\nhint: did you mean y?");
        assert_eq!(result.structured_content.unwrap()["error"]["kind"], "invalid_input");
    }
}
