//! Every verb by its name, with arguments as a dictionary: what servers and scripts call.
//!
//! The table in [`crate::catalog`] says what each verb takes and answers; here it meets the methods of
//! [`Memory`].

mod given;
mod told;
mod told_events;

use std::collections::HashMap;

use crate::catalog::{Verb, find, guide};
use crate::request::Request;
use elfmem_core::event::EventKind;
use elfmem_core::{Category, LinkEnd};
use elfmem_store::{BlockOrder, BlockQuery, ContextQuery, EventQuery, LinkQuery, Store};
use elfmem_text::fence::fence_items;
use serde::Serialize;
use serde_json::{Map, Value, json};

use self::given::Given;
use crate::events::checked_context;
use crate::links::{parse_link_type, resolve_link_end};
use crate::memory::Memory;
use crate::recall::checked_source;
use crate::{
    ChainDirection, Connect, ConnectByQuery, ConnectMany, Curate, DEFAULT_PENDING, Disconnect, Dream, Edit, Error,
    FrameEdit, Graduate, HostAnalysis, Insights, Learn, LearnDocument, NewEvent, Outcome, Recall, RenderFrame, Rescore,
    Resolution, Result, Retrieve, RetrieveFormat, Undo, Verify, Why,
};

/// Which verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is told in the table")]
pub enum VerbId {
    Learn,
    LearnDocument,
    Consolidate,
    Pending,
    Curate,
    MigrateEmbeddings,
    Recall,
    RenderFrame,
    Why,
    Frames,
    AddFrame,
    EditFrame,
    RemoveFrame,
    Connect,
    ConnectMany,
    ConnectByQuery,
    Disconnect,
    Outcome,
    RetractOutcome,
    Contradictions,
    ResolveContradiction,
    List,
    Show,
    Edit,
    AddTags,
    RemoveTags,
    Forget,
    Restore,
    Pin,
    Unpin,
    Supersede,
    Purge,
    Undo,
    Proposals,
    AcceptProposals,
    RejectProposals,
    Blame,
    Influence,
    RetractSource,
    ScanSecrets,
    Status,
    History,
    Log,
    Verify,
    Guide,
    BeginSession,
    EndSession,
    StoreEvent,
    StoreEvents,
    ListEvents,
    RetrieveMemories,
    ListContexts,
    ShowContext,
    ContextGraph,
    Enrol,
    Link,
    Unlink,
    Links,
    Chain,
    GenerateInsights,
    Graduate,
}

/// What a verb answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// For whoever reads: one sentence, or the text that was asked for.
    pub text: String,
    /// For programs: the same keys on every surface.
    pub json: Value,
}

impl Reply {
    /// An answer with a text of its own.
    fn new(text: impl Into<String>, value: &impl Serialize) -> Self {
        Self { text: text.into(), json: serde_json::to_value(value).unwrap_or(Value::Null) }
    }

    /// An answer that says it all in one sentence.
    fn sentence(value: &(impl Serialize + std::fmt::Display)) -> Self {
        Self::new(value.to_string(), value)
    }

    /// A list, with how long it is.
    fn list<T: Serialize>(key: &str, items: &[T], line: impl Fn(&T) -> String, none: &str) -> Self {
        let lines: Vec<String> = items.iter().map(line).collect();
        let text = if items.is_empty() { none.to_owned() } else { lines.join("\n") };
        Self::new(text, &json!({"count": items.len(), key: items}))
    }

    /// A list of what was stored: its text is data.
    fn stored<T: Serialize>(key: &str, items: &[T], line: impl Fn(&T) -> String, none: &str) -> Self {
        let reply = Self::list(key, items, &line, none);
        match items.is_empty() {
            true => reply,
            false => Self { text: fence_items(&items.iter().map(line).collect::<Vec<_>>()), ..reply },
        }
    }
}

impl<S: Store> Memory<S> {
    /// Tells what can be asked for, or when and how to use one verb.
    ///
    /// USE WHEN: you do not know which verb fits. DON'T USE WHEN: you know. COST: instant, nothing is read. RETURNS:
    /// the overview, one verb's card, or the valid names when the name is none. [`guide`] tells the same without a
    /// memory. NEXT: the verb it leads you to.
    pub fn guide(&self, method_name: Option<&str>) -> String {
        guide(method_name)
    }

