//! The outputs of a plan as lines.

use super::edits::EditWriter;
use crate::diff::value::MarkedValue;
use crate::model::Action;
use crate::report::{Line, Shown, Sign, Span, Tone};
use crate::review::entry::Entry;
use crate::review::{Options, count};
use crate::text::key;

/// The maximum number of new outputs with a line of their own; more are counted.
const MAX_COUNT: usize = 40;
/// The maximum number of names in one line.
const MAX_NAMES: usize = 12;

/// The lines of all outputs, removed and changed ones first, then the new ones; and how they report each output's edits.
pub(crate) fn outputs_text(outputs: &[Entry<'_>], options: &Options) -> (Vec<Line>, Vec<Vec<Option<Shown>>>) {
    let mut shown: Vec<Vec<Option<Shown>>> =
        outputs.iter().map(|output| vec![None; output.edits.len()]).collect();
    let mut writer = EditWriter::new(options);
    let mut order: Vec<usize> = (0..outputs.len()).collect();
    crate::sort::by_key(&mut order, |at| rank(&outputs[*at].action));
    let (mut unknown, mut empty) = (Vec::new(), Vec::new());
    let (mut created, mut more) = (0, 0);
    for at in order {
        let output = &outputs[at];
        let name = key(output.address);
        shown[at] = match (new_value(output), options.unchanged) {
            _ if options.filter.ignores(output.address) => {
                let text =
                    format!("{name}: {} hidden by --ignore-attr", count(output.edits.len().max(1), "change"));
                writer.lines.push(Line::note(0, text));
                vec![Some(Shown::Counted); output.edits.len()]
            }
            (Some(value), _) if value.is_unknown() => {
                unknown.push(name.into_owned());
                vec![Some(Shown::Named)]
            }
            (Some(value), _) if value.is_empty() || value.is_null() => {
                empty.push(name.into_owned());
                vec![Some(Shown::Named)]
            }
            (Some(_), false) if created >= MAX_COUNT => {
                more += 1;
                vec![Some(Shown::Counted)]
            }
            (new, _) => {
                created += usize::from(new.is_some());
                if output.edits.is_empty() {
                    let text = format!("{name}: the plan shows no difference");
                    writer.lines.push(Line::note(0, text));
                }
                writer.edits(&name, output.edits, 0)
            }
        };
    }
    let mut lines = writer.lines;
    lines.extend(listed(&unknown, "(known after apply)", options));
    lines.extend(listed(&empty, "empty or null", options));
    if more > 0 {
        lines.push(Line::note(0, format!("… {}; --context all shows all", count(more, "more new output"))));
    }
    (lines, shown)
}

fn rank(action: &Action) -> u8 {
    let action = action.worst_case();
    if *action == Action::Delete { 0 } else { 1 + u8::from(*action == Action::Create) }
}

/// The value of a new output.
fn new_value<'a>(output: &Entry<'a>) -> Option<MarkedValue<'a>> {
    match output.edits {
        [edit] if edit.path.is_empty() && edit.before.is_none() => edit.after,
        _ => None,
    }
}

fn listed(names: &[String], what: &str, options: &Options) -> Option<Line> {
    if names.is_empty() {
        return None;
    }
    let limit = if options.unchanged { names.len() } else { MAX_NAMES };
    let mut text = names.iter().take(limit).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > limit {
        text.push_str(&format!(" and {} more (--context all lists all)", names.len() - limit));
    }
    Some(Line { depth: 0, sign: Sign::Add, spans: vec![Span::new(format!("{text}: {what}"), Tone::Added)] })
}
