//! Which models a memory thinks with.

use std::sync::{Arc, OnceLock};

use elfmem_core::consolidation::ThresholdOverrides;
use elfmem_models::{
    Analyst, BuiltinModel, CheckedEmbedder, Embedder, ModelError, PairJudge, RulesAnalyst, SimilarityProfile, Usage,
};
use elfmem_store::{Snapshot, Store};

use crate::dream::WORD_PROFILE;
use crate::memory::Memory;
use crate::{Error, Result};

/// Where vectors come from. A built-in model is read only when a vector is needed.
#[derive(Clone)]
#[non_exhaustive]
pub enum EmbedderChoice {
    /// A model inside the program.
    BuiltIn(BuiltinModel),
    /// Any other model.
    Custom(Arc<dyn Embedder>),
    /// Any other model, made ready when a vector is needed.
    Late(Arc<LateEmbedder>),
}

impl Default for EmbedderChoice {
    fn default() -> Self {
        Self::BuiltIn(BuiltinModel::default())
    }
}

impl std::fmt::Debug for EmbedderChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl EmbedderChoice {
    /// The model's name, without loading it.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(model) => model.name(),
            Self::Custom(embedder) => embedder.name(),
            Self::Late(late) => &late.name,
        }
    }

    /// Returns the model if that needs no connection: one that was connected to before, or a local one.
    pub(crate) fn loaded(&self) -> Option<Arc<dyn Embedder>> {
        match self {
            Self::BuiltIn(model) => model.load().ok(),
            Self::Custom(embedder) => Some(checked(embedder)),
            Self::Late(late) if late.is_local => late.get().ok().as_ref().map(checked),
            Self::Late(late) => late.made.get().map(checked),
        }
    }

    /// Returns why the model cannot be used, if that is known without loading it.
    pub fn problem(&self) -> Option<&ModelError> {
        match self {
            Self::Late(late) => late.problem.as_ref(),
            Self::BuiltIn(_) | Self::Custom(_) => None,
        }
    }

    /// Returns the dimensions of the model if it has this name and is [loaded](Self::loaded).
    fn known_dimensions(&self, name: &str) -> Option<usize> {
        self.loaded().filter(|embedder| embedder.name() == name).map(|embedder| embedder.dimensions())
    }

    /// Returns the model, loaded. What a model from outside returns is checked: see [`CheckedEmbedder`].
    pub fn load(&self) -> Result<Arc<dyn Embedder>> {
        match self {
            Self::BuiltIn(model) => Ok(model.load()?),
            Self::Custom(embedder) => Ok(checked(embedder)),
            Self::Late(late) => Ok(checked(&late.get()?)),
        }
    }
}

fn checked(embedder: &Arc<dyn Embedder>) -> Arc<dyn Embedder> {
    Arc::new(CheckedEmbedder::new(Arc::clone(embedder)))
}

/// Makes a model ready, or says why that cannot be done now.
type MakeEmbedder = dyn Fn() -> std::result::Result<Arc<dyn Embedder>, ModelError> + Send + Sync;

/// A model that is made ready when the first vector is needed: one on a server, or one that takes long to load. What needs no
/// vector works while it cannot be used, and the rest works as soon as it can.
pub struct LateEmbedder {
    name: String,
    make: Box<MakeEmbedder>,
    made: OnceLock<Arc<dyn Embedder>>,
    /// Whether it runs on this machine: then texts are embedded as soon as a recall meets them.
    is_local: bool,
    problem: Option<ModelError>,
}

impl LateEmbedder {
    /// The model of that name; `make` is tried when a vector is needed, until it succeeds once.
    pub fn new(
        name: impl Into<String>,
        make: impl Fn() -> std::result::Result<Arc<dyn Embedder>, ModelError> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), make: Box::new(make), made: OnceLock::new(), is_local: false, problem: None }
    }

    /// The model of that name, which runs on this machine; `make` is tried until it succeeds once.
    pub fn local(
        name: impl Into<String>,
        make: impl Fn() -> std::result::Result<Arc<dyn Embedder>, ModelError> + Send + Sync + 'static,
    ) -> Self {
        Self { is_local: true, ..Self::new(name, make) }
    }

    /// A model on this machine that is known to be unusable. What needs a vector fails with this error.
    pub fn unusable(name: impl Into<String>, problem: ModelError) -> Self {
        let error = problem.clone();
        Self { problem: Some(problem), ..Self::local(name, move || Err(error.clone())) }
    }

    fn get(&self) -> Result<Arc<dyn Embedder>> {
        if let Some(made) = self.made.get() {
            return Ok(Arc::clone(made));
        }
        let made = (self.make)()?;
        Ok(Arc::clone(self.made.get_or_init(|| made)))
    }
}

