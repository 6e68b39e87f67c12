//! Lists the parts of a plan that are compared (changes, deferred changes, drift, outputs and invocations of actions),
//! and compares two that belong together.

use std::borrow::Cow;

use bumpalo::Bump;

use crate::compare::copies::{Author, authored, leave_out, note_names};
use crate::compare::keys::{invocation_key, provider_path};
use crate::compare::values::{
    ActionPair, compare_identities, compare_new_values, compare_plan_values,
};
use crate::compare::{
    About, ActionWords, Class, ClassifiedDifferences, DifferenceKind, INVOKED, Property, Subject,
    json_text,
};
use crate::diff::Error;
use crate::diff::edits::{Comparer, PlanPart, Sides, parts, visible_paths};
use crate::diff::value::{Builder, MarkedValue};
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Change, Plan, ResourceChange};
use crate::review::ChangeKind;
use crate::schema::Position;

/// A part of a plan, with everything besides its values that is compared.
#[derive(Clone, Copy)]
pub(super) struct Item<'p, 'a> {
    /// The part.
    pub(super) part: PlanPart<'p, 'a>,
    /// The subject of its differences.
    pub(super) about: About<'p>,
    /// The mode of the resource; empty for other parts.
    mode: &'p str,
    /// The type of the resource; empty for other parts.
    pub(super) resource_type: &'p str,
    /// The source address of the provider, without the host of a public registry; empty for outputs.
    provider: &'p str,
    /// The previous address of an object that is moved; otherwise empty.
    pub(super) previous: &'p str,
    /// The reason for the action, in the tool's word; empty if there is none.
    reason: &'p str,
    /// The reason why the part is deferred, in the tool's word; empty if it is not.
    deferred: &'p str,
    /// The invocation, if the part is an action.
    action: Option<&'p ActionInvocation<'a>>,
}

/// The key of a part. Parts of two plans with the same key belong together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key<'p> {
    /// The subject, which distinguishes the lists of a plan.
    subject: Subject,
    /// The mode of the resource.
    mode: &'p str,
    /// The type of the resource; empty for other parts.
    resource_type: &'p str,
    /// The address, the name of an output, or the key of an invocation.
    name: Cow<'p, str>,
    /// The deposed key; empty for everything but a deposed object.
    deposed: &'p str,
}

/// Lists the parts of a plan that are compared.
pub(super) fn items<'p, 'a>(plan: &'p Plan<'a>) -> Vec<Item<'p, 'a>> {
    let item = |part: PlanPart<'p, 'a>| {
        let item = |about, provider, deferred| {
            let (mode, resource_type, previous, reason, action) = ("", "", "", "", None);
            let provider = provider_path(provider);
            Item {
                part,
                about,
                mode,
                resource_type,
                provider,
                previous,
                reason,
                deferred,
                action,
            }
        };
        let object = |subject, object: &'p ResourceChange<'a>, deferred: &'p str| Item {
            mode: &object.mode,
            resource_type: &object.resource_type,
            previous: if object.is_moved() {
                &object.previous_address
            } else {
                ""
            },
            reason: &object.action_reason,
            ..item(
                About {
                    subject,
                    ..About::object(object)
                },
                &object.provider_name,
                deferred,
            )
        };
        let invocation = |subject, action: &'p ActionInvocation<'a>, deferred: &'p str| Item {
            action: Some(action),
            ..item(
                About::new(subject, &action.address),
                &action.provider_name,
                deferred,
            )
        };
        match part {
            PlanPart::Planned(change) => object(Subject::Resource, change, ""),
            PlanPart::Drift(change) => object(Subject::Drift, change, ""),
            PlanPart::Deferred(of) => object(Subject::Deferred, &of.resource_change, &of.reason),
            PlanPart::Output(name, _) => item(About::new(Subject::Output, name), "", ""),
            PlanPart::Invocation(action) => invocation(Subject::Invocation, action, ""),
            PlanPart::DeferredInvocation(of) => invocation(
                Subject::DeferredInvocation,
                &of.action_invocation,
                &of.reason,
            ),
        }
    };
    parts(plan).map(item).collect()
}

