package seam

// An Order is a memory order: hooks/memory says what each means.
type Order uint8

// The orders, weakest first, as far as they can be compared.
const (
	Relaxed Order = iota
	Acquire
	Release
	AcqRel
	SeqCst
)

// Acquires reports whether what follows a load of that order sees what preceded the store.
func (o Order) Acquires() bool { return o == Acquire || o >= AcqRel }

// Releases is the other half, of a store.
func (o Order) Releases() bool { return o >= Release }
