//! Errors in JSON texts, and where they are: by offset, and by path (`resource_changes[3].change.before`). Also
//! documents with the offset of every value and name.

use std::fmt;

use serde::de::{Expected, Unexpected};

use super::Reader;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    UnexpectedEnd,
    Expected(&'static str),
    ControlCharacter,
    BadEscape,
    BadNumber,
    TooDeep,
    TrailingData,
    Type(String),
    /// The member with this name occurs twice, where only one of them can count.
    Duplicate(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    pub offset: usize,
}

impl fmt::Display for Error {
    /// Writes what is wrong, without the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::UnexpectedEnd => f.write_str("the document ends in the middle of a value"),
            ErrorKind::Expected(what) => write!(f, "expected {what}"),
            ErrorKind::ControlCharacter => f.write_str("a string contains a raw control character"),
            ErrorKind::BadEscape => {
                f.write_str("a string contains an escape that JSON does not have")
            }
            ErrorKind::BadNumber => f.write_str("not a number"),
            ErrorKind::TooDeep => {
                write!(f, "values are nested more than {} deep", super::MAX_DEPTH)
            }
            ErrorKind::TrailingData => f.write_str("something follows the end of the document"),
            ErrorKind::Type(message) => f.write_str(message),
            ErrorKind::Duplicate(name) => write!(f, "the member `{name}` occurs twice"),
        }
    }
}

impl std::error::Error for Error {}

/// Returns what a value is, in words, for an error about its type.
fn kind(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "true or false",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::NewtypeStruct
        | Unexpected::Enum
        | Unexpected::UnitVariant
        | Unexpected::NewtypeVariant
        | Unexpected::TupleVariant
        | Unexpected::StructVariant
        | Unexpected::Other(_) => "something else",
    }
}

impl serde::de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            kind: ErrorKind::Type(message.to_string()),
            offset: usize::MAX,
        }
    }

    // The value may be sensitive: messages name its type, never its content.
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = match expected.to_string() {
            model if model.starts_with("struct ") => "an object".to_owned(),
            list if list == "a sequence" => "an array".to_owned(),
            other => other,
        };
        Self::custom(format_args!("expected {expected}, found {}", kind(found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!(
            "expected {expected}, found another value: {}",
            kind(found)
        ))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("expected one of {}", expected.join(", ")))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self {
            kind: ErrorKind::Duplicate(name.to_owned()),
            offset: usize::MAX,
        }
    }
}

/// Keys of the plan and state formats that a path may name. Any other key may belong to a value, and in a malformed
/// document it is unknown where values begin, so it is never printed.
const NAMES: &[&str] = &[
    "action_invocation",
    "action_invocations",
    "action_reason",
    "actions",
    "address",
    "applyable",
    "attribute",
    "change",
    "checks",
    "child_modules",
    "complete",
    "configuration",
    "deferred_action_invocations",
    "deferred_changes",
    "deposed",
    "errored",
    "format_version",
    "generated_config",
    "id",
    "importing",
    "index",
    "lifecycle_action_trigger",
    "mode",
    "module_address",
    "name",
    "output_changes",
    "outputs",
    "planned_values",
    "previous_address",
    "prior_state",
    "provider_name",
    "reason",
    "relevant_attributes",
    "replace_paths",
    "resource",
    "resource_change",
    "resource_changes",
    "resource_drift",
    "resources",
    "root_module",
    "sensitive",
    "terraform_version",
    "type",
];

/// Members that hold values or their marks. Paths do not descend into them.
const VALUES: &[&str] = &[
    "after",
    "after_sensitive",
    "after_unknown",
    "before",
    "before_sensitive",
    "config_sensitive",
    "config_unknown",
    "config_values",
    "identity",
    "sensitive_values",
    "value",
    "values",
];

const SCHEMAS: &str = "provider_schemas";

