//! Cutting text into the pieces of a model: WordPiece, as BERT does, or Unigram, as XLM-R does.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use unicode_normalization::UnicodeNormalization;

use super::charsmap::CharsMap;
use super::files::{read_json, read_text};
use super::unigram::Unigram;
use crate::builtin::{WordPieces, WordRules, each_word};
use crate::error::ModelError;
use crate::folder_problem::FolderProblem;

/// What SentencePiece writes for the space before a word.
const BLANK: char = '▁';

/// A tokenizer with the marks that stand around the pieces of a text.
#[derive(Debug)]
pub(super) struct Tokenizer {
    kind: TokenizerKind,
    pub(super) marks: (u32, u32),
    unknown: u32,
    /// The number of ids that the tokenizer may give.
    ids: usize,
}

#[derive(Debug)]
enum TokenizerKind {
    WordPiece { pieces: WordPieces, rules: WordRules },
    Unigram { pieces: Unigram, normalizers: Vec<Normalizer> },
}

/// A step before a text is cut into words.
#[derive(Debug)]
enum Normalizer {
    CharsMap(CharsMap),
    Nfkc,
    Nfc,
    Lowercase,
}

/// `tokenizer.json`.
#[derive(Deserialize)]
struct TokenizerFile {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    #[serde(default)]
    normalizer: Value,
    #[serde(default)]
    pre_tokenizer: Value,
    #[serde(default)]
    post_processor: Value,
    model: ModelPart,
}

#[derive(Deserialize)]
struct AddedToken {
    id: u32,
    #[serde(default)]
    special: bool,
}

#[derive(Deserialize)]
struct ModelPart {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    unk_token: Option<String>,
    #[serde(default)]
    unk_id: Option<u32>,
    #[serde(default)]
    continuing_subword_prefix: Option<String>,
    #[serde(default)]
    byte_fallback: bool,
    vocab: Box<RawValue>,
}

/// `tokenizer_config.json`, as far as it matters beside `vocab.txt`.
#[derive(Default, Deserialize)]
struct BertTokenizerConfig {
    #[serde(default)]
    do_lower_case: Option<bool>,
    #[serde(default)]
    strip_accents: Option<bool>,
    #[serde(default)]
    tokenize_chinese_chars: Option<bool>,
}

impl Tokenizer {
    /// Reads the tokenizer of a folder.
    pub(super) fn read(folder: &Path) -> Result<Self, ModelError> {
        let path = folder.join("tokenizer.json");
        if let Some(file) = read_json::<TokenizerFile>(&path)? {
            return file.parse().map_err(|problem| problem.at(&path));
        }
        let vocabulary = folder.join("vocab.txt");
        if let Some(text) = read_text(&vocabulary)? {
            let config: BertTokenizerConfig = read_json(&folder.join("tokenizer_config.json"))?.unwrap_or_default();
            let lowercase = config.do_lower_case.unwrap_or(true);
            let rules = WordRules {
                lowercase,
                strip_accents: config.strip_accents.unwrap_or(lowercase),
                split_chinese: config.tokenize_chinese_chars.unwrap_or(true),
            };
            let pieces = text.lines().map(|line| Cow::Owned(line.to_owned())).collect();
            return Self::word_piece(pieces, rules, None).map_err(|problem| problem.at(&vocabulary));
        }
        let other = ["sentencepiece.bpe.model", "spiece.model", "merges.txt"].into_iter();
        Err(match other.map(|name| folder.join(name)).find(|path| path.exists()) {
            Some(other) => FolderProblem::unsupported(
                &other,
                "this tokenizer file cannot be read; save the tokenizer as tokenizer.json beside it",
            ),
            None => FolderProblem::missing(&path, "there is neither tokenizer.json nor vocab.txt"),
        })
    }

    fn word_piece(
        pieces: Vec<Cow<'static, str>>,
        rules: WordRules,
        marks: Option<(u32, u32)>,
    ) -> Result<Self, TokenizerProblem> {
        let ids = pieces.len();
        let pieces = WordPieces::from_pieces(pieces).map_err(|_| damaged("there is no piece [UNK]"))?;
        let marks = marks.or_else(|| pieces.id("[CLS]").zip(pieces.id("[SEP]")));
        let marks = marks.ok_or_else(|| damaged("there are no pieces [CLS] and [SEP]"))?;
        let unknown = pieces.id("[UNK]").unwrap_or_default();
        Ok(Self { kind: TokenizerKind::WordPiece { pieces, rules }, marks, unknown, ids })
    }

