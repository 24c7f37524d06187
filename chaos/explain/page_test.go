package explain

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// did is an event of a task of a Runtime: a call of a function at a line, on an object.
func did(step int, task string, kind strategy.Kind, call string, object, line int) control.Event {
	return control.Event{
		Task: task, Name: "queue_test.go:12", Entry: "work", Step: step, Kind: kind, Call: call, Object: object,
		Site: runtime.Frame{File: "/src/queue/queue.go", Line: line},
	}
}

// joined sets Stays, as a trace has it.
func joined(events ...control.Event) []control.Event {
	for i := range events {
		events[i].Stays = i > 0 && events[i-1].Task == events[i].Task
	}
	return events
}

// TestCallsAreOneRow: what a function of a library does is one operation to the user, as is an operation
// that waits.
func TestCallsAreOneRow(t *testing.T) {
	begins := did(1, "main/0", strategy.Begin, "", 0, 0)
	begins.Site, begins.Entry = runtime.Frame{}, ""
	receives := did(5, "main/0", strategy.Receive, "", 7, 40)
	waits := receives
	waits.Waits = true
	joins := did(8, "main/1", strategy.Wait, "sync.(*Cond).Wait", 3, 36)
	joins.Waits = true
	got := tableOf(joined(
		begins,
		did(2, "main/0", strategy.Lock, "context.WithTimeout", 1, 20), did(3, "main/0", strategy.Lock, "context.WithTimeout", 2, 20),
		did(4, "main/0", strategy.Lock, "context.WithTimeout", 1, 21), receives, waits,
		did(6, "main/1", strategy.Signal, "sync.(*Cond).Wait", 3, 36), did(7, "main/1", strategy.Unlock, "sync.(*Cond).Wait", 2, 36), joins,
	))
	const want = `step | main/0 (queue_test.go:12)           | main/1 (queue_test.go:12)
   1 | begin work                          | 
   2 | context.WithTimeout [1] queue.go:20 | 
   4 | context.WithTimeout [1] queue.go:21 | 
   5 | receive [7] queue.go:40 (waits)     | 
   8 |                                     | sync.(*Cond).Wait [3] queue.go:36 (waits)
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// stuckOnLocks is an execution of that many tasks, each of which has a lock and waits for that of the next.
func stuckOnLocks(n int) *Report {
	r := &Report{Head: "deadlock", Result: control.Result{}}
	for i := range n {
		r.Events = append(r.Events, did(i+1, fmt.Sprintf("main/%d", i), strategy.Lock, "sync.(*Mutex).Lock", i+1, 31))
	}
	for i := range n {
		r.Result.Tasks = append(r.Result.Tasks, control.TaskState{
			Path: fmt.Sprintf("main/%d", i), Name: "queue_test.go:12", Kind: strategy.Lock, Waits: "waits for a lock", Object: (i+1)%n + 1, Since: n + i + 1,
			Call: "sync.(*Mutex).Lock", Stack: []runtime.Frame{{Function: "example.com/queue.(*Queue).Put", File: "/src/queue/queue.go", Line: 36}},
		})
	}
	joined(r.Events...)
	return r
}

// TestLocks: a table shows the waits for locks, and the explanation which tasks hold them.
func TestLocks(t *testing.T) {
	r := stuckOnLocks(2)
	r.Why = Explain(r.Events, r.Result.Tasks, nil, "")
	p := r.Page()
	p.Objects = map[int]string{1: "a.mu (queue.go:8)", 9: "unused"}
	p.EachFile(func(string) string { return "queue/queue.go" })
	const want = `deadlock

step | main/0 (queue_test.go:12)                  | main/1 (queue_test.go:12)
   1 | sync.(*Mutex).Lock [1] queue.go:31         | 
   2 |                                            | sync.(*Mutex).Lock [2] queue.go:31
   3 | sync.(*Mutex).Lock [2] queue.go:36 (waits) | 
   4 |                                            | sync.(*Mutex).Lock [1] queue.go:36 (waits)

[1] a.mu (queue.go:8)

locks         main/0 waits for [2]: main/1 has [2] since queue.go:31; main/1 waits for [1]: main/0 has [1] since queue.go:31

task main/0 (queue_test.go:12) waits for a lock [2], since step 3
    queue.(*Queue).Put (queue/queue.go:36)

task main/1 (queue_test.go:12) waits for a lock [1], since step 4
    queue.(*Queue).Put (queue/queue.go:36)`
	if got := p.Text(0); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Catches: a report that grows with the tasks that wait alike, a cycle or an object of which a part is missing, and tasks
// that are left out and not counted.
func TestManyWaitAlike(t *testing.T) {
	const many = control.MostNamed + 1
	page := func(r *Report) *Page {
		r.Why = Explain(r.Events, r.Result.Tasks, nil, "")
		return r.Page()
	}
	parts := func(p *Page) (n int) {
		for _, c := range p.Table.Columns {
			if c.Part {
				n++
			}
		}
		return n
	}
	p := page(stuckOnLocks(many)) // one cycle
	if n := parts(p); n != many || len(p.Left) != many || strings.Contains(p.Text(0), "more") {
		t.Errorf("of a cycle of %d tasks, %d are part of the failure:\n%s", many, n, p.Text(0))
	}
	alone := func(n int) *Report { // each waits for itself
		r := stuckOnLocks(n)
		for i := range r.Result.Tasks {
			r.Result.Tasks[i].Object = i + 1
		}
		return r
	}
	p = page(alone(many - 1))
	if n := parts(p); n != many-1 || len(p.Left) != many-1 {
		t.Errorf("of %d tasks, %d are part of the failure:\n%s", many-1, n, p.Text(0))
	}
	p = page(alone(1000))
	text := p.Text(0)
	for _, want := range []string{
		"main/0 has [1] since queue.go:31", "main/2 has [3] since queue.go:31; 997 others wait like these", "\n997 others: main/3 ... main/999\n",
		"task main/0 (queue_test.go:12) waits for a lock [1], since step 1001\n    queue.(*Queue).Put (/src/queue/queue.go:36)\n    and so do 997 others: main/3 ... main/999\n",
		"task main/2 ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q", want)
		}
	}
	if n := strings.Count(text, "\n"); n > 30 || parts(p) != control.FewNamed || len(p.Left) != control.FewNamed || len(p.Table.Columns) != 1000 {
		t.Errorf("%d lines, %d tasks left, %d columns:\n%s", n, len(p.Left), len(p.Table.Columns), text[:min(len(text), 5000)])
	}
	one := alone(many) // for one object
	for i := range one.Result.Tasks {
		one.Result.Tasks[i].Object, one.Result.Tasks[i].Since = 1, 100+i
	}
	p = page(one)
	if text := p.Text(0); len(p.Left) != 1 || len(p.Left[0].Alike) != many-control.FewNamed ||
		!strings.Contains(text, "3 tasks, main/0, main/1, main/2 (queue_test.go:12): each waits for a lock [1], since step 100, 101, 102\n") ||
		!strings.Contains(text, "\n    and so do 10 others: main/3 ... main/12") {
		t.Errorf("%d tasks that wait for one lock:\n%s", many, text)
	}
	one.Result.Tasks[many-1].Since, one.Events = 0, nil // a table is not there to show them
	if left := one.Page().Left; len(left) != 1 || left[0].Also() != "and so do 10 others: main/3 ... main/12" {
		t.Errorf("without events: %+v", left)
	}
}

// TestWidth: no line of a page is wider than it may be, however many tasks there are; those that do not
// take part in the failure are one line then, and of the data nothing is lost.
func TestWidth(t *testing.T) {
	for _, tasks := range []int{1, 2, 3, 8, 30} {
		for _, width := range []int{72, 112, 200} {
			r := stuckOnLocks(tasks)
			r.Result.Tasks = r.Result.Tasks[:min(tasks, 3)]
			r.Why = Explain(r.Events, r.Result.Tasks, nil, "")
			p := r.Page()
			text := p.Text(width)
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%d tasks: a line has %d columns, want %d:\n%s", tasks, n, width, text)
				}
			}
			for i := range min(tasks, 3) {
				if !strings.Contains(text, fmt.Sprintf("main/%d (queue_test.go:12)\n", i)) && !strings.Contains(text, fmt.Sprintf("main/%d (queue_test.go:12) ", i)) {
					t.Errorf("%d tasks, width %d: task %d takes part, and is not shown:\n%s", tasks, width, i, text)
				}
			}
			if folded := strings.Contains(text, " others: main/"); folded != (tasks == 30 || tasks == 8 && width == 72) {
				t.Errorf("%d tasks, width %d: tasks are left out: %v\n%s", tasks, width, folded, text)
			}
			if len(p.Table.Columns) != tasks || strings.Count(p.Text(0), "main/29") == 0 && tasks == 30 {
				t.Errorf("%d tasks: %d columns", tasks, len(p.Table.Columns))
			}
		}
	}
}

// TestTasksAtOnePlace: tasks that stand at one place are one paragraph.
func TestTasksAtOnePlace(t *testing.T) {
	r := stuckOnLocks(3)
	for i := range r.Result.Tasks {
		r.Result.Tasks[i].Object, r.Result.Tasks[i].Call = 1, "golang.org/x/sync/semaphore.(*Weighted).Acquire"
	}
	const want = "\n3 tasks, main/0, main/1, main/2 (queue_test.go:12): each waits for a lock [1] in semaphore.(*Weighted).Acquire, since step 4, 5, 6\n" +
		"    held by main/0 at queue.go:31, step 1 (waits)\n" +
		"    queue.(*Queue).Put (/src/queue/queue.go:36)"
	if got := r.String(); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", got, want)
	}
}

// TestCountsOfALibrary: where a library counts a WaitGroup, it is not said that nothing has called Done.
func TestCountsOfALibrary(t *testing.T) {
	adds := did(1, "main/0", strategy.Signal, "errgroup.(*Group).Go", 3, 30)
	ends := did(2, "main/1", strategy.Signal, "errgroup.(*Group).done", 3, 31)
	begins := did(3, "main/0", strategy.Wait, "errgroup.(*Group).Wait", 3, 32)
	begins.Waits = true
	left := control.TaskState{Path: "main/0", Kind: strategy.Wait, Waits: "waits for a WaitGroup", Object: 3, Since: 3}
	result := control.Result{Verdict: verdict.Deadlock, Tasks: []control.TaskState{left}}
	const want = "last counted by main/1 at queue.go:31, step 2 (has not ended), main/0 at queue.go:30, step 1 (waits)"
	if got := partnersIn(joined(adds, ends, begins), &result).of(left); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	adds.Call = "sync.(*WaitGroup).Add"
	if got, want := partnersIn(joined(adds, begins), &result).of(left), "no task has called Done; last Add by main/0 at queue.go:30, step 1 (waits)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStackOf: of the stack of a panic the user's frames are left.
func TestStackOf(t *testing.T) {
	r := Report{Head: "panic", Stack: StackOf(`goroutine 33 [running]:
sync.(*WaitGroup).Go.func1.1()
	/go/src/sync/waitgroup.go:251 +0x45
panic({0x623500?, 0x83c330?})
	/go/src/runtime/panic.go:860 +0x13a
example.com/shop/pan.TestNil.func2()
	/src/pan/pan_test.go:47 +0x61
created by sync.(*WaitGroup).Go in goroutine 31
	/go/src/sync/waitgroup.go:238 +0x73
`)}
	if got, want := r.String(), "panic\n\nstack of the panic\n    pan.TestNil.func2 (/src/pan/pan_test.go:47)"; got != want {
		t.Errorf("got %s", got)
	}
	if all := StackOf("a detail"); all != nil {
		t.Errorf("got %v", all)
	}
}

// TestTimelineOfARace: both accesses that the detector reports are marked at their lines, each in the lane of its
// task, and may not be hidden. So they are where the detector has reported the race before, in either order.
func TestTimelineOfARace(t *testing.T) {
	const read, write = "main/0: read in queue.reader at 20, kept true", "main/1: write in queue.writer at 41, kept true"
	for _, test := range []struct {
		races, first int
		want         string
	}{{1, 0, read + "|" + write}, {0, 0, read + "|" + write}, {0, 1, write + "|" + read}} {
		if got := markedRace(t, test.races, test.first); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}

// markedRace returns the marks of a race of two tasks, which is reported so often, in that order.
func markedRace(t *testing.T, races, begins int) string {
	t.Helper()
	first, second := did(1, "main/0", strategy.Begin, "", 0, 0), did(2, "main/1", strategy.Store, "sync.(*Mutex).Unlock", 1, 40)
	first.Site.Function, second.Races = "", races
	first.Entry = "reader"
	second.Site.Function = "example.com/queue.writer"
	events := []control.Event{first, second}
	if begins == 1 {
		slices.Reverse(events)
	}
	r := Report{Events: joined(events...), Result: control.Result{Verdict: verdict.DataRace, Summary: "a data race", Detail: `WARNING: DATA RACE
Write at 0x00c000012345 by goroutine 8:
  example.com/queue.writer()
      /src/queue/queue.go:41 +0x1d

Previous read at 0x00c000012345 by goroutine 7:
  example.com/queue.reader()
      /src/queue/queue.go:20 +0x2d
`}}
	l := r.Timeline(nil)
	if len(l.Marks) != 1 || l.Marks[0].Kind != "race" || len(l.Marks[0].Steps) != 2 {
		t.Fatalf("marks %+v", l.Marks)
	}
	var got []string
	for _, i := range l.Marks[0].Steps {
		s := l.Steps[i]
		got = append(got, fmt.Sprintf("%s: %s at %d, kept %v", l.Lanes[s.Lane].Task, s.Text, s.Line, s.Kept))
	}
	return strings.Join(got, "|")
}

// Catches: a frame that the text does not have, and one of the runtime.
func FuzzStackOf(f *testing.F) {
	f.Add("goroutine 1 [running]:\nruntime.gopanic({0x1})\n\t/go/src/runtime/panic.go:860 +0x1\nexample.com/m/q.(*Queue[...]).put(0x1, ...)\n\t/src/m/q/queue.go:12 +0x1\ncreated by main.main in goroutine 7\n\t/src/m/main.go:3 +0x1\n")
	f.Add("panic: x\n\ngoroutine 7 [select (no cases)]:\nm.f()\n\tC:/m/a.go:1\n")
	f.Add("goroutine 1 []:\n(\n()\n\t:\n")
	f.Add("goroutine 1 []:\nx()\n\ta:-1\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		for _, frame := range StackOf(text) {
			if !strings.Contains(text, frame.Function) || !strings.Contains(text, frame.File+":") || strings.ContainsAny(frame.Function+frame.File, "\n") || strings.HasPrefix(frame.Function, "runtime.") {
				t.Fatalf("%q has the frame %+v", text, frame)
			}
			if !strings.Contains(text, fmt.Sprint(abs(frame.Line))) && !strings.Contains(text, ":0") && !strings.Contains(text, "+") {
				t.Fatalf("%q has the line %d", text, frame.Line)
			}
		}
	})
}

func abs(n int) int { return max(n, -n) }
