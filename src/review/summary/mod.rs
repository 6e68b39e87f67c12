//! What an object is, on one line: `main, postgres 16.4, db.r6g.large, 200 GB gp3, encrypted, multi_az`.
//!
//! A summary says what the author wrote: the attributes that the configuration gives, if it is known, those that the
//! schema requires, and those of a table of what matters. Values that are likely to be defaults are left out. Invariants: nothing sensitive, and
//! nothing that may be a secret, is part of it; what it leaves out is counted; the work is bounded.

mod flat;
mod table;

use std::cmp::Reverse;
use std::collections::HashMap;

use self::flat::Leaf;
use self::table::{Aspect, Form, aspect, may_be_secret};
use super::access::bare;
use super::count;
use super::entry::{Entry, Given};
use super::text::{name, short};
use super::weight::{Weight, is_identifier};
use crate::diff::value::{Content, MarkedValue};
use crate::schema::Position;
use crate::text::cut;

/// The maximum number of items.
const MAX_ITEMS: usize = 9;
/// The number of items for which attributes are used that say nothing known about the object.
const FEW_ITEMS: usize = 3;
/// The maximum length of a value, in characters.
const MAX_LEN: usize = 60;
/// The maximum number of elements of a list.
const MAX_ELEMENTS: usize = 3;
/// The maximum number of sources of an unknown value.
const MAX_SOURCES: usize = 3;

/// What a summary is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'s, 'a> {
    pub(super) resource_type: &'s str,
    /// The last name in its address: a name that says the same is left out.
    pub(super) known_as: &'s str,
    /// What the configuration gives, if it is known.
    pub(super) given: &'s [Given<'a>],
    /// Its schema: what that requires, the author wrote.
    pub(super) schema: Position<'a>,
    /// Whether nothing but what the table knows is said.
    pub(super) is_brief: bool,
}

impl<'s, 'a> Subject<'s, 'a> {
    /// The object of an entry.
    pub(super) fn of(entry: &'s Entry<'a>) -> Self {
        Self {
            resource_type: entry.resource_type,
            known_as: entry.index.as_str().unwrap_or(entry.name),
            given: &entry.given,
            schema: entry.schema,
            is_brief: false,
        }
    }
}

/// An item of a summary.
struct Item {
    order: (Aspect, bool, usize),
    text: String,
}

/// A summary in two parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// What the object is.
    pub(super) text: String,
    /// What the text leaves out, in numbers.
    rest: String,
}

impl Summary {
    /// Both parts.
    pub(super) fn whole(self) -> String {
        match (&*self.text, &*self.rest) {
            (_, "") => self.text,
            ("", _) => self.rest,
            (text, rest) => format!("{text} (+ {rest})"),
        }
    }
}

/// The summary of an object; attributes that are shown elsewhere are not part of it.
pub(super) fn summary(
    object: MarkedValue<'_>,
    subject: Subject<'_, '_>,
    is_shown_elsewhere: &dyn Fn(&str) -> bool,
) -> Summary {
    let members = object.as_object().unwrap_or_default();
    let tags = object.get("tags");
    let given: HashMap<&str, &[&str]> =
        subject.given.iter().map(|given| (given.attribute, given.sources)).collect();
    let mut rest = Rest::default();
    let mut items: Vec<Item> = Vec::new();
    let mut leaves: Vec<Leaf<'_>> = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    for (root, value) in members {
        if value.is_null() || is_shown_elsewhere(root) || (*root == "tags_all" && tags == Some(*value)) {
            continue;
        }
        match given.get(root) {
            Some(sources) if !sources.is_empty() && value.has_unknown() => {
                items.push(referenced(subject.resource_type, root, sources));
                rest.add_known(*value);
            }
            _ => {
                if value.has_unknown() && !is_identifier(root) {
                    unknown.push(root);
                }
                flat::leaves(root, *value, &mut leaves, &mut rest);
            }
        }
    }
    let is_said = members.iter().any(|(root, value)| !value.is_null() && is_shown_elsewhere(root));
    let shown = choose(&leaves, subject, &given, is_said, &mut rest);
    items.extend(joined(&shown));
    crate::sort::by_key(&mut items, |item| item.order);
    if items.len() > MAX_ITEMS {
        let more = items.split_off(MAX_ITEMS);
        rest.others += more.len();
    }
    let items: Vec<String> = items.into_iter().map(|item| item.text).collect();
    if items.is_empty() && !unknown.is_empty() && rest.others == 0 && rest.sensitive == 0 {
        let names: Vec<String> = unknown.iter().take(MAX_SOURCES).map(|root| name(root)).collect();
        let more = rest.unknown.saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Summary {
            text: format!("{}{more} known after apply", names.join(", ")),
            rest: String::new(),
        };
    }
    Summary { text: items.join(", "), rest: rest.text(items.is_empty()) }
}

