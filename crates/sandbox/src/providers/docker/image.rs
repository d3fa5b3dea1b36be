//! The images that containers start from: a skeleton on which the host's programs are shown, or one of the caller's
//! with the guest agent laid in.

use super::engine::{self, Engine, failed};
pub use super::terms::{BuildOptions, LABEL, REPOSITORY, WORK_LABEL};
use crate::guest::program;
use crate::providers::native::system;
use crate::{Job, SandboxError};
use bollard::errors::Error;
use bollard::query_parameters::{BuildImageOptions, CreateImageOptions, PruneImagesOptions};
use futures_util::StreamExt;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Where the guest agent is, in every image of ours.
pub const AGENT: &str = "/.formicary-guest";

/// An image that is there and holds the guest agent.
#[derive(Debug, Clone)]
pub struct Ready {
    /// Its name.
    pub name: String,
    /// Whether the host's programs are to be shown in it.
    pub shows_host: bool,
    /// What the image says of the environment.
    pub env: Vec<(String, String)>,
    /// The folder that belongs to the program.
    pub work: String,
}

/// Makes ready what is wanted: the skeleton, or an image of the caller's with the guest agent in it.
pub fn ready(engine: &Engine, wanted: Option<&str>) -> Result<Ready, SandboxError> {
    // Two that make the same at once would leave one of them without a name.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    match wanted {
        None => skeleton(engine),
        Some(image) => with_agent(engine, image),
    }
}

