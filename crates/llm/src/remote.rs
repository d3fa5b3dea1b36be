//! A model at the other end of a wire: one request, sent anew where that helps.

use crate::endpoint::Endpoint;
use crate::model::{Capabilities, Listener, Model};
use crate::sse::Events;
use crate::transport::{self, Head};
use crate::wires::{self, Reader, Wire, WireFormat};
use crate::{Answer, ErrorKind, ModelError, Request};
use serde_json::Value;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

/// Bytes of an answer that came in one piece.
const MOST_OF_WHOLE: usize = 64 * 1024 * 1024;

/// Seconds: what is more than that is no time to wait, and must not overflow one.
const A_CENTURY: f64 = 3.2e9;

/// A model that is reached over HTTP.
pub struct Remote {
    format: WireFormat,
    wire: &'static dyn Wire,
    endpoint: Endpoint,
    capabilities: Capabilities,
    agent: ureq::Agent,
    free_at: Mutex<Option<Instant>>,
}

impl Remote {
    /// A model at this address.
    pub fn new(
        format: WireFormat,
        endpoint: Endpoint,
        capabilities: Capabilities,
    ) -> Result<Self, ModelError> {
        let agent = transport::agent(endpoint.proxy.as_deref(), &endpoint.patience)?;
        let known = endpoint.base_url.starts_with("http://") || endpoint.base_url.starts_with("https://");
        if !known {
            let message =
                format!("{:?} is not an address: it begins with http:// or https://", endpoint.base_url);
            return Err(ModelError::new(ErrorKind::Configuration, message));
        }
        Ok(Self {
            format,
            wire: wires::wire(format),
            endpoint,
            capabilities,
            agent,
            free_at: Mutex::new(None),
        })
    }

    fn once(&self, body: &[u8], listener: Listener<'_>) -> Result<Answer, ModelError> {
        let Endpoint { base_url, model, key, patience, .. } = &self.endpoint;
        let url = self.wire.url(base_url, model);
        let headers = self.wire.headers(key.as_ref(), base_url);
        let exchange = transport::send(&self.agent, &url, &headers, body.to_vec(), patience);
        let head = exchange.head(listener)?;
        if !(200..300).contains(&head.status) {
            return Err(refused(&head, &exchange.refusal(listener), model, &self.endpoint));
        }
        let mut reader = self.wire.reader();
        if head.content_type.contains("json") && !head.content_type.contains("event-stream") {
            let mut body = Vec::new();
            while let Some(bytes) = exchange.bytes(listener)? {
                body.extend(bytes);
                if body.len() > MOST_OF_WHOLE {
                    return Err(ModelError::new(ErrorKind::Malformed, "the answer is too large"));
                }
            }
            let value: Value = serde_json::from_slice(&body).map_err(|error| malformed(&error))?;
            reader.whole(&value)?;
            let answer = reader.finish()?;
            (listener.text)(&answer.text);
            return Ok(answer);
        }
        let mut events = Events::default();
        while let Some(bytes) = exchange.bytes(listener)? {
            let found = events.push(&bytes).map_err(|why| ModelError::new(ErrorKind::Malformed, why))?;
            for event in found {
                feed(reader.as_mut(), &event.name, &event.data, listener)?;
            }
        }
        for event in events.rest() {
            feed(reader.as_mut(), &event.name, &event.data, listener)?;
        }
        reader.finish()
    }

    fn wait_for_turn(&self, listener: Listener<'_>) -> Result<(), ModelError> {
        let Some(per_minute) = self.endpoint.patience.requests_per_minute.filter(|count| *count > 0) else {
            return Ok(());
        };
        let apart = Duration::from_secs_f64(60.0 / f64::from(per_minute));
        let now = Instant::now();
        let turn = {
            let mut free_at = self.free_at.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let turn = free_at.map_or(now, |at| at.max(now));
            *free_at = Some(turn + apart);
            turn
        };
        pause(turn.saturating_duration_since(now), listener)
    }
}

