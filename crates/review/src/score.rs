//! The score: formulas as in `docs/reference/review.md`. It is taken from everything that was found and measured, never from what
//! is shown, and the worst place counts for itself: a large project cannot hide it in an average.

use crate::discover::is_minified;
use formicary_model::review::{
    Category, CategoryScore, Confidence, FileMetrics, Finding, FunctionMetrics, Grade, HotSpot, Score,
    Severity,
};
use std::collections::BTreeMap;

/// What a category weighs in the mean.
const WEIGHTS: [(Category, f64); 10] = [
    (Category::Security, 25.0),
    (Category::Malicious, 10.0),
    (Category::Lint, 20.0),
    (Category::DeadCode, 8.0),
    (Category::Performance, 7.0),
    (Category::Complexity, 12.0),
    (Category::Smell, 6.0),
    (Category::Architecture, 7.0),
    (Category::Duplication, 3.0),
    (Category::Documentation, 2.0),
];
/// The most that a category loses to density, and to its worst file.
const DENSITY_SHARE: f64 = 60.0;
const HOT_SPOT_SHARE: f64 = 40.0;
/// Points per thousand lines, and points in one file, at which 63 % of the share are lost.
const DENSITY_SCALE: f64 = 15.0;
const HOT_SPOT_SCALE: f64 = 20.0;
/// The same for complexity, whose hot spot is one function: every large project has some that are long for a reason.
const COMPLEXITY_DENSITY_SCALE: f64 = 40.0;
const COMPLEXITY_HOT_SPOT_SCALE: f64 = 40.0;
/// A category that weighs less than this pulls the total down by its share of it only.
const FULL_PULL: f64 = 12.0;
/// How much the worst category counts in the total.
const WORST_SHARE: f64 = 0.3;
/// A function with less cognitive complexity than this is flat, whatever its cyclomatic one.
const FLAT_BELOW: f64 = 5.0;
/// From where functions count as complex.
const CYCLOMATIC_FROM: u32 = 10;
const COGNITIVE_FROM: u32 = 15;
/// A project smaller than this is judged as if it had this many lines: one finding in ten lines is not a catastrophe.
const LEAST_LINES: f64 = 200.0;
const HOT_SPOTS: usize = 20;

/// The score of a project.
pub fn score(findings: &[Finding], files: &[FileMetrics]) -> Score {
    let lines: u32 = files.iter().map(|file| file.lines.source).sum();
    let thousands = f64::from(lines).max(LEAST_LINES) / 1000.0;
    let categories: Vec<CategoryScore> =
        WEIGHTS.iter().map(|(category, _)| of_category(*category, findings, files, thousands)).collect();
    let weight: f64 = WEIGHTS.iter().map(|(_, weight)| weight).sum();
    let mean =
        categories.iter().zip(WEIGHTS).map(|(one, (_, weight))| one.score * weight).sum::<f64>() / weight;
    let pull = |(one, (_, weight)): (&CategoryScore, (Category, f64))| {
        100.0 - (100.0 - one.score) * (weight / FULL_PULL).min(1.0)
    };
    let worst = categories.iter().zip(WEIGHTS).map(pull).fold(100.0, f64::min);
    let lost_to_parsing = lost_to_parsing(files);
    let total = ((1.0 - WORST_SHARE) * mean + WORST_SHARE * worst - lost_to_parsing).clamp(0.0, 100.0);
    let total = round(total);
    Score {
        total,
        grade: Grade::of(total),
        categories,
        lost_to_parsing: round(lost_to_parsing),
        hot_spots: hot_spots(findings, files),
    }
}

