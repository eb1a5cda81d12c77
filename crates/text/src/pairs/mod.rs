//! Words of statements: normalised tokens, their alignment, and the differences that decide.
//!
//! [`AnalysedText`](analysed_text::AnalysedText) converts a text to tokens (numbers, dates, names,
//! negations), the alignment finds shared and replaced tokens, and [`comparison`] finds what the two texts
//! cannot both be right about. [`crate::statements`] decides what follows from it.

pub(crate) mod abbreviations;
pub(crate) mod align;
pub(crate) mod analysed_text;
pub(crate) mod certainty;
pub(crate) mod comparison;
pub(crate) mod conflict;
pub(crate) mod date;
pub(crate) mod hashing;
pub(crate) mod lexicon;
pub(crate) mod markup;
pub(crate) mod number;
pub(crate) mod polarity;
pub(crate) mod roles;

pub(crate) mod scan;
pub(crate) mod signs;
pub(crate) mod spelling;
pub(crate) mod subject;
pub(crate) mod token;
pub(crate) mod topics;
pub(crate) mod units;
