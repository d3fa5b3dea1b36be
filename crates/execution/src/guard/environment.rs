//! Environment variables and arguments: what the kernel could not pass on is refused here.

use super::{refuse, shown};
use formicary_model::Failure;
use std::collections::BTreeMap;

const LONGEST_ARGUMENT: usize = 128 * 1024 - 1;
const MOST_BYTES: usize = 1024 * 1024;

/// Refuses names that no shell could have set and values that the kernel could not pass on.
pub fn check_environment(env: &BTreeMap<String, String>) -> Result<(), Failure> {
    let mut bytes = 0;
    for (name, value) in env {
        let mut characters = name.chars();
        let well_formed = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !well_formed {
            return Err(refuse(
                format!("environment variable name {} is not valid", shown(name)),
                "use letters, digits and _, not starting with a digit",
            ));
        }
        if value.contains('\0') {
            return Err(refuse(
                format!("environment variable {name} holds a NUL byte"),
                "remove the NUL byte",
            ));
        }
        if name.len() + value.len() + 1 > LONGEST_ARGUMENT {
            return Err(refuse(
                format!("environment variable {name} has {} bytes", value.len()),
                format!("keep it under {LONGEST_ARGUMENT} bytes, or pass the data on stdin or as a file"),
            ));
        }
        bytes += name.len() + value.len() + 2;
    }
    within_total("the environment", bytes)
}

/// Refuses arguments that the kernel could not pass on; `what` names them in the error.
pub fn check_arguments(what: &str, args: &[String]) -> Result<(), Failure> {
    for (index, arg) in args.iter().enumerate() {
        if arg.contains('\0') {
            return Err(refuse(
                format!("{what} {} ({}) holds a NUL byte", index + 1, shown(arg)),
                "remove the NUL byte, or pass the data on stdin",
            ));
        }
        if arg.len() > LONGEST_ARGUMENT {
            return Err(refuse(
                format!(
                    "{what} {} has {} bytes, at most {LONGEST_ARGUMENT} are possible",
                    index + 1,
                    arg.len()
                ),
                "pass the data on stdin or as a file",
            ));
        }
    }
    within_total(&format!("all of {what}"), args.iter().map(|arg| arg.len() + 1).sum())
}

fn within_total(what: &str, bytes: usize) -> Result<(), Failure> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(refuse(
        format!("{what} has {bytes} bytes, at most {MOST_BYTES} are accepted"),
        "pass the data on stdin or as a file",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values() {
        for (name, value, fine) in [
            ("A", "1", true),
            ("_x9", "", true),
            ("", "1", false),
            ("9A", "1", false),
            ("A=B", "1", false),
            ("A B", "1", false),
            ("A", "x\0y", false),
            ("É", "1", false),
        ] {
            let env = BTreeMap::from([(name.to_string(), value.to_string())]);
            assert_eq!(check_environment(&env).is_ok(), fine, "{name:?}={value:?}");
        }
        assert!(check_environment(&BTreeMap::from([("A".into(), "x".repeat(200_000))])).is_err());
    }

    #[test]
    fn arguments() {
        assert!(check_arguments("argument", &["".into(), "ü".into()]).is_ok());
        assert!(check_arguments("argument", &["a\0".into()]).is_err());
        assert!(check_arguments("argument", &["x".repeat(200_000)]).is_err());
        assert!(check_arguments("argument", &vec!["x".repeat(100_000); 20]).is_err());
    }
}
