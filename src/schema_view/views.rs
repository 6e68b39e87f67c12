//! The views of `tfview schema`: `list`, `show`, `search`, `check` and `diff`.
//!
//! This module decides which blocks a view has; its parent writes them as text or Markdown.

use std::io;

use super::json::{self, FindingJson, FoundJson, ListJson, ListedJson, NameJson, SchemaJson};
use super::table::{self, MemberRow};
use super::{Document, Selected, View, ViewBlock, Word};
use crate::schema::SchemaKind;
use crate::schema::catalog::{Body, Entry, Function, Member, Parameter};
use crate::schema::check::{Finding, FindingLevel};
use crate::schema::compare::{Change, Severity};
use crate::term::Role;
use crate::text;

/// Returns the name by which `schema show` selects a schema: `aws_vpc`, `data.aws_vpc`.
fn typed_name(kind: SchemaKind, name: &str) -> String {
    if kind == SchemaKind::Resource {
        name.to_owned()
    } else {
        format!("{}.{name}", kind.word())
    }
}

/// Counts schemas by kind: `2 resources, 1 data source`.
pub fn counts<'e>(entries: &(impl Iterator<Item = &'e Entry<'e>> + Clone)) -> String {
    let counted = SchemaKind::ALL.into_iter().filter_map(|kind| {
        let count = entries.clone().filter(|entry| entry.kind == kind).count();
        (count > 0).then(|| format!("{count} {}", kind.noun(count)))
    });
    counted.collect::<Vec<_>>().join(", ")
}

/// Returns the first sentence of a description, on one line. A sentence ends with a period and a space, or with its
/// paragraph.
pub(super) fn first_sentence(description: &str) -> String {
    let paragraph = description.trim().split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line
        .match_indices(". ")
        .map(|(offset, _)| offset + 1)
        .find(|offset| {
            // A period after an abbreviation such as "e.g." ends no sentence.
            !line[..*offset].ends_with("e.g.") && !line[..*offset].ends_with("i.e.")
        });
    end.map_or(line.as_str(), |end| &line[..end]).to_owned()
}

/// Returns the row of a schema, with the first sentence of its description.
fn schema_row(document: &Document<'_>, name: String) -> MemberRow {
    let about = &document.schema.about;
    let deprecated = about
        .deprecated
        .map(|_| (Role::Delete, "deprecated".to_owned()));
    MemberRow {
        name,
        kind: document.entry.kind.noun(1).to_owned(),
        flags: deprecated.into_iter().collect(),
        description: first_sentence(document.summary().or(about.description).unwrap_or_default()),
        ..MemberRow::default()
    }
}

/// Indents a row by two columns.
fn indented(row: MemberRow) -> MemberRow {
    MemberRow {
        branch: "  ".to_owned(),
        trunk: "  ".to_owned(),
        ..row
    }
}

impl View for [Document<'_>] {
    /// Lists the schemas of each provider, and counts them by kind.
    fn blocks(&self) -> Vec<ViewBlock> {
        let mut blocks = Vec::new();
        for of in self.chunk_by(|one, next| one.entry.provider == next.entry.provider) {
            let title = Word::Code(Role::Strong, of[0].entry.provider.to_string());
            let row = |document: &Document<'_>| {
                indented(schema_row(document, document.entry.name.to_string()))
            };
            blocks.push(ViewBlock::Title(3, vec![title]));
            blocks.push(ViewBlock::Table(of.iter().map(row).collect()));
        }
        if !self.is_empty() {
            let counts = counts(&self.iter().map(|document| &document.entry));
            blocks.push(ViewBlock::Line(vec![Word::Own(Role::Muted, counts)]));
        }
        blocks
    }

    fn json(&self) -> io::Result<String> {
        let listed = self.iter().map(|document| ListedJson {
            name: NameJson::new(&document.entry),
            shown_as: typed_name(document.entry.kind, &document.entry.name),
            version: json::version(&document.schema),
            description: document.schema.about.description,
            deprecated: document.schema.about.deprecated.is_some(),
        });
        json::document(ListJson::List(listed.collect()))
    }
}

impl View for [Selected<'_, '_>] {
    fn blocks(&self) -> Vec<ViewBlock> {
        self.iter().flat_map(one).collect()
    }

    fn json(&self) -> io::Result<String> {
        json::document(ListJson::Schemas(
            self.iter().map(SchemaJson::new).collect(),
        ))
    }
}

