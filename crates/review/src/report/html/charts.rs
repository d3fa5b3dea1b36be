//! Drawings for the page, as SVG: a treemap of the files, the import graph, the score over time.

use crate::score::points;
use formicary_model::review::ReviewReport;
use formicary_model::visible::markup;
use std::collections::{BTreeMap, BTreeSet};

const WIDTH: f64 = 1100.0;
const HEIGHT: f64 = 420.0;
/// More files or modules than this are too small to be read.
const MOST_FILES: usize = 300;
const MOST_MODULES: usize = 48;

struct Tile<'a> {
    file: &'a str,
    size: f64,
    heat: f64,
}

/// Files by their lines; the hotter, the redder.
pub(super) fn treemap(report: &ReviewReport) -> String {
    let mut heat: BTreeMap<&str, f64> = BTreeMap::new();
    for finding in report.open_findings() {
        *heat.entry(&finding.file).or_default() += points(finding);
    }
    let mut tiles: Vec<Tile<'_>> = report
        .files
        .iter()
        .filter(|file| file.lines.source > 0)
        .map(|file| Tile {
            file: &file.file,
            size: f64::from(file.lines.source),
            heat: heat.get(file.file.as_str()).copied().unwrap_or_default(),
        })
        .collect();
    if tiles.len() < 2 {
        return String::new();
    }
    tiles.sort_by(|a, b| b.size.total_cmp(&a.size).then_with(|| a.file.cmp(b.file)));
    tiles.truncate(MOST_FILES);
    let total: f64 = tiles.iter().map(|tile| tile.size).sum();
    let scale = WIDTH * HEIGHT / total;
    let mut shapes = String::new();
    let mut area = Area { x: 0.0, y: 0.0, width: WIDTH, height: HEIGHT };
    let mut rest = tiles.as_slice();
    while !rest.is_empty() {
        let count = row_length(rest, area.width.min(area.height), scale);
        let (row, others) = rest.split_at(count);
        area = lay(row, area, scale, &mut shapes);
        rest = others;
    }
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"treemap of files\">{shapes}</svg>"
    )
}

#[derive(Clone, Copy)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

