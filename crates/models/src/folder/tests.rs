//! Small folders with random weights, whole and damaged.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::*;
use crate::error::ModelErrorKind;
use crate::folder_problem::FolderProblemKind;

const WIDTH: usize = 8;
const INNER: usize = 12;
const WORDS: [&str; 14] =
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "pot", "##s", "##pot", "green", "the", ".", "query", "passage", ":"];

/// The names and shapes of all tensors.
fn tensors() -> Vec<(String, Vec<usize>)> {
    let mut all = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![WORDS.len(), WIDTH]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![10, WIDTH]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, WIDTH]),
    ];
    let norm = |name: &str| ["weight", "bias"].map(|part| (format!("{name}.{part}"), vec![WIDTH])).to_vec();
    let mut rest = norm("embeddings.LayerNorm");
    for layer in 0..2 {
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let mut linear = |part: &str, outputs: usize, inputs: usize| {
            rest.push((format!("{}.weight", name(part)), vec![outputs, inputs]));
            rest.push((format!("{}.bias", name(part)), vec![outputs]));
        };
        for part in ["query", "key", "value"] {
            linear(&format!("attention.self.{part}"), WIDTH, WIDTH);
        }
        linear("attention.output.dense", WIDTH, WIDTH);
        linear("intermediate.dense", INNER, WIDTH);
        linear("output.dense", WIDTH, INNER);
        rest.extend(norm(&name("attention.output.LayerNorm")));
        rest.extend(norm(&name("output.LayerNorm")));
    }
    all.extend(rest);
    all
}

/// Numbers that look random and are exact in all formats: multiples of an eighth from −1 to 1.
fn number(seed: usize) -> f32 {
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed >> 40) % 17) as f32 / 8.0 - 1.0
}

fn safetensors(dtype: &str, tensors: &[(String, Vec<usize>)]) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape) in tensors {
        let start = data.len();
        for at in 0..shape.iter().product() {
            let number = number(at + name.len() * 1000);
            match dtype {
                "F32" => data.extend(number.to_le_bytes()),
                "BF16" => data.extend(&number.to_le_bytes()[2..]),
                // Exact for these numbers.
                "F16" => {
                    let bits = number.to_bits();
                    let half =
                        if number == 0.0 { 0 } else { (bits >> 13 & 0x3ff) + (((bits >> 23 & 0xff) - 112) << 10) };
                    data.extend((half as u16 | (bits >> 16 & 0x8000) as u16).to_le_bytes());
                }
                _ => data.push(1),
            }
        }
        header.insert(name.clone(), json!({"dtype": dtype, "shape": shape, "data_offsets": [start, data.len()]}));
    }
    header.insert("__metadata__".to_owned(), json!({"format": "pt"}));
    let header = serde_json::Value::from(header).to_string();
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn config() -> serde_json::Value {
    json!({
        "model_type": "bert", "vocab_size": WORDS.len(), "hidden_size": WIDTH, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": INNER, "max_position_embeddings": 10, "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
    })
}

fn word_piece() -> serde_json::Value {
    let vocabulary: serde_json::Map<_, _> =
        WORDS.iter().enumerate().map(|(id, word)| ((*word).to_owned(), json!(id))).collect();
    json!({
        "added_tokens": [{"id": 2, "content": "[CLS]", "special": true}],
        "normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null, "handle_chinese_chars": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]"}}, {"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "[SEP]"}}],
            "special_tokens": {"[CLS]": {"ids": [2]}, "[SEP]": {"ids": [3]}},
        },
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "vocab": vocabulary},
    })
}

/// A folder that can be loaded.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(path, "config.json", config().to_string());
    write(path, "tokenizer.json", word_piece().to_string());
    write(path, "model.safetensors", safetensors("F32", &tensors()));
    let modules = json!([
        {"path": "", "type": "sentence_transformers.models.Transformer"},
        {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
    ]);
    write(path, "modules.json", modules.to_string());
    write(path, "1_Pooling/config.json", json!({"pooling_mode_mean_tokens": true}).to_string());
    folder
}

fn load(path: &Path) -> Result<FolderEmbedder, ModelError> {
    ModelFolder::open(path)?.load()
}

fn vector(embedder: &FolderEmbedder, text: &str) -> Vec<f32> {
    embedder.embed(&[text]).unwrap().remove(0).unwrap()
}

