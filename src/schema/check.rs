//! Checks a Provider Code Specification (version 0.1).
//!
//! Errors are violations of the official JSON Schema, and names declared twice, which the official validator rejects in
//! a second pass. Warnings are mistakes that both accept: a name that no tool reads, and a name written twice in one
//! object.
//!
//! Invariant: findings are reported in the order of the text. The number of findings and the memory for the text are
//! limited; a last finding says so.

mod grammar;

use std::collections::{HashMap, HashSet};

use serde::{Serialize, Serializer};

use super::specification::is_identifier;
use crate::json::{Content, Tree};
use crate::suggestion::most_similar;

use grammar::{Node, ObjectRule, Rule};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingLevel {
    /// Tools reject the specification.
    Error,
    /// Tools accept the specification, but ignore a part of it.
    Warning,
}

/// The check that reported a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Check {
    /// The rules of the official JSON Schema.
    Schema,
    /// Names declared twice.
    Duplicate,
    /// Members that no tool reads.
    Unread,
}

/// A problem in a specification. Its texts contain names from the file: print them as untrusted data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The severity.
    pub level: FindingLevel,
    /// The check that reported it.
    pub check: Check,
    /// The position, in bytes from the start of the text.
    #[serde(skip)]
    pub offset: usize,
    /// The path, such as `resources[thing].schema.attributes[id].string`; empty for the root.
    pub path: String,
    /// The problem.
    pub problem: String,
    /// A suggestion, if there is one.
    #[serde(serialize_with = "written")]
    pub hint: String,
}

/// Checks a specification, and returns what is wrong with it in the order of the text.
///
/// A text that is not JSON, or that has too many values to be checked, has this as its only finding.
pub fn check(text: &str) -> Vec<Finding> {
    // Each value begins after one of these bytes. Those in strings only make the estimate higher.
    let values = memchr::memchr3_iter(b',', b'[', b'{', text.as_bytes()).count();
    if values.saturating_mul(VALUE) > (48 << 20) + 22 * text.len() {
        let problem = "more values than can be checked".to_owned();
        return vec![whole(
            0,
            problem,
            "check parts of the specification by themselves",
        )];
    }
    let tree = match Tree::parse(text) {
        Ok(tree) => tree,
        Err(error) => return vec![whole(error.offset, format!("not JSON: {error}"), "")],
    };
    let mut checker = Checker::default();
    checker.object(&tree, Node::ROOT, "");
    if tree.get("provider_schemas").is_some() && tree.get("provider").is_none() {
        let hint =
            "`schema check` is for Provider Code Specifications; `schema show` reads this file";
        checker.error(
            tree.offset,
            "",
            "this is the output of `providers schema -json`",
            hint,
        );
    }
    checker
        .findings
        .sort_by_key(|finding| (finding.offset, finding.level));
    if let Some((level, count)) = checker.more {
        let problem = if count == 1 {
            "1 more finding is not listed".to_owned()
        } else {
            format!("{count} more findings are not listed")
        };
        checker.findings.push(Finding {
            level,
            ..whole(text.len(), problem, "fix these first")
        });
    }
    checker.findings
}

/// The maximum number of findings that are kept, which limits the memory for a file full of errors. Further ones are
/// counted.
const MAX_COUNT: usize = 10_000;

/// The maximum length of the path of a finding, in bytes. Longer paths are shortened in the middle.
const MAX_PATH_LEN: usize = 400;

/// The approximate memory for a value, in bytes. A text that is denser than any specification would take a multiple of
/// its size.
const VALUE: usize = 120;

/// Makes a finding about the specification as a whole.
fn whole(offset: usize, problem: String, hint: &str) -> Finding {
    let (level, check, hint) = (FindingLevel::Error, Check::Schema, hint.to_owned());
    Finding {
        level,
        check,
        offset,
        path: String::new(),
        problem,
        hint,
    }
}

/// A check in progress: the findings so far.
#[derive(Debug, Default)]
struct Checker {
    findings: Vec<Finding>,
    more: Option<(FindingLevel, usize)>,
}

impl Checker {
    /// Adds a finding, or counts it if there are too many.
    fn add(
        &mut self,
        check: Check,
        offset: usize,
        path: &str,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let level = match check {
            Check::Schema | Check::Duplicate => FindingLevel::Error,
            Check::Unread => FindingLevel::Warning,
        };
        if self.findings.len() >= MAX_COUNT {
            let (worst, count) = self.more.unwrap_or((level, 0));
            self.more = Some((worst.min(level), count + 1));
            return;
        }
        let (problem, hint) = (problem.into(), hint.into());
        self.findings.push(Finding {
            level,
            check,
            offset,
            path: shortened(path),
            problem,
            hint,
        });
    }

