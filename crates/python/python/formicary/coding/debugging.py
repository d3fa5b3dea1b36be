"""From a failing program to a verified patch."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Sequence

from .. import _arguments as check
from .._default import client
from ..diagnosis import DiagnosedError, Diagnosis, FixStatus, Suggestion
from ..results import ExecutionResult
from ._snippets import file_name, language_of, snippet

__all__ = [
    "Debugger",
    "DebugResult",
    "ErrorAnalyzer",
    "ErrorDiagnosis",
    "PatchGenerator",
    "Patch",
    "FixVerifier",
    "VerificationResult",
]


@dataclass(frozen=True)
class ErrorDiagnosis:
    """What is wrong, where, why, and what to try. As text it is the cause in one sentence."""

    error_type: str
    message: str
    category: str
    cause: str
    suggestions: List[str]
    file_path: Optional[str] = None
    line_number: Optional[int] = None
    confidence: str = "low"
    language: Optional[str] = None
    error: Optional[DiagnosedError] = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, error: DiagnosedError) -> "ErrorDiagnosis":
        """An error under these names."""
        place = error.place
        return cls(
            error_type=error.type,
            message=error.message,
            category=error.category,
            cause=error.root_cause,
            suggestions=[one.text for one in error.suggestions],
            file_path=None if place is None else place.file,
            line_number=None if place is None else place.line,
            confidence=error.confidence,
            language=error.language,
            error=error,
        )

    def __str__(self) -> str:
        return self.cause


class ErrorAnalyzer:
    """Reads what programs and compilers say, in all languages.

    >>> found = ErrorAnalyzer().analyze("", "ZeroDivisionError: division by zero", 1, language="python")
    >>> found.error_type, found.category
    ('ZeroDivisionError', 'arithmetic')
    """

    def analyze(
        self,
        stdout: str = "",
        stderr: str = "",
        exit_code: Optional[int] = None,
        *,
        code: Optional[str] = None,
        language: Optional[str] = None,
    ) -> Optional[ErrorDiagnosis]:
        """The error that ended the program; ``None`` where nothing is wrong."""
        found = self.analyze_all(stdout, stderr, exit_code, code=code, language=language)
        return found[0] if found else None

    def analyze_all(
        self,
        stdout: str = "",
        stderr: str = "",
        exit_code: Optional[int] = None,
        *,
        code: Optional[str] = None,
        language: Optional[str] = None,
    ) -> List[ErrorDiagnosis]:
        """Every error, the one that ended the program first."""
        said = "\n".join(one for one in (check.text("stdout", stdout), check.text("stderr", stderr)) if one)
        if exit_code is not None:
            check.number("exit_code", abs(exit_code) if isinstance(exit_code, int) else exit_code, whole=True)
        sources: Dict[str, str] = {}
        if code is not None:
            sources[file_name(language_of(code, language or "auto"))] = check.text("code", code)
        diagnosis: Diagnosis = client.diagnose_text(said, language, sources=sources)
        if not diagnosis and _LAST_LINE.search(said):
            # Logs often keep only the last line of Python's traceback.
            diagnosis = client.diagnose_text(f"Traceback (most recent call last):\n{said}", "python", sources=sources)
        found = [ErrorDiagnosis.of(one) for one in diagnosis.errors]
        if not found and exit_code not in (None, 0):
            last = next((line.strip() for line in reversed(stderr.splitlines()) if line.strip()), "")
            found = [
                ErrorDiagnosis(
                    error_type="NonzeroExit",
                    message=last or f"exit code {exit_code}",
                    category="other",
                    cause=f"the program ended with exit code {exit_code}" + (f": {last}" if last else " and said nothing"),
                    suggestions=["run it with formicary.diagnose, which sees more"],
                    language=language,
                )
            ]
        return found


@dataclass(frozen=True)
class Patch:
    """A change of one file: lines ``start_line`` to ``end_line`` (from 1, inclusive) become ``replacement``."""

    file: str
    original: str = field(repr=False)
    patched: str = field(repr=False)
    description: str = ""
    origin: str = ""
    confidence: float = 0.0
    verified: bool = False

    def __post_init__(self) -> None:
        for name in ("file", "original", "patched"):
            check.text(name, getattr(self, name))

    def _range(self) -> "tuple[int, int, int, int]":
        before, after = self.original.splitlines(True), self.patched.splitlines(True)
        start = 0
        while start < min(len(before), len(after)) and before[start] == after[start]:
            start += 1
        last, until = len(before), len(after)
        while last > start and until > start and before[last - 1] == after[until - 1]:
            last, until = last - 1, until - 1
        return start, last, start, until

    @property
    def start_line(self) -> int:
        """The first line that changes."""
        return self._range()[0] + 1

    @property
    def end_line(self) -> int:
        """The last line that changes; the line before ``start_line`` where lines are only put in."""
        return self._range()[1]

    @property
    def replacement(self) -> str:
        """What stands there afterwards."""
        _, _, start, until = self._range()
        return "".join(self.patched.splitlines(True)[start:until])

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        lines = difflib.unified_diff(
            self.original.splitlines(True), self.patched.splitlines(True), f"a/{self.file}", f"b/{self.file}"
        )
        return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)

    def apply(self, code: str) -> str:
        """The code with the change; refused where the lines that it replaces are not there any more."""
        if check.text("code", code) == self.original:
            return self.patched
        start, last, _, _ = self._range()
        lines = code.splitlines(True)
        if lines[start:last] != self.original.splitlines(True)[start:last] or last > len(lines):
            raise ValueError(f"the patch of {self.file} does not fit: lines {start + 1} to {last} are others")
        return "".join(lines[:start]) + self.replacement + "".join(lines[last:])


class PatchGenerator:
    """Proposes patches: what the tools themselves suggest, and what a search by the program's run or tests finds."""

    def __init__(self, seconds: float = 20.0) -> None:
        self.seconds = check.number("seconds", seconds)

    def generate(
        self,
        code: str,
        diagnosis: Optional[ErrorDiagnosis] = None,
        *,
        language: str = "auto",
        test_code: Optional[str] = None,
    ) -> List[Patch]:
        """Patches, the best first. With tests they passed them; without, rules propose them and the program runs to its end."""
        chosen = language_of(code, (diagnosis.language if diagnosis else None) or language)
        name = file_name(chosen)
        found: List[Patch] = []
        if diagnosis is not None and diagnosis.error is not None and test_code is None:
            for one in diagnosis.error.suggestions:
                patched = _edited(code, one, name)
                if patched is not None and patched != code:
                    found.append(Patch(name, code, patched, one.text, one.origin, _SURE.get(one.confidence, 0.3)))
            found += _respelled(code, diagnosis, name)
        return found or self.search(code, language=chosen, test_code=test_code)

    def search(self, code: str, *, language: str = "auto", test_code: Optional[str] = None) -> List[Patch]:
        """Patches by search alone."""
        chosen = language_of(code, language)
        return self._searched(code, chosen, file_name(chosen), test_code)

    def _searched(self, code: str, language: str, name: str, test_code: Optional[str]) -> List[Patch]:
        with snippet(code, language) as path:
            tests = None
            if test_code is not None:
                tests = path.parent / f"test_{name}"
                tests.write_bytes(check.text("test_code", test_code).encode("utf-8"))
            report = client.fix(path, tests=tests, folder=path.parent, seconds=self.seconds)
        if report.status not in (FixStatus.FIXED, FixStatus.SUGGESTED):
            return []
        tested = report.status is FixStatus.FIXED
        return [
            Patch(file.path, code, file.text, one.explanation, one.origin, one.confidence, verified=tested)
            for one in report.patches
            for file in one.files
            if file.path == name
        ]


