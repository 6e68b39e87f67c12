//! Writes what an object is on one line: `main, postgres 16.4, db.r6g.large, 200 GB gp3, encrypted, multi_az`.
//!
//! A summary has the attributes that the configuration gives, if it is known; those that the schema requires; and those
//! in a table of attributes that matter. Values that are likely to be defaults are left out. Invariants: nothing that
//! is or may be sensitive is part of a summary; values that it leaves out are counted; the work is bounded.
//!
//! ```text
//! {"identifier": "main", "engine": "postgres", "engine_version": "16.4", "allocated_storage": 200, "storage_type": "gp3"}
//!
//! main, postgres 16.4, 200 GB gp3
//! ```

mod leaf;

use std::cmp::Reverse;
use std::collections::HashMap;

use self::leaf::{Leaf, add_leaves, aspect};
use super::access::bare;
use super::entry::{Entry, NamedValue, SubjectItem};
use super::inline::short;
use super::names::{Aspect, AttributeForm, ESSENTIAL, Weight, is_identifier};
use super::paths::name;
use super::{count, keys};
use crate::diff::value::{Content, MarkedValue};
use crate::text::cut;

/// The maximum number of items of a summary.
const MAX_ITEMS: usize = 9;
/// The number of items below which a summary also has attributes that are neither in the table nor configured.
const FEW_ITEMS: usize = 3;
/// The maximum length of a value, in characters.
const MAX_LEN: usize = 60;
/// The maximum number of elements of a list that are shown.
const MAX_ELEMENTS: usize = 3;
/// The maximum number of sources of an unknown value that are shown.
const MAX_SOURCES: usize = 3;

/// A part of a summary, with its order.
struct Item {
    /// The aspect, whether it is a reference to an unknown value, and the rank in the aspect.
    order: (Aspect, bool, usize),
    text: SubjectItem,
}

/// The values of an object that are shown elsewhere, and are therefore not part of its summary.
pub(super) struct Elsewhere<'e> {
    /// Whether the attribute with this name is shown.
    pub(super) shows: &'e dyn Fn(&str) -> bool,
    /// Whether a line says this value.
    pub(super) says: &'e dyn Fn(&str) -> bool,
}

/// What an object is, and how much of it that does not say.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// The items, the most important first.
    pub(super) items: Vec<SubjectItem>,
    /// The number of values that the author wrote and that no item says.
    pub(super) others: usize,
}

