//! Plans that would apply something else than an approved one, and plans that are only written in another way.
//!
//! Each case begins with a generated plan that has every kind of action, provider configurations with aliases in
//! nested modules, provisioners, outputs, variables, moves, imports, deposed objects and identities.

#![allow(
    clippy::needless_pass_by_value,
    reason = "values of the macro `json!` are used once"
)]

use serde_json::{Value, json};
use tfview::internals::compare::{Options, Verdict};

use super::{compare, fingerprint, verdict_of};
use crate::random::{Random, cases, first_seed};

const PROVIDER: &str = "registry.terraform.io/hashicorp/aws";

const ACTIONS: [&[&str]; 11] = [
    &["create"],
    &["update"],
    &["delete"],
    &["delete", "create"],
    &["create", "delete"],
    &["forget"],
    &["create", "forget"],
    &["forget", "create"],
    &["read"],
    &["no-op"],
    &["update"],
];

fn makes_object(actions: &[&str]) -> bool {
    actions.contains(&"create") || actions.contains(&"read")
}

fn scalar(random: &mut Random) -> Value {
    match random.below(5) {
        0 => json!(random.below(1000)),
        1 => json!(random.one_in(2)),
        2 => json!(format!("text-{}", random.below(1000))),
        3 => json!(1.5 + random.below(9) as f64),
        _ => json!(format!("{{\"a\": {}}}", random.below(1000))),
    }
}

/// A value with every kind of part.
fn value(random: &mut Random) -> Value {
    json!({
        "name": format!("n{}", random.below(100)), "count": random.below(100), "on": random.one_in(2),
        "list": [scalar(random), scalar(random)], "map": {"k": scalar(random), "l": scalar(random)},
        "blocks": [{"a": scalar(random), "deep": [{"b": scalar(random)}]}],
        "document": format!("{{\"Statement\": {}}}", random.below(1000)), "secret": format!("s{}", random.below(1000)),
        "ratio": 0.5 + random.below(10) as f64,
    })
}

fn change(random: &mut Random, actions: &[&str], number: usize) -> Value {
    let object = value(random);
    let with_id = |object: &Value| {
        let mut object = object.clone();
        object["id"] = json!(format!("i-{number}"));
        object
    };
    let is_new = actions == ["create"] || actions == ["read"];
    let is_gone = actions == ["delete"] || actions == ["forget"];
    let before = if is_new {
        Value::Null
    } else {
        with_id(&object)
    };
    let mut after = if is_gone {
        Value::Null
    } else if makes_object(actions) {
        object.clone()
    } else {
        with_id(&object)
    };
    if !is_gone && actions != ["no-op"] {
        // Some values stay as they are.
        for name in ["name", "count", "document"] {
            after[name] = match &object[name] {
                Value::String(text) => json!(format!("{text} new")),
                _ => json!(1000 + random.below(100)),
            };
        }
    }
    let unknown = if makes_object(actions) {
        json!({"id": true})
    } else {
        json!({})
    };
    let mut change = json!({"actions": actions, "before": before, "after": after, "after_unknown": unknown,
        "before_sensitive": {"secret": true}, "after_sensitive": {"secret": true}});
    if actions.len() == 2 {
        change["replace_paths"] = json!([["name"]]);
    }
    if !is_new && random.one_in(2) {
        change["before_identity"] = json!({"account": "1", "name": format!("o{number}")});
    }
    change
}

