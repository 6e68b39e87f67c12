//! The times of messages, and their text before lines.
//!
//! ```text
//! message       2024-03-01T05:31:10.275359+05:30
//! utc           2024-03-01T00:01:10Z
//! local         2024-03-01T05:31:10
//! relative      +01:11.7                             since the first message
//! ```

#[cfg(test)]
mod tests;

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

/// The time of a message, with the offset of its time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    /// The time in milliseconds since the Unix epoch.
    millis: i64,
    offset: Offset,
}

impl Moment {
    /// Parses a time in the format of RFC 3339, such as `2026-11-21T02:26:49.067810Z`, with `Z` or a numeric offset.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text).ok()?;
        let offset = pieces.to_numeric_offset()?;
        let time = offset
            .to_timestamp(pieces.date().to_datetime(pieces.time()?))
            .ok()?;
        Some(Self {
            millis: time.as_millisecond(),
            offset,
        })
    }

    /// Returns the seconds since the Unix epoch; 0 for earlier times.
    pub(super) fn seconds(self) -> u64 {
        u64::try_from(self.millis / 1000).unwrap_or(0)
    }

    /// Returns the milliseconds since `earlier`; 0 if it is not earlier.
    pub(super) fn millis_since(self, earlier: Self) -> u64 {
        u64::try_from(self.millis - earlier.millis).unwrap_or(0)
    }

    /// Returns the seconds since `earlier`, rounded; 0 if it is not earlier.
    pub(super) fn seconds_since(self, earlier: Self) -> u64 {
        u64::try_from((self.millis - earlier.millis + 500) / 1000).unwrap_or(0)
    }

    /// Appends the time and a space. A relative time is that since `first`.
    pub(super) fn push(self, text: &mut String, timestamps: Timestamps, first: Self) {
        // Writing to a `String` cannot fail.
        let _ = match timestamps {
            Timestamps::None => Ok(()),
            Timestamps::Utc => write!(text, "{}Z ", self.clock(Offset::UTC)),
            Timestamps::Local => write!(text, "{} ", self.clock(self.offset)),
            Timestamps::Relative => {
                let millis = (self.millis - first.millis).max(0);
                write!(
                    text,
                    "+{:02}:{:02}.{:01} ",
                    millis / 60_000,
                    millis / 1000 % 60,
                    millis / 100 % 10
                )
            }
        };
    }

    fn clock(self, offset: Offset) -> DateTime {
        offset.to_datetime(Timestamp::from_second(self.millis.div_euclid(1000)).unwrap_or_default())
    }
}
