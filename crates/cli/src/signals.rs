//! Ctrl-C and its kin end the run, not only us: the run is cancelled, and what it left is cleaned up.

use formicary_platform::{Cancel, exit};
use std::time::Duration;

/// How long a cancelled run may take to clean up before we leave anyway. What is left then dies with us.
const PATIENCE: Duration = Duration::from_secs(5);

/// Cancels the run on SIGINT, SIGTERM and SIGHUP; a second signal, or a clean-up that takes too long, ends us at once.
pub fn cancel_on_signal(cancel: &Cancel) {
    let cancel = cancel.clone();
    // A handler is already set: then the first one does the same.
    let _ = ctrlc::set_handler(move || {
        if cancel.is_cancelled() {
            std::process::exit(i32::from(exit::CANCELLED));
        }
        cancel.cancel();
        // On a host that is out of processes nobody waits: a second signal still ends us.
        let _ = std::thread::Builder::new().spawn(|| {
            std::thread::sleep(PATIENCE);
            std::process::exit(i32::from(exit::CANCELLED));
        });
    });
}
