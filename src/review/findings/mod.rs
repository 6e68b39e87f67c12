//! Finds what a reviewer should notice first, such as data that is lost or access that is opened.
//!
//! Invariants: rules apply to known values only; nothing is read below a sensitive mark, so that no finding contains
//! sensitive values; equal changes have equal findings in the same order.
//!
//! ```text
//! Subject { resource_type: "aws_db_instance", before: {"backup_retention_period": 7}, after: {…: 0}, … }
//!
//! Finding { kind: Protection, level: Critical, text: "backup_retention_period: 7 -> 0", … }
//! ```

mod configured;
mod directions;
mod elements;
mod excused;
mod expected;
mod exposure;
mod finder;
mod grade;
mod grant_grade;
mod grants;
mod guard;
mod guards;
mod line;
mod listing;
mod models;
mod openapi;
mod parents;
mod pattern;
mod places;
mod policy;
mod relations;
mod rule;
mod secret;
mod table;
#[cfg(test)]
mod tests;
mod vault;
mod versions;

use std::collections::HashSet;

use super::credentials::{Credentials, Known};
use super::entry::{Effect, Finding, Level, NamedValue};
use super::masks::Masks;
use super::value_path::{ElementStep, PathStep, Side, path_of_edit};
use crate::access::{Policy, readable};
use crate::diff::edits::{Format, Path};
use crate::diff::value::{Builder, Content, MarkedValue, Redactor};
use crate::json::Value;
use crate::knowledge::{Condition, List};
use crate::meaning::Documents;
use crate::model::Action;
pub(in crate::review) use directions::{direction_of, of_grant, of_values, of_whole};
pub(in crate::review) use excused::Excused;
pub(in crate::review) use expected::expected;
pub(in crate::review) use finder::RuleFinder;
pub use line::RuleLine;
pub use listing::RuleText;
pub(in crate::review) use models::add as add_of_models;
use pattern::Pattern;
use places::RuleTest;
pub(in crate::review) use relations::relate;
use rule::{Rule, Trigger, applies};
pub(in crate::review) use secret::{of_credentials, references, uncovered};
pub use table::{RuleError, Rules};

/// The outcome of an action for an object, as far as rules distinguish it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectOutcome {
    /// It is new.
    Created,
    /// It stays, and changes in place.
    Updated,
    /// It is replaced. The old object is destroyed first.
    DestroyedThenCreated,
    /// It is replaced. The new object is created first.
    CreatedThenDestroyed,
    /// It is destroyed, and nothing replaces it.
    Destroyed,
    /// It stays, but is no longer managed; another one may be created in its place.
    Forgotten,
    /// It may be destroyed, replaced or updated.
    Unknown,
}

impl ObjectOutcome {
    /// Returns the outcome of an action in its worst case; `None` if nothing is done to the object.
    pub fn from_action(action: &Action) -> Option<Self> {
        Some(match action.worst_case() {
            Action::Delete if *action != Action::Delete => Self::Unknown,
            Action::Create => Self::Created,
            Action::Update => Self::Updated,
            Action::Delete => Self::Destroyed,
            Action::DeleteThenCreate => Self::DestroyedThenCreated,
            Action::CreateThenDelete => Self::CreatedThenDestroyed,
            Action::Forget | Action::ForgetThenCreate | Action::CreateThenForget => Self::Forgotten,
            Action::NoOp | Action::Read | Action::Open | Action::Unknown(_) => return None,
        })
    }
}

/// An object that rules are applied to.
#[derive(Clone, Copy)]
pub(in crate::review) struct Subject<'o, 'w> {
    /// What happens to the object.
    pub outcome: ObjectOutcome,
    /// The type of the object, for example `aws_db_instance`.
    pub resource_type: &'o str,
    /// The object before the change; null if it is created.
    pub before: MarkedValue<'w>,
    /// The object after the change; null if it is destroyed.
    pub after: MarkedValue<'w>,
    /// The rules that do not apply because of other objects of the plan.
    pub excused: &'o Excused,
    /// The documents in strings, which are decoded only once.
    pub documents: &'o Documents<'w>,
    /// The credentials of both sides, which are findings of their own.
    pub credentials: &'o Credentials<'w>,
    /// The object as the last apply left it, if it has changed outside of the tool since then.
    pub left: Option<MarkedValue<'w>>,
    /// The arguments of its block, if a rule asks what is configured.
    pub configuration: Option<Value<'w>>,
}

