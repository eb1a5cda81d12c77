//! The verbs: opens the memory that one needs and renders its answer.
//!
//! A verb without a rendering of its own is answered with the sentence that every surface shows.

use elfmem_config::RecallConfig;
use elfmem_engine::catalog::{Effect, VerbId, documented, guide};
use elfmem_engine::{GenerateInsights, Graduate, Learn, Memory, ShowChain, ShowContext, check_question};
use elfmem_store_sqlite::SqliteStore;
use elfmem_text::fence::OPENING;
use serde_json::json;

use super::{
    blocks, connect, contradictions, curate, documents, dream, events, frame, history, lineage, log, outcome,
    proposals, purge, recall, review, secrets, status, undo, verify,
};
use crate::args::{Arguments, TypedVerb, VerbInput};
use crate::database::Database;
use crate::failure::Failure;
use crate::output::Output;
use crate::print::{self, Content};
use crate::spoken::as_typed;

/// What the overview of the guide does not say: it names verbs as the library and the tools do.
const COMMANDS: &str = "These are the names of the library and of tools: `elfmem --help` lists the commands.";

/// Runs a verb. What it needs is read before the memory is opened, so that a mistake makes no file.
pub(super) fn run(typed: &TypedVerb, arguments: &Arguments) -> Result<Output, Failure> {
    let mut input = typed.read()?;
    if input.verb().id == VerbId::Guide {
        let name = input.text("method_name");
        if !name.trim().is_empty() && documented(name).is_none() {
            return Err(Failure::no_card(name));
        }
        let text = guide(Some(name));
        let shown = if name.trim().is_empty() { format!("{text}\n{COMMANDS}") } else { text.clone() };
        return Ok(Output::new(shown, &json!({"text": text})));
    }
    check_question(input.verb(), &input.fields)?;
    let database = Database::discover(arguments)?;
    set_defaults(&mut input, &database.settings.config.recall);
    if input.verb().id == VerbId::Learn {
        input.request::<Learn>()?.check()?;
    }
    let changes = database.exists && !only_looks(&input);
    if input.verb().id == VerbId::LearnMessages
        && input.fields.get("messages").and_then(serde_json::Value::as_array).is_some_and(Vec::is_empty)
    {
        return Err(Failure::no_messages());
    }
    let memory = match changes || (!database.exists && creates_memory(input.verb().id)) {
        true => database.open(arguments)?,
        false => database.open_to_look(arguments)?,
    };
    if database.is_read_only() && records_use(&input) {
        print::talk("The memory can only be read: that these were shown is not recorded.", Content::Text);
    }
    match input.verb().id {
        VerbId::Status => status::status(&database, &memory, input.request()?),
        VerbId::ReviewReplaced if !arguments.json => review::review(&input, &memory),
        _ => answer(&input, &memory),
    }
}

/// Sets parameters that were not given to what the settings say.
pub(super) fn set_defaults(input: &mut VerbInput<'_>, settings: &RecallConfig) {
    if matches!(input.verb().id, VerbId::Recall | VerbId::Why | VerbId::RenderFrame) {
        input.set_default("top_k", settings.top_k);
        input.set_default("frame", settings.frame.as_str());
    }
}

