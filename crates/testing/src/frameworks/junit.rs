//! JUnit 4 and 5: the project's sources are compiled with the jars that are found, and a runner of ours tells of each test.

use super::{Before, Framework, Plan, Start};
use crate::events::{self, MOST_OUTPUT, Told};
use crate::project::{OURS, Project, our_file, quoted, shortened};
use crate::run::Wanted;
use formicary_model::{ExecutionResult, TestPlace, TestResult, TestStatus};

const TELLING: &str = include_str!("runners/Telling.java");
const JUPITER: &str = include_str!("runners/JupiterRunner.java");
const VINTAGE: &str = include_str!("runners/VintageRunner.java");

/// JUnit.
pub const JUNIT: Framework =
    Framework { name: "junit", language: "java", recognise, plan, read, goes_on: true };

fn recognise(project: &Project) -> Option<String> {
    let own = project.ending(".java").find(|path| project.text(path).contains("org.junit"));
    own.map(|path| format!("{path} uses JUnit"))
}

fn plan(project: &Project, wanted: &Wanted, before: &Before<'_>) -> Plan {
    let jupiter = project.ending(".java").any(|path| project.text(path).contains("org.junit.jupiter"));
    let (runner, source, jar) = match jupiter {
        true => ("JupiterRunner", JUPITER, "junit-jupiter-api"),
        false => ("VintageRunner", VINTAGE, "junit4"),
    };
    let own = wanted.select.first().map(|path| class_of(path)).or(wanted.filter.clone()).unwrap_or_default();
    let missing = "{\"event\":\"missing\",\"what\":\"JUnit\"}";
    // The project's own jars come first; Debian's are there for projects that have none.
    let line = format!(
        "CP=$(find /work -name '*.jar' 2>/dev/null | tr '\\n' ':')$(ls /usr/share/java/junit*.jar /usr/share/java/hamcrest*.jar \
         /usr/share/java/opentest4j*.jar /usr/share/java/apiguardian*.jar /usr/share/java/univocity-parsers*.jar 2>/dev/null | tr '\\n' ':'); \
         case \"$CP\" in *{jar}*|*junit*) ;; *) echo '{missing}' > {OURS}/events.jsonl; exit 127;; esac; \
         mkdir -p /tmp/classes /tmp/ours; cd /work; find . -name '*.java' -not -path './{OURS}/*' > /tmp/sources; \
         javac -nowarn -d /tmp/classes -cp \"$CP\" @/tmp/sources 2> /tmp/javac.log || {{ cat /tmp/javac.log >&2; exit 126; }}; \
         for folder in src/main/resources src/test/resources; do [ -d $folder ] && cp -r $folder/. /tmp/classes; done; \
         javac -nowarn -d /tmp/ours -cp \"$CP:/tmp/classes\" {OURS}/Telling.java {OURS}/{runner}.java 2> /tmp/javac.log \
         || {{ cat /tmp/javac.log >&2; exit 125; }}; \
         exec java -ea -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp \"/tmp/ours:/tmp/classes:$CP\" {runner} {} {}",
        before.test_seconds.unwrap_or(0.0),
        quoted(&own),
    );
    Plan {
        start: Start::Shell(line),
        files: vec![
            our_file("Telling.java", TELLING),
            our_file(&format!("{runner}.java"), source),
            our_file("done.txt", before.done.join("\n")),
        ],
        env: Vec::new(),
        collect: vec![format!("{OURS}/events.jsonl")],
    }
}

/// The class of a file; anything else as it is.
fn class_of(name: &str) -> String {
    match name.strip_suffix(".java") {
        Some(stem) => format!("{}::", stem.rsplit('/').next().unwrap_or(stem)),
        None => name.to_owned(),
    }
}

fn read(project: &Project, result: &ExecutionResult) -> Told {
    let mut told = events::read(result, split);
    for test in &mut told.tests {
        // A stack names the package's path; the file lies somewhere below a folder of sources.
        if let Some(place) = &mut test.place
            && let Some(whole) = project
                .paths
                .iter()
                .find(|path| **path == place.file || path.ends_with(&format!("/{}", place.file)))
        {
            place.file.clone_from(whole);
        }
    }
    if result.exit_code == Some(126) {
        told.tests.push(build_failure(&result.stderr));
    }
    told
}

fn split(id: &str) -> (String, String) {
    id.split_once("::")
        .map_or((String::new(), id.to_owned()), |(suite, name)| (suite.to_owned(), name.to_owned()))
}

fn build_failure(output: &str) -> TestResult {
    let error = output.lines().find(|line| line.contains(": error:")).unwrap_or("it does not compile");
    let mut parts = error.trim_start_matches("./").split(':');
    let place = parts.next().zip(parts.next().and_then(|line| line.parse().ok()));
    TestResult {
        name: "(build)".into(),
        suite: String::new(),
        status: TestStatus::Errored,
        seconds: None,
        message: Some(error.to_owned()),
        place: place.map(|(file, line)| TestPlace { file: file.to_owned(), line }),
        output: shortened(output, MOST_OUTPUT),
    }
}
