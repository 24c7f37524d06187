package strategy

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A posMany is what POS keeps while an execution has many tasks. Most of them wait for few objects, and a step on one
// draws new priorities for all operations on it: so these are not drawn one by one.
//
// The logarithm of a uniform random number, negated, is an exponential one. So POS is a race of exponential times: the
// least of n is exponential, n times as fast, any of the n is as likely to have it, and by how much the others exceed
// it is exponential again. A pool of operations of one object therefore needs one draw for its least time, and a second
// one for whose it is.
type posMany struct {
	source *rand.PCG
	pools  []pool
	on     tree // of the pools that can make a step: their least times, negated

	byObject [2][]int32 // pools by object, plus 1: of the operations that write, and of those that only read
	byGroup  []int32    // pools by ID of a group, plus 1
	sharing  [][]int32  // by object: the pools of groups
	where    []posPlace // by task ID
	changed  []int32    // pools whose least time may be another
	asked    int        // as of Choice when it was in step
	valid    bool
}

// The first pools are of the operations without an object, and of those with several.
const (
	objectless = iota
	several
	firstPool
)

// A pool is the operations on one object of the tasks in Choice.Enabled, or of a group.
type pool struct {
	on      bool
	changed bool
	object  int     // of a group's
	equal   []*Task // whose times are known only to be above least, all alike
	least   uint64
	first   uint64 // the least time of equal, if it is drawn
	drawn   bool
	times   []taskTime // of the others: a heap
}

type taskTime struct {
	time uint64
	task *Task
}

// posPlace is where a task is: in equal or times of pool-1; pool 0 is none. at is the operation that it was put there
// for.
type posPlace struct {
	pool, slot int32
	timed      bool
	at         int
}

// unit is one bit of information, as a time.
const unit = 1 << 52

// time draws an exponential time.
func (k *posMany) time() uint64 { return timeOf(k.source.Uint64()) }

// timeOf returns the negated logarithm, of base 2, of a fraction of 2^64. It is the same on all machines, which
// functions of floating-point numbers need not be.
func timeOf(x uint64) uint64 {
	x |= 1
	zeros := bits.LeadingZeros64(x)
	x <<= zeros
	log := uint64(0)
	for range 32 { // one more digit each
		hi, lo := bits.Mul64(x, x)
		digit := hi >> 63
		log = log<<1 | digit
		x = hi<<(1-digit) | lo>>63&(1-digit)
	}
	return uint64(zeros+1)*unit - log<<20
}

// operationOf distinguishes the operations of one task.
func operationOf(t *Task) int {
	if t.Op.Kind == After {
		return 2*t.Ops + 1 // what follows is an operation of its own
	}
	return 2*t.Ops + 2
}

func (k *posMany) reset(source *rand.PCG) { k.source, k.valid = source, false }

// next returns the task whose time is the least.
func (k *posMany) next(c *Choice) *Task {
	k.sync(c)
	for _, i := range k.changed {
		k.refresh(i)
	}
	k.changed = k.changed[:0]
	i := int32(k.on.highest())
	p := &k.pools[i]
	if len(p.equal) > 0 && (len(p.times) == 0 || p.first < p.times[0].time) {
		t := p.equal[intn(k.source, len(p.equal))]
		time := p.first
		k.leaveEqual(p, t)
		p.least, p.drawn = time, false
		k.push(p, taskTime{time, t})
		k.change(i)
	}
	t := p.times[0].task
	k.drawRacing(t)
	return t
}

// sync brings the posMany in step with c.
func (k *posMany) sync(c *Choice) {
	s := c.groups
	if !k.valid || k.asked != s.asked {
		k.rebuild(c)
	} else {
		for _, t := range s.moved {
			k.place(t)
		}
		if c.Current != nil {
			k.place(c.Current)
		}
		for _, id := range s.switched {
			if g := s.list[id]; id < len(k.byGroup) && k.byGroup[id] > 0 {
				i := k.byGroup[id] - 1
				k.pools[i].on = g.On
				k.change(i)
			}
		}
	}
	k.asked, k.valid = s.asked+1, true
}

