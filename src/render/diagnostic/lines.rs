//! The lines of a diagnostic: texts and what they are for. They are written as they come, so that a long snippet
//! takes no memory.

use std::io;

use crate::dialect::Dialect;
use crate::term::TextPart::{Lit, Styled};
use crate::term::{Look, Out, Role, Untrusted};
use crate::text::diagnostic::VALUES_RULE;
use crate::text::markup;

/// A style that is still active at the start of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum OpenStyle {
    Bold,
    Underlined,
}

/// The lines of a diagnostic, in order.
pub(super) struct DiagnosticLines<'o, 't> {
    out: &'o mut Out<'t>,
    /// The role of the bar at the start of each line, if there is one.
    rule: Option<Role>,
    /// Whether the bar of the current line is written.
    is_begun: bool,
    /// The style at the start of the current line.
    pub(super) open_style: Option<OpenStyle>,
    written: io::Result<()>,
}

impl<'o, 't> DiagnosticLines<'o, 't> {
    /// No lines yet. Each begins with a rule of this role.
    pub(super) fn new(rule: Option<Role>, out: &'o mut Out<'t>) -> Self {
        Self { out, rule, is_begun: false, open_style: None, written: Ok(()) }
    }

    /// Whether all lines could be written.
    pub(super) fn finish(self) -> io::Result<()> {
        self.written
    }

    /// Writes a part of the current line.
    fn write(&mut self, write: impl FnOnce(&mut Out<'t>) -> io::Result<()>) {
        if self.written.is_ok() {
            self.written = self.begin().and_then(|()| write(self.out));
        }
    }

    /// Begins the current line with the rule.
    fn begin(&mut self) -> io::Result<()> {
        let (Some(rule), false) = (self.rule, self.is_begun) else { return Ok(()) };
        self.is_begun = true;
        let (code, look) = match self.open_style {
            None => return self.out.parts(&[Styled(rule, "│"), Lit(" ")]),
            Some(OpenStyle::Bold) => (1, Look { bold: true, ..rule.look() }),
            Some(OpenStyle::Underlined) => (4, Look { underline: true, ..rule.look() }),
        };
        let prefix = format!("{};{code}m", rule.prefix().trim_end_matches('m'));
        self.out.prefixed_data(&prefix, look, Untrusted("│"))?;
        self.out.lit(" ")
    }

    /// Appends a text to the current line. The style ends at each line break, because the rule at the start
    /// of a line in the tools' box resets it.
    pub(super) fn push(&mut self, role: Role, text: &str) -> &mut Self {
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                self.end();
            }
            if at == 1 && role == Role::Strong {
                self.open_style = Some(OpenStyle::Bold);
            }
            if !part.is_empty() {
                let role = if at == 0 { role } else { Role::Plain };
                self.write(|out| out.role_data(role, Untrusted(part)));
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
                        self.write(|out| out.prefixed_data(&codes.prefix(), codes.look(), Untrusted(text)));
                    }
                    markup::Piece::Code(code) => codes.push(code),
                }
            }
            codes.push(markup::RESET);
        }
        self
    }

    /// Appends the output of another renderer, with its styles.
    pub(super) fn push_rendered(&mut self, text: &str) -> &mut Self {
        self.write(|out| out.lit(text));
        self
    }

    /// Ends the current line.
    pub(super) fn end(&mut self) {
        self.write(|out| out.lit("\n"));
        (self.is_begun, self.open_style) = (false, None);
    }

    /// Begins a line of the section about values.
    pub(super) fn ruled(&mut self) -> &mut Self {
        self.push(Role::Plain, "    ").push(Role::Muted, "│").push(Role::Plain, " ")
    }

    pub(super) fn rule(&mut self) {
        self.push(Role::Plain, "    ").push(Role::Muted, VALUES_RULE).end();
    }
}
