//! Percentiles of any number of values in little room: values that differ by less than two in a hundred are counted together.

use std::collections::BTreeMap;

/// Counts are kept of values between one and the next power of this.
const BASE: f64 = 1.02;
/// Values below this are counted as this.
const SMALLEST: f64 = 1e-9;
/// Bins that a sketch may have; from there on the smallest ones are counted together.
const MOST_BINS: usize = 2_048;

/// A series of values, known by how many of them are of which size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketch {
    bins: BTreeMap<i32, u64>,
    count: u64,
    sum: f64,
    min: f64,
    max: f64,
}

impl Sketch {
    /// One more value. What is no number, or below zero, is counted as zero.
    pub fn add(&mut self, value: f64) {
        let value = if value.is_finite() { value.max(0.0) } else { 0.0 };
        (self.min, self.max) = match self.count {
            0 => (value, value),
            _ => (self.min.min(value), self.max.max(value)),
        };
        self.count += 1;
        self.sum += value;
        *self.bins.entry(bin(value)).or_default() += 1;
        self.bound();
    }

    /// The values of another one too.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        (self.min, self.max) = match self.count {
            0 => (other.min, other.max),
            _ => (self.min.min(other.min), self.max.max(other.max)),
        };
        self.count += other.count;
        self.sum += other.sum;
        for (bin, count) in &other.bins {
            *self.bins.entry(*bin).or_default() += count;
        }
        self.bound();
    }

    // The large ones matter: what is folded together are the smallest.
    fn bound(&mut self) {
        while self.bins.len() > MOST_BINS {
            let Some((_, count)) = self.bins.pop_first() else { return };
            if let Some(mut next) = self.bins.first_entry() {
                *next.get_mut() += count;
            }
        }
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All of them together.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// The largest.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// The value that so many of a hundred are not above, by nearest rank, near enough; 0 where there are none.
    pub fn percentile(&self, percent: u64) -> f64 {
        let rank = (self.count * percent).div_ceil(100).max(1);
        let mut seen = 0;
        for (bin, count) in &self.bins {
            seen += count;
            if seen >= rank {
                // The middle of the bin, and never beyond what was seen.
                return (SMALLEST * BASE.powf(f64::from(*bin) + 0.5)).clamp(self.min, self.max);
            }
        }
        self.max
    }

    /// How many values are not above each of these bounds, which rise.
    pub fn not_above(&self, bounds: &[f64]) -> Vec<u64> {
        let limits: Vec<i32> = bounds.iter().map(|bound| bin(*bound)).collect();
        let mut counts = vec![0; bounds.len()];
        for (bin, count) in &self.bins {
            let first = limits.partition_point(|limit| limit < bin);
            for sum in &mut counts[first..] {
                *sum += count;
            }
        }
        counts
    }
}

fn bin(value: f64) -> i32 {
    ((value.max(SMALLEST) / SMALLEST).ln() / BASE.ln()).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_near_enough() {
        for scale in [1e-6, 1.0, 1e9] {
            let mut sketch = Sketch::default();
            (1..=10_000).rev().for_each(|n| sketch.add(f64::from(n) * scale));
            for percent in [1, 50, 90, 99, 100] {
                let exact = percent as f64 * 100.0 * scale;
                let told = sketch.percentile(percent);
                assert!((told - exact).abs() <= exact * 0.021, "{percent} of {scale}: {told} for {exact}");
            }
            assert_eq!((sketch.count(), sketch.max()), (10_000, 10_000.0 * scale));
        }
        let mut same = Sketch::default();
        (0..7).for_each(|_| same.add(0.5));
        assert_eq!((same.percentile(50), same.percentile(99)), (0.5, 0.5));
        assert_eq!(Sketch::default().percentile(50), 0.0);
    }

    #[test]
    fn two_together_are_as_one() {
        let (mut left, mut right, mut both) = (Sketch::default(), Sketch::default(), Sketch::default());
        for n in 0..500 {
            if n % 3 == 0 { left.add(f64::from(n)) } else { right.add(f64::from(n)) }
            both.add(f64::from(n));
        }
        left.merge(&right);
        left.merge(&Sketch::default());
        assert_eq!(left, both);
    }

    #[test]
    fn room_is_bounded_whatever_comes() {
        let mut sketch = Sketch::default();
        for power in -400..400 {
            for step in 1..10 {
                sketch.add(f64::from(step) * 10_f64.powi(power));
            }
        }
        for odd in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            sketch.add(odd);
        }
        assert!(sketch.bins.len() <= MOST_BINS, "{}", sketch.bins.len());
        assert_eq!(sketch.count(), 800 * 9 + 4);
    }

    #[test]
    fn counts_below_bounds_rise() {
        let mut sketch = Sketch::default();
        [0.001, 0.02, 0.02, 3.0, 100.0].into_iter().for_each(|value| sketch.add(value));
        assert_eq!(sketch.not_above(&[0.005, 0.05, 1.0, 10.0]), [1, 3, 3, 4]);
    }
}
