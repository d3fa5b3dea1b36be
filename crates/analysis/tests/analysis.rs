//! Whole analyses: against other tools, on broken input, over several files.

mod suite {
    mod bounds;
    mod corpora;
    mod lizard;
    mod mutations;
    mod peers;
    mod projects;
    mod pyscn;
    mod taint;
}
