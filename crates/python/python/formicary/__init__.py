"""Formicary: run code that nobody trusts, review it, match and rewrite it, debug it.

>>> import formicary
>>> formicary.execute("print('Hello from the sandbox!')", "python").stdout
'Hello from the sandbox!\\n'

The functions of this module use one client of the process, whose sandboxes stay warm; ``Formicary`` makes another with
settings of its own. ``formicary.coding`` has the names of the project's first documents.
"""

from __future__ import annotations

from ._default import client as _client
from ._formicary import __version__
from .agents import AgentEvent, AgentResult, Ending, KeptRun
from .aio import AsyncFormicary, AsyncRun, AsyncSession
from .client import Formicary, Run
from .diagnosis import Diagnosed, DiagnosedError, Diagnosis, FixReport, FixStatus, RankedPatch
from .errors import (
    Cancelled,
    FormicaryError,
    InvalidConfiguration,
    InvalidInput,
    IsolationUnavailable,
    SandboxFailed,
    ToolchainMissing,
)
from .findings import Category, Finding, Review, Severity, Span
from .host import Doctor, LanguageInfo
from .inspection import InspectReport, Stop
from .judging import CaseResult, JudgeReport, JudgeResult, Verdict
from .keeping import AuditVerification, Cache, DefaultImage, Image, Images, KeptEnvironment, Setting
from .limits import Limits, limited
from .results import Artifact, Enforcement, Event, ExecutionResult, Level, Phase, Status, Usage
from .sessions import CellResult, Session
from .structure import CloneGroup, CloneReport, Match, Refactoring, RefactoringReport, RewriteReport, SearchReport
from .testing import GenerationReport, Mutant, MutationReport, TestReport, TestResult, TestStatus

__all__ = [
    "__version__", "Formicary", "Run", "Limits", "limited", "execute", "execute_async", "stream", "session", "judge",
    "review", "review_fix", "write_baseline", "rules", "search", "rewrite", "undo", "clones", "refactorings", "refactor",
    "symbols", "calls", "dependencies", "diagnose", "diagnose_text", "fix", "inspect", "run_tests", "generate_tests", "mutate", "agent",
    "agent_resume", "agent_replay", "agent_runs", "agent_transcript", "AgentEvent", "AgentResult", "Ending", "GenerationReport",
    "InspectReport", "KeptRun", "Mutant", "MutationReport", "Stop", "TestReport", "TestResult", "TestStatus", "languages", "detect", "doctor", "warm_up", "images",
    "pull_image", "build_image", "prune_images", "cache", "prune_cache", "config", "audit", "verify_audit", "AsyncFormicary",
    "AsyncRun", "AsyncSession", "AuditVerification", "Cache", "DefaultImage", "Image", "Images", "KeptEnvironment", "Setting", "Artifact", "Cancelled", "CaseResult", "Category", "CellResult",
    "CloneGroup", "CloneReport", "Diagnosed", "DiagnosedError", "Diagnosis", "Doctor", "Enforcement", "Event",
    "ExecutionResult", "Finding", "FixReport", "FixStatus", "FormicaryError", "InvalidConfiguration", "InvalidInput",
    "IsolationUnavailable", "JudgeReport", "JudgeResult", "LanguageInfo", "Level", "Match", "Phase", "RankedPatch",
    "Refactoring", "RefactoringReport", "Review", "RewriteReport", "SandboxFailed", "SearchReport", "Session", "Severity",
    "Span", "Status", "ToolchainMissing", "Usage", "Verdict",
]  # fmt: skip

execute = _client.execute
execute_async = _client.execute_async
stream = _client.stream
session = _client.session
judge = _client.judge
review = _client.review
rules = _client.rules
search = _client.search
rewrite = _client.rewrite
undo = _client.undo
clones = _client.clones
refactorings = _client.refactorings
refactor = _client.refactor
symbols = _client.symbols
calls = _client.calls
dependencies = _client.dependencies
review_fix = _client.review_fix
write_baseline = _client.write_baseline
diagnose = _client.diagnose
diagnose_text = _client.diagnose_text
fix = _client.fix
inspect = _client.inspect
run_tests = _client.run_tests
generate_tests = _client.generate_tests
mutate = _client.mutate
agent = _client.agent
agent_resume = _client.agent_resume
agent_replay = _client.agent_replay
agent_runs = _client.agent_runs
agent_transcript = _client.agent_transcript
languages = _client.languages
detect = _client.detect
doctor = _client.doctor
warm_up = _client.warm_up
images = _client.images
pull_image = _client.pull_image
build_image = _client.build_image
prune_images = _client.prune_images
cache = _client.cache
prune_cache = _client.prune_cache
config = _client.config
audit = _client.audit
verify_audit = _client.verify_audit
