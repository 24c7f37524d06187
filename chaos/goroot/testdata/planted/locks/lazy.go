package locks

import (
	"sync"
	"sync/atomic"
)

// A Conn is expensive to make.
type Conn struct{ address string }

// A Lazy makes a connection when it is first needed.
type Lazy struct {
	mu      sync.Mutex
	conn    *Conn
	current atomic.Pointer[Conn]
	dialled atomic.Int32
}

func (l *Lazy) dial() *Conn {
	l.dialled.Add(1)
	return &Conn{"10.0.0.1"}
}
