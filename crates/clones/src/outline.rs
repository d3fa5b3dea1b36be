//! Where functions stand, by tokens alone: enough for copies that are equal but for names, at a fraction of parsing.
//!
//! What it misses (generic Rust functions, functions that are values) is still found as a block.

use super::fragment::{Fragment, Least, identities};
use super::normal::Form;
use super::tokens::{Class, Token};
use formicary_syntax::Dialect;
use std::ops::Range;

/// The functions of a file that are large enough, without what only edited and functional copies need.
pub fn of_file(file: u32, dialect: Dialect, tokens: &[Token], text: &str, least: Least) -> Vec<Fragment> {
    let found = match dialect {
        Dialect::Python => indented(tokens, text),
        Dialect::Bash => Vec::new(),
        _ => braced(tokens, text),
    };
    found
        .into_iter()
        .filter_map(|(name, range)| {
            let own = tokens.get(range.clone()).filter(|own| own.len() >= least.tokens)?;
            let (first_line, last_line) = (own.first()?.line, own.last()?.last_line(text));
            if last_line + 1 - first_line < least.lines {
                return None;
            }
            let (exact, shape, renamed) = identities(own, text);
            Some(Fragment {
                file,
                tokens: range,
                first_line,
                last_line,
                name,
                exact,
                shape,
                renamed,
                statements: Vec::new(),
                words: Vec::new(),
                names: Vec::new(),
                normal: Form::default(),
            })
        })
        .collect()
}

type Found = Vec<(String, Range<usize>)>;

fn word<'a>(token: &Token, text: &'a str) -> &'a str {
    text.get(token.start as usize..token.end as usize).unwrap_or("")
}

// `def`, to the next line that is not indented further.
fn indented(tokens: &[Token], text: &str) -> Found {
    let column = |token: &Token| {
        let before = &text.as_bytes()[..token.start as usize];
        before.len() - before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
    };
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut found: Found = Vec::new();
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.begins) {
        let indent = column(token);
        while let Some((slot, _)) = open.pop_if(|(_, own)| indent <= *own) {
            found[slot].1.end = index;
        }
        let skip = usize::from(word(token, text) == "async");
        if tokens.get(index + skip).is_some_and(|token| word(token, text) == "def") {
            let name = tokens.get(index + skip + 1).map_or("", |token| word(token, text));
            open.push((found.len(), indent));
            found.push((name.to_owned(), index..tokens.len()));
        }
    }
    found
}

const NO_FUNCTIONS: [&str; 15] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "else",
    "do",
    "try",
    "synchronized",
    "return",
    "throw",
    "match",
    "new",
    "class",
    "with",
];

// A name with brackets before a brace, where a statement begins.
fn braced(tokens: &[Token], text: &str) -> Found {
    let mut found: Found = Vec::new();
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut begins = 0;
    for (index, token) in tokens.iter().enumerate() {
        if token.begins {
            begins = index;
        }
        if token.class != Class::Mark {
            continue;
        }
        match text.as_bytes().get(token.start as usize) {
            Some(b'{') => {
                let name = head(&tokens[begins..index], text);
                open.push(name.map(|name| {
                    found.push((name.to_owned(), begins..tokens.len()));
                    found.len() - 1
                }));
            }
            Some(b'}') => {
                if let Some(Some(slot)) = open.pop() {
                    found[slot].1.end = index + 1;
                }
            }
            _ => {}
        }
    }
    found
}

fn head<'a>(tokens: &[Token], text: &'a str) -> Option<&'a str> {
    let first = tokens.first()?;
    if NO_FUNCTIONS.contains(&word(first, text)) {
        return None;
    }
    let at =
        tokens.windows(2).position(|pair| pair[0].class == Class::Name && word(&pair[1], text) == "(")?;
    // Open brackets: the brace belongs to something that is handed over.
    let depth = tokens[at..].iter().fold(0i32, |depth, token| match word(token, text) {
        "(" => depth + 1,
        ")" => depth - 1,
        _ => depth,
    });
    let earlier = tokens[..at].iter().map(|token| word(token, text));
    let valued = earlier.clone().any(|word| matches!(word, "=" | "=>" | "return" | "new" | ":=" | "."));
    (depth == 0 && !valued).then(|| word(&tokens[at], text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    #[test]
    fn functions_are_found_without_a_grammar() {
        let least = Least { lines: 1, tokens: 1 };
        for (dialect, text, expected) in [
            (
                Dialect::Python,
                "class A:\n    def a(self):\n        def b():\n            pass\n        return b\n\n    async def c(self): return 1\nx = 2\n",
                vec![("a", 2, 5), ("b", 3, 4), ("c", 7, 7)],
            ),
            (
                Dialect::Java,
                "class A {\n  int a(int b) throws X {\n    if (b > 1) { c(); }\n    run(() -> { d(); });\n  }\n  void e()\n  {\n  }\n}\n",
                vec![("a", 2, 5), ("e", 6, 8)],
            ),
            (Dialect::Go, "package p\nfunc (r R) a(b int) error {\n\tfor {\n\t}\n}\n", vec![("a", 2, 5)]),
            (
                Dialect::C,
                "int a(void) {\n  return b((int[]){1});\n}\nstruct s { int x; };\n",
                vec![("a", 1, 3)],
            ),
            (Dialect::JavaScript, "function a(b) {\n  const c = () => { d(); };\n}\n", vec![("a", 1, 3)]),
        ] {
            let read = tokens(dialect, text);
            let found = of_file(0, dialect, &read, text, least);
            let found: Vec<(&str, u32, u32)> =
                found.iter().map(|f| (f.name.as_str(), f.first_line, f.last_line)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
