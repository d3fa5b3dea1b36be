//! Samples of one peer on one workload, and what can honestly be said of them.

use std::time::Duration;

/// Times of single runs.
#[derive(Debug, Clone, Default)]
pub struct Samples(Vec<Duration>);

impl Samples {
    /// Adds one.
    pub fn push(&mut self, time: Duration) {
        let place = self.0.partition_point(|known| *known < time);
        self.0.insert(place, time);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The middle one: robust against the few runs that the machine disturbed.
    pub fn median(&self) -> Duration {
        self.quantile(0.5)
    }

    /// The best one: the cost itself, with the least of the machine's noise in it.
    pub fn minimum(&self) -> Duration {
        self.0.first().copied().unwrap_or_default()
    }

    /// How far apart the middle half of the samples lies.
    pub fn spread(&self) -> Duration {
        self.quantile(0.75).saturating_sub(self.quantile(0.25))
    }

    /// The one below which this share of them lies.
    pub fn quantile(&self, share: f64) -> Duration {
        let Some(last) = self.0.len().checked_sub(1) else { return Duration::ZERO };
        let place = last as f64 * share;
        let (low, high) = (self.0[place.floor() as usize], self.0[place.ceil() as usize]);
        low + (high - low).mul_f64(place.fract())
    }
}

/// Milliseconds with their fraction.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_does_not_matter() {
        let mut samples = Samples::default();
        for milliseconds in [9, 1, 5, 3, 7] {
            samples.push(Duration::from_millis(milliseconds));
        }
        assert_eq!(samples.median(), Duration::from_millis(5));
        assert_eq!(samples.minimum(), Duration::from_millis(1));
        assert_eq!(samples.spread(), Duration::from_millis(4));
        samples.push(Duration::from_millis(6));
        assert_eq!(samples.median(), Duration::from_micros(5500));
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(Samples::default().median(), Duration::ZERO);
        assert_eq!(Samples::default().spread(), Duration::ZERO);
    }
}
