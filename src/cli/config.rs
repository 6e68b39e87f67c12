//! Reads the configuration file of a project, `.tfview.toml`.
//!
//! Invariant: a file that was found, instead of being named on the command line, may be part of the change under
//! review. It can therefore only add: it cannot disable a gate or a built-in fact, cannot lower a limit of a text, and
//! does not affect JSON, fingerprints or the verdict of `tfview diff`.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use jiff::civil::Date;
use jiff::tz::Offset;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::Host;
use super::args::ConfigArgs;
use super::messages::{ErrorWithTip, with_tip};
use super::values::{DriftChoice, GateWord};
use crate::report::Budget;
use crate::review::CONTEXT;
use crate::review::allow::Allow;
use crate::review::entry::{FindingKind, RuleOrigin};
use crate::review::finding::Acceptance;
use crate::review::findings::{RuleLine, Rules};
use crate::review::gate::Gate;
use crate::text::one_line;

/// The name of the file that is searched.
const NAME: &str = ".tfview.toml";

/// The maximum length of the file, in bytes.
const MAX_LEN: u64 = 1 << 20;

/// The maximum number of accepted findings, and of patterns for ignored attributes. Each finding and each edit is
/// compared with each of them.
const MAX_COMPARED: usize = 1_000;

/// The configuration of a project, after it was checked.
#[derive(Debug)]
pub(super) struct Config {
    /// The name of the file in messages.
    pub(super) name: String,
    /// The path of the file.
    pub(super) path: PathBuf,
    /// Whether the file was named on the command line or found.
    pub(super) origin: RuleOrigin,
    /// The gates of the project.
    pub(super) gates: Vec<GateWord>,
    /// What the project allows, if it says so.
    pub(super) allow: Option<Allow>,
    /// The settings of texts.
    pub(super) text: TextConfig,
    /// Globs for the paths of attributes whose changes are only counted. A file that was found has none.
    pub(super) ignore: Vec<String>,
    /// Findings that the project accepts, so that they violate no gate. A file that was found has none.
    pub(super) accepted: Vec<Arc<Acceptance>>,
}

/// A finding that the project accepts, as it is written in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct AcceptLine {
    /// The kind of the finding.
    finding: FindingKind,
    /// A glob for addresses, or for names of outputs.
    address: String,
    /// A glob for paths of attributes; absent for findings about the object as a whole.
    path: Option<String>,
    /// The reason why the project accepts it.
    reason: String,
    /// The last day on which the acceptance holds, such as `2027-01-31`.
    until: String,
}

impl AcceptLine {
    /// Checks the line, and parses its day.
    ///
    /// # Errors
    /// If the reason or the address is empty, or the day is not a date.
    fn acceptance(self) -> Result<Acceptance, String> {
        if self.reason.trim().is_empty() {
            return Err("accept: `reason` is empty".to_owned());
        }
        if self.address.trim().is_empty() {
            return Err("accept: `address` is empty".to_owned());
        }
        let until = self.until.parse::<Date>();
        let until = until.map_err(|_| {
            format!(
                "accept: `until` is the last day on which it holds, such as \"2027-01-31\", and not `{}`",
                self.until
            )
        })?;
        Ok(Acceptance {
            kind: self.finding,
            address: self.address,
            // Keys of elements are left out, as in the paths that are compared.
            path: self.path.map(|path| path.replace("[*]", "")),
            reason: one_line(self.reason.trim()),
            until: until.to_string(),
        })
    }
}

/// The table `text`, whose members have the effect of the options with the same names.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TextConfig {
    /// The number of unchanged lines around a change.
    #[serde(deserialize_with = "context")]
    pub(super) context: Option<usize>,
    /// The maximum size of Markdown, in bytes.
    #[serde(rename = "max-bytes", deserialize_with = "budget")]
    pub(super) budget: Option<Budget>,
    /// The changes outside of the tool that are shown.
    pub(super) drift: Option<DriftChoice>,
    /// Whether resources are grouped by module.
    pub(super) tree: bool,
}

/// The content of the file, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    /// The gates.
    fail_on: Vec<Spanned<String>>,
    /// The directions that are allowed.
    allow: Vec<Spanned<String>>,
    /// Globs for the paths of attributes whose changes are only counted.
    ignore: Vec<String>,
    /// The settings of texts.
    text: TextConfig,
    /// The rules of the project.
    rules: Vec<Spanned<RuleLine>>,
    /// What the project knows of attributes, in the grammar of the built-in rows.
    row: Vec<Spanned<toml::Table>>,
    /// The accepted findings.
    accept: Vec<Spanned<AcceptLine>>,
}

