//! The results of other tools about a plan: scanners, policies and costs.
//!
//! [`read`] detects the kind of a file from its content, and makes [`Results`] and [`costs`] of it. [`tie`] finds
//! the resource of each result. Invariants: nothing of a file is executed, loaded or opened; a failed result is
//! tied or listed, never dropped; of more than [`MAX_KEPT`] results, the others are counted by level; members
//! that may repeat values of the plan (code blocks, evaluated values) are not read.

mod costs;
mod formats;
pub mod tie;

use bumpalo::Bump;
use serde::{Serialize, Serializer};

pub use costs::{Amount, Cost, Costs};

use crate::json::{self, Value};

/// The maximum number of results that are kept with their texts. Further ones are counted.
pub const MAX_KEPT: usize = 100_000;
/// The maximum length of a text of a result, in characters.
const MAX_TEXT: usize = 1_000;

/// How grave a result is, by the words of SARIF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultLevel {
    /// To know.
    Note,
    /// To weigh.
    #[default]
    Warning,
    /// To fix.
    Error,
}

impl ResultLevel {
    /// All levels, the gravest first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Note];

    /// The word in gates and in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The level for a severity of a scanner, `HIGH` for example. An unknown severity is a warning.
    fn from_severity(severity: &str) -> Self {
        match severity.to_ascii_lowercase().as_str() {
            "critical" | "high" | "important" | "error" | "failed" | "failure" => Self::Error,
            "low" | "note" | "info" | "informational" | "none" | "notice" | "negligible" => Self::Note,
            _ => Self::Warning,
        }
    }
}

/// A result of a tool. All texts are as the tool wrote them, and untrusted.
#[derive(Clone, Debug, Default)]
pub struct ToolResult<'a> {
    /// The name of the tool.
    pub tool: &'a str,
    /// The name of the rule; may be empty.
    pub rule: &'a str,
    /// How grave it is.
    pub level: ResultLevel,
    /// How grave it is in the tool's own words.
    pub severity: &'a str,
    /// The message.
    pub text: &'a str,
    /// A page about the rule: an http or https address.
    pub url: Option<&'a str>,
    /// What it is about, as the tool says it, the most reliable first.
    pub clues: Vec<Clue<'a>>,
    /// The addresses of the instances, resources or blocks that it is about, once it is tied. There are several if it
    /// is about a file of a module that is called several times.
    pub addresses: Vec<&'a str>,
}

impl ToolResult<'_> {
    /// The address, place or rule by which the result is named in a list.
    pub fn subject(&self) -> String {
        match (&*self.addresses, self.place()) {
            ([first, ..], _) => (*first).to_owned(),
            ([], Some(place)) => place,
            ([], None) => format!("{} {}", self.tool, self.rule).trim_end().to_owned(),
        }
    }

    /// The file, and the line if it is known.
    pub fn place(&self) -> Option<String> {
        self.lines().map(|(file, line)| if line > 0 { format!("{file}:{line}") } else { file.to_owned() })
    }

    /// The file and the line; 0 stands for the whole file.
    pub fn lines(&self) -> Option<(&str, u64)> {
        self.clues.iter().find_map(|clue| match clue {
            Clue::Lines(file, first) if !file.is_empty() => Some((*file, *first)),
            Clue::Lines(..) | Clue::Address(_) | Clue::Named { .. } | Clue::Words(_) => None,
        })
    }
}

/// What a tool says about the place of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue<'a> {
    /// The address of an instance or of a block, or the name that Trivy gives to a resource in a module:
    /// `type.name_DIGEST`.
    Address(&'a str),
    /// The type and name of a resource, and the name of its module; may be empty.
    Named {
        /// The type.
        resource_type: &'a str,
        /// The name.
        name: &'a str,
        /// The name of the module call, if known.
        module: &'a str,
    },
    /// Lines of a file, as the tool names it: the first line, from 1. 0 stands for the whole file.
    Lines(&'a str, u64),
    /// A text that may contain an address.
    Words(&'a str),
}

/// What a tool reported in a file.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToolReport<'a> {
    /// The name of the tool.
    pub tool: &'a str,
    /// Its version.
    pub version: Option<&'a str>,
    /// The name of the file.
    pub file: String,
    /// The number of its results, without suppressed ones.
    pub results: usize,
    /// The number of results that the project has suppressed.
    pub suppressed: usize,
    /// The number of results that are counted and not kept, because there are too many; by level, in the order of
    /// [`ResultLevel::ALL`].
    #[serde(serialize_with = "sum")]
    #[cfg_attr(test, schemars(with = "usize"))]
    pub left_out: [usize; 3],
}

fn sum<S: Serializer>(numbers: &[usize; 3], serializer: S) -> Result<S::Ok, S::Error> {
    numbers.iter().sum::<usize>().serialize(serializer)
}

/// The results in one file.
#[derive(Debug, Default)]
pub struct Results<'a> {
    /// What each tool reported.
    pub reports: Vec<ToolReport<'a>>,
    /// The results.
    pub results: Vec<ToolResult<'a>>,
    /// The costs.
    pub costs: Vec<Costs<'a>>,
}

