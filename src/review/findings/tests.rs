//! Runs each rule of the built-in table on its example, and the policy tests on pairs of documents.

mod mechanics;
mod published;
mod twins;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::elements::RoleTest;
use super::guard::Excused;
use super::pattern::{Documents, Pattern, is_loosely};
use super::rule::{At, Condition, Mode, Requirement, Rule, Test};
use super::secret::Credentials;
use super::table::is_for_type;
use super::{Fate, Rules, Subject, find};
use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::json;
use crate::review::entry::{FindingKind, RuleOrigin};
use crate::schema::Position;

/// One side of a change: its values, unknown marks and sensitive marks.
fn side<'w>(
    [value, unknown, marks]: [&str; 3],
    arena: &'w Bump,
    hasher: &'w RandomState,
) -> MarkedValue<'w> {
    let [unknown, marks] =
        [unknown, marks].map(|text| json::parse(arena.alloc_str(text), arena).unwrap());
    let text = Some(&*arena.alloc_str(value));
    Builder::new(arena, hasher)
        .build(text, unknown, marks, Position::Unspecified)
        .unwrap()
}

/// The kinds and texts of the findings of a change.
fn found(
    resource_type: &str,
    fate: Fate,
    before: [&str; 3],
    after: [&str; 3],
) -> Vec<(FindingKind, String)> {
    let rules = Rules::built_in();
    let findings = findings_by(&rules, resource_type, fate, before, after);
    findings
        .into_iter()
        .map(|(kind, _, text)| (kind, text))
        .collect()
}

fn findings_by(
    rules: &Rules,
    resource_type: &str,
    fate: Fate,
    before: [&str; 3],
    after: [&str; 3],
) -> Vec<(FindingKind, RuleOrigin, String)> {
    let (arena, kept, excused) = (Bump::new(), Bump::new(), &Excused::default());
    let hasher = &*arena.alloc(RandomState::default());
    let (before, after) = (side(before, &arena, hasher), side(after, &arena, hasher));
    let documents = &Documents::new(Builder::new(&arena, hasher));
    let credentials = &Credentials::find(None, [before, after], documents, None);
    let subject = Subject {
        fate,
        resource_type,
        before,
        after,
        excused,
        documents,
        credentials,
        left: None,
        configuration: None,
    };
    let redactor = Redactor {
        texts: ["", "", ""],
        arena: &kept,
        show_sensitive: true,
    };
    let applicable = rules.for_type(resource_type);
    let findings = find(&subject, &applicable, redactor);
    findings
        .into_iter()
        .map(|finding| (finding.kind, finding.origin, finding.text))
        .collect()
}

fn findings(
    resource_type: &str,
    fate: Fate,
    before: &str,
    after: &str,
) -> Vec<(FindingKind, String)> {
    let plain = |value| [value, "null", "null"];
    found(resource_type, fate, plain(before), plain(after))
}

fn texts(findings: &[(FindingKind, String)]) -> Vec<String> {
    findings
        .iter()
        .map(|(kind, text)| format!("{} {text}", kind.name()))
        .collect()
}

/// All built-in rules.
fn all(rules: &Rules) -> Vec<&Rule> {
    rules
        .built_in
        .iter()
        .map(|rule| rule.read().unwrap())
        .collect()
}

/// A resource type that the rule's pattern matches.
fn type_of(rule: &Rule) -> String {
    match rule.resource_type.split('|').next().unwrap() {
        "@pod" | "@manifest" => "kubernetes_manifest".to_owned(),
        "@chart" => "argocd_application".to_owned(),
        first => first.replace('*', "x"),
    }
}

