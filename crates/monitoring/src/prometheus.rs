//! Figures in Prometheus' text exposition, version 0.0.4.

use crate::metrics::{Counted, Labels};
use crate::sketch::Sketch;
use std::fmt::Write as _;

/// The media type of [`render`]'s text.
pub const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Bounds of histograms of seconds.
const SECONDS: [f64; 14] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0];
/// Bounds of histograms of bytes: 1 MiB to 16 GiB.
const BYTES: [f64; 8] = [
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
    268_435_456.0,
    1_073_741_824.0,
    4_294_967_296.0,
    17_179_869_184.0,
];

/// One more figure that is known elsewhere: name, meaning, kind, value.
#[derive(Debug, Clone, Copy)]
pub struct Figure<'a> {
    /// Its name, after `formicary_`.
    pub name: &'a str,
    /// One line for people.
    pub about: &'a str,
    /// Whether it only rises.
    pub counter: bool,
    /// Its value.
    pub value: f64,
}

/// The text that a scraper gets.
pub fn render(counted: &Counted, figures: &[Figure<'_>]) -> String {
    let mut page = Page::default();
    page.family("runs_accepted_total", "counter", "Runs that the guard let in");
    page.sample("runs_accepted_total", "", counted.accepted as f64);
    page.family("runs_active", "gauge", "Runs that are under way");
    page.sample("runs_active", "", counted.active as f64);
    page.family("runs_total", "counter", "Runs that ended with a result, by how they ended");
    for (labels, series) in &counted.series {
        for (status, count) in &series.by_status {
            let labels = format!("{},status=\"{status}\"", shown(labels));
            page.sample("runs_total", &labels, *count as f64);
        }
    }
    page.family("failures_total", "counter", "Requests without a result, by kind of failure");
    for (kind, count) in &counted.by_failure {
        page.sample("failures_total", &format!("kind=\"{}\"", escaped(kind)), *count as f64);
    }
    page.family("cpu_seconds_total", "counter", "Processor time that programs used");
    for (labels, series) in &counted.series {
        page.sample("cpu_seconds_total", &shown(labels), series.cpu_seconds);
    }
    page.family("run_duration_seconds", "histogram", "Time of runs, all phases and the sandbox around them");
    for (labels, series) in &counted.series {
        page.histogram("run_duration_seconds", &shown(labels), &series.durations, &SECONDS);
    }
    page.family("run_memory_bytes", "histogram", "Peak memory of runs");
    for (labels, series) in &counted.series {
        page.histogram("run_memory_bytes", &shown(labels), &series.memory, &BYTES);
    }
    page.family("step_duration_seconds", "histogram", "Time of what is around programs");
    for (step, sketch) in &counted.steps {
        page.histogram("step_duration_seconds", &format!("step=\"{}\"", step.word()), sketch, &SECONDS);
    }
    for figure in figures {
        page.family(figure.name, if figure.counter { "counter" } else { "gauge" }, figure.about);
        page.sample(figure.name, "", figure.value);
    }
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
}

// Writing to a String cannot fail.
impl Page {
    fn family(&mut self, name: &str, kind: &str, about: &str) {
        let _ = writeln!(self.text, "# HELP formicary_{name} {about}\n# TYPE formicary_{name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &str, value: f64) {
        let _ = match labels {
            "" => writeln!(self.text, "formicary_{name} {value}"),
            _ => writeln!(self.text, "formicary_{name}{{{labels}}} {value}"),
        };
    }

    fn histogram(&mut self, name: &str, labels: &str, sketch: &Sketch, bounds: &[f64]) {
        let bucket = format!("{name}_bucket");
        for (bound, count) in bounds.iter().zip(sketch.not_above(bounds)) {
            self.sample(&bucket, &format!("{labels},le=\"{bound}\""), count as f64);
        }
        self.sample(&bucket, &format!("{labels},le=\"+Inf\""), sketch.count() as f64);
        self.sample(&format!("{name}_sum"), labels, sketch.sum());
        self.sample(&format!("{name}_count"), labels, sketch.count() as f64);
    }
}

fn shown(labels: &Labels) -> String {
    let Labels { language, provider, tenant } = labels;
    let [language, provider, tenant] = [language, provider, tenant].map(|text| escaped(text));
    format!("language=\"{language}\",provider=\"{provider}\",tenant=\"{tenant}\"")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fanout::Listener as _;
    use crate::metrics::MetricsCollector;
    use crate::samples::{accepted, event, failed, finished};
    use formicary_model::{Caller, EventKind, Status, Step};
    use std::collections::{BTreeMap, BTreeSet};

    fn page() -> String {
        let metrics = MetricsCollector::new();
        let tenants = ["", "house", "odd\"name\\with\nline"];
        for (n, tenant) in tenants.into_iter().cycle().take(30).enumerate() {
            let (run, caller) = (n.to_string(), Caller::new("x").of(tenant));
            metrics.heard(&caller, &accepted(&run, if n % 2 == 0 { "python" } else { "go" }));
            let waited = EventKind::Step { step: Step::Queue, seconds: 0.002 };
            metrics.heard(&caller, &event(&run, 1, waited));
            let status = if n % 5 == 0 { Status::Timeout } else { Status::Success };
            metrics.heard(&caller, &finished(&run, status, n as f64 / 10.0, 1 << 20));
        }
        metrics.heard(&Caller::default(), &failed("bad"));
        let lost = Figure { name: "audit_records_lost_total", about: "x", counter: true, value: 3.0 };
        render(&metrics.counted(), &[lost])
    }

    /// A strict reader of the format: families in one piece, labels well formed, histograms that rise to their count.
    fn read(page: &str) -> BTreeMap<String, f64> {
        let mut samples = BTreeMap::new();
        let mut families = BTreeSet::new();
        let mut family = String::new();
        assert!(page.ends_with('\n'));
        for line in page.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                family = help.split(' ').next().unwrap().to_owned();
                assert!(families.insert(family.clone()), "{family} comes twice");
                continue;
            }
            if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').unwrap();
                assert_eq!(name, family);
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                continue;
            }
            let (name, value) = line.rsplit_once(' ').unwrap();
            let value: f64 = value.parse().unwrap_or_else(|_| panic!("{line}"));
            let bare = name.split('{').next().unwrap();
            let of_family = bare.strip_prefix(family.as_str()).unwrap_or_else(|| panic!("{line} in {family}"));
            assert!(["", "_bucket", "_sum", "_count"].contains(&of_family), "{line}");
            if let Some(labels) = name.strip_prefix(bare).filter(|labels| !labels.is_empty()) {
                check_labels(labels);
            }
            assert!(samples.insert(name.to_owned(), value).is_none(), "{name} comes twice");
        }
        samples
    }

    fn check_labels(labels: &str) {
        let mut rest = labels.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap();
        while !rest.is_empty() {
            let (name, value) = rest.split_once("=\"").unwrap();
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !name.is_empty(), "{labels}");
            let mut end = None;
            let mut characters = value.char_indices();
            while let Some((index, character)) = characters.next() {
                match character {
                    '\\' => assert!(matches!(characters.next(), Some((_, '\\' | '"' | 'n'))), "{labels}"),
                    '"' => {
                        end = Some(index);
                        break;
                    }
                    _ => {}
                }
            }
            rest = &value[end.unwrap() + 1..];
            rest = rest.strip_prefix(',').unwrap_or(rest);
        }
    }

    #[test]
    fn a_strict_reader_takes_it() {
        let samples = read(&page());
        assert_eq!(samples["formicary_runs_accepted_total"], 30.0);
        assert_eq!(samples["formicary_failures_total{kind=\"sandbox_failed\"}"], 1.0);
        assert_eq!(samples["formicary_audit_records_lost_total"], 3.0);
        let runs = samples.iter().filter(|(name, _)| name.starts_with("formicary_runs_total{"));
        assert_eq!(runs.map(|(_, value)| value).sum::<f64>(), 30.0);
        assert_eq!(samples["formicary_step_duration_seconds_count{step=\"queue\"}"], 30.0);
        for (name, count) in samples.iter().filter(|(name, _)| name.contains("_count{")) {
            let (family, labels) = name.split_once("_count{").unwrap();
            let labels = labels.trim_end_matches('}');
            let mut before = 0.0;
            for bound in SECONDS.iter().map(f64::to_string).chain(["+Inf".into()]) {
                let bucket = format!("{family}_bucket{{{labels},le=\"{bound}\"}}");
                if let Some(value) = samples.get(&bucket) {
                    assert!(*value >= before, "{bucket}");
                    before = *value;
                }
            }
            assert_eq!(before, *count, "{name}");
        }
    }

    #[test]
    fn nothing_counted_is_a_page_too() {
        assert_eq!(read(&render(&Counted::default(), &[]))["formicary_runs_active"], 0.0);
    }
}
