//! Settings: layers, origins, errors with a way out, and that what they say is what happens.

use std::fs;

use crate::{Answer, Sandbox, clear_error};

/// A sandbox with a project in it; the file of its settings.
fn project(settings: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.file("work/.elfmem")).unwrap();
    fs::write(sandbox.file("work/.elfmem/config.toml"), settings).unwrap();
    sandbox
}

fn in_project(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> Answer {
    let mut command = sandbox.command(arguments);
    command.current_dir(sandbox.file("work")).envs(variables.iter().copied());
    command.output().unwrap().into()
}

/// The value and the layer of a setting, as `config show --json` tells them.
fn shown(answer: &Answer, key: &str) -> (serde_json::Value, String) {
    let json = answer.json();
    let values = json["values"].as_array().unwrap().iter();
    let found = values.into_iter().find(|value| value["key"] == key).unwrap().clone();
    (found["value"].clone(), found["origin"]["layer"].as_str().unwrap().to_owned())
}

#[test]
fn each_layer_goes_before_the_one_below_and_show_says_which_it_was() {
    let sandbox = project("[scope]\nname = \"from-project\"\n");
    fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    fs::write(sandbox.file(".config/elfmem/config.toml"), "[scope]\nname = \"from-user\"\n[recall]\ntop_k = 2\n")
        .unwrap();
    let show = ["config", "show", "--json"];
    let layered = in_project(&sandbox, &show, &[]);
    assert_eq!(shown(&layered, "scope.name"), ("from-project".into(), "project".into()));
    assert_eq!(shown(&layered, "recall.top_k"), (2.into(), "user".into()));
    assert_eq!(shown(&layered, "models.analyst"), ("rules".into(), "default".into()));
    assert_eq!(shown(&layered, "database.path").1, "project");
    let by_variable = in_project(&sandbox, &show, &[("ELFMEM_SCOPE", "from-variable")]);
    assert_eq!(shown(&by_variable, "scope.name"), ("from-variable".into(), "environment".into()));
    let flag = [&show[..], &["--scope", "from-flag"]].concat();
    let by_flag = in_project(&sandbox, &flag, &[("ELFMEM_SCOPE", "from-variable")]);
    assert_eq!(shown(&by_flag, "scope.name"), ("from-flag".into(), "flag".into()));
    let text = in_project(&sandbox, &["config", "show"], &[]).stdout;
    assert!(text.contains("work/.elfmem/config.toml, line 2"), "{text}");
}

#[test]
fn what_the_settings_say_is_what_happens() {
    let sandbox = project(
        "[database]\npath = \"other.db\"\nsynchronous = \"full\"\n[scope]\nname = \"team\"\n[memory]\ninbox_threshold = 2\n\
         [recall]\ntop_k = 1\nframe = \"attention\"\n",
    );
    for text in ["The port is 5433 on staging", "The port of the cache is 6379"] {
        assert_eq!(in_project(&sandbox, &["remember", text], &[]).code, 0);
    }
    assert!(sandbox.file("work/.elfmem/other.db").exists() && !sandbox.file("work/.elfmem/memory.db").exists());
    let status = in_project(&sandbox, &["status", "--json"], &[]).json();
    assert_eq!((&status["inbox_threshold"], &status["health"]), (&2.into(), &"attention".into()));
    assert_eq!(status["database"]["found_by"], "project_settings");
    assert!(in_project(&sandbox, &["status"], &[]).stdout.contains("config.toml, line 2"));
    let found = in_project(&sandbox, &["recall", "which port?", "--json"], &[]).json();
    assert_eq!((found["blocks"].as_array().unwrap().len(), &found["frame"]), (1, &"attention".into()));
    let more =
        in_project(&sandbox, &["recall", "which port?", "--top-k", "5", "--frame", "search", "--json"], &[]).json();
    assert_eq!((more["blocks"].as_array().unwrap().len(), &more["frame"]), (2, &"search".into()));
    let elsewhere = in_project(&sandbox, &["recall", "which port?", "--scope", "default", "--json"], &[]).json();
    assert_eq!(elsewhere["blocks"].as_array().unwrap().len(), 0, "they are in the scope the settings name");
}

#[test]
fn bad_settings_stop_every_command_that_needs_them_and_show_still_tells() {
    let sandbox = project("[memory]\ninbox_treshold = 5\n[recall]\ntop_k = 0\n");
    for command in [&["remember", "x"][..], &["recall", "x"], &["status"], &["ls"], &["dream"], &["undo"], &["models"]]
    {
        let error = clear_error(&in_project(&sandbox, command, &[]));
        assert!(error.contains("line 2: there is no setting 'memory.inbox_treshold'"), "{error}");
        assert!(error.contains("Did you mean memory.inbox_threshold?") && error.contains("1 more"), "{error}");
    }
    assert!(!sandbox.file("work/.elfmem/memory.db").exists(), "nothing was made");
    let failed = in_project(&sandbox, &["status", "--json"], &[]);
    let error: serde_json::Value = serde_json::from_str(&failed.stderr).unwrap();
    assert_eq!(error["error"]["kind"], "ConfigError");
    let told = in_project(&sandbox, &["config", "show"], &[]);
    assert_eq!(told.code, 0);
    assert!(told.stdout.contains("a whole number from 1 to 1000"), "{told:?}");
    assert_eq!(
        in_project(&sandbox, &["config", "show", "--json"], &[]).json()["problems"].as_array().unwrap().len(),
        2
    );
    for command in [&["config", "keys"][..], &["completions", "bash"], &["--help"]] {
        assert_eq!(in_project(&sandbox, command, &[]).code, 0, "{command:?}");
    }
    // The way out, taken literally.
    fs::write(sandbox.file("work/.elfmem/config.toml"), "[memory]\ninbox_threshold = 5\n").unwrap();
    assert_eq!(in_project(&sandbox, &["status"], &[]).code, 0);
}

#[test]
fn a_variable_with_an_impossible_value_is_named_with_the_way_out() {
    let sandbox = Sandbox::new();
    let answer = sandbox.command(&["status"]).env("ELFMEM_IDLE_MINUTES", "soon").output().unwrap().into();
    let error = clear_error(&answer);
    assert!(error.contains("ELFMEM_IDLE_MINUTES") && error.contains("a number from 0.1 to 1440"), "{error}");
}

#[test]
fn a_project_cannot_send_the_keys_of_a_user_elsewhere() {
    let sandbox = project("[models]\nanalyst = \"openai:x\"\nbase_url = \"http://127.0.0.1:9/steal\"\n");
    let error = clear_error(&in_project(&sandbox, &["dream"], &[("OPENAI_API_KEY", "sk-secret")]));
    assert!(error.contains("a project may not set models.base_url") && error.contains("ELFMEM_BASE_URL"), "{error}");
    assert!(!error.contains("sk-secret"));
}

#[test]
fn the_key_of_a_model_is_read_from_the_variable_the_settings_name() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.file(".config/elfmem")).unwrap();
    let file = sandbox.file(".config/elfmem/config.toml");
    fs::write(&file, "[models]\nanalyst = \"anthropic:x\"\nanthropic_key_variable = \"MY_OWN_KEY\"\n").unwrap();
    assert!(sandbox.fails(&["models"]).contains("Set MY_OWN_KEY"));
    let chosen = sandbox.command(&["models", "--json"]).env("MY_OWN_KEY", "k").output().unwrap();
    assert_eq!(Answer::from(chosen).json()["analyst"]["chosen_by"], "user");
    let told: Answer = sandbox.command(&["models"]).env("MY_OWN_KEY", "k").output().unwrap().into();
    assert!(told.stdout.contains("config.toml, line 2"), "{told:?}");
}

#[test]
fn a_name_that_looks_like_a_variable_of_ours_is_noticed() {
    let sandbox = Sandbox::new();
    let answer: Answer = sandbox.command(&["config", "show"]).env("ELFMEM_ANALIST", "rules").output().unwrap().into();
    assert!(answer.stdout.contains("Did you mean ELFMEM_ANALYST?"), "{answer:?}");
}

#[test]
fn the_settings_and_their_keys_read_as_pinned() {
    let sandbox = project("[recall]\ntop_k = 7\n");
    let root = fs::canonicalize(sandbox.path()).unwrap().display().to_string();
    let show = in_project(&sandbox, &["config", "show"], &[]).stdout.replace(&root, "~");
    let keys = sandbox.ok(&["config", "keys"]);
    insta::assert_snapshot!("settings", format!("$ elfmem config show\n{show}\n$ elfmem config keys\n{keys}"));
}
