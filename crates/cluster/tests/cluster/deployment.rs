//! The files under `deploy/`: they parse, they hang together, and they name only what exists.

use serde_json::Value;
use std::path::Path;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy")
}

/// Every document of every manifest, with its file's name.
fn manifests() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let files = std::fs::read_dir(folder().join("kubernetes")).unwrap();
    for path in files.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        for document in text.split("\n---\n") {
            let value: Value =
                serde_saphyr::from_str(document).unwrap_or_else(|error| panic!("{name}: {error}"));
            all.push((name.clone(), value));
        }
    }
    all
}

#[test]
fn manifests_hang_together() {
    let manifests = manifests();
    assert!(manifests.len() >= 7, "{}", manifests.len());
    let classes: Vec<&Value> = named(&manifests, "RuntimeClass");
    for (file, manifest) in &manifests {
        let kind = manifest["kind"].as_str().unwrap_or_else(|| panic!("{file}: no kind"));
        for key in ["/apiVersion", "/metadata/name"] {
            assert!(manifest.pointer(key).is_some_and(Value::is_string), "{file}: {kind} without {key}");
        }
        let cluster_wide = matches!(kind, "RuntimeClass" | "Namespace");
        assert_eq!(manifest["metadata"]["namespace"].is_null(), cluster_wide, "{file}: {kind}");
        if let Some(spec) = manifest.pointer("/spec/template/spec") {
            let labels = &manifest["spec"]["template"]["metadata"]["labels"];
            assert_eq!(&manifest["spec"]["selector"]["matchLabels"], labels, "{file}: {kind}");
            if let Some(class) = spec["runtimeClassName"].as_str() {
                assert!(classes.iter().any(|known| known["metadata"]["name"] == class), "{file}: {class}");
            }
            for container in spec["containers"].as_array().unwrap() {
                check_container(file, container);
            }
        }
    }
    let worker = named(&manifests, "Deployment")[0];
    let scaled = &named(&manifests, "HorizontalPodAutoscaler")[0]["spec"]["scaleTargetRef"]["name"];
    assert_eq!(scaled, &worker["metadata"]["name"]);
    let pod = &worker["spec"]["template"]["spec"];
    assert_eq!(pod["runtimeClassName"], "gvisor");
    let security = &pod["containers"][0]["securityContext"];
    assert_eq!(security["allowPrivilegeEscalation"], false);
    assert_eq!(security["capabilities"]["drop"][0], "ALL");
}

fn named<'a>(manifests: &'a [(String, Value)], kind: &str) -> Vec<&'a Value> {
    manifests.iter().map(|(_, manifest)| manifest).filter(|manifest| manifest["kind"] == kind).collect()
}

fn check_container(file: &str, container: &Value) {
    let image = container["image"].as_str().unwrap();
    let tag = image.rsplit_once(':').map(|(_, tag)| tag);
    assert!(tag.is_some_and(|tag| tag != "latest"), "{file}: {image}");
    assert!(container.pointer("/resources/limits/memory").is_some(), "{file}: no limit of memory");
    let ports: Vec<&str> =
        container["ports"].as_array().unwrap().iter().filter_map(|port| port["name"].as_str()).collect();
    for probe in ["readinessProbe", "livenessProbe"] {
        for way in ["httpGet", "tcpSocket"] {
            if let Some(port) = container[probe][way]["port"].as_str() {
                assert!(ports.contains(&port), "{file}: {probe} asks {port}");
            }
        }
    }
}

#[test]
fn settings_in_the_environment_exist() {
    let known: Vec<String> = formicary_platform::config::table::settings()
        .iter()
        .map(|setting| setting.variable.clone())
        .collect();
    let mut named = 0;
    for path in
        ["kubernetes/worker.yaml", "systemd/formicary-worker.service", "systemd/formicary-serve.service"]
    {
        let text = std::fs::read_to_string(folder().join(path)).unwrap();
        let words = text.split(|c: char| !c.is_ascii_uppercase() && c != '_');
        for word in words.filter(|word| word.starts_with("FORMICARY_")) {
            assert!(known.iter().any(|variable| variable == word), "{path}: {word}");
            named += 1;
        }
    }
    assert!(named >= 3, "{named}");
}

#[test]
fn the_units_are_units() {
    for name in ["formicary-worker", "formicary-serve"] {
        check_unit(name);
    }
}

fn check_unit(name: &str) {
    let text = std::fs::read_to_string(folder().join(format!("systemd/{name}.service"))).unwrap();
    let mut section = "";
    let mut keys = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
            continue;
        }
        let (key, value) = line.split_once('=').unwrap_or_else(|| panic!("no setting: {line}"));
        assert!(!value.is_empty() && key.chars().all(char::is_alphanumeric), "{line}");
        keys.push(format!("{section}.{key}"));
    }
    for wanted in [
        "Unit.Description",
        "Service.ExecStart",
        "Service.TimeoutStopSec",
        "Service.Delegate",
        "Install.WantedBy",
    ] {
        assert!(keys.iter().any(|key| key == wanted), "{wanted}");
    }
}
