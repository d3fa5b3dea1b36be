//! The options of `formicary images`.

use super::packages::PackageArguments;
use clap::{Args, Subcommand};

/// Options of `images`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ImageArguments {
    #[command(subcommand)]
    pub verb: Option<ImageVerb>,
}

/// What to do with images.
#[derive(Debug, Subcommand)]
pub enum ImageVerb {
    /// Lists each language's image and what Formicary made (the default)
    List,
    /// Fetches images, by name or by language
    #[command(
        after_help = "Examples:\n  formicary images pull python go\n  formicary images pull python:3.13-slim"
    )]
    Pull {
        /// Languages, or names of images
        #[arg(value_name = "LANG|IMAGE", required = true)]
        images: Vec<String>,
    },
    /// Builds an image for Python with packages in it
    #[command(
        after_help = "Examples:\n  formicary images build\n  formicary images build science --requirements numpy,pandas\n  formicary images build --print"
    )]
    Build(BuildArguments),
    /// Removes images that runs made and would make again
    Prune {
        /// Removes every image that Formicary made
        #[arg(long)]
        all: bool,
    },
}

/// Options of `images build`.
#[derive(Debug, Args)]
pub struct BuildArguments {
    /// The name of the image; the usual one holds uv and uvx, finds modules in /app and works there
    #[arg(value_name = "NAME", default_value = "python-uv-image")]
    pub name: String,
    /// What it starts from; the configured image of Python where absent
    #[arg(long, value_name = "IMAGE")]
    pub base: Option<String>,
    /// Prints the Dockerfile and builds nothing
    #[arg(long)]
    pub print: bool,
    #[command(flatten)]
    pub packages: PackageArguments,
}

const EXAMPLES: &str = "\
Images are for runs in containers with tools of their own: `formicary run --image IMAGE`.
Without one, the provider docker shows the host's tools, as the native provider does.

Examples:
  formicary images
  formicary images pull python
  formicary images build science --requirements numpy,pandas
  formicary run plot.py --image science
  formicary images prune";
