//! The configuration files of a sentence-transformers folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use elfmem_encoder::Pooling;
use serde::Deserialize;

use super::files::read_json;
use crate::error::ModelError;
use crate::folder_problem::FolderProblem;

/// What the configuration files of a folder say.
#[derive(Debug, Clone)]
pub(super) struct FolderConfig {
    pub(super) bert: BertConfig,
    pub(super) pooling: Pooling,
    /// Folders of dense layers after pooling, in order.
    pub(super) dense: Vec<PathBuf>,
    /// Longest text in pieces with marks, if the folder states it.
    pub(super) max_pieces: Option<usize>,
    pub(super) prefixes: Prefixes,
}

/// Texts that are put before what is embedded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Prefixes {
    pub(super) query: String,
    pub(super) passage: String,
}

/// `config.json` of a model of the BERT family.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct BertConfig {
    model_type: String,
    pub(super) vocab_size: usize,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) intermediate_size: usize,
    pub(super) max_position_embeddings: usize,
    #[serde(default)]
    hidden_act: Option<String>,
    #[serde(default)]
    layer_norm_eps: Option<f32>,
    #[serde(default)]
    pad_token_id: Option<usize>,
    #[serde(default)]
    position_embedding_type: Option<String>,
    #[serde(default)]
    _name_or_path: Option<String>,
}

/// Any `config.json`, as far as it says of which family the model is.
#[derive(Debug, Deserialize)]
struct AnyConfig {
    model_type: Option<String>,
}

/// The families that can be run. They differ in the first position alone.
const FAMILIES: [&str; 4] = ["bert", "xlm-roberta", "roberta", "camembert"];

impl BertConfig {
    fn read(path: &Path) -> Result<Self, ModelError> {
        let any: AnyConfig = read_json(path)?.ok_or_else(|| FolderProblem::missing(path, "the file is missing"))?;
        let family = any.model_type.unwrap_or_else(|| "unknown".to_owned());
        if !FAMILIES.contains(&family.as_str()) {
            let problem = format!("a model of type '{family}' cannot be run; only {} can", FAMILIES.join(", "));
            return Err(FolderProblem::unsupported(path, problem));
        }
        let config: Self = read_json(path)?.ok_or_else(|| FolderProblem::missing(path, "the file is missing"))?;
        let activation = config.hidden_act.as_deref().unwrap_or("gelu");
        if activation != "gelu" {
            let problem = format!("the activation function '{activation}' cannot be computed; only 'gelu' can");
            return Err(FolderProblem::unsupported(path, problem));
        }
        let positions = config.position_embedding_type.as_deref().unwrap_or("absolute");
        if positions != "absolute" {
            let problem = format!("positions of type '{positions}' cannot be computed; only 'absolute' can");
            return Err(FolderProblem::unsupported(path, problem));
        }
        if config.first_position() + 3 > config.max_position_embeddings {
            let problem = format!("max_position_embeddings is {}", config.max_position_embeddings);
            return Err(FolderProblem::damaged(path, problem));
        }
        Ok(config)
    }

    pub(super) fn epsilon(&self) -> f32 {
        self.layer_norm_eps.unwrap_or(1e-12)
    }

    /// Returns the row of the first position. The RoBERTa family counts from the padding piece on.
    pub(super) fn first_position(&self) -> usize {
        if self.model_type == "bert" { 0 } else { self.pad_token_id.unwrap_or(1) + 1 }
    }
}

/// An entry of `modules.json`.
#[derive(Debug, Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

/// `sentence_bert_config.json`.
#[derive(Debug, Default, Deserialize)]
struct SentenceConfig {
    #[serde(default)]
    max_seq_length: Option<usize>,
}

/// `config_sentence_transformers.json`.
#[derive(Debug, Default, Deserialize)]
struct PromptConfig {
    #[serde(default)]
    prompts: HashMap<String, String>,
    #[serde(default)]
    default_prompt_name: Option<String>,
}

impl FolderConfig {
    /// Reads all configuration files of a folder. `name` is the name of the model.
    pub(super) fn read(folder: &Path, name: &str) -> Result<Self, ModelError> {
        if !folder.is_dir() {
            return Err(FolderProblem::missing(folder, "there is no such folder"));
        }
        let bert = BertConfig::read(&folder.join("config.json"))?;
        let (pooling, dense) = read_modules(folder)?;
        let sentence: SentenceConfig = read_json(&folder.join("sentence_bert_config.json"))?.unwrap_or_default();
        let prompts: PromptConfig = read_json(&folder.join("config_sentence_transformers.json"))?.unwrap_or_default();
        let prefixes = prompts.prefixes(name);
        Ok(Self { bert, pooling, dense, max_pieces: sentence.max_seq_length, prefixes })
    }
}

