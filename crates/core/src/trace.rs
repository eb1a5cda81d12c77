//! Declarations of the spans and events that the crates of elfmem report to `tracing`.

/// Declares functions that emit one span or one event each.
///
/// A field is a `number` (`u64`), a `word` (`&'static str`) or a `label` (`&str`, for a name out of the program's own
/// tables). Nothing else can be passed, so that no stored text and no secret gets into a log. A span is entered when its
/// function is called and left when the result is dropped.
///
/// The calling crate has an optional dependency `tracing` and a feature of that name. Without the feature the functions
/// do nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! trace_points {
    ($($(#[$attribute:meta])* $kind:ident $level:ident $name:ident($($field:ident: $type:ident),*) $($message:literal)?;)*) => {
        $($crate::trace_points!(@ $kind $(#[$attribute])* $level $name($($field: $type),*) $($message)?);)*
    };
    (@ event $(#[$attribute:meta])* $level:ident $name:ident($($field:ident: $type:ident),*) $message:literal) => {
        $(#[$attribute])*
        #[inline]
        pub(crate) fn $name($($field: $crate::trace_points!(@@ $type)),*) {
            #[cfg(feature = "tracing")]
            ::tracing::event!(target: env!("CARGO_CRATE_NAME"), ::tracing::Level::$level, $($field,)* $message);
            #[cfg(not(feature = "tracing"))]
            let _ = ($($field,)*);
        }
    };
    (@ span $(#[$attribute:meta])* $level:ident $name:ident($($field:ident: $type:ident),*)) => {
        $(#[$attribute])*
        #[inline]
        #[must_use = "the span ends when this is dropped"]
        pub(crate) fn $name($($field: $crate::trace_points!(@@ $type)),*) -> impl Sized + use<> {
            #[cfg(feature = "tracing")]
            {
                ::tracing::span!(target: env!("CARGO_CRATE_NAME"), ::tracing::Level::$level, stringify!($name), $($field),*)
                    .entered()
            }
            #[cfg(not(feature = "tracing"))]
            {
                let _ = ($($field,)*);
            }
        }
    };
    (@@ number) => { u64 };
    (@@ word) => { &'static str };
    (@@ label) => { &str };
}
