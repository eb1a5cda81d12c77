//! Validates imported rows: constraints that deserialisation does not check.

use elfmem_core::event::ContextId;
use elfmem_core::{
    ActiveHours, BlockId, Confidence, DecayRate, Edge, EdgeKey, EdgeWeight, Evidence, LinkEnd, LinkKey, Relation,
    Signal, Timestamp, time,
};
use elfmem_store::{Contradiction, Event, Row};

use crate::recall::check_frame;

/// Maximum length of a name in bytes: a session, an outcome, a setting, a peer.
const MAX_NAME_BYTES: usize = 256;
/// Maximum length of notes, reasons, summaries and other short texts in bytes.
const MAX_TEXT_BYTES: usize = crate::MAX_CONTENT_BYTES;
/// Maximum active hours. A larger value is an error and would stop the clock.
const MAX_HOURS: f64 = 1e7;
/// Maximum proposal number that is kept.
const MAX_PROPOSAL_NUMBER: i64 = 1_000_000_000;

/// The result of a check; the error says what is wrong.
type Validity = Result<(), String>;

/// Validates a row. Normalises what is unambiguous: the order of two ends, and numbers out of
/// range.
///
/// # Errors
/// What is wrong with the row.
pub(crate) fn check_row(row: &mut Row) -> Validity {
    match row {
        Row::Block(row) => {
            let block = &mut row.block;
            id("id", &block.id)?;
            share("confidence", Confidence::new(block.confidence.get()))?;
            block.outcome_evidence = Evidence::new(block.outcome_evidence.get());
            block.decay_lambda = DecayRate::new(block.decay_lambda.get());
            block.last_reinforced_at = hours("last_reinforced_at", block.last_reinforced_at)?;
            block.self_alignment = block.self_alignment.map(|share| share.clamp(0.0, 1.0));
            times([Some(block.created_at), block.event_at, block.last_scored_at])?;
            name("source", &block.source)?;
            if let Some(successor) = &block.superseded_by {
                id("superseded_by", successor)?;
            }
            if let Some(session) = &block.last_session_id {
                name("last_session_id", session.as_str())?;
            }
            let provenance = &row.provenance;
            for text in [&block.summary, &provenance.source_peer, &provenance.share, &provenance.envelope_json] {
                short("text", text.as_deref())?;
            }
            Ok(())
        }
        Row::Edge(edge) => check_edge(edge),
        Row::Contradiction(found) => check_contradiction(found),
        Row::Outcome(record) => {
            id("block_id", &record.block_id)?;
            name("outcome_id", &record.outcome_id)?;
            name("source", &record.source)?;
            share("signal", Signal::new(record.signal.get()))?;
            share("confidence_before", Confidence::new(record.confidence_before.get()))?;
            share("confidence_after", Confidence::new(record.confidence_after.get()))?;
            record.evidence_before = Evidence::new(record.evidence_before.get());
            times([Some(record.created_at)])?;
            if record.weight.is_finite() && record.weight > 0.0 {
                Ok(())
            } else {
                Err(format!("the weight of an outcome is above zero, not {}", record.weight))
            }
        }
        Row::Proposal(proposal) => {
            proposal.blocks().try_for_each(|block| id("block_id", block))?;
            short("reason", Some(&proposal.reason))?;
            short("text", proposal.text.as_deref())?;
            name("tag", proposal.tag.as_deref().unwrap_or("none"))?;
            proposal.score = proposal.score.clamp(0.0, 1.0);
            times([Some(proposal.created_at), proposal.settled_at])?;
            if !(1..=MAX_PROPOSAL_NUMBER).contains(&proposal.number) {
                proposal.number = 0;
            }
            Ok(())
        }
        Row::Pair(pair) => {
            pair.key = canonical(&pair.key)?;
            pair.sessions.iter().try_for_each(|session| name("session", session.as_str()))
        }
        Row::Session(session) => {
            session.start_active_hours = hours("start_active_hours", session.start_active_hours)?;
            times([Some(session.started_at), session.ended_at, Some(session.last_seen_at)])?;
            name("id", session.id.as_str())?;
            name("task_type", &session.task_type)
        }
        Row::Frame(frame) => {
            short("template", Some(&frame.template))?;
            check_frame(frame).map_err(|error| error.message().trim_end_matches('.').to_owned())
        }
        Row::Tombstone(tombstone) => {
            id("block_id", &tombstone.block_id)?;
            times([Some(tombstone.purged_at)])?;
            name("actor", &tombstone.actor)
        }
        Row::Setting(setting) => {
            name("key", &setting.key)?;
            short("value", Some(&setting.value))
        }
        Row::Event(event) => check_event(event),
        Row::Context(found) => {
            found.id = context(&found.id)?;
            times([Some(found.created_at)])
        }
        Row::Enrolment(enrolment) => {
            id("block_id", &enrolment.block_id)?;
            enrolment.context_id = context(&enrolment.context_id)?;
            times([Some(enrolment.created_at)])
        }
        Row::Link(link) => {
            link.key = check_link(&link.key)?;
            short("note", link.note.as_deref())?;
            name("event_id", link.event_id.as_deref().unwrap_or("none"))?;
            times([Some(link.created_at)])
        }
        Row::Effect(effect) => {
            id("block_id", &effect.block_id)?;
            effect.key = check_link(&effect.key)?;
            share("confidence_before", Confidence::new(effect.confidence_before.get()))?;
            share("confidence_after", Confidence::new(effect.confidence_after.get()))?;
            effect.evidence_before = Evidence::new(effect.evidence_before.get());
            times([Some(effect.created_at)])
        }
    }
}

