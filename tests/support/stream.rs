//! Runs in the golden cases: the messages of a tool are shown with the text that the tool printed in another
//! run of the same configuration.
//!
//! Two runs of a parallel tool differ in the order of lines, in times and in random ids. So all lines are
//! compared without their order. Lines other than progress are also compared in order, if the tool wrote
//! everything to one output. Times, UUIDs and deposed keys count as equal, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use super::cells;

/// The tests of one case.
pub(crate) fn trials(case: &Path) -> Vec<Trial> {
    let has = |file: &str| case.join(file).exists();
    let name = case
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut trials = Vec::new();
    let mut add = |kind: &str, check: fn(&Run) -> Result<(), Failed>| {
        let case = case.to_owned();
        trials.push(Trial::test(format!("{kind}::goldens/{name}"), move || {
            check(&Run::of(&case)?)
        }));
    };
    if has("apply.jsonl") && has("plan.json") {
        if has("apply.txt") {
            add("stream", |run| run.apply(false));
        }
        if has("apply.ansi") {
            add("stream-colour", |run| run.apply(true));
        }
    }
    let meta = Run::of(case).map(|run| run.meta).unwrap_or_default();
    if has("apply.jsonl") && meta["apply_exit"].is_i64() {
        add("stream-exit", |run| run.exit("apply.jsonl", "apply_exit"));
    }
    if has("stream.jsonl") && (has("human.txt") || has("human.stderr.txt")) {
        // The messages do not contain the text of a plan, so such a run is listed as an ignored test.
        let messages = fs::read_to_string(case.join("stream.jsonl")).unwrap_or_default();
        if messages.contains("planned_change") {
            trials.push(
                Trial::test(format!("other::goldens/{name}"), || Ok(())).with_ignored_flag(true),
            );
            return trials;
        }
        add("other", |run| run.other(false));
        if has("human.ansi") || has("human.stderr.ansi") {
            add("other-colour", |run| run.other(true));
        }
        if meta["json_exit"].is_i64() {
            add("other-exit", |run| run.exit("stream.jsonl", "json_exit"));
        }
    }
    trials
}

/// A recorded run.
struct Run {
    case: PathBuf,
    meta: serde_json::Value,
}

impl Run {
    fn of(case: &Path) -> Result<Self, Failed> {
        let meta = serde_json::from_str(&fs::read_to_string(case.join("meta.json"))?)?;
        Ok(Self {
            case: case.to_owned(),
            meta,
        })
    }

