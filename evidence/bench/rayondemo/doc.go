// Package rayondemo has the workloads of rayon-demo for which the history of rayon's
// sleep module quotes figures: increment-all, join-recursively, nbody-parreduce and
// noop, in the sizes that they have there (rayon-demo/src/join_microbench.rs,
// nbody/, noop/). Each runs in a pool that the caller has built, through the pool's
// public interface only: its loops are halved by rayon's rule.
//
// As in rayon-demo, each iteration enters the pool from outside.
//
// It imports package pool and the standard library.
package rayondemo
