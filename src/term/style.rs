//! Roles of text and their styles.
//!
//! Other code names a [`Role`]; colours occur only in this table. The styles are those of the tools' own
//! output, so that the screen shows the same cells.

use owo_colors::{AnsiColors, Style};

/// The appearance of a piece of text, for formats without escape sequences.
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

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Text without a style.
    Plain,
    /// The symbol of something created; success.
    Create,
    /// The symbol of something destroyed; `# forces replacement`.
    Delete,
    /// The symbol of something updated; arrows; the word `Warning` of an attribute.
    Update,
    /// The symbol of a data source to be read.
    Read,
    /// Unimportant text: `-> null`, counts of hidden parts, rules.
    Muted,
    /// Headings and addresses.
    Strong,
    /// `destroyed`, `replaced`, `Error:`.
    StrongDelete,
    /// `Warning:` of a diagnostic.
    StrongWarning,
    /// `Apply complete!`.
    StrongSuccess,
    /// `Note:`.
    StrongNote,
    /// The faulty part of the code in a diagnostic.
    Underlined,
    /// A test's status that is neither pass nor fail.
    Pending,
}

impl Role {
    /// The role's style on a coloured display.
    pub fn style(self) -> Style {
        let style = Style::new();
        match self {
            Self::Plain => style,
            Self::Create => style.green(),
            Self::Delete => style.red(),
            Self::Update => style.yellow(),
            Self::Read => style.cyan(),
            Self::Muted => style.bright_black(),
            Self::Strong => style.bold(),
            Self::StrongDelete => style.bold().red(),
            Self::StrongWarning => style.bold().yellow(),
            Self::StrongSuccess => style.bold().green(),
            Self::StrongNote => style.bold().cyan(),
            Self::Underlined => style.underline(),
            Self::Pending => style.color(AnsiColors::White),
        }
    }

    /// The role's appearance in formats without escape sequences.
    pub fn look(self) -> Look {
        let plain = Look::default();
        let coloured = |colour| Look { colour: Some(colour), ..plain };
        let strong = |colour| Look { bold: true, ..coloured(colour) };
        match self {
            Self::Plain | Self::Pending => plain,
            Self::Create => coloured(Colour::Green),
            Self::Delete => coloured(Colour::Red),
            Self::Update => coloured(Colour::Yellow),
            Self::Read => coloured(Colour::Cyan),
            Self::Muted => coloured(Colour::Grey),
            Self::Strong => Look { bold: true, ..plain },
            Self::StrongDelete => strong(Colour::Red),
            Self::StrongWarning => strong(Colour::Yellow),
            Self::StrongSuccess => strong(Colour::Green),
            Self::StrongNote => strong(Colour::Cyan),
            Self::Underlined => Look { underline: true, ..plain },
        }
    }

    /// The escape sequence that begins the role's style; empty for [`Role::Plain`].
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Create => "\x1b[32m",
            Self::Delete => "\x1b[31m",
            Self::Update => "\x1b[33m",
            Self::Read => "\x1b[36m",
            Self::Muted => "\x1b[90m",
            Self::Strong => "\x1b[1m",
            Self::StrongDelete => "\x1b[31;1m",
            Self::StrongWarning => "\x1b[33;1m",
            Self::StrongSuccess => "\x1b[32;1m",
            Self::StrongNote => "\x1b[36;1m",
            Self::Underlined => "\x1b[4m",
            Self::Pending => "\x1b[37m",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_those_of_the_styles() {
        for role in [
            Role::Plain,
            Role::Create,
            Role::Delete,
            Role::Update,
            Role::Read,
            Role::Muted,
            Role::Strong,
            Role::StrongDelete,
            Role::StrongWarning,
            Role::StrongSuccess,
            Role::StrongNote,
            Role::Underlined,
            Role::Pending,
        ] {
            assert_eq!(role.prefix(), role.style().prefix_formatter().to_string(), "{role:?}");
        }
    }
}
