//! Random pairs of policies, with an evaluator that tries all requests of a small world.

use super::{judged, with_document};

/// Random choices (SplitMix64), the same on all systems.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// Returns one or two elements of a list.
    fn some<T: Clone>(&mut self, list: &[T]) -> Vec<T> {
        (0..=self.below(2)).map(|_| self.pick(list)).collect()
    }

    fn one_in(&mut self, often: usize) -> bool {
        self.below(often) == 0
    }
}

/// A statement as its parts.
#[derive(Clone, Debug, PartialEq)]
struct Statement {
    allows: bool,
    /// Kinds and names; `None` in a policy of whoever has it.
    who: Option<(bool, Vec<(&'static str, &'static str)>)>,
    /// Whether the names are excluded, and the names.
    actions: (bool, Vec<&'static str>),
    /// `None` in a policy of trust.
    resources: Option<(bool, Vec<&'static str>)>,
    tests: Vec<(String, &'static str, Vec<&'static str>)>,
}

/// The languages of policies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Language {
    Identity,
    Resource,
    Trust,
    Filter,
}

impl Language {
    /// Returns the type and attribute of an object that has such a policy.
    fn holder(self) -> (&'static str, &'static str) {
        match self {
            Self::Identity => ("aws_iam_role_policy", "policy"),
            Self::Resource => ("aws_sns_topic_policy", "policy"),
            Self::Trust => ("aws_iam_role", "assume_role_policy"),
            Self::Filter => ("aws_organizations_policy", "content"),
        }
    }

    /// Returns the patterns of actions that are written, and the actions of the world.
    fn actions(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Trust => (
                &[
                    "sts:AssumeRole",
                    "sts:AssumeRole*",
                    "sts:*",
                    "STS:TagSession",
                ],
                &["sts:AssumeRole", "sts:AssumeRoleWithSAML", "sts:TagSession"],
            ),
            Self::Resource => (
                &[
                    "sns:Publish",
                    "sns:P*",
                    "sns:*ish",
                    "sns:*",
                    "sns:?ublish",
                    "sns:Subscribe",
                ],
                &[
                    "sns:Publish",
                    "sns:Xublish",
                    "sns:PutPolicy",
                    "sns:Subscribe",
                    "sns:Finish",
                    "sns:Pish",
                ],
            ),
            Self::Identity | Self::Filter => (
                &[
                    "s3:GetObject",
                    "s3:Get*",
                    "s3:*Object",
                    "S3:*",
                    "*",
                    "iam:PassRole",
                    "s3:?etObject",
                ],
                &[
                    "s3:GetObject",
                    "s3:GetAcl",
                    "s3:PutObject",
                    "s3:SetObject",
                    "s3:List",
                    "iam:PassRole",
                    "ec2:Run",
                ],
            ),
        }
    }
}

const RESOURCES: [&str; 7] = [
    "*",
    "arn:aws:s3:::data",
    "arn:aws:s3:::data/*",
    "arn:aws:s3:::data/a/*",
    "arn:aws:s3:::data*",
    "arn:aws:s3:::data/?/x",
    "arn:aws:sqs:*",
];
const ALL_RESOURCES: [&str; 9] = [
    "arn:aws:s3:::data",
    "arn:aws:s3:::database",
    "arn:aws:s3:::data/a/x",
    "arn:aws:s3:::data/a/y",
    "arn:aws:s3:::data/b/x",
    "arn:aws:s3:::data/b/y",
    "arn:aws:s3:::logs",
    "arn:aws:sqs:eu:1:q",
    "arn:aws:iam::1:role/x",
];
const ONE: &str = "arn:aws:iam::111111111111:root";
const ANA: &str = "arn:aws:iam::111111111111:user/ana";
const APP: &str = "arn:aws:iam::111111111111:role/app";
const FAR: &str = "arn:aws:iam::222222222222:role/app";
/// The principals of the world, as kind and name.
const ALL_PRINCIPALS: [(&str, &str); 7] = [
    ("", "nobody"),
    ("AWS", ANA),
    ("AWS", APP),
    ("AWS", "arn:aws:iam::111111111111:user/zed"),
    ("AWS", FAR),
    ("AWS", "arn:aws:iam::333333333333:user/x"),
    ("Service", "ec2.amazonaws.com"),
];
const PRINCIPALS: [(&str, &str); 7] = [
    ("AWS", "*"),
    ("AWS", ONE),
    ("AWS", "111111111111"),
    ("AWS", ANA),
    ("AWS", APP),
    ("AWS", FAR),
    ("Service", "ec2.amazonaws.com"),
];

