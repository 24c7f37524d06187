package pool

import (
	"context"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/pool"
)

// storyWorkload is the example of a lost latch notification in rayon's first sleep document, step by
// step. A forks T1 and runs T2; B steals T1, which
// forks T3 and runs T4; A, done with T2, waits for T1, and steals T3; B, done
// with T4, waits for T3 and falls asleep; A ends T3 and sets its latch. If B is
// not notified, it never ends T1, and A falls asleep as well.
var storyWorkload = workload{
	name:     "story",
	about:    "T1 to T4: two workers wait for each other's halves of two joins, and one of them is asleep when its half is done. Without the latch's notification both sleep for ever.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 3, pause: defaultPause},
	small:    sizes{repeat: 1},
	least:    2, most: 2,
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("story")
		for range x.sizes.repeat {
			x.pause(r)
			x.story(p)
		}
		x.finish(p)
	},
}

func (x *execution) story(p *pool.Pool) {
	jobs := x.open("the story", 4) // T1 to T4 in this order
	var t1, t3 atomic.Bool         // have begun, on the other worker
	spin := func(begun *atomic.Bool) {
		for !begun.Load() {
			hooks.Gosched()
		}
	}
	err := p.Run(context.Background(), func(a *pool.Worker) error {
		a.Join(
			func(*pool.Worker) { spin(&t1); jobs[1].ran() }, // T2
			func(b *pool.Worker) { // T1
				t1.Store(true)
				b.Join(
					func(*pool.Worker) { spin(&t3); jobs[3].ran() }, // T4
					func(*pool.Worker) { // T3
						t3.Store(true)
						if !x.Controlled() { // else all moments are tried
							x.until(func() bool { return p.State().Workers[b.Index()].Asleep })
						}
						jobs[2].ran()
					},
				)
				jobs[0].ran()
			},
		)
		return nil
	})
	if err != nil {
		x.Fail(verdict.WrongResult, "Run: %v", err)
	}
}
