//! Shows the results of `query`: those of each list block in columns, once it is complete.

use std::io;

use bumpalo::Bump;
use std::collections::HashMap;

use crate::json::Value;
use crate::model::message::Message;
use crate::term::{Role, Untrusted};
use crate::text::wrap;

use super::Stream;
use super::record::Key;

/// The results of incomplete list blocks.
#[derive(Debug, Default)]
pub(super) struct Query {
    results: HashMap<String, Vec<(String, String)>>,
    empty: Vec<String>,
}

impl Stream<'_> {
    pub(super) fn list_start(&mut self, message: &Message<'_>) -> io::Result<()> {
        if let Some(list) = &message.list_start {
            self.record.course.list_began(Key::named(&list.address, "list"));
        }
        Ok(())
    }

    pub(super) fn list_result(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(result) = &message.list_resource_found else { return self.plain(message) };
        let arena = Bump::new();
        let identity = result.identity.and_then(|raw| raw.value(&arena).ok()).unwrap_or_default();
        let row = (identity_text(identity), result.display_name.to_string());
        self.query.results.entry(result.address.to_string()).or_default().push(row);
        Ok(())
    }

    pub(super) fn list_complete(&mut self, message: &Message<'_>) -> io::Result<()> {
        let Some(list) = &message.list_complete else { return self.plain(message) };
        self.record.course.list_ended(Key::named(&list.address, "list"));
        match self.query.results.remove(&*list.address) {
            Some(rows) => self.list(&list.address, &rows),
            None => {
                self.query.empty.push(list.address.to_string());
                Ok(())
            }
        }
    }

    fn list(&mut self, address: &str, rows: &[(String, String)]) -> io::Result<()> {
        let widest = rows.iter().map(|(identity, _)| identity.len()).max().unwrap_or_default();
        let out = self.out()?;
        for (identity, name) in rows {
            out.data(Untrusted(&format!("{address}   {identity}")))?;
            // Like the tool, this pads by bytes.
            out.spaces(widest - identity.len() + 3)?;
            out.data(Untrusted(name))?;
            out.lit("\n")?;
        }
        out.lit("\n")
    }

    /// Shows the remaining results at the end of the run, and the blocks without results.
    pub(super) fn queries_end(&mut self) -> io::Result<()> {
        let mut rest: Vec<_> = std::mem::take(&mut self.query.results).into_iter().collect();
        rest.sort();
        for (address, rows) in rest {
            self.list(&address, &rows)?;
        }
        if self.query.empty.is_empty() {
            return Ok(());
        }
        let text = format!("Warning: list block(s) [{}] returned 0 results.", self.query.empty.join(", "));
        let text = wrap(&text, self.options.width.saturating_sub(1));
        let (word, rest) = text.split_at("Warning:".len());
        let out = self.out()?;
        out.role(Role::StrongWarning, word)?;
        out.role_data(Role::Strong, Untrusted(rest))?;
        out.lit("\n\n")
    }
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
