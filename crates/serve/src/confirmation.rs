//! Verbs that cannot be undone need a confirmation.

use elfmem_engine::ErrorKind;
use elfmem_engine::catalog::{Verb, VerbId};
use serde_json::{Map, Value};

use crate::refusal::Refusal;

/// The parameter of `purge` that holds the text of the block.
const CONFIRM: &str = "confirm";

/// Checks that a purge is confirmed with a text. The verb compares it with the text of the block.
pub(crate) fn check(verb: &Verb, arguments: &Map<String, Value>) -> Result<(), Refusal> {
    if verb.id != VerbId::Purge || arguments.get(CONFIRM).is_some_and(|text| !text.is_null()) {
        return Ok(());
    }
    Err(Refusal {
        kind: ErrorKind::Input.as_str(),
        message: "A purge cannot be undone, and nothing confirms it. Nothing was changed.".to_owned(),
        recovery: "Read the block with show(), and give its whole text as confirm.".to_owned(),
    })
}

/// Returns what a call of a verb needs here besides its required parameters.
pub(crate) fn needs(verb: &Verb) -> &'static str {
    match verb.id {
        VerbId::Purge => "confirm, with the whole text of the block: read it with show().",
        _ => "",
    }
}

/// Adds the confirmation to the arguments of an example.
pub(crate) fn complete_example(verb: &Verb, arguments: &mut Map<String, Value>) {
    if verb.id == VerbId::Purge {
        arguments.insert(CONFIRM.to_owned(), "the whole text of the block".into());
    }
}

#[cfg(test)]
mod tests {
    use elfmem_engine::catalog::find;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_purge_is_confirmed_and_nothing_else_is() {
        let checked = |verb: &str, arguments: Value| check(find(verb).unwrap(), arguments.as_object().unwrap());
        for unconfirmed in [json!({"block_id": "1f3a"}), json!({"block_id": "1f3a", "confirm": null})] {
            assert!(checked("purge", unconfirmed).unwrap_err().recovery.contains("confirm"));
        }
        assert_eq!(checked("purge", json!({"block_id": "1f3a", "confirm": "text"})), Ok(()));
        assert_eq!(checked("forget", json!({"block_id": "1f3a"})), Ok(()));
    }
}
