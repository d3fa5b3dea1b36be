//! The HTTP door: everything that the platform can do, by address.
//!
//! | module | what it holds |
//! |---|---|
//! | [`serve`] | the socket, with or without TLS, and the end |
//! | [`settings`] | what a server is told, and what it refuses to start with |
//! | [`routes`] | every address on one page |
//! | [`openapi`], [`description`] | the same described, for programs and for people |
//! | [`access`] | names, pages, keys, scopes |
//! | [`tenant`] | who calls, and how much is left of its quota |
//! | [`gate`] | who may work now |
//! | [`app`] | what all requests share, and how work is done for one |
//! | [`confine`] | what a caller from elsewhere may not ask for |
//! | [`handlers`] | what each address does |
//! | [`refusals`] | those who were turned away, in the audit log |
//! | [`page`] | the page's files |

pub mod access;
pub mod app;
pub mod body;
pub mod confine;
pub mod description;
pub mod feed;
pub mod gate;
pub mod handlers;
pub mod jobs;
pub mod openapi;
pub mod page;
pub mod problem;
pub mod refusals;
pub mod routes;
pub mod runs;
pub mod serve;
pub mod settings;
mod simple;
pub mod stream;
pub mod tenant;

pub use app::App;
pub use routes::router;
pub use settings::{ServeOptions, ServerSettings, TlsFiles, usual_keys};
