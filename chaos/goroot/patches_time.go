package goroot

// Time is virtual within a group, and in a worker nothing outside of it is later.
var timers = []Patch{
	begin("runtime/sema.go", "func internal_sync_nanotime(", "if rouseIn() { return 1 }", "no mutex starves: who gets it is for the engine to decide"),
	after("runtime/time.go", "func time_runtimeNow(", "if bubble := getg().bubble; bubble != nil {", "if bubble.ctl != nil { rouseLook(bubble) }", "each look at the clock is later than the one before"),
	replace("runtime/time.go", "func time_runtimeNow(", "return time_now()", "if rouseWorker.on { now := rouseOutside(); return now / 1e9, int32(now % 1e9), 0 }; return time_now()", "a worker's clock agrees with that of its executions"),
	after("runtime/time.go", "func time_runtimeNano(", "if gp.bubble != nil {", "if gp.bubble.ctl != nil { rouseLook(gp.bubble) }", "likewise"),
	before("runtime/proc.go", "func main()", "fn := main_main // make an indirect call, as the linker doesn't know the address of the main package when laying down the runtime", "rouseMain()", "packages are initialised"),
	replace("runtime/time.go", "func time_runtimeNano(", "return nanotime()", "gp.rouseAsked = nanotime(); return gp.rouseAsked", "how long a timer waits does not depend on how long it takes to make it"),
	begin("syscall/syscall_linux.go", "func Syscall(", "if rouse.On != 0 && rouseOwn(trap, a1) { return rouseCall(trap, a1, a2, a3) }", "virtual time, by a system call"),
	begin("syscall/syscall_linux.go", "func RawSyscall(", "if rouse.On != 0 && rouseOwn(trap, a1) { return rouseCall(trap, a1, a2, a3) }", "likewise, and a task that signals its own process waits until the signal has come"),
	begin("runtime/time.go", "func timeSleep(", "rouseSleep()", "a point"),
	after("runtime/time.go", "type timer struct", "seq    uintptr", "rouse *rouseTimer", "of timers that outlive executions"),
	after("runtime/time.go", "type timer struct", "isChan bool         // timer has a channel; immutable; can be read without lock", "rouseBy uint64; rouseFor int64; rouseAgain, rouseTest bool", "who armed it, for how long, whether after one of that duration, and whether in a test"),
	after("runtime/time.go", "func (t *timer) modify(", "t.when = when", "if t.isFake { rouseArmed(t) }", "likewise"),
	before("runtime/time.go", "func (t *timer) unlockAndRun(", "f := t.f", "rouseFiring(bubble, t)", "who armed the timer that fires"),
	after("runtime/time.go", "func newTimer(", "t.init = true", "t.rouseNote(when, period)", "a timer can be used in a later execution"),
	begin("runtime/time.go", "func newTimer(", "rouseArms()", "whether a test arms it"),
	begin("runtime/time.go", "func stopTimer(", "if t.rouse != nil { t.rouseTouch(-1, 0) }", "a timer made outside of the execution"),
	begin("runtime/time.go", "func resetTimer(", "if t.rouse != nil { when = t.rouseTouch(when, period) }; rouseArms()", "a timer made outside of the execution, and whether a test arms it"),
	begin("runtime/time.go", "func (t *timer) maybeRunChan(", "if t.rouse != nil { t.rouseTouch(0, 0) }; rousePolled()", "likewise"),
	replace("runtime/time.go", "func (t *timer) maybeAdd()", "t.rand = cheaprand()", "t.rand = rouseRand32()", "the order of timers of the same time is seeded"),
	replace("runtime/time.go", "func (t *timer) maybeRunChan(", "if t.isFake && getg().bubble != c.bubble {", "if t.isFake && getg().bubble != rouseBubble(c.bubble) {", "the channel of a timer belongs to no bubble in a group"),
	replace("runtime/time.go", "func (t *timer) maybeRunChan(", "t.unlockAndRun(now, c.bubble)", "t.unlockAndRun(now, bub)", "likewise"),
	after("runtime/time.go", "func (t *timer) maybeRunChan(", "t.trace(\"maybeRunChan+\")", "bub := c.bubble; if t.isFake { bub = rouseBubble(bub) }", "likewise"),
	replace("runtime/time.go", "func blockTimerChan(", "if t.isFake && c.bubble != getg().bubble {", "if t.isFake && rouseBubble(c.bubble) != getg().bubble {", "likewise"),
	before("runtime/time.go", "func (t *timer) modify(", "t.unlockAndRun(bubble.now, bubble)", "if !async && t.isChan { unlock(&t.sendLock) }", "unlockAndRun locks it").only("1.25"),
}
