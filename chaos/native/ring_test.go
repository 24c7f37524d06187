package native

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/internal/racing"
)

// lastOf reads a ring as Events does.
//
//go:norace
func lastOf(r *ring) []event {
	racing.Hide()
	events := r.last()
	racing.Show()
	return events
}

//go:norace
func putInto(r *ring, n uint64) {
	racing.Hide()
	s := r.begin()
	s.event = event{visit: n, seen: n, returned: ^n, delay: 5}
	r.end(s)
	racing.Show()
}

func TestRingKeepsTheLast(t *testing.T) {
	for _, n := range []uint64{0, 1, bornWith - 1, bornWith, bornWith + 1, ringSize - 1, ringSize, ringSize + 1, 1000} {
		var r ring
		for i := range n {
			putInto(&r, i)
		}
		events := lastOf(&r)
		want := min(n, ringSize)
		if uint64(len(events)) != want {
			t.Errorf("after %d events there are %d, want %d", n, len(events), want)
		}
		for i, e := range events {
			if e.visit != n-want+uint64(i) {
				t.Errorf("after %d events, number %d is %d", n, i, e.visit)
			}
		}
	}
}

// A reader gets whole events in order while the task keeps writing.
func TestRingIsReadWhileWritten(t *testing.T) {
	var r ring
	var stop atomic.Bool
	var readers sync.WaitGroup
	var whole atomic.Int64
	for range 2 {
		readers.Go(func() {
			for !stop.Load() {
				events := lastOf(&r)
				for i, e := range events {
					if e.seen != e.visit || e.returned != ^e.visit || e.delay != 5 {
						t.Errorf("torn: %+v", e)
						return
					}
					if i > 0 && e.visit <= events[i-1].visit {
						t.Errorf("event %d after %d", e.visit, events[i-1].visit)
						return
					}
				}
				whole.Add(int64(len(events)))
			}
		})
	}
	for n := uint64(0); n < 100_000 || whole.Load() == 0; n++ {
		putInto(&r, n)
	}
	stop.Store(true)
	readers.Wait()
}
