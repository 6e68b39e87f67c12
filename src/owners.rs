//! Reads `CODEOWNERS`: who has to approve the change of a file.
//!
//! Source: the documentation of GitHub and GitLab. Both say that a pattern is like one of `.gitignore`, so the crate
//! `ignore` matches it; what GitLab's `File.fnmatch` of Ruby reads otherwise is not imitated.
//!
//! Invariants: the rules of the two platforms are never mixed. A line that cannot be read owns nothing.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The maximum number of owners of one file that are listed, because they are repeated for each resource in the file.
pub const MAX_NAMED: usize = 100;

/// Who has to approve the change of a file: one owner of each list.
pub type OwnersOfFile = Arc<[Vec<String>]>;

/// The maximum length of a `CODEOWNERS` file, in bytes. GitHub ignores longer files.
pub const MAX_LEN: u64 = 3 << 20;

/// The platform whose rules a file follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// GitHub: the last rule that matches a file decides.
    GitHub,
    /// GitLab: the last rule of each section decides, and one owner of each section must approve.
    GitLab,
}

impl Platform {
    /// Returns the folders in which the platform looks for the file, from the root of the repository (`""`). The first
    /// folder that has the file wins.
    pub fn folders(self) -> [&'static str; 3] {
        match self {
            Self::GitHub => [".github", "", "docs"],
            Self::GitLab => ["", "docs", ".gitlab"],
        }
    }
}

/// The rules of a `CODEOWNERS` file.
#[derive(Debug)]
pub struct Owners {
    /// The sections in the order of the file; the first one has the rules before any head of a section.
    sections: Vec<Section>,
    /// The owners of the files that were looked up.
    known: HashMap<String, OwnersOfFile>,
    /// Whether a file that was looked up has more owners than are listed.
    pub leaves_out: bool,
}

/// A section of GitLab, or all rules of GitHub.
#[derive(Debug)]
struct Section {
    /// Whether the approval of the section is optional.
    is_optional: bool,
    /// The rules that give files owners.
    rules: Patterns,
    /// The owners of each of these rules.
    owners: Vec<Arc<Vec<String>>>,
    /// The rules of GitLab that exempt files.
    exempt: Patterns,
}

/// A section while its lines are read.
#[derive(Debug, Default)]
struct SectionLines {
    /// The name in lower case; empty for the rules before the first section.
    name: String,
    /// Whether the approval of the section is optional.
    is_optional: bool,
    /// The owners for rules that have none of their own.
    defaults: Arc<Vec<String>>,
    /// The rules in the order of the file.
    rules: Vec<OwnerRule>,
}

/// A pattern with the owners of the files that it matches.
#[derive(Debug)]
struct OwnerRule {
    /// The pattern, as a line of `.gitignore`.
    pattern: String,
    /// The owners; `None` for a pattern that exempts files.
    owners: Option<Arc<Vec<String>>>,
}

/// Patterns of which the last one that matches a file decides.
#[derive(Debug)]
struct Patterns {
    /// All patterns, for the file itself.
    of_files: Gitignore,
    /// The patterns that cover all that is below a folder, for the folders of the file. `docs/*` is only about one
    /// level, which is GitHub's difference from `.gitignore`.
    of_folders: Gitignore,
    /// The index of the last pattern with a text.
    index: HashMap<String, usize>,
}

