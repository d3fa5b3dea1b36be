//! The HTTP door: everything that the platform can do, by address.
