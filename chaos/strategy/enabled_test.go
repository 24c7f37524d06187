package strategy

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A manyModel changes a Choice as an engine does, at random.
type manyModel struct {
	choice Choice
	tasks  []*Task
	groups []*Group
	source *rand.Rand
}

func newManyModel(tasks int, seed uint64) *manyModel {
	m := &manyModel{source: rand.New(rand.NewPCG(seed, 0))}
	m.choice.Renew()
	for i := range tasks {
		t := &Task{ID: i, Key: uint64(i) + 1, Place: -1, Pseudo: i == 3, Op: Op{Kind: Lock, Object: 1 + i%3}}
		m.tasks = append(m.tasks, t)
		m.choice.Created(t)
		m.choice.Add(t)
	}
	m.choice.BecomeMany()
	return m
}

// change makes one change.
func (m *manyModel) change() {
	c, t := &m.choice, m.tasks[m.source.IntN(len(m.tasks))]
	switch what := m.source.IntN(8); {
	case what == 0 && len(m.groups) > 0:
		g := m.groups[m.source.IntN(len(m.groups))]
		c.Switch(g, !g.On)
	case t.Group != nil:
		g := t.Group
		if c.Leave(t); len(g.Tasks) == 0 {
			m.groups = slices.DeleteFunc(m.groups, func(other *Group) bool { return other == g })
		}
	case t.Place < 0 && what < 4:
		c.Add(t)
	case t.Pseudo, what == 1:
		if t.Place >= 0 {
			c.Remove(t)
		}
	default:
		if t.Place >= 0 {
			c.Remove(t)
		}
		if len(m.groups) < 5 && m.source.IntN(10) == 0 || len(m.groups) == 0 {
			m.groups = append(m.groups, c.NewGroup())
		}
		c.Join(t, m.groups[m.source.IntN(len(m.groups))])
	}
}

