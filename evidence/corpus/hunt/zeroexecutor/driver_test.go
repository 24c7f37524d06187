package example

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zeromicro/go-zero/core/executors"
)

// Each goroutine adds a task and waits. When Wait returns, its task must have been executed.
func TestWaitAfterAdd(t *testing.T) {
	var done [2]atomic.Bool
	e := executors.NewBulkExecutor(func(tasks []any) {
		for _, task := range tasks {
			done[task.(int)].Store(true)
		}
	}, executors.WithBulkTasks(1), executors.WithBulkInterval(time.Second))
	var wg sync.WaitGroup
	for i := range done {
		wg.Go(func() {
			e.Add(i)
			if e.Wait(); !done[i].Load() {
				t.Errorf("Wait returned before task %d was executed", i)
			}
		})
	}
	wg.Wait()
}
