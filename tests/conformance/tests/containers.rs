//! Images and containers by a real engine, started by whoever runs the tests. Images are made of the host's own files:
//! nothing is fetched but packages.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests fail by panicking, learn of their engine by the environment, and ask the linker what a program needs"
)]

#[path = "containers/engines.rs"]
mod engines;

use formicary_model::{CellRequest, Environment, ExecutionRequest, PackageRequest, Source, Status};
use formicary_platform::config::{ConfigSources, Configuration};
use formicary_platform::images::{ImageRecipe, PruneImages};
use formicary_platform::seeds::{DockerSandbox, ExecutionLimits};
use formicary_platform::{Live, Platform};
use formicary_sandbox::providers::docker::image::{Tar, import};
use formicary_sandbox::providers::docker::{Docker, DockerSettings, stock};
use formicary_testkit::skips::Skips;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

static SKIPS: Skips = Skips::new();
/// One at a time: what one removes, another may be about to use.
static TURN: Mutex<()> = Mutex::new(());
const BASE: (&str, &str) = ("formicary-test-base", "3");

/// The platform on the engine under test, with Python's image made of the host's Python.
fn platform(test: &str) -> Option<(MutexGuard<'static, ()>, Platform)> {
    static BASE_IS_THERE: LazyLock<()> = LazyLock::new(make_base);
    let Some(socket) = std::env::var_os("FORMICARY_TEST_DOCKER") else {
        SKIPS.note(test, "no engine is given (FORMICARY_TEST_DOCKER)");
        return None;
    };
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    LazyLock::force(&BASE_IS_THERE);
    let mut sources = ConfigSources::new(std::env::vars().collect(), None);
    (sources.system_file, sources.user_file) = (None, None);
    let base = format!("{}:{}", BASE.0, BASE.1);
    let flags = [
        ("docker.socket", socket.to_str().unwrap()),
        ("docker.build_network", "host"),
        ("images.python", &base),
        ("audit.enabled", "off"),
    ];
    sources.flags = flags.map(|(key, value)| (key.to_string(), value.to_string())).to_vec();
    Some((turn, Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap()))
}

/// An image of the host's shell, and of its Python with library and pip.
fn make_base() {
    let socket = std::env::var_os("FORMICARY_TEST_DOCKER").map(PathBuf::from);
    let engine = Docker::new(DockerSettings { socket, ..DockerSettings::default() }).engine().unwrap();
    if stock::find(&engine, &format!("{}:{}", BASE.0, BASE.1)).unwrap().is_some() {
        return;
    }
    let python = Path::new("/usr/bin/python3").canonicalize().unwrap();
    let library = PathBuf::from("/usr/lib").join(python.file_name().unwrap());
    let mut files: BTreeSet<PathBuf> =
        ["/bin/dash", "/usr/bin/env", "/bin/cat", "/bin/mkdir", "/bin/rm"].map(PathBuf::from).into();
    files.insert(python.clone());
    for folder in [&library, Path::new("/usr/lib/python3/dist-packages")] {
        add(folder, &mut files);
    }
    let programs: Vec<PathBuf> = files.iter().filter(|path| is_program(path)).cloned().collect();
    for program in programs {
        let said = Command::new("ldd").arg(&program).output().unwrap();
        let words = String::from_utf8_lossy(&said.stdout).into_owned();
        files.extend(words.split_whitespace().filter(|word| word.starts_with('/')).map(PathBuf::from));
    }
    // What programs of packages need besides: each of these is in every usual image.
    let usual = ["/libnss_", "/libgcc_s.", "/librt.", "/libpthread.", "/libdl.", "/libm.", "/libstdc++."];
    let machine = format!("/lib/{}-linux-gnu", std::env::consts::ARCH);
    let libraries = std::fs::read_dir(machine).into_iter().flatten().flatten().map(|entry| entry.path());
    files.extend(libraries.filter(|path| {
        let path = path.to_string_lossy();
        usual.iter().any(|name| path.contains(name)) && path.contains(".so")
    }));
    files.extend(["/etc/ssl/certs/ca-certificates.crt", "/etc/nsswitch.conf"].map(PathBuf::from));
    let mut tree = Tar::default();
    tree.folder("tmp", 0o1777);
    for link in ["bin", "lib", "lib64", "sbin"] {
        tree.link(link, &format!("usr/{link}"));
    }
    let python_name = python.file_name().unwrap().to_string_lossy().into_owned();
    let links = [("sh", "dash"), ("python3", &python_name), ("python", &python_name)];
    for (link, target) in links {
        tree.link(&format!("usr/bin/{link}"), target);
    }
    let mut seen = BTreeSet::new();
    for file in &files {
        let parent = file.parent().unwrap().canonicalize().unwrap();
        let place =
            parent.join(file.file_name().unwrap()).to_string_lossy().trim_start_matches('/').to_string();
        if let (Ok(bytes), true) = (std::fs::read(file), place.len() < 100 && seen.insert(place.clone())) {
            let mode = if is_program(file) { 0o755 } else { 0o644 };
            tree.file(&place, &bytes, mode);
        }
    }
    import(&engine, BASE, tree.finish(), &["ENV PATH=/usr/local/bin:/usr/bin:/bin".into()]).unwrap();
}

