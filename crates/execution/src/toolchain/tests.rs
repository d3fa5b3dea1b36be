//! Toolchains found in made-up homes: no shim is ever taken for the real thing.

use super::*;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed in the end.
struct Home(PathBuf);

impl Home {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("formicary-tools-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn write(&self, path: &str, content: &[u8], mode: u32) -> PathBuf {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path
    }

    fn program(&self, path: &str) -> PathBuf {
        self.write(path, b"\x7fELF rest", 0o755)
    }

    fn shim(&self, path: &str) -> PathBuf {
        self.write(path, b"#!/bin/sh\nexec real\n", 0o755)
    }

    fn python(&self, version: &str) {
        let minor: Vec<&str> = version.split('.').take(2).collect();
        let minor = minor.join(".");
        let prefix = format!(".pyenv/versions/{version}");
        self.program(&format!("{prefix}/bin/python{minor}"));
        // Python 2 brings no python3.
        let name = if version.starts_with('3') { "python3" } else { "python" };
        symlink(format!("python{minor}"), self.0.join(format!("{prefix}/bin/{name}"))).unwrap();
        self.write(&format!("{prefix}/lib/python{minor}/os.py"), b"", 0o644);
    }

    fn search(&self, path: &[&str]) -> ToolchainSearch {
        ToolchainSearch {
            path: path.iter().map(|folder| self.0.join(folder)).collect(),
            home: Some(self.0.clone()),
            ..ToolchainSearch::default()
        }
    }

