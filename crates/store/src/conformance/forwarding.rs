//! Stores around a store, for tests that fail, wait or die at a chosen moment of reading or writing.

/// All of a [`Store`](crate::Store) but reading and writing, passed on to the store in a field: `forward_rest!(inner);`. With
/// `forward_rest!(inner, check);` the method `check` may refuse first.
#[macro_export]
macro_rules! forward_rest {
    ($inner:ident $(, $check:ident)?) => {
        $crate::forward_rest! { @methods $inner ($($check)?)
            checkpoint() -> ();
            scrub() -> bool;
            give_back_room() -> bool;
            examine(view: &elfmem_core::ScopeView, watch: $crate::CheckProgress<'_>) -> Vec<$crate::Finding>;
            repair(view: &elfmem_core::ScopeView, header: &$crate::JournalHeader) -> ();
            digest() -> $crate::Digest;
            bytes() -> u64;
        }

        fn location(&self) -> String {
            self.$inner.location()
        }
    };
    (@methods $inner:ident $check:tt $($method:ident($($name:ident: $type:ty),*) -> $answer:ty;)*) => {
        $($crate::forward_rest! { @method $inner $check $method($($name: $type),*) -> $answer })*
    };
    (@method $inner:ident ($($check:ident)?) $method:ident($($name:ident: $type:ty),*) -> $answer:ty) => {
        fn $method(&self, $($name: $type),*) -> ::std::result::Result<$answer, $crate::StoreError> {
            $(self.$check::<$crate::StoreError>()?;)?
            self.$inner.$method($($name),*)
        }
    };
}