/// An attribute that is known only after apply, with what it comes from: `role <- aws_iam_role.app.name`.
fn referenced(resource_type: &str, root: &str, sources: &[&str]) -> Item {
    let (aspect, _, at) = aspect(resource_type, &[root]).unwrap_or((Aspect::Other, Form::Named, 0));
    let texts = more_of(sources.iter().map(|text| cut(text, 200)), MAX_SOURCES);
    Item { order: (aspect, true, at), text: format!("{} <- {}", name(root), texts.join(" and ")) }
}

/// A leaf that is part of the summary.
struct Chosen<'l, 'v> {
    leaf: &'l Leaf<'v>,
    aspect: Aspect,
    form: Form,
    at: usize,
}

/// The leaves that the summary shows; the others are counted.
fn choose<'l, 'v>(
    leaves: &'l [Leaf<'v>],
    subject: Subject<'_, '_>,
    given: &HashMap<&str, &[&str]>,
    is_said_elsewhere: bool,
    rest: &mut Rest,
) -> Vec<Chosen<'l, 'v>> {
    let is_required = |leaf: &Leaf<'_>| subject.schema.member(leaf.root()).is_required();
    let is_configured = |leaf: &Leaf<'_>| given.contains_key(leaf.root()) || is_required(leaf);
    let mut chosen: Vec<Chosen<'l, 'v>> = Vec::new();
    let mut others: Vec<&'l Leaf<'v>> = Vec::new();
    for leaf in leaves {
        if leaf.path.iter().any(|name| may_be_secret(name)) || leaf.may_hold_secret() {
            rest.others += leaf.size();
            continue;
        }
        let known = aspect(subject.resource_type, &leaf.path);
        match known {
            Some((aspect, form, at))
                if is_said(leaf, aspect, form, is_configured(leaf), given.is_empty()) =>
            {
                // What the address says already.
                if aspect == Aspect::Identity && leaf.value.as_str() == Some(subject.known_as) {
                    rest.others += 1;
                } else {
                    chosen.push(Chosen { leaf, aspect, form, at });
                }
            }
            Some(_) => rest.others += leaf.size(),
            None => others.push(leaf),
        }
    }
    // The name of a role says what its ID does.
    if chosen.iter().any(|one| one.leaf.name() == "role_definition_name") {
        let number = chosen.len();
        chosen.retain(|one| one.leaf.name() != "role_definition_id");
        rest.others += number - chosen.len();
    }
    // A second name says little: at most two.
    let identities = chosen.iter().enumerate().filter(|(_, one)| one.aspect == Aspect::Identity);
    let mut dropped: Vec<usize> = identities.map(|(at, _)| at).collect();
    crate::sort::by_key(&mut dropped, |at| chosen[*at].at);
    let mut texts: Vec<Option<&str>> = Vec::new();
    dropped.retain(|at| {
        let text = chosen[*at].leaf.value.as_str();
        let is_dropped = texts.len() >= 2 || texts.contains(&text);
        texts.extend((!is_dropped).then_some(text));
        is_dropped
    });
    rest.others += dropped.len();
    let mut places = 0..;
    chosen.retain(|_| places.next().is_some_and(|at| !dropped.contains(&at)));
    crate::sort::by_key(&mut others, |leaf| {
        let is_given = given.contains_key(leaf.root());
        Reverse((is_given, is_required(leaf), Weight::from_name(leaf.name()), !is_own_id(leaf)))
    });
    for leaf in others {
        let is_enough = chosen.len() >= if is_configured(leaf) { MAX_ITEMS } else { FEW_ITEMS };
        let is_light = Weight::from_name(leaf.root()) == Weight::Light || is_identifier(leaf.name());
        let is_shown = !subject.is_brief
            && (is_configured(leaf) || (given.is_empty() && !leaf.is_like_a_default()))
            && !is_enough
            && !(is_light && (is_said_elsewhere || chosen.iter().any(|one| says_more(one.leaf, leaf))));
        if is_shown && (leaf.is_short() || leaf.lines().is_some()) {
            let form =
                if matches!(leaf.value.content, Content::Bool(true)) { Form::Flag } else { Form::Named };
            chosen.push(Chosen { leaf, aspect: Aspect::Other, form, at: chosen.len() });
        } else {
            rest.others += leaf.size();
        }
    }
    chosen
}

