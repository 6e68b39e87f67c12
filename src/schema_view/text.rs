//! Text functions shared by the views: widths, wrapped descriptions, first sentences.

use unicode_width::UnicodeWidthStr;

use crate::term::visible;
use crate::text;

/// A text on one line, because a name with a line break must not look like two rows.
pub(super) fn one_line(text: &str) -> String {
    visible(&text.replace('\n', "␊").replace('\r', "␍").replace('\t', "␉"))
}

/// The width of a text on one line, in columns.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(one_line(text).as_str())
}

/// The lines of a wrapped description. As in Markdown, single line breaks are spaces and an empty line ends a
/// paragraph. List items and indented lines stay on their own lines.
pub(super) fn wrapped(description: &str, width: usize) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut begins = true;
    for line in description.lines() {
        let trimmed = line.trim();
        let own_line = trimmed.starts_with(['-', '*', '#', '|', '>', '`']) || line.starts_with("  ");
        match paragraphs.last_mut() {
            _ if trimmed.is_empty() => begins = true,
            Some(last) if !begins && !own_line => {
                last.push(' ');
                last.push_str(trimmed);
            }
            Some(_) | None => {
                paragraphs.push(trimmed.to_owned());
                begins = false;
            }
        }
    }
    let lines = |paragraph: &String| {
        text::wrap(&visible(paragraph), width.max(20)).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    paragraphs.iter().flat_map(lines).collect()
}

/// The first sentence of a description on one line.
pub(super) fn first_sentence(description: &str) -> String {
    let paragraph = description.trim().split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.match_indices(". ").map(|(at, _)| at + 1).find(|at| {
        // Not after abbreviations such as "e.g.".
        !line[..*at].ends_with("e.g.") && !line[..*at].ends_with("i.e.")
    });
    end.map_or(line.as_str(), |end| &line[..end]).to_owned()
}

/// `text` in at most `most` columns, shortened with `…` if necessary.
pub(super) fn clipped(text: &str, most: usize) -> String {
    let text = one_line(text);
    if UnicodeWidthStr::width(text.as_str()) <= most {
        return text;
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += unicode_width::UnicodeWidthChar::width(*c).unwrap_or(0);
        used <= most
    };
    let mut clipped: String = text.chars().take_while(fits).collect();
    clipped.truncate(clipped.trim_end().len());
    if most > 0 {
        clipped.push('…');
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_where_it_ends() {
        for (text, first) in [
            ("One. Two.", "One."),
            ("Use e.g. this one. Two.", "Use e.g. this one."),
            ("A\nline. B", "A line."),
            ("No end", "No end"),
            ("Para\n\nNext", "Para"),
            ("Version 1.2 is", "Version 1.2 is"),
        ] {
            assert_eq!(first_sentence(text), first);
        }
    }

    #[test]
    fn clipped_text_fits() {
        assert_eq!(clipped("abcdef", 6), "abcdef");
        assert_eq!(clipped("abcdef", 5), "abcd…");
        assert_eq!(clipped("日本語", 5), "日本…");
        assert_eq!(clipped("a", 0), "");
    }

    #[test]
    fn paragraphs_are_wrapped_and_lists_keep_their_lines() {
        let lines = wrapped("one two\nthree\n\n- a\n- b", 20);
        assert_eq!(lines, ["one two three", "- a", "- b"]);
    }
}
