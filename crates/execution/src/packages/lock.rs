//! Lock files of the usual tools, as requirements with versions, markers and hashes: what was locked is what is installed, or
//! nothing is.

use super::list::invalid;
use formicary_model::Failure;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use toml::{Table, Value};

/// Ways to one package that are told apart; beyond, the file is not one that a tool wrote.
const MOST_WAYS: usize = 64;

/// Whether a file of this name is a lock file.
pub fn is_one(name: &str) -> bool {
    reader(name).is_some()
}

/// Reads one lock file's text.
pub fn read(path: &Path, text: &str) -> Result<Vec<String>, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((reader, remedy)) = reader(&name) else { return Ok(Vec::new()) };
    let wrong = |why: String| invalid(format!("lock file {}: {why}", path.display()), remedy);
    let mut lines = reader(text).map_err(wrong)?;
    if lines.is_empty() {
        return Err(wrong("it locks no package".into()));
    }
    lines.sort();
    lines.dedup();
    Ok(lines)
}

type Reader = fn(&str) -> Result<Vec<String>, String>;

/// How a file of this name is read, and how to make it anew.
fn reader(name: &str) -> Option<(Reader, &'static str)> {
    match name {
        "uv.lock" => Some((uv, "make it anew: uv lock")),
        "poetry.lock" => Some((poetry, "make it anew: poetry lock")),
        "Pipfile.lock" => Some((pipfile, "make it anew: pipenv lock")),
        name if name.starts_with("pylock") && name.ends_with(".toml") => {
            Some((pylock, "make it anew, as in: uv export --format pylock.toml"))
        }
        _ => None,
    }
}

/// One requirement. Without a hash anything could come under the locked name.
fn line(name: &str, version: &str, marker: Option<&str>, mut hashes: Vec<String>) -> Result<String, String> {
    if hashes.is_empty() {
        return Err(format!("{name} has no sha256 hash"));
    }
    hashes.sort();
    hashes.dedup();
    let hashes: String = hashes.iter().map(|hash| format!(" --hash={hash}")).collect();
    let marker = marker.map(|marker| format!(" ; {marker}")).unwrap_or_default();
    Ok(format!("{name}=={version}{marker}{hashes}"))
}

fn table(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error: toml::de::Error| error.message().to_string())
}

fn packages<'l>(lock: &'l Table, key: &str) -> Result<&'l Vec<Value>, String> {
    lock.get(key).and_then(Value::as_array).ok_or_else(|| "it has no packages".into())
}

fn word<'l>(package: &'l Value, key: &str) -> Option<&'l str> {
    package.get(key).and_then(Value::as_str)
}

fn name(package: &Value) -> Result<&str, String> {
    word(package, "name").ok_or_else(|| "a package has no name".into())
}

fn list<'l>(package: &'l Value, key: &str) -> impl Iterator<Item = &'l Value> {
    package.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// `sha256:…` as it stands, other hashes left out.
fn sha256<'l>(hashes: impl Iterator<Item = &'l str>) -> Vec<String> {
    hashes.filter(|hash| hash.starts_with("sha256:")).map(str::to_string).collect()
}

/// The standard form.
fn pylock(text: &str) -> Result<Vec<String>, String> {
    let lock = table(text)?;
    let one = |package: &Value| {
        let name = name(package)?;
        let version = word(package, "version")
            .ok_or_else(|| format!("{name} has no version: only packages of an index are accepted"))?;
        let files = list(package, "wheels").chain(package.get("sdist"));
        let hashes = files.filter_map(|file| file.get("hashes")?.get("sha256")?.as_str());
        let hashes = hashes.map(|hash| format!("sha256:{hash}")).collect();
        line(name, version, word(package, "marker"), hashes)
    };
    packages(&lock, "packages")?.iter().map(one).collect()
}

/// Poetry's: the packages of the main group.
fn poetry(text: &str) -> Result<Vec<String>, String> {
    let lock = table(text)?;
    let is_main = |package: &&Value| match package.get("groups").and_then(Value::as_array) {
        Some(groups) => groups.iter().any(|group| group.as_str() == Some("main")),
        None => word(package, "category").is_none_or(|category| category == "main"),
    };
    let is_wanted = |package: &&Value| package.get("optional").and_then(Value::as_bool) != Some(true);
    let one = |package: &Value| {
        let name = name(package)?;
        if let Some(kind) = package.get("source").and_then(|source| word(source, "type"))
            && kind != "legacy"
        {
            return Err(format!("{name} comes from {kind}: only packages of an index are accepted"));
        }
        let version = word(package, "version").ok_or_else(|| format!("{name} has no version"))?;
        // One for all groups, or one for each.
        let marker = match package.get("markers") {
            Some(Value::Table(groups)) => groups.get("main").and_then(Value::as_str),
            other => other.and_then(Value::as_str),
        };
        line(name, version, marker, sha256(list(package, "files").filter_map(|file| word(file, "hash"))))
    };
    packages(&lock, "package")?.iter().filter(is_main).filter(is_wanted).map(one).collect()
}

