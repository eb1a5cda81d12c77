//! The coverage page: every row of `docs/reference/coverage.md` names tests that exist and are run, or says why not.
//!
//! A proof is one of four: tests as `` `path::function` ``, separated by commas; tests and then `; open: what is
//! missing`; `open`, with or without a reason; `not applicable: reason`. Anything else is a fault, and all faults are
//! told at once.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};

const PAGE: &str = "docs/reference/coverage.md";

/// Checks in this folder become tests where its macro lists them.
const CONFORMANCE: &str = "crates/store/src/conformance";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Everything wrong with a page. `source` hands out the text of a file by its path, none when there is no such file.
fn faults_of(page: &str, source: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut rows = 0;
    for (at, line) in page.lines().enumerate().filter(|(_, line)| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if matches!(cells[..], ["item", "proof"] | ["---", "---"]) {
            continue;
        }
        rows += 1;
        let problems = match cells[..] {
            ["", _] => vec!["has no item".to_owned()],
            [_, proof] => problems_of(proof, source),
            _ => vec![format!("has {} cells, not an item and a proof", cells.len())],
        };
        faults.extend(problems.into_iter().map(|problem| format!("line {} {problem}", at + 1)));
    }
    if rows == 0 {
        faults.push("the page has no rows".to_owned());
    }
    faults
}

/// Everything wrong with one proof.
fn problems_of(proof: &str, source: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let (names, rest) = leading_names(proof);
    let open = rest == "open" || rest.strip_prefix("open:").is_some_and(|missing| !missing.trim().is_empty());
    let excused = rest.strip_prefix("not applicable:").is_some_and(|reason| !reason.trim().is_empty());
    let known_form = if names.is_empty() { open || excused } else { open || rest.is_empty() };
    let mut problems: Vec<String> = names.into_iter().filter_map(|name| problem_of_test(name, source)).collect();
    if proof.is_empty() {
        problems.push("has no proof".to_owned());
    } else if !known_form {
        problems.push(format!("has a proof of no known form: {proof}"));
    }
    problems
}

/// The names in backticks that a proof begins with, and what comes after them.
fn leading_names(proof: &str) -> (Vec<&str>, &str) {
    let mut names = Vec::new();
    let mut rest = proof;
    while let Some((name, after)) = rest.strip_prefix('`').and_then(|quoted| quoted.split_once('`')) {
        names.push(name);
        rest = after.trim_start_matches([',', ';', ' ']);
    }
    (names, rest)
}

/// What is wrong with one named test; none when it exists and is run.
fn problem_of_test(name: &str, source: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let Some((path, function)) = name.split_once("::") else {
        return Some(format!("names '{name}', which is not path::function"));
    };
    let Some(text) = source(path) else { return Some(format!("names {name}, but there is no such file")) };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let Some(at) = lines.iter().position(|line| defines(line, function)) else {
        return Some(format!("names {name}, but the file has no such function"));
    };
    let marked = lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
    let is_test = marked.into_iter().any(|line| *line == "#[test]");
    let listed = path.starts_with(CONFORMANCE)
        && source(&format!("{CONFORMANCE}/mod.rs"))
            .is_some_and(|suite| suite.lines().any(|line| line.trim().trim_end_matches(',') == function));
    (!is_test && !listed).then(|| format!("names {name}, which is not run as a test"))
}

/// Whether a line begins the function of that name.
fn defines(line: &str, function: &str) -> bool {
    let rest = line.trim_start_matches("pub ").strip_prefix("fn ").and_then(|rest| rest.strip_prefix(function));
    rest.is_some_and(|rest| rest.starts_with(['(', '<']))
}

#[test]
fn every_row_of_the_coverage_page_has_a_proof_and_every_named_test_is_run() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).ok();
    let page = read(PAGE).unwrap_or_else(|| panic!("cannot read {PAGE}"));
    let faults = faults_of(&page, &read);
    assert!(faults.is_empty(), "{} faults in {PAGE}:\n{}", faults.len(), faults.join("\n"));
}

