//! Whatever a memory holds survives the way out and in.

use elfmem_core::{
    ActiveHours, ArchiveReason, Block, BlockId, BlockReplacement, BlockStatus, BroughtBy, Category, ClockState,
    Confidence, DecayRate, DecayTier, DocumentPart, Edge, EdgeKey, EdgeOrigin, EdgeWeight, Evidence, OutcomeRecord,
    Relation, ReplacementKind, Scope, ScopeView, SessionId, Signal, Tag, Timestamp,
};
use elfmem_engine::{ImportOptions, ListOperations, ParsedImport, Undo};
use elfmem_store::{
    Contradiction, JournalHeader, Proposal, ProposalKind, ProposalState, Provenance, StagedPair, Store, StoreError,
    Tombstone,
};
use proptest::prelude::*;

use crate::fixtures::{TestMemory, exported, imported, rows};
use crate::{clock, memory_at};

fn moment() -> impl Strategy<Value = Timestamp> {
    (0i64..2_000_000_000_000_000).prop_map(|micros| Timestamp::from_microsecond(micros).unwrap())
}

fn text() -> impl Strategy<Value = String> {
    // Anything people and programs may write, line breaks, quotes and odd characters too.
    prop_oneof!["[a-z ]{1,30}", "\\PC{1,40}", "[\\x01-\\x7f]{1,40}", "[\"\\\\\n\u{2028}🦀ßé-]{1,20}"]
        .prop_map(|text| text.trim_matches(elfmem_core::id::is_python_space).to_owned())
        .prop_filter("there is text", |text| !text.is_empty() && !text.contains('\0'))
}

fn tags() -> impl Strategy<Value = Vec<Tag>> {
    prop::collection::btree_set("(self|topic|people)/[a-z]{1,4}", 0..4)
        .prop_map(|tags| tags.iter().map(|tag| Tag::from_stored(tag)).collect())
}

prop_compose! {
    fn block()(
        content in text(),
        (created, event, scored) in (moment(), prop::option::of(moment()), prop::option::of(moment())),
        status in prop::sample::select(vec![BlockStatus::Inbox, BlockStatus::Active, BlockStatus::Archived]),
        (confidence, evidence, rate, used) in (0.0..=1.0f64, 0.0..1e6f64, 0.0..0.1f64, 0.0..1e5f64),
        (count, revision, tokens) in (any::<u32>(), 0u64..1_000_000, prop::option::of(any::<u32>())),
        alignment in prop::option::of(0.0..=1.0f64),
        session in prop::option::of("[0-9a-f]{16}"),
        (summary, cue) in (prop::option::of(text()), prop::option::of("[a-z?]{1,20}(\n[a-z?]{1,20})?")),
        pinned in any::<bool>(),
        heir in prop::option::of("[0-9a-f]{16}"),
        category in "[a-z]{1,12}",
        tags in tags(),
    ) -> Block {
        Block {
            id: BlockId::for_content(&content),
            content,
            brought_by: BroughtBy {
                surface: Some("mcp".into()),
                client: Some(category.clone()),
                ..BroughtBy::default()
            },
            category: Category::from_stored(&category),
            source: "test".to_owned(),
            created_at: created,
            archive_reason: (status == BlockStatus::Archived).then_some(ArchiveReason::Decayed),
            status,
            confidence: Confidence::saturating(confidence),
            outcome_evidence: Evidence::new(evidence),
            reinforcement_count: count,
            // Any other rate is a placeholder of another program, which an import replaces.
            decay_lambda: DecayTier::of(&tags, &Category::from_stored(&category)).rate_of(DecayRate::new(rate)),
            last_reinforced_at: ActiveHours::new(used),
            self_alignment: alignment,
            embedding_model: None,
            token_count: tokens,
            last_session_id: session.map(|id| SessionId::from_stored(&id)),
            scope: Scope::DEFAULT,
            summary,
            pinned,
            cue: cue.map(|cue| { let mut lines: Vec<&str> = cue.lines().collect(); lines.dedup(); lines.join("\n") }),
            event_at: event,
            superseded_by: heir.map(|id| BlockId::from_stored(&id)),
            last_scored_at: scored,
            revision,
            parts: vec![DocumentPart {
                document: format!("{category}.md"),
                source: "document".to_owned(),
                position: count,
                headings: vec![category.clone()],
                verbatim: None,
                labels: None,
            }],
            replacement: (status == BlockStatus::Archived).then_some(BlockReplacement {
                kind: ReplacementKind::Update,
                reason: category,
                at: created,
                reviewed: pinned,
            }),
            tags,
        }
    }
}

/// How two blocks hang together, by numbers that are taken modulo how many there are.
#[derive(Debug, Clone)]
struct Between {
    ends: (usize, usize),
    numbers: (f64, u32, f64),
    words: (String, Option<String>),
    at: Timestamp,
    kind: u8,
}