/// A key, and what requests have of it: `None` if it is missing, else its values.
type KeyValues = (&'static str, &'static [Option<&'static [&'static str]>]);

const KEYS: [KeyValues; 6] = [
    (
        "aws:SourceIp",
        &[
            None,
            Some(&["10.0.0.5"]),
            Some(&["10.1.0.5"]),
            Some(&["203.0.113.7"]),
            Some(&["2001:db8::1"]),
        ],
    ),
    (
        "aws:PrincipalOrgID",
        &[
            None,
            Some(&["o-a"]),
            Some(&["o-b"]),
            Some(&["O-A"]),
            Some(&["o-ax"]),
            Some(&["p"]),
        ],
    ),
    (
        "aws:MultiFactorAuthPresent",
        &[None, Some(&["true"]), Some(&["false"])],
    ),
    (
        "aws:MultiFactorAuthAge",
        &[
            None,
            Some(&["10"]),
            Some(&["900"]),
            Some(&["901"]),
            Some(&["3600"]),
            Some(&["9000"]),
        ],
    ),
    (
        "aws:TagKeys",
        &[
            None,
            Some(&[]),
            Some(&["a"]),
            Some(&["b"]),
            Some(&["c"]),
            Some(&["a", "b"]),
            Some(&["a", "c"]),
            Some(&["b", "c"]),
        ],
    ),
    (
        "aws:CurrentTime",
        &[
            None,
            Some(&["2020-01-01T00:00:00Z"]),
            Some(&["2026-01-01T00:00:00Z"]),
            Some(&["2030-01-01T00:00:00Z"]),
        ],
    ),
];

/// Returns a random test of a key.
fn test(random: &mut Random, key: usize) -> (String, &'static str, Vec<&'static str>) {
    let (operators, values): (&[&str], &[&str]) = match key {
        0 => (
            &["IpAddress", "NotIpAddress"],
            &[
                "10.0.0.0/8",
                "10.0.0.0/16",
                "0.0.0.0/0",
                "203.0.113.0/24",
                "2001:db8::/32",
            ],
        ),
        1 => (
            &[
                "StringEquals",
                "StringNotEquals",
                "StringLike",
                "StringNotLike",
                "StringEqualsIgnoreCase",
            ],
            &["o-a", "o-b", "o-*", "*"],
        ),
        2 => (&["Bool"], &["true", "false"]),
        3 => (
            &[
                "NumericLessThan",
                "NumericLessThanEquals",
                "NumericGreaterThan",
                "NumericEquals",
                "NumericNotEquals",
            ],
            &["900", "3600"],
        ),
        4 => (
            &[
                "ForAnyValue:StringEquals",
                "ForAllValues:StringEquals",
                "ForAllValues:StringNotEquals",
                "ForAnyValue:StringNotEquals",
            ],
            &["a", "b"],
        ),
        _ => (
            &["DateLessThan", "DateGreaterThanEquals"],
            &["2026-01-01T00:00:00Z", "2025-06-30"],
        ),
    };
    let (name, _) = KEYS[key];
    if random.one_in(8) {
        return ("Null".into(), name, vec![random.pick(&["true", "false"])]);
    }
    let suffix = if random.one_in(4) { "IfExists" } else { "" };
    let operator = format!("{}{suffix}", random.pick(operators));
    (operator, name, random.some(values))
}

fn statement(random: &mut Random, language: Language, keys: &[usize]) -> Statement {
    let allows = !random.one_in(4);
    let has_principals = matches!(language, Language::Resource | Language::Trust);
    let (actions, _) = language.actions();
    let mut tests: Vec<(String, &'static str, Vec<&'static str>)> = Vec::new();
    while random.one_in(2) && tests.len() < 2 {
        let key = random.pick(keys);
        let test = test(random, key);
        // A test with the same operator and key would be a second member of the same name.
        if tests
            .iter()
            .all(|other| (&other.0, other.1) != (&test.0, test.1))
        {
            tests.push(test);
        }
    }
    Statement {
        allows,
        who: has_principals.then(|| match !allows && random.one_in(2) {
            true => (
                true,
                [vec![("AWS", ONE)], random.some(&PRINCIPALS[3..5])].concat(),
            ),
            false => (false, random.some(&PRINCIPALS)),
        }),
        actions: (random.one_in(6), random.some(actions)),
        resources: (language != Language::Trust)
            .then(|| (random.one_in(6), random.some(&RESOURCES))),
        tests,
    }
}

