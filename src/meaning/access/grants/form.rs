//! The forms in which grants are written as resources: which attribute says who, what, where, and under which limits.
//!
//! A form is data: a module of this folder lists those of each system. [`grants_of`] reads an object by its form.
//!
//! ```text
//! google_project_iam_member: grants; who `member`, what `role`, where `project`, limit `condition.expression`
//! ```

use super::grant::{About, Dimension, Grant, Purpose};
use super::order::{Ladder, Order};
use super::set::{Word, Words};
use crate::diff::value::{Content, MarkedValue};
use crate::direction::Direction;
use crate::meaning::Documents;

/// The maximum number of words of one dimension: each is compared with each. More are unclear.
const MAX_WORDS: usize = 2_048;

/// The maximum number of grants of one object. More are unclear.
const MAX_GRANTS: usize = 8_192;

/// The steps of a switch that lets more happen when it is on.
const OFF_ON: Ladder = &["false", "true"];

/// The steps of a switch that lets more happen when it is off.
const ON_OFF: Ladder = &["true", "false"];

/// What an object of a type says of access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// The types; `*` stands for any characters.
    pub(super) types: &'static [&'static str],
    /// What is granted at all, if several types grant it: their grants are compared with each other.
    pub(super) family: &'static str,
    /// What the object is.
    pub(super) holder: Holder,
    /// What it is for.
    pub(super) purpose: Purpose,
    /// The value of an attribute that makes it refuse instead.
    pub(super) denies: Option<(&'static str, &'static str)>,
    /// Whether the other attributes say what the grant is on.
    pub(super) rest_is_where: bool,
    /// Whether the object is a credential of somebody, which its creation gives away.
    pub(super) is_key: bool,
    /// What its attributes say.
    pub(super) parts: &'static [Part],
}

/// What an object with grants is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// The object is a grant, and nothing else.
    Grant,
    /// The object is something else, and some of its attributes say who may reach it.
    Object,
}

/// What an attribute says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The names that lead to the attribute, separated by dots, through blocks and documents in strings.
    pub(super) place: &'static str,
    /// The name under which the same dimension of another form of the family is found, if it is not the place.
    pub(super) label: &'static str,
    /// The purpose, if it is another than that of the object.
    pub(super) purpose: Option<Purpose>,
    /// The place at which the same is spelled in another way, such as the name of a role beside its identifier.
    pub(super) twin: Option<&'static str>,
    /// How it is read.
    pub(super) reading: Reading,
}

/// How an attribute is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    /// As a dimension: each of its words.
    Any(About, Order, Absent),
    /// As limits that must all be met.
    All(Order),
    /// As a list of grants, each of which has parts. An element without one of them is as the part says.
    Grants(&'static [Part]),
    /// As something that has the same direction however it changes.
    Means(Direction),
}

/// What an attribute without a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Absent {
    /// Everything: no list of objects, no limit.
    Everything,
    /// Nothing and nobody.
    Nothing,
    /// The same as this value.
    Is(&'static str),
}