    fn error(
        &mut self,
        offset: usize,
        path: &str,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.add(Check::Schema, offset, path, problem, hint);
    }

    fn duplicate(&mut self, offset: usize, path: &str, problem: String) {
        self.add(
            Check::Duplicate,
            offset,
            path,
            problem,
            "rename or remove one of them",
        );
    }

    /// Checks a value by a rule.
    fn value(&mut self, tree: &Tree, rule: Rule, path: &str) {
        let (problem, hint) = match (rule, &tree.content) {
            (Rule::Object(node), _) => return self.object(tree, node, path),
            (Rule::List(node, least), Content::Array(items)) => {
                return self.list(tree, items, node, least, path);
            }
            (Rule::Flag, Content::Bool) | (Rule::Number, Content::Number) => return,
            // JSON Schema counts characters, not bytes.
            (Rule::Text(least), Content::String(text)) if text.chars().count() >= least => return,
            (Rule::Text(1), Content::String(_)) => ("an empty string".to_owned(), String::new()),
            (Rule::Text(least), Content::String(_)) => (
                format!("a string of fewer than {least} characters"),
                String::new(),
            ),
            (Rule::Identifier, Content::String(text)) if is_identifier(text) => return,
            (Rule::Identifier, Content::String(text)) => {
                let rule = "a lower-case letter or `_`, then lower-case letters, digits and `_`";
                (
                    format!("{text:?} is not an identifier: {rule}"),
                    identifier_hint(text),
                )
            }
            (Rule::Word(words), Content::String(text)) if words.contains(&text.as_str()) => return,
            (Rule::Word(words), Content::String(text)) => {
                let hint = match similar(text, words.iter().copied()) {
                    Some(word) => format!("did you mean {word:?}?"),
                    None => format!("it is one of {}", listed(words)),
                };
                (format!("{text:?} is not known here"), hint)
            }
            (_, other) => (expected(rule.expected(), other), String::new()),
        };
        self.error(tree.offset, path, problem, hint);
    }

    /// Checks an object: each of its members by the rule for it, which members are missing, and which are repeated.
    fn object(&mut self, tree: &Tree, node: Node, path: &str) {
        let rule = node.rule();
        let Content::Object(members) = &tree.content else {
            return self.error(tree.offset, path, expected(rule.what, &tree.content), "");
        };
        if members.len() < rule.least {
            self.error(
                tree.offset,
                path,
                format!("{} is empty", rule.what),
                "add `attributes` or `blocks`",
            );
        }
        // If a name is repeated, tools read the last one.
        let mut last: HashMap<&str, usize> = HashMap::new();
        for member in members {
            if last.insert(&member.name, member.offset).is_some() {
                let problem = format!("`{}` is written twice in this object", member.name);
                self.add(
                    Check::Unread,
                    member.offset,
                    path,
                    problem,
                    "only the last one counts",
                );
            }
        }
        let known = rule.known();
        for member in members {
            if last.get(member.name.as_str()) != Some(&member.offset) {
                continue;
            }
            match rule.field(&member.name) {
                Some(field) => self.value(&member.value, field.rule, &joined(path, &member.name)),
                None => {
                    let missing = known
                        .iter()
                        .copied()
                        .filter(|known| !last.contains_key(known));
                    let hint = match similar(&member.name, missing) {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => format!("known here: {}", listed(&known)),
                    };
                    let check = if rule.closed {
                        Check::Schema
                    } else {
                        Check::Unread
                    };
                    let problem = format!("{} has no member `{}`", rule.what, member.name);
                    self.add(check, member.offset, path, problem, hint);
                }
            }
        }
        for field in rule.fields.iter().filter(|field| field.required) {
            if !last.contains_key(field.name) {
                let problem = format!("{} has no `{}`", rule.what, field.name);
                self.error(tree.offset, path, problem, field.rule.hint(field.name));
            }
        }
        self.one_of(tree, &last, &rule, path);
        if rule.has_members {
            self.attribute_against_block(tree, path);
        }
    }

    /// Checks that an object has exactly one of the members that exclude each other, such as those for the type of an
    /// attribute.
    fn one_of(
        &mut self,
        tree: &Tree,
        members: &HashMap<&str, usize>,
        rule: &ObjectRule,
        path: &str,
    ) {
        if rule.one_of.is_empty() {
            return;
        }
        let findings: Vec<&str> = rule
            .one_of
            .iter()
            .copied()
            .filter(|name| members.contains_key(name))
            .collect();
        match findings.as_slice() {
            [] => {
                let hint = format!("add one of {}", listed(rule.one_of));
                self.error(
                    tree.offset,
                    path,
                    format!("{} has no {}", rule.what, rule.one_of_what),
                    hint,
                );
            }
            [_] => {}
            several => {
                let problem = format!(
                    "{} has more than one {}: {}",
                    rule.what,
                    rule.one_of_what,
                    listed(several)
                );
                self.error(tree.offset, path, problem, "keep one of them");
            }
        }
    }