/// Returns the items that say what an object is. Attributes that are shown elsewhere are not part of it. A brief
/// summary has only attributes of the table.
pub(super) fn summary(
    object: MarkedValue<'_>,
    entry: &Entry<'_>,
    is_brief: bool,
    elsewhere: &Elsewhere<'_>,
) -> Summary {
    let tags = object.get("tags");
    let given: HashMap<&str, &[&str]> = entry
        .given
        .iter()
        .map(|given| (given.attribute, given.sources))
        .collect();
    let mut rest = Rest::default();
    let mut items: Vec<Item> = Vec::new();
    let mut leaves: Vec<Leaf<'_>> = Vec::new();
    let mut unknown: Vec<&str> = Vec::new();
    let mut is_said = false;
    let mut hidden = 0;
    let members = object.as_object().unwrap_or_default().iter();
    for (root, value) in members.filter(|(_, value)| !value.is_null()) {
        let sources = given.get(root).copied().unwrap_or_default();
        if (elsewhere.shows)(root) {
            is_said = true;
        } else if *root == "tags_all" && tags == Some(*value) {
            continue;
        } else if !sources.is_empty() && value.has_unknown() {
            items.push(referenced(entry, root, sources));
            rest.add(*value, false);
        } else {
            hidden += usize::from(value.is_hidden && given.contains_key(root));
            unknown.extend((value.has_unknown() && !is_identifier(root)).then_some(*root));
            add_leaves(
                entry.resource_type,
                &mut vec![root],
                *value,
                &mut leaves,
                &mut rest,
            );
        }
    }
    // What the author wrote is counted where it is not shown; what a provider adds need not be read.
    let number_written = |leaves: &[Leaf<'_>]| -> usize {
        let written = leaves.iter().filter(|leaf| given.contains_key(leaf.root()));
        written.map(Leaf::size).sum()
    };
    let written = number_written(&leaves) + hidden;
    let mut shown = choose(leaves, entry, &given, (is_brief, is_said), &mut rest);
    let mut others = written.saturating_sub(number_written(&shown));
    // A value that a key of the address or a line says is left out, and nothing that matters less takes its place.
    let address_keys = keys::of_address(entry.address);
    let number = shown.len();
    shown.retain(|leaf| {
        let says = |text: &str| is_in_a_key(text, &address_keys) || (elsewhere.says)(text);
        !leaf.value.as_str().is_some_and(says)
    });
    let says_all = shown.is_empty() && number > 0;
    items.extend(joined(&shown));
    items.sort_by_key(|item| item.order);
    let number = items.len();
    let items: Vec<SubjectItem> = items
        .into_iter()
        .enumerate()
        .filter(|(index, item)| *index < MAX_ITEMS || item.text.is_essential)
        .map(|(_, item)| item.text)
        .collect();
    rest.others += number - items.len();
    if !given.is_empty() {
        others += number - items.len();
    }
    if items.is_empty() && says_all {
        return Summary { items, others };
    }
    if items.is_empty() && !unknown.is_empty() && rest.others == 0 && rest.sensitive == 0 {
        let names: Vec<String> = unknown
            .iter()
            .take(MAX_SOURCES)
            .map(|root| name(root))
            .collect();
        let more = rest.unknown.saturating_sub(names.len());
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let text = format!("{}{more} known after apply", names.join(", "));
        return Summary {
            items: vec![SubjectItem::value(text)],
            others,
        };
    }
    if items.is_empty() && !is_brief {
        // The item counts them.
        let text = Some(rest.text()).filter(|text| !text.is_empty());
        return Summary {
            items: text.into_iter().map(SubjectItem::value).collect(),
            others: 0,
        };
    }
    Summary { items, others }
}

/// Returns the item of an attribute that is known after apply, with the references that give it:
/// `role <- aws_iam_role.app.name`.
fn referenced(entry: &Entry<'_>, root: &str, sources: &[&str]) -> Item {
    let known = aspect(entry.resource_type, &[root]);
    let (aspect, _, index) = known.unwrap_or((Aspect::Other, AttributeForm::Named, 0));
    let texts = sources
        .iter()
        .map(|text| cut(entry.within_module(text), 200));
    let texts = more_of(texts, MAX_SOURCES);
    Item {
        order: (aspect, true, index),
        text: SubjectItem {
            label: format!("{} <- ", name(root)),
            value: texts.join(" and "),
            is_essential: ESSENTIAL.contains(&root),
        },
    }
}

