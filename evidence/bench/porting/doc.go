// Package porting has programs in pairs: with errgroup, conc, ants or pond, and with this module's
// pool. docs/coming-from.md quotes them, and its tests want the same results of both.
//
// It imports package pool, those libraries, and the standard library.
package porting
