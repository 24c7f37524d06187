use crate::idle::cpu;
use crate::{pool, Answer};
use std::time::Duration;

/// rayon-demo's noop: a pause, in microseconds, and a job that is nothing, again and again.
/// The figure is the processor time.
pub fn turn(workers: usize, times: usize, pause: usize) -> Answer {
    let pool = pool(workers);
    pool.install(|| ());
    let before = cpu();
    for _ in 0..times {
        std::thread::sleep(Duration::from_micros(pause as u64));
        pool.spawn(|| ());
    }
    (times as f64, vec![cpu() - before])
}
