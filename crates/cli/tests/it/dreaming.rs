//! `dream`, `contradictions`, `models`, `migrate-embeddings`.

use crate::Sandbox;

fn remember(sandbox: &Sandbox, texts: &[&str]) {
    for text in texts {
        sandbox.ok(&["remember", text]);
    }
}

#[test]
fn a_dream_says_what_became_of_every_block_that_was_not_simply_new() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["The staging database listens on port 5432.", "Maria lives in Lisbon."]);
    assert_eq!(sandbox.ok(&["dream"]), "Consolidated 2: 2 promoted, 0 deduped, 0 edges.\n");
    remember(&sandbox, &["the staging database listens on port 5432", "The staging database listens on port 5433."]);
    let planned = sandbox.ok(&["dream", "--dry-run"]);
    assert!(
        planned.starts_with("Would consolidate 2: 2 promoted, 0 deduped, 0 edges. 1 contradiction found."),
        "{planned}"
    );
    assert_eq!(sandbox.run(&["status", "--json"]).json()["inbox_count"], 2, "a dry run changes nothing");
    let dreamed = sandbox.ok(&["dream"]);
    for part in ["Consolidated 2: 2 promoted, 0 deduped", "contradicts", "5433", "with: elfmem contradictions"] {
        assert!(dreamed.contains(part), "{part}: {dreamed}");
    }
    assert_eq!(sandbox.ok(&["dream"]), "Nothing to consolidate. Inbox was empty.\n");
}

#[test]
fn a_contradiction_is_listed_and_settled() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["The staging database listens on port 5432."]);
    sandbox.ok(&["dream"]);
    remember(&sandbox, &["The staging database listens on port 5433."]);
    sandbox.ok(&["dream"]);
    let listed = sandbox.run(&["contradictions", "--json"]).json();
    assert_eq!(listed["count"], 1);
    let ids: Vec<String> =
        ["a", "b"].map(|side| listed["contradictions"][0][side]["block_id"].as_str().unwrap().to_owned()).to_vec();
    assert!(sandbox.ok(&["contradictions"]).contains("5432"));
    let kept = sandbox.ok(&["contradictions", "resolve", &ids[0][..6], &ids[1][..6], "--keep", &ids[0][..6]]);
    assert!(kept.starts_with("Resolved: "), "{kept}");
    assert_eq!(sandbox.ok(&["contradictions"]), "No contradictions are open.\n");
    assert_eq!(sandbox.run(&["show", &ids[1], "--json"]).json()["superseded_by"], ids[0].as_str());
    assert!(
        sandbox.fails(&["contradictions", "resolve", &ids[0], &ids[1], "--both", "x"]).contains("No contradiction")
    );
    assert_eq!(sandbox.run(&["contradictions", "resolve", &ids[0], &ids[1]]).code, 2, "one way must be chosen");
}

#[test]
fn an_agent_can_analyse_what_waits_itself() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["Plain answers matter more to me than clever ones"]);
    let pending = sandbox.run(&["dream", "--pending", "--json"]).json();
    let id = pending["blocks"][0]["block_id"].as_str().unwrap().to_owned();
    let analyses = format!(
        "{{\"{}\": {{\"alignment\": 0.9, \"tags\": [\"value\"], \"summary\": \"Plain over clever.\"}}}}",
        &id[..8]
    );
    let answer = sandbox.pipe(analyses.as_bytes(), &["dream", "--analyses", "-"]);
    assert_eq!(answer.code, 0, "{answer:?}");
    let shown = sandbox.run(&["show", &id, "--json"]).json();
    assert_eq!((shown["self_alignment"].as_f64(), shown["tags"][0].as_str()), (Some(0.9), Some("self/value")));
    assert_eq!(shown["summary"], "Plain over clever.");
    assert_eq!(shown["confidence"], 0.5);
    remember(&sandbox, &["Another thought"]);
    let bad = sandbox.pipe(b"{\"ffff0000\": {\"alignment\": 2}}", &["dream", "--analyses", "-"]);
    assert!(crate::clear_error(&bad).contains("ffff0000"));
    let worse = sandbox.pipe(b"[1, 2", &["dream", "--analyses", "-"]);
    assert!(crate::clear_error(&worse).contains("--pending"));
    assert_eq!(sandbox.run(&["status", "--json"]).json()["inbox_count"], 1);
}

