//! How deeply a text nests, before a recursive parser sees it.
//!
//! Every level of a tree costs at least one token, and levels add up only where nothing parts them: a comma, the end of a
//! statement. So the tokens of each piece are counted, with the deepest of the brackets in it. What cannot be told apart
//! without a parser (`/` after `}`, a tag that may be a type) is not shallow: the count is right only where text, patterns
//! and brackets end as they should.

use super::tokens::{Scan, Word};
use crate::Dialect;

/// The most tokens on the way from a statement to its innermost part.
const TOKENS: u32 = 500;
/// The most brackets, values in text and tags within each other.
const BRACKETS: usize = 60;

/// What ends a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closer {
    File,
    Parenthesis,
    /// The parenthesis after `if` and its kin: a statement follows.
    Head,
    Bracket,
    Brace,
    /// The value in a template.
    Value,
    /// A tag, up to its `>`.
    Tag,
    /// What stands between two tags.
    Children,
}

/// One bracket that is open, or the file.
pub(super) struct Level {
    pub(super) closer: Closer,
    /// Tokens of this piece.
    tokens: u32,
    /// The deepest bracket of this piece.
    inner: u32,
    /// The deepest piece.
    worst: u32,
    /// Tokens that hold what comes after the comma too: `do`, `else`, `if ( … )`, labels.
    base: u32,
    /// Whether a comma came since the statement began.
    listed: bool,
    /// Marks that may hold types.
    angles: u32,
    /// A decorator came: what it decorates may stand on the next line.
    decorated: bool,
}

impl Level {
    fn new(closer: Closer) -> Self {
        Self { closer, tokens: 0, inner: 0, worst: 0, base: 0, listed: false, angles: 0, decorated: false }
    }

    fn total(&self) -> u32 {
        self.worst.max(self.tokens.saturating_add(self.inner))
    }

    /// What comes now lies beside what came, below the words that hold both.
    fn part(&mut self) {
        self.worst = self.total();
        (self.tokens, self.inner, self.decorated) = (self.base, 0, false);
    }

    fn statement(&mut self) {
        self.base = 0;
        self.part();
        (self.listed, self.angles) = (false, 0);
    }
}

/// What came last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// A value follows: an operator, a word like `return`, the start.
    Operator,
    /// A dot: any word is a name after it.
    Dot,
    /// A value ends here.
    Operand,
    /// `}`.
    Brace,
    /// The end of a statement; `else` may still hold it.
    Semicolon,
    /// A word like `if` or `for`.
    HeadWord,
    /// A word before which and after which many things may stand.
    Unsure,
}

/// Whether a recursive parser may read this text, and a recursive tree may hold it.
pub(super) fn is_shallow(dialect: Dialect, source: &str) -> bool {
    Depth::new(dialect, source).run().is_some()
}

/// The count on the way through the text.
pub(super) struct Depth<'s> {
    pub(super) scan: Scan<'s>,
    pub(super) levels: Vec<Level>,
    pub(super) last: Last,
    /// Whether a line ended since the last token.
    pub(super) newline: bool,
    pub(super) typed: bool,
    pub(super) markup: bool,
}

impl<'s> Depth<'s> {
    fn new(dialect: Dialect, source: &'s str) -> Self {
        Self {
            scan: Scan::new(source),
            levels: vec![Level::new(Closer::File)],
            last: Last::Operator,
            newline: false,
            typed: dialect != Dialect::JavaScript,
            markup: dialect != Dialect::TypeScript,
        }
    }

    pub(super) fn level(&mut self) -> Option<&mut Level> {
        self.levels.last_mut()
    }

    /// None as soon as the text is too deep or cannot be told.
    fn run(mut self) -> Option<()> {
        self.scan.first_line();
        loop {
            match self.level()?.closer {
                Closer::Tag => self.tag()?,
                Closer::Children => self.children()?,
                _ => {
                    self.newline |= self.scan.space()?;
                    if self.scan.is_done() {
                        break;
                    }
                    self.code()?;
                }
            }
        }
        (self.levels.len() == 1).then_some(())?;
        (self.level()?.total() <= TOKENS).then_some(())
    }

