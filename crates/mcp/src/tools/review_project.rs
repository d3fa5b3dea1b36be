//! `review_project`: a project, a part of it, or what a change made of it.

use super::{Effect, Spec, reviewing};
use formicary_platform::review::ReviewCode;

pub(super) const TOOL: Spec = Spec::of::<ReviewCode>(
    "review_project",
    "Review a project or parts of it: score, findings worst first, and with new only what a change brought. Default: the \
            whole project. The full report (metrics, modules, dependencies) is under full.",
    Some(reviewing::output),
    |call, arguments| reviewing::answer(call, call.read::<ReviewCode>(arguments)?),
)
.with(Effect::Reads);
