//! rust

use super::Entry;

pub(super) const TABLE: &[Entry] = &[];