/// An approved plan. The first module is the root, each of the others is called by the one before.
fn plan(random: &mut Random) -> Value {
    let mut changes = Vec::new();
    let mut resources: [Vec<Value>; 3] = Default::default();
    for (number, actions) in ACTIONS.iter().enumerate() {
        let depth = number % 3;
        let module = ["", "module.a", "module.a.module.b"][depth];
        let name = format!("r{number}");
        let dot = if module.is_empty() { "" } else { "." };
        let mut resource = json!({"address": format!("{module}{dot}aws_x.{name}"), "mode": "managed", "type": "aws_x",
            "name": name, "provider_name": PROVIDER, "change": change(random, actions, number)});
        if actions == &["read"] {
            resource["mode"] = json!("data");
            resource["address"] = json!(format!("{module}{dot}data.aws_x.{name}"));
        }
        if !module.is_empty() {
            resource["module_address"] = json!(module);
        }
        match number {
            2 => resource["deposed"] = json!("deadbeef"),
            9 => resource["previous_address"] = json!("aws_x.old"),
            10 => resource["change"]["importing"] = json!({"id": "i-10"}),
            _ => {}
        }
        let key = ["aws", "aws.east", "module.a.module.b:aws.inner"][depth];
        let provisioner = json!({"type": "local-exec", "expressions": {"command": {"constant_value": "echo"},
            "environment": {"constant_value": {"MODE": "x"}}}});
        resources[depth].push(
            json!({"address": format!("aws_x.{name}"), "mode": resource["mode"], "type": "aws_x",
            "name": name, "provider_config_key": key, "provisioners": [provisioner]}),
        );
        changes.push(resource);
    }
    let arguments = |region: &str| json!({"region": {"constant_value": region}});
    let [root, middle, inner] = resources;
    let refers = |name: &str| json!({"region": {"references": [name]}});
    let variable = json!({"variables": {"region": {"default": "eu"}}});
    let mut middle_module = json!({"resources": middle, "module_calls": {"b": {
        "expressions": {"region": {"references": ["var.region"]}},
        "module": {"resources": inner, "variables": {"region": {}}, "outputs": {
            "zone": {"expression": {"constant_value": "z1"}}}}}}});
    middle_module["variables"] = variable["variables"].clone();
    let configuration = json!({
        "provider_config": {
            "aws": {"name": "aws", "full_name": PROVIDER, "expressions": arguments("eu")},
            "aws.east": {"name": "aws", "full_name": PROVIDER, "alias": "east", "expressions": refers("var.region")},
            "module.a:aws.zone": {"name": "aws", "full_name": PROVIDER, "alias": "zone", "module_address": "module.a",
                "expressions": {"region": {"references": ["module.b.zone", "module.b"]}}},
            "module.a.module.b:aws.inner": {"name": "aws", "full_name": PROVIDER, "alias": "inner",
                "module_address": "module.a.module.b", "expressions": refers("var.region")},
        },
        "root_module": {"resources": root, "variables": {"region": {}}, "module_calls": {"a": {
            "expressions": {"region": {"constant_value": "us"}}, "module": middle_module}}}});
    let action = json!({"address": "action.aws_run.a", "type": "aws_run", "name": "a", "provider_name": PROVIDER,
        "config_values": value(random), "lifecycle_action_trigger": {"triggering_resource_address": "aws_x.r0",
        "action_trigger_event": "AfterCreate", "action_trigger_block_index": 0, "actions_list_index": 0,
        "on_failure": "fail"}});
    json!({"format_version": "1.2", "terraform_version": "1.14.0", "timestamp": "2026-01-01T00:00:00Z",
        "complete": true, "applyable": true, "errored": false,
        "resource_changes": changes, "configuration": configuration, "action_invocations": [action],
        "variables": {"region": {"value": "eu"}},
        "output_changes": {"o": {"actions": ["update"], "before": {"a": 1, "b": 2}, "after": {"a": 2, "b": 2}},
            "p": {"actions": ["create"], "before": null, "after": "new"}}})
}

/// The pointers to all scalars of a value.
fn leaves(value: &Value, pointer: &str, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                leaves(member, &format!("{pointer}/{name}"), pointers);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                leaves(item, &format!("{pointer}/{number}"), pointers);
            }
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => pointers.push(pointer.to_owned()),
    }
}

fn other(leaf: &Value) -> Value {
    match leaf {
        Value::Bool(value) => json!(!value),
        Value::Number(_) => json!(987_654),
        Value::String(text) if text.starts_with('{') => json!("{\"evil\": true}"),
        other => json!(format!("{} evil", other.as_str().unwrap_or_default())),
    }
}

/// Replaces what is there, and says where.
fn set(plan: &mut Value, pointer: &str, value: Value) -> String {
    *plan.pointer_mut(pointer).unwrap() = value;
    pointer.to_owned()
}