/// Pipenv's: the packages of `default`.
fn pipfile(text: &str) -> Result<Vec<String>, String> {
    let lock: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let packages = lock.get("default").and_then(serde_json::Value::as_object);
    let one = |(name, package): (&String, &serde_json::Value)| {
        let word = |key: &str| package.get(key).and_then(serde_json::Value::as_str);
        let version = word("version")
            .and_then(|version| version.strip_prefix("=="))
            .ok_or_else(|| format!("{name} has no version: only packages of an index are accepted"))?;
        let hashes = package.get("hashes").and_then(serde_json::Value::as_array).into_iter().flatten();
        line(name, version, word("markers"), sha256(hashes.filter_map(serde_json::Value::as_str)))
    };
    packages.ok_or("it has no packages under \"default\"")?.iter().map(one).collect()
}

/// uv's: what the project's own packages depend on, over every way that leads there, with the conditions of the way.
fn uv(text: &str) -> Result<Vec<String>, String> {
    let lock = table(text)?;
    let packages = packages(&lock, "package")?;
    let is_own = |package: &Value| {
        package.get("source").is_some_and(|source| {
            ["virtual", "editable", "directory"].iter().any(|kind| source.get(kind).is_some())
        })
    };
    let mut ways: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let own = packages.iter().enumerate().filter(|(_, package)| is_own(package));
    let mut open: VecDeque<(usize, String)> = own.map(|(at, _)| (at, String::new())).collect();
    while let Some((at, way)) = open.pop_front() {
        let known = ways.entry(at).or_default();
        // Who comes without a condition needs no other way.
        if known.contains("") || !known.insert(way.clone()) {
            continue;
        }
        if known.len() > MOST_WAYS {
            return Err("it has too many conditions".into());
        }
        for edge in list(&packages[at], "dependencies") {
            for (to, extras) in targets(packages, edge)? {
                let marker = joined(&way, word(edge, "marker").unwrap_or_default());
                for extra in extras {
                    for more in optional(&packages[to], extra) {
                        for (to, _) in targets(packages, more)? {
                            open.push_back((to, joined(&marker, word(more, "marker").unwrap_or_default())));
                        }
                    }
                }
                open.push_back((to, marker));
            }
        }
    }
    let mut lines = Vec::new();
    for (at, ways) in ways.iter().filter(|(at, _)| !is_own(&packages[**at])) {
        let package = &packages[*at];
        let name = name(package)?;
        if package.get("source").and_then(|source| source.get("registry")).is_none() {
            return Err(format!("{name} comes from no index: only packages of an index are accepted"));
        }
        let version = word(package, "version").ok_or_else(|| format!("{name} has no version"))?;
        let files = list(package, "wheels").chain(package.get("sdist"));
        let hashes = sha256(files.filter_map(|file| word(file, "hash")));
        let alternatives: Vec<String> = ways.iter().map(|way| format!("({way})")).collect();
        let marker = (!ways.contains("")).then(|| alternatives.join(" or "));
        lines.push(line(name, version, marker.as_deref(), hashes)?);
    }
    Ok(lines)
}

fn joined(first: &str, second: &str) -> String {
    match (first, second) {
        ("", one) | (one, "") => one.to_string(),
        (first, second) if first == second => first.to_string(),
        (first, second) => format!("({first}) and ({second})"),
    }
}

/// The packages that a dependency means, with the extras that it wants of them.
fn targets<'l>(packages: &[Value], edge: &'l Value) -> Result<Vec<(usize, Vec<&'l str>)>, String> {
    let name = name(edge)?;
    let extras: Vec<&str> = list(edge, "extra").filter_map(Value::as_str).collect();
    let fits = |package: &Value| {
        word(package, "name") == Some(name)
            && word(edge, "version").is_none_or(|version| word(package, "version") == Some(version))
    };
    let found: Vec<_> = packages.iter().enumerate().filter(|(_, package)| fits(package)).collect();
    if found.is_empty() {
        return Err(format!("{name} is wanted and not locked"));
    }
    Ok(found.into_iter().map(|(at, _)| (at, extras.clone())).collect())
}

