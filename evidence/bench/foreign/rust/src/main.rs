//! rayon's turns. A line on standard input is a turn: its name and whole numbers. The answer is a
//! line on standard output: "ok", what was computed, and the figures (nanoseconds).
//! A file for each row, as in bench/rows.

mod coarse;
mod fib;
mod idle;
mod increment;
mod join;
mod nbody;
mod quicksort;
mod spawn;
mod trickle;
mod wake;

use std::io::{BufRead, Write};

/// What was computed, and the figures.
pub type Answer = (f64, Vec<f64>);

fn main() {
    let stdin = std::io::stdin();
    let mut stdout = std::io::stdout();
    for line in stdin.lock().lines() {
        let line = line.expect("standard input");
        let answer = match turn(&line) {
            Ok((check, figures)) => {
                let figures: Vec<String> = figures.iter().map(|f| format!(" {}", f)).collect();
                format!("ok {}{}", check, figures.concat())
            }
            Err(why) => format!("error {}", why),
        };
        writeln!(stdout, "{}", answer).expect("standard output");
        stdout.flush().expect("standard output");
    }
}

fn turn(line: &str) -> Result<Answer, String> {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or("");
    let args: Result<Vec<usize>, _> = words.map(str::parse).collect();
    let args = args.map_err(|e| format!("{:?}: {}", line, e))?;
    match (name, args.as_slice()) {
        ("fib", &[workers, n]) => Ok(fib::turn(workers, n)),
        ("join", &[workers, depth, times]) => Ok(join::turn(workers, depth, times)),
        ("increment", &[workers, counters, longest, times]) => Ok(increment::turn(workers, counters, longest, times)),
        ("nbody", &[workers, bodies, seed, ticks]) => Ok(nbody::turn(workers, bodies, seed, ticks)),
        ("quicksort", &[workers, n]) => Ok(quicksort::turn(workers, n)),
        ("coarse", &[workers, shape, leaves, spins]) => Ok(coarse::turn(workers, shape, leaves, spins)),
        ("coarse-asleep", &[workers, shape, leaves, spins]) => Ok(coarse::asleep(workers, shape, leaves, spins)),
        ("wake-computes", &[workers, samples, quiet, busy, limit]) => Ok(wake::computes(workers, samples, quiet, busy, limit)),
        ("wake-blocks", &[workers, samples, quiet]) => Ok(wake::blocks(workers, samples, quiet)),
        ("install", &[workers, samples, quiet]) => Ok(wake::install(workers, samples, quiet)),
        ("spawn", &[workers, producers, jobs]) => Ok(spawn::turn(workers, producers, jobs)),
        ("idle", &[workers, milliseconds]) => Ok(idle::turn(workers, milliseconds)),
        ("trickle", &[workers, times, pause]) => Ok(trickle::turn(workers, times, pause)),
        _ => Err(format!("no row {:?} with {} numbers", name, args.len())),
    }
}

/// A pool as rayon's users make one.
pub fn pool(workers: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(workers).build().expect("pool")
}

/// Runs f and returns how many nanoseconds it took.
pub fn time(f: impl FnOnce()) -> f64 {
    let start = std::time::Instant::now();
    f();
    start.elapsed().as_nanos() as f64
}
