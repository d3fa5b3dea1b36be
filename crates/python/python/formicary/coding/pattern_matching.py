"""Code by its structure: the name that the first documents give to :mod:`formicary.coding.patterns`."""

from __future__ import annotations

from .patterns import ASTTransformer, CloneDetector, PatternMatcher, detect_refactorings

__all__ = ["ASTTransformer", "CloneDetector", "PatternMatcher", "detect_refactorings"]
