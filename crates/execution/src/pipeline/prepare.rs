//! The guard's checks in order, and what the request means: its language, its files, its entry.

use crate::detect::{self, CONFIDENT_ENOUGH};
use crate::guard::{self, MountPolicy, refuse, shown};
use crate::registry::{Entry, Registry};
use crate::{ExecutionSettings, toolchain};
use formicary_model::{ExecutionRequest, Failure, Limits, Mount, Source};
use formicary_sandbox::InputFile;

/// A request that passed the guard.
pub struct Prepared<'r> {
    /// The language; absent where a command runs without one.
    pub language: Option<&'r Entry>,
    /// The files, with plain relative paths.
    pub files: Vec<InputFile>,
    /// The file to run; absent where a command runs without one.
    pub entry: Option<String>,
    /// Whether the caller chose the entry's name.
    pub entry_is_named: bool,
    /// Limits of the run.
    pub limits: Limits,
    /// Limits of the compile step.
    pub compile_limits: Limits,
    /// The caller's mounts, resolved.
    pub mounts: Vec<Mount>,
    /// Bytes of all files.
    pub code_bytes: u64,
}

/// Checks everything in the request that needs no toolchain.
pub fn prepare<'r>(
    request: &ExecutionRequest,
    settings: &ExecutionSettings,
    registry: &'r Registry,
) -> Result<Prepared<'r>, Failure> {
    let named =
        request.language.as_deref().map(|word| guard::validate_language(registry, word)).transpose()?;
    let named = named.and_then(|id| registry.find(&id));
    guard::check_arguments("argument", &request.args)?;
    guard::check_arguments("compiler flag", &request.compiler_flags)?;
    check_command(request)?;
    guard::check_environment(&request.env)?;
    guard::check_collect(&request.collect)?;
    let limits = guard::check_limits("run", &settings.default_limits, &request.limits)?;
    let compile_limits = guard::check_limits("compile", &settings.compile_limits, &request.compile_limits)?;
    let policy = MountPolicy { home: settings.toolchains.home.clone() };
    let mounts = guard::check_mounts(&request.mounts, &request.insist_on_mounts, &policy)?;
    let mut prepared = Prepared {
        language: named,
        files: Vec::new(),
        entry: None,
        entry_is_named: false,
        limits,
        compile_limits,
        mounts,
        code_bytes: 0,
    };
    let has_command = request.command.is_some();
    match &request.source {
        Source::Code { code, file_name } => {
            prepared.snippet(code, file_name.as_deref(), has_command, settings, registry)?;
        }
        Source::Files { .. } => prepared.folder(&request.source, has_command, settings, registry)?,
    }
    check_venv(request, settings, &prepared)?;
    check_packages(request, &prepared)?;
    Ok(prepared)
}

fn check_command(request: &ExecutionRequest) -> Result<(), Failure> {
    let Some(command) = &request.command else { return Ok(()) };
    guard::check_arguments("command word", command)?;
    match command.first() {
        Some(program) if !program.is_empty() => Ok(()),
        _ => {
            Err(refuse("the command is empty", "give a program and its arguments, or leave the command out"))
        }
    }
}

fn check_venv(
    request: &ExecutionRequest,
    settings: &ExecutionSettings,
    prepared: &Prepared<'_>,
) -> Result<(), Failure> {
    let Some(venv) = &request.venv else { return Ok(()) };
    toolchain::check_venv(venv, settings.toolchains.base.as_deref())?;
    match prepared.language.map(Entry::id) {
        Some("python") => Ok(()),
        other => Err(refuse(
            format!("venv {} is for Python, the language is {}", shown(venv), other.unwrap_or("not given")),
            "leave the venv out, or set the language to python",
        )),
    }
}

fn check_packages(request: &ExecutionRequest, prepared: &Prepared<'_>) -> Result<(), Failure> {
    if let Some(image) = &request.image {
        guard::check_image(image)?;
        if !request.packages.is_empty() || request.venv.is_some() {
            return Err(refuse(
                format!("image {} brings its own packages", shown(image)),
                "build them into an image with `formicary images build --requirements`, or leave the image out",
            ));
        }
    }
    if request.packages.is_empty() {
        return Ok(());
    }
    if request.venv.is_some() {
        return Err(refuse("requirements and a venv are both given", "leave one of them out"));
    }
    match prepared.language.map(Entry::id) {
        Some("python") | None => Ok(()),
        Some(other) => Err(refuse(
            format!("requirements are Python packages, the language is {other}"),
            "leave them out, or set the language to python",
        )),
    }
}

