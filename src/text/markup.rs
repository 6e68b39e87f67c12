//! The tools' in-band markup: `[bold]`, `[red]`, `[reset]`.
//!
//! Both tools run the comment above a resource, which already contains the address, through their markup parser. An
//! instance key like `"[red]"` is therefore removed (even without colors), and colors the text after it. This is
//! reproduced because the output must match cell by cell. Invariant: tags can only affect the look of the text.

#[cfg(test)]
mod tests;

use crate::term::{Colour, Look};

/// The colors: their names, and their SGR codes for the text and for its background (`[red]`, `[_red_]`).
const COLOURS: &[(&str, &str, &str)] = &[
    ("default", "39", "49"),
    ("black", "30", "40"),
    ("red", "31", "41"),
    ("green", "32", "42"),
    ("yellow", "33", "43"),
    ("blue", "34", "44"),
    ("magenta", "35", "45"),
    ("cyan", "36", "46"),
    ("light_gray", "37", "47"),
    ("dark_gray", "90", "100"),
    ("light_red", "91", "101"),
    ("light_green", "92", "102"),
    ("light_yellow", "93", "103"),
    ("light_blue", "94", "104"),
    ("light_magenta", "95", "105"),
    ("light_cyan", "96", "106"),
    ("white", "97", "107"),
];

/// The other tags with their SGR codes.
const STYLES: &[(&str, &str)] = &[
    ("purple", "38;5;57"),
    ("bold", "1"),
    ("dim", "2"),
    ("underline", "4"),
    ("blink_slow", "5"),
    ("blink_fast", "6"),
    ("invert", "7"),
    ("hidden", "8"),
    ("reset", "0"),
    ("reset_bold", "21"),
];

/// Returns the SGR code of a word in brackets; `None` if it is not a tag. `_red_` is a background.
fn code(word: &str) -> Option<&'static str> {
    let background = word
        .strip_prefix('_')
        .and_then(|word| word.strip_suffix('_'));
    let name = background.unwrap_or(word);
    let colour = COLOURS
        .iter()
        .find(|(known, ..)| known.eq_ignore_ascii_case(name));
    let colour = colour.map(|(_, text, behind)| if background.is_some() { *behind } else { *text });
    let style = || {
        STYLES
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(word))
    };
    colour.or_else(|| style().map(|(_, code)| *code))
}

/// The length of the longest tag without its brackets, in bytes.
const MAX_LEN: usize = 15;

/// The SGR code that ends all styles.
pub const RESET: &str = "0";

/// The SGR codes that are in effect. Only the last code of each kind is kept, so that the prefix stays short however
/// many tags there are.
#[derive(Clone, Debug, Default)]
pub struct Codes(Vec<&'static str>);

impl Codes {
    /// Adds a code. [`RESET`] removes all others.
    pub fn push(&mut self, code: &'static str) {
        let kind = is_background(code);
        self.0
            .retain(|other| *other != code && (kind.is_none() || is_background(other) != kind));
        if code == RESET {
            self.0.clear();
        } else {
            self.0.push(code);
        }
    }

    /// Returns the look of the codes. Codes that no role has are ignored, so none can hide text.
    fn look(&self) -> Look {
        let mut look = Look::default();
        for code in &self.0 {
            match *code {
                "1" => look.bold = true,
                "4" => look.underline = true,
                "31" | "91" => look.colour = Some(Colour::Red),
                "32" | "92" => look.colour = Some(Colour::Green),
                "33" | "93" => look.colour = Some(Colour::Yellow),
                "36" | "96" => look.colour = Some(Colour::Cyan),
                "90" => look.colour = Some(Colour::Grey),
                _ => {}
            }
        }
        look
    }

    /// Returns the escape sequences of the codes.
    fn prefix(&self) -> String {
        self.0.iter().map(|code| format!("\x1b[{code}m")).collect()
    }
}

/// Whether a code sets a background; `None` if it sets no color.
fn is_background(code: &str) -> Option<bool> {
    match code.as_bytes() {
        [b'3' | b'9', _, ..] => Some(false),
        [b'4', _] | [b'1', b'0', _] => Some(true),
        _ => None,
    }
}

/// Splits a text at its tags. Returns the parts with the escape sequences before each of them, and its look. `codes`
/// are the codes in effect before the text, and afterwards those after it. Other words in brackets are text.
pub fn parts<'a>(text: &'a str, codes: &mut Codes) -> Vec<(String, Look, &'a str)> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut offset = 0;
    while let Some(open) = text[offset..].find('[').map(|open| offset + open) {
        offset = open + 1;
        // The search goes no further than the longest tag, so that it is linear even for a text full of `[`.
        let close = text.as_bytes()[open..]
            .iter()
            .take(MAX_LEN + 2)
            .position(|byte| *byte == b']');
        if let Some(close) = close
            && let Some(code) = code(&text[open + 1..open + close])
        {
            parts.push((codes.prefix(), codes.look(), &text[from..open]));
            codes.push(code);
            (from, offset) = (open + close + 1, open + close + 1);
        }
    }
    parts.push((codes.prefix(), codes.look(), &text[from..]));
    parts.retain(|(.., part)| !part.is_empty());
    parts
}
