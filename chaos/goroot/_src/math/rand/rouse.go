package rand

import "internal/rouse"

// A rouseState is what a source was when the first execution that draws from it began, if it was made outside of
// executions: by the initialisation of a package, or the global one, by a call of Seed there. Each execution begins
// with that, as the first of a process does.
type rouseState struct {
	inside bool   // the source was made by an execution
	id     uint64 // of the execution that has used it last
	saved  *rngSource
}

// rouseMade is called when the source is made.
func (rng *rngSource) rouseMade() { rng.rouse.inside = rouse.Controlled() != 0 }

// rouseUses is called before the source is used.
func (rng *rngSource) rouseUses() {
	id := rouse.Controlled()
	if id == 0 || rng.rouse.inside {
		return
	}
	rouse.Drew() // it may have been seeded by chance
	if rng.rouse.id == id {
		return
	}
	rng.rouse.id = id
	if saved := rng.rouse.saved; saved != nil {
		rng.tap, rng.feed, rng.vec = saved.tap, saved.feed, saved.vec
		return
	}
	rng.rouse.saved = &rngSource{tap: rng.tap, feed: rng.feed, vec: rng.vec}
}
