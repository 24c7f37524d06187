package context

import "context"

// What calls nothing off is the standard package's in both builds.

// Context is [context.Context].
type Context = context.Context

// CancelFunc is [context.CancelFunc].
type CancelFunc = context.CancelFunc

// CancelCauseFunc is [context.CancelCauseFunc].
type CancelCauseFunc = context.CancelCauseFunc

// Background is [context.Background].
func Background() Context { return context.Background() }

// TODO is [context.TODO].
func TODO() Context { return context.TODO() }

// WithValue is [context.WithValue].
func WithValue(parent Context, key, val any) Context { return context.WithValue(parent, key, val) }

// WithoutCancel is [context.WithoutCancel].
func WithoutCancel(parent Context) Context { return context.WithoutCancel(parent) }
