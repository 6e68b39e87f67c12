//! The timestamps of messages (RFC 3339).

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

/// The timestamps before lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Timestamps {
    /// No times
    #[default]
    None,
    /// Coordinated Universal Time
    Utc,
    /// The time zone that the messages were written in
    Local,
    /// Time since the first message
    Relative,
}

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    /// Milliseconds since the Unix epoch.
    millis: i64,
    /// The offset of its time zone from UTC.
    offset: Offset,
}

impl Moment {
    /// Parses a timestamp such as `2026-11-21T02:26:49.067810Z`, with `Z` or a numeric offset.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text).ok()?;
        let offset = pieces.to_numeric_offset()?;
        let time = offset.to_timestamp(pieces.date().to_datetime(pieces.time()?)).ok()?;
        Some(Self { millis: time.as_millisecond(), offset })
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
            Timestamps::Utc => write!(text, "{}Z ", self.clock(Offset::UTC)),
            Timestamps::Local => write!(text, "{} ", self.clock(self.offset)),
            Timestamps::Relative => {
                let millis = (self.millis - first.millis).max(0);
                write!(text, "+{:02}:{:02}.{:01} ", millis / 60_000, millis / 1000 % 60, millis / 100 % 10)
            }
        };
    }

    /// The date and time in a time zone, to the second.
    fn clock(self, offset: Offset) -> DateTime {
        offset.to_datetime(Timestamp::from_second(self.millis.div_euclid(1000)).unwrap_or_default())
    }
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
            "2024-02-29T23:59:58+99:00",
            "2024-02-29T23:59:58+01-00",
            "2024-02-29T23:59:58Zz",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
