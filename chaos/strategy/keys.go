package strategy

// keys finds tasks by their keys. It is a hash table of its own, since the race detector sees what a map does: the
// tasks of the subject call it, one after the other.
type keys struct {
	tasks []*Task // of the execution, by ID
	slots []int32 // by a key's lowest bits, or after that: the task's ID plus 1; 0 is free
	noted int     // so many tasks have a slot
}

// Created is called when a task of the execution has been made, in the order of their IDs.
//
//go:norace
func (c *Choice) Created(t *Task) { c.keys.tasks = append(c.keys.tasks, t) }

// TaskOf returns the task with a key, or nil if there is none yet. It knows the tasks that Created has been called for.
//
//go:norace
func (c *Choice) TaskOf(key uint64) *Task {
	k := &c.keys
	for ; k.noted < len(k.tasks); k.noted++ {
		if 2*k.noted >= len(k.slots) {
			k.grow()
		}
		k.note(k.noted)
	}
	if k.noted == 0 {
		return nil
	}
	at := key
	for {
		i := k.slots[at&uint64(len(k.slots)-1)]
		if i == 0 {
			return nil
		}
		if t := k.tasks[i-1]; t.Key == key {
			return t
		}
		at++
	}
}

// note gives the task with an ID a slot. Of two with one key the first has it.
//
//go:norace
func (k *keys) note(id int) {
	at := k.tasks[id].Key
	for {
		slot := &k.slots[at&uint64(len(k.slots)-1)]
		if *slot == 0 {
			*slot = int32(id + 1)
			return
		}
		if k.tasks[*slot-1].Key == k.tasks[id].Key {
			return
		}
		at++
	}
}

//go:norace
func (k *keys) grow() {
	k.slots = make([]int32, max(2*len(k.slots), 64))
	for id := range k.noted {
		k.note(id)
	}
}

//go:norace
func (k *keys) reset() {
	if k.noted > 0 {
		clear(k.slots)
	}
	k.tasks, k.noted = k.tasks[:0], 0
}

// IndexOf returns the index, as of At, of the task with a key; -1 if it can't make a step.
//
//go:norace
func (c *Choice) IndexOf(key uint64) int {
	if len(c.keys.tasks) > 0 {
		if t := c.TaskOf(key); t != nil {
			return c.Index(t)
		}
		return -1
	}
	for i, t := range c.All() { // no engine has made it
		if t.Key == key {
			return i
		}
	}
	return -1
}
