package curves

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// shortest is the minimum duration of a turn: shorter operations are repeated.
const shortest = 10 * time.Millisecond

// repeated calls once, which does units units of work, first to warm up, and then until it has taken
// long enough.
func repeated(units int, once func() error) (ns float64, each time.Duration, err error) {
	if err := once(); err != nil {
		return 0, 0, err
	}
	runtime.GC()
	n := 0
	start := time.Now()
	for time.Since(start) < shortest {
		if err := once(); err != nil {
			return 0, 0, err
		}
		n++
	}
	took := time.Since(start)
	return float64(took) / float64(n) / float64(units), took / time.Duration(n), nil
}

// inPool calls repeated in a job of its own pool, so that the measured work begins in a worker that
// is awake.
func inPool(workers, units int, once func(w *pool.Worker) error) (ns float64, each time.Duration, err error) {
	p, err := pool.New(workers)
	if err != nil {
		return 0, 0, err
	}
	err = p.Run(context.Background(), func(w *pool.Worker) error {
		ns, each, err = repeated(units, func() error { return once(w) })
		return err
	})
	if closed := p.Close(context.Background()); err == nil {
		err = closed
	}
	return ns, each, err
}

// want returns an error if got is not want.
func want(got, want int) error {
	if got != want {
		return fmt.Errorf("computed %d, want %d", got, want)
	}
	return nil
}
