//! JSON Lines: one item a line, of our own form or HumanEval's. A line that cannot be read is told, the rest goes on.

use super::item::{Case, Feed, Item, Text};
use super::unit_tests::{appended, once};
use formicary_model::{
    CheckerProgram, Comparison, Environment, ExecutionRequest, Failure, FailureKind, JudgeItem, Source,
};
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;

/// What holds for every item that does not say otherwise.
#[derive(Debug, Clone, Default)]
pub struct Template {
    /// Language, limits, network, protection: everything but the code.
    pub request: ExecutionRequest,
    /// How outputs are compared.
    pub comparison: Comparison,
    /// A program that decides in the place of the comparison.
    pub checker: Option<Arc<ExecutionRequest>>,
    /// The problems that samples without tests of their own answer.
    pub problems: Option<Arc<Problems>>,
}

/// Problems of HumanEval's form by their name: the prompt that a sample goes on with, and the tests that judge it.
#[derive(Debug, Clone, Default)]
pub struct Problems(HashMap<String, Problem>);

/// One problem; further fields are the data set's own.
#[derive(Debug, Clone, Deserialize)]
struct Problem {
    task_id: String,
    #[serde(default)]
    prompt: String,
    test: String,
    #[serde(default)]
    entry_point: Option<String>,
    #[serde(default)]
    language: Option<String>,
}

impl Problems {
    /// Reads a file of problems, one JSON object a line. A line that is no problem fails all of it.
    pub fn read(input: impl Read) -> Result<Self, Failure> {
        let mut problems = HashMap::new();
        let mut input = BufReader::new(input);
        for number in 1_u64.. {
            let mut line = Vec::new();
            let refuse = |why: String| {
                Failure::new(FailureKind::InvalidInput, format!("line {number} is not a problem: {why}"))
                    .hint("a problem is {\"task_id\", \"prompt\", \"test\", \"entry_point\"}, one a line and not compressed")
            };
            let taken = (&mut input).take(LONGEST + 1).read_until(b'\n', &mut line);
            let length = taken.map_err(|error| refuse(error.to_string()))?;
            if length == 0 {
                break;
            }
            if length as u64 > LONGEST {
                return Err(refuse(format!("it is longer than {LONGEST} bytes")));
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            let problem: Problem = serde_json::from_slice(&line).map_err(|error| refuse(plain(&error)))?;
            problems.insert(problem.task_id.clone(), problem);
        }
        Ok(Self(problems))
    }
}

/// A line may have this many bytes.
const LONGEST: u64 = 64 * 1024 * 1024;

/// The items of a stream of lines. Empty lines are passed over.
pub fn read(input: impl Read + Send + 'static, template: Template) -> Box<dyn Iterator<Item = Feed> + Send> {
    let mut input = BufReader::with_capacity(128 * 1024, input);
    let mut number = 0;
    let mut ended = false;
    Box::new(std::iter::from_fn(move || {
        while !ended {
            number += 1;
            let mut line = Vec::new();
            let taken = (&mut input).take(LONGEST + 1).read_until(b'\n', &mut line);
            let broken = |why: Unreadable| Feed::Broken { line: number, failure: why.failure(number) };
            match taken {
                Ok(0) => ended = true,
                Ok(length) if length as u64 > LONGEST => {
                    ended = skip_line(&mut input).is_err();
                    return Some(broken(format!("it is longer than {LONGEST} bytes").into()));
                }
                Ok(_) if line.trim_ascii().is_empty() => {}
                Ok(_) => {
                    return Some(match item(&line, number, &template) {
                        Ok(item) => Feed::Item(Box::new(item)),
                        Err(why) => broken(why),
                    });
                }
                Err(error) => {
                    ended = true;
                    return Some(broken(format!("the input cannot be read: {error}").into()));
                }
            }
        }
        None
    }))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        if available.is_empty() {
            return Ok(());
        }
        let (length, found) = match available.iter().position(|byte| *byte == b'\n') {
            Some(place) => (place + 1, true),
            None => (available.len(), false),
        };
        input.consume(length);
        if found {
            return Ok(());
        }
    }
}

