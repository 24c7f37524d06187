use crate::{pool, time, Answer};
use rayon::prelude::*;
use std::f64::consts::PI;
use std::ops::{Add, Div, Mul, Sub};

/// nbody-parreduce, line by line what bench/rayondemo has: the same bodies, rules and order of operations. Each tick
/// enters the pool from outside. What was computed is the sum of all coordinates. With no workers it is plain loops.
pub fn turn(workers: usize, bodies: usize, seed: usize, ticks: usize) -> Answer {
    let pool = pool(workers.max(1));
    let mut now = start(bodies, seed as u64);
    let mut next = now.clone();
    let mut tick = |t: usize| {
        let rules = Rules::at(t);
        if workers == 0 {
            for (to, body) in next.iter_mut().zip(now.iter()) {
                let all = now.iter().fold(Push::default(), |sum, other| rules.influences(sum, body, other));
                *to = rules.step(body, all);
            }
            std::mem::swap(&mut now, &mut next);
            return;
        }
        pool.install(|| {
            next.par_iter_mut().zip(now.par_iter()).for_each(|(to, body)| {
                let all = now
                    .par_iter()
                    .fold(Push::default, |sum, other| rules.influences(sum, body, other))
                    .reduce(Push::default, Push::plus);
                *to = rules.step(body, all);
            })
        });
        std::mem::swap(&mut now, &mut next);
    };
    tick(0);
    let took = time(|| (1..=ticks).for_each(|t| tick(t)));
    (now.iter().map(|b| b.position.x + b.position.y + b.position.z).sum(), vec![took])
}

