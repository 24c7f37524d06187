// operators: delete-add delete-done add-in-goroutine done-at-once delete-wait go-to-call delete-cancel
// operators: cancel-at-once context-lost once-to-call delete-stop

// Package waits is searched for mutants: want names those of a line.
package waits

import (
	"context"
	"sync"
	"time"
)

func work(ctx context.Context, n int) {}

func all(ctx context.Context, n int) {
	var group sync.WaitGroup
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel() // want delete-cancel cancel-at-once
	for i := range n {
		group.Add(1) // want delete-add add-in-goroutine
		go func() {  // want go-to-call
			defer group.Done() // want delete-done done-at-once
			work(ctx, i)       // want context-lost
		}()
	}
	group.Wait() // want delete-wait
}

func cause(ctx context.Context) {
	_, cancel := context.WithCancelCause(ctx)
	cancel(nil) // want delete-cancel
	cancelled := func() {}
	cancelled()
}

type lazy struct {
	once  sync.Once
	timer *time.Timer
	embed
}

type embed struct{ sync.WaitGroup }

func (l *lazy) get() {
	l.once.Do(func() { l.timer = time.NewTimer(1) }) // want once-to-call
	l.timer.Stop()                                   // want delete-stop
	if !l.timer.Stop() {
		<-l.timer.C // want delete-wait
	}
	l.Add(1) // want delete-add
	l.Done() // want delete-done
	l.Wait() // want delete-wait
}

// What has the names, and is another.
type tally struct{ n int }

func (t *tally) Add(n int) { t.n += n }
func (t *tally) Done()     {}
func (t *tally) Wait()     {}
func (t *tally) Stop()     {}
func (t *tally) Do(func()) {}

func (t *tally) use() {
	t.Add(1)
	t.Done()
	t.Wait()
	t.Stop()
	t.Do(func() {})
}
