//! The directions that rows of knowledge give to an object and to its attributes.
//!
//! A rule says when the change of a value is grave. It is asked twice: once as the plan has it, and once with the sides
//! exchanged. So each row gives both directions, and a plan that is turned round has the reverse of each.
//!
//! ```text
//! backup_retention_period = { guard = "days" }
//!
//! 7 -> 1    Judgement { place: ["backup_retention_period"], directions: weaker }
//! 1 -> 7    Judgement { place: ["backup_retention_period"], directions: stronger }
//! ```

use std::collections::HashSet;

use super::places::RuleTest;
use super::rule::{Rule, Trigger, applies};
use super::{ObjectOutcome, Subject, apply};
use crate::direction::{Direction, Directions, Meaning};
use crate::knowledge::Condition;
use crate::meaning::{PlaceStep, RowJudgement};
use crate::review::entry::{FindingKind, RuleOrigin};
use crate::review::value_path::{PathStep, Side};

/// Returns the direction of what a finding of a kind says; `None` for a kind that says nothing about what happens.
pub(in crate::review) fn direction_of(kind: FindingKind) -> Direction {
    match kind {
        FindingKind::DataLoss => Direction::Loses,
        FindingKind::Downtime => Direction::Stops,
        FindingKind::Exposure | FindingKind::Secret => Direction::Wider,
        FindingKind::Protection => Direction::Weaker,
        FindingKind::Unknown => Direction::Unknown,
    }
}

/// Returns what rules say of the values of an object that changes. `changed` has the attributes with edits: rules about
/// others are not asked.
pub(in crate::review) fn of_values<'w>(
    subject: &Subject<'_, 'w>,
    rules: &[Rule<'_>],
    changed: &HashSet<&str>,
) -> Vec<RowJudgement<'w>> {
    if subject.before.is_null() || subject.after.is_null() {
        return Vec::new();
    }
    let forward = Subject {
        outcome: ObjectOutcome::Updated,
        ..*subject
    };
    let back = Subject {
        before: subject.after,
        after: subject.before,
        left: None,
        ..forward
    };
    let mut judgements: Vec<RowJudgement<'w>> = Vec::new();
    let (mut stated, mut without_order) = (Vec::new(), Vec::new());
    for (index, rule) in rules.iter().enumerate() {
        let Trigger::Values(values) = &rule.trigger else {
            continue;
        };
        // A found file may be part of the change under review: it could call an edit stronger that nobody judges.
        if rule.origin == RuleOrigin::Found {
            continue;
        }
        // The step between two versions says itself which one is later.
        if subject.excused.contains(&index)
            || values.is_about_versions()
            || !rule.asks_about(changed)
        {
            continue;
        }
        let meaning = values.meaning();
        let mut is_found = false;
        let mut add = |place: Vec<PlaceStep<'w>>, meaning: Meaning| {
            let known = judgements
                .iter_mut()
                .find(|judgement| judgement.place == place);
            match known {
                Some(judgement) => {
                    judgement.meaning = judgement.meaning.with(meaning);
                }
                None => judgements.push(RowJudgement { place, meaning }),
            }
        };
        apply(rule, &forward, &mut |path, side, _| {
            is_found = true;
            add(place(path, side), meaning);
        });
        if values.has_reverse() {
            apply(rule, &back, &mut |path, side, _| {
                let side = match side {
                    Side::Before => Side::After,
                    Side::After => Side::Before,
                };
                is_found = true;
                add(place(path, side), meaning.directions.reverse().into());
            });
        }
        if is_found {
            continue;
        }
        // The row knows the attribute, and this change of it is neither for the better nor for the worse.
        let test = RuleTest {
            subject: &forward,
            rule,
            values,
        };
        let list = if values.condition == Condition::Never {
            &mut stated
        } else {
            &mut without_order
        };
        test.changed(&mut |path, side, _| {
            list.push(RowJudgement {
                place: place(path, side),
                meaning,
            });
        });
    }
    // Where another row has an order for the value, or says what it is, that counts.
    add_missing(&mut judgements, stated);
    for judgement in &mut without_order {
        judgement.meaning = Direction::Another.into();
    }
    add_missing(&mut judgements, without_order);
    judgements
}

/// Adds the judgements of places that no other one is about.
fn add_missing<'w>(judgements: &mut Vec<RowJudgement<'w>>, more: Vec<RowJudgement<'w>>) {
    for judgement in more {
        if judgements
            .iter()
            .all(|known| known.place != judgement.place)
        {
            judgements.push(judgement);
        }
    }
}

/// Converts a path on one side to a place.
fn place<'w>(path: &[PathStep<'w>], side: Side) -> Vec<PlaceStep<'w>> {
    path.iter()
        .filter_map(|step| match (step, side) {
            (PathStep::Name(name), _) => Some(PlaceStep::Name(name)),
            (PathStep::Value(_), _) => Some(PlaceStep::Name("value")),
            (PathStep::Element(element) | PathStep::Line(element), Side::Before) => {
                Some(PlaceStep::Before(element.index))
            }
            (PathStep::Element(element) | PathStep::Line(element), Side::After) => {
                Some(PlaceStep::After(element.index))
            }
            (PathStep::Document(_), _) => None,
        })
        .collect()
}

/// Returns what the destruction of an object means if rules say that it is a grant; `None` if they do not.
pub(in crate::review) fn of_grant(rules: &[Rule<'_>]) -> Option<Directions> {
    let is_grant = rules
        .iter()
        .any(|rule| matches!(rule.trigger, Trigger::Granted));
    is_grant.then(|| Direction::Narrower.into())
}

/// Returns what rules say of an object as a whole that is destroyed; of one that is created, each direction is the
/// reverse.
pub(in crate::review) fn of_whole(subject: &Subject<'_, '_>, rules: &[Rule<'_>]) -> Directions {
    let object = if subject.before.is_null() {
        subject.after
    } else {
        subject.before
    };
    // What an object opens when it is created, it closes when it is destroyed.
    let created = Subject {
        outcome: ObjectOutcome::Created,
        before: subject.documents.build.null(),
        after: object,
        left: None,
        ..*subject
    };
    let mut directions = Directions::default();
    for (index, rule) in rules.iter().enumerate() {
        if subject.excused.contains(&index)
            || rule.origin == RuleOrigin::Found
            || !applies(&rule.only_if, object, &[], object)
        {
            continue;
        }
        match &rule.trigger {
            Trigger::Lost { .. } => directions.insert(Direction::Loses),
            Trigger::Interrupted { .. } => directions.insert(Direction::Stops),
            Trigger::Unguarded(guards) => {
                if guards.include(object, subject.documents) {
                    directions.insert(Direction::Weaker);
                }
            }
            Trigger::Values(values)
                if values.is_for_created && rule.kind == FindingKind::Exposure =>
            {
                apply(rule, &created, &mut |_, _, _| {
                    directions.insert(Direction::Narrower);
                });
            }
            Trigger::Invoked { .. } | Trigger::Granted | Trigger::Values(_) => {}
        }
    }
    directions
}