/// Returns the findings about the invocation of an action with this configuration, at most one of each kind.
pub(in crate::review) fn of_action<'a>(
    config: MarkedValue<'_>,
    rules: &[Rule<'_>],
) -> Vec<Finding<'a>> {
    let mut findings = Vec::new();
    for rule in rules {
        if let Trigger::Invoked { what } = rule.trigger
            && applies(&rule.only_if, config, &[], config)
        {
            findings.push(rule.finding(Path::ROOT, FindingText::new(what)));
        }
    }
    // Of the rules of a kind, the first is the most specific.
    findings.sort_by_key(|finding: &Finding<'_>| (finding.origin, finding.kind));
    findings.dedup_by_key(|finding| (finding.origin, finding.kind));
    findings
}

/// Removes findings about parts of something that another finding of the same kind says is removed, unless they are
/// graver.
fn without_parts(findings: &mut Vec<Finding<'_>>) {
    let label = |finding: &Finding<'_>| finding.text.strip_suffix(" is removed").map(str::to_owned);
    let removed: Vec<_> = findings
        .iter()
        .filter_map(|f| Some((f.kind, f.level, label(f)?)))
        .collect();
    findings.retain(|finding| {
        !removed.iter().any(|(kind, level, label)| {
            let part = finding
                .text
                .strip_prefix(&**label)
                .and_then(|rest| rest.strip_prefix(['.', '[']));
            finding.kind == *kind && finding.level <= *level && part.is_some()
        })
    });
}

