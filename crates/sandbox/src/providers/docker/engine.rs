//! Finding the engine and speaking with it. Its errors become ours here, each with its remedy.

use super::{DockerSettings, NAME};
use crate::SandboxError;
use crate::cgroups::Owner;
use crate::sys::process;
use bollard::errors::Error;
use bollard::models::SystemInfoCgroupVersionEnum;
use bollard::query_parameters::{ListContainersOptions, RemoveContainerOptions};
use bollard::{API_DEFAULT_VERSION, Docker as Client};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The label that tells which host's containers are ours.
pub const HOST_LABEL: &str = "formicary.host";
/// The label that tells their owner, as in their names.
pub const OWNER_LABEL: &str = "formicary.owner";
/// How long it may take to answer the first question.
const PATIENCE: Duration = Duration::from_secs(4);
/// Characters of the engine's words that an error repeats.
const LONGEST: usize = 1500;
/// How long any other question may take.
const QUESTION_SECONDS: u64 = 60;

/// An engine that answers.
#[derive(Debug, Clone)]
pub struct Engine {
    client: Client,
    /// Its socket.
    pub socket: PathBuf,
    /// Whether memory, processes and cores can be limited.
    pub limits: bool,
    /// Whether its control groups count buffers of sockets as memory, as version 2 does.
    pub counts_sockets: bool,
    /// The runtimes that it knows.
    pub runtimes: Vec<String>,
    /// Whether it is Podman, which reads profiles from files alone.
    pub is_podman: bool,
}

impl Engine {
    /// Looks for a socket and asks who is there, within a few seconds.
    pub fn find(settings: &DockerSettings) -> Result<Self, SandboxError> {
        let socket = match &settings.socket {
            Some(socket) => socket.clone(),
            None => usual_sockets().into_iter().find(|path| path.exists()).ok_or_else(|| {
                let tried = usual_sockets().iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
                missing(format!("there is no engine: no socket at {}", tried.join(", ")))
            })?,
        };
        check_socket(&socket)?;
        let shown = socket.display().to_string();
        let question = async {
            let client = Client::connect_with_unix(&shown, QUESTION_SECONDS, API_DEFAULT_VERSION)?;
            let client = client.negotiate_version().await?;
            let info = client.info().await?;
            let version = client.version().await?;
            Ok::<_, Error>((client, info, version))
        };
        let answer = block(async { tokio::time::timeout(PATIENCE, question).await })?;
        let (client, info, version) = match answer {
            Ok(answer) => answer.map_err(|error| failed("ask the engine who it is", error))?,
            Err(_) => {
                return Err(unavailable(
                    format!("the engine at {shown} does not answer within {} s", PATIENCE.as_secs()),
                    "see whether it is alive (`systemctl status docker`), or restart it",
                ));
            }
        };
        let runtimes: Vec<String> = info.runtimes.unwrap_or_default().into_keys().collect();
        if let Some(wanted) = &settings.runtime
            && !runtimes.contains(wanted)
        {
            return Err(unavailable(
                format!(
                    "the engine at {shown} knows no runtime {wanted:?}; it knows {}",
                    runtimes.join(", ")
                ),
                "add it to the engine's configuration (`runsc install`), or leave `docker.runtime` out",
            ));
        }
        let limits = info.memory_limit == Some(true) && info.pids_limit != Some(false);
        let parts = version.components.unwrap_or_default();
        let is_podman = parts.iter().any(|part| part.name.contains("Podman"));
        let counts_sockets = info.cgroup_version == Some(SystemInfoCgroupVersionEnum::_2);
        Ok(Self { client, socket, limits, counts_sockets, runtimes, is_podman })
    }

    /// The client, for questions.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Removes containers of ours on this host whose owner is dead. What will not go is left for the next sweep.
    pub fn sweep(&self) -> usize {
        let filters = HashMap::from([("label".to_string(), vec![format!("{HOST_LABEL}={}", host_name())])]);
        let options = ListContainersOptions { all: true, filters: Some(filters), ..Default::default() };
        let work = async {
            let mut removed = 0;
            for container in self.client.list_containers(Some(options)).await.unwrap_or_default() {
                let labels = container.labels.unwrap_or_default();
                let owner = labels.get(OWNER_LABEL).and_then(|name| Owner::from_name(name));
                if let (Some(id), Some(false)) = (container.id, owner.map(|owner| owner.lives())) {
                    remove(&self.client, &id).await;
                    removed += 1;
                }
            }
            removed
        };
        block(work).unwrap_or(0)
    }
}

/// Removes a container with all that belongs to it.
pub async fn remove(client: &Client, name: &str) {
    let options = RemoveContainerOptions { force: true, v: true, ..Default::default() };
    let _ = client.remove_container(name, Some(options)).await;
}

