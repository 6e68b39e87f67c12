//! Streams in memory, without a process.

use tfview::dialect::Dialect;
use tfview::json::Raw;
use tfview::model::plan::Change;
use tfview::stream::{Documents, End, Options, Screen, Stream};
use tfview::term::Out;

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) notes: String,
    pub(super) failed: bool,
}

/// No documents; what is rescued is kept.
#[derive(Default)]
pub(super) struct Nothing {
    pub(super) rescued: Vec<String>,
}

impl Documents for Nothing {
    fn plan_file(&mut self, _: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        Ok(out.lit("THE PLAN\n")?)
    }
    fn plan(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> anyhow::Result<()> {
        Ok(())
    }
    fn state(&mut self, _: Raw<'_>, _: Dialect, _: &mut Out<'_>) -> anyhow::Result<()> {
        Ok(())
    }
    fn difference(&mut self, _: &Change<'_>, _: Dialect, _: bool) -> anyhow::Result<String> {
        Ok(String::new())
    }
    fn rescue(&mut self, state: &str) -> anyhow::Result<String> {
        self.rescued.push(state.to_owned());
        Ok("a safe place".to_owned())
    }
}

/// Options for a display that is no terminal.
pub(super) fn plain() -> Options {
    Options { width: 78, ..Options::default() }
}

/// Shows `input`, given in reads of the sizes that `sizes` repeats.
pub(super) fn show_cut(input: &[u8], options: Options, sizes: &[usize]) -> Shown {
    show_all(input, options, sizes, &mut Nothing::default())
}

pub(super) fn show_all(input: &[u8], options: Options, sizes: &[usize], documents: &mut Nothing) -> Shown {
    let (mut text, mut notes) = (Vec::new(), Vec::new());
    let mut stream = Stream::new(options, Out::new(&mut text, false), Out::new(&mut notes, false), documents);
    let mut rest = input;
    for size in sizes.iter().cycle() {
        let (now, later) = rest.split_at((*size).clamp(1, rest.len().max(1)).min(rest.len()));
        stream.push(now).unwrap();
        stream.tick(std::time::Duration::ZERO, Screen::default()).unwrap();
        rest = later;
        if rest.is_empty() {
            break;
        }
    }
    let failed = stream.finish(End::Closed).unwrap().failed;
    Shown { text: String::from_utf8(text).unwrap(), notes: String::from_utf8(notes).unwrap(), failed }
}

/// Shows `input` in one piece.
pub(super) fn show(input: impl AsRef<[u8]>) -> Shown {
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
pub(super) fn summary(operation: &str, said: &str) -> String {
    format!(
        "{{\"@level\":\"info\",\"@message\":\"{said}\",\"changes\":{{\"add\":1,\"operation\":\"{operation}\"}},\"type\":\"change_summary\"}}\n"
    )
}

/// A planned change.
pub(super) fn planned(address: &str, action: &str) -> String {
    format!(
        "{{\"@level\":\"info\",\"@message\":\"{address}: Plan to {action}\",\"change\":{{\"resource\":{{\"addr\":\"{address}\"}},\
         \"action\":\"{action}\"}},\"type\":\"planned_change\"}}\n"
    )
}
