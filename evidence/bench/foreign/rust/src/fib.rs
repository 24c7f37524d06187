use crate::{pool, time, Answer};

pub fn turn(workers: usize, n: usize) -> Answer {
    let pool = pool(workers);
    pool.install(|| fib(n.min(20)));
    let mut result = 0;
    let took = time(|| result = pool.install(|| fib(n)));
    (result as f64, vec![took])
}

fn fib(n: usize) -> usize {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}
