//! The platform room.
