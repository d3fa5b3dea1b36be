//! How deep classes inherit, across files.

use crate::run::FileAnalysis;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// A class: its file and its place among the file's.
type Place = (usize, usize);

/// Fills in the depth of every class. A base that is not in the project, or whose name several files of one language
/// share, counts as one step and no more.
pub fn settle(files: &mut [FileAnalysis]) {
    let bases = resolve(files);
    let mut depths: FxHashMap<Place, u32> = FxHashMap::default();
    for (at, file) in files.iter_mut().enumerate() {
        for class in &mut file.metrics.classes {
            let place = file.facts.classes.iter().position(|fact| fact.name == class.name);
            if let Some(place) = place {
                class.inheritance_depth = depth(&bases, &mut depths, (at, place));
            }
        }
    }
}

/// The bases of every class; none where a base is not known.
fn resolve(files: &[FileAnalysis]) -> FxHashMap<Place, Vec<Option<Place>>> {
    let mut named: FxHashMap<&str, Vec<Place>> = FxHashMap::default();
    for (at, file) in files.iter().enumerate() {
        for (place, class) in file.facts.classes.iter().enumerate() {
            named.entry(&class.name).or_default().push((at, place));
        }
    }
    let find = |from: usize, name: &str| {
        let all = named.get(name)?;
        let mut fitting =
            all.iter().filter(|(at, _)| files[*at].facts.language == files[from].facts.language);
        all.iter()
            .find(|(at, _)| *at == from)
            .or_else(|| fitting.next().filter(|_| fitting.next().is_none()))
            .copied()
    };
    let mut found = FxHashMap::default();
    for (at, file) in files.iter().enumerate() {
        for (place, class) in file.facts.classes.iter().enumerate() {
            found.insert((at, place), class.bases.iter().map(|base| find(at, base)).collect());
        }
    }
    found
}

fn depth(
    bases: &FxHashMap<Place, Vec<Option<Place>>>,
    known: &mut FxHashMap<Place, u32>,
    start: Place,
) -> u32 {
    let mut stack = vec![(start, false)];
    while let Some((place, left)) = stack.pop() {
        let above = bases.get(&place).map(Vec::as_slice).unwrap_or_default();
        if left {
            let deepest =
                above.iter().flatten().filter_map(|base| known.get(base)).max().copied().unwrap_or(0);
            known.insert(place, if above.is_empty() { 0 } else { deepest + 1 });
        } else if let Entry::Vacant(entry) = known.entry(place) {
            // A class on its own way up, which only broken code has, counts as nothing.
            entry.insert(0);
            stack.push((place, true));
            stack.extend(
                above.iter().flatten().filter(|base| !known.contains_key(base)).map(|base| (*base, false)),
            );
        }
    }
    known.get(&start).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::{Options, SourceFile, analyze};

    #[test]
    fn depth_goes_across_files() {
        let files = [
            SourceFile::new("a.py", "class Base:\n    pass\n"),
            SourceFile::new("b.py", "from a import Base\n\nclass Middle(Base):\n    pass\n"),
            SourceFile::new("c.py", "from b import Middle\n\nclass Leaf(Middle, Exception):\n    pass\n"),
            SourceFile::new("d.py", "class Loop(Loop):\n    pass\n\nclass Alone(Unknown):\n    pass\n"),
        ];
        let found = analyze(&files, &Options::default(), None, None);
        let depths: Vec<(&str, u32)> = found
            .files
            .iter()
            .flat_map(|file| &file.metrics.classes)
            .map(|class| (class.name.as_str(), class.inheritance_depth))
            .collect();
        assert_eq!(depths, [("Base", 0), ("Middle", 1), ("Leaf", 2), ("Loop", 1), ("Alone", 1)]);
    }
}
