//go:build chaos

package pool_test

import (
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// futures has a job await another, which panics and is isolated, as the job that spawns
// it is: the panic must reach it, and a thief must run it isolated.
func futures(words string) (kill.Program, error) {
	workers := 2
	if err := kill.Words(words, map[string]*int{"workers": &workers}, nil); err != nil {
		return kill.Program{}, err
	}
	return kill.Program{Body: func(e *control.Engine) {
		p, err := pool.New(workers, pool.WithDequeCapacity(2), pool.WithSpares(0), pool.WithSleep(atOnce("", 8)...))
		if err != nil {
			panic(err)
		}
		enter(p, func(w *pool.Worker) {
			w.Isolated(func(w *pool.Worker) {
				f := pool.Spawn(w, func(w *pool.Worker) (int, error) {
					if !pool.IsIsolated(w) {
						e.Fail(verdict.WrongResult, "a job that was spawned isolated runs as if it were not")
					}
					panic("planned")
				})
				defer func() {
					if v, ok := recover().(*pool.PanicError); !ok || v.Value != "planned" {
						e.Fail(verdict.WrongResult, fmt.Sprintf("the panic of a job reaches its waiter as %v", v))
					}
				}()
				f.Await(w)
			})
		})
		closed(p)
	}}, nil
}