// Squarified: a row takes tiles as long as its worst shape gets no worse.
fn row_length(tiles: &[Tile<'_>], side: f64, scale: f64) -> usize {
    let worst = |row: &[Tile<'_>]| {
        let sum: f64 = row.iter().map(|tile| tile.size * scale).sum();
        let thickness = sum / side.max(1.0);
        row.iter()
            .map(|tile| {
                let length = tile.size * scale / thickness.max(0.01);
                (length / thickness).max(thickness / length.max(0.01))
            })
            .fold(0.0, f64::max)
    };
    let mut count = 1;
    while count < tiles.len() && worst(&tiles[..=count]) <= worst(&tiles[..count]) {
        count += 1;
    }
    count
}

fn lay(row: &[Tile<'_>], area: Area, scale: f64, shapes: &mut String) -> Area {
    let sum: f64 = row.iter().map(|tile| tile.size * scale).sum();
    let upright = area.width >= area.height;
    let side = if upright { area.height } else { area.width }.max(0.01);
    let thickness = sum / side;
    let mut at = 0.0;
    for tile in row {
        let length = tile.size * scale / thickness.max(0.01);
        let (x, y, width, height) = if upright {
            (area.x, area.y + at, thickness, length)
        } else {
            (area.x + at, area.y, length, thickness)
        };
        at += length;
        // Heat per hundred lines, on a scale that a few findings move.
        let warmth = 1.0 - (-(tile.heat / tile.size * 100.0) / 8.0).exp();
        let hue = 140.0 - 140.0 * warmth;
        let name = markup(tile.file);
        shapes.push_str(&format!(
            "<g><title>{name}: {:.0} lines, heat {:.1}</title><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" \
             height=\"{:.1}\" fill=\"hsl({hue:.0} 45% 55%)\" fill-opacity=\"0.75\"/>",
            tile.size,
            tile.heat,
            (width - 1.5).max(0.3),
            (height - 1.5).max(0.3)
        ));
        let short = tile.file.rsplit('/').next().unwrap_or_default();
        if width > 7.0 * short.chars().count() as f64 + 8.0 && height > 18.0 {
            let label = markup(short);
            shapes.push_str(&format!("<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>", x + 5.0, y + 14.0));
        }
        shapes.push_str("</g>");
    }
    if upright {
        Area { x: area.x + thickness, width: (area.width - thickness).max(0.0), ..area }
    } else {
        Area { y: area.y + thickness, height: (area.height - thickness).max(0.0), ..area }
    }
}

/// The modules with the most arrows on a circle; cycles are red.
pub(super) fn graph(report: &ReviewReport) -> String {
    let mut modules: Vec<_> =
        report.modules.iter().filter(|module| module.fan_in + module.fan_out > 0).collect();
    if modules.len() < 2 {
        return String::new();
    }
    modules.sort_by(|a, b| {
        (b.fan_in + b.fan_out).cmp(&(a.fan_in + a.fan_out)).then_with(|| a.name.cmp(&b.name))
    });
    let all = modules.len();
    modules.truncate(MOST_MODULES);
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    let (size, radius) = (900.0, 260.0);
    let place = |index: usize| {
        let angle = index as f64 / modules.len() as f64 * std::f64::consts::TAU;
        (size / 2.0 + radius * angle.cos(), size / 2.0 + radius * angle.sin(), angle)
    };
    let index: BTreeMap<&str, usize> =
        modules.iter().enumerate().map(|(index, module)| (module.name.as_str(), index)).collect();
    let arrows: BTreeSet<(usize, usize)> = report
        .dependencies
        .iter()
        .filter_map(|arrow| Some((*index.get(arrow.from.as_str())?, *index.get(arrow.to.as_str())?)))
        .collect();
    let mut shapes = String::new();
    for (from, to) in &arrows {
        let ((x1, y1, _), (x2, y2, _)) = (place(*from), place(*to));
        let class = if modules[*from].in_cycle && modules[*to].in_cycle { "edge cycle" } else { "edge" };
        let middle = size / 2.0;
        shapes.push_str(&format!(
            "<path class=\"{class}\" d=\"M{x1:.1} {y1:.1}Q{middle} {middle} {x2:.1} {y2:.1}\"/>"
        ));
    }
    for (number, module) in modules.iter().enumerate() {
        let (x, y, angle) = place(number);
        let class = if module.in_cycle { "node cycle" } else { "node" };
        let degrees = angle.to_degrees();
        let left = (90.0..270.0).contains(&degrees);
        let (turn, anchor, gap) = if left { (degrees + 180.0, "end", -9.0) } else { (degrees, "start", 9.0) };
        let mut name: String = module.name.chars().rev().take(26).collect();
        name = name.chars().rev().collect();
        shapes.push_str(&format!(
            "<g><title>{}: used by {}, uses {}, instability {:.2}</title><circle class=\"{class}\" cx=\"{x:.1}\" \
             cy=\"{y:.1}\" r=\"4\"/><text transform=\"translate({x:.1} {y:.1}) rotate({turn:.1})\" x=\"{gap}\" y=\"4\" \
             text-anchor=\"{anchor}\">{}</text></g>",
            markup(&module.name),
            module.fan_in,
            module.fan_out,
            module.instability,
            markup(&name)
        ));
    }
    let more = if all > modules.len() {
        format!("<p class=\"faint\">The {} of {all} modules with the most arrows.</p>", modules.len())
    } else {
        String::new()
    };
    format!(
        "<svg viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"import graph\">{shapes}</svg>{more}"
    )
}

/// The score over the reviews before, and now.
pub(super) fn trend(report: &ReviewReport) -> String {
    if report.history.is_empty() {
        return String::new();
    }
    let mut scores: Vec<f64> = report.history.iter().map(|trend| trend.score).collect();
    scores.push(report.score.total);
    let height = 120.0;
    let step = WIDTH / (scores.len() - 1).max(1) as f64;
    let points: Vec<String> = scores
        .iter()
        .enumerate()
        .map(|(index, score)| format!("{:.1},{:.1}", index as f64 * step, height - score / 100.0 * height))
        .collect();
    let lines: String = [0.0, 0.5, 1.0]
        .iter()
        .map(|share| {
            let y = height * share;
            format!("<line class=\"axis\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{y}\" y2=\"{y}\"/>")
        })
        .collect();
    format!(
        "<svg viewBox=\"0 -4 {WIDTH} {}\" role=\"img\" aria-label=\"score over time\">{lines}\
         <polyline class=\"trend\" points=\"{}\"/></svg><p class=\"faint\">{} reviews; first {:.1}, now {:.1}</p>",
        height + 8.0,
        points.join(" "),
        scores.len(),
        scores.first().copied().unwrap_or_default(),
        report.score.total
    )
}
