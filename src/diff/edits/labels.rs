//! The labels of edits: proven facts about them.

use unicode_normalization::UnicodeNormalization;

use super::edit::{Label, Labels};
use crate::diff::value::{Content, MarkedValue};
use crate::schema::Position;

/// The maximum length of strings that are examined for invisible differences, in bytes.
const MAX_LEN: usize = 1 << 20;

/// Adds the labels of two values that are not hidden.
pub(super) fn find(
    before: MarkedValue<'_>,
    after: MarkedValue<'_>,
    position: Position<'_>,
    labels: &mut Labels,
) {
    match (before.content, after.content) {
        (Content::String(before), Content::String(after)) => find_in_strings(before, after, labels),
        (Content::String(text), Content::Number(number))
        | (Content::Number(number), Content::String(text))
            if position.is_primitive() && text == number =>
        {
            labels.insert(Label::TypeOnly);
        }
        (Content::String(text), Content::Bool(value)) | (Content::Bool(value), Content::String(text))
            if position.is_primitive() && text == if value { "true" } else { "false" } =>
        {
            labels.insert(Label::TypeOnly);
        }
        _ => {}
    }
}

/// Adds the labels that together explain all differences of two strings, as few as possible.
fn find_in_strings(before: &str, after: &str, labels: &mut Labels) {
    const KINDS: [Label; 4] = [Label::Whitespace, Label::Invisible, Label::UnicodeForm, Label::Case];
    if before.len().max(after.len()) > MAX_LEN || !same_but_for(&KINDS, before, after) {
        return;
    }
    let mut kinds = KINDS.to_vec();
    // Ignoring case hides the most, so that label is the first to be dropped if the others suffice.
    for kind in KINDS.into_iter().rev() {
        let rest: Vec<Label> = kinds.iter().copied().filter(|other| *other != kind).collect();
        if same_but_for(&rest, before, after) {
            kinds = rest;
        }
    }
    kinds.into_iter().for_each(|kind| labels.insert(kind));
}

fn same_but_for(kinds: &[Label], before: &str, after: &str) -> bool {
    reduced(kinds, before).eq(reduced(kinds, after))
}

/// The characters of a text, normalized so that differences of these kinds disappear.
fn reduced<'t>(kinds: &[Label], text: &'t str) -> Box<dyn Iterator<Item = char> + 't> {
    let has = |kind| kinds.contains(&kind);
    let (no_blanks, no_invisible) = (has(Label::Whitespace), has(Label::Invisible));
    let is_kept = move |c: &char| !(no_blanks && c.is_whitespace() || no_invisible && is_invisible(*c));
    let mut chars: Box<dyn Iterator<Item = char> + 't> = Box::new(text.chars().filter(is_kept));
    if has(Label::UnicodeForm) {
        chars = Box::new(chars.nfkc());
    }
    if has(Label::Case) {
        chars = Box::new(chars.flat_map(char::to_lowercase));
    }
    chars
}

/// Characters without a glyph of their own.
fn is_invisible(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_that_look_alike_are_labelled_by_what_differs() {
        for (before, after, expected) in [
            ("a b", "a  b ", &[Label::Whitespace][..]),
            ("Prod", "prod", &[Label::Case]),
            ("a", "a\u{200b}", &[Label::Invisible]),
            ("\u{e9}", "e\u{301}", &[Label::UnicodeForm]),
            ("A b", "ab", &[Label::Case, Label::Whitespace]),
            ("a", "b", &[]),
        ] {
            let mut labels = Labels::default();
            find_in_strings(before, after, &mut labels);
            assert_eq!(labels.iter().collect::<Vec<_>>(), expected, "{before:?} {after:?}");
        }
    }
}
