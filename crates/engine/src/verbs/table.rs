//! The table of verbs: each with its request and the method that answers it.

use serde_json::{Map, Value};

use super::{IntoReply, Reply};
use crate::catalog::{Verb, guide};
use crate::memory::Memory;
use crate::request::Request;
use crate::*;
use elfmem_store::Store;

/// Makes the list of verbs, their ids and the dispatch by id. The names before `=>` are those of the requests.
macro_rules! verbs {
    ($memory:ident, $request:ident; $($name:ident => $answer:expr,)+) => {
        /// The id of a verb. It has the name of the verb's request.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum VerbId {
            $(
                #[doc = concat!("The verb of [`", stringify!($name), "`](crate::", stringify!($name), ").")]
                $name,
            )+
        }

        /// All verbs, in the order in which they are described.
        pub(crate) static VERBS: &[&Verb] = &[$($name::VERB),+];

        impl<S: Store> Memory<S> {
            /// Reads the request of a verb and answers it.
            pub(super) fn answer_verb(&self, verb: VerbId, arguments: &Map<String, Value>) -> Result<Reply> {
                let now = self.options.clock.now();
                match verb {
                    $(VerbId::$name => {
                        let ($memory, $request) = (self, $name::from_json(arguments, now)?);
                        $answer.map(|answer| answer.into_reply())
                    })+
                }
            }
        }
    };
}

verbs! { memory, request;
    Learn => memory.learn(request.or_source(&memory.options.actor)),
    LearnMessages => memory.learn_messages(request),
    LearnDocument => memory.learn_document(request),
    Dream => memory.dream(request),
    ListPending => memory.pending(request),
    ReviewReplaced => memory.review(request),
    KeepReplaced => memory.keep_replaced(request),
    Curate => memory.curate(request),
    MigrateEmbeddings => memory.migrate_embeddings(request),

    Recall => memory.recall(request),
    RenderFrame => memory.frame(request),
    Why => memory.why(request),
    ListFrames => { let ListFrames {} = request; memory.frames() },
    AddFrame => memory.add_frame(request),
    EditFrame => memory.edit_frame(request),
    RemoveFrame => memory.remove_frame(request),

    Connect => memory.connect(request),
    ConnectMany => memory.connects(request),
    ConnectByQuery => memory.connect_by_query(request),
    Disconnect => memory.disconnect(request),
    Outcome => memory.outcome(request.or_source(&memory.options.actor)).and_then(OutcomeResult::of_known_blocks),
    RetractOutcome => memory.retract_outcome(request),
    ListContradictions => memory.contradictions(request),
    ResolveContradiction => memory.resolve_contradiction(request),

    StoreEvent => memory.store_event(request),
    StoreEvents => memory.store_events(request),
    ListEvents => memory.list_events(request),
    RetrieveMemories => memory.retrieve_memories(request),
    ListContexts => memory.list_contexts(request),
    ShowContext => memory.show_context(request),
    ShowContextGraph => memory.context_graph(request),
    Enrol => memory.enrol(request),
    AddLink => memory.link(request),
    Unlink => memory.unlink(request),
    ListLinks => memory.links(request),
    ShowChain => memory.chain(request),
    GenerateInsights => memory.generate_insights(request),
    Graduate => memory.graduate(request),

    ListBlocks => memory.list_and_count(request),
    ListDocuments => memory.documents(request),
    ShowBlock => memory.show(request),
    Edit => memory.edit(request),
    AddTags => memory.add_tags(request),
    RemoveTags => memory.remove_tags(request),
    Forget => memory.forget(request),
    ForgetDocument => memory.forget_document(request),
    Restore => memory.restore(request),
    Pin => memory.pin(request),
    Unpin => memory.unpin(request),
    Supersede => memory.supersede(request),
    Purge => memory.purge(request),
    Undo => memory.undo(request),
    ListProposals => memory.proposals(request),
    AcceptProposals => memory.accept_proposals(request),
    RejectProposals => memory.reject_proposals(request),

    Blame => memory.blame(request),
    Influence => memory.influence(request),
    RetractSource => memory.retract_source(request),
    ScanSecrets => memory.scan_secrets(request),

    Status => memory.status_with(request),
    Verify => memory.verify(request),
    Guide => { let _ = memory; Ok(GuideText(guide(request.method_name.as_deref()))) },
    ListOperations => memory.list_operations(request),
    ReadLog => memory.log(request),
    BeginSession => memory.begin_session(request),
    EndSession => { let EndSession {} = request; memory.end_session() },
}

/// The answer of `guide`.
struct GuideText(String);

impl IntoReply for GuideText {
    fn into_reply(self) -> Reply {
        let json = serde_json::json!({"text": self.0});
        Reply { text: self.0, json }
    }
}