/// Changes one thing that an apply depends on, and says which.
fn attack(random: &mut Random, plan: &mut Value) -> String {
    let number = random.below(ACTIONS.len());
    let actions = ACTIONS[number];
    let root = format!("/resource_changes/{number}");
    let configuration = "/configuration/root_module/module_calls/a";
    match random.below(16) {
        // A value that is set, on both sides if there are two.
        0..=3 if makes_object(actions) => {
            let mut paths = Vec::new();
            let after = format!("{root}/change/after");
            leaves(plan.pointer(&after).unwrap(), "", &mut paths);
            let path = random.pick(&paths);
            for side in ["before", "after"] {
                let pointer = format!("{root}/change/{side}{path}");
                if let Some(leaf) = plan.pointer_mut(&pointer) {
                    *leaf = other(leaf);
                }
            }
            format!("{actions:?} {path}")
        }
        0 | 1 if actions == ["update"] => {
            set(plan, &format!("{root}/change/after/name"), json!("evil"))
        }
        // Another object.
        0..=5 if plan.pointer(&format!("{root}/change/before/id")).is_some() => {
            for side in ["before", "after"] {
                let pointer = format!("{root}/change/{side}/id");
                if let Some(id) = plan.pointer_mut(&pointer) {
                    *id = json!("i-evil");
                }
            }
            format!("{actions:?} id")
        }
        6 => match plan.pointer_mut(&format!("{root}/change/before_identity/account")) {
            Some(account) => {
                *account = json!("2");
                format!("{actions:?} identity")
            }
            None => set(plan, "/output_changes/p/after", json!("evil")),
        },
        7 => {
            let others: Vec<_> = ACTIONS.iter().filter(|other| **other != actions).collect();
            // Doing nothing any more is less than what was approved.
            let to = **random.pick(&others);
            if to == ["no-op"] || to == ["update"] || actions == ["read"] {
                return set(plan, "/output_changes/o/after/a", json!(3));
            }
            set(plan, &format!("{root}/change/actions"), json!(to));
            format!("{actions:?} to {to:?}")
        }
        8 => set(
            plan,
            "/resource_changes/10/change/importing/id",
            json!("i-evil"),
        ),
        9 => set(
            plan,
            "/resource_changes/9/previous_address",
            json!("aws_x.evil"),
        ),
        10 => set(
            plan,
            &format!("{root}/provider_name"),
            json!("example.com/evil/aws"),
        ),
        11 => {
            let (pointer, block) = match number % 3 {
                0 => ("/configuration/root_module".to_owned(), number / 3),
                1 => (format!("{configuration}/module"), number / 3),
                _ => (
                    format!("{configuration}/module/module_calls/b/module"),
                    number / 3,
                ),
            };
            let key = ["aws", "aws.east", "aws.missing", "module.a:aws.zone"];
            let pointer = format!("{pointer}/resources/{block}/provider_config_key");
            let is = plan.pointer(&pointer).unwrap().clone();
            let keys: Vec<_> = key.iter().filter(|key| is != **key).collect();
            let to = **random.pick(&keys);
            let target = plan.pointer_mut(&pointer).unwrap();
            *target = json!(to);
            format!("provider {to}")
        }
        12 => {
            let pointers = [
                "/configuration/provider_config/aws/expressions/region/constant_value",
                // What the arguments of providers refer to.
                "/configuration/root_module/module_calls/a/expressions/region/constant_value",
                "/configuration/root_module/module_calls/a/module/module_calls/b/module/outputs/zone/expression/constant_value",
                "/variables/region/value",
            ];
            let pointer: &&str = random.pick(&pointers);
            set(plan, pointer, json!("evil"))
        }
        13 => {
            // Provisioners of what is created or destroyed.
            let pointer = "/configuration/root_module/resources/0/provisioners/0/expressions";
            let member = ["command/constant_value", "environment/constant_value/MODE"];
            set(
                plan,
                &format!("{pointer}/{}", random.pick(&member)),
                json!("evil"),
            )
        }
        14 => {
            let mut paths = Vec::new();
            leaves(
                &plan["action_invocations"][0]["config_values"],
                "",
                &mut paths,
            );
            let pointer = format!("/action_invocations/0/config_values{}", random.pick(&paths));
            let leaf = plan.pointer_mut(&pointer).unwrap();
            *leaf = other(leaf);
            pointer
        }
        _ => {
            plan["resource_changes"].as_array_mut().unwrap().push(
                json!({"address": "aws_x.evil", "mode": "managed",
                "type": "aws_x", "name": "evil", "provider_name": PROVIDER,
                "change": {"actions": ["delete"], "before": {"id": "evil"}, "after": null}}),
            );
            "another object".to_owned()
        }
    }
}

#[test]
fn a_plan_that_applies_something_else_is_wider() {
    for seed in first_seed()..first_seed() + cases(25) {
        let random = &mut Random::new(seed);
        let approved = plan(random);
        let mut now = approved.clone();
        let what = attack(random, &mut now);
        now["timestamp"] = json!("2026-01-02T00:00:00Z");
        let (approved, now) = (approved.to_string(), now.to_string());
        let (verdict, text) = verdict_of(&approved, &now, None);
        assert_eq!(verdict, Verdict::Wider, "TFVIEW_SEED={seed} {what}\n{text}");
        assert_ne!(
            fingerprint(&approved, None, true),
            fingerprint(&now, None, true),
            "TFVIEW_SEED={seed} {what}: the fingerprint is the same"
        );
    }
}