#[test]
fn the_models_in_use_are_named_with_the_reason() {
    let sandbox = Sandbox::new();
    let models = sandbox.ok(&["models", "--check"]);
    for part in
        ["elfmem-encoder-256-v1", "built in; no --embedder, no ELFMEM_EMBEDDER", "rules", "answers", "no model yet"]
    {
        assert!(models.contains(part), "{part}: {models}");
    }
    let mut command = sandbox.command(&["models", "--json"]);
    let by_variable: crate::Answer = command.env("ELFMEM_ANALYST", "ollama:llama3").output().unwrap().into();
    assert_eq!(by_variable.json()["analyst"]["chosen_by"], "environment");
    assert!(sandbox.fails(&["models", "--analyst", "anthropic:x"]).contains("ANTHROPIC_API_KEY"));
    assert!(
        sandbox
            .fails(&["dream", "--embedder", "nonsense"])
            .contains("builtin, static, encoder, folder:PATH, openai:MODEL or ollama:MODEL")
    );
}

#[test]
fn a_model_folder_that_is_not_there_is_named_and_nothing_is_lost() {
    let sandbox = Sandbox::new();
    let run = |arguments: &[&str]| -> crate::Answer {
        sandbox.command(arguments).env("ELFMEM_EMBEDDER", "folder:/nowhere/mini").output().unwrap().into()
    };
    assert_eq!(run(&["remember", "A block that waits"]).code, 0);
    let found = run(&["recall", "which block waits?"]);
    assert!(found.code == 0 && found.stdout.contains("A block that waits"), "{found:?}");
    let error = crate::clear_error(&run(&["dream"]));
    assert!(error.contains("/nowhere/mini: there is no such folder"), "{error}");
    assert!(error.contains("Recovery: Check the path of the model folder"), "{error}");
    let doctor = run(&["doctor"]);
    assert!(doctor.code == 1 && doctor.stdout.contains("there is no such folder"), "{doctor:?}");
    assert!(run(&["models"]).stdout.contains("there is no such folder"));
    assert_eq!(sandbox.run(&["status", "--json"]).json()["inbox_count"], 1);
    sandbox.ok(&["dream"]);
}

#[test]
fn a_model_folder_that_cannot_be_loaded_is_a_clear_error_and_nothing_is_lost() {
    let sandbox = Sandbox::new();
    let folder = sandbox.file("mini");
    std::fs::create_dir(&folder).unwrap();
    let write = |name: &str, content: &str| std::fs::write(folder.join(name), content).unwrap();
    let run = |arguments: &[&str]| -> crate::Answer {
        sandbox.command(arguments).env("ELFMEM_EMBEDDER", "folder:mini").output().unwrap().into()
    };
    let config = r#"{"model_type": "bert", "vocab_size": 5, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
        "intermediate_size": 4, "max_position_embeddings": 10, "hidden_act": "gelu", "layer_norm_eps": 1e-12}"#;
    write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nblock\n");
    assert_eq!(run(&["remember", "A block that waits"]).code, 0);
    for (config, weights, said) in [
        (config.replace("bert", "mpnet"), "", "'mpnet'"),
        (config.replace("\"bert\"", "\"bert"), "", "config.json"),
        (config.to_owned(), "version https://git-lfs.github.com/spec/v1", "no safetensors file"),
        (config.to_owned(), "\u{2}\0\0\0\0\0\0\0{}", "not a BERT model"),
        (config.to_owned(), "\u{7f}\0\0\0\0\0\0\0{\"embeddings.word_embeddings.weight\"", "model.safetensors"),
    ] {
        write("config.json", &config);
        write("model.safetensors", weights);
        let error = crate::clear_error(&run(&["dream"]));
        assert!(error.contains(said) && error.contains("mini"), "{said}: {error}");
        let found = run(&["recall", "which block waits?"]);
        assert!(found.code == 0 && found.stdout.contains("A block that waits"), "{found:?}");
        assert_eq!(run(&["status", "--json"]).json()["inbox_count"], 1);
        assert_eq!(run(&["doctor"]).code, 1);
    }
    // A memory with vectors keeps them while the folder is chosen by mistake.
    sandbox.ok(&["dream"]);
    assert!(crate::clear_error(&run(&["migrate-embeddings"])).contains("model.safetensors"));
    let found = sandbox.run(&["recall", "which block waits?", "--json"]).json();
    assert!(found["blocks"][0]["explain"]["cosine"].is_number() || found["strength"] == "strong", "{found}");
}

