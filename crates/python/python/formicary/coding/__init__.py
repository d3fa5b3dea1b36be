"""The names of the project's first documents, on Formicary's engine.

>>> from formicary.coding import execute_code
>>> result = execute_code("python", "print('Hello from sandbox!')")
>>> result["status"], result["stdout"]
('success', 'Hello from sandbox!\\n')
"""

from __future__ import annotations

from .agent import CodeGenerator, GeneratedCode, Orchestrator, TaskResult
from .analysis import MetricCollector, SecurityScanner, StaticAnalyzer
from .debugging import (
    Debugger,
    DebugResult,
    ErrorAnalyzer,
    ErrorDiagnosis,
    FixVerifier,
    Patch,
    PatchGenerator,
    VerificationResult,
)
from .exceptions import CodeReviewError, ConfigurationError, PyscnError, ToolNotFoundError
from .execution import (
    SUPPORTED_LANGUAGES,
    CodeExecutor,
    ExecutionResult,
    execute_code,
    validate_language,
    validate_session_id,
    validate_timeout,
)
from .monitoring import ExecutionMonitor, MetricsCollector, ResourceMonitor
from .patterns import ASTTransformer, CloneDetector, PatternMatcher
from .review import (
    AnalysisResult,
    AnalysisSummary,
    AnalysisType,
    ArchitectureViolation,
    CodeMetrics,
    CodeReviewer,
    ComplexityReductionSuggestion,
    DeadCodeFinding,
    Language,
    PyscnAnalyzer,
    QualityDashboard,
    QualityGateResult,
    SeverityLevel,
    analyze_file,
    analyze_project,
    check_quality_gates,
    generate_report,
)
from .sandbox import (
    DockerSandbox,
    ExecutionLimits,
    SandboxEnvironment,
    check_docker_available,
    cleanup_temp_files,
    execute_with_limits,
    prepare_code_file,
    prepare_stdin_file,
    resource_limits_context,
    run_code_in_docker,
    sandbox_process_isolation,
)

__all__ = [
    "ASTTransformer", "AnalysisResult", "AnalysisSummary", "AnalysisType", "ArchitectureViolation", "CloneDetector",
    "CodeExecutor", "CodeGenerator", "CodeMetrics", "CodeReviewError", "CodeReviewer", "ComplexityReductionSuggestion",
    "ConfigurationError", "DeadCodeFinding", "DebugResult", "Debugger", "DockerSandbox", "ErrorAnalyzer",
    "ErrorDiagnosis", "ExecutionLimits", "ExecutionResult", "ExecutionMonitor", "FixVerifier", "GeneratedCode", "Language", "MetricCollector",
    "MetricsCollector", "Orchestrator", "Patch", "PatchGenerator", "PatternMatcher", "PyscnAnalyzer", "PyscnError", "QualityDashboard",
    "QualityGateResult", "ResourceMonitor", "SUPPORTED_LANGUAGES", "SandboxEnvironment", "SecurityScanner",
    "SeverityLevel", "StaticAnalyzer", "TaskResult", "ToolNotFoundError", "VerificationResult", "analyze_file", "analyze_project",
    "check_docker_available", "check_quality_gates", "cleanup_temp_files", "execute_code", "execute_with_limits",
    "generate_report", "prepare_code_file", "prepare_stdin_file", "resource_limits_context", "run_code_in_docker",
    "sandbox_process_isolation", "validate_language", "validate_session_id", "validate_timeout",
]  # fmt: skip