impl Form {
    /// Makes a form of objects that are grants of a purpose, and nothing else.
    pub(super) const fn new(
        types: &'static [&'static str],
        purpose: Purpose,
        parts: &'static [Part],
    ) -> Self {
        Self {
            types,
            family: "",
            holder: Holder::Grant,
            purpose,
            denies: None,
            rest_is_where: false,
            is_key: false,
            parts,
        }
    }

    /// Makes a form of objects that are something else, of which some attributes say who may reach or do what.
    pub(super) const fn of_object(types: &'static [&'static str], parts: &'static [Part]) -> Self {
        Self {
            holder: Holder::Object,
            ..Self::new(types, Purpose::Grants, parts)
        }
    }

    /// Sets the family.
    pub(super) const fn family(self, family: &'static str) -> Self {
        Self { family, ..self }
    }

    /// Says that the object refuses where an attribute has a value.
    pub(super) const fn denies_if(self, place: &'static str, value: &'static str) -> Self {
        Self {
            denies: Some((place, value)),
            ..self
        }
    }

    /// Says that all other attributes name what the grant is on.
    pub(super) const fn rest_is_where(self) -> Self {
        Self {
            rest_is_where: true,
            ..self
        }
    }

    /// Says that the object is a credential.
    pub(super) const fn key(self) -> Self {
        Self {
            is_key: true,
            ..self
        }
    }

    /// Returns the purpose of an object.
    pub(super) fn purpose_of<'w>(
        &self,
        object: MarkedValue<'w>,
        documents: &Documents<'w>,
    ) -> Purpose {
        let denies = self.denies.is_some_and(|(place, value)| {
            let found = Found::at(object, place, documents);
            let texts = found.values.iter().filter_map(|found| found.as_str());
            texts
                .into_iter()
                .any(|text| text.eq_ignore_ascii_case(value))
        });
        if denies {
            Purpose::Denies
        } else {
            self.purpose
        }
    }
}

impl Part {
    /// Makes a part of a dimension.
    const fn any(place: &'static str, about: About, order: Order, absent: Absent) -> Self {
        Self::new(place, Reading::Any(about, order, absent))
    }

    /// Makes a part that is read in a way.
    const fn new(place: &'static str, reading: Reading) -> Self {
        Self {
            place,
            label: place,
            purpose: None,
            twin: None,
            reading,
        }
    }

    /// Says that the attribute at another place spells the same.
    pub(super) const fn twin(self, place: &'static str) -> Self {
        Self {
            twin: Some(place),
            ..self
        }
    }

    /// Sets the name under which it is compared with other forms.
    pub(super) const fn label(self, label: &'static str) -> Self {
        Self { label, ..self }
    }

    /// Sets a purpose of its own.
    pub(super) const fn purpose(self, purpose: Purpose) -> Self {
        Self {
            purpose: Some(purpose),
            ..self
        }
    }

    /// Sets what it says without a value.
    pub(super) const fn absent(self, absent: Absent) -> Self {
        match self.reading {
            Reading::Any(about, order, _) => Self {
                reading: Reading::Any(about, order, absent),
                ..self
            },
            Reading::All(_) | Reading::Grants(_) | Reading::Means(_) => self,
        }
    }
}

/// Who has the grant; nobody without a value.
pub(super) const fn who(place: &'static str, order: Order) -> Part {
    Part::any(place, About::Who, order, Absent::Nothing)
}

/// What may be done; nothing without a value.
pub(super) const fn what(place: &'static str, order: Order) -> Part {
    Part::any(place, About::What, order, Absent::Nothing)
}

/// What it may be done to; everything without a value.
pub(super) const fn on(place: &'static str, order: Order) -> Part {
    Part::any(place, About::Where, order, Absent::Everything)
}

/// A limit; none without a value.
pub(super) const fn limit(place: &'static str, order: Order) -> Part {
    Part::any(place, About::Limits, order, Absent::Everything)
}

/// Limits that must all be met; none without a value.
pub(super) const fn limits(place: &'static str, order: Order) -> Part {
    Part::new(place, Reading::All(order))
}

/// A switch that lets more happen when it is on; off without a value.
pub(super) const fn opens(place: &'static str) -> Part {
    steps(place, OFF_ON, "false")
}

/// A switch that lets less happen when it is on; off without a value.
pub(super) const fn closes(place: &'static str) -> Part {
    steps(place, ON_OFF, "false")
}

/// Steps of which each lets more happen than those before it; without a value it is `absent`.
pub(super) const fn steps(place: &'static str, steps: Ladder, absent: &'static str) -> Part {
    Part::any(place, About::What, Order::Steps(steps), Absent::Is(absent))
}

/// What a guard watches or protects; nothing without a value.
pub(super) const fn guards(place: &'static str, order: Order) -> Part {
    Part::any(place, About::What, order, Absent::Nothing).purpose(Purpose::Guards)
}

