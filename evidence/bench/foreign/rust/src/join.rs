use crate::{pool, time, Answer};

/// rayon-demo's join_recursively (rayon-demo/src/join_microbench.rs). Each time enters the pool from outside.
pub fn turn(workers: usize, depth: usize, times: usize) -> Answer {
    let pool = pool(workers);
    pool.install(|| join_recursively(depth));
    let took = time(|| {
        for _ in 0..times {
            pool.install(|| join_recursively(depth));
        }
    });
    (depth as f64, vec![took])
}

fn join_recursively(n: usize) {
    if n == 0 {
        return;
    }
    rayon::join(|| join_recursively(n - 1), || join_recursively(n - 1));
}
