//! Sessions in the native sandbox: what persists, what survives, what is kept apart.

use crate::rig::settings;
use formicary_execution::sessions::{Session, SessionManager, SessionSettings};
use formicary_model::{CellRequest, CellResult, Failure, SessionRequest, SessionState, Status};
use formicary_sandbox::registry::{SandboxSettings, all};
use std::sync::{Arc, LazyLock};

mod apart;
mod state;
mod survival;

static SKIPS: formicary_testkit::skips::Skips = formicary_testkit::skips::Skips::new();
static MANAGER: LazyLock<SessionManager> =
    LazyLock::new(|| manager(SessionSettings { most: 256, ..SessionSettings::default() }));

fn manager(settings_of_sessions: SessionSettings) -> SessionManager {
    SessionManager::new(settings(), settings_of_sessions, all(&SandboxSettings::default())).unwrap()
}

/// A session that is closed at the end of its test.
struct Open(Arc<Session>);

impl Drop for Open {
    fn drop(&mut self) {
        let _ = MANAGER.close(self.0.id());
    }
}

fn open(language: &str) -> Open {
    open_with(language, |_| {})
}

fn open_with(language: &str, change: impl FnOnce(&mut SessionRequest)) -> Open {
    let mut request = SessionRequest { language: language.into(), ..SessionRequest::default() };
    change(&mut request);
    let info = MANAGER.create(request).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert_eq!(info.state, SessionState::Ready);
    Open(MANAGER.find(&info.id).unwrap())
}

impl Open {
    fn run(&self, code: &str) -> CellResult {
        self.try_run(code).unwrap_or_else(|failure| panic!("{code}: {failure:?}"))
    }

    fn try_run(&self, code: &str) -> Result<CellResult, Failure> {
        self.0.run(&CellRequest { code: code.into(), ..CellRequest::default() })
    }

    fn run_for(&self, code: &str, seconds: f64) -> CellResult {
        let cell = CellRequest { code: code.into(), wall_seconds: Some(seconds), ..CellRequest::default() };
        self.0.run(&cell).unwrap_or_else(|failure| panic!("{code}: {failure:?}"))
    }

    /// Runs a cell that succeeds, and checks what it printed and its value.
    fn check(&self, code: &str, printed: &str, value: Option<&str>) {
        let result = self.run(code);
        assert_eq!(result.status, Status::Success, "{code}: {result:?}");
        assert_eq!(result.stdout, printed, "{code}: {result:?}");
        assert!(!result.state_lost, "{code}: {result:?}");
        let shown = result.value.as_ref().map(|value| value["text/plain"].as_str());
        assert_eq!(shown, value, "{code}: {result:?}");
    }

    /// Runs a cell that does not succeed.
    fn fails(&self, code: &str, status: Status) -> CellResult {
        let result = self.run(code);
        assert_eq!(result.status, status, "{code}: {result:?}");
        assert!(result.error_message.is_some(), "{code}: {result:?}");
        result
    }
}
