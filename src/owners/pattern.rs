//! Parses and matches the patterns of `CODEOWNERS`, with the rules of each platform.
//!
//! GitHub reads a pattern as `.gitignore` does, without classes of characters and without negation. GitLab passes it to
//! Ruby's `File.fnmatch` with `FNM_PATHNAME` and `FNM_DOTMATCH`, below `/**/` unless it begins with a slash.
//!
//! Invariant: matching a name takes at most time quadratic in its length, whatever the pattern is.

use std::iter::Peekable;
use std::str::Chars;

use super::Platform;

/// A pattern for paths, split into patterns for their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The patterns for the names of a path, in order.
    pub(super) parts: Vec<Part>,
    /// Whether a path matches if its names match all parts.
    pub(super) is_exact: bool,
    /// Whether everything below such a path matches.
    pub(super) covers: bool,
}

/// A pattern for one name of a path, or for any number of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Any number of names, including none: `**`.
    Any,
    /// One name that matches the pattern.
    Name(NamePattern),
}

impl Pattern {
    /// Parses a pattern. Returns `None` for one that matches nothing, and for one that the platform refuses.
    pub(super) fn new(text: &str, platform: Platform) -> Option<Self> {
        let (is_rooted, is_folder) = (text.starts_with('/'), text.ends_with('/'));
        let inner = text.strip_prefix('/').unwrap_or(text);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let names = split(inner, platform)?;
        match platform {
            Platform::GitHub => Self::of_github(names, is_rooted, is_folder),
            // `*` alone matches every file.
            Platform::GitLab if inner == "*" && !is_rooted && !is_folder => Some(Self {
                parts: Vec::new(),
                is_exact: false,
                covers: true,
            }),
            Platform::GitLab => Some(Self::of_gitlab(names, is_rooted, is_folder)),
        }
    }

    /// Makes a pattern of GitHub, of its names and whether it begins and ends with a slash. `/` is no file, and a
    /// pattern with `***` is refused.
    fn of_github(names: Vec<NamePattern>, is_rooted: bool, is_folder: bool) -> Option<Self> {
        if names.iter().any(NamePattern::is_refused) {
            return None;
        }
        let last = names.last()?;
        let is_anchored = is_rooted || names.len() > 1;
        // A pattern for a folder covers what is below it; `docs/**` means `docs/`, and `docs/*` only one level. Any
        // other pattern may match a file or a folder.
        let is_exact = !is_folder && !last.is_any();
        let is_one_level = !is_folder && is_anchored && last.0 == [Token::Many];
        let mut parts = Vec::new();
        if !is_anchored {
            add_any(&mut parts);
        }
        let last_index = names.len() - 1;
        for (index, name) in names.into_iter().enumerate() {
            // `**` anywhere is any number of folders, except if it is the name of a folder at any depth (`**/`).
            let is_folders = name.is_any() && (is_anchored || !is_folder);
            if is_folders {
                add_any(&mut parts);
            }
            // Before the last slash, it matches at least one folder: `a/**/` is about the folders in `a`.
            let is_before_last_slash = is_folder && index == last_index;
            if !is_folders || is_before_last_slash {
                parts.push(Part::Name(name.simple()));
            }
        }
        Some(Self {
            parts,
            is_exact,
            covers: !is_one_level,
        })
    }

    /// Makes a pattern of GitLab, of its names and whether it begins and ends with a slash. Only a pattern that ends
    /// with a slash covers what is below.
    fn of_gitlab(names: Vec<NamePattern>, is_rooted: bool, is_folder: bool) -> Self {
        let mut parts = Vec::new();
        if !is_rooted {
            add_any(&mut parts);
        }
        let last_index = names.len().saturating_sub(1);
        for (index, name) in names.into_iter().enumerate() {
            // `**` is any number of folders only before a slash.
            let is_before_slash = index < last_index || is_folder;
            if name.is_any() && is_before_slash {
                add_any(&mut parts);
            } else {
                parts.push(Part::Name(name.simple()));
            }
        }
        Self {
            parts,
            is_exact: !is_folder,
            covers: is_folder,
        }
    }
}

/// Adds any number of names, unless the parts end with that already, as in `**/**`.
fn add_any(parts: &mut Vec<Part>) {
    if parts.last() != Some(&Part::Any) {
        parts.push(Part::Any);
    }
}

/// A pattern for one name of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NamePattern(Vec<Token>);

/// A part of a pattern for a name: what it matches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Token {
    /// This character.
    Char(char),
    /// Any one character: `?`.
    One,
    /// Any number of characters, including none: `*`.
    Many,
    /// A character in one of the ranges, or in none of them: `[a-z]`, `[^a-z]`.
    Class {
        /// The first and last characters of each range.
        ranges: Vec<(char, char)>,
        /// Whether the character must be in none of the ranges.
        is_negated: bool,
    },
}

