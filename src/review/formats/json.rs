//! JSON for programs: stable, with a version. What has no place in one line of a terminal is escaped,
//! so that a document on a screen cannot drive it.
//!
//! `format_version` 1.0: members may be added in a minor version, never removed or changed.

use std::fmt::Write as _;

use crate::review::{Body, Item, Kind, Part, Place, Review, Shown, Sign, Verdict};

/// The reviews as one document.
pub fn json(reviews: &[Review]) -> String {
    let total = Verdict::total(reviews.iter().map(|review| &review.verdict));
    let mut text = String::from("{\"format_version\":\"1.0\",\"verdict\":");
    text.push_str(&verdict(&total));
    text.push_str(",\"plans\":");
    text.push_str(&array(reviews.iter().map(review)));
    text.push_str("}\n");
    text
}

fn review(review: &Review) -> String {
    let checks = review.problems.iter().map(|problem| {
        format!(
            "{{\"address\":{},\"status\":{},\"message\":{}}}",
            string(&problem.address),
            string(&problem.status),
            string(&problem.message)
        )
    });
    format!(
        "{{\"name\":{},\"verdict\":{},\"resources\":{},\"drift\":{},\"deferred\":{},\"invocations\":{},\"outputs\":{},\"outputs_known_after_apply\":{},\"checks\":{},\"notes\":{},\"hidden_by_filters\":{}}}",
        string(&review.name),
        verdict(&review.verdict),
        array(review.items.iter().map(item)),
        array(review.drift.iter().map(item)),
        array(review.deferred.iter().map(item)),
        array(review.invocations.iter().map(item)),
        array(review.outputs.iter().map(part)),
        strings(&review.unknown_outputs),
        array(checks),
        strings(&review.notes),
        review.filtered,
    )
}

fn verdict(verdict: &Verdict) -> String {
    let mut text = format!("{{\"sentence\":{},\"errored\":{}", string(&verdict.sentence()), verdict.errored);
    for kind in Kind::ALL {
        let number = verdict.of(kind);
        // Writing to a `String` cannot fail.
        let _ = write!(text, ",\"{}\":{number}", kind.word());
    }
    let _ = write!(
        text,
        ",\"drift\":{},\"outputs\":{},\"deferred\":{},\"actions\":{},\"failed_checks\":{},\"cosmetic\":{}}}",
        verdict.drift,
        verdict.outputs,
        verdict.deferred,
        verdict.invocations,
        verdict.failed_checks,
        verdict.cosmetic
    );
    text
}

fn item(item: &Item) -> String {
    format!(
        "{{\"addresses\":{},\"change\":\"{}\",\"action\":{},\"type\":{},\"module\":{},\"irreversible\":{},\"cosmetic\":{},\"differs_by_key\":{},\"reasons\":{},\"changes\":{},\"known_after_apply\":{},\"unchanged\":{},\"omitted\":{}}}",
        strings(&item.addresses),
        if item.place == Place::Invoked { "invoke" } else { item.kind.word() },
        string(&item.action),
        string(&item.type_name),
        string(&item.module),
        item.is_irreversible(),
        item.cosmetic,
        item.by_key,
        strings(&item.reasons),
        array(item.parts.iter().map(part)),
        strings(&item.unknown),
        item.unchanged,
        strings(&item.omitted),
    )
}

fn part(part: &Part) -> String {
    let change = match part.sign {
        Sign::Add => "add",
        Sign::Remove => "remove",
        Sign::Change | Sign::Note => "change",
        Sign::Same => "none",
    };
    let mut text = format!("{{\"path\":{},\"change\":\"{change}\"", string(&part.path));
    let _ = match &part.body {
        Body::Noted => Ok(()),
        Body::One(shown) if part.sign == Sign::Remove => write!(text, ",\"before\":{}", value(shown)),
        Body::One(shown) => write!(text, ",\"after\":{}", value(shown)),
        Body::Change(before, after) => {
            write!(text, ",\"before\":{},\"after\":{}", value(before), value(after))
        }
        Body::Group(parts) => write!(text, ",\"changes\":{}", array(parts.iter().map(self::part))),
        Body::Text(lines) => {
            let lines = lines.iter().map(|line| {
                let sign = match line.sign {
                    Sign::Add => "+",
                    Sign::Remove => "-",
                    Sign::Change | Sign::Same => " ",
                    Sign::Note => "#",
                };
                string(&format!("{sign}{}", line.text))
            });
            write!(text, ",\"lines\":{}", array(lines))
        }
    };
    let _ = write!(text, ",\"forces_replacement\":{},\"cosmetic\":{}", part.replace, part.cosmetic);
    let _ = write!(text, ",\"notes\":{}}}", strings(&part.notes));
    text
}

/// A value, or an object that says why there is none.
fn value(shown: &Shown) -> String {
    match shown {
        Shown::Null => "null".to_owned(),
        Shown::Literal(text) => text.clone(),
        Shown::Text(text) => string(text),
        Shown::Empty(text) => string(text),
        Shown::Sensitive => "{\"hidden\":\"sensitive\"}".to_owned(),
        Shown::WriteOnly => "{\"hidden\":\"write-only\"}".to_owned(),
        Shown::Unknown => "{\"hidden\":\"known after apply\"}".to_owned(),
    }
}

fn strings(all: &[String]) -> String {
    array(all.iter().map(|text| string(text)))
}

fn array(items: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    for (at, item) in items.enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&item);
    }
    text.push(']');
    text
}

/// A string, with everything escaped that a terminal could take for more than text.
fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let plain = !c.is_control()
            && !matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if plain => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
    out
}
