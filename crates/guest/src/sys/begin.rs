//! How the agent begins.

/// In place of what the standard library does before `main`: it looks at the stack and prepares to tell of its overflow, by
/// some seventeen calls, of which each costs in a guest.
#[unsafe(no_mangle)]
extern "C" fn main() -> libc::c_int {
    // SAFETY: no other thread is there yet. Whoever no longer listens is noticed where something is said.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    crate::play::play().into()
}