impl<'r> Prepared<'r> {
    fn snippet(
        &mut self,
        code: &[u8],
        file_name: Option<&str>,
        has_command: bool,
        settings: &ExecutionSettings,
        registry: &'r Registry,
    ) -> Result<(), Failure> {
        self.code_bytes = code.len() as u64;
        guard::check_code_size(self.code_bytes, settings.max_code_bytes)?;
        let base = file_name.map(|name| name.rsplit('/').next().unwrap_or(name));
        let base = base.map(guard::check_path).transpose()?;
        guard::check_encoding(base.as_deref().unwrap_or("the code"), code)?;
        if self.language.is_none() && !has_command {
            self.language = Some(recognised(registry, base.as_deref(), code)?);
        }
        if has_command && base.is_none() && code.is_empty() {
            return Ok(());
        }
        let kept = base.filter(|name| self.language.is_none_or(|language| language.owns(name)));
        self.entry_is_named = kept.is_some();
        let name =
            kept.unwrap_or_else(|| match self.language.and_then(|l| l.extensions().first().copied()) {
                Some(extension) => format!("main.{extension}"),
                None => "main".to_string(),
            });
        self.files.push(InputFile { path: name.clone(), content: code.into(), executable: false });
        self.entry = Some(name);
        Ok(())
    }

    fn folder(
        &mut self,
        source: &Source,
        has_command: bool,
        settings: &ExecutionSettings,
        registry: &'r Registry,
    ) -> Result<(), Failure> {
        let Source::Files { files, entry } = source else { return Ok(()) };
        self.code_bytes = files.iter().map(|file| file.content.len() as u64).sum();
        guard::check_project_size(self.code_bytes, settings.max_project_bytes)?;
        for file in files {
            self.files.push(InputFile {
                path: guard::check_path(&file.path)?,
                content: file.content.as_slice().into(),
                executable: file.executable,
            });
        }
        guard::check_file_set(self.files.iter().map(|file| file.path.as_str()))?;
        self.entry = match entry {
            Some(entry) => Some(self.named_entry(entry)?),
            None => usual_entry(self.files.iter().map(|file| file.path.as_str()), self.language),
        };
        self.entry_is_named = true;
        if self.language.is_none() && !has_command {
            let entry = self.entry.as_ref().ok_or_else(|| self.no_entry())?;
            let content = self.files.iter().find(|file| file.path == *entry).map(|file| &file.content[..]);
            self.language = Some(recognised(registry, Some(entry), content.unwrap_or_default())?);
        }
        if !has_command && self.entry.is_none() {
            return Err(self.no_entry());
        }
        let is_source =
            |path: &str| self.entry.as_deref() == Some(path) || self.language.is_some_and(|l| l.owns(path));
        for file in self.files.iter().filter(|file| !has_command && is_source(&file.path)) {
            guard::check_encoding(&file.path, &file.content)?;
        }
        Ok(())
    }

    fn named_entry(&self, entry: &str) -> Result<String, Failure> {
        let plain = guard::check_path(entry)?;
        if self.files.iter().any(|file| file.path == plain) {
            return Ok(plain);
        }
        let paths = self.files.iter().map(|file| file.path.as_str());
        let hint = match formicary_model::suggest::nearest(&plain, paths) {
            Some(near) => format!("did you mean {near:?}?"),
            None => "name one of the files that are given".to_string(),
        };
        Err(refuse(format!("entry {} is not among the files", shown(entry)), hint))
    }

    fn no_entry(&self) -> Failure {
        if self.files.is_empty() {
            return refuse("no files are given", "give at least one file, or a command");
        }
        refuse(
            format!("which of the {} files to run is not clear: there is no main.*", self.files.len()),
            "name the entry, or give a command",
        )
    }
}

/// `main.*` of the language or of any, at the top or in `src`, or the only file.
pub fn usual_entry<'f>(files: impl Iterator<Item = &'f str>, language: Option<&Entry>) -> Option<String> {
    let files: Vec<&str> = files.collect();
    let fits = |path: &&str| language.is_none_or(|language| language.owns(path));
    let sources: Vec<&str> = files.iter().copied().filter(fits).collect();
    for stem in ["main", "Main", "src/main", "src/Main", "__main__", "index", "src/index"] {
        let found = sources
            .iter()
            .find(|path| path.rsplit_once('.').is_some_and(|(s, end)| s == stem && !end.contains('/')));
        if let Some(found) = found {
            return Some((*found).to_string());
        }
    }
    match (sources.as_slice(), files.as_slice()) {
        ([only], _) | (_, [only]) => Some((*only).to_string()),
        _ => None,
    }
}

fn recognised<'r>(registry: &'r Registry, name: Option<&str>, code: &[u8]) -> Result<&'r Entry, Failure> {
    if code.iter().all(u8::is_ascii_whitespace) && name.is_none() {
        return Err(refuse("there is nothing to run: no code is given", "give code, a file or a directory"));
    }
    let found = detect::detect(registry, name, code);
    let entry = found.as_ref().and_then(|found| registry.find(&found.language));
    match (found, entry) {
        (Some(found), Some(entry)) if found.confidence >= CONFIDENT_ENOUGH => Ok(entry),
        (Some(found), _) => Err(refuse(
            format!(
                "the language is not clear: perhaps {} ({:.0} %)",
                found.language,
                found.confidence * 100.0
            ),
            format!("name it, for example --language {}", found.language),
        )),
        (None, _) => Err(refuse("the language is not clear", "name it, for example --language python")),
    }
}
