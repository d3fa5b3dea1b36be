//! From what was found to what is told: groups with places, lines that differ, suggestions, figures.

use super::blocks::{Place, Repeat};
use super::differences::LinesOf;
use super::files;
use super::fragment::{Fragment, identities};
use super::groups::{Group, Pair, cover};
use super::similarity::Likeness;
use super::{CloneOptions, Read};
use formicary_model::clones::{CloneGroup, CloneLevel, ClonePlace, CloneReport, CloneType, FileDuplication};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// Everything that was found.
#[derive(Debug)]
pub struct Found<'f, 'a> {
    /// The files.
    pub files: &'f [Read<'a>],
    /// Their functions.
    pub fragments: &'f [Fragment],
    /// Pairs of functions that are alike.
    pub pairs: Vec<Pair>,
    /// For each function the first that is equal to it.
    pub equal: Vec<u32>,
    /// Repeats.
    pub repeats: Vec<Repeat>,
}

struct Draft {
    places: Vec<(Place, Option<String>)>,
    likeness: Likeness,
    level: CloneLevel,
}

/// Puts the report together.
pub fn assemble(found: &Found<'_, '_>, options: &CloneOptions) -> CloneReport {
    let mut drafts = function_groups(found);
    let related = related_files(&drafts, &found.repeats);
    let whole: Vec<Draft> = files::groups(found.files, &related, options)
        .into_iter()
        .map(|(members, likeness)| Draft {
            places: members
                .iter()
                .map(|file| (files::whole(*file, &found.files[*file as usize]), None))
                .collect(),
            likeness,
            level: CloneLevel::File,
        })
        .filter(|draft| wanted(draft, options))
        .collect();
    // Files that are the same say all of their functions; files that are merely alike do not say which of them are.
    let (same, alike): (Vec<Draft>, Vec<Draft>) =
        whole.into_iter().partition(|draft| draft.likeness.kind != CloneType::Edited);
    drafts.retain(|draft| wanted(draft, options) && !is_told_by(draft, &same));
    drafts.extend(same);
    drafts.extend(alike);
    let told = drafts.len();
    for repeat in &found.repeats {
        let draft = Draft {
            places: repeat.places.iter().map(|place| (place.clone(), None)).collect(),
            likeness: Likeness { kind: repeat.kind, similarity: repeat.similarity },
            level: CloneLevel::Block,
        };
        if !is_told_by(&draft, &drafts[..told]) && lines_of(&draft, found) >= options.lines {
            drafts.push(draft);
        }
    }
    drafts.retain(|draft| wanted(draft, options));
    let mut groups: Vec<CloneGroup> = drafts.iter().map(|draft| group(draft, found)).collect();
    groups.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| first(a).cmp(&first(b))));
    figures(groups, found)
}

fn wanted(draft: &Draft, options: &CloneOptions) -> bool {
    options.types.contains(&draft.likeness.kind) && draft.likeness.similarity >= options.similarity
}

fn weight(group: &CloneGroup) -> u64 {
    let places = group.places.iter().map(|place| u64::from(place.tokens));
    let all: u64 = places.clone().sum();
    ((all - places.max().unwrap_or(0)) as f64 * group.similarity) as u64
}

fn first(group: &CloneGroup) -> (&str, u32) {
    group.places.first().map_or(("", 0), |place| (place.file.as_str(), place.first_line))
}

// A group of functions that are alike takes in all that are equal to its members.
fn function_groups(found: &Found<'_, '_>) -> Vec<Draft> {
    let mut same: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (index, original) in found.equal.iter().enumerate() {
        same.entry(*original).or_default().push(index as u32);
    }
    let mut drafts = Vec::new();
    let mut told: FxHashSet<u32> = FxHashSet::default();
    for Group { members, likeness } in cover(found.pairs.clone()) {
        told.extend(&members);
        let all: Vec<u32> = members.iter().flat_map(|member| same[member].iter().copied()).collect();
        drafts.push(functions(found, all, likeness));
    }
    // Where equal ones are part of a larger, looser group they are still worth their own line.
    for (_, equals) in same.into_iter().filter(|(_, equals)| equals.len() > 1) {
        drafts.push(functions(found, equals, Likeness { kind: CloneType::Exact, similarity: 1.0 }));
    }
    drafts.sort_by(|a, b| a.places.cmp(&b.places));
    drafts
}

fn functions(found: &Found<'_, '_>, mut members: Vec<u32>, likeness: Likeness) -> Draft {
    members.sort_unstable();
    let place = |index: &u32| {
        let fragment = &found.fragments[*index as usize];
        (Place { file: fragment.file, tokens: fragment.tokens.clone() }, Some(fragment.name.clone()))
    };
    Draft { places: members.iter().map(place).collect(), likeness, level: CloneLevel::Function }
}

const MOST_PLACES: usize = 50;

fn related_files(drafts: &[Draft], repeats: &[Repeat]) -> Vec<(u32, u32)> {
    let mut pairs: FxHashSet<(u32, u32)> = FxHashSet::default();
    let lists = drafts
        .iter()
        .map(|draft| draft.places.iter().map(|(place, _)| place.file).collect::<Vec<_>>())
        .chain(repeats.iter().map(|repeat| repeat.places.iter().map(|place| place.file).collect()));
    for mut list in lists {
        list.dedup();
        list.truncate(MOST_PLACES);
        for (index, a) in list.iter().enumerate() {
            pairs.extend(list[index + 1..].iter().filter(|b| *b != a).map(|b| (*a.min(b), *a.max(b))));
        }
    }
    let mut pairs: Vec<(u32, u32)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    pairs
}

