//! Any text as files of settings, as variables and behind flags: values that hold, or problems that are told. What holds can be
//! written down and read again.
//!
//! The parts of the input, separated by lines of three dashes: the user's file, the project's file, variables (`NAME=value` lines).

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use std::path::PathBuf;

use elfmem_config::{ConfigSources, FileText, FlagValue, KEYS, merge_layers};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let mut parts = input.split("\n---\n");
    let file = |path: &str, text: &str| Some(FileText { path: path.into(), text: text.to_owned() });
    let (user, project) = (parts.next().unwrap_or_default(), parts.next());
    let lines: Vec<(&str, &str)> =
        parts.next().unwrap_or_default().lines().filter_map(|line| line.split_once('=')).collect();
    let variables = lines.iter().filter(|(_, value)| !value.is_empty());
    let flags = KEYS.iter().zip(&lines).filter_map(|(key, (_, value))| {
        Some(FlagValue { key: key.name, flag: key.flag?, given: vec![(*value).into()] })
    });
    let sources = ConfigSources {
        user: file("/home/ana/.config/elfmem/config.toml", user),
        project_folder: project.map(|_| PathBuf::from("/home/ana/garden/.elfmem")),
        project: project.and_then(|text| file("/home/ana/garden/.elfmem/config.toml", text)),
        variables: variables.map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        flags: if user.len() % 2 == 0 { flags.collect() } else { Vec::new() },
        home: Some("/home/ana".into()),
    };
    let loaded = merge_layers(&sources);
    for problem in &loaded.problems {
        assert!(!problem.to_string().is_empty() && !problem.recovery().is_empty(), "{problem:?}");
    }
    for value in loaded.values() {
        let _ = (value.origin.to_string(), serde_json::to_string(&value).unwrap());
    }
    write_down_and_read(&loaded.config);
});

/// The same settings come of what they look like in a file.
fn write_down_and_read(config: &elfmem_config::ElfmemConfig) {
    let mut text = String::new();
    for key in &KEYS {
        let Some(value) = key.text_of(config) else { continue };
        // JSON and TOML write control characters in different ways.
        if value.contains('\\') || value.chars().any(char::is_control) {
            return;
        }
        text.push_str(&format!("{} = {value}\n", key.name));
    }
    // A file in the folder where the program runs: there a path means what it means behind a flag.
    let user = Some(FileText { path: "config.toml".into(), text });
    let again = merge_layers(&ConfigSources { user, ..ConfigSources::default() });
    assert!(again.problems.is_empty(), "{:?}", again.problems);
    assert_eq!(&again.config, config);
}
