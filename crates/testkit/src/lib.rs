//! The testkit room.
