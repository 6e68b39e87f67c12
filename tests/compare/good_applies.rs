//! A good apply is done, whatever the provider computed; one changed configured value never is. Plans and the states
//! after them are generated.

use serde_json::{Map, Value, json};
use tfview::internals::compare::{Options, Verdict};

use super::compare_result;
use crate::random::{Random, cases, first_seed};

/// An object as it is planned, and as a provider makes it.
#[derive(Debug, Default)]
struct Object {
    before: Map<String, Value>,
    planned: Map<String, Value>,
    unknown: Map<String, Value>,
    result: Map<String, Value>,
    /// The arguments in the configuration.
    arguments: Map<String, Value>,
    /// The attributes with a known value that the configuration gives.
    given: Vec<String>,
}

fn scalar(random: &mut Random) -> Value {
    match random.below(5) {
        0 => json!(random.below(100)),
        1 => json!(random.one_in(2)),
        2 => json!(""),
        _ => json!(format!("text {}", random.below(1_000))),
    }
}

fn known(random: &mut Random) -> Value {
    match random.below(5) {
        0 => json!([scalar(random), scalar(random)]),
        1 => json!({ "k": scalar(random), "l": scalar(random) }),
        2 => json!([{ "a": scalar(random), "b": [scalar(random)] }]),
        _ => scalar(random),
    }
}

/// What a provider on the older SDK may write instead of null.
fn zero(random: &mut Random) -> Value {
    let zeros = [
        json!(null),
        json!(""),
        json!(0),
        json!(false),
        json!([]),
        json!({}),
    ];
    random.pick(&zeros).clone()
}

impl Object {
    fn new(random: &mut Random, is_new: bool) -> Self {
        let mut object = Self::default();
        if is_new {
            object.set_unknown("id", json!("i-1"));
        } else {
            object.set("id", json!("i-1"), json!("i-1"));
            object.before.insert("id".to_owned(), json!("i-1"));
        }
        for index in 0..2 + random.below(6) {
            object.add(random, &format!("a{index}"), is_new);
        }
        object
    }

    fn set(&mut self, name: &str, planned: Value, result: Value) {
        self.planned.insert(name.to_owned(), planned);
        self.result.insert(name.to_owned(), result);
    }

    fn set_unknown(&mut self, name: &str, result: Value) {
        self.unknown.insert(name.to_owned(), json!(true));
        self.result.insert(name.to_owned(), result);
    }

    fn configure(&mut self, name: &str) {
        self.arguments
            .insert(name.to_owned(), json!({ "references": ["var.x"] }));
    }

    fn add(&mut self, random: &mut Random, name: &str, is_new: bool) {
        let before = known(random);
        match random.below(8) {
            // The configuration gives a known value.
            0..3 => {
                let value = known(random);
                self.set(name, value.clone(), value);
                self.configure(name);
                self.given.push(name.to_owned());
            }
            // It gives a reference to something that is known after the apply.
            3 => {
                self.set_unknown(name, known(random));
                self.configure(name);
            }
            // It gives a list of which a part is unknown.
            4 => {
                let (first, second) = (scalar(random), scalar(random));
                self.set(name, json!([first, null]), json!([first, second]));
                self.unknown.insert(name.to_owned(), json!([false, true]));
                self.configure(name);
            }
            // It gives a block without some of its arguments.
            5 => {
                let value = scalar(random);
                let result = json!([{ "a": value, "b": zero(random) }]);
                self.set(name, json!([{ "a": value, "b": null }]), result);
                self.configure(name);
                self.given.push(name.to_owned());
            }
            // The provider computes it.
            6 => self.set_unknown(name, known(random)),
            // Nobody gives it, and the provider makes something of null.
            _ => {
                let result = if random.one_in(2) {
                    zero(random)
                } else {
                    known(random)
                };
                self.set(name, json!(null), result);
            }
        }
        if !is_new {
            let kept = self.planned.get(name).cloned().unwrap_or(before);
            let before = if random.one_in(2) {
                kept
            } else {
                known(random)
            };
            self.before.insert(name.to_owned(), before);
        }
    }
}

