//go:build chaos

package native

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/hooks"
)

// taskOf returns the events of the task at that path.
func taskOf(t *testing.T, e *Engine, path string) TaskEvents {
	t.Helper()
	for _, task := range e.Events() {
		if task.Path == path {
			return task
		}
	}
	t.Fatalf("no task %s", path)
	return TaskEvents{}
}

// living returns how many tasks the engine takes for alive.
func living(e *Engine) int {
	e.in.tasks.mu.Lock()
	defer e.in.tasks.mu.Unlock()
	n := 0
	for b := range e.in.tasks.buckets {
		for task := e.in.tasks.buckets[b].Load(); task != nil; task = task.below.Load() {
			n++
		}
	}
	if n != e.in.tasks.living {
		panic(fmt.Sprintf("%d tasks in the table, %d in the list", n, e.in.tasks.living))
	}
	return n
}

func TestPathsFollowProgramOrder(t *testing.T) {
	e := arm(t, 0)
	done := make(chan struct{})
	first := hooks.Task(func() { hooks.Name("first"); hooks.At(atPoint); done <- struct{}{} })
	second := hooks.Task(func() {
		hooks.Name("second")
		hooks.At(atPoint)
		go hooks.Task(func() { hooks.Name("grandchild"); hooks.At(atPoint); done <- struct{}{} })()
	})
	go second() // wrapped second, started first
	<-done
	go first()
	<-done
	for path, name := range map[string]string{"main": "", "main/0": "first", "main/1": "second", "main/1/0": "grandchild"} {
		if got := taskOf(t, e, path); got.Name != name {
			t.Errorf("%s is called %q, want %q", path, got.Name, name)
		}
	}
}

