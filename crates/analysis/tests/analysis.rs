//! Whole analyses: against other tools, on broken input, over several files.

mod suite {
    mod bounds;
    mod peers;
    mod projects;
    mod taint;
}
