//! Generates plans and states of generated types.

use serde_json::{Map, Value, json};

use super::super::schema::{configuration, schema, type_json};
use super::{Block, Cover, Maker, has_sets};

impl Maker {
    /// A change with both sides, their marks and unknown values.
    pub(in crate::secrets) fn change(&mut self, of: &Block) -> Value {
        let (before, before_mark) = self.side(of);
        let nothing = (Value::Null, json!(false));
        let (actions, (before, before_mark), (after, after_mark)) = match self.random.below(8) {
            0 => (json!(["create"]), nothing, (before, before_mark)),
            1 => (json!(["delete"]), (before, before_mark), nothing),
            2 => (
                json!(["no-op"]),
                (before.clone(), before_mark.clone()),
                (before, before_mark),
            ),
            // Only one side is marked. Types with sets are excluded: elements of sets match only if both are
            // equally sensitive, so the unmarked side is shown, as the tools show it.
            3 | 4 if has_sets(of) => (json!(["delete"]), (before, before_mark), nothing),
            3 => (
                json!(["update"]),
                (before.clone(), before_mark),
                (before, json!({})),
            ),
            4 => (
                json!(["update"]),
                (before.clone(), json!(false)),
                (before, before_mark),
            ),
            5 => {
                let (after, after_mark) = self.side(of);
                (
                    json!(["create", "delete"]),
                    (before, before_mark),
                    (after, after_mark),
                )
            }
            6 => (json!(["forget"]), (before, before_mark), nothing),
            _ => {
                let (after, after_mark) = self.side(of);
                (
                    json!(["update"]),
                    (before, before_mark),
                    (after, after_mark),
                )
            }
        };
        let mut change = json!({
            "actions": actions, "before": before, "before_sensitive": before_mark,
            "after_sensitive": after_mark,
        });
        let mut after = after;
        // Unknown values cannot be marked, so changes with a mark on one side only have none.
        let one_sided = change["actions"] == json!(["update"]) && change["before"] == after;
        if !one_sided && let Some(members) = after.as_object_mut() {
            let mut unknown = Map::new();
            let names: Vec<String> = members.keys().cloned().collect();
            for name in names {
                if self.random.one_in(8) {
                    unknown.insert(name.clone(), json!(true));
                    if self.random.one_in(2) {
                        members.remove(&name);
                    }
                }
            }
            change["after_unknown"] = unknown.into();
        }
        change["after"] = after;
        if self.random.one_in(8) {
            change["importing"] = json!({ "id": "imported" });
            change["generated_config"] = json!(format!("a = \"{}\"", self.token(Cover::Marked)));
        }
        if self.random.one_in(6) {
            let name = of
                .attributes
                .first()
                .map(|attribute| attribute.name.clone());
            change["replace_paths"] = json!([[name]]);
        }
        change
    }

    pub(in crate::secrets) fn resource(&mut self, index: usize, of: &Block) -> Value {
        let mode = *self.random.pick(&[
            "managed",
            "managed",
            "managed",
            "managed",
            "data",
            "ephemeral",
        ]);
        json!({
            "address": format!("test_thing{index}.x"), "mode": mode, "type": format!("test_thing{index}"),
            "name": "x", "provider_name": "registry.example/acme/test", "change": self.change(of),
        })
    }

    /// A value with secrets for a part of a document that is never shown.
    pub(in crate::secrets) fn never_shown(&mut self) -> Value {
        let of = self.r#type(2);
        self.value(&of, Cover::Marked)
    }

    pub(in crate::secrets) fn output(&mut self) -> Value {
        let of = self.r#type(3);
        let (before, before_mark) = self.marked(&of, Cover::Open);
        let (after, after_mark) = self.marked(&of, Cover::Open);
        let (before_mark, after_mark) = (
            self.malformed(&before_mark, &before),
            self.malformed(&after_mark, &after),
        );
        json!({
            "actions": ["update"], "before": before, "after": after, "before_sensitive": before_mark,
            "after_sensitive": after_mark,
        })
    }

    /// The same change of another instance with its own secrets, because a review groups equal changes.
    fn twin(&mut self, change: &Value, index: usize) -> Value {
        let mut text = change.to_string();
        let planted: Vec<(String, bool)> = self
            .secrets
            .iter()
            .map(|secret| (secret.text.clone(), secret.marked))
            .collect();
        for (secret, marked) in planted
            .iter()
            .filter(|(secret, _)| secret.starts_with("Secret"))
        {
            if text.contains(secret) {
                let cover = if *marked {
                    Cover::Marked
                } else {
                    Cover::Schema
                };
                text = text.replace(secret, &self.token(cover));
            }
        }
        let mut twin: Value = serde_json::from_str(&text).unwrap();
        twin["address"] = json!(format!("{}[{index}]", change["address"].as_str().unwrap()));
        twin["index"] = json!(index);
        twin
    }

