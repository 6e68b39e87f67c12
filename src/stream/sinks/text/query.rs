//! Shows the results of `query`: those of each list block in columns, once it is complete.

use std::collections::HashMap;
use std::io;

use bumpalo::Bump;

use crate::json::Value;
use crate::stream::event::QueryEvent;
use crate::stream::output::Output;
use crate::term::Role;
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::text::wrap;

use super::TextSink;

/// The results of incomplete list blocks: for each, the identity and the display name.
#[derive(Debug, Default)]
pub(super) struct Lists {
    results: HashMap<String, Vec<(String, String)>>,
    /// The list blocks without results.
    empty: Vec<String>,
}

impl TextSink {
    pub(super) fn query(&mut self, query: &QueryEvent<'_>, output: &mut Output<'_>) -> io::Result<()> {
        match query {
            QueryEvent::Started(_) => Ok(()),
            QueryEvent::Result(result) => {
                let arena = Bump::new();
                let identity = result.identity.and_then(|raw| raw.value(&arena).ok()).unwrap_or_default();
                let row = (identity_text(identity), result.display_name.to_string());
                self.lists.results.entry(result.address.to_string()).or_default().push(row);
                Ok(())
            }
            QueryEvent::Complete(list) => match self.lists.results.remove(&*list.address) {
                Some(rows) => write_list(&list.address, &rows, output),
                None => {
                    self.lists.empty.push(list.address.to_string());
                    Ok(())
                }
            },
        }
    }

    /// Shows the remaining results at the end of the run, and the blocks without results.
    pub(super) fn finish_lists(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        let Lists { results, empty } = std::mem::take(&mut self.lists);
        let mut results: Vec<_> = results.into_iter().collect();
        crate::sort::by(&mut results, Ord::cmp);
        for (address, rows) in results {
            write_list(&address, &rows, output)?;
        }
        if empty.is_empty() {
            return Ok(());
        }
        let text = format!("Warning: list block(s) [{}] returned 0 results.", empty.join(", "));
        let text = wrap(&text, self.wrap_width());
        let (word, rest) = text.split_at("Warning:".len());
        let (word, rest) = (Styled(Role::StrongWarning, word), StyledData(Role::Strong, rest));
        output.text()?.parts(&[word, rest, Lit("\n\n")])
    }
}

fn write_list(address: &str, rows: &[(String, String)], output: &mut Output<'_>) -> io::Result<()> {
    let widest = rows.iter().map(|(identity, _)| identity.len()).max().unwrap_or_default();
    let out = output.text()?;
    for (identity, name) in rows {
        // Like the tool, this pads by bytes.
        let gap = Spaces(widest - identity.len() + 3);
        out.parts(&[Data(address), Spaces(3), Data(identity), gap, Data(name), Lit("\n")])?;
    }
    out.lit("\n")
}

/// An identity as `k=v,k2=v2`, with lists in brackets.
pub(super) fn identity_text(value: Value<'_>) -> String {
    match value {
        Value::Object(object) => {
            let members =
                object.members().iter().map(|(name, value)| format!("{name}={}", identity_text(*value)));
            members.collect::<Vec<_>>().join(",")
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| identity_text(*item)).collect::<Vec<_>>().join(","))
        }
        Value::Null => "<null>".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(text) | Value::String(text) => text.to_owned(),
    }
}
