//! Modules and names that are missing or misspelt in imports.

use crate::Candidate;
use crate::remedies::remedy::{PYTHON, Remedy, Way};
use crate::remedies::spot::{Spot, regex};
use formicary_diagnose::{library, names};
use formicary_model::Language;

const FAILED: &[&str] = &["ModuleNotFoundError", "ImportError"];

#[rustfmt::skip]
pub(super) const REMEDIES: &[Remedy] = &[
    Remedy {
        name: "missing-import", about: "Imports a module, or the module that holds a name",
        languages: PYTHON, answers: &["NameError"], says: &[],
        way: Way::Propose(missing),
        examples: &[
            ("NameError", "name 'math' is not defined", "#!/usr/bin/python3\nprint(math.sqrt(9))", "#!/usr/bin/python3\nimport math\nprint(math.sqrt(9))"),
            ("NameError", "name 'deque' is not defined", "queue = deque([1, 2])", "from collections import deque\nqueue = deque([1, 2])"),
        ],
    },
    Remedy {
        name: "misspelt-module", about: "Imports a module whose name is near",
        languages: PYTHON, answers: FAILED, says: &["No module named"],
        way: Way::Propose(misspelt_module),
        examples: &[("ModuleNotFoundError", "No module named 'jsn'", "▸import jsn\nprint(jsn.dumps(1))", "import json\nprint(json.dumps(1))")],
    },
    Remedy {
        name: "module-of-name", about: "Imports a name from the module that holds it",
        languages: PYTHON, answers: FAILED, says: &[],
        way: Way::Propose(module_of_name),
        examples: &[
            ("ModuleNotFoundError", "No module named 'deque'", "import deque", "from collections import deque"),
            ("ImportError", "cannot import name 'deque' from 'queue'", "from queue import deque", "from collections import deque"),
        ],
    },
    Remedy {
        name: "misspelt-name", about: "Imports a name that is near to the one that is not there",
        languages: PYTHON, answers: FAILED, says: &["cannot import name"],
        way: Way::Propose(misspelt_name),
        examples: &[("ImportError", "cannot import name 'dequeue' from 'collections'", "▸from collections import dequeue\nq = dequeue()", "from collections import deque\nq = deque()")],
    },
];

fn missing(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"name '(\w+)'") else { return Vec::new() };
    let module = library::PYTHON_MODULES.contains(&name.as_str()).then(|| format!("import {name}"));
    let holders = library::holders(Language::Python, &name).into_iter();
    let lines = module.into_iter().chain(holders.map(|holder| format!("from {holder} import {name}")));
    lines.map(|line| imported(spot, &line)).collect()
}

/// An import at the top: behind the first comment, docstring aside.
fn imported(spot: &Spot<'_>, line: &str) -> Candidate {
    let is_head = |line: &str| {
        line.starts_with("#!") || line.starts_with("# -*-") || line.starts_with("from __future__")
    };
    let head = spot.text.lines().take_while(|line| is_head(line)).count() as u32;
    spot.insert(spot.start_of(head + 1), &format!("{line}\n"), 0.6, format!("Adds {line}"))
}

fn misspelt_module(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(module) = spot.said(r"No module named '(\w+)") else { return Vec::new() };
    let mut found = Vec::new();
    for near in names::near(&module, "", library::PYTHON_MODULES) {
        let places = spot.text.match_indices(module.as_str());
        let edits = places.map(|(start, _)| spot.edit(start, start + module.len(), near.clone())).collect();
        found.push(spot.make(edits, 0.8, format!("Imports {near}")));
        found.extend(spot.replace_word(&module, &near, 0.9));
    }
    found
}

fn module_of_name(spot: &Spot<'_>) -> Vec<Candidate> {
    if let Some(module) = spot.said(r"No module named '(\w+)") {
        let holders = library::holders(Language::Python, &module).into_iter();
        let line = |holder: &str| format!("from {holder} import {module}");
        let why = |holder: &str| format!("Imports {module} from {holder}");
        return holders.map(|holder| spot.rewrite(spot.line, &line(holder), 1.0, why(holder))).collect();
    }
    let Some(name) = spot.said(r"cannot import name '(\w+)'") else { return Vec::new() };
    let holders = library::holders(Language::Python, &name).into_iter();
    let from = |holder: &str| spot.replace(r"from [\w.]+ import", &format!("from {holder} import"), 0.8);
    holders.flat_map(from).collect()
}

fn misspelt_name(spot: &Spot<'_>) -> Vec<Candidate> {
    let Some(name) = spot.said(r"cannot import name '(\w+)'") else { return Vec::new() };
    let Some(word) = regex(&format!(r"\b{}\b", regex::escape(&name))) else { return Vec::new() };
    let mut found = Vec::new();
    for near in names::near(&name, spot.text, &library::names(Language::Python)) {
        let places = word.find_iter(spot.text);
        let edits = places.map(|place| spot.edit(place.start(), place.end(), near.clone())).collect();
        found.push(spot.make(edits, 0.9, format!("Imports {near}")));
        found.extend(spot.replace_word(&name, &near, 0.9));
    }
    found
}
