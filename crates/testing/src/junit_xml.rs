//! JUnit's XML: written for other tools, and read from frameworks that write it.

use crate::events::MOST_OUTPUT;
use crate::project::shortened;
use formicary_model::visible::attribute;
use formicary_model::{TestReport, TestResult, TestStatus};
use quick_xml::Reader;
use quick_xml::events::Event;
use std::fmt::Write as _;

/// A report in the form that build servers read.
pub fn write(report: &TestReport) -> String {
    let totals = &report.totals;
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
        attribute(&report.framework),
        totals.tests,
        totals.failed,
        totals.errored + totals.timed_out + totals.crashed,
        totals.skipped,
        report.seconds
    );
    let mut suites: Vec<&str> = Vec::new();
    for test in &report.tests {
        if !suites.contains(&test.suite.as_str()) {
            suites.push(&test.suite);
        }
    }
    for suite in suites {
        let own: Vec<&TestResult> = report.tests.iter().filter(|test| test.suite == suite).collect();
        let count = |wanted: &[TestStatus]| own.iter().filter(|test| wanted.contains(&test.status)).count();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\">",
            attribute(suite),
            own.len(),
            count(&[TestStatus::Failed]),
            count(&[TestStatus::Errored, TestStatus::TimedOut, TestStatus::Crashed]),
            count(&[TestStatus::Skipped]),
            own.iter().filter_map(|test| test.seconds).sum::<f64>()
        );
        own.iter().for_each(|test| case(&mut text, test));
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case(text: &mut String, test: &TestResult) {
    let _ = write!(
        text,
        "    <testcase classname=\"{}\" name=\"{}\"",
        attribute(&test.suite),
        attribute(&test.name)
    );
    if let Some(seconds) = test.seconds {
        let _ = write!(text, " time=\"{seconds:.3}\"");
    }
    if let Some(place) = &test.place {
        let _ = write!(text, " file=\"{}\" line=\"{}\"", attribute(&place.file), place.line);
    }
    let element = match test.status {
        TestStatus::Passed => None,
        TestStatus::Skipped => Some("skipped"),
        TestStatus::Failed => Some("failure"),
        TestStatus::Errored | TestStatus::TimedOut | TestStatus::Crashed => Some("error"),
    };
    let message = attribute(test.message.as_deref().unwrap_or_default());
    let output = attribute(&test.output);
    match element {
        None if output.is_empty() => text.push_str("/>\n"),
        None => {
            let _ = writeln!(text, "><system-out>{output}</system-out></testcase>");
        }
        Some("skipped") => {
            let _ = writeln!(text, "><skipped message=\"{message}\"/></testcase>");
        }
        Some(element) => {
            let kind = test.status.word();
            let _ = writeln!(
                text,
                "><{element} type=\"{kind}\" message=\"{message}\">{output}</{element}></testcase>"
            );
        }
    }
}

/// Reads what a framework wrote. Broken XML gives the tests before the break.
pub fn read(xml: &str) -> Vec<TestResult> {
    let mut reader = Reader::from_str(xml);
    let mut tests: Vec<TestResult> = Vec::new();
    let (mut suite, mut open, mut text) = (String::new(), false, String::new());
    loop {
        let event = match reader.read_event() {
            Ok(Event::Eof) | Err(_) => return tests,
            Ok(event) => event,
        };
        match event {
            Event::Start(start) | Event::Empty(start) => {
                let attribute = |name: &str| {
                    let found = start.attributes().flatten().find(|own| own.key.as_ref() == name.as_bytes());
                    let value = found?.unescape_value().ok()?;
                    Some(value.into_owned())
                };
                text.clear();
                let message = || attribute("message").filter(|message| !message.is_empty());
                match start.name().as_ref() {
                    b"testsuite" => suite = attribute("name").unwrap_or_default(),
                    b"testcase" => {
                        open = true;
                        tests.push(TestResult {
                            name: attribute("name").unwrap_or_default(),
                            suite: attribute("classname").unwrap_or_else(|| suite.clone()),
                            status: match attribute("status").as_deref() {
                                Some("fail") => TestStatus::Failed,
                                Some("notrun" | "disabled") => TestStatus::Skipped,
                                _ => TestStatus::Passed,
                            },
                            seconds: attribute("time").and_then(|time| time.parse().ok()),
                            message: None,
                            place: None,
                            output: String::new(),
                        });
                    }
                    name @ (b"failure" | b"error" | b"skipped") if open => {
                        if let Some(test) = tests.last_mut() {
                            test.status = match name {
                                b"failure" => TestStatus::Failed,
                                b"error" => TestStatus::Errored,
                                _ => TestStatus::Skipped,
                            };
                            test.message = message().or(test.message.take());
                        }
                    }
                    _ => {}
                }
            }
            Event::Text(part) => text.push_str(&part.xml_content().unwrap_or_default()),
            Event::CData(part) => text.push_str(&String::from_utf8_lossy(&part)),
            Event::GeneralRef(reference) => text.push_str(&meaning(&String::from_utf8_lossy(&reference))),
            Event::End(end) => {
                let name = end.name();
                if let (true, Some(test)) = (open, tests.last_mut())
                    && matches!(
                        name.as_ref(),
                        b"failure" | b"error" | b"skipped" | b"system-out" | b"system-err"
                    )
                    && !text.trim().is_empty()
                {
                    test.output = shortened(&format!("{}{}", test.output, text.trim_start()), MOST_OUTPUT);
                }
                text.clear();
                if name.as_ref() == b"testcase" {
                    open = false;
                }
            }
            _ => {}
        }
    }
}

/// What a reference such as `lt` or `#10` stands for.
fn meaning(reference: &str) -> String {
    let whole = format!("&{reference};");
    quick_xml::escape::unescape(&whole).map_or_else(|_| whole.clone(), |text| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_was_written() {
        let xml = "<testsuites><testsuite name='s'><testcase name='a &lt;b&gt;' time='0.5'/>\
                   <testcase name='c' status='fail'><failure message='SEGFAULT'/><system-out>x &amp; y\n</system-out></testcase>\
                   <testcase name='d'><skipped message='later'/></testcase><testcase name='e'><error>boom";
        let tests = read(xml);
        let short: Vec<_> =
            tests.iter().map(|test| (test.name.as_str(), test.status, test.message.as_deref())).collect();
        assert_eq!(
            short,
            [
                ("a <b>", TestStatus::Passed, None),
                ("c", TestStatus::Failed, Some("SEGFAULT")),
                ("d", TestStatus::Skipped, Some("later")),
                ("e", TestStatus::Errored, None),
            ]
        );
        assert_eq!(tests[1].output, "x & y\n");
        assert_eq!(tests[0].suite, "s");
    }
}
