package strategy

import "math/rand/v2"

// Random chooses uniformly among the enabled tasks, at every step. It is fair, and needs no
// knowledge of the subject; it is weakest at bugs that take few preemptions in a long
// execution.
func Random() Strategy { return new(random) }

type random struct {
	source rand.PCG
	after
}

func (*random) Name() string { return "random" }

func (r *random) Begin(x Execution) bool {
	r.source.Seed(x.Seed, stream)
	r.after.draw(x.Seed)
	return true
}

func (r *random) Next(c *Choice) int { return intn(&r.source, c.Len()) }

func (r *random) Pick(c *Choice, n int) int { return answer(&r.source, c, n) }

func (*random) SkipsForced() bool { return true }

func (*random) End(Result) {}
