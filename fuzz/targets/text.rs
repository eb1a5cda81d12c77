//! Any text through everything that reads text and keeps nothing: it is named, searched for secrets, cut into words and pieces, asked for
//! times, fenced, and compared with another.
//!
//! The parts of the input, separated by a line of three dashes: the text, another text.

#![no_main]
#![allow(clippy::unwrap_used, reason = "what fails here is a finding")]

use elfmem_core::{BlockId, Tag, id};
use elfmem_fuzz::NOW;
use elfmem_text::statements::{PairThresholds, judge_texts};
use elfmem_text::temporal::{explicit_time, parse_instant, parse_time_query};
use elfmem_text::{document, fence, secrets, terms};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let (one, other) = input.split_once("\n---\n").unwrap_or((&input, ""));

    let name = BlockId::for_content(one);
    assert_eq!(BlockId::for_content(&id::normalised(one)), name, "the same text has the same name");
    assert_eq!(BlockId::parse(name.as_str()).unwrap(), name);
    let _ = (BlockId::parse(one), Tag::parse(one));

    let (redacted, found) = secrets::redact(one);
    assert_eq!(found.is_empty(), redacted == one, "what was found was taken out, and nothing else");
    assert!(secrets::redact(&redacted).1.is_empty(), "nothing is found in what was redacted: {redacted}");

    let _ = (terms::terms(one), terms::query_terms(one));
    let _ = (parse_time_query(one, NOW), explicit_time(one), parse_instant(one, NOW));
    let fenced = fence::fence_text(one);
    assert_eq!((fenced.matches("<memory").count(), fenced.matches("</memory").count()), (1, 1), "{fenced}");
    // One of them for each input: comparing is the slowest of all this.
    let cosine = [0.6, 0.96, 1.0][one.len() % 3];
    assert!(!judge_texts(one, other, cosine, PairThresholds::BUILT_IN).reason().is_empty());
    assert!(!judge_texts(other, one, cosine, PairThresholds::BUILT_IN).reason().is_empty());
    for (words, most) in [(1, 16), (40, 400)] {
        assert!(document::split_document(one, words, most).iter().all(|piece| piece.len() <= most));
    }
});
