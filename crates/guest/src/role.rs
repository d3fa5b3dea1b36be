//! What the guest agent can be started as: its first argument says it.

/// A role, each with messages of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Stands beside one program from its start to its end: in a container, a guest kernel, a trusted directory.
    Run,
    /// The first program of a session's sandbox: starts the interpreter, and starts it again when it has died.
    Session,
    /// Stands over another program on the host, in that program's control groups.
    Oversee,
}

impl Role {
    const ALL: [Self; 3] = [Self::Run, Self::Session, Self::Oversee];

    /// The argument that asks for it.
    pub fn argument(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Session => "session",
            Self::Oversee => "oversee",
        }
    }

    /// The role that an argument asks for.
    pub fn of(argument: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.argument() == argument)
    }
}
