package strategy

// mostUses bounds what a profile remembers of single operations, and so its size:
// some 10 MB.
const mostUses = 1 << 17

// A profile records what the tasks of one execution did, in terms that hold in another: a task is
// identified by its key, and an object by the operations of tasks that used it. (An object is not
// identified by its first use: schedules differ in which task comes first.)
type profile struct {
	tasks  []profiledTask // in the order of their first steps, or spawns
	byKey  map[uint64]int
	shared []profiledObject
	uses   map[use]int // an object
	usages map[objectUse]int
}

type profiledTask struct {
	key    uint64
	parent int // among tasks, or -1
	steps  int
}

type profiledObject struct {
	by      []usage
	written bool
}

// objectUse is the use of an object by a task. The profile has its place among those of the object.
type objectUse struct{ object, task int }

// usage counts how often a task was about to use an object.
type usage struct{ task, times int }

// use is one use: slot 0 is the Object of the operation, and i+1 is Others[i].
type use struct {
	key       uint64
	ops, slot int
}

func newProfile() *profile {
	return &profile{byKey: map[uint64]int{}, uses: map[use]int{}, usages: map[objectUse]int{}}
}

// task returns the number of a task in the profile, which it enters if it is new.
func (p *profile) task(t *Task) int {
	if i, ok := p.byKey[t.Key]; ok {
		return i
	}
	parent := -1
	if t.Parent != nil {
		parent = p.task(t.Parent)
	}
	p.byKey[t.Key] = len(p.tasks)
	p.tasks = append(p.tasks, profiledTask{key: t.Key, parent: parent})
	return len(p.tasks) - 1
}

// steps returns the length of the execution.
func (p *profile) steps() (sum int) {
	for i := range p.tasks {
		sum += p.tasks[i].steps
	}
	return sum
}

// add enters a task's step.
func (p *profile) add(t *Task, known *identities) {
	task := p.task(t)
	if t.Op.Kind == After {
		return
	}
	p.tasks[task].steps++
	p.addUse(task, t, 0, t.Op.Object, known)
	for i, object := range t.Op.Others {
		p.addUse(task, t, i+1, object, known)
	}
}

func (p *profile) addUse(task int, t *Task, slot, number int, known *identities) {
	if number == 0 {
		return
	}
	object := known.look(p, t, slot, number)
	if object < 0 {
		object = len(p.shared)
		p.shared = append(p.shared, profiledObject{})
		known.set(number, object)
	}
	if len(p.uses) < mostUses {
		p.uses[use{t.Key, t.Ops, slot}] = object
	}
	o := &p.shared[object]
	o.written = o.written || !t.Op.Kind.reads()
	if i, ok := p.usages[objectUse{object, task}]; ok {
		o.by[i].times++
		return
	}
	p.usages[objectUse{object, task}] = len(o.by)
	o.by = append(o.by, usage{task, 1})
}

// weights writes to w, for each task, its own weight and that of its descendants.
// Parents are entered before their children.
func (p *profile) weights(w []int) {
	for i := len(w) - 1; i > 0; i-- {
		if parent := p.tasks[i].parent; parent >= 0 {
			w[parent] += w[i]
		}
	}
}

// identities map the objects of one execution to those of a profile, one to one: a task
// that took another path than in the profile would otherwise confuse one object with
// another, mostly with one that is known already.
type identities struct {
	byNumber []int  // an object of the profile, plus 1; 0 if not known
	claimed  []bool // by object of the profile
	// Of the first object of each task's operation: Ops, plus 1, and what the profile has for that.
	// Thousands of tasks that wait with the same operations are looked up at each decision.
	asked, found []int // by task ID
}

func (k *identities) reset() {
	clear(k.byNumber)
	clear(k.claimed)
	clear(k.asked)
}

func (k *identities) set(number, object int) {
	k.claimed = grow(k.claimed, object)
	k.claimed[object] = true
	k.byNumber[number] = object + 1
}

// look returns the object that a task is about to use, or -1 if that is not known yet:
// another task's use may identify it later.
func (k *identities) look(p *profile, t *Task, slot, number int) int {
	if number >= len(k.byNumber) {
		k.byNumber = grow(k.byNumber, number)
	}
	if object := k.byNumber[number] - 1; object >= 0 {
		return object
	}
	if object := k.use(p, t, slot); object >= 0 && k.claim(number, object) {
		return object
	}
	return -1
}

// use returns the object of the profile that the task used there, or -1.
func (k *identities) use(p *profile, t *Task, slot int) int {
	if slot == 0 && t.ID < len(k.asked) && k.asked[t.ID] == t.Ops+1 {
		return k.found[t.ID]
	}
	object, ok := p.uses[use{t.Key, t.Ops, slot}]
	if !ok {
		object = -1
	}
	if slot == 0 {
		if t.ID >= len(k.asked) {
			k.asked, k.found = grow(k.asked, t.ID), grow(k.found, t.ID)
		}
		k.asked[t.ID], k.found[t.ID] = t.Ops+1, object
	}
	return object
}

func (k *identities) claim(number, object int) bool {
	if object < len(k.claimed) && k.claimed[object] {
		return false
	}
	k.set(number, object)
	return true
}

// knows reports whether the object with that number is identified.
func (k *identities) knows(number int) bool {
	return number < len(k.byNumber) && k.byNumber[number] > 0
}
