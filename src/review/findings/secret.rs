//! Credentials in plain text, by their known forms.
//!
//! Invariants: no finding has a credential in its text; what is marked sensitive, or was there before, is no
//! finding, but texts show neither; each string is read once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::forms::{Credential, credentials, is_aws_secret, names_aws_secret};
use super::pattern::{
    Documents, ElementStep, PathStep, Side, member_text, path_of_edit, path_text,
};
use super::short;
use crate::access::glob_matches;
use crate::diff::edits::Format;
use crate::diff::value::{Content, MarkedValue, Redactor};
use crate::review::entry::{Finding, FindingKind, Level, RuleOrigin};
use crate::review::masks::Masks;
use crate::review::names::words;
use crate::text::escape;

/// The maximum number of credentials in one object that have a finding each.
const MAX_FOUND: usize = 20;

/// The maximum depth of values and documents that are read.
const MAX_DEPTH: usize = 64;

#[derive(Default)]
pub(in crate::review) struct Credentials<'w> {
    known: HashSet<&'w str>,
    found: Vec<(Vec<PathStep<'w>>, &'static str, &'w str)>,
    pub(in crate::review) masks: Masks,
}

impl<'w> Credentials<'w> {
    pub(in crate::review) fn find(
        name: Option<&str>,
        values: [MarkedValue<'w>; 2],
        documents: &Documents<'w>,
    ) -> Self {
        let (path, found, numbers) = (Vec::new(), Self::default(), HashMap::new());
        let mut walk = Walk {
            documents,
            path,
            encoded: None,
            side: Side::Before,
            found,
            numbers,
        };
        for (side, value) in [Side::Before, Side::After].into_iter().zip(values) {
            walk.side = side;
            walk.value(value, name);
        }
        walk.found
    }

    /// `resource_type` is empty for outputs.
    pub(in crate::review) fn findings<'a>(
        &self,
        resource_type: &str,
        after: MarkedValue<'w>,
        redactor: Redactor<'a>,
    ) -> Vec<Finding<'a>> {
        let is_meant = !self.found.is_empty() && is_holder(resource_type, after);
        let level = if is_meant {
            Level::Notice
        } else {
            Level::Critical
        };
        let mut known = self.known.clone();
        let new = self.found.iter().filter(|(.., text)| known.insert(text));
        let finding = |(path, name, _): &(Vec<PathStep<'w>>, &str, &str)| {
            let place = path_text(path);
            let text = match &*place {
                "" => format!("{name} in plain text"),
                place => format!("{}: {name} in plain text", short(place)),
            };
            Finding {
                kind: FindingKind::Secret,
                path: path_of_edit(path, Side::After, redactor),
                text,
                level,
                weight: u8::from(name.contains("private key")),
                rule: Arc::from("secret"),
                is_expected: false,
                is_undone: false,
                origin: RuleOrigin::BuiltIn,
            }
        };
        new.take(MAX_FOUND).map(finding).collect()
    }
}

fn mask(masks: &mut Masks, credential: Credential<'_>, number: usize) {
    /// A shorter line tells nothing about the key.
    const SHORTEST: usize = 8;
    let number = if number > 1 {
        format!(" {number}")
    } else {
        String::new()
    };
    if let Some(password) = credential.secret.strip_prefix(':') {
        let shown = format!(":(password{number})@");
        // As it is, and as the tool writes it in quotes.
        return [password, &*escape(password)]
            .iter()
            .for_each(|text| masks.insert(&format!(":{text}"), &shown));
    }
    let shown = format!("({}{number})", credential.name);
    let lines = credential.secret.split(['\n', '\r', '\\']).map(str::trim);
    for (at, line) in lines.filter(|line| line.len() >= SHORTEST).enumerate() {
        // Escaped line breaks are `\n`.
        let line = line
            .strip_prefix(['n', 'r'])
            .filter(|_| credential.secret.contains('\\'))
            .unwrap_or(line);
        masks.insert(line, if at == 0 { &shown } else { "…" });
    }
}