_LAST_LINE = re.compile(r"^[A-Z][A-Za-z]*(Error|Exception|Interrupt|Exit|Iteration)(: .*)?\s*\Z", re.MULTILINE)
_SURE = {"high": 0.9, "medium": 0.6, "low": 0.3}


def _respelled(code: str, diagnosis: ErrorDiagnosis, name: str) -> List[Patch]:
    """A name that nothing defines, written as names that are there and look like it."""
    quoted = re.search(r"['\"`]([^\W\d]\w*)['\"`]", diagnosis.message)
    if diagnosis.category not in ("name", "attribute") or quoted is None or diagnosis.line_number is None:
        return []
    unknown, lines = quoted.group(1), code.splitlines(True)
    whole = re.compile(rf"\b{re.escape(unknown)}\b")
    line = diagnosis.line_number - 1
    if line >= len(lines) or not whole.search(lines[line]):
        return []
    names = sorted(set(re.findall(r"[^\W\d]\w*", code)) - {unknown})
    found = []
    for close in difflib.get_close_matches(unknown, names, 5, 0.6):
        patched = "".join([*lines[:line], whole.sub(close, lines[line]), *lines[line + 1 :]])
        sure = difflib.SequenceMatcher(None, unknown, close).ratio()
        found.append(Patch(name, code, patched, f"line {line + 1}: `{unknown}` becomes `{close}`", "spelling", sure))
    return found


