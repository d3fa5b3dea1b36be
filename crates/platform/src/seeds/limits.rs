//! Limits by the names that the first documents use, and running under them.

use crate::facade::{Platform, local_caller};
use formicary_execution::Live;
use formicary_model::{
    Assurance, Environment, ExecutionRequest, ExecutionResult, Failure, FailureKind, Level, LimitOverrides,
    Limits, Source, SourceFile,
};
use formicary_sandbox::providers::native;

/// What a program may use. What is absent is as configured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExecutionLimits {
    /// Wall-clock time, in seconds.
    pub time_limit: Option<f64>,
    /// CPU time, in seconds.
    pub cpu_time_limit: Option<f64>,
    /// Memory, in MiB.
    pub memory_limit_mb: Option<u64>,
    /// Files in the sandbox, in MiB.
    pub disk_limit_mb: Option<u64>,
    /// Processes and threads.
    pub max_processes: Option<u32>,
}

impl ExecutionLimits {
    /// The same as overrides of the configured limits, refused where one lies outside its bounds.
    pub fn validated(&self) -> Result<LimitOverrides, Failure> {
        let bytes = |mib: Option<u64>| mib.map(|mib| mib.saturating_mul(1 << 20));
        let overrides = LimitOverrides {
            wall_seconds: self.time_limit,
            cpu_seconds: self.cpu_time_limit,
            memory_bytes: bytes(self.memory_limit_mb),
            disk_bytes: bytes(self.disk_limit_mb),
            processes: self.max_processes,
            ..LimitOverrides::default()
        };
        Limits::default().with(&overrides).check().map_err(|error| {
            Failure::new(FailureKind::InvalidInput, error.to_string())
                .hint(format!("set {} between {} and {}", error.name, error.min, error.max))
        })?;
        Ok(overrides)
    }
}

/// Runs under limits, for as long as this is held: nothing outside it is touched, so nothing has to be put back.
pub struct LimitedRuns<'p> {
    platform: &'p Platform,
    limits: LimitOverrides,
}

impl LimitedRuns<'_> {
    /// Runs one request under the limits. A limit that the request sets itself wins.
    pub fn execute(&self, request: ExecutionRequest, live: Live<'_>) -> Result<ExecutionResult, Failure> {
        let limits = request.environment.limits.clone().or(&self.limits);
        self.platform.execute_as(
            &local_caller(),
            ExecutionRequest { environment: Environment { limits, ..request.environment }, ..request },
            live,
        )
    }
}

impl Platform {
    /// Runs code under limits.
    pub fn execute_with_limits(
        &self,
        language: &str,
        code: &str,
        stdin: &str,
        limits: &ExecutionLimits,
    ) -> Result<ExecutionResult, Failure> {
        let request = self.code(language, code, stdin);
        self.resource_limits_context(limits)?.execute(request, Live::default())
    }

    /// Limits for several runs: what is run by the answer has them, what is run otherwise has not.
    pub fn resource_limits_context(&self, limits: &ExecutionLimits) -> Result<LimitedRuns<'_>, Failure> {
        Ok(LimitedRuns { platform: self, limits: limits.validated()? })
    }

    /// Runs a command over files, isolated by the kernel itself: namespaces, control groups, landlock, seccomp. Refused
    /// where this host cannot isolate.
    pub fn sandbox_process_isolation(
        &self,
        command: &[String],
        files: Vec<SourceFile>,
        limits: &ExecutionLimits,
    ) -> Result<ExecutionResult, Failure> {
        let request = ExecutionRequest {
            source: if files.is_empty() { Source::default() } else { Source::Files { files, entry: None } },
            command: Some(command.to_vec()),
            environment: Environment {
                provider: Some(native::NAME.into()),
                assurance: Assurance::Require(Level::Isolated),
                ..self.new_request().environment
            },
            ..self.new_request()
        };
        self.resource_limits_context(limits)?.execute(request, Live::default())
    }

    /// A request for a snippet, as configured.
    pub(super) fn code(&self, language: &str, code: &str, stdin: &str) -> ExecutionRequest {
        ExecutionRequest {
            language: Some(language.to_string()),
            source: Source::code(code),
            stdin: stdin.as_bytes().to_vec(),
            ..self.new_request()
        }
    }
}
