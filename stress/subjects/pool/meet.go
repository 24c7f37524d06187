package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
)

// meetWorkload: injected work wakes as many workers as it needs. As many jobs as there are workers wait for
// each other, so that a worker that is not woken is a deadlock.
var meetWorkload = workload{
	name:     "meet",
	about:    "Jobs that must meet: as many as there are workers are posted from outside, each waits until all have begun, and so every worker has to be woken.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 4, pause: defaultPause},
	small:    sizes{repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("meet")
		for i := range x.sizes.repeat {
			x.pause(r)
			x.meet(i, p.Go)
		}
		x.finish(p)
	},
}

// meet posts as many jobs as there are workers, by calling post, and waits until they have met.
func (x *execution) meet(number int, post func(f func(w *pool.Worker)) error) {
	jobs := x.open(fmt.Sprint("meeting ", number), x.workers)
	var m meeting
	m.expect(x.workers)
	for j := range jobs {
		e := &jobs[j]
		if err := post(func(*pool.Worker) { m.attend(); e.ran(); m.over.Done() }); err != nil {
			x.Fail(verdict.WrongResult, "%s: Go: %v", e.name, err)
		}
	}
	m.over.Wait()
}

// meetInsideWorkload is like meetWorkload, with work that a worker forks. For that the protocol promises less: with
// a jobs event counter that rolls over, a worker may sleep on.
var meetInsideWorkload = workload{
	name:     "meet-inside",
	about:    "Jobs that must meet, forked by one of them: it posts the others to its own deque, from where idle workers steal them, and waits for them without helping.",
	uses:     []string{"repeat", "pause"},
	defaults: sizes{repeat: 4, pause: defaultPause},
	small:    sizes{repeat: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		r := x.Rand("meet-inside")
		for i := range x.sizes.repeat {
			x.pause(r)
			jobs := x.open(fmt.Sprint("meeting ", i), x.workers)
			var m meeting
			m.expect(x.workers)
			attend := func(e *entry) { m.attend(); e.ran(); m.over.Done() }
			err := p.Run(context.Background(), func(w *pool.Worker) error {
				for j := range jobs[1:] {
					e := &jobs[1+j]
					w.Go(func(*pool.Worker) { attend(e) })
				}
				attend(&jobs[0])
				return nil
			})
			if err != nil {
				x.Fail(verdict.WrongResult, "%s: Run: %v", jobs[0].name, err)
			}
			m.over.Wait()
		}
		x.finish(p)
	},
}

// A meeting is over when all expected jobs have come and gone.
type meeting struct{ begun, over sync.WaitGroup }

func (m *meeting) expect(n int) {
	m.begun.Add(n)
	m.over.Add(n)
}

// attend waits until all expected jobs have come.
func (m *meeting) attend() {
	m.begun.Done()
	m.begun.Wait()
}
