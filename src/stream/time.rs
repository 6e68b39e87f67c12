//! The timestamps of messages (RFC 3339), without a calendar library.

use std::fmt::Write as _;

/// The timestamps before lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timestamps {
    /// None.
    #[default]
    None,
    /// In UTC.
    Utc,
    /// In the time zone of the messages.
    Local,
    /// Relative to the first message.
    Relative,
}

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    /// Milliseconds since the Unix epoch.
    millis: i64,
    /// The offset of its time zone from UTC, in minutes.
    offset: i64,
}

impl Moment {
    /// Parses a timestamp such as `2026-11-21T02:26:49.067810Z`, with `Z` or a numeric offset.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let number = |from: usize, to: usize| -> Option<i64> {
            let digits = bytes.get(from..to)?;
            digits
                .iter()
                .try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))
        };
        for (at, expected) in [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')] {
            if bytes.get(at) != Some(&expected) {
                return None;
            }
        }
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        // RFC 3339 allows leap seconds.
        let is_date = (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
        if !is_date || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        let mut millis = ((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000;
        let mut zone = bytes.get(19..)?;
        if zone.first() == Some(&b'.') {
            let digits = zone[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let scale = [100, 10, 1];
            millis += zone[1..]
                .iter()
                .take(digits)
                .zip(scale)
                .map(|(digit, scale)| i64::from(digit - b'0') * scale)
                .sum::<i64>();
            zone = &zone[1 + digits..];
        }
        let at = bytes.len() - zone.len();
        let offset = match zone.first()? {
            b'Z' | b'z' if bytes.len() == at + 1 => 0,
            sign @ (b'+' | b'-') => {
                let (hours, minutes) = (number(at + 1, at + 3)?, number(at + 4, at + 6)?);
                if hours > 23 || minutes > 59 || bytes.get(at + 3) != Some(&b':') || bytes.len() != at + 6 {
                    return None;
                }
                let minutes = hours * 60 + minutes;
                if *sign == b'-' { -minutes } else { minutes }
            }
            _ => return None,
        };
        Some(Self { millis: millis - offset * 60_000, offset })
    }

    /// The seconds since the Unix epoch; 0 for earlier times.
    pub(super) fn seconds(self) -> u64 {
        u64::try_from(self.millis / 1000).unwrap_or(0)
    }

    /// The milliseconds since `earlier`; 0 if it is not earlier.
    pub(super) fn millis_since(self, earlier: Self) -> u64 {
        u64::try_from(self.millis - earlier.millis).unwrap_or(0)
    }

    /// The seconds since `earlier`, rounded; 0 if it is not earlier.
    pub(super) fn seconds_since(self, earlier: Self) -> u64 {
        u64::try_from((self.millis - earlier.millis + 500) / 1000).unwrap_or(0)
    }

    /// Appends the time in the format of `timestamps`. `first` is the time of the first message.
    pub(super) fn push(self, text: &mut String, timestamps: Timestamps, first: Self) {
        // Writing to a `String` cannot fail.
        let _ = match timestamps {
            Timestamps::None => Ok(()),
            Timestamps::Utc => write!(text, "{}Z ", Clock(self.millis)),
            Timestamps::Local => write!(text, "{} ", Clock(self.millis + self.offset * 60_000)),
            Timestamps::Relative => {
                let millis = (self.millis - first.millis).max(0);
                write!(text, "+{:02}:{:02}.{:01} ", millis / 60_000, millis / 1000 % 60, millis / 100 % 10)
            }
        };
    }
}

/// Displays milliseconds since the Unix epoch as date and time.
struct Clock(i64);

impl std::fmt::Display for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (days, millis) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000));
        let (year, month, day) = date_of(days);
        let (hour, minute, second) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

/// The days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that the
/// leap day is the last day of a year.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
}

/// The number of days in a month.
fn days_in(year: i64, month: i64) -> i64 {
    let (next_year, next) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_of(next_year, next, 1) - days_of(year, month, 1)
}

fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_shown_in_each_way() {
        let first = Moment::parse("2024-02-29T23:59:58.5Z").unwrap();
        let moment = Moment::parse("2024-03-01T05:31:10.275359+05:30").unwrap();
        let show = |timestamps| {
            let mut text = String::new();
            moment.push(&mut text, timestamps, first);
            text
        };
        assert_eq!(show(Timestamps::Utc), "2024-03-01T00:01:10Z ");
        assert_eq!(show(Timestamps::Local), "2024-03-01T05:31:10 ");
        assert_eq!(show(Timestamps::Relative), "+01:11.7 ");
        assert_eq!(show(Timestamps::None), "");
        assert_eq!(moment.seconds_since(first), 72);
    }

    #[test]
    fn what_is_no_moment() {
        for text in [
            "",
            "2024-02-29",
            "2024-02-29 23:59",
            "2024-02-29T23:59:58",
            "x024-02-29T23:59:58Z",
            "2024-02-29T23:59:58+",
            "2024-99-99T99:99:99Z",
            "2023-02-29T23:59:58Z",
            "2024-02-29T24:00:00Z",
            "2024-02-29T23:60:00Z",
            "2024-00-01T00:00:00Z",
            "2024-04-31T00:00:00Z",
            "2024-02-29T23:59:58+24:00",
            "2024-02-29T23:59:58+01-00",
            "2024-02-29T23:59:58Zz",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }

    #[test]
    fn dates_come_back() {
        for days in [-719_468, -1, 0, 59, 11_016, 19_782, 20_778, 2_932_896] {
            let (year, month, day) = date_of(days);
            assert_eq!(days_of(year, month, day), days);
        }
    }
}
