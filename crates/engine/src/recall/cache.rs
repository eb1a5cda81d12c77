//! Renderings that may be served again.

use std::collections::HashMap;

use crate::results::FrameResult;
use elfmem_core::{EdgeKey, Frame, Timestamp};

use super::request::Recall;

/// Renderings that are kept at most; beyond, all are dropped.
const MOST: usize = 64;

/// A rendering and the edges among its blocks.
pub(crate) type Kept = (FrameResult, Vec<EdgeKey>);

/// Renderings by everything they were made from: the request, the frame's definition, and the state of the memory.
#[derive(Debug, Default)]
pub(crate) struct Renderings {
    kept: HashMap<String, (Timestamp, Kept)>,
    version: u64,
}

impl Renderings {
    /// A rendering of the same request that is still good.
    pub(crate) fn get(&self, request: &Recall, frame: &Frame, version: u64, at: Timestamp) -> Option<Kept> {
        let seconds = frame.cache.as_ref()?.ttl_seconds;
        let (made, kept) = self.kept.get(&key(request, frame)).filter(|_| version == self.version)?;
        let age = at.duration_since(*made).as_secs();
        (age >= 0 && age.unsigned_abs() < seconds).then(|| kept.clone())
    }

    /// Keeps a rendering, if its frame wants that. What was made from an older state is of no more use.
    pub(crate) fn keep(&mut self, request: &Recall, frame: &Frame, version: u64, at: Timestamp, made: Kept) {
        if frame.cache.is_none() {
            return;
        }
        if version != self.version || self.kept.len() >= MOST {
            self.kept.clear();
            self.version = version;
        }
        self.kept.insert(key(request, frame), (at, made));
    }
}

/// Everything that decides what is rendered. Whether it is a preview does not.
fn key(request: &Recall, frame: &Frame) -> String {
    format!("{:?} {frame:?}", Recall { preview: false, ..request.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::frame::builtin_frames;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn result(text: &str) -> Kept {
        let result = FrameResult {
            frame_name: "self".into(),
            block_count: 0,
            cached: false,
            text: text.into(),
            query: String::new(),
            strength: None,
            blocks: vec![],
            left_out: vec![],
            tokens: 0,
            token_budget: 0,
            message: None,
        };
        (result, vec![])
    }

    #[test]
    fn only_the_very_same_request_on_the_very_same_memory_is_served_again() {
        let frames = builtin_frames();
        let frame = frames.iter().find(|frame| frame.name == "self").unwrap();
        let (mut kept, asked) = (Renderings::default(), Recall::new("tea").top_k(3));
        kept.keep(&asked, frame, 7, at(1000), result("tea"));
        let get = |request: &Recall, frame: &Frame, version, second| {
            kept.get(request, frame, version, at(second)).map(|kept| kept.0.text)
        };
        assert_eq!(get(&asked, frame, 7, 1000).as_deref(), Some("tea"));
        assert_eq!(get(&asked.clone().preview(), frame, 7, 1000).as_deref(), Some("tea"));
        for other in [Recall::new("coffee").top_k(3), asked.clone().top_k(4), asked.clone().tag("x"), Recall::all()] {
            assert_eq!(get(&other, frame, 7, 1000), None, "{other:?}");
        }
        assert_eq!(get(&asked, frame, 8, 1000), None, "the memory changed");
        assert_eq!(get(&asked, frame, 7, 1000 + 3600), None, "its time is over");
        assert_eq!(get(&asked, frame, 7, 999), None, "the clock went back");
        let edited = Frame { token_budget: 10, ..frame.clone() };
        assert_eq!(get(&asked, &edited, 7, 1000), None, "the frame changed");
    }

    #[test]
    fn a_frame_without_a_cache_keeps_nothing() {
        let frames = builtin_frames();
        let attention = frames.iter().find(|frame| frame.name == "attention").unwrap();
        let mut kept = Renderings::default();
        kept.keep(&Recall::all(), attention, 0, at(0), result("x"));
        assert!(kept.get(&Recall::all(), attention, 0, at(0)).is_none());
    }
}
