//! The configuration file of a project, `.tfview.toml`: rules for findings, gates, and the layout of texts.
//!
//! Invariant: a file that was found, rather than named on the command line, may be part of the change under
//! review. It only adds: it cannot disable a gate of the command line or a built-in fact, lowers no limit of a
//! text, and does not affect JSON, fingerprints and the verdict of `tfview diff`.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::Host;
use super::args::ConfigArgs;
use super::host::with_tip;
use super::values::{CONTEXT, DriftChoice, GateWord};
use crate::report::Budget;
use crate::review::entry::RuleOrigin;
use crate::review::findings::{Rules, UserRule};
use crate::review::gate::Gate;

/// The name of the file.
const NAME: &str = ".tfview.toml";

/// The maximum length of the file, in bytes.
const MAX_LEN: u64 = 1 << 20;

/// The content of a configuration file.
#[derive(Debug)]
pub(super) struct Config {
    /// The name of the file in messages and texts.
    pub(super) name: String,
    /// Whether the file was named on the command line or found.
    pub(super) origin: RuleOrigin,
    /// The gates of reviews, with their words in the file.
    pub(super) gates: Vec<GateWord>,
    /// The layout of texts.
    pub(super) text: TextConfig,
    /// Attributes whose changes texts only count (globs for paths); none of a file that was found.
    pub(super) ignore: Vec<String>,
    rules: Vec<(usize, UserRule)>,
}

/// The layout of texts, unless options on the command line override it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TextConfig {
    #[serde(deserialize_with = "context")]
    pub(super) context: Option<usize>,
    #[serde(rename = "max-bytes", deserialize_with = "budget")]
    pub(super) budget: Option<Budget>,
    #[serde(deserialize_with = "drift")]
    pub(super) drift: Option<DriftChoice>,
    pub(super) tree: bool,
}

/// The structure of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Document {
    fail_on: Vec<Spanned<String>>,
    ignore: Vec<String>,
    text: TextConfig,
    rules: Vec<Spanned<UserRule>>,
}

fn context<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let context = super::values::context(&Word::deserialize(deserializer)?.text());
    context.map(Some).map_err(|error| D::Error::custom(format!("context: {error}")))
}

fn budget<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Budget>, D::Error> {
    let budget = super::values::budget(&Word::deserialize(deserializer)?.text());
    budget.map(Some).map_err(|error| D::Error::custom(format!("max-bytes: {error}")))
}

fn drift<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DriftChoice>, D::Error> {
    match &*String::deserialize(deserializer)? {
        "all" => Ok(Some(DriftChoice::All)),
        "relevant" => Ok(Some(DriftChoice::Relevant)),
        _ => Err(D::Error::custom("drift: expected \"relevant\" or \"all\"")),
    }
}

/// A number, or a word in place of one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Word {
    Number(u64),
    Text(String),
}

