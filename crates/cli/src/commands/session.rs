//! `formicary session`, and the server behind it.

use crate::arguments::GlobalArguments;
use crate::arguments::environment::text;
use crate::arguments::session::{CellArguments, NewArguments, SessionArguments, SessionVerb};
use crate::door::{self, Warnings};
use crate::failure::{Stop, invalid};
use crate::render::{self, install::InstallProgress};
use crate::signals;
use crate::source::{self, Wanted};
use crate::terminal;
use formicary_model::{
    Artifact, CellRequest, CellResult, Failure, FailureKind, SessionRequest, Source, SourceFile, Stream,
};
use formicary_platform::artifacts::OutputFolder;
use formicary_platform::config::ConfigSources;
use formicary_platform::packages::host;
use formicary_platform::sessions::{Place, ServerStart, SessionClient, Watch};
use formicary_platform::{Cancel, Live, Platform, exit, open_named};
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

/// The hidden verb that makes this program the server.
pub const SERVER_VERB: &str = "session-server";

/// Variables that the server needs to find configuration and toolchains; nothing else of the caller's goes there.
const SERVER_VARIABLES: [&str; 14] = [
    "PATH",
    "HOME",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "DBUS_SESSION_BUS_ADDRESS",
    "RUSTUP_HOME",
    "CARGO_HOME",
    "PYENV_ROOT",
    "NVM_DIR",
    "FNM_DIR",
    "VOLTA_HOME",
    "GOROOT",
    "JAVA_HOME",
    "TZ",
];

/// Does what was asked with a session.
pub fn run(arguments: SessionArguments, global: &GlobalArguments) -> Result<u8, Stop> {
    let sources = door::sources(global);
    let client = client(&sources)?;
    match arguments.verb {
        SessionVerb::New(new) => make(*new, global, &client),
        SessionVerb::Run(cell) => run_cell(cell, global, &client),
        SessionVerb::Interrupt { id } => {
            let running = client.interrupt(&id)?;
            tell(global, &serde_json::json!({ "interrupted": running }), || {
                if running { format!("{id} was interrupted\n") } else { format!("{id} runs nothing\n") }
            })
        }
        SessionVerb::Files { id } => {
            let files = client.files(&id)?;
            tell(global, &files, || render::sessions::files(&files))
        }
        SessionVerb::Put { id, files, name } => put(&id, &files, name, global, &client),
        SessionVerb::Get { id, path, out } => get(&id, &path, out.as_deref(), global, &client),
        SessionVerb::Remove { id, paths } => {
            client.remove(&id, paths.clone())?;
            tell(global, &serde_json::json!({ "removed": paths }), String::new)
        }
        SessionVerb::List => {
            let sessions = client.list()?;
            tell(global, &sessions, || render::sessions::list(&sessions))
        }
        SessionVerb::Reset { id } => {
            client.reset(&id)?;
            tell(global, &serde_json::json!({ "reset": id }), String::new)
        }
        SessionVerb::Close { id, all } => close(id, all, global, &client),
    }
}

/// Is the session server until there is no more need for one.
pub fn serve(global: &GlobalArguments) -> Result<u8, Stop> {
    // A project's file where the first caller stood is not meant for the sessions of others.
    let _ = std::env::set_current_dir("/");
    let (platform, sources) = door::platform(global, Warnings::Hidden)?;
    formicary_platform::sessions::serve(&platform, &place(&sources)?)?;
    Ok(0)
}

