//! The suite that every store must pass.
//!
//! A store crate turns it on with the feature `conformance` and expands the macro once, with an expression that makes an
//! empty store:
//!
//! ```ignore
//! elfmem_store::conformance_suite!(|| MyStore::in_memory());
//! ```
//!
//! Each check becomes a test of its own, so a failure names what does not hold.

#![allow(clippy::cloned_ref_to_slice_refs, reason = "expected values read better as arrays")]

pub mod agreement;
pub mod atomicity;
pub mod blocks;
pub mod curation;
pub mod events;
pub mod feed;
mod forwarding;
pub mod graph;
pub mod history;
pub mod journal;
pub mod outcomes;
pub mod required;
pub mod rows;
pub mod scopes;
pub mod settings;
pub mod undoing;
pub mod vectors;
pub mod words;

use std::collections::BTreeMap;

use elfmem_core::{
    ActiveHours, Block, BlockId, BlockStatus, Edge, EdgeKey, EdgeOrigin, OperationKind, Relation, ScopeView, Tag,
    Timestamp,
};

use crate::{JournalHeader, Snapshot, Store, StoreError, Transaction};

/// A moment for rows whose time does not matter.
pub fn noon() -> Timestamp {
    Timestamp::constant(1_772_000_000, 0)
}

/// An inbox block with the given text.
pub fn block(content: &str) -> Block {
    Block::new(BlockId::for_content(content), content, "test", noon())
}

/// An active block with the given text.
pub fn active(content: &str) -> Block {
    Block { status: BlockStatus::Active, ..block(content) }
}

/// Tags by name.
pub fn tags(names: &[&str]) -> Vec<Tag> {
    names.iter().map(|name| Tag::from_stored(name)).collect()
}

/// An edge with the given weight.
pub fn edge(a: &Block, b: &Block, weight: f64) -> Edge {
    let key = EdgeKey::canonical(&a.id, &b.id).expect("two different blocks");
    let mut edge = Edge::new(key, Relation::SIMILAR, EdgeOrigin::SIMILARITY, noon());
    edge.weight = elfmem_core::EdgeWeight::saturating(weight);
    edge
}

/// What a test's operation says of itself.
pub fn header(operation: &str) -> JournalHeader {
    JournalHeader {
        at: noon(),
        active_hours: ActiveHours::ZERO,
        session: None,
        actor: "test".to_owned(),
        operation: OperationKind::from_name(operation),
        summary: format!("{operation} ran"),
    }
}

/// Changes the default scope, described as `test`.
pub fn write<T>(store: &impl Store, mut work: impl FnMut(&mut dyn Transaction) -> Result<T, StoreError>) -> T {
    store
        .write(&ScopeView::default(), |transaction| {
            transaction.describe(header("test"));
            work(transaction)
        })
        .expect("the write succeeds")
}

/// Reads the default scope.
pub fn read<T>(store: &impl Store, work: impl FnOnce(&dyn Snapshot) -> Result<T, StoreError>) -> T {
    store.read(&ScopeView::default(), work).expect("the read succeeds")
}

/// How many words each searched block counts as.
pub fn lengths(store: &impl Store) -> BTreeMap<BlockId, u32> {
    let mut lengths = BTreeMap::new();
    read(store, |snapshot| {
        snapshot.visit_index_rows("", None, &mut |row| {
            lengths.insert(row.id, row.length);
        })
    });
    lengths
}

/// Stores blocks.
pub fn insert(store: &impl Store, blocks: &[&Block]) {
    write(store, |transaction| blocks.iter().try_for_each(|block| transaction.insert_block(block)));
}

