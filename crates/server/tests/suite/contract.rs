//! The description and the server against each other: schemathesis makes requests from the one and judges the other.

use crate::door::Door;
use formicary_platform::keys::{Quota, Scope};
use formicary_server::serve;
use formicary_testkit::skips::Skips;
use std::path::PathBuf;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// The venv that `./test` makes.
const VENV: &str = "FORMICARY_TEST_VENV";

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "the test command says where its tools are")]
#[expect(clippy::disallowed_types, reason = "a tool of the tests', not a program of a user's")]
async fn schemathesis_finds_no_violation() {
    let skips = Skips::new();
    let program = std::env::var_os(VENV).map(|venv| PathBuf::from(venv).join("bin/schemathesis"));
    let Some(program) = program.filter(|program| program.exists()) else {
        skips.note("schemathesis_finds_no_violation", "schemathesis is not installed; ./test does that");
        return;
    };
    let (door, keys) = Door::keyed(&[("all", &Scope::ALL, Quota::default())]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let app = door.app.clone();
    let serving = tokio::spawn(async move {
        let stop = async {
            let _ = stopped.await;
        };
        serve::run(&app, listener, None, stop, Duration::from_millis(500)).await;
    });
    let folder = tempfile::tempdir().unwrap();
    let settings = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/schemathesis.toml");
    let output = tokio::task::spawn_blocking({
        let folder = folder.path().to_owned();
        let key = keys[0].clone();
        move || {
            std::process::Command::new(program)
                .arg("--config-file")
                .arg(settings)
                .arg("run")
                .arg(format!("http://{address}/openapi.json"))
                .args(["--header", &format!("Authorization: Bearer {key}")])
                .current_dir(folder)
                .output()
                .unwrap()
        }
    })
    .await
    .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    stop.send(()).unwrap();
    serving.await.unwrap();
}
