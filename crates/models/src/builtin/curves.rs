//! The relevance curves of the built-in models. Written by `elfmem-bench calibration --write`.

use crate::relevance::{AnswerWeights, HitWeights, RelevanceCurve};

/// The curve of the static table.
pub(super) const STATIC: RelevanceCurve = RelevanceCurve {
    answer: AnswerWeights {
        constant: 1.229,
        best: 6.662,
        background: 10.393,
        words: 7.598,
        size: 0.500,
        on_topic: 0.600,
    },
    hit: HitWeights { constant: -2.801, meaning: 0.000, words: 5.205, behind: 4.058, first: 1.835, lead: 5.106 },
};

/// The curve of the encoder.
pub(super) const ENCODER: RelevanceCurve = RelevanceCurve {
    answer: AnswerWeights {
        constant: 0.724,
        best: 19.641,
        background: 16.015,
        words: 4.516,
        size: 0.500,
        on_topic: 0.450,
    },
    hit: HitWeights { constant: -2.645, meaning: 0.310, words: 4.161, behind: 4.840, first: 2.364, lead: 5.447 },
};
