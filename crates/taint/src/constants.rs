//! Folding of constants: what an operator or a method of a text gives when everything is known.

use super::value::{Const, Consts, Value};
use formicary_syntax::{Literal, Operator};

/// The value of a literal.
pub(super) fn literal(literal: &Literal<'_>) -> Value {
    match literal {
        Literal::Text(text) => Value::text(text),
        Literal::Bytes(text) => Value::text(text),
        Literal::Character(text) => match character(text) {
            Some(char) => Value::constant(Const::Char(char)),
            None => Value::default(),
        },
        Literal::Integer(Some(number)) => Value::constant(Const::Int(*number)),
        Literal::Boolean(truth) => Value::constant(Const::Bool(*truth)),
        Literal::Null => Value::constant(Const::Null),
        Literal::Integer(None) | Literal::Float(_) | Literal::Ellipsis => Value::default(),
        Literal::Regex(pattern) => Value::text(pattern),
    }
}

fn character(text: &str) -> Option<char> {
    let mut chars = text.chars();
    match (chars.next()?, chars.next()) {
        (one, None) => Some(one),
        ('\\', Some('n')) => Some('\n'),
        ('\\', Some('r')) => Some('\r'),
        ('\\', Some('t')) => Some('\t'),
        ('\\', Some('0')) => Some('\0'),
        ('\\', Some(other)) => Some(other),
        _ => None,
    }
}

/// `left operator right`, where both are known.
pub(super) fn binary(operator: Operator, left: &Const, right: &Const) -> Option<Const> {
    use Operator::{Add, BitAnd, BitOr, BitXor, Divide, FloorDivide, Modulo, Multiply, Power, Subtract};
    match (left, right) {
        (Const::Int(a), Const::Int(b)) => {
            let (a, b) = (*a, *b);
            let number = match operator {
                Add => a.checked_add(b),
                Subtract => a.checked_sub(b),
                Multiply => a.checked_mul(b),
                Divide => a.checked_div(b),
                FloorDivide => a.checked_div_euclid(b),
                Modulo => a.checked_rem(b),
                Power => u32::try_from(b).ok().filter(|b| *b < 64).and_then(|b| a.checked_pow(b)),
                BitAnd => Some(a & b),
                BitOr => Some(a | b),
                BitXor => Some(a ^ b),
                _ => None,
            };
            number.map(Const::Int)
        }
        _ if operator == Add => {
            let (left, right) = (text_of(left)?, text_of(right)?);
            (left.len() + right.len() < 4096).then(|| Const::Text((left + &right).into()))
        }
        _ => None,
    }
}

/// What a constant looks like inside of a text.
pub(super) fn text_of(constant: &Const) -> Option<String> {
    match constant {
        Const::Text(text) => Some(text.to_string()),
        Const::Char(char) => Some(char.to_string()),
        Const::Int(number) => Some(number.to_string()),
        Const::Bool(_) | Const::Null => None,
    }
}

/// Whether `left operator right` holds, where both are known.
pub(super) fn compare(operator: Operator, left: &Const, right: &Const) -> Option<bool> {
    use Operator::{
        Equal, Greater, GreaterEqual, In, Is, IsNot, Less, LessEqual, NotEqual, NotIn, StrictEqual,
        StrictNotEqual,
    };
    let (left, right) = (widen(left), widen(right));
    let order = match (&left, &right) {
        (Const::Int(a), Const::Int(b)) => Some(a.cmp(b)),
        (Const::Text(a), Const::Text(b)) => Some(a.cmp(b)),
        _ => None,
    };
    match operator {
        Equal | StrictEqual | Is => Some(left == right),
        NotEqual | StrictNotEqual | IsNot => Some(left != right),
        Less => order.map(std::cmp::Ordering::is_lt),
        LessEqual => order.map(std::cmp::Ordering::is_le),
        Greater => order.map(std::cmp::Ordering::is_gt),
        GreaterEqual => order.map(std::cmp::Ordering::is_ge),
        In | NotIn => match (&left, &right) {
            (Const::Text(a), Const::Text(b)) => Some(b.contains(&**a) == (operator == In)),
            _ => None,
        },
        _ => None,
    }
}

/// A character is a text of one letter.
fn widen(constant: &Const) -> Const {
    match constant {
        Const::Char(char) => Const::Text(char.to_string().into()),
        other => other.clone(),
    }
}

