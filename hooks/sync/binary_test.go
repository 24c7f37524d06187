package sync_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goTool runs the go command here and returns what it printed; a failure is the
// caller's to judge.
func goTool(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := exec.Command("go", args...).CombinedOutput()
	if _, exit := err.(*exec.ExitError); err != nil && !exit {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return string(out), err
}

// symbols builds the program in testdata/name and lists what its binary holds of
// this module.
func symbols(t *testing.T, name, tag string) []string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), name+".exe")
	if out, err := goTool(t, "build", "-tags", tag, "-o", exe, "./testdata/"+name); err != nil {
		t.Fatalf("build of %s, %s build: %v\n%s", name, tag, err, out)
	}
	out, err := goTool(t, "tool", "nm", exe)
	if err != nil {
		t.Fatalf("nm: %v\n%s", err, out)
	}
	if !strings.Contains(out, " main.main\n") {
		t.Fatalf("nm of %s does not even show main.main:\n%.500s", name, out)
	}
	list := regexp.MustCompile(regexp.QuoteMeta(module)+`/\S*`).FindAllString(out, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// Catches: a variable of a drop-in. Go cannot alias one, and a copy is in every
// binary that imports the package, with the code that sets it.
func TestNormalBinaryHoldsNothingOfTheDropIns(t *testing.T) {
	for name, controls := range map[string][]string{ // of the chaos build, which has to show them
		"uses":    {"/hooks/sync.mutexLock", "/hooks/atomic.add"},
		"clock":   {"/hooks/time.now"},
		"cancels": {"/hooks/context.cancelling"},
	} {
		if got := symbols(t, name, "normal"); len(got) != 0 {
			t.Errorf("the normal build of %s holds %q", name, got)
		}
		got := symbols(t, name, "chaos")
		for _, want := range controls {
			if !slices.Contains(got, module+want) {
				t.Errorf("%s is not among the %d symbols of the chaos build of %s", want, len(got), name)
			}
		}
	}
}

var complaint = regexp.MustCompile(`(?m)^\S*copies\.go:\d+:\d+: assignment copies lock value to v: \S*/hooks/(\w+\.\w+)`)

func TestVetReportsCopiesInBothBuilds(t *testing.T) {
	// Everything but atomic.Value, whose copies vet does not know either.
	want := []string{
		"atomic.Bool", "atomic.Int32", "atomic.Int64", "atomic.Uint32", "atomic.Uint64", "atomic.Uintptr", "atomic.Pointer",
		"sync.Cond", "sync.Map", "sync.Mutex", "sync.Once", "sync.Pool", "sync.RWMutex", "sync.WaitGroup",
	}
	for _, tag := range builds {
		out, _ := goTool(t, "vet", "-copylocks", "-tags", tag, "./testdata/copies")
		var got []string
		for _, m := range complaint.FindAllStringSubmatch(out, -1) {
			got = append(got, m[1])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s build: vet complains of\n%q, want\n%q; it said\n%s", tag, got, want, out)
		}
	}
}
