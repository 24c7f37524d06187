// Package original is burst-pool 0.5.1 as its author left it, defects included. It is a known-bad
// subject: its tests show that the toolkit finds all of them, and that package burst has none. Do
// not use it.
//
// It is a port, step by step: the same states, the same operations in the same order, a panic where
// Rust unwraps or asserts, and one eventfd that all receivers of a sender share. The steps carry
// their letters:
//
//	enqueue   E1 state WAITING to PENDING, round-robin; E2 the payload into the slot; E3 count it
//	wake all  W  write the count to the eventfd, forget it
//	receive   R1 state RUNNING to WAITING; R2 poll the eventfd; R3 state PENDING to RUNNING;
//	          R4 read one token; R5 take the payload out of the slot
//	drop      D  state ORPHANED everywhere; one token
//
// A box of Rust is a pointer here, and a payload has leaked if it was accepted, and neither
// received nor returned. Rust moves a Sender into its drop; here Close leaves it with the caller,
// which can continue to use it. A Receiver has no drop, neither there nor here.
//
// The eventfd is an interface: of the kernel, on Linux, or a model of it that runs under control.
// DEFECTS.md lists what is wrong, and what it takes to find it; testdata holds a recording of each.
// The tests write both anew:
//
//	go test -tags chaos ./pool/burst/internal/original -update
//
// A write that blocks because the counter is full is not modelled: that takes 2^64 messages.
//
// It imports package hooks and those below it. Nothing imports it.
package original
