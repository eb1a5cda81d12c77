//! Changes in a JSON text that leave everything else as it is, byte for byte: the order of keys, the white space, the numbers as written.

use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// Why a text cannot be changed.
#[derive(Debug)]
pub(crate) enum JsonProblem {
    /// It is not JSON.
    Syntax(serde_json::Error),
    /// A part of it is something else than it should be.
    OtherKind {
        /// The keys that lead there.
        place: String,
        /// What it should be.
        wanted: &'static str,
    },
}

impl std::fmt::Display for JsonProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "it is not JSON: {error}"),
            Self::OtherKind { place, wanted } if place.is_empty() => write!(f, "it is not {wanted}"),
            Self::OtherKind { place, wanted } => write!(f, "'{place}' is not {wanted}"),
        }
    }
}

impl From<serde_json::Error> for JsonProblem {
    fn from(error: serde_json::Error) -> Self {
        Self::Syntax(error)
    }
}

/// What is done at the end of a path of keys.
#[derive(Debug, Clone, Copy)]
pub(crate) enum JsonEdit<'a> {
    /// The value there becomes this one.
    Set(&'a Value),
    /// The list there gets this one more.
    Append(&'a Value),
}

/// The text of an object with one edit at a path of keys; objects and lists that are missing are made.
pub(crate) fn edited(text: &str, path: &[&str], edit: JsonEdit<'_>) -> Result<String, JsonProblem> {
    let whole: &RawValue = serde_json::from_str(text)?;
    let writer =
        JsonWriter { text, indent: indent_of(text), newline: if text.contains("\r\n") { "\r\n" } else { "\n" } };
    writer.edit(place_of(text, whole), path, &mut Vec::new(), edit)
}

/// The members of an object in the order they are written.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Where a part of a text stands in it.
fn place_of(text: &str, part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.get().len()
}

/// What one step to the right is in this text.
fn indent_of(text: &str) -> String {
    let indented = text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    let step = indented.map(|line| line[..line.len() - line.trim_start().len()].to_owned());
    step.unwrap_or_else(|| "  ".to_owned())
}

/// Writes into a text in that text's own manner.
struct JsonWriter<'a> {
    text: &'a str,
    indent: String,
    newline: &'static str,
}

impl<'a> JsonWriter<'a> {
    fn edit(
        &self,
        object: Range<usize>,
        path: &[&str],
        walked: &mut Vec<String>,
        edit: JsonEdit<'_>,
    ) -> Result<String, JsonProblem> {
        let Some((key, rest)) = path.split_first() else { return self.at_the_end(object, walked, edit) };
        let part = &self.text[object.clone()];
        if !part.starts_with('{') {
            return Err(JsonProblem::OtherKind { place: walked.join("."), wanted: "an object" });
        }
        let Members(members) = serde_json::from_str(part)?;
        // Of several members with one key the last counts, as it does for those who read the file.
        if let Some((_, value)) = members.iter().rfind(|(name, _)| name == key) {
            walked.push((*key).to_owned());
            return self.edit(place_of(self.text, value), rest, walked, edit);
        }
        let end = match edit {
            JsonEdit::Set(value) => value.clone(),
            JsonEdit::Append(value) => Value::Array(vec![value.clone()]),
        };
        let value =
            rest.iter().rev().fold(end, |inner, key| Value::Object([((*key).to_owned(), inner)].into_iter().collect()));
        let last = members.last().map(|(_, value)| place_of(self.text, value).end);
        Ok(self.with_item(object, last, walked.len(), |level| {
            Ok(format!("{}: {}", serde_json::to_string(key)?, self.written(&value, level)?))
        })?)
    }

    fn at_the_end(&self, place: Range<usize>, walked: &[String], edit: JsonEdit<'_>) -> Result<String, JsonProblem> {
        match edit {
            JsonEdit::Set(value) => {
                let new = self.written(value, Some(walked.len()))?;
                Ok(format!("{}{new}{}", &self.text[..place.start], &self.text[place.end..]))
            }
            JsonEdit::Append(value) => {
                let part = &self.text[place.clone()];
                if !part.starts_with('[') {
                    return Err(JsonProblem::OtherKind { place: walked.join("."), wanted: "a list" });
                }
                let items: Vec<&RawValue> = serde_json::from_str(part)?;
                let last = items.last().map(|item| place_of(self.text, item).end);
                Ok(self.with_item(place, last, walked.len(), |level| self.written(value, level))?)
            }
        }
    }