fn context<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    word(deserializer, "context", super::values::context)
}

fn budget<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Budget>, D::Error> {
    word(deserializer, "max-bytes", super::values::budget)
}

/// Reads a value that may be a number or a word, with the parser of the option with the same name.
fn word<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    name: &str,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    let text = match toml::Value::deserialize(deserializer)? {
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::String(text) => text,
        other @ (toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_)
        | toml::Value::Array(_)
        | toml::Value::Table(_)) => {
            let problem = format!(
                "`{name}` is an integer or a string, and not of the type {}",
                other.type_str()
            );
            return Err(D::Error::custom(problem));
        }
    };
    parse(&text)
        .map(Some)
        .map_err(|problem| D::Error::custom(format!("{name}: {problem}")))
}

impl Config {
    /// Reads the file that the command line names, or else the nearest one from the working directory upward, and adds
    /// its rules to `rules`. Returns `None` if there is no file.
    ///
    /// # Errors
    /// If a file is there and cannot be read.
    pub(super) fn read(
        args: &ConfigArgs,
        rules: &mut Rules,
        host: &Host,
    ) -> anyhow::Result<Option<Self>> {
        if args.no_config {
            return Ok(None);
        }
        if let Some(path) = &args.config {
            let name = path.display().to_string();
            let text = read_file(path, Source::Named)
                .with_context(|| format!("cannot read the configuration {name}"))?;
            let mut config = Self::parse(&text, name, path, RuleOrigin::Given, rules)?;
            config.drop_expired(host);
            return Ok(Some(config));
        }
        let folder = match std::env::current_dir() {
            Ok(folder) => folder,
            // The working directory may have been removed.
            Err(error) => {
                host.note(&format!("not looking for {NAME}: {error}"));
                return Ok(None);
            }
        };
        for (levels, above) in folder.ancestors().enumerate() {
            let path = above.join(NAME);
            match path.symlink_metadata() {
                Ok(_) => {}
                Err(error)
                    if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
                {
                    continue;
                }
                Err(error) => {
                    return Err(anyhow!(error).context(format!("cannot read {}", path.display())));
                }
            }
            let name = format!("{}{NAME}", "../".repeat(levels));
            let text = read_file(&path, Source::Found).map_err(|error| {
                let text = format!("cannot read the configuration {name}");
                ErrorWithTip::new(text, "--no-config reads none").caused_by(error)
            })?;
            let mut config = Self::parse(&text, name, &path, RuleOrigin::Found, rules)?;
            config.only_add(host);
            return Ok(Some(config));
        }
        Ok(None)
    }

    /// Parses a file, and adds its rules to `rules`.
    ///
    /// # Errors
    /// If the file is not valid. The error names the line.
    fn parse(
        text: &str,
        name: String,
        path: &Path,
        origin: RuleOrigin,
        rules: &mut Rules,
    ) -> anyhow::Result<Self> {
        let fault = |span: Option<Range<usize>>, problem: &str, tip: Option<&str>| {
            let breaks = |span: Range<usize>| {
                text.bytes()
                    .take(span.start)
                    .filter(|byte| *byte == b'\n')
                    .count()
            };
            let line = span.map_or_else(String::new, |span| format!(", line {}", 1 + breaks(span)));
            let text = format!("cannot read the configuration {name}{line}: {problem}");
            anyhow::Error::new(ErrorWithTip::with(text, tip))
        };
        let document: Document =
            toml::from_str(text).map_err(|error| fault(error.span(), error.message(), None))?;
        let mut gates = Vec::with_capacity(document.fail_on.len());
        for word in document.fail_on {
            let span = word.span();
            let word = word.into_inner();
            let gate = Gate::from_word(&word).ok_or_else(|| {
                let known = Gate::words().collect::<Vec<_>>().join(", ");
                let problem = format!("fail-on: there is no condition `{word}`");
                let tip = format!("possible conditions: {known}");
                fault(Some(span), &problem, Some(&tip))
            })?;
            gates.push(GateWord { word, gate });
        }
        let mut allow = None;
        if let Some(first) = document.allow.first() {
            let words: Vec<&str> = document
                .allow
                .iter()
                .map(|word| word.get_ref().as_str())
                .collect();
            allow = Some(Allow::parse(&words.join(",")).map_err(|problem| {
                let known = Allow::words().collect::<Vec<_>>().join(", ");
                let tip = format!("possible words: {known}");
                fault(Some(first.span()), &format!("allow: {problem}"), Some(&tip))
            })?);
        }
        for rule in document.rules {
            let span = rule.span();
            rules
                .add(rule.get_ref(), origin)
                .map_err(|error| fault(Some(span), &error.to_string(), error.tip()))?;
        }
        for row in document.row {
            let span = row.span();
            rules
                .add_row(row.get_ref(), origin)
                .map_err(|error| fault(Some(span), &error.to_string(), error.tip()))?;
        }
        for (name, number) in [
            ("accept", document.accept.len()),
            ("ignore", document.ignore.len()),
        ] {
            if number > MAX_COMPARED {
                let problem = format!("{name}: more than {MAX_COMPARED} entries");
                return Err(fault(None, &problem, None));
            }
        }
        let mut accepted = Vec::with_capacity(document.accept.len());
        for line in document.accept {
            let span = line.span();
            let acceptance = line
                .into_inner()
                .acceptance()
                .map_err(|problem| fault(Some(span), &problem, None))?;
            accepted.push(Arc::new(acceptance));
        }
        Ok(Self {
            name,
            path: path.to_owned(),
            origin,
            gates,
            allow,
            text: document.text,
            ignore: document.ignore,
            accepted,
        })
    }