prop_compose! {
    fn between()(
        ends in (any::<usize>(), any::<usize>()), numbers in (0.0..=1.0f64, any::<u32>(), 0.0..1e4f64),
        words in ("[a-z_]{1,10}", prop::option::of(text())), at in moment(), kind in 0u8..5,
    ) -> Between {
        Between { ends, numbers, words, at, kind }
    }
}

fn fill(memory: &TestMemory, blocks: &[Block], betweens: &[Between], hours: f64) {
    let header = JournalHeader {
        at: Timestamp::UNIX_EPOCH,
        active_hours: ActiveHours::ZERO,
        session: None,
        actor: "test".into(),
        operation: "fill".into(),
        summary: String::new(),
    };
    let filled: Result<(), StoreError> = memory.store().write(&ScopeView::default(), |transaction| {
        transaction.describe(header.clone());
        transaction.set_clock(ClockState { hours: ActiveHours::new(hours), last_activity: None })?;
        transaction.set_config("top_k", "9")?;
        for block in blocks {
            if !transaction.block_exists(&block.id)? {
                transaction.insert_block(block)?;
            }
        }
        let living: Vec<&Block> = blocks.iter().filter(|block| block.status != BlockStatus::Archived).collect();
        for (at, Between { ends, numbers, words, at: when, kind }) in betweens.iter().enumerate() {
            let Some(count) = std::num::NonZeroUsize::new(living.len()) else { break };
            let (a, b) = (living[ends.0 % count], living[ends.1 % count]);
            let Some(key) = EdgeKey::canonical(&a.id, &b.id) else { continue };
            match kind {
                0 => {
                    let mut edge = Edge::new(key, Relation::new(&words.0), EdgeOrigin::AGENT, *when);
                    edge.weight = EdgeWeight::saturating(numbers.0);
                    edge.reinforcement_count = numbers.1;
                    edge.last_active_hours = Some(ActiveHours::new(numbers.2));
                    edge.note.clone_from(&words.1);
                    edge.asserted_from = Some(b.id.clone());
                    transaction.put_edge(&edge)?;
                }
                1 => {
                    let mut found = Contradiction::between(&a.id, &b.id, numbers.0, *when).unwrap();
                    found.reason.clone_from(&words.1);
                    found.resolved = numbers.1.is_multiple_of(2);
                    transaction.put_contradiction(&found)?;
                }
                2 => transaction.put_outcome(&OutcomeRecord {
                    outcome_id: format!("o{at}"),
                    block_id: a.id.clone(),
                    sequence: u64::from(numbers.1),
                    signal: Signal::saturating(numbers.0),
                    weight: numbers.2 + 0.1,
                    source: words.0.clone(),
                    confidence_before: a.confidence,
                    confidence_after: b.confidence,
                    evidence_before: Evidence::new(numbers.2),
                    created_at: *when,
                    ceiling: numbers.1.is_multiple_of(2).then_some(a.confidence),
                })?,
                3 => {
                    let proposal = Proposal {
                        number: 0,
                        kind: ProposalKind::Connection,
                        block_id: a.id.clone(),
                        other_id: Some(b.id.clone()),
                        tag: None,
                        text: None,
                        score: numbers.0,
                        reason: words.0.clone(),
                        state: ProposalState::Rejected,
                        created_at: *when,
                        settled_at: Some(*when),
                    };
                    if transaction.find_proposal(&proposal.subject())?.is_none() {
                        transaction.insert_proposal(&proposal)?;
                    }
                    let gone = BlockId::for_content(&format!("gone {at}"));
                    transaction.put_tombstone(&Tombstone {
                        block_id: gone,
                        purged_at: *when,
                        actor: words.0.clone(),
                    })?;
                }
                _ => {
                    if transaction.get_edge(&key)?.is_none() {
                        let sessions = vec![SessionId::from_stored(&words.0)];
                        transaction.put_staged_pair(&StagedPair { key, count: 1, sessions })?;
                    }
                    let source_peer = Some(words.0.clone());
                    transaction.set_provenance(&a.id, &Provenance { source_peer, ..Provenance::default() })?;
                }
            }
        }
        Ok(())
    });
    filled.unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_memory_survives_the_way_out_and_in(
        blocks in prop::collection::vec(block(), 0..12),
        betweens in prop::collection::vec(between(), 0..16),
        hours in 0.0..1e5f64,
    ) {
        let clock = clock();
        let from = memory_at(&clock);
        fill(&from, &blocks, &betweens, hours);
        let to = memory_at(&clock);
        let result = imported(&to, &exported(&from, true));
        prop_assert!(result.skipped.is_empty(), "{:?}", result.skipped);
        // Active blocks without a vector get one on the way.
        let bare = |memory: &TestMemory| {
            let mut rows = rows(memory);
            for row in &mut rows {
                if let elfmem_store::Row::Block(row) = row {
                    row.vector = None;
                    row.block.embedding_model = None;
                }
            }
            rows.retain(|row| !matches!(row, elfmem_store::Row::Setting(setting) if setting.key == "blocks_over_degree_cap"));
            // A pair that has an edge needs no counting.
            let joined: Vec<EdgeKey> = rows.iter().filter_map(|row| match row {
                elfmem_store::Row::Edge(edge) => Some(edge.key.clone()),
                _ => None,
            }).collect();
            rows.retain(|row| !matches!(row, elfmem_store::Row::Pair(pair) if joined.contains(&pair.key)));
            rows
        };
        prop_assert_eq!(bare(&to), bare(&from));
        prop_assert_eq!(to.active_hours().unwrap(), from.active_hours().unwrap());
        if !bare(&from).iter().all(|row| row.kind().as_str() != "block") {
            let undone = to.undo(Undo::last()).unwrap();
            prop_assert_eq!(undone.operation, "import");
            prop_assert!(bare(&to).iter().all(|row| !["block", "edge", "outcome"].contains(&row.kind().as_str())));
        }
    }

    #[test]
    fn any_two_memories_merge_and_undo_gives_the_first_back(
        here in prop::collection::vec(block(), 0..8), there in prop::collection::vec(block(), 0..8), shared in block(),
        betweens in prop::collection::vec(between(), 0..12), hours in (0.0..1e5f64, 0.0..1e5f64),
    ) {
        let clock = clock();
        let (from, to) = (memory_at(&clock), memory_at(&clock));
        let with = |blocks: &[Block]| [blocks, std::slice::from_ref(&shared)].concat();
        fill(&from, &with(&there), &betweens, hours.0);
        fill(&to, &with(&here), &betweens, hours.1);
        let durable = |memory: &TestMemory| {
            let mut rows = rows(memory);
            rows.retain(|row| !["tombstone", "setting", "pair"].contains(&row.kind().as_str()));
            for row in &mut rows {
                if let elfmem_store::Row::Block(row) = row {
                    row.block.revision = 0;
                    row.vector = None;
                    row.block.embedding_model = None;
                }
            }
            rows
        };
        let before = durable(&to);
        let parsed = ParsedImport::read("f", &exported(&from, false), None).unwrap();
        to.import(&parsed, &ImportOptions::default()).unwrap();
        let after = durable(&to);
        let ids = |rows: &[elfmem_store::Row]| rows.iter().filter_map(|row| row.block_id().cloned()).collect::<Vec<_>>();
        for id in ids(&before).iter().chain(&ids(&durable(&from))) {
            prop_assert!(ids(&after).contains(id));
        }
        if after != before {
            // Without a number, an import that only counted uses would be passed over.
            let done = to.operations(ListOperations::new().limit(9)).unwrap().into_iter().find(|past| past.operation == "import").unwrap();
            to.undo(Undo::operation(done.seq)).unwrap();
            prop_assert_eq!(durable(&to), before);
        }
    }
}