impl<'p, 'a> Item<'p, 'a> {
    pub(super) fn key(self) -> Key<'p> {
        self.key_at(self.action.map_or(self.about.address.into(), |action| {
            invocation_key(action).into()
        }))
    }

    /// Returns the key with another address.
    fn key_at(self, name: Cow<'p, str>) -> Key<'p> {
        let About {
            subject, deposed, ..
        } = self.about;
        Key {
            subject,
            mode: self.mode,
            resource_type: self.resource_type,
            name,
            deposed,
        }
    }

    /// Returns the key with the previous address, if the object is moved.
    pub(super) fn previous_key(self) -> Option<Key<'p>> {
        (!self.previous.is_empty()).then(|| self.key_at(self.previous.into()))
    }

    pub(super) fn is_destroyed(self) -> bool {
        self.part.change().actions == Action::Delete
    }

    /// Returns the values before and after the change. Malformed values count as null here; they cause an error when
    /// they are compared.
    pub(super) fn values<'v>(self, build: Builder<'_, 'v>) -> [MarkedValue<'v>; 2]
    where
        'a: 'v,
    {
        Sides::read(&self.part.change(), Position::Unspecified, build)
            .map_or([build.null(); 2], |sides| [sides.before, sides.after])
    }

    fn kind(self) -> ChangeKind {
        let change = self.part.change();
        ChangeKind::from_action(
            &change.actions,
            change.importing.is_some(),
            !self.previous.is_empty(),
        )
    }

    /// Returns what is done, in words.
    pub(super) fn words(self) -> ActionWords {
        match self.action {
            Some(_) => ActionWords::new("invoke", INVOKED),
            None => ActionWords::new(self.part.change().actions.words(), self.kind().phrase()),
        }
    }

    /// Returns the class of the part if only the new plan has it.
    pub(super) fn class(self) -> Class {
        match self.about.subject {
            // A deferred change or action is not done in this plan.
            Subject::Deferred | Subject::DeferredInvocation => Class::Reduced,
            Subject::Output => Class::Value,
            Subject::Invocation => Class::Action,
            Subject::Resource
            | Subject::Drift
            | Subject::Variable
            | Subject::ProviderConfiguration
            | Subject::Plan
            | Subject::Run => Class::of_object(self.mode, &self.part.change().actions, self.kind()),
        }
    }

    /// Compares two parts that belong together: actions, addresses, imports, providers and reasons, then values and
    /// marks. `positions` are those of the values in the schemas of both plans, `identity` the attributes that identify
    /// the object.
    ///
    /// # Errors
    /// If a value is malformed.
    pub(super) fn differences<'w>(
        self,
        new: Self,
        positions: [Position<'a>; 2],
        identity: &[&str],
        authors: &[Author<'_, 'a>; 2],
        comparer: &mut Comparer<'w, 'a>,
    ) -> Result<ClassifiedDifferences<'a>, Error> {
        let (was, is) = (self.part.change(), new.part.change());
        let build = comparer.build;
        let sides = [
            Sides::read(&was, positions[0], build)?,
            Sides::read(&is, positions[1], build)?,
        ];
        let is_output = self.about.subject == Subject::Output;
        let mut differences = self.property_differences(new, &sides, build.arena())?;
        if self.action.is_some() {
            differences.extend(compare_new_values(
                comparer,
                sides.map(|sides| sides.after),
                positions[1],
            ));
            return Ok(differences);
        }
        let mut actions = ActionPair::new(&was.actions, &is.actions, identity);
        if is_output {
            actions.stays = !actions.has_other_actions;
            actions.makes_whole_object = false;
        }
        differences.extend(compare_plan_values(comparer, sides, actions));
        let class = actions.class_of_identity;
        differences.extend(compare_identities(comparer, [&was, &is], sides, class)?);
        if let (Some(old), Some(new)) = (self.part.object(), new.part.object()) {
            let values = sides.map(|sides| [sides.before, sides.after]).concat();
            note_names(&mut differences, sides.map(|sides| sides.after), comparer);
            leave_out(&mut differences, &values, comparer, &|| {
                authored(&[(&authors[0], old), (&authors[1], new)])
            });
        }
        Ok(differences)
    }

    /// Compares the properties of two entries that belong together: everything but their values.
    fn property_differences<'w>(
        self,
        new: Self,
        sides: &[Sides<'w>; 2],
        arena: &'w Bump,
    ) -> Result<ClassifiedDifferences<'a>, Error>
    where
        'a: 'w,
    {
        let (was, is) = (self.part.change(), new.part.change());
        let is_output = self.about.subject == Subject::Output;
        let mut differences = ClassifiedDifferences::new();
        let mut add = |class, property: Property, approved: &str, now: &str| {
            differences.extend(property.differs(approved, now).map(|what| (class, what)));
        };
        let class = Class::of_actions(&was.actions, &is.actions).filter(|_| !is_output);
        let class = class.unwrap_or(Class::Value);
        add(
            class,
            Property::Actions,
            was.actions.words(),
            is.actions.words(),
        );
        // If an approved move has already been done, less remains to do.
        let class = if new.previous.is_empty() {
            Class::Reduced
        } else {
            Class::Action
        };
        add(
            class,
            Property::PreviousAddress,
            self.previous,
            new.previous,
        );
        let class = match (&was.importing, &is.importing) {
            (Some(_), None) => Class::Reduced,
            (Some(old), Some(new)) if old.unknown && !new.unknown => Class::Known,
            (Some(old), Some(new)) if !old.unknown && new.unknown => Class::Unknown,
            (None | Some(_), _) => Class::Action,
        };
        add(
            class,
            Property::Importing,
            &import_text(&was)?,
            &import_text(&is)?,
        );
        add(
            Class::Action,
            Property::Provider,
            self.provider,
            new.provider,
        );
        let (gone, added) = replace_paths([&was, &is], sides, arena)?;
        let class = if added.is_empty() {
            Class::Reduced
        } else {
            Class::Value
        };
        add(class, Property::ReplacePaths, &gone, &added);
        add(
            Class::NotationOnly,
            Property::Reason,
            self.reason,
            new.reason,
        );
        add(
            Class::NotationOnly,
            Property::DeferredReason,
            self.deferred,
            new.deferred,
        );
        let on_failure = |item: Self| item.action.map_or("", ActionInvocation::on_failure);
        add(
            Class::Action,
            Property::OnFailure,
            on_failure(self),
            on_failure(new),
        );
        if *was.generated_config != *is.generated_config {
            // The text may contain anything, without marks for sensitive parts, so it is not shown.
            let property = Property::GeneratedConfig;
            differences.push((
                Class::NotationOnly,
                DifferenceKind::Property {
                    property,
                    approved: None,
                    now: None,
                },
            ));
        }
        Ok(differences)
    }
}

