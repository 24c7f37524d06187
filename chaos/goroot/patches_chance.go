package goroot

// What the runtime and context leave to chance.
var chance = []Patch{
	begin("runtime/rand.go", "func rand()", "if x, ok := rouseRand(); ok { return x }", "seeded within a group, and in a worker"),
	replace("runtime/rand.go", "func mrandinit(", "mp.cheaprand = rand()", "mp.cheaprand = bootstrapRand()", "threads begin at any time: they draw from no stream of the user's"),
	begin("runtime/alg.go", "func alginit()", "rouseReadSetup()", "before anything is hashed"),
	replace("runtime/alg.go", "func initAlgAES()", "key[i] = bootstrapRand()", "key[i] = rouseHashKey(i)", "the hash function is the same in each worker"),
	replace("runtime/alg.go", "func alginit()", "hashkey[i] = uintptr(bootstrapRand())", "hashkey[i] = uintptr(rouseHashKey(i))", "likewise"),
	begin("runtime/mgc.go", "func (t gcTrigger) test()", "if rouseHoldGC(t.kind) { return false }", "no collection inside an execution"),
	begin("runtime/mgc.go", "func GC()", "defer rouseCollected()", "finalizers have run when a call of GC returns"),
	begin("runtime/mheap.go", "func internal_weak_runtime_registerWeakPointer(", "rouseWeak()", "weak pointers show when the collector runs"),
	begin("unique/handle.go", "func Make[T comparable](", "if rouse.On != 0 { rouse.Quiet(1); defer rouse.Quiet(-1) }", "its atomic operations are no points, though compiled with the user's code"),
	replace("internal/runtime/maps/map.go", "func NewEmptyMap()", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "the seed of a map is constant"),
	replace("internal/runtime/maps/map.go", "func NewMap(", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "likewise"),
	replace("internal/runtime/maps/map.go", "func (m *Map) Delete(", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "the seed of a map is constant"),
	replace("internal/runtime/maps/map.go", "func (m *Map) Clear(", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "likewise"),
	replace("internal/sync/hashtriemap.go", "func (ht *HashTrieMap[K, V]) initSlow()", "ht.seed = uintptr(runtime_rand())", "ht.seed = uintptr(rouseSeed())", "the seed of a map is constant"),
	begin("crypto/internal/sysrand/rand.go", "func Read(", "if rouseRead(b) { return }", "seeded within a group, and in a worker"),
	begin("runtime/map.go", "func mapIterStart(", "if rouse.On != 0 && m != nil && m.Used() > 8 { rouseIteration(t.Key, getfp()) }", "the order may depend on addresses").only("1.26"),
	begin("runtime/map_swiss.go", "func mapIterStart(", "if rouse.On != 0 && m != nil && m.Used() > 8 { rouseIteration(t.Key, getfp()) }", "the order may depend on addresses").only("1.25"),
	begin("runtime/debug.go", "func GOMAXPROCS(", "if procs := rouseProcs(); procs != 0 { return procs }", "programs size their pools by it: what is found must not depend on the machine"),
	begin("runtime/debug.go", "func NumCPU()", "if procs := rouseProcs(); procs != 0 { return procs }", "likewise"),
	begin("runtime/proc.go", "func entersyscall()", "if rouse.On != 0 { rouseSource(rouseSyscalls, getfp()) }", "what a system call does is out of control"),
	replace("context/context.go", "type cancelCtx struct", "children map[canceler]struct{} // set to nil by the first cancel call", "children map[canceler]uint64; rouseChild uint64", "children are cancelled in the order in which they came"),
	replace("context/context.go", "func (c *cancelCtx) propagateCancel(", "p.children = make(map[canceler]struct{})", "p.children = make(map[canceler]uint64)", "likewise"),
	replace("context/context.go", "func (c *cancelCtx) propagateCancel(", "p.children[child] = struct{}{}", "p.children[child] = p.rouseChild; p.rouseChild++", "likewise"),
	replace("context/context.go", "func (c *cancelCtx) cancel(", "for child := range c.children {", "for child := range rouseChildren(c.children) {", "likewise"),
}
