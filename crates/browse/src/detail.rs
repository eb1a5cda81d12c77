//! The text beside the list: a block with its neighbours and history, a proposal, a contradiction, an operation.

use elfmem_core::{Edge, Tag};
use elfmem_engine::{BlockDetails, Memory, ReadLog, Result, ShowBlock};
use elfmem_store::Store;
use elfmem_text::phrase::counted;
use elfmem_text::terms::escape_hidden;
use ratatui::style::{Style, Stylize};
use ratatui::text::{Line, Span};

use crate::item::{BlockLine, ListItem, day, one_line};

/// The newest operations that are shown of a block.
const SHOWN_OPERATIONS: u32 = 8;

/// Returns the text of a row.
pub(crate) fn lines<S: Store>(memory: &Memory<S>, item: &ListItem) -> Result<Vec<Line<'static>>> {
    match item {
        ListItem::Block(row) => block(memory, row),
        ListItem::Proposal(one) => {
            let mut lines = vec![bold(&one.action), Line::from(one_line(&one.proposal.reason)).dim(), Line::default()];
            for block in &one.blocks {
                lines.push(Line::from(block.block_id.short().to_owned()).dim());
                lines.extend(text(&block.content));
                lines.push(Line::default());
            }
            if let Some(proposed) = &one.proposal.text {
                lines.push(heading("Proposed text"));
                lines.extend(text(proposed));
                lines.push(Line::default());
            }
            lines.push(hint("a accepts, x rejects"));
            Ok(lines)
        }
        ListItem::Contradiction(one) => {
            let mut lines = Vec::new();
            for (number, side) in [(1, &one.a), (2, &one.b)] {
                let told = format!("{number}  {}  {}", side.block_id.short(), day(side.created_at));
                lines.push(heading(&told));
                lines.extend(text(&side.content));
                lines.push(Line::default());
            }
            lines.extend(one.reason.as_deref().map(|reason| Line::from(one_line(reason)).dim()));
            lines.push(hint("1 keeps the first, 2 the second, b both"));
            Ok(lines)
        }
        ListItem::Operation(one) => Ok(vec![
            bold(&format!("Operation {}: {}", one.seq, one.operation.as_str())),
            Line::from(format!("{}, by {}", day(one.at), one_line(&one.actor))).dim(),
            Line::default(),
            Line::from(one_line(&one.summary)),
            Line::default(),
            match one.undone_by {
                Some(by) => hint(&format!("undone by operation {by}; u brings it back")),
                None => hint("u takes it back"),
            },
        ]),
    }
}

fn block<S: Store>(memory: &Memory<S>, row: &BlockLine) -> Result<Vec<Line<'static>>> {
    let found = memory.show(ShowBlock::new(row.id.as_str()))?;
    let mut lines: Vec<Line<'static>> = text(&found.block.content).collect();
    lines.push(Line::default());
    lines.extend(facts(&found).into_iter().map(|(name, value)| {
        Line::from(vec![Span::styled(format!("{name:<11}"), Style::new().dim()), Span::raw(value)])
    }));
    if let Some(by) = &found.leads_to {
        lines.push(Line::default());
        lines.push(heading(&format!("Replaced by {}", by.block_id.short())));
        lines.extend(text(&by.content));
    }
    if !found.edges.is_empty() {
        lines.push(Line::default());
        lines.push(heading("Neighbours"));
        for edge in &found.edges {
            lines.push(neighbour(memory, &found, edge)?);
        }
    }
    let past = memory.log(ReadLog::new().block_id(row.id.as_str()).limit(SHOWN_OPERATIONS))?;
    lines.push(Line::default());
    lines.push(heading("History"));
    for entry in past.iter().rev() {
        let told = format!("{} {}: ", day(entry.header.at), entry.header.operation.as_str());
        lines
            .push(Line::from(vec![Span::styled(told, Style::new().dim()), Span::raw(one_line(&entry.header.summary))]));
    }
    Ok(lines)
}

/// The values of a block that have names.
fn facts(found: &BlockDetails) -> Vec<(&'static str, String)> {
    let block = &found.block;
    let tags: Vec<&str> = block.tags.iter().map(Tag::as_str).collect();
    let trust = if found.trusted { "" } else { " (not trusted)" };
    let mut facts = vec![
        ("id", block.id.short().to_owned()),
        ("status", format!("{}{}", block.status.as_str(), if block.pinned { ", pinned" } else { "" })),
        ("said by", format!("{}{trust}", one_line(&block.source))),
        ("stored", day(block.created_at)),
        (
            "confidence",
            format!("{:.2}, {}", block.confidence.get(), counted(u64::from(block.reinforcement_count), "use")),
        ),
    ];
    facts.extend(block.event_at.map(|at| ("happened", day(at))));
    facts.extend((!tags.is_empty()).then(|| ("tags", one_line(&tags.join(", ")))));
    facts.extend(block.parts.first().map(|part| ("document", one_line(&part.document))));
    facts
}

fn neighbour<S: Store>(memory: &Memory<S>, found: &BlockDetails, edge: &Edge) -> Result<Line<'static>> {
    let other = if edge.key.from_id == found.block.id { &edge.key.to_id } else { &edge.key.from_id };
    let content = memory.show(ShowBlock::new(other.as_str()))?.block.content;
    let told = format!("{} {:.2} ", edge.relation_type.as_str(), edge.weight.get());
    Ok(Line::from(vec![Span::styled(told, Style::new().dim()), Span::raw(one_line(&content))]))
}

/// The lines of a stored text.
fn text(stored: &str) -> impl Iterator<Item = Line<'static>> {
    let lines: Vec<Line<'static>> =
        escape_hidden(stored).lines().map(|line| Line::from(line.replace('\t', "    "))).collect();
    lines.into_iter()
}

fn heading(title: &str) -> Line<'static> {
    Line::from(title.to_owned()).bold()
}

fn bold(sentence: &str) -> Line<'static> {
    Line::from(one_line(sentence)).bold()
}

fn hint(keys: &str) -> Line<'static> {
    Line::from(keys.to_owned()).dim()
}
