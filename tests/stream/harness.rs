//! Streams in memory, without a process.

use tfview::internals::dialect::Dialect;
use tfview::internals::json::Raw;
use tfview::internals::model::plan::Change;
use tfview::internals::stream::{
    DocumentError, Documents, End, Expected, Options, Prior, Screen, Stream,
};
use tfview::internals::term::Out;

/// The output of a stream, and whether the run failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StreamOutput {
    pub(super) text: String,
    pub(super) notes: String,
    pub(super) failed: bool,
}

/// Shows no documents, and records rescued states.
#[derive(Default)]
pub(super) struct NoDocuments {
    pub(super) rescued: Vec<String>,
}

impl Documents for NoDocuments {
    fn plan_file(&mut self, _: Dialect, out: &mut Out<'_>) -> Result<(), DocumentError> {
        Ok(out.lit("THE PLAN\n")?)
    }
    fn plan(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> Result<(), DocumentError> {
        Ok(())
    }
    fn state(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> Result<(), DocumentError> {
        Ok(())
    }
    fn difference(&mut self, _: &Change<'_>, _: Dialect, _: bool) -> Result<String, DocumentError> {
        Ok(String::new())
    }
    fn rescue(&mut self, state: &str) -> Result<String, DocumentError> {
        self.rescued.push(state.to_owned());
        Ok("a safe place".to_owned())
    }
}

/// Options for output that is not a terminal.
pub(super) fn plain() -> Options {
    Options {
        width: 78,
        ..Options::default()
    }
}

/// Shows `input`, split into reads of `sizes`, which are repeated.
pub(super) fn show_cut(input: &[u8], options: Options, sizes: &[usize]) -> StreamOutput {
    show_all(input, options, sizes, &mut NoDocuments::default())
}

/// Shows `input` in one piece, with the plan that it belongs to.
pub(super) fn show_with_plan(input: &str, plan: Expected) -> StreamOutput {
    let prior = Prior {
        plan: Some(plan),
        ..Prior::default()
    };
    let mut documents = NoDocuments::default();
    show_prior(
        prior,
        input.as_bytes(),
        plain(),
        &[usize::MAX],
        &mut documents,
    )
}

pub(super) fn show_all(
    input: &[u8],
    options: Options,
    sizes: &[usize],
    documents: &mut NoDocuments,
) -> StreamOutput {
    show_prior(Prior::default(), input, options, sizes, documents)
}

fn show_prior(
    prior: Prior,
    input: &[u8],
    options: Options,
    sizes: &[usize],
    documents: &mut NoDocuments,
) -> StreamOutput {
    let (mut text, mut notes) = (Vec::new(), Vec::new());
    let mut stream = Stream::with_prior(
        prior,
        options,
        Out::new(&mut text, false),
        Out::new(&mut notes, false),
        documents,
    );
    let mut rest = input;
    for size in sizes.iter().cycle() {
        let (now, later) = rest.split_at((*size).clamp(1, rest.len().max(1)).min(rest.len()));
        stream.push(now).unwrap();
        stream
            .tick(std::time::Duration::ZERO, Screen::default())
            .unwrap();
        rest = later;
        if rest.is_empty() {
            break;
        }
    }
    let failed = stream.finish(End::Closed).unwrap().failed;
    StreamOutput {
        text: String::from_utf8(text).unwrap(),
        notes: String::from_utf8(notes).unwrap(),
        failed,
    }
}

/// Shows `input` in one piece.
pub(super) fn show(input: impl AsRef<[u8]>) -> StreamOutput {
    show_cut(input.as_ref(), plain(), &[usize::MAX])
}

/// A message on an operation.
pub(super) fn hook(kind: &str, address: &str, rest: &str) -> String {
    format!(
        "{{\"@level\":\"info\",\"@message\":\"{address}: …\",\"@timestamp\":\"2026-11-21T02:26:49.067810Z\",\
         \"hook\":{{\"resource\":{{\"addr\":\"{address}\"}}{rest}}},\"type\":\"{kind}\"}}\n"
    )
}

/// A summary.
pub(super) fn summary(operation: &str, text: &str) -> String {
    format!(
        "{{\"@level\":\"info\",\"@message\":\"{text}\",\"changes\":{{\"add\":1,\"operation\":\"{operation}\"}},\"type\":\"change_summary\"}}\n"
    )
}

/// A planned change.
pub(super) fn planned(address: &str, action: &str) -> String {
    format!(
        "{{\"@level\":\"info\",\"@message\":\"{address}: Plan to {action}\",\"change\":{{\"resource\":{{\"addr\":\"{address}\"}},\
         \"action\":\"{action}\"}},\"type\":\"planned_change\"}}\n"
    )
}
