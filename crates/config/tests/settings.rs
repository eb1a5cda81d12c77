//! Layers, errors, and that the table, the tree, the template and the page say the same.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use elfmem_config::loader::{ConfigPaths, load};
use elfmem_config::{
    ConfigError, ConfigSources, DatabaseConfig, ElfmemConfig, EventsConfig, FileText, FlagValue, HooksConfig, KEYS,
    Layer, LoadedConfig, LogConfig, MemoryConfig, ModelsConfig, RecallConfig, ScopeConfig, ServeConfig, SessionConfig,
    SettingKey, SettingType, ValueOrigin, commented_file, key, merge_layers, reference_page,
};
use elfmem_core::consolidation::ThresholdOverrides;
use proptest::prelude::*;

fn file(text: &str) -> Option<FileText> {
    Some(FileText { path: "/p/.elfmem/config.toml".into(), text: text.to_owned() })
}

fn project(text: &str) -> LoadedConfig {
    merge_layers(&ConfigSources { project: file(text), ..ConfigSources::default() })
}

fn user(text: &str) -> LoadedConfig {
    merge_layers(&ConfigSources { user: file(text), home: Some("/home/me".into()), ..ConfigSources::default() })
}

fn variables(given: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    given.iter().map(|(name, value)| (name.into(), value.into())).collect()
}

/// What is wrong with a text: the message and the way out.
fn wrong(loaded: &LoadedConfig) -> Vec<String> {
    loaded.problems.iter().map(|problem| format!("{problem} — {}", problem.recovery())).collect()
}

/// Two values that a setting can have and that are not its default, as one types them.
fn two_values(key: &SettingKey) -> [String; 2] {
    match key.kind {
        SettingType::Path(_) => ["/a.db".into(), "/b.db".into()],
        // There is one besides the default.
        SettingType::Choice { words, .. } => [words[1].into(), words[1].into()],
        SettingType::Bool(_) => {
            let other = (key.default_text().unwrap() == "false").to_string();
            [other.clone(), other]
        }
        SettingType::Scope(_) | SettingType::Scopes(_) | SettingType::Name(_) | SettingType::Names(_) => {
            ["one".into(), "two".into()]
        }
        SettingType::Model { providers, .. } => [format!("{}:a", providers[0]), format!("{}:b", providers[0])],
        SettingType::Url(_) => ["http://a/v1".into(), "https://b".into()],
        SettingType::SecretVariable(_) => ["KEY_A".into(), "KEY_B".into()],
        SettingType::Count { max, .. } | SettingType::OptionalCount { max, .. } => {
            [max.to_string(), (max - 1).to_string()]
        }
        SettingType::OptionalShare(_) => ["0.25".into(), "0.75".into()],
        SettingType::Number { min, .. } => [min.to_string(), (min + 1.0).to_string()],
        SettingType::LogFilter(_) => ["debug".into(), "info".into()],
    }
}

/// A value as one writes it in a settings file.
fn as_toml(key: &SettingKey, value: &str) -> String {
    match key.kind {
        SettingType::Count { .. }
        | SettingType::OptionalCount { .. }
        | SettingType::OptionalShare(_)
        | SettingType::Number { .. }
        | SettingType::Bool(_) => value.to_owned(),
        SettingType::Scopes(_) | SettingType::Names(_) => format!("[\"{value}\"]"),
        _ => format!("\"{value}\""),
    }
}

fn line(key: &SettingKey, value: &str) -> String {
    let (section, name) = key.parts();
    format!("[{section}]\n{name} = {}\n", as_toml(key, value))
}

#[test]
fn no_sources_give_the_defaults() {
    let loaded = merge_layers(&ConfigSources::default());
    assert_eq!(loaded.config, ElfmemConfig::default());
    assert!(loaded.problems.is_empty() && loaded.warnings.is_empty());
    assert!(loaded.values().all(|value| value.origin == ValueOrigin::Default));
}

