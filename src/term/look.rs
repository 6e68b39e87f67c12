//! Roles of text and their looks.
//!
//! Other code names a [`Role`]; colours occur only in its table. The styles are those of the tools' own output, so
//! that the screen shows the same cells.

use owo_colors::Style;

/// The look of a part of a text: escape sequences on a terminal, classes on a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether it is bold.
    pub bold: bool,
    /// Whether it is underlined.
    pub underline: bool,
    /// The colour; `None` for that of other text.
    pub colour: Option<Colour>,
}

/// A colour of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// What is deleted, and errors.
    Red,
    /// What is created, and success.
    Green,
    /// What changes in place, and warnings.
    Yellow,
    /// What is read, and notes.
    Cyan,
    /// What neither passed nor failed.
    White,
    /// What is less important, such as counts of hidden parts.
    Grey,
}

impl Look {
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

    /// Returns the look in bold.
    #[must_use]
    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// Returns the look with a line under the text.
    #[must_use]
    pub const fn underlined(self) -> Self {
        Self {
            underline: true,
            ..self
        }
    }

    /// The style of a terminal that has this look.
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

/// What a piece of text is. Its style follows from this alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Text without a style.
    #[default]
    Plain,
    /// Symbols, and success.
    Create,
    /// Symbols, and `# forces replacement`.
    Delete,
    /// Symbols, arrows, and the word `Warning` of an attribute.
    Update,
    /// Symbols of what is read, and types and paths of a schema.
    Read,
    /// `-> null`, counts of hidden parts, rules.
    Muted,
    /// Headings and addresses.
    Strong,
    /// `destroyed`, `replaced`, `Error:`.
    StrongDelete,
    /// `Warning:`, and what has findings of the level warning.
    StrongWarning,
    /// `No changes.`, `Outputs:`, and words that are added.
    StrongSuccess,
    /// `Note:`, and what has findings of the level notice.
    StrongNote,
    /// The faulty part of the code in a diagnostic.
    Underlined,
    /// Neither pass nor fail.
    Pending,
}

impl Role {
    /// The table of all styles.
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

    /// Returns the style of a terminal for this role.
    pub const fn style(self) -> Style {
        self.look().style()
    }
}
