//! What is published: each metric with its peer, its goal, and where a measurement holds its value.

use serde_json::Value;

/// What a value has to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// Smaller is better.
    AtMost(f64),
    /// Larger is better.
    AtLeast(f64),
    /// Measured for information.
    None,
}

impl Goal {
    /// Whether the value does not reach it.
    pub fn is_missed_by(self, value: f64) -> bool {
        match self {
            Self::AtMost(bound) => value > bound,
            Self::AtLeast(bound) => value < bound,
            Self::None => false,
        }
    }
}

/// One row of the page.
#[derive(Debug)]
pub struct Metric {
    /// Its section on the page.
    pub section: &'static str,
    /// What is measured; together with the peer its name.
    pub what: &'static str,
    /// What it is measured next to; empty if to nothing.
    pub peer: &'static str,
    /// Stands behind the value; empty for ratios of ours to the peer's.
    pub unit: &'static str,
    /// What it has to reach.
    pub goal: Goal,
    /// The way to the value in what `cargo xtask bench --json` wrote: fields, positions, and `field=value` (several of them
    /// joined by `&`) for the first element of a list in which these hold. Empty if the bench does not measure it.
    pub path: &'static [&'static str],
}

/// Every metric, in the order of the page.
pub const METRICS: &[Metric] = &[
    cold(
        "`/bin/true`, cold, library",
        Goal::AtMost(0.5),
        &["starts", "workloads", "workload=/bin/true", "rows", LIBRARY, OVER_BWRAP],
    ),
    cold(
        "Python `pass`, cold, library",
        Goal::AtMost(0.5),
        &["starts", "workloads", "workload=python pass", "rows", LIBRARY, OVER_BWRAP],
    ),
    cold(
        "`/bin/true`, cold, command line",
        Goal::None,
        &["starts", "workloads", "workload=/bin/true", "rows", COMMAND_LINE, OVER_BWRAP],
    ),
    cold(
        "Python `pass`, cold, command line",
        Goal::None,
        &["starts", "workloads", "workload=python pass", "rows", COMMAND_LINE, OVER_BWRAP],
    ),
    ready("`/bin/true`, prepared", Goal::AtMost(2.0), &["ready", "ready", "name=/bin/true", "ratio"]),
    ready(
        "`print(1)`, prepared, slow interpreter",
        Goal::AtMost(0.5),
        &["ready", "ready", "name=print(1), the interpreter found first", "ratio"],
    ),
    ready(
        "`print(1)`, prepared, the system's Python",
        Goal::AtMost(0.5),
        &["ready", "ready", "name=print(1), the system's interpreter", "ratio"],
    ),
    ready(
        "`import numpy; print(1)`, prepared",
        Goal::AtMost(0.1),
        &["ready", "ready", "name=import numpy; print(1)", "ratio"],
    ),
    judging("judged a second, slow interpreter", &["judging", "0", "ratio"]),
    judging("judged a second, the system's Python", &["judging", "1", "ratio"]),
    provider(
        "docker, `/bin/true`",
        "docker run",
        &["providers", "providers", "provider=docker&workload=/bin/true", "ratio"],
    ),
    provider(
        "docker, Python `pass`",
        "docker run",
        &["providers", "providers", "provider=docker&workload=python pass", "ratio"],
    ),
    provider(
        "gvisor, `/bin/true`",
        "runsc do",
        &["providers", "providers", "provider=gvisor&workload=/bin/true", "ratio"],
    ),
    provider(
        "gvisor, Python `pass`",
        "runsc do",
        &["providers", "providers", "provider=gvisor&workload=python pass", "ratio"],
    ),
    cached("second compilation, C", &["compiling", "compile_cache", "language=c", "ratio"]),
    cached("second compilation, C++", &["compiling", "compile_cache", "language=cpp", "ratio"]),
    cached("second compilation, Rust", &["compiling", "compile_cache", "language=rust", "ratio"]),
    cached("second compilation, Go", &["compiling", "compile_cache", "language=go", "ratio"]),
    cached("second compilation, Java", &["compiling", "compile_cache", "language=java", "ratio"]),
    cached("second compilation, TypeScript", &["compiling", "compile_cache", "language=typescript", "ratio"]),
    analysis(
        "review of Django, nothing cached",
        "pyscn",
        Goal::AtMost(0.125),
        &["review", "peer=pyscn", "cold_ratio"],
    ),
    analysis(
        "review of Django, one file changed",
        "pyscn",
        Goal::AtMost(0.02),
        &["review", "peer=pyscn", "warm_ratio"],
    ),
    analysis(
        "review of Django, nothing cached",
        "bandit",
        Goal::AtMost(0.125),
        &["review", "peer=bandit", "cold_ratio"],
    ),
    analysis(
        "review of Django, nothing cached",
        "lizard",
        Goal::None,
        &["review", "peer=lizard", "cold_ratio"],
    ),
    analysis(
        "review of Django, nothing cached",
        "ruff, all rules",
        Goal::None,
        &["review", "peer=ruff", "cold_ratio"],
    ),
    analysis(
        "clones of Django, all types",
        "pyscn",
        Goal::AtMost(0.1),
        &["copies", "copies", "what=all types, next to pyscn", "ratio"],
    ),
    analysis(
        "clones of Django, types 1 and 2",
        "jscpd",
        Goal::AtMost(1.0),
        &["copies", "copies", "what=types 1 and 2, next to jscpd", "ratio"],
    ),
    Metric {
        section: ANALYSIS,
        what: "refactorings of the last 100 commits, the slowest",
        peer: "",
        unit: " s",
        goal: Goal::AtMost(1.0),
        path: &["copies", "history", "slowest_s"],
    },
    analysis(
        "search `subprocess.run($$$)`",
        "ast-grep",
        Goal::AtMost(1.05),
        &["patterns", "what=subprocess.run($$$)", "ratio"],
    ),
    analysis(
        "search `isinstance($X, $Y)`",
        "ast-grep",
        Goal::AtMost(1.05),
        &["patterns", "what=isinstance($X, $Y)", "ratio"],
    ),
    analysis(
        "search `$X[$Y] = $X[$Y]`",
        "ast-grep",
        Goal::AtMost(1.05),
        &["patterns", "what=$X[$Y] = $X[$Y]", "ratio"],
    ),
    analysis(
        "search, a hundred patterns at once",
        "one of them",
        Goal::AtMost(5.0),
        &["patterns", "what=a hundred patterns at once, next to one of the hundred", "ratio"],
    ),
    candidates(
        "candidates judged, Python",
        Goal::AtLeast(300.0),
        &["mending", "language=python", "per_second"],
    ),
    candidates(
        "candidates judged, JavaScript",
        Goal::None,
        &["mending", "language=javascript", "per_second"],
    ),
    candidates("candidates judged, Java", Goal::None, &["mending", "language=java", "per_second"]),
    candidates("candidates judged, C++", Goal::None, &["mending", "language=cpp", "per_second"]),
    candidates("candidates judged, Rust", Goal::None, &["mending", "language=rust", "per_second"]),
    candidates("candidates judged, Go", Goal::None, &["mending", "language=go", "per_second"]),
    Metric {
        section: REPAIR,
        what: "broken programs fixed and verified, a third of the suite",
        peer: "",
        unit: " %",
        goal: Goal::AtLeast(70.0),
        path: &[],
    },
    Metric {
        section: REPAIR,
        what: "broken programs fixed and verified, never seen before",
        peer: "",
        unit: " %",
        goal: Goal::AtLeast(70.0),
        path: &[],
    },
    Metric {
        section: REPAIR,
        what: "generated tests, seconds",
        peer: "Pynguin",
        unit: "",
        goal: Goal::None,
        path: &[],
    },
    Metric {
        section: REPAIR,
        what: "generated tests, mutants noticed",
        peer: "Pynguin",
        unit: "",
        goal: Goal::None,
        path: &[],
    },
    serving(
        "`execute` over HTTP, a second",
        "the library",
        Goal::AtLeast(0.8),
        &["service", "throughput", "ratio"],
    ),
    serving(
        "`execute` over HTTP, with an audit log",
        "without",
        Goal::None,
        &["service", "throughput", "audit_ratio"],
    ),
    serving("two workers, jobs of 100 ms of CPU", "one worker", Goal::AtLeast(1.6), &["cluster", "ratio"]),
];

