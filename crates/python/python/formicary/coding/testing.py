"""Tests: run whatever the framework, written for Python, judged by mutants."""

from __future__ import annotations

from typing import Any, Optional

from .._arguments import PathLike
from .._default import client
from ..testing import GenerationReport, MutationReport, TestReport

__all__ = ["GenerationReport", "MutationReport", "TestReport", "generate_tests", "mutate_tests", "run_tests"]


def run_tests(target: Optional[PathLike] = None, **options: Any) -> TestReport:
    """Runs the tests of a folder or of one file in the sandbox; the options are those of ``Formicary.run_tests``."""
    return client.run_tests(target, **options)


def generate_tests(target: Optional[PathLike] = None, **options: Any) -> GenerationReport:
    """Writes tests for Python code by trying what it does; the options are those of ``Formicary.generate_tests``."""
    return client.generate_tests(target, **options)


def mutate_tests(target: Optional[PathLike] = None, **options: Any) -> MutationReport:
    """Tells how well Python tests notice changes; the options are those of ``Formicary.mutate``."""
    return client.mutate(target, **options)
