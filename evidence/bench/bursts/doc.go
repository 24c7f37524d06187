// Package bursts measures how long a message of a burst is under way, from the
// beginning of the burst to its receiver: the benchmark of Rust's burst-pool, with what
// Go offers in place of what that was compared with.
//
// A burst is some messages, all with the time at which it began; package burst sends as
// many as there are receivers that wait, the queues send all of them. A receiver notes how
// old its message is and is then busy for a millisecond. Between bursts all is quiet.
//
// It imports package pool/burst, measure, picture, gonum.org/v1/plot for the pictures, and the
// standard library.
package bursts
