//! Tests that each built-in row finds its example, and not the reverse of it.

use super::super::pattern::Pattern;
use super::super::rule::{Rule, Trigger, ValueTest};
use super::{ObjectOutcome, Rules, findings_by};
use crate::knowledge::grammar::{self, NamedLists, ReadRow};
use crate::knowledge::{Condition, List, MatchPolicy, Requirement, Row, rows};
use crate::review::entry::{Level, RuleOrigin};

/// Returns all built-in rules, by kind.
pub(super) fn all() -> Vec<Rule<'static>> {
    let read = |row: Row<'static>| {
        let rule = Rule::of_row(&row, RuleOrigin::BuiltIn);
        rule.unwrap_or_else(|error| panic!("it cannot be read: {row:?}: {error}"))
    };
    let mut rules: Vec<_> = rows().map(read).collect();
    rules.sort_by_key(|rule| rule.kind);
    rules
}

/// Returns the rows as they are written, with their examples.
#[allow(
    clippy::disallowed_methods,
    reason = "this is a test, which reads the files of the rows"
)]
pub(super) fn written() -> Vec<ReadRow> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/knowledge");
    let read =
        |path: &str| -> toml::Table { std::fs::read_to_string(path).unwrap().parse().unwrap() };
    let lists = NamedLists::new(read(&format!("{folder}/lists.toml")));
    let mut all = Vec::new();
    for entry in std::fs::read_dir(format!("{folder}/rows")).unwrap() {
        let path = entry.unwrap().path();
        let file = read(path.to_str().unwrap());
        all.extend(grammar::file(&file, &lists).unwrap());
    }
    all
}

/// Returns one of the values of a list. A lone `*` means itself.
fn value_of(values: List<'_>) -> String {
    let is_glob = |value: &str| value.len() > 1 && value.contains('*');
    let mut exact: Vec<_> = values.iter().filter(|value| !is_glob(value)).collect();
    exact.sort_unstable();
    match exact.first() {
        Some(exact) => (*exact).to_owned(),
        None => values.iter().next().unwrap_or_default().replace('*', "x"),
    }
}

/// Returns the strongest and the weakest value of an order.
fn ends(order: List<'_>) -> Option<[&str; 2]> {
    Some([order.iter().last()?, order.iter().next()?])
}

/// Returns a resource type that the rule is for.
fn type_of(rule: &Rule<'_>) -> String {
    match rule.types.iter().next().unwrap() {
        "@pod" | "@manifest" => "kubernetes_manifest".to_owned(),
        "@chart" => "argocd_application".to_owned(),
        first => first.replace('*', "x"),
    }
}

