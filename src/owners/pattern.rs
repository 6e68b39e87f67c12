//! The patterns of `CODEOWNERS`: what each platform reads in them, and whether one matches a name.
//!
//! GitHub reads a pattern as `.gitignore` does, without classes of characters and negation. GitLab passes it to
//! `File.fnmatch` of Ruby with `FNM_PATHNAME` and `FNM_DOTMATCH`, below `/**/` unless it begins with a slash.
//! Invariant: a name is compared in time of its length squared at most, whatever the pattern is.

use std::iter::Peekable;
use std::str::Chars;

use super::Platform;

/// A pattern of paths, as the names between its slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// What the names of a path are compared with, in order.
    pub(super) parts: Vec<Part>,
    /// A path that matches all parts matches.
    pub(super) is_exact: bool,
    /// Everything below a path that matches all parts matches.
    pub(super) covers: bool,
}

/// What one name of a path, or any number of them, is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Any number of names, also none: `**`.
    Any,
    /// One name.
    Name(NamePattern),
}

impl Pattern {
    /// Reads a pattern; `None` for one that matches nothing.
    pub(super) fn new(text: &str, platform: Platform) -> Option<Self> {
        let (is_rooted, is_folder) = (text.starts_with('/'), text.ends_with('/'));
        let inner = text.strip_prefix('/').unwrap_or(text);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        let names = split(inner, platform)?;
        let is_any = |name: &NamePattern| name.0 == [Token::Many, Token::Many];
        let last = names.len().saturating_sub(1);
        let (is_anchored, is_exact, covers) = match platform {
            // `/` is no file, and `***` is refused.
            Platform::GitHub if names.is_empty() || names.iter().any(NamePattern::is_refused) => {
                return None;
            }
            // Below a folder; `docs/**` is `docs/`, and `docs/*` one level. Any other pattern may be a file or a folder.
            Platform::GitHub => {
                let is_anchored = is_rooted || last > 0;
                let ends_any = is_any(&names[last]);
                let is_level = is_anchored && names[last].0 == [Token::Many];
                let is_exact = !is_folder && !ends_any;
                (is_anchored, is_exact, !is_level || is_folder)
            }
            // Only one that ends with a slash covers what is below; `*` alone is every file.
            Platform::GitLab => {
                let is_every = !is_rooted && !is_folder && inner == "*";
                (is_rooted, !is_folder && !is_every, is_folder || is_every)
            }
        };
        let mut parts = Vec::new();
        if !is_anchored {
            parts.push(Part::Any);
        }
        for (index, name) in names.into_iter().enumerate() {
            // GitHub reads `**` in any place as folders, unless it is the name of a folder at any depth (`**/`); GitLab
            // only in front of a slash.
            let is_folders = match platform {
                Platform::GitHub => is_anchored || !is_folder,
                Platform::GitLab => index < last || is_folder,
            };
            // In front of the last slash, it is at least one folder for GitHub: `a/**/` is what is in folders of `a`.
            let is_folder_at_end = platform == Platform::GitHub && index == last && is_folder;
            let is_any = is_any(&name);
            let name = (!is_any || !is_folders || is_folder_at_end).then(|| name.simple());
            let any = (is_any && is_folders).then_some(Part::Any);
            for part in any.into_iter().chain(name.map(Part::Name)) {
                if !is_repeated(&parts, &part) {
                    parts.push(part);
                }
            }
        }
        if platform == Platform::GitLab && covers && !is_folder {
            parts.clear();
        }
        Some(Self {
            parts,
            is_exact,
            covers,
        })
    }
}

/// Whether a part says nothing beyond the one before it: `**/**`.
fn is_repeated(parts: &[Part], part: &Part) -> bool {
    *part == Part::Any && parts.last() == Some(part)
}

/// A pattern of one name of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct NamePattern(Vec<Token>);

/// What is compared with characters of a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Token {
    /// A character itself.
    Char(char),
    /// Any character: `?`.
    One,
    /// Any number of characters: `*`.
    Many,
    /// A character in one of the ranges, or in none of them: `[a-z]`, `[^a-z]`.
    Class {
        /// The first and last characters of each range.
        ranges: Vec<(char, char)>,
        /// The character is in none of the ranges.
        is_negated: bool,
    },
}

/// The forms of names that an index finds without trying them.
pub(super) enum NameForm {
    /// The name itself.
    Plain(String),
    /// `NAME*`.
    Beginning(String),
    /// `*NAME`.
    Ending(String),
    /// Any other pattern.
    Other(NamePattern),
}

impl NamePattern {
    /// Whether GitHub refuses the pattern: it has three `*` in a row.
    fn is_refused(&self) -> bool {
        self.0
            .windows(3)
            .any(|tokens| tokens.iter().all(|token| *token == Token::Many))
    }

    /// Joins each row of `*` into one, which means the same.
    fn simple(mut self) -> Self {
        self.0
            .dedup_by(|next, token| *next == Token::Many && *token == Token::Many);
        self
    }

    /// Returns the form by which the pattern is found.
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

    /// Whether the pattern matches all of a name.
    pub(super) fn matches(&self, name: &[char]) -> bool {
        let (mut at, mut token) = (0, 0);
        // What follows the last `*` is tried one character later each time; what an earlier one could take in addition,
        // the last one can take, too.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let tokens = self.0.get(token..).unwrap_or_default();
            match (tokens.first(), name.get(at)) {
                (Some(Token::Many), _) => {
                    retry = Some((at, token + 1));
                    token += 1;
                }
                (Some(wanted), Some(c)) if wanted.is(*c) => (at, token) = (at + 1, token + 1),
                (None, None) => return true,
                _ => match retry {
                    Some((from, after)) if from < name.len() => {
                        retry = Some((from + 1, after));
                        (at, token) = (from + 1, after);
                    }
                    _ => return false,
                },
            }
        }
    }
}

impl Token {
    /// Whether the token matches a character.
    fn is(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::One => true,
            Self::Many => false,
            Self::Class { ranges, is_negated } => {
                ranges.iter().any(|(from, to)| (from..=to).contains(&&c)) != *is_negated
            }
        }
    }
}

/// Splits a pattern into its names; `None` if it matches nothing: it has an empty name or a class without an end.
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
            // A backslash in front of a slash changes nothing.
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

/// Reads a class of characters after its `[`, as Ruby does; `None` if it has no end.
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