/// The object with `value` at the rule's path, and with the members that its `where` requires.
fn object(pattern: &str, value: &toml::Value, only_where: &[Requirement]) -> serde_json::Value {
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
    let only_where: Vec<_> = only_where
        .iter()
        .filter(|requirement| requirement.mode != Mode::Inverted)
        .collect();
    // Of several values that a rule allows, the first one.
    let first = |expected: &[String]| expected.first().map_or(json!([]), |text| json!(text));
    for requirement in only_where
        .iter()
        .filter(|requirement| !requirement.name.starts_with('.'))
    {
        holder.insert(requirement.name.clone(), first(&requirement.expected));
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
    for requirement in only_where {
        if let Some(path) = requirement.name.strip_prefix('.') {
            let (around, path) = match (path.strip_prefix('.'), names.first()) {
                (Some(path), Some(first)) => (&mut object[first.trim_end_matches("[*]")][0], path),
                (Some(_), None) | (None, _) => (&mut object, path),
            };
            let place = path.split('.').fold(around, |place, name| &mut place[name]);
            *place = first(&requirement.expected);
        }
    }
    object
}

/// The names of a pattern, with the `[*]` after them.
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

/// The object with a role at a path of names, in the element that a path of names leads to.
fn with_role(object: &str, element: &[String], path: &Pattern, role: &str) -> String {
    let mut object: serde_json::Value = serde_json::from_str(object).unwrap();
    let mut place = &mut object;
    for name in element
        .split_last()
        .into_iter()
        .flat_map(|(_, names)| names)
    {
        place = match name.strip_suffix("[*]") {
            Some(list) => &mut place[list][0],
            None => &mut place[name.as_str()],
        };
    }
    for name in path.label().split('.') {
        place = &mut place[name];
    }
    let is_list = path.names_elements();
    *place = if is_list {
        serde_json::json!([role])
    } else {
        role.into()
    };
    object.to_string()
}

/// The values before and after for which a rule must find something: those of the condition, or the next ones that the
/// file of examples has for the name of the rule.
fn example(rule: &Rule, examples: &mut toml::Table) -> Option<[toml::Value; 2]> {
    use toml::Value;
    let Condition::At(At { test, .. }) = &rule.condition else {
        return None;
    };
    let pattern = |word: &String| word.contains('*');
    match test {
        Test::On => return Some([Value::Boolean(false), Value::Boolean(true)]),
        Test::Off => return Some([Value::Boolean(true), Value::Boolean(false)]),
        Test::Zero => return Some([Value::Integer(3), Value::Integer(0)]),
        Test::Order(words) if !words.iter().any(pattern) => {
            return Some([words.last()?, &words[0]].map(|word| Value::String(word.clone())));
        }
        Test::Policy(_) | Test::Unknown | Test::Reverts | Test::Routes => return None,
        Test::World
        | Test::Is(_)
        | Test::Lower { .. }
        | Test::Higher
        | Test::Below(_)
        | Test::Above(_)
        | Test::Changed
        | Test::Fewer
        | Test::Mentions
        | Test::Major
        | Test::Downgrade
        | Test::Role(_)
        | Test::Deny
        | Test::Gone
        | Test::Emptied
        | Test::There
        | Test::Order(_) => {}
    }
    let text = |text: &str| Value::String(text.to_owned());
    let usual = match test {
        Test::World => Some([text("10.0.0.0/8"), text("0.0.0.0/0")]),
        Test::Is(values) => Some([text("another"), Value::String(values.example())]),
        Test::Lower { .. } => Some([text("20"), text("10")]),
        Test::Higher => Some([text("10"), text("20")]),
        Test::Below(limit) => Some([Value::Float(*limit), Value::Float(limit - 1.0)]),
        Test::Above(limit) => Some([Value::Float(*limit), Value::Float(limit + 1.0)]),
        Test::Changed | Test::Fewer => Some([text("one"), text("another")]),
        Test::There => Some([text(""), text("one")]),
        Test::Role(_) => Some([text("one"), text("another")]),
        Test::Gone | Test::Emptied => Some([text("one"), text("")]),
        Test::Major => Some([text("11.2"), text("12.1")]),
        Test::Downgrade => Some([text("2.1"), text("1.9")]),
        Test::Order(words) => words
            .last()
            .map(|last| [last, &words[0]].map(|word| text(&word.replace('*', "x")))),
        Test::On
        | Test::Off
        | Test::Zero
        | Test::Mentions
        | Test::Deny
        | Test::Reverts
        | Test::Routes
        | Test::Policy(_)
        | Test::Unknown => None,
    };
    let of_name = examples
        .get_mut(rule.kind.name())
        .and_then(|kind| kind.get_mut(&*rule.name));
    let of_name = of_name
        .and_then(Value::as_array_mut)
        .filter(|rest| !rest.is_empty());
    let own = of_name.map(|rest| rest.remove(0).try_into().unwrap());
    Some(
        own.or(usual)
            .unwrap_or_else(|| panic!("no example: {rule:?}")),
    )
}

#[test]
fn every_rule_finds_its_example_and_not_its_reverse() {
    let rules = Rules::built_in();
    let mut examples: toml::Table = toml::from_str(include_str!("tests/examples.toml")).unwrap();
    let mut failed = Vec::new();
    for (rule, path) in all(&rules).iter().zip(paths()) {
        let Condition::At(At { test, .. }) = &rule.condition else {
            continue;
        };
        let Some(example) = example(rule, &mut examples) else {
            continue;
        };
        let path = path.unwrap();
        // A line of a text, and what is missing beside a value, have tests of their own.
        if path.contains("['=") {
            continue;
        }
        // What is there or somebody who gets a role was not there before, and the reverse of these is like them.
        let is_new = matches!(test, Test::There | Test::Role(_));
        let has_twin = matches!(
            test,
            Test::Changed | Test::Fewer | Test::Major | Test::Downgrade
        );
        let is_reversible = !is_new && !has_twin;
        let value = |value: &toml::Value| {
            let object = object(&path, value, &rule.only_where).to_string();
            let object = if is_new {
                object.replace(r#""""#, "null")
            } else {
                object
            };
            // The role of a rule is the first that is privileged.
            if let Test::Role(RoleTest {
                role,
                privileged,
                is_beside,
                ..
            }) = test
            {
                let path = path.replace("@manifest.", "manifest.");
                let element = if *is_beside { names(&path) } else { Vec::new() };
                return with_role(&object, &element, role, &privileged[0]);
            }
            object
        };
        let [before, after] = example.each_ref().map(value);
        let kinds = |before: &str, after: &str| {
            let plain = |value| [value, "null", "null"];
            let found = findings_by(
                &rules,
                &type_of(rule),
                Fate::Updated,
                plain(before),
                plain(after),
            );
            found.into_iter().map(|(kind, ..)| kind).collect::<Vec<_>>()
        };
        let holds = kinds(&before, &after).contains(&rule.kind)
            && !(is_reversible && kinds(&after, &before).contains(&rule.kind))
            && kinds(&after, &after).is_empty();
        if !holds {
            failed.push(format!(
                "{} {path}: {before} -> {after}",
                rule.resource_type
            ));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let unused = examples.values().flat_map(|kind| kind.as_table().unwrap());
    let unused: Vec<_> = unused
        .filter(|(_, rest)| !rest.as_array().unwrap().is_empty())
        .collect();
    assert!(unused.is_empty(), "no rule has these examples: {unused:?}");
}

/// The lists of all files of rules, one after the other.
fn tables() -> toml::Table {
    let mut all = toml::Table::new();
    for text in super::table::TABLES {
        let table: toml::Table = toml::from_str(text).unwrap();
        for (kind, rules) in table {
            let list = all.entry(kind).or_insert(toml::Value::Array(Vec::new()));
            let rules = rules.as_array().unwrap().clone();
            list.as_array_mut().unwrap().extend(rules);
        }
    }
    all
}

/// The paths of the rules, in the order of [`all`].
fn paths() -> Vec<Option<String>> {
    let table = tables();
    let mut found = Vec::new();
    for list in ["data-loss", "exposure", "protection", "downtime", "unknown"] {
        for rule in table[list].as_array().unwrap() {
            found.push(
                rule.get("path")
                    .map(|path| path.as_str().unwrap().to_owned()),
            );
        }
    }
    found
}

#[test]
fn the_rules_that_are_cut_from_the_table_are_those_that_toml_finds() {
    let rules = Rules::built_in();
    let texts: Vec<_> = rules
        .built_in
        .iter()
        .map(|rule| (rule.kind, rule.text))
        .collect();
    let table = tables();
    let mut expected = Vec::new();
    for kind in FindingKind::ALL
        .into_iter()
        .filter(|kind| *kind != FindingKind::Secret)
    {
        let rules = table[kind.name()].as_array().unwrap();
        expected.extend(rules.iter().map(|rule| (kind, rule.clone())));
    }
    let read = |text: &str| {
        toml::from_str::<toml::Table>(&format!("rule = {text}")).unwrap()["rule"].clone()
    };
    let found: Vec<_> = texts
        .into_iter()
        .map(|(kind, text)| (kind, read(text)))
        .collect();
    assert_eq!(found, expected);
    // The forms of secrets are code.
    assert_eq!(table.len(), FindingKind::ALL.len() - 1);
}

#[test]
fn data_is_lost_with_what_describes_it() {
    let database =
        r#"{"engine": "postgres", "allocated_storage": 500, "deletion_protection": false}"#;
    assert_eq!(
        texts(&findings(
            "aws_db_instance",
            Fate::Destroyed,
            database,
            "null"
        )),
        [
            "data-loss database destroyed; engine = postgres, allocated_storage = 500, deletion_protection = false",
            "downtime destroyed"
        ]
    );
    let found = texts(&findings(
        "aws_db_instance",
        Fate::DestroyedThenCreated,
        database,
        database,
    ));
    assert!(
        found[0].starts_with("data-loss database replaced"),
        "{found:?}"
    );
    assert_eq!(
        found[1],
        "downtime destroyed before its replacement is created"
    );
    assert!(findings("aws_db_instance", Fate::Updated, database, database).is_empty());
    assert!(findings("null_resource", Fate::Destroyed, "{}", "null").is_empty());
}

#[test]
fn a_rule_of_a_firewall_opens_only_what_was_closed() {
    let group = |from: u16, to: u16, cidr: &str| {
        format!(
            r#"{{"ingress": [{{"from_port": {from}, "to_port": {to}, "protocol": "tcp", "cidr_blocks": ["{cidr}"]}}], "egress": [{{"cidr_blocks": ["0.0.0.0/0"]}}]}}"#
        )
    };
    let found = |before: String, after: String| {
        texts(&findings(
            "aws_security_group",
            Fate::Updated,
            &before,
            &after,
        ))
    };
    assert_eq!(
        found(group(443, 443, "10.0.0.0/8"), group(443, 443, "0.0.0.0/0")),
        ["exposure https open to the world (10.0.0.0/8 -> 0.0.0.0/0)"]
    );
    assert_eq!(
        found(group(443, 443, "0.0.0.0/0"), group(80, 90, "0.0.0.0/0")),
        ["exposure tcp 80-90 (with http) open to the world (0.0.0.0/0)"]
    );
    // A range that becomes narrower is not reported, and a new peer is.
    assert_eq!(
        found(group(0, 65_535, "0.0.0.0/0"), group(443, 443, "0.0.0.0/0")),
        [""; 0]
    );
    assert_eq!(
        found(group(443, 443, "0.0.0.0/0"), group(443, 443, "10.0.0.0/8")),
        [""; 0]
    );
}

#[test]
fn a_finding_is_not_read_below_a_sensitive_mark() {
    let none = ["null", "null", "null"];
    let hidden = [r#"{"publicly_accessible": true}"#, "null", "true"];
    assert!(found("aws_db_instance", Fate::Created, none, hidden).is_empty());
    let secret = [r#"{"engine": "hunter2"}"#, "null", r#"{"engine": true}"#];
    let lost = found("aws_db_instance", Fate::Destroyed, secret, none);
    assert_eq!(
        texts(&lost),
        ["data-loss database destroyed", "downtime destroyed"]
    );
}

fn policy(statements: &str) -> String {
    serde_json::json!({ "policy": format!(r#"{{"Version": "2012-10-17", "Statement": {statements}}}"#) })
        .to_string()
}

#[test]
fn a_policy_opens_where_it_allows_more() {
    let read =
        r#"[{"Effect": "Allow", "Action": ["s3:GetObject"], "Resource": "arn:aws:s3:::b/*"}]"#;
    let write = r#"[{"Effect": "Allow", "Action": ["s3:PutObject", "s3:GetObject"], "Resource": "arn:aws:s3:::b/*"}]"#;
    let guarded = r#"[{"Effect": "Allow", "Action": "s3:GetObject", "Resource": ["arn:aws:s3:::b/*"], "Condition": {"Bool": {"aws:SecureTransport": "true"}}}]"#;
    let narrow =
        r#"[{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/x"}]"#;
    let denied = r#"[{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}, {"Effect": "Deny", "Action": "s3:DeleteBucket", "Resource": "*"}]"#;
    let allowed = r#"[{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]"#;
    for (before, after, expected) in [
        (
            read,
            write,
            vec![r#"exposure Allow "s3:PutObject" on "arn:aws:s3:::b/*""#],
        ),
        (write, read, vec![]),
        (read, read, vec![]),
        (
            guarded,
            read,
            vec![r#"exposure Allow "s3:GetObject" on "arn:aws:s3:::b/*""#],
        ),
        (read, guarded, vec![]),
        (read, narrow, vec![]),
        (allowed, read, vec![]),
        (
            denied,
            allowed,
            vec![r#"exposure Deny "s3:DeleteBucket" on "*" is removed"#],
        ),
        (allowed, denied, vec![]),
    ] {
        let found = findings(
            "aws_iam_policy",
            Fate::Updated,
            &policy(before),
            &policy(after),
        );
        assert_eq!(texts(&found), expected, "{before} -> {after}");
    }
}

#[test]
fn a_new_policy_opens_only_for_everybody_or_everything() {
    let created = |statements: &str| {
        texts(&findings(
            "aws_s3_bucket_policy",
            Fate::Created,
            "null",
            &policy(statements),
        ))
    };
    let public = r#"[{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::b/*"}]"#;
    assert_eq!(
        created(public),
        [r#"exposure Allow "s3:GetObject" on "arn:aws:s3:::b/*" for "*""#]
    );
    let denied = public.replace("Allow", "Deny");
    assert_eq!(created(&denied), [""; 0]);
    let service = public.replace(
        r#""Principal": "*""#,
        r#""Principal": {"Service": "s3.amazonaws.com"}"#,
    );
    assert_eq!(created(&service), [""; 0]);
    let admin = r#"[{"Effect": "Allow", "Action": "*", "Resource": "*"}]"#;
    assert_eq!(created(admin), [r#"exposure Allow "*" on "*""#]);
}

#[test]
fn what_decides_access_and_is_unknown_is_found() {
    let unknown = |after: &str, resource_type: &str, before: &str| {
        let fate = if before == "null" {
            Fate::Created
        } else {
            Fate::Updated
        };
        texts(&found(
            resource_type,
            fate,
            [before, "null", "null"],
            ["{}", after, "null"],
        ))
    };
    let policy = r#"{"policy": true}"#;
    for before in [r#"{"policy": "{}"}"#, r#"{"policy": null}"#, "null"] {
        assert_eq!(
            unknown(policy, "aws_iam_policy", before),
            ["unknown policy is known only after apply"]
        );
    }
    // The provider computes one where the configuration has none.
    assert_eq!(unknown(policy, "aws_s3_bucket", "null"), [""; 0]);
    assert_eq!(
        unknown(r#"{"ingress": true}"#, "aws_security_group", "null"),
        [""; 0]
    );
}

#[test]
fn a_rule_of_a_user_is_checked() {
    for (text, part) in [
        (r#"type = "x""#, "`finding`"),
        (
            r#"finding = "nothing", type = "x""#,
            "unknown variant `nothing`",
        ),
        (
            r#"finding = "unknown", type = "x", path = "a", level = "none""#,
            "unknown variant `none`",
        ),
        (r#"finding = "data-loss""#, "`type`"),
        (r#"finding = "data-loss", type = "x""#, "`what`"),
        (
            &format!(
                r#"finding = "data-loss", type = "x", what = "{}""#,
                "x".repeat(101)
            ),
            "longer than 100",
        ),
        (
            r#"finding = "exposure", type = "x", path = "a""#,
            "condition",
        ),
        (
            r#"finding = "exposure", type = "x", path = "a", on = true, off = true"#,
            "more than one",
        ),
        (
            r#"finding = "exposure", type = "x", path = "a..b", on = true"#,
            "not a path",
        ),
    ] {
        let rule = toml::from_str::<super::RuleLine>(&text.replace(", ", "\n"))
            .map_err(|error| error.to_string());
        let error = rule
            .and_then(|rule| Rules::default().add(rule, RuleOrigin::Given))
            .unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn an_added_rule_hides_no_built_in_finding() {
    let mut rules = Rules::built_in();
    let rule =
        r#"r = { finding = "protection", type = "aws_s3_bucket_versioning", destroyed = true }"#;
    let mut rule: std::collections::BTreeMap<String, super::RuleLine> =
        toml::from_str(rule).unwrap();
    rules
        .add(rule.remove("r").unwrap(), RuleOrigin::Found)
        .unwrap();
    let guard = [r#"{"id": "logs"}"#, "null", "null"];
    let findings = findings_by(
        &rules,
        "aws_s3_bucket_versioning",
        Fate::Destroyed,
        guard,
        ["null"; 3],
    );
    assert_eq!(
        findings
            .iter()
            .map(|(_, origin, _)| *origin)
            .collect::<Vec<_>>(),
        [RuleOrigin::BuiltIn]
    );
}

/// Rules of a firewall are compared with all that were open, also if there are many.
#[test]
fn a_rule_inside_one_of_many_open_rules_opens_nothing() {
    let rule = |from: usize, to: usize| serde_json::json!({"cidr_blocks": ["0.0.0.0/0"], "from_port": from, "to_port": to, "protocol": "tcp"});
    let open: Vec<_> = (1..400).map(|at| rule(at * 3, at * 3 + 1)).collect();
    let narrower: Vec<_> = (1..400).map(|at| rule(at * 3 + 1, at * 3 + 1)).collect();
    let wider = [&narrower[..], &[rule(1_000, 1_002)]].concat();
    let object = |rules: &[serde_json::Value]| serde_json::json!({"ingress": rules}).to_string();
    let opened = |after: &[serde_json::Value]| {
        texts(&findings(
            "aws_security_group",
            Fate::Updated,
            &object(&open),
            &object(after),
        ))
    };
    assert_eq!(opened(&narrower), [""; 0]);
    assert_eq!(
        opened(&wider),
        ["exposure tcp 1000-1002 open to the world (0.0.0.0/0)"]
    );
}

#[test]
fn a_policy_that_could_not_be_read_before_hides_no_grant_of_everything() {
    let admin = policy(r#"[{"Effect": "Allow", "Action": "*", "Resource": "*"}]"#);
    for before in [
        r#"{"policy": ""}"#,
        r#"{"policy": "{}"}"#,
        r#"{"policy": "{\"Statement\": 1"}"#,
    ] {
        let found = findings("aws_iam_policy", Fate::Updated, before, &admin);
        assert_eq!(texts(&found), [r#"exposure Allow "*" on "*""#], "{before}");
    }
}

#[test]
fn a_policy_that_is_too_large_to_compare_is_a_finding() {
    let of = |letter: &str| {
        let statement = |at: usize| serde_json::json!({"Effect": "Allow", "Action": "s3:*", "Resource": format!("arn:{letter}{at}*")});
        policy(
            &(0..1_200)
                .map(statement)
                .collect::<serde_json::Value>()
                .to_string(),
        )
    };
    let found = texts(&findings(
        "aws_iam_policy",
        Fate::Updated,
        &of("a"),
        &of("b"),
    ));
    assert!(
        found
            .iter()
            .any(|text| text.contains("too large to compare")),
        "{found:?}"
    );
}

#[test]
fn the_number_of_rules_and_of_their_items_is_limited() {
    let read = |text: &str| {
        let table: std::collections::BTreeMap<String, super::RuleLine> =
            toml::from_str(text).unwrap();
        table.into_values().next().unwrap()
    };
    let mut rules = Rules::default();
    let rule = r#"r = { finding = "data-loss", type = "*", what = "x" }"#;
    let error = (0..101)
        .find_map(|_| rules.add(read(rule), RuleOrigin::Found).err())
        .unwrap();
    assert!(error.contains("more than 100 rules"), "{error}");
    let show = serde_json::json!(vec!["a"; 101]);
    let rule = format!(r#"r = {{ finding = "data-loss", type = "*", what = "x", show = {show} }}"#);
    let error = Rules::default()
        .add(read(&rule), RuleOrigin::Found)
        .unwrap_err();
    assert!(error.contains("more than 100 items"), "{error}");
}

#[test]
fn a_type_may_be_a_fragment_or_one_of_several() {
    for (types, resource_type, expected) in [
        ("@pod", "kubernetes_deployment_v1", true),
        ("@pod", "helm_release", true),
        ("@pod", "kubernetes_service", false),
        ("aws_lb|aws_alb", "aws_alb", true),
        ("aws_lb|aws_*_alb", "aws_x_alb", true),
        ("aws_lb|aws_alb", "aws_elb", false),
    ] {
        assert_eq!(
            is_for_type(types, resource_type),
            expected,
            "{types} {resource_type}"
        );
    }
    assert!(is_loosely(
        "containerSecurityContext",
        "security_context",
        false
    ));
    assert!(!is_loosely(
        "containerSecurityContext",
        "security_context",
        true
    ));
    assert!(!is_loosely(
        "securityContext",
        "container_security_context",
        false
    ));
    assert!(
        is_loosely("host_network", "hostNetwork", true)
            && !is_loosely("host_network", "hostPID", true)
    );
}