    /// One more token, after which comes what `last` says.
    pub(super) fn token(&mut self, last: Last) -> Option<()> {
        if self.last == Last::Semicolon {
            self.level()?.statement();
        }
        let level = self.level()?;
        level.tokens += 1;
        let fits = level.total() <= TOKENS;
        self.last = last;
        self.newline = false;
        fits.then_some(())
    }

    pub(super) fn open(&mut self, closer: Closer) -> Option<()> {
        self.token(Last::Operator)?;
        // What follows a head is held by it, whatever commas come.
        self.level()?.base += u32::from(closer == Closer::Head);
        self.levels.push(Level::new(closer));
        (self.levels.len() <= BRACKETS).then_some(())
    }

    pub(super) fn close(&mut self, last: Last) -> Option<Closer> {
        let closed = self.levels.pop()?;
        let total = closed.total().saturating_add(1);
        let level = self.level()?;
        level.inner = level.inner.max(total);
        let fits = level.total() <= TOKENS;
        self.last = last;
        self.newline = false;
        fits.then_some(closed.closer)
    }

    /// A statement or member ended if a word stands here.
    fn boundary(&mut self) -> Option<()> {
        let (last, newline) = (self.last, self.newline);
        let level = self.level()?;
        let may = matches!(level.closer, Closer::File | Closer::Brace);
        let ended =
            last == Last::Brace || last == Last::Operand && newline && level.angles == 0 && !level.decorated;
        if may && ended {
            level.statement();
        }
        Some(())
    }

    pub(super) fn word(&mut self) -> Option<()> {
        let word = self.scan.word()?;
        if self.last == Last::Dot {
            return self.token(Last::Operand);
        }
        let kind = Word::of(word);
        match kind {
            Word::Joins => {
                // `else` after a semicolon belongs to what came before it.
                if self.last == Last::Semicolon && word == b"else" {
                    self.last = Last::Operator;
                }
            }
            _ => self.boundary()?,
        }
        if self.last == Last::Semicolon {
            self.level()?.statement();
            self.last = Last::Operator;
        }
        let last = match kind {
            Word::Name => Last::Operand,
            Word::Head => Last::HeadWord,
            Word::Before | Word::Prefix => Last::Operator,
            // `for await (`.
            Word::Joins | Word::Unsure if self.last == Last::HeadWord => Last::HeadWord,
            Word::Joins | Word::Unsure => Last::Unsure,
        };
        self.token(last)?;
        if word == b"do" || word == b"else" {
            self.level()?.base += 1;
            self.last = Last::Operator;
        }
        Some(())
    }

    pub(super) fn comma(&mut self) -> Option<()> {
        self.token(Last::Operator)?;
        let level = self.level()?;
        if level.angles == 0 {
            level.part();
        }
        level.listed = true;
        Some(())
    }

    pub(super) fn semicolon(&mut self) -> Option<()> {
        // A semicolon after a semicolon is a statement of its own.
        self.token(Last::Semicolon)
    }

    pub(super) fn colon(&mut self) -> Option<()> {
        self.token(Last::Operator)?;
        // It may end a label, which holds what comes; the names of an object's values come after commas.
        let level = self.level()?;
        level.base += u32::from(!level.listed);
        Some(())
    }

    pub(super) fn decorator(&mut self) -> Option<()> {
        self.boundary()?;
        self.token(Last::Operator)?;
        self.level()?.decorated = true;
        Some(())
    }

    pub(super) fn angle(&mut self, opens: bool) -> Option<()> {
        if self.typed {
            let level = self.level()?;
            level.angles = if opens { level.angles + 1 } else { level.angles.saturating_sub(1) };
        }
        Some(())
    }