#[test]
fn every_config_field_has_a_key() {
    let mut given = Vec::new();
    for key in &KEYS {
        let one = variables(&[(key.variable, &two_values(key)[0])]);
        let standalone = merge_layers(&ConfigSources { variables: one.clone(), ..ConfigSources::default() });
        assert!(standalone.problems.is_empty(), "{}: {:?}", key.name, wrong(&standalone));
        let changed: Vec<&str> =
            standalone.values().filter(|value| value.origin != ValueOrigin::Default).map(|value| value.key).collect();
        assert_eq!(changed, [key.name], "a key moves its own value and no other");
        given.extend(one);
    }
    let all = merge_layers(&ConfigSources { variables: given, ..ConfigSources::default() });
    let (set, default) = (all.config, ElfmemConfig::default());
    // Taken apart by name: a setting that is added to the tree without a key stops this from compiling or passing.
    let ElfmemConfig { database, scope, models, memory, events, session, thresholds, recall, hooks, serve, log } = set;
    let ThresholdOverrides { exact, near, edge, contradiction_prefilter, contradiction } = thresholds;
    assert!([exact, near, edge, contradiction_prefilter, contradiction].iter().all(Option::is_some));
    let DatabaseConfig { path, synchronous, key_file } = database;
    assert!(path != default.database.path && synchronous != default.database.synchronous);
    assert!(key_file != default.database.key_file);
    let ScopeConfig { name, inherit } = scope;
    assert!(name != default.scope.name && inherit != default.scope.inherit);
    let ModelsConfig { embedder, analyst, pair_judge, base_url, openai_key_variable, anthropic_key_variable } = models;
    assert!(embedder != default.models.embedder && analyst != default.models.analyst);
    assert!(pair_judge != default.models.pair_judge);
    assert!(base_url != default.models.base_url && openai_key_variable != default.models.openai_key_variable);
    assert!(anthropic_key_variable != default.models.anthropic_key_variable);
    let MemoryConfig {
        inbox_threshold,
        adaptive_threshold,
        auto_curate,
        undo_window_days,
        curate_interval_hours,
        edge_degree_cap,
        edge_reinforce_delta,
        supersede_at_learn,
        edge_score,
        secrets,
        trusted_sources,
        untrusted_sources,
    } = memory;
    assert!(secrets != default.memory.secrets && trusted_sources != default.memory.trusted_sources);
    assert!(untrusted_sources != default.memory.untrusted_sources);
    assert!(inbox_threshold != default.memory.inbox_threshold && auto_curate != default.memory.auto_curate);
    assert!(adaptive_threshold != default.memory.adaptive_threshold && edge_score != default.memory.edge_score);
    assert!(curate_interval_hours != default.memory.curate_interval_hours && edge_degree_cap.is_some());
    assert!(supersede_at_learn != default.memory.supersede_at_learn);
    assert!(edge_reinforce_delta != default.memory.edge_reinforce_delta);
    assert!(undo_window_days != default.memory.undo_window_days);
    let EventsConfig { single_contexts, auto_graduate, pattern_after, skill_after } = events;
    assert!(single_contexts != default.events.single_contexts && auto_graduate != default.events.auto_graduate);
    assert!(pattern_after != default.events.pattern_after && skill_after != default.events.skill_after);
    let SessionConfig { idle_minutes, consolidate, consolidate_seconds } = session;
    assert!(idle_minutes != default.session.idle_minutes && consolidate != default.session.consolidate);
    assert!(consolidate_seconds != default.session.consolidate_seconds);
    let RecallConfig { frame, top_k } = recall;
    assert!(frame != default.recall.frame && top_k != default.recall.top_k);
    let HooksConfig { prompt_tokens } = hooks;
    assert!(prompt_tokens != default.hooks.prompt_tokens);
    let ServeConfig { token_file, max_body_bytes, requests_per_minute, access_log } = serve;
    assert!(token_file != default.serve.token_file && max_body_bytes != default.serve.max_body_bytes);
    assert!(requests_per_minute != default.serve.requests_per_minute && access_log != default.serve.access_log);
    let LogConfig { filter, file } = log;
    assert!(filter != default.log.filter && file != default.log.file);
}

