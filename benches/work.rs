//! The measured operations, and the baseline that they are compared with.

use bumpalo::Bump;
use serde::de::IgnoredAny;
use tfview::internals::dialect::Dialect;
use tfview::internals::json::Raw;
use tfview::internals::model::plan::{self, Plan};
use tfview::internals::schema::Schemas;
use tfview::internals::show;
use tfview::internals::stream::{DocumentError, Documents as StreamDocuments, End, Stream};
use tfview::internals::term::Out;

use super::generate::Documents;

/// Runs `work` on a thread whose stack is large enough for deeply nested values, as the command line does.
pub fn with_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(tfview::internals::json::STACK)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

/// The baseline: checks the JSON grammar and keeps no data.
pub fn skip(text: &str) {
    serde_json::from_str::<IgnoredAny>(text).unwrap();
}

/// The whole of `show`: from the JSON of a plan and its schemas to the printed text.
pub fn show(documents: &Documents) -> Vec<u8> {
    let arena = Bump::new();
    let plan = Plan::parse(&documents.plan).unwrap();
    let mut schemas = Schemas::new();
    schemas.add(&documents.schemas).unwrap();
    let options = show::Options {
        dialect: Dialect::OPENTOFU,
        plan_mode: None,
        show_sensitive: false,
        width: 78,
        automation: false,
    };
    let mut text = Vec::new();
    let mut out = Out::new(&mut text, false);
    show::plan(&plan, &schemas, &options, &mut out, &arena).unwrap();
    out.flush().unwrap();
    drop(out);
    text
}

/// The documents of a stream that needs none.
struct NoDocuments;

impl StreamDocuments for NoDocuments {
    fn plan_file(&mut self, _: Dialect, _: &mut Out<'_>) -> Result<(), DocumentError> {
        Err("no plan".into())
    }

    fn plan(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> Result<(), DocumentError> {
        Err("no plan".into())
    }

    fn state(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> Result<(), DocumentError> {
        Err("no state".into())
    }

    fn difference(
        &mut self,
        _: &plan::Change<'_>,
        _: Dialect,
        _: bool,
    ) -> Result<String, DocumentError> {
        Err("no values".into())
    }

    fn rescue(&mut self, _: &str) -> Result<String, DocumentError> {
        Err("no state".into())
    }
}

pub fn stream(messages: &str) -> Vec<u8> {
    let (mut text, mut notes, mut documents) = (Vec::new(), Vec::new(), NoDocuments);
    let (out, aside) = (Out::new(&mut text, false), Out::new(&mut notes, false));
    let options = tfview::internals::stream::Options {
        width: 78,
        ..tfview::internals::stream::Options::default()
    };
    let mut stream = Stream::new(options, out, aside, &mut documents);
    for bytes in messages.as_bytes().chunks(64 << 10) {
        stream.push(bytes).unwrap();
    }
    stream.finish(End::Closed).unwrap();
    text
}