#[derive(Clone, Copy, Default)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, o: Vector) -> Vector {
        Vector { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, o: Vector) -> Vector {
        Vector { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl Mul<f64> for Vector {
    type Output = Vector;
    fn mul(self, f: f64) -> Vector {
        Vector { x: self.x * f, y: self.y * f, z: self.z * f }
    }
}

impl Div<f64> for Vector {
    type Output = Vector;
    fn div(self, f: f64) -> Vector {
        Vector { x: self.x / f, y: self.y / f, z: self.z / f }
    }
}

impl Vector {
    fn square(self) -> f64 {
        self.x * self.x + self.y * self.y + self.z * self.z
    }
    fn length(self) -> f64 {
        self.square().sqrt()
    }
    fn scaled_to(self, f: f64) -> Vector {
        self / self.length() * f
    }
}

#[derive(Clone)]
struct Body {
    position: Vector,
    velocity: Vector,
    velocity2: Vector,
}

#[derive(Clone, Copy, Default)]
struct Push {
    a: Vector,
    b: Vector,
}

impl Push {
    fn plus(self, o: Push) -> Push {
        Push { a: self.a + o.a, b: self.b + o.b }
    }
}

const MAX_DISTANCE: f64 = 3400.0;
const PULL_STRENGTH: f64 = 0.042;
const ZONE: f64 = 3.0 * 400.0 * 400.0;
const REPEL: f64 = 100.0;
const ALIGN: f64 = 300.0;
const ATTRACT: f64 = 100.0;
const ALIGN_POWER: f64 = 100.9;

struct Rules {
    time: usize,
    centre: Vector,
    speed_limit: f64,
    attraction: f64,
}

impl Rules {
    fn at(time: usize) -> Rules {
        let t = time as f64;
        let centre = Vector { x: (t / 22.0).cos() * -4200.0, y: (t / 14.0).sin() * 9200.0, z: (t / 27.0).sin() * 6000.0 };
        let (speed_limit, attraction) = if time >= 500 { (0.2, 20.9) } else { (2000.0, 100.9) };
        Rules { time, centre, speed_limit, attraction }
    }

    fn influences(&self, sum: Push, body: &Body, other: &Body) -> Push {
        let to = other.position - body.position;
        let distance = to.square();
        if distance < ZONE && distance != 0.0 {
            sum.plus(self.influence(body, other, to, distance))
        } else {
            sum
        }
    }

    fn influence(&self, body: &Body, other: &Body, to: Vector, distance: f64) -> Push {
        let mut sum = Push::default();
        let percent = distance / ZONE;
        if distance < REPEL {
            let away = to.scaled_to((REPEL / percent - 1.0) * 0.025);
            sum = sum.plus(Push { a: away, b: away });
        } else if distance < ALIGN {
            let q = (1.0 - wave((percent - REPEL) / (ALIGN - REPEL))) * ALIGN_POWER;
            sum = sum.plus(Push { a: other.velocity2.scaled_to(q), b: body.velocity.scaled_to(q) });
        }
        if distance > ATTRACT {
            let nearer = to.scaled_to((1.0 - (wave((percent - ATTRACT) / (1.0 - ATTRACT)) + 0.5)) * self.attraction);
            sum = sum.plus(Push { a: nearer, b: nearer * -1.0 });
        }
        sum
    }

    fn step(&self, body: &Body, all: Push) -> Body {
        let (mut a, mut b) = (self.towards_centre(body) + all.a, all.b);
        if self.time > 500 {
            a = self.limited(a, 0.015);
            b = self.limited(b, 0.015);
        }
        let (mut v, mut v2) = (body.velocity + a, body.velocity2 + b);
        if self.time < 500 {
            v = self.limited(v, 0.15);
            v2 = self.limited(v2, 0.15);
        }
        Body { position: body.position + (v - v2), velocity: v, velocity2: v2 }
    }

    fn towards_centre(&self, body: &Body) -> Vector {
        let to = self.centre - body.position;
        let distance = to.length();
        if distance <= MAX_DISTANCE {
            Vector::default()
        } else if self.time < 200 {
            to.scaled_to(0.2)
        } else {
            to.scaled_to((distance - MAX_DISTANCE) * PULL_STRENGTH)
        }
    }

    fn limited(&self, v: Vector, damping: f64) -> Vector {
        if v.square() > self.speed_limit {
            v * damping
        } else {
            v
        }
    }
}

fn wave(x: f64) -> f64 {
    (x * PI * 2.0).cos() * 0.5
}

fn start(bodies: usize, seed: u64) -> Vec<Body> {
    const SPEED: f64 = 8.0;
    let mut rng = Pcg((seed as u128) << 64);
    let mut all = Vec::new();
    for _ in 0..bodies {
        let r = rng.float() * 10_000.0;
        let theta = rng.float() * PI;
        let phi = rng.float() * 2.0 * PI;
        let mut around = |centre: f64| (rng.float() + centre - 0.5) * SPEED;
        let position = Vector { x: theta.sin() * phi.cos(), y: theta.sin() * phi.sin(), z: theta.cos() } * r;
        let velocity = Vector { x: around(0.0), y: around(0.0), z: around(0.5) + 10.0 };
        let velocity2 = Vector { x: around(0.0), y: around(0.0), z: around(0.5) };
        all.push(Body { position, velocity, velocity2 });
    }
    all
}

/// Go's PCG-DXSM (math/rand/v2), so that the bodies are the same.
struct Pcg(u128);

impl Pcg {
    fn next(&mut self) -> u64 {
        const MULTIPLIER: u128 = (2549297995355413924 << 64) + 4865540595714422341;
        const INCREMENT: u128 = (6364136223846793005 << 64) + 1442695040888963407;
        self.0 = self.0.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        let (mut hi, lo) = ((self.0 >> 64) as u64, self.0 as u64);
        hi ^= hi >> 32;
        hi = hi.wrapping_mul(0xda942042e4dd58b5);
        hi ^= hi >> 48;
        hi.wrapping_mul(lo | 1)
    }
    fn float(&mut self) -> f64 {
        (self.next() << 11 >> 11) as f64 / (1u64 << 53) as f64
    }
}