/// Returns the view of one schema, or of the selected part of it.
fn one(selected: &Selected<'_, '_>) -> Vec<ViewBlock> {
    let Document { entry, schema } = selected.document;
    let version = schema
        .version
        .map_or_else(String::new, |version| format!(", schema version {version}"));
    let title = vec![
        Word::Own(Role::Muted, format!("{} ", entry.kind.noun(1))),
        Word::Code(
            Role::Strong,
            format!("{}{}", entry.name, selected.dotted_path()),
        ),
        Word::Own(Role::Muted, " of ".to_owned()),
        Word::Code(Role::Muted, entry.provider.to_string()),
        Word::Text(Role::Muted, version),
    ];
    let mut blocks = vec![ViewBlock::Title(2, title)];
    let member = selected.member();
    if let Some(member) = member {
        let mut line = vec![Word::Code(Role::Read, member.type_words())];
        for (role, word) in table::flags(member) {
            line.extend([
                Word::Own(Role::Plain, ", ".to_owned()),
                Word::Own(role, word),
            ]);
        }
        blocks.push(ViewBlock::Line(line));
    }
    let about = selected.about();
    let deprecated = about
        .deprecated
        .map(|message| format!("Deprecated. {message}"));
    blocks.extend(deprecated.map(|text| ViewBlock::Paragraph(Role::Delete, text)));
    let texts = selected
        .document
        .summary()
        .into_iter()
        .chain(about.description)
        .map(str::to_owned);
    let default = member
        .and_then(|member| member.default)
        .map(|default| format!("Default: {default}"));
    blocks.extend(
        texts
            .chain(default)
            .map(|text| ViewBlock::Paragraph(Role::Plain, text)),
    );
    let members = selected.members();
    match &schema.body {
        Body::Function(function) => {
            blocks.push(ViewBlock::Line(vec![Word::Code(
                Role::Read,
                call(&entry.name, function),
            )]));
            let rows: Vec<MemberRow> = parameters(function).map(parameter_row).collect();
            blocks.extend((!rows.is_empty()).then_some(ViewBlock::Table(rows)));
        }
        Body::Members(_) if !members.is_empty() => {
            blocks.push(ViewBlock::Table(table::rows(members)));
        }
        Body::Members(_) if member.is_none() => {
            let nothing = "It has no attributes and no blocks.".to_owned();
            blocks.push(ViewBlock::Line(vec![Word::Own(Role::Muted, nothing)]));
        }
        Body::Members(_) => {}
    }
    blocks
}

/// Lists the parameters of a function, and whether each is the variadic one, which is the last.
fn parameters<'f, 'a>(
    function: &'f Function<'a>,
) -> impl Iterator<Item = (&'f Parameter<'a>, bool)> {
    let fixed = function
        .parameters
        .iter()
        .map(|parameter| (parameter, false));
    fixed.chain(function.variadic.iter().map(|parameter| (parameter, true)))
}

/// Returns the row of a parameter.
fn parameter_row((parameter, is_variadic): (&Parameter<'_>, bool)) -> MemberRow {
    let flags = [(is_variadic, "variadic"), (parameter.nullable, "nullable")].into_iter();
    let flags = flags
        .filter(|(is_set, _)| *is_set)
        .map(|(_, word)| (Role::Plain, word.to_owned()));
    MemberRow {
        name: parameter.name.to_owned(),
        name_role: Role::Strong,
        kind: parameter.kind.to_string(),
        flags: flags.collect(),
        description: parameter.description.unwrap_or_default().to_owned(),
        ..MemberRow::default()
    }
}

/// Returns the signature of a function: `name(parameter: type) -> type`.
fn call(name: &str, function: &Function<'_>) -> String {
    let arguments = parameters(function).map(|(parameter, is_variadic)| {
        format!(
            "{}{}: {}",
            parameter.name,
            if is_variadic { "..." } else { "" },
            parameter.kind
        )
    });
    format!(
        "{name}({}) -> {}",
        arguments.collect::<Vec<_>>().join(", "),
        function.result
    )
}

/// A search for words. A schema or member matches if all words occur in its name or description, ignoring case.
#[derive(Clone, Debug)]
pub struct Query {
    words: Vec<String>,
    names_only: bool,
}

/// The quality of a match of a schema or member with a query. Better matches come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The only word is the name of the schema.
    Exact,
    /// The words are in the name of the schema.
    Name,
    /// The words are in the name of a member.
    Member,
    /// The words are in the name and the description, or in the description only.
    Description,
}

/// A schema or member that matches a query.
#[derive(Debug)]
pub struct SearchHit<'d, 'a> {
    rank: Rank,
    place: Selected<'d, 'a>,
}