/// Returns the findings of a change, the most severe kind first. `redactor` copies them into its arena.
pub(in crate::review) fn find<'w, 'a>(
    subject: &Subject<'_, 'w>,
    rules: &[Rule<'_>],
    redactor: Redactor<'a>,
) -> Vec<Finding<'a>> {
    let mut findings = Vec::new();
    for (index, rule) in rules.iter().enumerate() {
        if subject.excused.contains(&index) || rule.level == Level::None {
            continue;
        }
        let mut add = |path: &[PathStep<'w>], side: Side, finding_text: FindingText| {
            let text = without_credentials(finding_text.text);
            findings.push(rule.finding(
                path_of_edit(path, side, redactor),
                FindingText {
                    text,
                    ..finding_text
                },
            ));
        };
        apply(rule, subject, &mut add);
    }
    findings.extend(of_credentials(
        subject.credentials,
        subject.resource_type,
        subject.after,
        redactor,
    ));
    without_parts(&mut findings);
    grants::add(subject, redactor, &mut findings);
    // If two findings have the same text, the one of a built-in rule is kept.
    findings.sort_by_key(|finding: &Finding<'_>| (finding.kind, finding.origin));
    for finding in &mut findings {
        finding.text = without_credentials(std::mem::take(&mut finding.text));
    }
    let mut known = HashSet::new();
    findings.retain(|finding| known.insert((finding.kind, finding.text.clone())));
    findings
}

/// Applies one rule to an object, and passes each finding to `add`.
fn apply<'w>(rule: &Rule<'_>, subject: &Subject<'_, 'w>, add: Add<'_, 'w>) {
    let is_about_values = matches!(rule.trigger, Trigger::Values(_));
    if !is_about_values && !applies(&rule.only_if, subject.before, &[], subject.before) {
        return;
    }
    match &rule.trigger {
        Trigger::Lost { what, show } => {
            let Some(outcome) = loss(subject.outcome) else {
                return;
            };
            let details = details(subject, *show);
            let words = details
                .iter()
                .map(|detail| format!("{} = {}", detail.name, detail.value));
            let words = words.collect::<Vec<_>>().join(", ");
            let separator = if words.is_empty() { "" } else { "; " };
            add(
                &[],
                Side::Before,
                FindingText {
                    grade: Some((rule.level, rule.weight)),
                    effect: Effect::Lost {
                        what: (*what).to_owned(),
                        is_replaced: matches!(
                            subject.outcome,
                            ObjectOutcome::DestroyedThenCreated
                                | ObjectOutcome::CreatedThenDestroyed
                        ),
                        details,
                    },
                    ..FindingText::new(format!("{what} {outcome}{separator}{words}"))
                },
            );
        }
        Trigger::Unguarded(guards) => {
            if matches!(
                subject.outcome,
                ObjectOutcome::Destroyed | ObjectOutcome::Unknown
            ) && guards.include(subject.before, subject.documents)
            {
                add(
                    &[],
                    Side::Before,
                    FindingText::destroyed("destroyed, while what it protects stays"),
                );
            }
        }
        Trigger::Interrupted { if_destroyed } => {
            if let Some(text) = interruption(subject, *if_destroyed) {
                add(&[], Side::Before, text);
            }
        }
        Trigger::Invoked { .. } | Trigger::Granted => {}
        Trigger::Values(values) => {
            let ends = matches!(
                subject.outcome,
                ObjectOutcome::Destroyed | ObjectOutcome::Forgotten
            ) || subject.outcome == ObjectOutcome::Unknown && subject.after.is_null();
            // A rule that is a resource of its own no longer denies when it is destroyed.
            let no_longer_denies = matches!(values.condition, Condition::Deny)
                && values.pattern.is_one_name()
                && subject.outcome == ObjectOutcome::Destroyed;
            let is_meant = subject.outcome == ObjectOutcome::Updated || !values.is_in_place;
            let may_be_created = values.is_for_created || subject.outcome != ObjectOutcome::Created;
            if no_longer_denies || !ends && is_meant && may_be_created {
                RuleTest {
                    subject,
                    rule,
                    values,
                }
                .test(add);
            }
        }
    }
}

/// Returns how an object is lost, in words; `None` if it is kept.
fn loss(outcome: ObjectOutcome) -> Option<&'static str> {
    match outcome {
        // A forgotten object stays as it is.
        ObjectOutcome::Created | ObjectOutcome::Updated | ObjectOutcome::Forgotten => None,
        ObjectOutcome::Destroyed => Some("destroyed"),
        ObjectOutcome::DestroyedThenCreated | ObjectOutcome::CreatedThenDestroyed => {
            Some("replaced: the old one is destroyed")
        }
        ObjectOutcome::Unknown => Some("may be destroyed: its action is unknown"),
    }
}

/// Returns the finding that an object does not exist for some time, or no more if `if_destroyed`.
fn interruption(subject: &Subject<'_, '_>, if_destroyed: bool) -> Option<FindingText> {
    let may_come_back = subject.outcome == ObjectOutcome::Unknown && !subject.after.is_null();
    if may_come_back {
        return Some(FindingText::destroyed(
            "may be destroyed: its action is unknown",
        ));
    }
    match subject.outcome {
        ObjectOutcome::DestroyedThenCreated => Some(FindingText {
            effect: Effect::DestroyedFirst,
            ..FindingText::new("destroyed before its replacement is created")
        }),
        ObjectOutcome::Destroyed | ObjectOutcome::Unknown if if_destroyed => {
            Some(FindingText::destroyed("destroyed"))
        }
        ObjectOutcome::Created
        | ObjectOutcome::Updated
        | ObjectOutcome::CreatedThenDestroyed
        | ObjectOutcome::Forgotten
        | ObjectOutcome::Destroyed
        | ObjectOutcome::Unknown => None,
    }
}

