//! `--address`: the part of a plan to show in full.

use anyhow::anyhow;

use super::host::with_tip;
use crate::model::address::{AddressSelector, similar_address};
use crate::model::plan::Plan;

/// The selectors for the values of `--address`.
pub(super) fn selectors(typed: &[String]) -> Vec<AddressSelector> {
    typed.iter().map(|text| AddressSelector::new(text)).collect()
}

/// Rejects an address that is in none of the plans.
pub(super) fn require(selectors: &[AddressSelector], plans: &[&Plan<'_>]) -> anyhow::Result<()> {
    for selector in selectors {
        if plans.iter().any(|plan| selector.is_in(plan)) {
            continue;
        }
        let text = selector.text();
        let tip = match plans.iter().find_map(|plan| similar_address(text, plan)) {
            Some(similar) => format!("a similar address exists: --address {}", quoted_for_shell(&similar)),
            None => "`tfview review --list` prints the addresses of what changes".to_owned(),
        };
        let fault = format!("--address {text}: the plan has no module, resource or action of this address");
        return Err(anyhow!(with_tip(&fault, &tip)));
    }
    Ok(())
}

/// A word quoted for a shell, because most instance keys contain quotes and brackets.
fn quoted_for_shell(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::quoted_for_shell;

    #[test]
    fn keys_are_quoted_for_a_shell() {
        assert_eq!(quoted_for_shell("module.a-b.t.x_1"), "module.a-b.t.x_1");
        assert_eq!(quoted_for_shell(r#"t.x["it's"]"#), r#"'t.x["it'\''s"]'"#);
    }
}