fn is_program(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF"))
}

/// The files of a folder that a program needs, its own tests left out.
fn add(folder: &Path, files: &mut BTreeSet<PathBuf>) {
    const NOT_NEEDED: [&str; 9] = [
        "__pycache__",
        "test",
        "tests",
        "idlelib",
        "tkinter",
        "turtledemo",
        "lib2to3",
        "ensurepip",
        "pydoc_data",
    ];
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let kind = entry.file_type().unwrap();
        let in_packages = folder.ends_with("dist-packages");
        let wanted = !in_packages
            || ["pip", "setuptools", "pkg_resources", "wheel"]
                .iter()
                .any(|own| name.to_string_lossy().starts_with(own));
        if kind.is_dir() && wanted && !NOT_NEEDED.iter().any(|other| name == *other) {
            add(&entry.path(), files);
        } else if kind.is_file() && wanted {
            files.insert(entry.path());
        }
    }
}

fn run(platform: &Platform, image: &str, code: &str) -> (Status, String) {
    let request = ExecutionRequest {
        language: Some("python".into()),
        source: Source::code(code),
        environment: Environment { image: Some(image.into()), ..platform.new_request().environment },
        ..platform.new_request()
    };
    let result = platform.execute_as(&formicary_platform::local_caller(), request, Live::default()).unwrap();
    (result.status, format!("{}{}", result.stdout, result.stderr))
}

#[test]
fn a_run_in_an_image_sees_the_images_files_and_not_the_hosts() {
    let Some((_turn, platform)) = platform("a_run_in_an_image_sees_the_images_files_and_not_the_hosts")
    else {
        return;
    };
    let code = "import os, sys\nprint(os.path.exists('/usr/bin/dash'), os.path.exists('/usr/bin/perl'), os.getcwd(), os.getuid())";
    let expected = (Status::Success, "True False /work 1000\n".to_string());
    assert_eq!(run(&platform, "default", code), expected);
    let named = format!("{}:{}", BASE.0, BASE.1);
    assert_eq!(run(&platform, &named, code), expected);
    let missing = ExecutionRequest {
        language: Some("python".into()),
        source: Source::code("pass"),
        environment: Environment {
            image: Some("formicary-test-none:1".into()),
            ..platform.new_request().environment
        },
        ..platform.new_request()
    };
    let failure =
        platform.execute_as(&formicary_platform::local_caller(), missing, Live::default()).unwrap_err();
    assert!(failure.hint.as_ref().is_some_and(|hint| hint.contains("images pull")), "{failure:?}");
    let report = platform.images().unwrap();
    let python = report.defaults.iter().find(|default| default.language == "python").unwrap();
    assert!(python.image == named && python.here.as_ref().is_some_and(|here| here.bytes > 1 << 20));
}

/// Two cells of a session in an image: what the first knows and writes, the second finds. Where it works, and its files.
fn cells(platform: &Platform, image: &str) -> (String, Vec<String>) {
    let sessions = platform.sessions().unwrap();
    let mut request = platform.new_session("python");
    request.image = Some(image.into());
    let info = sessions.create(request).unwrap();
    assert_eq!(info.provider, "docker");
    let cell = |code: &str| {
        let cell = CellRequest { code: code.into(), ..CellRequest::default() };
        let result = platform.run_cell(&info.id, &cell, &mut |_, _| {}).unwrap();
        assert_eq!(result.status, Status::Success, "{result:?}");
        result.stdout
    };
    cell("import os; here = os.getcwd(); open('kept.txt', 'w').write('x')");
    let told = cell("print(here, os.path.exists('/usr/bin/perl'), open('kept.txt').read())");
    let session = sessions.find(&info.id).unwrap();
    let files = session.files().unwrap().into_iter().map(|file| file.path).collect();
    sessions.close(&info.id).unwrap();
    (told, files)
}

