//! Where data goes in whole files and projects: labeled cases, code of strangers, broken code.

mod suite {
    mod corpora;
    mod mutations;
    mod taint;
}