// rebuild begins anew: all times are drawn again.
func (k *posMany) rebuild(c *Choice) {
	for i := range k.pools {
		p := &k.pools[i]
		*p = pool{equal: p.equal[:0], times: p.times[:0]}
	}
	k.pools = k.pools[:0]
	k.on.reset()
	clear(k.where)
	clear(k.byObject[0])
	clear(k.byObject[1])
	clear(k.byGroup)
	for i := range k.sharing {
		k.sharing[i] = k.sharing[i][:0]
	}
	k.changed = k.changed[:0]
	for range firstPool {
		k.newPool(true)
	}
	for _, t := range c.Enabled {
		k.place(t)
	}
	for _, g := range c.groups.list {
		for _, t := range g.Tasks {
			k.place(t)
		}
	}
}

func (k *posMany) newPool(on bool) int32 {
	n := len(k.pools)
	if n < cap(k.pools) {
		k.pools = k.pools[:n+1]
	} else {
		k.pools = append(k.pools, pool{})
	}
	k.pools[n].on = on
	return int32(n)
}

// poolOf returns the pool where a task belongs, plus 1, or 0.
func (k *posMany) poolOf(t *Task) int32 {
	if g := t.Group; g != nil {
		k.byGroup = grow(k.byGroup, g.ID)
		i := &k.byGroup[g.ID]
		if *i == 0 {
			*i = k.newPool(g.On) + 1
		}
		if p := &k.pools[*i-1]; p.object != t.Op.Object { // it is another group now
			k.share(*i-1, t.Op.Object)
			p.on = g.On
		}
		return *i
	}
	switch {
	case t.Place < 0:
		return 0
	case len(t.Op.Others) > 0:
		return several + 1
	case t.Op.Object == 0:
		return objectless + 1
	}
	of := &k.byObject[0]
	if t.Op.Kind.reads() {
		of = &k.byObject[1]
	}
	*of = grow(*of, t.Op.Object)
	if (*of)[t.Op.Object] == 0 {
		(*of)[t.Op.Object] = k.newPool(true) + 1
	}
	return (*of)[t.Op.Object]
}

// share makes a group's pool one of those of an object.
func (k *posMany) share(i int32, object int) {
	p := &k.pools[i]
	k.sharing = grow(k.sharing, object)
	if of := k.sharing[p.object]; p.object > 0 {
		at := slices.Index(of, i)
		k.sharing[p.object] = slices.Delete(of, at, at+1)
	}
	p.object = object
	k.sharing[object] = append(k.sharing[object], i)
	k.change(i)
}

// place puts a task where it belongs.
func (k *posMany) place(t *Task) {
	k.where = grow(k.where, t.ID)
	at := &k.where[t.ID]
	to, operation := k.poolOf(t), operationOf(t)
	if at.pool == to && (to == 0 || at.at == operation) {
		return
	}
	time, known := uint64(0), false
	if known = at.pool > 0 && to > 0 && at.at == operation; known { // it waits in a group now, or no longer
		time = k.drawnTime(t)
	}
	if at.pool > 0 {
		k.leave(t)
	}
	switch *at = (posPlace{pool: to, at: operation}); {
	case known:
		k.change(to - 1)
		k.push(&k.pools[to-1], taskTime{time, t})
	case to > 0:
		k.join(to-1, t)
	}
}

// drawnTime returns the time of a task, which is drawn if it is not.
func (k *posMany) drawnTime(t *Task) uint64 {
	at := k.where[t.ID]
	p := &k.pools[at.pool-1]
	switch {
	case at.timed:
		return p.times[at.slot].time
	case !p.drawn:
		p.first, p.drawn = p.least+k.time()/uint64(len(p.equal)), true
	}
	time := p.first
	if intn(k.source, len(p.equal)) > 0 {
		time += k.time() // the first is another's
	} else {
		p.least, p.drawn = p.first, false
	}
	k.leaveEqual(p, t)
	k.push(p, taskTime{time, t})
	return time
}

// join adds a task, whose time is not drawn.
func (k *posMany) join(i int32, t *Task) {
	k.change(i)
	p := &k.pools[i]
	if len(p.equal) == 0 {
		p.least, p.drawn = 0, false
	}
	if p.least > 0 || p.drawn || i == several {
		k.push(p, taskTime{k.time(), t})
		return
	}
	at := &k.where[t.ID]
	at.slot, at.timed = int32(len(p.equal)), false
	p.equal = append(p.equal, t)
}

