package timers

import (
	"errors"
	"time"
)

// ErrTimeout is the error of a call that was not answered in time.
var ErrTimeout = errors.New("timed out")

// A Call waits for an answer to a request.
type Call struct {
	timer  *time.Timer
	done   chan struct{}
	answer string
	err    error
}

func NewCall(limit time.Duration) *Call {
	c := &Call{done: make(chan struct{})}
	c.timer = time.AfterFunc(limit, func() { c.end("", ErrTimeout) })
	return c
}

func (c *Call) end(answer string, err error) {
	c.answer, c.err = answer, err
	close(c.done)
}

// Wait returns the answer.
func (c *Call) Wait() (string, error) {
	<-c.done
	return c.answer, c.err
}
