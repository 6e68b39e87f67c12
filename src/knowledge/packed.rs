//! The form in which a row is compiled into the program: one line of text, which is read in place.
//!
//! The build script writes it, and the program reads only the rows of the types in a plan: nothing is parsed when the
//! program starts, and no pointer has to be relocated. The rules of a project have the same form.
//!
//! ```text
//! aws_db_instance ␞ value ␞ guard ␞ deletion_protection ␞ off ␞ …     fields, separated by FIELD
//! a ␟ b ␟ c                                                           a list, separated by ITEM
//! name ␟ a ␟ b ␝ other ␟ c                                            named lists, separated by GROUP
//! ```

/// What separates the fields of a row.
pub(crate) const FIELD: char = '\u{1e}';

/// What separates the named lists of a field.
pub(crate) const GROUP: char = '\u{1d}';

/// What separates the items of a list. The name of a named list is its first item.
pub(crate) const ITEM: char = '\u{1f}';

/// The number of fields.
pub(crate) const FIELDS: usize = Field::OnlyIf as usize + 1;

/// The fields of a row, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Field {
    /// The list of resource types (or action types), globs or fragments for them.
    Types,
    /// The word of what the row is about: the object, an action, or values at a path.
    Event,
    /// The word of what the object or value is for others.
    Idea,
    /// The path of the values.
    Path,
    /// The word of the test that values must meet.
    Test,
    /// The list that the test compares values with; the attributes that describe an object.
    Arguments,
    /// The path of the role, if the test is about one.
    Role,
    /// The list of those who count, if the test is about a role.
    To,
    /// The name in JSON and SARIF; empty if it is made of types and path.
    Name,
    /// The words of a finding.
    What,
    /// The word of the level; empty for the default.
    Level,
    /// The word of the class of what is opened.
    Reach,
    /// `true` or `false` if the row says whether it is for created objects.
    Created,
    /// The attributes that name other objects, each with the list of their types.
    References,
    /// `true` if the row is only about objects that change in place.
    InPlace,
    /// The member that must be missing, or the policy that must deny.
    Absent,
    /// Values, each with the word of its level.
    Levels,
    /// IDs of roles, each with its name.
    RoleNames,
    /// The word of the graver direction, if it is not that of the idea.
    Direction,
    /// The word of when a service stops.
    When,
    /// Requirements on other members: a mark for the mode and the name, with the list of values.
    OnlyIf,
}

/// The mark of a requirement that a missing member meets.
pub(crate) const LAX: char = '?';

/// The mark of a requirement that a missing member does not meet.
pub(crate) const STRICT: char = '=';

/// The mark of a requirement that the listed values do not meet.
pub(crate) const INVERTED: char = '!';

/// A row that is being written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowWriter([String; FIELDS]);

impl RowWriter {
    /// Sets a field to a text.
    pub(crate) fn set(&mut self, field: Field, text: &str) {
        self.set_list(field, [text]);
    }

    /// Sets a field to a list.
    pub(crate) fn set_list<'t>(&mut self, field: Field, items: impl IntoIterator<Item = &'t str>) {
        if let Some(place) = self.0.get_mut(field as usize) {
            *place = joined(items);
        }
    }

    /// Adds a named list to a field.
    pub(crate) fn add<'t>(
        &mut self,
        field: Field,
        name: &'t str,
        items: impl IntoIterator<Item = &'t str>,
    ) {
        if let Some(place) = self.0.get_mut(field as usize) {
            if !place.is_empty() {
                place.push(GROUP);
            }
            place.push_str(&joined([name].into_iter().chain(items)));
        }
    }

    /// Returns the row as one line.
    pub(crate) fn packed(&self) -> String {
        self.0.join(&FIELD.to_string())
    }
}

/// Joins the items of a list. Control characters in them, which would end an item, are left out.
fn joined<'t>(items: impl IntoIterator<Item = &'t str>) -> String {
    let clean = |item: &str| item.replace(|c: char| c.is_ascii_control(), " ");
    let items: Vec<String> = items.into_iter().map(clean).collect();
    items.join(&ITEM.to_string())
}
