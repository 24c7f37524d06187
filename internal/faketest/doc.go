// Package faketest runs a function as a test that may fail, and returns the test: for tests of
// functions that take a *testing.T.
//
// It imports the standard library only. Only tests import it.
package faketest