/// Returns the leaves that the summary shows. The others are counted in `rest`.
fn choose<'v>(
    leaves: Vec<Leaf<'v>>,
    entry: &Entry<'_>,
    given: &HashMap<&str, &[&str]>,
    (is_brief, is_said_elsewhere): (bool, bool),
    rest: &mut Rest,
) -> Vec<Leaf<'v>> {
    // A name that the address ends with is left out.
    let known_as = entry.index.as_str().unwrap_or(entry.name);
    let is_required = |leaf: &Leaf<'_>| entry.schema.member(leaf.root()).is_required();
    let is_configured = |leaf: &Leaf<'_>| given.contains_key(leaf.root()) || is_required(leaf);
    let (mut chosen, mut others): (Vec<Leaf<'v>>, Vec<Leaf<'v>>) = (Vec::new(), Vec::new());
    for leaf in leaves {
        let is_known = leaf.aspect != Aspect::Other;
        let is_name = leaf.aspect == Aspect::Identity && leaf.value.as_str() == Some(known_as);
        let is_unsaid = is_name || !is_said(&leaf, is_configured(&leaf), given.is_empty());
        if leaf.may_be_secret() || is_known && is_unsaid {
            rest.others += leaf.size();
        } else if is_known {
            chosen.push(leaf);
        } else {
            others.push(leaf);
        }
    }
    chosen.sort_by_key(|leaf| (leaf.aspect, leaf.rank));
    let number = chosen.len();
    let has_role_name = chosen
        .iter()
        .any(|leaf| leaf.name() == "role_definition_name");
    let mut names: Vec<Option<&str>> = Vec::new();
    chosen.retain(|leaf| {
        // The name of a role says what its ID does.
        if leaf.aspect != Aspect::Identity {
            return !has_role_name || leaf.name() != "role_definition_id";
        }
        // A second name says little: at most two.
        let name = leaf.value.as_str();
        let is_kept = names.len() < 2 && !names.contains(&name);
        names.extend(is_kept.then_some(name));
        is_kept
    });
    rest.others += number - chosen.len();
    others.sort_by_key(|leaf| {
        let is_given = given.contains_key(leaf.root());
        Reverse((
            is_given,
            is_required(leaf),
            Weight::from_name(leaf.name()),
            !is_own_id(leaf),
        ))
    });
    for leaf in others {
        let is_enough = chosen.len()
            >= if is_configured(&leaf) {
                MAX_ITEMS
            } else {
                FEW_ITEMS
            };
        let is_light =
            Weight::from_name(leaf.root()) == Weight::Light || is_identifier(leaf.name());
        let is_shown = !is_brief
            && !is_region(&leaf)
            && !leaf.value.is_empty()
            && (is_configured(&leaf) || (given.is_empty() && !leaf.is_like_a_default()))
            && !is_enough
            && !(is_light
                && (is_said_elsewhere || chosen.iter().any(|one| is_more_informative(one, &leaf))));
        if is_shown && (leaf.is_short() || leaf.lines().is_some()) {
            let form = if leaf.is_true() {
                AttributeForm::Flag
            } else {
                AttributeForm::Named
            };
            chosen.push(Leaf {
                form,
                rank: chosen.len(),
                ..leaf
            });
        } else {
            rest.others += leaf.size();
        }
    }
    chosen
}

/// Whether a key of the address has the text as a whole word, so that the address says it already.
fn is_in_a_key(text: &str, address_keys: &[&str]) -> bool {
    /// Shorter texts are in a key by chance.
    const MIN_LEN: usize = 3;
    let is_in = |key: &&str| {
        key.match_indices(text)
            .any(|(start, _)| keys::is_word_at(key, start, text))
    };
    text.len() >= MIN_LEN && address_keys.iter().any(is_in)
}

/// Whether an attribute says where an object is, or is a tag, which does not distinguish the object.
fn is_region(leaf: &Leaf<'_>) -> bool {
    matches!(
        *leaf.path,
        ["region" | "location" | "project"] | ["tags" | "labels", ..]
    )
}

/// Whether an attribute is the identifier of the object itself.
fn is_own_id(leaf: &Leaf<'_>) -> bool {
    matches!(*leaf.path, ["id" | "arn"])
}

/// Whether a leaf of the summary says more than a light one, which is then left out. This does not hold between two
/// identifiers: an object that has nothing but identifiers joins other objects, so all of them matter.
fn is_more_informative(leaf: &Leaf<'_>, light: &Leaf<'_>) -> bool {
    !is_identifier(leaf.name()) || !is_identifier(light.name()) || is_own_id(light)
}

/// Whether a summary has an attribute of the table: one that the author wrote, or that is not like a default.
fn is_said(leaf: &Leaf<'_>, is_configured: bool, is_unconfigured: bool) -> bool {
    leaf.is_short()
        && !leaf.value.is_empty()
        && match (leaf.aspect, leaf.form) {
            (_, AttributeForm::Encrypted) => true,
            (Aspect::Identity, _) => leaf.value.as_str().is_none_or(is_a_name),
            (_, AttributeForm::Flag) => leaf.is_true() || is_configured,
            _ => is_configured || (is_unconfigured && !leaf.is_like_a_default()),
        }
}

/// Whether a text is a name that says something: `/` and random IDs do not.
fn is_a_name(text: &str) -> bool {
    let is_random = text.len() >= 32 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    text.len() > 1 && !is_random
}

/// Pairs of attributes, of which the second continues the item of the first.
const JOINED: [(&str, &str); 8] = [
    ("engine", "engine_version"),
    ("chart", "version"),
    ("allocated_storage", "storage_type"),
    ("volume_size", "volume_type"),
    ("size", "type"),
    ("disk_size_gb", "storage_account_type"),
    ("effect", "actions"),
    ("type", "identifiers"),
];

