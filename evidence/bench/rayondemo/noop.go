package rayondemo

import (
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Pause is how long Noop sleeps before each job.
const Pause = 10 * time.Millisecond

// Noop sleeps, and gives the pool a job that is nothing and that nothing waits for.
// rayon-demo's noop does this 100 times and then looks at the processor time: all of it
// is what it costs to wake workers and let them fall asleep again.
func Noop(p *pool.Pool) error {
	time.Sleep(Pause)
	return p.Go(nothing)
}

func nothing(*pool.Worker) {}
