//! Composes the entries of a document: their titles, their lines and the marks of these.
//!
//! Objects about which the same is said are one entry. An object with all lines of a larger group and some others has
//! only the others as lines.
//!
//! ```text
//! four node groups with another version, one of which also has another AMI
//!
//! ~ aws_eks_node_group.a  (and as the 3 below)
//!     ami_type AL2 -> AL2023
//! ~ 3 × aws_eks_node_group.b["x", "y", "z"]
//!     version 1.29 -> 1.31
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};

use super::composed::Composed;
use super::finding_lines::{FindingLines, finding_lines, remarks};
use super::groups::EntryGroup;
use super::in_state::{joined_in_state, moved};
use super::{MAX_ROW_KEYS, MAX_WITH_LINES, PartBuilder};
use crate::diff::value::MarkedValue;
use crate::report::{Level, Line, Mark, SectionKind, Shown, Sign, Tone};
use crate::review::entry::{
    Effect, Entry, FindingKind, PlanFinding, Reason, Sameness, SubjectItem, reason_codes,
};
use crate::review::paths::compact_within;
use crate::review::text::{EntryText, FindingAt, entry_text, explains_causes, subject, tool_shows};
use crate::review::{ChangeKind, count, keys, one_line, paths, summary};
use crate::text::{first_of, has_several_lines};

