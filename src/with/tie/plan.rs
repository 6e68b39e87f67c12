//! A plan to which results are tied: finds the resources that the clues of a result lead to.

use super::file_path::is_same_file;
use super::known::KnownResources;
use super::tied::Tied;
use crate::json;
use crate::with::Clue;

/// A plan, and what has been tied to it so far.
pub struct PlanToTie<'a, 'n> {
    /// The name of its file.
    pub name: &'n str,
    /// The document, in which lines of a scanned plan are looked up.
    pub text: &'n str,
    /// The resources of the plan.
    pub known: KnownResources<'a>,
    /// By line, the address of the object that is written there; `None` until it is needed.
    at_lines: Option<Vec<Option<&'a str>>>,
    /// What was tied to it, and what fits no plan and is listed with it.
    pub tied: Tied<'a>,
}

impl<'a, 'n> PlanToTie<'a, 'n> {
    /// Makes a plan to which nothing is tied yet.
    pub fn new(name: &'n str, text: &'n str, known: KnownResources<'a>) -> Self {
        Self {
            name,
            text,
            known,
            at_lines: None,
            tied: Tied::default(),
        }
    }

    /// Returns the resources that the first conclusive clue leads to. `blocks` has the blocks at the lines of each
    /// clue.
    pub(super) fn addresses_of(
        &mut self,
        clues: &[Clue<'a>],
        blocks: &[Vec<String>],
    ) -> Vec<&'a str> {
        let mut addresses = Vec::new();
        for (clue, blocks) in clues.iter().zip(blocks) {
            match clue {
                Clue::Address(text) => addresses.extend(self.known.address(text)),
                Clue::Words(text) => addresses.extend(self.known.in_words(text)),
                Clue::Lines(_, 0) => {}
                Clue::Lines(file, first) if is_same_file(file, self.name) => {
                    addresses.extend(self.written_at(*first));
                }
                Clue::Lines(..) => {
                    // Trivy names what is in a module by its address.
                    let module = clues.iter().find_map(|clue| match clue {
                        Clue::Address(text) => {
                            Some(text.trim()).filter(|_| text.starts_with("module."))
                        }
                        Clue::Lines(..) | Clue::Words(_) => None,
                    });
                    addresses.extend(
                        blocks
                            .iter()
                            .filter_map(|block| self.known.in_module(block, module?)),
                    );
                    if addresses.is_empty() {
                        addresses.extend(
                            blocks
                                .iter()
                                .filter_map(|block| self.known.addresses.get(&**block)),
                        );
                    }
                }
            }
            if !addresses.is_empty() {
                break;
            }
        }
        addresses
    }

    /// Returns the address of the object that is written at a line of the plan; `None` unless the plan has each member
    /// on a line of its own.
    fn written_at(&mut self, line: u64) -> Option<&'a str> {
        let at_lines = self.at_lines.get_or_insert_with(|| {
            let (mut at_lines, mut open) = (Vec::new(), Vec::<(usize, &'a str)>::new());
            let mut is_opened = false;
            for line in self.text.lines() {
                let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
                open.retain(|(depth, _)| *depth <= indent);
                // The address of an object is its first member.
                let address = address_member(line).and_then(|address| self.known.address(&address));
                open.extend(address.map(|address| (indent, address)));
                if let (Some(last), true, Some(_)) = (at_lines.last_mut(), is_opened, address) {
                    *last = address;
                }
                at_lines.push(open.last().map(|(_, address)| *address));
                is_opened = line.trim_end().ends_with('{');
            }
            at_lines
        });
        at_lines
            .get(usize::try_from(line).ok()?.checked_sub(1)?)
            .copied()
            .flatten()
    }
}

fn address_member(line: &str) -> Option<json::Str<'_>> {
    let value = line
        .trim()
        .strip_prefix("\"address\"")?
        .trim_start()
        .strip_prefix(':')?;
    json::from_str(value.trim().trim_end_matches(',')).ok()
}
