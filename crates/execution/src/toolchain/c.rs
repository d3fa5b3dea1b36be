//! C and C++ compilers.

use super::files;
use crate::ToolchainSearch;
use std::path::PathBuf;

/// Names of C compilers, the likeliest first.
pub const C_COMPILERS: &[&str] =
    &["cc", "gcc", "clang", "gcc-14", "gcc-13", "gcc-12", "clang-19", "clang-14"];

/// Names of C++ compilers, the likeliest first.
pub const CXX_COMPILERS: &[&str] =
    &["c++", "g++", "clang++", "g++-14", "g++-13", "g++-12", "clang++-19", "clang++-14"];

/// Where a compiler of these names may be. The system's come first: they find their headers inside.
pub fn candidates<'a>(
    search: &'a ToolchainSearch,
    names: &'static [&'static str],
) -> Box<dyn Iterator<Item = PathBuf> + 'a> {
    let system = names.iter().map(|name| PathBuf::from("/usr/bin").join(name));
    let elsewhere = names.iter().flat_map(|name| files::on_path(&search.path, name));
    Box::new(system.chain(elsewhere))
}