/// Expands to one test per check of the suite; the argument makes an empty store.
#[macro_export]
macro_rules! conformance_suite {
    ($make:expr) => {
        $crate::conformance_suite!(@module $make, blocks: [
            a_block_comes_back_as_it_was_stored,
            labels_and_origins_that_change_are_told,
            inserting_an_id_twice_is_refused,
            a_missing_block_is_none_and_cannot_be_updated,
            blocks_start_in_the_inbox_and_are_counted_by_status,
            active_blocks_are_listed_without_the_others,
            a_partial_update_leaves_the_rest_alone,
            reinforcing_counts_and_never_turns_a_stamp_back,
            tags_are_added_once_sorted_and_removed,
            what_a_block_learns_is_a_change_like_any_other,
            tag_patterns_mind_case_and_take_no_wildcards_but_percent,
            archiving_drops_tags_edges_and_contradictions_and_keeps_the_text,
            leaving_the_archive_clears_reason_and_successor,
            every_change_raises_the_revision_and_no_change_does_not,
            ids_are_found_by_prefix_in_order,
            blocks_come_in_the_order_asked_for,
            deleting_a_block_takes_everything_attached_with_it,
            any_text_survives_the_round_trip,
        ]);
        $crate::conformance_suite!(@module $make, graph: [
            an_edge_comes_back_as_it_was_stored,
            an_edge_that_was_read_is_dropped_and_told_once,
            inserting_an_edge_twice_keeps_the_first,
            edges_default_to_similar_and_similarity,
            edges_are_listed_from_either_end_strongest_first,
            neighbours_are_one_hop_away_without_the_seeds,
            reinforcing_an_edge_counts_and_stamps,
            pruning_is_strictly_below_the_threshold,
            an_edge_to_a_missing_block_is_refused,
            contradictions_are_listed_until_resolved,
            answers_tell_what_they_showed,
            pairs_that_come_up_together_are_counted_by_distinct_sessions,
            pairs_of_sessions_that_are_long_over_are_forgotten,
        ]);
        $crate::conformance_suite!(@module $make, curation: [
            archiving_many_blocks_is_archiving_each,
            archiving_a_missing_block_is_refused_and_archives_none,
            the_living_graph_is_that_of_the_active_blocks,
            living_edges_name_their_ends_by_place,
        ]);
        $crate::conformance_suite!(@module $make, events: [
            an_event_comes_back_as_it_was_told_and_is_found_by_what_it_says,
            contexts_are_listed_counted_and_searched,
            links_are_unique_and_come_in_the_order_they_came,
            what_links_did_to_blocks_comes_back_as_it_was_stored,
            events_and_links_are_in_the_journal,
            enrolments_links_and_effects_go_with_their_block,
            purging_a_block_takes_what_was_told_of_it,
            purging_a_short_text_leaves_longer_words_alone,
            events_contexts_and_links_stay_within_their_scope,
            filters_know_contexts_and_sources,
        ]);
        $crate::conformance_suite!(@module $make, settings: [
            built_in_frames_and_defaults_are_there_and_seeding_again_changes_nothing,
            frames_are_replaced_by_name,
            open_sessions_are_listed_the_latest_first,
            settings_are_kept_and_replaced,
            settings_of_a_scope_are_its_own,
            the_clock_never_moves_backwards,
        ]);
        $crate::conformance_suite!(@module $make, journal: [
            every_change_is_in_the_journal_with_before_and_after,
            no_change_leaves_no_journal_row,
            a_change_without_a_description_is_refused_and_undone,
            the_log_of_a_block_shows_its_edges_too,
            the_journal_is_read_in_order_and_after_a_number,
            folding_counts_uses_and_keeps_the_names_of_changes,
            the_days_of_use_are_counted_back,
            touching_a_session_leaves_no_trace,
        ]);
        $crate::conformance_suite!(@module $make, outcomes: [
            an_outcome_comes_back_as_it_was_stored,
            outcomes_come_in_their_own_order,
            outcomes_are_listed_from_a_time_on,
            outcomes_are_in_the_journal_of_their_block,
            outcomes_stay_within_their_scope,
        ]);
        $crate::conformance_suite!(@module $make, atomicity: [
            a_failing_transaction_changes_nothing,
            a_panicking_transaction_changes_nothing,
            a_snapshot_does_not_see_what_is_written_during_it,
            writers_on_many_threads_lose_nothing,
            what_is_stored_takes_room,
            checkpointing_changes_nothing_that_is_read,
        ]);
        $crate::conformance_suite!(@module $make, rows: [
            every_kind_of_row_is_visited_as_it_was_stored,
            a_visit_ends_when_the_visitor_breaks_off,
            rows_of_another_scope_are_not_visited,
            what_comes_in_from_elsewhere_does_not_replace_what_is_here,
        ]);
        $crate::conformance_suite!(@module $make, scopes: [
            a_scope_sees_its_own_blocks_and_those_it_inherits,
            nothing_of_another_scope_is_found_counted_or_changed,
        ]);
        $crate::conformance_suite!(@module $make, undoing: [
            operations_know_their_run_and_what_they_took_back,
            changes_are_read_by_operation_and_by_block,
            later_changes_of_the_same_blocks_are_found,
            a_removed_block_is_in_the_journal_with_its_text_and_its_vector,
            a_frame_is_removed_by_name,
            proposals_are_numbered_found_settled_and_removed,
            proposals_go_with_their_block_and_are_seen_where_it_is,
            fading_blocks_are_those_in_the_band_that_were_of_use,
            the_lineage_of_a_block_is_followed_both_ways,
            purging_leaves_a_tombstone_and_no_word,
        ]);
        $crate::conformance_suite!(@module $make, vectors: [
            vectors_are_read_by_model_and_by_block,
            staged_vectors_take_over_all_at_once,
            vectors_of_another_model_take_over_in_every_scope,
            degrees_count_edges,
            contradictions_are_listed_with_their_reason_and_note,
        ]);
        $crate::conformance_suite!(@module $make, feed: [
            the_journal_is_a_feed_of_what_changed_about_blocks,
            index_rows_carry_order_time_and_vector,
            index_rows_follow_every_change_of_a_block,
            standings_are_read_apart,
            holders_of_a_word_are_counted_by_field_and_follow_changes,
            filters_let_in_what_meets_every_condition,
            links_of_many_blocks_are_read_at_once,
        ]);
        $crate::conformance_suite!(@module $make, words: [
            stored_text_is_found_by_its_words_at_once,
            a_sound_store_finds_nothing_and_repairing_it_changes_nothing,
            cue_and_tags_are_searched_too,
            archived_blocks_are_not_found_and_restored_ones_are,
            changed_text_is_found_by_its_new_words_only,
            lengths_are_those_of_what_is_searched,
            any_text_is_a_query,
        ]);
    };
    (@module $make:expr, $module:ident: [$($check:ident),* $(,)?]) => {
        mod $module {
            use super::*;
            $(
                #[test]
                fn $check() {
                    $crate::conformance::$module::$check(&$make());
                }
            )*
        }
    };
}
