//! The search, which finds the entries that have a text in their addresses, attributes or values.
//!
//! A text is found anywhere, ignoring case. If no entry has it, addresses are searched for its letters in order, each
//! run of them at the start of a word: `kmsdata` finds `aws_kms_key.data`.
//!
//! The texts of all entries are put together once, a few at a time while no key is pressed and the rest when a search
//! begins. So each typed letter costs a single walk over them.

use std::ops::Range;

use foldhash::HashSet;
use memchr::memmem::Finder;

use super::details::ShownValues;
use super::model::{Model, Record};
use super::rows::Position;

/// The number of entries that are prepared at once while no key is pressed.
const PREPARED: usize = 64;

/// A search, with its results.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The text that was typed.
    pub(super) query: String,
    /// The position of the cursor when the search began.
    pub(super) origin: Position,
    /// The texts of the entries that were put together so far.
    index: Index,
    /// For each record, whether it was found.
    matched: Vec<bool>,
    /// The parts that have a record that was found.
    parts: HashSet<usize>,
    /// The number of records that were found.
    count: usize,
}

impl Search {
    /// Puts the texts of the next entries together. Returns false if that is done for all.
    pub(super) fn prepare(&mut self, model: &Model<'_>) -> bool {
        self.index.extend(model, PREPARED)
    }

    /// Begins a search without a text, and prepares all entries that are not prepared yet.
    pub(super) fn begin(&mut self, model: &Model<'_>, origin: Position) {
        self.index.extend(model, usize::MAX);
        self.origin = origin;
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.query.clear();
        self.matched.clear();
        self.parts.clear();
        self.count = 0;
    }

    /// Searches all records for the text.
    pub(super) fn run(&mut self, model: &Model<'_>) {
        self.matched.clear();
        self.matched.resize(self.index.len(), false);
        self.parts.clear();
        self.count = 0;
        for record in self.index.matches(&self.query) {
            if let Some(found) = self.matched.get_mut(record) {
                *found = true;
                self.count += 1;
                let record = model.record(record);
                self.parts
                    .extend(record.into_iter().flat_map(Record::parts));
            }
        }
    }

    pub(super) fn matches(&self, record: usize) -> bool {
        self.matched.get(record).copied().unwrap_or(false)
    }

    pub(super) fn matches_part(&self, part: usize) -> bool {
        self.parts.contains(&part)
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether a text contains the searched one, ignoring case.
    pub(super) fn is_in(&self, text: &str) -> bool {
        !self.query.is_empty() && text.to_lowercase().contains(&self.query.to_lowercase())
    }
}

/// The texts of the records that were prepared, in lower case.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// All texts of each record.
    texts: Texts,
    /// The addresses of each record.
    addresses: Texts,
}

/// The texts of records, put together as one text.
#[derive(Debug, Default)]
struct Texts {
    /// The texts, each of which ends with a line feed; each record ends with another one.
    all: String,
    /// The end of each record in the text, in bytes.
    ends: Vec<usize>,
}

impl Texts {
    /// Ends the record to which texts were added.
    fn end_record(&mut self) {
        self.all.push('\n');
        self.ends.push(self.all.len());
    }

    /// Returns the range of a record in the text.
    fn range(&self, index: usize) -> Range<usize> {
        let start = index
            .checked_sub(1)
            .and_then(|before| self.ends.get(before));
        start.copied().unwrap_or(0)..self.ends.get(index).copied().unwrap_or(self.all.len())
    }

    /// Adds a text to the current record, in lower case.
    fn push(&mut self, text: &str) {
        if text.is_ascii() {
            let start = self.all.len();
            self.all.push_str(text);
            if let Some(added) = self.all.get_mut(start..) {
                added.make_ascii_lowercase();
            }
        } else {
            self.all.push_str(&text.to_lowercase());
        }
        self.all.push('\n');
    }
}

impl Index {
    /// Returns the number of records in the index.
    fn len(&self) -> usize {
        self.texts.ends.len()
    }

    /// Adds up to `count` records. Returns false if there are no more.
    fn extend(&mut self, model: &Model<'_>, count: usize) -> bool {
        let rest = model.records.get(self.len()..).unwrap_or_default();
        for record in rest.iter().take(count) {
            self.add(model, record);
        }
        rest.len() > count
    }