/// An object with what describes it at the place where rules look: the `manifest` of an imported object is null in the state,
/// but its `object` is the same.
pub(in crate::review) fn described<'w>(
    resource_type: &str,
    object: MarkedValue<'w>,
    build: Builder<'w, 'w>,
) -> MarkedValue<'w> {
    let is_missing = object
        .get("manifest")
        .is_some_and(|manifest| manifest.is_null());
    let (Some(members), Some(described)) = (object.as_object(), object.get("object")) else {
        return object;
    };
    let is_meant = resource_type == "kubernetes_manifest" && is_missing && !object.is_hidden;
    if !is_meant || described.as_object().is_none() {
        return object;
    }
    let members: Vec<_> = members
        .iter()
        .map(|(name, value)| match *name {
            "manifest" => (*name, described),
            _ => (*name, *value),
        })
        .collect();
    build.known(Content::Object(build.arena().alloc_slice_copy(&members)))
}

/// The text of a finding, with everything else that the test of a rule determines about it.
struct FindingText {
    /// The event in words, on one line, without the address of the object.
    text: String,
    /// The level and weight, if they are not those of the rule.
    grade: Option<(Level, u8)>,
    /// The event for programs.
    effect: Effect,
    /// The statement that the finding is about, if it is about a policy.
    statement: Option<StatementPlace>,
}

/// The position of a statement in the list of a policy.
#[derive(Clone, Copy)]
struct StatementPlace {
    side: Side,
    index: usize,
    /// The number of statements in the list.
    len: usize,
}

impl StatementPlace {
    /// Returns the steps from the text with the policy to the statement.
    fn steps(self) -> [PathStep<'static>; 3] {
        let Self { index, len, .. } = self;
        [
            PathStep::Document(Format::Json),
            PathStep::Name(Policy::STATEMENTS),
            PathStep::Element(ElementStep {
                index,
                len,
                name: None,
            }),
        ]
    }
}

impl FindingText {
    /// Creates a text with the level and weight of the rule, and without an effect.
    fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            grade: None,
            effect: Effect::Other,
            statement: None,
        }
    }

    /// Creates the text of a finding that the sign of a destroyed object says already.
    fn destroyed(text: &str) -> Self {
        Self {
            effect: Effect::Destroyed,
            ..Self::new(text)
        }
    }
}

/// A function that receives a finding, with the path and the side of the value that proves it.
type Add<'f, 'w> = &'f mut dyn FnMut(&[PathStep<'w>], Side, FindingText);

/// Returns the values that show how grave the loss of an object is.
fn details(subject: &Subject<'_, '_>, show: List<'_>) -> Vec<NamedValue> {
    let mut details = Vec::new();
    for pattern in show.iter().filter_map(|path| Pattern::parse(path).ok()) {
        if let Some(text) = only(&pattern, subject.before, subject.documents)
            && !text.is_empty()
        {
            details.push(NamedValue {
                name: pattern.label(),
                value: short(text),
            });
        }
    }
    details
}

/// Returns the text of the value that a pattern leads to; `None` if there are several, or none.
fn only<'w>(
    pattern: &Pattern<'_>,
    root: MarkedValue<'w>,
    documents: &Documents<'w>,
) -> Option<&'w str> {
    let (mut places, mut text) = (0, None);
    pattern.visit(root, documents, &mut |matched| {
        places += 1;
        text = readable(matched.value);
    });
    text.filter(|_| places == 1)
}

/// Returns a text of a finding with masks for credentials. Findings are never masked because of copies: only what is a
/// credential itself is hidden.
fn without_credentials(text: String) -> String {
    Masks::default()
        .text(&text, None, Known::default())
        .unwrap_or(text)
}

/// The maximum length of a value in the text of a finding, in characters.
const MAX_VALUE_LEN: usize = 200;

/// Returns a value for the text of a finding: without credentials, and cut if it is long.
fn short(text: &str) -> String {
    // A part of a credential would no longer be recognized as one, so it is masked before the cut.
    let text = &*without_credentials(text.to_owned());
    match text.char_indices().nth(MAX_VALUE_LEN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
