//! The lines of a diagnostic: texts and what they are for. Each is written as soon as it ends, so that
//! a long snippet takes no more memory than a line of it.

use std::io;

use crate::dialect::Dialect;
use crate::term::{Look, Out, Role, Untrusted};
use crate::text::diagnostic::VALUES_RULE;
use crate::text::markup;

/// Writes a line with its line break.
fn write_line(line: &Line, out: &mut Out<'_>) -> io::Result<()> {
    for piece in &line.pieces {
        match piece {
            Piece::Text(role, text) => out.role_data(*role, Untrusted(text))?,
            Piece::Marked(codes, text) => {
                out.prefixed_data(&codes.prefix(), codes.look(), Untrusted(text))?;
            }
            Piece::Rendered(text) => out.lit(text)?,
        }
    }
    out.lit("\n")
}

/// A part of a line.
#[derive(Debug)]
pub(super) enum Piece {
    /// A text with a role.
    Text(Role, String),
    /// A text styled by markup.
    Marked(markup::Codes, String),
    /// The output of another renderer, with its styles.
    Rendered(String),
}

/// A style that is still active at the start of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpenStyle {
    Bold,
    Underlined,
}

/// A line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) pieces: Vec<Piece>,
    pub(super) open_style: Option<OpenStyle>,
}

/// The lines of a diagnostic, in order.
pub(super) struct DiagnosticLines<'o, 't> {
    pub(super) line: Line,
    out: &'o mut Out<'t>,
    /// The role of the bar at the start of each line, if there is one.
    rule: Option<Role>,
    written: io::Result<()>,
}

impl<'o, 't> DiagnosticLines<'o, 't> {
    /// No lines yet. Each begins with a rule of this role.
    pub(super) fn new(rule: Option<Role>, out: &'o mut Out<'t>) -> Self {
        Self { line: Line::default(), out, rule, written: Ok(()) }
    }

    /// Whether all lines could be written.
    pub(super) fn finish(self) -> io::Result<()> {
        self.written
    }

    /// Appends a text to the current line. The style ends at each line break, because the rule at the start
    /// of a line in the tools' box resets it.
    pub(super) fn push(&mut self, role: Role, text: &str) -> &mut Self {
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                self.end();
            }
            if at == 1 && role == Role::Strong {
                self.line.open_style = Some(OpenStyle::Bold);
            }
            if !part.is_empty() {
                self.line.pieces.push(Piece::Text(if at == 0 { role } else { Role::Plain }, part.to_owned()));
            }
        }
        self
    }

    /// Appends a text, interpreting markup such as `[bold]` if the dialect does. Styles end with the text.
    pub(super) fn push_marked(&mut self, text: &str, dialect: Dialect) -> &mut Self {
        if !dialect.eats_markup_in_details() || !text.contains('[') {
            return self.push(Role::Plain, text);
        }
        let mut codes = markup::Codes::default();
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.end();
            }
            for piece in markup::pieces(line) {
                match piece {
                    markup::Piece::Text(text) => {
                        self.line.pieces.push(Piece::Marked(codes.clone(), text.to_owned()));
                    }
                    markup::Piece::Code(code) => codes.push(code),
                }
            }
            codes.push(markup::RESET);
        }
        self
    }

    /// Ends the current line.
    pub(super) fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        if self.written.is_ok() {
            self.written = self.write(&line);
        }
    }

    fn write(&mut self, line: &Line) -> io::Result<()> {
        if let Some(rule) = self.rule {
            match line.open_style {
                None => self.out.role(rule, "│")?,
                Some(open_style) => {
                    let (code, look) = match open_style {
                        OpenStyle::Bold => (1, Look { bold: true, ..rule.look() }),
                        OpenStyle::Underlined => (4, Look { underline: true, ..rule.look() }),
                    };
                    let prefix = format!("{};{code}m", rule.prefix().trim_end_matches('m'));
                    self.out.prefixed_data(&prefix, look, Untrusted("│"))?;
                }
            }
            self.out.lit(" ")?;
        }
        write_line(line, self.out)
    }

    /// Begins a line of the section about values.
    pub(super) fn ruled(&mut self) -> &mut Self {
        self.push(Role::Plain, "    ").push(Role::Muted, "│").push(Role::Plain, " ")
    }

    pub(super) fn rule(&mut self) {
        self.push(Role::Plain, "    ").push(Role::Muted, VALUES_RULE).end();
    }
}
