//! The relevance curves of the built-in models. Written by `elfmem-bench calibration --write`.

use crate::relevance::{AnswerWeights, HitWeights, RelevanceCurve};

/// The curve of the static table.
pub(super) const STATIC: RelevanceCurve = RelevanceCurve {
    answer: AnswerWeights {
        constant: 1.499,
        best: 9.058,
        background: 13.755,
        words: 5.527,
        size: 0.500,
        on_topic: 0.600,
    },
    hit: HitWeights { constant: -2.798, meaning: 0.000, words: 5.221, behind: 4.070, first: 1.819, lead: 5.126 },
};

/// The curve of the encoder.
pub(super) const ENCODER: RelevanceCurve = RelevanceCurve {
    answer: AnswerWeights {
        constant: 1.071,
        best: 20.403,
        background: 19.571,
        words: 5.021,
        size: 0.500,
        on_topic: 0.450,
    },
    hit: HitWeights { constant: -2.652, meaning: 0.307, words: 4.184, behind: 4.843, first: 2.366, lead: 5.275 },
};