#[test]
fn a_session_in_an_image_keeps_its_state_there() {
    let Some((_turn, platform)) = platform("a_session_in_an_image_keeps_its_state_there") else { return };
    assert_eq!(cells(&platform, "default"), ("/work False x\n".into(), vec!["kept.txt".into()]));
    let mut request = platform.new_session("python");
    (request.image, request.provider) = (Some("default".into()), Some("native".into()));
    let refused = platform.sessions().unwrap().create(request);
    assert!(refused.unwrap_err().message.contains("image"));
}

#[test]
fn the_image_for_agents_is_built_where_it_is_missing_and_runs_without_a_network() {
    let test = "the_image_for_agents_is_built_where_it_is_missing_and_runs_without_a_network";
    let Some((_turn, platform)) = platform(test) else { return };
    let files = [
        ("main.py".to_string(), b"import pack.tool, os, six\nprint(pack.tool.VALUE, os.getcwd(), six.__version__)\nopen('out.txt', 'w').write('x')\n".to_vec()),
        ("pack/tool.py".to_string(), b"VALUE = 7\n".to_vec()),
    ];
    let packages = PackageRequest { requirements: vec!["six==1.17.0".into()], ..PackageRequest::default() };
    // A name of its own: what another test leaves under the usual one must not be what is tested.
    let recipe = ImageRecipe { packages, with_uv: true, ..ImageRecipe::named("formicary-test-uv:1") };
    let mut sandbox =
        DockerSandbox::new(&platform, files, "uv --version >&2; python main.py").in_image(recipe);
    sandbox.collect = vec!["*.txt".into()];
    let built = sandbox.setup_image().unwrap();
    assert_eq!(built.made_as.as_deref(), Some("formicary-test-uv:1"));
    let result = sandbox.run(60.0).unwrap();
    assert_eq!(
        (result.status, result.stdout.as_str()),
        (Status::Success, "7 /app 1.17.0\n"),
        "{}",
        result.stderr
    );
    assert!(result.stderr.starts_with("uv "), "{}", result.stderr);
    assert_eq!(result.artifacts.len(), 1);
    let offline =
        "import socket\ntry: socket.create_connection(('1.1.1.1', 53), 1)\nexcept OSError: print('offline')";
    assert_eq!(run(&platform, "formicary-test-uv:1", offline), (Status::Success, "offline\n".into()));
    assert_eq!(cells(&platform, "formicary-test-uv:1"), ("/app False x\n".into(), vec!["kept.txt".into()]));
    let endless =
        DockerSandbox::new(&platform, [("a.py".into(), b"while True: pass".to_vec())], "python a.py")
            .in_image(ImageRecipe::named("formicary-test-uv:1"));
    assert_eq!(endless.run(1.0).unwrap().status, Status::Timeout);
    let broken = ImageRecipe {
        packages: PackageRequest {
            requirements: vec!["formicary-no-such-package".into()],
            ..Default::default()
        },
        ..ImageRecipe::named("formicary-test-broken:1")
    };
    let failure = platform.build_image(&broken, &mut |_| {}).unwrap_err();
    assert!(
        failure.message.contains("No matching distribution found for formicary-no-such-package"),
        "{failure}"
    );
    assert!(
        platform.images().unwrap().ours.iter().all(|image| !image.names.is_empty()),
        "no step of it is left"
    );
    let gone = platform.prune_images(PruneImages::All).unwrap();
    assert!(gone.iter().any(|image| image.names == ["formicary-test-uv:1"]), "{gone:?}");
    assert!(
        platform
            .images()
            .unwrap()
            .ours
            .iter()
            .all(|image| image.made_as.as_deref() != Some("formicary-test-uv:1"))
    );
}

