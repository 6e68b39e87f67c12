//! Text with styles, and its formats.
//!
//! Invariant: characters of a document that could control a terminal or create markup are escaped in every format.

use std::fmt;
use std::io::Write;

use serde::Serialize;

use super::Error;
use crate::page::Html;
use crate::term;

/// A format in which a text, a review or a comparison is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Text for a terminal or a log, without styles.
    Text,
    /// Text for a terminal, with styles as escape sequences.
    StyledText,
    /// Markdown, for a comment on a pull request.
    Markdown,
    /// HTML: a self-contained page for a review or comparison, an element for a text.
    Html,
    /// JSON.
    Json,
}

/// A text as lines of styled spans, for terminal applications, editors and pages.
///
/// Its characters are safe to print: control and invisible characters of the document are escaped in it. It is
/// displayed without its styles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StyledText {
    /// The lines, without line breaks.
    pub lines: Vec<Vec<Span>>,
}

/// A part of a line that has a single style.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Span {
    /// The text.
    pub text: String,
    /// The style.
    #[serde(flatten)]
    pub style: Style,
}

/// A style of text. The tools have the same styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Style {
    /// Whether the text is bold.
    pub bold: bool,
    /// Whether the text is underlined.
    pub underline: bool,
    /// The color; `None` for that of the surrounding text.
    pub colour: Option<Colour>,
}

/// A color of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Colour {
    /// The color of destruction and errors.
    Red,
    /// The color of creation and success.
    Green,
    /// The color of changes and warnings.
    Yellow,
    /// The color of reads and notes.
    Cyan,
    /// The color of a state that is neither passed nor failed.
    White,
    /// The color of the least important text.
    Grey,
}

impl StyledText {
    /// Writes the text in a format. Markdown is a code block. HTML is a `pre` element with `b`, `u` and `span`
    /// elements, whose classes are the names of colors. JSON is an object with the lines.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&self, format: Format, mut out: impl Write) -> Result<(), Error> {
        match format {
            Format::Text => write!(out, "{self}")?,
            Format::StyledText => {
                for line in &self.lines {
                    for Span { text, style } in line {
                        write!(out, "{}", style.look().style().style(text))?;
                    }
                    out.write_all(b"\n")?;
                }
            }
            Format::Markdown => {
                let text = self.to_string();
                let fence = "`".repeat(longest_run(&text, '`').max(2) + 1);
                writeln!(out, "{fence}\n{text}{fence}")?;
            }
            Format::Html => {
                let mut html = Html::default();
                html.tag("pre", |html| self.html(html));
                html.write_out(&mut out)?;
            }
            Format::Json => {
                serde_json::to_writer(&mut out, self).map_err(std::io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    /// Writes the lines as HTML elements.
    fn html(&self, html: &mut Html) {
        for line in &self.lines {
            for Span { text, style } in line {
                style.html(html, text);
            }
            html.text("\n");
        }
    }
}

impl fmt::Display for StyledText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            for span in line {
                f.write_str(&span.text)?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl Style {
    /// Returns the look in the crate's own writers.
    fn look(self) -> term::Look {
        term::Look {
            bold: self.bold,
            underline: self.underline,
            colour: self.colour.map(Colour::of_terminal),
        }
    }

    /// Writes a text as HTML elements for its color, underline and weight.
    fn html(self, html: &mut Html, text: &str) {
        let coloured = |html: &mut Html| match self.colour {
            Some(colour) => html.span(colour.name(), text),
            None => html.data(term::Untrusted(text)),
        };
        let underlined = |html: &mut Html| {
            if self.underline {
                html.tag("u", coloured);
            } else {
                coloured(html);
            }
        };
        if self.bold {
            html.tag("b", underlined);
        } else {
            underlined(html);
        }
    }
}

impl Colour {
    /// Returns the name of the color in HTML classes.
    fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Cyan => "cyan",
            Self::White => "white",
            Self::Grey => "grey",
        }
    }

    fn of_terminal(self) -> term::Colour {
        match self {
            Self::Red => term::Colour::Red,
            Self::Green => term::Colour::Green,
            Self::Yellow => term::Colour::Yellow,
            Self::Cyan => term::Colour::Cyan,
            Self::White => term::Colour::White,
            Self::Grey => term::Colour::Grey,
        }
    }
}

impl From<term::Colour> for Colour {
    fn from(colour: term::Colour) -> Self {
        match colour {
            term::Colour::Red => Self::Red,
            term::Colour::Green => Self::Green,
            term::Colour::Yellow => Self::Yellow,
            term::Colour::Cyan => Self::Cyan,
            term::Colour::White => Self::White,
            term::Colour::Grey => Self::Grey,
        }
    }
}

impl From<&term::StyledText> for StyledText {
    /// Copies a text of the tools with its styles.
    fn from(text: &term::StyledText) -> Self {
        let span = |(look, text): (term::Look, &str)| Span {
            text: text.to_owned(),
            style: Style {
                bold: look.bold,
                underline: look.underline,
                colour: look.colour.map(Colour::from),
            },
        };
        Self {
            lines: text
                .lines()
                .map(|line| line.into_iter().map(span).collect())
                .collect(),
        }
    }
}

/// Returns the length of the longest run of a character.
fn longest_run(text: &str, c: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for other in text.chars() {
        run = if other == c { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
