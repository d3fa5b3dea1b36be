//! Mutants of Python files, and tests for them.
