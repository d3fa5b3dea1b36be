//! Source text as tokens, without a grammar: comparing a million lines for copies must cost less than parsing them.
//!
//! The lexer never fails; what it does not know is punctuation. It knows enough of each language to tell comments and
//! strings from code, words from numbers, and where statements begin.

use super::words;
use formicary_syntax::Dialect;
use rustc_hash::FxHasher;
use std::hash::Hasher as _;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A name that somebody chose, or a built-in type.
    Name,
    /// A word of the language.
    Keyword,
    /// Numbers, texts, truth values.
    Literal,
    /// Anything else.
    Mark,
}

/// One token.
#[derive(Debug, Clone, Copy)]
pub struct Token {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// The line, from one.
    pub line: u32,
    /// The text, and in Python how the line is indented against the one before.
    pub exact: u32,
    /// The text, names and literals each being all the same.
    pub shape: u32,
    /// What it is.
    pub class: Class,
    /// Whether a statement begins here, as far as marks and lines tell.
    pub begins: bool,
}

impl Token {
    /// The last line that it touches.
    pub fn last_line(&self, text: &str) -> u32 {
        let inside = text.get(self.start as usize..self.end as usize).unwrap_or("");
        self.line + inside.bytes().filter(|byte| *byte == b'\n').count() as u32
    }
}

/// The shape of every name.
pub const NAME: u32 = 1;
/// The shape of every literal.
pub const LITERAL: u32 = 2;

/// A number for a text.
pub fn number(text: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(text);
    let hash = hasher.finish();
    ((hash ^ (hash >> 32)) as u32) | 4
}

/// Reads a text.
pub fn tokens(dialect: Dialect, text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        dialect,
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        depth: 0,
        indent: 0,
        begins: true,
        out: Vec::with_capacity(text.len() / 5),
    };
    lexer.run();
    lexer.out
}

