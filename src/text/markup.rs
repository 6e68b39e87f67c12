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

/// Every tag and its SGR code.
const CODES: &[(&str, &str)] = &[
    ("default", "39"),
    ("_default_", "49"),
    ("black", "30"),
    ("red", "31"),
    ("green", "32"),
    ("yellow", "33"),
    ("blue", "34"),
    ("magenta", "35"),
    ("cyan", "36"),
    ("light_gray", "37"),
    ("dark_gray", "90"),
    ("light_red", "91"),
    ("light_green", "92"),
    ("light_yellow", "93"),
    ("light_blue", "94"),
    ("light_magenta", "95"),
    ("light_cyan", "96"),
    ("white", "97"),
    ("_black_", "40"),
    ("_red_", "41"),
    ("_green_", "42"),
    ("_yellow_", "43"),
    ("_blue_", "44"),
    ("_magenta_", "45"),
    ("_cyan_", "46"),
    ("_light_gray_", "47"),
    ("_dark_gray_", "100"),
    ("_light_red_", "101"),
    ("_light_green_", "102"),
    ("_light_yellow_", "103"),
    ("_light_blue_", "104"),
    ("_light_magenta_", "105"),
    ("_light_cyan_", "106"),
    ("_white_", "107"),
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
        let tag = word.and_then(|(word, close)| {
            CODES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, code)| (*code, close))
        });
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
        assert_eq!(CODES.iter().map(|(name, _)| name.len()).max(), Some(MAX_LEN));
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
