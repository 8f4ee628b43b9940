//! How much work a check of compatibility may take.
//!
//! Counted in steps and not in time, so that a verdict never depends on the machine or on what else it does. A step is
//! a look at one field, property, constant or branch, or at the result of comparing two types; opening a pair of types
//! counts one more for everything in it. Reading an old version counts one step for each [`BYTES_PER_STEP`].

use std::fmt;

/// How many steps a check may take where nobody says otherwise.
pub const DEFAULT_STEPS: u64 = 30_000_000;

/// How many bytes of a schema are read in the time of one step.
pub const BYTES_PER_STEP: usize = 2;

/// The steps that are left of a check, over all the versions it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    limit: u64,
    left: u64,
}

/// What a check would need more of than it may have. It has no verdict then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// More steps than this.
    Steps(u64),
    /// More pairs of types of two schemas than this, which are remembered all at once.
    Pairs(usize),
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(limit) => write!(f, "takes more than {limit} steps"),
            Self::Pairs(limit) => write!(f, "has to remember more than {limit} pairs of types"),
        }
    }
}

impl std::error::Error for Exceeded {}

impl Budget {
    /// So many steps.
    pub fn new(steps: u64) -> Self {
        Self { limit: steps, left: steps }
    }

    /// How many steps have been taken.
    pub fn spent(&self) -> u64 {
        self.limit - self.left
    }

    /// How many steps are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// A budget of no more than `steps` of what is left.
    #[must_use]
    pub fn at_most(&self, steps: u64) -> Self {
        Self::new(self.left.min(steps))
    }

    /// What is left after `part` of it, which was made by [`Self::at_most`], was used.
    #[must_use]
    pub fn after(&self, part: Self) -> Self {
        Self { left: self.left.saturating_sub(part.spent()), ..*self }
    }

    /// Takes so many steps.
    ///
    /// # Errors
    /// [`Exceeded::Steps`] if there are not so many left.
    pub fn spend(&mut self, steps: usize) -> Result<(), Exceeded> {
        let left = u64::try_from(steps).ok().and_then(|steps| self.left.checked_sub(steps));
        self.left = left.ok_or(Exceeded::Steps(self.limit))?;
        Ok(())
    }

    /// Takes the steps of reading a text of so many bytes.
    ///
    /// # Errors
    /// As [`Self::spend`].
    pub fn spend_reading(&mut self, bytes: usize) -> Result<(), Exceeded> {
        self.spend(bytes / BYTES_PER_STEP)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(DEFAULT_STEPS)
    }
}
