package suite

import (
	"context"
	"runtime"
	"sync"
)

// A pipeline builds packages, several at a time, while slots run the tests of those that are built. The
// session's lock guards it.
type pipeline struct {
	*session
	builder  *builder
	packages []*listed
	next     int             // the next package to build
	tests    map[int][]*test // tests of packages that wait for an earlier one
	added    int             // packages whose tests the session has
}

// processors is the maximum number of builds at a time.
var processors = runtime.NumCPU()

// buildAll builds the packages, and adds their tests in order.
func (s *session) buildAll(ctx context.Context, packages []*listed) {
	options := s.Options
	p := &pipeline{session: s, builder: &builder{Options: &options, tmp: s.tmp, overlay: s.overlay, all: packages}, packages: packages, tests: map[int][]*test{}}
	p.builder.Doing = func(what string) { // under the lock, as for observers
		s.mu.Lock()
		defer s.mu.Unlock()
		s.Doing(what)
	}
	if s.build == nil {
		s.build = p.builder.goTest
	}
	// The first package is built alone, so that common imports are compiled only once.
	for tested := false; p.next < len(packages) && !tested; {
		tested = packages[p.next].tested()
		if !p.one(ctx) {
			return
		}
	}
	var builders sync.WaitGroup
	for range min(s.Procs, processors) {
		builders.Go(func() {
			runtime.LockOSThread() // it starts workers
			defer runtime.UnlockOSThread()
			for p.one(ctx) {
			}
		})
	}
	builders.Wait()
}

// one builds the next package. It returns false if none is left or the session has ended.
func (p *pipeline) one(ctx context.Context) (more bool) {
	p.mu.Lock()
	n := p.next
	if n == len(p.packages) || p.err != nil {
		p.mu.Unlock()
		return false
	}
	p.next++
	p.mu.Unlock()
	tests, err := p.testsOf(ctx, p.builder, p.packages[n])
	if err != nil {
		p.stop(err)
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tests[n] = tests
	for tests, ok := p.tests[p.added]; ok; tests, ok = p.tests[p.added] {
		delete(p.tests, p.added)
		p.added++
		p.session.tests = append(p.session.tests, tests...)
		p.pending--
		p.emit(false)
	}
	p.changed.Broadcast()
	return true
}
