//! The words and marks of a text, as far as they tell how deeply it nests.

use super::depth::{Closer, Depth, Last};

/// What a word means for what stands after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// A name, or a value like `this`.
    Name,
    /// `if`, `for`, `while`, `with`: a parenthesis, then a statement.
    Head,
    /// A value follows for sure: `return`.
    Before,
    /// It goes on with what came before it: `else`, `instanceof`.
    Joins,
    /// A word that may also be a name, or that is followed by a name.
    Unsure,
    /// A value follows, and a statement may begin with it: `do`.
    Prefix,
}

impl Word {
    pub(super) fn of(word: &[u8]) -> Self {
        match word {
            b"if" | b"for" | b"while" | b"with" => Self::Head,
            b"return" | b"typeof" | b"new" | b"delete" | b"void" | b"throw" | b"case" | b"default" => {
                Self::Before
            }
            b"do" => Self::Prefix,
            b"else" | b"catch" | b"finally" | b"instanceof" | b"in" | b"of" | b"as" | b"satisfies"
            | b"extends" | b"implements" | b"is" | b"from" => Self::Joins,
            b"async" | b"function" | b"class" | b"const" | b"let" | b"var" | b"import" | b"export"
            | b"static" | b"get" | b"set" | b"type" | b"interface" | b"namespace" | b"module"
            | b"declare" | b"abstract" | b"enum" | b"public" | b"private" | b"protected" | b"readonly"
            | b"override" | b"accessor" | b"keyof" | b"unique" | b"infer" | b"asserts" | b"yield"
            | b"await" | b"global" | b"using" | b"defer" | b"source" | b"out" | b"try" | b"switch" => {
                Self::Unsure
            }
            _ => Self::Name,
        }
    }
}

/// The text and how far it was read.
pub(super) struct Scan<'s> {
    bytes: &'s [u8],
    at: usize,
}

