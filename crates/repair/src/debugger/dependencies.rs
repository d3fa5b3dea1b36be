//! Modules that are not there: which package holds them, and what the report says of it.
//!
//! Installing is the caller's: here it is only told what is missing. A name that is nearly that of a known module is taken
//! for a slip of the pen and left to the rules, for whoever owns a misspelt name on an index owns whoever installs it.

use super::help::{Help, Packages};
use crate::Case;
use formicary_diagnose::{library, names};
use formicary_model::{
    Diagnosis, Enforcement, ErrorCategory, FixReport, FixStatus, Language, MissingPackage, PatchEvidence,
    PatchedFile, RankedPatch, Verification,
};

/// Modules of Python whose package has another name.
#[rustfmt::skip]
const PYTHON: &[(&str, &str)] = &[
    ("attr", "attrs"), ("bs4", "beautifulsoup4"), ("Bio", "biopython"), ("cairo", "pycairo"), ("crypto", "pycryptodome"),
    ("Crypto", "pycryptodome"), ("Cryptodome", "pycryptodomex"), ("cv2", "opencv-python-headless"), ("dateutil", "python-dateutil"),
    ("discord", "discord.py"), ("docx", "python-docx"), ("dotenv", "python-dotenv"), ("fitz", "PyMuPDF"), ("git", "GitPython"),
    ("github", "PyGithub"), ("google.protobuf", "protobuf"), ("grpc", "grpcio"), ("Image", "Pillow"), ("jose", "python-jose"),
    ("jwt", "PyJWT"), ("kafka", "kafka-python"), ("ldap", "python-ldap"), ("magic", "python-magic"), ("memcache", "python-memcached"),
    ("mpl_toolkits", "matplotlib"), ("MySQLdb", "mysqlclient"), ("nacl", "PyNaCl"), ("OpenSSL", "pyOpenSSL"), ("osgeo", "GDAL"),
    ("PIL", "Pillow"), ("pkg_resources", "setuptools"), ("pptx", "python-pptx"), ("psycopg2", "psycopg2-binary"),
    ("pylab", "matplotlib"), ("pythoncom", "pywin32"), ("ruamel", "ruamel.yaml"), ("serial", "pyserial"), ("skimage", "scikit-image"),
    ("sklearn", "scikit-learn"), ("slugify", "python-slugify"), ("socks", "PySocks"), ("telegram", "python-telegram-bot"),
    ("usb", "pyusb"), ("win32api", "pywin32"), ("wx", "wxPython"), ("yaml", "PyYAML"), ("zmq", "pyzmq"),
    ("distutils", "setuptools"),
];

/// Well-known packages, against which a name is held that looks like one of them.
#[rustfmt::skip]
const WELL_KNOWN: &[&str] = &[
    "numpy", "pandas", "requests", "scipy", "matplotlib", "flask", "django", "sqlalchemy", "pydantic", "fastapi", "httpx", "aiohttp",
    "click", "jinja2", "rich", "tqdm", "pytest", "hypothesis", "torch", "tensorflow", "sklearn", "networkx", "sympy", "lxml",
    "boto3", "redis", "celery", "cryptography", "attrs", "urllib3", "certifi", "pillow", "colorama", "tabulate", "dateutil",
];

/// Parts of the standard library that an interpreter may have been built without; no index holds them.
#[rustfmt::skip]
const STANDARD: &[&str] = &[
    "tkinter", "sqlite3", "curses", "readline", "lzma", "bz2", "zlib", "ctypes", "ssl", "dbm", "unicodedata", "idlelib", "ensurepip",
    "venv", "audioop", "crypt", "nis", "ossaudiodev", "spwd", "imp", "asyncore", "asynchat", "smtpd", "cgi", "cgitb", "pipes", "telnetlib",
    "nntplib", "xdrlib", "uu", "chunk", "imghdr", "sndhdr", "mailcap", "msilib", "winreg", "msvcrt", "winsound", "lib2to3", "symbol", "parser",
];

/// Packages that a failure asks for: modules that are neither the project's own nor a slip of the pen.
pub(super) fn missing(case: &Case, diagnosis: Option<&Diagnosis>) -> Vec<MissingPackage> {
    let mut found: Vec<MissingPackage> = Vec::new();
    let errors = diagnosis.map(|diagnosis| diagnosis.errors.as_slice()).unwrap_or_default();
    for error in errors.iter().filter(|error| error.category == ErrorCategory::Import) {
        let Some(module) = quoted(&error.message) else { continue };
        let package = match case.language {
            Language::Python if error.error_type.ends_with("ModuleNotFoundError") => python(case, &module),
            Language::JavaScript | Language::TypeScript => node(&module),
            _ => None,
        };
        if let Some((module, package)) = package
            && !found.iter().any(|known| known.package == package)
        {
            found.push(MissingPackage { module, package, installed: false });
        }
    }
    found
}

/// Whether the report ends with what is missing: nothing that is searched for could mend it.
pub(super) fn ends_here(report: &mut FixReport, help: &Help<'_>) -> bool {
    if report.missing.is_empty() {
        return false;
    }
    if help.packages == Packages::Refused || report.language != Language::Python.id() {
        let names: Vec<&str> = report.missing.iter().map(|missing| missing.package.as_str()).collect();
        let names = names.join(", ");
        report.notes.push(match report.language.as_str() {
            "python" => format!("the program needs {names}, which is not installed; --install allows it, or --requirements names it"),
            _ => format!("the program needs {names}, which is not among the files: npm install {names} in the project"),
        });
    }
    true
}

