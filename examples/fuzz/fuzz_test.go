package fuzz

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks/sync"
)

// FuzzBatch fails where one adds an urgent value while another adds one that is not.
func FuzzBatch(f *testing.F) {
	f.Add([]byte(nil), []byte("ab"), []byte("cde"))
	f.Fuzz(func(t *testing.T, schedule, some, others []byte) {
		chaos.Explore(t, addBoth(some, others), chaos.WithSchedule(schedule))
	})
}

// addBoth adds some values while it adds others, six of each at most.
func addBoth(some, others []byte) func(c *chaos.C) {
	some, others = some[:min(len(some), 6)], others[:min(len(others), 6)]
	return func(c *chaos.C) {
		out := 0
		b := &Batch{out: func(values []byte) { out += len(values) }}
		var all sync.WaitGroup
		for _, values := range [][]byte{some, others} {
			all.Go(func() {
				for _, v := range values {
					b.Add(v)
				}
			})
		}
		all.Wait()
		if b.Flush(); out < len(some)+len(others) {
			c.Errorf("%d of %d values were handed out", out, len(some)+len(others))
		}
	}
}

// FuzzGate fails where two wait, and do so before the last one leaves.
func FuzzGate(f *testing.F) {
	f.Add([]byte(nil), byte(1), byte(1))
	f.Fuzz(func(t *testing.T, schedule []byte, inside, waiting byte) {
		chaos.Explore(t, leaveAndWait(inside%4, waiting%4), chaos.WithSchedule(schedule))
	})
}

// leaveAndWait has some leave while others wait.
func leaveAndWait(inside, waiting byte) func(c *chaos.C) {
	return func(c *chaos.C) {
		g := NewGate()
		g.Enter(int(inside))
		for range inside {
			c.Go(g.Leave)
		}
		for range waiting {
			c.Go(g.Wait)
		}
	}
}

// FuzzAccounts fails where a refund runs beside a transfer between the same two accounts.
func FuzzAccounts(f *testing.F) {
	f.Add([]byte(nil), []byte{0, 1, 10, 2, 3, 20})
	f.Fuzz(func(t *testing.T, schedule, transfers []byte) {
		chaos.Explore(t, transferAll(transfers), chaos.WithSchedule(schedule))
	})
}

// transferAll makes four transfers at most, at the same time. Three bytes are one: from, to, and the amount,
// which is negative from 128 on.
func transferAll(transfers []byte) func(c *chaos.C) {
	transfers = transfers[:min(len(transfers)/3, 4)*3]
	return func(c *chaos.C) {
		var a Accounts
		for t := transfers; len(t) > 0; t = t[3:] {
			c.Go(func() { a.Transfer(int(t[0]%4), int(t[1]%4), int(int8(t[2]))) })
		}
	}
}
