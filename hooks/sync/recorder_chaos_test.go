//go:build chaos

package sync_test

import (
	std "sync"
	"testing"

	"github.com/rouse-go/rouse/internal/seam"
)

// A recorder is an engine that writes down which point is passed, and does at it
// what a test asks for.
type recorder struct {
	t      *testing.T
	notify map[string]int // how often to send; 1 if the point is not there
	fail   string         // the point that fails

	// meanwhile is done at the point of that name, once. Tests set it before the
	// operation, and what it does may pass points.
	meanwhile map[string]func()

	mu    std.Mutex
	trace []string
	tasks int
}

// install makes a recorder the engine until the test ends.
func install(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{t: t}
	arm(t, r)
	return r
}

func arm(t *testing.T, e seam.Engine) {
	t.Helper()
	uninstall, ok := seam.Install(e)
	if !ok {
		t.Fatal("another engine is installed")
	}
	t.Cleanup(uninstall)
}

// pass enters p in the trace. serves is what the verb can do there: a point that
// offers more, or is of another verb, would have plans ask for what cannot
// happen.
func (r *recorder) pass(p *seam.Point, serves seam.Fault) {
	if p.Offers&seam.Disturb != seam.Disturb || p.Offers&^seam.Disturb&^serves != 0 || serves != 0 && p.Offers&serves == 0 {
		r.t.Errorf("%s offers %v, but its verb serves %v", p.Name, p.Offers, serves|seam.Disturb)
	}
	r.mu.Lock()
	r.trace = append(r.trace, p.Name)
	f := r.meanwhile[p.Name]
	delete(r.meanwhile, p.Name)
	r.mu.Unlock()
	if f != nil {
		f()
	}
}

// take returns the trace and begins a new one.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	trace := r.trace
	r.trace = nil
	return trace
}

func (r *recorder) At(p *seam.Point) { r.pass(p, 0) }

func (r *recorder) Notify(p *seam.Point) int {
	r.pass(p, seam.Drop|seam.Duplicate)
	if n, ok := r.notify[p.Name]; ok {
		return n
	}
	return 1
}

func (r *recorder) Fail(p *seam.Point) bool {
	r.pass(p, seam.Fail|seam.Spurious)
	return r.fail == p.Name
}

func (r *recorder) Value(p *seam.Point, v uint64) uint64 {
	r.t.Errorf("%s: no operation here has a value to perturb", p.Name)
	return v
}

func (r *recorder) Task(f func()) func() {
	r.mu.Lock()
	r.tasks++
	r.mu.Unlock()
	return f
}

func (r *recorder) Name(string)        {}
func (r *recorder) Unwinding(any) bool { return false }
