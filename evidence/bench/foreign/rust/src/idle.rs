use crate::{pool, Answer};
use std::time::Duration;

/// The processor time that the process takes in so many ms, in ns, while its pool has nothing to do.
pub fn turn(workers: usize, milliseconds: usize) -> Answer {
    let pool = pool(workers);
    pool.install(|| ());
    std::thread::sleep(Duration::from_millis(100));
    let before = cpu();
    std::thread::sleep(Duration::from_millis(milliseconds as u64));
    let took = cpu() - before;
    (pool.current_num_threads() as f64, vec![took])
}

/// The processor time of the process up to now, in ns.
pub fn cpu() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let failed = unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    assert_eq!(failed, 0, "getrusage");
    let ns = |t: libc::timeval| t.tv_sec as f64 * 1e9 + t.tv_usec as f64 * 1e3;
    ns(usage.ru_utime) + ns(usage.ru_stime)
}
