use crate::{pool, time, Answer};
use std::sync::atomic::{AtomicUsize, Ordering};

static DONE: AtomicUsize = AtomicUsize::new(0);

/// Jobs that are next to nothing, from threads outside. Nothing is captured; rayon has no end that waits for
/// jobs, so they count themselves.
pub fn turn(workers: usize, producers: usize, jobs: usize) -> Answer {
    let pool = pool(workers);
    pool.install(|| ());
    DONE.store(0, Ordering::SeqCst);
    let each = jobs / producers;
    let took = time(|| {
        std::thread::scope(|s| {
            for _ in 0..producers {
                s.spawn(|| {
                    for _ in 0..each {
                        pool.spawn(|| {
                            DONE.fetch_add(1, Ordering::Release);
                        });
                    }
                });
            }
        });
        while DONE.load(Ordering::Acquire) < each * producers {
            std::thread::yield_now();
        }
    });
    (DONE.load(Ordering::SeqCst) as f64, vec![took])
}
