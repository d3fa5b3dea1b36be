//! A program with its cases as it lies on the queue: judged as a whole by one worker, which compiles it once.

use formicary_model::judging::Bytes;
use formicary_model::{Comparison, ExecutionRequest, Failure};
use formicary_platform::judging::{Case, Cases, Item, Text};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is to be judged besides the program itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judging {
    /// Its name, for messages.
    pub id: String,
    /// The cases.
    pub cases: Vec<JudgedCase>,
    /// How outputs are compared.
    pub comparison: Comparison,
    /// A program that decides in the place of a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checker: Option<Box<ExecutionRequest>>,
    /// Whether the cases end with the first that is not accepted.
    #[serde(default)]
    pub until_failure: bool,
}

/// One case, with its bytes: files of the caller's are not on the worker's machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedCase {
    /// Its name.
    pub name: String,
    /// Standard input.
    pub stdin: Bytes,
    /// What must be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Bytes>,
    /// A word that must be among what is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

impl Judging {
    /// An item without its program. Cases that lie in files are read here.
    pub fn of(item: &Item, cases: Cases) -> Result<Self, Failure> {
        let case = |case: &Case| {
            Ok(JudgedCase {
                name: case.name.clone(),
                stdin: Bytes(case.stdin.read()?),
                expected: case.expected.as_ref().map(Text::read).transpose()?.map(Bytes),
                proof: case.proof.clone(),
            })
        };
        Ok(Self {
            id: item.id.clone(),
            cases: item.cases.iter().map(case).collect::<Result<_, Failure>>()?,
            comparison: item.comparison,
            checker: item.checker.as_deref().cloned().map(Box::new),
            until_failure: cases == Cases::UntilFailure,
        })
    }

    /// The item with its program, and which of its cases are wanted.
    pub fn into_item(self, request: ExecutionRequest) -> (Item, Cases) {
        let case = |case: JudgedCase| Case {
            name: case.name,
            stdin: Text::Given(case.stdin.0),
            expected: case.expected.map(|bytes| Text::Given(bytes.0)),
            proof: case.proof,
        };
        let item = Item {
            id: self.id,
            line: 1,
            group: None,
            request,
            cases: self.cases.into_iter().map(case).collect(),
            comparison: self.comparison,
            checker: self.checker.map(|checker| Arc::new(*checker)),
        };
        (item, if self.until_failure { Cases::UntilFailure } else { Cases::All })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let folder = formicary_testkit::Scratch::new("judging").unwrap();
        let input = folder.path().join("1.in");
        std::fs::write(&input, [0xff, 0, b'\n']).unwrap();
        let case = |stdin: Text| Case {
            name: "1".into(),
            stdin,
            expected: Some(Text::Given(b"4\n".to_vec())),
            proof: Some("done".into()),
        };
        let checker = ExecutionRequest { language: Some("python".into()), ..Default::default() };
        let item = Item {
            id: "a".into(),
            line: 7,
            group: Some("g".into()),
            request: ExecutionRequest::default(),
            cases: Arc::new([case(Text::File(input.clone()))]),
            comparison: Comparison::Exact,
            checker: Some(Arc::new(checker.clone())),
        };
        let packed = serde_json::to_vec(&Judging::of(&item, Cases::UntilFailure).unwrap()).unwrap();
        let judging: Judging = serde_json::from_slice(&packed).unwrap();
        let (there, cases) = judging.into_item(ExecutionRequest::default());
        assert_eq!(cases, Cases::UntilFailure);
        assert_eq!(there.cases[0].stdin, Text::Given(vec![0xff, 0, b'\n']));
        assert_eq!(there.cases[0].proof.as_deref(), Some("done"));
        assert_eq!(there.checker.as_deref(), Some(&checker));
        std::fs::remove_file(&input).unwrap();
        assert!(Judging::of(&item, Cases::All).unwrap_err().message.contains("1.in"));
    }
}