fn of_category(
    category: Category,
    findings: &[Finding],
    files: &[FileMetrics],
    thousands: f64,
) -> CategoryScore {
    let open: Vec<&Finding> =
        findings.iter().filter(|finding| finding.category == category && finding.is_open()).collect();
    let (places, density_scale, hot_spot_scale) = if category == Category::Complexity {
        // From what was measured: whether a rule speaks of it is a matter of taste, the figure is not.
        let functions = files.iter().flat_map(|file| &file.functions).map(complexity_points).collect();
        (functions, COMPLEXITY_DENSITY_SCALE, COMPLEXITY_HOT_SPOT_SCALE)
    } else {
        let mut by_file: BTreeMap<&str, f64> = BTreeMap::new();
        for finding in &open {
            *by_file.entry(&finding.file).or_default() += points(finding);
        }
        (by_file.into_values().collect::<Vec<f64>>(), DENSITY_SCALE, HOT_SPOT_SCALE)
    };
    let all: f64 = places.iter().sum();
    let worst = places.iter().copied().fold(0.0, f64::max);
    let lost = |share: f64, amount: f64, scale: f64| round(share * (1.0 - (-amount / scale).exp()));
    let lost_to_density = lost(DENSITY_SHARE, all / thousands, density_scale);
    let lost_to_hot_spots = lost(HOT_SPOT_SHARE, worst, hot_spot_scale);
    let score = round((100.0 - lost_to_density - lost_to_hot_spots).max(0.0));
    CategoryScore {
        category,
        score,
        grade: Grade::of(score),
        lost_to_density,
        lost_to_hot_spots,
        findings: open.len() as u32,
    }
}

/// What a finding weighs.
pub fn points(finding: &Finding) -> f64 {
    let severity = match finding.severity {
        Severity::Info => 0.2,
        Severity::Low => 1.0,
        Severity::Medium => 3.0,
        Severity::High => 8.0,
        Severity::Critical => 20.0,
    };
    let confidence = match finding.confidence {
        Confidence::Low => 0.4,
        Confidence::Medium => 0.7,
        Confidence::High => 1.0,
    };
    severity * confidence
}

/// Technical debt in minutes: what it takes to fix the open findings, by their severity.
pub fn debt_minutes(findings: &[Finding]) -> u32 {
    let minutes = |severity: Severity| match severity {
        Severity::Info => 2,
        Severity::Low => 5,
        Severity::Medium => 20,
        Severity::High => 45,
        Severity::Critical => 90,
    };
    findings.iter().filter(|finding| finding.is_open()).map(|finding| minutes(finding.severity)).sum()
}

fn complexity_points(function: &FunctionMetrics) -> f64 {
    // A flat list of checks has many ways through it and nothing to follow.
    let followed = (f64::from(function.cognitive) / FLAT_BELOW).min(1.0);
    let cyclomatic = followed * f64::from(function.cyclomatic.saturating_sub(CYCLOMATIC_FROM)) / 5.0;
    let cognitive = f64::from(function.cognitive.saturating_sub(COGNITIVE_FROM)) / 7.0;
    cyclomatic.max(cognitive)
}

// A file that cannot be parsed hides everything in it: one costs, many cost much.
fn lost_to_parsing(files: &[FileMetrics]) -> f64 {
    let broken = files.iter().filter(|file| !file.parsed && !is_minified(&file.file)).count();
    if broken == 0 { 0.0 } else { (5.0 + 100.0 * broken as f64 / files.len() as f64).min(60.0) }
}

