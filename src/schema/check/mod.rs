//! Checks a Provider Code Specification (version 0.1).
//!
//! Errors are violations of the official JSON Schema, and names declared twice, which the official
//! validator rejects in a second pass. Warnings are mistakes that both accept: a name that no tool reads
//! (the official schema allows any name in many objects), and a name written twice in one object.
//!
//! Invariant: all findings are reported, each with its offset, in the order of the text.

mod grammar;
mod names;

use std::collections::{HashMap, HashSet};

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::compare::written;
use crate::json::{Content, Tree};

pub(crate) use names::is_identifier;
pub use names::similar;

use grammar::{Node, ObjectRule, Rule};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FindingLevel {
    /// Tools reject the specification.
    Error,
    /// Tools accept the specification, but ignore a part of it.
    Warning,
}

/// The check that reported a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
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
#[cfg_attr(test, derive(JsonSchema))]
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
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub hint: String,
}

/// Checks the specification in `text`.
pub fn check(text: &str) -> Vec<Finding> {
    // Each value begins after one of these bytes. In strings, they only make the bound lower.
    let values = memchr::memchr3_iter(b',', b'[', b'{', text.as_bytes()).count();
    if values.saturating_mul(VALUE) > (48 << 20) + 22 * text.len() {
        let problem = "more values than can be checked".to_owned();
        return vec![whole(0, problem, "check parts of the specification by themselves")];
    }
    let tree = match Tree::parse(text) {
        Ok(tree) => tree,
        Err(error) => return vec![whole(error.offset, format!("not JSON: {error}"), "")],
    };
    let mut checker = Checker::default();
    checker.object(&tree, Node::ROOT, "");
    checker.note_other_documents(&tree);
    crate::sort::by_key(&mut checker.found, |finding| (finding.offset, finding.level));
    if let Some((level, count)) = checker.more {
        let problem = format!("{count} more findings are not listed");
        checker.found.push(Finding { level, ..whole(text.len(), problem, "fix these first") });
    }
    checker.found
}

/// The maximum number of findings that are listed, which bounds the memory for a file full of errors.
const MAX_COUNT: usize = 10_000;

/// The maximum length of a path, in bytes. Longer paths are shortened in the middle.
const MAX_PATH_LEN: usize = 400;

/// About the memory that a value of a specification takes while it is checked. Text that is denser than a
/// specification can be would take a multiple of its size.
const VALUE: usize = 120;

/// An error of the text as a whole.
fn whole(offset: usize, problem: String, hint: &str) -> Finding {
    let (level, check, hint) = (FindingLevel::Error, Check::Schema, hint.to_owned());
    Finding { level, check, offset, path: String::new(), problem, hint }
}

#[derive(Debug, Default)]
struct Checker {
    found: Vec<Finding>,
    /// The worst level and the number of findings beyond [`MAX_COUNT`].
    more: Option<(FindingLevel, usize)>,
}

impl Checker {
    fn add(
        &mut self,
        (level, check): (FindingLevel, Check),
        offset: usize,
        path: &str,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) {
        if self.found.len() >= MAX_COUNT {
            let (worst, count) = self.more.unwrap_or((level, 0));
            self.more = Some((worst.min(level), count + 1));
            return;
        }
        let (problem, hint) = (problem.into(), hint.into());
        self.found.push(Finding { level, check, offset, path: shortened(path), problem, hint });
    }

    fn error(&mut self, offset: usize, path: &str, problem: impl Into<String>, hint: impl Into<String>) {
        self.add((FindingLevel::Error, Check::Schema), offset, path, problem, hint);
    }

    fn duplicate(&mut self, offset: usize, path: &str, problem: String) {
        self.add(
            (FindingLevel::Error, Check::Duplicate),
            offset,
            path,
            problem,
            "rename or remove one of them",
        );
    }

    fn value(&mut self, tree: &Tree, rule: Rule, path: &str) {
        match (rule, &tree.content) {
            (Rule::Object(node), _) => self.object(tree, node, path),
            (Rule::List(node, least), Content::Array(items)) => self.list(tree, items, node, least, path),
            (Rule::Text(least), Content::String(text)) => {
                // JSON Schema counts characters, not bytes.
                if text.chars().count() < least {
                    let problem = match least {
                        1 => "an empty string".to_owned(),
                        _ => format!("a string of fewer than {least} characters"),
                    };
                    self.error(tree.offset, path, problem, "");
                }
            }
            (Rule::Identifier, Content::String(text)) => {
                if !is_identifier(text) {
                    let hint = names::identifier_hint(text);
                    let problem = format!(
                        "{text:?} is not an identifier: a lower-case letter or `_`, then lower-case letters, digits and `_`"
                    );
                    self.error(tree.offset, path, problem, hint);
                }
            }
            (Rule::Word(words), Content::String(text)) => {
                if !words.contains(&text.as_str()) {
                    let hint = match similar(text, words.iter().copied()) {
                        Some(word) => format!("did you mean {word:?}?"),
                        None => format!("it is one of {}", names::listed(words)),
                    };
                    self.error(tree.offset, path, format!("{text:?} is not known here"), hint);
                }
            }
            (Rule::Flag, Content::Bool) | (Rule::Number, Content::Number) => {}
            (
                Rule::List(..) | Rule::Text(_) | Rule::Identifier | Rule::Word(_) | Rule::Flag | Rule::Number,
                other,
            ) => self.wrong_type(tree.offset, path, rule.expected(), other),
        }
    }

    fn wrong_type(&mut self, offset: usize, path: &str, expected: &str, found: &Content) {
        let problem = format!("expected {expected}, found {}", what(found));
        self.error(offset, path, problem, "");
    }

