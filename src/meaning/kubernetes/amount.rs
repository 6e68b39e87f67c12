//! Amounts as Kubernetes writes them: quantities, percentages, durations.
//!
//! ```text
//! 500m  0.5        1Gi  1073741824        25%  25, of all        1h30m  5400 seconds
//! ```

use std::cmp::Ordering;

/// What an amount counts. Amounts of different units have no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    One,
    Percent,
    Second,
}

/// An amount with its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    value: f64,
    unit: Unit,
}

impl Amount {
    /// Parses a quantity or a percentage (API machinery, `resource.Quantity`); `None` for any other text.
    pub(super) fn quantity(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(number) = text.strip_suffix('%') {
            return Some(Self {
                value: number.parse().ok()?,
                unit: Unit::Percent,
            });
        }
        let end = text
            .find(|c: char| c.is_ascii_alphabetic())
            .unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let factor = match suffix {
            "" => 1.0,
            "n" => 1e-9,
            "u" => 1e-6,
            "m" => 1e-3,
            "k" | "K" => 1e3,
            "M" => 1e6,
            "G" => 1e9,
            "T" => 1e12,
            "P" => 1e15,
            "E" => 1e18,
            "Ki" => 1024.0,
            "Mi" => 1_048_576.0,
            "Gi" => 1_073_741_824.0,
            "Ti" => 1_099_511_627_776.0,
            "Pi" => 1_125_899_906_842_624.0,
            _ => return None,
        };
        Some(Self {
            value: number.parse::<f64>().ok()? * factor,
            unit: Unit::One,
        })
    }

    /// Parses a duration: a number of seconds, or numbers with units; `None` for any other text.
    pub(super) fn duration(text: &str) -> Option<Self> {
        let unit = Unit::Second;
        if let Ok(value) = text.parse() {
            return Some(Self { value, unit });
        }
        let (mut value, mut rest) = (0.0, text);
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
            let (number, tail) = rest.split_at(digits);
            let letters = tail
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(tail.len());
            let (name, tail) = tail.split_at(letters);
            let factor = match name {
                "ms" => 0.001,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3_600.0,
                "d" => 86_400.0,
                "w" => 604_800.0,
                "y" => 31_536_000.0,
                _ => return None,
            };
            value += number.parse::<f64>().ok()? * factor;
            rest = tail;
        }
        Some(Self { value, unit })
    }

    /// Whether it is nothing.
    pub(super) fn is_zero(self) -> bool {
        self.value == 0.0
    }

    /// Returns the order of two amounts; `None` if they count different things.
    pub(super) fn order(self, other: Self) -> Option<Ordering> {
        if self.unit != other.unit {
            return None;
        }
        self.value.partial_cmp(&other.value)
    }
}