/// Returns an object with `value` at the rule's path, and with the members that its requirements ask for.
fn object(pattern: &str, value: &toml::Value, only_if: &[Requirement<'_>]) -> serde_json::Value {
    use serde_json::{Value, json};
    fn convert(value: &toml::Value) -> Value {
        serde_json::to_value(value).unwrap()
    }
    let pattern = pattern
        .replace("@pod.", "manifest.")
        .replace("@manifest.", "manifest.")
        .replace("@chart.", "configuration_values.");
    let mut names = names(&pattern);
    let last = names.pop().unwrap();
    let mut holder = serde_json::Map::new();
    let only_if: Vec<_> = only_if
        .iter()
        .filter(|requirement| requirement.mode != MatchPolicy::Inverted)
        .collect();
    // If a rule allows several values, the first one is taken.
    let first = |expected: List<'_>| expected.iter().next().map_or(json!([]), |text| json!(text));
    for requirement in only_if
        .iter()
        .filter(|requirement| !requirement.name.starts_with('.'))
    {
        holder.insert(requirement.name.to_owned(), first(requirement.expected));
    }
    let is_element = last.ends_with("[*]");
    let value = if value.as_str() == Some("") && is_element {
        json!([])
    } else if is_element && !value.is_array() {
        json!([convert(value)])
    } else {
        convert(value)
    };
    holder.insert(last.trim_end_matches("[*]").to_owned(), value);
    let mut object = Value::Object(holder);
    for name in names.iter().rev() {
        let inner = if name.ends_with("[*]") {
            json!([object])
        } else {
            object
        };
        object = json!({ name.trim_end_matches("[*]"): inner });
    }
    for requirement in only_if {
        if let Some(path) = requirement.name.strip_prefix('.') {
            let (around, path) = match (path.strip_prefix('.'), names.first()) {
                (Some(path), Some(first)) => (&mut object[first.trim_end_matches("[*]")][0], path),
                (Some(_), None) | (None, _) => (&mut object, path),
            };
            let member = path
                .split('.')
                .fold(around, |object, name| &mut object[name]);
            *member = first(requirement.expected);
        }
    }
    object
}

/// Returns the names of a pattern, each with the `[*]` after it.
fn names(pattern: &str) -> Vec<String> {
    let (mut names, mut rest) = (Vec::new(), pattern.replace("**.", ""));
    while !rest.is_empty() {
        let (name, after) = match rest.strip_prefix("['") {
            Some(quoted) => quoted
                .split_once("']")
                .map(|(name, after)| (name, after.to_owned()))
                .unwrap(),
            None => {
                let end = rest
                    .find('.')
                    .into_iter()
                    .chain(rest.find("['"))
                    .min()
                    .unwrap_or(rest.len());
                (&rest[..end], rest[end..].to_owned())
            }
        };
        names.push(name.to_owned());
        rest = after.strip_prefix('.').unwrap_or(&after).to_owned();
    }
    names
}

/// Returns an object with a role at a path of names, in the element that another path of names leads to.
fn with_role(object: &str, element: &[String], path: &Pattern<'_>, role: &str) -> String {
    let mut object: serde_json::Value = serde_json::from_str(object).unwrap();
    let mut member = &mut object;
    for name in element
        .split_last()
        .into_iter()
        .flat_map(|(_, names)| names)
    {
        member = match name.strip_suffix("[*]") {
            Some(list) => &mut member[list][0],
            None => &mut member[name.as_str()],
        };
    }
    for name in path.label().split('.') {
        member = &mut member[name];
    }
    let is_list = path.names_elements();
    *member = if is_list {
        serde_json::json!([role])
    } else {
        role.into()
    };
    object.to_string()
}

/// Returns the values before and after for which a rule must find something: those that its row has, or those of its
/// condition. `None` for conditions that have tests of their own.
fn example(rule: &Rule<'_>, given: Option<[toml::Value; 2]>) -> Option<[toml::Value; 2]> {
    use toml::Value;
    let Trigger::Values(ValueTest { condition, .. }) = &rule.trigger else {
        return None;
    };
    let pattern = |word: &str| word.contains('*');
    match *condition {
        Condition::On => return Some([Value::Boolean(false), Value::Boolean(true)]),
        Condition::Off => return Some([Value::Boolean(true), Value::Boolean(false)]),
        Condition::Zero => return Some([Value::Integer(3), Value::Integer(0)]),
        Condition::Order(words) if !words.iter().any(pattern) => {
            return Some(ends(words)?.map(|word| Value::String(word.to_owned())));
        }
        Condition::Policy(_)
        | Condition::Unknown
        | Condition::Reverts
        | Condition::Routes
        | Condition::Never => {
            return None;
        }
        Condition::AnySource
        | Condition::Is(_)
        | Condition::Lower
        | Condition::Shorter
        | Condition::Higher
        | Condition::Below(_)
        | Condition::Above(_)
        | Condition::Changed
        | Condition::Fewer
        | Condition::Mentions
        | Condition::Major
        | Condition::Downgrade
        | Condition::Role { .. }
        | Condition::Deny
        | Condition::Gone
        | Condition::Emptied
        | Condition::There
        | Condition::Smaller
        | Condition::Order(_) => {}
    }
    let text = |text: &str| Value::String(text.to_owned());
    let usual = match *condition {
        Condition::AnySource => Some([text("10.0.0.0/8"), text("0.0.0.0/0")]),
        Condition::Is(values) => Some([text("another"), Value::String(value_of(values))]),
        Condition::Lower | Condition::Shorter => Some([text("20"), text("10")]),
        Condition::Higher => Some([text("10"), text("20")]),
        Condition::Smaller => Some([text("x.2xlarge"), text("x.large")]),
        Condition::Below(limit) => Some([Value::Float(limit), Value::Float(limit - 1.0)]),
        Condition::Above(limit) => Some([Value::Float(limit), Value::Float(limit + 1.0)]),
        Condition::Changed | Condition::Fewer => Some([text("one"), text("another")]),
        Condition::There => Some([text(""), text("one")]),
        Condition::Role { .. } => Some([text("one"), text("another")]),
        Condition::Gone | Condition::Emptied => Some([text("one"), text("")]),
        Condition::Major => Some([text("11.2"), text("12.1")]),
        Condition::Downgrade => Some([text("2.1"), text("1.9")]),
        Condition::Order(words) => {
            ends(words).map(|words| words.map(|word| text(&word.replace('*', "x"))))
        }
        Condition::On
        | Condition::Off
        | Condition::Zero
        | Condition::Mentions
        | Condition::Deny
        | Condition::Reverts
        | Condition::Routes
        | Condition::Policy(_)
        | Condition::Never
        | Condition::Unknown => None,
    };
    Some(
        given
            .or(usual)
            .unwrap_or_else(|| panic!("no example: {rule:?}")),
    )
}

#[test]
fn every_rule_finds_its_example_and_not_its_reverse() {
    let rules = Rules::built_in();
    let mut failed = Vec::new();
    for row in written() {
        let packed = row.fields.packed();
        let read = Row::read(&packed).unwrap();
        let rule = &Rule::of_row(&read, RuleOrigin::BuiltIn).unwrap();
        if rule.level == Level::None {
            continue;
        }
        let Trigger::Values(values) = &rule.trigger else {
            continue;
        };
        let ValueTest {
            condition, path, ..
        } = values;
        let Some(example) = example(rule, row.example) else {
            continue;
        };
        // Lines of a text, and members that must be missing, have tests of their own.
        if path.contains("['=") {
            continue;
        }
        // Something added, or somebody who gets a role, was not there before, so the reverse is no example.
        let is_new = matches!(condition, Condition::There | Condition::Role { .. });
        let has_twin = matches!(
            condition,
            Condition::Changed | Condition::Fewer | Condition::Major | Condition::Downgrade
        );
        let is_reversible = !is_new && !has_twin;
        let value = |value: &toml::Value| {
            let object = object(path, value, &rule.only_if).to_string();
            let object = if is_new {
                object.replace(r#""""#, "null")
            } else {
                object
            };
            // The first privileged role of the rule is taken.
            if let Condition::Role { role, any_of, .. } = *condition {
                let path = path.replace("@manifest.", "manifest.");
                let role = role.replace("@manifest.", "manifest.");
                let list = path.rsplit_once("[*].").map_or("", |(list, _)| list);
                let sibling = role
                    .strip_prefix(list)
                    .and_then(|rest| rest.strip_prefix("[*]."));
                let element = sibling.map_or(Vec::new(), |_| names(&path));
                let pattern = Pattern::parse(sibling.unwrap_or(&role)).unwrap();
                let listed = any_of.iter().next().map(str::to_owned);
                let given = listed.unwrap_or_else(|| format!("/{}", values.role_names[0].id));
                return with_role(&object, &element, &pattern, &given);
            }
            object
        };
        let [before, after] = example.each_ref().map(value);
        let kinds = |before: &str, after: &str| {
            let plain = |value| [value, "null", "null"];
            let kinds_found = findings_by(
                &rules,
                &type_of(rule),
                ObjectOutcome::Updated,
                plain(before),
                plain(after),
            );
            kinds_found
                .into_iter()
                .map(|(kind, ..)| kind)
                .collect::<Vec<_>>()
        };
        let holds = kinds(&before, &after).contains(&rule.kind)
            && !(is_reversible && kinds(&after, &before).contains(&rule.kind))
            && kinds(&after, &after).is_empty();
        if !holds {
            failed.push(format!("{}: {before} -> {after}", row.place));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
