//! What is read of the sources in a saved plan equals the `configuration` that the tools write.

use std::fs;

use bumpalo::Bump;
use tfview::internals::json::{Value, parse};
use tfview::internals::saved::SavedPlan;

use super::{cases, read, with_schemas};

#[test]
fn the_configuration_of_a_saved_plan_is_that_of_its_tool() {
    let mut compared = Compared::default();
    for case in cases("plan.tfplan") {
        let plan = SavedPlan::parse(&fs::read(case.join("plan.tfplan")).unwrap()).unwrap();
        let ours = with_schemas(&case, |knowledge| plan.to_json(knowledge));
        let theirs = read(&case, "plan.json");
        let arena = Bump::new();
        let (ours, theirs) = (
            parse(&ours, &arena).unwrap(),
            parse(&theirs, &arena).unwrap(),
        );
        let problem = ours
            .get("saved_plan")
            .and_then(|saved| saved.get("configuration_problem"));
        assert_eq!(problem, Some(Value::String("")), "{}", case.display());
        let place = case.display().to_string();
        let configuration = |document: Value<'_>, name: &str| {
            document
                .get("configuration")
                .and_then(|all| all.get(name))
                .map(|found| format!("{found:?}"))
        };
        assert!(configuration(ours, "root_module").is_some(), "{place}");
        let both = [ours, theirs].map(|document| document.get("configuration").unwrap_or_default());
        let both = both.map(|all| all.get("root_module").unwrap_or_default());
        compared.module(both[0], both[1], &place);
    }
    assert!(compared.expressions > 500, "{compared:?}");
    assert!(compared.provisioners >= 3, "{compared:?}");
    // Constants that need a calculation.
    assert!(
        compared.unproven * 50 < compared.expressions,
        "{compared:?}"
    );
}

/// What was compared of configurations.
#[derive(Debug, Default)]
struct Compared {
    expressions: usize,
    provisioners: usize,
    /// Constants of the tool that are not worked out.
    unproven: usize,
}

impl Compared {
    /// Compares what is read of a module.
    fn module(&mut self, ours: Value<'_>, theirs: Value<'_>, place: &str) {
        let named = |module: Value<'_>| -> Vec<String> {
            let resources = module
                .get("resources")
                .and_then(Value::as_array)
                .unwrap_or_default();
            let name = |resource: &Value<'_>| {
                ["mode", "type", "name"].map(|part| format!("{:?}", resource.get(part)))
            };
            let mut names: Vec<String> = resources
                .iter()
                .map(|resource| name(resource).join(" "))
                .collect();
            names.sort();
            names
        };
        assert_eq!(named(ours), named(theirs), "{place}");
        for resource in theirs
            .get("resources")
            .and_then(Value::as_array)
            .unwrap_or_default()
        {
            let is_it = |other: &&Value<'_>| {
                ["mode", "type", "name"]
                    .iter()
                    .all(|part| other.get(part) == resource.get(part))
            };
            let own = ours
                .get("resources")
                .and_then(Value::as_array)
                .unwrap_or_default();
            let own = own.iter().find(is_it).copied().unwrap_or_default();
            let place = format!("{place} {:?}", resource.get("name"));
            self.part(own.get("expressions"), resource.get("expressions"), &place);
            self.repetition(own, *resource, &place);
            assert_eq!(
                own.get("provider_config_key"),
                resource.get("provider_config_key"),
                "{place}"
            );
            let [own, of_tool] = [own, *resource].map(|found| found.get("provisioners"));
            let [own, of_tool] =
                [own, of_tool].map(|found| found.and_then(Value::as_array).unwrap_or_default());
            assert_eq!(own.len(), of_tool.len(), "{place}");
            for (own, of_tool) in own.iter().zip(of_tool) {
                self.provisioners += 1;
                assert_eq!(own.get("type"), of_tool.get("type"), "{place}");
                // Ours have the text of what is not constant too.
                let arguments = of_tool
                    .get("expressions")
                    .and_then(Value::as_object)
                    .unwrap_or_default();
                for (name, found) in arguments.members() {
                    let own = own
                        .get("expressions")
                        .and_then(|all| all.get(name))
                        .unwrap_or_default();
                    for part in ["constant_value", "references"] {
                        assert_eq!(own.get(part), found.get(part), "{name} of {place}");
                    }
                }
            }
        }
        for kind in ["outputs", "module_calls", "variables"] {
            let members = |module: Value<'_>| -> Vec<String> {
                let found = module
                    .get(kind)
                    .and_then(Value::as_object)
                    .unwrap_or_default();
                found
                    .members()
                    .iter()
                    .map(|(name, _)| (*name).to_owned())
                    .collect()
            };
            assert_eq!(members(ours), members(theirs), "{kind} of {place}");
            for name in members(theirs) {
                let (own, of_tool) = (
                    ours.get(kind).unwrap().get(&name),
                    theirs.get(kind).unwrap().get(&name),
                );
                let place = format!("{kind} {name} of {place}");
                let (own, of_tool) = (own.unwrap(), of_tool.unwrap());
                match kind {
                    "outputs" => {
                        self.part(own.get("expression"), of_tool.get("expression"), &place);
                    }
                    "variables" => {
                        for part in ["default", "sensitive", "ephemeral"] {
                            assert_eq!(own.get(part), of_tool.get(part), "{part} of {place}");
                        }
                    }
                    _ => {
                        self.part(own.get("expressions"), of_tool.get("expressions"), &place);
                        self.repetition(own, of_tool, &place);
                        self.module(
                            own.get("module").unwrap(),
                            of_tool.get("module").unwrap_or_default(),
                            &place,
                        );
                    }
                }
            }
        }
    }

    fn repetition(&mut self, ours: Value<'_>, theirs: Value<'_>, place: &str) {
        for name in ["for_each_expression", "count_expression"] {
            if let Some(of_tool) = theirs.get(name) {
                self.part(ours.get(name), Some(of_tool), place);
            }
        }
    }

    /// Compares an expression, or the expressions of a body or of several bodies.
    fn part(&mut self, ours: Option<Value<'_>>, theirs: Option<Value<'_>>, place: &str) {
        let Some(Value::Object(of_tool)) = theirs else {
            let is_empty = matches!(ours, None | Some(Value::Object(_)));
            match (ours, theirs) {
                (Some(Value::Array(own)), Some(Value::Array(items))) => {
                    assert_eq!(own.len(), items.len(), "{place}");
                    for (own, item) in own.iter().zip(items) {
                        self.part(Some(*own), Some(*item), place);
                    }
                }
                _ => assert!(theirs.is_none() && is_empty, "{place}: {ours:?} {theirs:?}"),
            }
            return;
        };
        let own = ours.unwrap_or_default();
        if of_tool.get("constant_value").is_some() && own.get("constant_value").is_none() {
            self.unproven += 1;
            return;
        }
        self.expressions += 1;
        for (name, member) in of_tool.members() {
            match *name {
                "constant_value" | "references" => {
                    assert_eq!(own.get(name), Some(*member), "{name} of {place}");
                }
                name => self.part(own.get(name), Some(*member), &format!("{name} of {place}")),
            }
        }
        for (name, _) in own.as_object().unwrap_or_default().members() {
            // Ours have the text of what is not constant too.
            assert!(
                *name == "text" || of_tool.get(name).is_some(),
                "{name} of {place} is not in the tool's JSON"
            );
        }
    }
}