/// Runs a cell and shows it; `run --session` comes here too.
pub fn run_cell(
    arguments: CellArguments,
    global: &GlobalArguments,
    client: &SessionClient,
) -> Result<u8, Stop> {
    let configuration = door::configuration(&door::sources(global), Warnings::Hidden)?;
    let wanted = Wanted {
        code: arguments.code,
        path: arguments.path.as_deref(),
        entry: None,
        has_command: false,
        most: source::Most::of(&configuration.settings),
    };
    let Source::Code { code, .. } = source::load(wanted)?.source else {
        return Err(
            invalid("a cell is one file, not a folder", "copy files with `formicary session put`").into()
        );
    };
    let out = arguments.out.as_deref().map(OutputFolder::open).transpose()?;
    let cell =
        CellRequest { code, wall_seconds: arguments.timeout, args: arguments.args, ..CellRequest::default() };
    let mut failed = None;
    let mut live = |stream: Stream, bytes: &[u8]| {
        failed = failed.take().or(render::sessions::piece(stream, bytes).err())
    };
    let watch: Option<&mut Watch<'_>> = if global.json { None } else { Some(&mut live) };
    let result = interruptible(&arguments.id, cell, client, watch)?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if let Some(folder) = &out {
        folder.write(&displays(&result))?;
    }
    if global.json {
        terminal::print_json(&result)?;
    } else {
        render::sessions::show(&result, out.is_some())?;
    }
    Ok(exit::status_code(result.status, result.exit_code, result.signal))
}

/// The client of this user's server.
pub fn client(sources: &ConfigSources) -> Result<SessionClient, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::new(FailureKind::Internal, format!("this program does not know where it is: {error}"))
    })?;
    let packages: Vec<String> = host::variables().collect();
    let kept = |name: &str| {
        SERVER_VARIABLES.contains(&name)
            || name.starts_with("FORMICARY_")
            || packages.iter().any(|kept| kept == name)
    };
    let environment = sources.environment.iter().filter(|(name, _)| kept(name));
    let start = ServerStart {
        program,
        arguments: vec![SERVER_VERB.into()],
        environment: environment.map(|(name, value)| format!("{name}={value}")).collect(),
    };
    Ok(SessionClient::new(place(sources)?, start))
}

fn place(sources: &ConfigSources) -> Result<Place, Failure> {
    Place::open(sources.path_variable("XDG_RUNTIME_DIR").as_deref())
}

fn make(arguments: NewArguments, global: &GlobalArguments, client: &SessionClient) -> Result<u8, Stop> {
    let (platform, sources) = door::platform(global, Warnings::Told)?;
    let request = request(arguments, &platform, &sources)?;
    if !request.packages.is_empty() {
        // Here, where a person sees it go on; the server then finds it ready.
        let cancel = Cancel::default();
        signals::cancel_on_signal(&cancel);
        let progress = InstallProgress::new(global.json);
        let live = Live { observer: &progress, cancel, ..Live::default() };
        platform.install(&request.packages, request.assurance, &live)?;
    }
    let info = client.create(request)?;
    tell(global, &info, || format!("{}\n", info.id))
}

fn request(
    arguments: NewArguments,
    platform: &Platform,
    sources: &ConfigSources,
) -> Result<SessionRequest, Failure> {
    let mut request = platform.new_session(&arguments.language);
    let configured_cpu = platform.settings().limits.cpu_seconds;
    request.limits = arguments.limits.of_the_run(configured_cpu);
    request.id = arguments.id;
    request.idle_seconds = arguments.idle;
    request.env = arguments.env.into_iter().collect();
    let base = sources.working_folder.as_deref();
    let python = (arguments.venv.as_deref(), &arguments.packages);
    arguments.protection.apply(platform, base, python, &mut request.environment)?;
    Ok(request)
}

