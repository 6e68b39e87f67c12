//! The tool's text of a change: changed lines are marked, and parts have the classes of their looks.

use super::{Attribute, Class, Element, Html};
use crate::term::{Colour, Look, StyledText, Untrusted};

impl Html {
    /// Writes the lines of a text.
    pub fn styled(&mut self, text: &StyledText) {
        for line in text.lines() {
            match sign(&line) {
                Some((sign, class)) => self.element(Element::SPAN, &[Attribute::Class(class)], |html| {
                    html.parts(&line, Some(sign));
                }),
                None => self.parts(&line, None),
            }
            self.text("\n");
        }
    }

    /// Writes the parts of a line. The sign has no class, because its line has one.
    fn parts(&mut self, line: &[(Look, &str)], sign: Option<usize>) {
        for (at, (look, text)) in line.iter().enumerate() {
            match class_of(*look).filter(|_| sign != Some(at)) {
                Some(class) => self.span(class, text),
                None => self.data(Untrusted(text)),
            }
        }
    }
}

/// The position of the sign at the start of a line, and the class of the line.
fn sign(line: &[(Look, &str)]) -> Option<(usize, Class)> {
    let at = line.iter().position(|(_, text)| !text.trim_start_matches(' ').is_empty())?;
    let (look, text) = line.get(at)?;
    let is_before_slash = line.get(at + 1).is_some_and(|(_, next)| next.starts_with('/'));
    let class = match (look.colour?, *text) {
        (Colour::Red | Colour::Green, "-" | "+") if is_before_slash => Class::CHANGED,
        (Colour::Green, "+") => Class::ADDED,
        (Colour::Red, "-") => Class::REMOVED,
        (Colour::Yellow, "~") => Class::CHANGED,
        (Colour::Red | Colour::Green | Colour::Yellow | Colour::Cyan | Colour::Grey, _) => return None,
    };
    Some((at, class))
}

/// The class of a part of a line. Arrows have none, because their line is marked.
fn class_of(look: Look) -> Option<Class> {
    match look.colour {
        Some(Colour::Red) => Some(Class::ALERT),
        Some(Colour::Grey) => Some(Class::MUTED),
        Some(Colour::Green | Colour::Yellow | Colour::Cyan) | None if look.bold => Some(Class::BOLD),
        Some(Colour::Green | Colour::Yellow | Colour::Cyan) | None => None,
    }
}
