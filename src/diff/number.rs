//! Numbers as older releases read them: as 64-bit floating point.

use bumpalo::Bump;

use super::Differ;
use crate::diff::Cursor;
use crate::diff::tree::Slot;
use crate::json::{Object, Value};

impl<'a> Differ<'a> {
    /// The change with its numbers as the release reads them. They are also compared that way: a difference
    /// that floating point cannot represent does not count.
    pub fn as_read(self, change: Cursor<'a>) -> Cursor<'a> {
        let slot = |slot| match slot {
            Slot::Value(value) => Slot::Value(self.value_as_read(value)),
            Slot::Absent | Slot::Null => slot,
        };
        Cursor { before: slot(change.before), after: slot(change.after), ..change }
    }

    /// Like [`Self::as_read`], for one value.
    pub(super) fn value_as_read(self, value: Value<'a>) -> Value<'a> {
        if self.dialect.reads_numbers_as_floats() { rounded(value, self.arena) } else { value }
    }
}

fn rounded<'a>(value: Value<'a>, arena: &'a Bump) -> Value<'a> {
    match value {
        Value::Number(text) => Value::Number(decimal(text, arena)),
        Value::Array(items) => {
            Value::Array(arena.alloc_slice_fill_iter(items.iter().map(|item| rounded(*item, arena))))
        }
        Value::Object(object) => {
            let members = object.members().iter().map(|(key, value)| (*key, rounded(*value, arena)));
            Value::Object(Object::from_sorted(arena.alloc_slice_fill_iter(members)))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

/// The shortest decimal that reads as the same floating-point number, without an exponent. Numbers out
/// of range, for which these releases fail, are left unchanged.
fn decimal<'a>(text: &'a str, arena: &'a Bump) -> &'a str {
    /// The number of decimal digits that always survive conversion to floating point.
    const SAFE: usize = 15;
    let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) else { return text };
    let is_long = text.bytes().filter(u8::is_ascii_digit).count() > SAFE;
    let decimal = is_long.then(|| shortest(number)).flatten().unwrap_or_else(|| number.to_string());
    if decimal == text { text } else { arena.alloc_str(&decimal) }
}

/// The shortest decimal by the rules of Go's `big.Float`, with which these releases print. `None` for
/// very large and very small numbers, which would take too long.
///
/// The result differs from the standard library's in two cases. The number below a power of two is only
/// half as far away as the number above; `big.Float` treats both gaps as equal, which may save a digit.
/// And a number exactly between two decimals is rounded to the even one.
fn shortest(number: f64) -> Option<String> {
    const FRACTION_BITS: u32 = 52;
    const MAX_COUNT: i32 = 128;
    let bits = number.to_bits();
    let exponent = i32::try_from((bits >> FRACTION_BITS) & 0x7ff).ok()? - 1023;
    if !(-MAX_COUNT..=MAX_COUNT).contains(&exponent) {
        return None;
    }
    let one = 1u64 << FRACTION_BITS;
    let significand = one | (bits & (one - 1));
    // The number, and its bounds at a distance of half a unit in the last place, in halves of that unit.
    let digits = |halves: u64| scaled(halves, exponent - 53);
    let ((mut digits_of, mut point), (lower, _), (upper, _)) =
        (digits(2 * significand), digits(2 * significand - 1), digits(2 * significand + 1));
    let bounds_count = significand.is_multiple_of(2);
    let at = |digits: &[u8], at: usize| digits.get(at).copied().unwrap_or(0);
    for place in 0..digits_of.len() {
        let digit = digits_of[place];
        let (below, above) = (at(&lower, place), at(&upper, place));
        let may_cut = below != digit || (bounds_count && place + 1 == lower.len());
        let may_raise = above != digit && (bounds_count || digit + 1 < above || place + 1 < upper.len());
        if !may_cut && !may_raise {
            continue;
        }
        let rest = &digits_of[place + 1..];
        let is_nearer_above = match rest.first() {
            Some(5) if rest.len() == 1 => !digit.is_multiple_of(2),
            Some(next) => *next >= 5,
            None => false,
        };
        let raise = may_raise && (!may_cut || is_nearer_above);
        digits_of.truncate(place + 1);
        if raise {
            point += raise_last(&mut digits_of);
        }
        break;
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    Some(format!("{sign}{}", plain(&digits_of, point)))
}

/// The decimal digits of `number * 2^exponent` without trailing zeros, and the position of the decimal
/// point: the number of digits before it, or minus the number of zeros after it.
fn scaled(number: u64, exponent: i32) -> (Vec<u8>, i32) {
    let mut digits: Vec<u8> = number.to_string().bytes().rev().map(|digit| digit - b'0').collect();
    // Halving is multiplying by five and moving the decimal point.
    let factor = if exponent < 0 { 5 } else { 2 };
    for _ in 0..exponent.unsigned_abs() {
        let mut carry = 0;
        for digit in &mut digits {
            carry += *digit * factor;
            *digit = carry % 10;
            carry /= 10;
        }
        digits.extend((carry > 0).then_some(carry));
    }
    let point = digits.len() as i32 + exponent.min(0);
    digits.reverse();
    let end = digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
    digits.truncate(end);
    (digits, point)
}

/// Adds one to the last digit. Returns the number of additional digits: 1 if all digits were nines.
fn raise_last(digits: &mut Vec<u8>) -> i32 {
    while digits.last() == Some(&9) {
        digits.pop();
    }
    if let Some(last) = digits.last_mut() {
        *last += 1;
        return 0;
    }
    digits.push(1);
    1
}

fn plain(digits: &[u8], point: i32) -> String {
    let digits: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    match usize::try_from(point) {
        Ok(point) if point >= digits.len() => digits.clone() + &"0".repeat(point - digits.len()),
        Ok(point) if point > 0 => format!("{}.{}", &digits[..point], &digits[point..]),
        Ok(_) | Err(_) => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_shortest_decimals_of_floating_point() {
        let arena = Bump::new();
        for (text, read) in [
            ("1e+21", "1000000000000000000000"),
            ("1e-07", "0.0000001"),
            ("9007199254740993", "9007199254740992"),
            ("12345678901234567891", "12345678901234567000"),
            ("3.1415926535897932385", "3.141592653589793"),
            ("1.50", "1.5"),
            ("42", "42"),
            ("1e400", "1e400"),
            ("18446744073709551615", "18446744073709550000"),
            ("-9223372036854775807", "-9223372036854776000"),
            ("36028797018963968", "36028797018963970"),
            ("0.5", "0.5"),
            ("0.0009765625", "0.0009765625"),
            ("-0", "-0"),
            ("10000000000000000000000000000000", "10000000000000000000000000000000"),
            ("0.000000000000000000001", "0.000000000000000000001"),
            ("835479749750825.25", "835479749750825.2"),
            ("5.9604644775390625e-8", "0.00000005960464477539062"),
            ("9.313225746154785e-10", "0.0000000009313225746154785"),
            ("1.2676506002282294e30", "1267650600228229400000000000000"),
            ("7.888609052210118e-31", "0.0000000000000000000000000000007888609052210118"),
            ("1.5111572745182865e23", "151115727451828650000000"),
        ] {
            assert_eq!(decimal(text, &arena), read);
        }
    }
}
