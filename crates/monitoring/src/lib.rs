//! The monitoring room.
