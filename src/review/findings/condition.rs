//! Applies a rule to a change.

use super::path::{PathStep, Side, path_of_edit, path_text};
use super::places::{Places, readable};
use super::rule::{Condition, Rule, Test, applies};
use super::side::{Pattern, Root};
use super::{Fate, Subject, secret};
use crate::diff::edits::Path;
use crate::diff::value::{MarkedValue, Redactor};
use crate::review::entry::{Finding, Level};

/// Adds the findings that a rule finds, unless the object that a guard protects is destroyed with it.
pub(super) fn apply<'w, 'a>(
    rule: &Rule,
    subject: &Subject<'_, 'w>,
    redactor: Redactor<'a>,
    findings: &mut Vec<Finding<'a>>,
) {
    let mut add = |path: &[PathStep<'w>], side: Side, told: Told| {
        // No finding shows a credential that a value holds.
        let text = match secret::is_in(&told.text) {
            true => format!("{}: a value with a credential", path_text(path)),
            false => told.text,
        };
        findings.push(rule.finding(path_of_edit(path, side, redactor), Told { text, ..told }));
    };
    let is_about_places = matches!(rule.condition, Condition::At(_));
    if !is_about_places && !applies(&rule.only_where, subject.before, &[], subject.before) {
        return;
    }
    match &rule.condition {
        Condition::Lost { what, show } => {
            if let Some(fate) = loss(subject.fate) {
                let text = format!("{what} {fate}{}", description(subject, show));
                // What is forgotten stays where it is.
                let level =
                    if subject.fate == Fate::Forgotten { rule.level.min(Level::Warning) } else { rule.level };
                add(&[], Side::Before, Told { text, grade: Some((level, rule.weight)) });
            }
        }
        Condition::Unprotected(guards) => {
            if matches!(subject.fate, Fate::Destroyed | Fate::Unknown)
                && guards.include(subject.before, subject.policies)
                && !subject.guarded.are_excused(guards, subject.before)
            {
                add(&[], Side::Before, "destroyed, while what it protects stays".to_owned().into());
            }
        }
        Condition::Interrupted { if_destroyed } => {
            let may_come_back = subject.fate == Fate::Unknown && !subject.after.is_null();
            if subject.fate == Fate::DestroyedThenCreated || may_come_back {
                add(&[], Side::Before, "destroyed before its replacement is created".to_owned().into());
            } else if *if_destroyed && matches!(subject.fate, Fate::Destroyed | Fate::Unknown) {
                add(&[], Side::Before, "destroyed".to_owned().into());
            }
        }
        // Actions have no sides.
        Condition::Invoked { .. } => {}
        Condition::At(at) => {
            let ends = matches!(subject.fate, Fate::Destroyed | Fate::Forgotten)
                || subject.fate == Fate::Unknown && subject.after.is_null();
            // A rule that is a resource of its own no longer denies when it is destroyed.
            let no_longer_denies =
                matches!(at.test, Test::Deny) && at.pattern.is_one_name() && subject.fate == Fate::Destroyed;
            if no_longer_denies || !ends && (at.is_for_created || subject.fate.is_kept_or_replaced()) {
                Places { subject, rule, at }.test(&mut add);
            }
        }
    }
}

/// Adds the finding of a rule about an action that is invoked with this configuration.
pub(super) fn invoked<'a>(rule: &Rule, config: MarkedValue<'_>, findings: &mut Vec<Finding<'a>>) {
    if let Condition::Invoked { what } = &rule.condition
        && applies(&rule.only_where, config, &[], config)
    {
        findings.push(rule.finding(Path::ROOT, what.clone().into()));
    }
}

/// What a finding says, with its level and weight if these are not those of the rule.
pub(super) struct Told {
    pub text: String,
    pub grade: Option<(Level, u8)>,
}

impl From<String> for Told {
    fn from(text: String) -> Self {
        Self { text, grade: None }
    }
}

/// A function that adds a finding: its path, the side that the path is in, and what it says.
pub(super) type Add<'f, 'w> = &'f mut dyn FnMut(&[PathStep<'w>], Side, Told);

fn loss(fate: Fate) -> Option<&'static str> {
    match fate {
        Fate::Created | Fate::Updated => None,
        Fate::Destroyed => Some("destroyed"),
        Fate::DestroyedThenCreated | Fate::CreatedThenDestroyed => Some("replaced: the old one is destroyed"),
        Fate::Forgotten => Some("forgotten: it stays, no longer managed"),
        Fate::Unknown => Some("may be destroyed: its action is unknown"),
    }
}

/// The values of some attributes of the old object: `; engine = postgres, …`.
fn description(subject: &Subject<'_, '_>, show: &[Pattern]) -> String {
    let mut parts = Vec::new();
    for pattern in show {
        if let Some(text) = only(pattern, Root { value: subject.before, documents: None })
            && !text.is_empty()
        {
            parts.push(format!("{} = {}", pattern.label(), short(text)));
        }
    }
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) }
}

/// The readable text at the only place of a pattern.
pub(super) fn only<'w>(pattern: &Pattern, root: Root<'_, 'w>) -> Option<&'w str> {
    let (mut places, mut text) = (0, None);
    pattern.visit(root, &mut |place| {
        places += 1;
        text = readable(place);
    });
    text.filter(|_| places == 1)
}

/// The maximum number of characters of a value in the text of a finding.
const MAX_VALUE_LEN: usize = 200;

pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE_LEN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
