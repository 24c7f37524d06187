package original

import (
	"errors"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

// An eventfd is a counter of the kernel, opened with EFD_SEMAPHORE: a number of tokens.
type eventfd interface {
	// poll blocks until there is a token, and takes none. (Level-triggered.)
	poll() error
	// read blocks until there is a token, and takes one.
	read() error
	// write adds n tokens. It ends the waits in poll and read, unless n is 0.
	write(n uint64) error
	// close gives the descriptor back. The port never calls it.
	close() error
}

// What a model of an eventfd returns.
var (
	errInterrupted = errors.New("interrupted system call")
	errClosed      = errors.New("bad file descriptor")
)

// A modelled eventfd is one that runs under control.
type modelled struct {
	tokens atomic.Uint64 // written under mu

	mu     sync.Mutex
	cond   sync.Cond
	closed bool
}

func newModelled() *modelled {
	m := new(modelled)
	m.cond.L = &m.mu
	return m
}

// poll looks without the lock first, so that repeated polls write nothing.
func (m *modelled) poll() error {
	if hooks.Fail(pointPoll) {
		return errInterrupted
	}
	if m.tokens.Load() > 0 {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.await()
}

func (m *modelled) read() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.await(); err != nil {
		return err
	}
	m.tokens.Store(m.tokens.Load() - 1)
	return nil
}

// await sleeps until there is a token. The lock is held.
func (m *modelled) await() error {
	for m.tokens.Load() == 0 && !m.closed {
		m.cond.Wait()
	}
	if m.closed {
		return errClosed
	}
	return nil
}

func (m *modelled) write(n uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	if n > 0 {
		m.tokens.Store(m.tokens.Load() + n)
		m.cond.Broadcast()
	}
	return nil
}

// close also ends the waits, which the kernel's does not do.
func (m *modelled) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return errClosed
	}
	m.closed = true
	m.cond.Broadcast()
	return nil
}
