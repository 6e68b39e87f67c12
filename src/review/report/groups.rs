//! Selects the entries that a document shows, and groups those with the same edits, in order of risk.
//!
//! ```text
//! Entry { address: "aws_instance.web[0]", edits: [instance_type t3.small -> t3.large], … }
//! Entry { address: "aws_instance.web[1]", edits: [instance_type t3.small -> t3.large], … }
//!
//! ~ 2 × aws_instance.web[0, 1]
//!     instance_type t3.small -> t3.large
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::PartBuilder;
use crate::model::Action;
use crate::model::plan::PlanMode;
use crate::report::{SectionKind, Tone};
use crate::review::entry::Entry;
use crate::review::paths::{compact, compact_within, few_names, path_names, root_name};
use crate::review::plan::PlanReview;
use crate::review::{ChangeKind, Options, count, masks, one_line, risk, unlisted};
use crate::text::first_of;

/// The maximum number of resources in the title of a group. For more, the title has the number of types.
const MAX_MEMBER_LINES: usize = 3;
/// The maximum number of keys of a resource in a title that would otherwise be too long.
const MAX_KEYS: usize = 3;
/// The maximum length of a title with all keys, in characters.
const MAX_TITLE_LEN: usize = 90;
/// The maximum length of the numbers by type, in characters.
const MAX_TYPES_LEN: usize = 70;
/// The maximum number of addresses that a note about drift without effect on the plan names.
const MAX_DRIFT: usize = 8;

/// Entries that are shown as one, because they have the same edits.
#[derive(Clone, Debug)]
pub(super) struct EntryGroup<'r, 'a> {
    /// The list of the plan that contains the entries.
    pub(super) list: SectionKind,
    /// The first entry, which is shown for all.
    pub(super) entry: &'r Entry<'a>,
    /// All entries, in the order of the plan.
    pub(super) entries: Vec<&'r Entry<'a>>,
    /// The indices of the entries in the list.
    pub(super) places: Vec<usize>,
}

impl<'r, 'a> EntryGroup<'r, 'a> {
    /// Makes a group of entries with their indices; `None` if there are none.
    fn new(list: SectionKind, members: Vec<(usize, &'r Entry<'a>)>) -> Option<Self> {
        let (places, entries): (Vec<usize>, Vec<&'r Entry<'a>>) = members.into_iter().unzip();
        Some(Self {
            list,
            entry: entries.first()?,
            places,
            entries,
        })
    }

    /// Returns a group for each entry.
    pub(super) fn singles(&self) -> impl Iterator<Item = Self> {
        let members = self.places.iter().zip(&self.entries);
        members.filter_map(|(index, entry)| Self::new(self.list, vec![(*index, *entry)]))
    }

