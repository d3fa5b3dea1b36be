//! Figures of the whole project from those of its files.

use formicary_model::review::{FileMetrics, LineCounts, ProjectMetrics};

/// The project's figures.
pub fn project(files: &[FileMetrics], cycles: u32, duplication: f64) -> ProjectMetrics {
    let lines = files.iter().fold(LineCounts::default(), |sum, file| sum.plus(&file.lines));
    let functions = || files.iter().flat_map(|file| &file.functions);
    let count = functions().count();
    let mean = |sum: u32| if count == 0 { 0.0 } else { f64::from(sum) / count as f64 };
    let sized = || files.iter().filter(|file| file.lines.source > 0);
    let weighted: f64 = sized().map(|file| file.maintainability * f64::from(file.lines.source)).sum();
    let documented: Vec<f64> = files.iter().filter_map(|file| file.documentation).collect();
    ProjectMetrics {
        files: files.len() as u32,
        lines,
        functions: count as u32,
        classes: files.iter().map(|file| file.classes.len() as u32).sum(),
        cyclomatic_mean: mean(functions().map(|function| function.cyclomatic).sum()),
        cyclomatic_max: functions().map(|function| function.cyclomatic).max().unwrap_or_default(),
        cognitive_mean: mean(functions().map(|function| function.cognitive).sum()),
        cognitive_max: functions().map(|function| function.cognitive).max().unwrap_or_default(),
        nesting_max: functions().map(|function| function.nesting).max().unwrap_or_default(),
        maintainability_mean: if lines.source == 0 { 100.0 } else { weighted / f64::from(lines.source) },
        maintainability_min: sized().map(|file| file.maintainability).fold(100.0, f64::min),
        documentation: (!documented.is_empty())
            .then(|| documented.iter().sum::<f64>() / documented.len() as f64),
        duplication,
        cycles,
    }
}