/// A block of a guard: without it nothing inside of it holds.
pub(super) const fn block(place: &'static str) -> Part {
    guards(place, Order::Presence)
}

/// A switch of a guard; off without a value.
pub(super) const fn guard(place: &'static str) -> Part {
    opens(place).purpose(Purpose::Guards)
}

/// What is refused; nothing without a value.
pub(super) const fn denies(place: &'static str, order: Order) -> Part {
    Part::any(place, About::What, order, Absent::Nothing).purpose(Purpose::Denies)
}

/// A list of grants.
pub(super) const fn grants(place: &'static str, parts: &'static [Part]) -> Part {
    Part::new(place, Reading::Grants(parts))
}

/// What has no order: a target, a name that others read.
pub(super) const fn another(place: &'static str) -> Part {
    Part::new(place, Reading::Means(Direction::Another))
}

/// What means nothing.
pub(super) const fn same(place: &'static str) -> Part {
    Part::new(place, Reading::Means(Direction::Same))
}

/// The values at a place of an object.
#[derive(Debug, Default)]
pub(super) struct Found<'w> {
    /// The values, without null and empty ones.
    pub(super) values: Vec<MarkedValue<'w>>,
    /// Whether the place is in several blocks, so that it belongs to several grants.
    is_several: bool,
    /// Whether a string on the way is no document.
    is_unread: bool,
}

impl<'w> Found<'w> {
    /// Returns the values at a place.
    pub(super) fn at(object: MarkedValue<'w>, place: &str, documents: &Documents<'w>) -> Self {
        let mut found = Self {
            values: vec![object],
            ..Self::default()
        };
        let mut is_root = true;
        for name in place.split('.').filter(|name| !name.is_empty()) {
            let mut next = Vec::new();
            for value in std::mem::take(&mut found.values) {
                found.step(value, name, is_root, documents, &mut next);
            }
            found.values = next;
            is_root = false;
        }
        found.values.retain(|value| !value.is_empty());
        found
    }

    /// Adds the members of a value with a name: through the elements of lists, and into the document in a string.
    fn step(
        &mut self,
        value: MarkedValue<'w>,
        name: &str,
        is_root: bool,
        documents: &Documents<'w>,
        next: &mut Vec<MarkedValue<'w>>,
    ) {
        match value.content {
            Content::Object(_) => next.extend(value.get(name).filter(|found| !found.is_null())),
            Content::Array(items) => {
                self.is_several |= items.len() > 1;
                let blocks = items.iter().filter(|item| item.as_object().is_some());
                next.extend(
                    blocks
                        .filter_map(|item| item.get(name))
                        .filter(|v| !v.is_null()),
                );
                if items.iter().any(|item| item.is_unknown()) {
                    next.extend(items.iter().copied().filter(|item| item.is_unknown()));
                }
            }
            Content::String(text) if !value.is_hidden && !is_root => match documents.json(text) {
                Some(document) => next.extend(document.get(name).filter(|v| !v.is_null())),
                None if text.is_empty() => {}
                None => self.is_unread = true,
            },
            Content::Unknown => next.push(value),
            Content::Redacted | Content::String(_) => self.is_unread = true,
            Content::Null | Content::Bool(_) | Content::Number(_) => {}
        }
    }

