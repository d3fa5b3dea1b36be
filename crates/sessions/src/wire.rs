//! What is said on the socket: one question and one answer to a connection, each JSON with four bytes of length.

use formicary_model::{
    Artifact, CellRequest, CellResult, Failure, SessionFile, SessionInfo, SessionRequest, SourceFile, Stream,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

/// Bytes of one message at the most.
const LARGEST: u32 = 256 * 1024 * 1024;

/// The version that both sides must have.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A question, with who asks.
#[derive(Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The asker's version.
    pub version: String,
    /// The question.
    pub ask: Ask,
}

/// What can be asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Make a session.
    Create(Box<SessionRequest>),
    /// Run a cell.
    Run {
        /// The session.
        id: String,
        /// The cell.
        cell: CellRequest,
        /// Whether output is wanted as it comes.
        watch: bool,
    },
    /// Interrupt the cell that runs.
    Interrupt {
        /// The session.
        id: String,
    },
    /// List the files.
    Files {
        /// The session.
        id: String,
    },
    /// Write files.
    Put {
        /// The session.
        id: String,
        /// The files.
        files: Vec<SourceFile>,
    },
    /// Read a file.
    Get {
        /// The session.
        id: String,
        /// Its path.
        path: String,
    },
    /// Remove files.
    Remove {
        /// The session.
        id: String,
        /// Their paths.
        paths: Vec<String>,
    },
    /// List the sessions.
    List,
    /// Forget the state, keep the files.
    Reset {
        /// The session.
        id: String,
    },
    /// End a session.
    Close {
        /// The session.
        id: String,
    },
}

/// What is answered.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A session.
    Session(SessionInfo),
    /// Output of a cell that still runs; another answer follows.
    Output {
        /// Where it went.
        stream: Stream,
        /// The bytes.
        #[serde(with = "formicary_model::request::bytes")]
        data: Vec<u8>,
    },
    /// What came of a cell.
    Cell(Box<CellResult>),
    /// Whether there was something to interrupt.
    Interrupted(bool),
    /// Files.
    Files(Vec<SessionFile>),
    /// A file with its bytes.
    File(Artifact),
    /// Sessions.
    Sessions(Vec<SessionInfo>),
    /// It is done.
    Done,
    /// It failed.
    Failed(Failure),
}

/// Writes one message.
pub fn send(stream: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).ok().filter(|length| *length <= LARGEST);
    let length = length.ok_or_else(|| io::Error::other("the message is too large"))?;
    stream.write_all(&length.to_le_bytes())?;
    stream.write_all(&body)?;
    stream.flush()
}

/// Reads one message.
pub fn receive<T: DeserializeOwned>(stream: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too large"));
    }
    let mut body = Vec::new();
    stream.take(length.into()).read_to_end(&mut body)?;
    serde_json::from_slice(&body).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip_and_garbage_is_refused() {
        let mut bytes = Vec::new();
        send(&mut bytes, &Asked { version: VERSION.into(), ask: Ask::Close { id: "a".into() } }).unwrap();
        let asked: Asked = receive(&mut bytes.as_slice()).unwrap();
        assert!(matches!(asked.ask, Ask::Close { id } if id == "a"));
        for garbage in [&b""[..], b"\xff\xff\xff\xff", b"\x02\0\0\0{", b"\x02\0\0\0[]"] {
            assert!(receive::<Asked>(&mut &garbage[..]).is_err(), "{garbage:?}");
        }
    }
}
