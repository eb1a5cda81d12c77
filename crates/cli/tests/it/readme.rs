//! The console examples of the README, run as they are printed.

use crate::Sandbox;

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

#[test]
fn every_console_example_of_the_readme_prints_what_the_readme_shows() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let sandbox = Sandbox::new();
    let examples = examples(&page);
    assert!(examples.len() >= 2, "the README has examples");
    for (command, output) in examples {
        let words = words(&command);
        assert_eq!(words[0], "elfmem", "{command}");
        assert_eq!(sandbox.run(&words[1..]).stdout.trim_end(), output, "{command}");
    }
}
