//! What every kernel gets besides its operands.

use strictarray_core::{Buffer, Device, Error, Result};
use strictarray_standard::rule;

use crate::simd::Level;

/// The surroundings of a call: how many threads it may use, whether it shall stop, the instruction set, memory to work in.
#[derive(Clone, Copy)]
pub struct Ctx<'a> {
    threads: usize,
    cancelled: Option<&'a (dyn Fn() -> bool + Sync)>,
    simd: Level,
}

/// Elements that a cheap loop handles in less than a millisecond: how far a kernel may go without asking whether to stop.
pub const TICK: usize = 1 << 18;

impl<'a> Ctx<'a> {
    /// One thread, never cancelled, the best instruction set of this machine.
    pub fn new() -> Ctx<'static> {
        Ctx { threads: 1, cancelled: None, simd: Level::detected() }
    }

    /// With up to this many threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Ctx<'a> {
        Ctx { threads: threads.max(1), ..self }
    }

    /// With a question that is asked about every millisecond: whether to stop.
    #[must_use]
    pub fn cancelled_by(self, cancelled: &'a (dyn Fn() -> bool + Sync)) -> Ctx<'a> {
        Ctx { cancelled: Some(cancelled), ..self }
    }

    /// With this instruction set, which must be one that the machine has: lower ones are for tests and benchmarks.
    #[must_use]
    pub fn simd_at_most(self, level: Level) -> Ctx<'a> {
        Ctx { simd: level.min(Level::detected()), ..self }
    }

    /// How many threads it may use.
    pub fn thread_count(&self) -> usize {
        self.threads
    }

    /// The instruction set.
    #[inline]
    pub fn simd(&self) -> Level {
        self.simd
    }

    /// Asks whether to stop: to be called about every millisecond ([`TICK`] elements of a cheap loop).
    #[inline]
    pub fn check_cancelled(&self) -> Result<()> {
        match self.cancelled {
            Some(cancelled) if cancelled() => Err(Error::new(&rule::INTERRUPTED, "a signal")),
            _ => Ok(()),
        }
    }

    /// Memory to work in, from the pool; its bytes are not set.
    pub fn scratch(&self, bytes: usize) -> Result<Buffer> {
        Buffer::uninit(bytes, Device::CPU)
    }
}

impl Default for Ctx<'static> {
    fn default() -> Self {
        Ctx::new()
    }
}
