//! The tensors of a model file by their names.

use std::path::Path;

use elfmem_encoder::{EncoderError, FloatEncoder, FloatLayer, FloatLinear, FloatWeights, LayerNorm, PieceTable};
use serde::Deserialize;

use super::config::BertConfig;
use super::files::read_json;
use super::safetensors::Safetensors;
use crate::error::ModelError;
use crate::folder_problem::FolderProblem;

const MODEL_FILE: &str = "model.safetensors";
/// The tensor that tells what stands before the names of all others.
const TABLE: &str = "embeddings.word_embeddings.weight";

/// Reads the transformer of a folder.
pub(super) fn read_encoder(folder: &Path, config: &BertConfig, marks: (u32, u32)) -> Result<FloatEncoder, ModelError> {
    let path = folder.join(MODEL_FILE);
    if !path.exists() {
        return Err(no_model_file(folder, &path));
    }
    let file = Safetensors::open(&path)?;
    let prefix =
        ["", "bert.", "roberta.", "model."].into_iter().find(|prefix| file.contains(&format!("{prefix}{TABLE}")));
    let prefix = prefix
        .ok_or_else(|| FolderProblem::unsupported(&path, format!("there is no tensor {TABLE}; not a BERT model")))?;
    let mut tensors = Tensors { file, prefix, epsilon: config.epsilon(), path: &path };
    let (width, inner) = (config.hidden_size, config.intermediate_size);
    let table = tensors.file.tensor(&format!("{prefix}{TABLE}"), &[config.vocab_size, width])?;
    let weights = FloatWeights {
        table: PieceTable::new(width, table.format, table.bytes).map_err(|error| wrong(&path, &error))?,
        positions: tensors.positions(config)?,
        norm: tensors.norm("embeddings.LayerNorm", width)?,
        layers: (0..config.num_hidden_layers)
            .map(|number| {
                let name = |part: &str| format!("encoder.layer.{number}.{part}");
                Ok(FloatLayer {
                    attention_in: tensors.attention_in(&name("attention.self"), width)?,
                    attention_out: tensors.linear(&name("attention.output.dense"), (width, width))?,
                    attention_norm: tensors.norm(&name("attention.output.LayerNorm"), width)?,
                    inner: tensors.linear(&name("intermediate.dense"), (inner, width))?,
                    outer: tensors.linear(&name("output.dense"), (width, inner))?,
                    norm: tensors.norm(&name("output.LayerNorm"), width)?,
                })
            })
            .collect::<Result<_, ModelError>>()?,
        heads: config.num_attention_heads,
        start_mark: marks.0,
        end_mark: marks.1,
    };
    FloatEncoder::new(weights).map_err(|error| wrong(&path, &error))
}

/// Returns why there is no model file to read.
fn no_model_file(folder: &Path, path: &Path) -> ModelError {
    let has = |name: &str| folder.join(name).exists();
    if has("model.safetensors.index.json") {
        return FolderProblem::unsupported(path, "the model is split into several files, which cannot be read");
    }
    if has("pytorch_model.bin") {
        let problem = "the file is missing; pytorch_model.bin cannot be read, save the model in the safetensors format";
        return FolderProblem::unsupported(path, problem);
    }
    FolderProblem::missing(path, "the file is missing")
}

fn wrong(path: &Path, error: &EncoderError) -> ModelError {
    FolderProblem::damaged(path, error.to_string())
}

struct Tensors<'a> {
    file: Safetensors,
    prefix: &'a str,
    epsilon: f32,
    path: &'a Path,
}

