package pool

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/rouse-go/rouse/internal/proptest"
)

// A keeper is a worker without a goroutine, and the numbers of the jobs that it pushes.
type keeper struct {
	*Worker
	next int
}

func (k *keeper) number() int { k.next++; return k.next - 1 }

func (k *keeper) seen(taken int) any {
	return fmt.Sprint(taken, k.forks.private()+k.deque.len())
}

// pop takes the newest job, as a join or a wait does: a fork of the top, or what is in the deque.
// Forks that have been stolen end where they come to the top.
func (k *keeper) pop() int {
	if k.forks.private() > 0 {
		i := k.forks.top - 1
		t := k.forks.frames[:cap(k.forks.frames)][i].(*numberedFork)
		if !k.isMine(&t.joinTask) {
			k.join(&t.joinTask)
		}
		k.takeBack(i)
		return t.n
	}
	j := k.deque.pop()
	fork := false
	if j != nil {
		_, fork = j.task.(*numberedFork)
	}
	for k.forks.top > 0 {
		t := k.forks.at(k.forks.top - 1)
		if j == &t.job {
			k.forks.over(t)
			break
		}
		if j != nil && !fork {
			break
		}
		k.forks.over(t) // stolen
		k.forks.drop(t.place)
	}
	return numberOf(j)
}

// Catches: a job that is lost or doubled between the stack of forks and the deque, also when
// places are used again; jobs that change their order there; more private
// jobs than may be; a request that is not met though jobs are left, or that is forgotten; a frame that
// is in use, and is taken for another fork.
func TestPrivateJobsMatchModel(t *testing.T) {
	type command = proptest.Command[sequence, *keeper]
	sees := func(s sequence, taken int) any { return fmt.Sprint(taken, len(s.Jobs)) }
	push := func(name string, n int, do func(k *keeper)) command {
		return command{
			Name: fmt.Sprint(name, " ", n),
			Step: func(m sequence) (sequence, any) { m = m.push(n); return m, sees(m, none) },
			Run: func(k *keeper) any {
				for range n {
					do(k)
					if kept := k.forks.private(); kept > k.forks.most {
						return fmt.Sprintf("keeps %d, may keep %d", kept, k.forks.most)
					}
				}
				return k.seen(none)
			},
		}
	}
	commands := []command{
		push("keep", 1, func(k *keeper) { keep(k.Worker, k.number()) }),
		push("keep", 7, func(k *keeper) { keep(k.Worker, k.number()) }),
		push("push", 1, func(k *keeper) { k.push(newNumbered(k.number())) }),
		push("push together", 2, func(k *keeper) { k.pushN(1, func(int) *job { return newNumbered(k.number()) }) }),
		{
			Name: "pop",
			Step: func(m sequence) (sequence, any) { m, j := m.take(len(m.Jobs) - 1); return m, sees(m, j) },
			Run: func(k *keeper) any {
				asked := k.request.Load() == asked
				seen := k.seen(k.pop())
				if asked && k.forks.private() > 0 {
					return "keeps jobs that it was asked for"
				}
				return seen
			},
		}, {
			Name: "ask",
			Step: func(m sequence) (sequence, any) { return m, nil },
			Run: func(k *keeper) any {
				k.ask()
				return nil
			},
		}, {
			Name: "share all, steal",
			Step: func(m sequence) (sequence, any) { m, j := m.take(0); return m, sees(m, j) },
			Run: func(k *keeper) any {
				k.shareAll()
				j, _ := k.deque.steal()
				return k.seen(numberOf(j))
			},
		},
	}
	proptest.Check(t, 300, 80, proptest.Machine[sequence, *keeper]{
		Initial: gen.OneConstOf(sequence{Capacity: 0}, sequence{Capacity: 1}, sequence{Capacity: 3}, sequence{Capacity: 32}),
		New: func(m sequence) *keeper {
			return &keeper{Worker: Unstarted(1, m.Capacity)[0]}
		},
		Commands: func(sequence) []command { return commands },
	}.Property())
}

// Catches: a worker that keeps jobs from the beginning, or too many, and one that does not
// go back when a worker has asked.
func TestKeepingAdapts(t *testing.T) {
	w := Unstarted(1, 0)[0]
	w.pool.keeping = keepingAdapts
	w.forks.keep(keepingAdapts.least)
	push := func(n int) {
		for range n {
			Keep(w)
		}
	}
	push(63)
	for k := 0; k < mostPrivate; k = max(1, 2*k) {
		if w.forks.most != k || w.forks.private() != k {
			t.Fatalf("keeps %d, may keep %d; want %d", w.forks.private(), w.forks.most, k)
		}
		push(1) // the 64th that was shared unasked
		if want := max(1, 2*k); w.forks.most != want {
			t.Fatalf("may keep %d, want %d", w.forks.most, want)
		}
		push(max(1, 2*k) - k) // fills it
		push(63)
	}
	push(1000)
	if w.forks.most != mostPrivate || w.forks.private() != mostPrivate {
		t.Errorf("keeps %d, may keep %d; want %d", w.forks.private(), w.forks.most, mostPrivate)
	}
	w.ask()
	(&keeper{Worker: w}).pop()
	if w.forks.most != 0 || w.forks.private() != 0 {
		t.Errorf("keeps %d, may keep %d after a request", w.forks.private(), w.forks.most)
	}
}

