//! How the value of one parameter is read from JSON.

use elfmem_core::{BlockStatus, Timestamp};
use elfmem_text::temporal::parse_instant;
use serde_json::Value;

use super::VerbArguments;
use crate::Result;
use crate::catalog::ValueKind;

/// A type that a parameter can have.
pub(crate) trait Argument: Sized {
    /// The kind of value it is read from.
    const KIND: ValueKind;

    /// What each word of a choice means, in the order of the words.
    const MEANINGS: &'static [&'static str] = &[];

    /// Reads a value that is of the kind; `name` is the parameter's, for errors.
    fn read(name: &str, value: &Value, arguments: &VerbArguments<'_>) -> Result<Self>;
}

impl Argument for String {
    const KIND: ValueKind = ValueKind::Text;

    fn read(_: &str, value: &Value, _: &VerbArguments<'_>) -> Result<Self> {
        Ok(value.as_str().unwrap_or_default().to_owned())
    }
}

impl Argument for Vec<String> {
    const KIND: ValueKind = ValueKind::Texts;

    fn read(_: &str, value: &Value, _: &VerbArguments<'_>) -> Result<Self> {
        Ok(items(value).filter_map(|item| item.as_str().map(str::to_owned)).collect())
    }
}

impl Argument for bool {
    const KIND: ValueKind = ValueKind::Flag;

    fn read(_: &str, value: &Value, _: &VerbArguments<'_>) -> Result<Self> {
        Ok(value.as_bool().unwrap_or_default())
    }
}

impl Argument for f64 {
    const KIND: ValueKind = ValueKind::Number;

    fn read(_: &str, value: &Value, _: &VerbArguments<'_>) -> Result<Self> {
        Ok(value.as_f64().unwrap_or(Self::NAN))
    }
}

macro_rules! count_argument {
    ($($type:ty),+) => {
        $(impl Argument for $type {
            const KIND: ValueKind = ValueKind::Count;

            fn read(name: &str, value: &Value, arguments: &VerbArguments<'_>) -> Result<Self> {
                let count = whole_number(value).unwrap_or_default();
                Self::try_from(count).map_err(|_| arguments.error(format!("'{name}' is too large: {count}")))
            }
        })+
    };
}

count_argument!(u32, u64, usize, i64);

impl Argument for Vec<i64> {
    const KIND: ValueKind = ValueKind::Counts;

    fn read(name: &str, value: &Value, arguments: &VerbArguments<'_>) -> Result<Self> {
        items(value).map(|item| i64::read(name, item, arguments)).collect()
    }
}

impl Argument for [f64; 5] {
    const KIND: ValueKind = ValueKind::Numbers;

    fn read(name: &str, value: &Value, arguments: &VerbArguments<'_>) -> Result<Self> {
        let numbers: Vec<f64> = items(value).filter_map(Value::as_f64).collect();
        Self::try_from(numbers.as_slice())
            .map_err(|_| arguments.error(format!("'{name}' must be five numbers, and {} were given", numbers.len())))
    }
}

impl Argument for Value {
    const KIND: ValueKind = ValueKind::Object;

    fn read(_: &str, value: &Value, _: &VerbArguments<'_>) -> Result<Self> {
        Ok(value.clone())
    }
}

impl Argument for BlockStatus {
    const KIND: ValueKind = ValueKind::Choice(&["inbox", "active", "archived"]);
    const MEANINGS: &'static [&'static str] = &["Stored, not yet consolidated", "Consolidated", "Out of recall, kept"];

    fn read(name: &str, value: &Value, arguments: &VerbArguments<'_>) -> Result<Self> {
        arguments.deserialize(name, value)
    }
}

impl Argument for Timestamp {
    const KIND: ValueKind = ValueKind::Time;

    fn read(name: &str, value: &Value, arguments: &VerbArguments<'_>) -> Result<Self> {
        let text = value.as_str().unwrap_or_default();
        parse_instant(text, arguments.now())
            .ok_or_else(|| arguments.error(format!("'{name}' is no time that can be read: '{text:.60}'; {TIMES}")))
    }
}

/// The forms of a time.
const TIMES: &str = "give a date (2026-05-08), a date and time (2026-05-08T13:56:00Z) or English words ('last week')";

/// Lets a type that serde reads be the type of a parameter, with a kind of value.
macro_rules! object_argument {
    ($type:ty, $kind:ident) => {
        impl crate::request::Argument for $type {
            const KIND: crate::catalog::ValueKind = crate::catalog::ValueKind::$kind;

            fn read(
                name: &str,
                value: &serde_json::Value,
                arguments: &crate::request::VerbArguments<'_>,
            ) -> crate::Result<Self> {
                arguments.deserialize(name, value)
            }
        }
    };
}
pub(crate) use object_argument;

/// Lets an enum be the type of a parameter: a word stands for each variant, and a phrase says what it means.
macro_rules! choice_argument {
    ($type:ident { $($word:literal => $variant:ident, $meaning:literal;)+ }) => {
        impl $type {
            /// The word for it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl crate::request::Argument for $type {
            const KIND: crate::catalog::ValueKind = crate::catalog::ValueKind::Choice(&[$($word),+]);
            const MEANINGS: &'static [&'static str] = &[$($meaning),+];

            fn read(
                name: &str,
                value: &serde_json::Value,
                arguments: &crate::request::VerbArguments<'_>,
            ) -> crate::Result<Self> {
                match value.as_str() {
                    $(Some($word) => Ok(Self::$variant),)+
                    _ => Err(arguments.error(format!("'{name}' cannot be {value:.60}"))),
                }
            }
        }
    };
}
pub(crate) use choice_argument;

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Tells whether a value is of a kind. Null is of no kind.
pub fn is_of_kind(kind: ValueKind, value: &Value) -> bool {
    let all = |is_one: fn(&Value) -> bool| value.as_array().is_some_and(|values| values.iter().all(is_one));
    match kind {
        ValueKind::Text | ValueKind::Time => value.is_string(),
        ValueKind::Texts => all(Value::is_string),
        ValueKind::Count => whole_number(value).is_some(),
        ValueKind::Counts => all(|one| whole_number(one).is_some()),
        ValueKind::Number => value.is_number(),
        ValueKind::Numbers => all(Value::is_number),
        ValueKind::Flag => value.is_boolean(),
        ValueKind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        ValueKind::Object => value.is_object(),
        ValueKind::Objects => all(Value::is_object),
    }
}

/// Reads a whole number, also one that is written `5.0`, as some clients do.
pub fn whole_number(value: &Value) -> Option<u64> {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let exact = |number: &f64| number.fract() == 0.0 && (0.0..=LARGEST).contains(number);
    value.as_u64().or_else(|| value.as_f64().filter(exact).map(|number| number as u64))
}
