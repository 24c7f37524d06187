package chaos

import (
	"fmt"
	"strings"
	"sync"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/plain"
)

// ReplayTest runs a test whose Explore has written a recording, and that Explore, as Replay does, runs once
// under the schedule of the recording: a regression test. Its other Explores run nothing. It fails if
// the test fails, or has no such Explore any more. Decisions that do not apply any more are left out, and
// logged: the code has moved on. stress explain --test writes the call.
//
//	func TestQueueDeadlock(t *testing.T) {
//		chaos.ReplayTest(t, "testdata/chaos/TestQueue/5be0cd19137e2179.rouse", TestQueue)
//	}
//
// Without the build tag chaos, the test runs once, on ordinary goroutines. Under stress test, which
// repeats recordings by itself, nothing runs.
func ReplayTest[T TB](t T, file string, test func(t T)) {
	t.Helper()
	if joins(t) != nil {
		t.Logf("chaos: %s is not repeated under stress test", plain.Text(file))
		return
	}
	r, err := recording.Read(file)
	if err != nil {
		t.Fatalf("chaos: %v", err)
	}
	_, name, err := r.Test()
	if err != nil {
		t.Fatalf("chaos: %s: %v", file, err)
	}
	if !hooks.Enabled {
		test(t)
		return
	}
	top, _, _ := strings.Cut(name, "/")
	of := &regression{file: file, name: name, top: top, number: numberIn(r)}
	regressions.begin(t.Name(), of)
	ends, ok := any(t).(interface {
		Cleanup(func())
		Errorf(format string, args ...any)
	})
	if !ok {
		t.Fatalf("chaos: ReplayTest: found a %T, want a *testing.T", t)
	}
	ends.Cleanup(func() { // subtests that run in parallel have ended by then
		if regressions.end(t.Name()); !of.repeated && !t.Failed() {
			ends.Errorf("chaos: %s: it is a recording of Explore no. %d of %s, which has not been called", plain.Text(file), of.number, plain.Text(name))
		}
	})
	test(t)
}

// A regression is one call of ReplayTest.
type regression struct {
	file, name string // the recording, and the test that it is of
	top        string // that ReplayTest runs
	number     int    // of the Explore
	repeated   bool
}

// regressions are the calls of ReplayTest that have not ended, by the names of the tests that have made them.
var regressions underWay

type underWay struct {
	sync.Mutex
	by map[string]*regression
}

func (u *underWay) begin(test string, r *regression) {
	u.Lock()
	defer u.Unlock()
	if u.by == nil {
		u.by = make(map[string]*regression)
	}
	u.by[test] = r
}

func (u *underWay) end(test string) {
	u.Lock()
	defer u.Unlock()
	delete(u.by, test)
}

// of returns the call that a test is below, and the name that the test has without it; nil if there is none.
func (u *underWay) of(test string) (r *regression, name string) {
	u.Lock()
	defer u.Unlock()
	for path := test; path != ""; {
		if r := u.by[path]; r != nil {
			return r, r.top + test[len(path):]
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	return nil, ""
}

// replaysBelow makes an Explore below a ReplayTest repeat the recording, and reports whether it is another
// Explore than the recorded one.
func (x *exploration) replaysBelow() (another bool) {
	r, name := regressions.of(x.t.Name())
	switch {
	case r == nil || x.settings.replay != "":
		return false
	case name != r.name || x.number != r.number:
		x.t.Logf("chaos: not explored: %s is a recording of Explore no. %d of %s, and this is no. %d of %s",
			plain.Text(r.file), r.number, plain.Text(r.name), x.number, plain.Text(name))
		return true
	}
	regressions.Lock()
	r.repeated = true
	regressions.Unlock()
	x.settings.replay = r.file
	return false
}

// movedOn describes how much of a schedule has applied in a repetition that passes.
func (p *repeated) movedOn() string {
	if p.Unused == 0 {
		return "; its schedule applies"
	}
	return fmt.Sprintf("; the code has moved on: %d of its %d decisions do not apply%s",
		p.Unused, len(p.recording.Entries), plain.Text(lines("gone: ", p.Gone)))
}
