package pool

import (
	"context"
	"fmt"
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/rouse-go/rouse/internal/proptest"
)

// A keeper is a worker without a goroutine, and the numbers of the jobs that it pushes.
type keeper struct {
	*Worker
	next int
}

func (k *keeper) seen(taken int) any {
	return fmt.Sprint(taken, int(k.private.len())+k.deque.len())
}

// Catches: a job that is lost or doubled between the private stack and the deque, also when
// the stack's slots are used again; jobs that change their order there; more private
// jobs than may be; a request that is not met though jobs are left, or that is forgotten.
func TestPrivateJobsMatchModel(t *testing.T) {
	type command = proptest.Command[sequence, *keeper]
	sees := func(s sequence, taken int) any { return fmt.Sprint(taken, len(s.Jobs)) }
	push := func(name string, n int, do func(k *keeper, j *job)) command {
		return command{
			Name: fmt.Sprint(name, " ", n),
			Step: func(m sequence) (sequence, any) { m = m.push(n); return m, sees(m, none) },
			Run: func(k *keeper) any {
				for range n {
					do(k, newNumbered(k.next))
					k.next++
					if kept := k.private.len(); kept > k.private.most {
						return fmt.Sprintf("keeps %d, may keep %d", kept, k.private.most)
					}
				}
				return k.seen(none)
			},
		}
	}
	commands := []command{
		push("keep", 1, func(k *keeper, j *job) { k.keep(j) }),
		push("keep", 7, func(k *keeper, j *job) { k.keep(j) }),
		push("push", 1, func(k *keeper, j *job) { k.Worker.push(j) }),
		push("push together", 2, func(k *keeper, j *job) { k.pushN(1, func(int) *job { return j }) }),
		{
			Name: "pop",
			Step: func(m sequence) (sequence, any) { m, j := m.take(len(m.Jobs) - 1); return m, sees(m, j) },
			Run: func(k *keeper) any {
				asked := k.private.asked.Load() != 0
				seen := k.seen(numberOf(k.pop()))
				if asked && k.private.len() > 0 {
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
// go back when somebody has asked.
func TestKeepingAdapts(t *testing.T) {
	w := Unstarted(1, 0)[0]
	w.private.init(keepingAdapts)
	push := func(n int) {
		for range n {
			w.keep(new(job))
		}
	}
	push(63)
	for k := uint(0); k < mostPrivate; k = max(1, 2*k) {
		if w.private.most != k || w.private.len() != k {
			t.Fatalf("keeps %d, may keep %d; want %d", w.private.len(), w.private.most, k)
		}
		push(1) // the 64th that was shared unasked
		if want := max(1, 2*k); w.private.most != want {
			t.Fatalf("may keep %d, want %d", w.private.most, want)
		}
		push(int(max(1, 2*k) - k)) // fills it
		push(63)
	}
	push(1000)
	if w.private.most != mostPrivate || w.private.len() != mostPrivate {
		t.Errorf("keeps %d, may keep %d; want %d", w.private.len(), w.private.most, mostPrivate)
	}
	w.ask()
	push(1)
	if w.private.most != 0 || w.private.len() != 0 {
		t.Errorf("keeps %d, may keep %d after a request", w.private.len(), w.private.most)
	}
}

// Catches: jobs that are kept while somebody looks for work, or by a worker that blocks.
func TestNothingIsKeptFromThoseWhoLook(t *testing.T) {
	w := Unstarted(2, 32)
	w[0].keep(new(job))
	w[0].keep(new(job))
	if n := w[0].private.len(); n != 2 {
		t.Fatalf("keeps %d jobs while all are busy, want 2", n)
	}
	s := w[1].pool.sleep
	s.StartLooking(1, &w[1].idleness)
	w[0].keep(new(job))
	if n := w[0].private.len(); n != 0 || w[0].deque.len() != 3 {
		t.Errorf("keeps %d jobs while somebody looks", n)
	}
	s.WorkFound(&w[1].idleness)
	w[0].keep(new(job))
	w[0].block()
	w[0].keep(new(job))
	w[0].ask()
	w[0].keep(new(job))
	if n := w[0].private.len(); n != 0 {
		t.Errorf("keeps %d jobs while it blocks", n)
	}
	w[0].unblock()
	w[0].keep(new(job))
	if n := w[0].private.len(); n != 1 {
		t.Errorf("keeps %d jobs when it does not block any more, want 1", n)
	}
}

// Catches: an option that changes nothing. Alone, nobody is inactive and nobody asks.
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
		most := uint(0)
		var nest func(w *Worker, n int)
		nest = func(w *Worker, n int) {
			most = max(most, w.private.len())
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
