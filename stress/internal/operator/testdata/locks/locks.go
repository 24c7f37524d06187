// operators: delete-unlock delete-lock lock-to-read-lock unlock-at-once lock-late unlock-early
// operators: lock-early unlock-late keep-locked swap-locks

// Package locks is searched for mutants: want names those of a line.
package locks

import "sync"

type account struct {
	mu      sync.Mutex
	balance int
	changed chan int
}

func (a *account) deposit(n int) {
	a.mu.Lock()         // want delete-lock
	defer a.mu.Unlock() // want delete-unlock unlock-at-once
	a.balance += n      // want lock-late
}

func (a *account) early(n int) bool {
	a.mu.Lock() // want delete-lock
	if a.balance < n {
		a.mu.Unlock() // want delete-unlock
		return false
	}
	a.balance -= n // want unlock-early
	a.mu.Unlock()  // want delete-unlock
	a.changed <- n // want unlock-late
	return true
}

func (a *account) receive() {
	n := <-a.changed // want lock-early
	a.mu.Lock()      // want delete-lock
	a.balance += n   // want lock-late unlock-early
	a.mu.Unlock()    // want delete-unlock
	n++              // is nobody else's
}

// Not moved: a declaration, a local variable, the address of something.
func (a *account) still() {
	a.mu.Lock() // want delete-lock
	p := &a.balance
	*p = 1
	n := 1
	_ = n
	a.mu.Unlock() // want delete-unlock
}

func (a *account) released() {
	a.mu.Lock()         // want delete-lock
	a.mu.Unlock()       // want delete-unlock keep-locked
	<-a.changed         // want unlock-late lock-early
	a.mu.Lock()         // want delete-lock
	defer a.mu.Unlock() // want delete-unlock unlock-at-once
}

// Two locks: each Lock has its own Unlock.
func transfer(from, to *account, n int) {
	from.mu.Lock()    // want delete-lock swap-locks
	to.mu.Lock()      // want delete-lock
	from.balance -= n // want lock-late
	to.balance += n   // want unlock-early
	to.mu.Unlock()    // want delete-unlock
	from.mu.Unlock()  // want delete-unlock
}

// In the first case of a select the receive is not a statement before it.
func (a *account) selected() {
	select {
	case <-a.changed:
		a.mu.Lock()   // want delete-lock
		a.mu.Unlock() // want delete-unlock
	}
}

// An embedded lock, by its promoted methods.
type embedded struct {
	sync.RWMutex
	n int
}

func (e *embedded) set(n int) {
	e.Lock()   // want delete-lock lock-to-read-lock
	e.n = n    // want lock-late unlock-early
	e.Unlock() // want delete-unlock
}

func (e *embedded) get() int {
	e.RLock()         // want delete-lock
	defer e.RUnlock() // want delete-unlock unlock-at-once
	return e.n
}

// The lock of a generic type, and by its interface.
type guarded[T any] struct {
	mu sync.Mutex
	v  T
}

func (g *guarded[T]) set(v T) {
	g.mu.Lock()   // want delete-lock
	g.v = v       // want lock-late unlock-early
	g.mu.Unlock() // want delete-unlock
}

func with(l sync.Locker, f func()) {
	l.Lock() // want delete-lock
	f()
	l.Unlock() // want delete-unlock
}

// A shadowed name is another lock: this Lock has no Unlock, and that Unlock no Lock.
func shadowed(mu *sync.Mutex, other *sync.Mutex) {
	mu.Lock()
	if mu := other; mu != nil {
		mu.Unlock() // want delete-unlock
	}
}

// A Lock that is none of package sync's, and method values.
type door struct{ locked bool }

func (d *door) Lock()   { d.locked = true }
func (d *door) Unlock() { d.locked = false }

func (d *door) use(a *account) {
	d.Lock()
	a.balance++
	d.Unlock()
	unlock := a.mu.Unlock
	lock := a.mu.Lock
	lock()
	unlock()
}

// Not a statement of a list.
func (a *account) loop() {
	for a.mu.Lock(); ; a.mu.Unlock() {
		return
	}
}
