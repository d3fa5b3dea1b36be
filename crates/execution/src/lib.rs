//! The execution room.
