//! The answers to questions about a document that it does not hold itself.
//!
//! The browser asks them through the trait [`Details`], because the texts of the tools are large and are written only
//! when somebody looks at them.

use std::path::PathBuf;

use crate::report::SectionKind;
use crate::review::entry::Cause;
use crate::review::references::References;
use crate::term::StyledText;

/// The name of an object of a document: of the change of a resource, or of an object in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectId {
    /// The index of the part, which is one plan or state of the document.
    pub part: usize,
    /// The list of the part that contains the object.
    pub list: SectionKind,
    /// The index in the list.
    pub index: usize,
}

/// The properties of an object that filters and the tree of modules need.
#[derive(Clone, Copy, Debug)]
pub struct ObjectDetails<'d> {
    /// The address of the object.
    pub address: &'d str,
    /// The address of its module; empty for the root module.
    pub module: &'d str,
    /// The resource type of the object.
    pub object_type: &'d str,
    /// The changes that make its change necessary.
    pub causes: &'d [Cause<'d>],
}

/// The values that a text of the tool shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShownValues {
    /// Changed values, and the few that the tool always shows with them.
    Changed,
    /// All values, also those that do not change.
    All,
}

/// The position of a block in a file that an editor can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path of the file, so that an editor finds it from the working directory.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
}

/// The source of answers about the objects of a document. Errors are sentences for the reader.
pub trait Details {
    /// Returns what is known about an object; `None` if there is no such object.
    fn object(&self, id: ObjectId) -> Option<ObjectDetails<'_>>;

    /// Returns the text of an object as the tool prints it, without values that the reader may not see.
    ///
    /// # Errors
    ///
    /// If there is no such text.
    fn text(&self, id: ObjectId, values: ShownValues) -> Result<StyledText, String>;

    /// Returns the text of the outputs of a part as the tool prints them, for a part whose lines do not show them.
    ///
    /// # Errors
    ///
    /// If there is no such text.
    fn outputs(&self, part: usize) -> Result<StyledText, String>;

    /// Whether only the texts of the tool have the values of objects, so that a search must read these texts.
    fn is_searched_in_texts(&self) -> bool {
        false
    }

    /// Finds the block of an object in the sources.
    ///
    /// # Errors
    ///
    /// If it is not known or not found.
    fn source(&self, id: ObjectId) -> Result<SourceFile, String>;

    /// Returns the references between the resources of a part.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn references(&self, part: usize) -> Result<&References, String>;

    /// Returns the names of the entries of a part that were marked as viewed before.
    fn viewed(&self, part: usize) -> Vec<String>;

    /// Stores the names of all entries of a part that are marked as viewed.
    ///
    /// # Errors
    ///
    /// If they cannot be stored.
    fn keep_viewed(&self, part: usize, entries: &[String]) -> Result<(), String>;
}
