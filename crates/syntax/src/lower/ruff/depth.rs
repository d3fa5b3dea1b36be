//! How deeply a text nests, before a recursive parser sees it.
//!
//! Every level of a tree costs at least one token, and levels add up only where no comma and no line end lies between.
//! So the tokens of each piece are counted, with the deepest of the brackets in it. Whatever looks unsound is not shallow:
//! the count is right only where strings and brackets end as they should.

/// The most tokens on the way from a statement to its innermost part.
const TOKENS: u32 = 600;
/// The most brackets within each other.
const BRACKETS: usize = 60;
/// The most columns before a statement.
const COLUMNS: usize = 200;

/// One bracket that is open, the statement itself, or a value in a text.
#[derive(Default)]
struct Level {
    closer: u8,
    /// Tokens since the last comma.
    tokens: u32,
    /// The deepest bracket since the last comma.
    inner: u32,
    /// The deepest piece.
    worst: u32,
    /// A lambda reaches over commas.
    lambda: bool,
    /// The text that goes on after this value.
    text: Option<Text>,
}

/// A string.
#[derive(Clone, Copy)]
struct Text {
    quote: u8,
    triple: bool,
    /// Whether braces hold values.
    values: bool,
    /// Whether the backslash is nothing special before a brace.
    raw: bool,
}

impl Level {
    fn new(closer: u8, text: Option<Text>) -> Self {
        Self { closer, text, ..Self::default() }
    }

    fn total(&self) -> u32 {
        self.worst.max(self.tokens.saturating_add(self.inner))
    }

    fn comma(&mut self) {
        if !self.lambda {
            self.worst = self.total();
            (self.tokens, self.inner) = (0, 0);
        }
    }
}

/// Whether a recursive parser may read this text, and a recursive tree may hold it.
pub(super) fn is_shallow(source: &str) -> bool {
    Scan { bytes: source.as_bytes(), at: 0, levels: vec![Level::default()] }.run().is_some()
}

struct Scan<'s> {
    bytes: &'s [u8],
    at: usize,
    levels: Vec<Level>,
}

impl Scan<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn level(&mut self) -> Option<&mut Level> {
        self.levels.last_mut()
    }

    /// None as soon as the text is too deep or unsound.
    fn run(mut self) -> Option<()> {
        self.line_start()?;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\x0c' => self.at += 1,
                b'\r' if self.peek(1) == b'\n' => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    if self.levels.len() == 1 {
                        self.end_statement()?;
                        self.line_start()?;
                    }
                }
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 3,
                b'\r' | b'\\' | 0 => return None,
                b'#' => self.comment(),
                b'(' => self.open(b')')?,
                b'[' => self.open(b']')?,
                b'{' => self.open(b'}')?,
                b')' | b']' | b'}' => self.close(byte)?,
                b',' => {
                    self.at += 1;
                    self.level()?.comma();
                }
                b';' if self.levels.len() == 1 => {
                    self.at += 1;
                    self.end_statement()?;
                }
                b':' if self.level()?.text.is_some() => {
                    // The format of a value: text again, up to its end.
                    self.at += 1;
                    self.format()?;
                }
                b'"' | b'\'' => self.string(&[])?,
                _ if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 => self.word()?,
                _ => {
                    self.at += 1;
                    self.token()?;
                }
            }
        }
        (self.levels.len() == 1).then_some(())?;
        self.end_statement()
    }

    fn token(&mut self) -> Option<()> {
        let level = self.level()?;
        level.tokens += 1;
        (level.tokens <= TOKENS).then_some(())
    }

    fn end_statement(&mut self) -> Option<()> {
        let level = self.level()?;
        let total = level.total();
        *level = Level::default();
        (total <= TOKENS).then_some(())
    }

    fn line_start(&self) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        let columns = rest.iter().take(COLUMNS + 1).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        (columns <= COLUMNS).then_some(())
    }

    fn comment(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    fn open(&mut self, closer: u8) -> Option<()> {
        self.token()?;
        self.at += 1;
        self.levels.push(Level::new(closer, None));
        (self.levels.len() <= BRACKETS).then_some(())
    }

    fn close(&mut self, byte: u8) -> Option<()> {
        (self.levels.len() > 1 && self.level()?.closer == byte).then_some(())?;
        self.at += 1;
        let closed = self.levels.pop()?;
        let total = closed.total().saturating_add(1);
        (total <= TOKENS).then_some(())?;
        let level = self.level()?;
        level.inner = level.inner.max(total);
        match closed.text {
            Some(text) => self.content(text),
            None => Some(()),
        }
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80) {
            self.at += 1;
        }
        let word = self.bytes.get(start..self.at)?;
        if matches!(self.peek(0), b'"' | b'\'') && is_prefix(word) {
            let word = word.to_ascii_lowercase();
            return self.string(&word);
        }
        if word == b"lambda" {
            self.level()?.lambda = true;
        }
        self.token()
    }

    fn string(&mut self, prefix: &[u8]) -> Option<()> {
        self.token()?;
        let quote = self.peek(0);
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        self.at += if triple { 3 } else { 1 };
        let values = prefix.contains(&b'f') || prefix.contains(&b't');
        self.content(Text { quote, triple, values, raw: prefix.contains(&b'r') })
    }

    /// The text of a string up to its end, or up to a value in it.
    fn content(&mut self, text: Text) -> Option<()> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'\\' => {
                    // A name of a character, or a brace that the backslash does not hide.
                    if text.values && self.peek(0) == b'{' {
                        continue;
                    }
                    if text.values && !text.raw && self.peek(0) == b'N' && self.peek(1) == b'{' {
                        let rest = self.bytes.get(self.at..)?;
                        self.at += rest.iter().position(|byte| *byte == b'}')? + 1;
                        continue;
                    }
                    self.at += 1;
                }
                b'\n' if !text.triple => return None,
                b'{' if text.values && self.peek(0) == b'{' => self.at += 1,
                b'}' if text.values && self.peek(0) == b'}' => self.at += 1,
                b'{' if text.values => {
                    self.levels.push(Level::new(b'}', Some(text)));
                    return (self.levels.len() <= BRACKETS).then_some(());
                }
                _ if byte != text.quote => {}
                _ if !text.triple => return Some(()),
                _ if self.peek(0) == byte && self.peek(1) == byte => {
                    self.at += 2;
                    return Some(());
                }
                _ => {}
            }
        }
    }

    /// The format of a value: values stand in it as in the text, and the brace ends it.
    fn format(&mut self) -> Option<()> {
        loop {
            match *self.bytes.get(self.at)? {
                b'}' => return Some(()),
                b'{' => {
                    // Within the format no comma parts anything: it is one more bracket.
                    return self.open(b'}');
                }
                b'\n' | b'"' | b'\'' | b'\\' => return None,
                _ => self.at += 1,
            }
        }
    }
}