/// The tests that seeds 000 and 001 list by name.
const TESTS_OF_THE_SEEDS: &[&str] = &[
    "test_edges_table_has_relation_type_column",
    "test_edges_table_has_origin_column",
    "test_edges_table_has_last_active_hours_column",
    "test_edges_table_has_note_column",
    "test_insert_edge_defaults_to_similar_origin_similarity",
    "test_upsert_outcome_edge_sets_relation_outcome_origin_outcome",
    "test_outcome_edge_weight_is_signal_times_0_8",
    "test_outcome_edge_reinforce_delta_applied_on_second_outcome",
    "test_outcome_edge_weight_does_not_exceed_1_0",
    "test_connect_creates_edge_between_two_active_blocks",
    "test_connect_returns_connect_result_with_action_created",
    "test_connect_default_relation_is_similar",
    "test_connect_supports_relation_uses_weight_0_75",
    "test_connect_custom_relation_uses_fallback_weight",
    "test_connect_explicit_weight_overrides_default",
    "test_connect_note_stored_on_edge",
    "test_connect_sets_origin_to_agent",
    "test_connect_reinforce_increments_count_on_existing_edge",
    "test_connect_reinforce_boosts_weight_by_delta",
    "test_connect_update_changes_relation_type",
    "test_connect_update_changes_note",
    "test_connect_skip_returns_existing_edge_unchanged",
    "test_connect_error_raises_on_existing_edge",
    "test_connect_self_loop_raises_self_loop_error",
    "test_connect_self_loop_error_has_recovery",
    "test_connect_unknown_source_raises_block_not_active_error",
    "test_connect_archived_block_raises_block_not_active_error",
    "test_connect_block_not_active_error_has_recovery",
    "test_connect_weight_clamped_to_0_1_range",
    "test_connect_displaces_weakest_similar_edge_when_at_cap",
    "test_connect_displaced_edge_present_in_result",
    "test_connect_never_displaces_supports_edge",
    "test_connect_never_displaces_outcome_edge",
    "test_connect_all_protected_raises_degree_limit_error",
    "test_connect_degree_limit_error_has_recovery",
    "test_disconnect_removes_existing_edge",
    "test_disconnect_returns_removed_action",
    "test_disconnect_returns_not_found_for_missing_edge",
    "test_disconnect_guard_relation_prevents_wrong_type_removal",
    "test_disconnect_guard_relation_removes_matching_type",
    "test_disconnect_removed_edge_not_in_graph_expansion",
    "test_connect_by_query_connects_matching_blocks",
    "test_connect_by_query_returns_block_content_for_verification",
    "test_connect_by_query_insufficient_confidence_returns_no_edge",
    "test_connect_by_query_dry_run_preview_no_edge_written",
    "test_connect_by_query_dry_run_returns_matched_content",
    "test_connects_creates_multiple_edges",
    "test_connects_collects_errors_without_raising",
    "test_connects_returns_aggregate_counts",
    "test_connects_partial_failure_does_not_abort_batch",
    "test_last_learned_block_id_set_after_learn",
    "test_last_recall_block_ids_set_after_recall",
    "test_session_block_ids_accumulates_across_operations",
    "test_breadcrumbs_reset_on_begin_session",
    "test_elfmem_connect_tool_returns_dict",
    "test_elfmem_disconnect_tool_returns_dict",
    "test_elfmem_connect_tool_propagates_connect_error_as_exception",
    "test_learn_result_str_created",
    "test_learn_result_str_duplicate_rejected",
    "test_learn_result_str_near_duplicate_superseded",
    "test_learn_result_to_dict_keys",
    "test_consolidate_result_str_nonzero",
    "test_consolidate_result_str_zero_processed",
    "test_consolidate_result_to_dict_keys",
    "test_frame_result_str_uncached",
    "test_frame_result_str_cached",
    "test_curate_result_str_nonzero",
    "test_curate_result_str_all_zero",
    "test_elfmem_error_recovery_in_str",
    "test_session_error_is_elfmem_error",
    "test_guide_overview_returns_string",
    "test_guide_known_method_returns_all_fields",
    "test_guide_unknown_method_returns_valid_names_list",
    "test_status_empty_db_health_good",
    "test_status_inbox_count_reflects_learns",
    "test_status_full_inbox_health_attention",
    "test_status_session_active_flag",
    "test_status_last_consolidated_after_consolidate",
    "test_history_empty_initially",
    "test_history_records_learn_operation",
    "test_history_records_consolidate_operation",
    "test_history_last_n_limit",
    "test_history_max_100_records",
];