impl<'s> Scan<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { bytes: source.as_bytes(), at: 0 }
    }

    pub(super) fn is_done(&self) -> bool {
        self.at >= self.bytes.len()
    }

    fn rest(&self) -> &'s [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Past the mark of the encoding and the line that names a program.
    pub(super) fn first_line(&mut self) {
        if self.rest().starts_with("\u{feff}".as_bytes()) {
            self.at += 3;
        }
        if self.rest().starts_with(b"#!") {
            self.line();
        }
    }

    fn line(&mut self) {
        self.at += self.rest().iter().position(|byte| *byte == b'\n').unwrap_or(self.rest().len());
    }

    /// Past spaces and comments: whether a line ended there.
    pub(super) fn space(&mut self) -> Option<bool> {
        let mut newline = false;
        loop {
            match self.rest() {
                [b' ' | b'\t' | 0x0b | 0x0c, ..] => self.at += 1,
                [b'\n' | b'\r', ..] => {
                    newline = true;
                    self.at += 1;
                }
                [b'/', b'/', ..] => {
                    // Marks that end a line for the parser alone would let it see more than this.
                    let start = self.at;
                    self.line();
                    let comment = self.bytes.get(start..self.at)?;
                    let ends = |three: &[u8]| matches!(three, [0xe2, 0x80, 0xa8 | 0xa9]);
                    let lone = comment.strip_suffix(b"\r").unwrap_or(comment).contains(&b'\r');
                    let unusual = lone || comment.contains(&0xe2) && comment.windows(3).any(ends);
                    (!unusual).then_some(())?;
                }
                [b'/', b'*', ..] => {
                    let comment = self.rest();
                    let length = comment.get(2..)?.windows(2).position(|two| two == b"*/")? + 4;
                    let ends = |byte: &u8| matches!(byte, b'\n' | b'\r' | 0xe2);
                    newline |= comment.get(..length)?.iter().any(ends);
                    self.at += length;
                }
                _ => return Some(newline),
            }
        }
    }

    /// A word; none where a character is written by its number.
    pub(super) fn word(&mut self) -> Option<&'s [u8]> {
        let rest = self.rest();
        let length = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        self.at += length;
        (self.peek(0) != b'\\').then_some(())?;
        let word = rest.get(..length)?;
        // A space of another script is no part of a word.
        let plain = word.is_ascii() || str::from_utf8(word).ok()?.chars().all(is_letter);
        plain.then_some(word)
    }

    fn letters(&mut self) {
        while is_word(self.peek(0)) {
            self.at += 1;
        }
    }

    fn number(&mut self) {
        self.letters();
        if self.peek(0) == b'.' {
            self.at += 1;
            self.letters();
        }
    }

    /// Text up to its quote, over escapes.
    fn string(&mut self) -> Option<()> {
        let quote = self.peek(0);
        self.at += 1;
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'\\' if self.rest().starts_with(b"\r\n") => self.at += 2,
                b'\\' => self.at += 1,
                b'\n' | b'\r' => return None,
                _ if byte == quote => return Some(()),
                _ => {}
            }
        }
    }

    /// A pattern between slashes.
    fn regex(&mut self) -> Option<()> {
        self.at += 1;
        let mut class = false;
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'\\' if !matches!(self.peek(0), b'\n' | b'\r') => self.at += 1,
                b'\n' | b'\r' => return None,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => break,
                _ => {}
            }
        }
        self.letters();
        Some(())
    }

    /// The fixed part of a template: whether a value comes now, or the end.
    fn template(&mut self) -> Option<bool> {
        loop {
            match self.rest() {
                [b'`', ..] => {
                    self.at += 1;
                    return Some(false);
                }
                [b'$', b'{', ..] => {
                    self.at += 2;
                    return Some(true);
                }
                [b'\\', _, ..] => self.at += 2,
                [_, ..] => self.at += 1,
                [] => return None,
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

impl Depth<'_> {
    /// One token of code.
    pub(super) fn code(&mut self) -> Option<()> {
        let byte = self.scan.peek(0);
        match byte {
            b'(' => {
                let head = self.last == Last::HeadWord;
                self.scan.at += 1;
                self.open(if head { Closer::Head } else { Closer::Parenthesis })
            }
            b'[' => {
                self.scan.at += 1;
                self.open(Closer::Bracket)
            }
            b'{' => {
                self.scan.at += 1;
                self.open(Closer::Brace)
            }
            b')' | b']' | b'}' => self.closed(byte),
            b',' => {
                self.scan.at += 1;
                self.comma()
            }
            b';' => {
                self.scan.at += 1;
                self.semicolon()
            }
            b':' => {
                self.scan.at += 1;
                self.colon()
            }
            b'@' => {
                self.scan.at += 1;
                self.decorator()
            }
            b'"' | b'\'' => {
                self.scan.string()?;
                self.token(Last::Operand)
            }
            b'`' => {
                self.token(Last::Operand)?;
                self.scan.at += 1;
                self.text()
            }
            b'0'..=b'9' => {
                self.scan.number();
                self.token(Last::Operand)
            }
            b'.' if self.scan.peek(1).is_ascii_digit() => {
                self.scan.number();
                self.token(Last::Operand)
            }
            b'.' => {
                let spread = self.scan.rest().starts_with(b"...");
                self.scan.at += if spread { 3 } else { 1 };
                self.token(if spread { Last::Operator } else { Last::Dot })
            }
            b'#' => {
                self.scan.at += 1;
                self.word()
            }
            b'\\' => None,
            b'/' => self.slash(),
            b'<' => self.less(),
            b'>' => {
                self.scan.at += 1;
                self.angle(false)?;
                self.token(if self.typed { Last::Unsure } else { Last::Operator })
            }
            b'=' if self.scan.peek(1) == b'>' => {
                self.scan.at += 2;
                self.token(Last::Operator)
            }
            b'+' | b'-' if self.scan.peek(1) == byte => self.step(),
            b'!' if self.typed
                && self.last == Last::Operand
                && !self.newline
                && self.scan.peek(1) != b'=' =>
            {
                self.scan.at += 1;
                self.token(Last::Operand)
            }
            b'?' if self.scan.peek(1) == b'.' && !self.scan.peek(2).is_ascii_digit() => {
                self.scan.at += 2;
                self.token(Last::Dot)
            }
            _ if is_word(byte) => self.word(),
            0 => None,
            _ => {
                self.scan.at += 1;
                while matches!(self.scan.peek(0), b'=' | b'&' | b'|' | b'*') && self.scan.peek(1) != b'>' {
                    self.scan.at += 1;
                }
                self.token(Last::Operator)
            }
        }
    }

    fn closed(&mut self, byte: u8) -> Option<()> {
        let closer = self.level()?.closer;
        self.scan.at += 1;
        match (byte, closer) {
            (b')', Closer::Parenthesis) | (b']', Closer::Bracket) => self.close(Last::Operand).map(|_| ()),
            (b')', Closer::Head) => self.close(Last::Unsure).map(|_| ()),
            (b'}', Closer::Brace) => self.close(Last::Brace).map(|_| ()),
            (b'}', Closer::Value) => {
                self.close(Last::Operand)?;
                self.text()
            }
            _ => None,
        }
    }

    /// The text of a template up to its end, or up to a value in it.
    fn text(&mut self) -> Option<()> {
        if self.scan.template()? {
            return self.open(Closer::Value);
        }
        self.last = Last::Operand;
        Some(())
    }

    /// `++` and `--`.
    fn step(&mut self) -> Option<()> {
        // In a script `-->` begins a comment.
        (!self.scan.rest().starts_with(b"-->")).then_some(())?;
        self.scan.at += 2;
        let after = self.last == Last::Operand && !self.newline;
        self.token(if after { Last::Operand } else { Last::Unsure })
    }

    fn slash(&mut self) -> Option<()> {
        match self.last {
            Last::Operator | Last::Semicolon => {
                self.scan.regex()?;
                self.token(Last::Operand)
            }
            Last::Operand if !self.newline => {
                self.scan.at += 1;
                self.token(Last::Operator)
            }
            _ => None,
        }
    }

    fn less(&mut self) -> Option<()> {
        (!self.scan.rest().starts_with(b"<!--")).then_some(())?;
        let compares = self.last == Last::Operand && !(self.newline && self.markup);
        if compares || !self.markup || matches!(self.scan.peek(1), b'<' | b'=') {
            self.scan.at += 1;
            if matches!(self.scan.peek(0), b'<' | b'=') {
                self.scan.at += 1;
            } else {
                self.angle(true)?;
            }
            return self.token(Last::Operator);
        }
        match self.last {
            Last::Operator | Last::Semicolon => self.element(),
            _ => None,
        }
    }

    /// A tag opens.
    fn element(&mut self) -> Option<()> {
        self.open(Closer::Tag)?;
        self.scan.at += 1;
        self.scan.space()?;
        if self.scan.peek(0) == b'>' {
            return Some(());
        }
        self.name()?;
        self.scan.space()?;
        // With types in the language, `<T>(a) => b`, `<T, U>` and `<T extends U>` are none.
        let rest = self.scan.rest();
        let unclear =
            matches!(rest, [b',' | b'=' | b'<', ..] | [b'>', b'(', ..]) || rest.starts_with(b"extends");
        (!self.typed || !unclear).then_some(())
    }

    /// The name of an element or attribute.
    fn name(&mut self) -> Option<()> {
        let start = self.scan.at;
        while is_word(self.scan.peek(0)) || matches!(self.scan.peek(0), b'-' | b'.' | b':') {
            self.scan.at += 1;
        }
        (self.scan.at > start).then_some(())
    }

    /// Inside of a tag.
    pub(super) fn tag(&mut self) -> Option<()> {
        self.scan.space()?;
        match self.scan.rest() {
            [b'>', ..] => {
                self.scan.at += 1;
                let level = self.level()?;
                level.closer = Closer::Children;
                self.beside()
            }
            [b'/', b'>', ..] => {
                self.scan.at += 2;
                self.close(Last::Operand).map(|_| ())
            }
            [b'{', ..] => {
                self.beside()?;
                self.scan.at += 1;
                self.open(Closer::Brace)
            }
            [b'=', ..] => {
                self.scan.at += 1;
                self.scan.space()?;
                match self.scan.peek(0) {
                    quote @ (b'"' | b'\'') => {
                        let length = self.scan.rest().iter().skip(1).position(|byte| *byte == quote)?;
                        self.scan.at += length + 2;
                        self.token(Last::Operand)
                    }
                    b'{' => {
                        self.scan.at += 1;
                        self.open(Closer::Brace)
                    }
                    b'<' => self.element(),
                    _ => None,
                }
            }
            _ => {
                self.beside()?;
                self.name()?;
                self.token(Last::Operand)
            }
        }
    }

    /// Between two tags.
    pub(super) fn children(&mut self) -> Option<()> {
        let rest = self.scan.rest();
        self.scan.at += rest.iter().position(|byte| matches!(byte, b'<' | b'>' | b'{' | b'}'))?;
        self.beside()?;
        match self.scan.rest() {
            [b'{', ..] => {
                self.scan.at += 1;
                self.open(Closer::Brace)
            }
            [b'<', after @ ..] => {
                let closes = after.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'/');
                if !closes {
                    return self.element();
                }
                let length = after.iter().position(|byte| *byte == b'>')?;
                let plain = |byte: &u8| is_word(*byte) || b"/-.: \t\r\n".contains(byte);
                after.get(..length)?.iter().all(plain).then_some(())?;
                self.scan.at += length + 2;
                self.close(Last::Operand).map(|_| ())
            }
            _ => None,
        }
    }
}