    /// Does what a verb of the table says, with arguments as a dictionary.
    ///
    /// USE WHEN: the verb's name comes from outside: a server, a script. DON'T USE WHEN: you write Rust; the methods are
    /// typed. RETURNS: [`Reply`], a text and a dictionary with the keys the table names.
    ///
    /// # Errors
    /// A name that no verb has, arguments that it does not take, and what the verb itself refuses.
    ///
    /// ```
    /// # use elfmem_engine::{Memory, Options};
    /// # use elfmem_store_sqlite::SqliteStore;
    /// # let memory = Memory::open(SqliteStore::in_memory(elfmem_core::Timestamp::UNIX_EPOCH)?, Options::default());
    /// let arguments = serde_json::json!({"content": "Maria is allergic to peanuts", "tags": ["people/maria"]});
    /// let reply = memory.invoke("learn", arguments.as_object().unwrap())?;
    /// assert_eq!(reply.json["status"], "created");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn invoke(&self, name: &str, arguments: &Map<String, Value>) -> Result<Reply> {
        let verb: &'static Verb = find(name).ok_or_else(|| Error::UnknownVerb { name: name.to_owned() })?;
        let given = Given::checked(verb, arguments)?;
        let block = || given.needed("block");
        Ok(match verb.id {
            VerbId::Learn => {
                Reply::sentence(&self.learn(self.requested::<Learn>(arguments)?.or_source(&self.options.actor))?)
            }
            VerbId::LearnDocument => {
                Reply::sentence(&self.learn_document(self.requested::<LearnDocument>(arguments)?)?)
            }
            VerbId::Consolidate => told::consolidated(&self.dream_as_given(&given)?),
            VerbId::Pending => told::pending(&self.pending(given.count("max")?.unwrap_or(DEFAULT_PENDING))?),
            VerbId::Curate => Reply::sentence(&self.curate(&curation(&given)?)?),
            VerbId::MigrateEmbeddings => Reply::sentence(&self.migrate_embeddings(None)?),
            VerbId::Recall => told::recalled(&self.recall(self.requested::<Recall>(arguments)?)?),
            VerbId::RenderFrame => told::framed(&self.frame(self.requested::<RenderFrame>(arguments)?)?),
            VerbId::Why => Reply::sentence(&self.why(self.requested::<Why>(arguments)?)?),
            VerbId::Frames => told::frames(&self.frames()?),
            VerbId::AddFrame => Reply::sentence(&self.add_frame(given.needed("name"), &definition(&given)?)?),
            VerbId::EditFrame => Reply::sentence(&self.edit_frame(given.needed("name"), &definition(&given)?)?),
            VerbId::RemoveFrame => Reply::sentence(&self.remove_frame(given.needed("name"))?),
            VerbId::Connect => Reply::sentence(&self.connect(self.requested::<Connect>(arguments)?)?),
            VerbId::ConnectMany => told::connected(&self.connects(self.requested::<ConnectMany>(arguments)?)?),
            VerbId::ConnectByQuery => told::met(&self.connect_by_query(self.requested::<ConnectByQuery>(arguments)?)?),
            VerbId::Disconnect => Reply::sentence(&self.disconnect(self.requested::<Disconnect>(arguments)?)?),
            VerbId::Outcome => Reply::sentence(&self.outcome(&self.outcome_given(&given))?),
            VerbId::RetractOutcome => Reply::sentence(&self.retract_outcome(given.needed("outcome_id"))?),
            VerbId::Contradictions => told::contradictions(&self.contradictions(given.flag("all"))?),
            VerbId::ResolveContradiction => {
                let resolution = resolution(&given)?;
                Reply::sentence(&self.resolve_contradiction(given.needed("a"), given.needed("b"), &resolution)?)
            }
            VerbId::List => told::blocks(&self.list(&listing(&given)?)?),
            VerbId::Show => told::block(&self.show(block())?),
            VerbId::Edit => Reply::sentence(&self.edit(block(), &edit(&given))?),
            VerbId::AddTags => Reply::sentence(&self.add_tags(block(), &given.texts("tags").unwrap_or_default())?),
            VerbId::RemoveTags => {
                Reply::sentence(&self.remove_tags(block(), &given.texts("tags").unwrap_or_default())?)
            }
            VerbId::Forget => Reply::sentence(&self.forget(block(), given.text("reason"))?),
            VerbId::Restore => Reply::sentence(&self.restore(block())?),
            VerbId::Pin => Reply::sentence(&self.pin(block())?),
            VerbId::Unpin => Reply::sentence(&self.unpin(block())?),
            VerbId::Supersede => Reply::sentence(&self.supersede(given.needed("old"), given.needed("by"))?),
            VerbId::Purge => Reply::sentence(&self.purge(block())?),
            VerbId::Blame => told::blamed(&self.blame(block())?),
            VerbId::Influence => told::influenced(&self.influence(block())?),
            VerbId::RetractSource => {
                told::retracted(&self.retract_source(given.needed("source"), given.flag("dry_run"))?)
            }
            VerbId::ScanSecrets => told::scanned(&self.scan_secrets(given.flag("redact"))?),
            VerbId::Undo => told::undone(&self.undo(self.requested::<Undo>(arguments)?)?),
            VerbId::Proposals => told::proposals(&self.proposals(given.flag("all"))?),
            VerbId::AcceptProposals => Reply::sentence(&self.accept_proposals(&given.counts("numbers"))?),
            VerbId::RejectProposals => Reply::sentence(&self.reject_proposals(&given.counts("numbers"))?),
            VerbId::Status => Reply::sentence(&self.status()?),
            VerbId::History => told::operations(&self.operations(given.count("limit")?.unwrap_or(LIMIT))?),
            VerbId::Log => told::journal(&self.log(given.text("block"), given.count("limit")?.unwrap_or(LIMIT))?),
            VerbId::Verify => {
                let asked = Verify { repair: given.flag("repair"), digest: given.flag("digest"), progress: None };
                told::verified(&self.verify(&asked)?)
            }
            VerbId::Guide => {
                let text = guide(given.text("method_name"));
                Reply::new(text.clone(), &json!({"text": text}))
            }
            VerbId::BeginSession => Reply::sentence(&self.begin_session(given.text("task_type").unwrap_or("general"))?),
            VerbId::EndSession => Reply::sentence(&self.end_session()?),
            VerbId::StoreEvent => Reply::sentence(&self.store_event(&NewEvent::from_map(given.all()))?),
            VerbId::StoreEvents => {
                let events: Vec<Map<String, Value>> = given.parsed("events")?.unwrap_or_default();
                let events: Vec<NewEvent> = events.iter().map(NewEvent::from_map).collect();
                Reply::sentence(&self.store_events(&events, given.flag("atomic"))?)
            }
            VerbId::ListEvents => self.events_asked(&given)?,
            VerbId::RetrieveMemories => told_events::retrieved(&self.retrieve_memories(&retrieval(&given)?)?),
            VerbId::ListContexts => {
                let listing = self.list_contexts(&contexts(&given)?, given.count("page")?.unwrap_or_default())?;
                Reply::sentence(&listing)
            }
            VerbId::ShowContext => told_events::context(&self.show_context(given.needed("context"))?),
            VerbId::ContextGraph => {
                let depth = given.count("depth")?.unwrap_or(1);
                Reply::sentence(&self.context_graph(given.text("context"), depth, &contexts(&given)?)?)
            }
            VerbId::Enrol => Reply::sentence(&self.enrol(block(), given.needed("context"))?),
            VerbId::Link => {
                let (from, link_type, to) = (given.needed("from"), given.needed("link_type"), given.needed("to"));
                Reply::sentence(&self.link(from, link_type, to, given.text("note"))?)
            }
            VerbId::Unlink => {
                let (from, link_type, to) = (given.needed("from"), given.needed("link_type"), given.needed("to"));
                Reply::sentence(&self.unlink(from, link_type, to)?)
            }
            VerbId::GenerateInsights => {
                let asked = Insights {
                    locus_query: given.owned("locus_query"),
                    limit: given.count("limit")?.unwrap_or(5),
                    context_ids: given.texts("context_ids").unwrap_or_default(),
                    context_types: given.parsed("context_types")?.unwrap_or_default(),
                    ..Insights::new(given.needed("task"))
                };
                told_events::insight(&self.generate_insights(&asked)?)
            }
            VerbId::Graduate => {
                let (block, text) = (given.owned("block"), given.owned("text"));
                let asked = Graduate { block, text, apply: given.flag("apply"), dry_run: given.flag("dry_run") };
                told_events::graduated(&self.graduate(&asked)?)
            }
            VerbId::Links => told_events::links(&self.links_asked(&given)?),
            VerbId::Chain => {
                let way = if given.flag("ahead") { ChainDirection::Ahead } else { ChainDirection::Behind };
                told_events::chain(&self.chain(block(), way, given.count("depth")?)?)
            }
        })
    }

    /// Reads a request from arguments.
    fn requested<R: Request>(&self, arguments: &Map<String, Value>) -> Result<R> {
        R::from_json(arguments, self.options.clock.now())
    }

    fn dream_as_given(&self, given: &Given<'_>) -> Result<crate::ConsolidateResult> {
        let analyses: HashMap<String, HostAnalysis> = given.parsed("analyses")?.unwrap_or_default();
        let dream = Dream {
            max: given.count("max")?,
            dry_run: given.flag("dry_run"),
            host_analyses: self.analyses_by_block(analyses)?,
            ..Dream::default()
        };
        let mut result = self.dream(&dream)?;
        if let Some(max) = given.count("rescore")?.filter(|_| !dream.dry_run) {
            result.merge(self.rescore(Rescore { max, ..Rescore::default() }, &dream)?);
        }
        Ok(result)
    }

    fn events_asked(&self, given: &Given<'_>) -> Result<Reply> {
        let limit: u32 = given.count("limit")?.unwrap_or(PAGE).clamp(1, MOST_OF_A_PAGE);
        let page: u32 = given.count("page")?.unwrap_or_default();
        let query = EventQuery {
            kinds: event_kinds(given)?,
            source: given.text("source").map(checked_source).transpose()?,
            context: given.text("context_id").map(checked_context).transpose()?,
            since: given.time("since", self.options.clock.now())?,
            admitted: given.flag("filtered").then_some(false),
            offset: page.saturating_mul(limit),
            limit: Some(limit),
            ..EventQuery::default()
        };
        let (events, total) = self.list_events(&query)?;
        Ok(told_events::events(&events, total, page))
    }

    fn links_asked(&self, given: &Given<'_>) -> Result<Vec<elfmem_core::Link>> {
        let end = |name: &str| -> Result<Option<Vec<LinkEnd>>> {
            let Some(text) = given.text(name) else { return Ok(None) };
            Ok(Some(vec![self.read(|snapshot| resolve_link_end(snapshot, text))?]))
        };
        self.links(&LinkQuery {
            from: end("from")?,
            to: end("to")?,
            link_type: given.text("link_type").map(parse_link_type).transpose()?,
            unresolved: given.flag("unresolved"),
            limit: Some(given.count("limit")?.unwrap_or(PAGE)),
        })
    }

    fn outcome_given(&self, given: &Given<'_>) -> Outcome {
        let blocks = given.texts("block_ids").unwrap_or_default();
        let new = Outcome::new(blocks, given.number("signal").unwrap_or(f64::NAN));
        Outcome {
            weight: given.number("weight").unwrap_or(new.weight),
            source: given.owned("source").unwrap_or_else(|| self.options.actor.clone()),
            outcome_id: given.owned("outcome_id"),
            ..new
        }
    }
}