    pub(super) fn addresses(&self) -> Vec<&'a str> {
        self.entries.iter().map(|entry| entry.address).collect()
    }

    /// Returns the module of the entries; `None` if they are in several modules.
    pub(super) fn module(&self) -> Option<&'a str> {
        let first = self.entry.module_address;
        self.entries
            .iter()
            .all(|entry| entry.module_address == first)
            .then_some(first)
    }

    /// Returns the kind of change, which is that of all entries.
    pub(super) fn kind(&self) -> ChangeKind {
        self.entry.kind()
    }

    /// Whether the plan destroys the objects, also if it creates them again.
    pub(super) fn is_destroyed(&self) -> bool {
        self.list == SectionKind::Resources && self.kind().is_irreversible()
    }

    /// Adds the entries of another group.
    pub(super) fn join(&mut self, other: Self) {
        self.places.extend(other.places);
        self.entries.extend(other.entries);
    }

    /// Returns the sign of the change. Drift and deferred changes have other signs than planned ones.
    pub(super) fn symbol(&self) -> &'static str {
        match (self.list, self.kind()) {
            (SectionKind::Drift, ChangeKind::Destroy) => "-",
            (SectionKind::Deferred, _) => "…",
            _ if self.entry.action == Action::CreateThenDelete => "+/-",
            (_, kind) => kind.symbol(),
        }
    }

    /// Returns the color of the sign.
    pub(super) fn tone(&self) -> Tone {
        if self.list == SectionKind::Deferred {
            Tone::Changed
        } else {
            self.kind().tone()
        }
    }

    /// Returns the change in words, if the sign does not say it.
    pub(super) fn phrase(&self) -> Option<String> {
        let kind = self.kind();
        match (self.list, kind) {
            (SectionKind::Drift, ChangeKind::Destroy) => Some("deleted".to_owned()),
            (SectionKind::Drift, _) | (SectionKind::Deferred, ChangeKind::Other) => None,
            (SectionKind::Deferred, _)
            | (
                _,
                ChangeKind::ReplaceForget
                | ChangeKind::Forget
                | ChangeKind::Other
                | ChangeKind::Read,
            ) => Some(kind.phrase().to_owned()),
            (
                _,
                ChangeKind::Destroy
                | ChangeKind::Replace
                | ChangeKind::Update
                | ChangeKind::Create
                | ChangeKind::Import
                | ChangeKind::Move,
            ) => None,
        }
    }

    /// Returns the change in words, for readers who do not see the sign.
    pub(super) fn words(&self) -> String {
        let kind = self.kind();
        match (self.list, kind) {
            (SectionKind::Drift, ChangeKind::Destroy) => {
                "was deleted outside of the tool".to_owned()
            }
            (SectionKind::Drift, _) => "has changed outside of the tool".to_owned(),
            (SectionKind::Deferred, ChangeKind::Other) => "is deferred to a later plan".to_owned(),
            (SectionKind::Deferred, _) => format!("{} in a later plan", kind.phrase()),
            (_, kind) => kind.phrase().to_owned(),
        }
    }

    /// Returns the address or addresses of the title, in `width` columns if possible, and lines about the objects if
    /// the title does not name them.
    pub(super) fn names(&self, width: usize) -> (String, Vec<String>) {
        let entry = self.entry;
        if self.entries.len() == 1 {
            let mut address = entry.address.to_owned();
            if !entry.deposed.is_empty() {
                address.push_str(&format!(" (deposed object {})", entry.deposed));
            }
            return (one_line(&address), Vec::new());
        }
        let addresses = self.addresses();
        let all = compact(&addresses);
        let fits = |names: &Vec<String>| matches!(&**names, [one] if one.chars().count() <= width.min(MAX_TITLE_LEN));
        let short = if self.is_destroyed() || fits(&all) {
            all.clone()
        } else {
            let fewer = (1..=MAX_KEYS).rev();
            let mut fewer = fewer.map(|keys| compact_within(&addresses, keys));
            let shortest = fewer.find(fits);
            shortest.unwrap_or_else(|| compact_within(&addresses, MAX_KEYS))
        };
        let has_deposed = self.entries.iter().any(|entry| !entry.deposed.is_empty());
        let deposed = if has_deposed {
            " (deposed objects)"
        } else {
            ""
        };
        match &*short {
            [one] => (one_line(&format!("{one}{deposed}")), Vec::new()),
            few if few.len() <= MAX_MEMBER_LINES => (
                one_line(&format!("{}{deposed}", few.join(", "))),
                Vec::new(),
            ),
            _ if self.is_destroyed() => {
                let (first, rest) = all.split_at(1);
                let rest = rest.iter().map(|address| one_line(address)).collect();
                (one_line(&format!("{}{deposed}", first.concat())), rest)
            }
            _ => {
                let types = numbers_by_type(self.entries.iter().copied()).len();
                let text = format!("{}{deposed}", count(types, "type"));
                (text, vec![self.numbers_by_type()])
            }
        }
    }

    /// Returns the numbers of objects by type: `30 aws_sqs_queue, 20 aws_sns_topic in 12 modules`.
    fn numbers_by_type(&self) -> String {
        let types = numbers_by_type(self.entries.iter().copied()).into_iter();
        let names: Vec<String> = types
            .map(|(name, number)| format!("{number} {name}"))
            .collect();
        let modules: BTreeSet<&str> = self
            .entries
            .iter()
            .map(|entry| entry.module_address)
            .collect();
        let modules = if modules.len() > 1 {
            format!(" in {} modules", modules.len())
        } else {
            String::new()
        };
        one_line(&format!("{}{modules}", joined(&names, MAX_TYPES_LEN)))
    }

    /// Returns the names of the attributes that change, the most important first.
    pub(super) fn preview(&self) -> String {
        let order = risk::order(self.entry.shown_edits.list(), &self.entry.flagged).into_iter();
        few_names(
            order
                .filter_map(|index| self.entry.shown_edits.get(index))
                .map(root_name),
        )
    }
}