impl std::fmt::Debug for LateEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LateEmbedder").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All models.
///
/// All fields are public; build one with struct update syntax: `Models { …, ..Models::default() }`.
#[derive(Clone)]
pub struct Models {
    /// Where vectors come from.
    pub embedder: EmbedderChoice,
    /// Who analyses blocks and judges contradictions.
    pub analyst: Arc<dyn Analyst>,
    /// Who judges pairs of texts that the rules leave open.
    pub pairs: PairJudgeChoice,
}

/// Which model judges pairs of texts that the rules leave open.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum PairJudgeChoice {
    /// The model inside the program, where vectors come from the built-in encoder, a model folder or a server. The static
    /// table is chosen for its speed, and an [embedder of one's own](EmbedderChoice::Custom) comes without: there the rules
    /// decide alone, and in a build without the model.
    #[default]
    Default,
    /// None: the rules decide alone.
    Rules,
    /// Any other model.
    Custom(Arc<dyn PairJudge>),
}

impl std::fmt::Debug for PairJudgeChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("Default"),
            Self::Rules => f.write_str("Rules"),
            Self::Custom(judge) => f.debug_tuple("Custom").field(&judge.name()).finish(),
        }
    }
}

impl Models {
    /// Returns the name of the model that judges pairs; `rules` if the rules decide alone.
    ///
    /// # Errors
    /// If the model inside the program is damaged.
    pub fn pair_judge_name(&self) -> Result<String> {
        Ok(self.pair_judge()?.map_or_else(|| "rules".to_owned(), |judge| judge.name().to_owned()))
    }

    /// Returns the judge of pairs, if there is one. See [`PairJudgeChoice`].
    pub(crate) fn pair_judge(&self) -> Result<Option<Arc<dyn PairJudge>>> {
        match (&self.pairs, &self.embedder) {
            (PairJudgeChoice::Custom(judge), _) => Ok(Some(Arc::clone(judge))),
            (PairJudgeChoice::Default, EmbedderChoice::BuiltIn(BuiltinModel::Encoder) | EmbedderChoice::Late(_)) => {
                Ok(BuiltinModel::pair_judge()?)
            }
            (PairJudgeChoice::Default | PairJudgeChoice::Rules, _) => Ok(None),
        }
    }
}

impl Default for Models {
    /// No key, no network: the default built-in model and the rules.
    fn default() -> Self {
        Self { embedder: EmbedderChoice::default(), analyst: Arc::new(RulesAnalyst), pairs: PairJudgeChoice::default() }
    }
}

impl std::fmt::Debug for Models {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Models").field("embedder", &self.embedder).field("analyst", &self.analyst.name()).finish()
    }
}

impl<S: Store> Memory<S> {
    /// Returns the similarity thresholds: those of an embedder, as far as the settings do not replace them.
    pub(crate) fn profile_with(&self, embedder: &dyn Embedder) -> SimilarityProfile {
        replaced(self.options.profile.unwrap_or_else(|| embedder.profile()), self.options.thresholds)
    }
}

/// Replaces thresholds that are set. Those that are not set give way, so that `edge ≤ near ≤ exact`.
fn replaced(profile: SimilarityProfile, set: ThresholdOverrides) -> SimilarityProfile {
    let lowest = |set: [Option<f64>; 2]| set.into_iter().flatten().fold(0.0, f64::max);
    let exact = set.exact.unwrap_or_else(|| profile.exact.max(lowest([set.near, set.edge])));
    let near = set.near.unwrap_or_else(|| profile.near.max(lowest([set.edge, None]))).min(exact);
    SimilarityProfile {
        exact,
        near,
        edge: set.edge.unwrap_or(profile.edge).min(near),
        contradiction_prefilter: set.contradiction_prefilter.unwrap_or(profile.contradiction_prefilter),
        contradiction: set.contradiction.unwrap_or(profile.contradiction),
    }
}

/// Where the name and the dimensions of the model that filled a memory are kept.
pub(crate) const MODEL_LOCK: &str = "embedding_model_lock";
pub(crate) const DIMENSIONS_LOCK: &str = "embedding_dimensions_lock";

/// The model that a memory is locked to, as far as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ModelLock {
    name: Option<String>,
    dimensions: Option<usize>,
}

impl ModelLock {
    pub(crate) fn read(snapshot: &dyn Snapshot) -> Result<Self> {
        let dimensions = snapshot.get_config(DIMENSIONS_LOCK)?.and_then(|text| text.parse().ok());
        Ok(Self { name: snapshot.get_config(MODEL_LOCK)?, dimensions })
    }
}

/// A model that vectors come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VectorModel {
    pub(crate) name: String,
    pub(crate) dimensions: usize,
}

