//! The options for packages, which several verbs share.

use clap::Args;
use formicary_model::{Failure, PackageRequest};
use formicary_platform::packages::list;
use std::path::Path;

/// Options for packages.
#[derive(Debug, Args)]
#[command(next_help_heading = "Packages")]
pub struct PackageArguments {
    /// Python packages: comma-separated names, or a requirements or lock file; repeatable
    #[arg(long = "requirements", short = 'r', value_name = "LIST|FILE")]
    pub requirements: Vec<String>,
    /// Also build packages without a wheel; building runs their code, in the sandbox
    #[arg(long, requires = "requirements")]
    pub from_source: bool,
}

impl PackageArguments {
    /// What is wanted.
    pub fn request(&self, base: Option<&Path>) -> Result<PackageRequest, Failure> {
        list::read(&self.requirements, self.from_source, base)
    }
}
