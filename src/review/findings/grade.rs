//! Grades how grave it is that others can reach something, by the class of what they reach.
//!
//! ```text
//! grade(Shell, true)   (Critical, 41)      grade(Shell, false)   (Warning, 40)
//! ```

use crate::access::Class;
use crate::review::entry::Level;

/// Returns the level and weight of an exposure. `is_world` is whether everybody can reach it. The weight orders
/// exposures of the same level.
pub(super) fn grade(class: Class, is_world: bool) -> (Level, u8) {
    let (level, weight) = match class {
        Class::Administration => (Level::Critical, 60),
        Class::Data => (Level::Critical, 50),
        Class::Shell => (Level::Critical, 40),
        Class::Database => (Level::Critical, 30),
        Class::Other => (Level::Warning, 20),
        Class::Web => (Level::Notice, 10),
    };
    let level = if is_world {
        level
    } else {
        level.min(Level::Warning)
    };
    (level, weight + u8::from(is_world))
}
