//go:build chaos

package time

import "github.com/rouse-go/rouse/hooks"

// What starts a clock has its point behind the operation, where the clock runs
// and nobody attends to it; what stops or restarts one has it before, where the
// clock can still win.
var (
	now   = hooks.Declare("time/now", "the clock has been read, and what was read is growing stale", hooks.Disturbs)
	sleep = hooks.Declare("time/sleep", "about to sleep: what is to happen meanwhile can happen now already", hooks.Disturbs)
	slept = hooks.Declare("time/slept", "awake, at least as late as asked: what was to happen in time need not have happened", hooks.Disturbs)

	after      = hooks.Declare("time/after", "the timer runs, and nobody receives from its channel yet: it can be over before a select looks", hooks.Disturbs)
	timerNew   = hooks.Declare("time/timer-new", "the timer runs, and its owner does not have it yet: it can fire first", hooks.Disturbs)
	timerFunc  = hooks.Declare("time/timer-func", "the timer runs, and its owner does not have it yet: the function can run, and use it, first", hooks.Disturbs)
	timerFire  = hooks.Declare("time/timer-fire", "the timer has fired and its function has not begun: Stop comes too late, and Reset starts a second run beside this one", hooks.Disturbs)
	timerStop  = hooks.Declare("time/timer-stop", "about to stop the timer: it can fire first", hooks.Disturbs)
	timerReset = hooks.Declare("time/timer-reset", "about to reset the timer: it can fire first", hooks.Disturbs)

	tickerNew   = hooks.Declare("time/ticker-new", "the ticker runs, and nobody receives from its channel yet: it drops what is not received", hooks.Disturbs)
	tickerStop  = hooks.Declare("time/ticker-stop", "about to stop the ticker: it can tick once more", hooks.Disturbs)
	tickerReset = hooks.Declare("time/ticker-reset", "about to reset the ticker: it can tick once more", hooks.Disturbs)
)