/// The minimum number of objects in a group to which other entries refer (`and as the 3 below`).
const MIN_SHARED: usize = 3;
/// The maximum number of groups of a resource type with which an entry is compared.
const MAX_LIKE: usize = 8;
/// The maximum number of lines of an entry that is compared with others. The work is quadratic in it.
const MAX_LIKE_LINES: usize = 64;
/// The minimum number of objects for which a plan that only destroys joins its entries.
const MIN_DESTROYED: usize = 12;

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// Returns the findings of an entry, with the paths of the edits that prove them.
    pub(super) fn findings_at(&self, entry: &'r Entry<'a>) -> Vec<FindingAt<'r>> {
        let listed = entry
            .findings
            .iter()
            .filter_map(|index| Some((*index, self.review.findings.get(*index)?)));
        let index = |(id, PlanFinding { finding, .. }): (usize, &'r PlanFinding<'a>)| FindingAt {
            id,
            mark: Mark::new(finding.level, finding.kind.name()),
            remarks: remarks(finding),
            words: (finding.effect == Effect::Opened).then_some(&*finding.text),
            steps: finding.path.steps(),
        };
        listed.map(index).collect()
    }

    /// Returns the text of an entry, and the findings that none of its lines mentions.
    pub(super) fn text_of(&self, entry: &'r Entry<'a>) -> (EntryText, Vec<&'r PlanFinding<'a>>) {
        let findings = self.findings_at(entry);
        let text = entry_text(entry, &findings, self.options);
        let unsaid = self.unsaid(&findings, &text.said);
        (text, unsaid)
    }

    /// Returns the findings that no line mentions. `said` are the IDs of those that a line mentions.
    pub(super) fn unsaid(
        &self,
        findings: &[FindingAt<'_>],
        said: &[usize],
    ) -> Vec<&'r PlanFinding<'a>> {
        let said: HashSet<usize> = said.iter().copied().collect();
        let unsaid = findings
            .iter()
            .filter(|finding| !said.contains(&finding.id));
        unsaid
            .filter_map(|finding| self.review.findings.get(finding.id))
            .collect()
    }

    /// Composes the entries of groups, joins those about which the same is said, and sorts them by rank.
    pub(super) fn composed(&mut self, groups: Vec<EntryGroup<'r, 'a>>) -> Vec<Composed<'r, 'a>> {
        let mut all: Vec<Composed<'r, 'a>> = groups
            .into_iter()
            .enumerate()
            .map(|(index, group)| self.compose(index, group))
            .collect();
        if !self.options.unchanged && self.options.shows_whole_plan() {
            if !self.options.tree {
                all = joined_in_state(all, &self.review.changes.resources);
            }
            all = self.merged(all);
            shorten_outliers(&mut all);
            all = self.tables(all);
            all.iter_mut().for_each(name_differences);
            if !self.options.tree {
                all = joined_destroyed(all);
            }
        }
        all.sort_by_key(|one| one.rank);
        all
    }

    /// Composes the entry of a group: its subject, findings and lines. Records how each edit is shown.
    fn compose(&mut self, index: usize, group: EntryGroup<'r, 'a>) -> Composed<'r, 'a> {
        let entry = group.entry;
        let (mut text, unsaid) = self.text_of(entry);
        let mut is_in_tool = self.is_page();
        for (index, member) in group.places.iter().zip(&group.entries) {
            let mut shown = text.shown.clone();
            is_in_tool &= self
                .tool_text(group.list, *index)
                .is_some_and(|tool| tool_shows(member, tool, &mut shown));
            self.coverage.record(group.list, *index, &shown);
        }
        // The lines of very many objects would make a page that no browser can open.
        let is_large = self.review.changes.resources.len() > MAX_WITH_LINES;
        if is_large && is_in_tool && entry.findings.is_empty() {
            text.lines.clear();
        }
        self.computed.add(entry, &text.computed, group.places.len());
        let FindingLines {
            mark,
            mut lines,
            subject: lost,
        } = finding_lines(entry, &unsaid);
        lines.extend(text.lines);
        let subject = lost.unwrap_or_else(|| {
            let summary = subject(entry, &lines, self.options);
            if group.kind() == ChangeKind::Create && !self.options.unchanged {
                self.created_values += summary.others * group.places.len();
            }
            summary.items
        });
        let mut composed = Composed {
            remark: self.remark(&group),
            because: because(entry),
            title: None,
            rank: (index, 1),
            shared_with_next: None,
            depth: 0,
            group,
            lines,
            subject,
            mark,
        };
        let same = entry.group.and_then(|id| self.review.groups.get(id));
        let differs = same.is_some_and(|group| group.same == Sameness::ButForTheKey);
        if differs && composed.group.entries.len() > 1 {
            hide_keys(&mut composed);
        }
        composed
    }

    /// Returns what happens to a group that the sign of the action does not say: the phrase of its kind, and its
    /// reasons.
    pub(super) fn remark(&self, group: &EntryGroup<'r, 'a>) -> String {
        let entry = group.entry;
        let mut words: Vec<String> = group.phrase().into_iter().collect();
        let has_forcing_edit = entry.shown_edits.list().iter().any(|edit| edit.replaces);
        let is_said = |reason: &&Reason| match &*reason.code {
            "forced" => has_forcing_edit,
            "create_before_destroy" => true,
            reason_codes::CAUSED => true,
            reason_codes::RENAME => group.entries.len() > 1,
            // What is read during apply always depends on something.
            "read_because_dependency_pending" | "read_because_config_unknown" => true,
            _ => false,
        };
        let is_lost = self.says_loss(entry);
        let keys = keys::of_address(entry.address);
        let id = entry.importing.as_ref().and_then(|importing| importing.id);
        let is_id_in_key = id.is_some_and(|id| keys.last().is_some_and(|key| *key == id));
        let reasons = entry.reasons.iter().filter(|reason| !is_said(reason));
        let reasons = reasons.filter(|reason| !(is_lost && &*reason.code == "import_replaces"));
        words.extend(reasons.map(|reason| match &*reason.code {
            "moved" => moved(entry),
            // The words are the same for all instances, so that they become one entry.
            reason_codes::SHIFTED => {
                "gets what its neighbour has: looks like a shift of `count`".to_owned()
            }
            "imported" if is_id_in_key => "imported".to_owned(),
            "delete_because_count_index" => "count is lower".to_owned(),
            "delete_because_each_key" => "not in for_each".to_owned(),
            "delete_because_wrong_repetition" => "count or for_each changes".to_owned(),
            _ => reason.text.clone(),
        }));
        one_line(&words.join("; "))
    }

    /// Whether a finding says that the object is destroyed together with its data.
    fn says_loss(&self, entry: &Entry<'_>) -> bool {
        let mut findings = entry.findings.iter();
        findings.any(|index| {
            let listed = self.review.findings.get(*index);
            listed.is_some_and(|listed| matches!(listed.finding.effect, Effect::Lost { .. }))
        })
    }

    /// Joins entries about which the same is said, except for the keys of their addresses.
    fn merged(&self, all: Vec<Composed<'r, 'a>>) -> Vec<Composed<'r, 'a>> {
        let mut merged: Vec<Composed<'r, 'a>> = Vec::with_capacity(all.len());
        let mut known: HashMap<u64, usize> = HashMap::new();
        let hashes = RandomState::new();
        for one in all {
            let tree = if self.options.tree {
                one.group.entry.module_address
            } else {
                ""
            };
            // Equal texts are compared first, because a word in them may be the key of one object by chance.
            let [exact, keyless] = hashes_of(&one, tree, &hashes);
            match known.get(&exact).or_else(|| known.get(&keyless)).copied() {
                Some(index) => {
                    let first = &mut merged[index];
                    if first.lines != one.lines
                        || first.subject != one.subject
                        || first.remark != one.remark
                    {
                        hide_keys(first);
                    }
                    first.group.join(one.group);
                }
                None => {
                    known.extend([exact, keyless].map(|hash| (hash, merged.len())));
                    merged.push(one);
                }
            }
        }
        merged
    }
}

