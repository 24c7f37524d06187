//go:build !chaos

package channel

import "iter"

// Send is c <- v.
func Send[C ~chan T | ~chan<- T, T any](c C, v T) { c <- v }

// Receive is <-c.
func Receive[C ~chan T | ~<-chan T, T any](c C) T { return <-c }

// ReceiveOK is v, ok := <-c.
func ReceiveOK[C ~chan T | ~<-chan T, T any](c C) (v T, ok bool) {
	v, ok = <-c
	return v, ok
}

// Close is close(c).
func Close[C ~chan T | ~chan<- T, T any](c C) { close(c) }

// Len is len(c).
func Len[C ~chan T | ~<-chan T, T any](c C) int { return len(c) }

// Cap is cap(c).
func Cap[C ~chan T | ~<-chan T, T any](c C) int { return cap(c) }

// Range is range c.
func Range[C ~chan T | ~<-chan T, T any](c C) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range c {
			if !yield(v) {
				return
			}
		}
	}
}

// Select is the select statement over the cases. It returns the index of the one
// that was done, or None. Without a case that can ever be done it blocks for ever.
// It panics if Default is not the last case, or a case is nil.
func Select(cases ...Case) int {
	checkCases(cases)
	return wait(cases)
}
