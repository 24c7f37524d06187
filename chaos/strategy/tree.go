package strategy

import "math"

// A tree keeps what is known of the tasks, or groups, in its slots: which is the highest, and how many there are. A slot
// is changed or found in time that is logarithmic in the number of slots. Its methods run on tasks, as those of Choice.
type tree struct {
	nodes []mark // the root is 1, the children of i are 2i and 2i+1, and slot i is slots+i
	slots int    // a power of two, or 0
}

// A mark is what is known of a slot, or of all below a node.
type mark struct {
	top    int64 // the highest
	weight int64 // the sum
	count  int64 // the number
}

// nothing is the mark of an empty slot.
var nothing = mark{top: math.MinInt64}

// reset empties the tree.
//
//go:norace
func (t *tree) reset() { t.nodes, t.slots = t.nodes[:0], 0 }

// all returns what is known of all slots.
//
//go:norace
func (t *tree) all() mark {
	if t.slots == 0 {
		return nothing
	}
	return t.nodes[1]
}

// of returns what is known of a slot.
//
//go:norace
func (t *tree) of(slot int) mark {
	if slot >= t.slots {
		return nothing
	}
	return t.nodes[t.slots+slot]
}

//go:norace
func (t *tree) set(slot int, m mark) {
	if slot >= t.slots {
		t.grow(slot)
	}
	i := t.slots + slot
	for t.nodes[i] != m {
		if t.nodes[i] = m; i == 1 {
			break
		}
		o := &t.nodes[i^1]
		m = mark{max(m.top, o.top), m.weight + o.weight, m.count + o.count}
		i /= 2
	}
}

// grow makes room for a slot. Each slot is copied about once.
//
//go:norace
func (t *tree) grow(slot int) {
	slots := max(4, t.slots)
	for slots <= slot {
		slots *= 2
	}
	old, was := t.nodes, t.slots
	if t.slots = slots; cap(old) >= 2*slots {
		t.nodes = old[:2*slots]
		for i := was - 1; i >= 0; i-- { // the old slots are below the new ones
			t.nodes[slots+i] = t.nodes[was+i]
		}
	} else {
		t.nodes = make([]mark, 2*slots)
		for i := range was {
			t.nodes[slots+i] = old[was+i]
		}
	}
	for i := slots + was; i < 2*slots; i++ {
		t.nodes[i] = nothing
	}
	for i := slots - 1; i > 0; i-- {
		a, b := &t.nodes[2*i], &t.nodes[2*i+1]
		t.nodes[i] = mark{max(a.top, b.top), a.weight + b.weight, a.count + b.count}
	}
}

// highest returns the slot of the highest, of several the first.
//
//go:norace
func (t *tree) highest() int {
	i := 1
	for i < t.slots {
		if i *= 2; t.nodes[i].top < t.nodes[i/2].top {
			i++
		}
	}
	return i - t.slots
}

// counted returns the slot of number n of what is counted, and its number among those of the slot.
//
//go:norace
func (t *tree) counted(n int64) (slot int, within int64) {
	i := 1
	for i < t.slots {
		if i *= 2; n >= t.nodes[i].count {
			n -= t.nodes[i].count
			i++
		}
	}
	return i - t.slots, n
}

// weighed is counted for the weights.
//
//go:norace
func (t *tree) weighed(n int64) (slot int, within int64) {
	i := 1
	for i < t.slots {
		if i *= 2; n >= t.nodes[i].weight {
			n -= t.nodes[i].weight
			i++
		}
	}
	return i - t.slots, n
}

// before returns how much is counted in the slots before a slot.
//
//go:norace
func (t *tree) before(slot int) (n int64) {
	for i := t.slots + slot; i > 1; i /= 2 {
		if i&1 == 1 {
			n += t.nodes[i-1].count
		}
	}
	return n
}