/// The maximum number of objects of an entry whose own values are shown.
const MAX_ODD: usize = 3;
/// The maximum number of attributes that are named because the objects of an entry differ in them.
const MAX_DIFFERENT: usize = 6;

/// Adds to an entry of several created objects in what they differ, besides their keys and what the entry shows: the
/// values of the few that differ from most, and the names of the attributes in which all differ.
fn name_differences(one: &mut Composed<'_, '_>) {
    let entries = &one.group.entries;
    let is_created =
        one.group.list == SectionKind::Resources && one.group.kind() == ChangeKind::Create;
    if !is_created || entries.len() < 2 {
        return;
    }
    let same_group = entries[0].group;
    if same_group.is_some() && entries.iter().all(|entry| entry.group == same_group) {
        return;
    }
    let hashes = RandomState::new();
    // For each attribute, the objects with each value, without the keys.
    let mut classes: BTreeMap<&str, HashMap<u64, Vec<usize>>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let Some(object) = entry.shown_edits.list().first().and_then(|edit| edit.after) else {
            continue;
        };
        let address_keys = keys::of_address(entry.address);
        for (name, value) in object.as_object().unwrap_or_default() {
            if value.is_null() || value.is_unknown() {
                continue;
            }
            let mut hasher = hashes.build_hasher();
            hash_without_keys(*value, &address_keys, &mut hasher);
            let of_name = classes.entry(name).or_default();
            of_name.entry(hasher.finish()).or_default().push(index);
        }
    }
    let shown: String = one
        .lines
        .iter()
        .map(Line::text)
        .chain(one.subject.iter().map(SubjectItem::text))
        .collect();
    let is_shown = |index: usize, name: &str| {
        let object = entries[index]
            .shown_edits
            .list()
            .first()
            .and_then(|edit| edit.after);
        let text = object.and_then(|object| object.get(name)?.as_str());
        text.is_some_and(|text| shown.contains(text))
    };
    let mut odd: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let mut different: Vec<&str> = Vec::new();
    for (name, values) in classes {
        let number: usize = values.values().map(Vec::len).sum();
        if values.len() < 2 && number == entries.len() {
            continue;
        }
        let most = values.values().map(Vec::len).max().unwrap_or_default();
        if most * 2 <= entries.len() {
            let mut all = values.values().flatten();
            if !all.all(|index| is_shown(*index, name)) {
                different.push(name);
            }
            continue;
        }
        for members in values.values().filter(|members| members.len() < most) {
            for index in members {
                if !is_shown(*index, name) {
                    odd.entry(*index).or_default().push(name);
                }
            }
        }
    }
    let more = odd.len().saturating_sub(MAX_ODD);
    let mut lines = Vec::new();
    for (index, names) in odd.into_iter().take(MAX_ODD) {
        let entry = entries[index];
        let object = entry.shown_edits.list().first().and_then(|edit| edit.after);
        let values = names.iter().filter_map(|name| {
            let value = summary::in_short(name, object?.get(name)?);
            Some(format!("{} = {value}", paths::name(name)))
        });
        let key = keys::of_address(entry.address).join("/");
        let key = if key.is_empty() { entry.address } else { &key };
        let text = format!(
            "≠ {key}  {}",
            first_of(values.collect::<Vec<_>>(), MAX_DIFFERENT)
        );
        lines.push(Line::new(0, Sign::Same, one_line(&text), Tone::Plain));
    }
    if more > 0 {
        lines.push(Line::note(
            0,
            format!("{} with values of their own", count(more, "more object")),
        ));
    }
    if !different.is_empty() {
        let names = different.iter().map(|name| paths::name(name));
        let text = format!("each has its own {}", first_of(names, MAX_DIFFERENT));
        lines.push(Line::note(0, one_line(&text)));
    }
    one.lines.extend(lines);
}

