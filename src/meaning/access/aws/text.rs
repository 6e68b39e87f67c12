//! Reads the texts of policies as patterns.
//!
//! ```text
//! s3:Get*                              Star
//! home/${aws:username}/*               Variable("aws:username"), Star
//! ```

use crate::meaning::access::patterns::{Pattern, Piece};

/// How a text of a policy is read as a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    /// Whether `*` and `?` match other characters.
    pub(super) is_glob: bool,
    /// Whether letters match in either case.
    pub(super) folds_case: bool,
    /// Whether `${…}` is a variable.
    pub(super) has_variables: bool,
}

impl Text {
    /// Returns the pattern of a text. `${*}`, `${?}` and `${$}` are the characters themselves.
    pub(super) fn pattern(self, text: &str) -> Pattern<'_> {
        let mut pattern = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let variable = rest
                .strip_prefix("${")
                .filter(|_| self.has_variables)
                .and_then(|inside| inside.split_once('}'));
            if let Some((name, after)) = variable {
                pattern.push(match name {
                    "*" => Piece::Char('*'),
                    "?" => Piece::Char('?'),
                    "$" => Piece::Char('$'),
                    name => Piece::Variable(name),
                });
                rest = after;
                continue;
            }
            pattern.push(match first {
                '*' if self.is_glob => Piece::Star,
                '?' if self.is_glob => Piece::Any,
                letter if self.folds_case => Piece::Fold(letter.to_ascii_lowercase()),
                other => Piece::Char(other),
            });
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
        pattern
    }
}
