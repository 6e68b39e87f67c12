//! Diffs of strings, including those with JSON in them, and of numbers, which older releases read as 64-bit floating
//! point.
//!
//! ```text
//! "{\"a\":1}" becomes "{\"a\":2}"     a diff of JSON: a is updated
//! "x\ny" becomes "x\nz"               lines: "x" is unchanged, "y" is removed, "z" is added
//! 9007199254740993                    9007199254740992, as older releases read it
//! ```

use bumpalo::Bump;

use super::cursor::Side;
use super::list::numbers;
use super::tree::{Diff, DiffAction, Line, Node};
use super::{Cursor, Differ, Paths};
use crate::json::{Object, Value, parse, parse_prefix};

/// The maximum nesting of JSON in strings that is read. Each level doubles the escapes, so real documents have one or
/// two levels; the limit bounds the recursion over hostile ones.
const MAX_STRINGS: usize = 4;

/// The form in which a string is shown.
#[derive(Clone, Copy)]
enum Text<'a> {
    OneLine,
    Lines(&'a str),
    Json(Value<'a>),
}

impl<'a> Differ<'a> {
    /// Computes the diff of a string: on one line, by its lines, or by the JSON in it.
    pub(super) fn string(self, change: Cursor<'a>) -> Diff<'a> {
        let action = change.action();
        let scalar = Node::Scalar {
            before: change.before.slot,
            after: change.after.slot,
            is_string: true,
        };
        let node = if action == DiffAction::Update {
            match [
                self.text(change.before.value()),
                self.text(change.after.value()),
            ] {
                [Text::Json(before), Text::Json(after)] => {
                    self.json(Some(before), Some(after), action)
                }
                [Text::Json(_), _] | [_, Text::Json(_)] => self.json_on_one_side(change),
                shown @ ([Text::Lines(_), _] | [_, Text::Lines(_)]) => self.heredoc(change, shown),
                [Text::OneLine, Text::OneLine] => scalar,
            }
        } else {
            // The other side is not shown. It is not examined either, because it may be a large document.
            let (is_gone, is_new) = (action == DiffAction::Delete, action == DiffAction::Create);
            match self.text(if is_gone {
                change.before.value()
            } else {
                change.after.value()
            }) {
                Text::Json(value) => self.json(
                    (!is_new).then_some(value),
                    (!is_gone).then_some(value),
                    action,
                ),
                Text::Lines(text) => {
                    let lines = text.split('\n');
                    let lines = lines.map(|text| Line {
                        action: DiffAction::NoOp,
                        text: Some(text),
                    });
                    let lines = bumpalo::collections::Vec::from_iter_in(lines, self.arena);
                    Node::Heredoc {
                        lines: lines.into_bump_slice(),
                    }
                }
                Text::OneLine => scalar,
            }
        };
        Self::leaf(change, node)
    }

    /// Returns the form in which a string is shown. JSON in JSON is read down to [`MAX_STRINGS`] levels.
    fn text(self, value: Value<'a>) -> Text<'a> {
        let Some(text) = value.as_str() else {
            return Text::OneLine;
        };
        if may_be_json(text) && self.string_depth < MAX_STRINGS {
            let value = if self.dialect.json_may_have_trailing_text() {
                parse_prefix(text, self.arena)
            } else {
                parse(text, self.arena)
            };
            if let Ok(value) = value {
                return Text::Json(self.value_as_read(value));
            }
        }
        if memchr::memchr(b'\n', text.as_bytes()).is_some() {
            Text::Lines(text.trim())
        } else {
            Text::OneLine
        }
    }

    /// Computes the diff of the JSON in a string. A side without JSON is absent.
    fn json(
        self,
        before: Option<Value<'a>>,
        after: Option<Value<'a>>,
        action: DiffAction,
    ) -> Node<'a> {
        let inside = Self {
            string_depth: self.string_depth + 1,
            ..self
        };
        let inner = inside.dynamic(Cursor::from_values(before, after));
        let whitespace_only = inner.action == DiffAction::NoOp && action == DiffAction::Update;
        Node::Json {
            inner: self.arena.alloc(inner),
            whitespace_only,
        }
    }

    /// Computes the diff of two strings if only one is JSON: a removal and an addition.
    fn json_on_one_side(self, change: Cursor<'a>) -> Node<'a> {
        let side = |before, after| {
            let cursor = Cursor {
                replace: Paths::Never,
                ..Cursor::from_values(before, after)
            };
            &*self.arena.alloc(self.string(cursor))
        };
        Node::TypeChange {
            before: side(change.before.slot, None),
            after: side(None, change.after.slot),
        }
    }

    /// Computes the diff of two strings by their lines, which are aligned by a longest common subsequence.
    fn heredoc(self, change: Cursor<'a>, [before, after]: [Text<'a>; 2]) -> Node<'a> {
        let (before, after) = (
            lines(change.before.value(), before),
            lines(change.after.value(), after),
        );
        let (before_numbers, after_numbers) = numbers(&before, &after);
        let pairs = self.pair(&before_numbers, &after_numbers, |_, _| false);
        let most = before.len().max(after.len()) + 8;
        let mut lines = bumpalo::collections::Vec::with_capacity_in(most, self.arena);
        for (b, a) in pairs {
            let (b, a) = (b as usize, a as usize);
            match (before.get(b), after.get(a)) {
                (Some(text), Some(_)) if before_numbers[b] == after_numbers[a] => {
                    lines.push(Line {
                        action: DiffAction::NoOp,
                        text: *text,
                    });
                }
                (gone, come) => {
                    lines.extend(gone.map(|text| Line {
                        action: DiffAction::Delete,
                        text: *text,
                    }));
                    lines.extend(come.map(|text| Line {
                        action: DiffAction::Create,
                        text: *text,
                    }));
                }
            }
        }
        Node::Heredoc {
            lines: lines.into_bump_slice(),
        }
    }

    /// Returns the values as the release reads them: older ones read numbers as floating point, so a difference that
    /// this cannot represent does not count.
    pub fn as_read(self, change: Cursor<'a>) -> Cursor<'a> {
        let slot = |slot: Option<_>| slot.map(|value| self.value_as_read(value));
        change.each_side(|side| Side {
            slot: slot(side.slot),
            ..side
        })
    }

    fn value_as_read(self, value: Value<'a>) -> Value<'a> {
        if self.dialect.reads_numbers_as_floats() {
            rounded(value, self.arena)
        } else {
            value
        }
    }
}

pub(super) fn may_be_json(text: &str) -> bool {
    text.starts_with(['{', '['])
}

/// Returns the lines of a string; `None` for null. A single line is not trimmed.
fn lines<'a>(value: Value<'a>, text: Text<'a>) -> Vec<Option<&'a str>> {
    match text {
        Text::Lines(text) => text.split('\n').map(Some).collect(),
        Text::OneLine | Text::Json(_) => vec![value.as_str()],
    }
}

/// Rounds each number in a value to 64-bit floating point.
fn rounded<'a>(value: Value<'a>, arena: &'a Bump) -> Value<'a> {
    match value {
        Value::Number(text) => Value::Number(decimal(text, arena)),
        Value::Array(items) => Value::Array(
            arena.alloc_slice_fill_iter(items.iter().map(|item| rounded(*item, arena))),
        ),
        Value::Object(object) => {
            let members = object
                .members()
                .iter()
                .map(|(key, value)| (*key, rounded(*value, arena)));
            Value::Object(Object::from_sorted(arena.alloc_slice_fill_iter(members)))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

/// Returns the shortest decimal that reads as the same floating-point number, without an exponent. Numbers out of range
/// are returned unchanged, because these releases fail for them.
fn decimal<'a>(text: &'a str, arena: &'a Bump) -> &'a str {
    /// The number of decimal digits that always survive conversion to floating point.
    const SAFE: usize = 15;
    let Some(number) = text.parse::<f64>().ok().filter(|number| number.is_finite()) else {
        return text;
    };
    let is_long = text.bytes().filter(u8::is_ascii_digit).count() > SAFE;
    let decimal = is_long
        .then(|| shortest(number))
        .flatten()
        .unwrap_or_else(|| number.to_string());
    if decimal == text {
        text
    } else {
        arena.alloc_str(&decimal)
    }
}

/// Returns the shortest decimal by the rules of Go's `big.Float`, with which these releases print. `None` for very
/// large and very small numbers, which would take too long.
///
/// The result differs from that of the standard library in two cases. The number below a power of two is only half as
/// far away as the number above, but `big.Float` treats both gaps as equal, which may save a digit. And a number
/// exactly between two decimals is rounded to the even one.
fn shortest(number: f64) -> Option<String> {
    /// The number of bits of the fraction in a 64-bit floating-point number.
    const FRACTION_BITS: u32 = 52;
    /// The maximum binary exponent that is handled, in either direction.
    const MAX_COUNT: i32 = 128;
    let bits = number.to_bits();
    let exponent = i32::try_from((bits >> FRACTION_BITS) & 0x7ff).ok()? - 1023;
    if !(-MAX_COUNT..=MAX_COUNT).contains(&exponent) {
        return None;
    }
    let one = 1u64 << FRACTION_BITS;
    let significand = one | (bits & (one - 1));
    // The digits of the number, and of its bounds at a distance of half a unit in the last place. All are computed in
    // halves of that unit.
    let digits = |halves: u64| scaled(halves, exponent - 53);
    let ((mut digits_of, mut point), (lower, _), (upper, _)) = (
        digits(2 * significand),
        digits(2 * significand - 1),
        digits(2 * significand + 1),
    );
    let bounds_count = significand.is_multiple_of(2);
    let digit_at = |digits: &[u8], index: usize| digits.get(index).copied().unwrap_or(0);
    for index in 0..digits_of.len() {
        let digit = digits_of[index];
        let (below, above) = (digit_at(&lower, index), digit_at(&upper, index));
        let may_cut = below != digit || (bounds_count && index + 1 == lower.len());
        let may_raise =
            above != digit && (bounds_count || digit + 1 < above || index + 1 < upper.len());
        if !may_cut && !may_raise {
            continue;
        }
        let rest = &digits_of[index + 1..];
        let is_nearer_above = match rest.first() {
            Some(5) if rest.len() == 1 => !digit.is_multiple_of(2),
            Some(next) => *next >= 5,
            None => false,
        };
        let raise = may_raise && (!may_cut || is_nearer_above);
        digits_of.truncate(index + 1);
        if raise {
            point += raise_last(&mut digits_of);
        }
        break;
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    Some(format!("{sign}{}", plain(&digits_of, point)))
}

/// Returns the decimal digits of `number * 2^exponent` without trailing zeros, and the number of digits before the
/// decimal point, or minus the number of zeros after it.
fn scaled(number: u64, exponent: i32) -> (Vec<u8>, i32) {
    let mut digits: Vec<u8> = number
        .to_string()
        .bytes()
        .rev()
        .map(|digit| digit - b'0')
        .collect();
    // Halving is the same as multiplying by five and moving the decimal point.
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
    let end = digits
        .iter()
        .rposition(|digit| *digit != 0)
        .map_or(0, |last| last + 1);
    digits.truncate(end);
    (digits, point)
}

/// Rounds up the last digit. Returns by how many places the decimal point moves to the right.
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

/// Returns digits as text without an exponent. `point` is the number of digits before the decimal point.
fn plain(digits: &[u8], point: i32) -> String {
    let digits: String = digits
        .iter()
        .map(|digit| char::from(b'0' + digit))
        .collect();
    match usize::try_from(point) {
        Ok(point) if point >= digits.len() => digits.clone() + &"0".repeat(point - digits.len()),
        Ok(point) if point > 0 => format!("{}.{}", &digits[..point], &digits[point..]),
        Ok(_) | Err(_) => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    }
}

#[cfg(test)]
mod tests;
