//! Language models behind one trait.