func (k *posMany) leave(t *Task) {
	at := k.where[t.ID]
	p := &k.pools[at.pool-1]
	k.change(at.pool - 1)
	if at.timed {
		k.removeTime(p, int(at.slot))
		return
	}
	if p.drawn && intn(k.source, len(p.equal)) == 0 { // it is the one whose time is the first
		p.least, p.drawn = p.first, false
	}
	k.leaveEqual(p, t)
}

func (k *posMany) leaveEqual(p *pool, t *Task) {
	slot, last := k.where[t.ID].slot, len(p.equal)-1
	moved := p.equal[last]
	p.equal[slot] = moved
	k.where[moved.ID].slot = slot
	p.equal = p.equal[:last]
}

// change notes that the least time of a pool may be another.
func (k *posMany) change(i int32) {
	if p := &k.pools[i]; !p.changed {
		p.changed = true
		k.changed = append(k.changed, i)
	}
}

// refresh finds the least time of a pool.
func (k *posMany) refresh(i int32) {
	p := &k.pools[i]
	p.changed = false
	m := nothing
	if p.on {
		if len(p.equal) > 0 {
			if !p.drawn {
				p.first, p.drawn = p.least+k.time()/uint64(len(p.equal)), true
			}
			m.top = -int64(p.first)
		}
		if len(p.times) > 0 {
			m.top = max(m.top, -int64(p.times[0].time))
		}
	}
	k.on.set(int(i), m)
}

// drawRacing draws the times of the operations anew that race with the one that t is about to do.
func (k *posMany) drawRacing(t *Task) {
	if t.Op.Object != 0 {
		k.drawAt(t.Op.Object, t.Op.Kind.reads())
	}
	for _, object := range t.Op.Others {
		k.drawAt(object, t.Op.Kind.reads())
	}
	p, drawn := &k.pools[several], false
	for i := range p.times {
		if other := p.times[i].task; other != t && other.Op.races(t.Op) {
			p.times[i].time, drawn = k.time(), true
		}
	}
	if drawn {
		k.change(several)
		for i := len(p.times)/2 - 1; i >= 0; i-- {
			k.down(p, i, p.times[i])
		}
	}
}

func (k *posMany) drawAt(object int, reads bool) {
	for what, of := range k.byObject {
		if object < len(of) && of[object] > 0 && !(reads && what == 1) {
			k.drawAll(of[object] - 1)
		}
	}
	if object < len(k.sharing) {
		for _, i := range k.sharing[object] {
			if k.pools[i].on {
				k.drawAll(i)
			}
		}
	}
}

// drawAll draws all times of a pool anew. It looks at each task whose time was drawn by itself.
func (k *posMany) drawAll(i int32) {
	k.change(i)
	p := &k.pools[i]
	p.least, p.drawn = 0, false
	for _, e := range p.times {
		at := &k.where[e.task.ID]
		at.slot, at.timed = int32(len(p.equal)), false
		p.equal = append(p.equal, e.task)
	}
	p.times = p.times[:0]
}

// push adds a time to a pool.
func (k *posMany) push(p *pool, e taskTime) {
	p.times = append(p.times, e)
	k.up(p, len(p.times)-1, e)
}

func (k *posMany) removeTime(p *pool, i int) {
	last := len(p.times) - 1
	e := p.times[last]
	if p.times = p.times[:last]; i < last {
		if i > 0 && e.time < p.times[(i-1)/2].time {
			k.up(p, i, e)
		} else {
			k.down(p, i, e)
		}
	}
}

func (k *posMany) up(p *pool, i int, e taskTime) {
	for ; i > 0 && e.time < p.times[(i-1)/2].time; i = (i - 1) / 2 {
		k.putTime(p, i, p.times[(i-1)/2])
	}
	k.putTime(p, i, e)
}

func (k *posMany) down(p *pool, i int, e taskTime) {
	for {
		j := 2*i + 1
		if j+1 < len(p.times) && p.times[j+1].time < p.times[j].time {
			j++
		}
		if j >= len(p.times) || e.time <= p.times[j].time {
			break
		}
		k.putTime(p, i, p.times[j])
		i = j
	}
	k.putTime(p, i, e)
}

func (k *posMany) putTime(p *pool, i int, e taskTime) {
	p.times[i] = e
	at := &k.where[e.task.ID]
	at.slot, at.timed = int32(i), true
}