// Every place lies in its own place of a group that says as much.
fn is_told_by(draft: &Draft, others: &[Draft]) -> bool {
    others.iter().any(|other| {
        other.likeness.kind != CloneType::Functional
            && other.places.len() >= draft.places.len()
            && draft.places.iter().all(|(inner, _)| {
                other.places.iter().any(|(outer, _)| {
                    let shared = outer.tokens.end.min(inner.tokens.end);
                    let shared = shared.saturating_sub(outer.tokens.start.max(inner.tokens.start));
                    outer.file == inner.file && shared * 10 >= inner.tokens.len() * 8
                })
            })
    })
}

fn lines_of(draft: &Draft, found: &Found<'_, '_>) -> u32 {
    let lines = |place: &Place| {
        let tokens = &found.files[place.file as usize].tokens[place.tokens.clone()];
        tokens.last().map_or(0, |last| last.line + 1 - tokens[0].line)
    };
    draft.places.iter().map(|(place, _)| lines(place)).min().unwrap_or(0)
}

fn group(draft: &Draft, found: &Found<'_, '_>) -> CloneGroup {
    let tokens = |place: &Place| &found.files[place.file as usize].tokens[place.tokens.clone()];
    let text = |place: &Place| found.files[place.file as usize].source.text;
    let lines: Vec<LinesOf> =
        draft.places.iter().map(|(place, _)| LinesOf::new(tokens(place), text(place))).collect();
    let mut fingerprint = FxHasher::default();
    draft.level.hash(&mut fingerprint);
    let mut places = Vec::new();
    for (index, (place, name)) in draft.places.iter().enumerate() {
        let (source, own) = (&found.files[place.file as usize].source, tokens(place));
        let differing = if draft.likeness.kind == CloneType::Edited {
            let other = usize::from(index == 0);
            let (mine, _) = lines[index].differing(&lines[if index == 0 { other } else { 0 }]);
            mine
        } else {
            Vec::new()
        };
        (source.path, name, identities(own, source.text).1).hash(&mut fingerprint);
        places.push(ClonePlace {
            file: source.path.to_owned(),
            language: source.language,
            first_line: own.first().map_or(1, |token| token.line),
            last_line: own.last().map_or(1, |token| token.last_line(source.text)),
            name: name.clone().filter(|name| !name.is_empty()),
            tokens: place.tokens.len() as u32,
            differing_lines: differing,
        });
    }
    let shared = lines.get(1).and_then(|second| lines[0].longest_shared(second));
    CloneGroup {
        fingerprint: format!("{:016x}", fingerprint.finish()),
        kind: draft.likeness.kind,
        level: draft.level,
        similarity: (f64::from(draft.likeness.similarity) * 1000.0).round() / 1000.0,
        suggestion: Some(suggestion(draft, &places, shared)),
        places,
        known: false,
    }
}

fn suggestion(draft: &Draft, places: &[ClonePlace], shared: Option<(u32, u32)>) -> String {
    let copies = places.len();
    let name = places.first().and_then(|place| place.name.as_deref()).unwrap_or("one of them");
    let languages: FxHashSet<_> = places.iter().map(|place| place.language).collect();
    match (draft.level, draft.likeness.kind) {
        (CloneLevel::File, CloneType::Exact) => format!("keep one of the {copies} files"),
        (CloneLevel::File, _) => format!("move what the {copies} files share into one of them"),
        (CloneLevel::Function, CloneType::Exact) => {
            format!("keep {name} once and call it from the other places")
        }
        (CloneLevel::Function, CloneType::Renamed) => {
            format!("keep {name} once, with the names and constants that differ as parameters")
        }
        (CloneLevel::Function, CloneType::Functional) if languages.len() > 1 => {
            "the same work in two languages: change them together".into()
        }
        (CloneLevel::Function, CloneType::Functional) => {
            format!("the same work written differently: keep {name}")
        }
        (CloneLevel::Block, CloneType::Exact | CloneType::Renamed) => {
            format!("extract a function and call it in the {copies} places")
        }
        _ => match (shared, places.first()) {
            (Some((from, to)), Some(place)) => {
                format!("extract lines {from} to {to} of {}: both have them", place.file)
            }
            _ => "move what is shared into a function of its own".into(),
        },
    }
}

fn figures(groups: Vec<CloneGroup>, found: &Found<'_, '_>) -> CloneReport {
    let mut duplicated: FxHashMap<&str, FxHashSet<u32>> = FxHashMap::default();
    for group in groups.iter().filter(|group| group.kind != CloneType::Functional) {
        for place in &group.places {
            let lines = duplicated.entry(place.file.as_str()).or_default();
            let differing: FxHashSet<u32> = place.differing_lines.iter().copied().collect();
            lines.extend((place.first_line..=place.last_line).filter(|line| !differing.contains(line)));
        }
    }
    let mut report = CloneReport { files: found.files.len() as u32, ..CloneReport::default() };
    for file in found.files {
        let code: FxHashSet<u32> = file.tokens.iter().map(|token| token.line).collect();
        let copied =
            duplicated.get(file.source.path).map_or(0, |lines| lines.intersection(&code).count()) as u32;
        report.lines += code.len() as u32;
        report.duplicated_lines += copied;
        if copied > 0 {
            report.by_file.push(FileDuplication {
                file: file.source.path.to_owned(),
                lines: code.len() as u32,
                duplicated_lines: copied,
            });
        }
    }
    report.duplication_percent = if report.lines == 0 {
        0.0
    } else {
        (f64::from(report.duplicated_lines) * 10_000.0 / f64::from(report.lines)).round() / 100.0
    };
    report.groups = groups;
    report
}