/// Returns the model of the vectors in a memory, without asking the model itself. A memory without vectors has the chosen
/// one if that runs on this machine, else none.
pub(crate) fn index_model(
    snapshot: &dyn Snapshot,
    lock: &ModelLock,
    choice: &EmbedderChoice,
) -> Result<Option<VectorModel>> {
    let stored = match &lock.name {
        Some(name) => Some(name.clone()),
        None => most_common_model(snapshot)?,
    };
    let chosen = || match choice {
        EmbedderChoice::BuiltIn(model) => Some(model.name().to_owned()),
        EmbedderChoice::Late(late) if late.is_local && late.problem.is_none() => Some(late.name.clone()),
        EmbedderChoice::Custom(_) | EmbedderChoice::Late(_) => None,
    };
    let Some(name) = stored.or_else(chosen) else { return Ok(None) };
    let dimensions = match lock.dimensions.or_else(|| choice.known_dimensions(&name)) {
        Some(dimensions) => Some(dimensions),
        None => stored_dimensions(snapshot, &name)?,
    };
    Ok(dimensions.map(|dimensions| VectorModel { name, dimensions }))
}

/// Returns the dimensions of the stored vectors of a model.
fn stored_dimensions(snapshot: &dyn Snapshot, model: &str) -> Result<Option<usize>> {
    let mut dimensions = None;
    snapshot.visit_index_rows(model, None, &mut |row| {
        dimensions = dimensions.or(row.vector.map(|vector| vector.dimensions()));
    })?;
    Ok(dimensions)
}

/// What blocks without a vector are embedded with when a recall meets them.
pub(crate) struct LocalEmbedder {
    pub(crate) embedder: Arc<dyn Embedder>,
    /// Bytes of text that it embeds in a millisecond, at a guess.
    pub(crate) pace: f64,
    /// Fewest vectors that are stored. A few of the static table are computed again faster than they are written.
    pub(crate) min_stored: usize,
}

/// Returns the embedder of the vectors of a memory if it runs on this machine: a built-in one, or the chosen one.
pub(crate) fn local_embedder(choice: &EmbedderChoice, model: Option<&VectorModel>) -> Option<LocalEmbedder> {
    let model = model?;
    let (embedder, pace, min_stored) = match (BuiltinModel::named(&model.name), choice) {
        (Some(BuiltinModel::Static), _) => (BuiltinModel::Static.load().ok()?, 4_000.0, 64),
        (Some(builtin), _) => (builtin.load().ok()?, 32.0, 1),
        (None, EmbedderChoice::Late(late)) if late.is_local && late.name == model.name => (late.get().ok()?, 8.0, 1),
        (None, _) => return None,
    };
    let own = embedder.name() == model.name && embedder.dimensions() == model.dimensions;
    own.then_some(LocalEmbedder { embedder, pace, min_stored })
}

/// Returns the model that embeds questions: the one that filled the memory, if this program can run it. So the old vectors
/// answer until a memory was taken to another model.
pub(crate) fn serving_embedder(choice: &EmbedderChoice, locked: Option<&str>) -> Result<Arc<dyn Embedder>> {
    let Some(locked) = locked.filter(|locked| *locked != choice.name()) else { return choice.load() };
    if let Some(problem) = choice.problem() {
        return Err(problem.clone().into());
    }
    let old = BuiltinModel::named(locked).and_then(|model| model.load().ok());
    old.ok_or_else(|| Error::OtherModel { locked: locked.to_owned(), current: choice.name().to_owned() })
}

impl EmbedderChoice {
    /// Returns whether memories of a model move to this one on their own.
    pub(crate) fn upgrades(&self, locked: &str) -> bool {
        matches!(self, Self::BuiltIn(model) if model.succeeds(locked))
    }
}

/// Returns the model for new vectors: the chosen one, or the old one while the memory moves to the chosen one.
pub(crate) fn working_embedder(choice: &EmbedderChoice, locked: Option<&str>) -> Result<Arc<dyn Embedder>> {
    match locked {
        Some(locked) if choice.upgrades(locked) => serving_embedder(choice, Some(locked)),
        _ => choice.load(),
    }
}

/// The model that filled the memory: the one that is locked in, else the one most vectors come from.
pub(crate) fn locked_model(snapshot: &dyn Snapshot) -> Result<Option<String>> {
    match snapshot.get_config(MODEL_LOCK)? {
        Some(name) => Ok(Some(name)),
        None => most_common_model(snapshot),
    }
}

fn most_common_model(snapshot: &dyn Snapshot) -> Result<Option<String>> {
    Ok(snapshot.get_vector_models()?.into_iter().next().map(|(name, _)| name))
}