def _edited(code: str, suggestion: Suggestion, name: str) -> Optional[str]:
    edits = sorted(suggestion.edits, key=lambda one: -one.span.start_byte)
    if not edits or any(one.file != name for one in edits):
        return None
    text = code.encode("utf-8")
    for one in edits:
        text = text[: one.span.start_byte] + one.replacement.encode("utf-8") + text[one.span.end_byte :]
    return text.decode("utf-8", "replace")


@dataclass(frozen=True)
class VerificationResult:
    """Whether a patch mends the program, with the runs that show it."""

    success: bool
    message: str
    before: ExecutionResult
    after: List[ExecutionResult]
    flaky: bool = False

    def __bool__(self) -> bool:
        return self.success


class FixVerifier:
    """Runs a program in the sandbox before and after a patch: it must fail before, and pass every time after."""

    def __init__(self, runs: int = 2) -> None:
        if check.number("runs", runs, whole=True) < 1:
            raise ValueError(f"runs must be at least 1, not {runs}")
        self.runs = runs

    def verify(
        self,
        code: str,
        patch: Patch,
        *,
        test_code: str = "",
        stdin: str = "",
        expected_output: Optional[str] = None,
        language: str = "auto",
        timeout: float = 30,
    ) -> VerificationResult:
        """Runs both; ``test_code`` is appended to each, ``expected_output`` must be what is written."""
        if not isinstance(patch, Patch):
            raise check.wrong("patch", "a Patch", patch)
        chosen = language_of(code, language)

        def run(text: str) -> ExecutionResult:
            whole = f"{text}\n{test_code}" if test_code else text
            return client.execute(whole, chosen, stdin=stdin, timeout=timeout)

        def passes(result: ExecutionResult) -> bool:
            same = expected_output is None or result.stdout.rstrip() == expected_output.rstrip()
            return result.success and same

        before = run(code)
        after = [run(patch.apply(code)) for _ in range(self.runs)]
        good = [passes(result) for result in after]
        if passes(before):
            message = "the program passes without the patch: it shows nothing"
        elif all(good):
            message = "the program failed before and passes after the patch"
        elif any(good):
            message = "with the patch the program passes only sometimes"
        else:
            last = after[-1]
            message = f"with the patch the program still fails: {last.error_message or 'another output than expected'}"
        return VerificationResult(all(good) and not passes(before), message, before, after, any(good) and not all(good))