    fn find(&self, tool: Tool, path: &[&str]) -> Option<Toolchain> {
        look_for(&self.search(path), tool).ok()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn inside(toolchain: Option<Toolchain>, home: &Home) -> Option<(String, String)> {
    let toolchain = toolchain?;
    let host = toolchain.host_program.strip_prefix(&home.0).ok()?.to_string_lossy().into_owned();
    Some((toolchain.program, host))
}

#[test]
fn pyenv_shims_stand_for_the_chosen_version() {
    let home = Home::new();
    home.shim(".pyenv/shims/python3");
    for version in ["3.9.18", "3.11.7", "3.13.0", "2.7.18"] {
        home.python(version);
    }
    let found = |wanted: &str| {
        home.write(".pyenv/version", wanted.as_bytes(), 0o644);
        inside(home.find(Tool::Python, &[".pyenv/shims"]), &home).map(|(_, host)| host)
    };
    assert_eq!(found("3.11.7\n").as_deref(), Some(".pyenv/versions/3.11.7/bin/python3.11"));
    assert_eq!(found("3.9\n").as_deref(), Some(".pyenv/versions/3.9.18/bin/python3.9"));
    assert_eq!(found("system\n").as_deref(), Some(".pyenv/versions/3.13.0/bin/python3.13"));
    assert_eq!(found("2.7.18\n3.9.18\n").as_deref(), Some(".pyenv/versions/3.9.18/bin/python3.9"));
    let venv_python = find_version(&home, "3.9");
    assert_eq!(venv_python.as_deref(), Some("/opt/formicary/python/bin/python3.9"));
    assert_eq!(find_version(&home, "3.10"), None);
}

fn find_version(home: &Home, version: &str) -> Option<String> {
    python::find_version(&home.search(&[".pyenv/shims"]), version).ok().map(|found| found.program)
}

#[test]
fn a_shared_libpython_is_found_by_the_loader() {
    let home = Home::new();
    home.python("3.11.7");
    home.write(".pyenv/versions/3.11.7/lib/libpython3.11.so.1.0", b"", 0o755);
    let found = home.find(Tool::Python, &[]).unwrap();
    assert!(found.env.contains(&("LD_LIBRARY_PATH".into(), "/opt/formicary/python/lib".into())));
    assert_eq!(found.mounts[0].guest, "/opt/formicary/python");
    assert_eq!(found.mounts[0].access, MountAccess::ReadOnly);
}

#[test]
fn a_python_in_the_home_folder_itself_does_not_show_the_home() {
    let home = Home::new();
    home.program("bin/python3.11");
    home.write("lib/python3.11/os.py", b"", 0o644);
    assert_eq!(home.find(Tool::Python, &["bin"]).filter(|found| !found.mounts.is_empty()), None);
}

#[test]
fn rustup_proxies_stand_for_the_default_toolchain() {
    let home = Home::new();
    home.program(".cargo/bin/rustup");
    symlink("rustup", home.0.join(".cargo/bin/rustc")).unwrap();
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    for name in ["stable", "1.95.0"] {
        home.program(&format!(".rustup/toolchains/{name}-{host}/bin/rustc"));
        std::fs::create_dir_all(home.0.join(format!(".rustup/toolchains/{name}-{host}/lib/rustlib")))
            .unwrap();
    }
    let found = |default: &str| {
        home.write(".rustup/settings.toml", format!("default_toolchain = \"{default}\"").as_bytes(), 0o644);
        inside(home.find(Tool::Rust, &[".cargo/bin"]), &home)
    };
    let program = "/opt/formicary/rust/bin/rustc".to_string();
    let at = |name: &str| Some((program.clone(), format!(".rustup/toolchains/{name}-{host}/bin/rustc")));
    assert_eq!(found(&format!("1.95.0-{host}")), at("1.95.0"));
    assert_eq!(found("stable"), at("stable"));
    assert_eq!(found("absent"), at("stable"));
}

#[test]
fn nodes_of_version_managers() {
    let home = Home::new();
    home.program(".volta/bin/volta-shim");
    symlink("volta-shim", home.0.join(".volta/bin/node")).unwrap();
    home.program(".volta/tools/image/node/20.1.0/bin/node");
    home.program(".volta/tools/image/node/22.0.0/bin/node");
    home.write(".volta/tools/user/platform.json", br#"{"node":{"runtime":"20.1.0","npm":null}}"#, 0o644);
    let real: Vec<PathBuf> = node::candidates(&home.search(&[".volta/bin"])).collect();
    assert!(real.contains(&home.0.join(".volta/tools/image/node/20.1.0/bin/node")));
    assert_eq!(node::accept(&home.0.join(".volta/bin/node")), None);
    home.program(".nvm/versions/node/v18.2.0/bin/node");
    home.program(".nvm/versions/node/v9.9.9/bin/node");
    let found = inside(node::accept(&home.0.join(".nvm/versions/node/v18.2.0/bin/node")), &home);
    assert_eq!(found.map(|found| found.0).as_deref(), Some("/opt/formicary/node/bin/node"));
}

#[test]
fn a_named_program_wins_and_a_wrong_one_is_told() {
    let home = Home::new();
    home.python("3.12.1");
    let mut search = home.search(&[]);
    let named = home.0.join(".pyenv/versions/3.12.1/bin/python3");
    search.overrides.insert("python".into(), named);
    let found = look_for(&search, Tool::Python).unwrap();
    assert_eq!(found.program, "/opt/formicary/python/bin/python3.12");
    search.overrides.insert("python".into(), "/no/such/python".into());
    let failure = look_for(&search, Tool::Python).unwrap_err();
    assert_eq!(failure.kind, FailureKind::InvalidConfiguration);
}

#[test]
fn a_missing_tool_names_its_package() {
    let search = ToolchainSearch::default();
    let failure = python::find_version(&search, "3.99").unwrap_err();
    assert_eq!(failure.kind, FailureKind::ToolchainMissing);
    assert!(
        TOOLS
            .iter()
            .all(|(_, key, name, package)| !key.is_empty() && !name.is_empty() && !package.is_empty())
    );
}

#[test]
fn virtual_environments() {
    let home = Home::new();
    let good = home.write("venv/pyvenv.cfg", b"home = /usr/bin\nversion = 3.11.2\n", 0o644);
    std::fs::create_dir_all(home.0.join("venv/lib/python3.11/site-packages")).unwrap();
    let folder = good.parent().unwrap();
    let venv = check_venv(folder.to_str().unwrap(), None).unwrap();
    assert_eq!(venv.version, "3.11");
    assert_eq!(check_venv("venv", Some(&home.0)).unwrap(), venv);
    for wrong in ["venv", "/no/such/venv", "/usr"] {
        assert!(check_venv(wrong, None).is_err(), "{wrong}");
    }
    std::fs::remove_dir(home.0.join("venv/lib/python3.11/site-packages")).unwrap();
    symlink("/", home.0.join("venv/lib/python3.11/site-packages")).unwrap();
    assert!(check_venv("venv", Some(&home.0)).is_err());
}
