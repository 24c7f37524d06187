//go:build chaos

package pool_test

import (
	"context"
	"errors"
	"go/ast"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/self"
	"github.com/rouse-go/rouse/pool"
)

// The entries that take a handle, called with w. Each is to be refused on any
// goroutine but w's, before it has done anything.
var handleEntries = map[string]func(w *pool.Worker, other *pool.Pool){
	"Worker.Join":         func(w *pool.Worker, _ *pool.Pool) { w.Join(never, never) },
	"Worker.JoinContext":  func(w *pool.Worker, _ *pool.Pool) { w.JoinContext(neverMigrated, neverMigrated) },
	"Worker.Scope":        func(w *pool.Worker, _ *pool.Pool) { w.Scope(neverScope) },
	"Worker.ScopeFIFO":    func(w *pool.Worker, _ *pool.Pool) { w.ScopeFIFO(neverScope) },
	"Worker.ScopeContext": func(w *pool.Worker, _ *pool.Pool) { _ = w.ScopeContext(background, neverScope) },
	"Worker.InPlaceScope": func(w *pool.Worker, o *pool.Pool) { _ = w.InPlaceScope(o, neverScope) },
	"Worker.Go":           func(w *pool.Worker, _ *pool.Pool) { w.Go(never) },
	"Worker.GoFIFO":       func(w *pool.Worker, _ *pool.Pool) { w.GoFIFO(never) },
	"Worker.GoN":          func(w *pool.Worker, _ *pool.Pool) { w.GoN(3, func(*pool.Worker, int) { panic("ran") }) },
	"Worker.GoBroadcast":  func(w *pool.Worker, _ *pool.Pool) { w.GoBroadcast(never) },
	"Worker.Broadcast":    func(w *pool.Worker, o *pool.Pool) { _ = w.Broadcast(o, never) },
	"Worker.Run":          func(w *pool.Worker, o *pool.Pool) { _ = w.Run(o, func(*pool.Worker) error { panic("ran") }) },
	"Worker.Wait":         func(w *pool.Worker, o *pool.Pool) { _ = w.Wait(new(pool.Future[int])) },
	"Worker.Close":        func(w *pool.Worker, o *pool.Pool) { _ = w.Close(background, o) },
	"Worker.Isolated":     func(w *pool.Worker, _ *pool.Pool) { w.Isolated(never) },
	"Worker.Blocking":     func(w *pool.Worker, _ *pool.Pool) { w.Blocking(func() { panic("ran") }) },
	"Worker.YieldNow":     func(w *pool.Worker, _ *pool.Pool) { w.YieldNow() },
	"Worker.Saturated":    func(w *pool.Worker, _ *pool.Pool) { w.Saturated() },
	"Worker.YieldLocal":   func(w *pool.Worker, _ *pool.Pool) { w.YieldLocal() },

	"Join":         func(w *pool.Worker, _ *pool.Pool) { pool.Join(w, neverTyped, 1, 2) },
	"Fn.Join":      func(w *pool.Worker, _ *pool.Pool) { neverFn.Join(w, 1, 2) },
	"Spawn":        func(w *pool.Worker, _ *pool.Pool) { pool.Spawn(w, func(*pool.Worker) (int, error) { panic("ran") }) },
	"Future.Await": func(w *pool.Worker, _ *pool.Pool) { _, _ = new(pool.Future[int]).Await(w) },
}

// The methods of a handle that any goroutine may call.
var anywhere = []string{"Worker.Index", "Worker.Pool", "Worker.HasPendingTasks"}

// The entries for outsiders that block.
var outsidersEntries = map[string]func(p *pool.Pool){
	"Pool.Run":              func(p *pool.Pool) { _ = p.Run(background, func(*pool.Worker) error { panic("ran") }) },
	"Pool.Broadcast":        func(p *pool.Pool) { _ = p.Broadcast(background, never) },
	"Pool.InPlaceScope":     func(p *pool.Pool) { _ = p.InPlaceScope(neverScope) },
	"Pool.InPlaceScopeFIFO": func(p *pool.Pool) { _ = p.InPlaceScopeFIFO(neverScope) },
	"Future.Wait":           func(*pool.Pool) { _, _ = new(pool.Future[int]).Wait(background) },
}

