//! Whether a value is of a kind of the table.

use crate::catalog::Kind;
use serde_json::Value;

/// Whether a value is what a kind asks for. Null is of no kind.
pub fn is_of_kind(kind: Kind, value: &Value) -> bool {
    let all = |is_one: fn(&Value) -> bool| value.as_array().is_some_and(|values| values.iter().all(is_one));
    match kind {
        Kind::Text | Kind::Time => value.is_string(),
        Kind::Texts => all(Value::is_string),
        Kind::Count => whole_number(value).is_some(),
        Kind::Counts => all(|one| whole_number(one).is_some()),
        Kind::Number => value.is_number(),
        Kind::Numbers => all(Value::is_number),
        Kind::Flag => value.is_boolean(),
        Kind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Kind::Object => value.is_object(),
        Kind::Objects => all(Value::is_object),
    }
}

/// A whole number, also when it is written `5.0`, as some clients do.
pub fn whole_number(value: &Value) -> Option<u64> {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let exact = |number: &f64| number.fract() == 0.0 && (0.0..=LARGEST).contains(number);
    value.as_u64().or_else(|| value.as_f64().filter(exact).map(|number| number as u64))
}
