//! Patterns of names, and the classes into which several patterns part all texts.
//!
//! Policies name actions, objects and values by patterns, and any name may exist. So patterns are not tried on names:
//! all of them are run at once over all texts, character by character, as one automaton whose states are the places at
//! which the patterns are. Texts that exactly the same patterns match are one class.
//!
//! ```text
//! s3:Get*  s3:*Object     neither; the first; the second; both (s3:GetObject)
//! s3:Get*  s3:GetObject   neither; the first; both
//! ```

use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What a pattern expects at one place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// This character.
    Char(char),
    /// This character, which is in lower case, in either case.
    Fold(char),
    /// Any one character.
    Any,
    /// Any characters, also none.
    Star,
    /// Any one character but `/`.
    NotSlash,
    /// Any characters but `/`, also none.
    NotSlashes,
    /// The value of a variable, which is another one for each request: any characters, also none.
    Variable(&'a str),
}

impl Piece<'_> {
    /// Whether the piece matches the empty text, so that the next piece may come at once.
    fn may_be_empty(self) -> bool {
        match self {
            Self::Star | Self::NotSlashes | Self::Variable(_) => true,
            Self::Char(_) | Self::Fold(_) | Self::Any | Self::NotSlash => false,
        }
    }

    /// Whether the piece matches all that a piece of another pattern may stand for, as one step.
    fn takes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Star, _) => true,
            (Self::Any, Self::Char(_) | Self::Fold(_) | Self::Any | Self::NotSlash)
            | (Self::NotSlash, Self::NotSlash)
            | (Self::NotSlashes, Self::NotSlash | Self::NotSlashes) => true,
            (Self::Fold(own), Self::Char(other)) => lower(other) == own,
            (Self::NotSlash | Self::NotSlashes, Self::Char(other) | Self::Fold(other)) => {
                other != '/'
            }
            (
                Self::Char(_)
                | Self::Fold(_)
                | Self::Any
                | Self::NotSlash
                | Self::NotSlashes
                | Self::Variable(_),
                _,
            ) => self == other,
        }
    }
}

/// Returns the character in lower case; only letters of ASCII have a case here, as they do in names of AWS.
fn lower(character: char) -> char {
    character.to_ascii_lowercase()
}

/// A pattern as its pieces.
pub(crate) type Pattern<'a> = Vec<Piece<'a>>;

/// Whether a pattern depends on the request, because it has a variable.
fn is_dependent(pattern: &Pattern<'_>) -> bool {
    pattern
        .iter()
        .any(|piece| matches!(piece, Piece::Variable(_)))
}

/// Whether a pattern matches all that another one does, whatever the values of variables are. `false` if that cannot be
/// told piece by piece. Takes time proportional to the product of the lengths.
fn includes(wide: &Pattern<'_>, narrow: &Pattern<'_>) -> bool {
    // Where the wide pattern may be behind the pieces of the narrow one that were read.
    let mut places = vec![false; wide.len() + 1];
    places[0] = true;
    skip(wide, &mut places);
    for read in narrow {
        let mut next = vec![false; wide.len() + 1];
        for (place, piece) in wide.iter().enumerate() {
            if places[place] && piece.takes(*read) {
                let stays = matches!(piece, Piece::Star | Piece::NotSlashes);
                next[place + usize::from(!stays)] = true;
            }
        }
        skip(wide, &mut next);
        places = next;
    }
    places[wide.len()]
}

/// Adds the places behind stars, which may be empty. A variable may be empty, too, but need not be.
fn skip(pattern: &Pattern<'_>, places: &mut [bool]) {
    for (place, piece) in pattern.iter().enumerate() {
        if places[place] && matches!(piece, Piece::Star | Piece::NotSlashes) {
            places[place + 1] = true;
        }
    }
}

/// The largest number of patterns with variables that one text may match. All combinations are tried.
const MAX_DEPENDENT: usize = 8;