    /// Removes the acceptances that have expired, and notes them.
    fn drop_expired(&mut self, host: &Host) {
        // The clock of the machine, and not the time that `SOURCE_DATE_EPOCH` gives to outputs: an environment that sets it
        // to a day of the past would let an acceptance hold for ever.
        let today = i64::try_from(host.seconds())
            .ok()
            .and_then(|now| jiff::Timestamp::from_second(now).ok())
            .map(|now| Offset::UTC.to_datetime(now).date());
        // Without the date of today, no acceptance holds.
        let holds = |acceptance: &Acceptance| {
            let until = acceptance.until.parse::<Date>().ok();
            today
                .zip(until)
                .is_some_and(|(today, until)| today <= until)
        };
        for expired in self
            .accepted
            .extract_if(.., |acceptance| !holds(acceptance))
        {
            let Acceptance {
                kind,
                address,
                until,
                reason,
                ..
            } = &*expired;
            host.note(&format!(
                "{}: the finding `{}` of {address} is no longer accepted: the acceptance ended on {until} ({reason})",
                self.name,
                kind.name()
            ));
        }
    }

    /// Removes everything from a found file that would make a review show less than without the file, and notes it.
    fn only_add(&mut self, host: &Host) {
        let mut ignored = Vec::new();
        if self
            .text
            .context
            .take_if(|chosen| *chosen < CONTEXT)
            .is_some()
        {
            ignored.push("context");
        }
        if let Some(budget) = &mut self.text.budget
            && budget.bytes != Budget::default().bytes
        {
            budget.bytes = Budget::default().bytes;
            ignored.push("max-bytes");
        }
        if !std::mem::take(&mut self.ignore).is_empty() {
            ignored.push("ignore");
        }
        if !std::mem::take(&mut self.accepted).is_empty() {
            ignored.push("accept");
        }
        if !ignored.is_empty() {
            let name = &self.name;
            let words: Vec<String> = ignored.iter().map(|word| format!("`{word}`")).collect();
            host.note(&with_tip(
                &format!(
                    "ignored {} in {name}: a configuration that is found, not named, can only add to a review",
                    words.join(" and ")
                ),
                &format!("`--config {name}` takes all of it"),
            ));
        }
    }
}

/// How a configuration came to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// `--config` names it, so that it may be a pipe.
    Named,
    /// It is in the working directory or above, where another user may have put it.
    Found,
}

/// Reads a file of at most `MAX_LEN` bytes. A pipe that was only found is not opened: that would wait for its writer.
fn read_file(path: &Path, source: Source) -> anyhow::Result<String> {
    let kind = std::fs::metadata(path)?.file_type();
    let is_named_pipe = source == Source::Named && is_pipe(kind);
    if !kind.is_file() && !is_named_pipe {
        bail!("not a file");
    }
    let file = File::open(path)?;
    let mut text = String::new();
    file.take(MAX_LEN + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_LEN {
        bail!("longer than {MAX_LEN} bytes");
    }
    Ok(text)
}

/// Whether a file is a pipe, as `<(…)` of a shell is.
#[cfg(unix)]
fn is_pipe(kind: std::fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: std::fs::FileType) -> bool {
    false
}

#[cfg(test)]
mod tests;
