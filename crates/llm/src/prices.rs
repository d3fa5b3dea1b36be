//! What tokens cost. Prices change and differ by contract, so they are configuration, never built in.

use crate::TokenUsage;

/// Prices by the beginning of a model's name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices(Vec<(String, f64, f64)>);

impl Prices {
    /// Reads `gpt-4o=2.5/10, claude=3/15`: money for a million tokens read and written.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut rows = Vec::new();
        for row in text.split(',').map(str::trim).filter(|row| !row.is_empty()) {
            let parsed = row.split_once('=').and_then(|(name, pair)| {
                let (input, output) = pair.split_once('/')?;
                let number =
                    |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
                Some((name.trim().to_owned(), number(input)?, number(output)?))
            });
            rows.push(
                parsed.ok_or_else(|| format!("{row:?} is not NAME=INPUT/OUTPUT, as in gpt-4o=2.5/10"))?,
            );
        }
        // The longest beginning that fits is the most specific one.
        rows.sort_by_key(|(name, ..)| std::cmp::Reverse(name.len()));
        Ok(Self(rows))
    }

    /// What this usage costs; nothing is known of a model without a price.
    pub fn cost(&self, model: &str, usage: TokenUsage) -> Option<f64> {
        let bare = model.split_once(':').map_or(model, |(_, bare)| bare);
        let row = self
            .0
            .iter()
            .find(|(name, ..)| bare.starts_with(name.as_str()) || model.starts_with(name.as_str()));
        row.map(|(_, input, output)| (usage.input as f64 * input + usage.output as f64 * output) / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_and_applied() {
        let prices = Prices::read("gpt=1/2, gpt-4o = 2.5/10").unwrap();
        let usage = TokenUsage { input: 1_000_000, output: 100_000, cached: 0 };
        assert_eq!(prices.cost("openai:gpt-4o-mini", usage), Some(3.5));
        assert_eq!(prices.cost("gpt-3", usage), Some(1.2));
        assert_eq!(prices.cost("llama", usage), None);
        for wrong in ["gpt", "gpt=1", "gpt=a/b", "gpt=-1/2"] {
            assert!(Prices::read(wrong).is_err(), "{wrong}");
        }
    }
}
