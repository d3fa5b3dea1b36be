//! Who may call a server, for what, and how much: keys as they are kept, and callers as they are recognised and counted.
//!
//! | module | what it holds |
//! |---|---|
//! | [`ids`] | names that nobody can guess |
//! | [`keys`] | keys of callers: made, listed, revoked, recognised |
//! | [`tenants`] | callers by their keys: what each may do, and how much of it is left |

pub mod ids;
pub mod keys;
pub mod tenants;