/// Changes only what has no meaning, or what is not done by an apply.
fn rewrite(random: &mut Random, value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if matches!(
                    &**name,
                    "resource_changes" | "references" | "action_invocations"
                ) {
                    let items = member.as_array_mut().unwrap();
                    if items.len() > 1 {
                        let middle = 1 + random.below(items.len() - 1);
                        items.rotate_left(middle);
                    }
                }
                rewrite(random, member);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite(random, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn a_plan_that_is_only_written_in_another_way_is_the_same() {
    for seed in first_seed()..first_seed() + cases(10) {
        let random = &mut Random::new(seed);
        let approved = plan(random);
        let mut now = approved.clone();
        rewrite(random, &mut now);
        now["timestamp"] = json!("2026-01-02T00:00:00Z");
        now["terraform_version"] = json!("1.14.1");
        now["planned_values"] = json!({"root_module": {}});
        now["resource_changes"].as_array_mut().unwrap().push(
            json!({"address": "aws_x.still", "mode": "managed",
            "type": "aws_x", "name": "still", "provider_name": PROVIDER,
            "change": {"actions": ["no-op"], "before": {"id": "1"}, "after": {"id": "1"}}}),
        );
        let (approved, now) = (approved.to_string(), now.to_string());
        let (verdict, text) = verdict_of(&approved, &now, None);
        assert_eq!(verdict, Verdict::Same, "TFVIEW_SEED={seed}\n{text}");
        assert_eq!(
            fingerprint(&approved, None, true),
            fingerprint(&now, None, true),
            "TFVIEW_SEED={seed}"
        );
    }
}

/// What changed since the approval, and is neither changed by the plan nor part of what is made, is within it.
#[test]
fn values_that_changed_outside_of_the_plans_are_within() {
    for seed in first_seed()..first_seed() + cases(5) {
        let random = &mut Random::new(seed);
        let approved = plan(random);
        let mut now = approved.clone();
        for (number, actions) in ACTIONS.iter().enumerate() {
            let change = &mut now["resource_changes"][number]["change"];
            for side in ["before", "after"] {
                if !(change[side].is_null() || (side == "after" && makes_object(actions))) {
                    change[side]["ratio"] = json!(77);
                }
            }
        }
        let (approved, now) = (approved.to_string(), now.to_string());
        let (verdict, text) = verdict_of(&approved, &now, None);
        assert_ne!(verdict, Verdict::Wider, "TFVIEW_SEED={seed}\n{text}");
        assert_eq!(
            fingerprint(&approved, None, true),
            fingerprint(&now, None, true),
            "TFVIEW_SEED={seed}"
        );
    }
}

/// A provisioner or provider may take a value from where the plan does not show it.
#[test]
fn what_a_plan_does_not_hold_is_not_proven() {
    let random = &mut Random::new(7);
    let approved = plan(random);
    let provisioner = "/configuration/root_module/resources/0/provisioners/0/expressions/command";
    let region = "/configuration/provider_config/aws/expressions/region";
    for (pointer, references, verdict) in [
        (region, json!(["local.region"]), Verdict::Wider),
        (
            region,
            json!(["module.a.missing", "module.a"]),
            Verdict::Wider,
        ),
        (region, json!(["var.region"]), Verdict::Same),
        (provisioner, json!(["local.command"]), Verdict::Wider),
        (provisioner, json!(["var.region"]), Verdict::Wider),
    ] {
        let mut approved = approved.clone();
        *approved.pointer_mut(pointer).unwrap() = json!({"references": references});
        let mut now = approved.clone();
        let text = approved.to_string();
        let outcome = compare(&text, &text, None, &Options::default());
        assert_eq!(
            outcome.verdict,
            Verdict::Same,
            "{references}\n{}",
            outcome.terminal
        );
        now["timestamp"] = json!("2026-01-02T00:00:00Z");
        let now = now.to_string();
        let outcome = compare(&text, &now, None, &Options::default());
        assert_eq!(
            outcome.verdict, verdict,
            "{references}\n{}",
            outcome.terminal
        );
        let is_same = fingerprint(&text, None, true) == fingerprint(&now, None, true);
        assert_eq!(is_same, verdict == Verdict::Same, "{references}");
    }
}