/// Joins attributes that belong together: `postgres 16.4`, `200 GB gp3`.
fn joined(leaves: &[Leaf<'_>]) -> Vec<Item> {
    /// The pairs in a block that refers to an image of Azure.
    const IMAGE: [(&str, &str); 3] = [("publisher", "offer"), ("offer", "sku"), ("sku", "version")];
    let find = |name: &str, sibling: usize| {
        let is_sibling =
            |leaf: &Leaf<'_>| leaf.name() == name && leaf.blocks() == leaves[sibling].blocks();
        leaves
            .iter()
            .position(is_sibling)
            .filter(|index| *index != sibling)
    };
    let next = |leaf_index: usize| {
        let leaf = &leaves[leaf_index];
        let is_image = leaf.blocks().last() == Some(&"source_image_reference");
        let pairs = if is_image { &IMAGE[..] } else { &JOINED };
        let (_, second) = pairs.iter().find(|(first, _)| *first == leaf.name())?;
        find(second, leaf_index)
            .filter(|_| leaf.name() != "size" || leaf.form == AttributeForm::Gigabytes)
    };
    let mut used: Vec<usize> = Vec::new();
    let mut items = Vec::new();
    for (leaf_index, leaf) in leaves.iter().enumerate() {
        let mut text = written(leaf);
        for joined_index in std::iter::successors(next(leaf_index), |index| next(*index)) {
            text.value.extend([" ", &value_text(&leaves[joined_index])]);
            used.push(joined_index);
        }
        if leaf.name() == "name"
            && let Some(namespace) = find("namespace", leaf_index)
        {
            text.value = format!("{}/{}", value_text(&leaves[namespace]), text.value);
            used.push(namespace);
        }
        items.push(Item {
            order: (leaf.aspect, false, leaf.rank),
            text,
        });
    }
    let items = items
        .into_iter()
        .enumerate()
        .filter(|(leaf_index, _)| !used.contains(leaf_index));
    items.map(|(_, item)| item).collect()
}

/// Returns the item of an attribute in its form: `encrypted`, `200 GB`, `on aws_vpc.main`, or `name = value`.
fn written(leaf: &Leaf<'_>) -> SubjectItem {
    let label = leaf.label();
    let is_bool = matches!(leaf.value.content, Content::Bool(_));
    let labelled = |label: String, value: String| SubjectItem {
        label,
        value,
        is_essential: leaf.is_essential(),
    };
    match leaf.form {
        AttributeForm::Encrypted if is_bool => SubjectItem::value(if leaf.is_true() {
            "encrypted"
        } else {
            "not encrypted"
        }),
        AttributeForm::Flag if leaf.is_true() => labelled(label, String::new()),
        AttributeForm::Bare if !is_bool => labelled(String::new(), value_text(leaf)),
        AttributeForm::Gigabytes | AttributeForm::Megabytes
            if matches!(leaf.value.content, Content::Number(_)) =>
        {
            SubjectItem::value(value_text(leaf))
        }
        AttributeForm::On => labelled("on ".to_owned(), value_text(leaf)),
        AttributeForm::For => labelled("for ".to_owned(), value_text(leaf)),
        AttributeForm::Bare
        | AttributeForm::Named
        | AttributeForm::Flag
        | AttributeForm::Encrypted
        | AttributeForm::Gigabytes
        | AttributeForm::Megabytes => match leaf.lines() {
            Some(lines) => labelled(format!("{label} of "), count(lines, "line")),
            None => labelled(format!("{label} = "), text(leaf.value)),
        },
    }
}

/// Returns the details of a finding about a lost object as items, its flags first: `force_destroy = true`,
/// `postgres 15.6`, `50 GB`.
pub(super) fn details(resource_type: &str, details: &[NamedValue]) -> Vec<SubjectItem> {
    let mut flags = Vec::new();
    let mut others: Vec<(&str, SubjectItem)> = Vec::new();
    for NamedValue { name, value } in details {
        let path: Vec<&str> = name.split('.').collect();
        let form = aspect(resource_type, &path).map(|(_, form, _)| form);
        if matches!(&**value, "true" | "false") {
            flags.push(SubjectItem {
                label: format!("{name} = "),
                value: value.clone(),
                is_essential: false,
            });
            continue;
        }
        let continues = others
            .last()
            .is_some_and(|(last, _)| JOINED.contains(&(last, name)));
        match (form, others.last_mut()) {
            (_, Some((_, last))) if continues => last.value.extend([" ", value]),
            (Some(AttributeForm::Bare), _) => others.push((name, SubjectItem::value(value))),
            (Some(AttributeForm::Gigabytes), _) => {
                others.push((name, SubjectItem::value(format!("{value} GB"))));
            }
            (_, _) => {
                let (label, value) = (format!("{name} = "), value.clone());
                let item = SubjectItem {
                    label,
                    value,
                    is_essential: false,
                };
                others.push((name, item));
            }
        }
    }
    // The flag that a rule names last is the most specific.
    flags.reverse();
    flags
        .into_iter()
        .chain(others.into_iter().map(|(_, item)| item))
        .collect()
}

/// Returns the value of a leaf with its unit. A string that reads like a flag is quoted.
fn value_text(leaf: &Leaf<'_>) -> String {
    let value = text(leaf.value);
    match (leaf.form, leaf.value.content) {
        (AttributeForm::Gigabytes, Content::Number(_)) => format!("{value} GB"),
        (AttributeForm::Megabytes, Content::Number(_)) => format!("{value} MB"),
        (AttributeForm::Bare, Content::String(text)) if reads_like_a_flag(text) => {
            crate::text::quote(text)
        }
        _ => value,
    }
}

/// Whether a string could be taken for the name of a flag.
fn reads_like_a_flag(text: &str) -> bool {
    text.ends_with("encrypted") || matches!(aspect("", &[text]), Some((_, AttributeForm::Flag, _)))
}

/// Returns the value of an attribute in short, or words for it if it may be a secret.
pub(super) fn in_short(name: &str, value: MarkedValue<'_>) -> String {
    let leaf = Leaf {
        path: vec![name],
        value,
        aspect: Aspect::Other,
        form: AttributeForm::Named,
        rank: 0,
    };
    match leaf.may_be_secret() {
        true => "another value, which may be a secret".to_owned(),
        false => text(value),
    }
}

/// Returns a value in short: a list by its first elements, a string without quotes.
fn text(value: MarkedValue<'_>) -> String {
    match value.as_array() {
        Some([only]) => text(*only),
        Some(items) => {
            format!(
                "[{}]",
                more_of(items.iter().map(|item| text(*item)), MAX_ELEMENTS).join(", ")
            )
        }
        None => value
            .as_str()
            .map_or_else(|| short(value, MAX_LEN), |text| bare(&shortened(text))),
    }
}

/// Returns the first texts, followed by the number of the others: `a`, `b`, `3 more`.
fn more_of(mut texts: impl Iterator<Item = String>, limit: usize) -> Vec<String> {
    let mut first: Vec<String> = texts.by_ref().take(limit).collect();
    let more = texts.count();
    first.extend((more > 0).then(|| format!("{more} more")));
    first
}

/// Shortens a text in its middle, because both ends of paths and ARNs matter.
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_LEN {
        return text.to_owned();
    }
    let first: String = text.chars().take(MAX_LEN / 3).collect();
    let last: String = text.chars().skip(length - MAX_LEN / 2).collect();
    format!("{first}…{last}")
}

/// The numbers of values that a summary leaves out.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    others: usize,
    unknown: usize,
    sensitive: usize,
}

impl Rest {
    /// Counts the scalars of a value. Unknown values and empty containers count only if `with_unknown` is set.
    fn add(&mut self, value: MarkedValue<'_>, with_unknown: bool) {
        match value.content {
            Content::Null => {}
            Content::Unknown => self.unknown += usize::from(with_unknown),
            Content::Redacted => self.sensitive += 1,
            Content::Array([]) | Content::Object([]) => self.others += usize::from(with_unknown),
            Content::Array(_) | Content::Object(_) => {
                value
                    .children()
                    .for_each(|child| self.add(child, with_unknown));
            }
            Content::Bool(_) | Content::Number(_) | Content::String(_) => self.others += 1,
        }
    }

    /// Returns the numbers in words; empty if there are none.
    fn text(self) -> String {
        let mut texts = Vec::new();
        if self.others > 0 {
            texts.push(count(self.others, "value"));
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
