package suite

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// drawn runs one test, and returns what observers are notified of. The report at the end keeps no timelines.
func drawn(t *testing.T, o Options) (r report.TestReport) {
	t.Helper()
	o.Timelines, o.Observers = true, []report.TestObserver{&onTest{func(done report.TestReport) { r = done }}}
	if one(t, o).Timelines != nil {
		t.Error("the report at the end has the timelines")
	}
	return r
}

// TestTimelines: the timelines of tests of a module, in which nothing is changed, have what happens before what,
// what is held, what channels hold, which case a select takes, what is waited for, and the lines of the sources.
func TestTimelines(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/lines\n\ngo 1.25\n",
		"lines_test.go": `package lines

import (
	"sync"
	"testing"
	"time"
)

func TestLines(t *testing.T) {
	var mu sync.Mutex
	values, quit := make(chan int, 1), make(chan bool)
	var wg sync.WaitGroup
	wg.Add(1)
	mu.Lock()
	go func() {
		defer wg.Done()
		mu.Lock()
		mu.Unlock()
		time.Sleep(time.Millisecond)
		values <- 1
		select {
		case values <- 2:
		case <-quit:
		}
	}()
	time.Sleep(time.Millisecond)
	mu.Unlock()
	<-values
	close(quit)
	wg.Wait()
	mu.Lock()
	mu.Lock()
}
`})
	o := real(t, dir)
	r := drawn(t, o)
	if r.Timelines == nil || r.Timelines.Minimal == nil {
		t.Fatalf("%+v", r)
	}
	l := r.Timelines.Minimal
	var got []string
	place := func(i int) string {
		s := l.Steps[i]
		return fmt.Sprintf("%s %d", l.Lanes[s.Lane].Task, s.Line)
	}
	for _, e := range l.Edges {
		got = append(got, e.Kind+" "+place(e.From)+" -> "+place(e.To))
		if e.To <= e.From {
			t.Errorf("edge %+v goes back", e)
		}
	}
	for _, s := range l.Spans {
		text := s.Kind + " from " + place(s.From)
		if s.To >= 0 {
			text += " to " + place(s.To)
		}
		got = append(got, text)
	}
	for _, s := range l.Steps {
		if s.Value != "" {
			got = append(got, fmt.Sprintf("%d: %s", s.Line, s.Value))
		}
	}
	for _, want := range []string{
		"go main 14 -> main/0 0", "unlock main 27 -> main/0 17", "send main/0 20 -> main 29", "timer clock 0 -> main 27",
		"hold from main 14 to main 27", "hold from main/0 17 to main/0 18", "hold from main 31", "wait from main 31", "20: 0 of 1", "21: sends to [5], 1 of 1",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
	if len(l.Waits) != 1 || !slices.Equal(l.Waits[0].For, []string{"main"}) {
		t.Errorf("waits %+v", l.Waits)
	}
	if text := r.Timelines.Sources["lines_test.go"][17]; text != "\t\tmu.Lock()" {
		t.Errorf("line 17 is %q", text)
	}
	if name := l.Objects[l.Waits[0].Object]; name != "mu (lines_test.go:10)" {
		t.Errorf("what is waited for is %q", name)
	}
	again := real(t, dir)
	again.Out = filepath.Join(dir, "out")
	first, _ := json.Marshal(l)
	if second, _ := json.Marshal(drawn(t, again).Timelines.Minimal); string(first) != string(second) {
		t.Errorf("another timeline with the same seed:\n%s\n%s", first, second)
	}
}

// TestWithSources: lines around a step, and not those of a file that is not there.
func TestWithSources(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.go": "1\n2\n3\n4\n5\n6"})
	t.Chdir(dir)
	lines := &explain.Timelines{Found: &explain.Timeline{Steps: []explain.Step{{File: filepath.Join(dir, "a.go"), Line: 2}, {File: "gone.go", Line: 1}, {}}}}
	WithSources(lines, nil)
	if got := fmt.Sprint(lines.Sources); got != "map[a.go:map[1:1 2:2 3:3 4:4 5:5]]" {
		t.Error(got)
	}
	WithSources(nil, nil)
}
