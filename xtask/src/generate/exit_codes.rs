//! The page of exit codes, from the platform's one table of how things end.

use super::{Artefact, FOLDER};
use formicary_model::FailureKind;
use formicary_platform::exit;
use std::fmt::Write;

const INTRODUCTION: &str = "\
# Exit codes

A program's own exit code is passed through, so a code of 120 to 126 can be the program's or Formicary's. `--json` tells
them apart: a result has `status`, a failure of Formicary's has `error`.

| code | meaning |
|---|---|
";

pub(super) fn artefacts() -> Result<Vec<Artefact>, String> {
    let mut content = String::from(INTRODUCTION);
    for row in exit::TABLE {
        let _ = writeln!(content, "| {} | {} |", row.code, row.meaning);
    }
    content.push_str(
        "\n## Failures of Formicary's own\n\n| `error.kind` | exit code | HTTP status |\n|---|---|---|\n",
    );
    for kind in FailureKind::ALL {
        let word = serde_json::to_value(kind).map_err(|error| error.to_string())?;
        let (code, status) = (exit::failure_code(kind), exit::failure_http_status(kind));
        let _ = writeln!(content, "| `{}` | {code} | {status} |", word.as_str().unwrap_or_default());
    }
    Ok(vec![Artefact { path: format!("{FOLDER}/exit-codes.md"), content }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_a_failure_is_explained() {
        let page = &artefacts().unwrap()[0].content;
        for kind in FailureKind::ALL {
            assert!(page.contains(&format!("| {} | ", exit::failure_code(kind))), "{kind:?}");
        }
    }
}
