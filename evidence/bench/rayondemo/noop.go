package rayondemo

import (
	"time"

	"github.com/rouse-go/rouse/pool"
)

// Pause is how long Noop sleeps before each job.
const Pause = 10 * time.Millisecond

// Noop sleeps, and then gives the pool an empty job that nothing waits for.
// rayon-demo's noop does this 100 times and then reads the processor time: all of it
// is the cost of waking workers and letting them fall asleep again.
func Noop(p *pool.Pool) error {
	time.Sleep(Pause)
	return p.Go(nothing)
}

func nothing(*pool.Worker) {}