/// A pattern for a name, classified by how an index can find it without trying it.
pub(super) enum NameForm {
    /// A name without wildcards.
    Plain(String),
    /// `NAME*`: names that begin with the text.
    Beginning(String),
    /// `*NAME`: names that end with the text.
    Ending(String),
    /// Any other pattern, which must be tried.
    Other(NamePattern),
}

impl NamePattern {
    /// Whether the pattern is `**`.
    fn is_any(&self) -> bool {
        self.0 == [Token::Many, Token::Many]
    }

    /// Whether GitHub refuses the pattern, because it has three `*` in a row.
    fn is_refused(&self) -> bool {
        self.0
            .windows(3)
            .any(|tokens| tokens.iter().all(|token| *token == Token::Many))
    }

    /// Returns the pattern with each row of `*` as one, which means the same.
    fn simple(mut self) -> Self {
        self.0
            .dedup_by(|next, token| *next == Token::Many && *token == Token::Many);
        self
    }

    /// Returns the form by which an index finds the pattern.
    pub(super) fn form(&self) -> NameForm {
        let plain = |tokens: &[Token]| -> Option<String> {
            let char_of = |token: &Token| match token {
                Token::Char(c) => Some(*c),
                Token::One | Token::Many | Token::Class { .. } => None,
            };
            tokens.iter().map(char_of).collect()
        };
        let form = match &*self.0 {
            [start @ .., Token::Many] => plain(start).map(NameForm::Beginning),
            [Token::Many, end @ ..] => plain(end).map(NameForm::Ending),
            all => plain(all).map(NameForm::Plain),
        };
        form.unwrap_or_else(|| NameForm::Other(self.clone()))
    }

    /// Whether the pattern matches a whole name.
    pub(super) fn matches(&self, name: &[char]) -> bool {
        let (mut char_index, mut token) = (0, 0);
        // If what follows the last `*` does not match, it is tried again one character later. Earlier `*` need not be
        // tried again: whatever they could match in addition, the last one can match too.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let tokens = self.0.get(token..).unwrap_or_default();
            match (tokens.first(), name.get(char_index)) {
                (Some(Token::Many), _) => {
                    retry = Some((char_index, token + 1));
                    token += 1;
                }
                (Some(wanted), Some(c)) if wanted.is(*c) => {
                    (char_index, token) = (char_index + 1, token + 1);
                }
                (None, None) => return true,
                _ => match retry {
                    Some((from, after)) if from < name.len() => {
                        retry = Some((from + 1, after));
                        (char_index, token) = (from + 1, after);
                    }
                    _ => return false,
                },
            }
        }
    }
}

impl Token {
    /// Whether the token matches this character. `Self::Many` does not match a single one.
    fn is(&self, c: char) -> bool {
        match self {
            Self::Char(expected) => *expected == c,
            Self::One => true,
            Self::Many => false,
            Self::Class { ranges, is_negated } => {
                ranges.iter().any(|(from, to)| (from..=to).contains(&&c)) != *is_negated
            }
        }
    }
}

/// Splits a pattern into the patterns for its names. Returns `None` if it matches nothing: it has an empty name, or a
/// class without an end.
fn split(text: &str, platform: Platform) -> Option<Vec<NamePattern>> {
    let mut names = Vec::new();
    if text.is_empty() {
        return Some(names);
    }
    let mut name = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let token = match c {
            '/' => {
                names.push(NamePattern(std::mem::take(&mut name)));
                continue;
            }
            '*' => Token::Many,
            '?' => Token::One,
            '[' if platform == Platform::GitLab => class(&mut chars)?,
            // A backslash before a slash changes nothing.
            '\\' if chars.peek() == Some(&'/') => continue,
            '\\' => match (chars.next(), platform) {
                (Some(c), _) => Token::Char(c),
                (None, Platform::GitHub) => return None,
                (None, Platform::GitLab) => Token::Char(c),
            },
            c => Token::Char(c),
        };
        name.push(token);
    }
    names.push(NamePattern(name));
    let has_empty = names.iter().any(|name| name.0.is_empty());
    (!has_empty).then_some(names)
}

/// Reads a class of characters after its `[`, as Ruby does. Returns `None` if it has no end.
fn class(chars: &mut Peekable<Chars<'_>>) -> Option<Token> {
    let is_negated = chars.next_if(|c| matches!(c, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    loop {
        let from = match chars.next()? {
            ']' => return Some(Token::Class { ranges, is_negated }),
            '\\' => chars.next()?,
            c => c,
        };
        let mut ahead = chars.clone();
        let is_range = ahead.next() == Some('-') && ahead.next() != Some(']');
        let to = match is_range {
            true => {
                chars.next();
                match chars.next()? {
                    '\\' => chars.next()?,
                    c => c,
                }
            }
            false => from,
        };
        ranges.push((from, to));
    }
}