fn tag(of: impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    (program::BYTES, of).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn skeleton(engine: &Engine) -> Result<Ready, SandboxError> {
    // The same as long as this process lives, and asked for at every run.
    static TAGS: [OnceLock<String>; 2] = [OnceLock::new(), OnceLock::new()];
    // Podman gives the working folder no owner: there everybody may write.
    let mode = if engine.is_podman { 0o1777 } else { 0o755 };
    let tag = TAGS[usize::from(engine.is_podman)].get_or_init(|| tag(bare_tree(mode)));
    let name = format!("{REPOSITORY}:{tag}");
    if !exists(engine, &name)? {
        import(engine, (REPOSITORY, tag), bare_tree(mode), &[format!("LABEL {LABEL}=skeleton")])?;
    }
    Ok(Ready { name, shows_host: true, env: Vec::new(), work: Job::WORK.into() })
}

/// What the host's programs are shown on.
fn bare_tree(work: u32) -> Vec<u8> {
    let mut tree = Tar::default();
    for folder in ["dev", "etc", "proc", "run", "sys", "usr"] {
        tree.folder(folder, 0o755);
    }
    // The engine gives a file system that it lays over a folder that folder's own mode.
    tree.folder("work", work);
    tree.folder("tmp", 0o1777);
    // No network, no resolver: where the host's is allowed, the engine lays the host's files over these.
    for (path, bytes) in system::files(true) {
        tree.file(path, &bytes, 0o644);
    }
    for (path, target) in system::system().links.iter().filter(|(path, _)| !path.starts_with("dev/")) {
        tree.link(path, target);
    }
    tree.file(AGENT.trim_start_matches('/'), program::BYTES, 0o755);
    tree.finish()
}

/// Makes an image of a tree of files.
pub fn import(
    engine: &Engine,
    (repository, tag): (&str, &str),
    tree: Vec<u8>,
    changes: &[String],
) -> Result<(), SandboxError> {
    let options = CreateImageOptions {
        from_src: Some("-".into()),
        // Podman takes no tag beside the name.
        repo: Some(format!("{repository}:{tag}")),
        changes: changes.to_vec(),
        ..Default::default()
    };
    let work = async {
        let body = bollard::body_full(tree.into());
        let mut steps = engine.client().create_image(Some(options), Some(body), None);
        while let Some(step) = steps.next().await {
            step?;
        }
        Ok::<_, Error>(())
    };
    engine::block(work)?.map_err(|error| failed(&format!("make the image {repository}:{tag}"), error))
}

fn with_agent(engine: &Engine, image: &str) -> Result<Ready, SandboxError> {
    let inspected = engine::block(engine.client().inspect_image(image))?
        .map_err(|error| failed(&format!("show the image {image:?}"), error))?;
    let base = inspected.id.unwrap_or_default();
    let config = inspected.config.unwrap_or_default();
    let variable =
        |pair: String| pair.split_once('=').map(|(name, value)| (name.to_string(), value.to_string()));
    let env = config.env.unwrap_or_default().into_iter().filter_map(variable).collect();
    let work = config.labels.unwrap_or_default().remove(WORK_LABEL).filter(|work| is_plain_folder(work));
    let name = format!("{REPOSITORY}:{}", tag(&base));
    if !exists(engine, &name)? {
        let recipe = format!("FROM {image}\nLABEL {LABEL}=derived\nCOPY --chown=0:0 agent {AGENT}\n");
        let mut context = Tar::default();
        context.file("Dockerfile", recipe.as_bytes(), 0o644);
        context.file("agent", program::BYTES, 0o755);
        build(engine, &name, context.finish())?;
    }
    Ok(Ready { name, shows_host: false, env, work: work.unwrap_or_else(|| Job::WORK.into()) })
}

/// Whether a folder that an image names may be the program's: one of its own, not the system's.
fn is_plain_folder(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let system = ["bin", "dev", "etc", "lib", "lib64", "proc", "root", "run", "sbin", "sys", "tmp", "usr"];
    let plain = |part: &&str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    path.starts_with('/')
        && parts.iter().all(|part| plain(part) && *part != "." && *part != "..")
        && parts.first().is_some_and(|first| !system.contains(first))
}

/// Builds an image from a context. The engine's own words are the error's.
pub fn build(engine: &Engine, name: &str, context: Vec<u8>) -> Result<(), SandboxError> {
    build_watched(engine, name, context, BuildOptions::default(), &mut |_| {})
}

/// The same, with what each step says shown to `watch`.
pub fn build_watched(
    engine: &Engine,
    name: &str,
    context: Vec<u8>,
    how: BuildOptions,
    watch: &mut dyn FnMut(&str),
) -> Result<(), SandboxError> {
    let options = BuildImageOptions {
        t: Some(name.into()),
        rm: true,
        forcerm: true,
        networkmode: how.network,
        buildargs: (!how.arguments.is_empty()).then_some(how.arguments),
        ..Default::default()
    };
    let mut last: VecDeque<String> = VecDeque::new();
    let work = async {
        let body = bollard::body_full(context.into());
        let mut steps = engine.client().build_image(options, None, Some(body));
        while let Some(step) = steps.next().await {
            let step = step.map_err(|error| with_words(error, &last))?;
            let said = plain(step.stream.as_deref().unwrap_or_default());
            for line in said.lines().map(str::trim).filter(|line| !line.is_empty()) {
                watch(line);
                // The engine's own account of what it does is no step's last word.
                if line.starts_with("Removing intermediate") || line.starts_with("--->") {
                    continue;
                }
                last.push_back(line.to_string());
                if last.len() > LAST_LINES {
                    last.pop_front();
                }
            }
            if let Some(error) = step.error_detail {
                let error = error.message.unwrap_or_default();
                return Err(with_words(Error::DockerStreamError { error }, &last));
            }
        }
        Ok::<_, Error>(())
    };
    engine::block(work)?.map_err(|error| {
        forget_nameless(engine);
        failed(&format!("build the image {name:?}"), error)
    })
}

/// Lines of a build's own words that an error repeats.
const LAST_LINES: usize = 4;

/// A step's error, after the last words of the step.
fn with_words(error: Error, last: &VecDeque<String>) -> Error {
    match error {
        Error::DockerStreamError { error } => {
            let words: Vec<&str> = last.iter().map(String::as_str).chain([error.as_str()]).collect();
            Error::DockerStreamError { error: words.join(" | ") }
        }
        other => other,
    }
}

/// What a step said, without the engine's colours.
fn plain(said: &str) -> String {
    let mut parts = said.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// Removes images of ours without a name: what a build that failed left.
fn forget_nameless(engine: &Engine) {
    let filters = HashMap::from([
        ("dangling".to_string(), vec!["true".to_string()]),
        ("label".to_string(), vec![LABEL.to_string()]),
    ]);
    let options = PruneImagesOptions { filters: Some(filters) };
    let _ = engine::block(engine.client().prune_images(Some(options)));
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