/// Entries that lists show unless told otherwise.
const LIMIT: u32 = 20;
/// The same of lists that come in pages, and at most.
const PAGE: u32 = 100;
const MOST_OF_A_PAGE: u32 = 1_000;

/// A kind of events by its name, or a family of them.
fn event_kinds(given: &Given<'_>) -> Result<Vec<EventKind>> {
    let Some(name) = given.text("kind") else { return Ok(Vec::new()) };
    let family: Vec<EventKind> = EventKind::all().filter(|kind| kind.group().as_str() == name.trim()).collect();
    match EventKind::parse(name) {
        _ if !family.is_empty() => Ok(family),
        Some(kind) => Ok(vec![kind]),
        None => {
            let names: Vec<&str> = EventKind::all().map(EventKind::as_str).collect();
            Err(given.bad(format!("there is no event kind '{name:.60}'; the kinds are {}", names.join(", "))))
        }
    }
}

fn contexts(given: &Given<'_>) -> Result<ContextQuery> {
    Ok(ContextQuery {
        kind: given.text("context_type").map(|kind| kind.trim().to_lowercase()),
        text: given.text("context_name").map(|name| name.trim().to_lowercase()),
        least_references: given.count("min_references")?.unwrap_or_default(),
        limit: given.count("limit")?,
        ..ContextQuery::default()
    })
}