// Those that block only where injection is bounded.
var boundedEntries = map[string]func(p *pool.Pool){
	"Pool.Go":        func(p *pool.Pool) { _ = p.Go(never) },
	"Pool.GoContext": func(p *pool.Pool) { _ = p.GoContext(background, never) },
	"Pool.GoN":       func(p *pool.Pool) { _ = p.GoN(3, func(*pool.Worker, int) { panic("ran") }) },
	"Submit":         func(p *pool.Pool) { pool.Submit(background, p, func(*pool.Worker) (int, error) { panic("ran") }) },
}

// The methods of a pool that workers may call; Close returns an error.
var forWorkers = []string{"Pool.Group", "Pool.TryGo", "Pool.GoBroadcast", "Pool.Close", "Pool.Name", "Pool.Workers", "Pool.Stats", "Pool.State", "Pool.Counters"}

func never(*pool.Worker)               { panic("ran") }
func neverMigrated(*pool.Worker, bool) { panic("ran") }
func neverScope(*pool.Scope)           { panic("ran") }
func neverTyped(*pool.Worker, int) int { panic("ran") }

var neverFn = pool.NewFn(func(*pool.Fn[int, int], *pool.Worker, int) int { panic("ran") })

// Catches: an entry that has been added without a decision whose it is.
func TestEveryEntryIsSomebodys(t *testing.T) {
	known := map[string]bool{}
	for name := range handleEntries {
		known[name] = true
	}
	for _, entries := range []map[string]func(p *pool.Pool){outsidersEntries, boundedEntries} {
		for name := range entries {
			known[name] = true
		}
	}
	for _, name := range append(anywhere, forWorkers...) {
		known[name] = true
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[*pool.Worker](), reflect.TypeFor[*pool.Pool]()} {
		for i := range typ.NumMethod() {
			if name := typ.Elem().Name() + "." + typ.Method(i).Name; !known[name] {
				t.Errorf("%s: which goroutines may call it?", name)
			}
		}
	}
	for name := range loopEntries {
		known[name] = true
	}
	for _, name := range []string{"Scope.Go", "Scope.GoN", "Fn.Call"} { // tested below; a mere call
		known[name] = true
	}
	for _, f := range parsed(t, func(name string) bool { return !strings.HasSuffix(name, "_test.go") }) {
		for _, d := range f.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || !takesHandle(f) {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				name = receiverOf(f.Recv.List[0].Type) + "." + name
			}
			if !known[name] {
				t.Errorf("%s takes a handle: is it checked?", name)
			}
		}
	}
}

// takesHandle reports whether a parameter is a *Worker.
func takesHandle(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		_, pointer := p.Type.(*ast.StarExpr)
		return pointer && receiverOf(p.Type) == "Worker"
	})
}

// misused calls f and returns the *MisuseError that it panics with; nil if it
// returns.
func misused(t *testing.T, name string, f func()) (e *pool.MisuseError) {
	t.Helper()
	v := panicOf(f)
	if v == nil {
		return nil
	}
	err, _ := v.(error)
	if !errors.As(err, &e) {
		t.Errorf("%s: panicked with %v", name, v)
	}
	return e
}

func wantMisuse(t *testing.T, name string, got *pool.MisuseError, want pool.MisuseError) {
	t.Helper()
	if got == nil {
		t.Errorf("%s was not detected", name)
		return
	}
	if got.Handle != want.Handle || got.Caller != want.Caller || want.Instead == "" != (got.Instead == "") {
		t.Errorf("%s: %+v, want %+v", name, *got, want)
	}
	if base, _, _ := strings.Cut(name, "Context"); got.Entry != name && got.Entry != base {
		t.Errorf("%s: it is called %s", name, got.Entry)
	}
}

func tellsApart(t *testing.T) {
	t.Helper()
	if !self.Known {
		t.Skip("this platform does not distinguish goroutines, so nothing is detected")
	}
}