/// Why a line is no item, and what to do.
struct Unreadable {
    why: String,
    hint: &'static str,
}

const HINT: &str =
    "an item is {\"id\", \"language\", \"code\" or \"files\", \"cases\": [{\"stdin\", \"expected\"}]}";

impl From<String> for Unreadable {
    fn from(why: String) -> Self {
        Self { why, hint: HINT }
    }
}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        plain(&error).into()
    }
}

impl Unreadable {
    fn failure(self, line: u64) -> Failure {
        let message = format!("{}{}", prefix(line), self.why);
        Failure::new(FailureKind::InvalidInput, message).hint(self.hint)
    }
}

/// How the message of a line that is no item begins; what follows may be the same for many lines.
pub(super) fn prefix(line: u64) -> String {
    format!("line {line} is not an item: ")
}

/// An error of a line; without its place where the fields are wrong, since a missing one has none and many lines share the reason.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if error.classify() != serde_json::error::Category::Data {
        return text;
    }
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).map(str::to_owned).unwrap_or(text)
}

/// Which of the known forms a line has.
#[derive(Deserialize)]
struct Form {
    #[serde(default)]
    task_id: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    prompt: Option<serde::de::IgnoredAny>,
}

fn item(line: &[u8], number: u64, template: &Template) -> Result<Item, Unreadable> {
    let form: Form = serde_json::from_slice(line)?;
    if form.task_id.is_some() || form.prompt.is_some() {
        return serde_json::from_slice::<HumanEval>(line)?.into_item(number, template);
    }
    Ok(own(serde_json::from_slice(line)?, number, template)?)
}

fn own(mut wire: JudgeItem, number: u64, template: &Template) -> Result<Item, String> {
    let language = wire.language.take().or_else(|| template.request.language.clone());
    let (source, by_test) = source(&mut wire, language.as_deref())?;
    let request = ExecutionRequest {
        language,
        source,
        compiler_flags: if wire.compiler_flags.is_empty() {
            template.request.compiler_flags.clone()
        } else {
            wire.compiler_flags
        },
        environment: Environment {
            limits: wire.limits.or(&template.request.limits),
            ..template.request.environment.clone()
        },
        ..template.request.clone()
    };
    let checker = wire.checker.map(|checker| Arc::new(checker_request(checker, &template.request)));
    let cases: Vec<Case> = wire
        .cases
        .into_iter()
        .enumerate()
        .map(|(index, case)| Case {
            name: case.name.unwrap_or_else(|| (index + 1).to_string()),
            stdin: Text::Given(case.stdin),
            expected: case.expected.map(|bytes| Text::Given(bytes.0)),
            proof: None,
        })
        .collect();
    Ok(Item {
        id: wire.id.unwrap_or_else(|| number.to_string()),
        line: number,
        group: wire.group,
        request,
        cases: if cases.is_empty() { by_test } else { cases.into() },
        comparison: wire.compare.unwrap_or(template.comparison),
        checker: checker.or_else(|| template.checker.clone()),
    })
}

/// The program, and the case that judges it where it brings none.
fn source(wire: &mut JudgeItem, language: Option<&str>) -> Result<(Source, Arc<[Case]>), String> {
    match (wire.code.take(), wire.files.is_empty()) {
        (Some(_), false) => Err("it has both \"code\" and \"files\"".into()),
        (None, true) => Err("it has neither \"code\" nor \"files\"".into()),
        (Some(code), true) => {
            let Some(test) = wire.test.take() else { return Ok((Source::code(code.0), once(None))) };
            // Cases judge by what is written: then nothing may be added to it.
            let language = language.filter(|_| wire.cases.is_empty());
            let (code, cases) = appended(code.0, &test, language).map_err(|failure| failure.message)?;
            Ok((Source::code(code), cases))
        }
        (None, false) => {
            if wire.test.is_some() {
                return Err("\"test\" goes with \"code\"; among \"files\", name the test as \"entry\"".into());
            }
            let files = std::mem::take(&mut wire.files);
            Ok((Source::Files { files, entry: wire.entry.take() }, once(None)))
        }
    }
}

