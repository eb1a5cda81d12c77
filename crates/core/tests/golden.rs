//! Golden vectors: results of the Python elfmem that this crate must reproduce.
//!
//! Cases are read from `tests/golden` in the workspace, or from the folder in `ELFMEM_GOLDEN_DIR`.
//! An unknown file or an unsupported case is a failure.

use std::path::{Path, PathBuf};

use elfmem_core::belief::{after_link, after_outcome};
use elfmem_core::edge_score::{EdgeEnd, composite_edge_score, tag_jaccard, temporal_proximity};
use elfmem_core::frame::builtin_frames;
use elfmem_core::score::{effective_centrality, normalised_reinforcement};
use elfmem_core::{
    ActiveHours, BlockId, Category, Confidence, DecayTier, Evidence, LinkType, ScoreComponents, Signal, Tag, decay,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldenFile {
    name: String,
    #[serde(rename = "about")]
    _about: String,
    tolerance: f64,
    cases: Vec<GoldenCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldenCase {
    #[serde(rename = "in")]
    input: Value,
    out: Value,
}

fn golden_dir() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "the folder is a setting of this test")]
    std::env::var("ELFMEM_GOLDEN_DIR")
        .map_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden"), PathBuf::from)
}

/// Parses the input of a case. Missing or unexpected fields are errors.
fn read<T: DeserializeOwned>(input: &Value) -> Result<T, String> {
    serde_json::from_value(input.clone()).map_err(|error| format!("cannot read the case: {error}"))
}

fn tags(names: &[String]) -> Vec<Tag> {
    names.iter().map(|name| Tag::from_stored(name)).collect()
}

/// Evaluates one case. Returns `None` for an unknown file.
fn evaluate(name: &str, input: &Value) -> Option<Result<Value, String>> {
    Some(match name {
        "composite_edge_score" => composite_edge(input),
        "composite_score" => composite(input),
        "content_hash" => content_hash(input),
        "decay_tier" => decay_tier(input),
        "edge_decay_rate" => edge_decay_rate(input),
        "effective_centrality" => centrality(input),
        "link_confidence" => link_confidence(input),
        "outcome_update" => outcome_update(input),
        "recency" => recency(input),
        "reinforcement" => reinforcement(input),
        "tag_jaccard" => jaccard(input),
        "temporal_proximity" => proximity(input),
        _ => return None,
    })
}

fn composite_edge(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        cosine: f64,
        tags_a: Vec<String>,
        tags_b: Vec<String>,
        hours_a: f64,
        hours_b: f64,
        category_a: String,
        category_b: String,
    }
    let case: In = read(input)?;
    let (tags_a, tags_b) = (tags(&case.tags_a), tags(&case.tags_b));
    let (category_a, category_b) = (Category::from_stored(&case.category_a), Category::from_stored(&case.category_b));
    Ok(json!(composite_edge_score(
        case.cosine,
        EdgeEnd { tags: &tags_a, category: &category_a, hours: ActiveHours::new(case.hours_a) },
        EdgeEnd { tags: &tags_b, category: &category_b, hours: ActiveHours::new(case.hours_b) },
    )))
}

fn composite(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        frame: String,
        queryless: bool,
        similarity: f64,
        confidence: f64,
        recency: f64,
        centrality: f64,
        reinforcement: f64,
    }
    let case: In = read(input)?;
    let frame = builtin_frames()
        .into_iter()
        .find(|frame| frame.name == case.frame)
        .ok_or_else(|| format!("no built-in frame '{}'", case.frame))?;
    let weights =
        if case.queryless { frame.weights.queryless().map_err(|error| error.to_string())? } else { frame.weights };
    let In { similarity, confidence, recency, centrality, reinforcement, .. } = case;
    Ok(json!(weights.score(ScoreComponents { similarity, confidence, recency, centrality, reinforcement })))
}

fn content_hash(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        content: String,
    }
    let case: In = read(input)?;
    Ok(json!(BlockId::for_content(&case.content)))
}

fn decay_tier(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        tags: Vec<String>,
        category: String,
    }
    let case: In = read(input)?;
    Ok(json!(DecayTier::of(&tags(&case.tags), &Category::from_stored(&case.category))))
}

