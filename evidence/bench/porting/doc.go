// Package porting has programs in pairs: with errgroup, conc, ants or pond, and with this module's
// pool. docs/coming-from.md quotes them, and the tests check that both have the same results.
//
// It imports package pool, those libraries, and the standard library.
package porting