fn retrieval(given: &Given<'_>) -> Result<Retrieve> {
    let usual = Retrieve::new(given.needed("query"));
    Ok(Retrieve {
        limit: given.count("limit")?.unwrap_or(usual.limit),
        offset: given.count("offset")?.unwrap_or(usual.offset),
        context_ids: given.texts("context_ids").unwrap_or_default(),
        context_types: given.parsed("context_types")?.unwrap_or_default(),
        sources: given.texts("sources").unwrap_or_default(),
        boost_context_ids: given.texts("boost_context_ids").unwrap_or_default(),
        expand_depth: given.count("expand_depth")?.unwrap_or(usual.expand_depth),
        semantic_weight: given.number("semantic_weight").unwrap_or(usual.semantic_weight),
        format: match given.text("format") {
            Some("json") => RetrieveFormat::Json,
            _ => RetrieveFormat::Markdown,
        },
        include_ids: given.flag("include_ids"),
        preview: given.flag("preview"),
        ..usual
    })
}

fn curation(given: &Given<'_>) -> Result<Curate> {
    let usual = Curate::default();
    Ok(Curate {
        prune_threshold: given.number("prune_threshold").unwrap_or(usual.prune_threshold),
        edge_prune_threshold: given.number("edge_prune_threshold").unwrap_or(usual.edge_prune_threshold),
        reinforce_top_n: given.count("reinforce_top_n")?.unwrap_or(usual.reinforce_top_n),
        protect_bridges: given.flag("protect_bridges"),
        reinforce_constitutional: given.flag("reinforce_constitutional"),
    })
}

