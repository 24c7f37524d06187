package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// recorded returns the recording of a fake failure, with the options of the run that has written it.
func recorded(t *testing.T) (Options, string, *recording.Recording) {
	t.Helper()
	o := fakes(t, "TestA: fails 300")
	file := one(t, o).Recording
	rec, err := recording.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return o, file, rec
}

func TestRepeater(t *testing.T) {
	o, file, rec := recorded(t)
	r, err := NewRepeater(t.Context(), o, file, rec)
	if err != nil {
		t.Fatal(err)
	}
	if r.Title() != fakePackage+" TestA" {
		t.Errorf("title %s", r.Title())
	}
	for range 2 {
		if x, err := r.Again(t.Context()); err != nil || !x.Exact || !x.Reproduced || x.Verdict != verdict.Deadlock || !strings.Contains(x.Report, "a table") {
			t.Errorf("%+v, %v", x, err)
		}
	}
	if shorter, reason, err := r.Shrink(t.Context()); err != nil || reason != "" || len(shorter.Entries) != 2 {
		t.Errorf("%+v, %q, %v", shorter, reason, err)
	}
	tmp := r.tmp
	r.Close()
	if _, err := os.Stat(tmp); err == nil {
		t.Errorf("%s is left", tmp)
	}
}

// TestRepeaterOfWhatHasChanged: what differs is reported.
func TestRepeaterOfWhatHasChanged(t *testing.T) {
	o, file, rec := recorded(t)
	for script, want := range map[string]string{"elsewhere": "step 9 differs", "unrepeatable": "step 7 differs: a system call at a.go:3", "dies-settling": "the process ended: exit code 4"} {
		t.Setenv(scriptEnv, "TestA: "+script)
		r, err := NewRepeater(t.Context(), o, file, rec)
		if err != nil {
			t.Fatal(err)
		}
		if script == "elsewhere" {
			if x, err := r.Again(t.Context()); err != nil || x.Reproduced || x.Differs != want {
				t.Errorf("%s: %+v, %v", script, x, err)
			}
		}
		if shorter, reason, err := r.Shrink(t.Context()); err != nil || reason != want || shorter != nil {
			t.Errorf("%s: shrunk to %+v, %q, %v", script, shorter, reason, err)
		}
		r.Close()
	}
}

func TestRepeaterOfAnother(t *testing.T) {
	o, file, rec := recorded(t)
	o.Packages = []string{"./another"}
	rec.Subject = "example.com/another TestA"
	var input *InputError
	if _, err := NewRepeater(t.Context(), o, file, rec); !errors.As(err, &input) || !strings.HasSuffix(err.Error(), "it is a recording of example.com/another, which is not among the packages") {
		t.Errorf("%v", err)
	}
	rec.Subject = "scenario x"
	if _, err := NewRepeater(t.Context(), o, file, rec); !errors.As(err, &input) {
		t.Errorf("%v", err)
	}
}

