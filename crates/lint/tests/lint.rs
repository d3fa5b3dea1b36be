//! Whole analyses: against other tools, on broken input, over several files.

mod suite {
    mod bounds;
    mod lizard;
    mod peers;
    mod projects;
    mod pyscn;
}
