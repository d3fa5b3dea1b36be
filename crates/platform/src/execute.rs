//! Running a program: here, or on the machines that run this one's programs.

use crate::audit::keeping;
use crate::facade::Platform;
use crate::keys::Scope;
use crate::monitoring::watching::Waited;
use crate::use_case::{Context, declare};
use formicary_execution::Live;
use formicary_model::{Caller, ExecutionRequest, ExecutionResult, Failure, FailureKind};
use formicary_monitoring::audit::Ends;
use std::time::Instant;

declare!(
    /// Runs one program to its end. A failing program is `Ok`; `Err` means that Formicary failed.
    Execute, "execute", Post "/v1/execute", "Run code to its end", Some(Scope::Execute), Fetches,
    ExecutionRequest => ExecutionResult, |platform: &Platform, context: &Context<'_>, mut input: ExecutionRequest| {
        if input.language.is_none() && input.image.is_none() {
            platform.name_language(&mut input);
        }
        for note in platform.load_program(context, &mut input)? {
            context.step(note);
        }
        match platform.elsewhere.get() {
            Some(elsewhere) => {
                platform.execute_elsewhere(elsewhere.as_ref(), &context.caller, input, context.live())
            }
            None => platform.execute_as(&context.caller, input, context.live()),
        }
    }
);

impl Platform {
    /// Runs one program on this machine. What is more than one program (repairing, inspecting, tests) consists of such runs.
    pub fn execute_as(
        &self,
        caller: &Caller,
        request: ExecutionRequest,
        live: Live<'_>,
    ) -> Result<ExecutionResult, Failure> {
        let audit = self.audit_log()?;
        keeping::offer(audit.as_ref(), &request.source);
        let writing = keeping::writing(audit.as_ref(), Ends::Settled, &live.cancel);
        let observer = self.fanout(caller, live.observer, writing.as_ref());
        let memory = request.limits.memory_bytes.unwrap_or(self.execution.default_limits.memory_bytes);
        let asked = Instant::now();
        let permit = self.runs.caller().admit(memory, &live.cancel);
        let observer = Waited { observer: &observer, time: asked.elapsed() };
        let live = Live { stdin: live.stdin, observer: &observer, cancel: live.cancel };
        let Some(_permit) = permit else { return Err(Failure::new(FailureKind::Cancelled, "cancelled")) };
        let result = self.executor.execute(request, live);
        // An execution that the log does not know of must not look like one that it does.
        keeping::objection(writing.as_ref()).map_or(result, Err)
    }
}
