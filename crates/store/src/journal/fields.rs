//! The fields of a row as JSON, one by one, made without a tree of values in between.
//!
//! The journal notes thousands of rows in one transaction. A row goes field by field into one text; which fields differ
//! between two states of it is then a comparison of parts of texts.

use std::borrow::Cow;
use std::ops::Range;

use serde::ser::{Error as _, Impossible, Serialize, SerializeMap, SerializeStruct, Serializer};
use serde_json::Error;

/// The fields of a row in the order of their names; empty ones are left out.
#[derive(Debug)]
pub(crate) struct Fields {
    text: Vec<u8>,
    fields: Vec<(Cow<'static, str>, Range<usize>)>,
}

/// Room for most rows, so that making one does not allocate again and again.
impl Default for Fields {
    fn default() -> Self {
        Self { text: Vec::with_capacity(512), fields: Vec::with_capacity(16) }
    }
}

impl Fields {
    /// Those of a row; none of something that has no fields.
    pub(crate) fn of<T: Serialize>(row: &T) -> Self {
        let mut fields = row.serialize(FieldSerializer(Self::default())).unwrap_or_default();
        fields.fields.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        fields
    }

    /// Leaves a field out.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.fields.retain(|(field, _)| field != name);
        self
    }

    /// Names and values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, part)| (name.as_ref(), self.value(part)))
    }

    fn get(&self, name: &str) -> Option<&str> {
        let at = self.fields.binary_search_by(|(field, _)| field.as_ref().cmp(name)).ok()?;
        Some(self.value(&self.fields[at].1))
    }

    fn value(&self, part: &Range<usize>) -> &str {
        std::str::from_utf8(&self.text[part.clone()]).unwrap_or_default()
    }

    fn push<T: Serialize + ?Sized>(&mut self, name: impl Into<Cow<'static, str>>, value: &T) -> Result<(), Error> {
        let start = self.text.len();
        serde_json::to_writer(&mut self.text, value)?;
        if &self.text[start..] == b"null" {
            self.text.truncate(start);
        } else {
            self.fields.push((name.into(), start..self.text.len()));
        }
        Ok(())
    }
}

/// Both sides of what differs between two states of a row, as JSON objects; none when nothing does. A field that one side
/// lacks is null there.
pub(crate) fn differing(before: &Fields, after: &Fields) -> Option<(String, String)> {
    let (mut old, mut new) = (String::new(), String::new());
    let names = before.iter().map(|(name, _)| name);
    let added = after.iter().map(|(name, _)| name).filter(|name| before.get(name).is_none());
    for name in names.chain(added) {
        let (was, is) = (before.get(name), after.get(name));
        if was != is {
            add(&mut old, name, was.unwrap_or("null"));
            add(&mut new, name, is.unwrap_or("null"));
        }
    }
    (!new.is_empty()).then(|| (old + "}", new + "}"))
}

/// Some fields as a JSON object.
pub(crate) fn object<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::with_capacity(512);
    fields.for_each(|(name, value)| add(&mut text, name, value));
    if text.is_empty() { "{}".to_owned() } else { text + "}" }
}

/// Names of fields are plain words and need no escaping.
fn add(text: &mut String, name: &str, value: &str) {
    text.push_str(if text.is_empty() { "{\"" } else { ",\"" });
    text.push_str(name);
    text.push_str("\":");
    text.push_str(value);
}

/// Takes a struct or a map apart; of anything else there are no fields.
struct FieldSerializer(Fields);

/// A struct or a map on its way.
struct Taken {
    fields: Fields,
    /// The key of a map whose value comes next.
    key: String,
}

impl SerializeStruct for Taken {
    type Ok = Fields;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.fields.push(name, value)
    }

    fn end(self) -> Result<Fields, Error> {
        Ok(self.fields)
    }
}

impl SerializeMap for Taken {
    type Ok = Fields;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let quoted = serde_json::to_string(key)?;
        self.key = quoted.trim_matches('"').to_owned();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        self.fields.push(key, value)
    }

    fn end(self) -> Result<Fields, Error> {
        Ok(self.fields)
    }
}

/// What has no fields is refused.
macro_rules! without_fields {
    ($($method:ident($($argument:ty),*) -> $answer:ty;)*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<$answer, Error> { Err(Error::custom("not a row")) })*
    };
}

impl Serializer for FieldSerializer {
    type Ok = Fields;
    type Error = Error;
    type SerializeSeq = Impossible<Fields, Error>;
    type SerializeTuple = Impossible<Fields, Error>;
    type SerializeTupleStruct = Impossible<Fields, Error>;
    type SerializeTupleVariant = Impossible<Fields, Error>;
    type SerializeMap = Taken;
    type SerializeStruct = Taken;
    type SerializeStructVariant = Impossible<Fields, Error>;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Taken, Error> {
        Ok(Taken { fields: self.0, key: String::new() })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Taken, Error> {
        Ok(Taken { fields: self.0, key: String::new() })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Fields, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Fields, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Fields, Error> {
        Err(Error::custom("not a row"))
    }

    without_fields! {
        serialize_bool(bool) -> Fields;
        serialize_i8(i8) -> Fields;
        serialize_i16(i16) -> Fields;
        serialize_i32(i32) -> Fields;
        serialize_i64(i64) -> Fields;
        serialize_u8(u8) -> Fields;
        serialize_u16(u16) -> Fields;
        serialize_u32(u32) -> Fields;
        serialize_u64(u64) -> Fields;
        serialize_f32(f32) -> Fields;
        serialize_f64(f64) -> Fields;
        serialize_char(char) -> Fields;
        serialize_str(&str) -> Fields;
        serialize_bytes(&[u8]) -> Fields;
        serialize_none() -> Fields;
        serialize_unit() -> Fields;
        serialize_unit_struct(&'static str) -> Fields;
        serialize_unit_variant(&'static str, u32, &'static str) -> Fields;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::{BlockId, Edge, EdgeKey, EdgeOrigin, Relation, Timestamp};
    use serde_json::{Value, json};

    #[test]
    fn a_row_with_parts_taken_in_reads_as_it_would_as_a_tree() {
        let key = EdgeKey::canonical(&BlockId::from_stored("a"), &BlockId::from_stored("b")).unwrap();
        let mut edge = Edge::new(key, Relation::SIMILAR, EdgeOrigin::AGENT, Timestamp::UNIX_EPOCH);
        edge.note = Some("said \"so\"\n".to_owned());
        let read: Value = serde_json::from_str(&object(Fields::of(&edge).iter())).unwrap();
        let mut tree = serde_json::to_value(&edge).unwrap();
        tree.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        assert_eq!(read, tree);
    }

    #[test]
    fn what_is_no_row_has_no_fields() {
        for nothing in [json!(null), json!(5), json!("x"), json!([1, 2])] {
            assert_eq!(Fields::of(&nothing).iter().count(), 0);
        }
        assert_eq!(object(Fields::of(&5).iter()), "{}");
    }
}
