package grpc

import (
	"errors"
	"sync"
	"testing"
)

var errEnded = errors.New("the stream has ended")

// A handlerStream runs what its users write in one goroutine, until one of them writes the status.
type handlerStream struct {
	writes chan func()
	ended  chan struct{}
	once   sync.Once
}

func newHandlerStream() *handlerStream {
	return &handlerStream{writes: make(chan func()), ended: make(chan struct{})}
}

// run ends when writes is closed, or with ended.
func (s *handlerStream) run() {
	for {
		select {
		case f, ok := <-s.writes:
			if !ok {
				return
			}
			f()
		case <-s.ended:
			return
		}
	}
}

func (s *handlerStream) write(f func()) error {
	select {
	case s.writes <- f:
		return nil
	case <-s.ended:
		return errEnded
	}
}

// status writes the last message. It ends the stream by closing writes, which others may be sending
// to, or by closing ended.
func (s *handlerStream) status(closeWrites bool) {
	s.once.Do(func() {
		if err := s.write(func() {}); err != nil {
			return
		}
		if closeWrites {
			close(s.writes)
		} else {
			close(s.ended)
		}
	})
}

func grpc1687(closeWrites bool) {
	s := newHandlerStream()
	var all sync.WaitGroup
	all.Go(s.run)
	all.Go(func() { _ = s.write(func() {}) })
	all.Go(func() { s.status(closeWrites) })
	all.Wait()
}

func TestGrpc1687(*testing.T) { grpc1687(true) }

func TestGrpc1687Fixed(*testing.T) { grpc1687(false) }
