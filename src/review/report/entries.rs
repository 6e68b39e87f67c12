//! Builds the entries of objects: one for each object, or one for a group of objects about which the same is said.
//!
//! ```text
//! EntryGroup { list: Resources, places: [0, 1], entry: aws_instance.web[0], update in place }
//!
//! ReportEntry { sign: "~", times: Some(2), phrase: "is updated in place", lines: […], … }
//! ```
//!
//! In a list and in a text, a group is one entry. On a page, that entry contains a member for each object, with the
//! tool's own text of it.

use std::borrow::Cow;
use std::collections::HashSet;

use super::compose::elsewhere;
use super::composed::Composed;
use super::groups::EntryGroup;
use super::title_width::TitleWidth;
use super::{AFTER_RESOURCES, PartBuilder, head, others};
use crate::report::{self, Priority, SectionKind, Shown, SourceLink};
use crate::review::entry::{Entry, Level};
use crate::review::text::{fitting_subject, left_out_of_subject, lines_omitted_by_tool, subject};
use crate::review::{ChangeKind, count, one_line};
use crate::term::StyledText;

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// Returns the number of a new entry. Numbers start at 0, and no two entries of a report share one.
    pub(super) fn next_number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers - 1
    }

    /// Returns the text that the tool printed for a change in a list of the plan, if the review has such texts.
    pub(super) fn tool_text(&self, kind: SectionKind, index: usize) -> Option<&'r StyledText> {
        let texts = self.texts?;
        match kind {
            SectionKind::Resources => texts.resources.get(index),
            SectionKind::Drift => texts.drift.get(index),
            SectionKind::Deferred => texts.deferred.get(index),
            SectionKind::Invocations => texts.invocations.get(index),
            // The tools print no text of deferred actions, and a single one of all outputs.
            SectionKind::DeferredInvocations | SectionKind::Outputs => None,
        }
    }

    /// Returns the tool's text of an entry with its secrets hidden, or none if the document is a list.
    pub(super) fn masked_text(
        &self,
        entry: &Entry<'_>,
        text: Option<&'r StyledText>,
    ) -> report::UpstreamText<'r> {
        match text.filter(|_| !self.options.list) {
            Some(text) => report::UpstreamText::Own(match &entry.secrets {
                Some(secrets) => self.review.masks.styled(text, secrets.hiding()),
                None => Cow::Borrowed(text),
            }),
            None => report::UpstreamText::None,
        }
    }

    /// Returns the entry of a group in a list, where edits are only counted. On a page, it contains its members.
    pub(super) fn listed(&mut self, group: &EntryGroup<'r, 'a>) -> report::ReportEntry<'r> {
        let number = self.next_number();
        for index in &group.places {
            let written = elsewhere(group.entry, Shown::Counted);
            self.coverage.record(group.list, *index, &written.shown);
        }
        let remark = Some(self.remark(group)).filter(|remark| !remark.is_empty());
        let composed = Composed {
            subject: subject(group.entry, &[], self.options).items,
            ..Composed::of_title(group.clone())
        };
        let mut entry = report::ReportEntry {
            number,
            reasons: remark.into_iter().collect(),
            ..self.entry_of(composed)
        };
        if self.is_page() && group.places.len() > 1 {
            entry.others.clear();
            entry.members = group.singles().map(|one| self.member(&one)).collect();
        }
        entry
    }

    /// Returns the entry of a group in a text or on a page. On a page, the entry of a single object has the tool's
    /// text, and that of several objects contains a member with such a text for each object.
    pub(super) fn whole(&mut self, composed: Composed<'r, 'a>) -> report::ReportEntry<'r> {
        let number = self.next_number();
        let group = composed.group.clone();
        let mut entry = report::ReportEntry {
            number,
            ..self.entry_of(composed)
        };
        if !self.is_page() {
            return entry;
        }
        if let [only] = *group.places {
            self.add_tool(&mut entry, &group, only);
        } else {
            entry.others.clear();
            entry.members = group.singles().map(|one| self.member(&one)).collect();
        }
        entry
    }

    /// Returns the entry of one object of a group on a page. It has no lines, because those of the group are also about
    /// it.
    pub(super) fn member(&mut self, group: &EntryGroup<'r, 'a>) -> report::ReportEntry<'r> {
        let number = self.next_number();
        let mut entry = report::ReportEntry {
            number,
            is_open: false,
            ..self.entry_of(Composed::of_title(group.clone()))
        };
        if let [only] = *group.places {
            self.add_tool(&mut entry, group, only);
        }
        entry
    }

    /// Adds the tool's text of an object, and lines for what that text omits.
    pub(super) fn add_tool(
        &mut self,
        entry: &mut report::ReportEntry<'r>,
        group: &EntryGroup<'r, 'a>,
        index: usize,
    ) {
        if group.list == SectionKind::Resources {
            self.by_address.insert(group.entry.address, entry.number);
        }
        let Some(text) = self
            .tool_text(group.list, index)
            .filter(|_| !self.options.list)
        else {
            return;
        };
        entry.omitted_by_tool = lines_omitted_by_tool(group.entry, text, self.options);
        entry.text = self.masked_text(group.entry, Some(text));
    }

    /// Returns the entry of the report for a composed one, with a title that fits into the width.
    pub(super) fn entry_of(&mut self, composed: Composed<'r, 'a>) -> report::ReportEntry<'r> {
        let Composed {
            group,
            title,
            lines,
            subject,
            mut remark,
            because,
            mark,
            shared_with_next,
            depth,
            ..
        } = composed;
        let (entry, kind) = (group.entry, group.kind());
        let is_destroyed = group.is_destroyed();
        let is_forgotten = matches!(kind, ChangeKind::ReplaceForget | ChangeKind::Forget);
        let least = match (is_destroyed, is_forgotten) {
            (true, _) => Priority::Grave,
            (false, true) => Priority::Flagged,
            (false, false) => Priority::Plain,
        };
        let with_findings = head::with_findings(self.review, &entry.findings);
        let like = shared_with_next.map(|number| format!("and as the {number} below"));
        let because = Some(because).filter(|because| !because.is_empty());
        for words in like.into_iter().chain(because) {
            let separator = if remark.is_empty() { "" } else { "; " };
            remark.push_str(&format!("{separator}{words}"));
        }
        let preview = group.preview();
        let width = TitleWidth::new(self.options, depth, &remark, &mark, &group);
        let (address, others) = match title {
            Some(title) => (title, Vec::new()),
            None => group.names(width.of_address(&subject, &lines)),
        };
        let summary = if self.options.unchanged {
            fitting_subject(&subject, usize::MAX)
        } else {
            let width = width.of_subject(&address, &subject, &lines);
            if group.kind() == ChangeKind::Create && !group.entry.given.is_empty() {
                self.created_values += left_out_of_subject(&subject, width) * group.places.len();
            }
            fitting_subject(&subject, width)
        };
        let is_open = is_destroyed || with_findings.level >= Level::Warning;
        report::ReportEntry {
            depth,
            sign: report::EntrySign {
                symbol: group.symbol(),
                tone: group.tone(),
            },
            mark,
            times: Some(group.places.len()).filter(|number| *number > 1),
            address,
            others,
            phrase: group.words(),
            remark,
            kind: kind.word(),
            object_type: entry.resource_type,
            preview: if preview.is_empty() {
                summary.clone()
            } else {
                preview
            },
            summary,
            results: others::of_group(&group, &self.review.results, self.results_of_entry()),
            needs: others::needs(entry),
            cost: others::cost(&group, &self.review.results),
            source: self.source(&group),
            lines,
            is_destroyed,
            is_open,
            priority: Priority::of_level(entry.level).max(least),
            order: if group.list == SectionKind::Resources {
                1 + kind as usize
            } else {
                AFTER_RESOURCES
            },
            places: report::EntryPlaces {
                list: group.list,
                indices: group.places.clone(),
            },
            ..with_findings
        }
    }

    /// Returns where the objects of a group are written. Positions after the first one are counted.
    pub(super) fn source(&self, group: &EntryGroup<'r, 'a>) -> Option<SourceLink> {
        let source = group.entry.source.as_ref()?;
        let all = group
            .entries
            .iter()
            .filter_map(|entry| entry.source.as_ref());
        let all: HashSet<(&str, u64)> = all.map(|source| (&*source.file, source.line)).collect();
        let rest = match all.len() {
            1 => String::new(),
            number => format!(" and {}", count(number - 1, "other place")),
        };
        let url = self
            .options
            .source_url
            .as_ref()
            .map(|prefix| source.url(prefix));
        Some(SourceLink {
            text: one_line(&source.text()),
            uri: source.uri.clone(),
            url,
            rest,
        })
    }
}
