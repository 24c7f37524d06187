package strategy

import (
	"fmt"
	"slices"
)

// A sim is an engine for programs: it asks and notifies a strategy as the interface
// says, and nothing else.
type sim struct {
	p        *program
	limit    int  // of steps; 0 is none
	awaits   bool // some task waits for another's end
	s        Strategy
	observer Observer
	known    int // steps whose events it does not observe: in every other execution

	values  []int
	numbers []int // by object: its number in this execution, or 0
	names   []uint64
	named   int
	tasks   []*simTask // by ID
	all     []simTask  // by place in the program
	enabled []*Task
	wakes   []*Task
	choice  Choice

	order  orderHash
	failed *simTask // by an assertion
	trace  []int    // IDs
	picks  []int
}

type simTask struct {
	Task
	place    int
	pc       int
	regs     [4]int
	spawned  bool
	ended    bool
	enabled  bool
	at       int // its index among the enabled
	children int
}

type outcome struct {
	Result
	state       uint64 // of all there is, at the end
	deadlocked  bool
	preemptions int
}

func newSim(p *program) *sim {
	m := &sim{p: p}
	for _, task := range p.tasks {
		m.awaits = m.awaits || slices.ContainsFunc(task, func(in instr) bool { return in.do == await })
	}
	return m
}

// explore runs executions until the strategy or visit ends it; it returns how many.
func (m *sim) explore(s Strategy, seed uint64, visit func(n int, o outcome) bool) int {
	for n := 0; ; n++ {
		o, ok := m.execute(s, Execution{Number: n, Seed: seed + uint64(n)*0x9e3779b97f4a7c15})
		if !ok {
			return n
		}
		if !visit(n, o) {
			return n + 1
		}
	}
}

// until returns the number of executions to the first failure, at most limit.
func (m *sim) until(s Strategy, seed uint64, limit int) int {
	return m.explore(s, seed, func(n int, o outcome) bool { return !o.Failed && n+1 < limit })
}

func (m *sim) execute(s Strategy, x Execution) (outcome, bool) {
	m.begin(s)
	if !s.Begin(x) {
		return outcome{}, false
	}
	if r, ok := s.(Rerunner); ok && x.Number%2 == 1 {
		m.known = r.Known()
	}
	for i := range max(1, m.p.present) {
		m.start(nil, i)
	}
	var o outcome
	for len(m.enabled) > 0 && m.failed == nil {
		if m.limit > 0 && o.Steps == m.limit {
			o.Cut = true
			break
		}
		o.Steps++
		t := m.next(&o)
		m.trace = append(m.trace, t.ID)
		m.step(t)
		m.choice.Current = &t.Task
		m.choice.Step++
	}
	o.deadlocked = m.failed == nil && !o.Cut && !m.done()
	o.Failed = m.failed != nil || o.deadlocked
	o.Order = m.order.sum
	o.state = m.state()
	s.End(o.Result)
	return o, true
}

func (m *sim) begin(s Strategy) {
	m.s = s
	m.observer, _ = s.(Observer)
	m.values = append(m.values[:0], m.p.objects...)
	m.numbers = renew(m.numbers, len(m.values))
	m.names = renew(m.names, len(m.values))
	m.named, m.failed, m.known = 0, nil, 0
	m.tasks, m.enabled = m.tasks[:0], m.enabled[:0]
	m.all = make([]simTask, len(m.p.tasks)) // a strategy may still hold the ones of before
	m.choice = Choice{}
	m.order.reset(len(m.values))
	m.trace, m.picks = m.trace[:0], m.picks[:0]
}

