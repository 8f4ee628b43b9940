//! How long something takes.

use std::hint::black_box;
use std::time::Instant;

/// The median of some rounds, in microseconds, after a tenth as many that are not counted; 0 for no round.
pub(crate) fn median<T>(rounds: usize, work: impl Fn() -> T) -> f64 {
    (0..rounds / 10).for_each(|_| drop(black_box(work())));
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            let result = black_box(work());
            let time = start.elapsed();
            drop(result);
            time.as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(rounds / 2).copied().unwrap_or_default()
}
