//go:build chaos

package memory

import "github.com/rouse-go/rouse/internal/seam"

// A set of orders has a bit for each.
type set uint8

const (
	relaxed set = 1 << Relaxed
	acquire set = 1 << Acquire
	release set = 1 << Release
	acqRel  set = 1 << AcqRel
	seqCst  set = 1 << SeqCst

	loads   = relaxed | acquire | seqCst
	stores  = relaxed | release | seqCst
	updates = relaxed | acquire | release | acqRel | seqCst
	fences  = acquire | release | acqRel | seqCst
)

// has is also false for an invalid order, whose bit is shifted out.
func (s set) has(o Order) bool { return s&(1<<o) != 0 }

// Each kind of operation has its orders. These functions panic before the operation is done if the
// order is none of them; otherwise they set the order of the operation of hooks/atomic that follows,
// for an engine with a weak memory.

func load(function string, order Order) {
	if !loads.has(order) {
		panic(wrong(function, order, "a load has nothing to release", loads))
	}
	seam.Ordered(seam.Order(order), 0)
}

func store(function string, order Order) {
	if !stores.has(order) {
		panic(wrong(function, order, "a store has nothing to acquire", stores))
	}
	seam.Ordered(seam.Order(order), 0)
}

func update(function string, order Order) {
	if !updates.has(order) {
		panic(wrong(function, order, "", updates))
	}
	seam.Ordered(seam.Order(order), 0)
}

func compareAndSwap(function string, success, failure Order) {
	if !updates.has(success) {
		panic(wrong(function, success, "", updates))
	}
	if !loads.has(failure) {
		panic(wrong(function, failure, "if it does not swap it is a load, which has nothing to release", loads))
	}
	seam.Ordered(seam.Order(success), seam.Order(failure))
}

func fence(order Order) {
	if !fences.has(order) {
		panic(wrong("Fence", order, "it would order nothing", fences))
	}
}

// wrong is the text of the panic. why is ignored if order is no order at all.
func wrong(function string, order Order, why string, right set) string {
	if order > SeqCst {
		why = "there is no such order"
	}
	text := "memory: " + function + " with " + order.String() + ": " + why + "; right would be "
	for o := Relaxed; o < SeqCst; o++ {
		if !right.has(o) {
			continue
		}
		text += o.String()
		if right>>(o+1) == seqCst>>(o+1) { // the last but one
			text += " or "
		} else {
			text += ", "
		}
	}
	return text + SeqCst.String()
}