impl Query {
    /// Makes a query of words. With `names_only`, descriptions are not searched.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>, names_only: bool) -> Self {
        let words = words
            .into_iter()
            .flat_map(str::split_whitespace)
            .map(str::to_lowercase);
        Self {
            words: words.collect(),
            names_only,
        }
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns all schemas and members that match, the best matches first. Among equal ranks, the order of the schemas
    /// is kept.
    pub fn search<'d, 'a>(&self, all: &'d [Document<'a>]) -> Vec<SearchHit<'d, 'a>> {
        let mut hits = Vec::new();
        for document in all {
            let description = document.schema.about.description;
            if let Some(rank) = self.rank(&document.entry.name, Rank::Name, description) {
                hits.push(SearchHit {
                    rank,
                    place: Selected {
                        document,
                        part: None,
                    },
                });
            }
            if let Body::Members(members) = &document.schema.body {
                self.members(document, members, "", &mut hits);
            }
        }
        hits.sort_by_key(|hits| hits.rank); // stable: keeps the order of schemas
        hits
    }

    /// Searches the members of a schema at any depth.
    fn members<'d, 'a>(
        &self,
        document: &'d Document<'a>,
        members: &'d [Member<'a>],
        parent: &str,
        hits: &mut Vec<SearchHit<'d, 'a>>,
    ) {
        for member in members {
            let path = || format!("{parent}{}", member.name);
            if let Some(rank) = self.rank(member.name, Rank::Member, member.about.description) {
                hits.push(SearchHit {
                    rank,
                    place: Selected {
                        document,
                        part: Some((path(), member)),
                    },
                });
            }
            if !member.members.is_empty() {
                self.members(document, &member.members, &(path() + "."), hits);
            }
        }
    }

    /// Returns how well a name and a description match; `None` if a word is in neither. `in_name` is the rank of a
    /// match in the name.
    fn rank(&self, name: &str, in_name: Rank, description: Option<&str>) -> Option<Rank> {
        if let [word] = &self.words[..]
            && name.eq_ignore_ascii_case(word)
        {
            return Some(if in_name == Rank::Name {
                Rank::Exact
            } else {
                in_name
            });
        }
        if self.words.iter().all(|word| contains(name, word)) {
            return Some(in_name);
        }
        let description = description.filter(|_| !self.names_only)?;
        let words_found = self
            .words
            .iter()
            .all(|word| contains(description, word) || contains(name, word));
        words_found.then_some(Rank::Description)
    }
}

/// Whether a text contains a word, ignoring case. `word` must be in lower case.
fn contains(text: &str, word: &str) -> bool {
    if text.is_ascii() && word.is_ascii() {
        return text
            .as_bytes()
            .windows(word.len())
            .any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    }
    text.to_lowercase().contains(word)
}

impl SearchHit<'_, '_> {
    /// Returns what `schema show` takes to show the schema or member.
    fn shown_as(&self) -> String {
        let entry = &self.place.document.entry;
        typed_name(entry.kind, &entry.name) + &self.place.dotted_path()
    }

    /// Returns the row of a hit, with the first sentence of its description.
    fn row(&self) -> MemberRow {
        match self.place.member() {
            Some(member) => {
                let row = table::row(member);
                let description = first_sentence(&row.description);
                MemberRow {
                    name: self.shown_as(),
                    name_role: Role::Plain,
                    description,
                    ..row
                }
            }
            None => MemberRow {
                name_role: Role::Strong,
                ..schema_row(self.place.document, self.shown_as())
            },
        }
    }
}

impl View for [SearchHit<'_, '_>] {
    fn blocks(&self) -> Vec<ViewBlock> {
        vec![ViewBlock::Table(self.iter().map(SearchHit::row).collect())]
    }

    fn json(&self) -> io::Result<String> {
        let places = self.iter().map(|found| FoundJson {
            name: NameJson::new(&found.place.document.entry),
            path: found.place.part.as_ref().map(|(path, _)| path.as_str()),
            shown_as: found.shown_as(),
            found_in: match found.rank {
                Rank::Exact | Rank::Name | Rank::Member => "name",
                Rank::Description => "description",
            },
            description: found.place.about().description,
        });
        json::document(ListJson::Found(places.collect()))
    }
}

/// A file with the findings of `tfview schema check` in it.
#[derive(Debug)]
pub struct Checked {
    /// The name of the file, as it was given.
    pub file: String,
    /// The findings in the order of the file; empty if it is fine.
    pub findings: Vec<PlacedFinding>,
}

/// A finding with its place in the file.
#[derive(Debug)]
pub struct PlacedFinding {
    /// The finding itself.
    pub finding: Finding,
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
}

