//go:build !chaos

package context

import (
	"context"
	"time"
)

// WithCancel is [context.WithCancel].
func WithCancel(parent Context) (ctx Context, cancel CancelFunc) {
	return context.WithCancel(parent)
}

// WithCancelCause is [context.WithCancelCause].
func WithCancelCause(parent Context) (ctx Context, cancel CancelCauseFunc) {
	return context.WithCancelCause(parent)
}

// WithDeadline is [context.WithDeadline]. (That is the call below, and a call of a
// call with so many results and arguments would not be inlined.)
func WithDeadline(parent Context, d time.Time) (Context, CancelFunc) {
	return context.WithDeadlineCause(parent, d, nil)
}

// WithDeadlineCause is [context.WithDeadlineCause].
func WithDeadlineCause(parent Context, d time.Time, cause error) (Context, CancelFunc) {
	return context.WithDeadlineCause(parent, d, cause)
}

// WithTimeout is [context.WithTimeout].
func WithTimeout(parent Context, timeout time.Duration) (Context, CancelFunc) {
	return context.WithTimeout(parent, timeout)
}

// WithTimeoutCause is [context.WithTimeoutCause].
func WithTimeoutCause(parent Context, timeout time.Duration, cause error) (Context, CancelFunc) {
	return context.WithTimeoutCause(parent, timeout, cause)
}

// AfterFunc is [context.AfterFunc].
func AfterFunc(ctx Context, f func()) (stop func() bool) {
	return context.AfterFunc(ctx, f)
}

// Cause is [context.Cause].
func Cause(c Context) error { return context.Cause(c) }
