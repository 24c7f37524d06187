package strategy

import "testing"

// A feed asks a strategy for the choices of an execution at the least cost: tasks
// of four steps each, at objects of which each belongs to two tasks.
type feed struct {
	tasks   []*Task
	enabled []*Task
	number  int
	choice  Choice
}

const feedSteps = 4

func newFeed(tasks int) *feed {
	f := &feed{enabled: make([]*Task, 0, tasks)}
	for i := range tasks {
		f.tasks = append(f.tasks, &Task{ID: i, Key: uint64(i) + 1, Op: Op{Kind: Store, Object: 1 + i/2}})
	}
	return f
}

// execute returns the number of steps; 0 if nothing is left to explore.
func (f *feed) execute(s Strategy) int {
	observer, _ := s.(Observer)
	f.enabled = append(f.enabled[:0], f.tasks...)
	for _, t := range f.tasks {
		t.Ops = 0
	}
	f.choice = Choice{}
	if !s.Begin(Execution{Number: f.number, Seed: uint64(f.number)}) {
		return 0
	}
	f.number++
	c := &f.choice
	for steps := 0; ; steps++ {
		if len(f.enabled) == 0 {
			s.End(Result{Steps: steps, Order: uint64(f.number)})
			return steps
		}
		c.Enabled, c.Default, c.Step = f.enabled, 0, steps
		for i, t := range f.enabled {
			if t == c.Current {
				c.Default = i
				break
			}
			if t.ID < f.enabled[c.Default].ID {
				c.Default = i
			}
		}
		i := s.Next(c)
		t := f.enabled[i]
		if observer != nil {
			observer.Happened(Event{Task: t, Op: t.Op})
		}
		c.Current = t
		if t.Ops++; t.Ops == feedSteps {
			last := len(f.enabled) - 1
			f.enabled[i] = f.enabled[last]
			f.enabled = f.enabled[:last]
		}
	}
}

// BenchmarkNext measures a step, what its execution costs included; "default" is
// what asking costs.
func BenchmarkNext(b *testing.B) {
	for _, s := range every(b) {
		b.Run(s.Name(), func(b *testing.B) {
			f := newFeed(4)
			b.ReportAllocs()
			left := 0
			for b.Loop() {
				if left == 0 {
					left = f.execute(s)
				}
				if left == 0 { // explored
					s, _ = Parse(s.Name())
					left = f.execute(s)
				}
				left--
			}
		})
	}
}