impl Patterns {
    /// Compiles patterns. One that is malformed matches nothing.
    ///
    /// # Errors
    /// If all of them are too large together.
    fn new<'p>(patterns: impl Iterator<Item = &'p str>) -> Result<Self, ignore::Error> {
        let (mut of_files, mut of_folders) = (GitignoreBuilder::new(""), GitignoreBuilder::new(""));
        let mut index = HashMap::new();
        for (number, pattern) in patterns.enumerate() {
            if of_files.add_line(None, pattern).is_err() {
                continue;
            }
            let is_one_level = pattern.ends_with("/*");
            if !is_one_level {
                of_folders.add_line(None, pattern)?;
            }
            index.insert(pattern.to_owned(), number);
        }
        Ok(Self {
            of_files: of_files.build()?,
            of_folders: of_folders.build()?,
            index,
        })
    }

    /// Returns the index of the last pattern that matches a file or one of its folders.
    fn last_match(&self, path: &Path) -> Option<usize> {
        let own = self.of_files.matched(path, false);
        let folders = path
            .ancestors()
            .skip(1)
            .filter(|folder| !folder.as_os_str().is_empty())
            .map(|folder| self.of_folders.matched(folder, true));
        [own]
            .into_iter()
            .chain(folders)
            .filter_map(|matched| self.index.get(matched.inner()?.original()).copied())
            .max()
    }
}

impl SectionLines {
    /// Compiles the patterns of the section.
    ///
    /// # Errors
    /// If all of them are too large together.
    fn compile(self) -> Result<Section, ignore::Error> {
        let (mut rules, mut owners, mut exempt) = (Vec::new(), Vec::new(), Vec::new());
        for rule in self.rules {
            match rule.owners {
                Some(of_rule) => {
                    rules.push(rule.pattern);
                    owners.push(of_rule);
                }
                None => exempt.push(rule.pattern),
            }
        }
        Ok(Section {
            is_optional: self.is_optional,
            rules: Patterns::new(rules.iter().map(String::as_str))?,
            owners,
            exempt: Patterns::new(exempt.iter().map(String::as_str))?,
        })
    }
}

impl Owners {
    /// Parses a `CODEOWNERS` file. Lines that are not a rule of the platform are ignored, as the platform does.
    ///
    /// # Errors
    /// If the patterns are too large together to be compiled.
    pub fn parse(text: &str, platform: Platform) -> Result<Self, ignore::Error> {
        let mut sections = vec![SectionLines::default()];
        let mut by_name: HashMap<String, usize> = HashMap::from([(String::new(), 0)]);
        let mut current = 0;
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if platform == Platform::GitLab
                && let Some(section) = section(line)
            {
                // Sections with the same name are one. It is required if one of them is.
                current = *by_name
                    .entry(section.name.clone())
                    .or_insert(sections.len());
                if current == sections.len() {
                    sections.push(section);
                } else {
                    sections[current].is_optional &= section.is_optional;
                    sections[current].defaults = section.defaults;
                }
                continue;
            }
            let section = &mut sections[current];
            if let Some(rule) = rule(line, platform, &section.defaults) {
                section.rules.push(rule);
            }
        }
        let mut compiled = Vec::with_capacity(sections.len());
        for section in sections {
            compiled.push(section.compile()?);
        }
        Ok(Self {
            sections: compiled,
            known: HashMap::new(),
            leaves_out: false,
        })
    }

    /// Returns the owners of a file, given by its path from the root of the repository. Optional sections of GitLab are
    /// left out. At most `MAX_NAMED` owners are listed.
    pub fn of(&mut self, path: &str) -> OwnersOfFile {
        if let Some(known) = self.known.get(path) {
            return Arc::clone(known);
        }
        let file = Path::new(path.trim_start_matches('/'));
        let mut owner_lists: Vec<Vec<String>> = Vec::new();
        let mut known_owners: HashSet<&[String]> = HashSet::new();
        let mut left = MAX_NAMED;
        for section in self.sections.iter().filter(|section| !section.is_optional) {
            if section.exempt.last_match(file).is_some() {
                continue;
            }
            let owners = section
                .rules
                .last_match(file)
                .and_then(|rule| section.owners.get(rule));
            if let Some(owners) = owners.filter(|owners| !owners.is_empty())
                && known_owners.insert(owners)
            {
                self.leaves_out |= owners.len() > left;
                let named: Vec<String> = owners.iter().take(left).cloned().collect();
                left -= named.len();
                owner_lists.extend(Some(named).filter(|named| !named.is_empty()));
            }
        }
        let owners_of_file: OwnersOfFile = owner_lists.into();
        self.known
            .insert(path.to_owned(), Arc::clone(&owners_of_file));
        owners_of_file
    }
}

