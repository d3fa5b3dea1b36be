//! Comma-separated values, for spreadsheets: one finding a line.

use super::Display;
use formicary_model::review::{ReviewReport, Standing};
use formicary_model::visible::lines;

const HEAD: &str = "file,line,column,end_line,end_column,severity,confidence,category,rule,cwe,standing,allowed,symbol,message,suggestion,tool,fingerprint\n";

/// The table.
pub fn write(report: &ReviewReport, display: &Display) -> String {
    let mut text = HEAD.to_owned();
    for finding in report.findings.iter().filter(|finding| display.shows(finding)) {
        let span = &finding.span;
        let standing = match finding.standing {
            Standing::Unknown => "",
            Standing::New => "new",
            Standing::Worse => "worse",
            Standing::Unchanged => "unchanged",
        };
        let cells = [
            finding.file.clone(),
            span.start_line.to_string(),
            span.start_column.to_string(),
            span.end_line.to_string(),
            span.end_column.to_string(),
            finding.severity.word().into(),
            finding.confidence.word().into(),
            finding.category.word().into(),
            finding.rule.clone().into_owned(),
            finding.cwe.map(|number| number.to_string()).unwrap_or_default(),
            standing.into(),
            finding.suppression.as_ref().map(|s| s.reason.clone()).unwrap_or_default(),
            finding.symbol.clone().unwrap_or_default(),
            finding.message.clone(),
            finding.suggestion.clone().into_owned(),
            finding.tool.clone().unwrap_or_default(),
            finding.fingerprint.clone(),
        ];
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

// A cell that begins like a formula is one to a spreadsheet: a file's name must not be run there.
fn cell(text: &str) -> String {
    let text = lines(text);
    let formula = text.starts_with(['=', '+', '-', '@', '\t']);
    let guarded = if formula { format!("'{text}") } else { text };
    if guarded.contains([',', '"', '\n']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_no_formulas() {
        for (text, expected) in [
            ("a", "a"),
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            ("=cmd()", "'=cmd()"),
            ("a\nb", "\"a\nb\""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