/// Returns the problem with a folder.
fn refused(path: &Path) -> (FolderProblemKind, String) {
    match load(path).err() {
        Some(error @ ModelError::Folder(_)) => {
            assert_eq!(
                (error.kind(), error.code(), error.is_retryable()),
                (ModelErrorKind::Setup, "model_folder", false)
            );
            let ModelError::Folder(problem) = &error else { unreachable!() };
            assert!(!error.recovery().is_empty() && error.to_string().contains(&problem.detail));
            (problem.kind, problem.to_string())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_folder_gives_unit_vectors_in_all_number_formats() {
    let folder = folder();
    let exact = load(folder.path()).unwrap();
    assert_eq!(exact.dimensions(), WIDTH);
    assert_eq!(exact.piece_ids("The Green TEAPOTS [CLS] é"), [9, 8, 4, 7, 6, 1, 1, 1, 1]);
    let texts = ["green tea", "the teapots.", "  ", "日本 xyz", "tea the green pot . tea the green pot ."];
    let vectors = exact.embed(&texts).unwrap();
    assert!(vectors[2].is_none() && vectors[3].is_none(), "nothing is known of these");
    for vector in vectors.iter().flatten() {
        let length: f32 = vector.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-5);
    }
    assert_eq!(exact.prepare_query("green tea").unwrap().vector(&|_| 1.0).unwrap(), vectors[0]);
    assert!(exact.check().unwrap().detail.starts_with("8 dimensions, from "));
    for dtype in ["F16", "BF16"] {
        write(folder.path(), "model.safetensors", safetensors(dtype, &tensors()));
        let rounded = load(folder.path()).unwrap();
        assert_eq!(rounded.embed(&texts).unwrap(), vectors, "{dtype}: these numbers are exact");
        assert_ne!(rounded.name(), exact.name(), "another file, another model");
    }
}

#[test]
fn a_batch_is_the_same_as_one_text_after_the_other() {
    let folder = folder();
    let embedder = load(folder.path()).unwrap();
    let texts: Vec<String> =
        (0..60).map(|n| ["green", "tea", "the", "pot", "."].repeat(n % 4 + 1)[n % 3..].join(" ")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = embedder.embed(&texts).unwrap();
    for (text, vector) in texts.iter().zip(together) {
        assert_eq!(embedder.embed(&[text]).unwrap()[0], vector, "{text}");
    }
}

#[test]
fn the_older_files_of_bert_are_read_too() {
    let folder = folder();
    let path = folder.path();
    let expected = vector(&load(path).unwrap(), "green teapots");
    fs::remove_file(path.join("tokenizer.json")).unwrap();
    fs::remove_file(path.join("modules.json")).unwrap();
    write(path, "vocab.txt", WORDS.join("\n"));
    assert_eq!(vector(&load(path).unwrap(), "Green Teapots"), expected, "vocab.txt, and the mean without modules.json");
    write(path, "tokenizer_config.json", r#"{"do_lower_case": false}"#);
    assert_eq!(load(path).unwrap().piece_ids("Green tea"), [1, 4]);
    let renamed = tensors().into_iter().map(|(name, shape)| (format!("bert.{name}"), shape)).collect::<Vec<_>>();
    write(path, "model.safetensors", safetensors("F32", &renamed));
    assert!(load(path).is_ok());
}

#[test]
fn prefixes_pooling_and_dense_layers_change_the_vector() {
    let folder = folder();
    let path = folder.path();
    let plain = load(path).unwrap();
    write(path, "config_sentence_transformers.json", r#"{"prompts": {"query": "query: ", "passage": "passage: "}}"#);
    let prefixed = load(path).unwrap();
    assert_eq!(vector(&prefixed, "tea"), vector(&plain, "passage: tea"));
    let question = prefixed.prepare_query("tea").unwrap().vector(&|_| 1.0).unwrap().unwrap();
    assert_eq!(question, vector(&plain, "query: tea"));
    assert_eq!(prefixed.embed(&[" "]).unwrap(), [None], "a prefix alone is nothing");
    assert_ne!(prefixed.name(), plain.name());
    fs::remove_file(path.join("config_sentence_transformers.json")).unwrap();
    write(path, "1_Pooling/config.json", r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#);
    assert_ne!(vector(&load(path).unwrap(), "tea"), vector(&plain, "tea"));
    let modules = json!([{"path": "", "type": "x.Transformer"}, {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]);
    write(path, "modules.json", modules.to_string());
    write(path, "2_Dense/config.json", json!({"in_features": WIDTH, "out_features": 3, "bias": true}).to_string());
    let layer = [("linear.weight".to_owned(), vec![3, WIDTH]), ("linear.bias".to_owned(), vec![3])];
    write(path, "2_Dense/model.safetensors", safetensors("F32", &layer));
    let dense = load(path).unwrap();
    assert_eq!((dense.dimensions(), vector(&dense, "tea").len()), (3, 3));
}

#[test]
fn the_name_is_that_of_the_folder_with_a_fingerprint() {
    let folder = folder();
    let named = folder.path().join("models--org--tiny-e5/snapshots/0123abc");
    fs::create_dir_all(named.parent().unwrap()).unwrap();
    let copy = folder.path().join("tiny-e5");
    for target in [&named, &copy] {
        for name in ["config.json", "tokenizer.json", "model.safetensors", "modules.json", "1_Pooling/config.json"] {
            write(target, name, fs::read(folder.path().join(name)).unwrap());
        }
    }
    let (cached, copied) = (ModelFolder::open(&named).unwrap(), ModelFolder::open(&copy).unwrap());
    assert_eq!(cached.name(), copied.name(), "the place does not matter");
    assert!(cached.name().starts_with("tiny-e5-") && cached.name().len() == "tiny-e5-".len() + 8);
    assert_eq!(cached.config.prefixes.query, "query: ");
    let mut weights = fs::read(copy.join("model.safetensors")).unwrap();
    *weights.last_mut().unwrap() ^= 1;
    write(&copy, "model.safetensors", weights);
    assert_ne!(ModelFolder::open(&copy).unwrap().name(), copied.name());
    assert_eq!(ModelFolder::plain_name(Path::new("/")), "folder");
}

#[test]
fn a_file_that_is_missing_is_named() {
    use FolderProblemKind::{Missing, Unsupported};
    for (name, kind, said) in [
        ("config.json", Missing, "config.json: the file is missing"),
        ("tokenizer.json", Missing, "neither tokenizer.json nor vocab.txt"),
        ("model.safetensors", Missing, "model.safetensors: the file is missing"),
        ("1_Pooling/config.json", Missing, "config.json: the file is missing"),
    ] {
        let folder = folder();
        fs::remove_file(folder.path().join(name)).unwrap();
        let (got, problem) = refused(folder.path());
        assert!(got == kind && problem.contains(said), "{problem}");
    }
    assert!(refused(Path::new("/nowhere/at/all")).1.contains("there is no such folder"));
    let folder = folder();
    fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    write(folder.path(), "pytorch_model.bin", "PK");
    let (kind, problem) = refused(folder.path());
    assert!(kind == Unsupported && problem.contains("pytorch_model.bin cannot be read"), "{problem}");
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    write(folder.path(), "sentencepiece.bpe.model", "x");
    assert!(refused(folder.path()).1.contains("save the tokenizer as tokenizer.json"));
}

#[test]
fn another_family_is_refused_with_what_it_is() {
    let folder = folder();
    let path = folder.path();
    let with = |key: &str, value: serde_json::Value| {
        let mut config = config();
        config[key] = value;
        write(path, "config.json", config.to_string());
        refused(path)
    };
    use FolderProblemKind::{Damaged, Unsupported};
    for (key, value, kind, said) in [
        ("model_type", json!("mpnet"), Unsupported, "type 'mpnet'"),
        ("model_type", json!(null), Unsupported, "type 'unknown'"),
        ("hidden_act", json!("relu"), Unsupported, "'relu'"),
        ("position_embedding_type", json!("relative_key"), Unsupported, "'relative_key'"),
        ("hidden_size", json!(16), Damaged, "[14, 8] where [14, 16] is needed"),
        ("num_hidden_layers", json!(3), Damaged, "there is no tensor encoder.layer.2"),
        ("num_attention_heads", json!(3), Damaged, "3 heads"),
        ("vocab_size", json!(13), Damaged, "the tokenizer has 14 pieces, the model 13"),
        ("max_position_embeddings", json!(2), Damaged, "max_position_embeddings is 2"),
        ("intermediate_size", json!("many"), Damaged, "invalid type"),
    ] {
        let (got, problem) = with(key, value);
        assert!(got == kind && problem.contains(said), "{key}: {problem}");
    }
    write(path, "config.json", config().to_string());
    write(path, "1_Pooling/config.json", r#"{"pooling_mode_lasttoken": true}"#);
    assert!(refused(path).1.contains("[lasttoken]"));
    write(path, "modules.json", r#"[{"path": "..", "type": "a.Pooling"}]"#);
    assert!(refused(path).1.contains("\"..\""));
    write(path, "modules.json", r#"[{"path": "", "type": "a.CLIPModel"}]"#);
    assert!(refused(path).1.contains("'CLIPModel'"));
    fs::remove_file(path.join("modules.json")).unwrap();
    let mut tokenizer = word_piece();
    tokenizer["model"]["type"] = json!("BPE");
    write(path, "tokenizer.json", tokenizer.to_string());
    assert!(refused(path).1.contains("type BPE cannot be run"));
}

#[test]
fn damaged_weights_are_refused_wherever_they_are_cut() {
    let folder = folder();
    let path = folder.path();
    let whole = safetensors("F32", &tensors());
    for end in (0..whole.len()).step_by(97).chain([7, 8, whole.len() - 1]) {
        write(path, "model.safetensors", &whole[..end]);
        assert_eq!(refused(path).0, FolderProblemKind::Damaged, "cut at {end}");
    }
    for (bytes, said) in [
        (b"version https://git-lfs.github.com/spec/v1".to_vec(), "no safetensors file"),
        ([&9u64.to_le_bytes()[..], b"not json!"].concat(), "the header is not JSON"),
        (safetensors("F32", &[("other".to_owned(), vec![1])]), "not a BERT model"),
        (safetensors("I8", &tensors()), "numbers of type I8"),
    ] {
        write(path, "model.safetensors", bytes);
        assert!(refused(path).1.contains(said), "{}", refused(path).1);
    }
    let mut infinite = whole.clone();
    let end = infinite.len();
    infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    write(path, "model.safetensors", infinite);
    assert!(refused(path).1.contains("not finite"));
}

#[test]
fn a_multilingual_tokenizer_is_read() {
    let folder = folder();
    let path = folder.path();
    let pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁tea", "▁", "pot", "t", "e", "a", "s", "▁green", "ß", "."];
    let vocabulary: Vec<_> = pieces.iter().enumerate().map(|(at, piece)| json!([piece, -(at as f64)])).collect();
    let tokenizer = json!({
        "added_tokens": [{"id": 0, "content": "<s>", "special": true}],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}]},
        "post_processor": {"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 2]},
        "model": {"type": "Unigram", "unk_id": 3, "vocab": vocabulary, "byte_fallback": false},
    });
    write(path, "tokenizer.json", tokenizer.to_string());
    let mut config = config();
    config["model_type"] = json!("xlm-roberta");
    config["pad_token_id"] = json!(1);
    write(path, "config.json", config.to_string());
    let embedder = load(path).unwrap();
    assert_eq!(embedder.piece_ids("tea  teapot ｔｅ 日本."), [4, 4, 6, 5, 7, 8, 5, 3, 13]);
    assert_eq!(embedder.encoder.max_window(), 6, "the first two positions are not used");
    assert!(embedder.embed(&["green tea"]).unwrap()[0].is_some());
    assert!(embedder.embed(&["日本"]).unwrap()[0].is_some(), "the blank before a word is known");
    for (part, value, said) in [
        ("normalizer", json!({"type": "Prepend"}), "the normalizer Prepend"),
        ("normalizer", json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"}), "the table of the normalizer"),
        ("pre_tokenizer", json!({"type": "ByteLevel"}), "the pre-tokenizer ByteLevel"),
        ("post_processor", json!(null), "no marks"),
    ] {
        let mut broken = tokenizer.clone();
        broken[part] = value;
        write(path, "tokenizer.json", broken.to_string());
        assert!(refused(path).1.contains(said), "{}", refused(path).1);
    }
}

#[test]
fn thresholds_begin_where_unrelated_texts_are() {
    assert_eq!(stretched(SimilarityProfile::HOSTED, 0.0), SimilarityProfile::HOSTED);
    let high = stretched(SimilarityProfile::HOSTED, 0.75);
    assert!(high.is_coherent() && (high.edge - 0.9).abs() < 1e-9 && (high.exact - 0.9875).abs() < 1e-9);
    assert!(stretched(SimilarityProfile::HOSTED, f64::NAN).is_coherent());
    let folder = folder();
    assert!(load(folder.path()).unwrap().profile().is_coherent());
}
