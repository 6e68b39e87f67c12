//! Builds the JSON of plans. A test says what its plan is about; everything else is what a tool would write.
//!
//! ```ignore
//! PlanBuilder::new()
//!     .change(Change::created("aws_vpc.main", json!({"cidr_block": "10.0.0.0/16"})).unknown(json!({"id": true})))
//!     .change(Change::destroyed("module.net.aws_eip.a[0]", json!({"id": "e"})))
//!     .output("id", Value::Null, json!("new"))
//!     .json()
//! ```

use serde_json::{Map, Value, json};

/// A value, or the JSON text of one.
pub(crate) trait Side {
    fn value(self) -> Value;
}

impl Side for Value {
    fn value(self) -> Value {
        self
    }
}

impl Side for &Value {
    fn value(self) -> Value {
        self.clone()
    }
}

impl Side for &str {
    #[track_caller]
    fn value(self) -> Value {
        serde_json::from_str(self).unwrap()
    }
}

impl Side for &String {
    #[track_caller]
    fn value(self) -> Value {
        self.as_str().value()
    }
}

/// A planned change of one object: an item of `resource_changes`, `resource_drift` or `deferred_changes`.
#[derive(Clone, serde::Serialize)]
#[serde(transparent)]
pub(crate) struct Change(Value);

impl Change {
    /// A change of the object with this address, which gives its module, mode, type, name, key and provider.
    pub(crate) fn new(
        address: &str,
        actions: &[&str],
        before: impl Side,
        after: impl Side,
    ) -> Self {
        let place = Place::of(address);
        let mut change = json!({
            "address": address, "mode": place.mode, "type": place.kind, "name": place.name,
            "provider_name": provider_of(place.kind),
            "change": {
                "actions": actions, "before": before.value(), "after": after.value(), "after_unknown": {},
                "before_sensitive": false, "after_sensitive": {},
            },
        });
        if !place.module.is_empty() {
            change["module_address"] = place.module.into();
        }
        if let Some(key) = place.key {
            // A hostile key is no JSON.
            change["index"] =
                serde_json::from_str(key).unwrap_or_else(|_| key.trim_matches('"').into());
        }
        Self(change)
    }

    pub(crate) fn created(address: &str, after: impl Side) -> Self {
        Self::new(address, &["create"], Value::Null, after)
    }

    pub(crate) fn destroyed(address: &str, before: impl Side) -> Self {
        Self::new(address, &["delete"], before, Value::Null)
    }

    pub(crate) fn updated(address: &str, before: impl Side, after: impl Side) -> Self {
        Self::new(address, &["update"], before, after)
    }

    /// The old object is destroyed before the new one is created.
    pub(crate) fn replaced(address: &str, before: impl Side, after: impl Side) -> Self {
        Self::new(address, &["delete", "create"], before, after)
    }

    /// Created, destroyed or updated, by which side is null.
    pub(crate) fn between(address: &str, before: impl Side, after: impl Side) -> Self {
        let (before, after) = (before.value(), after.value());
        let action = match (before.is_null(), after.is_null()) {
            (true, _) => "create",
            (false, true) => "delete",
            (false, false) => "update",
        };
        Self::new(address, &[action], before, after)
    }

    /// The places of `after` that are known after apply.
    pub(crate) fn unknown(self, unknown: impl Side) -> Self {
        self.in_change("after_unknown", unknown)
    }

    /// The marks of both sides.
    pub(crate) fn sensitive(self, before: impl Side, after: impl Side) -> Self {
        self.in_change("before_sensitive", before)
            .in_change("after_sensitive", after)
    }

    /// The paths that force a replacement.
    pub(crate) fn forced_by(self, paths: impl Side) -> Self {
        self.in_change("replace_paths", paths)
    }

    pub(crate) fn imported(self, id: &str) -> Self {
        self.in_change("importing", json!({ "id": id }))
    }

    pub(crate) fn moved_from(self, address: &str) -> Self {
        self.with("previous_address", Value::from(address))
    }

    pub(crate) fn deposed(self, key: &str) -> Self {
        self.with("deposed", Value::from(key))
    }

    /// Why the tool takes this action.
    pub(crate) fn reason(self, reason: &str) -> Self {
        self.with("action_reason", Value::from(reason))
    }

    pub(crate) fn provider(self, name: &str) -> Self {
        self.with("provider_name", Value::from(name))
    }

    /// Sets a member of the item.
    pub(crate) fn with(mut self, name: &str, value: impl Side) -> Self {
        self.0[name] = value.value();
        self
    }

    /// Sets a member of `change`.
    pub(crate) fn in_change(mut self, name: &str, value: impl Side) -> Self {
        self.0["change"][name] = value.value();
        self
    }

    pub(crate) fn value(self) -> Value {
        self.0
    }
}

/// A plan. Members that are not set are left out, as the tools do.
#[derive(Clone)]
pub(crate) struct PlanBuilder(Map<String, Value>);

