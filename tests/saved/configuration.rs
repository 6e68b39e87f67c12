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
        let context = case.display().to_string();
        let configuration = |document: Value<'_>, name: &str| {
            document
                .get("configuration")
                .and_then(|all| all.get(name))
                .map(|value| format!("{value:?}"))
        };
        assert!(configuration(ours, "root_module").is_some(), "{context}");
        let both = [ours, theirs].map(|document| document.get("configuration").unwrap_or_default());
        let both = both.map(|all| all.get("root_module").unwrap_or_default());
        compared.module(both[0], both[1], &context);
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
    fn module(&mut self, ours: Value<'_>, theirs: Value<'_>, context: &str) {
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
        assert_eq!(named(ours), named(theirs), "{context}");
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
            let of_tfview = ours
                .get("resources")
                .and_then(Value::as_array)
                .unwrap_or_default();
            let of_tfview = of_tfview.iter().find(is_it).copied().unwrap_or_default();
            let context = format!("{context} {:?}", resource.get("name"));
            self.part(
                of_tfview.get("expressions"),
                resource.get("expressions"),
                &context,
            );
            self.repetition(of_tfview, *resource, &context);
            assert_eq!(
                of_tfview.get("provider_config_key"),
                resource.get("provider_config_key"),
                "{context}"
            );
            let [of_tfview, of_tool] =
                [of_tfview, *resource].map(|value| value.get("provisioners"));
            let [of_tfview, of_tool] = [of_tfview, of_tool]
                .map(|value| value.and_then(Value::as_array).unwrap_or_default());
            assert_eq!(of_tfview.len(), of_tool.len(), "{context}");
            for (of_tfview, of_tool) in of_tfview.iter().zip(of_tool) {
                self.provisioners += 1;
                assert_eq!(of_tfview.get("type"), of_tool.get("type"), "{context}");
                // Ours have the text of what is not constant too.
                let arguments = of_tool
                    .get("expressions")
                    .and_then(Value::as_object)
                    .unwrap_or_default();
                for (name, argument) in arguments.members() {
                    let of_tfview = of_tfview
                        .get("expressions")
                        .and_then(|all| all.get(name))
                        .unwrap_or_default();
                    for part in ["constant_value", "references"] {
                        assert_eq!(
                            of_tfview.get(part),
                            argument.get(part),
                            "{name} of {context}"
                        );
                    }
                }
            }
        }
        for kind in ["outputs", "module_calls", "variables"] {
            let members = |module: Value<'_>| -> Vec<String> {
                let members_of_kind = module
                    .get(kind)
                    .and_then(Value::as_object)
                    .unwrap_or_default();
                members_of_kind
                    .members()
                    .iter()
                    .map(|(name, _)| (*name).to_owned())
                    .collect()
            };
            assert_eq!(members(ours), members(theirs), "{kind} of {context}");
            for name in members(theirs) {
                let (of_tfview, of_tool) = (
                    ours.get(kind).unwrap().get(&name),
                    theirs.get(kind).unwrap().get(&name),
                );
                let context = format!("{kind} {name} of {context}");
                let (of_tfview, of_tool) = (of_tfview.unwrap(), of_tool.unwrap());
                match kind {
                    "outputs" => {
                        self.part(
                            of_tfview.get("expression"),
                            of_tool.get("expression"),
                            &context,
                        );
                    }
                    "variables" => {
                        for part in ["default", "sensitive", "ephemeral"] {
                            assert_eq!(
                                of_tfview.get(part),
                                of_tool.get(part),
                                "{part} of {context}"
                            );
                        }
                    }
                    _ => {
                        self.part(
                            of_tfview.get("expressions"),
                            of_tool.get("expressions"),
                            &context,
                        );
                        self.repetition(of_tfview, of_tool, &context);
                        self.module(
                            of_tfview.get("module").unwrap(),
                            of_tool.get("module").unwrap_or_default(),
                            &context,
                        );
                    }
                }
            }
        }
    }

    fn repetition(&mut self, ours: Value<'_>, theirs: Value<'_>, context: &str) {
        for name in ["for_each_expression", "count_expression"] {
            if let Some(of_tool) = theirs.get(name) {
                self.part(ours.get(name), Some(of_tool), context);
            }
        }
    }

    /// Compares an expression, or the expressions of a body or of several bodies.
    fn part(&mut self, ours: Option<Value<'_>>, theirs: Option<Value<'_>>, context: &str) {
        let Some(Value::Object(of_tool)) = theirs else {
            let is_empty = matches!(ours, None | Some(Value::Object(_)));
            match (ours, theirs) {
                (Some(Value::Array(of_tfview)), Some(Value::Array(items))) => {
                    assert_eq!(of_tfview.len(), items.len(), "{context}");
                    for (of_tfview, item) in of_tfview.iter().zip(items) {
                        self.part(Some(*of_tfview), Some(*item), context);
                    }
                }
                _ => assert!(
                    theirs.is_none() && is_empty,
                    "{context}: {ours:?} {theirs:?}"
                ),
            }
            return;
        };
        let of_tfview = ours.unwrap_or_default();
        if of_tool.get("constant_value").is_some() && of_tfview.get("constant_value").is_none() {
            self.unproven += 1;
            return;
        }
        self.expressions += 1;
        for (name, member) in of_tool.members() {
            match *name {
                "constant_value" | "references" => {
                    assert_eq!(of_tfview.get(name), Some(*member), "{name} of {context}");
                }
                name => self.part(
                    of_tfview.get(name),
                    Some(*member),
                    &format!("{name} of {context}"),
                ),
            }
        }
        for (name, _) in of_tfview.as_object().unwrap_or_default().members() {
            // Ours have the text of what is not constant too.
            assert!(
                *name == "text" || of_tool.get(name).is_some(),
                "{name} of {context} is not in the tool's JSON"
            );
        }
    }
}
