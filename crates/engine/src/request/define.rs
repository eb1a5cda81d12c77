//! The macros that declare requests.

use crate::catalog::Parameter;

/// Declares the request of a verb: the type, its builder methods, and the [`Verb`](crate::catalog::Verb) made from it.
///
/// The sections are:
/// - the doc comment: what the verb does, in one sentence;
/// - the block after the name: where the verb is found, its card, and the keys of its answer; `overview` (signature and
///   line) and `tool` replace what the overview and the list of tools say otherwise;
/// - `needs`: parameters that must be given, in the order of `new`;
/// - `shares`: groups of parameters that several verbs have, declared with [`parameter_group!`];
/// - `takes`: parameters that may be given;
/// - `beside`: fields that only the library can set, with setters written by hand.
///
/// A parameter is written `name: type = default => how it is typed`, its help as doc comment. `[T]` is a list,
/// `name/one: [T]` also has a setter for a single item, `(T)` is a list that differs from an empty one when it is not given,
/// and `bool` is a flag. Everything else is optional unless it has a default.
macro_rules! request {
    (
        $(#[doc = $what:literal])+
        $(with $(#[$attribute:meta])+)?
        pub struct $request:ident: $name:literal {
            command: $command:literal,
            $(aliases: [$($alias:literal),+],)?
            profile: $profile:ident,
            effect: $effect:ident $($idempotent:ident)?,
            when: $when:literal,
            when_not: $when_not:literal,
            cost: $cost:literal,
            returns: $returns:literal,
            next: $next:literal,
            example: $example:literal,
            $(overview: $signature:literal, $line:literal,)?
            $(tool: $tool:literal,)?
            answers: $answers:expr,
        }
        $(needs { $($(#[doc = $need_help:literal])+ $need:ident: $need_type:tt => $need_typed:expr),+ $(,)? })?
        $(shares { $($member:ident: $group:ident with $setters:ident),+ $(,)? })?
        $(takes { $(
            $(#[doc = $help:literal])+ $field:ident $(/ $one:ident)?: $type:tt $(= $default:tt)? => $typed:expr
        ),+ $(,)? })?
        $(beside { $($(#[doc = $beside_help:literal])+ $beside:ident: $beside_type:ty),+ $(,)? })?
    ) => {
        #[doc = concat!(
            "Request of the verb `", $name, "`.", $($what,)+
            "\n\n- Use when: ", $when, "\n- Not when: ", $when_not, "\n- Cost: ", $cost, "\n- Returns: ", $returns,
            "\n- Next: ", $next, "\n\n```sh\n", $example, "\n```",
        )]
        #[derive(Debug, Clone)]
        $($(#[$attribute])+)?
        pub struct $request {
            $($(
                #[doc = concat!($($need_help),+)]
                pub(crate) $need: crate::request::value_type!($need_type),
            )+)?
            $($(
                #[doc = concat!($($help),+)]
                pub(crate) $field: crate::request::field_type!($type $(= $default)?),
            )+)?
            $($(pub(crate) $member: $group,)+)?
            $($(
                #[doc = concat!($($beside_help),+)]
                pub(crate) $beside: $beside_type,
            )+)?
        }

        impl $request {
            fn with_defaults($($($need: crate::request::value_type!($need_type)),+)?) -> Self {
                Self {
                    $($($need,)+)?
                    $($($field: crate::request::initial!($type $(= $default)?),)+)?
                    $($($member: <$group>::default(),)+)?
                    $($($beside: Default::default(),)+)?
                }
            }

            /// Reads a request from arguments that are of the right kinds.
            #[allow(unused_variables, unused_mut, reason = "a verb may have no parameters")]
            pub(crate) fn read(arguments: &crate::request::VerbArguments<'_>) -> crate::Result<Self> {
                let mut request = Self::with_defaults($($(arguments.required(stringify!($need))?),+)?);
                $($(request.$member = <$group>::read(arguments)?;)+)?
                $($(crate::request::assign!(request.$field, arguments, $type);)+)?
                Ok(request)
            }

            crate::request::constructor! {
                (concat!("Makes a request." $($(, "\n- `", stringify!($need), "`:", $($need_help),+)+)?)) () ()
                $($($need: $need_type,)+)?
            }
            $($(crate::request::setter! { () ($($help)+) $field $(/ $one)?: $type })+)?
            $($($setters! {})+)?
        }

        crate::request::conversions! { $request $($($need: $need_type,)+)? }

        impl crate::request::Request for $request {
            const VERB: &'static crate::catalog::Verb = {
                use crate::catalog::{ValueKind::*, build::*};
                const PARTS: &[&[crate::catalog::Parameter]] = &[
                    $(&[$(crate::request::parameter!($need: $need_type, ($($need_help)+), $need_typed).required()),+],)?
                    $($(<$group>::PARAMETERS,)+)?
                    $(&[$(crate::request::parameter!(
                        $field: $type, ($($help)+), $typed $(.default(crate::request::default_text!($type, $default)))?
                    )),+],)?
                ];
                const PARAMETERS: [crate::catalog::Parameter; crate::request::count(PARTS)] =
                    crate::request::join(PARTS);
                &crate::catalog::Verb {
                    id: crate::verbs::VerbId::$request,
                    name: $name,
                    aliases: &[$($($alias),+)?],
                    command: $command,
                    profile: crate::catalog::ToolProfile::$profile,
                    effect: crate::catalog::Effect::$effect,
                    idempotent: crate::request::idempotent!($($idempotent)?),
                    parameters: &PARAMETERS,
                    fields: $answers,
                    card: crate::catalog::Card {
                        what: concat!($($what),+).trim_ascii(),
                        when: $when,
                        when_not: $when_not,
                        cost: $cost,
                        returns: $returns,
                        next: $next,
                        example: $example,
                        overview: crate::request::optional!($(($signature, $line))?),
                        tool: crate::request::optional!($($tool)?),
                    },
                }
            };

            fn from_json(
                values: &serde_json::Map<String, serde_json::Value>,
                now: elfmem_core::Timestamp,
            ) -> crate::Result<Self> {
                Self::read(&crate::request::VerbArguments::check(Self::VERB, values, now)?)
            }
        }
    };
}
pub(crate) use request;

/// Declares a request about one block, which is its first required parameter.
macro_rules! block_request {
    (
        $(#[doc = $what:literal])+
        pub struct $request:ident: $name:literal { $($head:tt)* }
        $($sections:tt)*
    ) => {
        crate::request::request! {
            $(#[doc = $what])+
            pub struct $request: $name { $($head)* }
            needs {
                /// Its id, or its beginning
                block_id: String => place("BLOCK").also(&["block", "id"]),
            }
            $($sections)*
        }
    };
}
pub(crate) use block_request;

/// Declares parameters that several verbs share. Their fields are a struct of their own; each request that has it as a
/// member has their setters too.
macro_rules! parameter_group {
    (
        $(#[doc = $doc:literal])+
        pub(crate) struct $group:ident in $member:ident with $setters:ident {
            $(
                $(#[doc = $help:literal])+ $field:ident $(/ $one:ident)?: $type:tt $(= $default:tt)? => $typed:expr
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone)]
        pub(crate) struct $group {
            $(
                #[doc = concat!($($help),+)]
                pub(crate) $field: crate::request::field_type!($type $(= $default)?),
            )+
        }

        impl Default for $group {
            fn default() -> Self {
                Self { $($field: crate::request::initial!($type $(= $default)?)),+ }
            }
        }

        impl $group {
            pub(crate) const PARAMETERS: &'static [crate::catalog::Parameter] = {
                use crate::catalog::build::*;
                &[$(crate::request::parameter!(
                    $field: $type, ($($help)+), $typed $(.default(crate::request::default_text!($type, $default)))?
                )),+]
            };

            pub(crate) fn read(arguments: &crate::request::VerbArguments<'_>) -> crate::Result<Self> {
                let mut group = Self::default();
                $(crate::request::assign!(group.$field, arguments, $type);)+
                Ok(group)
            }
        }

        macro_rules! $setters {
            () => {
                $(crate::request::setter! { ($member.) ($($help)+) $field $(/ $one)?: $type })+
            };
        }
    };
}
pub(crate) use parameter_group;

/// The type of a parameter's value.
macro_rules! value_type {
    ([$item:ty]) => { Vec<$item> };
    (($item:ty)) => { Vec<$item> };
    ($type:tt) => { $type };
}
pub(crate) use value_type;

/// The type of the field of an optional parameter.
macro_rules! field_type {
    (bool) => { bool };
    ([$item:ty]) => { Vec<$item> };
    (($item:ty)) => { Option<Vec<$item>> };
    ($type:tt = $default:tt) => { $type };
    ($type:tt) => { Option<$type> };
}
pub(crate) use field_type;

/// The value of a parameter that is not given.
macro_rules! initial {
    (String = $default:literal) => {
        $default.to_owned()
    };
    ($type:tt = $default:literal) => {
        $default
    };
    ($type:tt = $variant:ident) => {
        $type::$variant
    };
    ($type:tt) => {
        Default::default()
    };
}
pub(crate) use initial;

/// The text of a default: a literal as it is written, a variant as the word for it.
macro_rules! default_text {
    ($type:tt, $default:literal) => {
        crate::request::unquoted(stringify!($default))
    };
    ($type:tt, $variant:ident) => {
        $type::$variant.as_str()
    };
}
pub(crate) use default_text;

macro_rules! idempotent {
    () => {
        false
    };
    (idempotent) => {
        true
    };
}
pub(crate) use idempotent;

/// What may be left out of a declaration.
macro_rules! optional {
    () => {
        None
    };
    ($given:expr) => {
        Some($given)
    };
}
pub(crate) use optional;

/// One parameter as the catalog has it.
macro_rules! parameter {
    ($name:ident: $type:tt, ($($help:literal)+), $typed:expr) => {
        $typed
            .describe(
                stringify!($name),
                <crate::request::value_type!($type) as crate::request::Argument>::KIND,
                concat!($($help),+).trim_ascii(),
            )
            .meanings(<crate::request::value_type!($type) as crate::request::Argument>::MEANINGS)
    };
}
pub(crate) use parameter;

/// Sets a field if its argument was given.
macro_rules! assign {
    ($request:ident.$field:ident, $arguments:ident, $type:tt) => {
        if let Some(value) = $arguments.read::<crate::request::value_type!($type)>(stringify!($field))? {
            $request.$field = value.into();
        }
    };
}
pub(crate) use assign;

/// The builder method of one parameter.
macro_rules! setter {
    (($($path:tt)*) ($($help:literal)+) $field:ident: bool) => {
        #[doc = concat!("Turns `", stringify!($field), "` on:", $($help),+, ".")]
        #[must_use]
        pub fn $field(mut self) -> Self {
            self.$($path)* $field = true;
            self
        }
    };
    (($($path:tt)*) ($($help:literal)+) $field:ident / $one:ident: [String]) => {
        #[doc = concat!("Adds one to `", stringify!($field), "`:", $($help),+, ".")]
        #[must_use]
        pub fn $one(mut self, value: impl Into<String>) -> Self {
            self.$($path)* $field.push(value.into());
            self
        }

        crate::request::setter! { ($($path)*) ($($help)+) $field: [String] }
    };
    (($($path:tt)*) ($($help:literal)+) $field:ident: [String]) => {
        #[doc = concat!("Adds to `", stringify!($field), "`:", $($help),+, ".")]
        #[must_use]
        pub fn $field(mut self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
            self.$($path)* $field.extend(values.into_iter().map(Into::into));
            self
        }
    };
    (($($path:tt)*) ($($help:literal)+) $field:ident: [$item:ty]) => {
        #[doc = concat!("Adds to `", stringify!($field), "`:", $($help),+, ".")]
        #[must_use]
        pub fn $field(mut self, values: impl IntoIterator<Item = $item>) -> Self {
            self.$($path)* $field.extend(values);
            self
        }
    };
    (($($path:tt)*) ($($help:literal)+) $field:ident: (String)) => {
        #[allow(rustdoc::broken_intra_doc_links, reason = "a help text is plain text")]
        #[doc = concat!("Sets `", stringify!($field), "`:", $($help),+, ".")]
        #[must_use]
        pub fn $field(mut self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
            self.$($path)* $field = Some(values.into_iter().map(Into::into).collect());
            self
        }
    };
    (($($path:tt)*) ($($help:literal)+) $field:ident: String) => {
        #[allow(rustdoc::broken_intra_doc_links, reason = "a help text is plain text")]
        #[doc = concat!("Sets `", stringify!($field), "`:", $($help),+, ".")]
        #[must_use]
        pub fn $field(mut self, value: impl Into<String>) -> Self {
            let value: String = value.into();
            self.$($path)* $field = value.into();
            self
        }
    };
    (($($path:tt)*) ($($help:literal)+) $field:ident: $type:tt) => {
        #[allow(rustdoc::broken_intra_doc_links, reason = "a help text is plain text")]
        #[doc = concat!("Sets `", stringify!($field), "`:", $($help),+, ".")]
        #[must_use]
        pub fn $field(mut self, value: $type) -> Self {
            self.$($path)* $field = value.into();
            self
        }
    };
}
pub(crate) use setter;

/// The constructor: takes the required parameters one by one and passes them on.
macro_rules! constructor {
    (($doc:expr) ($($parameter:tt)*) ($($value:expr,)*)) => {
        #[doc = $doc]
        pub fn new($($parameter)*) -> Self {
            Self::with_defaults($($value),*)
        }
    };
    (($doc:expr) ($($parameter:tt)*) ($($value:expr,)*) $need:ident: String, $($rest:tt)*) => {
        crate::request::constructor! {
            ($doc) ($($parameter)* $need: impl Into<String>,) ($($value,)* $need.into(),) $($rest)*
        }
    };
    (($doc:expr) ($($parameter:tt)*) ($($value:expr,)*) $need:ident: [String], $($rest:tt)*) => {
        crate::request::constructor! {
            ($doc)
            ($($parameter)* $need: impl IntoIterator<Item = impl Into<String>>,)
            ($($value,)* $need.into_iter().map(Into::into).collect(),)
            $($rest)*
        }
    };
    (($doc:expr) ($($parameter:tt)*) ($($value:expr,)*) $need:ident: [$item:ty], $($rest:tt)*) => {
        crate::request::constructor! {
            ($doc)
            ($($parameter)* $need: impl IntoIterator<Item = impl Into<$item>>,)
            ($($value,)* $need.into_iter().map(Into::into).collect(),)
            $($rest)*
        }
    };
    (($doc:expr) ($($parameter:tt)*) ($($value:expr,)*) $need:ident: $type:tt, $($rest:tt)*) => {
        crate::request::constructor! { ($doc) ($($parameter)* $need: $type,) ($($value,)* $need,) $($rest)* }
    };
}
pub(crate) use constructor;

/// What a request can be made from: a reference to one, and the only required text or list.
macro_rules! conversions {
    ($request:ident) => {
        impl Default for $request {
            fn default() -> Self {
                Self::new()
            }
        }

        crate::request::conversions! { @reference $request }
    };
    ($request:ident $need:ident: String,) => {
        impl<T: Into<String>> From<T> for $request {
            fn from($need: T) -> Self {
                Self::new($need)
            }
        }

        crate::request::conversions! { @reference $request }
    };
    ($request:ident $need:ident: [$item:ty],) => {
        impl<T: Into<$item>, I: IntoIterator<Item = T>> From<I> for $request {
            fn from($need: I) -> Self {
                Self::new($need)
            }
        }

        crate::request::conversions! { @reference $request }
    };
    (@reference $request:ident) => {
        impl From<&$request> for $request {
            fn from(request: &$request) -> Self {
                request.clone()
            }
        }
    };
    ($request:ident $($needs:tt)+) => {
        crate::request::conversions! { @reference $request }
    };
}
pub(crate) use conversions;

/// The number of parameters in some parts.
pub(crate) const fn count(parts: &[&[Parameter]]) -> usize {
    let (mut part, mut sum) = (0, 0);
    while part < parts.len() {
        sum += parts[part].len();
        part += 1;
    }
    sum
}

/// Joins some parts. `N` is the number of parameters in them.
pub(crate) const fn join<const N: usize>(parts: &[&[Parameter]]) -> [Parameter; N] {
    let mut joined = [crate::catalog::build::flag(""); N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut place = 0;
        while place < parts[part].len() {
            joined[at] = parts[part][place];
            at += 1;
            place += 1;
        }
        part += 1;
    }
    joined
}

/// The text of a literal: without quotation marks, if it has them.
pub(crate) const fn unquoted(literal: &'static str) -> &'static str {
    match literal.as_bytes() {
        [b'"', inner @ .., b'"'] => match std::str::from_utf8(inner) {
            Ok(text) => text,
            Err(_) => literal,
        },
        _ => literal,
    }
}