fn definition(given: &Given<'_>) -> Result<FrameEdit> {
    let weights = given.numbers("weights").map(|weights| {
        <[f64; 5]>::try_from(weights.as_slice())
            .map_err(|_| given.bad(format!("'weights' must be five numbers, and {} were given", weights.len())))
    });
    Ok(FrameEdit {
        weights: weights.transpose()?,
        tags: given.texts("tags"),
        exclude_tags: given.texts("exclude_tags"),
        categories: given.texts("categories"),
        guarantees: given.texts("guarantees"),
        token_budget: given.count("budget")?,
        template: given.owned("template"),
        search_window: given.number("window"),
        cache_seconds: given.count("cache")?,
    })
}

fn resolution(given: &Given<'_>) -> Result<Resolution> {
    match (given.owned("keep"), given.owned("both"), given.owned("replace")) {
        (Some(kept), None, None) => Ok(Resolution::Keep(kept)),
        (None, Some(note), None) => Ok(Resolution::KeepBoth(note)),
        (None, None, Some(text)) => Ok(Resolution::Replace(text)),
        _ => Err(given.bad("exactly one of 'keep', 'both' and 'replace' says how it is settled")),
    }
}

fn listing(given: &Given<'_>) -> Result<BlockQuery> {
    let limit: u32 = given.count("limit")?.unwrap_or(LIMIT);
    Ok(BlockQuery {
        status: given.parsed("status")?,
        tag_pattern: given.owned("tag"),
        category: given.text("category").map(Category::parse).transpose()?,
        order: BlockOrder::NewestFirst,
        limit: (limit > 0).then_some(limit),
        ..BlockQuery::default()
    })
}

fn edit(given: &Given<'_>) -> Edit {
    let mut edit = Edit::default();
    if let Some(content) = given.text("content") {
        edit = edit.content(content);
    }
    if let Some(category) = given.text("category") {
        edit = edit.category(category);
    }
    if let Some(cue) = given.text("cue") {
        edit = edit.cue(cue);
    }
    edit = given.texts("add_tags").unwrap_or_default().into_iter().fold(edit, Edit::add_tag);
    edit = given.texts("remove_tags").unwrap_or_default().into_iter().fold(edit, Edit::remove_tag);
    edit.allow_secrets(given.flag("allow_secrets"))
}
