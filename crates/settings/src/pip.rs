//! Index, proxies and certificates, as this host's pip and uv would have them: from the configuration, from the
//! environment, from pip's own files; the first that speaks wins.

use crate::ConfigSources;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Options of pip that choose where packages come from and how they are fetched, by their names in pip's files.
const PIP_OPTIONS: [&str; 12] = [
    "index-url",
    "extra-index-url",
    "find-links",
    "no-index",
    "trusted-host",
    "cert",
    "client-cert",
    "proxy",
    "timeout",
    "default-timeout",
    "retries",
    "pre",
];
/// The same for uv, by its variables.
const UV_VARIABLES: [&str; 10] = [
    "UV_DEFAULT_INDEX",
    "UV_INDEX_URL",
    "UV_INDEX",
    "UV_EXTRA_INDEX_URL",
    "UV_FIND_LINKS",
    "UV_NO_INDEX",
    "UV_INSECURE_HOST",
    "UV_NATIVE_TLS",
    "UV_HTTP_TIMEOUT",
    "UV_INDEX_STRATEGY",
];
/// Variables that many programs understand.
const COMMON_VARIABLES: [&str; 11] = [
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
];
/// Variables whose values are files or folders of the host.
const PATHS: [&str; 7] = [
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_FIND_LINKS",
    "UV_FIND_LINKS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
];
/// What every sandbox shows anyway.
const SHOWN_ANYWAY: [&str; 2] = ["/usr", "/etc/ssl/certs"];
/// What uv calls the same thing.
const SAME: [(&str, &str); 4] = [
    ("PIP_INDEX_URL", "UV_DEFAULT_INDEX"),
    ("PIP_EXTRA_INDEX_URL", "UV_INDEX"),
    ("PIP_FIND_LINKS", "UV_FIND_LINKS"),
    ("PIP_CERT", "SSL_CERT_FILE"),
];

/// Every variable of the environment that has a say: a server that is started for the user needs them too.
pub fn variables() -> impl Iterator<Item = String> {
    let pip = PIP_OPTIONS.iter().map(|option| variable(option));
    let others = UV_VARIABLES.iter().chain(&COMMON_VARIABLES).map(ToString::to_string);
    pip.chain(others).chain(["PIP_CONFIG_FILE".to_string(), "XDG_CACHE_HOME".to_string()])
}

/// The installer's environment, and the files of the host that it names.
pub fn environment(index_url: &str, sources: &ConfigSources) -> (BTreeMap<String, String>, Vec<PathBuf>) {
    let mut found = BTreeMap::new();
    for file in pip_files(sources) {
        for (option, value) in
            std::fs::read_to_string(file).map(|text| pip_options(&text)).unwrap_or_default()
        {
            found.insert(variable(&option), value);
        }
    }
    let named = variables().filter_map(|name| Some((name.clone(), sources.environment.get(&name)?.clone())));
    found.extend(named.filter(|(name, value)| {
        !value.is_empty() && !name.contains("CONFIG_FILE") && name != "XDG_CACHE_HOME"
    }));
    if !index_url.is_empty() {
        found.insert("PIP_INDEX_URL".into(), index_url.into());
        found.insert("UV_DEFAULT_INDEX".into(), index_url.into());
    }
    let chosen = ["UV_DEFAULT_INDEX", "UV_INDEX_URL"].iter().any(|name| found.contains_key(*name));
    for (pip, uv) in SAME.into_iter().filter(|(_, uv)| !(chosen && *uv == "UV_DEFAULT_INDEX")) {
        if let (Some(value), false) = (found.get(pip).cloned(), found.contains_key(uv)) {
            found.insert(uv.into(), value);
        }
    }
    // A file that is not there would only be complained of.
    found.retain(|name, value| {
        !PATHS.contains(&name.as_str()) || is_address(value) || Path::new(value).exists()
    });
    let mut shown: Vec<PathBuf> = PATHS
        .iter()
        .filter_map(|name| found.get(*name))
        .filter(|value| !is_address(value) && Path::new(value).is_absolute())
        .map(PathBuf::from)
        .filter(|path| !SHOWN_ANYWAY.iter().any(|folder| path.starts_with(folder)))
        .collect();
    shown.sort();
    shown.dedup();
    (found, shown)
}

fn is_address(value: &str) -> bool {
    value.contains("://")
}

fn variable(option: &str) -> String {
    format!("PIP_{}", option.to_uppercase().replace('-', "_"))
}

/// pip's own files, the weakest first.
fn pip_files(sources: &ConfigSources) -> Vec<PathBuf> {
    let home = sources.home.as_ref();
    let config = sources.path_variable("XDG_CONFIG_HOME").or_else(|| home.map(|home| home.join(".config")));
    [
        Some(PathBuf::from("/etc/pip.conf")),
        home.map(|home| home.join(".pip/pip.conf")),
        config.map(|config| config.join("pip/pip.conf")),
        sources.path_variable("PIP_CONFIG_FILE"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What the sections for every command and for installing say. Values may go on in indented lines.
fn pip_options(text: &str) -> Vec<(String, String)> {
    let (mut section, mut options): (String, Vec<(String, String)>) = Default::default();
    let mut known = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            (section, known) = (name.to_string(), false);
        } else if line.starts_with([' ', '\t']) {
            if let (true, Some((_, value))) = (known, options.last_mut()) {
                *value = format!("{value} {trimmed}").trim().to_string();
            }
        } else if let Some((key, value)) = trimmed.split_once(['=', ':']) {
            let key = key.trim().replace('_', "-");
            known = matches!(section.as_str(), "global" | "install") && PIP_OPTIONS.contains(&key.as_str());
            if known {
                options.push((key, value.trim().to_string()));
            }
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(pairs: &[(&str, &str)]) -> ConfigSources {
        ConfigSources {
            environment: pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            ..ConfigSources::default()
        }
    }

    #[test]
    fn pips_files_are_read() {
        let text = "[global]\nindex-url = https://own/simple\n; no\nextra_index_url =\n  https://a\n  https://b\n\
                    [list]\ncert = /no\n[install]\nuser = yes\ntrusted-host: own\n";
        let options = pip_options(text);
        let expected = [
            ("index-url", "https://own/simple"),
            ("extra-index-url", "https://a https://b"),
            ("trusted-host", "own"),
        ];
        assert_eq!(options, expected.map(|(key, value)| (key.to_string(), value.to_string())));
    }

    #[test]
    fn the_configuration_wins_and_uv_hears_of_it() {
        let given =
            sources(&[("PIP_INDEX_URL", "https://env"), ("https_proxy", "http://p"), ("SECRET", "x")]);
        let (env, shown) = environment("", &given);
        assert_eq!(env.get("UV_DEFAULT_INDEX").map(String::as_str), Some("https://env"));
        assert_eq!(env.get("https_proxy").map(String::as_str), Some("http://p"));
        assert!(!env.contains_key("SECRET") && shown.is_empty());
        let (env, _) = environment("https://own", &given);
        assert_eq!(env.get("PIP_INDEX_URL").map(String::as_str), Some("https://own"));
        assert_eq!(env.get("UV_DEFAULT_INDEX").map(String::as_str), Some("https://own"));
    }

    #[test]
    fn files_that_are_named_are_shown_if_they_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_string_lossy().into_owned();
        let (env, shown) =
            environment("", &sources(&[("PIP_FIND_LINKS", &path), ("PIP_CERT", "/no/such.pem")]));
        assert_eq!(shown, [folder.path()]);
        assert!(env.contains_key("UV_FIND_LINKS") && !env.contains_key("PIP_CERT"));
    }
}