// The descriptor of a goroutine that has ended serves the next one. Whatever way
// a task ended, the goroutine that comes after it must be a new task.
func TestATaskThatEndedBequeathsNothing(t *testing.T) {
	e := arm(t, 0)
	for name, body := range map[string]func(){
		"return": func() { hooks.At(atPoint) },
		"panic":  func() { hooks.At(atPoint); panic("on purpose") },
		"Goexit": func() { hooks.At(atPoint); runtime.Goexit() },
	} {
		for range 200 {
			done := make(chan struct{})
			go func() {
				defer close(done)
				// The goroutine outlives its task: what follows is foreign.
				defer hooks.At(valuePoint)
				defer func() { _ = recover() }()
				hooks.Task(body)()
			}()
			<-done
			done = make(chan struct{})
			go func() { hooks.At(notifyPoint); close(done) }()
			<-done
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
	for _, task := range e.Events() {
		for i, v := range task.Events {
			isTask := strings.Count(task.Path, "/") == 2 // a child of a foreign goroutine
			if isTask != (v.Point == "native/at") {
				t.Fatalf("%s visited %s: %v", task.Path, v.Point, task)
			}
			if isTask && (i > 0 || v.Visit != 0 || !task.Ended) {
				t.Fatalf("%s went on with someone else's stream: %+v", task.Path, task)
			}
		}
	}
	if points := e.Counts().Points; len(points) != 3 || points[0].Hits != 600 {
		t.Errorf("counted %+v", points)
	}
}

// A body that is wrapped but called in place is a task of its own as long as it
// runs; then its caller is the task that it was.
func TestATaskWithinATask(t *testing.T) {
	e := arm(t, 0)
	hooks.At(atPoint)
	hooks.Task(func() {
		hooks.At(atPoint)
		hooks.Task(func() { hooks.At(atPoint) })()
		hooks.At(atPoint)
	})()
	hooks.At(atPoint)
	for path, want := range map[string]int{"main": 2, "main/0": 2, "main/0/0": 1} {
		if got := len(taskOf(t, e, path).Events); got != want {
			t.Errorf("%s has %d events, want %d", path, got, want)
		}
	}
	if n := living(e); n != 1 {
		t.Errorf("%d tasks live, want main alone", n)
	}
}

// Two goroutines cannot be one task: the second is foreign.
func TestABodyThatIsCalledTwice(t *testing.T) {
	e := arm(t, 0)
	done := make(chan struct{})
	body := hooks.Task(func() { hooks.At(atPoint); done <- struct{}{} })
	for range 3 {
		go body()
		<-done
	}
	if got := len(taskOf(t, e, "main/0").Events); got != 1 {
		t.Errorf("main/0 has %d events, want 1", got)
	}
	if p := e.Counts().Points; p[0].Hits != 3 {
		t.Errorf("counted %+v, want 3 visits", p)
	}
}

func TestTenThousandTasks(t *testing.T) {
	const n = 10_000
	e := arm(t, 0)
	var visited, ended sync.WaitGroup
	release := make(chan struct{})
	visited.Add(n)
	ended.Add(n)
	for range n {
		go hooks.Task(func() {
			defer ended.Done()
			for range 3 {
				hooks.At(atPoint)
			}
			visited.Done()
			<-release
			hooks.At(notifyPoint)
		})()
	}
	visited.Wait()
	if got := living(e); got != n+1 {
		t.Errorf("%d tasks live, want %d and main", got, n)
	}
	if got := e.Counts().Points; len(got) != 1 || got[0].Hits != 3*n {
		t.Errorf("while they live: %+v, want %d visits", got, 3*n)
	}
	paths := map[string]bool{}
	for _, task := range e.Events() {
		paths[task.Path] = true
	}
	if len(paths) != n+1 || !paths["main/0"] || !paths["main/9999"] {
		t.Errorf("%d paths, want main and main/0 to main/9999", len(paths))
	}
	close(release)
	ended.Wait()
	for living(e) > 1 {
		runtime.Gosched() // their last deferred call comes after ended.Done
	}
	want := []PointCount{{"native/at", 3 * n}, {"native/notify", n}}
	if got := e.Counts().Points; len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("when they have ended: %+v, want %+v", got, want)
	}
	if got := e.Progress(); got != 4*n {
		t.Errorf("Progress = %d, want %d", got, 4*n)
	}
	if got := len(e.Events()); got != keepEnded+1 {
		t.Errorf("events of %d tasks are kept, want %d and main", got, keepEnded)
	}
}

func TestForeignGoroutines(t *testing.T) {
	const n = 20
	e := arm(t, 0)
	var visited, ended sync.WaitGroup
	release := make(chan struct{})
	for range n {
		visited.Add(1)
		ended.Go(func() {
			hooks.At(atPoint)
			hooks.At(atPoint)
			visited.Done()
			<-release
		})
	}
	visited.Wait()
	for i := range n {
		task := taskOf(t, e, fmt.Sprintf("foreign/%d", i))
		if len(task.Events) != 2 || task.Events[1].Visit != 1 {
			t.Errorf("%s did %+v", task.Path, task.Events)
		}
	}
	close(release)
	ended.Wait()
}

// Children of a foreign goroutine are numbered below it.
func TestChildrenOfForeigners(t *testing.T) {
	e := arm(t, 0)
	done := make(chan struct{})
	go func() { go hooks.Task(func() { hooks.At(atPoint); close(done) })() }()
	<-done
	if got := len(taskOf(t, e, "foreign/0/0").Events); got != 1 {
		t.Errorf("foreign/0/0 has %d events", got)
	}
}

// A task that outlives its engine is ignored, and is foreign to the next.
func TestTasksOutliveTheEngine(t *testing.T) {
	first := arm(t, 0)
	step, done := make(chan struct{}), make(chan struct{})
	started := hooks.Task(func() {
		step <- struct{}{}
		<-step
		hooks.At(atPoint)
		close(done)
	})
	go started()
	<-step
	first.Disarm()
	second := arm(t, 0)
	step <- struct{}{}
	<-done
	if got := len(taskOf(t, second, "foreign/0").Events); got != 1 {
		t.Errorf("the second engine recorded %d events of it", got)
	}
	if got := first.Progress(); got != 0 {
		t.Errorf("the first engine saw %d visits", got)
	}
}

// Where goroutines cannot be distinguished, all share one task.
func TestGoroutinesThatAreAllAlike(t *testing.T) {
	const n, visits = 8, 1000
	in := newInjectorForTest(t)
	in.alike = true
	e := install(t, in)
	var all sync.WaitGroup
	for range n {
		all.Add(1)
		go hooks.Task(func() {
			defer all.Done()
			hooks.Name("unheard")
			for range visits {
				hooks.At(atPoint)
				hooks.Notify(notifyPoint)
			}
		})()
	}
	all.Wait()
	tasks := e.Events()
	if len(tasks) != 1 || tasks[0].Path != "foreign/0" || tasks[0].Name != "" {
		t.Fatalf("tasks %+v, want foreign/0 alone", tasks)
	}
	if got := tasks[0].Events[ringSize-1].Visit; got != n*visits-1 {
		t.Errorf("the last visit is number %d, want %d", got, n*visits-1)
	}
	counts := e.Counts()
	if counts.Points[0].Hits != n*visits || counts.Faults[0].Hits != n*visits || counts.Faults[1].Fires != 5 {
		t.Errorf("counted %+v", counts)
	}
}
