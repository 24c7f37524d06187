package strategy

import (
	"fmt"
	"math"
	"testing"
)

// A lockSim is an engine for tasks that lock and unlock one of two locks, and store to one of two variables in between.
// With groups, the waiters of a lock are one from the first on.
type lockSim struct {
	choice Choice
	tasks  []*Task
	steps  []int
	holder [2]*Task
	groups [2]*Group
	many   bool
}

const lockSteps = 3 // lock, store, unlock

func newLockSim(tasks, rounds int, many bool) *lockSim {
	m := &lockSim{many: many}
	for i := range tasks {
		m.tasks = append(m.tasks, &Task{ID: i, Key: uint64(i) + 1})
		m.steps = append(m.steps, rounds*lockSteps)
	}
	return m
}

func lockOf(t *Task) int { return t.ID % 3 / 2 }

// announce makes t's next operation the pending one.
func (m *lockSim) announce(t *Task) {
	lock := lockOf(t)
	if m.steps[t.ID] == 0 {
		m.choice.Remove(t)
		return
	}
	switch m.steps[t.ID] % lockSteps {
	case 0:
		t.Op = Op{Kind: Lock, Object: 1 + lock}
		if m.many {
			m.choice.Remove(t)
			if g := m.groups[lock]; g == nil || len(g.Tasks) == 0 {
				m.groups[lock] = m.choice.NewGroup()
			}
			m.choice.Join(t, m.groups[lock])
		}
		m.settle(lock)
	case 2:
		t.Op = Op{Kind: Store, Object: 3 + t.ID%2}
	case 1:
		t.Op = Op{Kind: Unlock, Object: 1 + lock}
	}
}

// settle enables or disables the waiters of a lock.
func (m *lockSim) settle(lock int) {
	free := m.holder[lock] == nil
	if g := m.groups[lock]; m.many {
		if g != nil && len(g.Tasks) > 0 {
			m.choice.Switch(g, free)
		}
		return
	}
	for _, t := range m.tasks {
		if t.Op.Kind == Lock && lockOf(t) == lock && m.steps[t.ID] > 0 {
			if free && t.Place < 0 {
				m.choice.Add(t)
			} else if !free && t.Place >= 0 {
				m.choice.Remove(t)
			}
		}
	}
}

// execute returns the order in which the tasks made their steps.
func (m *lockSim) execute(s Strategy, seed uint64) []int {
	rounds := m.steps[0]
	c := &m.choice
	c.Renew()
	m.holder, m.groups = [2]*Task{}, [2]*Group{}
	for i, t := range m.tasks {
		m.steps[i] = rounds
		*t = Task{ID: t.ID, Key: t.Key}
		c.Add(t)
	}
	if !s.Begin(Execution{Number: int(seed), Seed: seed}) {
		panic("nothing left to explore")
	}
	if m.many {
		c.BecomeMany()
	}
	for _, t := range m.tasks {
		m.announce(t)
		c.Announced(t)
	}
	var order []int
	for c.Len() > 0 {
		c.Default = 0
		t := c.At(s.Next(c))
		c.Asked()
		order = append(order, t.ID)
		c.Current = t
		c.Changes++
		c.Step++
		lock := lockOf(t)
		switch t.Op.Kind {
		case Lock:
			if m.many {
				c.Leave(t)
				c.Add(t)
			}
			m.holder[lock] = t
		case Unlock:
			m.holder[lock] = nil
		}
		t.Ops++
		m.steps[t.ID]--
		t.Op = Op{}
		m.settle(lock)
		m.announce(t)
	}
	for i := range m.steps {
		m.steps[i] = rounds
	}
	s.End(Result{Steps: len(order)})
	return order
}

// TestManySampleAlike: each strategy chooses schedules as often with what it has for many tasks as with what it has for
// few.
func TestManySampleAlike(t *testing.T) {
	const executions = 30_000
	for _, by := range []func() Strategy{Random, func() Strategy { return PCT(3) }, POS, URW, SURW} {
		t.Run(by().Name(), func(t *testing.T) {
			var seen [2]map[string]int
			for i, many := range []bool{false, true} {
				seen[i] = map[string]int{}
				m, s := newLockSim(5, 2, many), by()
				m.execute(s, 1<<40) // the profile
				for seed := range uint64(executions) {
					order := m.execute(s, seed)
					seen[i][fmt.Sprint("begins ", order[:4])]++
					seen[i][fmt.Sprint("goes on ", order[9:12])]++
				}
			}
			for schedule, n := range seen[0] {
				n, other := float64(n), float64(seen[1][schedule])
				if math.Abs(n-other) > 5*math.Sqrt(n+other)+1 {
					t.Errorf("%s: %v executions with few, %v with many", schedule, n, other)
				}
			}
			for schedule, n := range seen[1] {
				if _, ok := seen[0][schedule]; !ok && n > 20 {
					t.Errorf("%s: no execution with few, %d with many", schedule, n)
				}
			}
			t.Log(len(seen[0]), "kinds of schedules")
		})
	}
}