fn edge_decay_rate(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        a: DecayTier,
        b: DecayTier,
        reinforcement_count: u32,
    }
    let case: In = read(input)?;
    Ok(json!(decay::edge_decay_rate(case.a.rate(), case.b.rate(), case.reinforcement_count)))
}

fn centrality(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        raw: f64,
        recency: f64,
    }
    let case: In = read(input)?;
    Ok(json!(effective_centrality(case.raw, case.recency)))
}

fn link_confidence(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        confidence: f64,
        links: Vec<LinkType>,
    }
    let case: In = read(input)?;
    let mut confidence = Confidence::new(case.confidence).map_err(|error| error.to_string())?;
    let steps: Vec<Confidence> = case
        .links
        .into_iter()
        .map(|link| {
            confidence = after_link(confidence, link);
            confidence
        })
        .collect();
    Ok(json!(steps))
}

fn outcome_update(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        confidence: f64,
        evidence: f64,
        signal: f64,
        weight: f64,
        prior: f64,
    }
    let case: In = read(input)?;
    let confidence = Confidence::new(case.confidence).map_err(|error| error.to_string())?;
    let signal = Signal::new(case.signal).map_err(|error| error.to_string())?;
    let (updated, _) = after_outcome((confidence, Evidence::new(case.evidence)), signal, case.weight, case.prior);
    Ok(json!(updated))
}

fn recency(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        tier: DecayTier,
        hours: f64,
    }
    let case: In = read(input)?;
    Ok(json!(case.tier.rate().recency_after(ActiveHours::new(case.hours))))
}

fn reinforcement(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        count: u32,
        max: u32,
    }
    let case: In = read(input)?;
    Ok(json!(normalised_reinforcement(case.count, case.max)))
}

fn jaccard(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        a: Vec<String>,
        b: Vec<String>,
    }
    let case: In = read(input)?;
    Ok(json!(tag_jaccard(&tags(&case.a), &tags(&case.b))))
}

fn proximity(input: &Value) -> Result<Value, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct In {
        a: f64,
        b: f64,
    }
    let case: In = read(input)?;
    Ok(json!(temporal_proximity(ActiveHours::new(case.a), ActiveHours::new(case.b))))
}

/// Compares two values, numbers within the tolerance.
fn agree(ours: &Value, golden: &Value, tolerance: f64) -> bool {
    match (ours, golden) {
        (Value::Number(a), Value::Number(b)) => {
            let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else { return false };
            (a - b).abs() <= tolerance
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b, tolerance))
        }
        _ => ours == golden,
    }
}

/// Returns all failures of one golden file.
fn faults_of(path: &Path) -> Vec<String> {
    let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let parsed = std::fs::read_to_string(path)
        .map_err(|error| error.to_string())
        .and_then(|text| serde_json::from_str::<GoldenFile>(&text).map_err(|error| error.to_string()));
    let file = match parsed {
        Ok(file) => file,
        Err(error) => return vec![format!("{shown}: {error}")],
    };
    let mut faults = Vec::new();
    if file.cases.is_empty() {
        faults.push(format!("{shown}: has no cases"));
    }
    for (at, case) in file.cases.iter().enumerate() {
        match evaluate(&file.name, &case.input) {
            None => return vec![format!("{shown}: no evaluator for '{}'", file.name)],
            Some(Err(error)) => faults.push(format!("{shown} case {at}: {error}")),
            Some(Ok(ours)) if !agree(&ours, &case.out, file.tolerance) => {
                faults.push(format!("{shown} case {at}: got {ours}, golden {} for {}", case.out, case.input));
            }
            Some(Ok(_)) => {}
        }
    }
    faults
}

#[test]
fn golden_vectors_are_reproduced() {
    let dir = golden_dir();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&dir)
        .unwrap_or_else(|error| panic!("cannot read the golden folder {}: {error}", dir.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no golden files in {}", dir.display());
    let faults: Vec<String> = files.iter().flat_map(|path| faults_of(path)).collect();
    assert!(faults.is_empty(), "{} golden faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_changed_golden_value_is_detected() {
    let mut text = std::fs::read_to_string(golden_dir().join("recency.json")).unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    file["cases"][3]["out"] = json!(file["cases"][3]["out"].as_f64().unwrap() + 1e-9);
    text = file.to_string();
    let path = std::env::temp_dir().join(format!("elfmem-golden-{}.json", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let faults = faults_of(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(faults.len(), 1, "{faults:?}");
}