fn check_event(event: &mut Event) -> Validity {
    name("id", &event.id)?;
    if event.id.contains('|') {
        return Err(format!("'{}' is not a valid event id", event.id));
    }
    if let Some(block) = &event.block_id {
        id("block_id", block)?;
    }
    event.context_id = event.context_id.as_ref().map(context).transpose()?;
    short("content", Some(&event.content))?;
    short("payload", Some(&event.payload.to_string()))?;
    name("session_id", event.session_id.as_ref().map_or("none", |session| session.as_str()))?;
    times([Some(event.happened_at), Some(event.recorded_at)])
}

fn check_link(key: &LinkKey) -> Result<LinkKey, String> {
    let end = |end: &LinkEnd| match end {
        LinkEnd::Block(block) => id("end of a link", block).map(|()| end.clone()),
        LinkEnd::Context(found) => context(found).map(LinkEnd::Context),
    };
    let key = LinkKey { from: end(&key.from)?, link_type: key.link_type, to: end(&key.to)? };
    if key.from == key.to { Err(format!("it links '{}' with itself", key.from)) } else { Ok(key) }
}

/// Validates and normalises a context id.
fn context(id: &ContextId) -> Result<ContextId, String> {
    ContextId::parse(id.as_str()).map_err(|error| error.to_string())
}

fn check_edge(edge: &mut Edge) -> Validity {
    edge.key = canonical(&edge.key)?;
    share("weight", EdgeWeight::new(edge.weight.get()))?;
    edge.relation_type = Relation::parse(edge.relation_type.as_str()).map_err(|error| format!("the {error}"))?;
    name("origin", edge.origin.as_str())?;
    edge.last_active_hours = edge.last_active_hours.map(|at| hours("last_active_hours", at)).transpose()?;
    times([Some(edge.created_at)])?;
    // The direction is informational, so an invalid one is dropped.
    let ends = [&edge.key.from_id, &edge.key.to_id];
    edge.asserted_from = edge.asserted_from.take().filter(|from| ends.contains(&from));
    short("note", edge.note.as_deref())
}

fn check_contradiction(found: &mut Contradiction) -> Validity {
    let EdgeKey { from_id, to_id } =
        canonical(&EdgeKey { from_id: found.block_a_id.clone(), to_id: found.block_b_id.clone() })?;
    (found.block_a_id, found.block_b_id) = (from_id, to_id);
    found.score = found.score.clamp(0.0, 1.0);
    times([Some(found.created_at)])?;
    short("reason", found.reason.as_deref())?;
    short("note", found.note.as_deref())
}

/// Validates two ends and puts them in canonical order.
fn canonical(key: &EdgeKey) -> Result<EdgeKey, String> {
    id("from_id", &key.from_id)?;
    id("to_id", &key.to_id)?;
    EdgeKey::canonical(&key.from_id, &key.to_id).ok_or_else(|| format!("it connects '{}' with itself", key.from_id))
}

/// Validates a block id: one printable word without colon or bar, which separate ids in the
/// journal.
fn id(what: &str, id: &BlockId) -> Validity {
    let parsed = BlockId::parse(id.as_str()).map_err(|error| format!("the {what}: {error}"))?;
    if parsed == *id && !id.as_str().contains([':', '|']) {
        Ok(())
    } else {
        Err(format!("the {what} '{id}' is not a valid block id"))
    }
}

