"""Findings and metrics without running anything: the name that the first documents give to :mod:`formicary.coding.analysis`."""

from __future__ import annotations

from .analysis import MetricCollector, SecurityScanner, StaticAnalyzer
from .review import PyscnAnalyzer

__all__ = ["MetricCollector", "PyscnAnalyzer", "SecurityScanner", "StaticAnalyzer"]
