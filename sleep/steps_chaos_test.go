//go:build chaos

package sleep

import (
	"runtime"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/internal/seam"
)

// steps is an engine that moves goroutines from hook point to hook point, one at
// a time, so that a test can write an interleaving down step by step.
type steps struct {
	t        *testing.T
	mu       sync.Mutex
	tasks    map[string]*stepTask // by name
	byID     map[uint64]*stepTask // by goroutine
	faults   map[string]int       // how often the fault of a point is still to fire
	rolls    map[string]uint64    // what a point's value becomes while its fault fires
	released chan struct{}        // closed at the end of the test: no task stops any more
}

type stepTask struct {
	target string        // where it stops next; "": nowhere. Its own but for moments when it is stopped
	resume chan struct{} // it is stopped, and may continue
	at     chan string   // it has come to its target, or, with "", to its end
	id     uint64        // its goroutine
}

// newSteps installs the engine for this test.
func newSteps(t *testing.T) *steps {
	t.Helper()
	s := &steps{
		t: t, tasks: map[string]*stepTask{}, byID: map[uint64]*stepTask{},
		faults: map[string]int{}, rolls: map[string]uint64{}, released: make(chan struct{}),
	}
	uninstall, ok := seam.Install(s)
	if !ok {
		t.Fatal("another engine is installed")
	}
	t.Cleanup(func() {
		close(s.released)
		uninstall()
	})
	return s
}

// start makes a task of f. It is stopped before its first step.
func (s *steps) start(name string, f func()) {
	task := &stepTask{resume: make(chan struct{}), at: make(chan string, 1)}
	s.mu.Lock()
	s.tasks[name] = task
	s.mu.Unlock()
	go func() {
		s.mu.Lock()
		task.id = goroutineID()
		s.byID[task.id] = task
		s.mu.Unlock()
		s.stop(task)
		f()
		task.at <- ""
	}()
}

func (s *steps) stop(task *stepTask) {
	select {
	case <-task.resume:
	case <-s.released:
	}
}

// known fails the test if there is no such point: it would wait for ever.
func (s *steps) known(point string) {
	s.t.Helper()
	if point != "" && seam.Lookup(point) == nil {
		s.t.Fatalf("no point is called %s", point)
	}
}

// send lets the task continue, to that point or, with "", to its end; it does not
// wait.
func (s *steps) send(name, point string) {
	s.t.Helper()
	s.known(point)
	task := s.tasks[name]
	task.target = point
	task.resume <- struct{}{}
}

// to lets the task continue until it comes to that point.
func (s *steps) to(name, point string) {
	s.t.Helper()
	s.send(name, point)
	if at := <-s.tasks[name].at; at != point {
		s.t.Fatalf("%s has ended without coming to %s", name, point)
	}
}

// arrives waits for a task that was sent there.
func (s *steps) arrives(name, point string) {
	s.t.Helper()
	if at := <-s.tasks[name].at; at != point {
		s.t.Fatalf("%s came to %q, not to %q", name, at, point)
	}
}

// ends lets the task continue until it ends.
func (s *steps) ends(name string) {
	s.t.Helper()
	s.send(name, "")
	s.arrives(name, "")
}

// waits lets the task continue until it waits for a lock.
func (s *steps) waits(name string) {
	s.t.Helper()
	s.send(name, "")
	task := s.tasks[name]
	for !waitsIn(task.id, "sync.Mutex.Lock") {
		if len(task.at) > 0 {
			s.t.Fatalf("%s has ended without waiting for a lock", name)
		}
		runtime.Gosched()
	}
}

// anyPoint is a target: the next point, whichever it is.
const anyPoint = "any"

// step lets the task continue to the next point; false: it has ended.
func (s *steps) step(name string) bool {
	task := s.tasks[name]
	task.target = anyPoint
	task.resume <- struct{}{}
	return <-task.at != ""
}

// fault makes the fault of that point (drop, duplicate, fail, spurious) fire n
// times.
func (s *steps) fault(point string, n int) {
	s.t.Helper()
	s.known(point)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[point] = n
}

func (s *steps) fires(p *seam.Point) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults[p.Name] == 0 {
		return false
	}
	s.faults[p.Name]--
	return true
}

// The engine.

func (s *steps) At(p *seam.Point) {
	s.mu.Lock()
	task := s.byID[goroutineID()]
	s.mu.Unlock()
	if task != nil && (task.target == p.Name || task.target == anyPoint) {
		task.target = ""
		task.at <- p.Name
		s.stop(task)
	}
}

func (s *steps) Notify(p *seam.Point) int {
	s.At(p)
	if !s.fires(p) {
		return 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(s.rolls[p.Name]) // 0: drop
}

func (s *steps) Fail(p *seam.Point) bool { s.At(p); return s.fires(p) }

func (s *steps) Value(p *seam.Point, v uint64) uint64 {
	s.At(p)
	if s.fires(p) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.rolls[p.Name]
	}
	return v
}

func (s *steps) Task(f func()) func() { return f }
func (s *steps) Name(string)          {}
func (s *steps) Unwinding(any) bool   { return false }