#[test]
fn an_unknown_key_names_the_file_the_line_and_the_nearest_key() {
    let told = wrong(&project("# mine\n[memory]\ninbox_treshold = 5\n"));
    assert_eq!(
        told,
        ["/p/.elfmem/config.toml, line 3: there is no setting 'memory.inbox_treshold'. — Did you mean \
          memory.inbox_threshold? Correct or remove the line; `elfmem config keys` lists every setting."]
    );
    assert!(wrong(&project("top_k = 3\n"))[0].contains("Did you mean recall.top_k?"));
    assert!(wrong(&project("[colours]\n"))[0].contains("line 1: there is no setting 'colours'. — Remove the line"));
    assert!(wrong(&project("memory.inbox_threshold = 5\nmemory.x.y = 1"))[0].contains("line 2"));
}

#[test]
fn an_invalid_value_names_its_location_and_range() {
    let loaded = project("[recall]\n\ntop_k = -5\n");
    assert_eq!(
        wrong(&loaded),
        [
            "/p/.elfmem/config.toml, line 3: recall.top_k cannot be -5. — Give a whole number from 1 to 1000, or remove the line; \
          the default is 5."
        ]
    );
    assert_eq!(loaded.config, ElfmemConfig::default());
    let by_variable = merge_layers(&ConfigSources {
        variables: variables(&[("ELFMEM_SYNCHRONOUS", "FULL")]),
        ..ConfigSources::default()
    });
    assert_eq!(
        wrong(&by_variable),
        [
            "ELFMEM_SYNCHRONOUS: database.synchronous cannot be 'FULL'. — Give normal or full, or unset ELFMEM_SYNCHRONOUS; the \
          default is \"normal\"."
        ]
    );
    let typed = FlagValue { key: "models.embedder", flag: "--embedder", given: vec!["nonsense".into()] };
    let by_flag = merge_layers(&ConfigSources { flags: vec![typed], ..ConfigSources::default() });
    assert_eq!(
        wrong(&by_flag),
        [
            "--embedder: models.embedder cannot be 'nonsense'. — Give builtin, static, encoder, folder:PATH, openai:MODEL or ollama:MODEL, or omit --embedder; \
          the default is \"builtin\"."
        ]
    );
}

#[test]
fn values_of_the_wrong_type_are_rejected() {
    for bad in [
        "[recall]\ntop_k = \"5\"",
        "[recall]\ntop_k = 5.0",
        "[recall]\ntop_k = [5]",
        "[recall]\ntop_k = 1001",
        "[recall]\ntop_k = 99999999999999999999999999",
        "[recall]\nframe = \"\"",
        "[session]\nidle_minutes = 0",
        "[session]\nconsolidate_seconds = 0",
        "[thresholds]\nedge = 1.5",
        "[thresholds]\nedge = nan",
        "[memory]\nedge_degree_cap = 0",
        "[session]\nidle_minutes = nan",
        "[session]\nidle_minutes = inf",
        "[session]\nidle_minutes = -1.5",
        "[memory]\nauto_curate = \"yes\"",
        "[memory]\ninbox_threshold = { a = 1 }",
        "[scope]\nname = \"a\\nb\"",
        "[scope]\ninherit = \"a\"",
        "[scope]\ninherit = [1]",
        "[database]\npath = \"\"",
        "[models]\nembedder = \"anthropic:x\"",
        "[models]\nanalyst = \"openai:\"",
        "memory = 5",
        "[[memory]]\ninbox_threshold = 5",
    ] {
        let loaded = project(bad);
        assert_eq!(loaded.problems.len(), 1, "{bad}: {:?}", wrong(&loaded));
        assert_eq!(loaded.config, ElfmemConfig::default(), "{bad}");
    }
}