pub(in crate::review) fn is_in(text: &str) -> bool {
    let mut is_found = false;
    credentials(text, &mut |_| is_found = true);
    is_found
}

fn is_holder(resource_type: &str, object: MarkedValue<'_>) -> bool {
    match resource_type {
        "" => false,
        "aws_ssm_parameter" => member_text(object, "type") == Some("SecureString"),
        "kubernetes_manifest" => {
            let kind = object
                .get("manifest")
                .and_then(|manifest| member_text(manifest, "kind"));
            kind == Some("Secret")
        }
        _ => words("types that hold secrets")
            .iter()
            .any(|glob| glob_matches(glob, resource_type)),
    }
}

struct Walk<'v, 'w> {
    documents: &'v Documents<'w>,
    path: Vec<PathStep<'w>>,
    encoded: Option<&'w str>,
    side: Side,
    found: Credentials<'w>,
    numbers: HashMap<&'static str, HashSet<&'w str>>,
}

impl<'w> Walk<'_, 'w> {
    fn value(&mut self, value: MarkedValue<'w>, name: Option<&str>) {
        if value.is_hidden || self.path.len() > MAX_DEPTH {
            return;
        }
        match value.content {
            Content::String(text) => self.text(text, name),
            Content::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.below(
                        PathStep::Element(ElementStep {
                            index,
                            len: items.len(),
                            name: None,
                        }),
                        *item,
                        name,
                    );
                }
            }
            Content::Object(members) => {
                // An element of a list of variables has the name beside the value.
                let own = ["name", "key"]
                    .into_iter()
                    .find_map(|name| value.get(name)?.as_str());
                for (name, member) in members {
                    let known_as = if *name == "value" {
                        own.unwrap_or(name)
                    } else {
                        name
                    };
                    self.below(PathStep::Name(name), *member, Some(known_as));
                }
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_) => {}
        }
    }

    fn below(&mut self, step: PathStep<'w>, value: MarkedValue<'w>, name: Option<&str>) {
        self.path.push(step);
        self.value(value, name);
        self.path.pop();
    }

    fn text(&mut self, text: &'w str, name: Option<&str>) {
        if is_aws_secret(text) && name.is_some_and(names_aws_secret) {
            return self.take(Credential::new("AWS secret access key", text));
        }
        if may_hold(text)
            && let Some((format, value)) = self.documents.read(text)
        {
            let around = self.encoded;
            if matches!(format, Format::Base64 | Format::Gzip) {
                self.encoded = around.or(Some(text));
            }
            self.below(PathStep::Document(format), value, None);
            self.encoded = around;
            return;
        }
        credentials(text, &mut |credential| self.take(credential));
    }

    fn take(&mut self, credential: Credential<'w>) {
        let Credential { name, text, .. } = credential;
        let all = self.numbers.entry(name).or_default();
        if all.insert(text) {
            mask(&mut self.found.masks, credential, all.len());
        }
        if let Some(encoded) = self.encoded {
            self.found
                .masks
                .insert(encoded, &format!("(base64 of a text with: {name})"));
        }
        match self.side {
            Side::Before => _ = self.found.known.insert(text),
            Side::After => self.found.found.push((self.path.clone(), name, text)),
        }
    }
}

/// True for base64, and for a text with a credential or the name of one.
fn may_hold(text: &str) -> bool {
    /// The minimum length of base64 that may hold a credential.
    const SHORTEST: usize = 40;
    if text.len() < SHORTEST {
        return false;
    }
    let is_base64 = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=' | b'\n')
    };
    text.bytes().all(is_base64) || is_in(text) || has_secret_name(text)
}

fn has_secret_name(text: &str) -> bool {
    let all = memchr::memchr2_iter(b'k', b'K', text.as_bytes());
    all.into_iter().any(|at| {
        let end = text.get(..at + 3).filter(|text| {
            text.get(at..)
                .is_some_and(|end| end.eq_ignore_ascii_case("key"))
        });
        end.is_some_and(|text| {
            names_aws_secret(text.get(text.len().saturating_sub(24)..).unwrap_or(text))
        })
    })
}
