//! The embedders that can be chosen, with what was measured of them.

use std::fmt;

use elfmem_models::BuiltinModel;
use serde::Serialize;

/// An embedder that can be chosen.
#[derive(Debug, Serialize)]
pub(super) struct AvailableEmbedder {
    /// The value of `models.embedder`.
    pub(super) setting: &'static str,
    pub(super) description: &'static str,
    /// Whether it is the one in use.
    pub(super) in_use: bool,
    /// What was measured of it, or of a model of its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) figures: Option<ModelFigures>,
}

/// How well a model finds answers: words and meaning added up, on the four English development memories.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct ModelFigures {
    model: &'static str,
    /// Questions with an answer.
    asked: u32,
    /// Questions whose answer came first.
    first: u32,
    /// Questions whose answer was among the first five.
    among_five: u32,
}

impl fmt::Display for ModelFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |count: u32| (f64::from(count) * 100.0 / f64::from(self.asked)).round();
        let (first, among_five) = (percent(self.first), percent(self.among_five));
        write!(f, "{}: right block first {first} %, among five {among_five} %", self.model)
    }
}

const STATIC: ModelFigures = ModelFigures { model: "static", asked: 320, first: 163, among_five: 251 };
const ENCODER: ModelFigures = ModelFigures { model: "encoder", asked: 320, first: 194, among_five: 282 };
const MINILM: ModelFigures = ModelFigures { model: "all-MiniLM-L6-v2", asked: 320, first: 183, among_five: 266 };

/// Returns the embedders that can be chosen. `setting` is the value of `models.embedder`.
pub(super) fn available_embedders(setting: &str) -> Vec<AvailableEmbedder> {
    let chosen = if setting == "builtin" { BuiltinModel::default().setting() } else { setting };
    let embedder = |name: &'static str, description: &'static str, figures: Option<ModelFigures>| AvailableEmbedder {
        setting: name,
        description,
        in_use: match name.split_once(':') {
            Some((provider, _)) => chosen.split_once(':').is_some_and(|(chosen, _)| chosen == provider),
            None => chosen == name,
        },
        figures,
    };
    vec![
        embedder("encoder", "built in: reads words in their context, in seven languages", Some(ENCODER)),
        embedder("static", "built in: a vector for each word, in microseconds", Some(STATIC)),
        embedder("folder:PATH", "a sentence-transformers model of the BERT family on disk", Some(MINILM)),
        embedder("openai:MODEL", "OpenAI or a compatible server; texts are sent there", None),
        embedder("ollama:MODEL", "a local Ollama server", None),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_embedder_is_in_use_whatever_is_set() {
        for (setting, used) in [
            ("builtin", BuiltinModel::default().setting()),
            ("static", "static"),
            ("folder:/models/mini", "folder:PATH"),
            ("ollama:nomic-embed-text", "ollama:MODEL"),
        ] {
            let all = available_embedders(setting);
            let in_use: Vec<&str> =
                all.iter().filter(|embedder| embedder.in_use).map(|embedder| embedder.setting).collect();
            assert_eq!(in_use, [used]);
        }
    }

    #[test]
    fn figures_read_as_one_line() {
        let figures = ModelFigures { model: "m", asked: 200, first: 101, among_five: 180 };
        let expected = "m: right block first 51 %, among five 90 %";
        assert_eq!(figures.to_string(), expected);
    }
}
