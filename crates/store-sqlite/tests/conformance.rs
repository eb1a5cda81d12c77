//! The default store passes the suite: on a file, in memory, and on an encrypted file.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod on_a_file {
    use elfmem_core::Timestamp;
    use elfmem_store::{Store, StoreError};
    use elfmem_store_sqlite::{OpenOptions, SqliteStore};

    /// A store whose folder goes away with it.
    pub(crate) struct Temporary {
        store: SqliteStore,
        _folder: tempfile::TempDir,
    }

    impl Store for Temporary {
        fn read<T, E, F>(&self, view: &elfmem_core::ScopeView, work: F) -> Result<T, E>
        where
            F: FnOnce(&dyn elfmem_store::Snapshot) -> Result<T, E>,
            E: From<StoreError>,
        {
            self.store.read(view, work)
        }

        fn write<T, E, F>(&self, view: &elfmem_core::ScopeView, work: F) -> Result<T, E>
        where
            F: FnMut(&mut dyn elfmem_store::Transaction) -> Result<T, E>,
            E: From<StoreError>,
        {
            self.store.write(view, work)
        }

        elfmem_store::forward_rest!(store);
    }

    pub(crate) fn opened(options: OpenOptions) -> Temporary {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let store = SqliteStore::open(path, options, Timestamp::UNIX_EPOCH).unwrap();
        Temporary { store, _folder: folder }
    }

    fn temporary() -> Temporary {
        opened(OpenOptions::default())
    }

    elfmem_store::conformance_suite!(temporary);
}

mod in_memory {
    use elfmem_core::Timestamp;
    use elfmem_store_sqlite::SqliteStore;

    fn fresh() -> SqliteStore {
        SqliteStore::in_memory(Timestamp::UNIX_EPOCH).unwrap()
    }

    elfmem_store::conformance_suite!(fresh);
}

#[cfg(feature = "encryption")]
mod on_an_encrypted_file {
    use elfmem_store_sqlite::{Key, OpenOptions};

    use super::on_a_file::{Temporary, opened};

    fn encrypted() -> Temporary {
        let key = Some(Key::new(&"9b".repeat(32)).unwrap());
        opened(OpenOptions { key, ..OpenOptions::default() })
    }

    elfmem_store::conformance_suite!(encrypted);
}

/// Without its overrides the default store passes the suite too.
mod without_overrides {
    use elfmem_core::Timestamp;
    use elfmem_store::conformance::required::Derived;
    use elfmem_store_sqlite::SqliteStore;

    fn fresh() -> Derived<SqliteStore> {
        Derived { inner: SqliteStore::in_memory(Timestamp::UNIX_EPOCH).unwrap() }
    }

    elfmem_store::conformance_suite!(fresh);
}

mod overrides {
    use elfmem_core::Timestamp;
    use elfmem_store::conformance::agreement;
    use elfmem_store_sqlite::SqliteStore;

    fn fresh() -> SqliteStore {
        SqliteStore::in_memory(Timestamp::UNIX_EPOCH).unwrap()
    }

    #[test]
    fn overridden_reads_answer_as_derived_ones() {
        agreement::overridden_reads_answer_as_derived_ones(&fresh());
    }

    #[test]
    fn overridden_writes_leave_what_derived_ones_leave() {
        agreement::overridden_writes_leave_what_derived_ones_leave(fresh);
    }
}
