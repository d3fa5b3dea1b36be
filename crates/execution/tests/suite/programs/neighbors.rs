//! What others do on the same host ends no run.
#![expect(clippy::disallowed_types, reason = "the neighbor is a process of its own")]

use crate::rig::{NATIVE, shown, snippet};
use formicary_execution::Live;
use formicary_model::Status;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

/// Takes many locks that hang on an open file and belong to no process: the kernel lists them in every namespace.
const LOCKING: &str = "import fcntl, struct, sys, tempfile\n\
    file = tempfile.NamedTemporaryFile(dir='/var/tmp')\n\
    for at in range(6000):\n\
    \x20   fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, at * 2, 1, 0))\n\
    print('locked', flush=True)\n\
    sys.stdin.read()\n";

#[test]
fn locks_of_another_user_end_no_run() {
    let mut neighbor = Command::new("/usr/bin/python3")
        .args(["-c", LOCKING])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(neighbor.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "locked\n");
    let result = NATIVE.execute(snippet("bash", "sleep 0.5; echo done"), Live::default()).unwrap();
    drop(neighbor.stdin.take());
    neighbor.wait().unwrap();
    assert_eq!((result.status, result.stdout.as_str()), (Status::Success, "done\n"), "{}", shown(&result));
}
