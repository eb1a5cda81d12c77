//! What a person sees: every command that prints a list, on a terminal of 80 and of 40 columns.

use crate::Sandbox;
use crate::tending::id;
use crate::terminal::{on_a_terminal_of, without_colours};

const LONG: &str = "The staging database listens on port 5433 since the migration in spring, because the old port \
    collides with the reporting service that the finance team runs on the same machine; whoever connects from outside \
    goes through the bastion, which forwards to it, and must be in the group of operators. Backups are taken every \
    night at two and are kept for thirty days in the vault in Faro.";
const TEXTS: [&str; 4] = [
    LONG,
    "Maria is allergic to peanuts",
    "The office closes at six",
    "東京の事務所は午後六時に閉まりますので、それまでに連絡してください。",
];

fn filled() -> Sandbox {
    let sandbox = Sandbox::new();
    for text in TEXTS {
        sandbox.ok(&["remember", text, "--tag", "topic/an-office-with-a-long-name"]);
    }
    sandbox.run(&["dream"]);
    let [staging, maria] = [TEXTS[0], TEXTS[1]].map(id);
    sandbox.ok(&[
        "connect",
        &staging[..8],
        &maria[..8],
        "--relation",
        "supports",
        "--note",
        "a note about both of them",
    ]);
    std::fs::write(sandbox.file("a-page.md"), "# A page\n\nIt says that the harbour opens at dawn.\n").unwrap();
    sandbox.ok(&["learn-document", "a-page.md", "--name", "a-page-with-a-rather-long-name-for-a-narrow-terminal.md"]);
    sandbox.ok(&[
        "event",
        "store",
        "--kind",
        "fact",
        "--content",
        "The crane in the harbour was greased",
        "--context",
        "place:harbour",
    ]);
    sandbox
}

/// What does not change from run to run.
fn steady(seen: &str) -> String {
    let mut steady = String::new();
    for line in without_colours(seen).lines() {
        let line = line.split(' ').map(steady_word).collect::<Vec<_>>().join(" ");
        steady.push_str(&steady_age(&line));
        steady.push('\n');
    }
    steady
}

/// On a slow machine something is some seconds old.
fn steady_age(line: &str) -> String {
    let age = (5..60).rev().map(|number| format!("{number} s ago")).find(|age| line.contains(age.as_str()));
    match age {
        // A column of ages is as wide as the longest.
        Some(age) if line.contains(&format!("  {age}  ")) => line.replacen(&format!("{age:>8}"), "just now", 1),
        Some(age) => line.replacen(&age, "just now", 1),
        None => line.to_owned(),
    }
}

fn steady_word(word: &str) -> String {
    let shape: String = word.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    let is_event = word.len() == 17 && word.starts_with('e') && word.chars().all(|c| c.is_ascii_hexdigit());
    match shape.as_str() {
        "0000-00-00" => "2026-01-02".to_owned(),
        "00:00" => "03:04".to_owned(),
        // The id of an event.
        _ if is_event => "e0123456789abcdef".to_owned(),
        _ => word.to_owned(),
    }
}

#[test]
fn every_list_fits_a_terminal_of_80_and_of_40_columns() {
    let sandbox = filled();
    let staging = &id(LONG)[..8];
    let lists: [&[&str]; 18] = [
        &["recall", "which port does the staging database use?", "--top-k", "2"],
        &["recall", "which port does the staging database use?", "--top-k", "1", "--full"],
        &["recall", "how tall is the Eiffel tower?"],
        &["recall", "how tall is the Eiffel tower?", "--all", "--top-k", "1"],
        &["ls"],
        &["ls", "--limit", "2"],
        &["ls", "--documents"],
        &["tags"],
        &["scope", "ls"],
        &["show", staging],
        // Named, so that its path is the same everywhere.
        &["status", "--db", ".local/share/elfmem/memory.db"],
        &["history", "--limit", "4"],
        &["log", "--limit", "4"],
        &["event", "list"],
        &["context", "list"],
        &["frame", "ls"],
        &["contradictions"],
        &["proposals"],
    ];
    for columns in [80, 40] {
        let mut screens = String::new();
        for words in lists {
            let seen = on_a_terminal_of((columns, 10_000), sandbox.command(words), "").stdout;
            let seen = steady(&seen);
            for line in seen.lines() {
                let width: usize =
                    line.chars().map(|c| if ('\u{2e80}'..'\u{ffe6}').contains(&c) { 2 } else { 1 }).sum();
                assert!(width <= usize::from(columns), "{words:?}: {line}");
            }
            screens.push_str(&format!("$ elfmem {}\n{seen}\n", words.join(" ")));
        }
        insta::assert_snapshot!(format!("screens-{columns}"), screens);
    }
}

