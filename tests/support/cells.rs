//! What a terminal would show of a text with colour codes: each character with its style.

use std::collections::BTreeSet;

use tfview::term::push_visible;

/// A character and the SGR codes that hold for it. Blanks have no style that could be seen.
pub(crate) type Cell = (char, BTreeSet<u32>);

/// The cells of `text`, whatever the order of its codes.
pub(crate) fn cells(text: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut style = BTreeSet::new();
    for (at, part) in text.split("\x1b[").enumerate() {
        let end = if at == 0 { None } else { part.find(|c: char| !c.is_ascii_digit() && c != ';') };
        let body = match end {
            Some(end) if part[end..].starts_with('m') => {
                apply(&part[..end], &mut style);
                &part[end + 1..]
            }
            _ => part,
        };
        let mut visible = Vec::new();
        push_visible(&mut visible, body);
        for c in String::from_utf8_lossy(&visible).chars() {
            cells.push((c, if matches!(c, ' ' | '\n') { BTreeSet::new() } else { style.clone() }));
        }
    }
    cells
}

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
