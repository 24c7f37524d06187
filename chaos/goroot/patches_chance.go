package goroot

// What the runtime and context leave to chance.
var chance = []Patch{
	begin("runtime/rand.go", "func rand()", "if b := getg().bubble; b != nil && b.ctl != nil { return b.ctl.rand() }", "seeded within a group"),
	replace("runtime/alg.go", "func initAlgAES()", "key[i] = bootstrapRand()", "key[i] = 0x9e3779b97f4a7c15 * uint64(i+1)", "the hash function is the same in each process"),
	replace("runtime/alg.go", "func alginit()", "hashkey[i] = uintptr(bootstrapRand())", "hashkey[i] = uintptr(0x9e3779b97f4a7c15 * uint64(i+1) >> 1 | 1)", "likewise"),
	replace("internal/runtime/maps/map.go", "func NewEmptyMap()", "m.seed = uintptr(rand())", "m.seed = rouseSeed", "the seed of a map is constant"),
	replace("internal/runtime/maps/map.go", "func NewMap(", "m.seed = uintptr(rand())", "m.seed = rouseSeed", "likewise"),
	replace("internal/runtime/maps/map.go", "func (m *Map) Delete(", "m.seed = uintptr(rand())", "m.seed = rouseSeed", "the seed of a map is constant"),
	replace("internal/runtime/maps/map.go", "func (m *Map) Clear(", "m.seed = uintptr(rand())", "m.seed = rouseSeed", "likewise"),
	replace("internal/sync/hashtriemap.go", "func (ht *HashTrieMap[K, V]) initSlow()", "ht.seed = uintptr(runtime_rand())", "ht.seed = 0x5bd1e995", "the seed of a map is constant"),
	replace("context/context.go", "type cancelCtx struct", "children map[canceler]struct{} // set to nil by the first cancel call", "children map[canceler]uint64", "children are cancelled in the order in which they came"),
	replace("context/context.go", "func (c *cancelCtx) propagateCancel(", "p.children = make(map[canceler]struct{})", "p.children = make(map[canceler]uint64)", "likewise"),
	replace("context/context.go", "func (c *cancelCtx) propagateCancel(", "p.children[child] = struct{}{}", "p.children[child] = rouseSeq.Add(1)", "likewise"),
	replace("context/context.go", "func (c *cancelCtx) cancel(", "for child := range c.children {", "for _, child := range rouseChildren(c.children) {", "likewise"),
}