impl Tensors<'_> {
    fn numbers(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, ModelError> {
        self.file.numbers(&format!("{}{name}", self.prefix), shape)
    }

    fn linear(&mut self, name: &str, shape: (usize, usize)) -> Result<FloatLinear, ModelError> {
        let weights = self.numbers(&format!("{name}.weight"), &[shape.0, shape.1])?;
        let bias = self.numbers(&format!("{name}.bias"), &[shape.0])?;
        FloatLinear::new(shape, &weights, &bias).map_err(|error| wrong(self.path, &error))
    }

    /// Reads queries, keys and values as one matrix.
    fn attention_in(&mut self, name: &str, width: usize) -> Result<FloatLinear, ModelError> {
        let (mut weights, mut biases) = (Vec::new(), Vec::new());
        for part in ["query", "key", "value"] {
            weights.extend(self.numbers(&format!("{name}.{part}.weight"), &[width, width])?);
            biases.extend(self.numbers(&format!("{name}.{part}.bias"), &[width])?);
        }
        FloatLinear::new((3 * width, width), &weights, &biases).map_err(|error| wrong(self.path, &error))
    }

    fn norm(&mut self, name: &str, width: usize) -> Result<LayerNorm, ModelError> {
        // Files that were converted from the first BERT have the older names.
        let older = self.file.contains(&format!("{}{name}.gamma", self.prefix));
        let (gain, shift) = if older { ("gamma", "beta") } else { ("weight", "bias") };
        let gain = self.numbers(&format!("{name}.{gain}"), &[width])?;
        let shift = self.numbers(&format!("{name}.{shift}"), &[width])?;
        LayerNorm::new(gain, shift, self.epsilon).map_err(|error| wrong(self.path, &error))
    }

    /// Reads the vectors of the positions that are used, and adds that of the first token type.
    fn positions(&mut self, config: &BertConfig) -> Result<Vec<f32>, ModelError> {
        let width = config.hidden_size;
        let shape = [config.max_position_embeddings, width];
        let mut positions = self.numbers("embeddings.position_embeddings.weight", &shape)?;
        positions.drain(..config.first_position() * width);
        let types = "embeddings.token_type_embeddings.weight";
        if let Some([count, _]) = self.file.shape(&format!("{}{types}", self.prefix)) {
            let types = self.numbers(types, &[*count, width])?;
            for row in positions.chunks_exact_mut(width) {
                row.iter_mut().zip(&types).for_each(|(number, of_type)| *number += of_type);
            }
        }
        Ok(positions)
    }
}

/// A dense layer after pooling.
#[derive(Debug)]
pub(super) struct Dense {
    inputs: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
    tanh: bool,
}

/// `config.json` of a dense layer.
#[derive(Debug, Deserialize)]
struct DenseConfig {
    in_features: usize,
    out_features: usize,
    #[serde(default)]
    bias: Option<bool>,
    #[serde(default)]
    activation_function: Option<String>,
}

impl Dense {
    pub(super) fn read(folder: &Path, inputs: usize) -> Result<Self, ModelError> {
        let path = folder.join("config.json");
        let config: DenseConfig =
            read_json(&path)?.ok_or_else(|| FolderProblem::missing(&path, "the file is missing"))?;
        if config.in_features != inputs {
            let problem = format!("a dense layer with {} inputs after {inputs} dimensions", config.in_features);
            return Err(FolderProblem::damaged(&path, problem));
        }
        let activation = config.activation_function.as_deref().unwrap_or("Tanh").rsplit('.').next();
        let tanh = match activation {
            Some("Tanh") => true,
            Some("Identity") => false,
            other => {
                let problem = format!("the activation function '{}' cannot be computed", other.unwrap_or_default());
                return Err(FolderProblem::unsupported(&path, problem));
            }
        };
        let mut file = Safetensors::open(&folder.join(MODEL_FILE))?;
        let weights = file.numbers("linear.weight", &[config.out_features, inputs])?;
        let bias = match config.bias.unwrap_or(true) {
            true => file.numbers("linear.bias", &[config.out_features])?,
            false => vec![0.0; config.out_features],
        };
        Ok(Self { inputs, weights, bias, tanh })
    }

    pub(super) fn outputs(&self) -> usize {
        self.bias.len()
    }

    pub(super) fn apply(&self, vector: &[f32]) -> Vec<f32> {
        let output = |(weights, bias): (&[f32], &f32)| {
            let sum = weights.iter().zip(vector).map(|(weight, x)| f64::from(*weight) * f64::from(*x)).sum::<f64>();
            let sum = sum + f64::from(*bias);
            (if self.tanh { sum.tanh() } else { sum }) as f32
        };
        self.weights.chunks_exact(self.inputs).zip(&self.bias).map(output).collect()
    }
}