fn optional<'l>(package: &'l Value, extra: &str) -> impl Iterator<Item = &'l Value> {
    package.get("optional-dependencies").into_iter().flat_map(move |all| list(all, extra).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(name: &str, text: &str) -> Result<Vec<String>, String> {
        read(Path::new(name), text).map_err(|failure| failure.message)
    }

    #[test]
    fn the_standard_form_brings_versions_markers_and_hashes() {
        let lock = "lock-version = '1.0'\n[[packages]]\nname = 'six'\nversion = '1.17.0'\nmarker = \"os_name == 'posix'\"\n\
                    wheels = [{ url = 'https://x/six.whl', hashes = { sha256 = 'ab' } }]\n\
                    sdist = { url = 'https://x/six.tgz', hashes = { sha256 = 'aa' } }\n";
        let expected = "six==1.17.0 ; os_name == 'posix' --hash=sha256:aa --hash=sha256:ab";
        assert_eq!(lines("pylock.toml", lock).unwrap(), [expected]);
        let bare = "[[packages]]\nname = 'x'\nversion = '1'\n";
        assert!(lines("pylock.dev.toml", bare).unwrap_err().contains("no sha256"));
    }

    const UV: &str = r#"
version = 1
[[package]]
name = "own"
version = "0.1.0"
source = { virtual = "." }
dependencies = [{ name = "requests", extra = ["socks"] }, { name = "colorama", marker = "sys_platform == 'win32'" }]
[package.dev-dependencies]
dev = [{ name = "pytest" }]
[[package]]
name = "requests"
version = "2.32.0"
source = { registry = "https://pypi.org/simple" }
dependencies = [{ name = "idna", marker = "python_version >= '3.8'" }]
wheels = [{ url = "https://x/r.whl", hash = "sha256:a1", size = 1 }]
[package.optional-dependencies]
socks = [{ name = "pysocks" }]
[[package]]
name = "idna"
version = "3.7"
source = { registry = "https://pypi.org/simple" }
sdist = { url = "https://x/i.tgz", hash = "sha256:b1" }
[[package]]
name = "pysocks"
version = "1.7.1"
source = { registry = "https://pypi.org/simple" }
wheels = [{ hash = "sha256:c1" }]
[[package]]
name = "colorama"
version = "0.4.6"
source = { registry = "https://pypi.org/simple" }
wheels = [{ hash = "sha256:d1" }]
[[package]]
name = "pytest"
version = "8.0.0"
source = { registry = "https://pypi.org/simple" }
wheels = [{ hash = "sha256:e1" }]
"#;

    #[test]
    fn uvs_brings_what_the_project_depends_on_with_the_conditions_of_the_way() {
        assert_eq!(
            lines("uv.lock", UV).unwrap(),
            [
                "colorama==0.4.6 ; (sys_platform == 'win32') --hash=sha256:d1",
                "idna==3.7 ; (python_version >= '3.8') --hash=sha256:b1",
                "pysocks==1.7.1 --hash=sha256:c1",
                "requests==2.32.0 --hash=sha256:a1",
            ]
        );
        let git = UV.replacen("registry = \"https://pypi.org/simple\"", "git = \"https://x/r\"", 1);
        assert!(lines("uv.lock", &git).unwrap_err().contains("requests comes from no index"));
        assert!(lines("uv.lock", "version = 1\n").unwrap_err().contains("no packages"));
        let gone = UV.replace("name = \"idna\"\nversion", "name = \"other\"\nversion");
        assert!(lines("uv.lock", &gone).unwrap_err().contains("idna is wanted and not locked"));
    }

    #[test]
    fn poetrys_brings_the_main_group() {
        let lock = "[[package]]\nname = 'six'\nversion = '1.17.0'\noptional = false\ngroups = ['main', 'dev']\n\
                    markers = \"os_name == 'posix'\"\nfiles = [{ file = 'six.whl', hash = 'sha256:ab' }]\n\
                    [[package]]\nname = 'pytest'\nversion = '8'\ngroups = ['dev']\nfiles = []\n\
                    [[package]]\nname = 'extra'\nversion = '8'\noptional = true\nfiles = []\n";
        assert_eq!(
            lines("poetry.lock", lock).unwrap(),
            ["six==1.17.0 ; os_name == 'posix' --hash=sha256:ab"]
        );
        let git = "[[package]]\nname = 'a'\nversion = '1'\nfiles = []\n[package.source]\ntype = 'git'\n";
        assert!(lines("poetry.lock", git).unwrap_err().contains("a comes from git"));
    }

    #[test]
    fn pipenvs_brings_the_default_packages() {
        let lock = r#"{"_meta": {}, "default": {"six": {"hashes": ["sha256:ab"], "index": "pypi",
            "markers": "python_version >= '3'", "version": "==1.17.0"}}, "develop": {"x": {"version": "==1"}}}"#;
        assert_eq!(
            lines("Pipfile.lock", lock).unwrap(),
            ["six==1.17.0 ; python_version >= '3' --hash=sha256:ab"]
        );
        assert!(lines("Pipfile.lock", "{}").unwrap_err().contains("under \"default\""));
        assert!(lines("Pipfile.lock", "nonsense").is_err());
        let git = r#"{"default": {"a": {"git": "https://x"}}}"#;
        assert!(lines("Pipfile.lock", git).unwrap_err().contains("a has no version"));
    }
}