func TestWorkerCallsTheEntryForOutsiders(t *testing.T) {
	tellsApart(t)
	p, other := newPool(t, 1, pool.WithName("x")), newPool(t, 1)
	bounded := newPool(t, 1, pool.WithMaxInjected(100))
	accuse := func(w *pool.Worker) {
		for _, q := range []*pool.Pool{p, other} {
			for name, call := range outsidersEntries {
				wantMisuse(t, name, misused(t, name, func() { call(q) }), pool.MisuseError{Caller: "worker 0 of x", Instead: "something"})
			}
		}
		for name, call := range boundedEntries {
			wantMisuse(t, name, misused(t, name, func() { call(bounded) }), pool.MisuseError{Caller: "worker 0 of x", Instead: "something"})
		}
	}
	run(t, p, func(w *pool.Worker) {
		accuse(w)
		w.Scope(func(s *pool.Scope) { s.Go(w, accuse) }) // on top of a wait
		e := misused(t, "Pool.Run", func() { outsidersEntries["Pool.Run"](p) })
		if want := "pool: Pool.Run is for outsiders: worker 0 of x called it in a job, and would have been blocked by it; want Worker.Run, or Worker.Blocking around it"; e == nil || e.Error() != want {
			t.Errorf("%v", e)
		}
		// What is right is not accused.
		if err := p.Go(func(*pool.Worker) {}); err != nil {
			t.Error(err)
		}
		w.Blocking(func() {
			run(t, p, func(w *pool.Worker) { fib(w, 5) })
			const name = "Pool.Broadcast"
			wantMisuse(t, name, misused(t, name, func() { outsidersEntries[name](p) }), pool.MisuseError{Caller: "worker 0 of x", Instead: "something"})
		})
		ended := make(chan struct{})
		go func() { defer close(ended); works(t, other) }()
		<-ended
		if err := w.Run(other, func(w *pool.Worker) error {
			return w.Run(p, func(w *pool.Worker) error {
				accuse(w)
				return nil
			})
		}); err != nil {
			t.Error(err)
		}
	})
	// A fresh goroutine takes the worker's place, and the old one's number is free.
	if err := p.Run(background, func(*pool.Worker) error { runtime.Goexit(); return nil }); err != pool.ErrGoexit {
		t.Error(err)
	}
	run(t, p, accuse)
	for range 100 {
		ended := make(chan struct{})
		go func() { defer close(ended); works(t, p) }()
		<-ended
	}
}