    /// An attribute or a child begins beside the one before.
    pub(super) fn beside(&mut self) -> Option<()> {
        self.level()?.part();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_code_is_shallow() {
        let long: String =
            (0..2_000).map(|n| format!("  k{n}: [{n}, f(x.y)(z), `a${{n}}b`, /[/]{{/g],\n")).collect();
        let bare: String =
            (0..2_000).map(|n| format!("const a{n} = f(b)\nc.d()\nif (a) return b\n")).collect();
        let members: String = (0..2_000).map(|n| format!("  m{n}(a) {{ return a }}\n  f{n} = 1\n")).collect();
        for (dialect, code) in [
            (Dialect::JavaScript, "a = b / c / d; e = /(((/.test('(((') + \"[[[\" + `${{a: 1}}{{{`;\n"),
            (Dialect::JavaScript, "#!/usr/bin/env node\nreturn /a/ // (((\n/* ((( */\n"),
            (Dialect::JavaScript, "x = <a b='\"((' c={d} {...e}>it's (( {f} <g/> &lt; </a>;\n"),
            (Dialect::JavaScript, "x = a ? <></> : <b.c d:e=\"f\">{/* ( */}</b.c>\n"),
            (Dialect::TypeScript, "const a = <T, U>(b: Map<T, Set<U>>) => b! / 2;\n"),
            (Dialect::Tsx, "const a = f<T>(b); return <div>{c}</div>;\n"),
            (Dialect::JavaScript, &format!("x = {{\n{long}}}\n")),
            (Dialect::JavaScript, &bare),
            (Dialect::JavaScript, &format!("class A {{\n{members}}}\n")),
        ] {
            assert!(is_shallow(dialect, code), "{}", code.get(..200).unwrap_or(code));
        }
    }

    #[test]
    fn deep_code_and_what_cannot_be_told_are_not() {
        let many = |piece: &str| piece.repeat(10_000);
        for code in [
            many("("),
            format!("x = {}a{}\n", many("("), many(")")),
            format!("x = {}1\n", many("- ")),
            format!("x = {}a\n", many("typeof ")),
            format!("x = {}0\n", many("a => ")),
            format!("x = {}0\n", many("(a, b) => ")),
            format!("x = a{}\n", many(".b()")),
            format!("x = a{}\n", many(" + a")),
            format!("x = {}0\n", many("a ? b : ")),
            format!("x = {}0\n", many("a = ")),
            format!("{}x\n", many("do ")),
            format!("{}x\n", many("do x, function () {")),
            format!("a >\n{}x\n", many("a: x, function () {")),
            format!("{}x\n", many("for (a of b) x, function () {")),
            "for await (a of b) /c/.d()\n".to_owned(),
            "yield <a>'(</a>\n".to_owned(),
            "a\u{a0}= b\n".to_owned(),
            format!("x = 1.0{}\n", many(".a")),
            format!("x = /a/{}\n", many(".a")),
            format!("{}x\n", many("a: ")),
            format!("{}x\n", many("if (a) ")),
            format!("{}x\n", many("if (a) x; else ")),
            format!("{}x\n", many("if (a) {} else ")),
            format!("x = {}{{}}\n", many("class extends ")),
            format!("x = {}{{}}\n", many("class A\nextends ")),
            format!("x = {}a{}\n", many("`${"), many("}`")),
            format!("x = {}a{}\n", many("<a>"), many("</a>")),
            format!("x = {}a{}\n", many("<a b={"), many("}/>")),
            format!("x = {}\n", many("new\n")),
            "x = 'a\n".to_owned(),
            "x = (]\n".to_owned(),
            "x = )\n".to_owned(),
            "x = `a\n".to_owned(),
            "x = `${a`\n".to_owned(),
            "if (a) /b/.c()\n".to_owned(),
            "{} /b/\n".to_owned(),
            "<!-- a\n".to_owned(),
        ] {
            assert!(!is_shallow(Dialect::JavaScript, &code), "{}", code.get(..60).unwrap_or(&code));
        }
        for code in [
            format!("type A = {}0{}\n", many("A<B, "), many(">")),
            format!("type A = {}0\n", many("keyof\n")),
            format!("type A = {}0\n", many("abstract\nnew () => ")),
            format!("x = {}0{}\n", many("y => @a()\nclass { b = "), many("}")),
        ] {
            assert!(!is_shallow(Dialect::TypeScript, &code), "{}", code.get(..60).unwrap_or(&code));
        }
    }
}
