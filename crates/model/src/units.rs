//! Sizes and durations as people write them: `512MiB`, `1G`, `30s`, `2m`.

const BYTE_UNITS: &[(&str, f64)] = &[
    ("", 1.0),
    ("b", 1.0),
    ("k", 1024.0),
    ("m", 1024.0 * 1024.0),
    ("g", 1024.0 * 1024.0 * 1024.0),
    ("t", 1024.0 * 1024.0 * 1024.0 * 1024.0),
    ("kib", 1024.0),
    ("mib", 1024.0 * 1024.0),
    ("gib", 1024.0 * 1024.0 * 1024.0),
    ("tib", 1024.0 * 1024.0 * 1024.0 * 1024.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
];

const TIME_UNITS: &[(&str, f64)] =
    &[("", 1.0), ("s", 1.0), ("sec", 1.0), ("ms", 1e-3), ("m", 60.0), ("min", 60.0), ("h", 3600.0)];

/// Bytes from `1048576`, `512MiB`, `1G` (powers of 1024) or `1GB` (powers of 1000).
pub fn parse_bytes(text: &str) -> Result<f64, String> {
    one_quantity(text, BYTE_UNITS)
        .ok_or_else(|| format!("{text:?} is not a size: write a number of bytes, 512MiB or 1G"))
}

/// Seconds from `30`, `30s`, `1.5m`, `500ms` or `1m30s`.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    let wrong = || format!("{text:?} is not a duration: write a number of seconds, 30s or 2m");
    if let Some(seconds) = one_quantity(text, TIME_UNITS) {
        return Ok(seconds);
    }
    let mut rest = text.trim();
    let mut total = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
        let after = &rest[digits..];
        let letters = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        total += one_quantity(&rest[..digits + letters], TIME_UNITS).ok_or_else(wrong)?;
        rest = &after[letters..];
    }
    if total > 0.0 { Ok(total) } else { Err(wrong()) }
}

/// A plain number.
pub fn parse_number(text: &str) -> Result<f64, String> {
    one_quantity(text, &[("", 1.0)]).ok_or_else(|| format!("{text:?} is not a number"))
}

fn one_quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    // The longest unit first, so that `1e9` is a number and `5ms` is not 5 m with an s too many.
    let (number, factor) = units
        .iter()
        .filter_map(|(unit, factor)| Some((text.strip_suffix(unit)?, unit.len(), factor)))
        .max_by_key(|(_, length, _)| *length)
        .map(|(number, _, factor)| (number.trim_end().replace('_', ""), factor))?;
    let shaped = number.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    let value: f64 = if shaped { number.parse().ok()? } else { return None };
    value.is_finite().then_some(value * factor)
}

/// Bytes for people: whole units where they are exact, else one decimal.
pub fn show_bytes(bytes: f64) -> String {
    let units = [("TiB", 4), ("GiB", 3), ("MiB", 2), ("KiB", 1)];
    for (unit, power) in units {
        let scaled = bytes / 1024f64.powi(power);
        if scaled >= 1.0 {
            return if scaled.fract() == 0.0 {
                format!("{scaled} {unit}")
            } else {
                format!("{scaled:.1} {unit}")
            };
        }
    }
    format!("{bytes} bytes")
}

/// Seconds for people.
pub fn show_seconds(seconds: f64) -> String {
    if seconds >= 1.0 || seconds <= 0.0 { format!("{seconds} s") } else { format!("{} ms", seconds * 1e3) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [
            ("0", 0.0),
            ("1048576", 1048576.0),
            ("512MiB", 536870912.0),
            ("1G", 1073741824.0),
            ("1 GB", 1e9),
            ("64k", 65536.0),
            ("1.5gib", 1610612736.0),
            ("1e9", 1e9),
            ("1_000", 1000.0),
            ("-1", -1.0),
            ("-5M", -5242880.0),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "many", "1X", "1 G B", "nan", "inf", "0x10", "1G1M"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations() {
        let cases = [
            ("30", 30.0),
            ("30s", 30.0),
            ("0.5", 0.5),
            ("500ms", 0.5),
            ("2m", 120.0),
            ("1m30s", 90.0),
            ("1h", 3600.0),
            ("1e9", 1e9),
            ("-3", -3.0),
            ("0", 0.0),
        ];
        for (text, seconds) in cases {
            assert_eq!(parse_seconds(text), Ok(seconds), "{text}");
        }
        for text in ["", "s", "soon", "3 days", "1m-3s", "infinity", "1m30"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shown_values_read_back() {
        for bytes in [0.0, 64.0, 1024.0, 536870912.0, 1099511627776.0] {
            assert_eq!(parse_bytes(&show_bytes(bytes).replace("bytes", "")), Ok(bytes));
        }
        for seconds in [0.1, 1.0, 30.0, 300.0] {
            assert_eq!(parse_seconds(&show_seconds(seconds)), Ok(seconds));
        }
    }
}