/// The first Ctrl-C interrupts the cell, whose state is kept; the second gives up waiting.
fn interruptible(
    id: &str,
    cell: CellRequest,
    client: &SessionClient,
    watch: Option<&mut Watch<'_>>,
) -> Result<CellResult, Failure> {
    let cancel = Cancel::default();
    signals::cancel_on_signal(&cancel);
    std::thread::scope(|scope| {
        let running = scope.spawn(move || client.run(id, cell, watch));
        let mut interrupted = false;
        while !running.is_finished() {
            if cancel.is_cancelled() && !interrupted {
                interrupted = true;
                // Where it cannot be reached any more, the answer that we wait for tells why.
                let _ = client.interrupt(id);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        running.join().unwrap_or_else(|_| Err(Failure::new(FailureKind::Internal, "the call was lost")))
    })
}

/// Displays as files: `display-1.png` and so on.
fn displays(result: &CellResult) -> Vec<Artifact> {
    const KINDS: [(&str, &str); 5] = [
        ("image/png", "png"),
        ("image/jpeg", "jpg"),
        ("image/svg+xml", "svg"),
        ("text/html", "html"),
        ("text/plain", "txt"),
    ];
    let bundles = result.displays.iter().chain(&result.value);
    let named = bundles.enumerate().filter_map(|(index, bundle)| {
        let (mime, ending) = KINDS.iter().find(|(mime, _)| bundle.contains_key(*mime))?;
        let data = &bundle[*mime];
        let content =
            if matches!(*ending, "png" | "jpg") { decoded(data)? } else { data.clone().into_bytes() };
        let path = format!("display-{}.{ending}", index + 1);
        Some(Artifact { path, size: content.len() as u64, executable: false, content })
    });
    named.collect()
}

/// Base64, by way of the model's own form for bytes.
fn decoded(data: &str) -> Option<Vec<u8>> {
    #[derive(serde::Deserialize)]
    struct Bytes(#[serde(with = "formicary_model::request::bytes")] Vec<u8>);
    let wire = serde_json::json!({ "base64": data });
    serde_json::from_value::<Bytes>(wire).ok().map(|bytes| bytes.0)
}

fn put(
    id: &str,
    files: &[std::path::PathBuf],
    name: Option<String>,
    global: &GlobalArguments,
    client: &SessionClient,
) -> Result<u8, Stop> {
    if name.is_some() && files.len() != 1 {
        return Err(invalid("--as names one file, several are given", "copy them one by one").into());
    }
    let mut taken = Vec::new();
    for path in files {
        let base = path.file_name().map(|name| text(Path::new(name))).transpose()?;
        let inside = name
            .clone()
            .or(base)
            .ok_or_else(|| invalid(format!("{} names no file", path.display()), "give a file"))?;
        let read = || -> std::io::Result<SourceFile> {
            use std::os::unix::fs::PermissionsExt as _;
            let mut file = open_named(path)?;
            let executable = file.metadata()?.permissions().mode() & 0o100 != 0;
            let mut content = Vec::new();
            file.read_to_end(&mut content)?;
            Ok(SourceFile { path: inside.clone(), content, executable })
        };
        taken.push(read().map_err(|error| {
            invalid(format!("{} cannot be read: {error}", path.display()), "give a file that you may read")
        })?);
    }
    let names: Vec<String> = taken.iter().map(|file| file.path.clone()).collect();
    client.put(id, taken)?;
    tell(global, &serde_json::json!({ "put": names }), String::new)
}

fn get(
    id: &str,
    path: &str,
    out: Option<&Path>,
    global: &GlobalArguments,
    client: &SessionClient,
) -> Result<u8, Stop> {
    let file = client.get(id, path)?;
    if let Some(out) = out {
        door::write(out, &file.content)?;
    }
    if global.json {
        terminal::print_json(&file)?;
    } else if out.is_none() {
        use std::io::Write as _;
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(&file.content)?;
        stdout.flush()?;
    }
    Ok(0)
}

fn close(
    id: Option<String>,
    all: bool,
    global: &GlobalArguments,
    client: &SessionClient,
) -> Result<u8, Stop> {
    let ids = match id {
        Some(id) if !all => vec![id],
        _ => client.list()?.into_iter().map(|session| session.id).collect(),
    };
    for id in &ids {
        client.close(id)?;
    }
    tell(global, &serde_json::json!({ "closed": ids }), String::new)
}

fn tell(
    global: &GlobalArguments,
    value: &impl serde::Serialize,
    plain: impl FnOnce() -> String,
) -> Result<u8, Stop> {
    terminal::show(global.json, value, plain)?;
    Ok(0)
}
