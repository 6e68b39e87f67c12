//! Coloured lines as an SVG picture of a terminal.
//!
//! The picture has its own background, so that it looks the same on light and dark pages. It loads nothing.

use std::fmt::Write as _;

const LINE: usize = 18;
const BACKGROUND: &str = "#1b1f24";
const FOREGROUND: &str = "#d7dce2";
const COLUMN: f64 = 8.4;
const MARGIN: f64 = 16.0;
/// The delay between two lines, in milliseconds.
const PAUSE: usize = 180;

/// The columns of the numbers beside lines.
const CALLOUTS: usize = 5;

/// Draws a terminal with the command `typed` and its output `lines`. `callouts` are the lines that have a number, in the
/// order of the numbers.
pub(crate) fn terminal(
    title: &str,
    typed: &str,
    lines: &[&str],
    callouts: &[usize],
    animated: bool,
) -> String {
    let prompt = format!("\x1b[90m$\x1b[0m \x1b[1m{typed}\x1b[0m");
    let lines: Vec<&str> = [prompt.as_str(), ""]
        .into_iter()
        .chain(lines.iter().copied())
        .collect();
    draw(title, &lines, callouts, animated)
}

/// Draws the whole screen of a terminal.
#[cfg(unix)]
pub(crate) fn screen(title: &str, lines: &[&str]) -> String {
    draw(title, lines, &[], false)
}

/// Draws lines as SVG, with numbers at the lines of `callouts`.
fn draw(title: &str, lines: &[&str], callouts: &[usize], animated: bool) -> String {
    let columns = lines
        .iter()
        .map(|line| plain(line).chars().count())
        .max()
        .unwrap_or(0);
    let columns = columns + if callouts.is_empty() { 0 } else { CALLOUTS };
    let (width, height) = (place(columns) + MARGIN, (lines.len() + 2) * LINE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height}\" viewBox=\"0 0 {width:.0} {height}\" role=\"img\">\n\
         <title>{}</title>\n",
        escape(title)
    );
    if animated {
        // Lines are faint before they appear, so that the picture is never empty. With reduced motion, or
        // without style support, all lines are visible at once.
        svg.push_str(
            "<style>@keyframes appear{from{opacity:.45}}\
             @media(prefers-reduced-motion:no-preference){g g{animation:appear 1ms both}}</style>\n",
        );
    }
    svg.push_str(&format!(
        "<rect x=\"0.5\" y=\"0.5\" width=\"99.9%\" height=\"99.8%\" rx=\"8\" fill=\"{BACKGROUND}\" stroke=\"#444c56\"/>\n\
         <g font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"14\" fill=\"{FOREGROUND}\">\n",
    ));
    for (index, line) in lines.iter().enumerate() {
        // Writing to a `String` cannot fail.
        if animated {
            let _ = writeln!(svg, "<g style=\"animation-delay:{}ms\">", index * PAUSE);
        }
        push_line(&mut svg, line, (index + 1) * LINE + 8);
        if animated {
            svg.push_str("</g>\n");
        }
    }
    for (number, line) in (1..).zip(callouts) {
        // The command and an empty line come first.
        push_callout(
            &mut svg,
            number,
            width - 2.0 * MARGIN,
            (line + 3) * LINE + 8,
        );
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Appends a number in a circle, on the base line `y`.
fn push_callout(svg: &mut String, number: usize, x: f64, y: usize) {
    let middle = y - 5;
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{middle}\" r=\"8.5\" fill=\"#316dca\"/>\n\
         <text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"12\" font-weight=\"bold\" fill=\"#ffffff\">{number}</text>"
    );
}

/// A line without its colours.
pub(crate) fn plain(line: &str) -> String {
    pieces(line).map(|(_, text)| text).collect()
}

/// The texts of a line, each with the codes that come before it.
fn pieces(line: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    line.split("\x1b[").enumerate().map(|(index, part)| {
        match part.split_once('m').filter(|_| index > 0) {
            Some((codes, text)) => (Some(codes), text),
            None => (None, part),
        }
    })
}

/// How a text looks.
#[derive(Clone, Copy, Default)]
struct Style {
    /// Bold or bright.
    is_bold: bool,
    /// Underlined.
    is_underlined: bool,
    /// With the colours of text and background exchanged.
    is_reversed: bool,
    /// The colour of the text.
    colour: Option<&'static str>,
}

/// Appends a line: a text for each run of one style.
fn push_line(svg: &mut String, line: &str, y: usize) {
    let mut column = 0;
    let mut style = Style::default();
    for (codes, text) in pieces(line) {
        for code in codes.into_iter().flat_map(|codes| codes.split(';')) {
            match code {
                "" | "0" => style = Style::default(),
                "1" => style.is_bold = true,
                "4" => style.is_underlined = true,
                "7" => style.is_reversed = true,
                code => style.colour = hex(code).or(style.colour),
            }
        }
        if style.is_reversed && !text.is_empty() {
            let (x, width) = (place(column), place(text.chars().count()) - place(0));
            // Writing to a `String` cannot fail.
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"{LINE}\" fill=\"{}\"/>",
                y - 13,
                style.colour.unwrap_or(FOREGROUND)
            );
        }
        let colour = if style.is_reversed {
            Some(BACKGROUND)
        } else {
            style.colour
        };
        let fill = colour.map_or(String::new(), |hex| format!(" fill=\"{hex}\""));
        let mut weight = String::new();
        if style.is_bold {
            weight.push_str(" font-weight=\"bold\"");
        }
        if style.is_underlined {
            weight.push_str(" text-decoration=\"underline\"");
        }
        // Browsers collapse spaces even with `xml:space`, so the line is split at double spaces.
        for words in text.split("  ") {
            let shown = words.trim();
            if !shown.is_empty() {
                let x = place(column + words.chars().take_while(|c| *c == ' ').count());
                let length = place(shown.chars().count()) - place(0);
                // Writing to a `String` cannot fail.
                let _ = writeln!(
                    svg,
                    "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\"{fill}{weight}>{}</text>",
                    escape(shown)
                );
            }
            column += words.chars().count() + 2;
        }
        column -= 2;
    }
}

/// The x coordinate of a column.
fn place(column: usize) -> f64 {
    MARGIN + COLUMN * f64::from(u32::try_from(column).unwrap_or(u32::MAX))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn hex(code: &str) -> Option<&'static str> {
    Some(match code {
        "31" => "#f47067",
        "32" => "#6bc46d",
        "33" => "#daaa3f",
        "36" => "#56d4dd",
        "37" => "#b1bac4",
        "90" => "#8b949e",
        _ => return None,
    })
}
