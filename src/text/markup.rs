//! The tools' in-band markup: `[bold]`, `[red]`, `[reset]`.
//!
//! Both tools pass the comment above a resource through their markup parser with the address already
//! in it, so that an instance key like `"[red]"` is eaten (also without colour) and colours what
//! follows. Equality in every cell needs the same; nothing but colour can come of it.

/// A piece of a text with markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text to show.
    Text(&'a str),
    /// A tag: the SGR code that it stands for.
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

/// The code that ends all styles.
pub const RESET: &str = "0";

/// Splits a text at its tags. Words in brackets that are no tag are text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let mut at = 0;
    while let Some(open) = text[at..].find('[').map(|open| at + open) {
        let Some(close) = text[open..].find(']').map(|close| open + close) else { break };
        let word = &text[open + 1..close];
        match CODES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
            Some((_, code)) => {
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
    }
}
