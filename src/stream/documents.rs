//! The interface through which a stream has documents shown and saved. The library and the program implement it.
//!
//! ```text
//! {"type":"test_plan",…,"test_plan":{…}}    Documents::plan writes the text of the plan
//! {"type":"test_state",…,"test_state":{…}}  Documents::state writes the text of the state
//! ```

use std::error::Error;

use crate::dialect::Dialect;
use crate::json::Raw;
use crate::model::plan::Change;
use crate::term::Out;

/// The error if a document cannot be shown or saved, with its causes.
pub type DocumentError = Box<dyn Error + Send + Sync>;

/// Returns the error and its causes on one line.
pub(super) fn chain(error: &DocumentError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Shows and saves the documents that a run contains or belongs to. A stream itself has neither the schemas nor the
/// files that this needs.
pub trait Documents {
    /// Writes the text of the plan given with the stream.
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> Result<(), DocumentError>;
    /// Writes the text of a plan that a message of a verbose test contains.
    fn plan(
        &mut self,
        plan: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError>;
    /// Writes the text of a state that a message of a verbose test contains.
    fn state(
        &mut self,
        state: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError>;
    /// Returns the text of the difference between the two sides of a failed assertion.
    fn difference(
        &mut self,
        change: &Change<'_>,
        dialect: Dialect,
        colour: bool,
    ) -> Result<String, DocumentError>;
    /// Saves a state that the tool could not save, and returns the text that names the file.
    fn rescue(&mut self, state: &str) -> Result<String, DocumentError>;
}

/// An implementation that writes and saves nothing, for a stream that is only created and never used.
pub(super) struct NoDocuments;

impl Documents for NoDocuments {
    fn plan_file(&mut self, _: Dialect, _: &mut Out<'_>) -> Result<(), DocumentError> {
        Ok(())
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
    fn rescue(&mut self, _: &str) -> Result<String, DocumentError> {
        Ok(String::new())
    }
}
