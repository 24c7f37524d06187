package goroot

// Time is virtual within a group.
var timers = []Patch{
	begin("runtime/sema.go", "func internal_sync_nanotime(", "if b := getg().bubble; b != nil && b.ctl != nil { return b.now }", "virtual time"),
	after("runtime/time.go", "func time_runtimeNow(", "if bubble := getg().bubble; bubble != nil {", "if bubble.ctl != nil { bubble.now += bubble.ctl.Tick }", "each look at the clock is later than the one before"),
	after("runtime/time.go", "func time_runtimeNano(", "if gp.bubble != nil {", "if gp.bubble.ctl != nil { gp.bubble.now += gp.bubble.ctl.Tick }", "likewise"),
	begin("runtime/time.go", "func timeSleep(", "rousePoint(rouse.Sleep, 0)", "a point"),
	replace("runtime/time.go", "func (t *timer) maybeAdd()", "t.rand = cheaprand()", "t.rand = rouseRand32()", "the order of timers of the same time is seeded"),
	replace("runtime/time.go", "func (t *timer) maybeRunChan(", "if t.isFake && getg().bubble != c.bubble {", "if t.isFake && getg().bubble != rouseBubble(c.bubble) {", "a timer channel of another group, or of none"),
	replace("runtime/time.go", "func (t *timer) maybeRunChan(", "t.unlockAndRun(now, c.bubble)", "t.unlockAndRun(now, bub)", "likewise"),
	after("runtime/time.go", "func (t *timer) maybeRunChan(", "t.trace(\"maybeRunChan+\")", "bub := c.bubble; if t.isFake { bub = rouseBubble(bub) }", "likewise"),
	replace("runtime/time.go", "func blockTimerChan(", "if t.isFake && c.bubble != getg().bubble {", "if t.isFake && rouseBubble(c.bubble) != getg().bubble {", "likewise"),
}
