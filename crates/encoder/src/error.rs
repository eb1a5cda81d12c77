//! Errors of reading a model.

/// A model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncoderError {
    /// The file is of another kind, or of a version that this program does not know.
    #[error("not an encoder model: {problem}")]
    OtherFormat {
        /// What is different.
        problem: String,
    },
    /// The sizes in the header cannot be those of a model.
    #[error("the header of the model is invalid: {problem}")]
    BadHeader {
        /// The size and its value.
        problem: String,
    },
    /// The file ends too early or too late.
    #[error("the model has {found} bytes where its header asks for {expected}")]
    WrongLength {
        /// The length that follows from the header.
        expected: usize,
        /// The length of the file.
        found: usize,
    },
    /// The parts do not belong together.
    #[error("the parts of the model do not fit together: {problem}")]
    WrongParts {
        /// What does not fit.
        problem: String,
    },
    /// A scale, a bias or a result is not a number.
    #[error("the weights of the model are damaged: {problem}")]
    DamagedWeights {
        /// Where.
        problem: String,
    },
}