/// The first word between quotes.
fn quoted(message: &str) -> Option<String> {
    let rest = message.split_once('\'')?.1;
    Some(rest.split_once('\'')?.0.to_owned()).filter(|word| !word.is_empty() && word.len() < 120)
}

/// The module that is imported and the package that holds it.
fn python(case: &Case, module: &str) -> Option<(String, String)> {
    if let Some((_, package)) = PYTHON.iter().find(|(name, _)| *name == module) {
        return Some((module.to_owned(), (*package).to_owned()));
    }
    let top = module.split('.').next().unwrap_or(module);
    let word = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !word(top) || top.starts_with('_') {
        return None;
    }
    let own: Vec<&str> = case
        .files
        .iter()
        .flat_map(|file| file.path.split('/'))
        .map(|part| part.strip_suffix(".py").unwrap_or(part))
        .collect();
    // `a.b` of a module `a` that is there is a file that is not there, not a package.
    if own.contains(&top) || library::PYTHON_MODULES.contains(&top) || STANDARD.contains(&top) {
        return None;
    }
    let package = PYTHON.iter().find(|(name, _)| *name == top).map(|(_, package)| *package);
    if let Some(package) = package {
        return Some((top.to_owned(), package.to_owned()));
    }
    let known = WELL_KNOWN.contains(&top.to_ascii_lowercase().as_str());
    let slip = || {
        let near = |name: &&str| top.len() > 3 && names::distance(top, name) == 1;
        own.iter().chain(library::PYTHON_MODULES).chain(WELL_KNOWN).any(near)
            || WELL_KNOWN.iter().any(|name| top.len() > 5 && names::distance(top, name) == 2)
    };
    (known || !slip()).then(|| (top.to_owned(), top.to_owned()))
}

/// The same for Node: `@scope/name/part` is in `@scope/name`.
fn node(module: &str) -> Option<(String, String)> {
    if module.starts_with(['.', '/', '#']) || module.contains(':') || module.contains('\\') {
        return None;
    }
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let package: Vec<&str> = module.split('/').take(parts).collect();
    Some((module.to_owned(), package.join("/")))
}

/// What is to be reported where packages alone mend the program: `after` are the runs that passed with them.
pub fn installed_alone(
    case: &Case,
    before: &FixReport,
    after: FixReport,
    enforcement: Enforcement,
) -> FixReport {
    let mut report =
        FixReport { status: FixStatus::Fixed, baseline: before.baseline.clone(), ..after.clone() };
    let names: Vec<&str> = report.missing.iter().map(|missing| missing.package.as_str()).collect();
    let patch = RankedPatch {
        rank: 1,
        diff: String::new(),
        origin: "dependencies/requirement".into(),
        explanation: format!("the program needs {}; with it the tests pass", names.join(", ")),
        confidence: 0.9,
        evidence: PatchEvidence::Tests,
        caveats: Vec::new(),
        files: Vec::new(),
        verification: Some(Verification {
            verified: true,
            before: before.baseline.clone(),
            after: vec![after.baseline],
            flaky: false,
            regressions: Vec::new(),
            enforcement,
        }),
    };
    report.patches = vec![patch];
    report.diagnosis.clone_from(&before.diagnosis);
    name_requirements(case, &mut report);
    report
}

/// Adds what was installed to the requirements of the project, in every patch.
pub fn name_requirements(case: &Case, report: &mut FixReport) {
    let installed = report.missing.iter().filter(|missing| missing.installed);
    let packages: Vec<&str> = installed.map(|missing| missing.package.as_str()).collect();
    if packages.is_empty() {
        return;
    }
    let path = "requirements.txt";
    let old = case.files.iter().find(|file| file.path == path).map_or("", |file| file.text.as_str());
    let elsewhere = case.files.iter().any(|file| file.path == "pyproject.toml" || file.path == "setup.py");
    if old.is_empty() && elsewhere {
        report.notes.push(format!("add to the project's dependencies: {}", packages.join(", ")));
        return;
    }
    let mut text = old.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    packages.iter().for_each(|package| text.extend([*package, "\n"]));
    for patch in &mut report.patches {
        patch.diff.push_str(&crate::patch::diff(path, old, &text));
        patch.files.push(PatchedFile { path: path.to_owned(), text: text.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CaseFile;

    #[test]
    fn packages_are_told_from_slips_and_from_own_files() {
        let file = |path: &str| CaseFile { path: path.into(), text: String::new(), editable: true };
        let case = Case {
            language: Language::Python,
            files: vec![file("app.py"), file("helpers/tools.py")],
            evidence: None,
            suspects: Vec::new(),
        };
        for (module, package) in [
            ("yaml", Some("PyYAML")),
            ("PIL.Image", Some("Pillow")),
            ("google.protobuf", Some("protobuf")),
            ("numpy", Some("numpy")),
            ("six", Some("six")),
            ("numpi", None),
            ("reqeusts", None),
            ("colections", None),
            ("helper", None),
            ("helpers.missing", None),
            ("app", None),
            ("a-b; rm", None),
            ("unicodedata", None),
        ] {
            assert_eq!(python(&case, module).map(|(_, package)| package).as_deref(), package, "{module}");
        }
        for (module, package) in [
            ("lodash", Some("lodash")),
            ("@scope/name/part", Some("@scope/name")),
            ("lodash/fp", Some("lodash")),
            ("./lib", None),
            ("node:fss", None),
        ] {
            assert_eq!(node(module).map(|(_, package)| package).as_deref(), package, "{module}");
        }
    }
}