#[test]
fn a_syntax_error_names_its_line_and_discards_the_file() {
    let loaded = project("[memory]\ninbox_threshold = 50\nauto_curate = maybe so\n");
    assert!(
        wrong(&loaded)[0].starts_with("/p/.elfmem/config.toml, line 3: this is not TOML: "),
        "{:?}",
        wrong(&loaded)
    );
    assert_eq!(loaded.config, ElfmemConfig::default());
    let twice = project("[recall]\ntop_k = 3\ntop_k = 4\n");
    assert!(wrong(&twice)[0].contains("line 3"), "{:?}", wrong(&twice));
}

#[test]
fn all_errors_are_reported_and_valid_values_used() {
    let loaded = project("[recall]\ntop_k = 0\nframe = \"task\"\nnumber = 1\n");
    assert_eq!(loaded.problems.iter().map(ConfigError::line).collect::<Vec<_>>(), [2, 4], "in the order of the file");
    assert_eq!(loaded.config.recall.frame, "task");
    assert!(matches!(loaded.into_result(), Err(ConfigError::BadValue { .. })));
}

#[test]
fn a_secret_in_place_of_a_variable_name_is_not_shown() {
    let told = wrong(&user("[models]\nopenai_key_variable = \"sk-proj-topsecret\"\n"));
    assert!(told[0].contains("models.openai_key_variable cannot be what is written there"), "{told:?}");
    assert!(told[0].contains("the name of an environment variable") && !told[0].contains("topsecret"), "{told:?}");
}

#[test]
fn a_project_cannot_redirect_keys_and_texts() {
    for setting in ["base_url = \"http://evil\"", "openai_key_variable = \"AWS_KEY\"", "anthropic_key_variable = \"X\""]
    {
        let text = format!("[models]\n{setting}\n");
        let refused = project(&text);
        assert!(wrong(&refused)[0].contains("a project may not set models."), "{:?}", wrong(&refused));
        assert_eq!(refused.config, ElfmemConfig::default());
        assert!(user(&text).problems.is_empty(), "the user may");
    }
}

#[test]
fn a_project_cannot_set_access_tokens() {
    let text = "[serve]\ntoken_file = \"tokens\"\n";
    assert!(wrong(&project(text))[0].contains("a project may not set serve.token_file"));
    assert!(user(text).problems.is_empty(), "the user may");
}

#[test]
fn paths_are_relative_to_their_file_and_the_tilde_is_home() {
    let path = |loaded: LoadedConfig| loaded.config.database.path;
    assert_eq!(path(project("[database]\npath = \"other.db\"")), Some(PathBuf::from("/p/.elfmem/other.db")));
    assert_eq!(path(user("[database]\npath = \"~/mine.db\"")), Some(PathBuf::from("/home/me/mine.db")));
    assert_eq!(path(user("[database]\npath = \"/x/mine.db\"")), Some(PathBuf::from("/x/mine.db")));
    let by_variable = ConfigSources {
        variables: variables(&[("ELFMEM_DB", "here.db")]),
        project_folder: Some("/p/.elfmem".into()),
        ..ConfigSources::default()
    };
    assert_eq!(path(merge_layers(&by_variable)), Some(PathBuf::from("here.db")));
}

#[test]
fn a_model_folder_is_a_path_and_only_embeds() {
    let embedder = |loaded: LoadedConfig| loaded.config.models.embedder;
    assert_eq!(embedder(project("[models]\nembedder = \"folder:mini\"")), "folder:/p/.elfmem/mini");
    assert_eq!(embedder(user("[models]\nembedder = \"folder:~/models/mini\"")), "folder:/home/me/models/mini");
    let by_variable =
        ConfigSources { variables: variables(&[("ELFMEM_EMBEDDER", "folder:./mini")]), ..ConfigSources::default() };
    assert_eq!(embedder(merge_layers(&by_variable)), "folder:./mini");
    let problems = wrong(&user("[models]\nembedder = \"folder:\"\nanalyst = \"folder:/x\""));
    assert!(problems[0].contains("encoder, folder:PATH, openai:MODEL"), "{problems:?}");
    assert!(problems[1].contains("rules, openai:MODEL"), "{problems:?}");
}