fn hot_spots(findings: &[Finding], files: &[FileMetrics]) -> Vec<HotSpot> {
    let mut spots: BTreeMap<(&str, Option<&str>), (f64, u32, u32)> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.is_open()) {
        let spot = spots.entry((&finding.file, finding.symbol.as_deref())).or_default();
        spot.0 += points(finding);
        spot.1 += 1;
        spot.2 = if spot.2 == 0 { finding.span.start_line } else { spot.2.min(finding.span.start_line) };
    }
    let functions = files.iter().flat_map(|file| file.functions.iter().map(|f| (file.file.as_str(), f)));
    let mut complexity: BTreeMap<(&str, Option<&str>), &FunctionMetrics> = BTreeMap::new();
    for (file, function) in functions.filter(|(_, function)| complexity_points(function) > 0.0) {
        complexity.insert((file, Some(&function.name)), function);
        let spot = spots.entry((file, Some(&function.name))).or_default();
        spot.0 += complexity_points(function);
        spot.2 = function.span.start_line;
    }
    let mut found: Vec<HotSpot> = spots
        .into_iter()
        .filter(|(_, (heat, ..))| *heat >= 1.0)
        .map(|(place, (heat, count, line))| {
            let mut reason = Vec::new();
            if count > 0 {
                reason.push(format!("{count} finding{}", if count == 1 { "" } else { "s" }));
            }
            if let Some(function) = complexity.get(&place) {
                reason.push(format!("cyclomatic {}, cognitive {}", function.cyclomatic, function.cognitive));
            }
            HotSpot {
                file: place.0.to_owned(),
                symbol: place.1.map(str::to_owned),
                line: line.max(1),
                heat: round(heat),
                reason: reason.join("; "),
            }
        })
        .collect();
    found.sort_by(|a, b| b.heat.total_cmp(&a.heat).then_with(|| a.file.cmp(&b.file)));
    found.truncate(HOT_SPOTS);
    found
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{file_metrics, finding};

    fn clean(count: usize) -> Vec<FileMetrics> {
        (0..count).map(|index| file_metrics(&format!("f{index}.py"), 100)).collect()
    }

    #[test]
    fn nothing_wrong_is_a_hundred() {
        assert_eq!(score(&[], &clean(3)).total, 100.0);
    }

    #[test]
    fn a_hot_spot_does_not_hide_in_a_large_project() {
        let bad: Vec<Finding> =
            (0..5).map(|_| finding("f0.py", 1, Severity::Critical, Category::Security)).collect();
        for count in [1, 100, 10_000] {
            let score = score(&bad, &clean(count));
            let security = &score.categories[0];
            assert!(security.score <= 61.0, "{count}: {security:?}");
            assert!(score.total < 90.0, "{count}: {}", score.total);
            assert_eq!(score.hot_spots[0].file, "f0.py");
        }
    }

    #[test]
    fn a_light_category_does_not_decide() {
        let copies: Vec<Finding> =
            (0..200).map(|line| finding("f0.py", line, Severity::Low, Category::Duplication)).collect();
        let faults: Vec<Finding> =
            (0..200).map(|line| finding("f0.py", line, Severity::Low, Category::Lint)).collect();
        let files = clean(20);
        assert!(score(&copies, &files).total > 85.0);
        assert!(score(&faults, &files).total < 65.0);
    }

    #[test]
    fn worse_never_scores_better() {
        let files = clean(10);
        let mut findings = Vec::new();
        let mut last = 100.0;
        for severity in Severity::ALL {
            findings.push(finding("f1.py", 1, severity, Category::Lint));
            let now = score(&findings, &files).total;
            assert!(now <= last, "{severity}: {now} after {last}");
            last = now;
        }
    }

    #[test]
    fn a_file_that_cannot_be_parsed_costs() {
        let mut files = clean(1000);
        files[0].parsed = false;
        assert!(score(&[], &files).total < 95.0);
        files[0].file = "vendor/jquery.min.js".into();
        assert!(score(&[], &files).total > 95.0);
    }

    #[test]
    fn complexity_counts_whether_or_not_a_rule_speaks_of_it() {
        let mut files = clean(1);
        files[0].functions.push(FunctionMetrics {
            name: "f".into(),
            cyclomatic: 60,
            cognitive: 90,
            ..FunctionMetrics::default()
        });
        let score = score(&[], &files);
        assert!(score.categories.iter().any(|c| c.category == Category::Complexity && c.score < 70.0));
        assert_eq!(score.hot_spots[0].symbol.as_deref(), Some("f"));
    }
}