fn may_name(path: &str, key: &str) -> bool {
    // The names of providers, types and attributes are not sensitive.
    if path.starts_with(SCHEMAS) || (path.is_empty() && key == SCHEMAS) {
        return true;
    }
    // The top-level `values` of a state contains its modules, not values.
    let last = path
        .rsplit('.')
        .next()
        .map(|step| step.trim_end_matches(|c: char| "[]0123456789".contains(c)));
    let in_values = path != "values" && last.is_some_and(|last| VALUES.contains(&last));
    !in_values && (NAMES.contains(&key) || VALUES.contains(&key))
}

/// Empty for the document itself. The path only names keys that the formats define, and does not descend into values,
/// which may be sensitive.
///
/// Reads `text` again up to the first error: for error messages only.
pub fn locate(text: &str, offset: usize) -> String {
    let mut path = String::new();
    // An error on the way is the one being located, so the path so far is the answer.
    let _: Result<(), Error> = descend(&mut Reader::new(text), offset, &mut path);
    path
}

/// Iterative, because the path can be as deep as the input.
fn descend(reader: &mut Reader<'_>, offset: usize, path: &mut String) -> Result<(), Error> {
    loop {
        let byte = reader.peek();
        if reader.pos() >= offset {
            return Ok(()); // what lies deeper begins after it, if it is read at all
        }
        let Some(close) = byte
            .filter(|byte| b"{[".contains(byte))
            .map(|byte| byte + 2)
        else {
            return Ok(());
        };
        let (mut is_first, mut index) = (true, 0);
        loop {
            if !reader.next_part(&mut is_first, close)? {
                return Ok(());
            }
            let key = if close == b'}' {
                Some(reader.key()?.resolved())
            } else {
                None
            };
            let mut ahead = reader.clone();
            if ahead.skip().is_err() || ahead.pos() > offset {
                match key {
                    None => path.push_str(&format!("[{index}]")),
                    Some(key) if may_name(path, &key) => push_key(path, &key),
                    Some(_) => return Ok(()),
                }
                break;
            }
            *reader = ahead;
            index += 1;
        }
    }
}

/// Appends a member to a path: `.name`, or `["a.b"]` if the name is not a plain word.
fn push_key(path: &mut String, key: &str) {
    let is_plain = !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let separator = if is_plain && !path.is_empty() {
        "."
    } else {
        ""
    };
    path.push_str(&if is_plain {
        format!("{separator}{key}")
    } else {
        format!("[{key:?}]")
    });
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub offset: usize,
    pub content: Content,
}

/// Only strings, arrays and objects keep their data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Null,
    Bool,
    Number,
    String(String),
    Array(Vec<Tree>),
    Object(Vec<Entry>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub offset: usize,
    pub name: String,
    pub value: Tree,
}

impl Tree {
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let tree = Self::read(&mut reader)?;
        reader.end()?;
        Ok(tree)
    }

    pub fn members(&self) -> &[Entry] {
        if let Content::Object(members) = &self.content {
            members
        } else {
            &[]
        }
    }

    /// The last one if there are several, as in Go's decoder.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members()
            .iter()
            .rfind(|member| member.name == name)
            .map(|member| &member.value)
    }

    pub fn as_str(&self) -> Option<&str> {
        if let Content::String(text) = &self.content {
            Some(text)
        } else {
            None
        }
    }

    /// Reads a value with the offsets of all its parts.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let (first, mut is_first) = (reader.peek(), true);
        let offset = reader.pos();
        let content = match first {
            Some(b'"') => Content::String(reader.string()?.resolved().into_owned()),
            Some(b'{') => {
                let mut members = Vec::new();
                while reader.next_part(&mut is_first, b'}')? {
                    reader.peek();
                    let offset = reader.pos();
                    let name = reader.key()?.resolved().into_owned();
                    members.push(Entry {
                        offset,
                        name,
                        value: Self::read(reader)?,
                    });
                }
                Content::Object(members)
            }
            Some(b'[') => {
                let mut items = Vec::new();
                while reader.next_part(&mut is_first, b']')? {
                    items.push(Self::read(reader)?);
                }
                Content::Array(items)
            }
            _ => match reader.skip()? {
                "null" => Content::Null,
                "true" | "false" => Content::Bool,
                _ => Content::Number,
            },
        };
        Ok(Self { offset, content })
    }
}

#[cfg(test)]
mod tests;