const SANDBOX: &str = "Sandbox";
const ANALYSIS: &str = "Analysis";
const REPAIR: &str = "Repair and tests";
const SERVING: &str = "Serving";
const LIBRARY: &str = "peer=formicary library, cold";
const COMMAND_LINE: &str = "peer=formicary CLI, cold";
const OVER_BWRAP: &str = "ratio_to_bwrap_median";

type Way = &'static [&'static str];

const fn cold(what: &'static str, goal: Goal, path: Way) -> Metric {
    Metric { section: SANDBOX, what, peer: "bwrap (overhead)", unit: "", goal, path }
}

const fn ready(what: &'static str, goal: Goal, path: Way) -> Metric {
    Metric { section: SANDBOX, what, peer: "the bare program", unit: "", goal, path }
}

const fn judging(what: &'static str, path: Way) -> Metric {
    Metric {
        section: SANDBOX,
        what,
        peer: "bare interpreter in a loop",
        unit: "",
        goal: Goal::AtLeast(3.0),
        path,
    }
}

const fn provider(what: &'static str, peer: &'static str, path: Way) -> Metric {
    Metric { section: SANDBOX, what, peer, unit: "", goal: Goal::AtMost(1.1), path }
}

const fn cached(what: &'static str, path: Way) -> Metric {
    Metric { section: SANDBOX, what, peer: "the first", unit: "", goal: Goal::None, path }
}

