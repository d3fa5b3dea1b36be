//! The connection to NATS: credentials and certificates passed through, reconnecting for ever, secrets in no message.

use crate::error::ClusterError;
use crate::settings::ClusterSettings;
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use std::time::Duration;
use tokio::sync::watch;

/// A peer that says nothing for two of these is gone.
const PING_EVERY: Duration = Duration::from_secs(5);
const CONNECT_WITHIN: Duration = Duration::from_secs(5);

/// Connects. The number counts connections: it changes when a lost one is back.
pub async fn connect(settings: &ClusterSettings) -> Result<(Client, watch::Receiver<u64>), ClusterError> {
    settings.check()?;
    let addresses = addresses(settings)?;
    let (count, connections) = watch::channel(0_u64);
    let mut options = ConnectOptions::new()
        .name("formicary")
        .ping_interval(PING_EVERY)
        .connection_timeout(CONNECT_WITHIN)
        .reconnect_delay_callback(|attempt| Duration::from_millis((attempt as u64 * 100).min(2_000)))
        .event_callback(move |event| {
            match &event {
                Event::Connected => count.send_modify(|count| *count += 1),
                // What a server says may hold names, never secrets.
                other => tracing::debug!(%other, "the connection to the queue"),
            }
            std::future::ready(())
        });
    options = match addresses.iter().find_map(login) {
        Some(Login::Person { name, password }) => options.user_and_password(name, password),
        Some(Login::Token(token)) => options.token(token),
        None => options,
    };
    if let Some(path) = &settings.credentials {
        options = options.credentials_file(path).await.map_err(|error| {
            ClusterError::invalid(
                format!("credentials file {} cannot be used: {error}", path.display()),
                "give a NATS .creds file that you may read",
            )
        })?;
    }
    let files = settings.ca.iter().chain(settings.identity.iter().flat_map(|(cert, key)| [cert, key]));
    for path in files {
        tokio::fs::metadata(path).await.map_err(|error| {
            ClusterError::invalid(
                format!("TLS file {} cannot be read: {error}", path.display()),
                "give PEM files that exist and that you may read",
            )
        })?;
    }
    if let Some(ca) = &settings.ca {
        options = options.add_root_certificates(ca.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &settings.identity {
        options = options.add_client_certificate(certificate.clone(), key.clone()).require_tls(true);
    }
    let client = options
        .connect(addresses)
        .await
        .map_err(|error| ClusterError::Unreachable { address: settings.shown(), why: why(&error) })?;
    Ok((client, connections))
}

fn addresses(settings: &ClusterSettings) -> Result<Vec<ServerAddr>, ClusterError> {
    let parse = |text: &str| {
        text.trim().parse::<ServerAddr>().map_err(|error| {
            let shown = ClusterSettings::at(text).shown();
            ClusterError::invalid(
                format!("the cluster's address {shown} is wrong: {error}"),
                "write nats://HOST:PORT, or tls://HOST:PORT",
            )
        })
    };
    settings.url.split(',').map(parse).collect()
}

enum Login {
    Person { name: String, password: String },
    Token(String),
}

/// Who an address says that we are: the client library leaves that to its caller.
fn login(address: &ServerAddr) -> Option<Login> {
    let name = decoded(address.username()?);
    Some(match address.password() {
        Some(password) => Login::Person { name, password: decoded(password) },
        None => Login::Token(name),
    })
}

/// Text with its `%41` made characters again.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The error with its causes: the outermost alone says little.
fn why(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_are_read_from_addresses() {
        let cases = [
            ("nats://a:1", None),
            ("nats://ann:s3%40cret@a:1", Some("ann/s3@cret")),
            ("nats://t%zzken@a:1", Some("t%zzken")),
        ];
        for (address, expected) in cases {
            let found = login(&address.parse().unwrap()).map(|login| match login {
                Login::Person { name, password } => format!("{name}/{password}"),
                Login::Token(token) => token,
            });
            assert_eq!(found.as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_wrong_address_is_named_without_its_secrets() {
        for address in ["http://ann:s3cret@a", "nats://ann:s3cret@a:port", "nats://ann:s3cret@"] {
            let error = addresses(&ClusterSettings::at(address)).err().map(|error| error.to_string());
            let error = error.unwrap_or_default();
            assert!(error.contains("address") && !error.contains("s3cret"), "{address}: {error}");
        }
    }
}