/// Answers a verb with a memory.
pub(super) fn answer(input: &VerbInput<'_>, memory: &Memory<SqliteStore>) -> Result<Output, Failure> {
    match input.verb().id {
        VerbId::Learn => Ok(Output::sentence(&memory.learn(input.request::<Learn>()?)?)),
        VerbId::Recall => recall::recall(input, memory),
        VerbId::Why => recall::why(input, memory),
        VerbId::RenderFrame => frame::render(input, memory),
        VerbId::ListFrames => frame::list(memory),
        VerbId::Dream => dream::dream(input, memory),
        VerbId::ListPending => dream::pending(input, memory),
        VerbId::ReviewReplaced => review::list(input, memory),
        VerbId::MigrateEmbeddings => dream::migrate(memory),
        VerbId::Curate => curate::curate(input, memory),
        VerbId::ConnectMany => connect::connects(input, memory),
        VerbId::ConnectByQuery => connect::by_query(input, memory),
        VerbId::Outcome => outcome::outcome(input, memory),
        VerbId::ListContradictions => contradictions::list(input, memory),
        VerbId::StoreEvent => events::store(input, memory),
        VerbId::ListEvents => events::list(input, memory),
        VerbId::ListContexts => events::contexts(input, memory),
        VerbId::ListLinks => events::links(input, memory),
        VerbId::RetrieveMemories => events::retrieve(input, memory),
        VerbId::ListBlocks => blocks::list(input, memory),
        VerbId::ListDocuments => documents::list(input, memory),
        VerbId::ShowBlock => blocks::show(input, memory),
        VerbId::Purge => purge::purge(input, memory),
        VerbId::Undo => undo::undo(input, memory),
        VerbId::ListProposals => proposals::list(input, memory),
        VerbId::Blame => lineage::blame(input, memory),
        VerbId::Influence => lineage::influence(input, memory),
        VerbId::RetractSource => lineage::retract(input, memory),
        VerbId::ScanSecrets => secrets::scan(input, memory),
        VerbId::Verify => verify::verify(input, memory),
        VerbId::ListOperations => history::history(input, memory),
        VerbId::ReadLog => log::log(input, memory),
        VerbId::ShowContext => Ok(Output::stored_sentence(&memory.show_context(input.request::<ShowContext>()?)?)),
        VerbId::ShowChain => Ok(Output::stored_sentence(&memory.chain(input.request::<ShowChain>()?)?)),
        VerbId::GenerateInsights => {
            Ok(Output::stored_sentence(&memory.generate_insights(input.request::<GenerateInsights>()?)?))
        }
        VerbId::Graduate => {
            let result = memory.graduate(input.request::<Graduate>()?)?;
            let text = result.to_string();
            let (sentence, steps) = text.split_once('\n').unwrap_or((&text, ""));
            Ok(Output::stored(steps, &result).between(sentence, ""))
        }
        _ => {
            let reply = memory.invoke(input.verb().name, &input.fields).map_err(|error| input.failure(error))?;
            let is_sentence = !reply.text.contains(OPENING);
            Ok(Output::fenced(if is_sentence { as_typed(&reply.text) } else { reply.text }, &reply.json))
        }
    }
}

/// Tells whether a verb changes nothing that it was asked to change.
fn only_looks(input: &VerbInput<'_>) -> bool {
    let is_set = |name: &str| input.fields.get(name).and_then(serde_json::Value::as_bool) == Some(true);
    // Without what they repair or redact, these two only report.
    let reports = match input.verb().id {
        VerbId::Verify => !is_set("repair"),
        VerbId::ScanSecrets => !is_set("redact"),
        _ => false,
    };
    input.verb().effect == Effect::Reads || is_set("dry_run") || reports
}

/// Tells whether a verb notes what it showed, so that it is found more easily again.
fn records_use(input: &VerbInput<'_>) -> bool {
    let preview = input.fields.get("preview").and_then(serde_json::Value::as_bool) == Some(true);
    matches!(input.verb().id, VerbId::Recall | VerbId::RenderFrame | VerbId::RetrieveMemories) && !preview
}

/// Tells whether a verb makes the file of a memory that is missing. To the others it is an empty memory.
fn creates_memory(verb: VerbId) -> bool {
    matches!(
        verb,
        VerbId::Learn
            | VerbId::LearnMessages
            | VerbId::LearnDocument
            | VerbId::Dream
            | VerbId::ListPending
            | VerbId::MigrateEmbeddings
            | VerbId::AddFrame
            | VerbId::EditFrame
            | VerbId::RemoveFrame
            | VerbId::StoreEvent
            | VerbId::StoreEvents
            | VerbId::BeginSession
            | VerbId::EndSession
    )
}

/// Tells whether a verb calls a model. The others must work when no model can be reached.
pub(crate) fn calls_model(verb: VerbId) -> bool {
    matches!(
        verb,
        VerbId::Dream
            | VerbId::LearnMessages
            | VerbId::MigrateEmbeddings
            | VerbId::Recall
            | VerbId::Why
            | VerbId::RenderFrame
            | VerbId::ConnectByQuery
            | VerbId::StoreEvent
            | VerbId::StoreEvents
            | VerbId::RetrieveMemories
            | VerbId::GenerateInsights
            | VerbId::Graduate
            | VerbId::AcceptProposals
            | VerbId::EndSession
    )
}