#[test]
fn errors_and_the_list_of_commands_fit_a_narrow_terminal() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees"]);
    for words in [
        &["recall", ""][..],
        &["show", "ffffffff"],
        &["remeber"],
        &["recall", "x", "--top-k", "many"],
        &["import", "a/folder/that/is/not/there"],
        &["-h"],
    ] {
        for columns in [80, 40] {
            let seen = without_colours(&on_a_terminal_of((columns, 1_000), sandbox.command(words), "").stdout);
            let own = seen.split("Global options:").next().unwrap();
            assert!(own.lines().count() > 1, "{words:?}: {seen}");
            let wide = own.lines().find(|line| line.chars().count() > usize::from(columns));
            assert_eq!(wide, None, "{words:?}: {seen}");
        }
    }
}

#[test]
fn a_long_answer_goes_through_the_pager_unless_that_is_turned_off() {
    let sandbox = filled();
    let seen = |words: &[&str], pager: Option<&str>, rows: u16| {
        let mut command = sandbox.command(words);
        command.env_remove("NO_PAGER").env("PAGER", "sed 's/^/paged: /'");
        if let Some(pager) = pager {
            command.env("PAGER", pager);
        }
        without_colours(&on_a_terminal_of((80, rows), command, "").stdout)
    };
    assert!(seen(&["ls"], None, 4).lines().all(|line| line.starts_with("paged: ")));
    assert!(seen(&["ls", "--tag", "topic/%"], None, 4).contains("paged: "));
    for (words, pager, rows) in [
        (&["ls"][..], None, 40),
        (&["ls", "--no-pager"], None, 4),
        (&["ls"], Some("cat"), 4),
        (&["ls"], Some(""), 4),
        (&["ls", "--json"], None, 4),
    ] {
        let shown = seen(words, pager, rows);
        assert!(shown.contains("Maria") && !shown.contains("paged: "), "{words:?} {pager:?}: {shown}");
    }
    let piped = sandbox.command(&["ls"]).env("PAGER", "sed 's/^/paged: /'").output().unwrap();
    assert!(!String::from_utf8(piped.stdout).unwrap().contains("paged: "));
}

#[test]
fn a_list_that_is_cut_says_of_how_many() {
    let sandbox = filled();
    let cut = without_colours(&sandbox.on_a_terminal("", &["ls", "--limit", "2"]).stdout);
    let told = cut.lines().last().unwrap();
    let total = sandbox.ok(&["ls", "--limit", "0"]).lines().count();
    assert!(told.starts_with(&format!("2 of {total};")) && total > 2, "{cut}");
    assert!(!sandbox.on_a_terminal("", &["ls"]).stdout.contains(" of "));
    assert_eq!(sandbox.run(&["ls", "--limit", "2"]).stdout.lines().count(), 2, "on a pipe a line is a block");
}

#[test]
fn every_list_that_is_cut_says_of_how_many_beside_the_data_of_a_pipe() {
    let sandbox = Sandbox::new();
    let texts = ["Ana keeps bees", "The office closes at six", "Deploys go out on Tuesdays"];
    for (number, text) in texts.into_iter().enumerate() {
        let context = format!("project:app{number}");
        sandbox.ok(&["event", "store", "--kind", "fact", "--content", text, "--context", &context]);
    }
    let [bees, office, deploys] = texts.map(|text| id(text)[..8].to_owned());
    sandbox.ok(&["link", &bees, "related_to", &office]);
    sandbox.ok(&["link", &deploys, "related_to", &office]);
    for (words, told) in [
        (&["ls", "--limit", "2"][..], "2 of 3; "),
        (&["event", "ls", "--limit", "2"], "2 of 3; "),
        (&["context", "ls", "--limit", "2"], "2 of 3; "),
        (&["links", "--limit", "1"], "1 of 2; "),
        (&["history", "--limit", "2"], "2 of 6; "),
        (&["log", "--limit", "2"], "2 of 6; "),
    ] {
        let seen = without_colours(&sandbox.on_a_terminal("", words).stdout);
        assert!(seen.lines().any(|line| line.starts_with(told)), "{words:?}: {seen}");
        let piped = sandbox.run(words);
        assert!(!piped.stdout.contains(told) && piped.stderr.contains(told), "{words:?}: {piped:?}");
    }
}

