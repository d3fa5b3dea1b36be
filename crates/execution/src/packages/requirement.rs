//! What may be asked for: names with versions from the index, in one normal form.
//!
//! A requirement comes from whoever sends the request. Files of the host, other indexes, addresses and options of the
//! installer are not theirs to choose, so everything but names, versions, markers and hashes is refused.

use crate::guard::{refuse, shown};
use formicary_model::{Failure, PackageRequest};

/// Requirements that one request may have.
const MOST: usize = 2000;
/// Characters of one requirement, its hashes included.
const LONGEST: usize = 64 * 1024;
const OPERATORS: [&str; 8] = ["===", "==", "!=", "<=", ">=", "~=", "<", ">"];
const HASHES: [(&str, usize); 3] = [("sha256", 64), ("sha384", 96), ("sha512", 128)];

/// A checked request: sorted, each requirement in its normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Requirements.
    pub requirements: Vec<String>,
    /// Constraints.
    pub constraints: Vec<String>,
    /// Whether packages may be built.
    pub from_source: bool,
}

impl Wanted {
    /// The request, checked. `None`: nothing is wanted.
    pub fn of(request: &PackageRequest) -> Result<Option<Self>, Failure> {
        if request.requirements.len() + request.constraints.len() > MOST {
            return Err(refuse(format!("more than {MOST} requirements are given"), "ask for fewer"));
        }
        let normal = |lines: &[String]| -> Result<Vec<String>, Failure> {
            let mut lines: Vec<String> =
                lines.iter().map(|line| requirement(line)).collect::<Result<_, _>>()?;
            lines.sort();
            lines.dedup();
            Ok(lines)
        };
        let requirements = normal(&request.requirements)?;
        let constraints = normal(&request.constraints)?;
        Ok((!requirements.is_empty()).then_some(Self {
            requirements,
            constraints,
            from_source: request.from_source,
        }))
    }

    /// Whether every file must have one of the given hashes.
    pub fn is_locked(&self) -> bool {
        self.requirements.iter().any(|line| line.contains(" --hash="))
    }
}

/// One requirement in its normal form: `Foo_Bar [ B,a ] >= 1` is `foo-bar[a,b]>=1`.
pub fn requirement(line: &str) -> Result<String, Failure> {
    let wrong = |why: &str, hint: &str| Err(refuse(format!("requirement {}: {why}", shown(line)), hint));
    const SHAPE: &str = "write a name and versions, as in numpy, pandas>=2,<3 or six==1.17.0";
    if line.len() > LONGEST || line.chars().any(|c| c.is_control() && c != '\t') {
        return wrong("it is too long or holds control characters", SHAPE);
    }
    let text = line.trim();
    if text.starts_with('-') {
        let hint =
            "the index is chosen by packages.index_url or pip's configuration; give names and versions";
        return wrong("options of the installer are not accepted", hint);
    }
    let (text, hashes) = split_hashes(text);
    let Some(hashes) = hashes else {
        return wrong("only hashes may follow it", "write --hash=sha256:… with all digits");
    };
    let (spec, marker) = match text.split_once(';') {
        Some((spec, marker)) => (spec.trim(), marker.split_whitespace().collect::<Vec<_>>().join(" ")),
        None => (text.trim(), String::new()),
    };
    if spec.contains('@') || spec.contains("://") || spec.contains('/') {
        return wrong("addresses and paths are not accepted", "packages come from the index; give a name");
    }
    let name_ends = spec.find(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)));
    let (name, rest) = spec.split_at(name_ends.unwrap_or(spec.len()));
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if !edge(name.chars().next()) || !edge(name.chars().last()) {
        return wrong("it does not begin with a package's name", SHAPE);
    }
    let (Some((extras, versions)), true) = (split_extras(rest.trim()), plain_marker(&marker)) else {
        return wrong("it cannot be read", SHAPE);
    };
    let Some(versions) = normal_versions(versions) else {
        return wrong("its versions cannot be read", SHAPE);
    };
    let marker = if marker.is_empty() { marker } else { format!(" ; {marker}") };
    Ok(format!("{}{extras}{versions}{marker}{hashes}", normal_name(name)))
}

/// A package's name as the index compares it.
pub fn normal_name(name: &str) -> String {
    let mut normal = String::new();
    for c in name.chars() {
        match c {
            '.' | '_' | '-' if normal.ends_with('-') => {}
            '.' | '_' | '-' => normal.push('-'),
            _ => normal.push(c.to_ascii_lowercase()),
        }
    }
    normal
}

