//go:build chaos

package time

import "github.com/rouse-go/rouse/internal/seam"

// An operation that starts a clock has its point after it, while nothing waits for the clock yet;
// one that stops or restarts a clock has it before, where the clock can still win.
var (
	now   = seam.DeclareOperation("time/now", "the clock has been read, and what was read is growing stale", seam.Disturb)
	sleep = seam.DeclareOperation("time/sleep", "about to sleep: what is to happen meanwhile can happen now already", seam.Disturb)
	slept = seam.DeclareOperation("time/slept", "awake, at least as late as asked: what was to happen in time need not have happened", seam.Disturb)

	after      = seam.DeclareOperation("time/after", "the timer runs, and no task receives from its channel yet: it can be over before a select looks", seam.Disturb)
	timerNew   = seam.DeclareOperation("time/timer-new", "the timer runs, and its owner does not have it yet: it can fire first", seam.Disturb)
	timerFunc  = seam.DeclareOperation("time/timer-func", "the timer runs, and its owner does not have it yet: the function can run, and use it, first", seam.Disturb)
	timerFire  = seam.DeclareOperation("time/timer-fire", "the timer has fired and its function has not begun: Stop comes too late, and Reset starts a second run next to this one", seam.Disturb)
	timerStop  = seam.DeclareOperation("time/timer-stop", "about to stop the timer: it can fire first", seam.Disturb)
	timerReset = seam.DeclareOperation("time/timer-reset", "about to reset the timer: it can fire first", seam.Disturb)

	tickerNew   = seam.DeclareOperation("time/ticker-new", "the ticker runs, and no task receives from its channel yet: it drops what is not received", seam.Disturb)
	tickerStop  = seam.DeclareOperation("time/ticker-stop", "about to stop the ticker: it can tick once more", seam.Disturb)
	tickerReset = seam.DeclareOperation("time/ticker-reset", "about to reset the ticker: it can tick once more", seam.Disturb)
)
