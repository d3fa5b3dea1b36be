//! Every report of a project whose names and texts mean harm, and SARIF's required shape.

use super::{Display, Format, generate_report};
use crate::engine::SourceText;
use crate::examine::examine;
use crate::figures;
use crate::reviewer::Review;
use crate::score;
use crate::testing::{Words, source};
use crate::{ReviewSettings, engine::Watch, gate};
use formicary_model::review::{
    Dependency, Edit, Fix, FixSafety, ModuleMetrics, Note, NoteKind, ReviewReport, Span, Standing, Step,
    Trend,
};
use serde_json::Value;

const NAME: &str = "<img src=x onerror=alert(1)>\"'&\u{1b}[2J\u{202e}\u{200b}\n::error::x,|`=.py";
const TEXT: &str =
    "</script><script>alert(1)</script> BAD\nUGLY  # formicary: allow(ugly-word) <b>so</b>\nBAD\u{202e}\n";

fn hostile() -> Review {
    let sources: Vec<SourceText> = vec![source(NAME, TEXT), source("b.py", "x\n")];
    let mut examined =
        examine(&Words, &sources, &ReviewSettings::default(), &Default::default(), Vec::new(), Watch::NOBODY);
    let step = |message: &str| Step { file: NAME.into(), span: Span::of_line(1), message: message.into() };
    let edit = Edit { span: Span::of_bytes(TEXT, 0, 2), replacement: "<x>".into() };
    let first = &mut examined.findings[0];
    first.path = vec![step("<i>from</i>"), step("to")];
    first.related = vec![step("near")];
    first.message = "<u>]]>\n| [x](javascript:alert(1)) @all".into();
    first.why = "<script>why</script>".into();
    first.fix = Some(Fix { description: "<s>".into(), safety: FixSafety::Unsafe, edits: vec![edit] });
    first.standing = Standing::New;
    let module = |name: &str| ModuleMetrics {
        name: name.into(),
        file: NAME.into(),
        fan_in: 1,
        fan_out: 1,
        ..Default::default()
    };
    let mut report = ReviewReport {
        schema: ReviewReport::SCHEMA,
        version: "0".into(),
        root: NAME.into(),
        score: score::score(&examined.findings, &examined.files),
        project: figures::project(&examined.files, 0, 0.0),
        findings: examined.findings,
        files: examined.files,
        modules: vec![module("<a>"), module("b")],
        dependencies: vec![Dependency { from: "<a>".into(), to: "b".into(), line: 1 }],
        gate: None,
        change: None,
        notes: vec![Note {
            kind: NoteKind::Other,
            file: Some(NAME.into()),
            line: None,
            message: "<h1>".into(),
        }],
        excluded_files: 0,
        debt_minutes: 0,
        movement: None,
        history: vec![Trend { time: 1, score: 50.0, findings: 1, lines: 1, revision: None }],
    };
    report.gate = Some(gate::check_quality_gates(&report, &Default::default(), &[], None));
    Review { report, sources, name: NAME.into() }
}

pub(super) fn written(format: Format) -> String {
    generate_report(&hostile(), format, &Display::default(), &[])
}

#[test]
fn a_page_holds_no_element_but_its_own() {
    let page = written(Format::Html);
    for element in [
        "<img",
        "<script>alert",
        "<u>",
        "<i>from",
        "<s>",
        "<h1>]",
        "<b>so",
        "<x>",
        "<a>:",
        "javascript:alert(1)\"",
    ] {
        assert!(!page.contains(element), "{element}");
    }
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing comes from outside");
}

#[test]
fn terminals_and_runners_are_not_steered() {
    let strip = |text: String| {
        let mut plain = String::new();
        let mut rest = text.as_str();
        // Styles of our own are all of the form ESC [ … m.
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = after
                .strip_prefix('[')
                .and_then(|after| after.split_once('m'))
                .map_or("STEERED", |(_, rest)| rest);
        }
        plain + rest
    };
    let terminal = strip(written(Format::Terminal));
    assert!(!terminal.contains("STEERED") && !terminal.contains('\u{202e}'), "{terminal}");
    for line in written(Format::Github).lines() {
        assert!(
            line.starts_with("::error file=%3Cimg")
                || line.starts_with("::error file=<img")
                || line.starts_with("::error title=gate"),
            "{line}"
        );
    }
}

#[test]
fn nothing_is_hidden_or_turned_in_any_format() {
    for format in Format::ALL {
        let report = written(format);
        let own_styles = |c: char| format == Format::Terminal && c == '\u{1b}';
        let hidden = report.chars().find(|c| {
            formicary_model::visible::is_hidden(*c)
                || c.is_control() && !matches!(c, '\n' | '\t') && !own_styles(*c)
        });
        assert_eq!(hidden, None, "{}", format.word());
        // In the addresses of SARIF names are encoded.
        assert!(report.contains("202e") || report.contains("%E2%80%AE"), "{}", format.word());
    }
}

#[test]
fn xml_and_tables_stay_whole() {
    let junit = written(Format::Junit);
    assert!(!junit.contains("<img") && !junit.contains('\u{1b}'));
    assert_eq!(junit.matches("<failure").count(), junit.matches("</failure>").count());
    let markdown = written(Format::Markdown);
    assert!(
        !markdown.contains("<u>") && !markdown.contains("@all") && !markdown.contains("[x]("),
        "{markdown}"
    );
}

#[test]
fn sarif_has_what_the_standard_requires() {
    let log: Value = serde_json::from_str(&written(Format::Sarif)).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert!(result["partialFingerprints"].is_object());
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"'` ".contains(&byte)), "{uri}");
        let number = |name: &str| place["region"][name].as_u64().unwrap();
        assert!(number("startLine") >= 1 && number("startColumn") >= 1);
        assert!((number("endLine"), number("endColumn")) >= (number("startLine"), number("startColumn")));
    }
    let first = &results[0];
    assert_eq!(first["baselineState"], "new");
    assert_eq!(first["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len(), 2);
    assert_eq!(first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "<x>");
    assert_eq!(first["relatedLocations"][0]["message"]["text"], "near");
    let allowed = results.iter().find(|result| !result["suppressions"].is_null()).unwrap();
    assert_eq!(allowed["suppressions"][0]["kind"], "inSource");
    assert_eq!(allowed["suppressions"][0]["justification"], "<b>so</b>");
}
