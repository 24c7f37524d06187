use crate::{pool, time, Answer};
use rayon::prelude::*;

/// rayon-demo's increment_all; leaves are at most so long, or what rayon makes of it for 0. Each time
/// enters the pool from outside.
pub fn turn(workers: usize, counters: usize, longest: usize, times: usize) -> Answer {
    let pool = pool(workers);
    let mut data = vec![0u64; counters];
    let mut once = || {
        pool.install(|| match longest {
            0 => data.par_iter_mut().for_each(|x| *x += 1),
            n => data.par_iter_mut().with_max_len(n).for_each(|x| *x += 1),
        })
    };
    once();
    let took = time(|| (0..times).for_each(|_| once()));
    (data.iter().sum::<u64>() as f64, vec![took])
}