    /// Adds all texts of an entry to the index, and its addresses once more for the search by letters.
    fn add(&mut self, model: &Model<'_>, record: &Record<'_>) {
        let entry = record.entry;
        for text in [
            &entry.address,
            &entry.summary,
            &entry.preview,
            &entry.remark,
        ] {
            self.texts.push(text);
        }
        for text in entry.others.iter().chain(&entry.reasons) {
            self.texts.push(text);
        }
        for kind in &entry.finding_kinds {
            self.texts.push(kind);
        }
        if model.details.is_searched_in_texts() {
            let texts = record
                .objects()
                .map(|id| model.details.text(id, ShownValues::All));
            for text in texts.flatten() {
                self.texts.push(text.text());
            }
        }
        for line in &entry.lines {
            self.texts.push(&line.text());
        }
        self.addresses.push(&entry.address);
        for object in record.objects().filter_map(|id| model.object(id)) {
            self.texts.push(object.address);
            self.addresses.push(object.address);
        }
        self.texts.end_record();
        self.addresses.end_record();
    }

    /// Returns the indices of the records that match, in ascending order.
    pub(super) fn matches(&self, query: &str) -> Vec<usize> {
        let query = query.to_lowercase();
        if query.is_empty() {
            return Vec::new();
        }
        let finder = Finder::new(&query);
        let mut matches = Vec::new();
        let (mut start, mut next) = (0, 0);
        while let Some(offset) = self
            .texts
            .all
            .as_bytes()
            .get(start..)
            .and_then(|rest| finder.find(rest))
        {
            // Often the next record matches, too, so it is tried before the binary search.
            let is_before = |end: &usize| *end <= start + offset;
            let rest = self.texts.ends.get(next..).unwrap_or_default();
            let record = match rest.first() {
                Some(end) if !is_before(end) => next,
                Some(_) | None => next + rest.partition_point(is_before),
            };
            matches.push(record);
            next = record + 1;
            start = self.texts.range(record).end;
        }
        if matches.is_empty() && !query.contains(char::is_whitespace) {
            let letters: Vec<char> = query.chars().collect();
            let is_like = |index: &usize| {
                let addresses = self.addresses.all.get(self.addresses.range(*index));
                let mut addresses = addresses.unwrap_or_default().lines();
                addresses.any(|address| is_fuzzy_match(&letters, address))
            };
            matches = (0..self.addresses.ends.len()).filter(is_like).collect();
        }
        matches
    }
}

/// Whether an address has all letters in order, each run of them at the start of a word.
///
/// The time is at most proportional to the product of both lengths.
fn is_fuzzy_match(letters: &[char], address: &str) -> bool {
    // For each number of letters, whether so many match before the current character, with the last one directly before
    // it …
    let mut runs = vec![false; letters.len() + 1];
    // … or anywhere before it.
    let mut begun = vec![false; letters.len() + 1];
    begun[0] = true;
    let mut is_word_start = true;
    for c in address.chars() {
        for index in (0..letters.len()).rev() {
            let continues = runs[index] || (begun[index] && is_word_start);
            let matches = letters[index] == c && continues;
            runs[index + 1] = matches;
            begun[index + 1] |= matches;
        }
        is_word_start = !c.is_alphanumeric();
    }
    begun[letters.len()]
}

#[cfg(test)]
mod tests {
    use super::is_fuzzy_match;

    #[test]
    fn letters_match_at_the_starts_of_words_only() {
        let matches =
            |letters: &str, address| is_fuzzy_match(&letters.chars().collect::<Vec<_>>(), address);
        assert!(matches("kmsdata", "aws_kms_key.data"));
        assert!(matches("akd", "aws_kms_key.data"));
        assert!(matches("netsub", "module.network.aws_subnet.a[\"x\"]"));
        assert!(!matches("ms", "aws_kms_key.data"));
        assert!(!matches("datakms", "aws_kms_key.data"));
        assert!(!matches("awsz", "aws_kms_key.data"));
    }
}