/// A method of a known text.
pub(super) fn method(text: &str, name: &str, arguments: &[Value]) -> Option<Const> {
    let number = |at: usize| arguments.get(at).and_then(Value::as_int).and_then(|n| usize::try_from(n).ok());
    let word = |at: usize| arguments.get(at).and_then(Value::as_text);
    let chars = || text.chars().count();
    Some(match name {
        "charAt" | "at" => Const::Char(text.chars().nth(number(0)?)?),
        "length" | "size" | "len" => Const::Int(chars() as i128),
        "substring" | "slice" | "substr" if arguments.len() <= 2 => {
            let from = number(0)?;
            let to = if arguments.len() == 2 { number(1)? } else { chars() };
            Const::Text(text.chars().skip(from).take(to.checked_sub(from)?).collect::<String>().into())
        }
        "toUpperCase" | "upper" | "to_uppercase" | "ToUpper" => Const::Text(text.to_uppercase().into()),
        "toLowerCase" | "lower" | "to_lowercase" | "ToLower" => Const::Text(text.to_lowercase().into()),
        "trim" | "strip" | "toString" | "to_string" | "to_owned" | "intern" | "as_str" => {
            Const::Text(text.trim().into())
        }
        "concat" => Const::Text(format!("{text}{}", word(0)?).into()),
        "equals" => Const::Bool(text == &*word(0)?),
        "equalsIgnoreCase" => Const::Bool(text.eq_ignore_ascii_case(&word(0)?)),
        "startsWith" | "startswith" | "starts_with" => Const::Bool(text.starts_with(&*word(0)?)),
        "endsWith" | "endswith" | "ends_with" => Const::Bool(text.ends_with(&*word(0)?)),
        "contains" | "includes" => Const::Bool(text.contains(&*word(0)?)),
        "isEmpty" | "is_empty" => Const::Bool(text.is_empty()),
        "indexOf" | "find" | "index" => {
            let at = text.find(&*word(0)?).map(|byte| text[..byte].chars().count() as i128);
            Const::Int(at.unwrap_or(-1))
        }
        _ => return None,
    })
}

/// A plain function of known values.
pub(super) fn function(name: &str, arguments: &[Value]) -> Option<Const> {
    let [only] = arguments else { return None };
    Some(match (name, only.one()?) {
        ("len", Const::Text(text)) => Const::Int(text.chars().count() as i128),
        ("ord", Const::Char(char)) => Const::Int(i128::from(u32::from(*char))),
        ("ord", Const::Text(text)) if text.chars().count() == 1 => {
            Const::Int(i128::from(u32::from(text.chars().next()?)))
        }
        ("chr", Const::Int(number)) => Const::Char(char::from_u32(u32::try_from(*number).ok()?)?),
        ("int", Const::Text(text)) => Const::Int(text.trim().parse().ok()?),
        ("int" | "abs", Const::Int(number)) if *number >= 0 => Const::Int(*number),
        ("str", known) => Const::Text(text_of(known)?.into()),
        _ => return None,
    })
}

/// A letter of a known text.
pub(super) fn index(text: &str, at: i128) -> Option<Const> {
    let length = text.chars().count() as i128;
    let at = if at < 0 { at + length } else { at };
    text.chars().nth(usize::try_from(at).ok()?).map(Const::Char)
}

/// Whether a value is surely another; none when it may be.
pub(super) fn equal(left: &Value, right: &Value) -> Option<bool> {
    if !left.taint.is_empty() || !right.taint.is_empty() {
        return None;
    }
    let (left, right) = (left.consts.all(), right.consts.all());
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let found = left.iter().any(|a| right.iter().any(|b| widen(a) == widen(b)));
    match (found, left.len(), right.len()) {
        (false, ..) => Some(false),
        (true, 1, 1) => Some(true),
        _ => None,
    }
}

/// Many constants folded one by one.
pub(super) fn fold(left: &Consts, right: &Consts, each: impl Fn(&Const, &Const) -> Option<Const>) -> Consts {
    let (left, right) = (left.all(), right.all());
    if left.is_empty() || right.is_empty() || left.len() * right.len() > 6 {
        return Consts::Unknown;
    }
    let mut all = Vec::new();
    for a in left {
        for b in right {
            match each(a, b) {
                Some(one) if !all.contains(&one) => all.push(one),
                Some(_) => {}
                None => return Consts::Unknown,
            }
        }
    }
    match all.len() {
        1 => all.pop().map_or(Consts::Unknown, Consts::One),
        _ => Consts::Few(all.into()),
    }
}
