//go:build chaos

package burst_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/pool/burst"
)

// Real descriptors, and every window of a wait wide open.
func TestNatively(t *testing.T) { eachKind(t, testNatively) }

func testNatively(t *testing.T, k *kind) {
	p := plan.Plan{Seed: 1}
	for _, at := range []string{
		"burst/enqueue-filled", "burst/wake-notify", "burst/receive-waits", "burst/thread-parks", "burst/thread-post",
		"burst/thread-woken", "burst/receive-take", "burst/close-said", "burst/leave-said",
	} {
		p.Faults = append(p.Faults, plan.Fault{At: at, Kind: hooks.Delays, Probability: 0.2, Max: 200 * time.Microsecond})
	}
	p.Faults = append(p.Faults, plan.Fault{At: "burst/wake-notify", Kind: hooks.Duplicates, Probability: 0.2})
	var accepted, received atomic.Int64
	x, err := native.Execute(p, func() {
		s := burst.NewSender[int]()
		var receivers, senders sync.WaitGroup
		for i := range 6 {
			r, err := newReceiver(k, s)
			if err != nil {
				t.Error(err)
				return
			}
			receivers.Add(1)
			go hooks.Task(func() {
				defer receivers.Done()
				for n := 0; n < 30 || i > 2; n++ {
					if _, err := r.Receive(); err != nil {
						return
					}
					received.Add(1)
				}
				go hooks.Task(r.Leave)() // while it waits again
				if _, err := r.Receive(); err == nil {
					received.Add(1)
				}
			})()
		}
		for range 2 {
			senders.Add(1)
			go hooks.Task(func() {
				defer senders.Done()
				for sent := 0; sent < 200; {
					if s.Enqueue(sent) == nil {
						accepted.Add(1)
						sent++
						continue
					}
					s.Wake()
					hooks.Gosched()
				}
			})()
		}
		senders.Wait()
		s.Close()
		receivers.Wait()
	})
	if err != nil {
		t.Fatal(err)
	}
	if x.Kind != native.Finished {
		t.Fatal(x)
	}
	if a, r := accepted.Load(), received.Load(); a != r {
		t.Errorf("%d messages were accepted, %d received", a, r)
	}
}
