//! The options for the tools' text of plans and states.
//!
//! They do not apply to reviews and comparisons, which have their own options.

use crate::dialect::{DialectChoice, Release, Tool};
use crate::show;

/// The options for the text of a plan or state.
///
/// ```
/// let mut options = tfview::TextOptions::default();
/// options.width = 120;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TextOptions {
    /// The tool whose text is written; by default, the one that wrote the document.
    pub tool: Option<Tool>,
    /// The release of the tool, such as `1.9`; by default, the one that wrote the document.
    pub release: Option<String>,
    /// The width, in columns.
    pub width: usize,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            tool: None,
            release: None,
            width: 78,
            show_sensitive: false,
        }
    }
}

impl TextOptions {
    /// Returns the chosen tool and release.
    pub(super) fn dialect(&self) -> DialectChoice {
        DialectChoice {
            tool: self.tool,
            release: self.release.as_deref().map(Release::parse),
        }
    }

    /// Returns the options for a text of the given tool and release.
    pub(super) fn for_dialect(&self, dialect: crate::dialect::Dialect) -> show::Options {
        show::Options {
            dialect,
            plan_mode: None,
            show_sensitive: self.show_sensitive,
            width: self.width,
            automation: false,
        }
    }
}