/// Waits for an answer.
pub fn block<T>(work: impl Future<Output = T>) -> Result<T, SandboxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.map_err(|error| SandboxError::step("speak with the engine", error))?.block_on(work))
}

/// A word by which this boot of this host is known: a process number means nothing elsewhere.
pub fn host_name() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    boot.trim().to_string()
}

fn usual_sockets() -> Vec<PathBuf> {
    let user = process::effective_user();
    let mut places: Vec<PathBuf> =
        vec!["/run/docker.sock".into(), "/var/run/docker.sock".into(), "/run/podman/podman.sock".into()];
    places.push(format!("/run/user/{user}/docker.sock").into());
    places.push(format!("/run/user/{user}/podman/podman.sock").into());
    places
}

/// Whether somebody listens and we may speak: a refusal is clearer here than out of a client's depth.
fn check_socket(socket: &Path) -> Result<(), SandboxError> {
    match std::os::unix::net::UnixStream::connect(socket) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(unavailable(
            format!("the engine's socket {} may not be opened by this user", socket.display()),
            "join the group that owns it (`usermod -aG docker $USER`, then log in anew), or use another provider",
        )),
        Err(error) => {
            Err(missing(format!("nobody answers at the engine's socket {}: {error}", socket.display())))
        }
    }
}

fn missing(why: String) -> SandboxError {
    unavailable(
        why,
        "install and start an engine (`apt-get install docker.io`, `systemctl start docker`), give its socket as \
         `docker.socket` in the configuration, or use another provider",
    )
}

/// The provider cannot work, for this reason and with this remedy.
pub fn unavailable(why: impl Into<String>, hint: &str) -> SandboxError {
    SandboxError::Unavailable { provider: NAME, why: why.into(), hint: hint.into() }
}

/// The engine's error, as ours.
pub fn failed(step: &str, error: Error) -> SandboxError {
    let said = match &error {
        Error::DockerResponseServerError { message, .. } => message.clone(),
        other => other.to_string(),
    };
    // An engine may repeat all that it was asked.
    let said: String = said.chars().take(LONGEST).collect();
    let why = format!("it was asked to {step}: {said}");
    let is_status =
        |code| matches!(&error, Error::DockerResponseServerError { status_code, .. } if *status_code == code);
    if said.to_lowercase().contains("no space left") {
        return unavailable(
            why,
            "make room on the engine's disk (`docker system df`, `docker system prune`)",
        );
    }
    if is_status(404) && said.to_lowercase().contains("image") {
        return unavailable(why, "`formicary images pull` fetches it; `docker.image` names another");
    }
    if matches!(error, Error::RequestTimeoutError) {
        return unavailable(why, "the engine is overloaded or hangs: see its log, or restart it");
    }
    if matches!(&error, Error::DockerStreamError { .. }) {
        return unavailable(why, "a step of it failed, as its own words tell; the engine itself answers");
    }
    if said.contains("root network namespace") {
        return unavailable(
            why,
            "this runsc does not know namespaces of this kernel: give its runtime the argument `--network=none`",
        );
    }
    if matches!(&error, Error::DockerResponseServerError { .. }) {
        return unavailable(why, "see the engine's log (`journalctl -u docker`)");
    }
    unavailable(why, "the engine broke off: see whether it is alive (`systemctl status docker`)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(socket: &Path) -> String {
        let settings = DockerSettings { socket: Some(socket.into()), ..Default::default() };
        Engine::find(&settings).unwrap_err().to_string()
    }

    #[test]
    fn an_engine_that_is_not_there_or_silent_is_told_apart() {
        assert!(find(Path::new("/no/such.sock")).contains("/no/such.sock"));
        let place = crate::guest::place::Place::new(&std::env::temp_dir()).unwrap();
        let socket = place.path().join("silent.sock");
        // Takes connections by its queue and never answers.
        let _silent = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let said = find(&socket);
        assert!(said.contains("does not answer within"), "{said}");
    }

    #[test]
    fn errors_carry_their_remedy() {
        let server = |status_code, message: &str| Error::DockerResponseServerError {
            status_code,
            message: message.into(),
        };
        for (error, remedy) in [
            (server(500, "write: no space left on device"), "make room"),
            (server(404, "No such image: nope:latest"), "formicary images pull"),
            (server(500, "something else"), "engine's log"),
            (Error::RequestTimeoutError, "overloaded"),
        ] {
            let SandboxError::Unavailable { hint, .. } = failed("do it", error) else {
                panic!("another error")
            };
            assert!(hint.contains(remedy), "{hint}");
        }
    }
}
