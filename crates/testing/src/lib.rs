//! Tests of any framework: found, run in the sandbox, read into one form; generated; measured by mutation.
