//go:build chaos

package pool_test

import (
	"errors"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/stress/mutants/kill"
)

// thieves is a worker that shares one job and keeps one, and two that steal, once each.
// A thief that finds nothing has asked for what is kept: the other one has won the shared job.
func thieves(words string) (kill.Program, error) {
	if words != "" {
		return kill.Program{}, errors.New("there are no words")
	}
	return kill.Program{Body: func(e *control.Engine) {
		w := pool.Unstarted(3, 2)
		pool.Keep(w[0])
		pool.Keep(w[0])
		pool.Share(w[0])
		var done sync.WaitGroup
		done.Add(2)
		found := make([]bool, len(w))
		for _, i := range []int{1, 2} {
			e.Go(func() {
				found[i] = pool.Steal(w[i])
				done.Done()
			})
		}
		done.Wait()
		if !pool.Asked(w[0]) || found[1] == found[2] || pool.Private(w[0]) != 1 {
			e.Fail(verdict.Invariant, "a thief has found nothing, and has not asked for the job that is kept")
		}
	}}, nil
}
