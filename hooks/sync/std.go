//go:build !chaos

package sync

import "sync"

// Cond is [sync.Cond].
type Cond = sync.Cond

// Map is [sync.Map].
type Map = sync.Map

// Mutex is [sync.Mutex].
type Mutex = sync.Mutex

// Once is [sync.Once].
type Once = sync.Once

// Pool is [sync.Pool].
type Pool = sync.Pool

// RWMutex is [sync.RWMutex].
type RWMutex = sync.RWMutex

// WaitGroup is [sync.WaitGroup].
type WaitGroup = sync.WaitGroup

// NewCond is [sync.NewCond].
func NewCond(l Locker) *Cond { return sync.NewCond(l) }

// OnceFunc is [sync.OnceFunc].
func OnceFunc(f func()) func() { return sync.OnceFunc(f) }

// OnceValue is [sync.OnceValue].
func OnceValue[T any](f func() T) func() T { return sync.OnceValue(f) }

// OnceValues is [sync.OnceValues].
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) { return sync.OnceValues(f) }