/// Returns the number of entries of each resource type, the most frequent type first.
pub(super) fn numbers_by_type<'e>(
    entries: impl Iterator<Item = &'e Entry<'e>>,
) -> Vec<(&'e str, usize)> {
    let types = crate::grouping::counts(entries.map(|entry| entry.resource_type));
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_by_key(|(_, number)| Reverse(*number));
    types
}

/// Joins as many names as fit into `max` characters, and at least the beginning of the first one. An ellipsis replaces
/// the others.
pub(super) fn joined(names: &[String], max: usize) -> String {
    let text = one_line(&names.join(", "));
    let Some((end, _)) = text.char_indices().nth(max) else {
        return text;
    };
    let start = text.get(..end).unwrap_or_default();
    let end = start.rfind(", ").map_or(end, |offset| offset + 2);
    format!("{}…", text.get(..end).unwrap_or_default())
}

/// The changes of a plan that the document shows.
pub(super) struct Selection<'r, 'a> {
    /// The planned changes of resources.
    pub(super) resources: Vec<EntryGroup<'r, 'a>>,
    /// The drift: what changed outside of the tool.
    pub(super) drift: Vec<EntryGroup<'r, 'a>>,
    /// Changes that are deferred to a later plan.
    pub(super) deferred: Vec<EntryGroup<'r, 'a>>,
    /// The indices of the actions that this plan invokes.
    pub(super) invocations: Vec<usize>,
    /// The indices of the actions that a later plan invokes.
    pub(super) deferred_invocations: Vec<usize>,
    /// The notes of the review, and the numbers of changes that are not shown.
    pub(super) notes: Vec<String>,
}

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// Selects the changes of the plan that the document shows, and groups them. Other changes are recorded as counted.
    pub(super) fn selection(&mut self) -> Selection<'r, 'a> {
        use SectionKind::{Deferred, Drift, Outputs, Resources};
        let (review, options) = (self.review, self.options);
        let mut left_out = LeftOut::default();
        let renamed = super::rename_pairs::shown(review, options, self.is_page());
        let has_no_effect = |entry: &Entry<'_>| {
            let is_irrelevant = entry.relevant == Some(false) || !entry.is_drift();
            is_irrelevant
                && entry.findings.is_empty()
                && review.mode != PlanMode::RefreshOnly
                && !options.all_drift
        };
        let [
            resources,
            drift,
            deferred,
            invocations,
            deferred_invocations,
            _,
        ] = SectionKind::ALL.map(|list| {
            let mut shown = Vec::new();
            for (index, entry) in review.changes.list(list).iter().enumerate() {
                let why = unlisted(entry.mode, &entry.action).filter(|_| list == Resources);
                if list == Resources && renamed.contains(&index) {
                    continue;
                }
                if let Some(why) = why {
                    *left_out.not_listed.entry(why).or_default() += 1;
                } else if entry.hidden {
                    left_out.hidden += 1;
                } else if list != Outputs && is_ignored(entry, options) {
                    left_out.ignored += 1;
                } else if list == Drift && has_no_effect(entry) {
                    if entry.is_drift() {
                        left_out.drifted.push(entry.address);
                    } else if entry.shows_own_parts() {
                        left_out.own_parts.push(entry.address);
                    } else {
                        left_out.emptied.push(entry.address);
                    }
                } else {
                    shown.push(index);
                    continue;
                }
                self.coverage.count(list, index);
            }
            shown
        });
        let mut notes = review.notes.clone();
        notes.extend((!review.masks.is_empty()).then(|| masks::NOTE.to_owned()));
        // If there are several plans, one line says this for all of them.
        let unjudged = super::unjudged(&review.unjudged, super::has_hidden(review));
        notes.extend(unjudged.filter(|_| self.is_one));
        notes.extend(left_out.notes(options));
        let [resources, drift, deferred] =
            [(Resources, resources), (Drift, drift), (Deferred, deferred)]
                .map(|(list, shown)| groups(list, shown, review, options));
        Selection {
            resources,
            drift,
            deferred,
            invocations,
            deferred_invocations,
            notes,
        }
    }
}

/// The entries that a text does not show: their numbers, or their addresses if a note names them.
#[derive(Default)]
struct LeftOut<'a> {
    /// The number of entries that a filter hides.
    hidden: usize,
    /// The number of entries with nothing but changes of ignored attributes.
    ignored: usize,
    /// The numbers of entries that do not count as changes, by the reason.
    not_listed: BTreeMap<&'static str, usize>,
    /// The objects that changed outside of the tool, without an effect on the plan.
    drifted: Vec<&'a str>,
    /// The objects in which only null became empty.
    emptied: Vec<&'a str>,
    /// The objects whose drift only shows what other resources of the state make.
    own_parts: Vec<&'a str>,
}