/// Returns the ID and the identity of an imported object as text; empty if the object is not imported.
fn import_text(change: &Change<'_>) -> Result<String, Error> {
    let Some(importing) = &change.importing else {
        return Ok(String::new());
    };
    let arena = Bump::new();
    let identity = match importing.identity {
        Some(identity) => json_text(identity.value(&arena)?),
        None => String::new(),
    };
    Ok(match (&*importing.id, &*identity) {
        _ if importing.unknown => "(known after apply)".to_owned(),
        ("", "") => "(no ID)".to_owned(),
        (one, "") | ("", one) => one.to_owned(),
        (id, identity) => format!("{id} {identity}"),
    })
}

/// Returns the paths that force replacement in the old plan only, and in the new plan only, as lists of text. What one
/// plan hides is hidden in the other too.
fn replace_paths<'w>(
    changes: [&Change<'w>; 2],
    sides: &[Sides<'w>; 2],
    arena: &'w Bump,
) -> Result<(String, String), Error> {
    let [mut old, mut new] = [Vec::new(), Vec::new()];
    for (change, paths) in changes.into_iter().zip([&mut old, &mut new]) {
        let value = visible_paths(
            Raw::value_or_null(change.replace_paths, arena)?,
            sides,
            arena,
        );
        paths.extend(
            value
                .as_array()
                .unwrap_or_default()
                .iter()
                .map(|path| json_text(*path)),
        );
        paths.sort_unstable();
        paths.dedup();
    }
    let only = |paths: &[String], others: &[String]| {
        let only = paths
            .iter()
            .filter(|path| others.binary_search(path).is_err());
        only.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    Ok((only(&old, &new), only(&new, &old)))
}