// TestRepeaterOfNone: the test of a recording that is gone, or not selected, is a mistake of the input.
func TestRepeaterOfNone(t *testing.T) {
	o, file, rec := recorded(t)
	o.Run = "TestB"
	r, err := NewRepeater(t.Context(), o, file, rec)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.test.name = "TestGone"
	const want = fakePackage + ` TestA: a worker: found no test "TestGone" with -run "TestB"`
	var input *InputError
	if _, err := r.Again(t.Context()); !errors.As(err, &input) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNative: a failure of a native run is reported as it was, and run again with its seed.
func TestNative(t *testing.T) {
	for does, want := range map[string]verdict.Verdict{"fails 3": verdict.Deadlock, "deadlocks 3": verdict.Deadlock, "dies 3": verdict.Panicked, "hangs 3": verdict.Timeout} {
		o := fakes(t, "TestA: "+does+", native, unrepeatable")
		o.Native, o.Timeout = true, hangTimeout
		r := one(t, o)
		if r.Status != report.TestFailed || r.Verdict != want || r.Execution != 3 || !strings.HasSuffix(r.Reproduce, "--replay "+r.Recording) || !strings.Contains(r.Reproduce, "stress test") {
			t.Errorf("%s: %+v", does, r)
		}
		rec, err := recording.Read(r.Recording)
		if err != nil || rec.Kind != recording.Native || rec.Campaign != 7 || rec.Execution != 3 {
			t.Fatalf("%s: %+v, %v", does, rec, err)
		}
		o.Native = false // the recording says it
		p, err := NewRepeater(t.Context(), o, r.Recording, rec)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := p.Again(t.Context()); err != nil || x.Exact || !x.Reproduced || x.Verdict != want {
			t.Errorf("%s: %+v, %v", does, x, err)
		}
		p.Close()
		t.Setenv(scriptEnv, "TestA: native")
		if p, err = NewRepeater(t.Context(), o, r.Recording, rec); err != nil {
			t.Fatal(err)
		}
		if x, err := p.Again(t.Context()); err != nil || x.Reproduced || x.Verdict != verdict.Pass || x.Differs != "it was "+string(want) {
			t.Errorf("%s: passes: %+v, %v", does, x, err)
		}
		p.Close()
	}
}

// Catches: recordings whose repetition takes more time than there is, and that none is said to be left out. One
// of them hangs.
func TestTimeForRecordings(t *testing.T) {
	o := fakes(t, "TestA: elsewhere, hangs-replaying 2")
	o.Executions, o.For = 0, 1
	for n := range 4 {
		rec := parsed((&fake{}).failure(&wire.Request{Test: "TestA"}, n, 5).Recording)
		if err := rec.Write(filepath.Join(folder(t, &o), "testdata", "chaos", "TestA", fmt.Sprintf("%d.rouse", n))); err != nil {
			t.Fatal(err)
		}
	}
	a := one(t, o)
	left := regexp.MustCompile(`^[23] of 4 recordings were not repeated: the time was up$`) // a busy machine repeats one
	if a.Status != report.TestPassed || a.Executions == 0 || !slices.ContainsFunc(a.Notes, left.MatchString) {
		t.Errorf("%+v", a)
	}
	o = fakes(t, "TestA: elsewhere")
	o.For = 1
	if a := one(t, o); slices.ContainsFunc(a.Notes, func(n string) bool { return strings.Contains(n, "not repeated") }) {
		t.Errorf("without recordings: %q", a.Notes)
	}
}

// TestShrinkingEndsWithTheTime: what is found after the time is up is not shrunk, and the report says so; also where each
// attempt to shrink it takes a process.
func TestShrinkingEndsWithTheTime(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/long\n\ngo 1.25\n",
		"long_test.go": `package long

import (
	"sync"
	"testing"
)

func order(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var all []int
	for i := range 8 {
		wg.Go(func() {
			for range 4 {
				mu.Lock()
				all = append(all, i)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if all[0] == 7 {
		t.Error("another order")
	}
}

func TestShared(t *testing.T) { order(t) }

var ran bool

func TestAlone(t *testing.T) {
	if ran {
		t.Log("another way")
		return
	}
	ran = true
	order(t)
}
`})
	for _, name := range []string{"TestShared", "TestAlone"} {
		for _, cut := range []bool{false, true} {
			o := real(t, dir)
			o.Run, o.Out = name, t.TempDir()
			if cut {
				o.shrinks = 1
			}
			r := one(t, o)
			if r.Status != report.TestFailed || r.Recording == "" || slices.Contains(r.Notes, endedShrinking) != cut {
				t.Errorf("%s, cut %v: %+v", name, cut, r)
			}
			if name == "TestAlone" { // there are no experiments in another process
				continue
			}
			again := one(t, o)
			if again.Status != report.TestFailed || again.Execution != -1 || strings.Contains(again.Report, "\npasses ") == cut {
				t.Errorf("%s, cut %v, recorded: %+v", name, cut, again)
			}
		}
	}
}