/// Reads the output of a tool, of the kind that its content shows. `kept` is the number of results that were
/// kept from other files.
///
/// # Errors
/// If the text is not JSON, with where it is not, or not of a known kind.
pub fn read<'a>(
    text: &'a str,
    file: &str,
    kept: usize,
    arena: &'a Bump,
) -> Result<Results<'a>, Option<json::Error>> {
    let mut reader =
        ResultReader { arena, file, left: MAX_KEPT.saturating_sub(kept), read: Results::default() };
    let formats = [
        formats::sarif,
        formats::checkov,
        formats::trivy,
        formats::terrascan,
        formats::tfsec,
        formats::conftest,
        costs::read,
    ];
    let found = json::parse(text, arena).map(|root| formats.iter().any(|read| read(root, &mut reader)));
    // The messages of a run are one document on each line.
    match found {
        Ok(true) => {}
        Ok(false) | Err(_) if formats::messages(text, &mut reader) => {}
        Ok(false) => return Err(None),
        Err(error) => return Err(Some(error)),
    }
    Ok(reader.read)
}

/// Receives what the readers of the formats find.
struct ResultReader<'a, 'f> {
    arena: &'a Bump,
    file: &'f str,
    /// How many more results are kept.
    left: usize,
    read: Results<'a>,
}

impl<'a> ResultReader<'a, '_> {
    /// Begins the report of a tool.
    fn tool(&mut self, tool: &'a str, version: &'a str) {
        let version = Some(version).filter(|version| !version.is_empty());
        let report = ToolReport { tool, version, file: self.file.to_owned(), ..ToolReport::default() };
        self.read.reports.push(report);
    }

    /// Adds a result of a tool with its own word for its severity.
    fn found(&mut self, rule: &'a str, severity: &'a str, text: &'a str, url: &'a str, clues: Vec<Clue<'a>>) {
        self.add(ToolResult {
            rule: short(rule),
            level: ResultLevel::from_severity(severity),
            severity: short(severity),
            text: short(text),
            url: web_address(url),
            clues,
            ..ToolResult::default()
        });
    }

    /// Adds a result to the report that was begun last.
    fn add(&mut self, mut result: ToolResult<'a>) {
        let Some(report) = self.read.reports.last_mut() else { return };
        result.tool = report.tool;
        report.results += 1;
        if self.left == 0 {
            let counts = ResultLevel::ALL.iter().zip(&mut report.left_out);
            counts.filter(|(level, _)| **level == result.level).for_each(|(_, count)| *count += 1);
            return;
        }
        self.left -= 1;
        self.read.results.push(result);
    }

    /// Counts results that the project has suppressed.
    fn suppress(&mut self, number: usize) {
        if let Some(report) = self.read.reports.last_mut() {
            report.suppressed += number;
        }
    }

    /// Adds the sentence that a tool, or a part of it, did not work. It counts as an error, so that a gate does not
    /// pass what was not examined.
    fn failure(&mut self, text: &'a str) {
        self.found("", "failed", text, "", Vec::new());
    }

    fn text(&self, text: &str) -> &'a str {
        self.arena.alloc_str(text)
    }
}

/// The beginning of a text, as long as a line of a review can be.
fn short(text: &str) -> &str {
    let text = text.trim();
    text.char_indices().nth(MAX_TEXT).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// The string at a path of names joined by dots; empty if there is none.
fn string<'a>(value: Value<'a>, path: &str) -> &'a str {
    member(value, path).as_str().unwrap_or_default()
}

/// The first string at one of these paths that is not empty.
fn first_string<'a>(value: Value<'a>, paths: &[&str]) -> &'a str {
    paths.iter().map(|path| string(value, path)).find(|text| !text.is_empty()).unwrap_or_default()
}

/// `text`, or `otherwise` if it is empty.
fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

/// The value at a path of names; null if there is none.
fn member<'a>(value: Value<'a>, path: &str) -> Value<'a> {
    path.split('.').try_fold(value, |value, name| value.get(name)).unwrap_or_default()
}

/// The elements of the array at a path of names; none if there is no array.
fn items<'a>(value: Value<'a>, path: &str) -> &'a [Value<'a>] {
    member(value, path).as_array().unwrap_or_default()
}

/// The integer at a path of names; 0 if there is none.
fn integer(value: Value<'_>, path: &str) -> u64 {
    number(member(value, path)).unwrap_or(0)
}

fn number<N: std::str::FromStr>(value: Value<'_>) -> Option<N> {
    if let Value::Number(text) = value { text.parse().ok() } else { None }
}

/// A web address that is safe as the target of a link; `None` for anything else, such as `javascript:`.
pub fn web_address(text: &str) -> Option<&str> {
    const MAX_LEN: usize = 2_000;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?@!$&*+,;=%#".contains(c);
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    (is_web && text.len() <= MAX_LEN && text.chars().all(is_plain)).then_some(text)
}

#[cfg(test)]
mod tests;
