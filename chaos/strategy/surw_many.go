package strategy

// surwMany is what SURW keeps while an execution has many tasks. In its index, the weights are those of the tasks, and
// what is counted are the tasks that are about to do something that is not interesting.
type surwMany struct {
	index index
	// The operations of tasks whose objects are not known yet, by the number of the object. Another task's operation
	// may identify it.
	unknown  [][]*Task
	asked    map[unknownUse]bool // what is in unknown
	identify []int               // numbers of objects that have been identified
}

type unknownUse struct{ task, number int }

func (m *surwMany) reset() {
	m.index.reset()
	for i := range m.unknown {
		m.unknown[i] = m.unknown[i][:0]
	}
	clear(m.asked)
	m.identify = m.identify[:0]
}

// nextOfMany is Next for an execution with many tasks.
func (s *surw) nextOfMany(c *Choice) int {
	m := &s.many
	m.index.sync(c, s)
	for len(m.identify) > 0 {
		number := m.identify[len(m.identify)-1]
		m.identify = m.identify[:len(m.identify)-1]
		for _, t := range m.unknown[number] {
			m.index.update(t, s)
		}
		m.unknown[number] = m.unknown[number][:0]
	}
	if s.intended == nil {
		s.intendOfMany()
	}
	free := s.freeOfMany(c)
	if free == 0 {
		s.intendOfMany() // the intended task is blocked, or has ended
		free = s.freeOfMany(c)
	}
	n, i := intn(&s.source, free), 0
	switch {
	case s.waited == s.patience:
		i = n
	case int64(n) < m.index.on.all().count:
		i = c.Index(m.index.counted(int64(n)))
	default:
		i = c.Index(s.intended)
	}
	t := c.At(i)
	s.chose(t)
	m.index.update(t, s)
	return i
}

// intendOfMany is intend.
func (s *surw) intendOfMany() {
	s.intended = nil
	if sum := s.many.index.on.all().weight; sum > 0 {
		s.intended = s.many.index.weighed(int64(intn(&s.source, int(sum))))
	}
}

// freeOfMany returns the number of tasks that are not held back.
func (s *surw) freeOfMany(c *Choice) int {
	if s.waited == s.patience {
		return c.Len()
	}
	n := int(s.many.index.on.all().count)
	if s.intended != nil && s.intended.IsEnabled() && s.interested(s.intended) {
		n++
	}
	return n
}

// mark implements marker.
func (s *surw) mark(t *Task) mark {
	s.notice(t, 0, t.Op.Object)
	for i, object := range t.Op.Others {
		s.notice(t, i+1, object)
	}
	m := mark{weight: int64(s.weight(t)), count: 1}
	if s.interested(t) {
		m.count = 0
	}
	return m
}

// notice looks up an object of a task's operation. If that identifies it, others may be interested.
func (s *surw) notice(t *Task, slot, number int) {
	m := &s.many
	if number == 0 || s.known.knows(number) {
		return
	}
	m.unknown = grow(m.unknown, number)
	if s.known.look(s.profile, t, slot, number) >= 0 {
		m.identify = append(m.identify, number)
		return
	}
	if use := (unknownUse{t.ID, number}); !m.asked[use] {
		if m.asked == nil {
			m.asked = map[unknownUse]bool{}
		}
		m.asked[use] = true
		m.unknown[number] = append(m.unknown[number], t)
	}
}