/// Hashes a value, with the keys in its texts replaced by a placeholder.
fn hash_without_keys(value: MarkedValue<'_>, address_keys: &[&str], hasher: &mut DefaultHasher) {
    if let Some(text) = value.as_str() {
        match address_keys.iter().any(|key| text.contains(key)) {
            true => keys::without(text, address_keys).hash(hasher),
            false => text.hash(hasher),
        }
        return;
    }
    match (value.as_array(), value.as_object()) {
        (Some(items), _) => {
            items.len().hash(hasher);
            for item in items {
                hash_without_keys(*item, address_keys, hasher);
            }
        }
        (None, Some(members)) => {
            for (name, member) in members {
                name.hash(hasher);
                hash_without_keys(*member, address_keys, hasher);
            }
        }
        (None, None) => value.hash_value().hash(hasher),
    }
}

/// Replaces each key of the address that is a word of the text by a placeholder.
pub(super) fn without_keys(text: &str, address: &str) -> String {
    keys::without(text, &keys::of_address(address))
}

/// Returns two hashes of everything that must be equal for entries to be joined. The second hash ignores the keys of
/// the address in texts.
///
/// The lines are hashed one by one, because an entry may have very many. Equal hashes count as equality, as they do for
/// groups.
fn hashes_of(one: &Composed<'_, '_>, module: &str, hashes: &RandomState) -> [u64; 2] {
    let entry = one.group.entry;
    let mut print = TextHashers {
        keys: keys::of_address(entry.address),
        exact: hashes.build_hasher(),
        keyless: hashes.build_hasher(),
    };
    print.value(one.lines.len());
    for line in &one.lines {
        print.value((line.depth, line.sign, line.mark()));
        print.text(&line.text());
    }
    let is_of_any_type = entry.changes_only_tags();
    print.value(is_of_any_type);
    if !is_of_any_type {
        print.value([entry.mode, entry.resource_type, entry.provider_name]);
    }
    // Objects without any lines are joined only if they are instances of one resource.
    if one.lines.is_empty() {
        print.value(without_index(entry));
    }
    let subject = one.subject.iter().map(SubjectItem::text);
    for text in subject.chain([one.remark.clone(), one.because.clone()]) {
        print.text(&text);
    }
    let is_deposed = !entry.deposed.is_empty();
    print.value((one.group.symbol(), module, &one.mark, is_deposed));
    for new in &entry.new_texts {
        print.text(&new.text);
    }
    // An edit of a text that is compared by its lines already shows what differs.
    for edit in entry
        .shown_edits
        .list()
        .iter()
        .filter(|edit| edit.inside.is_none())
    {
        if let Some(after) = edit.after {
            print.texts(after);
        }
    }
    [print.exact.finish(), print.keyless.finish()]
}

