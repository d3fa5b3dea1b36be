//! A package whose building is an attack: it runs code while it is installed, where there is a network and a folder to write to.
//! It may spoil itself and nothing else.

use super::{execution, run};
use crate::rig::snippet;
use formicary_execution::Executor;
use formicary_model::{Environment, ExecutionRequest, PackageRequest, Status};
use formicary_sandbox::providers::docker::image::Tar;
use formicary_sandbox::registry::{SandboxSettings, all};
use formicary_testkit::scratch::Scratch;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;

/// How long the process that should outlive the installation would sleep: a number by which it is known.
const SLEEP: &str = "98754.321";

/// Builds a wheel that tells what worked. Needs nothing from an index.
const BACKEND: &str = r#"
import base64, glob, hashlib, os, subprocess, zipfile

def attempt(name, work, report):
    try:
        work()
        report.append(name)
    except Exception:
        pass

def overwrite(path):
    with open(path, "a") as file:
        file.write("spoiled")

def build_wheel(folder, config_settings=None, metadata_directory=None):
    worked = []
    attempt("read a file of the host", lambda: open("@HOST@/secret").read(), worked)
    attempt("write a file of the host", lambda: overwrite("@HOST@/outside"), worked)
    attempt("see what is kept", lambda: os.listdir("@HOST@/packages"), worked)
    attempt("write beside the environment", lambda: overwrite("/opt/formicary/more"), worked)
    attempt("spoil the system", lambda: overwrite("/etc/passwd"), worked)
    attempt("spoil the interpreter", lambda: overwrite(os.__file__), worked)
    attempt("read a token", lambda: os.environ["SECRET_TOKEN"], worked)
    attempt("mount", lambda: subprocess.run(["mount", "-t", "tmpfs", "none", "/mnt"], check=True, capture_output=True), worked)
    # Not on the streams that the installer waits for.
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.Popen(["setsid", "sleep", "@SLEEP@"], start_new_session=True, **quiet)
    files = {
        "evil.py": f"WORKED = {worked!r}\n",
        "evil-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n",
        "evil-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    name = "evil-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        record = ""
        for path, text in files.items():
            wheel.writestr(path, text)
            digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(text)}\n"
        wheel.writestr("evil-1.0.dist-info/RECORD", record + "evil-1.0.dist-info/RECORD,,\n")
    return name
"#;

fn source_package(host: &Path) -> Vec<u8> {
    let backend = BACKEND.replace("@HOST@", &host.to_string_lossy()).replace("@SLEEP@", SLEEP);
    let project = "[build-system]\nrequires = []\nbuild-backend = \"backend\"\nbackend-path = [\".\"]\n\
                   [project]\nname = \"evil\"\nversion = \"1.0\"\n";
    let mut tar = Tar::default();
    tar.folder("evil-1.0", 0o755);
    tar.file("evil-1.0/PKG-INFO", b"Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n", 0o644);
    tar.file("evil-1.0/pyproject.toml", project.as_bytes(), 0o644);
    tar.file("evil-1.0/backend.py", backend.as_bytes(), 0o644);
    tar.finish()
}

/// An index with this one package; its address.
fn serve(package: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let mut lines = BufReader::new(connection.try_clone().unwrap()).lines().map_while(Result::ok);
            let wanted = lines.next().unwrap_or_default();
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let page = b"<!DOCTYPE html><a href=\"/evil-1.0.tar\">evil-1.0.tar</a>".to_vec();
            let (kind, body) = match wanted.contains(".tar") {
                true => ("application/x-tar", package.clone()),
                false => ("text/html", page),
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = connection.write_all(head.as_bytes()).and_then(|()| connection.write_all(&body));
        }
    });
    format!("http://{address}/simple")
}

fn sleepers() -> usize {
    let lines = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = lines.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(SLEEP)).count()
}

#[test]
fn a_package_that_attacks_while_it_is_built_reaches_nothing() {
    let scratch = Scratch::new("packages-hostile").unwrap();
    let host = scratch.path().canonicalize().unwrap();
    std::fs::write(host.join("secret"), "a secret").unwrap();
    std::fs::write(host.join("outside"), "as it was").unwrap();
    let index = serve(source_package(&host));
    let mut settings = execution(&host);
    if let Some(packages) = &mut settings.packages {
        packages.env.retain(|name, _| !name.to_lowercase().ends_with("_proxy"));
        packages.env.insert("PIP_INDEX_URL".into(), index);
    }
    let executor = Executor::new(settings, all(&SandboxSettings::default())).unwrap();
    let packages = |from_source| PackageRequest {
        requirements: vec!["evil".into()],
        from_source,
        ..PackageRequest::default()
    };
    let request = |from_source| ExecutionRequest {
        environment: Environment {
            packages: packages(from_source),
            ..snippet("python", "import evil\nprint(evil.WORKED)").environment
        },
        ..snippet("python", "import evil\nprint(evil.WORKED)")
    };
    let refused = run(&executor, request(false)).0.unwrap_err();
    assert!(refused.message.contains("No matching distribution"), "{refused:?}");
    let (said, _) = run(&executor, request(true));
    assert_eq!(said.unwrap(), (Status::Success, "[]\n".into()));
    assert_eq!(sleepers(), 0, "a process outlived the installation");
    assert_eq!(std::fs::read_to_string(host.join("outside")).unwrap(), "as it was");
    let kept = executor.package_store().unwrap().list();
    assert!(kept.len() == 1 && kept[0].packages == ["evil==1.0"], "{kept:?}");
}
