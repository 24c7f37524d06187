package pool

import (
	gocontext "context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// cancelWorkload: a waiter gives up at any moment, and waiter and workers have to agree on whether the
// job still runs.
var cancelWorkload = workload{
	name:     "cancel",
	about:    "Cancelled runs, futures and scopes: outsiders wait for jobs while others cancel their contexts, every second of them that of all outsiders at once; a job whose waiter was satisfied has run, one that was dropped has not, and none runs twice. What one waiter gives up, another still gets. A close that is given up can be repeated.",
	uses:     []string{"jobs", "injectors", "pause"},
	defaults: sizes{jobs: 10, injectors: 2, pause: defaultPause},
	small:    sizes{jobs: 1, injectors: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		x.cancel(p, waysToGiveUp)
		x.giveUpClosing(p)
		x.close(p)
	},
}

// cancelledJobs is the number of jobs that one cancelled wait is for: each may be dropped.
const cancelledJobs = 3

// A wayToGiveUp starts jobs, and waits for them until ctx ends.
type wayToGiveUp struct {
	name string
	// knows: it reports exactly whether a job was dropped; the others report whether they have waited to
	// the end.
	knows bool
	// persists: the jobs run although the wait is given up.
	persists bool
	start    func(ctx gocontext.Context, p *pool.Pool, jobs []entry) error
}

var waysToGiveUp = []wayToGiveUp{
	{name: "Run", start: func(ctx gocontext.Context, p *pool.Pool, jobs []entry) error {
		return p.Run(ctx, func(*pool.Worker) error { allRan(jobs); return nil })
	}},
	{name: "Submit", knows: true, start: func(ctx gocontext.Context, p *pool.Pool, jobs []entry) error {
		_, err := pool.Submit(ctx, p, func(*pool.Worker) (int, error) { allRan(jobs); return 0, nil }).Wait(gocontext.Background())
		return err
	}},
	{name: "Future.Wait", persists: true, start: func(ctx gocontext.Context, p *pool.Pool, jobs []entry) error {
		future := pool.Submit(gocontext.Background(), p, func(*pool.Worker) (int, error) { allRan(jobs); return 0, nil })
		var others subject.Crew
		var patient error
		others.Start("patient waiter for "+jobs[0].name, func() { _, patient = future.Wait(gocontext.Background()) })
		_, err := future.Wait(ctx)
		others.Wait()
		return errors.Join(err, patient)
	}},
	{name: "ScopeContext", knows: true, start: func(ctx gocontext.Context, p *pool.Pool, jobs []entry) (err error) {
		outer := p.Run(gocontext.Background(), func(w *pool.Worker) error {
			err = w.ScopeContext(ctx, func(s *pool.Scope) {
				for i := range jobs {
					s.Go(w, func(*pool.Worker) { jobs[i].ran() })
				}
			})
			return nil
		})
		return errors.Join(err, outer)
	}},
}

func allRan(jobs []entry) {
	for i := range jobs {
		jobs[i].ran()
	}
}

// cancel has all outsiders wait in these ways, and checks the outcomes of the jobs when all
// is over.
func (x *execution) cancel(p *pool.Pool, ways []wayToGiveUp) {
	var all subject.Crew
	// The contexts of every second wait, which all outsiders share.
	shared := make([]gocontext.Context, x.sizes.jobs)
	ends := make([]func(), x.sizes.jobs)
	for j := range shared {
		shared[j], ends[j] = context.WithCancel(gocontext.Background())
	}
	started := make([][]entry, x.sizes.injectors*x.sizes.jobs) // not the ledger's: they need not run
	for i := range x.sizes.injectors {
		name := fmt.Sprint("outsider ", i)
		all.Start(name, func() {
			r := x.Rand(name)
			for j := range x.sizes.jobs {
				x.pause(r)
				ctx, end := context.WithCancel(gocontext.Background())
				if j%2 == 1 {
					end()
					ctx, end = shared[j], ends[j]
				}
				jobs := make([]entry, cancelledJobs)
				for k := range jobs {
					jobs[k].name = fmt.Sprintf("%s, job %d", name, j*cancelledJobs+k)
				}
				started[i*x.sizes.jobs+j] = jobs
				x.cancelled(p, &ways[r.IntN(len(ways))], jobs, ctx, end)
			}
		})
	}
	all.Wait()
	for j := range ends {
		ends[j]()
	}
	for _, jobs := range started {
		for i := range jobs {
			if n := jobs[i].runs.Load(); n > 1 {
				x.Fail(verdict.DuplicateTask, "%s ran %d times", jobs[i].name, n)
			}
		}
	}
}

// cancelled waits for jobs, while another goroutine ends the wait.
func (x *execution) cancelled(p *pool.Pool, way *wayToGiveUp, jobs []entry, ctx gocontext.Context, end func()) {
	var canceller subject.Crew
	canceller.Start("canceller of "+jobs[0].name, end)
	defer canceller.Wait()
	err := way.start(ctx, p, jobs)
	if err != nil && !errors.Is(err, gocontext.Canceled) {
		x.Fail(verdict.WrongResult, "%s: %s: %v", jobs[0].name, way.name, err)
	}
	left := 0
	for i := range jobs {
		if jobs[i].runs.Load() > 0 {
			continue
		}
		if left++; err == nil || way.persists {
			x.Fail(verdict.LostTask, "%s: %s has returned, with the error %v, and the job has not run", jobs[i].name, way.name, err)
		}
	}
	if err != nil && way.knows && left == 0 {
		x.Fail(verdict.WrongResult, "%s: %s reports dropped jobs, and all have run: %v", jobs[0].name, way.name, err)
	}
}

// giveUpClosing closes the pool, from outside or in a job of another pool, with a context that ends. While a job
// runs, the pool cannot have ended before.
func (x *execution) giveUpClosing(p *pool.Pool) {
	r := x.Rand("close that is given up")
	occupied := r.IntN(2)
	release := x.occupy(p, occupied, "occupying before the close")
	last := x.open("before the close", 1)
	if err := p.Go(func(*pool.Worker) { last[0].ran() }); err != nil {
		x.Fail(verdict.WrongResult, "%s: Go: %v", last[0].name, err)
	}
	ctx, cancel := context.WithCancel(gocontext.Background())
	end := p.Close
	if r.IntN(2) == 0 {
		other := x.newPool(1)
		defer x.close(other)
		end = func(ctx gocontext.Context) error {
			return other.Run(gocontext.Background(), func(w *pool.Worker) error { return w.Close(ctx, p) })
		}
	}
	err := ending(cancel, func() error { return end(ctx) })
	if !errors.Is(err, gocontext.Canceled) && (err != nil || occupied > 0) {
		x.Fail(verdict.WrongResult, "Close with %d workers occupied: %v, want %v", occupied, err, gocontext.Canceled)
	}
	release()
}