/// Returns statements that differ a little from others, as people change them.
fn changed(
    random: &mut Random,
    old: &[Statement],
    language: Language,
    keys: &[usize],
) -> Vec<Statement> {
    let mut new = old.to_vec();
    let index = random.below(new.len());
    let fresh = statement(random, language, keys);
    let part = random.below(9);
    let count = new.len();
    let own = &mut new[index];
    match part {
        0 => own.actions = fresh.actions,
        1 => own.resources = fresh.resources,
        2 if own.allows == fresh.allows => own.who = fresh.who,
        3 => own.tests = fresh.tests,
        4 => own.tests.clear(),
        5 => own.actions.0 = !own.actions.0,
        6 => new.insert(0, fresh),
        7 if count > 1 => drop(new.remove(index)),
        _ => {
            if let Some((operator, ..)) = own.tests.first_mut().filter(|(name, ..)| name != "Null")
            {
                *operator = match operator.strip_suffix("IfExists") {
                    Some(name) => name.to_owned(),
                    None => format!("{operator}IfExists"),
                };
            }
            let mut seen: Vec<(String, &str)> = Vec::new();
            own.tests.retain(|(operator, key, _)| {
                let name = (operator.clone(), *key);
                let is_new = !seen.contains(&name);
                seen.push(name);
                is_new
            });
        }
    }
    new
}

/// Writes statements as a policy.
fn written(statements: &[Statement]) -> String {
    let statements: Vec<serde_json::Value> = statements
        .iter()
        .map(|statement| {
            let mut object = serde_json::Map::new();
            let effect = if statement.allows { "Allow" } else { "Deny" };
            object.insert("Effect".into(), effect.into());
            let (are_excluded, names) = &statement.actions;
            let name = if *are_excluded { "NotAction" } else { "Action" };
            object.insert(name.into(), names.as_slice().into());
            if let Some((are_excluded, names)) = &statement.resources {
                let name = if *are_excluded {
                    "NotResource"
                } else {
                    "Resource"
                };
                object.insert(name.into(), names.as_slice().into());
            }
            if let Some((are_excluded, who)) = &statement.who {
                let mut kinds = serde_json::Map::new();
                for (kind, name) in who {
                    let list = kinds.entry(*kind).or_insert_with(|| serde_json::json!([]));
                    list.as_array_mut().unwrap().push((*name).into());
                }
                let name = if *are_excluded {
                    "NotPrincipal"
                } else {
                    "Principal"
                };
                object.insert(name.into(), kinds.into());
            }
            let mut condition = serde_json::Map::new();
            for (operator, key, values) in &statement.tests {
                let keys = condition
                    .entry(operator)
                    .or_insert_with(|| serde_json::json!({}));
                keys[*key] = values.as_slice().into();
            }
            if !condition.is_empty() {
                object.insert("Condition".into(), condition.into());
            }
            object.into()
        })
        .collect();
    serde_json::json!({ "Version": "2012-10-17", "Statement": statements }).to_string()
}

/// Whether a pattern matches a text, tried character by character.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|skipped| fits(rest, &text[skipped..])),
        Some((first, rest)) => text
            .split_first()
            .is_some_and(|(own, others)| (*first == b'?' || first == own) && fits(rest, others)),
    }
}

fn is_in(address: &str, network: &str) -> bool {
    use std::net::IpAddr;
    let (start, bits) = network.split_once('/').unwrap();
    let bits: u32 = bits.parse().unwrap();
    match (address.parse().unwrap(), start.parse().unwrap()) {
        (IpAddr::V4(own), IpAddr::V4(start)) => {
            (own.to_bits() ^ start.to_bits()).leading_zeros() >= bits
        }
        (IpAddr::V6(own), IpAddr::V6(start)) => {
            (own.to_bits() ^ start.to_bits()).leading_zeros() >= bits
        }
        _ => false,
    }
}

