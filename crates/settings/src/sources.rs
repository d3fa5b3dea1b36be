//! Where configuration may come from. The doors say so once; nothing here looks at the process's environment.

use crate::table::CONFIG_VARIABLE;
use formicary_files::project_of;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The system's file.
pub const SYSTEM_FILE: &str = "/etc/formicary/config.toml";

/// The name of a project's file.
pub const PROJECT_FILE: &str = "formicary.toml";

/// Everything outside the request that may shape a run, as a door found it.
#[derive(Debug, Clone, Default)]
pub struct ConfigSources {
    /// The system's file.
    pub system_file: Option<PathBuf>,
    /// The user's file.
    pub user_file: Option<PathBuf>,
    /// Where the user stands: a project's file is looked for here and above.
    pub working_folder: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The environment.
    pub environment: BTreeMap<String, String>,
    /// Settings given as flags, key and value.
    pub flags: Vec<(String, String)>,
}

impl ConfigSources {
    /// The usual places, from an environment and a working folder. `HOME` and `XDG_CONFIG_HOME` count only where
    /// they are absolute; `FORMICARY_CONFIG` names the user's file directly.
    pub fn new(environment: BTreeMap<String, String>, working_folder: Option<PathBuf>) -> Self {
        let absolute =
            |name: &str| environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME");
        let folder = absolute("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
        let usual = folder.map(|folder| folder.join("formicary").join("config.toml"));
        let base = working_folder.as_deref().unwrap_or(Path::new("/"));
        let named =
            environment.get(CONFIG_VARIABLE).filter(|path| !path.is_empty()).map(|path| base.join(path));
        let user_file = named.or(usual);
        let system_file = Some(SYSTEM_FILE.into());
        Self { system_file, user_file, working_folder, home, environment, flags: Vec::new() }
    }

    /// Whether the user named his file himself, so that its absence is an error.
    pub fn user_file_is_named(&self) -> bool {
        self.environment.get(CONFIG_VARIABLE).is_some_and(|path| !path.is_empty())
    }

    /// The nearest project file at or above the working folder. The user's own file is never a project's.
    pub fn project_file(&self) -> Option<PathBuf> {
        project_of(self.working_folder.as_deref()?, &[PROJECT_FILE])
            .map(|directory| directory.join(PROJECT_FILE))
            .filter(|file| Some(file) != self.user_file.as_ref() && Some(file) != self.system_file.as_ref())
    }

    /// The user's cache folder of ours: in `XDG_CACHE_HOME`, or in `.cache` of the home folder.
    pub fn cache_folder(&self) -> Option<PathBuf> {
        let usual = || self.home.as_ref().map(|home| home.join(".cache"));
        Some(self.path_variable("XDG_CACHE_HOME").or_else(usual)?.join("formicary"))
    }

    /// The user's state directory of ours: in `XDG_STATE_HOME`, or in `.local/state` of the home directory.
    pub fn state_folder(&self) -> Option<PathBuf> {
        let usual = || self.home.as_ref().map(|home| home.join(".local/state"));
        Some(self.path_variable("XDG_STATE_HOME").or_else(usual)?.join("formicary"))
    }

    /// An absolute path that an environment variable names.
    pub fn path_variable(&self, name: &str) -> Option<PathBuf> {
        self.environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(pairs: &[(&str, &str)]) -> ConfigSources {
        let environment = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        ConfigSources::new(environment, Some("/cwd".into()))
    }

    #[test]
    fn the_users_file_is_found_at_its_usual_places() {
        type Pairs = &'static [(&'static str, &'static str)];
        let cases: [(Pairs, Option<&str>); 6] = [
            (&[], None),
            (&[("HOME", "/h")], Some("/h/.config/formicary/config.toml")),
            (&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")], Some("/x/formicary/config.toml")),
            (&[("HOME", "/h"), ("XDG_CONFIG_HOME", "relative")], Some("/h/.config/formicary/config.toml")),
            (&[("HOME", "/h"), ("FORMICARY_CONFIG", "/own.toml")], Some("/own.toml")),
            (&[("FORMICARY_CONFIG", "own.toml")], Some("/cwd/own.toml")),
        ];
        for (environment, file) in cases {
            assert_eq!(sources(environment).user_file.as_deref(), file.map(Path::new), "{environment:?}");
        }
    }

    #[test]
    fn the_nearest_project_file_counts() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        std::fs::create_dir_all(&deep).unwrap();
        let outer = folder.path().join("a").join(PROJECT_FILE);
        std::fs::write(&outer, "").unwrap();
        let found = |cwd: &Path| ConfigSources::new(BTreeMap::new(), Some(cwd.into())).project_file();
        assert_eq!(found(&deep), Some(outer));
        let inner = deep.join(PROJECT_FILE);
        std::fs::write(&inner, "").unwrap();
        assert_eq!(found(&deep), Some(inner));
    }
}
