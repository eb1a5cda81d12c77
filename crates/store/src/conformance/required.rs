//! The required methods of a store, and a store that has nothing else.
//!
//! The list below is checked by the compiler: [`Derived`] forwards exactly these methods to another store, so a required method that
//! is missing here does not compile. Everything else that [`Derived`] does is derived.

use elfmem_core::{BlockId, Scope, ScopeView};

use crate::{
    IndexFeed, Internal, JournalRecord, JournalSelection, JournalVisitor, ReadBlocks, ReadEvents, ReadEvidence,
    ReadGraph, ReadJournal, ReadProposals, ReadRows, ReadSettings, ReadVectors, Recorder, Result, Row, RowEdit, RowKey,
    RowKind, RowQuery, RowVisitor, Snapshot, Store, StoreError, Transaction, VectorVisitor, WriteBlocks, WriteEvents,
    WriteEvidence, WriteGraph, WriteJournal, WriteProposals, WriteRows, WriteSettings, WriteVectors,
};

/// The most required methods that a store may have, over all traits.
pub const MOST_REQUIRED_METHODS: usize = 45;

/// A store without the overrides of the one inside: all methods that are not required are derived.
#[derive(Debug)]
pub struct Derived<S> {
    /// The store inside.
    pub inner: S,
}

/// A snapshot without overrides.
#[expect(missing_debug_implementations, reason = "a snapshot is no value to print")]
pub struct DerivedSnapshot<'a>(pub &'a dyn Snapshot);

/// A transaction without overrides.
#[expect(missing_debug_implementations, reason = "a transaction is no value to print")]
pub struct DerivedTransaction<'a>(pub &'a mut dyn Transaction);

macro_rules! required {
    (
        store { $($store_method:ident),* $(,)? }
        read { $($read:ident { $(fn $get:ident($($get_name:ident: $get_type:ty),*) -> $get_answer:ty;)* })* }
        write { $($write:ident { $(fn $set:ident($($set_name:ident: $set_type:ty),*) -> $set_answer:ty;)* })* }
    ) => {
        /// The required methods, as `(trait, method)`.
        pub const REQUIRED_METHODS: &[(&str, &str)] = &[
            $(("Store", stringify!($store_method)),)*
            $($((stringify!($read), stringify!($get)),)*)*
            $($((stringify!($write), stringify!($set)),)*)*
        ];

        $(
            impl $read for DerivedSnapshot<'_> {
                $(fn $get(&self, $($get_name: $get_type),*) -> $get_answer {
                    self.0.$get($($get_name),*)
                })*
            }

            impl $read for DerivedTransaction<'_> {
                $(fn $get(&self, $($get_name: $get_type),*) -> $get_answer {
                    self.0.$get($($get_name),*)
                })*
            }
        )*

        $(
            impl $write for DerivedTransaction<'_> {
                $(fn $set(&mut self, $($set_name: $set_type),*) -> $set_answer {
                    self.0.$set($($set_name),*)
                })*
            }
        )*
    };
}

required! {
    store { read, write, scrub, examine, repair, digest, bytes, location }
    read {
        ReadRows {
            fn view() -> &ScopeView;
            fn get_row(key: &RowKey) -> Result<Option<Row>>;
            fn scan_rows(query: RowQuery<'_>, visit: RowVisitor<'_>) -> Result<()>;
        }
        ReadJournal {
            fn scan_journal(after: i64, visit: JournalVisitor<'_>, internal: Internal) -> Result<()>;
        }
        ReadVectors {
            fn scan_staged_vectors(model: &str, visit: VectorVisitor<'_>) -> Result<()>;
        }
        ReadBlocks {}
        ReadGraph {}
        ReadEvidence {}
        ReadEvents {}
        ReadProposals {}
        ReadSettings {}
        IndexFeed {}
    }
    write {
        WriteRows {
            fn recorder(internal: Internal) -> &mut Recorder;
            fn insert_row(row: &Row, scope: &Scope, internal: Internal) -> Result<bool>;
            fn update_row(row: &Row, internal: Internal) -> Result<Option<Row>>;
            fn delete_row(key: &RowKey, internal: Internal) -> Result<Option<Row>>;
            fn rewrite_rows(
                query: RowQuery<'_>,
                edit: &mut dyn FnMut(&mut Row) -> RowEdit,
                internal: Internal
            ) -> Result<()>;
            fn next_number(kind: RowKind, internal: Internal) -> Result<i64>;
        }
        WriteJournal {
            fn rewrite_journal(
                selection: JournalSelection<'_>,
                edit: &mut dyn FnMut(&mut JournalRecord) -> RowEdit,
                internal: Internal
            ) -> Result<()>;
        }
        WriteVectors {
            fn stage_vectors(model: &str, vectors: &[(BlockId, Vec<f32>)]) -> Result<()>;
            fn clear_staged_vectors(model: &str) -> Result<()>;
        }
        WriteBlocks {}
        WriteGraph {}
        WriteEvidence {}
        WriteEvents {}
        WriteProposals {}
        WriteSettings {}
    }
}

const _: () = assert!(REQUIRED_METHODS.len() <= MOST_REQUIRED_METHODS, "a store has too many required methods");

impl<S: Store> Store for Derived<S> {
    fn read<T, E, F>(&self, view: &ScopeView, work: F) -> std::result::Result<T, E>
    where
        F: FnOnce(&dyn Snapshot) -> std::result::Result<T, E>,
        E: From<StoreError>,
    {
        self.inner.read(view, |snapshot| work(&DerivedSnapshot(snapshot)))
    }

    fn write<T, E, F>(&self, view: &ScopeView, mut work: F) -> std::result::Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> std::result::Result<T, E>,
        E: From<StoreError>,
    {
        self.inner.write(view, |transaction| work(&mut DerivedTransaction(transaction)))
    }

    crate::forward_rest!(inner);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints the list with `cargo test -p elfmem-store --features conformance required -- --nocapture`.
    #[test]
    fn a_store_has_at_most_forty_five_required_methods() {
        for (name, method) in REQUIRED_METHODS {
            println!("{name}::{method}");
        }
        println!("{} required methods", REQUIRED_METHODS.len());
        assert!(REQUIRED_METHODS.len() <= MOST_REQUIRED_METHODS);
    }
}
