//go:build !chaos

package atomic

import "sync/atomic"

// An alias alone is not free. The compiler exports the body of a function, for inlining, only
// from the package that declares it and from packages in which it has inlined it. A package that
// imports this one and not sync/atomic would call (*Int64).Load instead of inlining it. So
// everything is inlined here once, in a function that is never called and the linker drops.
var _ = inlined

func inlined(
	b *atomic.Bool, i32 *atomic.Int32, i64 *atomic.Int64,
	u32 *atomic.Uint32, u64 *atomic.Uint64, uptr *atomic.Uintptr,
	p *atomic.Pointer[byte], v *atomic.Value,
) {
	b.Load()
	b.Store(b.Swap(b.CompareAndSwap(false, true)))

	i32.Store(i32.Load() + i32.Swap(i32.Add(1)) + i32.And(i32.Or(1)))
	i32.CompareAndSwap(0, 1)
	i64.Store(i64.Load() + i64.Swap(i64.Add(1)) + i64.And(i64.Or(1)))
	i64.CompareAndSwap(0, 1)
	u32.Store(u32.Load() + u32.Swap(u32.Add(1)) + u32.And(u32.Or(1)))
	u32.CompareAndSwap(0, 1)
	u64.Store(u64.Load() + u64.Swap(u64.Add(1)) + u64.And(u64.Or(1)))
	u64.CompareAndSwap(0, 1)
	uptr.Store(uptr.Load() + uptr.Swap(uptr.Add(1)) + uptr.And(uptr.Or(1)))
	uptr.CompareAndSwap(0, 1)

	p.Store(p.Swap(p.Load()))
	p.CompareAndSwap(nil, nil)
	v.Store(v.Swap(v.Load()))
	v.CompareAndSwap(nil, nil)
}