/// A plan of these objects and the state after it.
struct Pair {
    plan: Value,
    state: Value,
}

fn pair(random: &mut Random) -> (Pair, Vec<(usize, String)>) {
    let mut changes = Vec::new();
    let mut blocks = Vec::new();
    let mut resources = Vec::new();
    let mut given = Vec::new();
    for index in 0..1 + random.below(4) {
        let name = format!("r{index}");
        let actions = [
            json!(["create"]),
            json!(["update"]),
            json!(["delete", "create"]),
            json!(["create", "delete"]),
            json!(["delete"]),
        ];
        let actions = random.pick(&actions).clone();
        let is_new = actions[0] != "update" && actions != json!(["delete"]);
        let is_gone = actions == json!(["delete"]);
        let object = Object::new(random, is_new);
        let before = match (is_new, &actions) {
            (true, actions) if actions.as_array().unwrap().len() == 1 => json!(null),
            (true, _) => json!({ "id": "i-0", "old": true }),
            (false, _) => json!(object.before),
        };
        let (after, unknown) = if is_gone {
            (json!(null), json!({}))
        } else {
            (json!(object.planned), json!(object.unknown))
        };
        let address = format!("x_a.{name}");
        let head = json!({
            "address": address, "mode": "managed", "type": "x_a", "name": name,
            "provider_name": "registry.terraform.io/x/x",
        });
        let mut change = head.clone();
        change["change"] = json!({
            "actions": actions, "before": before, "after": after, "after_unknown": unknown,
            "before_sensitive": false, "after_sensitive": {},
        });
        changes.push(change);
        if is_gone {
            continue;
        }
        let mut block = head.clone();
        block["expressions"] = json!(object.arguments);
        blocks.push(block);
        let mut resource = head;
        resource["values"] = json!(object.result);
        resource["sensitive_values"] = json!({});
        given.extend(object.given.into_iter().map(|name| (resources.len(), name)));
        resources.push(resource);
    }
    let plan = json!({
        "format_version": "1.2", "terraform_version": "1.15.0", "resource_changes": changes,
        "configuration": { "root_module": { "resources": blocks } },
    });
    let state = json!({
        "format_version": "1.0", "terraform_version": "1.15.0",
        "values": { "root_module": { "resources": resources } },
    });
    (Pair { plan, state }, given)
}

fn verdict(Pair { plan, state }: &Pair) -> (Verdict, String) {
    let options = Options::default();
    let outcome = compare_result(&plan.to_string(), &state.to_string(), None, &options).unwrap();
    (outcome.verdict, outcome.terminal)
}

#[test]
fn a_good_apply_is_done_and_one_with_another_value_is_not() {
    let mut altered = 0;
    for seed in first_seed()..first_seed() + cases(10) {
        let mut random = Random::new(seed);
        let (mut pair, given) = pair(&mut random);
        let said = |why: &str, text: &str, pair: &Pair| {
            format!(
                "TFVIEW_SEED={seed}: {why}\n{}\n{}\n{text}",
                pair.plan, pair.state
            )
        };
        let (ended, text) = verdict(&pair);
        assert_eq!(
            ended,
            Verdict::Same,
            "{}",
            said("a good apply", &text, &pair)
        );
        if given.is_empty() {
            continue;
        }
        let (index, name) = random.pick(&given).clone();
        let value = &mut pair.state["values"]["root_module"]["resources"][index]["values"][&name];
        *value = match value.take() {
            Value::String(text) => json!(format!("{text} other")),
            Value::Bool(value) => json!(!value),
            Value::Number(number) => json!(number.as_u64().unwrap() + 1),
            Value::Array(items) => json!([items, "other"]),
            Value::Null | Value::Object(_) => json!({ "other": 1 }),
        };
        let (ended, text) = verdict(&pair);
        assert_ne!(
            ended,
            Verdict::Same,
            "{}",
            said(&format!("{name} is another"), &text, &pair)
        );
        altered += 1;
    }
    assert!(altered * 2 > cases(10), "{altered} values were altered");
}
