//! The roles of text, and their looks.
//!
//! Invariant: other code names a [`Role`], and colors occur only in its table. The styles are those of the tools' own
//! output, so that the screen shows the same cells.

use owo_colors::Style;

/// The look of a piece of text. It is written as escape sequences on a terminal, and as classes on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether the text is bold.
    pub bold: bool,
    /// Whether the text is underlined.
    pub underline: bool,
    /// The color; `None` for that of other text.
    pub colour: Option<Colour>,
}

/// A color of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// The color of deletions and errors.
    Red,
    /// The color of creations and of success.
    Green,
    /// The color of changes in place and of warnings.
    Yellow,
    /// The color of reads and notes.
    Cyan,
    /// The color of a state that is neither passed nor failed.
    White,
    /// The color of less important text, such as counts of hidden parts.
    Grey,
}

impl Look {
    /// The look of text without a style.
    const PLAIN: Self = Self {
        bold: false,
        underline: false,
        colour: None,
    };

    const fn coloured(colour: Colour) -> Self {
        Self {
            colour: Some(colour),
            ..Self::PLAIN
        }
    }

    /// Returns the look, but bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Returns the look, but underlined.
    #[must_use]
    pub const fn underlined(self) -> Self {
        Self {
            underline: true,
            ..self
        }
    }

    /// Returns the style of a terminal with this look.
    pub const fn style(self) -> Style {
        let mut style = match self.colour {
            None => Style::new(),
            Some(Colour::Red) => Style::new().red(),
            Some(Colour::Green) => Style::new().green(),
            Some(Colour::Yellow) => Style::new().yellow(),
            Some(Colour::Cyan) => Style::new().cyan(),
            Some(Colour::White) => Style::new().white(),
            Some(Colour::Grey) => Style::new().bright_black(),
        };
        if self.bold {
            style = style.bold();
        }
        if self.underline {
            style = style.underline();
        }
        style
    }
}

/// The meaning of a piece of text, from which alone its look follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Text without a style.
    #[default]
    Plain,
    /// A creation: symbols, and success.
    Create,
    /// A deletion: symbols, and `# forces replacement`.
    Delete,
    /// A change in place: symbols, arrows, and the word `Warning` of an attribute.
    Update,
    /// A read: symbols. Also types and paths of a schema.
    Read,
    /// Less important text: `-> null`, counts of hidden parts, rules.
    Muted,
    /// Important text: headings and addresses.
    Strong,
    /// Important text about deletions and errors: `destroyed`, `replaced`, `Error:`.
    StrongDelete,
    /// Important text about warnings: `Warning:`, and entries with findings of the level warning.
    StrongWarning,
    /// Important text about success: `No changes.`, `Outputs:`, and words that are added.
    StrongSuccess,
    /// Important text about notes: `Note:`, and entries with findings of the level notice.
    StrongNote,
    /// The faulty part of the code in a diagnostic.
    Underlined,
    /// A state that is neither passed nor failed.
    Pending,
}

impl Role {
    /// Returns the look of the role, from the table of all looks.
    pub const fn look(self) -> Look {
        match self {
            Self::Plain => Look::PLAIN,
            Self::Create => Look::coloured(Colour::Green),
            Self::Delete => Look::coloured(Colour::Red),
            Self::Update => Look::coloured(Colour::Yellow),
            Self::Read => Look::coloured(Colour::Cyan),
            Self::Muted => Look::coloured(Colour::Grey),
            Self::Strong => Look::PLAIN.bold(),
            Self::StrongDelete => Look::coloured(Colour::Red).bold(),
            Self::StrongWarning => Look::coloured(Colour::Yellow).bold(),
            Self::StrongSuccess => Look::coloured(Colour::Green).bold(),
            Self::StrongNote => Look::coloured(Colour::Cyan).bold(),
            Self::Underlined => Look::PLAIN.underlined(),
            Self::Pending => Look::coloured(Colour::White),
        }
    }

    /// Returns the style of a terminal for the role.
    pub const fn style(self) -> Style {
        self.look().style()
    }
}
