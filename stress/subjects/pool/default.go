package pool

import (
	"context"
	"fmt"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/subject"
)

// defaultWorkload: the packages of a program share one pool, whichever asks for it first. Its size depends on
// the machine, and an abandoned execution would leave it to the next one of the process:
// neither is allowed under control.
var defaultWorkload = workload{
	name: "default",
	about: "The default pool: goroutines (injectors) that ask for it at the same time get the same one, which runs their jobs and is then closed. " +
		"The next that ask get another. It has as many workers as the process has processors, whatever the scenario says.",
	uses:       []string{"jobs", "injectors", "repeat", "pause"},
	defaults:   sizes{jobs: 3, injectors: 3, repeat: 4, pause: defaultPause},
	most:       1,
	nativeOnly: "the default pool has as many workers as the machine has processors, and outlives the execution",
	run:        func(x *execution) { x.defaultPools(pool.Default) },
}

// defaultPools asks for pools by calling ask.
func (x *execution) defaultPools(ask func() *pool.Pool) {
	r := x.Rand("default")
	for i := range x.sizes.repeat {
		x.pause(r)
		got := make([]*pool.Pool, x.sizes.injectors)
		var askers subject.Crew
		for j := range got {
			name := fmt.Sprintf("asker %d of pool %d", j, i)
			askers.Start(name, func() {
				p := ask()
				got[j] = p
				x.knows(p)
				jobs := x.open(name, x.sizes.jobs)
				for k := range jobs {
					if err := p.Run(context.Background(), func(*pool.Worker) error { jobs[k].ran(); return nil }); err != nil {
						x.Fail(verdict.WrongResult, "%s: Run: %v", jobs[k].name, err)
					}
				}
			})
		}
		askers.Wait()
		for j, p := range got {
			if p == got[0] && j > 0 {
				continue
			}
			if j > 0 {
				x.Fail(verdict.WrongResult, "askers 0 and %d of pool %d asked at the same time and got different pools", j, i)
			}
			x.close(p)
		}
	}
}
