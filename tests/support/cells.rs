//! The characters that a terminal would show for a text with colour codes, each with its style.

use std::collections::BTreeSet;

/// A character and its SGR codes. Blanks have no visible style, so theirs is empty.
pub(crate) type Cell = (char, BTreeSet<u32>);

/// The cells of `text`. The order of its codes does not matter.
pub(crate) fn cells(text: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut style = BTreeSet::new();
    for (index, part) in text.split("\x1b[").enumerate() {
        let end = if index == 0 {
            None
        } else {
            part.find(|c: char| !c.is_ascii_digit() && c != ';')
        };
        let body = match end {
            Some(end) if part[end..].starts_with('m') => {
                apply(&part[..end], &mut style);
                &part[end + 1..]
            }
            _ => part,
        };
        for c in visible(body).chars() {
            cells.push((
                c,
                if matches!(c, ' ' | '\n') {
                    BTreeSet::new()
                } else {
                    style.clone()
                },
            ));
        }
    }
    cells
}

/// The tools' text as tfview shows it (a known deviation): control characters as symbols, other hidden
/// characters as numbers. Independent of the program's own table, so that errors in that table are found.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let number = u32::from(c);
        match number {
            0x0a | 0x09 => shown.push(c),
            0x0d if chars.peek() == Some(&'\n') => shown.push(c),
            0..=0x1f => shown.extend(char::from_u32(0x2400 + number)),
            0x7f => shown.push('␡'),
            0x80..=0x9f
            | 0x61c
            | 0x200b
            | 0x200e..=0x200f
            | 0x2028..=0x202e
            | 0x2060..=0x2069
            | 0xfeff
            | 0xe0000..=0xe007f => shown.push_str(&format!("<U+{number:04X}>")),
            _ => shown.push(c),
        }
    }
    shown
}

/// Applies the codes of one SGR sequence to a style.
fn apply(codes: &str, style: &mut BTreeSet<u32>) {
    for code in codes.split(';') {
        match code.parse().unwrap_or(0) {
            0 => style.clear(),
            code @ 1..=9 => {
                style.insert(code);
            }
            22 => style.retain(|code| !matches!(code, 1 | 2)),
            code @ 30..=39 | code @ 90..=97 => {
                style.retain(|code| *code < 30);
                if code != 39 {
                    style.insert(code);
                }
            }
            _ => {}
        }
    }
}