#[test]
fn a_server_that_is_not_there_is_a_clear_error_and_nothing_is_lost() {
    let sandbox = Sandbox::new();
    remember(&sandbox, &["A block that waits"]);
    let run = |arguments: &[&str]| -> crate::Answer {
        sandbox.command(arguments).env("ELFMEM_BASE_URL", "http://127.0.0.1:9/v1").output().unwrap().into()
    };
    let error = crate::clear_error(&run(&["dream", "--embedder", "openai:any"]));
    assert!(error.contains("Recovery: "), "{error}");
    assert_eq!(sandbox.run(&["status", "--json"]).json()["inbox_count"], 1);
    let analysed = run(&["dream", "--analyst", "openai:any"]);
    assert_eq!(analysed.code, 0, "{analysed:?}");
    assert!(analysed.stdout.contains("1 of 1 blocks could not be analysed"), "{analysed:?}");
    assert_eq!(sandbox.run(&["status", "--json"]).json()["active_count"], 1);
}

#[test]
fn the_encoder_is_the_default_and_finds_across_languages() {
    let sandbox = Sandbox::new();
    let run = |arguments: &[&str]| -> crate::Answer { sandbox.command(arguments).output().unwrap().into() };
    assert!(run(&["models", "--check"]).stdout.contains("elfmem-encoder-256-v1"));
    for text in ["Maria is allergic to peanuts", "The service listens on port 8080", "The train to Bern leaves at noon"]
    {
        assert_eq!(run(&["remember", text]).code, 0);
    }
    let first = |question: &str| run(&["recall", question, "--json"]).json()["blocks"][0]["content"].clone();
    // Before a dream by vectors that the recall computes, after it by stored ones.
    assert_eq!(first("Wer verträgt keine Erdnüsse?"), "Maria is allergic to peanuts");
    let dreamed = run(&["dream"]);
    assert_eq!(dreamed.code, 0, "{dreamed:?}");
    assert_eq!(first("Wer verträgt keine Erdnüsse?"), "Maria is allergic to peanuts");
    let refused = sandbox.fails(&["dream", "--embedder", "static"]);
    assert!(refused.contains("migrate-embeddings"), "{refused}");
    assert!(sandbox.ok(&["migrate-embeddings", "--embedder", "static"]).contains("elfmem-static-256"));
}

#[test]
fn a_python_database_is_migrated_to_the_built_in_model() {
    let sandbox = Sandbox::new();
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../store-sqlite/tests/fixtures/python-0.15.db");
    std::fs::copy(fixture, sandbox.file("old.db")).unwrap();
    let status = sandbox.run(&["status", "--json", "--db", "old.db"]).json();
    assert_eq!(status["health"], "degraded");
    let refused = sandbox.fails(&["dream", "--db", "old.db"]);
    assert!(refused.contains("migrate-embeddings"), "{refused}");
    let migrated = sandbox.ok(&["migrate-embeddings", "--db", "old.db"]);
    assert!(migrated.starts_with("Embedded 5 blocks with elfmem-encoder-256-v1"), "{migrated}");
    assert!(sandbox.ok(&["dream", "--db", "old.db"]).starts_with("Consolidated 1: 1 promoted"));
    assert_eq!(sandbox.run(&["status", "--json", "--db", "old.db"]).json()["health"], "good");
}

#[test]
fn a_key_is_nowhere_in_the_files_of_a_memory() {
    let sandbox = Sandbox::new();
    sandbox.ok(&["remember", "a fact", "--db", "m.db"]);
    let key = "sk-proj-0123456789abcdefghij";
    // The server is not there: errors that quote what was sent are the likeliest way for a key to be written down.
    let dreamed: crate::Answer = sandbox
        .command(&["dream", "--db", "m.db", "--analyst", "openai:some-model"])
        .env("OPENAI_API_KEY", key)
        .env("ELFMEM_BASE_URL", "http://127.0.0.1:9/v1")
        .output()
        .unwrap()
        .into();
    assert!(!dreamed.stdout.contains(key) && !dreamed.stderr.contains(key), "{dreamed:?}");
    for entry in std::fs::read_dir(sandbox.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(key.len()).any(|window| window == key.as_bytes()), "{}", path.display());
        }
    }
}