/// Returns the classes of texts: for each one the numbers of the patterns that match its texts, in ascending order. The
/// class of the texts that no pattern matches has none. Returns `None` if that takes too much work.
///
/// Whether a text matches a pattern with a variable depends on the request. Each text has one class for each
/// combination that the patterns with variables may have: one that includes another one matches where that one does.
pub(crate) fn classes(patterns: &[Pattern<'_>], work: &mut Work) -> Option<Vec<Vec<u32>>> {
    let classes = matched_together(patterns, work)?;
    let dependent: Vec<u32> = (0..)
        .zip(patterns)
        .filter(|(_, pattern)| is_dependent(pattern))
        .map(|(number, _)| number)
        .collect();
    if dependent.is_empty() {
        return Some(classes.into_iter().collect());
    }
    let mut wider: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for narrow in &dependent {
        for wide in &dependent {
            let [narrow_pattern, wide_pattern] =
                [narrow, wide].map(|number| &patterns[*number as usize]);
            work.spend(narrow_pattern.len() * wide_pattern.len() / 8 + 1)?;
            if narrow != wide && includes(wide_pattern, narrow_pattern) {
                wider.entry(*narrow).or_default().push(*wide);
            }
        }
    }
    let mut all = BTreeSet::new();
    for class in classes {
        let (possible, certain): (Vec<u32>, Vec<u32>) = class
            .into_iter()
            .partition(|number| dependent.binary_search(number).is_ok());
        if possible.len() > MAX_DEPENDENT {
            return None;
        }
        for chosen in 0..1u32 << possible.len() {
            work.spend(1 + certain.len())?;
            let matched: Vec<u32> = (0..)
                .zip(&possible)
                .filter(|(bit, _)| chosen & (1 << bit) != 0)
                .map(|(_, number)| *number)
                .collect();
            let is_possible = matched.iter().all(|narrow| {
                let wider = wider.get(narrow).map_or(&[][..], Vec::as_slice);
                wider.iter().all(|wide| matched.contains(wide))
            });
            if is_possible {
                let mut class = [certain.as_slice(), &matched].concat();
                class.sort_unstable();
                all.insert(class);
            }
        }
    }
    Some(all.into_iter().collect())
}

/// Returns the sets of patterns that match some text together and without the others, where a variable is any text.
fn matched_together(patterns: &[Pattern<'_>], work: &mut Work) -> Option<BTreeSet<Vec<u32>>> {
    // The pieces of all patterns, one after the other; behind each pattern comes its end.
    let mut places: Vec<(u32, Option<Piece<'_>>)> = Vec::new();
    let mut start = Vec::new();
    for (number, pattern) in (0..).zip(patterns) {
        start.push(places.len());
        places.extend(pattern.iter().map(|piece| (number, Some(*piece))));
        places.push((number, None));
    }
    let mut sets = BTreeSet::new();
    let first = with_skipped(&places, start);
    let mut seen: HashSet<Vec<usize>> = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        work.spend(1 + state.len())?;
        // A pattern that has only a star left matches however the text continues.
        let settled: BTreeSet<u32> = state
            .iter()
            .filter(|place| {
                let is_last = places
                    .get(**place + 1)
                    .is_some_and(|(_, next)| next.is_none());
                is_last && matches!(places[**place].1, Some(Piece::Star | Piece::Variable(_)))
            })
            .map(|place| places[*place].0)
            .collect();
        let mut others = state
            .iter()
            .map(|place| places[*place].0)
            .filter(|number| !settled.contains(number));
        let other = others.next();
        if others.all(|number| Some(number) == other) {
            // One pattern alone matches some of the ways in which the text continues, and not others.
            let mut set: Vec<u32> = settled.into_iter().collect();
            sets.insert(set.clone());
            if let Some(number) = other {
                set.push(number);
                set.sort_unstable();
                sets.insert(set);
            }
            continue;
        }
        let mut ends: Vec<u32> = settled.iter().copied().collect();
        let mut by_character: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        let mut wild = Vec::new();
        for place in state {
            match places[place] {
                (number, None) => {
                    if !settled.contains(&number) {
                        ends.push(number);
                    }
                }
                (_, Some(Piece::Char(character))) => {
                    by_character.entry(character).or_default().push(place);
                }
                (_, Some(Piece::Fold(character))) => {
                    by_character.entry(character).or_default().push(place);
                    let upper = character.to_ascii_uppercase();
                    if upper != character {
                        by_character.entry(upper).or_default().push(place);
                    }
                }
                (_, Some(Piece::NotSlash | Piece::NotSlashes)) => {
                    by_character.entry('/').or_default();
                    wild.push(place);
                }
                (_, Some(Piece::Any | Piece::Star | Piece::Variable(_))) => wild.push(place),
            }
        }
        ends.sort_unstable();
        sets.insert(ends);
        // Every other character leads to the same state, and there always is one.
        let by_character = by_character
            .into_iter()
            .map(|(character, own)| (Some(character), own));
        for (character, own) in by_character.chain([(None, Vec::new())]) {
            work.spend(own.len() + wild.len())?;
            let mut next: Vec<usize> = own.iter().map(|place| place + 1).collect();
            for place in &wild {
                match places[*place].1 {
                    Some(Piece::NotSlash | Piece::NotSlashes) if character == Some('/') => {}
                    Some(Piece::Star | Piece::NotSlashes | Piece::Variable(_)) => next.push(*place),
                    Some(Piece::Any | Piece::NotSlash) => next.push(place + 1),
                    Some(Piece::Char(_) | Piece::Fold(_)) | None => {}
                }
            }
            let next = with_skipped(&places, next);
            if !seen.contains(&next) {
                seen.insert(next.clone());
                open.push(next);
            }
        }
    }
    Some(sets)
}

/// Returns the places with those behind pieces that may be empty, in ascending order.
fn with_skipped(places: &[(u32, Option<Piece<'_>>)], at: Vec<usize>) -> Vec<usize> {
    let mut all = at;
    let mut index = 0;
    while let Some(place) = all.get(index) {
        if places[*place].1.is_some_and(Piece::may_be_empty) {
            all.push(place + 1);
        }
        index += 1;
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The units of work that are left. One unit is about one step of an automaton, or one element of a set.
#[derive(Debug)]
pub(crate) struct Work(usize);

impl Work {
    /// Makes a budget.
    pub(crate) fn new(units: usize) -> Self {
        Self(units)
    }

    /// Takes units of work; `None` if there are not enough, now and later.
    pub(crate) fn spend(&mut self, units: usize) -> Option<()> {
        let rest = self.0.checked_sub(units);
        self.0 = rest.unwrap_or(0);
        rest.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Piece, Work, classes};

    /// Reads a pattern with `*`, `?`, `+` for a segment of a path, and `$` for a variable.
    fn pattern(text: &str) -> Pattern<'_> {
        text.chars()
            .flat_map(|character| match character {
                '*' => vec![Piece::Star],
                '?' => vec![Piece::Any],
                '+' => vec![Piece::NotSlash, Piece::NotSlashes],
                '$' => vec![Piece::Variable("x")],
                other => vec![Piece::Char(other)],
            })
            .collect()
    }

    fn of(texts: &[&str]) -> Vec<Vec<u32>> {
        let patterns: Vec<Pattern<'_>> = texts.iter().map(|text| pattern(text)).collect();
        classes(&patterns, &mut Work::new(100_000)).unwrap()
    }

    #[test]
    fn classes_are_the_sets_of_patterns_that_a_text_may_match() {
        let none = Vec::new();
        assert_eq!(
            of(&["get*", "*object"]),
            [none.clone(), vec![0], vec![0, 1], vec![1]]
        );
        assert_eq!(
            of(&["get*", "getobject"]),
            [none.clone(), vec![0], vec![0, 1]]
        );
        assert_eq!(of(&["*", "a"]), [vec![0], vec![0, 1]]);
        assert_eq!(of(&["a?", "?b", "ab"]).len(), 4);
        assert_eq!(of(&["a/+/b", "a/x/b", "a/*"]).len(), 4);
        assert_eq!(of(&["a/+", "a/x/y"]), [none, vec![0], vec![1]]);
    }

    #[test]
    fn a_variable_may_be_anything_and_is_included_where_that_is_sure() {
        // Where the first matches, the second must.
        assert_eq!(of(&["home/$/a", "home/$*"]), [vec![], vec![0, 1], vec![1]]);
        // A name may be the value of the variable, or not.
        assert_eq!(
            of(&["home/$", "home/ana"]),
            [vec![], vec![0], vec![0, 1], vec![1]]
        );
        assert_eq!(of(&["home/$", "home/*"]), [vec![], vec![0, 1], vec![1]]);
        // A variable may have several characters.
        assert_eq!(of(&["a$", "a?"]).len(), 4);
    }

    #[test]
    fn too_many_stars_end_in_time() {
        let texts: Vec<String> = (0..60)
            .map(|number| format!("*a{number}b*c*{number}*"))
            .collect();
        let patterns: Vec<Pattern<'_>> = texts.iter().map(|text| pattern(text)).collect();
        assert!(classes(&patterns, &mut Work::new(1_000_000)).is_none());
    }
}
