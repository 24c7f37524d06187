use crate::{pool, Answer};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long from the spawn to the beginning of the job, if the one who spawns has computed for a while
/// and computes on: for busy ns, and if the job has not begun then, until it has or the limit is reached.
pub fn computes(workers: usize, samples: usize, quiet: usize, busy: usize, limit: usize) -> Answer {
    let pool = pool(workers);
    let mut figures = Vec::new();
    let epoch = Instant::now();
    let now = || epoch.elapsed().as_nanos() as u64;
    for _ in 0..samples {
        let begun = Arc::new(AtomicU64::new(0));
        let begins = begun.clone();
        compute(quiet);
        let start = now();
        pool.spawn(move || begins.store(epoch.elapsed().as_nanos() as u64, Ordering::SeqCst));
        compute(busy);
        while begun.load(Ordering::SeqCst) == 0 {
            if now() - start > limit as u64 {
                std::thread::yield_now();
            }
        }
        figures.push((begun.load(Ordering::SeqCst) - start) as f64);
    }
    (samples as f64, figures)
}

/// The same if the one who spawns sleeps before, and blocks at once.
pub fn blocks(workers: usize, samples: usize, quiet: usize) -> Answer {
    let pool = pool(workers);
    let mut figures = Vec::new();
    let (to, from) = mpsc::channel();
    for _ in 0..samples {
        std::thread::sleep(Duration::from_nanos(quiet as u64));
        let to = to.clone();
        let start = Instant::now();
        pool.spawn(move || to.send(start.elapsed()).expect("somebody waits"));
        figures.push(from.recv().expect("the job sends").as_nanos() as f64);
    }
    (samples as f64, figures)
}

/// How long a visit to the pool takes, there and back, with a sleep before each or none.
pub fn install(workers: usize, samples: usize, quiet: usize) -> Answer {
    let pool = pool(workers);
    let mut figures = Vec::new();
    let mut visits = 0;
    for _ in 0..samples {
        if quiet > 0 {
            std::thread::sleep(Duration::from_nanos(quiet as u64));
        }
        let start = Instant::now();
        visits += pool.install(|| 1);
        figures.push(start.elapsed().as_nanos() as f64);
    }
    (visits as f64, figures)
}

fn compute(nanoseconds: usize) {
    let start = Instant::now();
    while start.elapsed().as_nanos() < nanoseconds as u128 {}
}
