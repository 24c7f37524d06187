// Package proptest runs the property tests of this module from one seed, and
// logs how to run a failure again.
//
// One seed serves the whole test binary. It is taken from the flag -chaos.seed,
// else from the environment variable CHAOS_SEED, else drawn at random; each test
// that uses it logs it, with the command that repeats that test.
//
// On top of gopter it has Machine, a shorter way to write a stateful property,
// and History, which records what goroutines do to a subject for porcupine to
// judge.
//
// The package is for tests only. Anything but tests must not import it; it
// imports nothing of this module.
package proptest
