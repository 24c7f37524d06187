package testing

import (
	"strings"
	"sync"
)

// rouseTurns are the calls of chaos.Explore in one execution. One with a plan of faults runs alone.
type rouseTurns struct {
	mu    sync.RWMutex
	tasks []string // whose bodies run
}

// take waits until the body of a task may run beside others, or alone. It returns nil if the task is
// that of a body, or was started by one. done ends the turn.
//
//go:norace
func (r *rouseTurns) take(task string, alone bool) (done func()) {
	for _, of := range r.tasks {
		if task == of || strings.HasPrefix(task, of+"/") {
			return nil
		}
	}
	end := r.mu.RUnlock
	if alone {
		r.mu.Lock()
		end = r.mu.Unlock
	} else {
		r.mu.RLock()
	}
	r.tasks = append(r.tasks, task)
	return func() { r.end(task); end() }
}

//go:norace
func (r *rouseTurns) end(task string) {
	for i, of := range r.tasks {
		if of == task {
			r.tasks = append(r.tasks[:i], r.tasks[i+1:]...)
			return
		}
	}
}
