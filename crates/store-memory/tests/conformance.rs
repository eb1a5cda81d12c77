//! The store in memory passes the suite, with and without its overrides.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use elfmem_core::Timestamp;
use elfmem_store_memory::InMemoryStore;

fn fresh() -> InMemoryStore {
    InMemoryStore::new(Timestamp::UNIX_EPOCH).unwrap()
}

mod as_it_is {
    use super::fresh;

    elfmem_store::conformance_suite!(fresh);
}

mod overrides {
    use super::fresh;
    use elfmem_store::conformance::agreement;

    #[test]
    fn overridden_reads_answer_as_derived_ones() {
        agreement::overridden_reads_answer_as_derived_ones(&fresh());
    }

    #[test]
    fn overridden_writes_leave_what_derived_ones_leave() {
        agreement::overridden_writes_leave_what_derived_ones_leave(fresh);
    }
}
