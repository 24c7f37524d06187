//go:build !chaos

package memory

import "github.com/rouse-go/rouse/hooks/atomic"

// See hooks/atomic/inline.go. Generic functions are inlined only where they are instantiated: here
// once, in a function that is never called and the linker drops.
var _ = inlined

func inlined(p *atomic.Pointer[byte]) {
	StorePointer(p, SwapPointer(p, LoadPointer(p, Acquire), AcqRel), Release)
	CompareAndSwapPointer(p, nil, nil, AcqRel, Relaxed)
}
