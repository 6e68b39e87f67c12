//! Firewall rules: AWS security groups and network ACLs, Google firewalls, Azure network security groups.
//!
//! A rule is a block of a resource, or a resource of its own.

use std::collections::HashMap;

use super::rule::{Field, Rule};
use super::{AccessChange, AccessLine, Part, Title, fits};
use crate::access::{Shape, names, shape};
use crate::diff::edits::{Edit, Label};
use crate::diff::value::MarkedValue;
use crate::report::Sign;
use crate::review::pairs::Pairs;
use crate::review::text::root_name;

/// The labels that the lines of rules show. The providers define rules as sets, so their order is insignificant even
/// where no schema proves it, and an empty value equals a missing one.
const SHOWN: [Label; 4] = [Label::Case, Label::Moved, Label::Order, Label::Empty];

/// The changed rules of a resource, in place of its edits.
pub(super) fn changes<'a>(
    resource_type: &str,
    edits: &[Edit<'a>],
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
) -> Vec<AccessChange<'a>> {
    let Some(shape) = shape(resource_type) else { return Vec::new() };
    let edited = |is_own: &dyn Fn(&str) -> bool| {
        let own = edits.iter().enumerate().filter(|(_, edit)| is_own(root_name(edit)));
        let all_fit = own.clone().all(|(_, edit)| fits(edit, &SHOWN));
        let (mut attributes, places): (Vec<&'a str>, Vec<usize>) =
            own.map(|(at, edit)| (root_name(edit), at)).unzip();
        attributes.dedup();
        (all_fit && !places.is_empty()).then_some((attributes, places))
    };
    match shape {
        Shape::Blocks(blocks, table) => {
            let list = |(name, is_egress): &(&str, bool)| {
                let found = edited(&|root| root == *name)?;
                let (old, new) = (before.get(name), after.get(name));
                let make = |item| Rule::from_block(item, table, *is_egress);
                let mut lines = compared(list(old)?, list(new)?, &make)?;
                let own = found.1.iter().filter_map(|at| edits.get(*at));
                let is_rule = |edit: &&Edit<'_>| edit.path.len() == 2 && edit.labels.contains(Label::Moved);
                let moved = own.filter(is_rule).count();
                if moved > 0 && !lines.is_empty() {
                    let what = crate::review::count(moved, "other place");
                    let remark = format!("{what} in the list, which is not significant: the rules are a set");
                    lines.push(AccessLine::new(0, Sign::Note, vec![Part::Remark(remark)]));
                }
                AccessChange::new(found.0, found.1, Title::Attributes, lines)
            };
            blocks.iter().filter_map(list).collect()
        }
        Shape::Rule(table, is_egress) => {
            let rule = || {
                let found = edited(&|root| names(table).any(|name| name == root))?;
                let old = Rule::new(before, table, is_egress, false)?;
                let new = Rule::new(after, table, is_egress, false)?;
                AccessChange::new(found.0, found.1, Title::Attributes, old.changed(&new))
            };
            rule().into_iter().collect()
        }
    }
}

/// The rules of a resource that is created or destroyed.
pub(super) fn whole<'a>(
    resource_type: &str,
    (before, after): (MarkedValue<'_>, MarkedValue<'_>),
) -> Vec<AccessChange<'a>> {
    let (object, sign) = if before.is_null() { (after, Sign::Add) } else { (before, Sign::Remove) };
    match shape(resource_type) {
        None => Vec::new(),
        Some(Shape::Blocks(blocks, table)) => {
            let of = |(name, is_egress): &(&'static str, bool)| {
                let rules = list(object.get(name))?.iter();
                let lines = rules.map(|item| Some(Rule::from_block(*item, table, *is_egress)?.line(sign)));
                AccessChange::new(vec![*name], Vec::new(), Title::Attributes, lines.collect::<Option<_>>()?)
            };
            blocks.iter().filter_map(of).collect()
        }
        Some(Shape::Rule(table, is_egress)) => {
            let rule = Rule::new(object, table, is_egress, false);
            let lines = rule.iter().map(|rule| rule.line(sign)).collect();
            let found = AccessChange::new(names(table).collect(), Vec::new(), Title::None, lines);
            found.into_iter().collect()
        }
    }
}

/// The blocks of a list; `None` if the list is unknown or has sensitive parts.
fn list(value: Option<MarkedValue<'_>>) -> Option<&[MarkedValue<'_>]> {
    match value.filter(|value| !value.is_null()) {
        None => Some(&[]),
        Some(value) if value.has_marks => None,
        Some(value) => value.as_array(),
    }
}

/// The changes between two lists of rules; `None` if a rule has attributes that a line cannot show.
fn compared<'w>(
    old: &[MarkedValue<'w>],
    new: &[MarkedValue<'w>],
    make: &dyn Fn(MarkedValue<'w>) -> Option<Rule<'w>>,
) -> Option<Vec<AccessLine>> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(|at| old.get(at), |at| new.get(at));
    let equal = pairs.pairs().count();
    let (removed, added) = pairs.alone();
    // Equal rules need not be parsed.
    let read = |places: Vec<usize>, items: &[MarkedValue<'w>]| -> Option<HashMap<usize, Rule<'w>>> {
        places.into_iter().map(|at| Some((at, make(*items.get(at)?)?))).collect()
    };
    let (old, new, is_empty) = (read(removed, old)?, read(added, new)?, new.is_empty());
    let keys: [&[Field]; 6] = [
        &[Field::Name, Field::Number],
        &[Field::Name],
        &[Field::Verdict, Field::Direction, Field::Access, Field::Note],
        &[Field::Verdict, Field::Direction, Field::From, Field::To, Field::Note],
        &[Field::Verdict, Field::Direction, Field::Access],
        &[Field::Number],
    ];
    for fields in keys {
        let key = |rules: &HashMap<usize, Rule<'_>>, at: usize| {
            let rule = rules.get(&at)?;
            let key: Vec<Vec<String>> = fields.iter().map(|field| rule.items(*field).texts.clone()).collect();
            let names_it = |field: &Field| matches!(field, Field::Name | Field::Number);
            let is_named = !fields.iter().any(names_it) || key.iter().all(|texts| !texts.is_empty());
            is_named.then_some(key)
        };
        pairs.join(|at| key(&old, at), |at| key(&new, at));
    }
    let (removed, added) = pairs.alone();
    let mut lines = Vec::new();
    lines.extend(removed.iter().filter_map(|at| old.get(at)).map(|rule| rule.line(Sign::Remove)));
    for (from, to) in pairs.pairs() {
        if let (Some(old), Some(new)) = (old.get(&from), new.get(&to)) {
            lines.extend(old.changed(new));
        }
    }
    lines.extend(added.iter().filter_map(|at| new.get(at)).map(|rule| rule.line(Sign::Add)));
    if equal > 0 && !lines.is_empty() {
        let remark = crate::review::count(equal, "other rule");
        let stay = if equal == 1 { "stays" } else { "stay" };
        lines.push(AccessLine::new(0, Sign::Note, vec![Part::Remark(format!("{remark} {stay}"))]));
    } else if is_empty && !lines.is_empty() {
        lines.push(AccessLine::new(0, Sign::Note, vec![Part::Alert("now empty".to_owned())]));
    }
    Some(lines)
}
