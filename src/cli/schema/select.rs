//! Selects schemas by kinds, by globs, and by the names of types with paths.

use anyhow::bail;

use crate::cli::messages::ErrorWithTip;
use crate::glob;
use crate::schema::SchemaKind;
use crate::schema::catalog::{Body, Entry, Member, Schema};
use crate::schema::check::similar;

/// Returns the kind of schema that a word means, in singular or plural; `None` if it means none.
pub(super) fn kind(word: &str) -> Option<SchemaKind> {
    let word = word.to_lowercase().replace('-', "_");
    let singular = match word.as_str() {
        "identities" => "identity",
        word => word.strip_suffix('s').unwrap_or(word),
    };
    Some(match singular {
        "data_source" | "datasource" => SchemaKind::DataSource,
        "ephemeral_resource" => SchemaKind::EphemeralResource,
        "list_resource" => SchemaKind::ListResource,
        "resource_identity" => SchemaKind::Identity,
        other => {
            return SchemaKind::ALL
                .into_iter()
                .find(|kind| kind.word() == other);
        }
    })
}

/// Returns a filter for the words `KIND`, `GLOB` or both. A word without wildcards matches anywhere in a name.
///
/// # Errors
/// If the first of two words is not a kind.
pub(super) fn filter(words: &[String]) -> anyhow::Result<impl Fn(&Entry<'_>) -> bool> {
    let (kind, glob) = match words {
        [] => (None, None),
        [word] => (
            kind(word),
            if kind(word).is_some() {
                None
            } else {
                Some(word)
            },
        ),
        [first, second, ..] => {
            let kind = kind(first).ok_or_else(|| {
                let kinds = SchemaKind::ALL.map(SchemaKind::word).join(", ");
                ErrorWithTip::new(
                    format!("{first} is not a kind of schema"),
                    format!("possible kinds: {kinds}"),
                )
            })?;
            (Some(kind), Some(second))
        }
    };
    let glob = glob.map(|word| {
        if word.contains(['*', '?']) {
            word.clone()
        } else {
            format!("*{word}*")
        }
    });
    Ok(move |entry: &Entry<'_>| {
        kind.is_none_or(|kind| kind == entry.kind)
            && glob
                .as_deref()
                .is_none_or(|glob| glob::matches(glob, &entry.name))
    })
}

/// The schema, or the part of one, that an argument names.
#[derive(Debug)]
pub(super) struct Selection {
    kind: Option<SchemaKind>,
    pub(super) name: String,
    path: Vec<String>,
}

impl Selection {
    /// Parses a name such as `aws_instance.root_block_device`, `data.aws_ami` or `provider::aws::arn_parse`.
    ///
    /// # Errors
    /// If there is no name in it.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        if let Some((_, function)) = text
            .strip_prefix("provider::")
            .and_then(|function| function.split_once("::"))
        {
            return Ok(Self {
                kind: Some(SchemaKind::Function),
                name: function.to_owned(),
                path: Vec::new(),
            });
        }
        // Indices of instances and elements are not part of a schema.
        let steps = text
            .split('.')
            .map(|step| step.split('[').next().unwrap_or_default());
        let is_index = |step: &str| step == "*" || step.bytes().all(|byte| byte.is_ascii_digit());
        let mut steps = steps
            .filter(|step| !is_index(step))
            .map(str::to_owned)
            .peekable();
        let first = steps.next().ok_or_else(|| {
            ErrorWithTip::new(
                format!("{text:?} is not the name of a type"),
                "`tfview schema list` lists all",
            )
        })?;
        // A first word that is a kind and that more words follow is no name: no type is called like a kind.
        let prefix = SchemaKind::ALL
            .into_iter()
            .find(|kind| kind.word() == first);
        match (prefix, steps.peek().is_some()) {
            (Some(kind), true) => {
                let name = steps.next().unwrap_or_default();
                Ok(Self {
                    kind: Some(kind),
                    name,
                    path: steps.collect(),
                })
            }
            (Some(_) | None, _) => Ok(Self {
                kind: None,
                name: first,
                path: steps.collect(),
            }),
        }
    }

    /// Returns the schemas that are meant, and the other kinds that have schemas with the same name.
    ///
    /// # Errors
    /// If no schema has the name; a tip says what may be meant.
    pub(super) fn entries<'e, 'a>(
        &self,
        all: &'e [Entry<'a>],
    ) -> anyhow::Result<(Vec<&'e Entry<'a>>, Vec<SchemaKind>)> {
        let named: Vec<&Entry<'_>> = all
            .iter()
            .filter(|entry| *entry.name == *self.name)
            .collect();
        let of_kind = |kind| {
            named
                .iter()
                .copied()
                .filter(move |entry| entry.kind == kind)
        };
        let mut kinds: Vec<SchemaKind> = named.iter().map(|entry| entry.kind).collect();
        // Resources take precedence; a provider is selected only if nothing else has the name.
        kinds.sort_by_key(|kind| (*kind == SchemaKind::Provider, *kind));
        kinds.dedup();
        let kind = match self.kind {
            Some(kind) => kinds.contains(&kind).then_some(kind),
            None => kinds.first().copied(),
        };
        let Some(kind) = kind else {
            return Err(self.unknown(all, &kinds).into());
        };
        kinds.retain(|other| self.kind.is_none() && *other != kind);
        Ok((of_kind(kind).collect(), kinds))
    }

    /// Makes the error for a name that no schema has, with a tip about a similar name.
    fn unknown(&self, all: &[Entry<'_>], kinds: &[SchemaKind]) -> ErrorWithTip {
        let what = self.kind.map_or("schema", |kind| kind.noun(1));
        let text = format!("no {what} is called {}", self.name);
        if let Some(kind) = kinds.first() {
            let meant = format!("{}.{}", kind.word(), self.name);
            return ErrorWithTip::new(text, format!("did you mean {meant}?"));
        }
        let of_kind = all
            .iter()
            .filter(|entry| self.kind.is_none_or(|kind| kind == entry.kind));
        match similar(&self.name, of_kind.map(|entry| &*entry.name)) {
            Some(meant) => ErrorWithTip::new(text, format!("did you mean {meant}?")),
            None => ErrorWithTip::new(text, "`tfview schema list` lists all"),
        }
    }

    /// Returns the part of a schema that the path leads to; `None` for the whole schema.
    ///
    /// # Errors
    /// If the schema does not have that part; a tip says what may be meant.
    pub(super) fn part<'s, 'a>(
        &self,
        schema: &'s Schema<'a>,
    ) -> anyhow::Result<Option<(String, &'s Member<'a>)>> {
        if self.path.is_empty() {
            return Ok(None);
        }
        let Body::Members(members) = &schema.body else {
            bail!("{} is a function: it has no parts", self.name)
        };
        let (mut selected, mut siblings, mut reached) = (None, &members[..], self.name.clone());
        for step in &self.path {
            let Some(member) = siblings.iter().find(|member| member.name == *step) else {
                let tip = match similar(step, siblings.iter().map(|member| member.name)) {
                    Some(meant) => format!("did you mean {meant}?"),
                    None if siblings.is_empty() => format!("{reached} has no parts"),
                    None => format!("`tfview schema show {reached}` shows all"),
                };
                let text = format!("{reached} has no attribute or block {step}");
                bail!(ErrorWithTip::new(text, tip));
            };
            (selected, siblings) = (Some(member), &member.members[..]);
            reached = format!("{reached}.{step}");
        }
        Ok(selected.map(|member| (self.path.join("."), member)))
    }
}

#[cfg(test)]
mod tests;