#[test]
fn an_empty_path_is_unset() {
    let flag = FlagValue { key: "database.path", flag: "--db", given: vec!["".into()] };
    let by_flag = merge_layers(&ConfigSources { flags: vec![flag], ..ConfigSources::default() });
    for loaded in [by_flag, user("[database]\npath = \"\"")] {
        assert!(wrong(&loaded)[0].contains("database.path cannot be ''"), "{:?}", wrong(&loaded));
        assert_eq!(loaded.config.database.path, None);
    }
}

#[test]
fn the_project_folder_overrides_the_users_database_path() {
    let sources = ConfigSources {
        user: Some(FileText { path: "/c/config.toml".into(), text: "[database]\npath = \"/all.db\"".into() }),
        project_folder: Some("/p/.elfmem".into()),
        ..ConfigSources::default()
    };
    let loaded = merge_layers(&sources);
    assert_eq!(loaded.config.database.path.as_deref(), Some(Path::new("/p/.elfmem/memory.db")));
    assert_eq!(loaded.origin("database.path").layer(), Layer::Project);
    let named = ConfigSources { project: file("[database]\npath = \"other.db\""), ..sources };
    assert_eq!(merge_layers(&named).config.database.path.as_deref(), Some(Path::new("/p/.elfmem/other.db")));
}

#[test]
fn an_unknown_variable_is_a_warning() {
    let given = variables(&[("ELFMEM_EMBEDER", "builtin"), ("ELFMEM_DB", "x.db"), ("HOME", "/")]);
    let loaded = merge_layers(&ConfigSources { variables: given, ..ConfigSources::default() });
    assert_eq!(loaded.warnings, ["ELFMEM_EMBEDER is set, and no setting reads it. Did you mean ELFMEM_EMBEDDER?"]);
    assert!(loaded.problems.is_empty());
}

#[test]
fn lists_use_repeated_flags_or_commas() {
    let flag = FlagValue { key: "scope.inherit", flag: "--inherit", given: vec!["a".into(), "b".into()] };
    let typed = merge_layers(&ConfigSources { flags: vec![flag], ..ConfigSources::default() });
    let variable = merge_layers(&ConfigSources {
        variables: variables(&[("ELFMEM_INHERIT", "a, b,")]),
        ..ConfigSources::default()
    });
    assert_eq!(typed.config.scope.inherit.len(), 2);
    assert_eq!(typed.config.scope, variable.config.scope);
}

#[test]
fn the_uncommented_template_is_valid() {
    let template = commented_file();
    let untouched = project(&template);
    assert_eq!((untouched.config, untouched.problems), (ElfmemConfig::default(), vec![]));
    let lines = template.lines().map(|line| {
        let bare = line.strip_prefix("# ").filter(|bare| {
            let name = bare.split(" = ").next().unwrap_or("");
            bare.contains(" = ") && KEYS.iter().any(|key| key.parts().1 == name)
        });
        bare.unwrap_or(line).to_owned() + "\n"
    });
    let active = project(&lines.collect::<String>());
    assert!(active.problems.is_empty(), "{:?}", wrong(&active));
    let set = active.values().filter(|value| value.origin != ValueOrigin::Default).count();
    assert_eq!(set, KEYS.iter().filter(|key| key.for_projects).count());
    let mut config = active.config;
    config.database.path = None;
    // What has no default shows an example.
    config.thresholds = ThresholdOverrides::default();
    assert_eq!(config, ElfmemConfig::default(), "what it shows are the defaults");
}

#[test]
fn the_reference_page_matches_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/configuration.md");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        std::fs::write(&path, reference_page()).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written == reference_page(), "write it anew: INSTA_UPDATE=always cargo nextest run -p elfmem-config");
}