/// Reads the head of a section of GitLab, such as `^[Name][2] @owner`. A line that begins with a name in brackets is
/// one, whatever follows, so a pattern cannot begin with a class of characters.
fn section(line: &str) -> Option<SectionLines> {
    let (is_optional, rest) = match line.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (name, rest) = rest.strip_prefix('[')?.split_once(']')?;
    let approvals = rest.strip_prefix('[').and_then(|rest| {
        let (number, rest) = rest.split_once(']')?;
        let is_number = number.chars().all(|c| c.is_ascii_digit() || c == ' ');
        is_number.then_some(rest)
    });
    let owners = words(approvals.unwrap_or(rest))
        .into_iter()
        .filter(|word| is_owner(word, Platform::GitLab))
        .collect();
    (!name.trim().is_empty()).then(|| SectionLines {
        name: name.trim().to_lowercase(),
        is_optional,
        defaults: Arc::new(owners),
        rules: Vec::new(),
    })
}

/// Reads a rule. Returns `None` for a line that the platform ignores.
fn rule(line: &str, platform: Platform, defaults: &Arc<Vec<String>>) -> Option<OwnerRule> {
    let (line, is_exempt) = match (platform, line.strip_prefix('!')) {
        (Platform::GitLab, Some(rest)) => (rest, true),
        // GitHub does not read negated patterns, nor any that begin with an escaped number sign.
        (Platform::GitHub, Some(_)) => return None,
        (Platform::GitHub, None) if line.starts_with("\\#") => return None,
        (Platform::GitHub | Platform::GitLab, None) => (line, false),
    };
    let mut words = words(line).into_iter();
    let pattern = words.next()?;
    let mut owners = Vec::new();
    for word in words {
        if platform == Platform::GitHub && word.starts_with('#') {
            break;
        }
        if is_owner(&word, platform) {
            owners.push(word);
        } else if platform == Platform::GitHub {
            return None;
        }
    }
    let owners = if owners.is_empty() && platform == Platform::GitLab {
        Arc::clone(defaults)
    } else {
        Arc::new(owners)
    };
    // GitHub does not read classes of characters.
    if pattern.contains(['[', ']']) && platform == Platform::GitHub {
        return None;
    }
    Some(OwnerRule {
        pattern: line_of_gitignore(&pattern),
        owners: (!is_exempt).then_some(owners),
    })
}

/// Returns a pattern as a line of `.gitignore`: what has a meaning there, and none in `CODEOWNERS`, is escaped.
fn line_of_gitignore(pattern: &str) -> String {
    let mut line = String::with_capacity(pattern.len());
    for character in pattern.chars() {
        if matches!(character, ' ' | '{' | '}') || line.is_empty() && matches!(character, '#' | '!')
        {
            line.push('\\');
        }
        line.push(character);
    }
    line
}

/// Splits a line into words at spaces and tabs. A backslash keeps a space, a tab or a number sign in a word; any other
/// backslash stays.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut escaped) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            ' ' | '\t' if !escaped => {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            c => {
                if escaped && !" #\t".contains(c) {
                    word.push('\\');
                }
                word.push(c);
            }
        }
        escaped = false;
    }
    if escaped {
        word.push('\\');
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Whether a word is the name of a user, a team or a role, or an email address.
fn is_owner(word: &str, platform: Platform) -> bool {
    /// The maximum length of the name of an owner, in bytes.
    const MAX_LEN: usize = 300;
    let is_plain = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "-_./+".contains(c))
    };
    let role = word
        .strip_prefix("@@")
        .filter(|_| platform == Platform::GitLab);
    let is_named = match (
        role.or_else(|| word.strip_prefix('@')),
        word.split_once('@'),
    ) {
        (Some(name), _) => is_plain(name),
        (None, Some((user, host))) => is_plain(user) && is_plain(host),
        (None, None) => false,
    };
    is_named && word.len() <= MAX_LEN
}

#[cfg(test)]
mod tests;
