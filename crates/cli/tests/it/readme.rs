//! The console examples of the README and of the first hour, run on a terminal as they are printed.

use crate::Sandbox;
use crate::terminal::{on_a_terminal_of, without_colours};

/// The commands of every `console` block of a page, each with the output printed below it.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut examples = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").skip(1) {
            let (command, output) = example.split_once('\n').unwrap();
            examples.push((command.to_owned(), output.trim_end().to_owned()));
        }
    }
    examples
}

/// Splits a command line at spaces, except inside double quotes.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    parts.flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// Runs the examples of a page in one memory and compares what is seen with what the page shows. With ELFMEM_WRITE_DOCS the
/// page is written anew.
fn assert_page_is_true(file: &str, at_least: usize) {
    let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).unwrap();
    let sandbox = Sandbox::new();
    let examples = examples(&page);
    assert!(examples.len() >= at_least, "{file} has examples");
    let mut true_page = page.clone();
    for (command, output) in examples {
        let words = words(&command);
        assert_eq!(words[0], "elfmem", "{command}");
        let seen = without_colours(&on_a_terminal_of((100, 1_000), sandbox.command(&words[1..]), "").stdout);
        // Bars of progress are gone when the answer is there.
        let seen: String =
            seen.lines().filter(|line| !line.contains(['█', '░'])).map(|line| format!("{line}\n")).collect();
        let shown = |output: &str| format!("$ {command}\n{}\n", output.trim_end());
        true_page = true_page.replacen(&shown(&output), &shown(&seen), 1);
    }
    if std::env::var_os("ELFMEM_WRITE_DOCS").is_some() {
        std::fs::write(&path, true_page).unwrap();
        return;
    }
    assert_eq!(page, true_page, "write {file} anew with ELFMEM_WRITE_DOCS=1");
}

#[test]
fn every_console_example_of_the_readme_prints_what_the_readme_shows() {
    assert_page_is_true("README.md", 2);
}

#[test]
fn the_first_hour_is_as_the_guide_shows_it() {
    assert_page_is_true("docs/guide/first-hour.md", 11);
}
