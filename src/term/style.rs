//! Roles of text and their styles.
//!
//! Other code names a [`Role`]; colours occur only in this table. The styles are those of the tools' own
//! output, so that the screen shows the same cells.

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Text without a style.
    #[default]
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
    /// The escape sequence that begins the role's style, and its appearance in formats without escape sequences.
    fn table(self) -> (&'static str, Look) {
        let plain = Look::default();
        let coloured = |colour| Look { colour: Some(colour), ..plain };
        let strong = |colour| Look { bold: true, ..coloured(colour) };
        match self {
            Self::Plain => ("", plain),
            Self::Create => ("\x1b[32m", coloured(Colour::Green)),
            Self::Delete => ("\x1b[31m", coloured(Colour::Red)),
            Self::Update => ("\x1b[33m", coloured(Colour::Yellow)),
            Self::Read => ("\x1b[36m", coloured(Colour::Cyan)),
            Self::Muted => ("\x1b[90m", coloured(Colour::Grey)),
            Self::Strong => ("\x1b[1m", Look { bold: true, ..plain }),
            Self::StrongDelete => ("\x1b[31;1m", strong(Colour::Red)),
            Self::StrongWarning => ("\x1b[33;1m", strong(Colour::Yellow)),
            Self::StrongSuccess => ("\x1b[32;1m", strong(Colour::Green)),
            Self::StrongNote => ("\x1b[36;1m", strong(Colour::Cyan)),
            Self::Underlined => ("\x1b[4m", Look { underline: true, ..plain }),
            Self::Pending => ("\x1b[37m", plain),
        }
    }

    /// The role's appearance in formats without escape sequences.
    pub fn look(self) -> Look {
        self.table().1
    }

    /// The escape sequence that begins the role's style; empty for [`Role::Plain`].
    pub fn prefix(self) -> &'static str {
        self.table().0
    }
}