    /// Returns the values as words; `None` if there are none.
    fn words(&self, documents: &Documents<'w>) -> Option<Result<Vec<Word<'w>>, Words<'w>>> {
        if self.is_unread || self.is_several {
            return Some(Err(Words::Unclear));
        }
        let mut words = Vec::new();
        for value in &self.values {
            let is_list = value.as_array().is_some() && !value.is_hidden;
            let items = if is_list {
                value.as_array().unwrap_or_default()
            } else {
                std::slice::from_ref(value)
            };
            for item in items {
                match item.content {
                    Content::Null => {}
                    Content::Unknown if is_list => words.push(Word::Unknown),
                    Content::Unknown => return Some(Err(Words::Unknown)),
                    _ if item.is_hidden => words.push(Word::Hidden(item.hash_value())),
                    Content::Redacted => words.push(Word::Hidden(item.hash_value())),
                    Content::String("") => {}
                    Content::String(text) | Content::Number(text) => words.push(Word::Text(text)),
                    Content::Bool(flag) => {
                        words.push(Word::Text(if flag { "true" } else { "false" }));
                    }
                    Content::Array([]) | Content::Object([]) => {}
                    Content::Array(_) | Content::Object(_) if item.has_unknown() => {
                        words.push(Word::Unknown);
                    }
                    Content::Array(_) | Content::Object(_) if item.has_marks => {
                        words.push(Word::Hidden(item.hash_value()));
                    }
                    Content::Array(_) | Content::Object(_) => {
                        let text = spelled(*item, 0);
                        words.push(Word::Text(documents.build.arena().alloc_str(&text)));
                    }
                }
            }
        }
        if words.len() > MAX_WORDS {
            return Some(Err(Words::Unclear));
        }
        (!words.is_empty()).then_some(Ok(words))
    }
}

/// The maximum depth of a block that is spelled as a word.
const MAX_DEPTH: usize = 8;

/// Returns a block as a word that is equal for equal blocks: `email_domain.domain=acme.example`. Members that are null
/// or empty are left out.
fn spelled(value: MarkedValue<'_>, depth: usize) -> String {
    let children = |parts: Vec<String>| match parts.as_slice() {
        [one] => one.clone(),
        parts => format!("{{{}}}", parts.join(",")),
    };
    match value.content {
        _ if depth > MAX_DEPTH => format!("#{}", value.hash_value()),
        Content::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let spelled = members.map(|(name, value)| match spelled(*value, depth + 1) {
                text if text.is_empty() => (*name).to_owned(),
                text if value.as_object().is_some_and(|members| members.len() == 1) => {
                    format!("{name}.{text}")
                }
                text => format!("{name}={text}"),
            });
            children(spelled.collect())
        }
        Content::Array(items) => {
            let mut parts: Vec<String> =
                items.iter().map(|item| spelled(*item, depth + 1)).collect();
            parts.sort();
            if parts.is_empty() {
                String::new()
            } else {
                children(parts)
            }
        }
        Content::Null | Content::Unknown | Content::Redacted => String::new(),
        Content::Bool(_) | Content::Number(_) | Content::String(_) => {
            value.content.scalar_text().unwrap_or_default().to_owned()
        }
    }
}

/// Returns the words that an object has at the place of a part; `None` if the part is no dimension.
pub(super) fn words_of<'w>(
    object: MarkedValue<'w>,
    part: &Part,
    documents: &Documents<'w>,
) -> Option<(About, Order, Words<'w>)> {
    let found = Found::at(object, part.place, documents).words(documents);
    Some(match part.reading {
        Reading::Any(about, order, absent) => {
            let words = match (found, absent) {
                (Some(Ok(words)), _) => Words::Any(words),
                (Some(Err(words)), _) => words,
                (None, Absent::Everything) => Words::Everything,
                (None, Absent::Nothing) => Words::Any(Vec::new()),
                (None, Absent::Is(word)) => Words::Any(vec![Word::Text(word)]),
            };
            (about, order, words)
        }
        Reading::All(order) => {
            let words = match found {
                Some(Ok(words)) => Words::All(words),
                Some(Err(words)) => words,
                None => Words::All(Vec::new()),
            };
            (About::Limits, order, words)
        }
        Reading::Grants(_) | Reading::Means(_) => return None,
    })
}

/// The members of objects that say nothing about what a grant is on.
pub(super) const NOT_WHERE: [&str; 6] =
    ["etag", "id", "version", "timeouts", "condition", "region"];

