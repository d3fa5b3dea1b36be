//! Moments as people write them: `2026-11-16`, `2026-11-16T09:30:00Z`, or how long ago, `90m`, `36h`, `7d`.

use formicary_execution::now_ms;
use formicary_model::{Failure, FailureKind};
use std::fmt;
use time::{Date, Month, OffsetDateTime, Time};

/// The end of 9999-12-31.
const LAST_SECOND: i64 = 253_402_300_799;

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
    let mut date = date.splitn(3, '-');
    let (year, month, day) =
        (date.next()?.parse().ok()?, date.next()?.parse::<u8>().ok()?, date.next()?.parse().ok()?);
    let mut time = time.splitn(3, ':').map(|part| part.parse::<u8>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next().unwrap_or(Some(0))?);
    let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
    let moment = date.with_time(Time::from_hms(hour, minute, second).ok()?).assume_utc();
    u64::try_from(moment.unix_timestamp()).ok().map(|seconds| seconds * 1_000)
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The calendar ends with the year 9999.
        let seconds = i64::try_from(self.0 / 1_000).unwrap_or(i64::MAX).min(LAST_SECOND);
        let moment = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let ((year, month, day), (hour, minute, second)) = (moment.to_calendar_date(), moment.to_hms());
        let (month, thousandths) = (u8::from(month), self.0 % 1_000);
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
