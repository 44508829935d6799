//! Plans: what is computed once for each length, and kept for the next transform of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftPlanner};
use strictarray_core::{Complex, Error, Result};
use strictarray_standard::rule;

use crate::run;

/// Whether a transform or its inverse: the sign of the exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// exp(-2πi · j · k / n).
    Forward,
    /// exp(2πi · j · k / n).
    Inverse,
}

/// The plan for n complex numbers.
pub(super) fn complex(n: usize, direction: Direction) -> Result<Arc<dyn Fft<f64>>> {
    static FORWARD: Kept<dyn Fft<f64>> = Kept::new();
    static INVERSE: Kept<dyn Fft<f64>> = Kept::new();
    let (kept, direction) = match direction {
        Direction::Forward => (&FORWARD, FftDirection::Forward),
        Direction::Inverse => (&INVERSE, FftDirection::Inverse),
    };
    let plan = kept.get(n, || FftPlanner::new().plan_fft(n, direction))?;
    if plan.len() == n { Ok(plan) } else { Err(run::misuse("fft: plan")) }
}

/// The plan from n real numbers.
pub(super) fn real_to_half(n: usize) -> Result<Arc<dyn RealToComplex<f64>>> {
    static KEPT: Kept<dyn RealToComplex<f64>> = Kept::new();
    KEPT.get(n, || RealFftPlanner::new().plan_fft_forward(n))
}

/// The plan to n real numbers.
pub(super) fn half_to_real(n: usize) -> Result<Arc<dyn ComplexToReal<f64>>> {
    static KEPT: Kept<dyn ComplexToReal<f64>> = Kept::new();
    KEPT.get(n, || RealFftPlanner::new().plan_fft_inverse(n))
}

/// How many plans of a kind (there are four) are kept, and how many bytes they may take: the largest are made anew each time.
const PLANS: usize = 64;
const BYTES: usize = 256 << 20;

/// The plans of one kind that are kept. The lock is only tried, never waited for, so a child of `fork()` can't hang on it:
/// a plan that can't be looked up is made anew.
struct Kept<P: ?Sized> {
    plans: RwLock<Vec<Entry<P>>>,
    /// Counts look-ups.
    clock: AtomicU64,
}

struct Entry<P: ?Sized> {
    n: usize,
    plan: Arc<P>,
    bytes: usize,
    /// When it was last looked up.
    used: AtomicU64,
}

impl<P: ?Sized> Kept<P> {
    const fn new() -> Kept<P> {
        Kept { plans: RwLock::new(Vec::new()), clock: AtomicU64::new(0) }
    }

    /// The plan for n elements: one that was kept, or a new one, which then is.
    fn get(&self, n: usize, make: impl FnOnce() -> Arc<P>) -> Result<Arc<P>> {
        // Of a transform of nothing there is no plan.
        if n == 0 {
            return Err(run::misuse("fft: length"));
        }
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        if let Ok(plans) = self.plans.try_read()
            && let Some(entry) = plans.iter().find(|entry| entry.n == n)
        {
            entry.used.store(now, Ordering::Relaxed);
            return Ok(entry.plan.clone());
        }
        let bytes = afford(n)?;
        let plan = make();
        let entry = Entry { n, plan: plan.clone(), bytes, used: AtomicU64::new(now) };
        // Dropped after the lock.
        let mut old = Vec::new();
        if bytes <= BYTES
            && let Ok(mut plans) = self.plans.try_write()
            && plans.iter().all(|entry| entry.n != n)
        {
            let taken = |plans: &[Entry<P>]| plans.iter().map(|entry| entry.bytes).sum::<usize>();
            while plans.len() >= PLANS || taken(&plans) > BYTES - bytes {
                let least = (0..plans.len()).min_by_key(|&i| plans[i].used.load(Ordering::Relaxed));
                let Some(least) = least else { break };
                old.push(plans.swap_remove(least));
            }
            plans.push(entry);
        }
        Ok(plan)
    }
}

/// The bytes that a plan takes at most: those with a large prime factor have a longer transform inside. Refused where they are
/// not there. rustfft's allocations end the process where they fail, so as much is asked for first: another thread may still
/// take it in between.
fn afford(n: usize) -> Result<usize> {
    const SMALL: usize = 1 << 20;
    let rest = [2, 3, 5, 7, 11, 13].into_iter().fold(n, |mut rest, factor| {
        while rest % factor == 0 {
            rest /= factor;
        }
        rest
    });
    let bytes = n.checked_mul(if rest == 1 { 2 } else { 8 } * size_of::<Complex<f64>>());
    match bytes {
        Some(bytes) if bytes <= SMALL || crate::scratch::there_are(bytes) => Ok(bytes),
        _ => Err(Error::new(&rule::MEMORY, format!("got a transform of {n} elements"))),
    }
}
