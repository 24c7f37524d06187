//go:build !chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

// The compiler hands the body of a function on, for inlining, only from packages
// in which it has inlined it (see hooks/atomic/inline.go), and what is generic is
// inlined only where it is instantiated. So it is instantiated here once, in a
// function that nobody calls and the linker drops.
var _ = inlined

func inlined(p *atomic.Pointer[byte]) {
	StorePointer(p, SwapPointer(p, LoadPointer(p, Acquire), AcqRel), Release)
	CompareAndSwapPointer(p, nil, nil, AcqRel, Relaxed)
}