impl PlanBuilder {
    pub(crate) fn new() -> Self {
        let document = json!({ "format_version": "1.2", "resource_changes": [] });
        Self(serde_json::from_value(document).unwrap())
    }

    /// A plan of these changes.
    pub(crate) fn of(changes: impl IntoIterator<Item = Change>) -> Self {
        changes.into_iter().fold(Self::new(), Self::change)
    }

    pub(crate) fn change(self, change: Change) -> Self {
        self.push("resource_changes", change.value())
    }

    pub(crate) fn drift(self, change: Change) -> Self {
        self.push("resource_drift", change.value())
    }

    pub(crate) fn deferred(self, reason: &str, change: Change) -> Self {
        let deferred = json!({ "reason": reason, "resource_change": change.value() });
        self.push("deferred_changes", deferred)
    }

    pub(crate) fn output(mut self, name: &str, before: impl Side, after: impl Side) -> Self {
        let Change(change) = Change::between("output.o", before, after);
        let outputs = self.0.entry("output_changes").or_insert_with(|| json!({}));
        outputs[name] = change["change"].clone();
        self
    }

    /// The configuration of the root module.
    pub(crate) fn configuration(self, root_module: impl Side) -> Self {
        self.with(
            "configuration",
            json!({ "root_module": root_module.value() }),
        )
    }

    /// Sets a member of the document.
    pub(crate) fn with(mut self, name: &str, value: impl Side) -> Self {
        self.0.insert(name.to_owned(), value.value());
        self
    }

    pub(crate) fn value(self) -> Value {
        Value::Object(self.0)
    }

    pub(crate) fn json(self) -> String {
        self.value().to_string()
    }

    fn push(mut self, list: &str, item: Value) -> Self {
        let list = self.0.entry(list).or_insert_with(|| json!([]));
        list.as_array_mut().unwrap().push(item);
        self
    }
}

/// The parts of the address of an object.
struct Place<'a> {
    module: &'a str,
    mode: &'static str,
    kind: &'a str,
    name: &'a str,
    key: Option<&'a str>,
}

impl<'a> Place<'a> {
    fn of(address: &'a str) -> Self {
        let mut rest = address;
        while let Some(module) = rest.strip_prefix("module.") {
            rest = &module[end_of_step(module) + 1..];
        }
        let module = address[..address.len() - rest.len()].trim_end_matches('.');
        let (mode, rest) = match rest.strip_prefix("data.") {
            Some(rest) => ("data", rest),
            None => ("managed", rest),
        };
        let (kind, rest) = rest.split_once('.').unwrap();
        let (name, key) = match rest.split_once('[') {
            Some((name, key)) => (name, Some(key.strip_suffix(']').unwrap())),
            None => (rest, None),
        };
        Self {
            module,
            mode,
            kind,
            name,
            key,
        }
    }
}

/// Where the first `.` outside of quotes is.
fn end_of_step(text: &str) -> usize {
    let mut is_quoted = false;
    text.find(|c| {
        is_quoted ^= c == '"';
        c == '.' && !is_quoted
    })
    .unwrap()
}

/// The provider that has this type of resource.
fn provider_of(kind: &str) -> String {
    match kind.split('_').next() {
        Some("terraform") => "terraform.io/builtin/terraform".to_owned(),
        name => format!("registry.terraform.io/hashicorp/{}", name.unwrap_or(kind)),
    }
}

#[test]
fn the_address_of_a_change_gives_its_members() {
    let address = r#"module.a["x.y"].module.b.data.aws_ami.it["k"]"#;
    let plan = PlanBuilder::new()
        .change(Change::created(address, json!({})))
        .value();
    let change = &plan["resource_changes"][0];
    assert_eq!(change["module_address"], r#"module.a["x.y"].module.b"#);
    assert_eq!(
        [&change["mode"], &change["type"], &change["name"]],
        ["data", "aws_ami", "it"]
    );
    assert_eq!(change["index"], "k");
    assert_eq!(
        change["provider_name"],
        "registry.terraform.io/hashicorp/aws"
    );
}

#[test]
fn what_a_plan_does_with_an_object_is_where_the_tools_write_it() {
    let change = Change::updated("a_b.c", json!({"x": 1}), json!({"x": 2}))
        .moved_from("a_b.old")
        .imported("i-1");
    let plan = PlanBuilder::of([change.clone()])
        .deferred("absent_prereq", change)
        .output("o", Value::Null, json!("new"))
        .value();
    assert_eq!(plan["resource_changes"][0]["previous_address"], "a_b.old");
    let deferred = &plan["deferred_changes"][0];
    assert_eq!(deferred["reason"], "absent_prereq");
    let change = &deferred["resource_change"]["change"];
    assert_eq!(change["importing"], json!({"id": "i-1"}));
    assert_eq!(plan["output_changes"]["o"]["actions"], json!(["create"]));
}