    fn object(&mut self, tree: &Tree, node: Node, path: &str) {
        let rule = node.rule();
        let Content::Object(members) = &tree.content else {
            return self.wrong_type(tree.offset, path, rule.what, &tree.content);
        };
        if members.len() < rule.least {
            self.error(tree.offset, path, format!("{} is empty", rule.what), "add `attributes` or `blocks`");
        }
        // Of repeated names the last one wins.
        let mut last: HashMap<&str, usize> = HashMap::new();
        for member in members {
            if last.insert(&member.name, member.offset).is_some() {
                let problem = format!("`{}` is written twice in this object", member.name);
                let finding = (FindingLevel::Warning, Check::Unread);
                self.add(finding, member.offset, path, problem, "only the last one counts");
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
                    let missing = known.iter().copied().filter(|known| !last.contains_key(known));
                    self.unknown_member(
                        member.offset,
                        path,
                        &member.name,
                        similar(&member.name, missing),
                        &rule,
                    );
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

    /// Checks that there is exactly one of the members that name the kind of an attribute, type or default.
    fn one_of(&mut self, tree: &Tree, members: &HashMap<&str, usize>, rule: &ObjectRule, path: &str) {
        if rule.one_of.is_empty() {
            return;
        }
        let found: Vec<&str> =
            rule.one_of.iter().copied().filter(|name| members.contains_key(name)).collect();
        match found.as_slice() {
            [] => {
                let hint = format!("add one of {}", names::listed(rule.one_of));
                self.error(tree.offset, path, format!("{} has no {}", rule.what, rule.one_of_what), hint);
            }
            [_] => {}
            several => {
                let problem = format!(
                    "{} has more than one {}: {}",
                    rule.what,
                    rule.one_of_what,
                    names::listed(several)
                );
                self.error(tree.offset, path, problem, "keep one of them");
            }
        }
    }

    fn unknown_member(
        &mut self,
        offset: usize,
        path: &str,
        name: &str,
        meant: Option<&str>,
        rule: &ObjectRule,
    ) {
        let hint = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known here: {}", names::listed(&rule.known())),
        };
        let level = match rule.closed {
            true => (FindingLevel::Error, Check::Schema),
            false => (FindingLevel::Warning, Check::Unread),
        };
        self.add(level, offset, path, format!("{} has no member `{name}`", rule.what), hint);
    }

    fn list(&mut self, tree: &Tree, items: &[Tree], node: Node, least: usize, path: &str) {
        if items.len() < least {
            self.error(tree.offset, path, "the list is empty", "add an entry, or remove the list");
        }
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for item in items {
            if let Some(name) = item.get("name").and_then(Tree::as_str) {
                places.entry(name).or_default().push(item.offset);
            }
        }
        for (at, item) in items.iter().enumerate() {
            let name = item.get("name").and_then(Tree::as_str);
            let unique = name.filter(|name| places.get(name).is_some_and(|places| places.len() == 1));
            let below = match unique {
                Some(name) => format!("{path}[{name}]"),
                None => format!("{path}[{at}]"),
            };
            self.object(item, node, &below);
            if let Some(name) = name.filter(|_| node.has_name())
                && places.get(name).and_then(|places| places.first()) != Some(&item.offset)
            {
                let problem = format!("{} named {name:?} is declared twice", node.rule().what);
                self.duplicate(item.offset, &below, problem);
            }
        }
    }

    /// Reports attributes and blocks with the same name: the official schema accepts them, but a provider
    /// cannot have both.
    fn attribute_against_block(&mut self, tree: &Tree, path: &str) {
        let items = |list: &str| match tree.get(list).map(|tree| &tree.content) {
            Some(Content::Array(items)) => items.as_slice(),
            Some(_) | None => &[],
        };
        let attributes: HashSet<&str> =
            items("attributes").iter().filter_map(|item| item.get("name").and_then(Tree::as_str)).collect();
        for item in items("blocks") {
            let Some(name) = item.get("name").and_then(Tree::as_str) else { continue };
            if attributes.contains(name) {
                let below = format!("{}[{name}]", joined(path, "blocks"));
                let problem = format!("{name:?} is an attribute and a block");
                self.duplicate(item.offset, &below, problem);
            }
        }
    }

    /// Reports documents of other kinds that users mistake for a specification.
    fn note_other_documents(&mut self, tree: &Tree) {
        if tree.get("provider_schemas").is_some() && tree.get("provider").is_none() {
            let hint = "`schema check` is for Provider Code Specifications; `schema show` reads this file";
            self.error(tree.offset, "", "this is the output of `providers schema -json`", hint);
        }
    }
}

/// A path without its middle if it is longer than [`MAX_PATH_LEN`].
fn shortened(path: &str) -> String {
    if path.len() <= MAX_PATH_LEN {
        return path.to_owned();
    }
    let end = (0..=MAX_PATH_LEN / 2).rev().find(|at| path.is_char_boundary(*at)).unwrap_or_default();
    let begin = (path.len() - MAX_PATH_LEN / 2..=path.len()).find(|at| path.is_char_boundary(*at));
    format!("{}…{}", &path[..end], &path[begin.unwrap_or(path.len())..])
}

/// The path of a member.
pub(super) fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn what(content: &Content) -> &'static str {
    match content {
        Content::Null => "null",
        Content::Bool => "true or false",
        Content::Number => "a number",
        Content::String(_) => "a string",
        Content::Array(_) => "an array",
        Content::Object(_) => "an object",
    }
}
