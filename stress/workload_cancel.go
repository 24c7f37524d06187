package stress

import (
	gocontext "context"
	"errors"
	"fmt"

	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/pool"
)

// cancelWorkload: whoever waits gives up at any moment, and everybody has to agree on
// whether the job is still to run.
var cancelWorkload = Workload{
	Name:     "cancel",
	About:    "Cancelled runs: outsiders wait for jobs while others cancel their contexts; a job whose waiter was satisfied has run, and none runs twice. A close that is given up can be repeated.",
	Uses:     []string{"jobs", "injectors", "pause"},
	defaults: Sizes{Jobs: 10, Injectors: 2, Pause: defaultPause},
	small:    Sizes{Jobs: 1, Injectors: 1},
	run: func(x *execution) {
		p := x.newPool(x.workers)
		var all crew
		jobs := make([]entry, x.sizes.Injectors*x.sizes.Jobs) // not the ledger's: they need not run
		for i := range x.sizes.Injectors {
			name := fmt.Sprint("outsider ", i)
			all.start(name, func() {
				r := x.rand(name)
				for j := range x.sizes.Jobs {
					x.pause(r)
					e := &jobs[i*x.sizes.Jobs+j]
					e.name = fmt.Sprintf("%s, job %d", name, j)
					x.cancelled(p, e)
				}
			})
		}
		all.Wait()
		x.giveUpClosing(p)
		x.close(p)
		for i := range jobs {
			if n := jobs[i].runs.Load(); n > 1 {
				x.convict(DuplicateTask, "%s ran %d times", jobs[i].name, n)
			}
		}
	},
}

// cancelled runs one job whose waiter may give up.
func (x *execution) cancelled(p *pool.Pool, e *entry) {
	ctx, cancel := context.WithCancel(gocontext.Background())
	var canceller crew
	canceller.start("canceller of "+e.name, cancel)
	defer canceller.Wait()
	err := p.Run(ctx, func(*pool.Worker) error { e.ran(); return nil })
	switch {
	case err != nil && !errors.Is(err, gocontext.Canceled):
		x.convict(WrongResult, "%s: Run: %v", e.name, err)
	case err == nil && e.runs.Load() == 0:
		x.convict(LostTask, "%s: Run returned no error, and the job has not run", e.name)
	}
}

// giveUpClosing closes the pool with a context that may end before that is done.
func (x *execution) giveUpClosing(p *pool.Pool) {
	ctx, cancel := context.WithCancel(gocontext.Background())
	var canceller crew
	canceller.start("canceller of the close", cancel)
	defer canceller.Wait()
	last := x.jobs.open("before the close", 1)
	if err := p.Go(func(*pool.Worker) { last[0].ran() }); err != nil {
		x.convict(WrongResult, "%s: Go: %v", last[0].name, err)
	}
	if err := p.Close(ctx); err != nil && !errors.Is(err, gocontext.Canceled) {
		x.convict(WrongResult, "Close: %v", err)
	}
}
