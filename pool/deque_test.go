package pool

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/leanovate/gopter/gen"
	"github.com/rouse-go/rouse/internal/proptest"
)

// sequence is what a deque or a queue ought to hold, the oldest job first.
type sequence struct {
	Capacity int // the deque's first
	Jobs     []int
	Next     int // the number of the next job to push
}

func (s sequence) push(n int) sequence {
	for range n {
		s.Jobs = append(slices.Clone(s.Jobs), s.Next)
		s.Next++
	}
	return s
}

// take removes a job, the newest if from is len(s.Jobs)-1.
func (s sequence) take(from int) (sequence, int) {
	if len(s.Jobs) == 0 {
		return s, none
	}
	taken := s.Jobs[from]
	s.Jobs = slices.Delete(slices.Clone(s.Jobs), from, from+1)
	return s, taken
}

// dequeSubject numbers the jobs that it pushes, as the model does.
type dequeSubject struct {
	deque
	next int
}

func (d *dequeSubject) pushNext() {
	d.push(newNumbered(d.next))
	d.next++
}

func (d *dequeSubject) seen(taken int) any { return fmt.Sprint(taken, d.len(), d.isEmpty()) }

func (s sequence) seen(taken int) any { return fmt.Sprint(taken, len(s.Jobs), len(s.Jobs) == 0) }

// Catches: a job that is lost or doubled by growing or by wrapping around the
// array, a wrong order at either end, an empty deque that gives a job.
func TestDequeMatchesModel(t *testing.T) {
	type command = proptest.Command[sequence, *dequeSubject]
	push := func(n int) command {
		return command{
			Name: fmt.Sprintf("push %d", n),
			Step: func(m sequence) (sequence, any) { m = m.push(n); return m, m.seen(none) },
			Run: func(d *dequeSubject) any {
				for range n {
					d.pushNext()
				}
				return d.seen(none)
			},
		}
	}
	commands := []command{push(1), push(5), {
		Name: "pop",
		Step: func(m sequence) (sequence, any) { m, j := m.take(len(m.Jobs) - 1); return m, m.seen(j) },
		Run:  func(d *dequeSubject) any { return d.seen(numberOf(d.pop())) },
	}, {
		Name: "steal",
		Step: func(m sequence) (sequence, any) { m, j := m.take(0); return m, m.seen(j) },
		Run: func(d *dequeSubject) any {
			j, retry := d.steal()
			if retry {
				return "retry, though there is no other thief"
			}
			return d.seen(numberOf(j))
		},
	}}
	proptest.Check(t, 200, 60, proptest.Machine[sequence, *dequeSubject]{
		Initial: gen.OneConstOf(sequence{Capacity: 1}, sequence{Capacity: 2}, sequence{Capacity: 4}),
		New: func(m sequence) *dequeSubject {
			d := new(dequeSubject)
			d.init(m.Capacity)
			return d
		},
		Commands: func(sequence) []command { return commands },
	}.Property())
}

// lost is the output of a steal that failed because another worker took the job.
const lost = -2

// dequeModel is a deque for porcupine. Inputs are "push", "pop", "steal",
// "isEmpty"; a state is the jobs in it, as text.
var dequeModel = porcupine.Model{
	Init: func() any { return sequence{} },
	Step: func(state, input, output any) (bool, any) {
		s := state.(sequence)
		switch input {
		case "push":
			return output == s.Next, s.push(1)
		case "pop":
			s, j := s.take(len(s.Jobs) - 1)
			return output == j, s
		case "steal":
			if output == lost {
				return true, s
			}
			s, j := s.take(0)
			return output == j, s
		case "isEmpty":
			return output == (len(s.Jobs) == 0), s
		}
		panic(input)
	},
	Equal: func(a, b any) bool {
		return a.(sequence).Next == b.(sequence).Next && slices.Equal(a.(sequence).Jobs, b.(sequence).Jobs)
	},
}

// Catches: a race between owner and thieves for the last job, or for a slot of an
// array that has just been replaced, in which a job is taken twice, lost, or taken
// out of order. The owner's pops and the thieves' steals meet in a deque of few
// jobs, which grows from one slot.
func TestDequeLinearizable(t *testing.T) {
	r := rand.New(rand.NewPCG(proptest.Seed(t), 0))
	for range 400 {
		var h proptest.History
		var d dequeSubject
		d.init(1)
		owner := rand.New(rand.NewPCG(r.Uint64(), 0))
		functions := []func(){func() {
			for range 10 {
				switch owner.IntN(5) {
				case 0, 1:
					h.Do(0, "push", func() any { d.pushNext(); return d.next - 1 })
				case 2, 3:
					h.Do(0, "pop", func() any { return numberOf(d.pop()) })
				case 4:
					h.Do(0, "isEmpty", func() any { return d.isEmpty() })
				}
				if owner.IntN(3) == 0 {
					runtime.Gosched()
				}
			}
		}}
		for thief := 1; thief <= 2; thief++ {
			r := rand.New(rand.NewPCG(r.Uint64(), 0))
			functions = append(functions, func() {
				for range 5 {
					h.Do(thief, "steal", func() any {
						j, retry := d.steal()
						if retry {
							return lost
						}
						return numberOf(j)
					})
					if r.IntN(3) == 0 {
						runtime.Gosched()
					}
				}
			})
		}
		for range r.IntN(3) {
			h.Do(0, "push", func() any { d.pushNext(); return d.next - 1 })
		}
		proptest.Together(functions...)
		h.Check(t, dequeModel)
	}
}

// The positive control. Catches: a checker that accepts a job taken twice, at the
// wrong end, or missed by an undisturbed steal.
func TestDequeModelRejects(t *testing.T) {
	for name, taken := range map[string][2]any{
		"twice":      {0, 0},
		"wrong end":  {1, 0},
		"not stolen": {none, 0},
		"not there":  {2, 1},
	} {
		var h proptest.History
		for n := range 2 {
			h.Do(0, "push", func() any { return n })
		}
		h.Do(1, "steal", func() any { return taken[0] })
		h.Do(0, "pop", func() any { return taken[1] })
		if h.Linearizable(dequeModel) {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Catches: a job that is taken twice or never while owner and thieves run at full
// speed, with the deque growing under them.
func TestDequeExactlyOnce(t *testing.T) {
	const total = 20000
	r := rand.New(rand.NewPCG(proptest.Seed(t), 0))
	var d deque
	d.init(2)
	taken := make([]atomic.Int32, total)
	var pushed atomic.Bool
	thief := func() {
		for {
			over := pushed.Load()
			j, retry := d.steal()
			switch {
			case j != nil:
				taken[numberOf(j)].Add(1)
			case over && !retry:
				return
			default:
				runtime.Gosched()
			}
		}
	}
	proptest.Together(thief, thief, func() {
		for n := range total {
			d.push(newNumbered(n))
			for r.IntN(4) == 0 {
				if j := d.pop(); j != nil {
					taken[numberOf(j)].Add(1)
				}
			}
		}
		pushed.Store(true)
	})
	for n := range taken {
		if k := taken[n].Load(); k != 1 {
			t.Fatalf("job %d was taken %d times", n, k)
		}
	}
}
