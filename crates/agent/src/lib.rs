//! Generate, execute, analyse, until it is done.