func TestCapturedHandle(t *testing.T) {
	tellsApart(t)
	p, other := newPool(t, 2, pool.WithName("x")), newPool(t, 1, pool.WithName("y"))
	run(t, p, func(w *pool.Worker) {
		name := "worker 0 of x"
		if w.Index() == 1 {
			name = "worker 1 of x"
		}
		for entry, call := range handleEntries {
			ended := make(chan *pool.MisuseError)
			go func() { ended <- misused(t, entry, func() { call(w, other) }) }()
			wantMisuse(t, entry, <-ended, pool.MisuseError{Handle: name})
			if err := w.Run(other, func(*pool.Worker) error {
				wantMisuse(t, entry, misused(t, entry, func() { call(w, other) }), pool.MisuseError{Handle: name, Caller: "worker 0 of y"})
				return nil
			}); err != nil {
				t.Error(err)
			}
		}
		w.Scope(func(s *pool.Scope) {
			ended := make(chan *pool.MisuseError, 2)
			go func() {
				ended <- misused(t, "Scope.Go", func() { s.Go(w, never) })
				ended <- misused(t, "Scope.GoN", func() { s.GoN(w, 1, func(*pool.Worker, int) { panic("ran") }) })
			}()
			wantMisuse(t, "Scope.Go", <-ended, pool.MisuseError{Handle: name})
			wantMisuse(t, "Scope.GoN", <-ended, pool.MisuseError{Handle: name})
			s.Go(nil, func(*pool.Worker) {})
		})
		e := misused(t, "nil", func() { (*pool.Worker)(nil).Go(never) })
		if e == nil || !strings.Contains(e.Error(), "the handle of no worker (nil)") {
			t.Errorf("nil handle: %v", e)
		}
	})
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := p.Close(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Under control tasks run on the goroutines of others before them, which a Goexit leaves as they
// were: an outsider is none of the worker that was there.
func TestCloseOnTheRemainsOfAWorker(t *testing.T) {
	e, err := control.New(control.Options{Strategy: strategy.Random()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for n := range 20 {
		r, _ := e.Run(strategy.ChildKey(1, n), func() {
			p, err := pool.New(2)
			if err != nil {
				t.Error(err)
				return
			}
			if err := p.Run(context.Background(), func(*pool.Worker) error { runtime.Goexit(); return nil }); err != pool.ErrGoexit {
				t.Errorf("execution %d: a Goexit ended a run with %v", n, err)
			}
			if n%2 == 0 {
				return // the workers are abandoned, and their goroutines the next to be used
			}
			if err := p.Close(context.Background()); err != nil {
				t.Errorf("execution %d: %v", n, err)
			}
		})
		if want := []verdict.Verdict{verdict.Leak, verdict.Pass}[n%2]; r.Verdict != want {
			t.Errorf("execution %d: %s: %s, want %s", n, r.Verdict, r.Summary, want)
		}
	}
}

// loopEntries are the loops, called with w. Each is to be refused on any goroutine
// but w's, before it has done anything.
var loopEntries = map[string]func(w *pool.Worker){
	"For":      func(w *pool.Worker) { pool.For(w, 1, func(*pool.Worker, int) { panic("ran") }) },
	"ForRange": func(w *pool.Worker) { pool.ForRange(w, 1, func(*pool.Worker, int, int) { panic("ran") }) },
	"ForEach":  func(w *pool.Worker) { pool.ForEach(w, one, func(*pool.Worker, *int) { panic("ran") }) },
	"Map":      func(w *pool.Worker) { pool.Map(w, one, neverTyped) },
	"ForErr":   func(w *pool.Worker) { _ = pool.ForErr(w, 1, func(*pool.Worker, int) error { panic("ran") }) },
	"MapErr": func(w *pool.Worker) {
		_, _ = pool.MapErr(w, one, func(*pool.Worker, int) (int, error) { panic("ran") })
	},
	"Filter": func(w *pool.Worker) { pool.Filter(w, one, neverChosen) },
	"Reduce": func(w *pool.Worker) { pool.Reduce(w, one, 0, neverTwo) },
	"Fold":   func(w *pool.Worker) { pool.Fold(w, one, neverInit, neverTwo, neverTwo) },
	"FoldRange": func(w *pool.Worker) {
		pool.FoldRange(w, 1, neverInit, func(*pool.Worker, int, int, int) int { panic("ran") }, neverTwo)
	},
	"Find":           func(w *pool.Worker) { pool.Find(w, one, neverChosen) },
	"FindAny":        func(w *pool.Worker) { pool.FindAny(w, one, neverChosen) },
	"Sort":           func(w *pool.Worker) { pool.Sort(w, one) },
	"SortFunc":       func(w *pool.Worker) { pool.SortFunc(w, one, neverOrder) },
	"SortStableFunc": func(w *pool.Worker) { pool.SortStableFunc(w, one, neverOrder) },
	"ForEachSeq":     func(w *pool.Worker) { pool.ForEachSeq(w, slices.Values(one), func(*pool.Worker, int) { panic("ran") }) },
	"MapSeq":         func(w *pool.Worker) { pool.MapSeq(w, slices.Values(one), neverTyped) },
}

var one = []int{1}

func neverChosen(*pool.Worker, int) bool  { panic("ran") }
func neverTwo(*pool.Worker, int, int) int { panic("ran") }
func neverInit() int                      { panic("ran") }
func neverOrder(int, int) int             { panic("ran") }

func TestLoopWithCapturedHandle(t *testing.T) {
	tellsApart(t)
	p := newPool(t, 1, pool.WithName("x"))
	run(t, p, func(w *pool.Worker) {
		for entry, call := range loopEntries {
			ended := make(chan *pool.MisuseError)
			go func() { ended <- misused(t, entry, func() { call(w) }) }()
			wantMisuse(t, entry, <-ended, pool.MisuseError{Handle: "worker 0 of x"})
		}
	})
}