impl Word {
    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl Config {
    /// Reads the file named on the command line, or the nearest one from the working directory upwards.
    pub(super) fn read(args: &ConfigArgs, host: &Host) -> anyhow::Result<Option<Self>> {
        if args.no_config {
            return Ok(None);
        }
        if let Some(path) = &args.config {
            let name = path.display().to_string();
            let text = read_file(path).with_context(|| format!("cannot read the configuration {name}"))?;
            return Self::parse(&text, name, RuleOrigin::Given).map(Some);
        }
        let folder = match std::env::current_dir() {
            Ok(folder) => folder,
            // The working directory may have been removed.
            Err(error) => {
                host.note(&format!("no {NAME} is looked for: {error}"));
                return Ok(None);
            }
        };
        for (levels, above) in folder.ancestors().enumerate() {
            let path = above.join(NAME);
            match path.symlink_metadata() {
                Ok(_) => {}
                Err(error) if is_absent(&error) => continue,
                Err(error) => return Err(anyhow!(error).context(format!("cannot read {}", path.display()))),
            }
            let name = format!("{}{NAME}", "../".repeat(levels));
            let text = read_file(&path).with_context(|| {
                format!("cannot read the configuration {name}\n  tip: --no-config reads none")
            })?;
            let mut config = Self::parse(&text, name, RuleOrigin::Found)?;
            config.only_add(host);
            return Ok(Some(config));
        }
        Ok(None)
    }

    fn parse(text: &str, name: String, origin: RuleOrigin) -> anyhow::Result<Self> {
        let fault = |line: Option<usize>, message: &str| match line {
            Some(line) => anyhow!("cannot read the configuration {name}, line {line}: {message}"),
            None => anyhow!("cannot read the configuration {name}: {message}"),
        };
        let document: Document = toml::from_str(text)
            .map_err(|error| fault(error.span().map(|span| line_of(text, &span)), error.message()))?;
        let mut gates = Vec::new();
        for word in document.fail_on {
            let line = line_of(text, &word.span());
            let word = word.into_inner();
            let gate = Gate::from_word(&word).ok_or_else(|| {
                let known = Gate::words().collect::<Vec<_>>().join(", ");
                let message =
                    format!("fail-on: there is no condition `{word}`\n  tip: possible conditions: {known}");
                fault(Some(line), &message)
            })?;
            gates.push(GateWord { word, gate });
        }
        let mut checked = Rules::default();
        let mut rules = Vec::new();
        for rule in document.rules {
            let line = line_of(text, &rule.span());
            let rule = rule.into_inner();
            checked.add(rule.clone(), origin).map_err(|message| fault(Some(line), &message))?;
            rules.push((line, rule));
        }
        Ok(Self { name, origin, gates, text: document.text, ignore: document.ignore, rules })
    }

    /// Takes out of a file that was found what would show less than a review without the file.
    fn only_add(&mut self, host: &Host) {
        let mut ignored = Vec::new();
        if self.text.context.take_if(|chosen| *chosen < CONTEXT).is_some() {
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
        if !ignored.is_empty() {
            let (name, ignored) = (&self.name, ignored.join(" and "));
            host.note(&with_tip(
                &format!("{name} was found, so its limit ({ignored}) is ignored: it can only add"),
                &format!("--config {name} takes all of it, --max-bytes and --context set a limit"),
            ));
        }
    }

    /// Adds the rules of the file.
    pub(super) fn add_rules(&self, rules: &mut Rules) -> anyhow::Result<()> {
        for (line, rule) in &self.rules {
            rules.add(rule.clone(), self.origin).map_err(|message| {
                anyhow!("cannot read the configuration {}, line {line}: {message}", self.name)
            })?;
        }
        Ok(())
    }
}

/// Whether an error means that there is no such file.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn read_file(path: &Path) -> anyhow::Result<String> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        bail!("not a file");
    }
    let mut text = String::new();
    file.take(MAX_LEN + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_LEN {
        bail!("longer than {MAX_LEN} bytes");
    }
    Ok(text)
}

/// The line of the start of a span, from 1.
fn line_of(text: &str, span: &Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> anyhow::Result<Config> {
        Config::parse(text, ".tfview.toml".to_owned(), RuleOrigin::Found)
    }

    #[test]
    fn a_broken_file_names_its_line() {
        for (text, line, part) in [
            ("fail-on = [\n  \"destroy\",\n  \"destory\",\n]", 3, "there is no condition `destory`"),
            ("\n[text]\ncontext = \"some\"", 3, "context: expected a number of lines, or all"),
            ("[text]\nmax-bytes = 10", 2, "max-bytes"),
            ("[text]\ndrift = \"none\"", 2, "drift"),
            ("[text]\nonly = \"destroy\"", 2, "unknown field `only`"),
            ("allow = true", 1, "unknown field `allow`"),
            (
                "[[rules]]\nfinding = \"data-loss\"\ntype = \"x\"\nwhat = \"y\"\n\n[[rules]]\nfinding = \"exposure\"\ntype = \"x\"",
                6,
                "`path`",
            ),
            ("[[rules]]\nfinding = \"data-loss\"\ntypo = \"x\"", 3, "unknown field `typo`"),
            ("fail-on = [", 1, ""),
        ] {
            let error = parse(text).unwrap_err().to_string();
            let begin = format!("cannot read the configuration .tfview.toml, line {line}: ");
            assert!(error.starts_with(&begin) && error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_says_gates_rules_and_the_layout_of_texts() {
        let config = parse(
            "fail-on = [\"finding:data-loss\"]\n[text]\ncontext = 7\nmax-bytes = \"github\"\ntree = true",
        )
        .unwrap();
        assert_eq!(config.gates.len(), 1);
        assert_eq!(config.text.context, Some(7));
        assert_eq!(config.text.budget.map(|budget| budget.bytes), Some(65_536));
        assert!(config.text.tree && config.text.drift.is_none());
    }
}
