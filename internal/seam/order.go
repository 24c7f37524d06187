package seam

// An Order is a memory order: hooks/memory defines the orders.
type Order uint8

// The orders, weakest first, as far as they can be compared.
const (
	Relaxed Order = iota
	Acquire
	Release
	AcqRel
	SeqCst
)

// Acquires reports whether code after a load of this order sees the effects of code before the store.
func (o Order) Acquires() bool { return o == Acquire || o >= AcqRel }

// Releases reports whether code after a matching load sees the effects of code before a store of this order.
func (o Order) Releases() bool { return o >= Release }