    /// Checks each entry of a list, and that no two entries have the same name.
    fn list<'t>(&mut self, tree: &Tree, items: &'t [Tree], node: Node, least: usize, path: &str) {
        if items.len() < least {
            self.error(
                tree.offset,
                path,
                "the list is empty",
                "add an entry, or remove the list",
            );
        }
        let mut named: HashMap<&str, (usize, usize)> = HashMap::new();
        let name = |item: &'t Tree| item.get("name").and_then(Tree::as_str);
        for (index, name) in items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| Some((index, name(item)?)))
        {
            named.entry(name).or_insert((index, 0)).1 += 1;
        }
        for (index, item) in items.iter().enumerate() {
            let name = name(item).and_then(|name| Some((name, *named.get(name)?)));
            let below = match name {
                Some((name, (_, 1))) => format!("{path}[{name}]"),
                Some(_) | None => format!("{path}[{index}]"),
            };
            self.object(item, node, &below);
            if let Some((name, _)) =
                name.filter(|(_, (first, _))| node.has_name() && *first != index)
            {
                let problem = format!("{} named {name:?} is declared twice", node.rule().what);
                self.duplicate(item.offset, &below, problem);
            }
        }
    }

    /// Reports names that are both an attribute and a block. The official schema accepts them, but a provider cannot
    /// have both.
    fn attribute_against_block(&mut self, tree: &Tree, path: &str) {
        let items = |list: &str| match tree.get(list).map(|tree| &tree.content) {
            Some(Content::Array(items)) => items.as_slice(),
            Some(_) | None => &[],
        };
        let attributes: HashSet<&str> = items("attributes")
            .iter()
            .filter_map(|item| item.get("name").and_then(Tree::as_str))
            .collect();
        for item in items("blocks") {
            let Some(name) = item.get("name").and_then(Tree::as_str) else {
                continue;
            };
            if attributes.contains(name) {
                let below = format!("{}[{name}]", joined(path, "blocks"));
                let problem = format!("{name:?} is an attribute and a block");
                self.duplicate(item.offset, &below, problem);
            }
        }
    }
}

/// Shortens a path in the middle to about `MAX_PATH_LEN` bytes.
fn shortened(path: &str) -> String {
    if path.len() <= MAX_PATH_LEN {
        return path.to_owned();
    }
    let end = path.floor_char_boundary(MAX_PATH_LEN / 2);
    let begin = path.ceil_char_boundary(path.len() - MAX_PATH_LEN / 2);
    format!("{}…{}", &path[..end], &path[begin..])
}

/// Serializes a text, and an empty one as null.
pub(super) fn written<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text)
        .filter(|text| !text.is_empty())
        .serialize(serializer)
}

/// Appends a name to a path, with a dot unless the path is empty.
pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// Returns the message for a value of the wrong kind.
fn expected(expected: &str, findings: &Content) -> String {
    let findings = match findings {
        Content::Null => "null",
        Content::Bool => "true or false",
        Content::Number => "a number",
        Content::String(_) => "a string",
        Content::Array(_) => "an array",
        Content::Object(_) => "an object",
    };
    format!("expected {expected}, found {findings}")
}

/// Returns the known name that a text was probably meant to be: one that is spelled like it, or one that contains it or
/// is contained in it, as `optional_required` in `computed_optional_required`.
pub fn similar<'k>(
    name: &str,
    known: impl IntoIterator<Item = &'k str> + Clone,
) -> Option<&'k str> {
    /// The minimum length of a name that may be a part of another one, in bytes. Shorter parts mean nothing.
    const MIN_PART: usize = 4;
    let normal = |name: &str| name.to_lowercase().replace('-', "_");
    let written = normal(name);
    let is_part = |known: &&str| {
        written.len() >= MIN_PART
            && known.len() >= MIN_PART
            && (known.contains(&written) || written.contains(known))
    };
    most_similar(name, known.clone(), normal).or_else(|| known.into_iter().find(is_part))
}

/// Returns a hint with a valid name that is like the text; empty if there is none.
fn identifier_hint(text: &str) -> String {
    let mut meant = String::new();
    for c in text.trim().chars() {
        match c {
            c if c.is_ascii_uppercase() => {
                if !meant.is_empty() && !meant.ends_with('_') {
                    meant.push('_');
                }
                meant.push(c.to_ascii_lowercase());
            }
            ' ' | '-' | '.' => meant.push('_'),
            c => meant.push(c),
        }
    }
    if is_identifier(&meant) {
        format!("did you mean {meant:?}?")
    } else {
        String::new()
    }
}

/// Returns the words in backticks, with commas.
fn listed(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests;
