//! Failures that no diagnostic explains.
//!
//! Invariant: a message at the level `error` is a failure, unless it is known to be reported by another one.

use super::State;
use crate::stream::event::{Event, EventKind, LongLineKind, OperationEvent, Step, TextEvent};
use crate::text::stream::{is_init_section, is_init_success, provider_line, tofu_provider_line};

impl State {
    /// Whether an event is a failure that no diagnostic explains.
    pub(super) fn is_unexplained_failure(&self, event: &Event<'_>) -> bool {
        match &event.kind {
            EventKind::UnsavedState(_)
            | EventKind::MigrationErrored
            | EventKind::Operation(OperationEvent::Errored(None))
            | EventKind::Action(Step::Errored, _) => true,
            EventKind::Unknown => event.is_error(),
            EventKind::Log => event.is_error() && !(self.is_init && provider_line(&event.text()).is_some()),
            EventKind::Untyped => event.is_error() && !self.is_init_progress(&event.text()),
            EventKind::Validation(Ok(document)) => !document.valid || document.error_count > 0,
            EventKind::Validation(Err(_)) => true,
            EventKind::Text(
                TextEvent::PartialMessage { is_error, .. }
                | TextEvent::Withheld { is_error, .. }
                | TextEvent::LongLineEnded {
                    kind: LongLineKind::Message { is_error, .. } | LongLineKind::Withheld { is_error, .. },
                    ..
                },
            ) => *is_error,
            EventKind::Version(_)
            | EventKind::Operation(
                OperationEvent::Errored(Some(_))
                | OperationEvent::Started(_)
                | OperationEvent::Progress(_)
                | OperationEvent::Complete(_)
                | OperationEvent::RefreshStarted(_)
                | OperationEvent::RefreshComplete(_)
                | OperationEvent::EphemeralStarted(_)
                | OperationEvent::EphemeralComplete(_)
                | OperationEvent::EphemeralErrored(_),
            )
            | EventKind::Provisioner(..)
            | EventKind::Action(Step::Started | Step::Progress | Step::Complete, _)
            | EventKind::Plan(_)
            | EventKind::Summary(_)
            | EventKind::Outputs(_)
            | EventKind::InitOutput(_)
            | EventKind::Test(_)
            | EventKind::Query(_)
            | EventKind::Policy(_)
            | EventKind::Malformed
            | EventKind::Diagnostic(_)
            | EventKind::Diagnostics(_)
            | EventKind::Text(
                TextEvent::Line { .. }
                | TextEvent::LongLineStarted
                | TextEvent::LongLinePart(_)
                | TextEvent::LongLineEnded { kind: LongLineKind::Text, .. }
                | TextEvent::AroundMessages
                | TextEvent::CutOff
                | TextEvent::Archive,
            )
            | EventKind::Phase(_)
            | EventKind::Tick { .. } => false,
        }
    }

    /// Whether a message without a type is about the progress of OpenTofu's `init`.
    fn is_init_progress(&self, text: &str) -> bool {
        is_init_section(text)
            || (self.is_init && (is_init_success(text) || tofu_provider_line(text).is_some()))
    }
}