    /// The text with one item more in an object or a list. `item` is asked for the item at a level, none for one line.
    fn with_item(
        &self,
        container: Range<usize>,
        last: Option<usize>,
        level: usize,
        item: impl FnOnce(Option<usize>) -> serde_json::Result<String>,
    ) -> serde_json::Result<String> {
        let one_line = last.is_some() && !self.text[container.clone()].contains('\n');
        let (line, outer) = (self.line(level + 1), self.line(level));
        Ok(match last {
            Some(last) if one_line => format!("{}, {}{}", &self.text[..last], item(None)?, &self.text[last..]),
            Some(last) => format!("{},{line}{}{}", &self.text[..last], item(Some(level + 1))?, &self.text[last..]),
            None => {
                let (before, after) = (&self.text[..=container.start], &self.text[container.end - 1..]);
                format!("{before}{line}{}{outer}{after}", item(Some(level + 1))?)
            }
        })
    }

    /// The end of a line and the beginning of the next.
    fn line(&self, level: usize) -> String {
        format!("{}{}", self.newline, self.indent.repeat(level))
    }

    /// A value as it is written at a level, or on one line.
    fn written(&self, value: &Value, level: Option<usize>) -> serde_json::Result<String> {
        let Some(level) = level else { return serde_json::to_string(value) };
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.indent.as_bytes());
        serde::Serialize::serialize(value, &mut serde_json::Serializer::with_formatter(&mut bytes, formatter))?;
        Ok(String::from_utf8_lossy(&bytes).replace('\n', &self.line(level)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn set(text: &str, path: &[&str], value: &Value) -> String {
        edited(text, path, JsonEdit::Set(value)).unwrap()
    }

    #[test]
    fn a_member_is_added_in_the_manner_of_the_text_and_the_rest_is_not_touched() {
        let text = "{\n    \"b\": 1.50,\n    \"a\": { \"x\" : [1,2] }\n}\n";
        let after = set(text, &["c", "d"], &json!(["e"]));
        assert_eq!(
            after,
            "{\n    \"b\": 1.50,\n    \"a\": { \"x\" : [1,2] },\n    \"c\": {\n        \"d\": [\n            \"e\"\n        ]\n    }\n}\n"
        );
        assert_eq!(set(text, &["a", "y"], &json!(true)).matches("{ \"x\" : [1,2], \"y\": true }").count(), 1);
        assert_eq!(set("{}", &["a"], &json!(1)), "{\n  \"a\": 1\n}");
        assert_eq!(set("{\"a\":1}", &["b"], &json!({"c": 2})), "{\"a\":1, \"b\": {\"c\":2}}");
        assert_eq!(set("{\r\n\t\"a\": {}\r\n}", &["a", "b"], &json!(1)), "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}");
    }

    #[test]
    fn a_list_gets_one_more_and_a_missing_one_is_made() {
        let append = |text: &str| edited(text, &["l"], JsonEdit::Append(&json!("x"))).unwrap();
        assert_eq!(append("{\"l\": [1]}"), "{\"l\": [1, \"x\"]}");
        assert_eq!(append("{\n  \"l\": [\n    1\n  ]\n}"), "{\n  \"l\": [\n    1,\n    \"x\"\n  ]\n}");
        assert_eq!(append("{\n  \"l\": []\n}"), "{\n  \"l\": [\n    \"x\"\n  ]\n}");
        assert_eq!(append("{}"), "{\n  \"l\": [\n    \"x\"\n  ]\n}");
    }

    #[test]
    fn what_is_no_object_or_no_list_is_refused() {
        for (text, path) in [("[]", &["a"][..]), ("{\"a\": 1}", &["a", "b"]), ("{\"a\": 1", &["a"]), ("", &["a"])] {
            assert!(edited(text, path, JsonEdit::Set(&json!(1))).is_err(), "{text}");
        }
        let problem = edited("{\"a\": {\"b\": 1}}", &["a", "b"], JsonEdit::Append(&json!(1))).unwrap_err();
        assert_eq!(problem.to_string(), "'a.b' is not a list");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-c\"\\\\{}\\[\\],:é\n]{0,6}".prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[ab\"{]{1,2}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect()))
            ]
        })
    }

    proptest! {
        #[test]
        fn the_text_afterwards_means_what_setting_it_means(
            members in prop::collection::btree_map("[ab\"{]{1,2}", any_json(), 0..4),
            path in prop::collection::vec("[ab]", 1..3),
            value in any_json(),
            pretty in any::<bool>(),
        ) {
            let before = Value::Object(members.into_iter().collect());
            let text = if pretty { serde_json::to_string_pretty(&before) } else { serde_json::to_string(&before) }.unwrap();
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            let mut expected = before.clone();
            let mut place = &mut expected;
            let mut fits = true;
            for key in &keys {
                if !place.is_object() {
                    fits = false;
                    break;
                }
                place = place.as_object_mut().unwrap().entry(*key).or_insert_with(|| json!({}));
            }
            match edited(&text, &keys, JsonEdit::Set(&value)) {
                Ok(after) => {
                    prop_assert!(fits);
                    *place = value;
                    prop_assert_eq!(serde_json::from_str::<Value>(&after).unwrap(), expected);
                }
                Err(_) => prop_assert!(!fits),
            }
        }
    }
}
