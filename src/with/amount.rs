//! Amounts of money: decimal texts, without the errors of binary fractions.

use std::fmt;

use serde::Serialize;

/// An amount; a decimal text in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Amount(i128);

/// Amounts are in millionths of a currency's unit.
const UNIT: i128 = 1_000_000;
/// The maximum number of digits before the point.
const MAX_DIGITS: usize = 15;

impl Amount {
    /// Reads a decimal text such as `-742.64`. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) || whole.len() > MAX_DIGITS {
            return None;
        }
        let kept: String = fraction.chars().chain("000000".chars()).take(6).collect();
        let amount = whole.parse::<i128>().ok()? * UNIT + kept.parse::<i128>().ok()?;
        Some(Self(if negative { -amount } else { amount }))
    }

    /// Whether it is less than half of a hundredth, so that it would be written as zero.
    pub fn is_zero(self) -> bool {
        self.0.saturating_abs() < UNIT / 200
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The text with a sign and a currency for a month: `+ 312 $/month`.
    pub fn signed(self, currency: &str) -> String {
        let sign = match self.0 {
            _ if self.is_zero() => "± ",
            ..0 => "- ",
            0.. => "+ ",
        };
        format!("{sign}{}", Self(self.0.saturating_abs()).monthly(currency))
    }

    /// The text with a currency for a month: `312 $/month`.
    pub fn monthly(self, currency: &str) -> String {
        format!("{self} {}/month", symbol(currency))
    }
}

/// The exact decimal text: `312.5`.
impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        let sign = if amount.0 < 0 { "-" } else { "" };
        let (amount, unit) = (amount.0.unsigned_abs(), UNIT.unsigned_abs());
        let text = format!("{sign}{}.{:06}", amount / unit, amount % unit);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 && !self.is_zero() { "-" } else { "" };
        let amount = self.0.saturating_abs();
        // Hundredths of a large amount tell nothing.
        let (whole, cents) = if amount >= 100 * UNIT {
            ((amount + UNIT / 2) / UNIT, None)
        } else {
            let cents = (amount + UNIT / 200) / (UNIT / 100);
            (cents / 100, Some(cents % 100))
        };
        let digits = whole.to_string();
        let mut grouped = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        match cents.filter(|cents| *cents > 0) {
            Some(cents) => write!(f, "{sign}{grouped}.{cents:02}"),
            None => write!(f, "{sign}{grouped}"),
        }
    }
}

/// The sign of a currency, or its code if that is one.
fn symbol(currency: &str) -> &str {
    match currency {
        "USD" | "" => "$",
        "EUR" => "€",
        "GBP" => "£",
        "JPY" => "¥",
        code if code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()) => code,
        _ => "units",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_written() {
        for (text, expected) in [
            ("312", "+ 312 $/month"),
            ("742.64", "+ 743 $/month"),
            ("-4.0849999", "- 4.08 $/month"),
            ("0.0000012345678901234567890", "± 0 $/month"),
            ("1234567.89", "+ 1,234,568 $/month"),
            ("99.999", "+ 100 $/month"),
        ] {
            assert_eq!(Amount::parse(text).unwrap().signed("USD"), expected);
        }
        for text in ["", "-", ".5", "1.", "1e9", "+1", "NaN", "1 000", "1234567890123456", "\u{1b}[1m"] {
            assert_eq!(Amount::parse(text), None, "{text}");
        }
        let sum = Amount::parse("0.1").unwrap().plus(Amount::parse("0.2").unwrap());
        assert_eq!(
            (sum.signed("EUR"), sum.signed("\u{1b}x")),
            ("+ 0.30 €/month".into(), "+ 0.30 units/month".into())
        );
    }
}