/// Containers, volumes, images and layers that the engine has, and processes that stand for its containers.
fn left(socket: &str) -> Vec<String> {
    let lists: [&[&str]; 3] = [&["ps", "-aq"], &["volume", "ls", "-q"], &["images", "-aq"]];
    let ask = |words: &[&str]| {
        let command =
            Command::new("docker").args(["--host", &format!("unix://{socket}")]).args(words).output();
        String::from_utf8_lossy(&command.unwrap().stdout).into_owned()
    };
    let list =
        |words: &[&str]| ask(words).lines().map(|line| format!("{} {line}", words[0])).collect::<Vec<_>>();
    let root = ask(&["info", "--format", "{{.DockerRootDir}}"]);
    let layers = std::fs::read_dir(Path::new(root.trim()).join("overlay2")).into_iter().flatten().flatten();
    let layers = layers.map(|layer| format!("layer {}", layer.file_name().to_string_lossy()));
    let mut all: Vec<String> = lists.into_iter().flat_map(list).chain(layers).chain(agents()).collect();
    all.sort();
    all
}

/// Guest agents in containers, and those who hold containers for the engine.
fn agents() -> Vec<String> {
    let numbers = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let line = |path: PathBuf| Some((std::fs::read(path.join("cmdline")).ok()?, path));
    let is_one = |words: &[u8]| {
        words.starts_with(b"/.formicary-guest") || words.starts_with(b"/usr/bin/containerd-shim")
    };
    let found = numbers.filter_map(line).filter(|(words, _)| is_one(words));
    found.map(|(_, path)| format!("process {}", path.display())).collect()
}

#[test]
fn timeouts_and_kills_leave_nothing_with_the_engine() {
    let Some((_turn, platform)) = platform("timeouts_and_kills_leave_nothing_with_the_engine") else {
        return;
    };
    let socket = std::env::var("FORMICARY_TEST_DOCKER").unwrap();
    let (timeouts, kills) = if std::env::var_os("FORMICARY_LONG").is_some() { (50, 20) } else { (4, 3) };
    let limits = ExecutionLimits { time_limit: Some(0.3), ..ExecutionLimits::default() };
    // The image of the first run is what is kept.
    platform.run_code_in_docker("bash", "true", "", &ExecutionLimits::default()).unwrap();
    let before = left(&socket);
    for _ in 0..timeouts {
        let code = "(setsid sleep 300 &); while :; do sleep 1; done";
        let result = platform.run_code_in_docker("bash", code, "", &limits).unwrap();
        assert_eq!(result.status, Status::Timeout);
    }
    // Whoever held a container for the engine goes a moment after it.
    settles(&socket, &before);
    for _ in 0..kills {
        // A busy host's engine may not answer in time; that is no kill in the middle of a run.
        assert!((0..3).any(|_| killed_in_the_middle()), "no controller came to run anything");
    }
    // The agent ends by itself when nobody speaks to it any more; what it stood in is swept by the next start.
    settles(&socket, &before);
}

/// Whether a controller was killed after it had said that its program runs.
fn killed_in_the_middle() -> bool {
    let mut controller = Command::new(env!("CARGO_BIN_EXE_conformance-controller"))
        .arg("docker")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(controller.stdout.take().unwrap()).lines();
    let started = lines.map_while(Result::ok).any(|line| line == "STARTED");
    controller.kill().unwrap();
    controller.wait().unwrap();
    started
}

/// The next start sweeps; soon there is nothing more than there was.
fn settles(socket: &str, before: &[String]) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let docker = DockerSettings { socket: Some(socket.into()), ..DockerSettings::default() };
        Docker::new(docker).engine().unwrap();
        let now = left(socket);
        let more: Vec<&String> = now.iter().filter(|one| !before.contains(one)).collect();
        if more.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "{more:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn code_runs_in_a_container_by_its_first_name() {
    let Some((_turn, platform)) = platform("code_runs_in_a_container_by_its_first_name") else { return };
    assert!(platform.check_docker_available().available);
    let limits = ExecutionLimits { memory_limit_mb: Some(64), ..ExecutionLimits::default() };
    let result = platform.run_code_in_docker("python", "print(input())", "in\n", &limits).unwrap();
    assert_eq!((result.status, result.stdout.as_str()), (Status::Success, "in\n"), "{}", result.stderr);
    assert_eq!(result.enforcement.provider, "docker");
    let result = platform.run_code_in_docker("python", "x = bytearray(1 << 28)", "", &limits).unwrap();
    assert_eq!(result.status, Status::MemoryLimit);
}
