//! Turns coloured output on standard input into an SVG picture on standard output, as a terminal
//! would show it: `tfview show --color always plan.json | cargo run --example picture > show.svg`.

use std::fmt::Write as _;
use std::io::{self, Read, Write as _};

const LINE: usize = 18;
const COLUMN: f64 = 8.4;

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let height = (lines.len() + 2) * LINE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"{height}\" viewBox=\"0 0 860 {height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1f24\"/>\n\
         <g font-family=\"ui-monospace,Menlo,Consolas,monospace\" font-size=\"14\" fill=\"#d7dce2\" xml:space=\"preserve\">\n"
    );
    for (at, line) in lines.iter().enumerate() {
        svg_line(&mut svg, line, (at + 1) * LINE + 4);
    }
    svg.push_str("</g>\n</svg>\n");
    io::stdout().write_all(svg.as_bytes())
}

/// Appends a line: a text for each run of one style.
fn svg_line(svg: &mut String, line: &str, y: usize) {
    let mut column = 0;
    let (mut bold, mut colour) = (false, None);
    for (at, part) in line.split("\x1b[").enumerate() {
        let body = match part.split_once('m').filter(|_| at > 0) {
            Some((codes, body)) => {
                for code in codes.split(';') {
                    match code {
                        "" | "0" => (bold, colour) = (false, None),
                        "1" => bold = true,
                        code => colour = hex(code).or(colour),
                    }
                }
                body
            }
            None => part,
        };
        let width = body.chars().count();
        if !body.trim().is_empty() {
            let text = body.replace('&', "&amp;").replace('<', "&lt;");
            let fill = colour.map_or(String::new(), |hex| format!(" fill=\"{hex}\""));
            let weight = if bold { " font-weight=\"bold\"" } else { "" };
            let x = 16.0 + COLUMN * f64::from(u32::try_from(column).unwrap_or(0));
            let length = COLUMN * f64::from(u32::try_from(width).unwrap_or(0));
            // Writing to a `String` cannot fail.
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\"{fill}{weight}>{text}</text>"
            );
        }
        column += width;
    }
}

fn hex(code: &str) -> Option<&'static str> {
    Some(match code {
        "31" => "#f47067",
        "32" => "#6bc46d",
        "33" => "#daaa3f",
        "36" => "#56d4dd",
        "90" => "#8b949e",
        _ => return None,
    })
}
