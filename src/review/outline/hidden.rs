//! What differs between two strings where eyes do not see it.

use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfd};

/// Longer strings are not compared this way.
const LONGEST: usize = 1 << 20;

/// A way in which strings differ without looking so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    LineEnds,
    WhiteSpace,
    Invisible,
    /// The same characters, put together in another way (NFC against NFD).
    NormalForm,
    /// Other characters for the same text: ligatures, full width (NFKC makes them the same).
    Compatible,
    Case,
}

impl Way {
    /// In the order in which they are undone.
    const ALL: [Self; 6] =
        [Self::LineEnds, Self::WhiteSpace, Self::Invisible, Self::NormalForm, Self::Compatible, Self::Case];

    fn undo(self, text: &str) -> String {
        match self {
            Self::LineEnds => text.replace("\r\n", "\n"),
            Self::WhiteSpace => text.chars().filter(|c| !c.is_whitespace()).collect(),
            Self::Invisible => text.chars().filter(|c| !is_invisible(*c)).collect(),
            Self::NormalForm => text.nfc().collect(),
            Self::Compatible => text.nfkc().collect(),
            Self::Case => text.to_lowercase(),
        }
    }

    /// What it is called beside others.
    fn name(self) -> &'static str {
        match self {
            Self::LineEnds => "line ends",
            Self::WhiteSpace => "white space",
            Self::Invisible => "invisible characters",
            Self::NormalForm => "the Unicode normal form",
            Self::Compatible => "compatible forms of characters",
            Self::Case => "upper and lower case",
        }
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

/// What differs between two strings that look alike; `None` if they do not, or are the same.
pub(super) fn hidden_difference(before: &str, after: &str) -> Option<String> {
    if before == after || before.len().max(after.len()) > LONGEST {
        return None;
    }
    let without = |ways: &[Way], text: &str| ways.iter().fold(text.to_owned(), |text, way| way.undo(&text));
    let same = |ways: &[Way]| without(ways, before) == without(ways, after);
    let mut ways = Way::ALL.to_vec();
    if !same(&ways) {
        return None;
    }
    // Those that explain most stand last: what a narrower way explains needs no wider one.
    for way in Way::ALL.into_iter().rev() {
        let rest: Vec<Way> = ways.iter().copied().filter(|other| *other != way).collect();
        if same(&rest) {
            ways = rest;
        }
    }
    Some(match &*ways {
        [one] => alone(*one, before, after),
        _ => {
            let names: Vec<&str> = ways.iter().map(|way| way.name()).collect();
            format!("only {} differ", names.join(", "))
        }
    })
}

/// The difference, told closely.
fn alone(way: Way, before: &str, after: &str) -> String {
    match way {
        Way::LineEnds => "only line ends differ (CR LF against LF)".to_owned(),
        Way::WhiteSpace if before.trim() == after.trim() => "only white space at the ends differs".to_owned(),
        Way::WhiteSpace => "only white space differs".to_owned(),
        Way::Invisible => {
            format!("only invisible characters differ ({} against {})", codes(before), codes(after))
        }
        Way::NormalForm => format!(
            "only the Unicode normal form differs: {} against {}, the same accents written in another way",
            form(before),
            form(after)
        ),
        Way::Compatible => {
            "only compatible forms of the same characters differ (ligatures, width)".to_owned()
        }
        Way::Case => "only upper and lower case differ".to_owned(),
    }
}

fn codes(text: &str) -> String {
    const MOST: usize = 8;
    let all: Vec<String> =
        text.chars().filter(|c| is_invisible(*c)).map(|c| format!("U+{:04X}", c as u32)).collect();
    match all.len() {
        0 => "none".to_owned(),
        len if len > MOST => format!("{} and {} more", all[..MOST].join(" "), len - MOST),
        _ => all.join(" "),
    }
}

fn form(text: &str) -> &'static str {
    match (is_nfc(text), is_nfd(text)) {
        (true, _) => "NFC",
        (_, true) => "NFD",
        _ => "neither NFC nor NFD",
    }
}

#[cfg(test)]
mod tests {
    use super::hidden_difference;

    #[test]
    fn names_what_is_hard_to_see() {
        let nfc =
            "only the Unicode normal form differs: NFC against NFD, the same accents written in another way";
        for (before, after, expected) in [
            ("a\r\nb", "a\nb", Some("only line ends differ (CR LF against LF)")),
            ("a ", "a", Some("only white space at the ends differs")),
            ("a\u{a0}b", "a b", Some("only white space differs")),
            ("a\u{200b}b", "ab", Some("only invisible characters differ (U+200B against none)")),
            ("Ab", "ab", Some("only upper and lower case differ")),
            ("caf\u{e9}", "cafe\u{301}", Some(nfc)),
            (
                "\u{fb01}n",
                "fin",
                Some("only compatible forms of the same characters differ (ligatures, width)"),
            ),
            (
                "Caf\u{e9} ",
                "cafe\u{301}",
                Some("only white space, the Unicode normal form, upper and lower case differ"),
            ),
            ("a", "b", None),
            ("a", "a", None),
            ("a\u{430}", "aa", None),
        ] {
            assert_eq!(hidden_difference(before, after).as_deref(), expected, "{before} {after}");
        }
    }
}
