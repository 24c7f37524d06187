package mutate

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

// box copies the module of testdata, and makes its copy the current folder.
func box(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "box"))); err != nil {
		t.Fatal(err)
	}
	alone(t, dir)
	return dir
}

// module makes a module of these files, and makes its folder the current one.
func module(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	alone(t, dir)
	return dir
}

// alone makes a folder the current one, and the environment that of a module without others.
func alone(t *testing.T, dir string) {
	t.Helper()
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMAXPROCS", "1") // a plain test does the same each time
}

// budget is long enough for a test on a busy machine, and short enough for one that does not end.
const budget = 3 * time.Second

// these are options for some mutants of the box, in these ways.
func these(ways string, ids ...string) Options {
	o := Options{Ways: strings.Split(ways, ","), Budget: budget, Seed: 1, Procs: 2}
	for _, id := range ids {
		o.IDs = append(o.IDs, "box.go/"+id)
	}
	return o
}

// results are those of a run, each in a line.
func results(r report.MutationReport) (all []string) {
	for _, m := range r.Mutants {
		text := strings.TrimPrefix(m.ID, "box.go/") + " " + string(m.Status)
		for _, t := range m.Trials {
			text += fmt.Sprintf("; %s %s", t.Way, t.Outcome)
			if t.Outcome.Kills() {
				text += fmt.Sprintf(" by %s: %s", t.By, t.What)
			}
		}
		all = append(all, text)
	}
	return all
}

