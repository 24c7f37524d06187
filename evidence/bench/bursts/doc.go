// Package bursts measures the latency of a burst's messages, from the beginning of
// the burst to the receiver: the benchmark of Rust's burst-pool, with Go's
// alternatives in place of those that burst-pool was compared with.
//
// A burst is a set of messages, all stamped with the time at which it began; package burst
// sends as many as there are waiting receivers, the queues send all of them. A receiver notes
// the age of its message and is then busy for a millisecond. Between bursts all is quiet.
//
// It imports package pool/burst, measure, picture, gonum.org/v1/plot for the pictures, and the
// standard library.
package bursts