/// Whether one value passes an operator without its prefixes and suffixes.
fn passes(operator: &str, wanted: &str, value: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().unwrap();
    // All dates of the world are written alike, or as a day, so their texts have the order of time.
    match operator {
        "StringEquals" | "StringNotEquals" => wanted == value,
        "StringEqualsIgnoreCase" | "Bool" => wanted.eq_ignore_ascii_case(value),
        "StringLike" | "StringNotLike" => fits(wanted.as_bytes(), value.as_bytes()),
        "IpAddress" | "NotIpAddress" => is_in(value, wanted),
        "NumericEquals" | "NumericNotEquals" => number(value) == number(wanted),
        "NumericLessThan" => number(value) < number(wanted),
        "NumericLessThanEquals" => number(value) <= number(wanted),
        "NumericGreaterThan" => number(value) > number(wanted),
        "DateLessThan" => value < wanted,
        "DateGreaterThanEquals" => value >= wanted,
        other => unreachable!("{other}"),
    }
}

/// Whether a test holds for what a request has of its key.
fn holds(operator: &str, wanted: &[&str], values: Option<&[&str]>) -> bool {
    if operator == "Null" {
        return values.is_none() == (wanted == ["true"]);
    }
    let (quantifier, name) = operator.split_once(':').unwrap_or(("", operator));
    let base = name.strip_suffix("IfExists").unwrap_or(name);
    let is_negated = base.contains("Not");
    let values = match values {
        None => None,
        Some([]) if quantifier.is_empty() => None,
        Some(values) => Some(values),
    };
    let Some(values) = values else {
        return name != base
            || match quantifier {
                "ForAllValues" => true,
                "ForAnyValue" => false,
                _ => is_negated,
            };
    };
    let passes =
        |value: &&str| wanted.iter().any(|wanted| passes(base, wanted, value)) != is_negated;
    match quantifier {
        "ForAllValues" => values.iter().all(passes),
        "ForAnyValue" => values.iter().any(passes),
        _ => passes(&values[0]),
    }
}

/// Whether a statement is about somebody.
fn means(statement: &Statement, (kind, name): (&str, &str)) -> bool {
    let Some((are_excluded, who)) = &statement.who else {
        return true;
    };
    let account = name.split(':').nth(4).unwrap_or_default();
    let is_account = |name: &str| {
        kind == "AWS" && (name == account || name == format!("arn:aws:iam::{account}:root"))
    };
    let is_named = who.contains(&(kind, name));
    if *are_excluded {
        let spares = kind == "AWS" && is_named && who.iter().any(|(_, name)| is_account(name));
        return !spares;
    }
    is_named || who.iter().any(|(_, name)| *name == "*" || is_account(name))
}

/// What a policy says of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Refused,
    Silent,
    Allowed,
}

/// Returns what a policy says of each request of the world.
fn answers(statements: &[Statement], language: Language, keys: &[usize]) -> Vec<Answer> {
    let (_, actions) = language.actions();
    let mut answers = Vec::new();
    let mut contexts: Vec<Vec<Option<&[&str]>>> = vec![Vec::new()];
    for key in keys {
        let (_, values) = KEYS[*key];
        contexts = contexts
            .iter()
            .flat_map(|context| {
                values
                    .iter()
                    .map(|value| [context.as_slice(), &[*value]].concat())
            })
            .collect();
    }
    let principals: &[(&str, &str)] = match statements.iter().any(|one| one.who.is_some()) {
        true => &ALL_PRINCIPALS,
        false => &ALL_PRINCIPALS[..1],
    };
    let resources: &[&str] = match language {
        Language::Trust => &ALL_RESOURCES[..1],
        Language::Identity | Language::Resource | Language::Filter => &ALL_RESOURCES,
    };
    let matches = |(are_excluded, names): &(bool, Vec<&str>), text: &str, folds: bool| {
        let case = |text: &str| {
            if folds {
                text.to_lowercase()
            } else {
                text.to_owned()
            }
        };
        let fits_one = |name: &&str| fits(case(name).as_bytes(), case(text).as_bytes());
        names.iter().any(fits_one) != *are_excluded
    };
    // Each statement says in advance what it is about in each dimension.
    struct About {
        allows: bool,
        who: Vec<bool>,
        actions: Vec<bool>,
        resources: Vec<bool>,
        contexts: Vec<bool>,
    }
    let about: Vec<About> = statements
        .iter()
        .map(|one| About {
            allows: one.allows,
            who: principals.iter().map(|who| means(one, *who)).collect(),
            actions: actions
                .iter()
                .map(|action| matches(&one.actions, action, true))
                .collect(),
            resources: resources
                .iter()
                .map(|resource| {
                    one.resources
                        .as_ref()
                        .is_none_or(|names| matches(names, resource, false))
                })
                .collect(),
            contexts: contexts
                .iter()
                .map(|context| {
                    one.tests.iter().all(|(operator, name, wanted)| {
                        let place = keys.iter().position(|key| KEYS[*key].0 == *name).unwrap();
                        holds(operator, wanted, context[place])
                    })
                })
                .collect(),
        })
        .collect();
    for who in 0..principals.len() {
        for action in 0..actions.len() {
            for resource in 0..resources.len() {
                for context in 0..contexts.len() {
                    let mut answer = Answer::Silent;
                    for one in &about {
                        let is_meant = one.who[who]
                            && one.actions[action]
                            && one.resources[resource]
                            && one.contexts[context];
                        if is_meant && !one.allows {
                            answer = Answer::Refused;
                            break;
                        }
                        if is_meant {
                            answer = Answer::Allowed;
                        }
                    }
                    answers.push(answer);
                }
            }
        }
    }
    answers
}