// differ reports what differs from the wanted lines.
func differ(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// hashes are those of all files below a folder.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// watcher is an observer of what is reported of each mutant.
type watcher struct {
	began   report.Mutation
	ids     []string
	done    func()
	ended   bool
	notes   []string
	problem string
}

func (w *watcher) Observe(e report.Event) {
	switch e := e.(type) {
	case *report.Mutation:
		w.began = *e
	case *report.PackageReport:
		w.notes, w.problem = append(w.notes, e.Notes...), w.problem+e.Problem
	case *report.MutantReport:
		if w.ids = append(w.ids, e.ID); w.done != nil {
			w.done()
		}
	case *report.MutationReport:
		w.ended = true
	}
}

// TestWays: mutants of each kind, and which way kills them.
func TestWays(t *testing.T) {
	dir := box(t)
	before := hashes(t, dir)
	o := these("plain,race,stress", "New/buffer-less/1", "Box.Put/delete-lock/1", "Box.notify/drop-default/1", "Box.Take/fifo-to-lifo/1", "Box.Take/delete-send/1",
		"Box.Close/cas-to-load-and-store/1", "Box.Close/negate-condition/1", "Box.Last/delete-unlock/1")
	w := &watcher{}
	o.Observers = report.Observers{w}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	differ(t, results(r), []string{
		"New/buffer-less/1 killed; plain survived; race survived; stress killed by TestWakes: deadlock",
		"Box.Put/delete-lock/1 killed; plain survived; race killed by TestPuts: data race; stress survived",
		"Box.notify/drop-default/1 killed; plain timeout by TestOrder: no end: all goroutines wait; race timeout by TestOrder: no end: all goroutines wait; stress killed by TestOrder: deadlock",
		"Box.Take/fifo-to-lifo/1 killed; plain killed by TestOrder: took 2 and 1; race killed by TestOrder: took 2 and 1; stress killed by TestOrder: wrong-result",
		"Box.Take/delete-send/1 equivalent; plain survived; race survived; stress survived",
		"Box.Close/cas-to-load-and-store/1 killed; plain survived; race survived; stress killed by TestClosesOnce: wrong-result",
		"Box.Close/negate-condition/1 survived; plain survived; race survived; stress survived",
		"Box.Last/delete-unlock/1 uncovered",
	})
	if s := r.Score(); s != 5.0/7 || w.began.Mutants != 8 || !w.ended || len(w.notes) > 0 {
		t.Errorf("score %v, %+v", s, w)
	}
	survivor := r.Mutants[6]
	if want := "box.go:62:5 negate-condition in (*Box).Close: b.closed.CompareAndSwap(false, true) is negated"; survivor.Title() != want ||
		!slices.Equal(survivor.Tests, []string{"TestClosesOnce"}) || !strings.Contains(survivor.Diff, "\n+\tif !b.closed.CompareAndSwap(false, true) {\n") {
		t.Errorf("got %s, %v\n%s\nwant %s", survivor.Title(), survivor.Tests, survivor.Diff, want)
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("the module was changed: %v, now %v", before, after)
	}
}

var times = flag.Int("times", 2, "how often the unmutated code is tested in each way")

// TestUnmutatedSurvives: what is not changed is not killed in any way.
func TestUnmutatedSurvives(t *testing.T) {
	box(t)
	o := these("plain,race,stress")
	s, err := newSession(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.mutants) < *times {
		t.Fatalf("%d mutants", len(s.mutants))
	}
	s.mutants = s.mutants[:*times]
	for _, m := range s.mutants {
		m.Edits = nil
	}
	r, err := s.finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range results(r) {
		if !strings.HasSuffix(line, " equivalent; plain survived; race survived; stress survived") {
			t.Error(line)
		}
	}
	if len(r.Mutants) != *times {
		t.Errorf("%d mutants", len(r.Mutants))
	}
}

// TestOrder: the results do not depend on how many mutants are tested at a time.
func TestOrder(t *testing.T) {
	box(t)
	var first []string
	for _, procs := range []int{1, 5} {
		o := these("plain", "Box.Put/append-in-front/1", "Box.Take/element-kept/1", "Box.Take/fifo-to-lifo/1", "Box.Close/delete-count/1", "Box.Last/delete-unlock/1")
		w := &watcher{}
		o.Procs, o.Observers = procs, report.Observers{w}
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := results(r); first == nil {
			first = got
		} else {
			differ(t, got, first)
		}
		for i, m := range r.Mutants {
			if w.ids[i] != m.ID {
				t.Errorf("%d processes: %s is reported in place of %s", procs, w.ids[i], m.ID)
			}
		}
	}
	differ(t, first, []string{
		"Box.Put/append-in-front/1 killed; plain killed by TestOrder: took 2 and 1",
		"Box.Take/element-kept/1 killed; plain killed by TestOrder: took 1 and 1",
		"Box.Take/fifo-to-lifo/1 killed; plain killed by TestOrder: took 2 and 1",
		"Box.Close/delete-count/1 killed; plain killed by TestClosesOnce: closed 0 times",
		"Box.Last/delete-unlock/1 uncovered",
	})
}

// TestGoesOn: a run that was stopped goes on with its journal, whose last line may be torn; what was tested
// is not tested again until its file or the tests have changed.
func TestGoesOn(t *testing.T) {
	dir := box(t)
	o := these("plain", "Box.Put/append-in-front/1", "Box.Take/element-kept/1", "Box.Close/negate-condition/1")
	o.Out, o.Procs = "out", 1
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	o.Observers = report.Observers{&watcher{done: func() { cancel(stopped) }}}
	r, err := Run(ctx, o)
	if !errors.Is(err, stopped) || !r.Interrupted || len(r.Mutants) != 1 {
		t.Fatalf("%v, %+v", err, r)
	}
	file, err := os.OpenFile(filepath.Join("out", journalName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"key":{"package":"exam`); err != nil {
		t.Fatal(err)
	}
	file.Close()
	o.Observers = nil
	resumed := func() (n int) {
		r, err := Run(t.Context(), o)
		if err != nil || len(r.Mutants) != 3 || r.Mutants[2].Status != report.MutantSurvived {
			t.Fatalf("%v, %q", err, results(r))
		}
		for _, m := range r.Mutants {
			for _, trial := range m.Trials {
				if trial.Resumed {
					n++
				}
			}
		}
		return n
	}
	if n := resumed(); n != 1 {
		t.Errorf("%d results are from the journal, want 1", n)
	}
	if n := resumed(); n != 3 {
		t.Errorf("%d results are from the journal, want 3", n)
	}
	source := filepath.Join(dir, "box.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, append(text, "\n// another commit\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := resumed(); n != 0 {
		t.Errorf("%d results are from the journal of another source", n)
	}
}

// TestCut: a survivor whose executions the budget has cut says so, also when it comes from the journal.
func TestCut(t *testing.T) {
	box(t)
	o := these("stress", "Box.Close/negate-condition/1")
	o.Out, o.Executions, o.Budget = "out", 1_000_000, time.Second
	first := report.Trial{}
	for resumed := range 2 {
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		trial := r.Mutants[0].Trials[0]
		if !trial.Cut() || trial.Executions == 0 || trial.Planned != o.Executions || trial.Resumed != (resumed == 1) {
			t.Errorf("%+v", trial)
		}
		if trial.Resumed = false; resumed == 0 {
			first = trial
		} else if trial.Executions != first.Executions {
			t.Errorf("%+v, before %+v", trial, first)
		}
	}
	o.Out, o.Executions, o.Budget = "", 20, time.Minute
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if trial := r.Mutants[0].Trials[0]; trial.Cut() || trial.Executions != 20 || trial.Planned != 20 {
		t.Errorf("all executions: %+v", trial)
	}
}

// TestJournalRefused: a file that is none of ours, or is in use, is left as it is.
func TestJournalRefused(t *testing.T) {
	for text, want := range map[string]string{
		"my notes\n": "found no journal of stress mutate", "my notes": "found no journal of stress mutate", `{"schema":9,"kind":"journal of stress mutate"}` + "\n": "it has schema 9, want 1",
		`{"schema":1,"kind":"journal of stress mutate"}` + "\n{}\n": "line 2: found no result",
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, journalName)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var input *suite.InputError
		if _, err := openJournal(dir); !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
		if after, err := os.ReadFile(name); err != nil || string(after) != text {
			t.Errorf("%q is now %q, %v", text, after, err)
		}
	}
	dir := t.TempDir()
	first, err := openJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer first.close()
	if _, err := openJournal(dir); err == nil || !strings.Contains(err.Error(), "another run uses it") {
		t.Errorf("a second run: %v", err)
	}
}
