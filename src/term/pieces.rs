//! Splits styled text into pieces, for formats without escape sequences.
//!
//! The input is the output of [`Out`](super::Out). The only escape sequences in it are those of roles and of
//! the tools' in-band markup, because data cannot contain any.

/// The appearance of a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it is underlined.
    pub underline: bool,
    /// The colour, if it is one of a role.
    pub colour: Option<Colour>,
}

/// The colours of roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Destroyed; errors.
    Red,
    /// Created; success.
    Green,
    /// Changed; warnings.
    Yellow,
    /// Read; notes.
    Cyan,
    /// Unimportant.
    Grey,
}

impl Look {
    /// The appearance after an SGR sequence with these parameters. Parameters that no role uses are ignored,
    /// so no sequence can hide text.
    fn after(self, parameters: &str) -> Self {
        let mut look = self;
        for parameter in parameters.split(';') {
            match parameter {
                "" | "0" => look = Self::default(),
                "1" => look.bold = true,
                "4" => look.underline = true,
                "31" | "91" => look.colour = Some(Colour::Red),
                "32" | "92" => look.colour = Some(Colour::Green),
                "33" | "93" => look.colour = Some(Colour::Yellow),
                "36" | "96" => look.colour = Some(Colour::Cyan),
                "90" => look.colour = Some(Colour::Grey),
                "39" => look.colour = None,
                // The parameters of an extended colour are not styles.
                "38" | "48" => break,
                _ => {}
            }
        }
        look
    }
}

/// The non-empty pieces of a styled text, in order.
pub fn pieces(text: &str) -> impl Iterator<Item = (Look, &str)> {
    let (mut look, mut rest) = (Look::default(), text);
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            if let Some(sequence) = rest.strip_prefix("\x1b[")
                && let Some(end) = sequence.bytes().position(|byte| byte == b'm')
                && let (Some(parameters), Some(later)) = (sequence.get(..end), sequence.get(end + 1..))
            {
                look = look.after(parameters);
                rest = later;
                continue;
            }
            // An escape character that does not begin a sequence is text.
            let after = rest.as_bytes().get(1..).unwrap_or_default();
            let end = memchr::memchr(b'\x1b', after).map_or(rest.len(), |at| at + 1);
            let (piece, later) = rest.split_at_checked(end).unwrap_or((rest, ""));
            rest = later;
            return Some((look, piece));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Role, capture};

    #[test]
    fn roles_are_recognized_in_what_was_written() {
        let text = capture(true, |out| {
            out.lit("  ")?;
            out.role(Role::Create, "+")?;
            out.lit(" a = 1 ")?;
            out.role(Role::StrongDelete, "x\ny")
        });
        let text = text.unwrap();
        let colour = |colour| Look { colour: Some(colour), ..Look::default() };
        let alert = Look { bold: true, ..colour(Colour::Red) };
        let found: Vec<(Look, &str)> = pieces(&text).collect();
        assert_eq!(
            found,
            [
                (Look::default(), "  "),
                (colour(Colour::Green), "+"),
                (Look::default(), " a = 1 "),
                (alert, "x"),
                (Look::default(), "\n"),
                (alert, "y"),
            ]
        );
    }

    #[test]
    fn what_no_role_uses_changes_nothing() {
        let found: Vec<(Look, &str)> = pieces("\x1b[8mhidden\x1b[38;5;1mx\x1b[0m\x1by").collect();
        assert!(found.iter().all(|(look, _)| *look == Look::default()));
        assert_eq!(found.iter().map(|(_, text)| *text).collect::<String>(), "hiddenx\x1by");
    }
}