/// Two hashers, of texts as they are and of texts without the keys of an object.
struct TextHashers<'k> {
    /// The keys of the address of the object.
    keys: Vec<&'k str>,
    /// The hasher of texts as they are.
    exact: DefaultHasher,
    /// The hasher of texts without the keys.
    keyless: DefaultHasher,
}

impl TextHashers<'_> {
    /// Hashes something that contains no keys.
    fn value(&mut self, value: impl Hash) {
        value.hash(&mut self.exact);
        value.hash(&mut self.keyless);
    }

    /// Hashes a text, which may contain keys.
    fn text(&mut self, text: &str) {
        text.hash(&mut self.exact);
        match self.keys.iter().any(|key| text.contains(key)) {
            true => keys::without(text, &self.keys).hash(&mut self.keyless),
            false => text.hash(&mut self.keyless),
        }
    }

    /// Hashes the texts of several lines in a value. Only their first lines or their numbers of lines are shown, and
    /// scripts that differ must not become one entry.
    fn texts(&mut self, value: MarkedValue<'_>) {
        match value.as_str() {
            Some(text) if has_several_lines(text) => self.text(text),
            Some(_) => {}
            None => value.children().for_each(|child| self.texts(child)),
        }
    }
}

/// Returns the address of an entry without the keys of its resource and modules.
pub(super) fn without_index(entry: &Entry<'_>) -> String {
    let mut text = String::new();
    let mut rest = entry.address;
    while let Some((before, _, after)) = keys::split(rest) {
        text.push_str(before);
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Joins the entries of destroyed objects in a plan that only destroys: one entry for each combination of findings.
/// Entries with critical findings, with lines, or about lost data stay alone.
fn joined_destroyed<'r, 'a>(all: Vec<Composed<'r, 'a>>) -> Vec<Composed<'r, 'a>> {
    let is_destroyed = |one: &Composed<'_, '_>| {
        one.group.list == SectionKind::Resources && one.group.kind() == ChangeKind::Destroy
    };
    let number: usize = all.iter().map(|one| one.group.places.len()).sum();
    if number < MIN_DESTROYED || !all.iter().all(is_destroyed) {
        return all;
    }
    let mut joined: Vec<Composed<'r, 'a>> = Vec::with_capacity(all.len());
    let mut known: HashMap<Vec<&'static str>, usize> = HashMap::new();
    for one in all {
        // The subject of lost data says which data it is.
        let names_loss = one.mark.kinds.contains(&FindingKind::DataLoss.name());
        let is_plain = one.lines.is_empty()
            && !names_loss
            && one.mark.level != Level::Critical
            && one.group.entry.deposed.is_empty();
        match known.get(&one.mark.kinds).copied().filter(|_| is_plain) {
            Some(index) => {
                let first = &mut joined[index];
                first.group.join(one.group);
                first.subject.clear();
                first.remark.clear();
            }
            None => {
                if is_plain {
                    known.insert(one.mark.kinds.clone(), joined.len());
                }
                joined.push(one);
            }
        }
    }
    for index in known.into_values() {
        let one = &mut joined[index];
        if one.group.entries.len() > 1 && one.subject.is_empty() {
            one.title = Some(one_line(&blocks(&one.group.entries)));
        }
    }
    joined
}

/// Returns the resources of objects, with the numbers of their instances: `aws_iam_role.task (5), aws_vpc.main`.
fn blocks(entries: &[&Entry<'_>]) -> String {
    let by_block =
        crate::grouping::groups(entries.iter().map(|entry| (without_index(entry), entry)));
    let words = by_block.iter().map(|group| match &**group {
        [only] => without_index(only),
        [first, ..] => format!("{} ({})", without_index(first), group.len()),
        [] => String::new(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the changes that make this one necessary, in words; empty if its lines name them.
fn because(entry: &Entry<'_>) -> String {
    if explains_causes(entry) || entry.causes.is_empty() {
        return String::new();
    }
    let mut addresses: Vec<&str> = Vec::new();
    for cause in &entry.causes {
        if !addresses.contains(&cause.address) {
            addresses.push(cause.address);
        }
    }
    let all = compact_within(&addresses, MAX_ROW_KEYS);
    one_line(&format!("because of {}", first_of(all, 3)))
}

/// Replaces the keys that differ between the objects of an entry by `*`.
fn hide_keys(one: &mut Composed<'_, '_>) {
    let address = one.group.entry.address;
    let hidden = |text: &str| without_keys(text, address).replace('\0', "*");
    for item in &mut one.subject {
        item.value = hidden(&item.value);
    }
    // An item that is nothing but a key is already in the title.
    one.subject.retain(|item| item.value != "*");
    one.remark = hidden(&one.remark);
    for span in one.lines.iter_mut().flat_map(|line| &mut line.spans) {
        span.text = hidden(&span.text);
    }
}

/// Shortens each entry that has all lines of a larger one, and others: only the others stay, and it is moved before the
/// larger one.
fn shorten_outliers(all: &mut [Composed<'_, '_>]) {
    let mut bases: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, one) in all.iter().enumerate() {
        let is_base = one.group.places.len() >= MIN_SHARED
            && !one.lines.is_empty()
            && one.lines.len() <= MAX_LIKE_LINES;
        if is_base && one.group.kind() == ChangeKind::Update {
            let name = one.group.entry.resource_type.to_owned();
            bases.entry(name).or_default().push(index);
        }
    }
    for places in bases.values_mut() {
        places.sort_by_key(|index| Reverse(all[*index].group.places.len()));
        places.truncate(MAX_LIKE);
    }
    if bases.is_empty() {
        return;
    }
    // The larger entry may become part of a table of its resource, which has the position of the first entry in it.
    let mut first: HashMap<String, usize> = HashMap::new();
    for one in all.iter().filter(|one| one.gravest() == Level::None) {
        let lowest_rank = first
            .entry(without_index(one.group.entry))
            .or_insert(one.rank.0);
        *lowest_rank = one.rank.0.min(*lowest_rank);
    }
    let is_same = |line: &Line, other: &Line| {
        line.depth == other.depth && line.sign == other.sign && line.text() == other.text()
    };
    for index in 0..all.len() {
        let one = &all[index];
        let base_index = bases
            .get(one.group.entry.resource_type)
            .into_iter()
            .flatten()
            .copied()
            .find(|base| {
                let base_lines = &all[*base].lines;
                *base != index
                    && one.group.kind() == ChangeKind::Update
                    && all[*base].group.places.len() > one.group.places.len()
                    && one.lines.len() > base_lines.len()
                    && one.lines.len() <= MAX_LIKE_LINES
                    && base_lines
                        .iter()
                        .all(|line| one.lines.iter().any(|other| is_same(other, line)))
            });
        let Some(base) = base_index else { continue };
        let shared = all[base].lines.clone();
        let number = all[base].group.places.len();
        let of_resource = first.get(&without_index(all[base].group.entry));
        let lowest_rank = all[base].rank.0.min(*of_resource.unwrap_or(&usize::MAX));
        let one = &mut all[index];
        one.lines.retain(|line| {
            line.mark().level == Level::Critical || !shared.iter().any(|other| is_same(line, other))
        });
        one.shared_with_next = Some(number);
        one.rank = one.rank.min((lowest_rank, 0));
    }
}

/// Returns the text of an entry that shows nothing but its title. `how` is recorded for each edit.
pub(super) fn elsewhere(entry: &Entry<'_>, how: Shown) -> EntryText {
    EntryText {
        shown: vec![Some(how); entry.shown_edits.len()],
        ..EntryText::default()
    }
}
