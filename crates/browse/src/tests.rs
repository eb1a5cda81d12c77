//! The interface on a screen of the test backend, driven by keys.

use std::sync::Arc;

use elfmem_core::{ActiveHours, BlockId, BlockStatus, ScopeView, Timestamp};
use elfmem_engine::{Clock, Connect, Dream, EmbedderChoice, Learn, ListBlocks, ListProposals, Memory, Models, Options};
use elfmem_models::scripted::ScriptedEmbedder;
use elfmem_store::{JournalHeader, Proposal, ProposalKind, ProposalState, Store, StoreError, Transaction};
use elfmem_store_memory::InMemoryStore;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::app::App;
use crate::screen::draw;

/// A clock that stands still, so that dates are those of the snapshots.
struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        elfmem_core::time::from_iso("2026-03-04T10:00:00Z").unwrap()
    }
}

fn memory(texts: &[&str]) -> Memory<InMemoryStore> {
    let embedder = EmbedderChoice::Custom(Arc::new(ScriptedEmbedder::new(64)));
    let models = Models { embedder, ..Models::default() };
    let store = InMemoryStore::new(StoppedClock.now()).unwrap();
    let memory = Memory::open(store, Options { clock: Arc::new(StoppedClock), models, ..Options::default() });
    for text in texts {
        memory.learn(Learn::new(*text)).unwrap();
    }
    memory
}

const TEXTS: [&str; 3] =
    ["Maria is allergic to peanuts", "Deploys go out on Tuesdays at ten", "The staging database is in Frankfurt"];

fn screen(app: &App<'_, InMemoryStore>, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, app)).unwrap();
    let lines = terminal.backend().to_string();
    lines.lines().map(|line| line.trim_matches('"').trim_end()).collect::<Vec<_>>().join("\n")
}

fn press(app: &mut App<'_, InMemoryStore>, code: KeyCode) -> bool {
    let goes_on = app.press(KeyEvent::new(code, KeyModifiers::NONE));
    if app.search_due() {
        app.search();
    }
    goes_on
}

fn type_keys(app: &mut App<'_, InMemoryStore>, keys: &str) {
    for key in keys.chars() {
        assert!(press(app, KeyCode::Char(key)), "{key} quits");
    }
}

/// Puts a proposal there as a dream does that finds no room for an edge.
fn propose_connection(memory: &Memory<InMemoryStore>) {
    let ids: Vec<BlockId> = memory.list(ListBlocks::all()).unwrap().into_iter().map(|block| block.id).collect();
    let proposal = Proposal {
        number: 0,
        kind: ProposalKind::Connection,
        block_id: ids[0].clone(),
        other_id: Some(ids[1].clone()),
        tag: None,
        text: None,
        score: 0.8,
        reason: "They are about the same office.".to_owned(),
        state: ProposalState::Open,
        created_at: StoppedClock.now(),
        settled_at: None,
    };
    let header = JournalHeader {
        at: StoppedClock.now(),
        active_hours: ActiveHours::ZERO,
        session: None,
        actor: "test".to_owned(),
        operation: "propose".into(),
        summary: "Proposed a connection.".to_owned(),
    };
    let put = |transaction: &mut dyn Transaction| {
        transaction.insert_proposal(&proposal)?;
        transaction.describe(header.clone());
        Ok::<(), StoreError>(())
    };
    memory.store().write(&ScopeView::default(), put).unwrap();
}

#[test]
fn the_newest_blocks_are_listed_with_the_text_of_the_first() {
    let memory = memory(&TEXTS);
    let ids: Vec<String> = memory.list(ListBlocks::all()).unwrap().iter().map(|b| b.id.to_string()).collect();
    memory.connect(Connect::new(ids[0].as_str(), ids[1].as_str()).relation("supports")).unwrap();
    let app = App::new(&memory).unwrap();
    insta::assert_snapshot!("list_at_80_columns", screen(&app, 80, 20));
    insta::assert_snapshot!("list_at_40_columns", screen(&app, 40, 12));
}

#[test]
fn the_list_follows_a_question_as_it_is_typed() {
    let memory = memory(&TEXTS);
    let mut app = App::new(&memory).unwrap();
    type_keys(&mut app, "/who is allergic to peanuts");
    assert!(app.typing);
    let shown = screen(&app, 40, 8);
    assert!(shown.contains("Maria is allergic") && !shown.contains("staging"), "{shown}");
    let used = memory.list(ListBlocks::all()).unwrap();
    assert!(used.iter().all(|block| block.reinforcement_count == 0), "looking is not using");
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    assert!(screen(&app, 40, 8).contains("staging"), "the question is gone");
    assert!(!press(&mut app, KeyCode::Esc), "nothing is left to go back from");
}