struct Lexer<'a> {
    dialect: Dialect,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    /// Open round and square brackets.
    depth: u32,
    /// Python's indentation of the last logical line.
    indent: usize,
    begins: bool,
    out: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            match byte {
                b'\n' => self.line_end(),
                b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
                b'\\' if self.peek(1) == Some(b'\n') => {
                    self.at += 2;
                    self.line += 1;
                }
                _ if self.comment() => {}
                _ if self.literal() => {}
                b'0'..=b'9' => self.number(),
                _ if is_word(byte) => self.word(),
                _ => self.mark(),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn starts(&self, word: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(word)
    }

    fn by_lines(&self) -> bool {
        matches!(
            self.dialect,
            Dialect::Python
                | Dialect::Bash
                | Dialect::Go
                | Dialect::JavaScript
                | Dialect::TypeScript
                | Dialect::Tsx
        )
    }

    fn line_end(&mut self) {
        self.at += 1;
        self.line += 1;
        if self.depth == 0 && self.by_lines() {
            let goes_on = self.out.last().is_some_and(|last| {
                self.dialect != Dialect::Python
                    && self.dialect != Dialect::Bash
                    && last.class == Class::Mark
                    && !matches!(self.bytes[last.start as usize], b')' | b']' | b'}' | b'{' | b';')
            });
            if !goes_on {
                self.begins = true;
            }
        }
    }

    fn comment(&mut self) -> bool {
        let byte = self.bytes[self.at];
        let hash = matches!(self.dialect, Dialect::Python | Dialect::Bash);
        if hash && byte == b'#' && !self.glued_to_dollar() {
            self.skip_line();
            return true;
        }
        if hash || byte != b'/' {
            return false;
        }
        match self.peek(1) {
            Some(b'/') => {
                self.skip_line();
                true
            }
            Some(b'*') => {
                self.at += 2;
                while self.at < self.bytes.len() && !self.starts(b"*/") {
                    self.step();
                }
                self.at = (self.at + 2).min(self.bytes.len());
                true
            }
            _ => false,
        }
    }

    /// Bash's `$#` and `${#x}`, `a#b`.
    fn glued_to_dollar(&self) -> bool {
        self.dialect == Dialect::Bash
            && self.at > 0
            && !matches!(self.bytes[self.at - 1], b' ' | b'\t' | b'\n' | b';')
    }

    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            self.at += 1;
        }
    }

    fn step(&mut self) {
        if self.bytes[self.at] == b'\n' {
            self.line += 1;
        }
        self.at += 1;
    }

    /// Texts of every language; true when one was read.
    fn literal(&mut self) -> bool {
        let (start, line) = (self.at, self.line);
        let prefix = self.prefix();
        let Some(quote) = self.peek(prefix) else { return false };
        let raw =
            prefix > 0 && self.bytes[self.at..self.at + prefix].iter().any(|b| matches!(b, b'r' | b'R'));
        match quote {
            b'"' | b'\'' => {}
            b'`' if matches!(
                self.dialect,
                Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx | Dialect::Go
            ) => {}
            b'#' if self.dialect == Dialect::Rust && raw => return self.rust_raw(prefix),
            b'/' if prefix == 0 && self.regex_may_stand_here() => return self.regex(),
            _ => return false,
        }
        if quote == b'\'' && self.dialect == Dialect::Rust && self.is_lifetime(prefix) {
            return false;
        }
        self.at += prefix;
        let triple = [quote; 3];
        let many =
            self.starts(&triple) && quote != b'`' && matches!(self.dialect, Dialect::Python | Dialect::Java);
        let spans = many || quote == b'`' || matches!(self.dialect, Dialect::Bash | Dialect::Rust);
        let literally = match self.dialect {
            Dialect::Rust => raw,
            Dialect::Go => quote == b'`',
            Dialect::Bash => quote == b'\'',
            _ => false,
        };
        self.at += if many { 3 } else { 1 };
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            if byte == b'\\' && !literally {
                self.step();
                if self.at < self.bytes.len() {
                    self.step();
                }
            } else if many && self.starts(&triple) {
                self.at += 3;
                break;
            } else if !many && byte == quote {
                self.at += 1;
                break;
            } else if byte == b'\n' && !spans {
                // Broken text: the rest of the file is not to be swallowed.
                break;
            } else {
                self.step();
            }
        }
        self.push(start, line, Class::Literal);
        true
    }

    /// Letters before a quote that belong to the text: `rb"`, `f'`, `u8"`.
    fn prefix(&self) -> usize {
        let letters: &[u8] = match self.dialect {
            Dialect::Python => b"rRbBfFuUtT",
            Dialect::Rust => b"rbc",
            Dialect::C | Dialect::Cpp => b"uULR8",
            _ => return 0,
        };
        let count = self.bytes[self.at..].iter().take(3).take_while(|b| letters.contains(b)).count();
        match self.peek(count) {
            Some(b'"' | b'\'') => count,
            Some(b'#') if self.dialect == Dialect::Rust && count > 0 => {
                let marks = self.bytes[self.at + count..].iter().take_while(|b| **b == b'#').count();
                if self.peek(count + marks) == Some(b'"') { count } else { 0 }
            }
            _ => 0,
        }
    }

    fn rust_raw(&mut self, prefix: usize) -> bool {
        let (start, line) = (self.at, self.line);
        self.at += prefix;
        let marks = self.bytes[self.at..].iter().take_while(|b| **b == b'#').count();
        self.at += marks + 1;
        while self.at < self.bytes.len() {
            let ends = self.bytes[self.at] == b'"'
                && self.bytes[self.at + 1..].iter().take(marks).filter(|b| **b == b'#').count() == marks;
            self.step();
            if ends {
                self.at = (self.at + marks).min(self.bytes.len());
                break;
            }
        }
        self.push(start, line, Class::Literal);
        true
    }

    fn is_lifetime(&self, prefix: usize) -> bool {
        prefix == 0 && self.peek(1).is_some_and(is_word) && self.peek(2) != Some(b'\'')
    }

    fn regex_may_stand_here(&self) -> bool {
        if !matches!(self.dialect, Dialect::JavaScript | Dialect::TypeScript | Dialect::Tsx) {
            return false;
        }
        match self.out.last() {
            None => true,
            Some(last) => match last.class {
                Class::Name | Class::Literal => false,
                Class::Keyword => self.bytes[last.start as usize] == b'r',
                Class::Mark => !matches!(self.bytes[last.start as usize], b')' | b']' | b'}'),
            },
        }
    }

    fn regex(&mut self) -> bool {
        let mut at = self.at + 1;
        let mut class = false;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => {
                    let (start, line) = (self.at, self.line);
                    self.at = at + 1;
                    self.push(start, line, Class::Literal);
                    return true;
                }
                b'\n' => return false,
                _ => {}
            }
            at += 1;
        }
        false
    }

    fn number(&mut self) {
        let (start, line) = (self.at, self.line);
        while let Some(byte) = self.peek(0) {
            let exponent = matches!(byte, b'+' | b'-')
                && matches!(self.bytes[self.at - 1], b'e' | b'E' | b'p')
                && !self.bytes[start..].starts_with(b"0x");
            let dot = byte == b'.' && self.peek(1) != Some(b'.');
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || dot || exponent) {
                break;
            }
            self.at += 1;
        }
        self.push(start, line, Class::Literal);
    }

    fn word(&mut self) {
        let start = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.at += 1;
        }
        let class = words::class(self.dialect, &self.bytes[start..self.at]);
        self.push(start, self.line, class);
    }

    fn mark(&mut self) {
        let start = self.at;
        let three = self.bytes.get(start..start + 3);
        let length = if three.is_some_and(|three| words::LONG_MARKS.contains(&three)) {
            3
        } else if self.bytes.get(start..start + 2).is_some_and(|two| words::MARKS.contains(&two)) {
            2
        } else {
            1
        };
        self.at += length;
        self.push(start, self.line, Class::Mark);
        match self.bytes[start] {
            b'(' | b'[' => self.depth += 1,
            b')' | b']' => self.depth = self.depth.saturating_sub(1),
            b'{' if self.dialect == Dialect::Python => self.depth += 1,
            b'}' if self.dialect == Dialect::Python => self.depth = self.depth.saturating_sub(1),
            // A lambda's body in brackets begins statements too.
            b'{' | b'}' => self.begins = true,
            b';' if self.depth == 0 => self.begins = true,
            _ => {}
        }
    }

    fn push(&mut self, start: usize, line: u32, class: Class) {
        let text = &self.bytes[start..self.at];
        let mut exact = number(text);
        let shape = match class {
            Class::Name => NAME,
            Class::Literal => LITERAL,
            Class::Keyword | Class::Mark => exact,
        };
        let begins = std::mem::take(&mut self.begins);
        if begins && self.dialect == Dialect::Python && self.depth == 0 {
            let indent = start - self.bytes[..start].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            exact = exact.wrapping_add(match indent.cmp(&self.indent) {
                std::cmp::Ordering::Less => 1 << 8,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 2 << 8,
            });
            self.indent = indent;
            self.drop_documentation();
        }
        let (start, end) = (start as u32, self.at as u32);
        self.out.push(Token { start, end, line, exact, shape, class, begins });
    }

    /// A text that is a statement of its own says nothing to the machine.
    fn drop_documentation(&mut self) {
        if self.out.last().is_some_and(|last| {
            last.begins
                && last.class == Class::Literal
                && matches!(self.bytes[last.end as usize - 1], b'"' | b'\'')
        }) {
            self.out.pop();
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dialect: Dialect, text: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(dialect, text)
            .iter()
            .map(|token| &text[token.start as usize..token.end as usize])
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn texts_and_comments_are_told_from_code() {
        let p = Dialect::Python;
        check(p, "a = 'x' # no\nb", &["a", "=", "'x'", "b"]);
        check(
            p,
            "def f():\n    \"\"\"Doc\n    # x\"\"\"\n    return rb'\\''",
            &["def", "f", "(", ")", ":", "return", "rb'\\''"],
        );
        check(Dialect::Java, "a /* x */ + \"b//c\"; // d\n'\\''", &["a", "+", "\"b//c\"", ";", "'\\''"]);
        check(
            Dialect::JavaScript,
            "a = /[/]x/g.test(b) / 2",
            &["a", "=", "/[/]x/", "g", ".", "test", "(", "b", ")", "/", "2"],
        );
        check(
            Dialect::Rust,
            "fn f<'a>(x: &'a str) { r#\"a\"b\"#; 'c' }",
            &[
                "fn",
                "f",
                "<",
                "'",
                "a",
                ">",
                "(",
                "x",
                ":",
                "&",
                "'",
                "a",
                "str",
                ")",
                "{",
                "r#\"a\"b\"#",
                ";",
                "'c'",
                "}",
            ],
        );
        check(Dialect::Bash, "echo $# # all", &["echo", "$", "#"]);
        check(Dialect::Go, "a := `x\n\\`", &["a", ":=", "`x\n\\`"]);
        check(Dialect::C, "char *a = \"open\nint b;", &["char", "*", "a", "=", "\"open", "int", "b", ";"]);
    }

    #[test]
    fn statements_begin_after_marks_and_lines() {
        let count = |dialect, text| tokens(dialect, text).iter().filter(|token| token.begins).count();
        assert_eq!(count(Dialect::Java, "void f() { a(); for (;;) { b(); } }"), 6);
        assert_eq!(count(Dialect::Python, "if a:\n  b(1,\n   2)\nc"), 3);
        assert_eq!(count(Dialect::Go, "a :=\n 1\nb()"), 2);
    }
}