    /// Returns the number of ids that the tokenizer may give.
    pub(super) fn len(&self) -> usize {
        let marks = self.marks.0.max(self.marks.1) as usize + 1;
        self.ids.max(marks)
    }

    /// Returns the ids of the pieces of a text. Marks in a text are plain text.
    pub(super) fn pieces(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::with_capacity(text.len() / 4 + 1);
        match &self.kind {
            TokenizerKind::WordPiece { pieces, rules } => each_word(text, *rules, |word| pieces.split(word, &mut ids)),
            TokenizerKind::Unigram { pieces, normalizers } => {
                let text = normalizers.iter().fold(text.to_owned(), |text, step| step.apply(&text));
                let mut word = String::new();
                for part in text.split_whitespace() {
                    word.clear();
                    word.push(BLANK);
                    word.push_str(part);
                    pieces.split(&word, &mut ids);
                }
            }
        }
        ids
    }

    /// Returns whether a piece stands for text that the vocabulary does not have.
    pub(super) fn is_unknown(&self, id: u32) -> bool {
        id == self.unknown
    }
}

impl Normalizer {
    fn apply(&self, text: &str) -> String {
        match self {
            Self::CharsMap(map) => map.normalise(text),
            Self::Nfkc => text.nfkc().collect(),
            Self::Nfc => text.nfc().collect(),
            Self::Lowercase => text.to_lowercase(),
        }
    }
}

/// Why a tokenizer file cannot be used.
enum TokenizerProblem {
    Damaged(String),
    Unsupported(String),
}

fn damaged(problem: impl Into<String>) -> TokenizerProblem {
    TokenizerProblem::Damaged(problem.into())
}

fn unsupported(problem: impl Into<String>) -> TokenizerProblem {
    TokenizerProblem::Unsupported(problem.into())
}

impl TokenizerProblem {
    fn at(self, path: &Path) -> ModelError {
        match self {
            Self::Damaged(problem) => FolderProblem::damaged(path, problem),
            Self::Unsupported(problem) => FolderProblem::unsupported(path, problem),
        }
    }
}

/// Returns the type of a part of a tokenizer.
fn type_of(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or("none")
}

/// Returns the steps of a part: those of a sequence under `key`, itself, or none.
fn steps<'a>(part: &'a Value, key: &str) -> Vec<&'a Value> {
    match (part, type_of(part)) {
        (Value::Null, _) => Vec::new(),
        (_, "Sequence") => part.get(key).and_then(Value::as_array).map_or_else(Vec::new, |all| all.iter().collect()),
        _ => vec![part],
    }
}

impl TokenizerFile {
    fn parse(self) -> Result<Tokenizer, TokenizerProblem> {
        match self.model.kind.as_deref() {
            Some("WordPiece") => self.parse_word_piece(),
            Some("Unigram") => self.parse_unigram(),
            other => {
                let kind = other.unwrap_or("unknown");
                Err(unsupported(format!("a tokenizer of type {kind} cannot be run; only WordPiece and Unigram can")))
            }
        }
    }

    fn parse_word_piece(self) -> Result<Tokenizer, TokenizerProblem> {
        let unknown = self.model.unk_token.as_deref().unwrap_or("[UNK]");
        let prefix = self.model.continuing_subword_prefix.as_deref().unwrap_or("##");
        if (unknown, prefix) != ("[UNK]", "##") {
            return Err(unsupported(format!("WordPiece with {unknown} and {prefix} instead of [UNK] and ##")));
        }
        let mut rules = WordRules { lowercase: false, strip_accents: false, split_chinese: true };
        for step in steps(&self.normalizer, "normalizers") {
            let flag = |name: &str| step.get(name).and_then(Value::as_bool);
            match type_of(step) {
                "BertNormalizer" => {
                    let lowercase = flag("lowercase").unwrap_or(true);
                    rules = WordRules {
                        lowercase,
                        strip_accents: flag("strip_accents").unwrap_or(lowercase),
                        split_chinese: flag("handle_chinese_chars").unwrap_or(true),
                    };
                }
                other => return Err(unsupported(format!("the normalizer {other} of WordPiece cannot be run"))),
            }
        }
        for step in steps(&self.pre_tokenizer, "pretokenizers") {
            if type_of(step) != "BertPreTokenizer" {
                return Err(unsupported(format!("the pre-tokenizer {} of WordPiece cannot be run", type_of(step))));
            }
        }
        let vocabulary: HashMap<String, u32> = serde_json::from_str(self.model.vocab.get())
            .map_err(|error| damaged(format!("the vocabulary: {error}")))?;
        let count = vocabulary.values().max().map_or(0, |largest| *largest as usize + 1);
        if count > 2 * vocabulary.len() {
            return Err(damaged(format!("an id of {count} in a vocabulary of {}", vocabulary.len())));
        }
        let mut pieces = vec![Cow::Borrowed(""); count];
        for (text, id) in vocabulary {
            pieces[id as usize] = Cow::Owned(text);
        }
        Tokenizer::word_piece(pieces, rules, self.marks()?)
    }