/// The number of pairs for each language: `TFVIEW_CASES`, or as many as take a second.
#[expect(
    clippy::disallowed_methods,
    reason = "a test asks how many cases it tries"
)]
fn cases() -> u64 {
    let cases = std::env::var("TFVIEW_CASES")
        .ok()
        .and_then(|text| text.parse().ok());
    cases.unwrap_or(400)
}

fn agrees_with_the_evaluator(language: Language) {
    let seed: u64 = 1;
    let (resource_type, attribute) = language.holder();
    let (mut compared, mut more) = (0u64, 0u64);
    for case in seed..seed + cases() {
        let mut random = Random(case << 3 | language as u64);
        let keys = [random.below(KEYS.len()), random.below(KEYS.len())];
        let keys = if keys[0] == keys[1] {
            &keys[..1]
        } else {
            &keys
        };
        let old: Vec<Statement> = (0..=random.below(3))
            .map(|_| statement(&mut random, language, keys))
            .collect();
        let mut new = changed(&mut random, &old, language, keys);
        if random.one_in(3) {
            new = changed(&mut random, &new, language, keys);
        }
        let [before, after] =
            [&old, &new].map(|statements| with_document(attribute, &written(statements)));
        let judged = judged(resource_type, &before, &after).join(", ");
        let [old, new] = [&old, &new].map(|statements| answers(statements, language, keys));
        let has = |test: fn(&(Answer, Answer)) -> bool| {
            old.iter()
                .copied()
                .zip(new.iter().copied())
                .any(|pair| test(&pair))
        };
        let (grew, shrank) = (has(|(old, new)| new > old), has(|(old, new)| new < old));
        let context = || format!("TFVIEW_SEED={case} {judged}\n{before}\n{after}");
        assert!(!judged.contains("another"), "given up: {}", context());
        assert!(!grew || judged.contains("wider"), "grew: {}", context());
        assert!(
            !shrank || judged.contains("narrower"),
            "shrank: {}",
            context()
        );
        compared += 1;
        // The world may lack a name that tells two patterns apart, but seldom does.
        let is_more = !grew && judged.contains("wider") || !shrank && judged.contains("narrower");
        more += u64::from(is_more);
    }
    assert!(
        more * 20 <= compared + 20,
        "{more} of {compared} are more than the world shows"
    );
}

#[test]
fn policies_of_identities_agree_with_an_evaluator() {
    agrees_with_the_evaluator(Language::Identity);
}

#[test]
fn policies_of_resources_agree_with_an_evaluator() {
    agrees_with_the_evaluator(Language::Resource);
}

#[test]
fn policies_of_trust_agree_with_an_evaluator() {
    agrees_with_the_evaluator(Language::Trust);
}

#[test]
fn policies_of_organizations_agree_with_an_evaluator() {
    agrees_with_the_evaluator(Language::Filter);
}