impl Model for Remote {
    fn name(&self) -> String {
        format!("{}:{}", self.format.word(), self.endpoint.model)
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn ask(&self, request: &Request, listener: Listener<'_>) -> Result<Answer, ModelError> {
        let value = self.wire.body(&self.endpoint.model, request);
        let body = serde_json::to_vec(&value)
            .map_err(|error| ModelError::new(ErrorKind::BadRequest, error.to_string()))?;
        let patience = &self.endpoint.patience;
        let mut tried = 0;
        loop {
            self.wait_for_turn(listener)?;
            let error = match self.once(&body, listener) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            // A server that is not there seldom comes up while one waits.
            let most =
                if error.kind == ErrorKind::Unreachable { patience.retries.min(2) } else { patience.retries };
            let error = told(error, &self.endpoint);
            if !error.is_passing() || tried >= most {
                return Err(error);
            }
            let wait = back_off(patience.first_pause, tried, patience.longest_pause);
            let wait = match error.retry_after.map(Duration::from_secs_f64) {
                Some(asked) if asked > patience.longest_pause => return Err(error),
                // The provider knows best, and everybody who was told the same should not come at once.
                Some(asked) => asked + wait.min(Duration::from_millis(250)),
                None => wait,
            };
            (listener.retry)(&error, wait.as_secs_f64());
            pause(wait, listener)?;
            tried += 1;
        }
    }
}

/// A pause that doubles each time, of which a random part is left out.
fn back_off(first: Duration, tried: u32, longest: Duration) -> Duration {
    let whole = first.saturating_mul(1 << tried.min(16)).min(longest);
    let mut bytes = [0; 2];
    // Without random numbers everybody waits equally long.
    let part = getrandom::fill(&mut bytes).map_or(1.0, |()| f64::from(u16::from_le_bytes(bytes)) / 65535.0);
    whole.mul_f64(0.5 + part / 2.0)
}

fn pause(length: Duration, listener: Listener<'_>) -> Result<(), ModelError> {
    let until = Instant::now() + length;
    loop {
        if (listener.cancelled)() {
            return Err(ModelError::new(ErrorKind::Cancelled, "called off"));
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(Duration::from_millis(40)));
    }
}

fn feed(reader: &mut dyn Reader, name: &str, data: &str, listener: Listener<'_>) -> Result<(), ModelError> {
    if data.trim() == "[DONE]" {
        reader.done();
        return Ok(());
    }
    let value: Value = serde_json::from_str(data).map_err(|error| malformed(&error))?;
    if let Some(message) = said_error(&value) {
        let kind = match value["error"]["type"].as_str().or(value["error"]["code"].as_str()) {
            Some(word) if word.contains("rate") => ErrorKind::RateLimited,
            _ => ErrorKind::Overloaded,
        };
        return Err(ModelError::new(kind, format!("the provider broke off: {message}")));
    }
    reader.event(name, &value, listener.text)
}

fn malformed(error: &serde_json::Error) -> ModelError {
    ModelError::new(ErrorKind::Malformed, format!("the answer is not JSON: {error}"))
}

fn said_error(value: &Value) -> Option<String> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let message = error.get("message").and_then(Value::as_str).or_else(|| error.as_str());
    Some(shortened(message.unwrap_or("without a reason")))
}

fn shortened(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect()
}

/// What a refusal means.
fn refused(head: &Head, body: &str, model: &str, endpoint: &Endpoint) -> ModelError {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    // Gemini may wrap its error in a list.
    let parsed = parsed.map(|value| value.get(0).cloned().unwrap_or(value));
    let said = parsed.as_ref().and_then(said_error).unwrap_or_else(|| shortened(body.trim()));
    let low = said.to_lowercase();
    let kind = match head.status {
        401 | 403 => ErrorKind::InvalidKey,
        400 if low.contains("api key") => ErrorKind::InvalidKey,
        404 => ErrorKind::UnknownModel,
        400 | 422 if low.contains("model") && (low.contains("not found") || low.contains("not exist")) => {
            ErrorKind::UnknownModel
        }
        400 | 413 if low.contains("context") || low.contains("too long") || low.contains("maximum") => {
            ErrorKind::TooLong
        }
        408 | 504 => ErrorKind::TimedOut,
        429 if low.contains("quota") && head.retry_after.is_none() => ErrorKind::InvalidKey,
        429 => ErrorKind::RateLimited,
        300..=399 => ErrorKind::Configuration,
        400..=499 => ErrorKind::BadRequest,
        _ => ErrorKind::Overloaded,
    };
    let what = match kind {
        ErrorKind::InvalidKey if endpoint.key.is_none() => {
            "no key was given and the provider wants one".to_owned()
        }
        ErrorKind::InvalidKey => "the provider does not take the key".to_owned(),
        ErrorKind::UnknownModel => format!("the provider does not know {model:?}"),
        ErrorKind::RateLimited => "too many requests".to_owned(),
        ErrorKind::Overloaded => "the provider has trouble".to_owned(),
        _ => "the provider does not take the request".to_owned(),
    };
    let message = format!("{what} (HTTP {}): {said}", head.status);
    let retry_after = head.retry_after.as_deref().and_then(|text| come_back(text, SystemTime::now()));
    ModelError { retry_after, ..ModelError::new(kind, message) }
}

/// Seconds until the provider wants to be asked again: it says how many, or the date. A date that has passed means now.
fn come_back(text: &str, now: SystemTime) -> Option<f64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Some(seconds).filter(|seconds| (0.0..=A_CENTURY).contains(seconds));
    }
    let then = httpdate::parse_http_date(text).ok()?;
    Some(then.duration_since(now).unwrap_or_default().as_secs_f64())
}

/// The error as people may read it: with the address where nobody is, without the key, which some servers repeat.
fn told(mut error: ModelError, endpoint: &Endpoint) -> ModelError {
    if error.kind == ErrorKind::Unreachable {
        let address = endpoint.base_url.rsplit('@').next().unwrap_or_default();
        error.message = format!("nobody answers at {address}: {}", error.message);
    }
    if let Some(key) = endpoint.key.as_ref().map(crate::Secret::expose).filter(|key| key.len() >= 4) {
        error.message = error.message.replace(key, "[key]");
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_to_come_back_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_770);
        for (text, expected) in [
            ("3", Some(3.0)),
            (" 0.5 ", Some(0.5)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(7.0)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(7.0)),
            ("Sun Nov  6 08:49:37 1994", Some(7.0)),
            ("Sun, 06 Nov 1994 08:49:00 GMT", Some(0.0)),
            ("-1", None),
            ("inf", None),
            ("1e300", None),
            ("NaN", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(come_back(text, now), expected, "{text:?}");
        }
    }

    #[test]
    fn pauses_grow_and_stay_bounded() {
        let (first, longest) = (Duration::from_millis(100), Duration::from_secs(1));
        for tried in 0..40 {
            let pause = back_off(first, tried, longest);
            let whole = first.saturating_mul(1 << tried.min(16)).min(longest);
            assert!(pause >= whole / 2 && pause <= whole, "{tried}: {pause:?}");
        }
    }
}