/// Whether an attribute is the identifier of the object itself, rather than of one that it belongs to.
fn is_own_id(leaf: &Leaf<'_>) -> bool {
    matches!(*leaf.path, ["id" | "arn"])
}

/// Whether an attribute makes a light one needless. An object that has nothing but identifiers joins others.
fn says_more(leaf: &Leaf<'_>, light: &Leaf<'_>) -> bool {
    !is_identifier(leaf.name()) || !is_identifier(light.name()) || is_own_id(light)
}

/// Whether an attribute that the table knows is said: what the author wrote, and what is not like a default.
fn is_said(leaf: &Leaf<'_>, aspect: Aspect, form: Form, is_configured: bool, is_unconfigured: bool) -> bool {
    if !leaf.is_short() {
        return false;
    }
    match (aspect, form) {
        (_, Form::Encrypted) => true,
        (Aspect::Identity, _) => leaf.value.as_str().is_none_or(is_a_name),
        (_, Form::Flag) => matches!(leaf.value.content, Content::Bool(true)) || is_configured,
        _ => is_configured || (is_unconfigured && !leaf.is_like_a_default()),
    }
}

/// Whether a text is a name, rather than `/` or a random ID.
fn is_a_name(text: &str) -> bool {
    let is_random = text.len() >= 32 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    text.len() > 1 && !is_random
}

/// The items of these attributes. What belongs together is one item: `postgres 16.4`, `200 GB gp3`.
fn joined(chosen: &[Chosen<'_, '_>]) -> Vec<Item> {
    const JOINED: [(&str, &str); 6] = [
        ("engine", "engine_version"),
        ("chart", "version"),
        ("allocated_storage", "storage_type"),
        ("volume_size", "volume_type"),
        ("size", "type"),
        ("disk_size_gb", "storage_account_type"),
    ];
    const IMAGE: [&str; 4] = ["publisher", "offer", "sku", "version"];
    let find = |name: &str, beside: &Chosen<'_, '_>| {
        chosen.iter().position(|other| {
            other.leaf.name() == name
                && other.leaf.blocks() == beside.leaf.blocks()
                && !std::ptr::eq(other, beside)
        })
    };
    let mut used: Vec<usize> = Vec::new();
    let mut items = Vec::new();
    for (at, one) in chosen.iter().enumerate() {
        let mut text = written(one);
        let own = one.leaf.name();
        let second = JOINED.iter().filter(|(first, _)| *first == own);
        let second = second.filter(|_| own != "size" || one.form == Form::Gigabytes);
        for found in second.filter_map(|(_, second)| find(second, one)) {
            text.push(' ');
            text.push_str(&value_text(&chosen[found]));
            used.push(found);
        }
        if own == "name"
            && let Some(namespace) = find("namespace", one)
        {
            text = format!("{}/{text}", value_text(&chosen[namespace]));
            used.push(namespace);
        }
        // The parts of the name of an image.
        if one.leaf.blocks().last() == Some(&"source_image_reference") {
            let parts: Vec<usize> = IMAGE
                .iter()
                .filter_map(|part| if *part == own { Some(at) } else { find(part, one) })
                .collect();
            if parts.iter().min() == Some(&at) {
                let texts: Vec<String> = parts.iter().map(|part| value_text(&chosen[*part])).collect();
                text = texts.join(" ");
                used.extend(parts.into_iter().filter(|part| *part != at));
                items.push((at, Item { order: (Aspect::Image, false, 0), text }));
                continue;
            }
        }
        items.push((at, Item { order: (one.aspect, false, one.at), text }));
    }
    items.into_iter().filter(|(at, _)| !used.contains(at)).map(|(_, item)| item).collect()
}

