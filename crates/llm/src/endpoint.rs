//! Where a model is reached, and how patiently.

use std::time::Duration;

/// A key. It can be sent; it cannot be shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A key from its text, without the white space that files have around it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The key itself: for a header, and for finding it where it must not be.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How long is waited, and how often asked again.
#[derive(Debug, Clone, PartialEq)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For the whole answer.
    pub whole: Duration,
    /// For the next piece of it.
    pub idle: Duration,
    /// Times that a request is sent anew.
    pub retries: u32,
    /// The first pause; it doubles each time.
    pub first_pause: Duration,
    /// The longest pause, also where the provider asks for a longer one.
    pub longest_pause: Duration,
    /// Requests in a minute; nothing for as many as there are.
    pub requests_per_minute: Option<u32>,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            whole: Duration::from_secs(600),
            idle: Duration::from_secs(120),
            retries: 4,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(60),
            requests_per_minute: None,
        }
    }
}

/// A model's address.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The address that paths of the wire format are added to: `https://api.openai.com/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// The key, where one is needed.
    pub key: Option<Secret>,
    /// A proxy: `http://host:port`, `socks5://…`.
    pub proxy: Option<String>,
    /// Time-outs and retries.
    pub patience: Patience,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let endpoint = Endpoint {
            base_url: "http://h".into(),
            model: "m".into(),
            key: Some(Secret::new(" sk-verysecret\n")),
            proxy: None,
            patience: Patience::default(),
        };
        assert!(!format!("{endpoint:?}").contains("verysecret"));
        assert_eq!(endpoint.key.as_ref().map(Secret::expose), Some("sk-verysecret"));
    }
}
