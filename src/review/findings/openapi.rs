//! Finds the routes of an API that no longer need authentication, in an OpenAPI document.
//!
//! An operation is authenticated by its own `security`, or else by that of the document. An empty list, and a list with
//! an empty requirement, let everybody in (OpenAPI 3, "Security Requirement Object").
//!
//! ```yaml
//! paths:
//!   /orders:
//!     get: { security: [] }     # had [{ key: [] }]: GET /orders needs no authentication any more
//! ```

use std::collections::HashMap;

use crate::diff::edits::Format;
use crate::diff::value::{Content, MarkedValue};
use crate::meaning::Documents;
use crate::review::value_path::PathStep;

/// The operations of a path that serve requests. Browsers send `options` without credentials, so it is not one of them.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "patch", "head", "trace", ANY_METHOD,
];

/// The name that Amazon uses for an operation that serves all methods.
const ANY_METHOD: &str = "x-amazon-apigateway-any-method";

/// A route that everybody may call after the change.
pub(super) struct OpenedRoute<'w> {
    /// The steps from the value with the document to the part that opens the route.
    pub steps: Vec<PathStep<'w>>,
    /// The text of the finding.
    pub text: String,
    /// The meaning, which its edit does not say.
    pub meaning: &'static str,
}

/// Returns the routes that were authenticated and no longer are, and those that are added without authentication to an
/// API in which other routes have it.
pub(super) fn opened<'w>(
    old: Content<'w>,
    new: Content<'w>,
    documents: &Documents<'w>,
) -> Vec<OpenedRoute<'w>> {
    let Some(new) = Api::read(new, documents) else {
        return Vec::new();
    };
    let old = Api::read(old, documents);
    let before: HashMap<(&str, &str), bool> = old
        .iter()
        .flat_map(Api::operations)
        .map(|operation| (operation.name(), operation.is_authenticated))
        .collect();
    let is_any_authenticated = new.operations().any(|operation| operation.is_authenticated);
    let mut opened = Vec::new();
    for operation in new.operations().filter(|one| !one.is_authenticated) {
        let was_authenticated = before.get(&operation.name()).copied();
        let (how, meaning) = match was_authenticated {
            Some(false) => continue,
            Some(true) => {
                let how = "needs no authentication any more";
                (how, how)
            }
            None if is_any_authenticated => {
                ("is added without authentication", "without authentication")
            }
            None => continue,
        };
        let method = if operation.method == ANY_METHOD {
            "any method".to_owned()
        } else {
            operation.method.to_uppercase()
        };
        opened.push(OpenedRoute {
            steps: operation.steps(new.format, was_authenticated.is_some()),
            text: format!("{method} {} {how}", operation.path),
            meaning,
        });
    }
    opened
}

/// An OpenAPI document that is read.
struct Api<'w> {
    /// The format, if the document is in a string.
    format: Option<Format>,
    /// The document itself.
    document: MarkedValue<'w>,
}

/// An operation: a method of a path.
struct Operation<'w> {
    /// The path.
    path: &'w str,
    /// The method, in lower case.
    method: &'w str,
    /// Whether calling it needs authentication.
    is_authenticated: bool,
}

impl<'w> Api<'w> {
    /// Reads the document of an API. Returns `None` if it has no paths.
    fn read(content: Content<'w>, documents: &Documents<'w>) -> Option<Self> {
        let (format, document) = match content {
            Content::String(text) => {
                let (format, document) = documents.read(text)?;
                (Some(format), document)
            }
            Content::Object(_) => (None, documents.build.known(content)),
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_)
            | Content::Array(_) => return None,
        };
        document.get("paths")?.as_object()?;
        Some(Self { format, document })
    }

    /// Returns the operations of all paths.
    fn operations(&self) -> impl Iterator<Item = Operation<'w>> {
        let everywhere = self.document.get("security");
        let paths = self.document.get("paths").and_then(MarkedValue::as_object);
        paths
            .unwrap_or_default()
            .iter()
            .flat_map(move |(path, item)| {
                let members = item.as_object().unwrap_or_default().iter();
                members.filter(|(method, _)| METHODS.contains(method)).map(
                    move |(method, operation)| Operation {
                        path,
                        method,
                        is_authenticated: is_authenticated(*operation, everywhere),
                    },
                )
            })
    }
}

impl<'w> Operation<'w> {
    /// Returns what identifies an operation: the path and the method.
    fn name(&self) -> (&'w str, &'w str) {
        (self.path, self.method)
    }

    /// Returns the steps to `security` if the operation stays, and to the operation if it is new.
    fn steps(&self, format: Option<Format>, stays: bool) -> Vec<PathStep<'w>> {
        let mut steps: Vec<_> = format.map(PathStep::Document).into_iter().collect();
        steps.extend(["paths", self.path, self.method].map(PathStep::Name));
        if stays {
            steps.push(PathStep::Name("security"));
        }
        steps
    }
}

/// Whether calling an operation needs authentication. A hidden or unknown requirement counts as one.
fn is_authenticated(operation: MarkedValue<'_>, everywhere: Option<MarkedValue<'_>>) -> bool {
    let by_amazon = operation
        .get("x-amazon-apigateway-auth")
        .and_then(|auth| auth.get("type")?.as_str())
        .is_some_and(|kind| kind != "NONE");
    let requirements = operation.get("security").or(everywhere);
    let by_security = requirements.is_some_and(|security| match security.as_array() {
        Some(requirements) => {
            let is_needed = |one: &MarkedValue<'_>| !matches!(one.content, Content::Object([]));
            !requirements.is_empty() && requirements.iter().all(is_needed)
        }
        None => !security.is_null(),
    });
    by_amazon || by_security
}
