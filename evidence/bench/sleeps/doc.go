// Package sleeps compares ways to sleep: the same workload in pools that differ in
// nothing but the options of their sleep protocol, in turns, by run time and by
// processor time.
//
// It imports packages sleep and pool, rayondemo, measure and the standard library.
package sleeps
