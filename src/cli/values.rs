//! Parsers for the values of options that clap does not have: words of a set that another module defines,
//! `FORMAT=FILE`, and limits in bytes.
//!
//! Invariant: a parser lists its words, so errors, help and completions name the words that it accepts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, ValueEnum};

use crate::compare;
use crate::report::Budget;
use crate::review::ChangeKind;
use crate::review::gate::Gate;

/// A word of a closed set.
#[derive(Clone)]
struct Words<T> {
    /// The listed words; `parse` may accept others, such as synonyms.
    listed: Vec<String>,
    parse: fn(&str) -> Option<T>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Words<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        // In a list, a space may follow a comma.
        let parsed = value.to_str().and_then(|word| (self.parse)(word.trim()));
        parsed.ok_or_else(|| {
            let listed = PossibleValuesParser::new(self.listed.clone());
            match listed.parse_ref(command, arg, value) {
                Err(error) => error,
                Ok(word) => command
                    .clone()
                    .error(ErrorKind::InvalidValue, format!("{word} is listed, but cannot be parsed")),
            }
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.listed.iter().cloned().map(PossibleValue::new)))
    }
}

/// A condition of `review --fail-on`, and the word that was typed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateWord {
    pub(super) word: String,
    pub(super) gate: Gate,
}

/// Parses a condition of `review --fail-on`.
pub(super) fn gate() -> impl TypedValueParser<Value = GateWord> {
    let parse = |word: &str| Some(GateWord { word: word.to_owned(), gate: Gate::from_word(word)? });
    Words { listed: Gate::words().collect(), parse }
}

/// Parses a condition of `diff --fail-on`.
pub(super) fn comparison_gate() -> impl TypedValueParser<Value = compare::Gate> {
    let listed = compare::Gate::ALL.map(|gate| gate.word().to_owned()).to_vec();
    Words { listed, parse: compare::Gate::from_word }
}

/// Parses an action of `--only`.
pub(super) fn kind() -> impl TypedValueParser<Value = ChangeKind> {
    Words {
        listed: ChangeKind::ALL.map(|kind| kind.word().to_owned()).to_vec(),
        parse: ChangeKind::from_word,
    }
}

/// A value of `--out`: a format, and the file for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutFile<F> {
    pub(super) format: F,
    pub(super) path: PathBuf,
}

/// The files of `--out`, each with the option.
pub(super) fn out_paths<F>(files: &[OutFile<F>]) -> Vec<(&'static str, &Path)> {
    files.iter().map(|file| ("--out", &*file.path)).collect()
}

impl<F: ValueEnum> OutFile<F> {
    /// Parses `FORMAT=FILE`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=').filter(|(_, path)| !path.is_empty());
        let parsed = parts
            .and_then(|(name, path)| Some(Self { format: F::from_str(name, true).ok()?, path: path.into() }));
        parsed.ok_or_else(|| {
            format!("expected FORMAT=FILE with one of these formats: {}", names::<F>().join(", "))
        })
    }
}

/// The names of the values of an option.
pub(super) fn names<F: ValueEnum>() -> Vec<String> {
    let values = F::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    values.map(|value| value.get_name().to_owned()).collect()
}

/// The least that `--max-bytes` accepts: room for the verdict and for a note on what was left out.
const MIN_BYTES: usize = 2_048;

/// Parses a limit of `--max-bytes`: a number, or the name of a platform.
pub(super) fn budget(text: &str) -> Result<Budget, String> {
    let budget = Budget::from_word(text).filter(|budget| budget.bytes >= MIN_BYTES);
    budget.ok_or_else(|| {
        format!("expected a number of at least {MIN_BYTES}, or {}", Budget::PLATFORMS.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::choices::FormatChoice;

    fn parsed<T: Clone + Send + Sync + 'static>(
        parser: &impl TypedValueParser<Value = T>,
        word: &str,
    ) -> Result<T, String> {
        parser.parse_ref(&Command::new("tfview"), None, OsStr::new(word)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_space_after_a_comma_and_synonyms_are_accepted() {
        let warning = parsed(&gate(), " check").unwrap();
        assert_eq!((warning.gate, &*warning.word), (Gate::Warning, "check"));
        assert_eq!(parsed(&kind(), "delete"), Ok(ChangeKind::Destroy));
    }

    #[test]
    fn every_listed_word_is_accepted() {
        let accepts = |words: Vec<PossibleValue>, parse: &dyn Fn(&str) -> bool| {
            assert!(words.iter().all(|word| parse(word.get_name())), "{words:?}");
            words.len()
        };
        let listed = |words: Option<Box<dyn Iterator<Item = PossibleValue> + '_>>| words.unwrap().collect();
        assert!(accepts(listed(gate().possible_values()), &|word| parsed(&gate(), word).is_ok()) > 20);
        assert!(accepts(listed(kind().possible_values()), &|word| parsed(&kind(), word).is_ok()) > 9);
        let comparison = comparison_gate();
        assert_eq!(
            accepts(listed(comparison.possible_values()), &|word| parsed(&comparison, word).is_ok()),
            3
        );
    }

    #[test]
    fn an_unknown_word_is_answered_with_the_known_ones() {
        let error = parsed(&gate(), "everything").unwrap_err();
        assert!(error.contains("possible values: destroy, delete"), "{error}");
        let error = OutFile::<FormatChoice>::parse("pdf=a").unwrap_err();
        assert!(error.contains("markdown"), "{error}");
        assert!(OutFile::<FormatChoice>::parse("json=").is_err());
        assert!(budget("2047").is_err() && budget("github").is_ok());
    }
}