@dataclass(frozen=True)
class DebugResult:
    """What came of the loop. As text it is the cause in one sentence."""

    diagnosis: Optional[ErrorDiagnosis]
    patches: List[Patch] = field(default_factory=list)
    verification: Optional[VerificationResult] = None

    @property
    def fixed(self) -> bool:
        """Whether a patch was found that tests verify. A run without an error alone verifies nothing."""
        return bool(self.patches) and self.patches[0].verified

    @property
    def patch(self) -> Optional[Patch]:
        """The best patch."""
        return self.patches[0] if self.patches else None

    @property
    def fixed_code(self) -> Optional[str]:
        """The program with the best patch, where tests verify it."""
        return self.patches[0].patched if self.fixed else None

    @property
    def suggested_code(self) -> Optional[str]:
        """The program with the best patch, where it runs to its end with it, whether tests verify it or not."""
        runs = self.verification is not None and self.verification.success
        return self.patches[0].patched if self.patches and (self.fixed or runs) else None

    def __str__(self) -> str:
        return "nothing is wrong" if self.diagnosis is None else str(self.diagnosis)


class Debugger:
    """The loop: what went wrong, patches, which of them holds."""

    def __init__(
        self,
        analyzer: Optional[ErrorAnalyzer] = None,
        generator: Optional[PatchGenerator] = None,
        verifier: Optional[FixVerifier] = None,
    ) -> None:
        self.analyzer = analyzer or ErrorAnalyzer()
        self.generator = generator or PatchGenerator()
        self.verifier = verifier or FixVerifier()

    def diagnose(self, code: str, stdout: str, stderr: str, exit_code: int, language: str) -> Optional[ErrorDiagnosis]:
        """What went wrong. Where the words do not tell the place, the program is run once more and watched."""
        found = self.analyzer.analyze(stdout, stderr, exit_code, code=code, language=language)
        if found is not None and found.line_number is not None:
            return found
        if found is None and exit_code == 0:
            return None
        seen = client.diagnose(code, language).diagnosis.main
        if seen is not None and (found is None or found.error is None or seen.type == found.error_type):
            return ErrorDiagnosis.of(seen)
        return found

    def debug(
        self,
        code: str,
        stdout: str = "",
        stderr: str = "",
        exit_code: int = 1,
        *,
        language: str = "auto",
        test_code: Optional[str] = None,
        stdin: str = "",
    ) -> DebugResult:
        """Says why a program failed, and finds and verifies a patch where there is one.

        >>> found = Debugger().debug(code="x = 1/0", stdout="", stderr="ZeroDivisionError", exit_code=1)
        >>> found.diagnosis.error_type
        'ZeroDivisionError'
        """
        chosen = _language(code, stderr, language)
        diagnosis = self.diagnose(code, stdout, stderr, exit_code, chosen)
        if diagnosis is None:
            return DebugResult(None)
        patches = self.generator.generate(code, diagnosis, language=chosen, test_code=test_code)
        held = self._that_holds(code, patches, chosen, stdin)
        if held is None and not any(one.origin.startswith("search") for one in patches):
            more = self.generator.search(code, language=chosen, test_code=test_code)
            held, patches = self._that_holds(code, more, chosen, stdin), more + patches
        if held is None:
            return DebugResult(diagnosis, patches)
        patch, proof = held
        return DebugResult(diagnosis, [patch, *(one for one in patches if one is not patch)], proof)

    def _that_holds(
        self, code: str, patches: Sequence[Patch], language: str, stdin: str
    ) -> "Optional[tuple[Patch, Optional[VerificationResult]]]":
        for patch in patches:
            if patch.verified:
                return patch, None
            proof = self.verifier.verify(code, patch, stdin=stdin, language=language)
            if proof.success:
                return patch, proof
        return None


def _language(code: str, stderr: str, language: str) -> str:
    if language not in ("", "auto"):
        return language
    return client.diagnose_text(stderr).language or client.detect(check.text("code", code)) or "python"