// enabled returns the IDs of the tasks that can make a step, in their order.
func (m *manyModel) enabled() (ids []int) {
	for _, t := range m.tasks {
		if t.Group == nil && slices.Contains(m.choice.Enabled, t) || t.Group != nil && t.Group.On {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// TestEnabled compares what a Choice says of many tasks with a look at each of them.
func TestEnabled(t *testing.T) {
	for seed := range uint64(20) {
		m := newManyModel(40+int(seed)*10, seed)
		c := &m.choice
		for range 1000 {
			m.change()
			want := m.enabled()
			var got []int
			for i := range c.Len() {
				task := c.At(i)
				if c.Index(task) != i || !task.IsEnabled() || c.All()[i] != task {
					t.Fatalf("seed %d: task %d is at %d, and its index is %d", seed, task.ID, i, c.Index(task))
				}
				got = append(got, task.ID)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: %v can make a step, and not %v", seed, want, got)
			}
			except, lowest := m.source.IntN(len(m.tasks)), -1
			for _, task := range m.tasks {
				if !slices.Contains(got, task.ID) && (c.Index(task) >= 0 || task.IsEnabled()) {
					t.Fatalf("seed %d: task %d is enabled", seed, task.ID)
				}
			}
			for _, id := range want {
				// An engine never leaves out a task that is in a group.
				if task := m.tasks[id]; !task.Pseudo && (id != except || task.Group != nil) {
					lowest = id
					break
				}
			}
			if id := c.Lowest(except); id != lowest {
				t.Fatalf("seed %d: the lowest of %v but %d is %d", seed, want, except, id)
			}
			m.checkFollowing(t, want)
			m.checkKeys(t)
			if m.source.IntN(50) == 0 {
				c.Asked()
			}
		}
	}
}

// checkFollowing compares the task that follows one with a look at each of those that can make a step.
func (m *manyModel) checkFollowing(t *testing.T, enabled []int) {
	t.Helper()
	ids := slices.DeleteFunc(slices.Clone(enabled), func(id int) bool { return m.tasks[id].Pseudo })
	after, want := m.source.IntN(len(m.tasks)+1)-1, -1
	if i, found := slices.BinarySearch(ids, after+1); found || i < len(ids) {
		want = ids[i]
	} else if len(ids) > 0 {
		want = ids[0]
	}
	got := -1
	if task := m.choice.Following(after); task != nil {
		got = task.ID
	}
	if got != want {
		t.Fatalf("of %v, %d follows %d, and not %d", ids, got, after, want)
	}
}

// checkKeys looks a task up by its key.
func (m *manyModel) checkKeys(t *testing.T) {
	t.Helper()
	c, task := &m.choice, m.tasks[m.source.IntN(len(m.tasks))]
	if got, want := c.IndexOf(task.Key), c.Index(task); got != want || c.TaskOf(task.Key) != task {
		t.Fatalf("the task with key %d is %v, at %d; want %d", task.Key, c.TaskOf(task.Key), got, want)
	}
	if none := uint64(len(m.tasks)) + 1; c.IndexOf(none) != -1 || c.TaskOf(none) != nil {
		t.Fatalf("there is a task with key %d: %v", none, c.TaskOf(none))
	}
}

// TestNewestOfMany compares what newest chooses among many tasks with a look at each of them.
func TestNewestOfMany(t *testing.T) {
	for seed := range uint64(20) {
		m := newManyModel(40+int(seed)*10, seed)
		c, s := &m.choice, Newest()
		s.Begin(Execution{})
		for range 1000 {
			m.change()
			task := m.tasks[m.source.IntN(len(m.tasks))]
			task.Op.Kind = []Kind{Lock, Yield}[m.source.IntN(2)]
			c.Announced(task)
			c.Current = task
			want := -1
			for _, id := range m.enabled() {
				if task := m.tasks[id]; !task.Pseudo && task.Op.Kind != Yield {
					want = id
				}
			}
			if c.Len() == 0 {
				continue
			}
			c.Default = m.source.IntN(c.Len())
			if want < 0 {
				want = c.At(c.Default).ID
			}
			if got := c.At(s.Next(c)).ID; got != want {
				t.Fatalf("seed %d: of %v, it chooses %d, and not %d", seed, m.enabled(), got, want)
			}
			c.Asked()
		}
	}
}

// TestIndex compares an index with a look at each task.
func TestIndex(t *testing.T) {
	for seed := range uint64(20) {
		m := newManyModel(40+int(seed)*10, seed)
		var x index
		by := make(marks, len(m.tasks))
		for i := range by {
			by[i] = mark{top: m.source.Int64(), weight: m.source.Int64N(9), count: m.source.Int64N(2)}
		}
		for range 1000 {
			for range 1 + m.source.IntN(3) {
				m.change()
			}
			m.choice.Current = m.tasks[m.source.IntN(len(m.tasks))]
			by[m.choice.Current.ID].top = m.source.Int64()
			if m.source.IntN(10) == 0 { // another strategy is asked
				m.choice.Asked()
				continue
			}
			x.sync(&m.choice, by)
			m.choice.Asked()
			sum := nothing
			var best *Task
			for _, task := range m.choice.All() {
				k := by[task.ID]
				if best == nil || k.top > sum.top {
					best, sum.top = task, k.top
				}
				sum.weight += k.weight
				sum.count += k.count
			}
			if got := x.on.all(); got != sum {
				t.Fatalf("seed %d: all are %v, and not %v", seed, got, sum)
			}
			if best != nil && x.highest() != best {
				t.Fatalf("seed %d: the highest is not task %d", seed, best.ID)
			}
			met := make([]mark, len(m.tasks))
			for n := range sum.count {
				met[x.counted(n).ID].count++
			}
			for n := range sum.weight {
				met[x.weighed(n).ID].weight++
			}
			for _, task := range m.choice.All() {
				if k := by[task.ID]; met[task.ID] != (mark{weight: k.weight, count: k.count}) {
					t.Fatalf("seed %d: task %d is found %v times, and not %v", seed, task.ID, met[task.ID], k)
				}
			}
			x.update(m.choice.Current, by)
		}
	}
}

// marks are marks by task ID.
type marks []mark

func (m marks) mark(t *Task) mark { return m[t.ID] }
