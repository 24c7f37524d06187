package bursts

import (
	"sync"
	"time"

	"github.com/rouse-go/rouse/pool/burst"
)

// A Contestant is a way to hand messages to receivers.
type Contestant struct {
	Name string
	// Burst says that a message goes only to a waiting receiver, as in burst-pool,
	// and that the others return to the sender.
	Burst bool
	// Threads says that each receiver is locked to its thread.
	Threads bool
	New     func() Line
}

// A Message holds the time at which its burst began, and whether it is counted.
type Message struct {
	sent   time.Time
	counts bool
}

// A Line leads from one sender to its receivers.
type Line interface {
	// Receiver makes a receiver: a function that blocks until there is a message, and
	// reports false after Close.
	Receiver() (receive func() (Message, bool), err error)
	// Send sends up to n messages and wakes their receivers. It returns how many were
	// sent.
	Send(m Message, n int) int
	Close()
}

// Contestants returns all contestants. A new one is one line here.
func Contestants() []Contestant {
	return []Contestant{
		{Name: "burst", Burst: true, New: viaBurst((*burst.Sender[Message]).NewReceiver)},
		{Name: "burst threads", Burst: true, Threads: true, New: viaBurst((*burst.Sender[Message]).NewThreadReceiver)},
		{Name: "channel", New: func() Line { return make(channel, queueRoom) }},
		{Name: "cond", New: func() Line { return newCond() }},
	}
}

// queueRoom is the capacity of a queue in messages, larger than a burst.
const queueRoom = 64

// A burstLine is a line by package burst.
type burstLine struct {
	*burst.Sender[Message]
	newReceiver func(*burst.Sender[Message]) (*burst.Receiver[Message], error)
}

func viaBurst(newReceiver func(*burst.Sender[Message]) (*burst.Receiver[Message], error)) func() Line {
	return func() Line { return burstLine{burst.NewSender[Message](), newReceiver} }
}

func (l burstLine) Receiver() (func() (Message, bool), error) {
	r, err := l.newReceiver(l.Sender)
	if err != nil {
		return nil, err
	}
	return func() (Message, bool) {
		m, err := r.Receive()
		return m, err == nil
	}, nil
}

func (l burstLine) Send(m Message, n int) (sent int) {
	for sent < n && l.Enqueue(m) == nil {
		sent++
	}
	l.Wake()
	return sent
}

// A channel is a line by a buffered channel.
type channel chan Message

func (c channel) Receiver() (func() (Message, bool), error) {
	return func() (Message, bool) {
		m, ok := <-c
		return m, ok
	}, nil
}

func (c channel) Send(m Message, n int) int {
	for range n {
		c <- m
	}
	return n
}

func (c channel) Close() { close(c) }

// A cond is a line by a queue with a condition variable.
type cond struct {
	mu       sync.Mutex
	notEmpty sync.Cond
	queue    []Message
	closed   bool
}

func newCond() *cond {
	c := &cond{queue: make([]Message, 0, queueRoom)}
	c.notEmpty.L = &c.mu
	return c
}

func (c *cond) Receiver() (func() (Message, bool), error) { return c.receive, nil }

func (c *cond) receive() (Message, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) == 0 {
		if c.closed {
			return Message{}, false
		}
		c.notEmpty.Wait()
	}
	last := len(c.queue) - 1
	m := c.queue[last] // all of a burst are equal, and bursts do not overlap
	c.queue = c.queue[:last]
	return m, true
}

func (c *cond) Send(m Message, n int) int {
	for range n {
		c.mu.Lock()
		c.queue = append(c.queue, m)
		c.mu.Unlock()
		c.notEmpty.Signal()
	}
	return n
}

func (c *cond) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.notEmpty.Broadcast()
}