#[test]
fn times_are_shown_in_the_zone_of_the_machine() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "Ana keeps bees"]);
    let hour = |zone: &str| {
        let shown = sandbox.command(&["log"]).env("TZ", zone).output().unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        let time = shown.split(' ').find(|word| word.len() == 5 && word.contains(':')).unwrap().to_owned();
        time[..2].parse::<i32>().unwrap()
    };
    assert_eq!((hour("<+05>-5") - hour("UTC0")).rem_euclid(24), 5);
}

#[test]
fn ages_and_dates_of_memories_are_those_of_the_local_zone() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "The gate is painted green"]);
    sandbox.ok(&["remember", "The barn was built by hand", "--event-at", "2024-03-05"]);
    let offset = |zone: &str| {
        let shown = sandbox.command(&["frame", "attention", "gate painted"]).env("TZ", zone).output().unwrap();
        let text = String::from_utf8(shown.stdout).unwrap();
        let line = text.lines().find(|line| line.contains("gate")).unwrap_or_else(|| panic!("{text}")).to_owned();
        line.split(" | ").nth(1).unwrap().to_owned()
    };
    let (here, there) = (offset("UTC"), offset("<+05>-5"));
    assert!(here.starts_with("today, ") && there.starts_with("today, ") && here != there, "{here} / {there}");
    // A day that was named without a time is that day everywhere.
    for zone in ["<-08>8", "<+14>-14"] {
        let shown = sandbox.command(&["recall", "who built the barn?", "--json"]).env("TZ", zone).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
        assert_eq!(json["blocks"][0]["date"], "2024-03-05", "{json}");
        let id = json["blocks"][0]["block_id"].as_str().unwrap();
        let shown = sandbox.command(&["show", id]).env("TZ", zone).output().unwrap();
        let text = String::from_utf8(shown.stdout).unwrap();
        assert!(text.contains("happened     2024-03-05\n"), "{text}");
    }
}

#[test]
fn questions_and_the_tour_fit_a_narrow_terminal_and_ask_again() {
    let sandbox = Sandbox::new();
    for port in [5432, 5433] {
        let text =
            format!("The staging database of the finance team in Faro listens on port {port} behind the bastion");
        sandbox.ok(&["remember", &text]);
    }
    sandbox.ok(&["dream"]);
    std::fs::create_dir(sandbox.file("project")).unwrap();
    std::fs::write(sandbox.file("project/AGENTS.md"), "# Ours\n").unwrap();
    let seen = |words: &[&str], typed: &str| {
        let mut command = sandbox.command(words);
        if words == ["init"] {
            command.current_dir(sandbox.file("project"));
        }
        // What is typed ends the line of a question.
        let seen = without_colours(&on_a_terminal_of((60, 1_000), command, typed).stdout).replace("quit? ", "quit?\n");
        let wide = seen.lines().find(|line| line.chars().count() > 60);
        assert_eq!(wide, None, "{words:?}: {seen}");
        seen
    };
    let quit = seen(&["contradictions"], "x\nh?\nq\n");
    assert_eq!(quit.matches("is none of them").count(), 2, "{quit}");
    assert!(quit.contains("0 of 1 settled.") && !quit.contains("elfmem undo"), "{quit}");
    assert!(seen(&["init"], "n\n").contains("Nothing was set up."));
    assert!(seen(&["demo", "--fast"], "").contains("RECALL."));
    let settled = seen(&["contradictions"], "1\n");
    assert!(settled.contains("1 of 1 settled.") && settled.contains("elfmem undo"), "{settled}");
}
