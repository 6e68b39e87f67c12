//! `tfview schema list`, `show` and `search`.

use anyhow::anyhow;
use bumpalo::Bump;

use super::select::{Filter, Wanted};
use super::source::{Texts, documents};
use super::write;
use crate::cli::args::{ListArgs, SearchArgs, ShowSchemaArgs};
use crate::cli::settings::Settings;
use crate::cli::{Host, Outcome};
use crate::schema_view::{Document, Query, Selected};

/// `tfview schema list`
pub(super) fn list(args: &ListArgs, host: &Host) -> anyhow::Result<Outcome> {
    let filter = Filter::new(&args.filter)?;
    let settings = settings(&args.view.display(&args.source.schemas, None), host);
    let texts = Texts::read(&settings, &[], host)?;
    let mut entries = texts.entries(host)?;
    entries.retain(|entry| filter.passes(entry));
    let arena = Bump::new();
    let (documents, failed) = documents(entries, &arena, host);
    if documents.is_empty() && !failed {
        host.note("no schema passes this filter");
    }
    write(&*documents, &args.view, &settings, host, if failed { Outcome::Failed } else { Outcome::Fine })
}

/// `tfview schema show`
pub(super) fn show(args: &ShowSchemaArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view.display(&args.source.schemas, None), host);
    let wanted = args.names.iter().map(|name| Wanted::parse(name)).collect::<anyhow::Result<Vec<_>>>()?;
    let names: Vec<&str> = wanted.iter().map(Wanted::name).collect();
    let texts = Texts::read(&settings, &names, host)?;
    let entries = texts.entries(host)?;
    let arena = Bump::new();
    let mut found = Vec::new();
    for wanted in &wanted {
        let (meant, others) = wanted.entries(&entries)?;
        for entry in meant {
            let schema = entry.schema(&arena).map_err(|error| anyhow!("cannot read a schema: {error}"))?;
            found.push((wanted, Document { entry: entry.clone(), schema }));
        }
        if !others.is_empty() {
            let others =
                others.iter().map(|kind| format!("{} ({}.{})", kind.noun(1), kind.word(), wanted.name()));
            host.note(&format!("there is also: {}", others.collect::<Vec<_>>().join(", ")));
        }
    }
    let mut selected = Vec::with_capacity(found.len());
    for (wanted, document) in &found {
        selected.push(Selected { document, part: wanted.part(&document.schema)? });
    }
    write(&*selected, &args.view, &settings, host, Outcome::Fine)
}

/// `tfview schema search`
pub(super) fn search(args: &SearchArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = settings(&args.view.display(&args.source.schemas, None), host);
    let query = Query::new(args.words.iter().map(String::as_str), args.names);
    if query.is_empty() {
        return Err(anyhow!("nothing to search for: name a word"));
    }
    let texts = Texts::read(&settings, &[], host)?;
    let arena = Bump::new();
    let (documents, failed) = documents(texts.entries(host)?, &arena, host);
    let found = query.search(&documents);
    if found.is_empty() {
        host.note("nothing was found");
    }
    write(&*found, &args.view, &settings, host, if failed { Outcome::Failed } else { Outcome::Fine })
}

fn settings(display: &crate::cli::args::DisplayArgs, host: &Host) -> Settings {
    Settings::resolve(display, &host.environment, host.terminal)
}