/// A checker as a request of its own, confined as the template says.
pub fn checker_request(checker: CheckerProgram, template: &ExecutionRequest) -> ExecutionRequest {
    ExecutionRequest {
        language: checker.language,
        source: Source::code(checker.code),
        environment: Environment {
            network: template.network.clone(),
            assurance: template.assurance,
            provider: template.provider.clone(),
            ..Environment::default()
        },
        ..ExecutionRequest::default()
    }
}

/// A line of HumanEval and of the many data sets that follow it; further fields are theirs.
#[derive(Deserialize)]
struct HumanEval {
    task_id: String,
    #[serde(default)]
    prompt: String,
    #[serde(alias = "solution", alias = "canonical_solution")]
    completion: String,
    #[serde(default)]
    test: Option<String>,
    #[serde(default)]
    entry_point: Option<String>,
    #[serde(default)]
    language: Option<String>,
}

impl HumanEval {
    /// Prompt, completion, tests and their call, in one Python file. Answers to one task share a group.
    fn into_item(self, number: u64, template: &Template) -> Result<Item, Unreadable> {
        let answered = self.with_problem(template.problems.as_deref())?;
        answered.with_tests(number, template)
    }

    /// A sample that has no tests gets prompt and tests of the problem that it answers.
    fn with_problem(self, problems: Option<&Problems>) -> Result<Self, Unreadable> {
        if self.test.is_some() {
            return Ok(self);
        }
        let Some(problems) = problems else {
            return Err(Unreadable {
                why: "it is a sample without the tests of its problem".into(),
                hint: "a sample needs \"prompt\", \"test\" and \"entry_point\" of its problem in its own line, or beside it the file of problems: --problems HumanEval.jsonl",
            });
        };
        let Some(problem) = problems.0.get(&self.task_id) else {
            return Err(Unreadable {
                why: "its task_id is not among the problems".into(),
                hint: "give the file of problems that the samples were made for",
            });
        };
        Ok(Self {
            prompt: if self.prompt.is_empty() { problem.prompt.clone() } else { self.prompt },
            test: Some(problem.test.clone()),
            entry_point: self.entry_point.or_else(|| problem.entry_point.clone()),
            language: self.language.or_else(|| problem.language.clone()),
            ..self
        })
    }

