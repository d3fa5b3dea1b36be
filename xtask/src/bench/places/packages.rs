//! Packages with their own tests, fetched from the registries and made ready to be tested without a network.

use super::run;
use std::path::{Path, PathBuf};

/// A package in its folder, with `verify.sh` that runs its tests.
#[derive(Debug)]
pub struct Package {
    pub name: String,
    pub registry: &'static str,
    pub folder: PathBuf,
}

/// PyPI: the package, and its tests.
const PYPI: &[(&str, &str)] = &[
    ("inflection==0.5.1", "test_inflection.py"),
    ("toolz==1.0.0", "toolz/tests"),
    ("tabulate==0.9.0", "test/test_output.py test/test_input.py test/test_regression.py"),
];

/// npm: packages that carry tests for tape.
const NPM: &[&str] = &[
    "minimist@1.2.8",
    "qs@6.5.2",
    "object-inspect@1.6.0",
    "json-stable-stringify@1.0.1",
    "fast-json-stable-stringify@2.1.0",
    "deep-equal@1.0.1",
];

/// Debian's source packages of Java libraries: the package, and the folders of tests that run quickly.
const JAVA: &[(&str, &str)] =
    &[("json-simple", "json/simple simple/parser"), ("libcommons-codec-java", "codec/net codec/digest")];

/// Every package that can be had; one that cannot says why.
pub fn fetched(folder: &Path) -> Result<Vec<Package>, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found = Vec::new();
    let mut add = |name: &str, registry: &'static str, make: &dyn Fn(&Path) -> Result<(), String>| {
        let place = folder.join(name.replace(['=', '@'], "-"));
        let done = if place.join("verify.sh").exists() { Ok(()) } else { make(&place) };
        match done {
            Ok(()) => found.push(Package { name: name.to_owned(), registry, folder: place }),
            Err(why) => println!("{name} is left out: {why}"),
        }
    };
    for (name, tests) in PYPI {
        add(name, "pypi", &|place| python(place, name, tests));
    }
    for name in NPM {
        add(name, "npm", &|place| node(place, name));
    }
    for (name, tests) in JAVA {
        add(name, "java", &|place| java(place, name, tests));
    }
    Ok(found)
}

fn ready(place: &Path, script: &str) -> Result<(), String> {
    // A project of its own, not a part of what it stands in.
    run(place, "git", &["init", "-q"])?;
    let path = place.join("verify.sh");
    std::fs::write(&path, script).map_err(|error| format!("{}: {error}", path.display()))
}

fn empty(place: &Path) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(place);
    std::fs::create_dir_all(place).map_err(|error| format!("{}: {error}", place.display()))
}

fn python(place: &Path, name: &str, tests: &str) -> Result<(), String> {
    empty(place)?;
    let fetch = ["-m", "pip", "download", "-q", "--no-deps", "--no-binary=:all:", "-d", ".fetched", name];
    run(place, "python3", &fetch)?;
    run(place, "sh", &["-c", "tar xzf .fetched/*.tar.gz --strip-components=1"])?;
    run(place, "python3", &["-m", "pip", "install", "-q", "--target", ".site", "pytest"])?;
    let script = format!("PYTHONPATH=.site:. exec python3 -m pytest -q -x -p no:cacheprovider {tests}\n");
    ready(place, &script)
}

fn node(place: &Path, name: &str) -> Result<(), String> {
    empty(place)?;
    run(place, "npm", &["pack", "--silent", name])?;
    run(place, "sh", &["-c", "tar xzf *.tgz --strip-components=1 && rm -f *.tgz"])?;
    let without = "const fs = require('fs'); const p = JSON.parse(fs.readFileSync('package.json')); \
        delete p.devDependencies; delete p.scripts; fs.writeFileSync('package.json', JSON.stringify(p))";
    run(place, "node", &["-e", without])?;
    let flags = ["install", "--silent", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts"];
    run(
        place,
        "npm",
        &[&flags[..], &["tape@4", "json-stable-stringify", "iconv-lite", "safer-buffer"]].concat(),
    )?;
    ready(place, "exec node node_modules/tape/bin/tape 'test/*.js'\n")
}

fn java(place: &Path, name: &str, tests: &str) -> Result<(), String> {
    empty(place)?;
    let fetch = format!(
        "set -e; mkdir -p .apt/lists/partial .apt/parts\n\
         sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources > .apt/parts/src.sources\n\
         apt() {{ apt-get -qq -o Dir::Etc::sourceparts=\"$PWD/.apt/parts\" -o Dir::Etc::sourcelist=/dev/null \
         -o Dir::State::lists=\"$PWD/.apt/lists\" -o APT::Sandbox::User=root \"$@\"; }}\n\
         apt update; apt source --download-only --tar-only {name}; tar xf *.orig.tar.* --strip-components=1\n\
         rm -rf .apt *.orig.tar.*"
    );
    run(place, "sh", &["-c", &fetch])?;
    let wanted = |part: &str| format!("-path '*{part}/*Test.java'");
    let only: Vec<String> = tests.split_whitespace().map(wanted).collect();
    let script = format!(
        "set -e\nj=/usr/share/java\njars=$j/junit4.jar:$j/hamcrest-core.jar:$j/commons-lang3.jar\nmkdir -p /tmp/out\n\
         find src -name '*.java' > /tmp/all\njavac -nowarn -Xlint:none -encoding UTF-8 -d /tmp/out -cp $jars @/tmp/all\n\
         cp -r src/main/resources/. src/test/resources/. /tmp/out/ || true\n\
         names=$(find src/test \\( {} \\) ! -name 'Abstract*' | sed 's|.*/java/||; s|/|.|g; s|\\.java$||')\n\
         exec java -cp /tmp/out:$jars org.junit.runner.JUnitCore $names\n",
        only.join(" -o ")
    );
    ready(place, &script)
}
