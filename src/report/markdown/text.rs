//! Writes data of a plan in Markdown, where it creates no links, mentions, images or other markup.
//!
//! Invariants: what is not a plain word is in a code span or in `<code>`; a code span is longer than any run of
//! backticks inside of it; no text has a line break but between the lines of a paragraph.
//!
//! ```text
//! aws_vpc.a gets another cidr_block: it is replaced    `aws_vpc.a` gets another `cidr_block`: it is replaced
//! ```

use crate::term::ci::on_one_line;
use crate::text::{code_span, cut, filled_lines};

/// The maximum length of a code span, in characters.
const MAX_CODE_LEN: usize = 200;
/// The maximum length of a sentence, in characters.
const MAX_SENTENCE_LEN: usize = 800;
/// The maximum number of digits of a number that is a plain word. A longer number is code.
const MAX_DIGITS: usize = 6;
/// The number of hexadecimal digits from which on a word may name a commit.
const COMMIT_LEN: usize = 7;

/// Writes a text on one line as a code span. It is cut to the maximum length.
pub(super) fn code(text: &str) -> String {
    let text = cut(&on_one_line(text), MAX_CODE_LEN);
    if text.trim().is_empty() {
        return "` `".to_owned();
    }
    code_span(&text)
}

/// Writes names of objects as a code span in a table. It is not cut: destroyed objects are named as long as there is
/// space.
pub(super) fn names_in_cell(text: &str) -> String {
    code_span(&on_one_line(&text.replace('|', "¦")))
}

/// Writes a text as a code span in a table, where a bar would end the cell.
pub(super) fn cell(text: &str) -> String {
    code(&text.replace('|', "¦"))
}

/// Writes plain words as they are, and everything else, such as addresses and values, as code spans.
pub(super) fn sentence(text: &str) -> String {
    let text = cut(&on_one_line(text), MAX_SENTENCE_LEN);
    let tokens = tokens(&text);
    let mut sentence = Sentence::default();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| tokens.get(index));
        let adjoins_operator = [before, tokens.get(index + 1)]
            .into_iter()
            .flatten()
            .any(|other| is_operator(other));
        sentence.token(token, adjoins_operator);
    }
    sentence.end_code();
    sentence.text
}

/// Writes a text of several lines with `separator` between them, which is Markdown.
pub(super) fn paragraph(text: &str, separator: &str) -> String {
    let text = cut(text, MAX_SENTENCE_LEN);
    let lines: Vec<String> = filled_lines(&text).map(sentence).collect();
    lines.join(separator)
}

/// Writes a sentence in a table, where a bar would end the cell.
pub(super) fn sentence_in_cell(text: &str) -> String {
    sentence(&text.replace('|', "¦"))
}

/// Splits a text at spaces. A quoted string with spaces stays whole.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (index, c) in text.char_indices() {
        if c == '"' {
            is_quoted = !is_quoted;
        } else if c == ' ' && !is_quoted {
            tokens.push(&text[start..index]);
            start = index + 1;
        }
    }
    tokens.push(&text[start..]);
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// Whether a word relates values, such as the arrow between two sides of a change. A word next to it is code.
fn is_operator(token: &str) -> bool {
    matches!(token, "->" | "<-" | "→" | "=" | "+" | "-" | "~")
}

/// A sentence in Markdown under construction.
#[derive(Default)]
struct Sentence {
    /// The Markdown that was written so far.
    text: String,
    /// The code that was not written yet, because more of it may follow.
    code: String,
}

impl Sentence {
    /// Appends a word of a sentence. A plain word is written as it is, another one in a code span, which it shares with
    /// the word before it if that is code, too.
    fn token(&mut self, token: &str, adjoins_operator: bool) {
        let core = token.strip_prefix('(').unwrap_or(token);
        let lead = &token[..token.len() - core.len()];
        let mut end = core.len();
        while let Some(last) = core[..end].chars().next_back() {
            let is_closing = last == ')' && !core[..end].contains('(');
            if !is_closing && !matches!(last, ',' | ';' | ':' | '.') {
                break;
            }
            end -= last.len_utf8();
        }
        let (core, tail) = core.split_at(end);
        // At the beginning of a text, `1.` and `1)` would make a list.
        let begins_list = self.text.is_empty() && tail.starts_with(['.', ')']);
        let is_number = core.len() <= MAX_DIGITS && core.bytes().all(|b| b.is_ascii_digit());
        let is_plain = is_word(core) || is_number && !begins_list;
        let is_plain = is_plain && (!adjoins_operator || !lead.is_empty() || core.is_empty());
        if is_plain {
            self.end_code();
            self.space();
            self.text.push_str(token);
            return;
        }
        if !lead.is_empty() {
            self.end_code();
            self.space();
            self.text.push_str(lead);
        }
        if !self.code.is_empty() {
            self.code.push(' ');
        }
        self.code.push_str(core);
        if !tail.is_empty() {
            self.end_code();
            self.text.push_str(tail);
        }
    }

    /// Writes the code span that was not written yet, if there is one.
    fn end_code(&mut self) {
        let text = std::mem::take(&mut self.code);
        if !text.is_empty() {
            self.space();
            self.text.push_str(&code(&text));
        }
    }

    /// Writes the space between two words.
    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('(') {
            self.text.push(' ');
        }
    }
}

/// Whether a text is a plain word: letters, with hyphens and apostrophes between them, to which no platform gives
/// another meaning.
fn is_word(text: &str) -> bool {
    if matches!(text, "" | "×" | "≠" | "…" | "—") {
        return true;
    }
    let names_commit = text.len() >= COMMIT_LEN && text.bytes().all(|b| b.is_ascii_hexdigit());
    !names_commit
        && text
            .split(['-', '\''])
            .all(|part| !part.is_empty() && part.chars().all(char::is_alphabetic))
}

/// Writes a text as code in HTML, for the title of a part that can be opened.
pub(super) fn html(text: &str) -> String {
    format!(
        "<code>{}</code>",
        escape_html(&cut(&on_one_line(text), MAX_CODE_LEN))
    )
}

/// Escapes a text in HTML that is part of a document in Markdown.
///
/// Inside of elements, Markdown is read, too. So any character that could begin a link, an image, code, a formula or a
/// cell of a table becomes a character reference.
fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Emphasis begins with a `_` that no letter precedes.
    let mut parts = text.split('_');
    parts.next_back();
    let has_emphasis = parts.any(|part| !part.ends_with(char::is_alphanumeric));
    let mut before = ' ';
    for (index, c) in text.char_indices() {
        let rest = &text[index + c.len_utf8()..];
        let next = rest.chars().next().unwrap_or(' ');
        let is_active = match c {
            '&' | '<' | '>' | '"' | '\'' | '@' | '!' | '`' | '*' | '~' | '\\' | '|' | '$' => true,
            ']' => matches!(next, '(' | '[' | ':'),
            ':' => rest.starts_with("//"),
            '.' => begins_address(&text[..index]),
            '_' => has_emphasis && !(before.is_alphanumeric() && next.is_alphanumeric()),
            _ => false,
        };
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if is_active => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Whether a period follows `www`, which alone makes a link on some platforms.
fn begins_address(before: &str) -> bool {
    let start = before
        .len()
        .checked_sub(3)
        .and_then(|index| before.get(index..));
    start.is_some_and(|start| start.eq_ignore_ascii_case("www"))
}