    /// Shows messages with tfview. Returns the text and the exit code.
    fn tfview(
        &self,
        messages: &str,
        with_plan: bool,
        colour: bool,
    ) -> Result<(String, Option<i32>), Failed> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
        command
            .env_clear()
            .args(["stream", "--color", if colour { "always" } else { "never" }]);
        if let Some(product) = self.meta["product"].as_str() {
            command.args(["--dialect", product]);
        }
        for list in ["plan_flags", "apply_flags", "args"] {
            for flag in self.meta[list]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|flag| flag.as_str())
            {
                match flag {
                    "-compact-warnings" | "-concise" => command.arg(format!("-{flag}")),
                    "-destroy" | "-refresh-only" if list == "plan_flags" => {
                        command.args(["--plan-mode", &flag[1..]])
                    }
                    _ => continue,
                };
            }
        }
        for (option, file) in [("--schemas", "schema.json"), ("--plan", "plan.json")] {
            if with_plan && self.case.join(file).exists() {
                command.arg(option).arg(self.case.join(file));
            }
        }
        let output = command.arg(self.case.join(messages)).output()?;
        let notes = String::from_utf8_lossy(&output.stderr);
        if notes.contains("is not the one of this run") {
            return Err(format!("the plan is taken for that of another run: {notes}").into());
        }
        Ok((String::from_utf8(output.stdout)?, output.status.code()))
    }

    fn tool_output(&self, out: &str, err: &str) -> Result<String, Failed> {
        let read = |file: &str| match fs::read_to_string(self.case.join(file)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            result => result,
        };
        Ok(read(out)? + &read(err)?)
    }

    /// Compares the text of an apply with that of the tool.
    fn apply(&self, colour: bool) -> Result<(), Failed> {
        let (got, _) = self.tfview("apply.jsonl", true, colour)?;
        if colour {
            return same(
                &styled(&self.tool_output("apply.ansi", "apply.stderr.ansi")?),
                &styled(&got),
            );
        }
        same(
            &lines(&self.tool_output("apply.txt", "apply.stderr.txt")?),
            &lines(&got),
        )?;
        let one_output =
            !self.case.join("apply.stderr.txt").exists() && self.meta["unordered"].is_null();
        if one_output
            && sequence(&fs::read_to_string(self.case.join("apply.txt"))?) != sequence(&got)
        {
            return Err("the same lines are in another order".into());
        }
        Ok(())
    }

    /// Compares the text of another command with that of the tool.
    fn other(&self, colour: bool) -> Result<(), Failed> {
        let (got, _) = self.tfview("stream.jsonl", false, colour)?;
        if colour {
            return same(
                &styled(&self.tool_output("human.ansi", "human.stderr.ansi")?),
                &styled(&got),
            );
        }
        let expected = self.tool_output("human.txt", "human.stderr.txt")?;
        let name = self.case.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("test-init-") || name.starts_with("test-query-") {
            // These commands are not parallel, so all lines are compared in order, including empty ones.
            let all = |text: &str| visible(text).lines().map(normalized).collect::<Vec<_>>();
            if all(&expected) != all(&got) {
                return Err(format!("expected:\n{expected}\ngot:\n{got}").into());
            }
        }
        same(&lines(&expected), &lines(&got))
    }

    fn exit(&self, messages: &str, key: &str) -> Result<(), Failed> {
        let expected = self.meta[key].as_i64().ok_or("the case has no exit code")?;
        let (_, code) = self.tfview(messages, false, false)?;
        let expected = i32::from(expected != 0);
        if code == Some(expected) {
            Ok(())
        } else {
            Err(format!("exit {code:?}, expected {expected}").into())
        }
    }
}

/// Fails unless both have the same lines, in any order.
fn same(want: &[String], got: &[String]) -> Result<(), Failed> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    want.iter()
        .for_each(|line| *counts.entry(line).or_default() += 1);
    got.iter()
        .for_each(|line| *counts.entry(line).or_default() -= 1);
    let differ: Vec<String> = counts
        .into_iter()
        .filter(|(_, count)| *count != 0)
        .map(|(line, count)| format!("{} {line}", if count > 0 { "-" } else { "+" }))
        .collect();
    if differ.is_empty() {
        Ok(())
    } else {
        Err(differ.join("\n").into())
    }
}

/// The text without colour codes, because provisioners write their own.
fn visible(text: &str) -> String {
    cells::cells(text).into_iter().map(|cell| cell.0).collect()
}

/// The lines that are not blank. Equal lines about running operations count once, because their number
/// depends on the duration of the run.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in visible(text).split('\n') {
        let line = normalized(line);
        if line.trim().is_empty()
            || is_import(&line)
            || (line.contains(": Still ") && lines.contains(&line))
        {
            continue;
        }
        lines.push(line);
    }
    lines
}

/// The lines whose order must be equal: all except progress, with consecutive blank lines merged.
fn sequence(text: &str) -> Vec<String> {
    let mut sequence: Vec<String> = Vec::new();
    for line in visible(text).split('\n').map(normalized) {
        let blank_again = line.is_empty() && sequence.last().is_none_or(String::is_empty);
        if !is_progress(&line) && !is_import(&line) && !blank_again {
            sequence.push(line);
        }
    }
    while sequence.last().is_some_and(String::is_empty) {
        sequence.pop();
    }
    sequence
}

/// The lines of a text, with a marker wherever the style of visible text changes.
fn styled(text: &str) -> Vec<String> {
    let mut marked = String::new();
    let mut last = Default::default();
    for (c, style) in cells::cells(text) {
        if !matches!(c, ' ' | '\n') && style != last {
            marked.push_str(&format!("⟦{style:?}⟧"));
            last = style;
        }
        marked.push(c);
        if c == '\n' {
            last = Default::default();
        }
    }
    lines(&marked)
}