/// An attribute in words.
fn written(chosen: &Chosen<'_, '_>) -> String {
    let own = chosen.leaf.label();
    let is_true = matches!(chosen.leaf.value.content, Content::Bool(true));
    let is_bool = matches!(chosen.leaf.value.content, Content::Bool(_));
    match chosen.form {
        Form::Encrypted if is_bool => if is_true { "encrypted" } else { "not encrypted" }.to_owned(),
        Form::Flag if is_true => own,
        Form::Bare if !is_bool => value_text(chosen),
        Form::Gigabytes | Form::Megabytes if matches!(chosen.leaf.value.content, Content::Number(_)) => {
            value_text(chosen)
        }
        Form::On => format!("on {}", value_text(chosen)),
        Form::For => format!("for {}", value_text(chosen)),
        Form::Bare | Form::Named | Form::Flag | Form::Encrypted | Form::Gigabytes | Form::Megabytes => {
            match chosen.leaf.lines() {
                Some(lines) => format!("{own} of {}", count(lines, "line")),
                None => format!("{own} = {}", text(chosen.leaf.value)),
            }
        }
    }
}

/// The value of an attribute, with its unit.
fn value_text(chosen: &Chosen<'_, '_>) -> String {
    let value = text(chosen.leaf.value);
    match (chosen.form, chosen.leaf.value.content) {
        (Form::Gigabytes, Content::Number(_)) => format!("{value} GB"),
        (Form::Megabytes, Content::Number(_)) => format!("{value} MB"),
        // A name that reads like another part of the summary.
        (Form::Bare, Content::String(text)) if reads_like_a_flag(text) => crate::text::quote(text),
        _ => value,
    }
}

fn reads_like_a_flag(text: &str) -> bool {
    text.ends_with("encrypted") || matches!(aspect("", &[text]), Some((_, Form::Flag, _)))
}

/// A scalar or a short list, without quotes where the text is plain.
fn text(value: MarkedValue<'_>) -> String {
    match value.as_array() {
        Some([only]) => text(*only),
        Some(items) => {
            format!("[{}]", more_of(items.iter().map(|item| text(*item)), MAX_ELEMENTS).join(", "))
        }
        None => value.as_str().map_or_else(|| short(value, MAX_LEN), |found| bare(&shortened(found))),
    }
}

/// The first texts, and the number of others.
fn more_of(mut texts: impl Iterator<Item = String>, limit: usize) -> Vec<String> {
    let mut first: Vec<String> = texts.by_ref().take(limit).collect();
    let more = texts.count();
    first.extend((more > 0).then(|| format!("{more} more")));
    first
}

/// A text without its middle if it is long: paths and ARNs are told by both ends.
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_LEN {
        return text.to_owned();
    }
    let first: String = text.chars().take(MAX_LEN / 3).collect();
    let last: String = text.chars().skip(length - MAX_LEN / 2).collect();
    format!("{first}…{last}")
}

/// What a summary does not show.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    others: usize,
    unknown: usize,
    sensitive: usize,
}

impl Rest {
    /// Counts the known parts of a value.
    fn add_known(&mut self, value: MarkedValue<'_>) {
        match value.content {
            Content::Null | Content::Unknown => {}
            Content::Redacted => self.sensitive += 1,
            Content::Bool(_) | Content::Number(_) | Content::String(_) => self.others += 1,
            Content::Array(_) | Content::Object(_) => {
                value.children().for_each(|child| self.add_known(child));
            }
        }
    }

    /// Counts a value.
    fn add(&mut self, value: MarkedValue<'_>) {
        match value.content {
            Content::Unknown => self.unknown += 1,
            Content::Array([]) | Content::Object([]) => self.others += 1,
            Content::Array(_) | Content::Object(_) => value.children().for_each(|child| self.add(child)),
            Content::Null | Content::Redacted => self.add_known(value),
            Content::Bool(_) | Content::Number(_) | Content::String(_) => self.add_known(value),
        }
    }

    fn text(self, is_all: bool) -> String {
        let mut texts = Vec::new();
        if self.others > 0 {
            texts.push(count(self.others, if is_all { "value" } else { "more value" }));
        }
        if self.sensitive > 0 {
            texts.push(format!("{} sensitive", self.sensitive));
        }
        if self.unknown > 0 {
            texts.push(format!("{} known after apply", self.unknown));
        }
        texts.join(", ")
    }
}
