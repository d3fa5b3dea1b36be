//! Rounds with an adviser: ask, refuse what may not be changed, run the tests, tell what came of it, ask again.

use super::help::{Advice, Adviser, Help, Question};
use super::{Debugger, FixRequest, Step, own, report};
use crate::search::whole;
use crate::verify::FixVerifier;
use crate::{Candidate, Case, TextEdit};
use formicary_model::{Failure, FixReport, PatchEvidence, PatchedFile, RankedPatch, RejectedProposal};
use std::time::Instant;

/// Bytes of a failed run that are told.
const TOLD: usize = 2_500;

impl Debugger<'_> {
    /// Asks until a proposal is verified, nobody wants to go on, or the budget is spent.
    pub(super) fn advised(
        &self,
        request: &FixRequest,
        verifier: &FixVerifier<'_>,
        help: &Help<'_>,
        report: &mut FixReport,
        until: Instant,
    ) -> Result<(), Failure> {
        let Some(adviser) = help.adviser else { return Ok(()) };
        let mut rejected: Vec<RejectedProposal> = Vec::new();
        for round in 1..=help.rounds {
            if Instant::now() >= until {
                report.notes.push(format!("the time was over before {} was asked again", adviser.name()));
                break;
            }
            (self.watch)(Step::Asking(adviser.name(), round));
            let question = Question {
                case: &request.case,
                command: &request.command.shell,
                cases: &request.cases,
                baseline: &report.baseline,
                diagnosis: report.diagnosis.as_ref(),
                suspects: &report.suspects,
                rejected: &rejected,
            };
            let (files, summary) = match adviser.advise(&question)? {
                Advice::Ended(why) => {
                    report.notes.push(format!("{}: {why}", adviser.name()));
                    break;
                }
                Advice::Unusable(what) => {
                    rejected.push(what);
                    continue;
                }
                Advice::Files { files, summary } => (files, summary),
            };
            report.candidates += 1;
            match self.proposed(request, verifier, report, adviser, &files, &summary, &rejected)? {
                Ok(patch) => {
                    report.patches.push(patch);
                    break;
                }
                Err(why) => rejected.push(why),
            }
        }
        report.model = Some(formicary_model::ModelUse { rejected, ..adviser.used() });
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one step of the loop above, which holds all of it")]
    fn proposed(
        &self,
        request: &FixRequest,
        verifier: &FixVerifier<'_>,
        report: &FixReport,
        adviser: &dyn Adviser,
        files: &[PatchedFile],
        summary: &str,
        rejected: &[RejectedProposal],
    ) -> Result<Result<RankedPatch, RejectedProposal>, Failure> {
        let diff = report::diff(&request.case, files);
        let refuse = |why: String| Ok(Err(RejectedProposal { change: diff.clone(), why }));
        if rejected.iter().any(|before| before.change == diff) {
            return refuse("this was proposed before and does not pass".into());
        }
        let edits = match edits(&request.case, files) {
            Ok(edits) => edits,
            Err(why) => return refuse(why),
        };
        let first = summary.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
        let candidate = Candidate {
            edits,
            origin: format!("model/{}", adviser.name()),
            cost: 3.0,
            confidence: 0.5,
            explanation: if first.is_empty() {
                "as proposed".into()
            } else {
                first.chars().take(300).collect()
            },
        };
        if own::only_the_program(request, vec![candidate.clone()]).is_empty() {
            return refuse("it changes tests, which stay as they are".into());
        }
        (self.watch)(Step::Verifying(candidate.explanation.clone()));
        let verification = verifier.verify(&request.case, &candidate, &report.baseline, 2)?;
        if !verification.verified {
            let said = verification.after.last().map(|run| tail(&run.output)).unwrap_or_default();
            let how =
                if verification.flaky { "the tests pass only sometimes" } else { "the tests still fail" };
            return refuse(format!("{how}:\n{said}"));
        }
        Ok(Ok(RankedPatch {
            rank: 1,
            diff: report::diff(&request.case, &report::patched_files(&request.case, &candidate)),
            origin: candidate.origin.clone(),
            explanation: candidate.explanation.clone(),
            confidence: candidate.confidence,
            evidence: PatchEvidence::default(),
            caveats: Vec::new(),
            files: report::patched_files(&request.case, &candidate),
            verification: Some(verification),
        }))
    }
}

/// The changes of whole files, or what may not be changed.
fn edits(case: &Case, files: &[PatchedFile]) -> Result<Vec<TextEdit>, String> {
    let mut edits = Vec::new();
    for file in files {
        let Some(index) = case.files.iter().position(|own| own.path == file.path) else {
            return Err(format!("{} is no file of the program, and none may be added", file.path));
        };
        if !case.files[index].editable {
            return Err(format!(
                "{} may not be changed: it is a test, or was not named for mending",
                file.path
            ));
        }
        if case.files[index].text != file.text {
            edits.extend(whole(index, &case.files[index].text, &file.text));
        }
    }
    if edits.is_empty() { Err("it changes nothing".into()) } else { Ok(edits) }
}

fn tail(text: &str) -> String {
    let from = text.len().saturating_sub(TOLD);
    let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text[from..].to_owned()
}
