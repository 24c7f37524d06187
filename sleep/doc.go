// Package sleep decides when a pool's workers go to sleep and who wakes them.
// It owns no goroutine: workers and posters call it.
//
// JEC is rayon's protocol, named after its jobs event counter, and the default; Tickle and
// RFC5 are what went before it, and Variants lists the alternatives. The latches are
// what a worker can wait for while it sleeps. README.md beside this file tells
// the protocol, its races, why no wakeup is lost and what is not prevented; the
// code carries the same step names (A4, F5, H1, ...).
//
// The package is meant for authors of schedulers. It imports hooks, its drop-ins
// and the standard library, and must never import pool or chaos.
package sleep
