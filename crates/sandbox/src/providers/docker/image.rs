//! The images that containers start from: a skeleton on which the host's programs are shown, or one of the caller's
//! with the warden laid in.

use super::engine::{self, Engine, failed};
use crate::SandboxError;
use crate::providers::native::system;
use crate::warden::program;
use bollard::errors::Error;
use bollard::query_parameters::{BuildImageOptions, CreateImageOptions};
use futures_util::StreamExt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The name under which our images go.
pub const REPOSITORY: &str = "formicary";
/// Where the warden is, in every image of ours.
pub const WARDEN: &str = "/.formicary-warden";
/// The label of our images.
const LABEL: &str = "formicary.image";

/// An image that is there and holds the warden.
#[derive(Debug, Clone)]
pub struct Ready {
    /// Its name.
    pub name: String,
    /// Whether the host's programs are to be shown in it.
    pub shows_host: bool,
}

/// Makes ready what is wanted: the skeleton, or an image of the caller's with the warden in it.
pub fn ready(engine: &Engine, wanted: Option<&str>) -> Result<Ready, SandboxError> {
    match wanted {
        None => skeleton(engine),
        Some(image) => with_warden(engine, image),
    }
}

fn tag(of: impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    (program::BYTES, of).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn skeleton(engine: &Engine) -> Result<Ready, SandboxError> {
    let mut tree = Tar::default();
    for folder in ["dev", "etc", "proc", "run", "sys", "usr", "work"] {
        tree.folder(folder, 0o755);
    }
    // The engine gives a file system that it lays over a folder that folder's own mode.
    tree.folder("tmp", 0o1777);
    // No network, no resolver: where the host's is allowed, the engine lays the host's files over these.
    for (path, bytes) in system::files(true) {
        tree.file(path, &bytes, 0o644);
    }
    for (path, target) in system::system().links.iter().filter(|(path, _)| !path.starts_with("dev/")) {
        tree.link(path, target);
    }
    tree.file(WARDEN.trim_start_matches('/'), program::BYTES, 0o755);
    let bytes = tree.finish();
    let tag = tag(&bytes);
    let name = format!("{REPOSITORY}:{tag}");
    if !exists(engine, &name)? {
        let options = CreateImageOptions {
            from_src: Some("-".into()),
            repo: Some(REPOSITORY.into()),
            tag: Some(tag),
            changes: vec![format!("LABEL {LABEL}=skeleton")],
            ..Default::default()
        };
        let work = async {
            let body = bollard::body_full(bytes.into());
            let mut steps = engine.client().create_image(Some(options), Some(body), None);
            while let Some(step) = steps.next().await {
                step?;
            }
            Ok::<_, Error>(())
        };
        engine::block(work)?.map_err(|error| failed("make the skeleton image", error))?;
    }
    Ok(Ready { name, shows_host: true })
}

fn with_warden(engine: &Engine, image: &str) -> Result<Ready, SandboxError> {
    let inspected = engine::block(engine.client().inspect_image(image))?
        .map_err(|error| failed(&format!("show the image {image:?}"), error))?;
    let base = inspected.id.unwrap_or_default();
    let name = format!("{REPOSITORY}:{}", tag(&base));
    if !exists(engine, &name)? {
        let recipe = format!("FROM {image}\nCOPY --chown=0:0 warden {WARDEN}\nLABEL {LABEL}=derived\n");
        let mut context = Tar::default();
        context.file("Dockerfile", recipe.as_bytes(), 0o644);
        context.file("warden", program::BYTES, 0o755);
        build(engine, &name, context.finish())?;
    }
    Ok(Ready { name, shows_host: false })
}

/// Builds an image from a context. The engine's own words are the error's.
pub fn build(engine: &Engine, name: &str, context: Vec<u8>) -> Result<(), SandboxError> {
    let options = BuildImageOptions { t: Some(name.into()), rm: true, forcerm: true, ..Default::default() };
    let work = async {
        let body = bollard::body_full(context.into());
        let mut steps = engine.client().build_image(options, None, Some(body));
        while let Some(step) = steps.next().await {
            if let Some(error) = step?.error_detail {
                return Err(Error::DockerStreamError { error: error.message.unwrap_or_default() });
            }
        }
        Ok::<_, Error>(())
    };
    engine::block(work)?.map_err(|error| failed(&format!("build the image {name:?}"), error))
}

/// Whether the engine has an image of this name.
pub fn exists(engine: &Engine, name: &str) -> Result<bool, SandboxError> {
    match engine::block(engine.client().inspect_image(name))? {
        Ok(_) => Ok(true),
        Err(Error::DockerResponseServerError { status_code: 404, .. }) => Ok(false),
        Err(error) => Err(failed("look for an image", error)),
    }
}

/// A tar archive in the making: the few kinds of entries that an image of ours needs.
#[derive(Debug, Default)]
pub struct Tar(Vec<u8>);

impl Tar {
    /// A folder.
    pub fn folder(&mut self, path: &str, mode: u32) {
        self.header(&format!("{path}/"), "", 0, mode, b'5');
    }

    /// A file.
    pub fn file(&mut self, path: &str, content: &[u8], mode: u32) {
        self.header(path, "", content.len(), mode, b'0');
        self.0.extend_from_slice(content);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
    }

    /// A link.
    pub fn link(&mut self, path: &str, target: &str) {
        self.header(path, target, 0, 0o777, b'2');
    }

    /// The archive.
    pub fn finish(mut self) -> Vec<u8> {
        self.0.resize(self.0.len() + 1024, 0);
        self.0
    }

    /// Paths and targets are ours and shorter than the hundred bytes that an entry has for them.
    fn header(&mut self, path: &str, target: &str, size: usize, mode: u32, kind: u8) {
        let mut block = [0u8; 512];
        let mut put = |at: usize, room: usize, text: &str| {
            let bytes = &text.as_bytes()[..text.len().min(room)];
            block[at..at + bytes.len()].copy_from_slice(bytes);
        };
        put(0, 100, path);
        put(100, 8, &format!("{mode:07o}\0"));
        put(108, 8, "0000000\0");
        put(116, 8, "0000000\0");
        put(124, 12, &format!("{size:011o}\0"));
        put(136, 12, "00000000000\0");
        put(148, 8, "        ");
        put(157, 100, target);
        put(257, 8, "ustar\x0000");
        block[156] = kind;
        let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.0.extend_from_slice(&block);
    }
}
