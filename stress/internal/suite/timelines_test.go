package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// drawn runs one test, and returns what observers are notified of. The report at the end keeps no timelines.
func drawn(t *testing.T, o Options) (r report.TestReport) {
	t.Helper()
	o.Timelines, o.Observers = true, report.Observers{report.EachTest(func(done report.TestReport) { r = done })}
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
		func() { mu.Unlock() }()
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
		"go main 14 -> main/0 0", "unlock main 27 -> main/0 17", "send main/0 20 -> main 29", "timer clock 26 -> main 27",
		"hold from main 14 to main 27", "hold from main/0 17 to main/0 18", "hold from main 31", "wait from main 32", "20: 0 of 1", "22: 1 of 1",
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
	if last := l.Steps[len(l.Steps)-1]; last.Line != 32 || last.Text != "sync.(*Mutex).Lock" || !slices.Equal(last.Remarks, []string{"waits"}) || last.Step == 0 {
		t.Errorf("the lock that main does not get is %+v", last)
	}
	for _, s := range l.Steps {
		switch {
		case s.Line == 18 && (len(s.Callers) == 0 || l.Frames[s.Callers[0]].File != "lines_test.go" || l.Frames[s.Callers[0]].Line != 18):
			t.Errorf("the call of a function has callers %v of %v", s.Callers, l.Frames)
		case s.Via != nil && (s.Line != 22 || !s.Via.Send || s.Text != "select sends"):
			t.Errorf("the select %+v", s)
		}
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

// TestPartners: the timeline and the text of a test, in which nothing is changed, say which tasks have used the other
// side of what is waited for, also by selects that had waited; of a panic they say what had closed the channel.
func TestPartners(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/partners\n\ngo 1.25\n",
		"partners_test.go": `package partners

import (
	"sync"
	"testing"
	"time"
)

func TestWaits(t *testing.T) {
	values, quit := make(chan int), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		select {
		case <-values:
		case <-quit:
		}
	})
	wg.Go(func() { <-quit })
	go func() {
		select {
		case <-values:
		case <-quit:
		}
	}()
	time.Sleep(time.Millisecond)
	values <- 1
	time.Sleep(time.Millisecond)
	values <- 1
	time.Sleep(time.Millisecond)
	go wg.Wait()
	values <- 1
}

func TestCloses(t *testing.T) {
	values, quit := make(chan int), make(chan bool)
	var done sync.WaitGroup
	done.Go(func() {
		select {
		case <-quit:
		case values <- 1:
		}
	})
	close(values)
	done.Wait()
}
`})
	o := real(t, dir)
	o.Run = "TestWaits"
	r := drawn(t, o)
	if r.Timelines == nil {
		t.Fatalf("%+v", r)
	}
	got := map[string]string{}
	for _, w := range r.Timelines.Minimal.Waits {
		text := regexp.MustCompile(`, step \d+`).ReplaceAllString(w.Partners, "")
		got[w.Task] = text
		if !strings.Contains(r.Page.Text(0), "\n    "+w.Partners+"\n") {
			t.Errorf("no %q in %s", w.Partners, r.Page.Text(0))
		}
	}
	const none = "no task has sent to it or closed it"
	want := map[string]string{
		"main": "last received by main/2 at partners_test.go:20 (ended), main/0 at partners_test.go:13 (ended)", "main/1": none,
		"main/3": "last Done by main/0 (ended); its Go has started main/1 (waits)",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	o.Run = "TestCloses"
	if r = drawn(t, o); r.Page == nil {
		t.Fatalf("%+v", r)
	}
	if text := r.Page.Text(0); !regexp.MustCompile(`(?m)^closed +main's close \[\d+\] at partners_test.go:43, step \d+$`).MatchString(text) {
		t.Error(text)
	}
}

// TestWithSources: the function around a step, as much of a long one as is near, less around a caller, the
// case of a select; and nothing of a file that is not there.
func TestWithSources(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module a\n", "a.go": `package a

func short(c, d chan int) {
	select {
	case c <- 1:
	case <-d:
	case <-c:
	}
	select {
	case <-d:
	default:
	}
}

func long() {
` + strings.Repeat("\tprintln()\n", 70) + "}\n"})
	t.Chdir(dir)
	file := filepath.Join(dir, "a.go")
	step := func(line int, via *explain.Communication) explain.Step {
		return explain.Step{File: file, Line: line, Kind: "select", Text: "select", Objects: []int{2, 7}, Via: via}
	}
	waits := func(line, from int) explain.Step {
		polls := []explain.Communication{{Object: 6, Send: true}, {Object: 7}, {Object: 8}}
		return explain.Step{File: file, Line: line, Kind: "select", Text: "select", Polls: polls[from:]}
	}
	sends, receives, beyond := &explain.Communication{Object: 7, Send: true}, &explain.Communication{Object: 7, Nth: 1}, &explain.Communication{Object: 7, Nth: 2}
	for _, test := range []struct {
		name  string
		line  explain.Timeline
		lines string
		place int
		named map[int]string
	}{
		{"a short function", explain.Timeline{Steps: []explain.Step{step(4, nil)}}, "3-13", 4, nil},
		{"the case that sends", explain.Timeline{Steps: []explain.Step{step(4, sends)}}, "3-13", 5, map[int]string{7: "c (a.go:3)"}},
		{"the second that receives", explain.Timeline{Steps: []explain.Step{step(4, receives)}}, "3-13", 7, map[int]string{7: "c (a.go:3)"}},
		{"a case that is not there", explain.Timeline{Steps: []explain.Step{step(4, beyond)}}, "3-13", 4, nil},
		{"a select that waits", explain.Timeline{Steps: []explain.Step{waits(4, 0)}}, "3-13", 4, map[int]string{6: "c (a.go:3)", 7: "d (a.go:3)", 8: "c #2 (a.go:3)"}},
		{"one that has nil channels", explain.Timeline{Steps: []explain.Step{waits(4, 1)}}, "3-13", 4, nil},
		{"a case with a default", explain.Timeline{Steps: []explain.Step{waits(10, 2)}}, "3-13", 10, map[int]string{8: "d (a.go:3)"}},
		{"a long function", explain.Timeline{Steps: []explain.Step{step(40, nil)}}, "28-52", 40, nil},
		{"its beginning", explain.Timeline{Steps: []explain.Step{step(16, nil)}}, "15-28", 16, nil},
		{"no function", explain.Timeline{Steps: []explain.Step{step(1, nil)}}, "1-13", 1, nil},
		{"a caller", explain.Timeline{Steps: []explain.Step{{}}, Frames: []explain.Frame{{File: file, Line: 40}}}, "37-43", 0, nil},
		{"no file", explain.Timeline{Steps: []explain.Step{{File: "gone.go", Line: 1}}}, "", 1, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := &explain.Timelines{Found: &test.line}
			WithSources(all, nil)
			got := ""
			if numbers := slices.Sorted(maps.Keys(all.Sources["a.go"])); len(numbers) > 0 {
				got = fmt.Sprintf("%d-%d", numbers[0], numbers[len(numbers)-1])
			}
			if got != test.lines {
				t.Errorf("lines %s, want %s", got, test.lines)
			}
			if s := test.line.Steps[0]; s.Line != test.place || !maps.Equal(test.line.Objects, test.named) {
				t.Errorf("line %d, objects %v", s.Line, test.line.Objects)
			}
		})
	}
	WithSources(nil, nil)
}