/// Returns the grants of an object of a form. `None` if a part of them cannot be read.
pub(super) fn grants_of<'w>(
    form: &Form,
    object: MarkedValue<'w>,
    documents: &Documents<'w>,
) -> Option<Vec<Grant<'w>>> {
    if object.is_null() {
        return Some(Vec::new());
    }
    let mut base = Grant {
        family: form.family,
        purpose: form.purpose_of(object, documents),
        dimensions: dimensions(object, form.parts, documents),
    };
    if form.rest_is_where {
        base.dimensions.extend(rest(form, object));
    }
    let lists = form.parts.iter().filter_map(|part| match part.reading {
        Reading::Grants(parts) => Some((part, parts)),
        Reading::Any(..) | Reading::All(_) | Reading::Means(_) => None,
    });
    let (mut grants, mut has_lists) = (Vec::new(), false);
    for (part, parts) in lists {
        has_lists = true;
        let purpose = part.purpose.unwrap_or(base.purpose);
        for mut grant in listed(object, part, parts, documents)? {
            grant.family = form.family;
            grant.purpose = purpose;
            grant.dimensions.extend(base.dimensions.iter().cloned());
            grants.push(grant);
        }
    }
    if !has_lists {
        grants.push(base);
    }
    Some(grants)
}

/// Returns the grants in the list at the place of a part. `None` if the list or one of its elements cannot be read, or is
/// known only after apply.
pub(super) fn listed<'w>(
    object: MarkedValue<'w>,
    part: &Part,
    parts: &'static [Part],
    documents: &Documents<'w>,
) -> Option<Vec<Grant<'w>>> {
    let found = Found::at(object, part.place, documents);
    if found.is_unread || found.is_several {
        return None;
    }
    let mut grants = Vec::new();
    for value in found.values {
        let items = value.as_array().unwrap_or(std::slice::from_ref(&value));
        for item in items {
            if item.is_null() {
                continue;
            }
            if item.is_hidden || item.as_object().is_none() || grants.len() >= MAX_GRANTS {
                return None;
            }
            grants.push(Grant {
                family: part.place,
                purpose: Purpose::Grants,
                dimensions: dimensions(*item, parts, documents),
            });
        }
    }
    Some(grants)
}

/// Returns the dimensions of an object.
fn dimensions<'w>(
    object: MarkedValue<'w>,
    parts: &'static [Part],
    documents: &Documents<'w>,
) -> Vec<Dimension<'w>> {
    let mut dimensions: Vec<Dimension<'w>> = Vec::new();
    for part in parts.iter().filter(|part| part.purpose.is_none()) {
        let Some((about, order, words)) = words_of(object, part, documents) else {
            continue;
        };
        let is_told = dimensions.iter().any(|known| known.label == part.label);
        if part.twin.is_some() && (is_told || words == Words::Unknown || words.is_nothing()) {
            continue;
        }
        dimensions.push(Dimension {
            label: part.label,
            about,
            order,
            words,
        });
    }
    dimensions
}

/// Returns the attributes of an object that name what it is on, as dimensions.
fn rest<'w>(form: &Form, object: MarkedValue<'w>) -> Vec<Dimension<'w>> {
    let members = object.as_object().unwrap_or_default().iter();
    let rest = members.filter(|(name, value)| !value.is_null() && is_rest(form, name));
    let dimension = |(name, value): &(&'w str, MarkedValue<'w>)| Dimension {
        label: name,
        about: About::Where,
        order: Order::Exact,
        words: match value.content {
            _ if value.is_hidden => Words::Any(vec![Word::Hidden(value.hash_value())]),
            Content::String(text) => Words::Any(vec![Word::Text(text)]),
            Content::Unknown => Words::Unknown,
            Content::Null
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::Array(_)
            | Content::Object(_) => Words::Unclear,
        },
    };
    rest.map(dimension).collect()
}

/// Whether an attribute is none of those that the form reads.
pub(super) fn is_rest(form: &Form, name: &str) -> bool {
    !NOT_WHERE.contains(&name)
        && !form.parts.iter().any(|part| {
            let first = part.place.split('.').next().unwrap_or_default();
            first == name
        })
}
