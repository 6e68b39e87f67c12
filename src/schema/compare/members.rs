//! Compares the attributes and blocks of two schemas.

use super::{Comparison, Severity};
use crate::schema::catalog::{Form, Member, Usage};
use crate::schema::check::joined;

impl Comparison<'_, '_, '_> {
    /// Compares the members of a block. `settable` says whether a configuration can set them.
    pub(super) fn members(&mut self, old: &[Member<'_>], new: &[Member<'_>], path: &str, settable: bool) {
        for member in old {
            let below = joined(path, member.name);
            match find(new, member) {
                Some(now) => self.member(member, now, &below, settable),
                None => self.add(Severity::Breaking, &below, format!("{} removed", noun(member))),
            }
        }
        for member in new {
            if find(old, member).is_some() {
                continue;
            }
            let usage = usage(member, settable);
            let severity =
                if settable && usage == Usage::Required { Severity::Breaking } else { Severity::Fine };
            let words = usage.words();
            let what = if words.is_empty() { "added".to_owned() } else { format!("added, {words}") };
            self.add(severity, &joined(path, member.name), format!("{} {what}", noun(member)));
        }
    }

    fn member(&mut self, old: &Member<'_>, new: &Member<'_>, path: &str, settable: bool) {
        self.deprecation(old.about.deprecated, new.about.deprecated, path);
        let (before, after) = (shape(old), shape(new));
        if before != after {
            self.add(Severity::Breaking, path, format!("type {before} -> {after}"));
            return;
        }
        let usages = (usage(old, settable), usage(new, settable));
        let bounds = old.is_block() && new.is_block();
        if settable && !bounds {
            self.usage(usages, path);
        }
        if settable {
            self.limits(old, new, path);
        }
        self.flags(old, new, path);
        let settable = settable && (new.is_block() || usages.1.is_settable() || usages.0.is_settable());
        self.members(&old.members, &new.members, path, settable);
    }

    fn usage(&mut self, (old, new): (Usage, Usage), path: &str) {
        let severity = match (old, new) {
            _ if old == new => return,
            (_, Usage::Required) => Severity::Breaking,
            (
                Usage::Required | Usage::Optional | Usage::OptionalComputed,
                Usage::Computed | Usage::Unstated,
            ) => Severity::Breaking,
            // A value that the provider used to set is now null unless the user sets it.
            (Usage::OptionalComputed | Usage::Computed, Usage::Optional) => Severity::Perhaps,
            (
                Usage::Required
                | Usage::Optional
                | Usage::Computed
                | Usage::Unstated
                | Usage::OptionalComputed,
                Usage::Optional | Usage::OptionalComputed,
            )
            | (Usage::Computed | Usage::Unstated, Usage::Computed | Usage::Unstated) => Severity::Fine,
        };
        let word = |usage: Usage| if usage.words().is_empty() { "unstated" } else { usage.words() };
        self.add(severity, path, format!("{} -> {}", word(old), word(new)));
    }

    fn limits(&mut self, old: &Member<'_>, new: &Member<'_>, path: &str) {
        let min = |member: &Member<'_>| member.min_items.unwrap_or(0);
        let (before, after) = (min(old), min(new));
        if after > before {
            self.add(Severity::Breaking, path, format!("min_items {before} -> {after}"));
        } else if after < before {
            self.add(Severity::Fine, path, format!("min_items {before} -> {after}"));
        }
        // Zero means no limit.
        let max = |member: &Member<'_>| member.max_items.filter(|max| *max > 0);
        let word = |max: Option<u64>| max.map_or_else(|| "none".to_owned(), |max| max.to_string());
        let (before, after) = (max(old), max(new));
        if before != after {
            let tighter = match (before, after) {
                (None, Some(_)) => true,
                (Some(before), Some(after)) => after < before,
                (Some(_) | None, None) => false,
            };
            let severity = if tighter { Severity::Breaking } else { Severity::Fine };
            self.add(severity, path, format!("max_items {} -> {}", word(before), word(after)));
        }
    }

    fn flags(&mut self, old: &Member<'_>, new: &Member<'_>, path: &str) {
        match (old.sensitive, new.sensitive) {
            // Outputs that use the value must now be marked as sensitive.
            (false, true) => self.add(Severity::Perhaps, path, "sensitive"),
            (true, false) => self.add(Severity::Perhaps, path, "no longer sensitive: its value is shown"),
            (true, true) | (false, false) => {}
        }
        match (old.write_only, new.write_only) {
            (false, true) => self.add(Severity::Breaking, path, "write-only: its value cannot be read"),
            (true, false) => self.add(Severity::Perhaps, path, "no longer write-only: its value is stored"),
            (true, true) | (false, false) => {}
        }
        if old.default != new.default {
            let word = |default: Option<&str>| default.unwrap_or("none").to_owned();
            let what = format!("default {} -> {}", word(old.default), word(new.default));
            self.add(Severity::Perhaps, path, what);
        }
    }
}

/// The member with the same name. `members` must be sorted by name.
fn find<'m, 'a>(members: &'m [Member<'a>], wanted: &Member<'_>) -> Option<&'m Member<'a>> {
    let at = members.binary_search_by(|member| member.name.cmp(wanted.name)).ok()?;
    members.get(at)
}

fn noun(member: &Member<'_>) -> &'static str {
    match member.form {
        Form::Attribute | Form::NestedAttribute(_) | Form::ObjectAttribute => "attribute",
        Form::Block(_) => "block",
    }
}

/// The type in words, without the limits on the number of blocks.
fn shape(member: &Member<'_>) -> String {
    let words = member.type_words();
    if member.is_block() { words.split(',').next().unwrap_or_default().to_owned() } else { words }
}

/// The usage of a member. Attributes of an object type are required wherever the object is set, unless
/// they are optional.
fn usage(member: &Member<'_>, settable: bool) -> Usage {
    match (member.form, member.usage) {
        (Form::ObjectAttribute, Usage::Unstated) if settable => Usage::Required,
        (Form::ObjectAttribute, Usage::Unstated) => Usage::Computed,
        (_, usage) => usage,
    }
}
