//! Moments as people write them: `2026-11-16`, `2026-11-16T09:30:00Z`, or how long ago, `90m`, `36h`, `7d`.

use formicary_execution::now_ms;
use formicary_model::{Failure, FailureKind};
use std::fmt;

/// Milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(pub u64);

impl Moment {
    /// Reads a moment.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let found = ago(text).map(|ago| now_ms().saturating_sub(ago)).or_else(|| at(text));
        found.map(Self).ok_or_else(|| {
            Failure::new(FailureKind::InvalidInput, format!("{text:?} is not a moment"))
                .hint("write 2026-11-16, 2026-11-16T09:30:00Z, or how long ago: 90m, 36h, 7d")
        })
    }
}

fn ago(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at(text.len().checked_sub(1).filter(|end| text.is_char_boundary(*end))?);
    let unit = match unit {
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

fn at(text: &str) -> Option<u64> {
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (date, time.strip_suffix('Z').unwrap_or(time)),
        None => (text, "00:00:00"),
    };
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut time = time.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next().unwrap_or(Some(0))?);
    let days = days_of(year, month);
    let valid =
        (1970..=9999).contains(&year) && (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let day = u64::try_from(days_before(year, month, day)).ok().filter(|_| valid)?;
    Some(((day * 24 + hour) * 60 + minute) * 60_000 + second * 1_000)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    }
}

/// Days from 1970 to this day. Years begin in March here, so that the day of leap years is their last.
fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let in_year = (153 * month + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + in_year - 719_468
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, rest) = ((self.0 / 86_400_000) as i64, self.0 % 86_400_000);
        let (mut year, mut month) = (1970 + days / 366, 1);
        while days_before(year + 1, 1, 1) <= days {
            year += 1;
        }
        while month < 12 && days_before(year, month + 1, 1) <= days {
            month += 1;
        }
        let day = days - days_before(year, month, 1) + 1;
        let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
        let (second, thousandths) = (rest / 1_000 % 60, rest % 1_000);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{thousandths:03}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_and_written() {
        for (text, ms) in [
            ("1970-01-01", 0),
            ("2000-02-29", 951_782_400_000),
            ("2026-11-16T09:30:05Z", 1_794_821_405_000),
            ("2026-11-16 09:30", 1_794_821_400_000),
        ] {
            assert_eq!(Moment::read(text), Ok(Moment(ms)), "{text}");
        }
        assert_eq!(Moment(951_782_400_000).to_string(), "2000-02-29T00:00:00.000Z");
        for days in [0_u64, 58, 59, 364, 365, 789, 20_000, 20_773, 40_000] {
            let moment = Moment(days * 86_400_000 + 3_661_000);
            let text = moment.to_string();
            assert_eq!(Moment::read(text.trim_end_matches(".000Z")), Ok(moment), "{text}");
        }
        for wrong in ["", "yesterday", "2026-13-01", "2026-02-30", "2026-11-16T25:00:00Z", "5x", "-5d", "é"]
        {
            assert!(Moment::read(wrong).is_err(), "{wrong}");
        }
        assert!(Moment::read("1h").unwrap() < Moment::read("1m").unwrap());
    }
}
