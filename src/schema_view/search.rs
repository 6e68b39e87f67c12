//! Views of `tfview schema search`: the schemas and members in which words occur.

use std::io;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::document::typed_name;
use super::json::{self, ListJson, NameJson};
use super::markdown;
use super::table::{self, Row};
use super::text::first_sentence;
use super::{Document, Selected, View};
use crate::schema::catalog::{Body, Member};
use crate::term::{Out, Role};

/// A query: all words must occur, ignoring case.
#[derive(Clone, Debug)]
pub struct Query {
    words: Vec<String>,
    names_only: bool,
}

/// The quality of a match, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// The query is the whole name.
    Exact,
    /// In the name of a schema.
    Name,
    /// In the name of a member.
    Member,
    /// In a description.
    Description,
}

/// A schema or member that matches a query.
#[derive(Debug)]
pub struct SearchHit<'d, 'a> {
    rank: Rank,
    place: Selected<'d, 'a>,
}

impl Query {
    /// A query for these words. With `names_only`, descriptions are not searched.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>, names_only: bool) -> Self {
        let words = words.into_iter().flat_map(str::split_whitespace).map(str::to_lowercase);
        Self { words: words.collect(), names_only }
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// All schemas and members that match the query, the best first.
    pub fn search<'d, 'a>(&self, all: &'d [Document<'a>]) -> Vec<SearchHit<'d, 'a>> {
        let mut found = Vec::new();
        for document in all {
            let entry = &document.entry;
            let description = document.schema.about.description;
            if let Some(rank) = self.rank(&entry.name, Rank::Name, description) {
                found.push(SearchHit { rank, place: Selected { document, part: None } });
            }
            if let Body::Members(members) = &document.schema.body {
                self.members(document, members, "", &mut found);
            }
        }
        crate::sort::by_key(&mut found, |found| found.rank); // stable: keeps the order of schemas
        found
    }

    fn members<'d, 'a>(
        &self,
        document: &'d Document<'a>,
        members: &'d [Member<'a>],
        parent: &str,
        found: &mut Vec<SearchHit<'d, 'a>>,
    ) {
        for member in members {
            if let Some(rank) = self.rank(member.name, Rank::Member, member.about.description) {
                let part = Some((format!("{parent}{}", member.name), member));
                found.push(SearchHit { rank, place: Selected { document, part } });
            }
            if !member.members.is_empty() {
                self.members(document, &member.members, &format!("{parent}{}.", member.name), found);
            }
        }
    }

    fn rank(&self, name: &str, in_name: Rank, description: Option<&str>) -> Option<Rank> {
        if let [word] = &self.words[..]
            && name.eq_ignore_ascii_case(word)
        {
            return Some(if in_name == Rank::Name { Rank::Exact } else { in_name });
        }
        if self.words.iter().all(|word| contains(name, word)) {
            return Some(in_name);
        }
        let description = description.filter(|_| !self.names_only)?;
        let found = self.words.iter().all(|word| contains(description, word) || contains(name, word));
        found.then_some(Rank::Description)
    }
}

/// Whether `text` contains the lower-case `word`, ignoring case.
fn contains(text: &str, word: &str) -> bool {
    if text.is_ascii() && word.is_ascii() {
        return text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()));
    }
    text.to_lowercase().contains(word)
}

impl SearchHit<'_, '_> {
    /// The name for `schema show`.
    fn shown_as(&self) -> String {
        let entry = &self.place.document.entry;
        typed_name(entry.kind, &entry.name) + &self.place.dotted_path()
    }

    fn row(&self) -> Row {
        let name = self.shown_as();
        match self.place.member() {
            Some(member) => {
                let row = table::row(member);
                Row { name, name_role: Role::Plain, description: first_sentence(&row.description), ..row }
            }
            None => {
                let about = self.place.about();
                let deprecated = about.deprecated.map(|_| (Role::Delete, "deprecated".to_owned()));
                Row {
                    name,
                    name_role: Role::Strong,
                    kind: self.place.document.entry.kind.noun(1).to_owned(),
                    flags: deprecated.into_iter().collect(),
                    description: first_sentence(about.description.unwrap_or_default()),
                    ..Row::default()
                }
            }
        }
    }
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct FoundJson<'s> {
    #[serde(flatten)]
    name: NameJson<'s>,
    path: Option<&'s str>,
    shown_as: String,
    #[cfg_attr(test, schemars(extend("enum" = ["name", "description"])))]
    found_in: &'static str,
    description: Option<&'s str>,
}

impl View for [SearchHit<'_, '_>] {
    fn text(&self, out: &mut Out<'_>, total: usize) -> io::Result<()> {
        let rows: Vec<Row> = self.iter().map(SearchHit::row).collect();
        table::write(out, &rows, total)
    }

    fn markdown(&self) -> String {
        let rows = self.iter().map(SearchHit::row).map(|row| row.markdown(&row.name));
        markdown::table(&table::MARKDOWN) + &rows.collect::<String>()
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
