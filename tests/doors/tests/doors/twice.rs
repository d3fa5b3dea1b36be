//! Front ends hold nothing twice: what two of them would write alike belongs to the platform or the model.

use crate::library::{self, Stays};
use crate::project::Project;
use formicary_model::clones::{CloneType, ClonesInput};
use formicary_model::use_case::Code;
use formicary_platform::local_caller;
use formicary_platform::patterns::Clones;
use formicary_platform::policy::Policy;
use formicary_platform::use_case::Context;
use std::collections::BTreeSet;

const FRONT_ENDS: [&str; 6] = [
    "crates/cli/src",
    "crates/cluster/src",
    "crates/mcp/src",
    "crates/python/python",
    "crates/python/src",
    "crates/server/src",
];

/// The fewest lines that count as written twice.
const LINES: u32 = 6;

#[test]
fn no_two_front_ends_hold_the_same_lines() {
    let project = Project::new();
    let platform = library::platform(&project, Stays::No);
    let root = std::fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    let code = Code { paths: FRONT_ENDS.map(str::to_owned).to_vec(), ..Code::default() };
    let input = ClonesInput {
        code,
        types: vec![CloneType::Exact, CloneType::Renamed],
        lines: Some(LINES),
        without_tests: true,
        ..ClonesInput::default()
    };
    let context = Context::new(local_caller(), Policy::local(root));
    let report = platform.perform::<Clones>(&context, input).unwrap();
    assert!(report.files > 100, "only {} files were read", report.files);
    for group in report.groups {
        let crates: BTreeSet<&str> =
            group.places.iter().filter_map(|place| place.file.split('/').nth(1)).collect();
        assert!(crates.len() < 2, "{:#?}", group.places);
    }
}
