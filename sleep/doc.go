// Package sleep decides when the workers of a pool go to sleep and which of them a new job wakes.
// It starts no goroutine: workers and posters call it.
//
// The default is rayon's protocol, called JEC after its jobs event counter; Variants lists the
// older protocols and the alternatives. Latches are what a worker can wait for in its sleep.
// README.md describes the protocol, its races, why no wakeup is lost, and what is not prevented;
// the code names the same steps (A4, F5, H1, ...).
//
// The package is for authors of schedulers. It imports hooks, its drop-ins and the standard
// library, and must never import pool or chaos.
package sleep