impl Checked {
    /// Finds the line and column of each finding. `findings` must be sorted by offset, so that one walk through the
    /// text is enough.
    pub fn new(file: String, text: &str, findings: Vec<Finding>) -> Self {
        let mut places = Vec::with_capacity(findings.len());
        // The position of the walk. Findings are sorted by offset, so it never goes back.
        let (mut line, mut line_start, mut byte_offset) = (1, 0, 0);
        for finding in findings {
            let offset = text.floor_char_boundary(finding.offset);
            let passed = &text.as_bytes()[byte_offset..offset.max(byte_offset)];
            line += memchr::memchr_iter(b'\n', passed).count();
            if let Some(end) = memchr::memrchr(b'\n', passed) {
                line_start = byte_offset + end + 1;
            }
            byte_offset = offset.max(byte_offset);
            let column = text[line_start..byte_offset].chars().count() + 1;
            places.push(PlacedFinding {
                finding,
                line: line as u64,
                column: column as u64,
            });
        }
        Self {
            file,
            findings: places,
        }
    }
}

impl View for [Checked] {
    /// Lists the findings of each file, and counts them by level.
    fn blocks(&self) -> Vec<ViewBlock> {
        let own = |text: &str| Word::Own(Role::Plain, text.to_owned());
        let (mut blocks, mut errors, mut warnings) = (Vec::new(), 0, 0);
        for Checked { file, findings } in self {
            for PlacedFinding {
                finding,
                line,
                column,
            } in findings
            {
                let place = format!("{file}:{line}:{column}");
                let mut words = vec![Word::Code(Role::Strong, place), own(" ")];
                let role = match finding.level {
                    FindingLevel::Error => Role::Delete,
                    FindingLevel::Warning => Role::Update,
                };
                if finding.level == FindingLevel::Warning {
                    warnings += 1;
                    words.push(Word::Own(role, "warning: ".to_owned()));
                } else {
                    errors += 1;
                }
                if !finding.path.is_empty() {
                    words.extend([Word::Code(Role::Read, finding.path.clone()), own(": ")]);
                }
                words.push(Word::Text(role, finding.problem.clone()));
                if !finding.hint.is_empty() {
                    words.extend([own("; "), Word::Text(Role::Plain, finding.hint.clone())]);
                }
                blocks.push(ViewBlock::Line(words));
            }
        }
        let [errors, warnings] = [
            text::count(errors, "error"),
            text::count(warnings, "warning"),
        ];
        let counts = format!(
            "{errors}, {warnings} in {}",
            text::count(self.len(), "file")
        );
        blocks.push(ViewBlock::Line(vec![Word::Own(Role::Muted, counts)]));
        blocks
    }

    fn json(&self) -> io::Result<String> {
        let findings = self.iter().flat_map(|Checked { file, findings }| {
            findings.iter().map(move |placed| FindingJson {
                file,
                line: placed.line,
                column: placed.column,
                finding: &placed.finding,
            })
        });
        json::document(ListJson::Findings(findings.collect()))
    }
}

impl View for [Change] {
    /// Lists the changes by severity, and counts them.
    fn blocks(&self) -> Vec<ViewBlock> {
        let line = |text: &str| ViewBlock::Line(vec![Word::Own(Role::Plain, text.to_owned())]);
        if self.is_empty() {
            return vec![line(
                "No changes. The schemas allow the same configurations.",
            )];
        }
        let heading = |severity: Severity| match severity {
            Severity::Breaking => (Role::Delete, "Breaking"),
            Severity::Possible => (Role::Update, "Possibly breaking"),
            Severity::Fine => (Role::Create, "Fine"),
        };
        let several = self
            .iter()
            .any(|change| change.provider != self[0].provider);
        let row = |change: &Change| {
            let name = typed_name(change.kind, &change.name);
            let name = if change.path.is_empty() {
                name
            } else {
                format!("{name}.{}", change.path)
            };
            indented(MemberRow {
                name,
                description: change.what.clone(),
                ..MemberRow::default()
            })
        };
        let mut blocks = Vec::new();
        // The changes are sorted by severity and provider, so that those with the same ones are next to each other.
        for of in self
            .chunk_by(|one, next| (one.severity, &one.provider) == (next.severity, &next.provider))
        {
            let (role, title) = heading(of[0].severity);
            let mut title = vec![Word::Own(role, format!("{title} ({})", of.len()))];
            if several {
                let provider = Word::Code(Role::Muted, of[0].provider.clone());
                title.extend([Word::Own(Role::Muted, " of ".to_owned()), provider]);
            }
            blocks.push(ViewBlock::Title(3, title));
            blocks.push(ViewBlock::Table(of.iter().map(row).collect()));
        }
        let counted = Severity::ALL.map(|severity| {
            let count = self
                .iter()
                .filter(|change| change.severity == severity)
                .count();
            format!("{count} {}", heading(severity).1.to_lowercase())
        });
        blocks.push(line(&counted.join(", ")));
        blocks
    }

    fn json(&self) -> io::Result<String> {
        json::document(ListJson::Changes(self))
    }
}
