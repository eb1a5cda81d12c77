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
