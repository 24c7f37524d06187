package reproduce

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/recording"
)

// times returns how often each recording is repeated, by each mechanism and on each number
// of processors.
func times() int {
	if testing.Short() {
		return 10
	}
	return 100
}

// TB has the methods that this package needs of a *testing.T.
type TB interface {
	Helper()
	Name() string
	Fatalf(format string, args ...any)
}

// Result checks the last execution of a closed engine: failure is its result, with
// its own copy of the schedule, and body returns the function to run. o holds the options
// of that engine; its strategy and plan are ignored. No engine may be installed.
func Result(t TB, o control.Options, failure control.Result, body func(e *control.Engine) func()) {
	t.Helper()
	o.Strategy, o.Plan = nil, plan.Plan{}
	o.Grace = cmp.Or(o.Grace, -1) // nothing outside is to come
	e, err := control.New(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	again, _ := e.Repeat(failure.Schedule, body(e))
	r := &recording.Recording{
		Kind: recording.Controlled, Subject: folder() + " " + t.Name(), Seed: failure.Seed, Verdict: failure.Verdict, Summary: failure.Summary,
		Hash: failure.Hash, Entries: recording.Entries(failure.Schedule, e.Path),
	}
	e.Close()
	if again.Hash != failure.Hash {
		t.Fatalf("the execution with trace %016x has another when it is repeated: %016x", failure.Hash, again.Hash)
	}
	Recording(t, o, r, body)
}

// Recording checks a recording. Otherwise it is like Result.
func Recording(t TB, o control.Options, r *recording.Recording, body func(e *control.Engine) func()) {
	t.Helper()
	o.Strategy, o.Plan = nil, plan.Plan{}
	parsed, err := recording.Parse(t.Name(), r.String())
	if err != nil {
		t.Fatalf("the recording can't be read: %v\n%s", err, r)
	}
	compare(t, parsed)
	for _, how := range []control.Switch{control.Coroutines, control.Channels} {
		for _, processors := range []int{1, 2} {
			if wrong := repeat(o, how, processors, parsed, body); wrong != "" {
				t.Fatalf("%s, %d processors: %s; the recording is\n%s", [...]string{control.Coroutines: "coroutines", control.Channels: "channels"}[how], processors, wrong, parsed)
			}
		}
	}
}

// repeat returns what went wrong, or "".
func repeat(o control.Options, how control.Switch, processors int, r *recording.Recording, body func(e *control.Engine) func()) string {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	o.Switch = how
	o.Grace = cmp.Or(o.Grace, -1) // nothing outside is to come
	e, err := control.New(o)
	if err != nil {
		return err.Error()
	}
	defer e.Close()
	schedule, f := r.Schedule(), body(e)
	for n := range times() {
		again, unused := e.Repeat(schedule, f)
		if again.Hash != r.Hash || again.Verdict != r.Verdict || unused.Len() != 0 {
			return fmt.Sprintf("repetition %d is %s with trace %016x, want %s with %016x; %d entries did not apply; %s\n%s",
				n, again.Verdict, again.Hash, r.Verdict, r.Hash, unused.Len(), again.Summary, again.Detail)
		}
	}
	return ""
}

// environment is the variable that names the folder of the recordings that other
// binaries have made.
const environment = "ROUSE_RECORDINGS"

// compare checks whether another binary has made the same recording.
func compare(t TB, r *recording.Recording) {
	t.Helper()
	dir := os.Getenv(environment)
	if dir == "" {
		return
	}
	name := filepath.Join(dir, fileName(t.Name()))
	other, err := recording.Read(name)
	switch {
	case os.IsNotExist(err):
		if err := r.Write(name); err != nil {
			t.Fatalf("%v", err)
		}
	case err != nil:
		t.Fatalf("%v", err)
	case other.Hash != r.Hash || other.Verdict != r.Verdict || !slices.Equal(lines(other), lines(r)):
		t.Fatalf("another binary has made another recording, %s:\n%s\nThis one has made\n%s", name, other, r)
	}
}

// lines returns the entries of the schedule, without comments.
func lines(r *recording.Recording) []string {
	var all []string
	for _, e := range r.Entries {
		all = append(all, e.String())
	}
	return all
}

// made counts the recordings of each test.
var made struct {
	sync.Mutex
	by map[string]int
}

// fileName returns the file name of the test's next recording.
func fileName(test string) string {
	made.Lock()
	defer made.Unlock()
	if made.by == nil {
		made.by = make(map[string]int)
	}
	made.by[test]++
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, folder()+" "+test)
	return fmt.Sprintf("%s-%d.rouse", plain, made.by[test])
}

// folder returns the name of the package under test, in whose folder its tests run.
func folder() string {
	dir, _ := os.Getwd()
	return filepath.Base(dir)
}