    fn with_tests(self, number: u64, template: &Template) -> Result<Item, Unreadable> {
        let call = self.entry_point.map(|name| format!("check({name})")).unwrap_or_default();
        let language = self.language.or_else(|| template.request.language.clone());
        let language = language.unwrap_or_else(|| "python".into());
        let program = format!("{}{}\n", self.prompt, self.completion).into_bytes();
        let test = format!("{}\n\n{call}", self.test.unwrap_or_default());
        let (code, cases) = appended(program, &test, Some(&language)).map_err(|failure| failure.message)?;
        Ok(Item {
            id: self.task_id.clone(),
            line: number,
            group: Some(self.task_id),
            request: ExecutionRequest {
                language: Some(language),
                source: Source::code(code),
                ..template.request.clone()
            },
            cases,
            comparison: template.comparison,
            checker: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feeds(text: &'static [u8]) -> Vec<Result<Item, String>> {
        let show = |feed| match feed {
            Feed::Item(item) => Ok(*item),
            Feed::Broken { failure, .. } => Err(failure.message),
        };
        read(text, Template::default()).map(show).collect()
    }

    fn code(item: &Item) -> String {
        match &item.request.source {
            Source::Code { code, .. } => String::from_utf8_lossy(code).into_owned(),
            Source::Files { files, .. } => files.iter().map(|file| file.path.as_str()).collect(),
        }
    }

    #[test]
    fn broken_lines_are_named_and_the_rest_goes_on() {
        let text = b"{\"code\": \"a\"}\n\nnot json\n{\"id\": \"x\", \"code\": \"b\", \"cases\": [{\"stdin\": \"1\"}]}\n\
            {\"cod\": \"b\"}\n\xff\n{\"id\": 3}\n{\"code\": \"a\", \"files\": [{\"path\": \"a\", \"content\": \"\"}]}\n\
            {\"code\": \"last\", \"test\": \"assert 1\"}";
        let found = feeds(text);
        let shown: Vec<String> = found
            .iter()
            .map(|feed| match feed {
                Ok(item) => format!("{} {} {}", item.line, item.id, code(item).trim().replace('\n', "|")),
                Err(message) => message.chars().take(30).collect(),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "1 1 a",
                "line 3 is not an item: expecte",
                "4 x b",
                "line 5 is not an item: unknown",
                "line 6 is not an item: expecte",
                "line 7 is not an item: it has ",
                "line 8 is not an item: it has ",
                "9 9 last|assert 1",
            ]
        );
    }

    #[test]
    fn human_eval() {
        let text = br#"{"task_id": "HumanEval/0", "prompt": "def f():\n", "canonical_solution": "    return 1\n", "entry_point": "f", "test": "def check(g):\n    assert g() == 1\n", "difficulty": 3}
{"task_id": "T/1", "prompt": "", "completion": "def f(): pass", "test": "assert f"}
{"task_id": "T/2", "prompt": ""}"#;
        let found = feeds(text);
        let first = found[0].as_ref().unwrap();
        assert_eq!((first.id.as_str(), first.group.as_deref()), ("HumanEval/0", Some("HumanEval/0")));
        assert_eq!(first.request.language.as_deref(), Some("python"));
        assert!(code(first).contains("assert g() == 1\n\n\ncheck(f)\n"), "{}", code(first));
        assert!(first.cases[0].proof.as_ref().is_some_and(|word| code(first).contains(word)));
        assert!(code(found[1].as_ref().unwrap()).contains("def f(): pass\n\nassert f\n"));
        assert!(found[2].as_ref().err().unwrap().contains("completion"));
    }

    #[test]
    fn samples_get_the_tests_of_their_problems() {
        let problems = br#"{"task_id": "H/0", "prompt": "def f():\n", "canonical_solution": "", "entry_point": "f", "test": "def check(g):\n    assert g() == 1\n"}
"#;
        let samples: &[u8] = br#"{"task_id": "H/0", "completion": "    return 1"}
{"task_id": "H/0", "completion": "    return 2"}
{"task_id": "H/9", "completion": "    return 2"}"#;
        let without = feeds(samples);
        assert!(without[0].as_ref().err().unwrap().contains("without the tests of its problem"));
        let problems = Problems::read(&problems[..]).unwrap();
        let template = Template { problems: Some(Arc::new(problems)), ..Template::default() };
        let found: Vec<Feed> = read(samples, template).collect();
        let Feed::Item(first) = &found[0] else { panic!("no item") };
        assert!(code(first).starts_with("def f():\n    return 1\n"), "{}", code(first));
        assert!(code(first).contains("check(f)\n"), "{}", code(first));
        assert!(matches!(&found[2], Feed::Broken { failure, .. } if failure.message.contains("not among")));
        for broken in [&b"{\"task_id\": \"a\"}"[..], b"\x1f\x8b\x08"] {
            assert!(Problems::read(broken).unwrap_err().message.starts_with("line 1 is not a problem"));
        }
    }

    #[test]
    fn a_line_without_end_is_passed_over() {
        let endless = std::io::repeat(b'x').take(LONGEST + 100_000).chain(&b"\n{\"code\": \"a\"}\n"[..]);
        let found: Vec<Feed> = read(endless, Template::default()).collect();
        assert!(matches!(found[0], Feed::Broken { line: 1, .. }));
        assert!(matches!(&found[1], Feed::Item(item) if item.line == 2));
        assert_eq!(found.len(), 2);
    }
}
