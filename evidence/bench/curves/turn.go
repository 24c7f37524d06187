package curves

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/pool"
)

// shortest is how long a turn takes at least: what takes less is repeated.
const shortest = 10 * time.Millisecond

// repeated repeats once, which does so many units, after once to warm up, until it has taken long
// enough.
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

// inPool is repeated in a job of a pool of its own: so that what is measured begins in a worker
// that is awake.
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

// want says what is wrong with a number, or nil.
func want(got, want int) error {
	if got != want {
		return fmt.Errorf("computed %d, want %d", got, want)
	}
	return nil
}
