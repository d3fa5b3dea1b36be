//! `review_project`: a project, a part of it, or what a change made of it.

use super::{Nature, Spec, reviewing};
use crate::schema;
use formicary_model::review::ReviewInput;
use formicary_platform::review::ReviewCode;

pub(super) const TOOL: Spec = Spec {
    name: "review_project",
    about: "Review a project or parts of it: score, findings worst first, and with new only what a change brought. Default: the \
            whole project. The full report (metrics, modules, dependencies) is under full.",
    nature: Nature::Reads,
    input: schema::of::<ReviewInput>,
    output: Some(reviewing::output),
    run: |call, arguments| reviewing::answer(call, call.read::<ReviewCode>(arguments)?),
};