/// Whether these letters before a quote belong to the string.
fn is_prefix(word: &[u8]) -> bool {
    word.len() <= 2
        && word.iter().all(|byte| matches!(byte.to_ascii_lowercase(), b'b' | b'f' | b'r' | b't' | b'u'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_code_is_shallow() {
        let long: String = (0..2_000)
            .map(|n| format!("    'k{n}': [{n}, f(x.y)(z), f'{{n!r:>{{w}}}} {{{{}}}}'],\n"))
            .collect();
        for code in [
            "x = 1\n",
            "def f(a, *, b=[1, 2]):  # (((\n    return '(((' + \"\"\"[[[\n[\"\"\" + f'{a:>10}' + rb'{('\n",
            "f\"{x[\"a\"]} {y!r} \\N{BULLET} {z=}\"\n",
            "a = b \\\n    + c; d = e\r\n",
            "lambda a, b: lambda c: (a, b, c)\n",
            &format!("x = {{\n{long}}}\n"),
        ] {
            assert!(is_shallow(code), "{code}");
        }
    }

    #[test]
    fn deep_code_and_unsound_code_are_not() {
        let many = |piece: &str| piece.repeat(10_000);
        for code in [
            many("("),
            format!("x = {}a{}\n", many("("), many(")")),
            format!("x = {}1\n", many("-")),
            format!("x = {}a\n", many("not ")),
            format!("x = {}0\n", many("lambda a, b: ")),
            format!("x = a{}\n", many(".b()")),
            format!("x = a{}\n", many(" + a")),
            format!("x = {}0\n", many("a if b else ")),
            format!("x = f'{{{}a{}}}'\n", many("["), many("]")),
            format!("x = f'{{{}a}}'\n", many("-")),
            format!("x = f'{{a:{}}}'\n", many("{")),
            format!("{}x\n", " ".repeat(1_000)),
            "x = 'a\n".to_owned(),
            "x = (]\n".to_owned(),
            "x = )\n".to_owned(),
            "x = '''a\n".to_owned(),
            "x = f'{a'\n".to_owned(),
            "a\rb\n".to_owned(),
        ] {
            assert!(!is_shallow(&code), "{}", code.get(..60).unwrap_or(&code));
        }
    }
}
