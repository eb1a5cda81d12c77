//! Progress of long work.

use std::fmt;
use std::sync::Arc;

/// How far long work has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// A stage begins, with so many steps.
    Stage(&'static str, usize),
    /// So many steps of it are done.
    Done(usize),
}

/// A callback for progress.
#[derive(Clone)]
pub struct ProgressListener(Arc<dyn Fn(Progress) + Send + Sync>);

impl ProgressListener {
    /// Makes a listener of a function.
    pub fn new(listener: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Calls the listener.
    pub fn report(&self, progress: Progress) {
        (self.0)(progress);
    }
}

impl fmt::Debug for ProgressListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressListener")
    }
}

/// Adds the setter of the progress callback to a request.
macro_rules! progress_setter {
    ($($request:ident),+) => {
        $(impl $request {
            /// Sets the callback for progress.
            #[must_use]
            pub fn progress(mut self, listener: impl Into<Option<crate::ProgressListener>>) -> Self {
                self.progress = listener.into();
                self
            }
        })+
    };
}
pub(crate) use progress_setter;
