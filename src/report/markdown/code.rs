//! Data of the plan in Markdown: as code, so that it creates no links, mentions or images, and without commands
//! to CI systems, because the Markdown may be printed in a log.

use crate::report::Budget;
use crate::report::{Line, Sign};
use crate::term::ci::on_one_line;
use crate::text::markdown::{code_span, fenced};
use crate::text::{self, count};

/// The maximum length of addresses and reasons, in characters.
const MAX_LEN: usize = 200;

/// A collapsible part (`open` for severe changes), or plain text on platforms without collapsible parts.
pub(super) fn details(header: &str, line: &str, body: &str, open: bool, budget: Budget) -> String {
    if budget.details {
        let open = if open { " open" } else { "" };
        format!("<details{open}><summary>{header}</summary>\n\n{body}\n</details>\n\n")
    } else {
        // The empty line ends a preceding list.
        format!("\n{}\n{body}\n", line.trim_start_matches("- "))
    }
}

/// A diff in a fence, with the signs in column 0, so that lines are coloured.
pub(super) fn fence(lines: &[Line], max_lines: usize) -> String {
    let mut body = String::new();
    for line in lines.iter().take(max_lines) {
        let sign = match line.sign {
            Sign::Add => '+',
            Sign::Remove => '-',
            Sign::Change => '!',
            Sign::Same => ' ',
            Sign::Note => '#',
        };
        body.push_str(&format!("{sign} {}{}\n", "  ".repeat(line.depth), on_one_line(&line.text())));
    }
    let more = lines.len().saturating_sub(max_lines);
    if more > 0 {
        body.push_str(&format!("# … {} more\n", count(more, "line")));
    }
    fenced("diff", &body)
}

/// A text from the plan as a code span.
pub(in crate::report) fn code(text: &str) -> String {
    let text = text::cut(&on_one_line(text), MAX_LEN);
    if text.trim().is_empty() {
        return "` `".to_owned();
    }
    code_span(&text)
}

/// Words of tfview with data of the plan in them: the name of an unknown action.
pub(super) fn action_words(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " —×;:,()-".contains(c);
    on_one_line(text).chars().map(|c| if plain(c) { c } else { '·' }).collect()
}

pub(super) fn html(text: &str) -> String {
    format!("<code>{}</code>", escape_html(&text::cut(&on_one_line(text), MAX_LEN)))
}

pub(super) fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in on_one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '@' => out.push_str("&#64;"),
            c => out.push(c),
        }
    }
    out
}

/// A text from the plan as a code span in a table, where a bar would end the cell.
pub(super) fn cell(text: &str) -> String {
    code(&text.replace('|', "¦"))
}