/// Validates a number of active hours.
pub(super) fn hours(what: &str, given: ActiveHours) -> Result<ActiveHours, String> {
    if given.get() > MAX_HOURS {
        Err(format!("the {what} is larger than {MAX_HOURS}"))
    } else {
        Ok(ActiveHours::new(given.get()))
    }
}

/// Validates times. Stores keep them as text, and a time that cannot be parsed again would make the
/// memory unreadable.
fn times<const N: usize>(given: [Option<Timestamp>; N]) -> Validity {
    match given.into_iter().flatten().find(|at| !is_storable(*at)) {
        Some(at) => Err(format!("the time {at} is out of range")),
        None => Ok(()),
    }
}

/// Returns true if a time survives formatting and parsing.
pub(super) fn is_storable(at: Timestamp) -> bool {
    time::from_iso(&time::to_iso(at)).is_some()
}

fn share<T>(what: &str, checked: Result<T, elfmem_core::unit::OutOfRange>) -> Validity {
    checked.map(drop).map_err(|error| format!("the {what} must be between 0 and 1, not {}", error.value))
}

fn name(what: &str, text: &str) -> Validity {
    if text.len() > MAX_NAME_BYTES { Err(format!("the {what} is longer than {MAX_NAME_BYTES} bytes")) } else { Ok(()) }
}

fn short(what: &str, text: Option<&str>) -> Validity {
    match text {
        Some(text) if text.len() > MAX_TEXT_BYTES => Err(format!("the {what} is longer than {MAX_TEXT_BYTES} bytes")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::{EdgeOrigin, Timestamp};
    use elfmem_store::{Setting, StagedPair};

    fn key(from: &str, to: &str) -> EdgeKey {
        EdgeKey { from_id: BlockId::from_stored(from), to_id: BlockId::from_stored(to) }
    }

    #[test]
    fn ends_are_sorted_and_loops_are_rejected() {
        let mut row = Row::Pair(StagedPair { key: key("b", "a"), count: 1, sessions: vec![] });
        check_row(&mut row).unwrap();
        assert!(matches!(row, Row::Pair(pair) if pair.key == key("a", "b")));
        let mut edge = Edge::new(key("b", "a"), Relation::SIMILAR, EdgeOrigin::AGENT, Timestamp::UNIX_EPOCH);
        edge.asserted_from = Some(BlockId::from_stored("c"));
        let mut row = Row::Edge(edge.clone());
        check_row(&mut row).unwrap();
        assert!(matches!(&row, Row::Edge(edge) if edge.key == key("a", "b") && edge.asserted_from.is_none()));
        edge.key = key("a", "a");
        assert!(check_row(&mut Row::Edge(edge)).unwrap_err().contains("with itself"));
    }

    #[test]
    fn ids_are_printable_words_without_a_colon() {
        for bad in ["", "two words", "a:b", "ABCD", "nul\0", &"x".repeat(65)] {
            assert!(id("id", &BlockId::from_stored(bad)).is_err(), "{bad:?}");
        }
        assert!(id("id", &BlockId::from_stored("0df8edae6b966de1")).is_ok());
    }

    #[test]
    fn times_and_hours_out_of_range_are_rejected() {
        let stone = |at: &str| {
            let (block_id, actor) = (BlockId::from_stored("gone"), String::new());
            Row::Tombstone(elfmem_store::Tombstone { block_id, purged_at: at.parse().unwrap(), actor })
        };
        assert!(check_row(&mut stone("2026-05-01T00:00:00Z")).is_ok());
        assert!(check_row(&mut stone("-005000-05-01T00:00:00Z")).unwrap_err().contains("is out of range"));
        assert!(hours("clock", ActiveHours::new(1e300)).is_err());
        assert_eq!(hours("clock", ActiveHours::new(12.5)), Ok(ActiveHours::new(12.5)));
    }

    #[test]
    fn names_and_values_are_bounded() {
        let long = "x".repeat(MAX_TEXT_BYTES + 1);
        assert!(check_row(&mut Row::Setting(Setting { key: long.clone(), value: String::new() })).is_err());
        assert!(check_row(&mut Row::Setting(Setting { key: "k".into(), value: long })).is_err());
    }
}
