//! Numbers, dates and addresses of conditions as ranges on lines.
//!
//! ```text
//! NumericLessThan 3600        from the least number to the last one before 3600
//! IpAddress 10.0.0.0/8        from 10.0.0.0 to 10.255.255.255 on the line of IPv4
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use crate::meaning::access::patterns::Work;

/// How a number or date is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Order {
    /// It is the value.
    Equal,
    /// It is less, or earlier.
    Less,
    /// It is not more, or not later.
    LessOrEqual,
    /// It is more, or later.
    Greater,
    /// It is not less, or not earlier.
    GreaterOrEqual,
}

/// A line on which values lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    /// Numbers, also those that stand for dates.
    Numbers,
    Ipv4,
    Ipv6,
}

/// All values from the first to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    line: Line,
    first: u128,
    last: u128,
}

/// Returns the place of a number on its line: what is less is before it.
fn place(number: f64) -> u128 {
    // Adding zero makes the negative zero a positive one.
    let bits = (number + 0.0).to_bits();
    let ordered = if bits >> 63 == 0 {
        bits | 1 << 63
    } else {
        !bits
    };
    u128::from(ordered)
}

/// Returns the range of the numbers that are compared with one as `order` says.
fn compared(number: f64, order: Order) -> Option<Range> {
    if number.is_nan() {
        return None;
    }
    let [least, most] = [f64::NEG_INFINITY, f64::INFINITY].map(place);
    let at = place(number);
    let (first, last) = match order {
        Order::Equal => (at, at),
        Order::Less => (least, at.checked_sub(1)?),
        Order::LessOrEqual => (least, at),
        Order::Greater => (at + 1, most),
        Order::GreaterOrEqual => (at, most),
    };
    Some(Range {
        line: Line::Numbers,
        first,
        last,
    })
}

/// Returns the range of the numbers that pass; `None` if the text is no number.
pub(super) fn number(text: &str, order: Order) -> Option<Range> {
    compared(text.trim().parse().ok()?, order)
}

/// Returns the range of the dates that pass: `2026-01-31`, `2026-01-31T12:00:00Z`, or seconds since 1970. `None` for
/// other forms.
pub(super) fn date(text: &str, order: Order) -> Option<Range> {
    if let Ok(seconds) = text.parse::<f64>() {
        return compared(seconds, order);
    }
    let (day, time) = text.split_once('T').unwrap_or((text, "00:00:00Z"));
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let mut parts = time
        .strip_suffix('Z')?
        .splitn(3, ':')
        .map(|part| part.parse::<f64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || year > 9999 {
        return None;
    }
    // Years begin in March here, so that a leap day is the last one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year.checked_sub(1)?, month + 9)
    };
    let leap_days = f64::from(year / 4) - f64::from(year / 100) + f64::from(year / 400);
    let days = f64::from(year) * 365.0 + leap_days + f64::from((153 * month + 2) / 5 + day);
    compared(
        ((days * 24.0 + hours) * 60.0 + minutes) * 60.0 + seconds - EPOCH,
        order,
    )
}

/// The seconds from the beginning of the years of [`date`] to that of 1970.
const EPOCH: f64 = 719_469.0 * 86_400.0;

/// Returns the range of the addresses of a network, or the one of an address; `None` for other texts.
pub(super) fn address(text: &str) -> Option<Range> {
    let (address, bits) = match text.split_once('/') {
        Some((address, bits)) => (address, Some(bits.parse::<u32>().ok()?)),
        None => (text, None),
    };
    let (line, number, length) = match address.parse().ok()? {
        IpAddr::V4(address) => (Line::Ipv4, u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (Line::Ipv6, address.to_bits(), 128),
    };
    let host_bits = u32::checked_sub(length, bits.unwrap_or(length))?;
    let mask = 1u128
        .checked_shl(host_bits)
        .map_or(u128::MAX, |size| size - 1);
    Some(Range {
        line,
        first: number & !mask,
        last: number | mask,
    })
}

/// Returns the sets of numbers whose ranges have a value in common that is in no other range. `is_open` says whether
/// there are values in no range; for numbers it is found out. Takes time proportional to the ranges.
pub(super) fn signatures(
    ranges: &[(u32, Vec<Range>)],
    is_open: bool,
    work: &mut Work,
) -> Option<BTreeSet<u128>> {
    // At each place, how many ranges of which number begin, less those that end before it.
    let mut changes: BTreeMap<(Line, u128), Vec<(u32, i32)>> = BTreeMap::new();
    for (number, ranges) in ranges {
        for range in ranges {
            work.spend(16)?;
            changes
                .entry((range.line, range.first))
                .or_default()
                .push((*number, 1));
            // A range up to the end of its line does not end.
            if let Some(next) = range.last.checked_add(1) {
                changes
                    .entry((range.line, next))
                    .or_default()
                    .push((*number, -1));
            }
        }
    }
    let [least, most] = [f64::NEG_INFINITY, f64::INFINITY].map(place);
    let mut sets = BTreeSet::new();
    if is_open {
        sets.insert(0);
    } else {
        changes.entry((Line::Numbers, least)).or_default();
        changes.remove(&(Line::Numbers, most + 1));
    }
    let mut line = None;
    let (mut open, mut passed) = (BTreeMap::new(), 0u128);
    for ((own_line, _), changes) in changes {
        if line != Some(own_line) {
            (line, passed) = (Some(own_line), 0);
            open.clear();
        }
        for (number, change) in changes {
            let count = open.entry(number).or_insert(0);
            *count += change;
            let bit = 1 << number;
            passed = if *count > 0 {
                passed | bit
            } else {
                passed & !bit
            };
        }
        sets.insert(passed);
    }
    Some(sets)
}

#[cfg(test)]
mod tests {
    use super::{Order, address, compared, date, place};

    #[test]
    fn numbers_and_dates_keep_their_order() {
        let numbers = [-1e9, -1.5, 0.0, 0.5, 3600.0, 1e12];
        assert!(
            numbers
                .windows(2)
                .all(|pair| place(pair[0]) < place(pair[1]))
        );
        assert_eq!(place(0.0), place(-0.0));
        assert_eq!(
            date("1970-01-02T00:00:01Z", Order::Equal),
            compared(86_401.0, Order::Equal)
        );
        assert_eq!(
            date("2020-02-29", Order::Less),
            compared(1_582_934_400.0, Order::Less)
        );
        assert_eq!(date("2020-02-29T00:00:00+01:00", Order::Less), None);
    }

    #[test]
    fn networks_are_ranges() {
        assert_eq!(address("10.1.2.3/8"), address("10.0.0.0/8"));
        assert_ne!(address("0.0.0.0/0"), address("::/0"));
        assert_eq!(address("10.0.0.0/33"), None);
        assert_eq!(address("office"), None);
    }
}
