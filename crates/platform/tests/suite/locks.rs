//! Lock files as the tools themselves wrote them, installed from the real index: what was locked is there, what is for
//! developers is not.

use crate::configuration::Host;
use formicary_model::{Environment, ExecutionRequest, Source, Status};
use formicary_platform::config::Configuration;
use formicary_platform::packages::list;
use formicary_platform::{Live, Platform};
use formicary_testkit::skips::Skips;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

static SKIPS: Skips = Skips::new();
/// What the host's pip would be told.
const PASSED_ON: [&str; 8] = [
    "PIP_INDEX_URL",
    "PIP_CERT",
    "UV_DEFAULT_INDEX",
    "https_proxy",
    "HTTPS_PROXY",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "PIP_TRUSTED_HOST",
];
const PROGRAM: &str = "import six\nfrom importlib.metadata import distributions\n\
                       print(*sorted(d.name.lower() for d in distributions() if 'venv' in str(d.locate_file(''))))\n\
                       print(six.__version__)\n";

#[expect(clippy::disallowed_methods, reason = "the index is the one that the host's pip would ask")]
fn of_the_host(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn index_answers() -> bool {
    let addresses = || "pypi.org:443".to_socket_addrs().into_iter().flatten();
    PASSED_ON.iter().any(|name| of_the_host(name).is_some())
        || addresses().any(|address| TcpStream::connect_timeout(&address, Duration::from_secs(5)).is_ok())
}

#[test]
fn what_was_locked_is_what_is_installed() {
    if !index_answers() {
        return SKIPS
            .note("what_was_locked_is_what_is_installed", "the package index cannot be reached from here");
    }
    let mut host = Host::new();
    for name in PASSED_ON {
        if let Some(value) = of_the_host(name) {
            host = host.variable(name, &value);
        }
    }
    let sources = host.sources();
    let platform = Platform::new(Configuration::load(&sources).unwrap(), &sources).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locks");
    std::thread::scope(|scope| {
        for name in ["uv.lock", "poetry.lock", "Pipfile.lock", "pylock.toml"] {
            let (platform, file) = (&platform, folder.join(name));
            scope.spawn(move || {
                let packages = list::read(&[format!("{}", file.display())], false, None).unwrap();
                let request = ExecutionRequest {
                    language: Some("python".into()),
                    source: Source::code(PROGRAM),
                    environment: Environment { packages, ..platform.new_request().environment },
                    ..platform.new_request()
                };
                let result =
                    platform.execute_as(&formicary_platform::local_caller(), request, Live::default());
                let result = result.unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
                let said = (result.status, result.stdout.as_str());
                assert_eq!(said, (Status::Success, "iniconfig six\n1.17.0\n"), "{name}: {}", result.stderr);
            });
        }
    });
}