/// The text before hashes, and the hashes in order; nothing where another option stands among them.
fn split_hashes(text: &str) -> (&str, Option<String>) {
    let Some(begin) = text.find(" --").or_else(|| text.find("\t--")) else {
        return (text, Some(String::new()));
    };
    let (before, options) = text.split_at(begin);
    let mut hashes: Vec<String> = Vec::new();
    for option in options.split_whitespace() {
        let hash = option.strip_prefix("--hash=").and_then(|hash| hash.split_once(':'));
        let known = hash.is_some_and(|(name, digits)| {
            HASHES.iter().any(|(known, length)| *known == name && digits.len() == *length)
                && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        if !known {
            return (before, None);
        }
        hashes.push(option.to_ascii_lowercase());
    }
    hashes.sort();
    hashes.dedup();
    (before, Some(hashes.iter().map(|hash| format!(" {hash}")).collect()))
}

/// `[b, A]>=1` is (`[a,b]`, `>=1`).
fn split_extras(text: &str) -> Option<(String, &str)> {
    let Some(inner) = text.strip_prefix('[') else { return Some((String::new(), text)) };
    let (inner, rest) = inner.split_once(']')?;
    let mut extras: Vec<String> = inner.split(',').map(|extra| normal_name(extra.trim())).collect();
    let plain =
        |extra: &String| !extra.is_empty() && extra.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !extras.iter().all(plain) {
        return None;
    }
    extras.sort();
    extras.dedup();
    Some((format!("[{}]", extras.join(",")), rest.trim()))
}

fn normal_versions(text: &str) -> Option<String> {
    let text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    if text.is_empty() {
        return Some(String::new());
    }
    let mut versions = Vec::new();
    for part in text.split(',').map(str::trim) {
        let operator = OPERATORS.iter().find(|operator| part.starts_with(**operator))?;
        let version = part[operator.len()..].trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || ".*+!_-".contains(c);
        if version.is_empty() || !version.chars().all(plain) {
            return None;
        }
        versions.push(format!("{operator}{version}"));
    }
    versions.sort();
    Some(versions.join(","))
}

/// Markers are read by the installer; here they only must not be anything else.
fn plain_marker(marker: &str) -> bool {
    marker.chars().all(|c| c.is_ascii_alphanumeric() || " ._-'\"<>=!~()".contains(c))
        && !marker.contains(" -")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_forms() {
        let hash = format!("--hash=sha256:{}", "A".repeat(64));
        for (written, normal) in [
            ("numpy", "numpy".to_string()),
            ("  Foo__Bar.baz ", "foo-bar-baz".into()),
            ("a [ Z, b ] >= 1 , <2", "a[b,z]<2,>=1".into()),
            ("a(==1.0.*)", "a==1.0.*".into()),
            ("six===1.0+local", "six===1.0+local".into()),
            ("a ; python_version < '3.9'", "a ; python_version < '3.9'".into()),
            (&format!("six==1 {hash} {hash}"), format!("six==1 {}", hash.to_lowercase())),
        ] {
            assert_eq!(requirement(written).unwrap(), normal, "{written}");
        }
    }

    #[test]
    fn what_is_not_a_requirement_is_refused() {
        for wrong in [
            "",
            "-r other.txt",
            "--index-url https://x",
            "-e .",
            "./local",
            "/etc/passwd",
            "a @ https://x/y.whl",
            "git+https://x/y",
            "https://x/y.whl",
            "a\nb",
            "a --global-option=x",
            "a; python_version < '3' --pre",
            "a --hash=sha256:12",
            "a --hash=md5:00000000000000000000000000000000",
            "a =1",
            "a >=",
            "a[",
            "a[b c]",
            "-a",
            "a-",
            "é",
        ] {
            assert!(requirement(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn order_and_spelling_do_not_matter() {
        let request = |lines: &[&str]| PackageRequest {
            requirements: lines.iter().map(|line| (*line).to_string()).collect(),
            ..PackageRequest::default()
        };
        assert_eq!(
            Wanted::of(&request(&["B>=1", "a", "A"])).unwrap(),
            Wanted::of(&request(&["a", "b >= 1"])).unwrap()
        );
        assert_eq!(Wanted::of(&request(&[])).unwrap(), None);
    }
}
