// operators: delete-store cas-to-store cas-to-load cas-to-load-and-store cas-ignored swap-to-load
// operators: swap-to-load-and-store add-to-load-and-store load-again atomic-to-plain swap-atomics
// operators: store-before-write read-before-load

// Package atomics is searched for mutants: want names those of a line.
package atomics

import (
	alias "sync/atomic"
)

type node struct{ next *node }

type stack struct {
	head  alias.Pointer[node]
	size  alias.Int64
	ready alias.Bool
	any   alias.Value
	word  uint32
	value int
}

func (s *stack) push(n *node) {
	for {
		old := s.head.Load()
		n.next = old
		if s.head.CompareAndSwap(old, n) { // want cas-to-store cas-to-load cas-to-load-and-store cas-ignored load-again
			s.size.Add(1) // want delete-store add-to-load-and-store
			return
		}
	}
}

func (s *stack) take() *node { return s.head.Swap(nil) } // want swap-to-load swap-to-load-and-store

func (s *stack) publish(v int) {
	s.value = v         // want store-before-write
	s.ready.Store(true) // want delete-store swap-atomics
	s.size.Store(1)     // want delete-store
}

// The Store depends on what is written.
func (s *stack) dependent(v int) {
	s.value = v
	s.size.Store(int64(s.value)) // want delete-store
}

func (s *stack) read() (v int) {
	ok := s.ready.Load() // want read-before-load
	v = s.value
	if !ok { // want load-again
		return 0
	}
	return v
}

// A variable that is assigned again is not read again.
func (s *stack) again() int64 {
	n := s.size.Load()
	n++
	return n
}

func (s *stack) values() bool {
	s.any.Swap(1)                    // want delete-store
	if !s.any.CompareAndSwap(1, 2) { // want cas-to-store cas-to-load cas-to-load-and-store cas-ignored
		return false
	}
	n := s.size.Add(2) // want add-to-load-and-store
	return n > 0
}

func (s *stack) functions() uint32 {
	alias.StoreUint32(&s.word, 1)             // want delete-store atomic-to-plain
	alias.AddUint32(&s.word, 1)               // want delete-store add-to-load-and-store atomic-to-plain
	alias.CompareAndSwapUint32(&s.word, 1, 2) // want delete-store cas-to-store cas-to-load-and-store
	return alias.LoadUint32(&s.word)          // want atomic-to-plain
}

// Functions that do one atomic write are called.
func (s *stack) grow()            { s.size.Add(1) }                     // want delete-store add-to-load-and-store
func (s *stack) shrink(n int) int { return int(s.size.Add(int64(-n))) } // want add-to-load-and-store

func (s *stack) both() {
	s.grow()            // want delete-store swap-atomics
	s.ready.Store(true) // want delete-store swap-atomics
	s.shrink(1)         // want delete-store
	s.twice()
}

func (s *stack) twice() {
	s.grow()    // want delete-store swap-atomics
	s.shrink(1) // want delete-store
}

// What has the names, and is not atomic.
type plain struct{ n int }

func (p *plain) Store(n int)                  { p.n = n }
func (p *plain) Add(n int) int                { p.n += n; return p.n }
func (p *plain) Load() int                    { return p.n }
func (p *plain) Swap(n int) int               { n, p.n = p.n, n; return n }
func (p *plain) CompareAndSwap(a, b int) bool { return a == b }

func (p *plain) use() bool {
	p.Store(1)
	p.Add(1)
	n := p.Load()
	p.Swap(n)
	return p.CompareAndSwap(1, 2)
}
