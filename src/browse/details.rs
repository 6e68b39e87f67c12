//! What a document does not hold, and is read when it is asked for.
//!
//! The browser asks through the trait [`Details`], because the texts of the tools are large and are
//! written only when somebody looks at them.

use std::path::PathBuf;

use crate::report::SectionKind;
use crate::review::entry::Cause;
use crate::review::references::References;
use crate::term::StyledText;

/// An object of a document: the change of a resource, or an object of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObjectId {
    /// The index of the part, which is one plan or state of the document.
    pub part: usize,
    /// The list of the part that has the object.
    pub list: SectionKind,
    /// The index in the list.
    pub index: usize,
}

/// What filters and the tree of modules need to know about an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectDetails<'d> {
    /// The address of the object.
    pub address: &'d str,
    /// Empty for the root module.
    pub module: &'d str,
    /// Its resource type.
    pub object_type: &'d str,
    /// The changes that make its change necessary.
    pub causes: &'d [Cause<'d>],
}

/// Which values a text of the tool shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShownValues {
    /// Changed values, and the few that the tool shows with them.
    Changed,
    /// Also those that do not change.
    All,
}

/// The place of a block in a file that an editor can open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path of the file, so that an editor finds it from the working directory.
    pub path: PathBuf,
    /// From 1.
    pub line: u64,
}

/// Answers about the objects of a document. Errors are sentences for the reader.
pub trait Details {
    /// Returns what is known about an object; `None` if there is no such object.
    fn object(&self, id: ObjectId) -> Option<ObjectDetails<'_>>;

    /// Writes an object as the tool prints it, without what the reader may not see.
    fn text(&self, id: ObjectId, values: ShownValues) -> Result<StyledText, String>;

    /// Writes the outputs of a part as the tool prints them, if its lines do not show them.
    fn outputs(&self, part: usize) -> Result<StyledText, String>;

    /// Whether the values of objects are in their texts only, so that these are searched.
    fn is_searched_in_texts(&self) -> bool {
        false
    }

    /// Finds where an object is written.
    fn source(&self, id: ObjectId) -> Result<SourceFile, String>;

    /// Reads what refers to what in a part.
    fn references(&self, part: usize) -> Result<&References, String>;

    /// Reads the entries of a part that were marked as viewed before.
    fn viewed(&self, part: usize) -> Vec<String>;

    /// Keeps the entries of a part that are marked as viewed.
    fn keep_viewed(&self, part: usize, entries: &[String]) -> Result<(), String>;
}