/// One field of one line becomes something else.
fn bent(text: &str, line: usize, field: usize, value: &serde_json::Value) -> String {
    let mut lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = lines.len();
    let fields = lines[line % count].as_object_mut().unwrap();
    let name = fields.keys().nth(field % fields.len()).cloned().unwrap();
    fields.insert(name, value.clone());
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn odd() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        any::<i64>().prop_map(serde_json::Value::from),
        any::<u64>().prop_map(serde_json::Value::from),
        any::<f64>().prop_map(serde_json::Value::from),
        prop::sample::select(vec![
            "",
            "a",
            "0df8edae6b966de1",
            "active",
            "inbox",
            "archived",
            "self",
            "default",
            "0000",
            "9999-12-31T23:59:59Z",
            "-009999-01-01T00:00:00Z",
            "contradicts",
            "builtin",
            "user",
            "1e400",
            "\u{7}",
        ])
        .prop_map(serde_json::Value::from),
        Just(serde_json::json!([])),
        Just(serde_json::json!(["self/constitutional", "a,b", ""])),
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_memory_stays_usable_whatever_a_bent_export_brings_in(
        blocks in prop::collection::vec(block(), 1..6), betweens in prop::collection::vec(between(), 0..8),
        bends in prop::collection::vec((any::<usize>(), any::<usize>(), odd()), 1..4),
    ) {
        let clock = clock();
        let from = memory_at(&clock);
        fill(&from, &blocks, &betweens, 50.0);
        let mut text = exported(&from, false);
        for (line, field, value) in &bends {
            text = bent(&text, *line, *field, value);
        }
        let to = memory_at(&clock);
        let Ok(parsed) = ParsedImport::read("f", &text, None) else { return Ok(()) };
        to.import(&parsed, &ImportOptions::default()).unwrap();
        to.recall("a").unwrap();
        to.frame("self").unwrap();
        to.curate(elfmem_engine::Curate::new()).unwrap();
        to.dream(elfmem_engine::Dream::new()).unwrap();
        to.learn("something new").unwrap();
        exported(&to, true);
    }
}
