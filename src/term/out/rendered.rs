//! Output that is kept to be written to another writer.

use std::io;

use super::{Out, OutputMode};

/// The output of a writer, to be written to another one later.
#[derive(Debug)]
pub struct Rendered(pub(super) Vec<u8>);

impl Rendered {
    /// The output of `write`, in the mode of the writer to which it will be written.
    pub fn new<E: From<io::Error>>(
        mode: OutputMode,
        write: impl FnOnce(&mut Out<'_>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut out = Out::kept(mode);
        write(&mut out)?;
        Ok(out.into_rendered())
    }
}
