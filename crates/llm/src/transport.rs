//! One HTTP exchange: a JSON body out, a stream in. A thread reads, so that whoever waits can stop waiting.

use crate::endpoint::Patience;
use crate::model::Listener;
use crate::{ErrorKind, ModelError};
use std::io::Read as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Bytes of a refusal that are read.
const MOST_OF_REFUSAL: u64 = 64 * 1024;
/// How often somebody who waits looks whether to stop.
const GLANCE: Duration = Duration::from_millis(40);

/// What came first.
#[derive(Debug)]
pub(crate) struct Head {
    pub status: u16,
    pub content_type: String,
    pub retry_after: Option<String>,
}

enum Said {
    Head(Head),
    Bytes(Vec<u8>),
    Ended,
    Failed(ModelError),
}

/// An exchange under way.
pub(crate) struct Exchange {
    from: Receiver<Said>,
    until: Instant,
    idle: Duration,
}

/// An agent that follows nothing of the environment.
pub(crate) fn agent(proxy: Option<&str>, patience: &Patience) -> Result<ureq::Agent, ModelError> {
    let proxy = proxy.map(ureq::Proxy::new).transpose().map_err(|error| {
        ModelError::new(ErrorKind::Configuration, format!("the proxy cannot be used: {error}"))
    })?;
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .proxy(proxy)
        // A key must not follow a redirection to somebody else.
        .max_redirects(0)
        .timeout_connect(Some(patience.connect))
        .timeout_global(Some(patience.whole))
        .user_agent(concat!("formicary/", env!("CARGO_PKG_VERSION")))
        .build();
    Ok(config.new_agent())
}

/// Sends a body.
pub(crate) fn send(
    agent: &ureq::Agent,
    url: &str,
    headers: &[(&'static str, String)],
    body: Vec<u8>,
    patience: &Patience,
) -> Exchange {
    let (to, from) = sync_channel(64);
    let mut request = agent.post(url).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    // The thread ends with the answer, with the time-out, or as soon as nobody listens.
    std::thread::spawn(move || exchange(request, &body, &to));
    Exchange { from, until: Instant::now() + patience.whole, idle: patience.idle }
}

fn exchange(request: ureq::RequestBuilder<ureq::typestate::WithBody>, body: &[u8], to: &SyncSender<Said>) {
    let response = match request.send(body) {
        Ok(response) => response,
        Err(error) => {
            let _ = to.send(Said::Failed(trouble(&error)));
            return;
        }
    };
    let header = |name: &str| {
        let value = response.headers().get(name).and_then(|value| value.to_str().ok());
        value.map(str::to_owned)
    };
    let head = Head {
        status: response.status().as_u16(),
        content_type: header("content-type").unwrap_or_default(),
        retry_after: header("retry-after"),
    };
    if to.send(Said::Head(head)).is_err() {
        return;
    }
    let mut reader = response.into_body().into_reader();
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let said = match reader.read(&mut buffer) {
            Ok(0) => Said::Ended,
            Ok(count) => Said::Bytes(buffer[..count].to_vec()),
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                Said::Failed(ModelError::new(ErrorKind::TimedOut, "the answer took too long"))
            }
            Err(error) => Said::Failed(ModelError::new(
                ErrorKind::Cut,
                format!("the connection broke in the middle of the answer: {error}"),
            )),
        };
        let last = !matches!(said, Said::Bytes(_));
        if to.send(said).is_err() || last {
            return;
        }
    }
}

fn trouble(error: &ureq::Error) -> ModelError {
    let kind = match error {
        ureq::Error::Timeout(_) => ErrorKind::TimedOut,
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => {
            ErrorKind::Configuration
        }
        ureq::Error::Protocol(_) => ErrorKind::Malformed,
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => ErrorKind::TimedOut,
        ureq::Error::Io(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::UnexpectedEof
                    | std::io::ErrorKind::ConnectionReset
                    | std::io::ErrorKind::BrokenPipe
            ) =>
        {
            ErrorKind::Cut
        }
        _ => ErrorKind::Unreachable,
    };
    ModelError::new(kind, error.to_string())
}

impl Exchange {
    fn next(&self, listener: Listener<'_>) -> Result<Said, ModelError> {
        let since = Instant::now();
        loop {
            match self.from.recv_timeout(GLANCE) {
                Ok(said) => return Ok(said),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ModelError::new(ErrorKind::Cut, "the answer ended without its end"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if (listener.cancelled)() {
                return Err(ModelError::new(ErrorKind::Cancelled, "called off"));
            }
            let (idle, whole) = (since.elapsed() > self.idle, Instant::now() > self.until);
            if idle || whole {
                let what = if whole { "the answer took too long" } else { "the model fell silent" };
                return Err(ModelError::new(ErrorKind::TimedOut, what));
            }
        }
    }

    /// Status and headers.
    pub fn head(&self, listener: Listener<'_>) -> Result<Head, ModelError> {
        match self.next(listener)? {
            Said::Head(head) => Ok(head),
            Said::Failed(error) => Err(error),
            Said::Bytes(_) | Said::Ended => Err(ModelError::new(ErrorKind::Malformed, "no answer came")),
        }
    }

    /// The next bytes; nothing at the end.
    pub fn bytes(&self, listener: Listener<'_>) -> Result<Option<Vec<u8>>, ModelError> {
        match self.next(listener)? {
            Said::Bytes(bytes) => Ok(Some(bytes)),
            Said::Ended => Ok(None),
            Said::Failed(error) => Err(error),
            Said::Head(_) => Err(ModelError::new(ErrorKind::Malformed, "the answer began twice")),
        }
    }

    /// The body of a refusal, as far as it is worth reading.
    pub fn refusal(&self, listener: Listener<'_>) -> String {
        let mut body = Vec::new();
        while let Ok(Some(bytes)) = self.bytes(listener) {
            body.extend(bytes);
            if body.len() as u64 > MOST_OF_REFUSAL {
                break;
            }
        }
        String::from_utf8_lossy(&body).into_owned()
    }
}
