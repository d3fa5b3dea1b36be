//! The names under which people who come from the mission's first documents look for these use-cases. Each is a thin
//! way to the façade: same guard, same providers, same results.
//!
//! | module | what it holds |
//! |---|---|
//! | [`limits`] | `ExecutionLimits`, `execute_with_limits`, `resource_limits_context` |
//! | [`environment`] | `SandboxEnvironment` and `CodeExecutor` |
//! | [`containers`] | `check_docker_available`, `run_code_in_docker`, `DockerSandbox` |
//! | [`files`] | `prepare_code_file`, `prepare_stdin_file`, `cleanup_temp_files` |

pub mod containers;
pub mod environment;
pub mod files;
pub mod limits;

pub use containers::{DockerAvailability, DockerSandbox};
pub use environment::{CodeExecutor, SandboxEnvironment};
pub use files::{cleanup_temp_files, prepare_code_file, prepare_stdin_file};
pub use limits::{ExecutionLimits, LimitedRuns};

#[cfg(test)]
mod tests;
