package goroot

// quietly begins a function of the standard library whose operations are not its caller's.
const quietly = "if rouse.On != 0 { rouse.Quiet(1); defer rouse.Quiet(-1) }"

// quietlyIn is quietly for a function that makes a file in a folder that others may look at.
const quietlyIn = quietly + `; if dir != "" { rouse.Aside(rouse.Syscall, 1) }`

// What the runtime and context leave to chance.
var chance = []Patch{
	begin("runtime/rand.go", "func rand()", "if x, ok := rouseRand(); ok { rouseDraws(getfp()); return x }", "seeded within a group, and in a worker"),
	replace("runtime/rand.go", "func mrandinit(", "mp.cheaprand = rand()", "mp.cheaprand = bootstrapRand()", "threads begin at any time: they draw from no stream of the user's").until("1.26"),
	replace("runtime/rand.go", "func mrandinit(", "mp.cheaprand = uint32(rand())", "mp.cheaprand = uint32(bootstrapRand())", "likewise").since("1.27"),
	replace("runtime/rand.go", "func mrandinit(", "mp.cheaprand64 = rand()", "mp.cheaprand64 = bootstrapRand()", "likewise").since("1.27"),
	after("math/rand/rng.go", "type rngSource struct", "vec  [rngLen]int64 // current feedback register", "rouse rouseState", "a source of a package-level variable begins anew in each execution"),
	begin("math/rand/rng.go", "func (rng *rngSource) Uint64()", "if rouse.On != 0 { rng.rouseUses() }", "likewise"),
	begin("math/rand/rng.go", "func (rng *rngSource) Seed(", "if rouse.On != 0 { rng.rouseUses() }", "likewise"),
	after("math/rand/rand.go", "func newSource(", "var rng rngSource", "if rouse.On != 0 { rng.rouseMade() }", "likewise"),
	replace("os/tempfile.go", "func nextRandom()", "return strconv.FormatUint(uint64(uint32(runtime_rand())), 10)", "return strconv.FormatUint(uint64(uint32(rouseRand())), 10)", "likewise"),
	begin("os/tempfile.go", "func CreateTemp(", quietlyIn, "how many names are taken is no schedule, and a name that nobody knows is no concern of others"),
	begin("os/tempfile.go", "func MkdirTemp(", quietlyIn, "likewise"),
	begin("runtime/alg.go", "func alginit()", "rouseReadSetup()", "before anything is hashed").until("1.26"),
	before("runtime/proc.go", "func schedinit()", "maps.AlgInit() // maps, hash, rand must not be used before this call", "rouseReadSetup()", "likewise").since("1.27"),
	replace("runtime/alg.go", "func initAlgAES()", "key[i] = bootstrapRand()", "key[i] = rouseHashKey(i)", "the hash function is the same in each worker").until("1.26"),
	replace("runtime/alg.go", "func alginit()", "hashkey[i] = uintptr(bootstrapRand())", "hashkey[i] = uintptr(rouseHashKey(i))", "likewise").until("1.26"),
	replace("internal/runtime/maps/runtime_alg.go", "func initAlgAES()", "key[i] = bootstrapRand()", "key[i] = rouseHashKey(i)", "likewise").since("1.27"),
	replace("internal/runtime/maps/runtime_alg.go", "func AlgInit()", "hashkey[i] = uintptr(bootstrapRand())", "hashkey[i] = uintptr(rouseHashKey(i))", "likewise").since("1.27"),
	begin("runtime/mgc.go", "func (t gcTrigger) test()", "if rouseHoldGC(t.kind) { return false }", "no collection inside an execution"),
	begin("runtime/mgc.go", "func goroutineLeakGC()", "rouseLeakGC(); defer rouseLeakGCDone()", "a task that has stopped before a lock waits for it, as to the profile of leaked goroutines"),
	begin("runtime/mgc.go", "func GC()", "rouseCollecting(); defer rouseCollected()", "finalizers have run when a call of GC returns, and the engine has kept nothing alive"),
	begin("runtime/mfinal.go", "func SetFinalizer(", "if finalizer != nil { rouseCollectable() }", "finalizers and cleanups show when the collector runs"),
	begin("runtime/mcleanup.go", "func AddCleanup[", "rouseCollectable()", "likewise"),
	begin("runtime/mheap.go", "func internal_weak_runtime_registerWeakPointer(", "rouseWeak()", "weak pointers show when the collector runs"),
	begin("internal/godebug/godebug.go", "func (s *Setting) Value()", quietly, "that package time looks at a setting is no decision, and what a process does once is no part of an execution"),
	begin("internal/godebug/godebug.go", "func (s *Setting) IncNonDefault()", quietly, "likewise"),
	begin("unique/handle.go", "func Make[T comparable](", quietly, "its atomic operations are no points, though compiled with the user's code"),
	replace("internal/runtime/maps/map.go", "func NewEmptyMap()", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "the seed of a map is constant"),
	replace("internal/runtime/maps/map.go", "func NewMap(", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "likewise"),
	replace("internal/runtime/maps/map.go", "func (m *Map) Delete(", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "the seed of a map is constant"),
	replace("internal/runtime/maps/map.go", "func (m *Map) Clear(", "m.seed = uintptr(rand())", "m.seed = uintptr(rouseSeed())", "likewise"),
	replace("internal/sync/hashtriemap.go", "func (ht *HashTrieMap[K, V]) initSlow()", "ht.seed = uintptr(runtime_rand())", "ht.seed = uintptr(rouseSeed())", "the seed of a map is constant"),
	begin("crypto/internal/sysrand/rand.go", "func Read(", "if rouseRead(b) { return }", "seeded within a group, and in a worker"),
	begin("runtime/map.go", "func mapIterStart(", "if rouse.On != 0 && m != nil { if rouseIterates(m.Used()); m.Used() > 8 { rouseIteration(t.Key, getfp()) } }", "the order may depend on addresses"),
	begin("runtime/debug.go", "func GOMAXPROCS(", "if was, ok := rouseSetProcs(n); ok { return was }", "programs size their pools by it: what is found must not depend on the machine"),
	begin("runtime/debug.go", "func SetDefaultGOMAXPROCS()", "if rouseDefaultProcs() { return }", "likewise"),
	begin("runtime/debug.go", "func NumCPU()", "if procs := rouseProcs(); procs != 0 { return procs }", "likewise"),
	replace("os/exec.go", "func Getpid()", "func Getpid() int { return syscall.Getpid() }", "func Getpid() int { rouseReadsID(); return syscall.Getpid() }", "each process has another one"),
	replace("os/exec.go", "func Getppid()", "func Getppid() int { return syscall.Getppid() }", "func Getppid() int { rouseReadsID(); return syscall.Getppid() }", "likewise"),
	begin("runtime/proc.go", "func entersyscall()", "if rouse.On != 0 { rouseEnters(getfp()) }", "what a system call does is out of control"),
	after("runtime/runtime2.go", "type g struct", "bubble  *synctestBubble", "rouseStream rouseStream", "goroutines that run in parallel draw their delays from it"),
	after("runtime/proc.go", "func newproc1(", "newg.bubble = callergp.bubble", "rouseInherit(newg, callergp)", "likewise"),
	replace("crypto/internal/constanttime/constant_time.go", "func boolToUint8(", "panic(\"unreachable; must be intrinsicified\")", "if b { return 1 }; return 0", "it is inlined into the user's code, which has no intrinsics"),
	after("context/context.go", "type cancelCtx struct", "children map[canceler]struct{} // set to nil by the first cancel call", "rouse rouseOrder", "children are cancelled in the order in which they came"),
	after("context/context.go", "func (c *cancelCtx) propagateCancel(", "p.children[child] = struct{}{}", "p.rouse.add(child)", "likewise"),
	after("context/context.go", "func removeChild(", "delete(p.children, child)", "p.rouse.remove(child)", "likewise"),
	replace("context/context.go", "func (c *cancelCtx) cancel(", "for child := range c.children {", "for child := range rouseChildren(c) {", "likewise"),
}