    fn parse_unigram(self) -> Result<Tokenizer, TokenizerProblem> {
        if self.model.byte_fallback {
            return Err(unsupported("a Unigram tokenizer that falls back to bytes cannot be run"));
        }
        let mut normalizers = Vec::new();
        for step in steps(&self.normalizer, "normalizers") {
            match type_of(step) {
                "Precompiled" => {
                    let map = step.get("precompiled_charsmap").and_then(Value::as_str).unwrap_or_default();
                    let map = CharsMap::parse(map).ok_or_else(|| damaged("the table of the normalizer"))?;
                    normalizers.push(Normalizer::CharsMap(map));
                }
                "NFKC" => normalizers.push(Normalizer::Nfkc),
                "NFC" => normalizers.push(Normalizer::Nfc),
                "Lowercase" => normalizers.push(Normalizer::Lowercase),
                // Runs of spaces: words are cut at any white space.
                "Replace" if step.get("content").and_then(Value::as_str) == Some(" ") => {}
                "Strip" => {}
                other => return Err(unsupported(format!("the normalizer {other} of Unigram cannot be run"))),
            }
        }
        for step in steps(&self.pre_tokenizer, "pretokenizers") {
            let blank = step.get("replacement").and_then(Value::as_str).unwrap_or("▁");
            let prepends = step.get("prepend_scheme").and_then(Value::as_str).unwrap_or("always") != "never"
                && step.get("add_prefix_space").and_then(Value::as_bool).unwrap_or(true);
            match type_of(step) {
                "WhitespaceSplit" => {}
                "Metaspace" if blank == "▁" && prepends => {}
                other => return Err(unsupported(format!("the pre-tokenizer {other} of Unigram cannot be run"))),
            }
        }
        let marks = self.marks()?.ok_or_else(|| damaged("there are no marks around a text"))?;
        let pieces: Vec<(String, f64)> = serde_json::from_str(self.model.vocab.get())
            .map_err(|error| damaged(format!("the vocabulary: {error}")))?;
        let unknown = self.model.unk_id.ok_or_else(|| damaged("there is no piece for unknown text"))?;
        let special: HashSet<u32> =
            self.added_tokens.iter().filter(|token| token.special).map(|token| token.id).collect();
        let ids = pieces.len();
        let pieces = Unigram::new(pieces, unknown, |id| special.contains(&id));
        Ok(Tokenizer { kind: TokenizerKind::Unigram { pieces, normalizers }, marks, unknown, ids })
    }

    /// Returns the marks before and after a text; none if the file does not state any.
    fn marks(&self) -> Result<Option<(u32, u32)>, TokenizerProblem> {
        let id = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        let Some(step) = steps(&self.post_processor, "processors").into_iter().next() else { return Ok(None) };
        match type_of(step) {
            "TemplateProcessing" => {
                let special =
                    |mark: &Value| id(&step["special_tokens"][mark["SpecialToken"]["id"].as_str()?]["ids"][0]);
                let single = step["single"].as_array().map_or(&[][..], Vec::as_slice);
                match single {
                    [start, text, end] if text.get("Sequence").is_some() => Ok(special(start).zip(special(end))),
                    _ => Err(unsupported("a text with other marks than one before and one after it")),
                }
            }
            "BertProcessing" | "RobertaProcessing" => Ok(id(&step["cls"][1]).zip(id(&step["sep"][1]))),
            other => Err(unsupported(format!("the post-processor {other} cannot be run"))),
        }
    }
}