/// Whether a line reports an import. Only the tools' text has such lines, their messages do not.
fn is_import(line: &str) -> bool {
    line.split(": ").skip(1).any(|rest| {
        let rest = if rest.starts_with('⟦') {
            rest.split_once('⟧').map_or(rest, |(_, rest)| rest)
        } else {
            rest
        };
        [
            "Preparing import",
            "Importing",
            "Import prepared",
            "Import complete",
        ]
        .iter()
        .any(|word| rest.starts_with(word))
    })
}

/// Whether a line is about the progress of an operation, which another run has at another place.
fn is_progress(line: &str) -> bool {
    const WORDS: [&str; 21] = [
        "Creating",
        "Modifying",
        "Destroying",
        "Reading",
        "Refreshing",
        "Removing",
        "Applying",
        "Provisioning",
        "Still",
        "Opening",
        "Closing",
        "Renewing",
        "Creation",
        "Destruction",
        "Modifications",
        "Removal",
        "Read",
        "Refresh",
        "Renewal",
        "Open",
        "Close",
    ];
    let provisioned = line.split_once("):").is_some_and(|(before, _)| {
        before.rsplit_once(" (").is_some_and(|(_, name)| {
            name.chars()
                .all(|c| c.is_alphanumeric() || "_-".contains(c))
        })
    });
    !line.starts_with(' ')
        && (line.starts_with("Action ")
            || provisioned
            || line
                .split(": ")
                .skip(1)
                .any(|rest| WORDS.iter().any(|word| rest.starts_with(word))))
}

/// A line with placeholders for everything that differs between runs.
fn normalized(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line.trim_end();
    let mut in_word = false;
    while let Some(c) = rest.chars().next() {
        let equal = [
            (uuid as fn(&str) -> usize, "UUID"),
            (deposed, ""),
            (time, "TIME"),
        ]
        .into_iter()
        .chain((!in_word).then_some((duration as fn(&str) -> usize, "Ns")))
        .map(|(length, name)| (length(rest), name))
        .find(|(length, _)| *length > 0);
        if let Some((length, name)) = equal {
            out.push_str(name);
            rest = &rest[length..];
            in_word = true;
            continue;
        }
        in_word = c.is_alphanumeric() || c == '_';
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// The length of the match of `pattern` at the start of `text`, or 0. In the pattern, `h` is a hexadecimal
/// digit, `9` a decimal one, and anything else itself.
fn matched(text: &str, pattern: &str) -> usize {
    let fits = |(byte, pattern): (u8, u8)| match pattern {
        b'h' => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        b'9' => byte.is_ascii_digit(),
        other => byte == other,
    };
    if text.len() >= pattern.len() && text.bytes().zip(pattern.bytes()).all(fits) {
        pattern.len()
    } else {
        0
    }
}

fn uuid(text: &str) -> usize {
    matched(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh")
}

fn deposed(text: &str) -> usize {
    // The words are not part of the pattern, because they contain `h`.
    if !text.starts_with(" (deposed object ") {
        return 0;
    }
    let key = " (deposed object ".len();
    if matched(&text[key..], "hhhhhhhh)") > 0 {
        key + 9
    } else {
        0
    }
}

fn time(text: &str) -> usize {
    let date = matched(text, "9999-99-99T");
    let clock = text
        .bytes()
        .skip(date)
        .take_while(|byte| byte.is_ascii_digit() || b":.".contains(byte))
        .count();
    if date > 0 && text[date + clock..].starts_with('Z') {
        date + clock + 1
    } else {
        0
    }
}

/// `5s`, `1m10s`, `1h0m5s`.
fn duration(text: &str) -> usize {
    let mut length = 0;
    for unit in ['h', 'm', 's'] {
        let digits = text[length..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        if digits > 0 && text[length + digits..].starts_with(unit) {
            length += digits + 1;
        } else if unit == 's' || (unit == 'm' && length > 0) {
            return 0;
        }
    }
    let ends = !text[length..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if ends { length } else { 0 }
}
