//! The tools' in-band markup: `[bold]`, `[red]`, `[reset]`.
//!
//! Both tools run the comment above a resource, with the address already in it, through their markup
//! parser. An instance key like `"[red]"` is therefore removed (even without colour) and colours the
//! text after it. This is reproduced because the output must match cell by cell; tags can only affect
//! colours.

use crate::term::{Colour, Look};

/// A piece of a text with markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text to show.
    Text(&'a str),
    /// The SGR code of a tag.
    Code(&'static str),
}

/// Colours, with their codes as colours of the text and of its background: `[red]`, `[_red_]`.
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

/// Other names, with their codes.
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

/// The code of a name.
fn code(word: &str) -> Option<&'static str> {
    let background = word.strip_prefix('_').and_then(|word| word.strip_suffix('_'));
    let name = background.unwrap_or(word);
    let colour = COLOURS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    let colour = colour.map(|(_, text, behind)| if background.is_some() { *behind } else { *text });
    let style = || STYLES.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    colour.or_else(|| style().map(|(_, code)| *code))
}

/// The length of the longest tag.
const MAX_LEN: usize = 15;

/// The code that ends all styles.
pub const RESET: &str = "0";

/// The SGR codes in effect after a sequence of tags. Only the last code of each kind is kept, so that
/// the prefix stays short however many tags there are.
#[derive(Clone, Debug, Default)]
pub struct Codes(Vec<&'static str>);

impl Codes {
    /// Adds the code of a tag. [`RESET`] clears all others.
    pub fn push(&mut self, code: &'static str) {
        let same = |other: &str| other == code || kind(other).is_some_and(|other| kind(code) == Some(other));
        self.0.retain(|other| !same(other));
        if code == RESET {
            self.0.clear();
        } else {
            self.0.push(code);
        }
    }

    /// The appearance of a text, for formats without escape sequences. Codes that no role uses change nothing,
    /// so none can hide a text.
    pub fn look(&self) -> Look {
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

    /// The escape sequences to write before a text.
    pub fn prefix(&self) -> String {
        self.0.iter().map(|code| format!("\x1b[{code}m")).collect()
    }
}

/// The kind of colour that a code sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Background,
}

fn kind(code: &str) -> Option<Kind> {
    match code.as_bytes() {
        [b'3' | b'9', _, ..] => Some(Kind::Text),
        [b'4', _] | [b'1', b'0', _] => Some(Kind::Background),
        _ => None,
    }
}

/// Splits a text at its tags. Other words in brackets are text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(open) = text[at..].find('[').map(|open| at + open) {
        // Searching no further than the longest tag keeps a text full of `[` linear.
        let close = text.as_bytes()[open..].iter().take(MAX_LEN + 2).position(|byte| *byte == b']');
        let word = close.map(|close| (&text[open + 1..open + close], open + close));
        let tag = word.and_then(|(word, close)| Some((code(word)?, close)));
        match tag {
            Some((code, close)) => {
                if from < open {
                    pieces.push(Piece::Text(&text[from..open]));
                }
                pieces.push(Piece::Code(code));
                from = close + 1;
                at = from;
            }
            None => at = open + 1,
        }
    }
    if from < text.len() {
        pieces.push(Piece::Text(&text[from..]));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_words_are_tags() {
        assert_eq!(
            pieces("a[0][BOLD]b[\"x\"][reset]"),
            [Piece::Text("a[0]"), Piece::Code("1"), Piece::Text("b[\"x\"]"), Piece::Code("0")]
        );
        assert_eq!(pieces("[[red]"), [Piece::Text("["), Piece::Code("31")]);
        assert_eq!(pieces("[_LIGHT_MAGENTA_]é[é"), [Piece::Code("105"), Piece::Text("é[é")]);
        let colours = COLOURS.iter().map(|(name, ..)| name.len() + 2);
        let styles = STYLES.iter().map(|(name, _)| name.len());
        assert_eq!(colours.chain(styles).max(), Some(MAX_LEN));
    }

    #[test]
    fn of_each_kind_the_last_code_holds() {
        let mut codes = Codes::default();
        for code in ["31", "1", "38;5;57", "40", "4", "107", "97", "1"] {
            codes.push(code);
        }
        assert_eq!(codes.prefix(), "\x1b[4m\x1b[107m\x1b[97m\x1b[1m");
        codes.push(RESET);
        assert_eq!(codes.prefix(), "");
    }
}