impl PromptConfig {
    fn prefixes(&self, name: &str) -> Prefixes {
        let named = |names: &[&str]| names.iter().find_map(|name| self.prompts.get(*name)).cloned();
        let default = self.default_prompt_name.as_deref().and_then(|name| named(&[name]));
        let query = named(&["query"]).or_else(|| default.clone());
        let passage = named(&["passage", "document", "corpus"]).or(default);
        // The folders of the E5 models do not state the prefixes that these were trained with.
        let is_e5 = self.prompts.is_empty() && name.to_ascii_lowercase().split(['-', '_']).any(|part| part == "e5");
        let or_e5 = |prefix: Option<String>, e5: &str| {
            prefix.unwrap_or_else(|| if is_e5 { e5.to_owned() } else { String::new() })
        };
        Prefixes { query: or_e5(query, "query: "), passage: or_e5(passage, "passage: ") }
    }
}

/// Reads what happens to the states of the pieces. Without `modules.json` it is their mean.
fn read_modules(folder: &Path) -> Result<(Pooling, Vec<PathBuf>), ModelError> {
    let path = folder.join("modules.json");
    let modules: Vec<Module> = read_json(&path)?.unwrap_or_default();
    let (mut pooling, mut dense) = (Pooling::Mean, Vec::new());
    for module in modules {
        // An absolute path or one to a parent could name any file.
        let inside = folder.join(&module.path);
        if Path::new(&module.path).components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
            return Err(FolderProblem::damaged(&path, format!("the module path {:?}", module.path)));
        }
        match module.kind.rsplit('.').next().unwrap_or_default() {
            // Vectors are scaled to length one anyway.
            "Transformer" | "Normalize" => {}
            "Pooling" => pooling = read_pooling(&inside.join("config.json"))?,
            "Dense" => dense.push(inside),
            other => {
                let problem = format!("the module '{other}' cannot be run");
                return Err(FolderProblem::unsupported(&path, problem));
            }
        }
    }
    Ok((pooling, dense))
}

fn read_pooling(path: &Path) -> Result<Pooling, ModelError> {
    let config: HashMap<String, serde_json::Value> =
        read_json(path)?.ok_or_else(|| FolderProblem::missing(path, "the file is missing"))?;
    let flags = config.iter().filter(|(_, value)| value.as_bool() == Some(true));
    let mut modes: Vec<&str> = flags.filter_map(|(key, _)| key.strip_prefix("pooling_mode_")).collect();
    modes.extend(config.get("pooling_mode").and_then(|mode| mode.as_str()));
    match modes[..] {
        // The length of a vector does not matter.
        ["mean_tokens" | "mean" | "mean_sqrt_len_tokens" | "mean_sqrt_len"] => Ok(Pooling::Mean),
        ["cls_token" | "cls"] => Ok(Pooling::First),
        ["max_tokens" | "max"] => Ok(Pooling::Max),
        _ => {
            modes.sort_unstable();
            Err(FolderProblem::unsupported(path, format!("the pooling [{}] cannot be computed", modes.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(name: &str, json: &str) -> (String, String) {
        let Prefixes { query, passage } = serde_json::from_str::<PromptConfig>(json).unwrap().prefixes(name);
        (query, passage)
    }

    #[test]
    fn prefixes_come_from_the_prompts_and_for_e5_from_its_training() {
        let of = |query: &str, passage: &str| (query.to_owned(), passage.to_owned());
        assert_eq!(prefixes("all-MiniLM-L6-v2", "{}"), of("", ""));
        assert_eq!(prefixes("multilingual-e5-small", "{}"), of("query: ", "passage: "));
        assert_eq!(prefixes("e5", r#"{"prompts": {"query": "Q "}}"#), of("Q ", ""));
        let both = r#"{"prompts": {"query": "q: ", "document": "d: "}, "default_prompt_name": null}"#;
        assert_eq!(prefixes("x", both), of("q: ", "d: "));
        let default = r#"{"prompts": {"same": "s: "}, "default_prompt_name": "same"}"#;
        assert_eq!(prefixes("x", default), of("s: ", "s: "));
    }
}
