//! Enums of which each variant is one word: on the wire, on the command line, in settings.

/// Gives an enum its words: `ALL` in this order, `word`, [`Display`](std::fmt::Display), and with `from_word` the way back.
/// A variant that is missing does not compile.
#[macro_export]
macro_rules! words {
    ($name:ident, from_word { $($variant:ident => $word:literal,)+ }) => {
        $crate::words!($name { $($variant => $word,)+ });

        impl $name {
            /// The one of this word.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.word() == word)
            }
        }
    };
    ($name:ident { $($variant:ident => $word:literal,)+ }) => {
        impl $name {
            /// All of them, in the order in which they are listed to people.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word on the wire.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Size {
        Small,
        Large,
    }

    crate::words!(Size, from_word {
        Small => "small",
        Large => "large",
    });

    #[test]
    fn words_lead_there_and_back() {
        assert_eq!(Size::ALL.map(Size::word), ["small", "large"]);
        assert_eq!(Size::from_word("large"), Some(Size::Large));
        assert_eq!(Size::from_word("huge"), None);
        assert_eq!(Size::Small.to_string(), "small");
    }
}
