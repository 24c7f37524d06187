use crate::{pool, time, Answer};

/// A tree of joins whose leaves compute for a while, and the same leaves one after the other: with
/// no workers. The shapes are those of bench/rows/coarse.go.
pub fn turn(workers: usize, shape: usize, leaves: usize, spins: usize) -> Answer {
    let mut result = 0;
    if workers == 0 {
        let took = time(|| result = (0..leaves).map(|_| leaf(spins)).fold(0, u64::wrapping_add));
        return ((result >> 11) as f64, vec![took]);
    }
    let pool = pool(workers);
    pool.install(|| tree(shape, 8, spins));
    let took = time(|| result = pool.install(|| tree(shape, leaves, spins)));
    ((result >> 11) as f64, vec![took])
}

/// The same while one of the threads sleeps in a system call.
pub fn asleep(workers: usize, shape: usize, leaves: usize, spins: usize) -> Answer {
    let pool = pool(workers);
    let (begun, begins) = std::sync::mpsc::channel();
    let (end, ends) = std::sync::mpsc::channel::<()>();
    pool.spawn(move || {
        begun.send(()).expect("begun");
        let _ = ends.recv(); // until the other side is gone
    });
    begins.recv().expect("begins");
    let mut result = 0;
    pool.install(|| tree(shape, 8, spins));
    let took = time(|| result = pool.install(|| tree(shape, leaves, spins)));
    drop(end);
    ((result >> 11) as f64, vec![took])
}

fn tree(shape: usize, leaves: usize, spins: usize) -> u64 {
    if leaves == 1 {
        return leaf(spins);
    }
    let left = match shape {
        0 => golden(leaves),
        1 => leaves - 1,
        _ => 1,
    };
    let (a, b) = rayon::join(|| tree(shape, left, spins), || tree(shape, leaves - left, spins));
    a.wrapping_add(b)
}

/// The larger part of a Fibonacci tree.
fn golden(leaves: usize) -> usize {
    (leaves * 618 / 1000).clamp(1, leaves - 1)
}

/// Marsaglia's xorshift64, so many times.
fn leaf(spins: usize) -> u64 {
    let mut x = std::hint::black_box(88172645463325252u64);
    for _ in 0..spins {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    x
}