    /// A plan and its schema.
    pub(in crate::secrets) fn plan(&mut self) -> (Value, Value) {
        let blocks: Vec<Block> = (0..1 + self.random.below(3))
            .map(|_| self.block(2))
            .collect();
        let mut changes: Vec<Value> = blocks
            .iter()
            .enumerate()
            .map(|(index, of)| self.resource(index, of))
            .collect();
        // Equal sides may be marked on one side only, where more instances could turn blocks into sets (see
        // `change`).
        let is_one_sided = changes[0]["change"]["before"] == changes[0]["change"]["after"];
        if !is_one_sided && self.random.one_in(2) {
            let twins: Vec<Value> = (0..2).map(|index| self.twin(&changes[0], index)).collect();
            changes.extend(twins);
        }
        let mut plan = json!({ "format_version": "1.2", "resource_changes": changes });
        if self.random.one_in(2) {
            plan["resource_drift"] = json!([self.resource(0, &blocks[0])]);
            plan["relevant_attributes"] = match self.random.below(3) {
                0 => json!([]),
                1 => json!([{ "resource": "test_thing0.x", "attribute": [] }]),
                _ => {
                    json!([{ "resource": "test_thing0.x", "attribute": [blocks[0].attributes[0].name] }])
                }
            };
        }
        if self.random.one_in(4) {
            plan["deferred_changes"] = json!([{ "reason": "provider_config_unknown", "resource_change": self.resource(0, &blocks[0]) }]);
        }
        if self.random.one_in(3) {
            let (values, marks) = self.side(&blocks[0]);
            let mut action = json!({
                "address": "action.test_action.a", "type": "test_action", "name": "a",
                "provider_name": "registry.example/acme/test", "config_values": values, "config_sensitive": marks,
            });
            if self.random.one_in(2) {
                action["lifecycle_action_trigger"] = json!({
                    "triggering_resource_address": "test_thing0.x", "action_trigger_event": "AfterUpdate",
                });
            }
            plan["action_invocations"] = json!([action]);
            if self.random.one_in(2) {
                plan["deferred_action_invocations"] =
                    json!([{ "reason": "deferred_prereq", "action_invocation": action }]);
            }
        }
        let outputs = self.random.below(3);
        plan["output_changes"] = (0..outputs)
            .map(|index| (format!("out{index}"), self.output()))
            .collect::<Map<_, _>>()
            .into();
        if self.random.one_in(2) {
            plan["configuration"] = configuration(&blocks);
        }
        // Parts of a plan that are never shown.
        for part in ["planned_values", "variables", "proposed_unknown"] {
            if self.random.one_in(4) {
                plan[part] = json!({ "x": self.never_shown() });
            }
        }
        (plan, schema(&blocks))
    }

    /// A state and its schema.
    pub(in crate::secrets) fn state(&mut self) -> (Value, Value) {
        let blocks: Vec<Block> = (0..1 + self.random.below(3))
            .map(|_| self.block(2))
            .collect();
        let mut resources: Vec<Value> = blocks
            .iter()
            .enumerate()
            .map(|(index, of)| {
                let (values, marks) = self.side(of);
                json!({
                    "address": format!("test_thing{index}.x"), "mode": "managed", "type": format!("test_thing{index}"),
                    "name": "x", "provider_name": "registry.example/acme/test", "values": values,
                    "sensitive_values": marks,
                })
            })
            .collect();
        let child = resources.pop();
        let outputs: Map<String, Value> = (0..self.random.below(3))
            .map(|index| {
                let of = self.r#type(3);
                let sensitive = self.random.one_in(2);
                let value = self.value(
                    &of,
                    if sensitive {
                        Cover::Marked
                    } else {
                        Cover::Open
                    },
                );
                let mut output = json!({ "value": value, "sensitive": sensitive });
                if self.random.one_in(2) {
                    output["type"] = type_json(&if self.random.one_in(4) {
                        self.r#type(2)
                    } else {
                        of
                    });
                }
                (format!("out{index}"), output)
            })
            .collect();
        let state = json!({
            "format_version": "1.0",
            "values": {
                "outputs": outputs,
                "root_module": { "resources": resources, "child_modules": [{ "address": "module.m", "resources": [child] }] },
            },
        });
        (state, schema(&blocks))
    }
}
