package recorder

import (
	"sync"
	"testing"

	"github.com/rouse-go/rouse/internal/seam"
)

// A Recorder is an engine. A test sets its fields before the operation that they
// concern, and reads them after it.
type Recorder struct {
	t testing.TB

	// Next is called at the next point, and a function of Meanwhile at the point of that
	// name, each once. They may pass points themselves.
	Next      func()
	Meanwhile map[string]func()
	// Copies has how often to send the notification at a point; the default is 1.
	Copies map[string]int
	// Fails is the name of the point that fails.
	Fails string
	// Faulty means that verbs that can do more than disturb may pass points here.
	Faulty bool

	mu    sync.Mutex
	Trace []string // the names of the points passed
	Tasks int      // how many tasks have been made
	Began []int    // the numbers, from 1, of the tasks that have begun
}

// New returns a Recorder that is not installed, for an engine that embeds it.
func New(t testing.TB) *Recorder { return &Recorder{t: t, Meanwhile: make(map[string]func())} }

// Install makes a Recorder the engine until the test ends.
func Install(t testing.TB) *Recorder {
	t.Helper()
	r := New(t)
	Arm(t, r)
	return r
}

// Arm makes e the engine until the test ends.
func Arm(t testing.TB, e seam.Engine) {
	t.Helper()
	uninstall, ok := seam.Install(e)
	if !ok {
		t.Fatal("another engine is installed")
	}
	t.Cleanup(uninstall)
}

// When arranges that f is called at the point of that name, once, and nothing at others.
func (r *Recorder) When(point string, f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Meanwhile = map[string]func(){point: f}
}

// Take returns the trace and begins a new one.
func (r *Recorder) Take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	trace := r.Trace
	r.Trace = nil
	return trace
}

// pass enters p in the trace. serves is what the verb can do there: a point that
// offers more, or is of another verb, would have plans ask for what cannot
// happen.
func (r *Recorder) pass(p *seam.Point, serves seam.Fault) {
	if serves != 0 && !r.Faulty {
		r.t.Errorf("%s is passed by a verb that can do more than disturb", p.Name)
	}
	if p.Offers&seam.Disturb != seam.Disturb || p.Offers&^seam.Disturb&^serves != 0 || serves != 0 && p.Offers&serves == 0 {
		r.t.Errorf("%s offers %v, but its verb serves %v", p.Name, p.Offers, serves|seam.Disturb)
	}
	r.mu.Lock()
	r.Trace = append(r.Trace, p.Name)
	next, here := r.Next, r.Meanwhile[p.Name]
	r.Next = nil
	delete(r.Meanwhile, p.Name)
	r.mu.Unlock()
	for _, f := range []func(){next, here} {
		if f != nil {
			f()
		}
	}
}

// At implements seam.Engine.
func (r *Recorder) At(p *seam.Point) { r.pass(p, 0) }

// Notify implements seam.Engine.
func (r *Recorder) Notify(p *seam.Point) int {
	r.pass(p, seam.Drop|seam.Duplicate)
	if n, ok := r.Copies[p.Name]; ok {
		return n
	}
	return 1
}

// Fail implements seam.Engine.
func (r *Recorder) Fail(p *seam.Point) bool {
	r.pass(p, seam.Fail|seam.Spurious)
	return r.Fails == p.Name
}

// Value implements seam.Engine: no drop-in has a value to perturb.
func (r *Recorder) Value(p *seam.Point, v uint64) uint64 {
	r.t.Errorf("%s: no operation here has a value to perturb", p.Name)
	return v
}

// Task implements seam.Engine.
func (r *Recorder) Task(f func()) func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Tasks++
	number := r.Tasks
	return func() {
		r.mu.Lock()
		r.Began = append(r.Began, number)
		r.mu.Unlock()
		f()
	}
}

// Name implements seam.Engine.
func (r *Recorder) Name(string) {}

// Unwinding implements seam.Engine.
func (r *Recorder) Unwinding(any) bool { return false }
