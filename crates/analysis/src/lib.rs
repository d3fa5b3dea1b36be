//! Metrics, rules and the import graph of a project.