// Catches: a worker that keeps jobs to itself although each of them was stolen, while no worker looked
// when it was pushed: all wait for it then while it runs a long leaf.
func TestStolenForksAreWanted(t *testing.T) {
	w := Unstarted(1, 0)[0]
	w.pool.keeping = keepingAdapts
	w.forks.keep(keepingAdapts.least)
	As(w, func(w *Worker) {
		for i := range 2 * keepingAdapts.after {
			w.Join(func(w *Worker) {
				j, _ := w.deque.steal()
				if j == nil {
					t.Fatalf("keeps the fork after %d that were stolen", i)
				}
				w.execute(j) // as a thief does
			}, func(*Worker) {})
		}
	})
}

// Catches: jobs that are kept though a worker has asked, or sleeps, or by a worker that blocks.
func TestNothingIsKeptFromThoseWhoSleep(t *testing.T) {
	w := Unstarted(2, 32)
	keep := func(what string, want int) {
		t.Helper()
		Keep(w[0])
		if n := w[0].forks.private(); n != want {
			t.Errorf("%s: keeps %d jobs, want %d", what, n, want)
		}
	}
	keep("all are busy", 1)
	w[0].pool.sleep.StartLooking(1, &w[1].idleness)
	keep("a worker looks, and has not asked", 2)
	w[0].ask()
	keep("he has asked", 0)
	keep("no worker sleeps", 1)
	w[0].pool.sleep.WorkFound(&w[1].idleness)

	served := make(chan struct{})
	go func() {
		defer close(served)
		Serve(w[1])
	}()
	asleep := func() {
		for _, sleeps := w[0].pool.sleep.Lookers(); !sleeps; _, sleeps = w[0].pool.sleep.Lookers() {
			runtime.Gosched()
		}
		w[0].pool.sleep.Parker(1) // waits until he is fast asleep
	}
	asleep()
	keep("a worker has fallen asleep, and asked", 0)
	asleep()
	w[0].request.Store(met)
	keep("a worker sleeps, and none has asked since", 0)
	Retire(w[1])
	<-served
	Keep(w[0])
	w[0].block()
	Keep(w[0])
	w[0].ask()
	Keep(w[0])
	(&keeper{Worker: w[0]}).pop()
	Keep(w[0])
	if n := w[0].forks.private(); n != 0 {
		t.Errorf("keeps %d jobs while it blocks", n)
	}
	w[0].unblock()
	Keep(w[0])
	if n := w[0].forks.private(); n != 1 {
		t.Errorf("keeps %d jobs when it does not block any more, want 1", n)
	}
}

// Catches: an option that changes nothing. Alone, no worker is inactive and none asks.
func TestSharedForksAreNotKept(t *testing.T) {
	for _, c := range []struct {
		options []Option
		keeps   bool
	}{
		{nil, true},
		{[]Option{WithSharedForks()}, false},
	} {
		p, err := New(1, c.options...)
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		var nest func(w *Worker, n int)
		nest = func(w *Worker, n int) {
			most = max(most, w.forks.private())
			if n > 0 {
				w.Join(func(w *Worker) { nest(w, n-1) }, func(*Worker) {})
			}
		}
		if err := p.Run(context.Background(), func(w *Worker) error { nest(w, 500); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := p.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		if keeps := most > 0; keeps != c.keeps {
			t.Errorf("with %d options the worker keeps up to %d forks to itself", len(c.options), most)
		}
	}
}

// BenchmarkForkTakenBack is what a fork costs that is not stolen, whatever its second half
// is: a tree of them, twelve deep.
func BenchmarkForkTakenBack(b *testing.B) {
	const depth = 12
	p, err := New(1)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close(context.Background())
	var tree func(w *Worker, depth int)
	tree = func(w *Worker, depth int) {
		if depth == 0 {
			return
		}
		i := w.forks.top
		t, ok := w.frame(i).(*numberedFork)
		if !ok {
			t = newFrame(w, func() *numberedFork { return new(numberedFork) })
		}
		w.fork(i)
		if w.mayKeep(i) {
			w.kept()
		} else {
			w.keepLess()
		}
		tree(w, depth-1)
		if !w.isMine(&t.joinTask) && !w.join(&t.joinTask) {
			b.Error("another worker has taken it")
		}
		w.takeBack(i)
		tree(w, depth-1)
		w.joined(i)
	}
	err = p.Run(context.Background(), func(w *Worker) error {
		for b.Loop() {
			tree(w, depth)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(1<<depth-1), "ns/fork")
}