/// Refuses a model other than the one that filled the memory: cosines between two models mean nothing.
pub(crate) fn refuse_other_model(snapshot: &dyn Snapshot, embedder: &dyn Embedder) -> Result<()> {
    let Some(locked) = locked_model(snapshot)? else { return Ok(()) };
    let dimensions = snapshot.get_config(DIMENSIONS_LOCK)?.and_then(|text| text.parse::<usize>().ok());
    let same_size = dimensions.is_none_or(|dimensions| dimensions == embedder.dimensions());
    if locked == embedder.name() && same_size {
        return Ok(());
    }
    Err(Error::OtherModel { locked, current: embedder.name().to_owned() })
}

/// Refuses a chosen model other than the one that filled the memory, without connecting to it. A memory that moves to the
/// chosen model on its own is not refused while the old model still answers.
pub(crate) fn refuse_other_choice(snapshot: &dyn Snapshot, choice: &EmbedderChoice) -> Result<()> {
    if let Some(locked) = locked_model(snapshot)?.filter(|locked| choice.upgrades(locked)) {
        return serving_embedder(choice, Some(&locked)).map(drop);
    }
    if let Some(embedder) = choice.loaded() {
        return refuse_other_model(snapshot, &*embedder);
    }
    if let Some(problem) = choice.problem() {
        return Err(problem.clone().into());
    }
    match locked_model(snapshot)? {
        Some(locked) if locked != choice.name() => Err(Error::OtherModel { locked, current: choice.name().to_owned() }),
        _ => Ok(()),
    }
}

/// Whether a model is the one that filled the memory. A memory that cannot be read does not say.
pub(crate) fn is_own_model(snapshot: &dyn Snapshot, embedder: &dyn Embedder) -> Result<bool> {
    match refuse_other_model(snapshot, embedder) {
        Ok(()) => Ok(true),
        Err(Error::OtherModel { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Where what model calls have cost is kept.
pub(crate) const LIFETIME_USAGE: &str = "lifetime_token_usage";

impl<S: Store> Memory<S> {
    /// Returns the model for new vectors. See [`working_embedder`].
    pub(crate) fn working_embedder(&self) -> Result<Arc<dyn Embedder>> {
        let choice = &self.options.models.embedder;
        match choice {
            EmbedderChoice::BuiltIn(_) => working_embedder(choice, self.read(locked_model)?.as_deref()),
            EmbedderChoice::Custom(_) | EmbedderChoice::Late(_) => choice.load(),
        }
    }

    /// The model whose vectors the memory holds; none while it holds none.
    pub fn filled_by(&self) -> Result<Option<String>> {
        self.read(locked_model)
    }

    /// Returns the similarity thresholds: those of the settings, else those of the embedder, else those of words.
    pub(crate) fn similarity_profile(&self) -> Result<SimilarityProfile> {
        match self.working_embedder() {
            Ok(embedder) => Ok(self.profile_with(&*embedder)),
            Err(Error::Model(ModelError::NotInBuild { .. })) => Ok(WORD_PROFILE),
            Err(error) => Err(error),
        }
    }

    /// What model calls have cost over the life of the memory.
    pub fn lifetime_usage(&self) -> Result<Usage> {
        self.read(stored_usage)
    }

    /// What model calls have cost since this value was made.
    pub fn session_usage(&self) -> Usage {
        let embedder = match &self.options.models.embedder {
            EmbedderChoice::BuiltIn(_) => Usage::default(),
            EmbedderChoice::Custom(embedder) => embedder.usage(),
            EmbedderChoice::Late(late) => late.made.get().map(|embedder| embedder.usage()).unwrap_or_default(),
        };
        embedder + self.options.models.analyst.usage()
    }

    /// Adds what was spent since the last time to the memory's own account.
    pub(crate) fn account_usage(&self) -> Result<()> {
        let spent = self.session_usage();
        let (before, fresh) = {
            let mut running = self.running();
            let before = running.accounted;
            running.accounted = spent;
            (before, spent.since(before))
        };
        if fresh == Usage::default() {
            return Ok(());
        }
        let kept = self.store().write(&self.options.view, |transaction| -> Result<()> {
            let total = stored_usage(&*transaction)? + fresh;
            let json = serde_json::to_string(&total).unwrap_or_default();
            Ok(transaction.set_config(LIFETIME_USAGE, &json)?)
        });
        if kept.is_err() {
            // What could not be kept is kept the next time.
            self.running().accounted = before;
        }
        kept
    }
}

/// An account that cannot be read starts anew.
fn stored_usage(snapshot: &dyn Snapshot) -> Result<Usage> {
    let stored = snapshot.get_config(LIFETIME_USAGE)?;
    Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
}