const fn analysis(what: &'static str, peer: &'static str, goal: Goal, path: Way) -> Metric {
    Metric { section: ANALYSIS, what, peer, unit: "", goal, path }
}

const fn candidates(what: &'static str, goal: Goal, path: Way) -> Metric {
    Metric { section: REPAIR, what, peer: "", unit: " a second", goal, path }
}

const fn serving(what: &'static str, peer: &'static str, goal: Goal, path: Way) -> Metric {
    Metric { section: SERVING, what, peer, unit: "", goal, path }
}

impl Metric {
    /// Its value in what the bench measured, if that part was measured.
    pub fn value(&self, measured: &Value) -> Option<f64> {
        let (first, rest) = self.path.split_first()?;
        rest.iter().try_fold(step(measured, first)?, |value, name| step(value, name))?.as_f64()
    }
}

fn step<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    let Value::Array(elements) = value else { return value.get(name) };
    if let Ok(position) = name.parse::<usize>() {
        return elements.get(position);
    }
    elements.iter().find(|element| {
        // A value may hold `=` itself, as patterns do; a field's name never does.
        name.split('&').all(|condition| {
            condition.split_once('=').is_some_and(|(field, wanted)| element[field] == wanted)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::PARTS;
    use serde_json::json;

    #[test]
    fn values_are_found_where_the_bench_writes_them() {
        let measured = json!({
            "starts": {"workloads": [
                {"workload": "/bin/true", "rows": [{"peer": "formicary library, cold", "ratio_to_bwrap_median": 0.4}]},
            ]},
            "judging": [{"ratio": 4.0}],
            "patterns": [{"what": "$X[$Y] = $X[$Y]", "ratio": 1.02}],
            "providers": {"providers": [
                {"provider": "docker", "workload": "/bin/true", "ratio": 1.0},
                {"provider": "gvisor", "workload": "/bin/true", "ratio": 1.1},
            ]},
        });
        let found: Vec<(&str, f64)> =
            METRICS.iter().filter_map(|metric| Some((metric.what, metric.value(&measured)?))).collect();
        let expected = [
            ("`/bin/true`, cold, library", 0.4),
            ("judged a second, slow interpreter", 4.0),
            ("docker, `/bin/true`", 1.0),
            ("gvisor, `/bin/true`", 1.1),
            ("search `$X[$Y] = $X[$Y]`", 1.02),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_begin_with_a_part_and_names_are_unique() {
        for (index, metric) in METRICS.iter().enumerate() {
            if let Some(part) = metric.path.first() {
                assert!(PARTS.iter().any(|(name, _)| name == part), "{}", metric.what);
            }
            let same = |other: &Metric| other.what == metric.what && other.peer == metric.peer;
            assert!(!METRICS[..index].iter().any(same), "{} next to {}", metric.what, metric.peer);
        }
    }

    #[test]
    fn goals_have_a_direction() {
        assert!(Goal::AtMost(0.5).is_missed_by(0.51) && !Goal::AtMost(0.5).is_missed_by(0.5));
        assert!(Goal::AtLeast(3.0).is_missed_by(2.9) && !Goal::AtLeast(3.0).is_missed_by(3.0));
        assert!(!Goal::None.is_missed_by(f64::MAX));
    }
}