// renew returns n zeros, in the place of s if possible.
func renew[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (m *sim) next(o *outcome) *simTask {
	c := &m.choice
	c.Enabled = m.enabled
	c.Default = m.canonical()
	i := m.s.Next(c)
	if i < 0 || i >= len(m.enabled) {
		panic(fmt.Sprintf("Next returned %d of %d", i, len(m.enabled)))
	}
	t := m.enabled[i]
	if d := m.enabled[c.Default]; i != c.Default && d == c.Current && d.Op.Kind != Yield {
		o.preemptions++
	}
	return m.tasks[t.ID]
}

func (m *sim) canonical() int {
	if c := m.choice.Current; c != nil && c.Op.Kind != Yield && m.tasks[c.ID].enabled {
		return m.tasks[c.ID].at
	}
	best := 0
	for i, t := range m.enabled {
		if t.ID < m.enabled[best].ID {
			best = i
		}
	}
	return best
}

// start makes a task of the program begin to exist.
func (m *sim) start(parent *simTask, place int) {
	t := &m.all[place]
	*t = simTask{place: place, spawned: true}
	t.ID = len(m.tasks)
	m.tasks = append(m.tasks, t)
	if parent != nil {
		t.Parent = &parent.Task
		t.Key = mix(parent.Key, uint64(parent.children))
		parent.children++
		m.notify(parent, Event{Task: &parent.Task, Op: Op{Kind: Spawn}, Child: &t.Task})
	} else {
		t.Key = mix(1, uint64(place))
	}
	t.Op = Op{Kind: Begin}
	if m.p.warm {
		m.notify(t, Event{Task: &t.Task, Op: t.Op})
		m.run(t)
		return
	}
	m.enable(t)
}

// notify counts an operation and lets an observer know.
func (m *sim) notify(t *simTask, e Event) {
	m.order.happened(&e)
	t.Ops++
	if m.observer != nil && (m.choice.Step >= m.known || e.Op.Kind == Spawn) {
		m.observer.Happened(e)
	}
}

// run lets a task continue to its next choice.
func (m *sim) run(t *simTask) {
	code := m.p.tasks[t.place]
	for ; t.pc < len(code) && m.failed == nil; t.pc++ {
		switch in := &code[t.pc]; in.do {
		case skip:
			if t.regs[in.reg] == in.a {
				t.pc += in.b
			}
		case fail:
			m.failed = t
		case spawn:
			m.start(t, in.a)
		case quiet:
			m.values[in.object] = in.a
			m.notify(t, Event{Task: &t.Task, Op: m.op(t, in)})
		case release:
			m.values[in.object] = 0
			m.settle(t)
			m.notify(t, Event{Task: &t.Task, Op: m.op(t, in), Wakes: m.wakes})
		default:
			t.Op = m.op(t, in)
			if m.ready(t) {
				m.enable(t)
			} else {
				m.disable(t)
			}
			return
		}
	}
	t.ended = true
	m.disable(t)
	if m.wakes = m.wakes[:0]; m.awaits {
		m.settle(t)
	}
	if m.failed == nil {
		m.notify(t, Event{Task: &t.Task, Op: Op{Kind: End}, Wakes: m.wakes})
	}
}

// op names the objects of an instruction, at first use.
func (m *sim) op(t *simTask, in *instr) Op {
	o := Op{Kind: in.do.kind()}
	switch in.do {
	case pick, yield, point, fence, await:
		return o
	case choose:
		o.Others = []int{m.number(t, in.a)}
	}
	o.Object = m.number(t, in.object)
	return o
}

func (m *sim) number(t *simTask, object int) int {
	if m.numbers[object] == 0 {
		m.named++
		m.numbers[object] = m.named
		m.names[object] = mix(t.Key, uint64(t.Ops))
	}
	return m.numbers[object]
}

// ready reports whether a task's operation can be done.
func (m *sim) ready(t *simTask) bool {
	if t.Op.Kind == Begin {
		return true
	}
	switch in := &m.p.tasks[t.place][t.pc]; in.do {
	case lock, zero:
		return m.values[in.object] == 0
	case down:
		return m.values[in.object] > 0
	case await:
		return m.all[in.a].ended
	case choose:
		return m.values[in.object] > 0 || m.values[in.a] > 0
	}
	return true
}

func (m *sim) enable(t *simTask) {
	if !t.enabled {
		t.enabled, t.at = true, len(m.enabled)
		m.enabled = append(m.enabled, &t.Task)
	}
}

// disable removes a task by moving the last one to its place, as engines do.
func (m *sim) disable(t *simTask) {
	if !t.enabled {
		return
	}
	t.enabled = false
	last := len(m.enabled) - 1
	m.enabled[t.at] = m.enabled[last]
	m.tasks[m.enabled[last].ID].at = t.at
	m.enabled = m.enabled[:last]
}

// settle finds out which tasks a step of t has woken or blocked.
func (m *sim) settle(t *simTask) {
	m.wakes = m.wakes[:0]
	for _, other := range m.tasks {
		if other == t || other.ended {
			continue
		}
		if ready := m.ready(other); ready && !other.enabled {
			m.enable(other)
			m.wakes = append(m.wakes, &other.Task)
		} else if !ready {
			m.disable(other)
		}
	}
}

// step does a task's operation and lets it continue to the next.
func (m *sim) step(t *simTask) {
	op := t.Op
	m.wakes = m.wakes[:0]
	if op.Kind != Begin {
		in := &m.p.tasks[t.place][t.pc]
		m.do(t, in, &op)
		t.pc++
		if in.do.wakes() {
			m.settle(t)
		}
	}
	m.notify(t, Event{Task: &t.Task, Op: op, Wakes: m.wakes})
	m.run(t)
}

func (m *sim) do(t *simTask, in *instr, op *Op) {
	v, reg := &m.values[min(in.object, len(m.values)-1)], &t.regs[in.reg]
	switch in.do {
	case load:
		*reg = *v
	case store:
		*v = in.a
	case write:
		*v = *reg + in.a
	case add:
		*v += in.a
		*reg = *v
	case cas:
		*reg = 0
		if *v == in.a {
			*v, *reg = in.b, 1
		} else {
			op.Kind = Load
		}
	case lock:
		*v = 1
	case tryLock:
		*reg = 1 - *v
		if *v == 1 {
			op.Kind = Load
		}
		*v = 1
	case unlock:
		*v = 0
	case down:
		*v--
	case up:
		*v += max(1, in.a) * (1 - 2*in.b) // b is 1: a WaitGroup's Done
	case choose:
		*reg = 0
		if first, second := *v > 0, m.values[in.a] > 0; first && second {
			*reg = m.pick(t, 2)
		} else if second {
			*reg = 1
		}
		if *reg == 0 {
			*v--
		} else {
			m.values[in.a]--
		}
	case pick:
		*reg = m.pick(t, in.a)
	case fence:
		*reg = 0
		for i, v := range m.values {
			*reg += v << i
		}
	case stale:
		*reg = *v
		if m.pick(t, 2) == 1 {
			*reg = in.a
		}
	}
}

func (m *sim) pick(t *simTask, n int) int {
	m.choice.Current = &t.Task
	i := m.s.Pick(&m.choice, n)
	if i < 0 || i >= n {
		panic(fmt.Sprintf("Pick returned %d of %d", i, n))
	}
	m.picks = append(m.picks, i)
	m.order.picked(t, i)
	return i
}

// schedule identifies what was chosen, in programs of fewer than 256 tasks.
func (m *sim) schedule() string {
	b := make([]byte, 0, len(m.trace)+len(m.picks))
	for _, id := range m.trace {
		b = append(b, byte(id))
	}
	for _, i := range m.picks {
		b = append(b, byte(i))
	}
	return string(b)
}

func (m *sim) done() bool {
	for _, t := range m.tasks {
		if !t.ended {
			return false
		}
	}
	return true
}

// state is a hash of what a program can distinguish at its end; of a failed assertion
// it is what the task knows, since how far the others have come says nothing.
func (m *sim) state() uint64 {
	h := uint64(1)
	if t := m.failed; t != nil {
		h = mix(mix(h, uint64(t.place)), uint64(t.pc))
		for _, r := range t.regs {
			h = mix(h, uint64(r))
		}
		return h
	}
	for _, v := range m.values {
		h = mix(h, uint64(v))
	}
	for i := range m.all {
		t := &m.all[i]
		h = mix(h, uint64(t.pc))
		for _, r := range t.regs {
			h = mix(h, uint64(r))
		}
		if t.spawned && !t.ended {
			h = mix(h, 1)
		}
		if t.spawned {
			h = mix(h, 2)
		}
	}
	return h
}

// An orderHash is the hash of a partial order: of each event with what came before
// it on its objects, reads of the same value in any order.
type orderHash struct {
	sum    uint64
	writes []uint64 // by object number: of all events until the last write
	reads  []uint64 // since: their sum
}

func (h *orderHash) reset(objects int) {
	h.sum = 0
	h.writes = renew(h.writes, objects+1)
	h.reads = renew(h.reads, objects+1)
}

func (h *orderHash) happened(e *Event) {
	event := mix(e.Task.Key, uint64(e.Task.Ops)<<8|uint64(e.Op.Kind))
	if e.Op.Object != 0 {
		event = mix(event, h.writes[e.Op.Object])
		if !e.Op.Kind.reads() {
			event = mix(event, h.reads[e.Op.Object])
		}
	}
	for _, other := range e.Op.Others {
		event = mix(mix(event, h.writes[other]), h.reads[other])
	}
	h.sum += event
	if e.Op.Kind.reads() {
		h.reads[e.Op.Object] += event
		return
	}
	h.writes[e.Op.Object], h.reads[e.Op.Object] = event, 0
	for _, other := range e.Op.Others {
		h.writes[other], h.reads[other] = event, 0
	}
	h.writes[0] = 0
}

func (h *orderHash) picked(t *simTask, i int) {
	h.sum += mix(mix(t.Key, uint64(t.Ops)), uint64(i)+7)
}

func mix(h, x uint64) uint64 {
	h = (h*0xd6e8feb86659fd93 ^ (x + 0x632be59bd9b4e019)) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	return h ^ h>>32
}