impl LeftOut<'_> {
    /// Returns a note for each reason to leave entries out, with their number and the option that shows them.
    fn notes(self, options: &Options) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.emptied.is_empty() {
            notes.push(one_line(&format!(
                "only null became empty in {}, as older providers write it: {}; --drift all shows them",
                count(self.emptied.len(), "object"),
                first_of(compact(&self.emptied), MAX_DRIFT)
            )));
        }
        if !self.own_parts.is_empty() {
            notes.push(one_line(&format!(
                "{} with nothing but what other resources of this state make: {}; --drift all shows them",
                count(self.own_parts.len(), "refreshed object"),
                first_of(compact(&self.own_parts), MAX_DRIFT)
            )));
        }
        if !self.drifted.is_empty() {
            notes.push(one_line(&format!(
                "{} changed outside of the tool without an effect on this plan: {}; --drift all shows them",
                count(self.drifted.len(), "object"),
                first_of(compact(&self.drifted), MAX_DRIFT)
            )));
        }
        for (why, number) in self.not_listed {
            notes.push(format!("{} {why}", count(number, "object")));
        }
        if self.ignored > 0 {
            let what = count(self.ignored, "object");
            notes.push(format!(
                "{what} with nothing but changes hidden by --ignore-attr"
            ));
        }
        if self.hidden > 0 {
            let what = count(self.hidden, "entry");
            let filters = options.filter.options().join(" and ");
            notes.push(format!("{what} hidden: leave out {filters} to see all"));
        }
        notes
    }
}

/// Whether all changes of an entry are hidden by `--ignore-attr`. An entry with findings never is.
fn is_ignored(entry: &Entry<'_>, options: &Options) -> bool {
    let filter = &options.filter;
    !filter.ignored.is_empty()
        && entry.kind() == ChangeKind::Update
        && entry.findings.is_empty()
        && !entry.shown_edits.is_empty()
        && !entry.is_moved()
        && entry.importing.is_none()
        && entry
            .shown_edits
            .iter()
            .all(|edit| filter.ignores(&path_names(edit.path)))
}

/// Groups entries by their edits, the most severe first. With `--tree`, no group spans several modules.
fn groups<'r, 'a>(
    list: SectionKind,
    shown: Vec<usize>,
    review: &'r PlanReview<'a>,
    options: &Options,
) -> Vec<EntryGroup<'r, 'a>> {
    let keyed = shown.into_iter().map(|index| {
        let entry = &review.changes.list(list)[index];
        // Unchanged parts may differ between the objects of a group. With these options they are shown, so each object
        // is a group.
        let shows_unchanged = options.unchanged
            && !matches!(entry.shown_edits.list(), [edit] if edit.path.is_empty());
        let group = entry
            .group
            .filter(|_| options.shows_whole_plan() && !shows_unchanged);
        let module = if options.tree {
            entry.module_address
        } else {
            ""
        };
        (group.map(|id| (id, module)).ok_or(index), (index, entry))
    });
    let group = |members: Vec<(usize, &'r Entry<'a>)>| EntryGroup::new(list, members);
    let mut groups: Vec<EntryGroup<'r, 'a>> = crate::grouping::groups(keyed)
        .into_iter()
        .filter_map(group)
        .collect();
    if list == SectionKind::Resources {
        groups.sort_by_cached_key(|group| {
            let (finding, weight) = group.entry.risk_within_action();
            (finding, place_of(group.kind()), weight)
        });
    } else {
        groups.sort_by_cached_key(|group| group.entry.risk());
    }
    groups
}

/// Returns the position of a kind of change among entries without findings.
fn place_of(kind: ChangeKind) -> usize {
    match kind {
        ChangeKind::Destroy => 0,
        ChangeKind::Replace => 1,
        ChangeKind::ReplaceForget => 2,
        ChangeKind::Forget => 3,
        ChangeKind::Other => 4,
        ChangeKind::Update => 5,
        ChangeKind::Create => 6,
        ChangeKind::Move => 7,
        ChangeKind::Import => 8,
        ChangeKind::Read => 9,
    }
}
