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
    /// List each language's image and the images that Formicary built (default)
    List,
    /// Pull images, by name or by language
    #[command(
        after_help = "Examples:\n  formicary images pull python go\n  formicary images pull python:3.13-slim"
    )]
    Pull {
        /// Languages or image names
        #[arg(value_name = "LANG|IMAGE", required = true)]
        images: Vec<String>,
    },
    /// Build a Python image with packages
    #[command(
        after_help = "Examples:\n  formicary images build\n  formicary images build science --requirements numpy,pandas\n  formicary images build --print"
    )]
    Build(BuildArguments),
    /// Remove images that runs built and can rebuild
    Prune {
        /// Remove every image that Formicary built
        #[arg(long)]
        all: bool,
    },
}

/// Options of `images build`.
#[derive(Debug, Args)]
pub struct BuildArguments {
    /// The image name; the default image has uv and uvx and works in /app
    #[arg(value_name = "NAME", default_value = "python-uv-image")]
    pub name: String,
    /// The base image [default: the configured Python image]
    #[arg(long, value_name = "IMAGE")]
    pub base: Option<String>,
    /// Print the Dockerfile without building
    #[arg(long)]
    pub print: bool,
    #[command(flatten)]
    pub packages: PackageArguments,
}

const EXAMPLES: &str = "\
Images bring their own tools to runs in containers: `formicary run --image IMAGE`. Without one, the
provider docker shows the host's tools, as the native provider does.

Examples:
  formicary images
  formicary images pull python
  formicary images build science --requirements numpy,pandas
  formicary run plot.py --image science
  formicary images prune";