#[test]
fn missing_files_are_ignored_and_unreadable_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let places = ConfigPaths {
        user_file: Some(folder.path().join("user.toml")),
        project_folder: Some(folder.path().to_owned()),
        home: None,
    };
    assert!(load(&places, vec![], vec![]).problems.is_empty(), "no file is no problem");
    std::fs::write(folder.path().join("user.toml"), "[recall]\ntop_k = 7").unwrap();
    std::fs::write(folder.path().join("config.toml"), "[recall]\ntop_k = 8").unwrap();
    assert_eq!(load(&places, vec![], vec![]).config.recall.top_k, 8);
    std::fs::write(folder.path().join("config.toml"), b"caf\xe9").unwrap();
    let broken = load(&places, vec![], vec![]);
    assert!(wrong(&broken)[0].contains("it is not UTF-8 text"), "{:?}", wrong(&broken));
    assert_eq!(broken.config.recall.top_k, 7, "the other file counts");
    std::fs::remove_file(folder.path().join("config.toml")).unwrap();
    std::fs::create_dir(folder.path().join("config.toml")).unwrap();
    assert!(wrong(&load(&places, vec![], vec![]))[0].contains("it is a folder"));
}

/// For each layer above the defaults: whether it sets the value, and which of two values it sets.
fn choices() -> impl Strategy<Value = [Option<usize>; 4]> {
    prop::array::uniform4(prop::option::of(0..2usize))
}

proptest! {
    #[test]
    fn the_highest_layer_wins_and_is_the_origin(
        which in 0..KEYS.len(),
        [user, project, variable, flag] in choices(),
    ) {
        let key = &KEYS[which];
        let values = two_values(key);
        let project = project.filter(|_| key.for_projects);
        let flag = flag.filter(|_| key.flag.is_some());
        let text = |chosen: usize| line(key, &values[chosen]);
        let sources = ConfigSources {
            user: user.map(|chosen| FileText { path: "/u/config.toml".into(), text: text(chosen) }),
            project: project.map(|chosen| FileText { path: "/p/config.toml".into(), text: text(chosen) }),
            variables: variable.map(|chosen| (key.variable.into(), (&values[chosen]).into())).into_iter().collect(),
            flags: flag.map(|chosen| FlagValue {
                key: key.name,
                flag: key.flag.unwrap(),
                given: vec![(&values[chosen]).into()],
            }).into_iter().collect(),
            ..ConfigSources::default()
        };
        let loaded = merge_layers(&sources);
        prop_assert!(loaded.problems.is_empty(), "{:?}", wrong(&loaded));
        let layers = [(Layer::Flag, flag), (Layer::Environment, variable), (Layer::Project, project), (Layer::User, user)];
        let winner = layers.into_iter().find_map(|(layer, chosen)| Some((layer, chosen?)));
        let (layer, expected) = match winner {
            Some((layer, chosen)) => {
                let standalone = ConfigSources { variables: variables(&[(key.variable, &values[chosen])]), ..ConfigSources::default() };
                (layer, merge_layers(&standalone).config)
            }
            None => (Layer::Default, ElfmemConfig::default()),
        };
        prop_assert_eq!(loaded.origin(key.name).layer(), layer);
        prop_assert_eq!(&loaded.config, &expected);
        let others = loaded.values().filter(|value| value.key != key.name);
        prop_assert!(others.into_iter().all(|value| value.origin == ValueOrigin::Default));
    }

    #[test]
    fn parsing_never_panics_and_errors_have_recoveries(text in "(\\[?[a-z_.]{0,12}\\]?( ?= ?)?[\"0-9a-z\\[\\]{}.-]{0,8}\n?){0,6}") {
        for problem in project(&text).problems {
            prop_assert!(!problem.to_string().contains('\n') && !problem.recovery().is_empty());
        }
    }
}

#[test]
fn a_key_is_found_by_its_name() {
    assert_eq!(key("recall.top_k").unwrap().variable, "ELFMEM_TOP_K");
    assert!(key("top_k").is_none());
}