/// Every file of tests and sources of the workspace.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() && entry.file_name().is_some_and(|name| name != "target") {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.extend(std::fs::read_to_string(&entry));
        }
    }
}

/// All groups of `tests/test_connect.py`, and the tests of seed 001: each has a test of its own name that is run, and the
/// page names it as proof.
#[test]
fn every_test_that_the_seeds_list_exists_by_its_name() {
    let mut texts = Vec::new();
    sources(&root().join("crates"), &mut texts);
    let page = std::fs::read_to_string(root().join(PAGE)).unwrap();
    let is_run = |name: &str| {
        texts.iter().any(|text| {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            lines.windows(2).any(|pair| pair[0] == "#[test]" && defines(pair[1], name))
        })
    };
    let missing: Vec<&&str> =
        TESTS_OF_THE_SEEDS.iter().filter(|name| !is_run(name) || !page.contains(&format!("::{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(TESTS_OF_THE_SEEDS.len() > 70 && !is_run("test_that_nobody_wrote"));
}

#[test]
fn missing_tests_and_bad_proofs_are_noticed() {
    let source = |path: &str| match path {
        "a.rs" => Some("#[test]\nfn there() {}\n\nfn helper() {}\n\n#[test]\nfn there_too() {}".to_owned()),
        "crates/store/src/conformance/x.rs" => Some("pub fn run(s: &S) {}\npub fn forgotten(s: &S) {}".to_owned()),
        "crates/store/src/conformance/mod.rs" => Some("suite!([\n    run,\n]);".to_owned()),
        _ => None,
    };
    let faults = |proof: &str| faults_of(&format!("| item | proof |\n| --- | --- |\n| x | {proof} |"), &source);
    for good in [
        "`a.rs::there`",
        "`a.rs::there`, `a.rs::there_too`; open: the `rest`",
        "`crates/store/src/conformance/x.rs::run`",
        "open",
        "open: not built",
        "not applicable: a Python tool",
    ] {
        assert_eq!(faults(good), [""; 0], "{good}");
    }
    for (bad, told) in [
        ("`a.rs::gone`", "has no such function"),
        ("`a.rs::ther`", "has no such function"),
        ("`b.rs::there`", "there is no such file"),
        ("`a.rs::helper`", "is not run as a test"),
        ("`crates/store/src/conformance/x.rs::forgotten`", "is not run as a test"),
        ("`there`", "is not path::function"),
        ("", "has no proof"),
        ("proven", "of no known form"),
        ("`a.rs::there` mostly", "of no known form"),
        ("`a.rs::there`; not applicable: both", "of no known form"),
        ("open:", "of no known form"),
        ("opened", "of no known form"),
        ("not applicable:", "of no known form"),
        ("open | open", "has 3 cells"),
    ] {
        let told_of = faults(bad);
        assert!(
            told_of.len() == 1 && told_of[0].starts_with("line 3 ") && told_of[0].contains(told),
            "{bad}: {told_of:?}"
        );
    }
    assert_eq!(faults("`a.rs::gone`, `b.rs::gone`, and more").len(), 3);
    assert_eq!(faults_of("no table", &source), ["the page has no rows"]);
}
