//! A session: what the engine asks of the guest agent, and what the agent reports. All that comes from it is checked outside:
//! the code beside it may have taken it over, and can then hurt its own session alone.

use super::Entry;
use serde::{Deserialize, Serialize};

/// Bytes of one message at most. Larger files are not moved by message.
pub const LARGEST: usize = 80 * 1024 * 1024;

/// The variable that tells the interpreter's driver on which descriptor it answers.
pub const REPLY_VARIABLE: &str = "FORMICARY_REPLY_FD";
/// The variable that tells it where its orders come from, unless they come on standard input.
pub const ORDERS_VARIABLE: &str = "FORMICARY_ORDERS_FD";

/// Where the interpreter's driver takes its orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrdersOn {
    /// On standard input, for a shell that reads what it is to do from there.
    StandardInput,
    /// On a descriptor of their own; standard input is empty.
    Descriptor,
}

/// What the engine asks of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Ends every process but the agent, then starts this program as the interpreter.
    Start {
        /// Program and arguments.
        command: Vec<String>,
        /// Where its driver takes orders.
        orders: OrdersOn,
        /// Told with everything that this interpreter does: a word of the one before it may still be under way.
        number: u64,
    },
    /// Bytes for the interpreter's driver.
    Give(Vec<u8>),
    /// Interrupts the interpreter and what it runs in the foreground.
    Interrupt,
    /// Ends every process but the agent.
    Kill,
    /// Writes a file in the working folder.
    Put {
        /// Path relative to it; checked by the engine.
        path: String,
        /// Whether it may be executed.
        executable: bool,
        /// Its bytes.
        content: Vec<u8>,
    },
    /// Asks for a file of the working folder.
    Get {
        /// Path relative to it.
        path: String,
        /// Bytes at the most.
        most: u64,
    },
    /// Removes a file of the working folder.
    Remove {
        /// Path relative to it.
        path: String,
    },
    /// Asks for the names of the files in the working folder.
    List {
        /// Names at the most.
        most: u64,
    },
}

/// What the agent reports to the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Report {
    /// The interpreter, or one of its children, wrote to standard output.
    Output(Vec<u8>),
    /// The same for standard error.
    Error(Vec<u8>),
    /// An answer of the interpreter's driver. What was written before it has been told before it.
    Reply {
        /// Which interpreter.
        number: u64,
        /// What it said.
        bytes: Vec<u8>,
    },
    /// The interpreter ended.
    Ended {
        /// Which one.
        number: u64,
        /// With this code,
        code: Option<i32>,
        /// or by this signal.
        signal: Option<i32>,
    },
    /// The interpreter could not be started.
    NotStarted(String),
    /// A file was written.
    Written,
    /// A file was removed.
    Removed,
    /// A file's bytes.
    File {
        /// Its bytes.
        content: Vec<u8>,
        /// Whether its owner may execute it.
        executable: bool,
    },
    /// The ordinary files in the working directory, in order of their paths.
    Files(Vec<Entry>),
    /// A file could not be read or written.
    Refused(String),
}
