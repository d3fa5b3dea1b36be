//! Who calls, as the platform knows it, and how somebody who is turned away is told so over HTTP.

use crate::problem::Problem;
use axum::http::StatusCode;
pub use formicary_platform::tenants::{LOCAL, Refused, Tenant, Tenants, now};
use std::time::Duration;

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Unknown(detail) => Self::new(StatusCode::UNAUTHORIZED, "unauthorized", detail)
                .hint("send `Authorization: Bearer fmk_…`; `formicary keys create` makes a key"),
            Refused::TooMuch { detail, wait } => too_many(detail, wait),
        }
    }
}

/// A bound of the caller's own is reached.
pub fn too_many(detail: impl Into<String>, wait: Duration) -> Problem {
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
        .hint("come back after the time that Retry-After says")
        .retry_after(wait)
}
