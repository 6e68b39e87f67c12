//! Numbers as the tools print them.

use std::borrow::Cow;

/// A JSON number as its shortest exact decimal, without an exponent: `1.50` becomes `1.5`, and `1e3`
/// becomes `1000`. Numbers with huge exponents are returned unchanged.
pub fn shortest_decimal(number: &str) -> Cow<'_, str> {
    const MAX_COUNT: i64 = 4_000;
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().unwrap_or(i64::MAX)),
        None => (number, 0),
    };
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent == 0 && fraction.is_empty() && !(sign == "-" && whole == "0") {
        return Cow::Borrowed(number);
    }
    if !(-MAX_COUNT..=MAX_COUNT).contains(&exponent) {
        return Cow::Borrowed(number);
    }
    let point = whole.len() as i64 + exponent;
    let missing = usize::try_from(-point).unwrap_or_default();
    let mut all = format!("{}{whole}{fraction}", "0".repeat(missing));
    let point = usize::try_from(point).unwrap_or_default();
    all.push_str(&"0".repeat(point.saturating_sub(all.len())));
    let (whole, fraction) = all.split_at(point);
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    if fraction.is_empty() {
        return Cow::Owned(if whole == "0" { whole.to_owned() } else { format!("{sign}{whole}") });
    }
    Cow::Owned(format!("{sign}{whole}.{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::shortest_decimal;

    #[test]
    fn no_exponent_and_no_needless_digit() {
        for (number, expected) in [
            ("1", "1"),
            ("-3.50", "-3.5"),
            ("1e3", "1000"),
            ("1.5e1", "15"),
            ("12e-3", "0.012"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("1.0", "1"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("1e-2", "0.01"),
            ("1E+2", "100"),
            ("1e999999", "1e999999"),
        ] {
            assert_eq!(shortest_decimal(number), expected, "{number}");
        }
    }
}