#[test]
fn letters_in_a_question_are_no_commands() {
    let memory = memory(&TEXTS);
    let mut app = App::new(&memory).unwrap();
    type_keys(&mut app, "/quf?");
    assert_eq!((app.question.as_str(), app.changes()), ("quf?", 0));
}

#[test]
fn forgetting_is_undone_by_the_second_u_and_brought_back_by_r() {
    let memory = memory(&TEXTS);
    let archived = || memory.list(ListBlocks::all().status(BlockStatus::Archived)).unwrap().len();
    let mut app = App::new(&memory).unwrap();
    type_keys(&mut app, "f");
    assert_eq!(archived(), 1);
    assert!(app.note.as_deref().is_some_and(|note| note.ends_with("with u, or later with f.")), "{:?}", app.note);
    type_keys(&mut app, "u");
    assert_eq!(archived(), 1, "the first press only tells");
    assert!(app.note.as_deref().is_some_and(|note| note.contains("u again")), "{:?}", app.note);
    type_keys(&mut app, "ju");
    assert_eq!(archived(), 1, "another key in between takes it back");
    type_keys(&mut app, "u");
    assert_eq!(archived(), 0);
    assert!(app.note.as_deref().is_some_and(|note| note.ends_with("Bring it back with r.")), "{:?}", app.note);
    type_keys(&mut app, "r");
    assert_eq!((archived(), app.changes()), (1, 3));
}

#[test]
fn a_proposal_is_rejected_and_a_contradiction_settled() {
    let memory = memory(&["The office opens at nine", "The office opens at ten", "The office has a garden"]);
    memory.dream(Dream::new()).unwrap();
    propose_connection(&memory);
    let mut app = App::new(&memory).unwrap();
    press(&mut app, KeyCode::Tab);
    insta::assert_snapshot!("proposal_at_80_columns", screen(&app, 80, 14));
    type_keys(&mut app, "x");
    assert_eq!(memory.proposals(ListProposals::new()).unwrap(), []);
    type_keys(&mut app, "uu");
    assert_eq!(memory.proposals(ListProposals::new()).unwrap().len(), 1);
    type_keys(&mut app, "a");
    assert!(screen(&app, 60, 6).contains("No proposals wait."), "{:?}", app.note);
    press(&mut app, KeyCode::Tab);
    while !app.items.is_empty() {
        insta::assert_snapshot!("contradiction_at_40_columns", screen(&app, 40, 8));
        type_keys(&mut app, "2");
    }
    press(&mut app, KeyCode::Tab);
    insta::assert_snapshot!("history_at_80_columns", screen(&app, 80, 14));
}

#[test]
fn a_key_without_use_says_so_and_changes_nothing() {
    let memory = memory(&TEXTS);
    let mut app = App::new(&memory).unwrap();
    type_keys(&mut app, "a");
    assert!(app.note.as_deref().is_some_and(|note| note.contains("does nothing here")), "{:?}", app.note);
    assert_eq!(app.changes(), 0);
}

#[test]
fn a_stored_text_does_nothing_to_the_terminal() {
    let memory = memory(&["Red \u{1b}[31malert\u{7} and \u{202e}turned round\nsecond line\ttab"]);
    let app = App::new(&memory).unwrap();
    for (width, height) in [(100, 20), (40, 10)] {
        let shown = screen(&app, width, height);
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}', '\t']), "{shown:?}");
        assert!(shown.contains("alert"), "{shown}");
    }
}

#[test]
fn an_empty_memory_and_a_tiny_screen_are_fine() {
    let memory = memory(&[]);
    let mut app = App::new(&memory).unwrap();
    for (width, height) in [(1, 1), (3, 2), (20, 4), (76, 5)] {
        screen(&app, width, height);
    }
    type_keys(&mut app, "jkgGfpaxu12brl");
    press(&mut app, KeyCode::Char('?'));
    assert!(screen(&app, 60, 16).contains("bring back what u took back"));
    assert!(press(&mut app, KeyCode::Char('q')), "any key goes on");
    assert!(!screen(&app, 60, 16).contains("bring back what u took back"));
    assert!(!press(&mut app, KeyCode::Char('q')));
}
