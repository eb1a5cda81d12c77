//! Rendered frames that may be served again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::results::FrameResult;
use elfmem_core::{EdgeKey, Frame, Timestamp};

use crate::calibration::CalibratedCurve;
use crate::recall::request::Recall;

/// Frames that are cached at most; beyond, all are dropped.
const MAX_CACHED: usize = 64;

/// A rendered frame, with what its being shown is recorded with.
#[derive(Debug, Clone)]
pub(crate) struct CachedFrame {
    pub(crate) result: FrameResult,
    /// The edges among its blocks.
    pub(crate) edges: Vec<EdgeKey>,
    /// The curve that the relevance of its blocks comes from.
    pub(crate) curve: Option<CalibratedCurve>,
}

/// Rendered frames by everything they depend on: the [key](frame_key), and the content of the memory.
#[derive(Debug, Default)]
pub(crate) struct FrameCache(Mutex<CachedFrames>);

#[derive(Debug, Default)]
struct CachedFrames {
    frames: HashMap<String, (Timestamp, CachedFrame)>,
    /// The content that all of them were rendered from.
    content: u64,
}

impl FrameCache {
    /// Returns the frame that was rendered for the same key from the same content, if it is not too old.
    pub(crate) fn get(&self, key: &str, frame: &Frame, content: u64, at: Timestamp) -> Option<CachedFrame> {
        let max_age = frame.cache.as_ref()?.ttl_seconds;
        let cached = self.cached();
        let (rendered_at, cached) = cached.frames.get(key).filter(|_| content == cached.content)?;
        let age = at.duration_since(*rendered_at).as_secs();
        (age >= 0 && age.unsigned_abs() < max_age).then(|| cached.clone())
    }

    /// Stores a rendered frame, if its definition allows that. Frames of another content are dropped.
    pub(crate) fn put(&self, key: String, frame: &Frame, content: u64, at: Timestamp, rendered: &CachedFrame) {
        if frame.cache.is_none() {
            return;
        }
        let entry = (key, (at, rendered.clone()));
        let mut cached = self.cached();
        if content != cached.content || cached.frames.len() >= MAX_CACHED {
            cached.frames.clear();
            cached.content = content;
        }
        cached.frames.extend([entry]);
    }

    fn cached(&self) -> MutexGuard<'_, CachedFrames> {
        // Whole entries are inserted at once: a panic elsewhere leaves none half-written.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns everything but the content that a rendering depends on: the request, except for its being a preview, the
/// definition of the frame, and the stored calibration.
pub(crate) fn frame_key(request: &Recall, frame: &Frame, calibration: &str) -> String {
    format!("{:?} {frame:?} {calibration}", Recall { preview: false, ..request.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elfmem_core::frame::builtin_frames;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn result(text: &str) -> CachedFrame {
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
        CachedFrame { result, edges: vec![], curve: None }
    }

    #[test]
    fn only_the_same_request_on_the_same_content_is_served_again() {
        let frames = builtin_frames();
        let frame = frames.iter().find(|frame| frame.name == "self").unwrap();
        let (cache, asked) = (FrameCache::default(), Recall::new("tea").top_k(3));
        cache.put(frame_key(&asked, frame, ""), frame, 7, at(1000), &result("tea"));
        let get = |request: &Recall, frame: &Frame, content, second| {
            let cached = cache.get(&frame_key(request, frame, ""), frame, content, at(second));
            cached.map(|cached| cached.result.text)
        };
        assert!(cache.get(&frame_key(&asked, frame, "slope"), frame, 7, at(1000)).is_none(), "relevance is calibrated");
        assert_eq!(get(&asked, frame, 7, 1000).as_deref(), Some("tea"));
        assert_eq!(get(&asked.clone().preview(), frame, 7, 1000).as_deref(), Some("tea"));
        for other in [Recall::new("coffee").top_k(3), asked.clone().top_k(4), asked.clone().tag("x"), Recall::all()] {
            assert_eq!(get(&other, frame, 7, 1000), None, "{other:?}");
        }
        assert_eq!(get(&asked, frame, 8, 1000), None, "the memory changed");
        assert_eq!(get(&asked, frame, 7, 1000 + 3600), None, "it is too old");
        assert_eq!(get(&asked, frame, 7, 999), None, "the clock went back");
        let edited = Frame { token_budget: 10, ..frame.clone() };
        assert_eq!(get(&asked, &edited, 7, 1000), None, "the frame changed");
    }

    #[test]
    fn a_frame_without_a_cache_is_not_stored() {
        let frames = builtin_frames();
        let attention = frames.iter().find(|frame| frame.name == "attention").unwrap();
        let cache = FrameCache::default();
        let key = frame_key(&Recall::all(), attention, "");
        cache.put(key.clone(), attention, 0, at(0), &result("x"));
        assert!(cache.get(&key, attention, 0, at(0)).is_none());
    }
}
