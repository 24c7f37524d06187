use crate::{pool, time, Answer};

/// rayon-demo's quicksort (rayon-demo/src/quicksort), on the numbers of bench/rows/quicksort.go.
pub fn turn(workers: usize, n: usize) -> Answer {
    let pool = pool(workers);
    pool.install(|| quick_sort(&mut numbers(n.min(20_000))));
    let mut v = numbers(n);
    let took = time(|| pool.install(|| quick_sort(&mut v)));
    let sorted = v.windows(2).all(|w| w[0] <= w[1]);
    (if sorted { (v[v.len() / 2] >> 11) as f64 } else { -1.0 }, vec![took])
}

/// Steele's splitmix64, from 0.
fn numbers(n: usize) -> Vec<u64> {
    let mut state = 0u64;
    (0..n)
        .map(|_| {
            state = state.wrapping_add(0x9e3779b97f4a7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
            z ^ (z >> 31)
        })
        .collect()
}

fn quick_sort(v: &mut [u64]) {
    if v.len() <= 5 * 1024 {
        return sequential(v);
    }
    let mid = partition(v);
    let (lo, hi) = v.split_at_mut(mid);
    rayon::join(|| quick_sort(lo), || quick_sort(hi));
}

fn sequential(v: &mut [u64]) {
    if v.len() <= 1 {
        return;
    }
    let mid = partition(v);
    let (lo, hi) = v.split_at_mut(mid);
    sequential(lo);
    sequential(hi);
}

fn partition(v: &mut [u64]) -> usize {
    let pivot = v.len() - 1;
    let mut i = 0;
    for j in 0..pivot {
        if v[j] <= v[pivot] {
            v.swap(i, j);
            i += 1;
        }
    }
    v.swap(i, pivot);
    i
}
